// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that wait for each other at different places, some waits apart for good: what a wait tells and what memory holds differs
// from lane to lane then, at one place of the code too. Each thread makes as many waits as all others, so that nothing here is a race.
//
// nvcc: -arch=sm_80
#include "check.h"

enum { THREADS = 64 };

#define EACH_BARRIER() asm volatile("barrier.sync 0;" ::: "memory")
#define EACH_COUNT(n, p)                                                                                               \
    asm volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; barrier.red.popc.u32 %0, 0, q; }"                              \
                 : "=r"(n)                                                                                             \
                 : "r"(int(p))                                                                                         \
                 : "memory")

__host__ __device__ unsigned mixed(unsigned sum, unsigned v, unsigned by)
{
    return sum * by + v;
}

// Odd threads are two barriers behind: the even ones load s before thread 0 stores to it, the odd ones behind that. A branch on it has barriers.
__global__ void loads(unsigned *out, int n)
{
    __shared__ unsigned s;
    unsigned t = threadIdx.x, sum = 0;
    s = 0;
    if (t & 1) {
        EACH_BARRIER();
        EACH_BARRIER();
    }
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        EACH_BARRIER();
        unsigned v = s;
        EACH_BARRIER();
        if (t == 0)
            s = i + 1;
        if (v & 1) {
            EACH_BARRIER();
            sum = mixed(sum, v, 3);
            EACH_BARRIER();
        } else {
            EACH_BARRIER();
            sum = mixed(sum, v, 5);
            EACH_BARRIER();
        }
        sum += v;
    }
    if (!(t & 1)) {
        EACH_BARRIER();
        EACH_BARRIER();
    }
    out[t] = sum;
}

// The same with what barriers tell: of `told` threads, which depends on how many barriers there were before.
__global__ void counts(unsigned *out, int n)
{
    unsigned t = threadIdx.x, sum = 0, k = 0, told;
    if (t & 1)
        EACH_COUNT(told, t < k++);
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        EACH_COUNT(told, t < k++);
        if (told & 1) {
            sum = mixed(sum, told, 3);
            EACH_COUNT(told, t < k++);
        } else {
            sum = mixed(sum, told, 5);
            EACH_COUNT(told, t < k++);
        }
        sum += told;
    }
    if (!(t & 1))
        EACH_COUNT(told, t < k++);
    out[t] = sum;
}

// With waits of a warp.
__global__ void warps(unsigned *out, int n)
{
    __shared__ unsigned s[THREADS / 32];
    unsigned t = threadIdx.x, w = t / 32, sum = 0;
    s[w] = 0;
    if (t & 1) {
        __syncwarp();
        __syncwarp();
    }
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        __syncwarp();
        unsigned v = s[w];
        __syncwarp();
        if (t % 32 == 0)
            s[w] = i + 1;
        if (v & 1) {
            __syncwarp();
            sum = mixed(sum, v, 3);
            __syncwarp();
        } else {
            __syncwarp();
            sum = mixed(sum, v, 5);
            __syncwarp();
        }
        sum += v;
    }
    if (!(t & 1)) {
        __syncwarp();
        __syncwarp();
    }
    out[t] = sum;
}

// And with what votes tell.
__global__ void votes(unsigned *out, int n)
{
    unsigned t = threadIdx.x, sum = 0, k = 0;
    if (t & 1)
        __ballot_sync(~0u, t % 32 < k++);
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        unsigned told = __popc(__ballot_sync(~0u, t % 32 < k++));
        if (told & 1) {
            sum = mixed(sum, told, 3);
            told = __popc(__ballot_sync(~0u, t % 32 < k++));
        } else {
            sum = mixed(sum, told, 5);
            told = __popc(__ballot_sync(~0u, t % 32 < k++));
        }
        sum += told;
    }
    if (!(t & 1))
        __ballot_sync(~0u, t % 32 < k++);
    out[t] = sum;
}

static unsigned loaded(unsigned t, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned v = i + (t & 1);
        sum = mixed(sum, v, v & 1 ? 3 : 5) + v;
    }
    return sum;
}

static unsigned told(unsigned t, int n)
{
    unsigned sum = 0, k = t & 1;
    for (int i = 0; i < n; i++, k += 2)
        sum = mixed(sum, k, k & 1 ? 3 : 5) + k + 1;
    return sum;
}

int main()
{
    unsigned *out;
    OK(cudaMallocManaged(&out, THREADS * sizeof *out));
    void (*const kernels[])(unsigned *, int) = {loads, warps, counts, votes};
    for (int k = 0; k < 4; k++) {
        kernels[k]<<<1, THREADS>>>(out, 7);
        OK(cudaDeviceSynchronize());
        for (unsigned t = 0; t < THREADS; t++)
            EXPECT(out[t] == (k < 2 ? loaded(t, 7) : told(t, 7)));
    }
    return DONE();
}
