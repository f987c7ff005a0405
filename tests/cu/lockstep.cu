// SPDX-License-Identifier: Apache-2.0
// Code without barriers that counts on the threads of a warp going in step, as old programs have it.
// These are data races: threads of a warp load what others of it store, with no __syncwarp between (docs/races.md).
// widths: 32
#include "check.h"

// The last warp of a reduction, and one thread that takes what the warp stored.
__global__ void columns(const int *in, int *out)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < 17) {
        int sum = 0;
        for (int i = t; i < (int)blockDim.x; i += 17)
            sum += s[i];
        s[t] = sum;
    }
    if (!t) {
        int sum = 0;
        for (int i = 0; i < 17; i++)
            sum += s[i];
        out[blockIdx.x] = sum;
    }
}

// Every thread reads before one writes.
__global__ void permute(const int *rank, int *out)
{
    __shared__ int value[16], place[16];
    int t = threadIdx.x;
    if (t < 16) {
        value[t] = 100 + t;
        place[t] = rank[t];
    }
    __syncthreads();
    if (t < 16)
        value[place[t]] = value[t];
    __syncthreads();
    if (t < 16)
        out[t] = value[t];
}

// A block of one warp needs no barrier at all.
__global__ void rotate(int *out, int by)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t * 3;
    out[t] = s[(t + by) & 31];
}

// Every thread reads what its neighbour is about to overwrite.
__global__ void shift(const int *in, int *out, int by)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if ((t & 31) >= 1)
        s[t] = s[t - by] + 1;
    __syncthreads();
    out[t] = s[t];
}

// The last warp of a reduction in global memory.
__global__ void in_place(int *data, int *out)
{
    int t = threadIdx.x;
    for (int step = blockDim.x / 2; step > 32; step /= 2) {
        if (t < step)
            data[t] += data[t + step];
        __syncthreads();
    }
    if (t < 32) {
        volatile int *v = data;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    if (!t)
        *out = data[0];
}

// Sums of each warp with fences of the block, which wait for nobody.
__global__ void scans(const int *in, int *out)
{
    __shared__ int s[4 * 48];
    int t = threadIdx.x, at = t / 32 * 48 + 16 + t % 32;
    s[at - 16] = 0;
    __threadfence_block();
    s[at] = in[t];
    __threadfence_block();
    for (int d = 1; d < 32; d *= 2) {
        int v = s[at - (d < 16 ? d : 16)];
        __threadfence_block();
        s[at] += v;
        __threadfence_block();
    }
    out[t] = s[at];
}

// One lane fills the place of the element that all have just taken.
__global__ void take(int *out, int n)
{
    __shared__ int s[4][64];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = 0;
    s[warp][lane] = lane + 1;
    s[warp][lane + 32] = lane + 33;
    int left = n;
    for (int i = 0; i < n; i++) {
        __syncwarp();
        int j = i * 7 % left, x = s[warp][j];
        left--;
        if (lane == 0)
            s[warp][j] = s[warp][left];
        sum += x * (i + 1);
    }
    out[threadIdx.x] = sum;
}

int main()
{
    const int blocks = 3, threads = 128;
    std::vector<int> in(blocks * threads), rank(16);
    for (int i = 0; i < blocks * threads; i++)
        in[i] = i * i % 1001;
    for (int i = 0; i < 16; i++)
        rank[i] = (i * 7 + 3) % 16;
    Buffer<int> din(in), drank(rank), out(32);
    columns<<<blocks, threads, threads * sizeof(int)>>>(din, out);
    LAUNCHED();
    std::vector<int> o = out.get();
    for (int b = 0; b < blocks; b++) {
        int sum = 0;
        for (int i = 0; i < threads; i++)
            sum += in[b * threads + i];
        EXPECT(o[b] == sum);
    }
    permute<<<1, 64>>>(drank, out);
    LAUNCHED();
    o = out.get();
    for (int i = 0; i < 16; i++)
        EXPECT(o[rank[i]] == 100 + i);
    rotate<<<1, 32>>>(out, 13);
    LAUNCHED();
    o = out.get();
    for (int i = 0; i < 32; i++)
        EXPECT(o[i] == (i + 13) % 32 * 3);
    Buffer<int> sums(128);
    shift<<<1, 128>>>(din, sums, 1);
    LAUNCHED();
    o = sums.get();
    for (int i = 0; i < 128; i++)
        EXPECT(o[i] == (i % 32 >= 1 ? in[i - 1] + 1 : in[i]));
    scans<<<1, 128>>>(din, sums);
    LAUNCHED();
    o = sums.get();
    for (int i = 0, sum = 0; i < 128; i++) {
        sum = (i % 32 ? sum : 0) + in[i];
        EXPECT(o[i] == sum);
    }
    in_place<<<1, 128>>>(din, sums);
    LAUNCHED();
    int sum = 0;
    for (int i = 0; i < 128; i++)
        sum += in[i];
    EXPECT(sums.get()[0] == sum);
    take<<<1, 128>>>(sums, 60);
    LAUNCHED();
    std::vector<int> left(64);
    for (int i = 0; i < 64; i++)
        left[i] = i + 1;
    sum = 0;
    for (int i = 0; i < 60; i++) {
        int j = i * 7 % (60 - i);
        sum += left[j] * (i + 1);
        left[j] = left[60 - i - 1];
    }
    o = sums.get();
    for (int i = 0; i < 128; i++)
        EXPECT(o[i] == sum);
    return DONE();
}
