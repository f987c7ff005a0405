// SPDX-License-Identifier: Apache-2.0
// Programs with a barrier too few that work on GPUs, since all warps read before one of them comes to the store.
// These are data races: s[t], length, the rows of s, mask[seed] and node are stored to by one warp while another may still read or clear them;
// what the lanes of a warp store to out is loaded by whoever comes last, which lane 0 alone tells.
// Width 1 is the plain schedule (docs/races.md), which shows them; the other widths yield where the program counts on it.
// widths: 8 16 32
#include "check.h"

// Each thread hands its value to the next one; the first takes a new one in.
__global__ void pipeline(const int *in, int *out, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x, last = blockDim.x - 1;
    s[t] = 0;
    __syncthreads();
    for (int i = 0; i < n + last; i++) {
        int x;
        if (t == 0)
            x = i < n ? in[i] : 0;
        else
            x = s[t - 1];
        x = x * 3 + t;
        if (t < last)
            s[t] = x;
        else if (i >= last)
            out[i - last] = x;
        __syncthreads();
    }
}

// All look whether the queue is half full, then some push to it.
__global__ void queue(const int *take, int *rounds, int *total, int n)
{
    __shared__ int length, flushed;
    int t = threadIdx.x, mine = 0;
    if (t == 0)
        length = flushed = 0;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (length >= 64) {
            __syncthreads();
            if (t == 0) {
                flushed += length;
                length = 0;
            }
            __syncthreads();
            mine++;
        }
        if (take[i * blockDim.x + t])
            atomicAdd(&length, 1);
        __syncthreads();
    }
    rounds[t] = mine;
    if (t == 0)
        *total = flushed + length;
}

// Rows of a tile are read by all warps and then overwritten by one each.
__global__ void rows(const int *in, int *out)
{
    __shared__ int s[8 * 32];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, sum = 0;
    s[t] = in[t];
    __syncthreads();
    for (int k = 0; k < 8; k++)
        sum += s[k * 32 + lane] * (k + warp);
    s[warp * 32 + lane] = sum;
    __syncthreads();
    out[t] = s[(t + 1) % 256];
}

// All clear an array, then one marks a place in it.
__global__ void mark(char *mask, int n, const int *seed, int *out)
{
    int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x)
        mask[i] = 0;
    if (t == 0)
        mask[seed[blockIdx.x]] = 1;
    __syncthreads();
    out[t] = mask[seed[blockIdx.x]];
}

// Steps down a list by what several threads find at once in the node that all of them look at.
__global__ void descend(const int *next, int *node, int steps, int step)
{
    int t = threadIdx.x;
    for (int i = 0; i < steps; i++) {
        if (t % 64 == 63 && next[node[blockIdx.x] * step + t] > 0)
            node[blockIdx.x] = next[node[blockIdx.x] * step + t];
        __syncthreads();
    }
}

// The lanes of a warp store, and its first one counts them; the last warp adds up what all have stored.
__global__ void count(const int *in, int *out, int *done, int *sum)
{
    int t = threadIdx.x + blockIdx.x * blockDim.x, lane = t % 32, all = gridDim.x * blockDim.x;
    int x = __shfl_sync(~0u, in[t], lane ^ 1);
    out[t] = x;
    if (lane == 0 && atomicAdd(done, 32) + 32 == all)
        for (int i = 0; i < all; i++)
            *sum += ((volatile int *)out)[i];
}

// No barrier is missing here: nothing may change.
__global__ void sums(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        *out = s[0];
}

int main()
{
    const int n = 300, threads = 256;
    std::vector<int> in(n * threads);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (int)(i * 7919 % 1001);
    Buffer<int> din(in), out(n), one(1);

    pipeline<<<1, 96, 96 * sizeof(int)>>>(din, out, n);
    LAUNCHED();
    std::vector<int> o = out.get();
    for (int i = 0; i < n; i++) {
        unsigned x = (unsigned)in[i];
        for (unsigned t = 0; t < 96; t++)
            x = x * 3 + t;
        EXPECT(o[i] == (int)x);
    }

    std::vector<int> take(n * threads);
    int total = 0;
    for (size_t i = 0; i < take.size(); i++)
        total += take[i] = in[i] % 11 == 0;
    Buffer<int> dtake(take), rounds(threads);
    queue<<<1, threads>>>(dtake, rounds, one, n);
    LAUNCHED();
    o = rounds.get();
    EXPECT(o[0] > 10);
    for (int t = 1; t < threads; t++)
        EXPECT(o[t] == o[0]);
    EXPECT(one.get()[0] == total);

    Buffer<int> wide(threads);
    rows<<<1, threads>>>(din, wide);
    LAUNCHED();
    o = wide.get();
    for (int t = 0; t < threads; t++) {
        int from = (t + 1) % 256, sum = 0;
        for (int k = 0; k < 8; k++)
            sum += in[k * 32 + from % 32] * (k + from / 32);
        EXPECT(o[t] == sum);
    }

    std::vector<int> seed = {777};
    Buffer<int> dseed(seed);
    Buffer<char> mask(1000);
    mark<<<1, threads>>>(mask, 1000, dseed, wide);
    LAUNCHED();
    o = wide.get();
    for (int t = 0; t < threads; t++)
        EXPECT(o[t] == 1);

    std::vector<int> next(64 * threads), zero = {0};
    for (int i = 0; i < 64 * threads; i++)
        next[i] = i / threads + 1; // in any order of the threads one node on
    Buffer<int> dnext(next), node(zero);
    descend<<<1, threads>>>(dnext, node, 20, threads);
    LAUNCHED();
    EXPECT(node.get()[0] == 20);

    Buffer<int> stored(4 * threads), done(zero), sum(zero);
    count<<<4, threads>>>(din, stored, done, sum);
    LAUNCHED();
    total = 0;
    for (int t = 0; t < 4 * threads; t++)
        total += in[t];
    EXPECT(sum.get()[0] == total);

    sums<<<1, threads>>>(din, one);
    LAUNCHED();
    total = 0;
    for (int t = 0; t < threads; t++)
        total += in[t];
    EXPECT(one.get()[0] == total);
    return DONE();
}
