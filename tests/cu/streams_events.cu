// SPDX-License-Identifier: Apache-2.0
// Streams run in order within themselves, wait for events of each other, call back; events measure time.
#include "check.h"
#include <chrono>
#include <atomic>

__global__ void step(int *p, int mul, int add)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < 4096; i += blockDim.x * gridDim.x)
        p[i] = p[i] * mul + add;
}

static std::atomic<int> calls;
static void host_function(void *data)
{
    calls += *(int *)data;
}
static void callback(cudaStream_t, cudaError_t status, void *data)
{
    if (status == cudaSuccess)
        calls += *(int *)data * 100;
}

int main()
{
    cudaStream_t a, b;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    int *host, *dev, one = 1;
    OK(cudaMallocHost(&host, 4096 * 4));
    OK(cudaMalloc(&dev, 4096 * 4));
    for (int r = 0; r < 20; r++) {
        for (int i = 0; i < 4096; i++)
            host[i] = i;
        cudaEvent_t e, f;
        OK(cudaEventCreate(&e));
        OK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
        OK(cudaMemcpyAsync(dev, host, 4096 * 4, cudaMemcpyHostToDevice, a));
        step<<<4, 128, 0, a>>>(dev, 2, 1);
        OK(cudaEventRecord(e, a));
        OK(cudaStreamWaitEvent(b, e, 0));
        step<<<4, 128, 0, b>>>(dev, 3, 5);
        OK(cudaLaunchHostFunc(b, host_function, &one));
        OK(cudaStreamAddCallback(b, callback, &one, 0));
        OK(cudaEventRecord(f, b));
        OK(cudaStreamWaitEvent(a, f, 0));
        OK(cudaMemcpyAsync(host, dev, 4096 * 4, cudaMemcpyDeviceToHost, a));
        OK(cudaStreamSynchronize(a));
        bool right = true;
        for (int i = 0; i < 4096; i++)
            right &= host[i] == (i * 2 + 1) * 3 + 5;
        EXPECT(right);
        EXPECT(cudaStreamQuery(a) == cudaSuccess && cudaEventQuery(f) == cudaSuccess);
        OK(cudaEventDestroy(e));
        OK(cudaEventDestroy(f));
    }
    EXPECT(calls == 20 * 101);
    cudaEvent_t start, stop;
    float ms = -1;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    auto before = std::chrono::steady_clock::now();
    OK(cudaEventRecord(start));
    for (int i = 0; i < 10; i++)
        step<<<4, 128>>>(dev, 1, 0);
    OK(cudaEventRecord(stop));
    OK(cudaEventSynchronize(stop));
    std::chrono::duration<float, std::milli> around = std::chrono::steady_clock::now() - before;
    OK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms >= 0 && ms <= around.count() * 1.01f + 1); // clocks of two devices
    int least, greatest;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(greatest <= least);
    cudaStream_t p;
    OK(cudaStreamCreateWithPriority(&p, cudaStreamNonBlocking, greatest));
    OK(cudaStreamDestroy(p));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaFreeHost(host));
    OK(cudaFree(dev));
    return DONE();
}
