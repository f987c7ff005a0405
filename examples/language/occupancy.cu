// SPDX-License-Identifier: Apache-2.0
// Occupancy: how many blocks of a kernel fit onto a multiprocessor at once, for block sizes and amounts of shared memory; the size that the runtime
// proposes; and a launch with it. What a kernel needs is asked of the runtime, and the limits are the device's.
#include "../check.h"
#include <algorithm>

__global__ void small(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 2 * x[i] + 1;
}
__global__ void hungry(float *x, int n) // of shared memory
{
    extern __shared__ float tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n)
        x[i] = tile[threadIdx.x] + tile[blockDim.x - 1 - threadIdx.x];
}

int main()
{
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    printf("%s: %d multiprocessors of %d threads, %zu KB of shared memory each\n", p.name, p.multiProcessorCount,
           p.maxThreadsPerMultiProcessor, p.sharedMemPerMultiprocessor / 1024);
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, small));
    printf("small: %d registers, at most %d threads a block\n", a.numRegs, a.maxThreadsPerBlock);
    bool right = true;
    puts("threads  blocks  of a multiprocessor");
    for (int threads = 32; threads <= 1024; threads *= 2) {
        int blocks;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, threads, 0));
        int part = 100 * blocks * threads / p.maxThreadsPerMultiProcessor;
        printf("%7d %7d %4d %%\n", threads, blocks, part);
        right = right && blocks > 0 && blocks <= p.maxBlocksPerMultiProcessor && part <= 100;
    }
    puts("shared   blocks of 256 threads");
    int last = 1 << 30;
    for (size_t kib = 4; kib <= 48; kib *= 2) {
        int blocks;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, hungry, 256, kib * 1024));
        printf("%3zu KiB %7d\n", kib, blocks);
        right = right && blocks <= last && blocks * kib * 1024 <= p.sharedMemPerMultiprocessor;
        last = blocks;
    }
    int grid, block;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, small, 0, 0));
    printf("proposed: blocks of %d, at least %d of them\n", block, grid);

    const int n = 400 * 256;
    float *x;
    CHECK(cudaMallocManaged(&x, n * sizeof *x));
    std::fill(x, x + n, 1.0f);
    small<<<(n + block - 1) / block, block>>>(x, n);
    hungry<<<n / 256, 256, 256 * sizeof(float)>>>(x, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        right = right && x[i] == 6;
    return verdict(right && block % p.warpSize == 0);
}
