// SPDX-License-Identifier: Apache-2.0
// The cluster of blocks that this block belongs to; a launch without clusters has clusters of one block.
#ifndef HEDDLE_COOPERATIVE_CLUSTER_GROUP_H
#define HEDDLE_COOPERATIVE_CLUSTER_GROUP_H
#include "../cooperative_groups.h"
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

namespace cooperative_groups
{
namespace __v1
{
class cluster_group : public thread_group
{
    _CG_QUALIFIER cluster_group() : thread_group(group_kind_cluster, 0) {}
    friend _CG_QUALIFIER cluster_group this_cluster();

  public:
    struct arrival_token {
    };
    static _CG_QUALIFIER arrival_token barrier_arrive()
    {
        __cluster_barrier_arrive();
        return arrival_token();
    }
    static _CG_QUALIFIER void barrier_wait()
    {
        __cluster_barrier_wait();
    }
    static _CG_QUALIFIER void barrier_wait(arrival_token &&)
    {
        __cluster_barrier_wait();
    }
    static _CG_QUALIFIER void sync()
    {
        details::cluster_sync();
    }
    static _CG_QUALIFIER unsigned int query_shared_rank(const void *address)
    {
        return __cluster_query_shared_rank(address);
    }
    template <typename __T> static _CG_QUALIFIER __T *map_shared_rank(__T *address, int rank)
    {
        return (__T *)__cluster_map_shared_rank(address, rank);
    }
    static _CG_QUALIFIER dim3 block_index()
    {
        return __clusterRelativeBlockIdx();
    }
    static _CG_QUALIFIER unsigned int block_rank()
    {
        return __clusterRelativeBlockRank();
    }
    static _CG_QUALIFIER unsigned int num_blocks()
    {
        return __clusterSizeInBlocks();
    }
    static _CG_QUALIFIER dim3 dim_blocks()
    {
        return __clusterDim();
    }
    static _CG_QUALIFIER unsigned int thread_rank()
    {
        return block_rank() * details::block_threads() + details::block_rank();
    }
    static _CG_QUALIFIER dim3 thread_index()
    {
        dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    static _CG_QUALIFIER unsigned int num_threads()
    {
        return num_blocks() * details::block_threads();
    }
    static _CG_QUALIFIER unsigned int size()
    {
        return num_threads();
    }
    static _CG_QUALIFIER dim3 dim_threads()
    {
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
};
_CG_QUALIFIER cluster_group this_cluster()
{
    return cluster_group();
}
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#endif
#endif
