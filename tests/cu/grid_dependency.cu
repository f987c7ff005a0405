// SPDX-License-Identifier: Apache-2.0
// Kernels that may begin before the one ahead of them has ended: they wait for it where they need its results.
// nvcc: -std=c++17 -arch=sm_90
#include "check.h"

__global__ void first(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
    if (i < n)
        p[i] = i;
}
__global__ void second(const int *p, int *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize();
    if (i < n)
        q[i] = p[n - 1 - i] * 2;
}

__global__ void wait_for(volatile int *flag)
{
    while (!*flag)
        ;
    *flag = *flag + 1;
}

int main()
{
    enum { N = 100000 };
    Buffer<int> p(N), q(N);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((N + 255) / 256);
    config.blockDim = dim3(256);
    config.attrs = &early;
    config.numAttrs = 1;
    for (int round = 0; round < 3; round++) {
        OK(cudaMemset(q, 0, N * sizeof(int)));
        first<<<(N + 255) / 256, 256>>>(p, N);
        OK(cudaLaunchKernelEx(&config, second, (const int *)p.p, q.p, (int)N));
        LAUNCHED();
        std::vector<int> o = q.get();
        bool right = true;
        for (int i = 0; i < N; i++)
            right &= o[i] == 2 * (N - 1 - i);
        EXPECT(right);
    }

    // both events of one launch are recorded behind it
    cudaStream_t stream;
    cudaEvent_t event[2];
    int *flag, seen = 0;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocManaged(&flag, sizeof *flag));
    *flag = 0;
    cudaLaunchAttribute records[2] = {};
    records[0].id = cudaLaunchAttributeProgrammaticEvent;
    records[1].id = cudaLaunchAttributeLaunchCompletionEvent;
    for (cudaEvent_t &e : event)
        OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    records[0].val.programmaticEvent.event = event[0];
    records[1].val.launchCompletionEvent.event = event[1];
    cudaLaunchConfig_t waiting = {};
    waiting.gridDim = waiting.blockDim = dim3(1);
    waiting.stream = stream;
    waiting.attrs = records;
    waiting.numAttrs = 2;
    OK(cudaLaunchKernelEx(&waiting, wait_for, (volatile int *)flag));
    for (cudaEvent_t e : event)
        EXPECT(cudaEventQuery(e) == cudaErrorNotReady);
    *(volatile int *)flag = 1;
    for (cudaEvent_t e : event)
        OK(cudaEventSynchronize(e));
    OK(cudaMemcpy(&seen, flag, sizeof seen, cudaMemcpyDefault));
    EXPECT(seen == 2);

    // with an event that is gone nothing is launched
    OK(cudaEventDestroy(event[0]));
    EXPECT(cudaLaunchKernelEx(&waiting, wait_for, (volatile int *)flag) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    OK(cudaStreamSynchronize(stream));
    EXPECT(*flag == 2);
    return DONE();
}
