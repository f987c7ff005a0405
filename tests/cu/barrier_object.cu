// SPDX-License-Identifier: Apache-2.0
// cuda::barrier of every kind: arriving, waiting by token and by parity, dropping out, completion functions, bytes that a
// phase waits for; and the other objects that threads wait at.
// nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/chrono>
#include <thread>
#include <utility>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// guide: cuda::barrier | thread scope block
// Values move round the block; the arrival is apart from the wait.
__global__ void rounds(int *out)
{
    __shared__ Barrier ready, taken;
    __shared__ int cell[128];
    int t = threadIdx.x, n = blockDim.x, v = t;
    if (t == 0) {
        init(&ready, n);
        init(&taken, n);
    }
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        cell[t] = v;
        Barrier::arrival_token token = ready.arrive();
        int own = t * 2 - t; // meanwhile
        ready.wait(std::move(token));
        v = cell[(own + 1) % n];
        taken.arrive_and_wait();
    }
    out[blockIdx.x * n + t] = v;
}

// Half of the threads produce, the others consume: each waits where the others arrive.
__global__ void produce_consume(const int *in, int *out, int n)
{
    __shared__ Barrier full[2], empty[2];
    __shared__ int buffer[2][64];
    int t = threadIdx.x;
    if (t < 4)
        init(t < 2 ? &full[t] : &empty[t - 2], blockDim.x);
    __syncthreads();
    if (t < 64) {
        for (int i = 0; i < n / 64; i++) {
            empty[i % 2].arrive_and_wait();
            buffer[i % 2][t] = in[i * 64 + t];
            (void)full[i % 2].arrive();
        }
    } else {
        (void)empty[0].arrive();
        (void)empty[1].arrive();
        for (int i = 0; i < n / 64; i++) {
            full[i % 2].arrive_and_wait();
            out[i * 64 + t - 64] = buffer[i % 2][(t * 7) % 64] * 2;
            (void)empty[i % 2].arrive();
        }
    }
}

__global__ void drop(int *out)
{
    __shared__ Barrier b;
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0) {
        init(&b, blockDim.x);
        sum = 0;
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        if (t % 4 == i) {
            b.arrive_and_drop();
            break;
        }
        atomicAdd(&sum, 1);
        b.arrive_and_wait();
    }
    __syncthreads();
    out[t] = sum;
}

struct Sum {
    int *cells, *total;
    __host__ __device__ void operator()()
    {
        for (int i = 0; i < 64; i++)
            *total += cells[i];
    }
};
__global__ void completion(int *out)
{
    __shared__ int cells[64], total;
    __shared__ alignas(16) char place[sizeof(cuda::barrier<cuda::thread_scope_block, Sum>)];
    auto &b = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block, Sum> *>(place);
    int t = threadIdx.x;
    if (t == 0) {
        total = 0;
        init(&b, blockDim.x, Sum{cells, &total});
    }
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        cells[t] = t + i;
        b.arrive_and_wait();
        out[i * 64 + t] = total;
        b.arrive_and_wait();
        if (t == 0)
            total = 0;
        __syncthreads();
    }
}

// guide: thread scope device
// A grid waits at a barrier in global memory; its blocks must run together.
__global__ void grid_wide(cuda::barrier<cuda::thread_scope_device> *b, int *cells, int *out)
{
    int t = threadIdx.x, at = blockIdx.x;
    if (t == 0) {
        cells[at] = at + 1;
        b->arrive_and_wait();
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += cells[i];
        out[at] = sum;
    }
}

__global__ void transaction(const int *in, int *out)
{
    __shared__ alignas(16) int cells[256];
    __shared__ Barrier b;
    int t = threadIdx.x;
    if (t == 0) {
        init(&b, blockDim.x);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    Barrier::arrival_token token;
    if (t == 0) {
        cuda::device::memcpy_async_tx(cells, in, cuda::aligned_size_t<16>(sizeof cells), b);
        token = cuda::device::barrier_arrive_tx(b, 1, sizeof cells);
    } else {
        token = b.arrive();
    }
    b.wait(std::move(token));
    out[t] = cells[2 * t] + cells[2 * t + 1];
    out[128 + t] = cuda::device::barrier_native_handle(b) == (void *)&b;
}

__global__ void parity(int *out)
{
    __shared__ Barrier b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, blockDim.x);
    __syncthreads();
    bool early = t == 0 && b.try_wait_parity_for(false, cuda::std::chrono::nanoseconds(1));
    bool past = b.try_wait_parity_for(true, cuda::std::chrono::nanoseconds(1));
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        (void)b.arrive();
        b.wait_parity(i & 1);
    }
    out[t] = early * 2 + !past;
}

__global__ void others(int *out)
{
    __shared__ cuda::latch<cuda::thread_scope_block> *l;
    __shared__ alignas(8) char place[64], room[64];
    __shared__ int inside, most;
    auto *s = reinterpret_cast<cuda::counting_semaphore<cuda::thread_scope_block> *>(room);
    int t = threadIdx.x;
    if (t == 0) {
        l = new (place) cuda::latch<cuda::thread_scope_block>(blockDim.x);
        new (s) cuda::counting_semaphore<cuda::thread_scope_block>(3);
        inside = most = 0;
    }
    __syncthreads();
    s->acquire();
    atomicMax(&most, atomicAdd(&inside, 1) + 1);
    atomicSub(&inside, 1);
    s->release();
    l->count_down();
    l->wait();
    out[t] = most >= 1 && most <= 3 && l->try_wait();
}

int main()
{
    Buffer<int> r(3 * 128);
    rounds<<<3, 128>>>(r);
    LAUNCHED();
    std::vector<int> o = r.get();
    bool right = true;
    for (int i = 0; i < 3 * 128; i++)
        right &= o[i] == (i % 128 + 5) % 128;
    EXPECT(right);

    enum { N = 1024 };
    std::vector<int> in(N);
    for (int i = 0; i < N; i++)
        in[i] = i * i;
    Buffer<int> din(in), dout(N);
    produce_consume<<<1, 128>>>(din, dout, N);
    LAUNCHED();
    o = dout.get();
    right = true;
    for (int i = 0; i < N; i++) {
        int t = i % 64 + 64;
        right &= o[i] == 2 * in[i / 64 * 64 + t * 7 % 64];
    }
    EXPECT(right);

    Buffer<int> d(96);
    drop<<<1, 96>>>(d);
    LAUNCHED();
    EXPECT(d.get()[0] == 72 + 48 + 24 && d.get()[95] == 72 + 48 + 24);

    Buffer<int> c(192);
    completion<<<1, 64>>>(c);
    LAUNCHED();
    EXPECT(c.get()[0] == 2016 && c.get()[64 + 63] == 2016 + 64 && c.get()[128] == 2016 + 128);

    cuda::barrier<cuda::thread_scope_device> *b;
    OK(cudaMallocManaged(&b, sizeof *b));
    init(b, 4);
    Buffer<int> cells(4), sums(4);
    int *p = cells, *q = sums;
    void *args[] = {&b, &p, &q};
    OK(cudaLaunchCooperativeKernel((void *)grid_wide, dim3(4), dim3(64), args, 0, 0));
    LAUNCHED();
    EXPECT(sums.get()[0] == 10 && sums.get()[3] == 10);
    OK(cudaFree(b));

    Buffer<int> tx(256);
    transaction<<<1, 128>>>(din, tx);
    LAUNCHED();
    o = tx.get();
    right = true;
    for (int t = 0; t < 128; t++)
        right &= o[t] == in[2 * t] + in[2 * t + 1] && o[128 + t] == 1;
    EXPECT(right);

    Buffer<int> pa(64), ot(64);
    parity<<<1, 64>>>(pa);
    others<<<1, 64>>>(ot);
    LAUNCHED();
    right = true;
    for (int t = 0; t < 64; t++)
        right &= pa.get()[t] == 0 && ot.get()[t] == 1;
    EXPECT(right);

    cuda::barrier<cuda::thread_scope_system> host(2);
    int value = 0;
    std::thread other([&] {
        value = 7;
        host.arrive_and_wait();
    });
    host.arrive_and_wait();
    EXPECT(value == 7);
    other.join();
    EXPECT(host.max() > 1000);
    return DONE();
}
