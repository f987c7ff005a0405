// SPDX-License-Identifier: Apache-2.0
#include "separable.h"
__global__ void kernel(int *out)
{
    *out = combine(10, 1);
}

int call()
{
    int *p, value = 0;
    if (cudaMalloc(&p, sizeof *p))
        return -1;
    kernel<<<1, 1>>>(p);
    if (cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost))
        return -2;
    cudaFree(p);
    return value;
}
