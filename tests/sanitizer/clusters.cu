// SPDX-License-Identifier: Apache-2.0
// Planted races in shared memory of other blocks of a cluster for racecheck, and programs beside them that are right. memory.cu has the words
// of the lines before each case.
#include "cases.h"
#include <cooperative_groups.h>
#include <cuda_runtime.h>

enum { N = 64 };
namespace cg = cooperative_groups;

template <int FAULT> __global__ void __cluster_dims__(2) ring(int *out)
{
    __shared__ int s[N];
    cg::cluster_group cluster = cg::this_cluster();
    int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    s[threadIdx.x] = threadIdx.x;
    if (FAULT == 1)
        __syncthreads();
    else
        cluster.sync();
    int x = other[N - 1 - threadIdx.x];
    if (FAULT != 2)
        cluster.sync();
    s[threadIdx.x] = x + 1;
    cluster.sync();
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x];
}
template <bool ATOMIC> __global__ void __cluster_dims__(4) sums(int *out)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    cluster.sync();
    int *first = cluster.map_shared_rank(&sum, 0);
    if (ATOMIC)
        atomicAdd(first, 1);
    else
        *first += threadIdx.x + 1;
    cluster.sync();
    out[blockIdx.x * N + threadIdx.x] = sum;
}
template <bool WRITE_EARLY> __global__ void __cluster_dims__(2) split_barrier(int *out)
{
    __shared__ int s[N];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = 1;
    auto token = cluster.barrier_arrive();
    if (WRITE_EARLY)
        s[threadIdx.x] = clock();
    cluster.barrier_wait(std::move(token));
    int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * N + threadIdx.x] = other[threadIdx.x];
    cluster.sync();
}
__global__ void __cluster_dims__(2) both_write(int *out)
{
    __shared__ int s[N];
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    int *first = cluster.map_shared_rank(s, 0);
    first[threadIdx.x] = threadIdx.x + 10 * cluster.block_rank();
    cluster.sync();
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x];
}

// case ring_is_right --tool racecheck
CASE(ring_is_right)
{
    ring<0><<<8, N>>>(device<int>(8 * N));
}

// case ring_block_barrier --tool racecheck
// > Error: Race reported between * access at void ring<*
// errors any
CASE(ring_block_barrier)
{
    ring<1><<<2, N>>>(device<int>(2 * N));
}

// case ring_written_early --tool racecheck
// > Error: Race reported between * access at void ring<*
// errors any
CASE(ring_written_early)
{
    ring<2><<<2, N>>>(device<int>(2 * N));
}

// case sums_are_right --tool racecheck
CASE(sums_are_right)
{
    sums<true><<<8, N>>>(device<int>(8 * N));
}

// case sums_plain --tool racecheck
// > Error: Race reported between * access at void sums<*
// errors any
CASE(sums_plain)
{
    sums<false><<<4, N>>>(device<int>(4 * N));
}

// case split_barrier_is_right --tool racecheck
CASE(split_barrier_is_right)
{
    split_barrier<false><<<8, N>>>(device<int>(8 * N));
}

// case written_after_arrival --tool racecheck
// > Error: Race reported between * access at void split_barrier<*
// errors any
CASE(written_after_arrival)
{
    split_barrier<true><<<2, N>>>(device<int>(2 * N));
}

// case both_write --tool racecheck
// > Error: Race reported between Write access at both_write(int*)+0x*
// errors any
CASE(both_write)
{
    both_write<<<2, N>>>(device<int>(2 * N));
}

CASES
