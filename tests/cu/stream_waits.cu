// SPDX-License-Identifier: Apache-2.0
// Kernels of several streams that wait for each other, on however few threads: each must go on while another waits.
#include "check.h"
#include <pthread.h>

enum { STREAMS = 6, ROUNDS = 40 };
__device__ volatile int flag[16];

__device__ void wait_for(int i, int value)
{
    while (flag[i] < value)
        ;
    __threadfence();
}

__device__ void tell(int i, int value)
{
    __threadfence();
    flag[i] = value;
}

// One of a ring: waits for the one before, tells the one behind. The first tells before it waits.
__global__ void ring(int me, int n)
{
    for (int round = 1; round <= ROUNDS; round++) {
        if (me || round > 1)
            wait_for((me + n - 1) % n, me ? round : round - 1);
        tell(me, round);
    }
}

// The same by all threads of some blocks, the last of which tells.
__device__ unsigned arrived[16];
__global__ void wide_ring(int me, int n)
{
    for (int round = 1; round <= ROUNDS; round++) {
        if (threadIdx.x == 0 && (me || round > 1))
            wait_for((me + n - 1) % n, me ? round : round - 1);
        __syncthreads();
        if (threadIdx.x == 0 && atomicAdd(&arrived[me], 1) == gridDim.x * round - 1)
            tell(me, round);
    }
}

__global__ void first()
{
    wait_for(0, 1);
}

// Tells the first, and waits for the program, which goes on when the first is over.
__global__ void second(volatile int *from_host)
{
    tell(0, 1);
    while (!*from_host)
        ;
}

// Blocks of all streams meet.
__device__ unsigned met[ROUNDS];
__global__ void meet(int round, unsigned all)
{
    if (threadIdx.x == 0) {
        atomicAdd(&met[round], 1);
        while (*(volatile unsigned *)&met[round] < all)
            ;
    }
}

__global__ void plain(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x]++;
}

// Of many in one stream, as long as this one waits: the tenth lets it go, and it notes how many were over.
enum { TICKS = 400 };
__global__ void tick(volatile int *n)
{
    for (int i = 0; i < 20000; i++)
        n[1] = n[1] + 1;
    n[0] = n[0] + 1;
}

__global__ void see(volatile int *n)
{
    while (n[0] < 10)
        ;
    n[2] = n[0];
}

__device__ __noinline__ int deep(int n)
{
    volatile int here[64];
    for (int i = 0; i < 64; i++)
        here[i] = n + i;
    return n ? deep(n - 1) + here[n % 64] % 2 : 0;
}

__global__ void deeply(int *out)
{
    out[threadIdx.x] = deep(100);
}

// A thread of the program that has hardly any stack waits for a kernel that takes much.
static void *wait_on_small_stack(void *)
{
    Buffer<int> out(64);
    for (int i = 0; i < 20; i++) {
        deeply<<<1, 64>>>(out);
        OK(cudaDeviceSynchronize());
    }
    EXPECT(out.get()[63] >= 0);
    return NULL;
}

static void clear()
{
    int zero[16] = {};
    cudaMemcpyToSymbol(flag, zero, sizeof zero);
    cudaMemcpyToSymbol(arrived, zero, sizeof zero);
}

static int flag_at(int i)
{
    int v[16];
    cudaMemcpyFromSymbol(v, flag, sizeof v);
    return v[i];
}

int main()
{
    cudaStream_t s[STREAMS];
    for (auto &x : s)
        cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
    for (int order = 0; order < 2; order++) {
        clear();
        for (int i = 0; i < STREAMS; i++) {
            int k = order ? STREAMS - 1 - i : i;
            ring<<<1, 1, 0, s[k]>>>(k, STREAMS);
        }
        OK(cudaDeviceSynchronize());
        EXPECT(flag_at(STREAMS - 1) == ROUNDS);
        clear();
        for (int i = 0; i < STREAMS; i++) {
            int k = order ? STREAMS - 1 - i : i;
            wide_ring<<<3, 64, 0, s[k]>>>(k, STREAMS);
        }
        OK(cudaDeviceSynchronize());
        EXPECT(flag_at(STREAMS - 1) == ROUNDS);
    }

    // Kernel behind kernel in each stream: what a grid that ends makes ready is run, whoever was inside of it.
    clear();
    Buffer<int> x(STREAMS * 40 * 64);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < STREAMS; i++) {
            int k = round % 2 ? STREAMS - 1 - i : i;
            if ((round + k) % 3 == 0)
                plain<<<40, 64, 0, s[k]>>>(x + k * 40 * 64);
            meet<<<1 + round % 3, 32, 0, s[k]>>>(round, (1 + round % 3) * STREAMS);
            if (i == STREAMS - 1 && round % 8 == 7)
                OK(cudaDeviceSynchronize());
            else if (i == STREAMS - 1 && round % 4 == 3)
                OK(cudaStreamSynchronize(s[round / 4 % STREAMS]));
        }
    OK(cudaDeviceSynchronize());

    // The parallel nodes of a graph, twice.
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaEvent_t forked, joined;
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);
    cudaEventRecord(forked, s[0]);
    for (int i = 1; i < STREAMS; i++) {
        cudaStreamWaitEvent(s[i], forked);
        ring<<<1, 1, 0, s[i]>>>(i, STREAMS);
    }
    ring<<<1, 1, 0, s[0]>>>(0, STREAMS);
    for (int i = 1; i < STREAMS; i++) {
        cudaEventRecord(joined, s[i]);
        cudaStreamWaitEvent(s[0], joined);
    }
    cudaStreamEndCapture(s[0], &g);
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 2; i++) {
        clear();
        cudaGraphLaunch(e, s[0]);
        OK(cudaDeviceSynchronize());
        EXPECT(flag_at(STREAMS - 1) == ROUNDS);
    }

    int *ticks;
    OK(cudaMallocManaged((void **)&ticks, 3 * sizeof *ticks));
    memset(ticks, 0, 3 * sizeof *ticks);
    see<<<1, 1, 0, s[0]>>>(ticks);
    for (int i = 0; i < TICKS; i++)
        tick<<<1, 1, 0, s[1]>>>(ticks);
    OK(cudaDeviceSynchronize());
    EXPECT(ticks[2] >= 10 && ticks[2] < TICKS);

    pthread_attr_t small;
    pthread_t thread;
    OK(cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10));
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 << 10);
    if (!pthread_create(&thread, &small, wait_on_small_stack, NULL))
        pthread_join(thread, NULL);

    volatile int *from_host;
    cudaMallocManaged((void **)&from_host, sizeof *from_host);
    for (int i = 0; i < 10; i++) {
        clear();
        *from_host = 0;
        first<<<1, 1, 0, s[0]>>>();
        second<<<1, 1, 0, s[1]>>>(from_host);
        OK(cudaStreamSynchronize(s[0]));
        *from_host = 1;
        OK(cudaStreamSynchronize(s[1]));
    }
    return DONE();
}
