// SPDX-License-Identifier: Apache-2.0
// Kernels and streams for the cases of streams.cu and ordered.cu.
#include "cases.h"
#include <cuda_runtime.h>

enum { N = 256 };

static __global__ void fill(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i;
}
static __global__ void twice(int *out, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * a[i];
}
static __global__ void add_all(int *sum, int n)
{
    for (int i = 0; i < n; i++)
        atomicAdd(sum, i);
}

// Streams that know nothing of the default stream.
struct streams {
    cudaStream_t s[3];
    streams()
    {
        for (cudaStream_t &x : s)
            cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
    }
    operator cudaStream_t *()
    {
        return s;
    }
};

static cudaEvent_t new_event()
{
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    return e;
}

template <typename T> static T *pinned(size_t n)
{
    void *p = nullptr;
    cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocMapped);
    memset(p, 0, n * sizeof(T));
    return (T *)p;
}

// Kernels, copies and fills in streams by chance, on a few buffers. Each waits for the events of those that it would race with, but for those
// that its stream knows of already; operation `broken` waits for none of them.
struct random_program {
    enum { STREAMS = 3, BUFFERS = 4 };
    struct access {
        int stream, at; // that the stream's operation of this number has made
        cudaEvent_t event;
        int knew[STREAMS]; // up to which operations of the others it was behind
    };
    streams s;
    int *buffer[BUFFERS];
    access write[BUFFERS], read[BUFFERS][STREAMS];
    int known[STREAMS][STREAMS] = {}, heard[STREAMS] = {}; // by the streams, which count their own, and by the program
    unsigned seed;

    explicit random_program(unsigned begin) : seed(begin)
    {
        for (int b = 0; b < BUFFERS; b++) {
            buffer[b] = device<int>(N);
            write[b] = {};
            for (access &a : read[b])
                a = {};
        }
    }
    int pick(int n)
    {
        seed = seed * 1664525 + 1013904223;
        return (int)((seed >> 16) % (unsigned)n);
    }
    bool knows(int i, const access &a)
    {
        return known[i][a.stream] >= a.at;
    }
    static void join(int *knows, const int *more)
    {
        for (int i = 0; i < STREAMS; i++)
            knows[i] = more[i] > knows[i] ? more[i] : knows[i];
    }
    // False: it would race, and does not wait.
    bool wait(int i, const access &a, bool broken)
    {
        if (knows(i, a))
            return true;
        if (broken)
            return false;
        cudaStreamWaitEvent(s[i], a.event, 0);
        join(known[i], a.knew);
        return true;
    }
    // True: a race was planted.
    bool run(int n, int broken)
    {
        for (int k = 0; k < n; k++) {
            int i = pick(STREAMS);
            join(known[i], heard);
            int from = pick(BUFFERS), to = (from + 1 + pick(BUFFERS - 1)) % BUFFERS, kind = pick(4);
            bool reads = kind < 3, right = wait(i, write[to], k >= broken);
            if (reads)
                right &= wait(i, write[from], k >= broken);
            for (const access &a : read[to])
                right &= wait(i, a, k >= broken);
            if (kind < 2)
                twice<<<4, 64, 0, s[i]>>>(buffer[to], buffer[from], N);
            else if (kind == 2)
                cudaMemcpyAsync(buffer[to], buffer[from], N * sizeof(int), cudaMemcpyDeviceToDevice, s[i]);
            else
                cudaMemsetAsync(buffer[to], 0, N * sizeof(int), s[i]);
            if (!right)
                return true;
            access now = {i, ++known[i][i], new_event()};
            join(now.knew, known[i]);
            cudaEventRecord(now.event, s[i]);
            write[to] = now;
            for (access &a : read[to])
                a = {};
            if (reads)
                read[from][i] = now;
            if (!pick(20)) {
                int x = pick(STREAMS);
                cudaStreamSynchronize(s[x]);
                join(heard, known[x]);
            }
        }
        return false;
    }
};
