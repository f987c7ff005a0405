// SPDX-License-Identifier: Apache-2.0
// Tiles of more than a warp: they wait at a named barrier and exchange values through shared memory that the program
// gives to this_thread_block. Barrier 0 stays __syncthreads', so a sixteenth tile counts in that memory instead.
#ifndef HEDDLE_COOPERATIVE_BLOCK_TILES_H
#define HEDDLE_COOPERATIVE_BLOCK_TILES_H
#include "../cooperative_groups.h"

namespace cooperative_groups
{
namespace __v1
{
template <unsigned int __MaxBlockSize = 1024> struct block_tile_memory {
    details::tile_scratch heddle_scratch;
};

template <unsigned int __MaxBlockSize>
_CG_QUALIFIER thread_block this_thread_block(block_tile_memory<__MaxBlockSize> &__memory)
{
    if (details::block_rank() == 0)
        __memory.heddle_scratch.arrived = 0;
    __syncthreads();
    return thread_block(&__memory.heddle_scratch);
}

namespace details
{
template <unsigned int __Size> class block_tile_base
{
    static_assert(__Size > 32 && __Size <= 1024 && (__Size & (__Size - 1)) == 0, "a tile's size is a power of two");
    tile_scratch *scratch_;

    static _CG_QUALIFIER unsigned int tile()
    {
        return details::block_rank() / __Size;
    }

  protected:
    _CG_QUALIFIER explicit block_tile_base(const thread_block &block) : scratch_(block.heddle_scratch()) {}

  public:
    static constexpr _CG_QUALIFIER unsigned int size()
    {
        return __Size;
    }
    static constexpr _CG_QUALIFIER unsigned int num_threads()
    {
        return __Size;
    }
    static _CG_QUALIFIER unsigned int thread_rank()
    {
        return details::block_rank() & (__Size - 1);
    }
    _CG_QUALIFIER void sync() const
    {
        if (__Size > 64 || tile() < 15) {
            __asm__ __volatile__("barrier.sync %0, %1;" : : "r"(tile() + 1), "n"(__Size) : "memory");
            return;
        }
        volatile unsigned int *arrived = &scratch_->arrived;
        __threadfence_block();
        unsigned int goal = (atomicAdd(&scratch_->arrived, 1u) / __Size + 1) * __Size;
        while ((int)(*arrived - goal) < 0)
            ;
        __threadfence_block();
    }
    template <typename __T> _CG_QUALIFIER __T shfl(const __T &value, unsigned int rank) const
    {
        static_assert(sizeof(__T) <= sizeof scratch_->words[0], "only values of at most 32 bytes can be exchanged");
        __T result;
        sync();
        if (thread_rank() == rank)
            memcpy(scratch_->words[tile() * (__Size / 32)], &value, sizeof(__T));
        sync();
        memcpy(&result, scratch_->words[tile() * (__Size / 32)], sizeof(__T));
        return result;
    }
    // Combines the values of the last lanes of the first `warps` warps, at least one.
    template <typename __T, typename __Op>
    _CG_QUALIFIER __T heddle_combine(__T value, __Op op, unsigned int warps) const
    {
        static_assert(sizeof(__T) <= sizeof scratch_->words[0], "only values of at most 32 bytes can be exchanged");
        unsigned long long (*words)[4] = &scratch_->words[tile() * (__Size / 32)];
        sync();
        if (lane() == 31)
            memcpy(words[thread_rank() / 32], &value, sizeof(__T));
        sync();
        memcpy(&value, words[0], sizeof(__T));
        for (unsigned int w = 1; w < warps; w++) {
            __T other;
            memcpy(&other, words[w], sizeof(__T));
            value = op(value, other);
        }
        return value;
    }
    template <typename __T, typename __Op> _CG_QUALIFIER __T heddle_combine(__T value, __Op op) const
    {
        return heddle_combine(value, op, __Size / 32);
    }
    _CG_QUALIFIER int any(int __predicate) const
    {
        return heddle_combine(__any_sync(0xFFFFFFFFu, __predicate), [](int __a, int __b) { return __a | __b; });
    }
    _CG_QUALIFIER int all(int __predicate) const
    {
        return heddle_combine(__all_sync(0xFFFFFFFFu, __predicate), [](int __a, int __b) { return __a & __b; });
    }
};
} // namespace details
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#endif
