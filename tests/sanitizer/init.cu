// SPDX-License-Identifier: Apache-2.0
// Planted faults for initcheck. memory.cu has the words of the lines before each case.
#include "cases.h"
#include <cuda_runtime.h>

__global__ void copy(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}
__global__ void count(int *at)
{
    atomicAdd(at, 1);
}
__global__ void bytes(const char *in, int *out)
{
    *out = in[3];
}

// case never_written --tool initcheck
// > Uninitialized __global__ memory read of size 4 bytes
// > at copy(int const*, int*, int)+0x* in init.cu:*
// > by thread (0,0,0) in block (0,0,0)
// > Address 0x*
// > and is inside the allocation at 0x* of size 16 bytes
// > ERROR SUMMARY: 4 errors
// errors 4
CASE(never_written)
{
    copy<<<1, 32>>>(device<int>(4), device<int>(4), 4);
}

// case one_missing --tool initcheck
// > Uninitialized __global__ memory read of size 4 bytes
// > by thread (99,0,0) in block (0,0,0)
// errors 1
CASE(one_missing)
{
    int *a = device<int>(100), *b = device<int>(100);
    cudaMemset(a, 0, 99 * 4);
    copy<<<1, 128>>>(a, b, 100);
}

// case one_byte_missing --tool initcheck
// > Uninitialized __global__ memory read of size 1 bytes
// errors 1
CASE(one_byte_missing)
{
    char *a = device<char>(8);
    cudaMemset(a, 0, 3);
    bytes<<<1, 1>>>(a, device<int>(1));
}

// case counter --tool initcheck
// > Uninitialized __global__ memory read of size 4 bytes
// > at count(int*)+0x*
// errors 1
CASE(counter)
{
    count<<<1, 1>>>(device<int>(1));
}

// case freed_and_new --tool initcheck
// > Uninitialized __global__ memory read of size 4 bytes
// errors 1
CASE(freed_and_new)
{
    int *a = device<int>(1 << 20), *b = device<int>(1);
    cudaMemset(a, 0, 4 << 20);
    cudaFree(a);
    a = device<int>(1 << 20);
    copy<<<1, 1>>>(a, b, 1);
}

// case everything_is_right --tool initcheck
CASE(everything_is_right)
{
    enum { N = 3000 };
    static int host[N];
    int *a = device<int>(N), *b = device<int>(N), *c = device<int>(N), *d, *e;
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    copy<<<N / 128 + 1, 128>>>(a, b, N);
    copy<<<N / 128 + 1, 128>>>(b, c, N);
    fill<<<N / 128 + 1, 128>>>(b, N);
    cudaMallocAsync(&d, sizeof host, 0);
    cudaMemcpyAsync(d, c, sizeof host, cudaMemcpyDeviceToDevice, 0);
    copy<<<N / 128 + 1, 128>>>(d, a, N);
    cudaMallocManaged(&e, sizeof host);
    for (int i = 0; i < N; i++)
        e[i] = i;
    copy<<<N / 128 + 1, 128>>>(e, a, N);
    size_t pitch;
    int *rows;
    cudaMallocPitch(&rows, &pitch, 40, 10);
    cudaMemset2D(rows, pitch, 0, 40, 10);
    copy<<<1, 10>>>(rows + pitch / 4 * 9, a, 10);
    cudaDeviceSynchronize();
    cudaFreeAsync(d, 0);
}

CASES
