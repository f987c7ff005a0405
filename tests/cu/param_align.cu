// SPDX-License-Identifier: Apache-2.0
// nvcc: -arch=sm_80
// A parameter lies at a multiple of what its type asks for, so that an index may be put into the low bits of its address. Maps of
// tensors ask for 64.
#include "check.h"
#include <cstdint>

template <int align> struct alignas(align) Row {
    int x[align / 4];
};

static __device__ int at(uintptr_t p)
{
    int x;
    asm volatile("ld.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}

template <int align>
static __global__ void pick(int n, const __grid_constant__ Row<align> row, const __grid_constant__ int last,
                            const int *index, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = at((uintptr_t)&row | (uintptr_t)index[i] * 4) + last;
}

template <int align> static void test()
{
    enum { N = 70 };
    int *index, *out;
    Row<align> row;
    OK(cudaMallocManaged(&index, N * sizeof *index));
    OK(cudaMallocManaged(&out, N * sizeof *out));
    for (int i = 0; i < align / 4; i++)
        row.x[i] = 1000 + i;
    for (int i = 0; i < N; i++)
        index[i] = i * 7 % (align / 4);
    for (int last = 0; last < 3; last++) {
        pick<<<3, 32>>>(N, row, last, index, out);
        LAUNCHED();
        for (int i = 0; i < N; i++)
            EXPECT(out[i] == 1000 + index[i] + last);
    }
    OK(cudaFree(index));
    OK(cudaFree(out));
}

int main()
{
    test<4>();
    test<16>();
    test<64>();
    test<128>();
    return DONE();
}
