// SPDX-License-Identifier: Apache-2.0
// Streams and events as the programming guides describe them: order, overlap, queries, the samples, the errors.
#include "check.h"
#include <unistd.h>

__global__ void myKernel(float *out, const float *in, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size)
        out[i] = in[i] * 2 + 1;
}
__global__ void waitFor(volatile int *flag)
{
    while (*flag == 0)
        ;
}
__global__ void add(int *p, int v)
{
    *p = *p * 3 + v;
}

int main()
{
    // Two streams, each with a copy in, a kernel and a copy out.
    // guide: cudaStream_t sample | copy/kernel overlap sample | cudaStreamCreate | stream order | cudaStreamSynchronize | cudaStreamDestroy
    const int size = 512;
    cudaStream_t stream[2];
    for (int i = 0; i < 2; i++)
        OK(cudaStreamCreate(&stream[i]));
    float *hostPtr, *inputDevPtr, *outputDevPtr;
    OK(cudaMallocHost(&hostPtr, 2 * size * sizeof(float)));
    OK(cudaMalloc(&inputDevPtr, 2 * size * sizeof(float)));
    OK(cudaMalloc(&outputDevPtr, 2 * size * sizeof(float)));
    for (int i = 0; i < 2 * size; i++)
        hostPtr[i] = i;
    // guide: cudaEvent_t sample | cudaEventCreate | cudaEventRecord | cudaEventSynchronize | cudaEventElapsedTime | cudaEventDestroy
    cudaEvent_t start, stop;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventRecord(start, 0));
    for (int i = 0; i < 2; i++)
        OK(cudaMemcpyAsync(inputDevPtr + i * size, hostPtr + i * size, size * 4, cudaMemcpyHostToDevice, stream[i]));
    for (int i = 0; i < 2; i++)
        myKernel<<<100, 512, 0, stream[i]>>>(outputDevPtr + i * size, inputDevPtr + i * size, size);
    for (int i = 0; i < 2; i++)
        OK(cudaMemcpyAsync(hostPtr + i * size, outputDevPtr + i * size, size * 4, cudaMemcpyDeviceToHost, stream[i]));
    // guide: stream/event samples with 1.1 names
#ifdef __clang__ // CUDA 13 has dropped this name; here it stays
    EXPECT(cudaThreadSynchronize() == cudaSuccess);
#else
    OK(cudaDeviceSynchronize());
#endif
    OK(cudaEventRecord(stop, 0));
    OK(cudaEventSynchronize(stop));
    float elapsed = -1;
    OK(cudaEventElapsedTime(&elapsed, start, stop));
    EXPECT(elapsed >= 0);
    // What lies between takes 20 ms at least.
    OK(cudaEventRecord(start, stream[0]));
    OK(cudaLaunchHostFunc(stream[0], [](void *) { usleep(20000); }, nullptr));
    OK(cudaEventRecord(stop, stream[0]));
    OK(cudaEventSynchronize(stop));
    OK(cudaEventElapsedTime(&elapsed, start, stop));
    EXPECT(elapsed >= 19.9f);
    bool right = true;
    for (int i = 0; i < 2 * size; i++)
        right &= hostPtr[i] == 2 * i + 1;
    EXPECT(right);

    // A kernel that waits for the host: the launch returned before it completed, queries say so.
    // guide: kernel call is asynchronous | launches return before completion | cudaErrorNotReady from queries | cudaStreamQuery | cudaEventQuery
    int *flag, *flagDev;
    OK(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
    *flag = 0;
    OK(cudaHostGetDevicePointer(&flagDev, flag, 0));
    cudaEvent_t after;
    OK(cudaEventCreate(&after));
    waitFor<<<1, 1, 0, stream[0]>>>(flagDev);
    OK(cudaEventRecord(after, stream[0]));
    EXPECT(cudaStreamQuery(stream[0]) == cudaErrorNotReady);
    EXPECT(cudaEventQuery(after) == cudaErrorNotReady);
    EXPECT(cudaEventElapsedTime(&elapsed, start, after) == cudaErrorNotReady);
    // guide: two operations in different streams may run concurrently
    cudaStream_t apart;
    OK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    myKernel<<<1, 512, 0, apart>>>(outputDevPtr, inputDevPtr, size);
    OK(cudaStreamSynchronize(apart)); // while the other one still waits
    EXPECT(cudaStreamQuery(stream[0]) == cudaErrorNotReady);
    *(volatile int *)flag = 1;
    OK(cudaEventSynchronize(after));
    EXPECT(cudaEventQuery(after) == cudaSuccess);
    OK(cudaStreamSynchronize(stream[0]));
    EXPECT(cudaStreamQuery(stream[0]) == cudaSuccess);

    // guide: stream 0 waits for everything and holds back what follows
    int *cell, value = 0;
    OK(cudaMalloc(&cell, sizeof(int)));
    OK(cudaMemset(cell, 0, sizeof(int)));
    for (int r = 0; r < 50; r++) {
        add<<<1, 1, 0, stream[0]>>>(cell, 1);
        add<<<1, 1>>>(cell, 2); // after the one before, before the one behind
        add<<<1, 1, 0, stream[1]>>>(cell, 4);
        add<<<1, 1>>>(cell, 8);
    }
    OK(cudaMemcpy(&value, cell, sizeof value, cudaMemcpyDeviceToHost));
    unsigned want = 0;
    for (int r = 0; r < 50; r++)
        for (unsigned v : {1u, 2u, 4u, 8u})
            want = want * 3 + v;
    EXPECT((unsigned)value == want);
    // Each in stream 0: after the kernel of one stream, before that of the other. Allocations are no work of a stream today.
    // guide: no overlap with page-locked allocation, device allocation, memset, DtoD copy or event in between
    int *copy, *between;
    OK(cudaMalloc(&copy, sizeof(int)));
    add<<<1, 1, 0, stream[0]>>>(cell, 1);
    OK(cudaMemset(cell, 0, sizeof(int)));
    add<<<1, 1, 0, stream[1]>>>(cell, 5);
    OK(cudaMemcpy(copy, cell, sizeof(int), cudaMemcpyDeviceToDevice));
    add<<<1, 1, 0, stream[0]>>>(copy, 2);
    OK(cudaMalloc(&between, 1 << 20));
    OK(cudaFree(between));
    OK(cudaMallocHost(&between, 1 << 12));
    OK(cudaFreeHost(between));
    *flag = 0;
    waitFor<<<1, 1, 0, stream[0]>>>(flagDev);
    OK(cudaEventRecord(stop, 0));
    add<<<1, 1, 0, stream[1]>>>(copy, 4);
    EXPECT(cudaEventQuery(stop) == cudaErrorNotReady && cudaStreamQuery(stream[1]) == cudaErrorNotReady);
    *(volatile int *)flag = 1;
    OK(cudaMemcpy(&value, cell, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT(value == 5);
    OK(cudaMemcpy(&value, copy, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT(value == (5 * 3 + 2) * 3 + 4);
    OK(cudaFree(copy));

    // guide: elapsed time of an unrecorded event is an error | unrecorded event gives cudaErrorInvalidValue (1.1 rule)
    cudaEvent_t fresh;
    OK(cudaEventCreate(&fresh));
    EXPECT(cudaEventElapsedTime(&elapsed, start, fresh) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventQuery(fresh) == cudaSuccess); // today: nothing was recorded, so nothing is to be waited for
    EXPECT(cudaEventSynchronize(fresh) == cudaSuccess);
    cudaGetLastError();
    // guide: GPU_OVERLAP attribute
    int overlap = 0;
    OK(cudaDeviceGetAttribute(&overlap, cudaDevAttrGpuOverlap, 0));
    EXPECT(overlap == 1);
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    OK(cudaEventDestroy(after));
    OK(cudaEventDestroy(fresh));
    OK(cudaStreamDestroy(apart));
    for (int i = 0; i < 2; i++)
        OK(cudaStreamDestroy(stream[i]));
    OK(cudaFreeHost(flag));
    OK(cudaFreeHost(hostPtr));
    OK(cudaFree(cell));
    OK(cudaFree(inputDevPtr));
    OK(cudaFree(outputDevPtr));
    return DONE();
}
