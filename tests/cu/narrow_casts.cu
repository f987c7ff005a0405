// SPDX-License-Identifier: Apache-2.0
// Casts of halves, bfloats and floats of 8 bits to all integers, on device and host: what is out of range is clamped, what is no
// number is 0 or, of 64 bits, 2^63. Also what casts back take from wider types, and steps of pairs. nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <cuda_fp8.h>

template <typename T, typename Narrow> __host__ __device__ T cast(unsigned code)
{
    Narrow x;
    x = Narrow();
    memcpy(&x, &code, sizeof x);
    return (T)x;
}
template <typename T, typename Narrow> __global__ void casts(T *out, unsigned n)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = cast<T, Narrow>(i);
}

// The bits of an integer that x becomes.
static unsigned long long wanted(double x, bool is_signed, unsigned bytes)
{
    unsigned long long mask = ~0ull >> (64 - 8 * bytes), most = mask >> is_signed;
    if (x != x)
        return bytes == 8 ? 1ull << 63 : 0;
    double beyond = std::ldexp(1, (int)(8 * bytes) - is_signed);
    if (x >= beyond)
        return most;
    if (x < 0)
        return !is_signed ? 0 : x <= -beyond ? (~most & mask) : (unsigned long long)(long long)x & mask;
    return (unsigned long long)x;
}
template <typename T, typename Narrow> static bool agree(unsigned n, double (*value)(unsigned))
{
    Buffer<T> d(n);
    casts<T, Narrow><<<1, 256>>>(d, n);
    LAUNCHED();
    std::vector<T> device = d.get();
    bool all = true;
    for (unsigned i = 0; i < n; i++) {
        T here = cast<T, Narrow>(i), want;
        unsigned long long bits = wanted(value(i), (T)-1 < (T)1, sizeof(T));
        memcpy(&want, &bits, sizeof want);
        all &= here == want && device[i] == want;
    }
    return all;
}
template <typename Narrow> static void all_integers(unsigned n, double (*value)(unsigned))
{
    EXPECT((agree<char, Narrow>(n, value)));
    EXPECT((agree<signed char, Narrow>(n, value)));
    EXPECT((agree<unsigned char, Narrow>(n, value)));
    EXPECT((agree<short, Narrow>(n, value)));
    EXPECT((agree<unsigned short, Narrow>(n, value)));
    EXPECT((agree<int, Narrow>(n, value)));
    EXPECT((agree<unsigned int, Narrow>(n, value)));
    EXPECT((agree<long, Narrow>(n, value)));
    EXPECT((agree<unsigned long, Narrow>(n, value)));
    EXPECT((agree<long long, Narrow>(n, value)));
    EXPECT((agree<unsigned long long, Narrow>(n, value)));
}

static double narrow(unsigned code, int exponent, int mantissa, bool infinite)
{
    int e = (int)(code >> mantissa) & ((1 << exponent) - 1), bias = (1 << (exponent - 1)) - 1;
    double f = code & ((1u << mantissa) - 1), sign = code >> (exponent + mantissa) & 1 ? -1 : 1;
    if (infinite && e == (1 << exponent) - 1)
        return f != 0 ? NAN : sign * INFINITY;
    return sign * (e ? std::ldexp((1 << mantissa) + f, e - bias - mantissa) : std::ldexp(f, 1 - bias - mantissa));
}
static double of_half(unsigned c)
{
    return narrow(c, 5, 10, true);
}
static double of_bfloat(unsigned c)
{
    return narrow(c, 8, 7, true);
}
static double of_e5m2(unsigned c)
{
    return narrow(c, 5, 2, true);
}
static double of_e4m3(unsigned c)
{
    return (c & 0x7F) == 0x7F ? NAN : narrow(c, 4, 3, false);
}
static double of_e8m0(unsigned c)
{
    return c == 255 ? NAN : std::ldexp(1, (int)c - 127);
}

static __host__ __device__ unsigned long long others(int what, double nan)
{
    switch (what) {
    case 0: // a double keeps its sign
        return __nv_cvt_double_to_fp8(nan, __NV_SATFINITE, __NV_E4M3);
    case 1:
        return __nv_cvt_double_to_fp8(nan, __NV_NOSAT, __NV_E5M2);
    case 2:
        return __nv_fp8_e4m3(nan).__x;
    case 3: // a float has one code
        return __nv_fp8_e5m2((float)nan).__x;
    case 4:
        return __nv_fp8_e4m3((float)nan).__x;
    case 5: // all digits of an integer count
        return __nv_fp8_e8m0((1ll << 60) + 1).__x;
    case 6:
        return __nv_fp8_e8m0(-1024).__x;
    case 7:
        return __nv_fp8x4_e8m0(make_float4(1, 2, 3, 4)).__x;
    case 8:
        return __nv_fp8x2_e8m0(__floats2half2_rn(8, 5)).__x;
    case 9: {
        __half2 h = __floats2half2_rn(2, -1);
        h++;
        ++h;
        __half2 old = h--;
        return __half_as_ushort(__low2half(h)) | (unsigned long long)__half_as_ushort(__high2half(h)) << 16 |
               (unsigned long long)__half_as_ushort(__low2half(old)) << 32;
    }
    default: {
        __nv_bfloat162 b = __floats2bfloat162_rn(2, -1);
        --b;
        return __bfloat16_as_ushort(__low2bfloat16(b)) | (unsigned long long)__bfloat16_as_ushort(__high2bfloat16(b))
                                                             << 16;
    }
    }
}
__global__ void others_of(unsigned long long *out, double nan)
{
    for (int i = 0; i < 11; i++)
        out[i] = others(i, nan);
}

int main()
{
    all_integers<__half>(65536, of_half);
    all_integers<__nv_bfloat16>(65536, of_bfloat);
    all_integers<__nv_fp8_e4m3>(256, of_e4m3);
    all_integers<__nv_fp8_e5m2>(256, of_e5m2);
    all_integers<__nv_fp8_e8m0>(256, of_e8m0);
    static const unsigned long long want[] = {0xFF, 0xFE,       0xFF,   0x7F,           0x7F,      127 + 61,
                                              137,  0x8181807F, 0x8282, 0x440000004200, 0xC0003F80};
    double nan = std::copysign(NAN, -1.0);
    Buffer<unsigned long long> d(11);
    others_of<<<1, 1>>>(d, nan);
    LAUNCHED();
    std::vector<unsigned long long> device = d.get();
    for (int i = 0; i < 11; i++) {
        EXPECT(others(i, nan) == want[i]);
        EXPECT(device[i] == want[i]);
    }
    return DONE();
}
