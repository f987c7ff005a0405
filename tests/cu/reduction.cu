// SPDX-License-Identifier: Apache-2.0
// widths: 32
// Reductions: a tree in shared memory, the last block done by a guard with an atomic, and a warp-synchronous volatile tail.
// The tail has data races: s[t + 16] is loaded while thread t + 16 stores to it, with no __syncwarp between (docs/races.md).
#include "check.h"

__device__ unsigned finished = 0;

__global__ void tree(const float *in, float *out, int n)
{
    extern __shared__ float s[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// Every block leaves a partial sum; the last one to finish adds them up.
__global__ void whole(const float *in, volatile float *partial, float *result, int n)
{
    __shared__ float s[128];
    __shared__ bool last;
    float v = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        v += in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        unsigned ticket = atomicInc(&finished, gridDim.x);
        last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (int b = 0; b < gridDim.x; b++)
            total += partial[b];
        *result = total;
        finished = 0;
    }
}

// As written for the first GPUs: the last 32 threads go on without a barrier, in lockstep.
__device__ void warp_tail(volatile int *s, int t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

__global__ void old_style(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    if (t < 128)
        s[t] += s[t + 128];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    if (t < 32)
        warp_tail(s, t);
    if (t == 0)
        out[blockIdx.x] = s[0];
}

int main()
{
    const int n = 10000;
    std::vector<float> in(n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i] = (float)((i * 7919) % 1000) / 8;
    Buffer<float> din(in), partial(64), result(1);
    for (int block : {32, 64, 128, 256, 512}) {
        int grid = (n + block - 1) / block;
        Buffer<float> out(grid);
        tree<<<grid, block, block * sizeof(float)>>>(din, out, n);
        LAUNCHED();
        double s = 0;
        for (float v : out.get())
            s += v;
        EXPECT(s == sum);
    }
    for (int r = 0; r < 5; r++) {
        whole<<<37, 128>>>(din, partial, result, n);
        LAUNCHED();
        EXPECT(result.get()[0] == (float)sum);
    }
    std::vector<int> ints(256 * 8);
    for (size_t i = 0; i < ints.size(); i++)
        ints[i] = (int)(i * i % 91);
    Buffer<int> dints(ints), dout(8);
    old_style<<<8, 256>>>(dints, dout);
    LAUNCHED();
    std::vector<int> out = dout.get();
    for (int b = 0; b < 8; b++) {
        int s = 0;
        for (int i = 0; i < 256; i++)
            s += ints[b * 256 + i];
        EXPECT(out[b] == s);
    }
    return DONE();
}
