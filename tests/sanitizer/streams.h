// SPDX-License-Identifier: Apache-2.0
// Kernels and streams for the cases of streams.cu and ordered.cu.
#include "cases.h"
#include <cuda_runtime.h>

enum { N = 256 };

static __global__ void fill(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i;
}
static __global__ void twice(int *out, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * a[i];
}
static __global__ void add_all(int *sum, int n)
{
    for (int i = 0; i < n; i++)
        atomicAdd(sum, i);
}

// Streams that know nothing of the default stream.
struct streams {
    cudaStream_t s[3];
    streams()
    {
        for (cudaStream_t &x : s)
            cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
    }
    operator cudaStream_t *()
    {
        return s;
    }
};

static cudaEvent_t new_event()
{
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    return e;
}

template <typename T> static T *pinned(size_t n)
{
    void *p = nullptr;
    cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocMapped);
    memset(p, 0, n * sizeof(T));
    return (T *)p;
}
