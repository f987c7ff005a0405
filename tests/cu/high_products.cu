// SPDX-License-Identifier: Apache-2.0
// Bits of products of 64 bits that are kept in 16: of shorts and of bytes, signed and not, from each bit on.
#include "check.h"

enum { THREADS = 256, SHIFTS = 48 };

// As it stands, which clang would make of 32 bits.
template <class T> __device__ __host__ long long product(T x, T y)
{
#ifdef __CUDA_ARCH__
    long long p;
    if constexpr (T(-1) < 0 && sizeof(T) == 1)
        asm("{ .reg .s64 a, b; cvt.s64.s8 a, %1; cvt.s64.s8 b, %2; mul.lo.s64 %0, a, b; }"
            : "=l"(p)
            : "r"(int(x)), "r"(int(y)));
    else if constexpr (T(-1) < 0)
        asm("{ .reg .s64 a, b; cvt.s64.s16 a, %1; cvt.s64.s16 b, %2; mul.lo.s64 %0, a, b; }"
            : "=l"(p)
            : "h"(x), "h"(y));
    else
        asm("{ .reg .u64 a, b; cvt.u64.u16 a, %1; cvt.u64.u16 b, %2; mul.lo.s64 %0, a, b; }"
            : "=l"(p)
            : "h"((unsigned short)x), "h"((unsigned short)y));
    return p;
#else
    return (long long)x * y;
#endif
}

template <class T, int C> __device__ __host__ short bits(T x, T y)
{
    return short(product(x, y) >> C);
}

// A word of it, shifted once more.
template <class T, int C> __device__ __host__ short word_bits(T x, T y)
{
    return short(int(product(x, y) >> (C & 31)) >> (C & 7));
}

template <class T, int C> __device__ __host__ void all_bits(const T *x, const T *y, short *out, int i)
{
    out[(2 * C) * THREADS + i] = bits<T, C>(x[i], y[i]);
    out[(2 * C + 1) * THREADS + i] = word_bits<T, C>(x[i], y[i]);
    if constexpr (C + 1 < SHIFTS)
        all_bits<T, C + 1>(x, y, out, i);
}

template <class T> __global__ void products(const T *x, const T *y, short *out)
{
    all_bits<T, 0>(x, y, out, threadIdx.x);
}

template <class T> void test()
{
    T *x, *y;
    short *out, want[2 * SHIFTS * THREADS];
    OK(cudaMallocManaged(&x, THREADS * sizeof *x));
    OK(cudaMallocManaged(&y, THREADS * sizeof *y));
    OK(cudaMallocManaged(&out, sizeof want));
    for (unsigned i = 0; i < THREADS; i++) {
        x[i] = T(i * 2654435761u >> 9);
        y[i] = T(i * 2246822519u >> 7);
    }
    products<<<1, THREADS>>>(x, y, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++)
        all_bits<T, 0>(x, y, want, i);
    for (int i = 0; i < 2 * SHIFTS * THREADS; i++)
        EXPECT(out[i] == want[i]);
}

int main()
{
    test<short>();
    test<unsigned short>();
    test<signed char>();
    test<unsigned char>();
    return DONE();
}
