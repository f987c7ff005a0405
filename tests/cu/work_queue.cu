// SPDX-License-Identifier: Apache-2.0
// A work queue in global memory: blocks and threads fetch items by atomics until none are left.
#include "check.h"

__device__ int next_item, next_block;

__global__ void by_thread(const int *in, int *out, int *taken, int n)
{
    for (;;) {
        int i = atomicAdd(&next_item, 1);
        if (i >= n)
            break;
        int v = in[i], steps = 0;
        while (v != 1) {
            v = v & 1 ? 3 * v + 1 : v / 2;
            steps++;
        }
        out[i] = steps;
        atomicAdd(&taken[i], 1);
    }
}

__global__ void by_block(int *out, int n)
{
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0)
            item = atomicAdd(&next_block, 1);
        __syncthreads();
        int i = item;
        __syncthreads();
        if (i >= n)
            return;
        out[i * blockDim.x + threadIdx.x] = i * 1000 + threadIdx.x;
    }
}

int main()
{
    const int n = 3000;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++)
        in[i] = i * 3 + 1;
    Buffer<int> din(in), dout(n), taken(n);
    by_thread<<<7, 96>>>(din, dout, taken, n);
    LAUNCHED();
    std::vector<int> o = dout.get(), t = taken.get();
    bool right = true;
    for (int i = 0; i < n; i++) {
        int v = in[i], steps = 0;
        while (v != 1) {
            v = v & 1 ? 3 * v + 1 : v / 2;
            steps++;
        }
        right &= o[i] == steps && t[i] == 1;
    }
    EXPECT(right);
    Buffer<int> blocks(100 * 64);
    by_block<<<9, 64>>>(blocks, 100);
    LAUNCHED();
    o = blocks.get();
    right = true;
    for (int i = 0; i < 100 * 64; i++)
        right &= o[i] == i / 64 * 1000 + i % 64;
    EXPECT(right);
    return DONE();
}
