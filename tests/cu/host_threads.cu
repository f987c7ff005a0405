// SPDX-License-Identifier: Apache-2.0
// The API from eight host threads at once: own streams, per-thread errors, allocations, launches, events.
#include "check.h"
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

int main()
{
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
