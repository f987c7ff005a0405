// SPDX-License-Identifier: Apache-2.0
// More launches than may wait at once, launches by every thread of a grid, a deep chain, and a fault below a launch.
// nvcc: -rdc=true -lcudadevrt
// clang: 22
#include "check.h"

__global__ void count_up(unsigned *n)
{
    atomicAdd(n, 1u);
}

__global__ void in_a_row(unsigned *n, int times, unsigned *failed)
{
    for (int i = 0; i < times; i++) {
        count_up<<<1, 1>>>(n);
        if (cudaGetLastError() != cudaSuccess)
            ++*failed;
    }
}

__global__ void by_all(unsigned *n, unsigned *failed)
{
    count_up<<<2, 3, 0, cudaStreamFireAndForget>>>(n);
    if (cudaGetLastError() != cudaSuccess)
        atomicAdd(failed, 1u);
}

// The children of a deep chain write in shared memory of their own.
__global__ void chain(unsigned *n, int depth)
{
    __shared__ unsigned sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(n, sum);
        if (depth)
            chain<<<1, 32>>>(n, depth - 1);
    }
}

__global__ void bad_child(int *p)
{
    p[threadIdx.x] = 1;
}

__global__ void bad_parent()
{
    bad_child<<<1, 32>>>((int *)64);
}

int main()
{
    OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192));
    Buffer<unsigned> n(2);
    in_a_row<<<1, 1>>>(n, 6000, n + 1);
    LAUNCHED();
    EXPECT(n.get()[0] == 6000 && n.get()[1] == 0);
    OK(cudaMemset(n, 0, 8));
    by_all<<<10, 200>>>(n, n + 1);
    LAUNCHED();
    EXPECT(n.get()[0] == 10 * 200 * 6 && n.get()[1] == 0);
    OK(cudaMemset(n, 0, 8));
    chain<<<1, 32>>>(n, 60);
    LAUNCHED();
    EXPECT(n.get()[0] == 61 * 496);

    // The same from a graph, twice.
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(n, 0, 8, s));
    by_all<<<4, 32, 0, s>>>(n, n + 1);
    count_up<<<1, 5, 0, s>>>(n);
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        EXPECT(n.get()[0] == 4 * 32 * 6 + 5 && n.get()[1] == 0);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));

    bad_parent<<<1, 1>>>();
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return DONE();
}
