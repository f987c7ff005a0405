// SPDX-License-Identifier: Apache-2.0
#include "separable.h"
__global__ void kernel(int *out)
{
    out[threadIdx.x] = combine(int(threadIdx.x), 1);
}

int main()
{
    int *p, values[32], five = 7;
    cudaMalloc(&p, sizeof values);
    cudaMemcpyToSymbol(offset, &five, sizeof five);
    kernel<<<1, 32>>>(p);
    if (cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost))
        return 1;
    for (int i = 0; i < 32; i++)
        if (values[i] != 2 * i + 8)
            return 2;
    return cudaFree(p) != cudaSuccess;
}
