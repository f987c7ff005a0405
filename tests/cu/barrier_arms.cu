// SPDX-License-Identifier: Apache-2.0
// Barriers in the arms of branches, beside loads and stores that look as if the program counted on the order of warps,
// so that gangs give way to each other there. No program here has a race: what it computes does not depend on where
// they do.
//
// nvcc: -arch=sm_80
#include "check.h"

#define BARRIER() asm volatile("bar.sync 0;" ::: "memory")
#define EACH_BARRIER()                                                                                                 \
    asm volatile("barrier.sync 0;" ::: "memory") // threads of a warp at different ones, which bar.sync forbids
#define SYNC(id, threads)   asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory")
#define ARRIVE(id, threads) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory")

// A barrier in each arm; in one of them a load of a neighbour's word and a store, of which a launch makes one.
__global__ void one_arm(int *out, int load, int store)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t >= 32) {
        int x = load ? s[t ^ 1] : 0;
        out[t] = x;
        if (store)
            s[t] = 100 + t;
        BARRIER();
        out[t] += 1;
    } else {
        BARRIER();
        out[t] = s[t + 32];
    }
}

// Two barriers in each arm, and a word that all threads of one arm load between them. It is not stored to.
__global__ void both_arms(int *out, int store)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t >= 32) {
        BARRIER();
        int x = s[0];
        out[t] = x;
        if (store && t > 32)
            s[t - 32] = 100 + x;
        BARRIER();
        out[t] += 1;
    } else {
        BARRIER();
        BARRIER();
        out[t] = s[t];
    }
}

// Loops with another number of turns in each thread, some of which have left the kernel before.
__global__ void turns(int *out, int load, int store, int leave)
{
    __shared__ int s[160];
    int t = threadIdx.x, sum = 0;
    s[t] = t;
    if (t % 7 == leave)
        return;
    EACH_BARRIER();
    if (t % 3) {
        for (int i = 0; i < t % 5; i++) {
            if (load)
                sum += s[t ^ 1];
            if (store)
                s[t] += i;
        }
        EACH_BARRIER();
        sum += s[t / 32 * 32 + (t + 1) % 32];
    } else {
        EACH_BARRIER();
        sum = -s[t];
    }
    EACH_BARRIER();
    s[t] = sum;
    EACH_BARRIER();
    out[t] = s[159 - t] + s[t];
}

// The same with collectives of the warps.
__global__ void votes(int *out, int load, int store)
{
    __shared__ int s[96];
    int t = threadIdx.x, sum = 0;
    s[t] = t;
    __syncthreads();
    int first = s[0];
    if (t % 2) {
        if (load)
            sum = s[t - 1];
        if (store)
            s[t] = 2 * t;
    }
    sum += __reduce_add_sync(~0u, s[t]) + __shfl_xor_sync(~0u, t, 3) + first;
    unsigned active = __activemask();
    sum += (__ballot_sync(active, 1) == active) + __popc(__ballot_sync(~0u, t % 3 == 0));
    __syncthreads();
    if (store && t / 32 == 1)
        s[t - 31] = 5;
    __syncthreads();
    out[t] = sum + s[t];
}

// Barriers of some warps beside those of the block.
__global__ void named(int *out, int store)
{
    __shared__ int s[128];
    int t = threadIdx.x, warp = t / 32;
    s[t] = t;
    __syncthreads();
    int x = s[0];
    if (warp < 2) {
        SYNC(1, 64);
        if (store && t)
            s[t] = x + 1000 + t;
        SYNC(1, 64);
        x += s[63 - t];
    } else if (warp == 2) {
        if (store)
            s[t] = x + 7;
        ARRIVE(2, 64);
    } else {
        SYNC(2, 64);
        x += s[t - 32];
        if (store)
            s[t] = -x;
    }
    __syncthreads();
    out[t] = x + s[127 - t];
}

// One warp arrives at barriers that another one waits at later, and goes on.
__global__ void arriving(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        SYNC(1, 64);
        out[t] = s[31 - t];
        SYNC(2, 64);
        SYNC(3, 64);
    } else {
        ARRIVE(2, 64);
        ARRIVE(3, 64);
        s[t - 32] = t;
        ARRIVE(1, 64);
    }
}

static void test_turns(int load, int store, int leave)
{
    int s[160], sum[160];
    Buffer<int> out(160);
    OK(cudaMemset(out, 0, 160 * sizeof(int)));
    turns<<<1, 160>>>(out, load, store, leave);
    LAUNCHED();
    std::vector<int> got = out.get();
    for (int t = 0; t < 160; t++)
        s[t] = t;
    for (int t = 0; t < 160; t++) {
        sum[t] = 0;
        for (int i = 0; t % 3 && i < t % 5 && t % 7 != leave; i++) {
            sum[t] += load ? t ^ 1 : 0;
            s[t] += store ? i : 0;
        }
    }
    for (int t = 0; t < 160; t++)
        sum[t] = t % 3 ? sum[t] + s[t / 32 * 32 + (t + 1) % 32] : -s[t];
    for (int t = 0; t < 160; t++) {
        int other = 159 - t, theirs = other % 7 == leave ? s[other] : sum[other];
        EXPECT(got[t] == (t % 7 == leave ? 0 : theirs + sum[t]));
    }
}

static void test_votes(int load, int store)
{
    Buffer<int> out(96);
    votes<<<1, 96>>>(out, load, store);
    LAUNCHED();
    std::vector<int> got = out.get();
    for (int t = 0; t < 96; t++) {
        int sum = load && t % 2 ? t - 1 : 0, thirds = 0;
        for (int k = t / 32 * 32; k < t / 32 * 32 + 32; k++) {
            sum += store && k % 2 ? 2 * k : k;
            thirds += k % 3 == 0;
        }
        sum += (t ^ 3) + 1 + thirds;
        EXPECT(got[t] == sum + (store && t >= 1 && t < 33 ? 5 : store && t % 2 ? 2 * t : t));
    }
}

int main()
{
    Buffer<int> out(128);
    for (int store = 0; store < 2; store++) {
        one_arm<<<1, 64>>>(out, !store, store);
        LAUNCHED();
        std::vector<int> got = out.get();
        for (int t = 0; t < 32; t++) {
            EXPECT(got[t] == (store ? 132 + t : 32 + t));
            EXPECT(got[t + 32] == (store ? 0 : (t + 32) ^ 1) + 1);
        }
        both_arms<<<1, 64>>>(out, store);
        LAUNCHED();
        got = out.get();
        for (int t = 0; t < 32; t++) {
            EXPECT(got[t] == (store && t ? 100 : t));
            EXPECT(got[t + 32] == 1);
        }
        named<<<1, 128>>>(out, store);
        LAUNCHED();
        got = out.get();
        int s[128], x[128];
        for (int t = 0; t < 128; t++)
            s[t] = store && t && t < 64 ? 1000 + t : store && t >= 64 && t < 96 ? 7 : t;
        for (int t = 0; t < 128; t++)
            x[t] = t < 64 ? s[63 - t] : t < 96 ? 0 : s[t - 32];
        for (int t = 96; t < 128; t++)
            s[t] = store ? -x[t] : t;
        for (int t = 0; t < 128; t++)
            EXPECT(got[t] == x[t] + s[127 - t]);
        for (int leave = -1; leave < 3; leave++)
            test_turns(!store, store, leave);
        test_votes(!store, store);
    }
    arriving<<<1, 64>>>(out);
    LAUNCHED();
    std::vector<int> got = out.get();
    for (int t = 0; t < 32; t++)
        EXPECT(got[t] == 63 - t);
    return DONE();
}
