// SPDX-License-Identifier: Apache-2.0
// Additions to cells that all blocks share, at the end of each block, which a worker may add up before it goes to memory; and
// kernels in which they must be there at once: what a block reads back, writes over, or tells others of.
#include "check.h"
#include <thread>

enum { BLOCKS = 300, THREADS = 96 };

struct Sums {
    int ints[THREADS], total, all;
    unsigned long long longs[THREADS], long_total;
    float floats[THREADS];
    double doubles[THREADS], double_total;
    float few[THREADS];
};

__global__ void finish(Sums *s)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    atomicAdd(&s->ints[t], i);
    atomicAdd(&s->longs[t], (unsigned long long)i << 24);
    atomicAdd(&s->floats[t], 0.5f);
    atomicAdd(&s->doubles[t], 0.25);
    if (t < 41)
        atomicAdd(&s->few[t], 1.0f);
    if (t == 5)
        atomicAdd(&s->total, i);
    atomicAdd(&s->all, 3);
    atomicAdd(&s->long_total, 1ull << 33);
    if (t % 2)
        atomicAdd(&s->double_total, 0.125);
}

// Each block sees its own.
__global__ void read_back(int *cell, int *out)
{
    atomicAdd(&cell[threadIdx.x], 1);
    __syncthreads();
    int seen = *(volatile int *)&cell[(threadIdx.x + 1) % blockDim.x];
    if (seen < 1)
        atomicAdd(out, 1);
}
__global__ void read_back_plain(int *cell, int *out)
{
    atomicAdd(&cell[threadIdx.x], 1);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = cell[(threadIdx.x + 1) % blockDim.x];
}

// One block: the store comes after the sum.
__global__ void write_over(int *cell)
{
    atomicAdd(&cell[threadIdx.x], 7);
    __syncthreads();
    cell[(threadIdx.x + 3) % blockDim.x] = 100;
}
__global__ void other_operation(int *cell)
{
    atomicAdd(&cell[threadIdx.x], 7);
    atomicMax(&cell[threadIdx.x], 5);
    atomicAnd(&cell[threadIdx.x], 6);
}

// The last block to come reads what all have brought.
__global__ void ticket(float *sum, unsigned *tickets, float *result)
{
    __shared__ bool last;
    atomicAdd(&sum[threadIdx.x], 1.0f);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(tickets, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        result[threadIdx.x] = *(volatile float *)&sum[threadIdx.x];
}

// In a loop, with reads between.
__global__ void in_loop(const int *in, int *cell, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int x = in[i];
        atomicAdd(&cell[threadIdx.x], x);
    }
}

__global__ void count(int *cell)
{
    atomicAdd(cell, 1);
}
__global__ void watch(volatile int *cell, int until, int *seen)
{
    while (*cell < until)
        ;
    *seen = *cell;
}

__global__ void wild(int *cell)
{
    atomicAdd(&cell[threadIdx.x], 1);
}

int main()
{
    Buffer<Sums> s(1);
    OK(cudaMemset(s, 0, sizeof(Sums)));
    for (int r = 0; r < 3; r++)
        finish<<<BLOCKS, THREADS>>>(s);
    LAUNCHED();
    Sums h = s.get()[0];
    long long sum = 0, fives = 0;
    for (int b = 0; b < BLOCKS; b++)
        fives += b * THREADS + 5;
    for (int t = 0; t < THREADS; t++) {
        sum = 0;
        for (int b = 0; b < BLOCKS; b++)
            sum += b * THREADS + t;
        EXPECT(h.ints[t] == (int)(3 * sum));
        EXPECT(h.longs[t] == (unsigned long long)(3 * sum) << 24);
        EXPECT(h.floats[t] == 1.5f * BLOCKS);
        EXPECT(h.doubles[t] == 0.75 * BLOCKS);
        EXPECT(h.few[t] == (t < 41 ? 3.0f * BLOCKS : 0));
    }
    EXPECT(h.total == (int)(3 * fives));
    EXPECT(h.all == 9 * BLOCKS * THREADS);
    EXPECT(h.long_total == (3ull * BLOCKS * THREADS) << 33);
    EXPECT(h.double_total == 0.125 * 3 * BLOCKS * THREADS / 2);

    Buffer<int> cell(THREADS), out(BLOCKS * THREADS);
    OK(cudaMemset(cell, 0, THREADS * sizeof(int)));
    OK(cudaMemset(out, 0, BLOCKS * THREADS * sizeof(int)));
    read_back<<<BLOCKS, THREADS>>>(cell, out);
    LAUNCHED();
    EXPECT(out.get()[0] == 0);
    OK(cudaMemset(cell, 0, THREADS * sizeof(int)));
    read_back_plain<<<BLOCKS, THREADS>>>(cell, out);
    LAUNCHED();
    for (int x : out.get())
        EXPECT(x >= 1 && x <= BLOCKS);
    write_over<<<1, THREADS>>>(cell);
    LAUNCHED();
    for (int x : cell.get())
        EXPECT(x == 100);
    OK(cudaMemset(cell, 0, THREADS * sizeof(int)));
    other_operation<<<1, THREADS>>>(cell);
    LAUNCHED();
    for (int x : cell.get())
        EXPECT(x == (7 & 6));

    Buffer<float> sums(THREADS), result(THREADS);
    Buffer<unsigned> tickets(1);
    OK(cudaMemset(sums, 0, THREADS * sizeof(float)));
    OK(cudaMemset(tickets, 0, sizeof(unsigned)));
    ticket<<<BLOCKS, THREADS>>>(sums, tickets, result);
    LAUNCHED();
    for (float x : result.get())
        EXPECT(x == BLOCKS);

    std::vector<int> in(20000, 2);
    Buffer<int> din(in);
    OK(cudaMemset(cell, 0, THREADS * sizeof(int)));
    in_loop<<<20, THREADS>>>(din, cell, (int)in.size());
    LAUNCHED();
    sum = 0;
    for (int x : cell.get())
        sum += x;
    EXPECT(sum == 40000);

    // Two host threads, each with a stream, on the same cells.
    OK(cudaMemset(s, 0, sizeof(Sums)));
    std::thread a([&] {
        cudaStream_t q;
        OK(cudaStreamCreate(&q));
        for (int i = 0; i < 20; i++)
            finish<<<50, THREADS, 0, q>>>(s);
        OK(cudaStreamSynchronize(q));
        OK(cudaStreamDestroy(q));
    });
    cudaStream_t q;
    OK(cudaStreamCreate(&q));
    for (int i = 0; i < 20; i++)
        finish<<<50, THREADS, 0, q>>>(s);
    OK(cudaStreamSynchronize(q));
    a.join();
    h = s.get()[0];
    for (int t = 0; t < THREADS; t++)
        EXPECT(h.floats[t] == 40 * 50 * 0.5f && h.doubles[t] == 40 * 50 * 0.25);

    // A kernel waits for what another one counts.
    cudaStream_t w;
    OK(cudaStreamCreateWithFlags(&w, cudaStreamNonBlocking));
    OK(cudaMemset(cell, 0, THREADS * sizeof(int)));
    int *seen = (int *)out;
    cudaFuncAttributes loaded; // before one waits for the other: a driver may load a kernel's code when nothing runs
    OK(cudaFuncGetAttributes(&loaded, watch));
    OK(cudaFuncGetAttributes(&loaded, count));
    watch<<<1, 1, 0, w>>>(cell, 64 * 100, seen);
    count<<<100, 64, 0, q>>>(cell);
    OK(cudaStreamSynchronize(w));
    OK(cudaStreamSynchronize(q));
    EXPECT(out.get()[0] == 6400);
    OK(cudaStreamDestroy(w));
    OK(cudaStreamDestroy(q));

    wild<<<4, 32>>>((int *)64);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return DONE();
}
