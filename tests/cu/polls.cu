// SPDX-License-Identifier: Apache-2.0
// Threads that wait for another one, where the answer takes a way of its own to the test: how often an inner loop ran, an exchange of what
// was found elsewhere, atomics in shared memory, functions that stay calls, cycles with two entries. The one that is waited for is the last
// thread of the same block, or of another one.
#include "check.h"

enum { BLOCKS = 8 };

struct Words {
    unsigned flag, done, log, bits, pair[2];
    char set, end;
};

__device__ bool waits()
{
    return blockIdx.x == 0 && threadIdx.x == 0;
}

__device__ bool is_last()
{
    return blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1;
}

// Until the flag was seen set ten times in a row.
__global__ void rounds(Words *w)
{
    volatile unsigned *flag = &w->flag;
    if (waits()) {
        int n;
        do {
            unsigned v;
            n = 0;
            atomicAdd(&w->log, 1);
            do {
                n++;
                v = *flag;
            } while (v == 1 && n < 10);
        } while (n != 10);
        w->done = n;
    } else if (is_last()) {
        *flag = 1;
    }
}

// The same, counted in memory.
__global__ void counted(Words *w)
{
    volatile unsigned *flag = &w->flag;
    __shared__ int count[32];
    if (waits()) {
        do {
            unsigned v;
            count[w->log] = 0;
            do {
                count[w->log & 31]++;
                v = *flag;
            } while (v == 1 && count[w->log & 31] < 10);
        } while (count[w->log & 31] != 10);
        w->done = 10;
    } else if (is_last()) {
        *flag = 1;
    }
}

// Each exchange expects what the one before found in the other word: it ends when both hold the same.
__global__ void exchanges(Words *w)
{
    if (waits()) {
        unsigned want = 7;
        for (unsigned i = 0;; i ^= 1) {
            unsigned found = atomicCAS(&w->pair[i], want, 9u);
            if (found == want)
                break;
            want = found;
        }
        w->done = 10;
    } else if (is_last()) {
        atomicExch(&w->pair[1], 5u);
    }
}

// A barrier of blocks: thread 0 asks by setting its bit again, and hands the answer on by an atomic.
__global__ void barrier_of_bits(Words *w)
{
    __shared__ unsigned seen;
    unsigned all = (1u << gridDim.x) - 1, now;
    if (threadIdx.x == 0)
        seen = 0;
    __syncthreads();
    do {
        if (threadIdx.x == 0)
            atomicExch(&seen, atomicOr(&w->bits, 1u << blockIdx.x) | 1u << blockIdx.x);
        __syncthreads();
        now = seen;
        __syncthreads();
    } while (now != all);
    if (is_last())
        w->done = 10;
}

// Functions that stay calls: the fence is the caller's, or their own; the answer is what they say, or leave in memory.
__device__ __noinline__ int look(const char *p, int depth)
{
    return depth ? look(p, depth - 1) + look(p, depth / 2) : *p;
}

__device__ __noinline__ int look_behind_fence(const char *p, int depth)
{
    __threadfence();
    return depth ? look_behind_fence(p, depth - 1) + look_behind_fence(p, depth / 2) : *p;
}

__device__ __noinline__ void look_at(const char *p, char *answer, int depth)
{
    if (depth) {
        look_at(p, answer, depth - 1);
        look_at(p, answer, depth / 2);
    } else {
        *answer = *p;
    }
}

__global__ void fenced_calls(Words *w)
{
    if (waits()) {
        while (!look(&w->set, 2))
            __threadfence();
        w->end = 10;
    } else if (is_last()) {
        *(volatile char *)&w->set = 1;
    }
}

__global__ void calls_with_fences(Words *w)
{
    if (waits()) {
        while (!look_behind_fence(&w->set, 2))
            ;
        w->end = 10;
    } else if (is_last()) {
        *(volatile char *)&w->set = 1;
    }
}

__global__ void calls_with_answers(Words *w)
{
    if (waits()) {
        char answer = 0;
        do {
            __threadfence();
            look_at(&w->set, &answer, 2);
        } while (!answer);
        w->end = 10;
    } else if (is_last()) {
        *(volatile char *)&w->set = 1;
    }
}

// Cycles with two entries.
__global__ void two_entries(Words *w, int enter)
{
    char *p = &w->set;
    if (waits()) {
        int n = 0;
        if (enter)
            goto second;
    first:
        n += 1;
        __threadfence();
        if (*p)
            goto done;
    second:
        n += 2;
        __threadfence();
        if (!*p)
            goto first;
    done:
        w->end = n > 0 ? 10 : 0;
    } else if (is_last()) {
        *(volatile char *)p = 1;
    }
}

__device__ __noinline__ int look_volatile(const volatile char *p, int depth)
{
    return depth ? look_volatile(p, depth - 1) + look_volatile(p, depth / 2) : *p;
}

__global__ void two_entries_with_calls(Words *w, int enter)
{
    volatile char *p = &w->set;
    if (waits()) {
        int n = 0;
        if (enter)
            goto second;
    first:
        n += 1;
        if (look_volatile(p, 2))
            goto done;
    second:
        n += 2;
        if (!look_volatile(p, 3))
            goto first;
    done:
        w->end = n > 0 ? 10 : 0;
    } else if (is_last()) {
        *p = 1;
    }
}

template <typename Launch> static void run(Launch launch)
{
    Words *w;
    OK(cudaMallocManaged(&w, sizeof *w));
    for (int blocks = 1; blocks <= BLOCKS; blocks += BLOCKS - 1) {
        memset(w, 0, sizeof *w);
        w->pair[0] = 5, w->pair[1] = 6;
        launch(w, blocks, 64 / blocks);
        LAUNCHED();
        EXPECT(w->done + w->end == 10);
    }
    OK(cudaFree(w));
}

int main()
{
    run([](Words *w, int grid, int block) { rounds<<<grid, block>>>(w); });
    run([](Words *w, int grid, int block) { counted<<<grid, block>>>(w); });
    run([](Words *w, int grid, int block) { exchanges<<<grid, block>>>(w); });
    run([](Words *w, int grid, int block) { barrier_of_bits<<<grid, block>>>(w); });
    run([](Words *w, int grid, int block) { fenced_calls<<<grid, block>>>(w); });
    run([](Words *w, int grid, int block) { calls_with_fences<<<grid, block>>>(w); });
    run([](Words *w, int grid, int block) { calls_with_answers<<<grid, block>>>(w); });
    for (int enter = 0; enter < 2; enter++) {
        run([=](Words *w, int grid, int block) { two_entries<<<grid, block>>>(w, enter); });
        run([=](Words *w, int grid, int block) { two_entries_with_calls<<<grid, block>>>(w, enter); });
    }
    return DONE();
}
