// SPDX-License-Identifier: Apache-2.0
// The groups of at most a warp: tiles whose size is known to the compiler, and coalesced groups of any lanes.
#ifndef HEDDLE_COOPERATIVE_WARP_GROUPS_H
#define HEDDLE_COOPERATIVE_WARP_GROUPS_H
#include "../cooperative_groups.h"

namespace cooperative_groups
{
namespace __v1
{
// Lanes in any pattern. A rank is the count of members with a lower lane.
class coalesced_group : public thread_group
{
    unsigned int meta_rank_, meta_size_;

    _CG_QUALIFIER unsigned int lane_of(unsigned int rank) const
    {
        unsigned int mask = mask_;
        if (mask == 0xFFFFFFFFu)
            return rank;
        for (; rank && mask; rank--)
            mask &= mask - 1;
        return mask ? __ffs((int)mask) - 1 : details::lane();
    }
    // The members' bits of a ballot, moved together.
    _CG_QUALIFIER unsigned int pack(unsigned int bits) const
    {
        if (mask_ == 0xFFFFFFFFu)
            return bits;
        unsigned int packed = 0, __at = 0;
        for (unsigned int __m = mask_; __m; __m &= __m - 1, __at++)
            packed |= (bits >> (__ffs((int)__m) - 1) & 1u) << __at;
        return packed;
    }

  public:
    _CG_QUALIFIER explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0, unsigned int meta_size = 1)
        : thread_group(group_kind_lanes, mask), meta_rank_(meta_rank), meta_size_(meta_size)
    {
    }
    _CG_QUALIFIER unsigned int size() const
    {
        return __popc(mask_);
    }
    _CG_QUALIFIER unsigned int num_threads() const
    {
        return __popc(mask_);
    }
    _CG_QUALIFIER unsigned int thread_rank() const
    {
        return __popc(mask_ & details::lanes_below());
    }
    _CG_QUALIFIER unsigned int meta_group_rank() const
    {
        return meta_rank_;
    }
    _CG_QUALIFIER unsigned int meta_group_size() const
    {
        return meta_size_;
    }
    _CG_QUALIFIER void sync() const
    {
        __syncwarp(mask_);
    }
    template <typename __T> _CG_QUALIFIER __T shfl(const __T &value, unsigned int rank) const
    {
        unsigned int mask = mask_, lane = lane_of(rank);
        return details::by_words(value, [=](unsigned int w) { return __shfl_sync(mask, w, (int)lane); });
    }
    template <typename __T> _CG_QUALIFIER __T shfl_up(const __T &value, unsigned int delta) const
    {
        unsigned int mask = mask_, rank = thread_rank(), lane = rank >= delta ? lane_of(rank - delta) : details::lane();
        return details::by_words(value, [=](unsigned int w) { return __shfl_sync(mask, w, (int)lane); });
    }
    template <typename __T> _CG_QUALIFIER __T shfl_down(const __T &value, unsigned int delta) const
    {
        unsigned int mask = mask_, rank = thread_rank() + delta, lane = rank < size() ? lane_of(rank) : details::lane();
        return details::by_words(value, [=](unsigned int w) { return __shfl_sync(mask, w, (int)lane); });
    }
    _CG_QUALIFIER int any(int __predicate) const
    {
        return __any_sync(mask_, __predicate);
    }
    _CG_QUALIFIER int all(int __predicate) const
    {
        return __all_sync(mask_, __predicate);
    }
    _CG_QUALIFIER unsigned int ballot(int __predicate) const
    {
        return pack(__ballot_sync(mask_, __predicate));
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    template <typename __T> _CG_QUALIFIER unsigned int match_any(const __T &value) const
    {
        return pack(__match_any_sync(mask_, value));
    }
    template <typename __T> _CG_QUALIFIER unsigned int match_all(const __T &value, int &__predicate) const
    {
        return pack(__match_all_sync(mask_, value, &__predicate));
    }
#endif
};

_CG_QUALIFIER coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

// A tile: aligned threads, as many as a power of two.
template <unsigned int __Size, typename __Parent = void> class thread_block_tile;

namespace details
{
template <unsigned int __Size> class tile_base : public thread_group
{
    static_assert(__Size && __Size <= 32 && (__Size & (__Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

  protected:
    static _CG_QUALIFIER unsigned int mask_here()
    {
        return __Size == 32 ? 0xFFFFFFFFu : ((1u << (__Size & 31)) - 1u) << (lane() & ~(__Size - 1));
    }
    _CG_QUALIFIER tile_base() : thread_group(group_kind_lanes, mask_here()) {}
    _CG_QUALIFIER explicit tile_base(const thread_block &) : tile_base() {}

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
        return lane() & (__Size - 1);
    }
    _CG_QUALIFIER void sync() const
    {
        __syncwarp(mask_here());
    }
    template <typename __T> _CG_QUALIFIER __T shfl(const __T &value, int rank) const
    {
        return by_words(value, [=](unsigned int w) { return __shfl_sync(mask_here(), w, rank, __Size); });
    }
    template <typename __T> _CG_QUALIFIER __T shfl_up(const __T &value, unsigned int delta) const
    {
        return by_words(value, [=](unsigned int w) { return __shfl_up_sync(mask_here(), w, delta, __Size); });
    }
    template <typename __T> _CG_QUALIFIER __T shfl_down(const __T &value, unsigned int delta) const
    {
        return by_words(value, [=](unsigned int w) { return __shfl_down_sync(mask_here(), w, delta, __Size); });
    }
    template <typename __T> _CG_QUALIFIER __T shfl_xor(const __T &value, unsigned int mask) const
    {
        return by_words(value, [=](unsigned int w) { return __shfl_xor_sync(mask_here(), w, (int)mask, __Size); });
    }
    _CG_QUALIFIER int any(int __predicate) const
    {
        return __any_sync(mask_here(), __predicate);
    }
    _CG_QUALIFIER int all(int __predicate) const
    {
        return __all_sync(mask_here(), __predicate);
    }
    _CG_QUALIFIER unsigned int ballot(int __predicate) const
    {
        return __ballot_sync(mask_here(), __predicate) >> (lane() & ~(__Size - 1) & 31);
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    template <typename __T> _CG_QUALIFIER unsigned int match_any(const __T &value) const
    {
        return __match_any_sync(mask_here(), value) >> (lane() & ~(__Size - 1) & 31);
    }
    template <typename __T> _CG_QUALIFIER unsigned int match_all(const __T &value, int &__predicate) const
    {
        return __match_all_sync(mask_here(), value, &__predicate) >> (lane() & ~(__Size - 1) & 31);
    }
#endif
};
} // namespace details

// Of a block: numbered within the block.
template <unsigned int __Size>
class thread_block_tile<__Size, thread_block>
    : public __heddle_traits::conditional<(__Size > 32), details::block_tile_base<__Size>,
                                          details::tile_base<__Size>>::type
{
    typedef typename __heddle_traits::conditional<(__Size > 32), details::block_tile_base<__Size>,
                                                  details::tile_base<__Size>>::type base;

  public:
    _CG_QUALIFIER explicit thread_block_tile(const thread_block &block) : base(block) {}
    _CG_QUALIFIER thread_block_tile() {}
    static _CG_QUALIFIER unsigned int meta_group_rank()
    {
        return details::block_rank() / __Size;
    }
    static _CG_QUALIFIER unsigned int meta_group_size()
    {
        return (details::block_threads() + __Size - 1) / __Size;
    }
};
// Of a larger tile: numbered within that.
template <unsigned int __Size, unsigned int __ParentSize, typename __Parent>
class thread_block_tile<__Size, thread_block_tile<__ParentSize, __Parent>> : public details::tile_base<__Size>
{
    static_assert(__Size <= __ParentSize, "a tile is not larger than the tile it is made of");

  public:
    _CG_QUALIFIER explicit thread_block_tile(const thread_block_tile<__ParentSize, __Parent> &) {}
    static _CG_QUALIFIER unsigned int meta_group_rank()
    {
        return ((__ParentSize > 32 ? details::block_rank() : details::lane()) & (__ParentSize - 1)) / __Size;
    }
    static _CG_QUALIFIER unsigned int meta_group_size()
    {
        return __ParentSize / __Size;
    }
    _CG_QUALIFIER operator thread_block_tile<__Size, void>() const
    {
        return thread_block_tile<__Size, void>(meta_group_rank(), meta_group_size());
    }
};
// Whatever it was made of: it remembers its number.
template <unsigned int __Size> class thread_block_tile<__Size, void> : public details::tile_base<__Size>
{
    unsigned int meta_rank_, meta_size_;

  public:
    _CG_QUALIFIER thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
        : meta_rank_(meta_rank), meta_size_(meta_size)
    {
    }
    template <typename __Parent>
    _CG_QUALIFIER thread_block_tile(const thread_block_tile<__Size, __Parent> &__t)
        : meta_rank_(__t.meta_group_rank()), meta_size_(__t.meta_group_size())
    {
    }
    _CG_QUALIFIER unsigned int meta_group_rank() const
    {
        return meta_rank_;
    }
    _CG_QUALIFIER unsigned int meta_group_size() const
    {
        return meta_size_;
    }
};

template <unsigned int __Size>
_CG_QUALIFIER thread_block_tile<__Size, thread_block> tiled_partition(const thread_block &block)
{
    return thread_block_tile<__Size, thread_block>(block);
}
template <unsigned int __Size, unsigned int __ParentSize, typename __Parent>
_CG_QUALIFIER thread_block_tile<__Size, thread_block_tile<__ParentSize, __Parent>>
tiled_partition(const thread_block_tile<__ParentSize, __Parent> &tile)
{
    return thread_block_tile<__Size, thread_block_tile<__ParentSize, __Parent>>(tile);
}

// Sizes known at run time only.
_CG_QUALIFIER coalesced_group tiled_partition(const coalesced_group &__group, unsigned int size)
{
    unsigned int rank = __group.thread_rank(), first = rank / size * size, mask = __group.heddle_mask(), tile = 0;
    for (unsigned int __at = 0; mask; mask &= mask - 1, __at++)
        if (__at >= first && __at < first + size)
            tile |= mask & -mask;
    return coalesced_group(tile, rank / size, (__group.size() + size - 1) / size);
}
_CG_QUALIFIER thread_group tiled_partition(const thread_group &__group, unsigned int size)
{
    if (__group.heddle_kind() == group_kind_lanes)
        return tiled_partition(coalesced_group(__group.heddle_mask()), size);
    unsigned int last = details::block_threads() - (details::block_rank() & ~31u); // lanes of the last warp may be few
    unsigned int __alive = last >= 32 ? 0xFFFFFFFFu : (1u << last) - 1u;
    unsigned int tile = size >= 32 ? 0xFFFFFFFFu : ((1u << size) - 1u) << (details::lane() & ~(size - 1));
    return thread_group(group_kind_lanes, tile & __alive);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <typename __Label>
_CG_QUALIFIER coalesced_group labeled_partition(const coalesced_group &__group, __Label __label)
{
    return coalesced_group(__match_any_sync(__group.heddle_mask(), __label));
}
template <unsigned int __Size, typename __Parent, typename __Label>
_CG_QUALIFIER coalesced_group labeled_partition(const thread_block_tile<__Size, __Parent> &tile, __Label __label)
{
    return coalesced_group(__match_any_sync(tile.heddle_mask(), __label));
}
#endif
namespace details
{
_CG_QUALIFIER coalesced_group binary_split(unsigned int mask, bool __predicate)
{
    unsigned int set = __ballot_sync(mask, __predicate);
    return coalesced_group(__predicate ? set : mask & ~set, __predicate ? 0 : 1, 2);
}
} // namespace details
_CG_QUALIFIER coalesced_group binary_partition(const coalesced_group &__group, bool __predicate)
{
    return details::binary_split(__group.heddle_mask(), __predicate);
}
template <unsigned int __Size, typename __Parent>
_CG_QUALIFIER coalesced_group binary_partition(const thread_block_tile<__Size, __Parent> &tile, bool __predicate)
{
    return details::binary_split(tile.heddle_mask(), __predicate);
}
_CG_QUALIFIER thread_block_tile<1, void> this_thread()
{
    return thread_block_tile<1, void>(0, 1);
}
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#endif
