// SPDX-License-Identifier: Apache-2.0
// A wild store: the error comes at the next synchronisation, stays, and the process goes on until the device is reset.
#include "check.h"

__global__ void wild(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[(size_t)i << 32] = i;
}

__global__ void fine(int *p)
{
    p[threadIdx.x] = threadIdx.x;
}

int main()
{
    int *p;
    OK(cudaMalloc(&p, 4096));
    fine<<<1, 32>>>(p);
    LAUNCHED();
    wild<<<4, 64>>>(p, 256);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    fine<<<1, 32>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&p, 16) == cudaErrorIllegalAddress);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return DONE();
}
