// SPDX-License-Identifier: Apache-2.0
// What it does is known to the number: nsys must say the same. The first word tells how it ends.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <thread>
#include <unistd.h>

__global__ void add(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

template <typename T> __global__ void fill(T *x, T value)
{
    x[threadIdx.x] = value;
}

static void launches(float *d, int n, cudaStream_t s)
{
    for (int i = 0; i < n; i++)
        add<<<4, 64, 0, s>>>(d, 256);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    float *d, *h;
    cudaStream_t s;
    cudaMalloc(&d, 4000);
    cudaMallocHost(&h, 4000);
    cudaStreamCreate(&s);
    nvtxRangePushA("outer");
    for (int i = 0; i < 3; i++) {
        nvtxRangePushA("inner \"quoted\"");
        cudaMemcpyAsync(d, h, 1000, cudaMemcpyHostToDevice, s);
        nvtxRangePop();
    }
    nvtxMarkA("a mark");
    if (!strcmp(how, "range"))
        cudaProfilerStart();
    launches(d, 7, s);
    if (!strcmp(how, "range"))
        cudaProfilerStop();
    std::thread other([d] {
        cudaStream_t own;
        cudaStreamCreate(&own);
        launches(d, 5, own);
        cudaStreamSynchronize(own);
    });
    other.join();
    fill<<<1, 32, 0, s>>>(d, 2.0f);
    cudaMemsetAsync(d, 0, 2000, s);
    cudaStreamSynchronize(s);
    cudaMemcpy(h, d, 4000, cudaMemcpyDeviceToHost);
    nvtxRangePop();
    if (!strcmp(how, "crash"))
        *(volatile int *)nullptr = 1;
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(how, "exit"))
        _exit(3);
    cudaFree(d);
    return cudaFreeHost(h) != cudaSuccess;
}
