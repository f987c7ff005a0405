// SPDX-License-Identifier: Apache-2.0
// What gdb.sh stops in: a kernel with a barrier, and a function that it calls.
#include <cstdio>

struct Pair {
    short first;
    float second[2];
};

__device__ float twice(float x)
{
    return x * 2; // MARK twice
}

__global__ void scale(float *p, int n)
{
    __shared__ float shared[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pair pair = {(short)i, {1.5f, (float)i}};
    shared[threadIdx.x] = p[i]; // MARK first
    __syncthreads();
    float v = twice(shared[63 - threadIdx.x]); // MARK second
    if (i < n)
        p[i] = v + pair.second[0] - 0.5f; // MARK third
}

int main()
{
    float *p;
    cudaMalloc(&p, 1000);
    cudaMemset(p, 0, 1000);
    scale<<<3, 64>>>(p, 150);
    float v = 0;
    cudaMemcpy(&v, p + 149, 4, cudaMemcpyDeviceToHost);
    printf("result %g\n", v);
    return 0;
}
