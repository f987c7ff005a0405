// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: threads that synchronise and exchange values together, as objects. A group of at most a warp is
// its mask of lanes; the block and the grid are known from the special registers. The barrier of the grid is the word
// that the driver of a cooperative launch provides: its structure's address is in %envreg1 (high half) and %envreg2
// (low half), the word is 4 bytes behind it.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
#if !defined(__cplusplus) || !defined(__CUDACC__)
#error "cooperative_groups.h is for CUDA C++ sources"
#endif
#if defined(__DEVICE_EMULATION__)
#error "cooperative_groups.h is not there in device emulation"
#endif
#include "cuda_runtime.h"
#include "heddle/traits.h"

#define _CG_QUALIFIER __device__ __forceinline__

namespace cooperative_groups
{
namespace __v1 // where libcu++ declares some of these classes, which may be read before
{
namespace details
{
_CG_QUALIFIER unsigned int lane()
{
    return __nvvm_read_ptx_sreg_laneid();
}
_CG_QUALIFIER unsigned int lanes_below()
{
    return (1u << lane()) - 1u;
}
_CG_QUALIFIER unsigned int block_threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
_CG_QUALIFIER unsigned int block_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
_CG_QUALIFIER unsigned long long grid_blocks()
{
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
_CG_QUALIFIER unsigned long long grid_block_rank()
{
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

// Applies an exchange of 32-bit words to a value of any trivially copyable type.
template <typename __T, typename __Exchange> _CG_QUALIFIER __T by_words(const __T &value, __Exchange exchange)
{
    static_assert(__is_trivially_copyable(__T), "only plain values can be exchanged");
    unsigned int words[(sizeof(__T) + 3) / 4] = {};
    __T result;
    memcpy(words, &value, sizeof(__T));
    for (unsigned __i = 0; __i < sizeof words / 4; __i++)
        words[__i] = exchange(words[__i]);
    memcpy(&result, words, sizeof(__T));
    return result;
}

_CG_QUALIFIER volatile unsigned int *grid_barrier()
{
    unsigned int high, low;
    __asm__ __volatile__("mov.u32 %0, %%envreg1;" : "=r"(high));
    __asm__ __volatile__("mov.u32 %0, %%envreg2;" : "=r"(low));
    unsigned long long base = (unsigned long long)high << 32 | low;
    return base ? (volatile unsigned int *)(base + 4) : nullptr;
}

// One thread of each block adds 1, that of the first block so much that the sign bit flips when all have come.
_CG_QUALIFIER void grid_arrive_and_wait(volatile unsigned int *word)
{
    __syncthreads();
    if (block_rank() == 0) {
        unsigned int blocks = (unsigned int)grid_blocks();
        unsigned int step = grid_block_rank() == 0 ? 0x80000000u - (blocks - 1) : 1u;
        __threadfence();
        unsigned int before = atomicAdd((unsigned int *)word, step);
        while (((*word ^ before) & 0x80000000u) == 0)
            ;
        __threadfence();
    }
    __syncthreads();
}

// The cluster of this block; where the architecture has none, the block by itself.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
_CG_QUALIFIER unsigned int cluster_blocks()
{
    return __clusterSizeInBlocks();
}
_CG_QUALIFIER unsigned int cluster_block_rank()
{
    return __clusterRelativeBlockRank();
}
_CG_QUALIFIER void cluster_sync()
{
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
}
#else
_CG_QUALIFIER unsigned int cluster_blocks()
{
    return 1;
}
_CG_QUALIFIER unsigned int cluster_block_rank()
{
    return 0;
}
_CG_QUALIFIER void cluster_sync()
{
    __syncthreads();
}
#endif
} // namespace details

enum group_kind { group_kind_block, group_kind_lanes, group_kind_grid, group_kind_cluster };

// Any group whose kind is known only at run time.
class thread_group
{
  protected:
    group_kind kind_;
    unsigned int mask_;

  public:
    _CG_QUALIFIER thread_group(group_kind kind, unsigned int mask) : kind_(kind), mask_(mask) {}
    _CG_QUALIFIER unsigned long long size() const
    {
        return kind_ == group_kind_lanes     ? __popc(mask_)
               : kind_ == group_kind_block   ? details::block_threads()
               : kind_ == group_kind_cluster ? details::cluster_blocks() * details::block_threads()
                                             : details::grid_blocks() * details::block_threads();
    }
    _CG_QUALIFIER unsigned long long num_threads() const
    {
        return size();
    }
    _CG_QUALIFIER unsigned long long thread_rank() const
    {
        return kind_ == group_kind_lanes   ? __popc(mask_ & details::lanes_below())
               : kind_ == group_kind_block ? details::block_rank()
               : kind_ == group_kind_cluster
                   ? details::cluster_block_rank() * details::block_threads() + details::block_rank()
                   : details::grid_block_rank() * details::block_threads() + details::block_rank();
    }
    _CG_QUALIFIER void sync() const
    {
        if (kind_ == group_kind_lanes)
            __syncwarp(mask_);
        else if (kind_ == group_kind_block)
            __syncthreads();
        else if (kind_ == group_kind_cluster)
            details::cluster_sync();
        else
            details::grid_arrive_and_wait(details::grid_barrier());
    }
    _CG_QUALIFIER bool is_valid() const
    {
        return kind_ != group_kind_grid || details::grid_barrier() != nullptr;
    }
    _CG_QUALIFIER group_kind heddle_kind() const
    {
        return kind_;
    }
    _CG_QUALIFIER unsigned int heddle_mask() const
    {
        return mask_;
    }
};

namespace details
{
// What tiles of more than a warp exchange values and count in.
struct tile_scratch {
    unsigned long long words[32][4]; // a value of each warp
    unsigned int arrived;
};
} // namespace details
template <unsigned int __MaxBlockSize> struct block_tile_memory;

class thread_block : public thread_group
{
    details::tile_scratch *scratch_;

    _CG_QUALIFIER explicit thread_block(details::tile_scratch *scratch = nullptr)
        : thread_group(group_kind_block, 0), scratch_(scratch)
    {
    }
    friend _CG_QUALIFIER thread_block this_thread_block();
    template <unsigned int __MaxBlockSize>
    friend _CG_QUALIFIER thread_block this_thread_block(block_tile_memory<__MaxBlockSize> &);

  public:
    _CG_QUALIFIER details::tile_scratch *heddle_scratch() const
    {
        return scratch_;
    }
    struct arrival_token {
    };
    static _CG_QUALIFIER void sync()
    {
        __syncthreads();
    }
    _CG_QUALIFIER arrival_token barrier_arrive() const
    {
        return arrival_token();
    }
    _CG_QUALIFIER void barrier_wait(arrival_token &&) const
    {
        __syncthreads();
    }
    static _CG_QUALIFIER unsigned int size()
    {
        return details::block_threads();
    }
    static _CG_QUALIFIER unsigned int num_threads()
    {
        return details::block_threads();
    }
    static _CG_QUALIFIER unsigned int thread_rank()
    {
        return details::block_rank();
    }
    static _CG_QUALIFIER dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static _CG_QUALIFIER dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static _CG_QUALIFIER dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static _CG_QUALIFIER dim3 dim_threads()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
};
_CG_QUALIFIER thread_block this_thread_block()
{
    return thread_block();
}

class grid_group : public thread_group
{
    _CG_QUALIFIER grid_group() : thread_group(group_kind_grid, 0) {}
    friend _CG_QUALIFIER grid_group this_grid();

  public:
    struct arrival_token {
    };
    // Trusts that the launch was cooperative; without it this traps, as there is no barrier.
    _CG_QUALIFIER void sync() const
    {
        volatile unsigned int *word = details::grid_barrier();
        if (!word)
            __trap();
        details::grid_arrive_and_wait(word);
    }
    _CG_QUALIFIER arrival_token barrier_arrive() const
    {
        return arrival_token();
    }
    _CG_QUALIFIER void barrier_wait(arrival_token &&) const
    {
        sync();
    }
    _CG_QUALIFIER bool is_valid() const
    {
        return details::grid_barrier() != nullptr;
    }
    static _CG_QUALIFIER unsigned long long size()
    {
        return details::grid_blocks() * details::block_threads();
    }
    static _CG_QUALIFIER unsigned long long num_threads()
    {
        return size();
    }
    static _CG_QUALIFIER unsigned long long thread_rank()
    {
        return details::grid_block_rank() * details::block_threads() + details::block_rank();
    }
    static _CG_QUALIFIER unsigned long long num_blocks()
    {
        return details::grid_blocks();
    }
    static _CG_QUALIFIER unsigned long long block_rank()
    {
        return details::grid_block_rank();
    }
    static _CG_QUALIFIER dim3 group_dim()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static _CG_QUALIFIER dim3 dim_blocks()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static _CG_QUALIFIER dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    static _CG_QUALIFIER dim3 dim_clusters()
    {
        return __clusterGridDimInClusters();
    }
    static _CG_QUALIFIER unsigned long long num_clusters()
    {
        dim3 __n = dim_clusters();
        return (unsigned long long)__n.x * __n.y * __n.z;
    }
    static _CG_QUALIFIER dim3 cluster_index()
    {
        return __clusterIdx();
    }
    static _CG_QUALIFIER unsigned long long cluster_rank()
    {
        dim3 __n = dim_clusters(), __at = cluster_index();
        return ((unsigned long long)__at.z * __n.y + __at.y) * __n.x + __at.x;
    }
#endif
};
_CG_QUALIFIER grid_group this_grid()
{
    return grid_group();
}
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#include "cooperative_groups/heddle_block_tiles.h"
#include "cooperative_groups/heddle_warp_groups.h"
#include "cooperative_groups/heddle_cluster_group.h"

namespace cooperative_groups
{
namespace __v1
{
template <class __Group> _CG_QUALIFIER void sync(const __Group &__g)
{
    __g.sync();
}
template <class __Group> _CG_QUALIFIER auto thread_rank(const __Group &__g) -> decltype(__g.thread_rank())
{
    return __g.thread_rank();
}
template <class __Group> _CG_QUALIFIER auto group_size(const __Group &__g) -> decltype(__g.size())
{
    return __g.size();
}

// One thread of the group calls the function; with broadcast all get its result.
template <class __Group, class __Function, class... __Args>
_CG_QUALIFIER void invoke_one(const __Group &__g, __Function &&f, __Args &&...args)
{
    if (__g.thread_rank() == 0)
        f(static_cast<__Args &&>(args)...);
}
template <class __Group, class __Function, class... __Args>
_CG_QUALIFIER auto invoke_one_broadcast(const __Group &__g, __Function &&f, __Args &&...args)
    -> decltype(f(static_cast<__Args &&>(args)...))
{
    decltype(f(static_cast<__Args &&>(args)...)) result = {};
    if (__g.thread_rank() == 0)
        result = f(static_cast<__Args &&>(args)...);
    return __g.shfl(result, 0);
}
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#endif
