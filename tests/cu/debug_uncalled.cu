// SPDX-License-Identifier: Apache-2.0
// Code for the debugger with a recursive function that no thread can come to.
// nvcc: -G
#include "check.h"

__device__ __noinline__ int down(int n)
{
    int part[2] = {n, n + 1};
    return n <= 0 ? part[1] : down(n - 1) + part[n & 1];
}

__device__ __noinline__ int sum(int n)
{
    int part[2] = {n, 2 * n};
    return n <= 0 ? part[0] : sum(n - 1) + part[n & 1];
}

__global__ void sums(int *out)
{
    if ((threadIdx.x & 1) > 5)
        out[0] = down((int)threadIdx.x);
    else
        out[threadIdx.x] = sum((int)threadIdx.x);
}

int main()
{
    Buffer<int> out(40);
    sums<<<1, 40>>>(out);
    LAUNCHED();
    auto v = out.get();
    for (int n = 0, is = 0; n < 40; n++) {
        is += n & 1 ? 2 * n : n;
        EXPECT(v[n] == is);
    }
    return DONE();
}
