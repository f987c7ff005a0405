// SPDX-License-Identifier: Apache-2.0
// The first form of dynamic parallelism, for targets below 9.0: a block waits for its children and reads what they made.
// nvcc: -rdc=true -lcudadevrt -arch=sm_80 -DCUDA_FORCE_CDP1_IF_SUPPORTED
// clang: 22
#include "check.h"

__global__ void fill(int *p, int x)
{
    p[threadIdx.x] = x + int(threadIdx.x);
}

__global__ void parent(int *p, int *sums)
{
    int *mine = p + blockIdx.x * 64;
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x == 0) {
            fill<<<1, 64>>>(mine, round * 100);
            cudaDeviceSynchronize();
        }
        __syncthreads();
        atomicAdd(&sums[blockIdx.x], ((volatile int *)mine)[threadIdx.x]);
        __syncthreads();
    }
}

// The sum over a tree, each node waiting for both children.
__global__ void tree(int depth, int *out)
{
    if (!depth) {
        *out = 1;
        return;
    }
    int *part;
    cudaMalloc(&part, 2 * sizeof(int));
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    tree<<<1, 1>>>(depth - 1, part);
    tree<<<1, 1, 0, s>>>(depth - 1, part + 1);
    cudaDeviceSynchronize();
    *out = ((volatile int *)part)[0] + ((volatile int *)part)[1];
    cudaFree(part);
}

int main()
{
    cudaDeviceProp device;
    OK(cudaGetDeviceProperties(&device, 0));
    if (on_gpu() && device.major >= 9)
        SKIP("GPUs of 9.0 and newer have no form in which a block waits for its children");
    Buffer<int> p(64 * 20), sums(20);
    parent<<<20, 64>>>(p, sums);
    LAUNCHED();
    for (int s : sums.get())
        EXPECT(s == 3 * 63 * 32 + 300 * 64);
    tree<<<1, 1>>>(6, p);
    LAUNCHED();
    EXPECT(p.get()[0] == 64);
    return DONE();
}
