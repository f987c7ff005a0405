// SPDX-License-Identifier: Apache-2.0
// A block's sum that all threads read from shared memory, whose place the next sum uses again with no barrier between, as
// many programs have it: on a GPU all warps have read long before.
// These are data races: s[0] is read by all warps and stored to by the first one with no barrier between.
// Width 1 is the plain schedule (docs/races.md), which shows them; the other widths yield where the program counts on it.
// widths: 8 16 32
#include "check.h"

__device__ int block_sum(int v)
{
    __shared__ int s[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (lane == 0)
        s[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < warps ? s[lane] : 0;
        for (int d = 16; d > 0; d >>= 1)
            v += __shfl_xor_sync(0xffffffff, v, d);
        if (lane == 0)
            s[0] = v;
    }
    __syncthreads();
    return s[0];
}

__global__ void spread(const int *in, int *out)
{
    int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    int mean = block_sum(x) / (int)blockDim.x;
    int spread = block_sum((x - mean) * (x - mean));
    out[blockIdx.x * blockDim.x + threadIdx.x] = spread + block_sum(1);
}

int main()
{
    const int blocks = 5, threads = 192;
    std::vector<int> in(blocks * threads);
    for (int i = 0; i < blocks * threads; i++)
        in[i] = i * 31 % 97;
    Buffer<int> din(in), out(blocks * threads);
    spread<<<blocks, threads>>>(din, out);
    LAUNCHED();
    std::vector<int> o = out.get();
    for (int b = 0; b < blocks; b++) {
        int sum = 0, square = 0;
        for (int i = 0; i < threads; i++)
            sum += in[b * threads + i];
        for (int i = 0; i < threads; i++)
            square += (in[b * threads + i] - sum / threads) * (in[b * threads + i] - sum / threads);
        for (int i = 0; i < threads; i++)
            EXPECT(o[b * threads + i] == square + threads);
    }
    return DONE();
}
