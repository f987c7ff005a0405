// SPDX-License-Identifier: Apache-2.0
// Programs that launch and wait, step by step, and then do not wait: what they launch runs all the same, whatever the device has made of
// the steps before. The host looks at memory alone.
// widths: 8
#include "check.h"
#include <atomic>
#include <thread>
#include <unistd.h>

__global__ void add(int *p, int n)
{
    atomicAdd(p, n);
}
__global__ void tell(volatile int *flag, int value)
{
    *flag = value;
}

static std::atomic<int> wrong;

static void steps(int seed)
{
    int *sum, *flag, *seen, host = 0, expected = 0;
    cudaStream_t s;
    cudaEvent_t before, after;
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&before));
    OK(cudaEventCreate(&after));
    OK(cudaMalloc(&sum, sizeof *sum));
    OK(cudaMemset(sum, 0, sizeof *sum));
    OK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer(&seen, flag, 0));
    for (int round = 1; round <= 20; round++) {
        for (int i = 0; i < 12; i++) {
            add<<<1, 1, 0, s>>>(sum, i);
            expected += i;
            if (i % 3 == 0) {
                OK(cudaStreamSynchronize(s));
            } else if (i % 3 == 1) {
                OK(cudaMemcpyAsync(&host, sum, sizeof host, cudaMemcpyDeviceToHost, s));
                OK(cudaStreamSynchronize(s));
            } else {
                OK(cudaEventRecord(after, s));
                OK(cudaEventSynchronize(after));
            }
        }
        usleep((useconds_t)((round * 7 + seed) % 20 * 1000)); // workers sleep, lightly or deeply
        tell<<<1, 1, 0, s>>>(seen, round);
        while (*(volatile int *)flag != round) // nobody waits for the stream
            usleep(100);
        OK(cudaEventRecord(before, s)); // perhaps of a stream that is idle
        OK(cudaEventRecord(after, s));
        OK(cudaEventSynchronize(after));
        float ms = -1;
        OK(cudaEventElapsedTime(&ms, before, after));
        wrong += !(ms >= 0);
    }
    OK(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost));
    wrong += host != expected;
    OK(cudaFree(sum));
    OK(cudaFreeHost(flag));
    OK(cudaEventDestroy(before));
    OK(cudaEventDestroy(after));
    OK(cudaStreamDestroy(s));
}

int main()
{
    steps(0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(steps, i);
    for (auto &t : threads)
        t.join();
    EXPECT(wrong == 0);
    return DONE();
}
