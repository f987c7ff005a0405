// SPDX-License-Identifier: Apache-2.0
// Clusters: four blocks share their shared memory. Bins of a histogram that is too large for one block are spread over the cluster, and each thread
// counts where the bin lives, be it in its own block or in another one.
// Options: -arch=sm_90
#include "../check.h"
#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;
constexpr int RANKS = 4, BINS = 4096, MINE = BINS / RANKS, N = 1 << 18;

__global__ void __cluster_dims__(RANKS) histogram(const unsigned short *data, int *bins)
{
    __shared__ int mine[MINE];
    cg::cluster_group cluster = cg::this_cluster();
    for (int b = threadIdx.x; b < MINE; b += blockDim.x)
        mine[b] = 0;
    cluster.sync(); // nobody counts into memory that is not zero yet
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        int *there = cluster.map_shared_rank(mine, data[i] / MINE);
        atomicAdd(&there[data[i] % MINE], 1);
    }
    cluster.sync(); // nor goes before all have counted
    for (int b = threadIdx.x; b < MINE; b += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * MINE + b], mine[b]);
}

// The maximum over a cluster: every block publishes its own in its shared memory, and rank 0 reads all of them.
__global__ void __cluster_dims__(RANKS) maxima(const unsigned short *data, int *out)
{
    __shared__ int best;
    cg::cluster_group cluster = cg::this_cluster();
    if (!threadIdx.x)
        best = 0;
    __syncthreads();
    int per_cluster = N / (gridDim.x / RANKS), first = blockIdx.x / RANKS * per_cluster;
    for (int i = cluster.thread_rank(); i < per_cluster; i += cluster.num_threads())
        atomicMax(&best, data[first + i]);
    cluster.sync();
    if (!cluster.thread_rank()) {
        int all = 0;
        for (unsigned r = 0; r < cluster.num_blocks(); r++)
            all = max(all, *cluster.map_shared_rank(&best, r));
        out[blockIdx.x / RANKS] = all;
    }
    cluster.sync(); // shared memory stays while others read it
}

int main()
{
    unsigned short *data;
    int *bins, *best;
    const int clusters = 4;
    CHECK(cudaMallocManaged(&data, N * sizeof *data));
    CHECK(cudaMallocManaged(&bins, BINS * sizeof *bins));
    CHECK(cudaMallocManaged(&best, clusters * sizeof *best));
    CHECK(cudaMemset(bins, 0, BINS * sizeof *bins));
    CHECK(cudaDeviceSynchronize());
    std::vector<int> want(BINS), top(clusters);
    unsigned state = 3;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (unsigned short)((state >> 20) * (state >> 8 & 4095) >> 12);
        want[data[i]]++;
        top[i / (N / clusters)] = std::max<int>(top[i / (N / clusters)], data[i]);
    }
    histogram<<<clusters * RANKS, 128>>>(data, bins);
    maxima<<<clusters * RANKS, 128>>>(data, best);
    CHECK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int b = 0; b < BINS; b++)
        wrong += bins[b] != want[b];
    for (int c = 0; c < clusters; c++)
        wrong += best[c] != top[c];
    printf("%d bins over %d blocks, %d wrong\n", BINS, RANKS, wrong);
    return verdict(!wrong);
}
