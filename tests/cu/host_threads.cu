// SPDX-License-Identifier: Apache-2.0
// The API from eight host threads at once: own streams, per-thread errors, allocations, launches, events. What two threads do in one stream
// comes one after the other, whoever does it: a copy is there as a whole or not at all.
#include "check.h"
#include <atomic>
#include <thread>

__global__ void fill(int *p, int v, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        p[i] = v + i;
}

static void work(int id, int *good)
{
    cudaStream_t s;
    OK(cudaSetDevice(0));
    OK(cudaStreamCreate(&s));
    for (int r = 0; r < 50; r++) {
        int *p, n = 500 + id * 100 + r;
        std::vector<int> v(n);
        OK(cudaMalloc(&p, n * 4));
        fill<<<4, 64, 0, s>>>(p, id * 1000, n);
        if (id == 3)
            fill<<<1, 5000, 0, s>>>(p, 0, n); // this thread's error, and no other's
        OK(cudaMemcpyAsync(v.data(), p, n * 4, cudaMemcpyDeviceToHost, s));
        OK(cudaStreamSynchronize(s));
        cudaError_t e = cudaGetLastError();
        bool right = e == (id == 3 ? cudaErrorInvalidValue : cudaSuccess);
        for (int i = 0; i < n; i++)
            right &= v[i] == id * 1000 + i;
        OK(cudaFree(p));
        *good += right;
    }
    OK(cudaStreamDestroy(s));
}

__global__ void same(int *p, int v, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        p[i] = v;
}

enum Way { COPY, ASYNC, PINNED, FILL, KERNEL };

static void write(Way way, int *p, const int *from, const int *pinned, int n)
{
    switch (way) {
    case COPY:
        OK(cudaMemcpy(p, from, n * 4, cudaMemcpyHostToDevice));
        break;
    case ASYNC:
        OK(cudaMemcpyAsync(p, from, n * 4, cudaMemcpyHostToDevice, 0));
        break;
    case PINNED:
        OK(cudaMemcpyAsync(p, pinned, n * 4, cudaMemcpyHostToDevice, 0));
        break;
    case FILL:
        OK(cudaMemsetAsync(p, *from & 255, n * 4, 0));
        break;
    case KERNEL:
        same<<<8, 128>>>(p, *from, n);
        break;
    }
}

// Both write all of it; one of them is the last.
static void one_stream(Way a, Way b, int n)
{
    int *p, *pinned[2], torn = 0;
    std::vector<int> v[2], seen(n);
    OK(cudaMalloc(&p, n * 4));
    for (int k = 0; k < 2; k++) {
        v[k].assign(n, 0x1010101 * (k + 1));
        OK(cudaMallocHost(&pinned[k], n * 4));
        std::copy(v[k].begin(), v[k].end(), pinned[k]);
    }
    for (int r = 0; r < 20; r++) {
        std::atomic<int> ready{0};
        std::thread t[2];
        for (int k = 0; k < 2; k++)
            t[k] = std::thread([&, k] {
                ready++;
                while (ready < 2)
                    std::this_thread::yield();
                write(k ? b : a, p, v[k].data(), pinned[k], n);
            });
        for (auto &x : t)
            x.join();
        OK(cudaMemcpy(seen.data(), p, n * 4, cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++)
            if (seen[i] != seen[0]) {
                torn++;
                break;
            }
    }
    EXPECT(torn == 0);
    OK(cudaFree(p));
    for (int *h : pinned)
        OK(cudaFreeHost(h));
}

int main()
{
    for (int n : {1 << 12, 1 << 20}) {
        one_stream(COPY, COPY, n);
        one_stream(ASYNC, ASYNC, n);
        one_stream(COPY, KERNEL, n);
        one_stream(ASYNC, FILL, n);
        one_stream(PINNED, COPY, n);
        one_stream(FILL, KERNEL, n);
    }
    int good[8] = {};
    std::vector<std::thread> t;
    for (int i = 0; i < 8; i++)
        t.emplace_back(work, i, &good[i]);
    for (auto &x : t)
        x.join();
    for (int g : good)
        EXPECT(g == 50);
    return DONE();
}
