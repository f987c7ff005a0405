// SPDX-License-Identifier: Apache-2.0
// Launches that pass a limit, by every way of launching: the codes are those that CUDA 13.0 gives on an H200. The launch itself returns
// the error, the thread remembers it once, the context is as good as before, and a capture is over.
#include "check.h"

__global__ void plain(int *p)
{
    if (p)
        *p = 1;
}
__global__ void dynamic(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (p)
        *p = s[0];
}
__global__ void full(int *p)
{
    __shared__ int s[12288];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (p)
        *p = s[threadIdx.x ^ 1];
}
__global__ void __launch_bounds__(128) bounded(int *p)
{
    if (p)
        *p = 1;
}

typedef void kernel_fn(int *);

static void launch(kernel_fn *k, dim3 grid, dim3 block, size_t shared, cudaError_t e, cudaError_t cooperative)
{
    int *p = nullptr;
    void *args[] = {&p};
    cudaLaunchConfig_t c = {};
    c.gridDim = grid;
    c.blockDim = block;
    c.dynamicSmemBytes = shared;
    EXPECT(cudaLaunchKernel((const void *)k, grid, block, args, shared, 0) == e);
    EXPECT(cudaGetLastError() == e && cudaGetLastError() == cudaSuccess);
    k<<<grid, block, shared>>>(p);
    EXPECT(cudaPeekAtLastError() == e && cudaGetLastError() == e && cudaGetLastError() == cudaSuccess);
    EXPECT(cudaLaunchKernelEx(&c, k, p) == e && cudaGetLastError() == e);
    EXPECT(cudaLaunchCooperativeKernel((const void *)k, grid, block, args, shared, 0) == cooperative);
    EXPECT(cudaGetLastError() == cooperative);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaKernelNodeParams q = {};
    q.func = (void *)k;
    q.gridDim = grid;
    q.blockDim = block;
    q.sharedMemBytes = (unsigned)shared;
    q.kernelParams = args;
    OK(cudaGraphCreate(&g, 0));
    EXPECT(cudaGraphAddKernelNode(&n, g, nullptr, 0, &q) == e);
    cudaGetLastError();
    OK(cudaGraphDestroy(g));
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    EXPECT(cudaLaunchKernel((const void *)k, grid, block, args, shared, s) == e);
    EXPECT(cudaStreamEndCapture(s, &g) == (e ? cudaErrorStreamCaptureInvalidated : cudaSuccess));
    cudaGetLastError();
    OK(cudaStreamDestroy(s));
}

static void bad(kernel_fn *k, dim3 grid, dim3 block, size_t shared)
{
    launch(k, grid, block, shared, cudaErrorInvalidValue, cudaErrorInvalidValue);
}

static void no_room(kernel_fn *k, size_t shared)
{
    launch(k, 1, 32, shared, cudaErrorInvalidValue, cudaErrorCooperativeLaunchTooLarge);
}

static void cluster(dim3 grid, dim3 size, cudaError_t e)
{
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = size.x;
    a[0].val.clusterDim.y = size.y;
    a[0].val.clusterDim.z = size.z;
    cudaLaunchConfig_t c = {};
    c.gridDim = grid;
    c.blockDim = 32;
    c.attrs = a;
    c.numAttrs = 1;
    EXPECT(cudaLaunchKernelEx(&c, plain, (int *)nullptr) == e);
    EXPECT(cudaGetLastError() == e);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}

int main()
{
    launch(plain, 1, 1024, 0, cudaSuccess, cudaSuccess);
    launch(plain, dim3(1, 1, 3), dim3(2, 2, 64), 0, cudaSuccess, cudaSuccess);
    bad(plain, 1, 2048, 0);
    bad(plain, 1, 1025, 0);
    bad(plain, 1, dim3(64, 32), 0);
    bad(plain, 1, dim3(1, 1, 65), 0);
    bad(plain, 1, dim3(1, 1025), 0);
    bad(plain, 1, 0, 0);
    bad(plain, 1, dim3(1, 0), 0);
    bad(plain, 0, 1, 0);
    bad(plain, dim3(1, 0, 1), 1, 0);
    bad(plain, dim3(1, 1, 0), 1, 0);
    bad(plain, dim3(1, 70000), 1, 0);
    bad(plain, dim3(1, 1, 70000), 1, 0);
    bad(plain, 2147483648u, 1, 0);
    bad(bounded, 1, 129, 0);
    launch(bounded, 1, 128, 0, cudaSuccess, cudaSuccess);
    launch(dynamic, 1, 32, 49152, cudaSuccess, cudaSuccess);
    no_room(dynamic, 49153);
    no_room(dynamic, 232448);
    no_room(full, 1);
    launch(full, 1, 32, 0, cudaSuccess, cudaSuccess);
    OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    EXPECT(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449) == cudaErrorInvalidValue);
    EXPECT(cudaFuncSetAttribute(full, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 49151) ==
           cudaErrorInvalidValue);
    cudaGetLastError();
    launch(dynamic, 1, 32, 232448, cudaSuccess, cudaSuccess);
    no_room(dynamic, 232449);
    OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    launch(dynamic, 1, 32, 65536, cudaSuccess, cudaSuccess);
    no_room(dynamic, 65537);
    OK(cudaFuncSetAttribute(full, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 49152));
    launch(full, 1, 32, 232448 - 49152, cudaSuccess, cudaSuccess);
    cluster(3, 2, cudaErrorInvalidClusterSize);
    cluster(9, 9, cudaErrorInvalidClusterSize);
    cluster(32, 32, cudaErrorInvalidClusterSize);
    cluster(2, 0, cudaErrorInvalidClusterSize);
    cluster(2, dim3(2, 0, 0), cudaErrorInvalidClusterSize);
    cluster(2, dim3(0, 0, 0), cudaSuccess); // no size at all
    cluster(4, 2, cudaSuccess);
    return DONE();
}
