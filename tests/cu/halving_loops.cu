// SPDX-License-Identifier: Apache-2.0
// Loops with barriers whose counter halves or doubles: sums by trees of many shapes, scans, and loops that only look like them.
#include "check.h"

enum { MOST = 512 };

__global__ void tree_down(int *out, const int *in)
{
    __shared__ int s[MOST];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
__global__ void tree_signed(int *out, const int *in)
{
    __shared__ int s[MOST];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    for (int d = blockDim.x / 2; d > 2; d /= 2) {
        __syncthreads();
        if (t < d)
            s[t] += s[t + d];
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
}
// Any number of threads, odd ones too.
__global__ void tree_odd(int *out, const int *in)
{
    __shared__ int s[MOST];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    while (n > 1) {
        int half = (n + 1) / 2;
        if (t < n - half)
            s[t] += s[t + half];
        __syncthreads();
        n = half;
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
__global__ void tree_up(int *out, const int *in)
{
    __shared__ int s[MOST];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0 && t + d < blockDim.x)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
__global__ void scan(int *out, const int *in)
{
    __shared__ int s[MOST];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
        int x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    out[i] = s[t];
}
// What is carried beside the counter, and a second way out.
__global__ void carried(int *out, const int *in, int stop)
{
    __shared__ int s[MOST];
    int t = threadIdx.x, turns = 0, sum = 0;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (turns == stop)
            break;
        if (t < d)
            s[t] += s[t + d];
        sum += (int)d;
        turns++;
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0] + 1000000 * turns + 7 * sum;
}
// Two dimensions, and the largest with its place.
__global__ void place_of_most(int *out, const int *in)
{
    __shared__ int s[MOST], at[MOST];
    int t = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    s[t] = in[blockIdx.x * n + t];
    at[t] = t;
    __syncthreads();
    for (int d = n / 2; d > 0; d >>= 1) {
        if (t < d && (s[t + d] > s[t] || (s[t + d] == s[t] && at[t + d] < at[t]))) {
            s[t] = s[t + d];
            at[t] = at[t + d];
        }
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = at[0];
}

static int powers_below(int n)
{
    int p = 1;
    while (p * 2 <= n)
        p *= 2;
    return p;
}

static void run(int threads, int blocks)
{
    int n = threads * blocks, *in, *out;
    std::vector<int> a(n), got(n), want(n);
    for (int i = 0; i < n; i++)
        a[i] = (i * 7919 + 13) % 1009;
    OK(cudaMalloc(&in, n * sizeof(int)));
    OK(cudaMalloc(&out, n * sizeof(int)));
    OK(cudaMemcpy(in, a.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    bool even = powers_below(threads) == threads;
    auto fetch = [&](int count) { OK(cudaMemcpy(got.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost)); };
    for (int b = 0; b < blocks; b++) {
        want[b] = 0;
        for (int t = 0; t < threads; t++)
            want[b] += a[b * threads + t];
    }
    auto same = [&](int count) { return !memcmp(got.data(), want.data(), count * sizeof(int)); };
    if (even) {
        tree_down<<<blocks, threads>>>(out, in);
        fetch(blocks);
        EXPECT(same(blocks));
        tree_up<<<blocks, threads>>>(out, in);
        fetch(blocks);
        EXPECT(same(blocks));
        if (threads >= 8) {
            tree_signed<<<blocks, threads>>>(out, in);
            fetch(blocks);
            EXPECT(same(blocks));
        }
        for (int stop = 0; stop < 12; stop += 3) {
            carried<<<blocks, threads>>>(out, in, stop);
            fetch(blocks);
            for (int b = 0; b < blocks; b++) {
                std::vector<int> s(a.begin() + b * threads, a.begin() + (b + 1) * threads);
                int turns = 0, sum = 0;
                for (int d = threads / 2; d > 0 && turns != stop; d /= 2, turns++) {
                    for (int t = 0; t < d; t++)
                        s[t] += s[t + d];
                    sum += d;
                }
                EXPECT(got[b] == s[0] + 1000000 * turns + 7 * sum);
            }
        }
        place_of_most<<<blocks, dim3(threads / 2, 2)>>>(out, in);
        fetch(blocks);
        for (int b = 0; b < blocks; b++) {
            int best = 0;
            for (int t = 1; t < threads; t++)
                if (a[b * threads + t] > a[b * threads + best])
                    best = t;
            EXPECT(got[b] == best);
        }
    }
    tree_odd<<<blocks, threads>>>(out, in);
    fetch(blocks);
    EXPECT(same(blocks));
    scan<<<blocks, threads>>>(out, in);
    fetch(n);
    for (int i = 0; i < n; i++)
        want[i] = a[i] + (i % threads ? want[i - 1] : 0);
    EXPECT(same(n));
    OK(cudaFree(in));
    OK(cudaFree(out));
}

int main()
{
    run(256, 4);
    run(16, 3);
    run(2, 3);
    run(100, 3);
    return DONE();
}
