// SPDX-License-Identifier: Apache-2.0
// A histogram over the shared memory of a cluster, as the programming guide has it; with clusters of one block it is
// plain shared memory. Every block of the grid adds its part to the bins in global memory.
// nvcc: -arch=sm_90
// guide: clusterHist_kernel | cg::this_grid().thread_rank() | cluster.sync() | cluster.map_shared_rank()
// guide: distributed shared memory size = cluster size * shared per block | cluster size 1 = plain shared memory
// guide: cudaFuncSetAttribute(MaxDynamicSharedMemorySize)
#include "check.h"
#include <cooperative_groups.h>

__global__ void clusterHist_kernel(int *bins, const int nbins, const int bins_per_block, const int *__restrict__ input,
                                   size_t array_size)
{
    extern __shared__ int smem[];
    namespace cg = cooperative_groups;
    int tid = cg::this_grid().thread_rank();

    cg::cluster_group cluster = cg::this_cluster();
    unsigned int clusterBlockRank = cluster.block_rank();
    int cluster_size = cluster.dim_blocks().x;

    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x)
        smem[i] = 0;

    cluster.sync(); // all are zero, all blocks exist

    for (int i = tid; i < array_size; i += blockDim.x * gridDim.x) {
        int ldata = input[i];
        int binid = ldata;
        if (ldata < 0)
            binid = 0;
        else if (ldata >= nbins)
            binid = nbins - 1;
        int dst_block_rank = (int)(binid / bins_per_block);
        int dst_offset = binid % bins_per_block;
        int *dst_smem = cluster.map_shared_rank(smem, dst_block_rank);
        atomicAdd(dst_smem + dst_offset, 1);
    }

    cluster.sync(); // no block leaves while others write to it

    int *lbins = bins + cluster.block_rank() * bins_per_block;
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x)
        atomicAdd(&lbins[i], smem[i]);
    if (clusterBlockRank >= (unsigned)cluster_size)
        atomicAdd(bins, 1000000);
}

int main()
{
    const int nbins = 480;
    const size_t array_size = 8 * 1024 + 1024;
    unsigned seed = 3;
    std::vector<int> v(array_size), want(nbins);
    for (int &x : v) {
        x = (int)(random_next(seed) % 520) - 20;
        want[x < 0 ? 0 : x >= nbins ? nbins - 1 : x]++;
    }
    Buffer<int> input(v);
    for (int cluster_size : {1, 2, 4, 8}) {
        Buffer<int> bins(nbins);
        int threads_per_block = 128;
        cudaLaunchConfig_t config = {0};
        config.gridDim = array_size / threads_per_block;
        config.blockDim = threads_per_block;
        int nbins_per_block = nbins / cluster_size;
        config.dynamicSmemBytes = nbins_per_block * sizeof(int);
        OK(cudaFuncSetAttribute((void *)clusterHist_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                config.dynamicSmemBytes));
        cudaLaunchAttribute attribute[1];
        attribute[0].id = cudaLaunchAttributeClusterDimension;
        attribute[0].val.clusterDim.x = cluster_size;
        attribute[0].val.clusterDim.y = 1;
        attribute[0].val.clusterDim.z = 1;
        config.numAttrs = 1;
        config.attrs = attribute;
        OK(cudaLaunchKernelEx(&config, clusterHist_kernel, bins.p, nbins, nbins_per_block, (const int *)input.p,
                              array_size));
        LAUNCHED();
        EXPECT(bins.get() == want);
    }
    return DONE();
}
