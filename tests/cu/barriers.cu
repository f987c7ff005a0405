// SPDX-License-Identifier: Apache-2.0
// Barriers: in loops, after threads have left, in both branches of an if, with counts and votes, in functions.
#include "check.h"

__global__ void after_return(int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t >= n)
        return;
    int v = s[(t + 1) % n];
    __syncthreads();
    s[t] = v * 2;
    __syncthreads();
    out[t] = s[(t + 1) % n];
}

__device__ __noinline__ int rotate(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    v = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    return v;
}

__global__ void in_function(int *out, int times)
{
    __shared__ int s[256];
    int v = threadIdx.x;
    for (int i = 0; i < times; i++)
        v = rotate(s, v) + 1;
    out[threadIdx.x] = v;
}

__global__ void counts(int *out)
{
    int t = threadIdx.x;
    out[t] = __syncthreads_count(t % 3 == 0);
    out[128 + t] = __syncthreads_and(t < 200);
    out[256 + t] = __syncthreads_and(t < 90);
    out[384 + t] = __syncthreads_or(t == 77);
    out[512 + t] = __syncthreads_or(t == 777);
}

// Whole warps take different barriers of the same number.
__global__ void two_places(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t * t;
    if (t < 32) {
        __syncthreads();
        out[t] = s[t + 32];
    } else {
        __syncthreads();
        out[t] = s[t - 32] + 1;
    }
}

int main()
{
    Buffer<int> d(640);
    for (int n : {128, 97, 64, 3}) {
        after_return<<<1, 128>>>(d, n);
        LAUNCHED();
        std::vector<int> o = d.get();
        bool right = true;
        for (int t = 0; t < n; t++)
            right &= o[t] == (t + 2) % n * 2;
        EXPECT(right);
    }
    for (int block : {32, 50, 256}) {
        in_function<<<1, block>>>(d, 11);
        LAUNCHED();
        std::vector<int> o = d.get();
        bool right = true;
        for (int t = 0; t < block; t++)
            right &= o[t] == (t + 11) % block + 11;
        EXPECT(right);
    }
    counts<<<1, 128>>>(d);
    LAUNCHED();
    std::vector<int> o = d.get();
    bool right = true;
    for (int t = 0; t < 128; t++)
        right &= o[t] == 43 && o[128 + t] != 0 && o[256 + t] == 0 && o[384 + t] != 0 && o[512 + t] == 0;
    EXPECT(right);
    two_places<<<1, 64>>>(d);
    LAUNCHED();
    o = d.get();
    right = true;
    for (int t = 0; t < 64; t++)
        right &= o[t] == (t < 32 ? (t + 32) * (t + 32) : (t - 32) * (t - 32) + 1);
    EXPECT(right);
    return DONE();
}
