// SPDX-License-Identifier: Apache-2.0
// Constant memory that a guard keeps threads away from is not read ahead of it: neither for what the next block will touch, nor for the
// address of an atomic that a block merges.
#include "check.h"

__constant__ int table[4] = {1, 1, 2, 3};

__device__ __forceinline__ int constant_at(const int *p, long i)
{
    unsigned long long at;
    int r;
    asm("cvta.to.const.u64 %0, %1;" : "=l"(at) : "l"(p));
    asm("ld.const.u32 %0, [%1];" : "=r"(r) : "l"(at + i * 4));
    return r;
}

__global__ void rows(const int *t, float *out, const float *in, long stride, int pitch, int blocks)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float x = s[63 - threadIdx.x];
    if (blockIdx.x >= blocks)
        return;
    int row = constant_at(t, blockIdx.x * stride);
    const float *p = in + (long)row * pitch + threadIdx.x;
    float *q = out + (long)row * pitch + threadIdx.x;
    for (int i = 0; i < 4; i++)
        q[2L * i * pitch] = p[2L * i * pitch] + x;
}

__global__ void count(const int *t, int *counts, int counted)
{
    if (counted)
        atomicAdd(counts + constant_at(t, 0), 1);
}

int main()
{
    int *t, *counts, c[2];
    float *in, *out, row[64];
    OK(cudaGetSymbolAddress((void **)&t, table));
    OK(cudaMalloc(&in, 1 << 16));
    OK(cudaMalloc(&out, 1 << 16));
    OK(cudaMalloc(&counts, sizeof c));
    OK(cudaMemset(in, 0, 1 << 16));
    OK(cudaMemset(counts, 0, sizeof c));
    rows<<<16, 64>>>(t, out, in, 1L << 38, 64, 1);
    OK(cudaMemcpy(row, out + 64, sizeof row, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(row[i] == 63 - i);
    count<<<16, 64>>>(t, counts, 1);
    count<<<16, 64>>>(NULL, counts, 0);
    OK(cudaMemcpy(c, counts, sizeof c, cudaMemcpyDeviceToHost));
    EXPECT(c[0] == 0 && c[1] == 1024);
    return DONE();
}
