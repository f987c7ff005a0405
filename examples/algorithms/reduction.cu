// SPDX-License-Identifier: Apache-2.0
// A sum, step by step as it is taught: from an atomic for each number to shuffles and a grid that strides over the data. The time of each rung is
// shown; the sums are integers, so all must be equal.
#include "../check.h"

constexpr int N = 1 << 21, THREADS = 256;

__global__ void atomics(const int *in, int *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(sum, in[i]);
}
__global__ void tree_interleaved(const int *in, int *sum)
{
    __shared__ int s[THREADS];
    s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned d = 1; d < THREADS; d *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * d) == 0) // every other thread: warps stay divergent
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (!threadIdx.x)
        atomicAdd(sum, s[0]);
}
__global__ void tree_sequential(const int *in, int *sum)
{
    __shared__ int s[THREADS];
    s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned d = THREADS / 2; d; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) // the first threads: whole warps end early
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (!threadIdx.x)
        atomicAdd(sum, s[0]);
}
__device__ int warp_sum(int v)
{
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    return v;
}
__global__ void shuffles(const int *in, int *sum)
{
    int v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, v);
}
__global__ void strided(const int *in, int *sum)
{
    __shared__ int s[THREADS / 32];
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        v += in[i];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = warp_sum(threadIdx.x < THREADS / 32 ? s[threadIdx.x] : 0);
        if (!threadIdx.x)
            atomicAdd(sum, v);
    }
}

int main()
{
    int *in, *sum, want = 0;
    CHECK(cudaMallocManaged(&in, N * sizeof *in));
    CHECK(cudaMallocManaged(&sum, sizeof *sum));
    for (int i = 0; i < N; i++)
        want += in[i] = i % 7 - 2;
    const struct {
        const char *name;
        void (*kernel)(const int *, int *);
        int blocks;
    } rungs[] = {{"an atomic for each", atomics, N / THREADS},
                 {"tree, interleaved", tree_interleaved, N / THREADS},
                 {"tree, sequential", tree_sequential, N / THREADS},
                 {"shuffles", shuffles, N / THREADS},
                 {"strided grid, shuffles", strided, 64}};
    bool right = true;
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (auto &r : rungs) {
        float best = 1e30f, ms;
        for (int k = 0; k < 5; k++) {
            *sum = 0;
            CHECK(cudaEventRecord(begin));
            r.kernel<<<r.blocks, THREADS>>>(in, sum);
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            CHECK(cudaEventElapsedTime(&ms, begin, end));
            best = ms < best ? ms : best;
            right = right && *sum == want;
        }
        printf("%-24s %8.3f ms %7.2f GB/s\n", r.name, best, N * sizeof(int) / best * 1e-6);
    }
    return verdict(right);
}
