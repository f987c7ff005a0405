// The groups of at most a warp: tiles whose size is known to the compiler, and coalesced groups of any lanes.
#ifndef HEDDLE_COOPERATIVE_WARP_GROUPS_H
#define HEDDLE_COOPERATIVE_WARP_GROUPS_H
#include "../cooperative_groups.h"

namespace cooperative_groups
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
        unsigned int packed = 0, at = 0;
        for (unsigned int m = mask_; m; m &= m - 1, at++)
            packed |= (bits >> (__ffs((int)m) - 1) & 1u) << at;
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
    template <typename T> _CG_QUALIFIER T shfl(const T &value, unsigned int rank) const
    {
        unsigned int mask = mask_, lane = lane_of(rank);
        return details::by_words(value, [=](unsigned int w) { return __shfl_sync(mask, w, (int)lane); });
    }
    template <typename T> _CG_QUALIFIER T shfl_up(const T &value, unsigned int delta) const
    {
        unsigned int mask = mask_, rank = thread_rank(), lane = rank >= delta ? lane_of(rank - delta) : details::lane();
        return details::by_words(value, [=](unsigned int w) { return __shfl_sync(mask, w, (int)lane); });
    }
    template <typename T> _CG_QUALIFIER T shfl_down(const T &value, unsigned int delta) const
    {
        unsigned int mask = mask_, rank = thread_rank() + delta, lane = rank < size() ? lane_of(rank) : details::lane();
        return details::by_words(value, [=](unsigned int w) { return __shfl_sync(mask, w, (int)lane); });
    }
    _CG_QUALIFIER int any(int predicate) const
    {
        return __any_sync(mask_, predicate);
    }
    _CG_QUALIFIER int all(int predicate) const
    {
        return __all_sync(mask_, predicate);
    }
    _CG_QUALIFIER unsigned int ballot(int predicate) const
    {
        return pack(__ballot_sync(mask_, predicate));
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    template <typename T> _CG_QUALIFIER unsigned int match_any(const T &value) const
    {
        return pack(__match_any_sync(mask_, value));
    }
    template <typename T> _CG_QUALIFIER unsigned int match_all(const T &value, int &predicate) const
    {
        return pack(__match_all_sync(mask_, value, &predicate));
    }
#endif
};

_CG_QUALIFIER coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

// A tile: aligned threads, as many as a power of two.
template <unsigned int Size, typename Parent = void> class thread_block_tile;

namespace details
{
template <unsigned int Size> class tile_base : public thread_group
{
    static_assert(Size && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

  protected:
    static _CG_QUALIFIER unsigned int mask_here()
    {
        return Size == 32 ? 0xFFFFFFFFu : ((1u << (Size & 31)) - 1u) << (lane() & ~(Size - 1));
    }
    _CG_QUALIFIER tile_base() : thread_group(group_kind_lanes, mask_here()) {}
    _CG_QUALIFIER explicit tile_base(const thread_block &) : tile_base() {}

  public:
    static constexpr _CG_QUALIFIER unsigned int size()
    {
        return Size;
    }
    static constexpr _CG_QUALIFIER unsigned int num_threads()
    {
        return Size;
    }
    static _CG_QUALIFIER unsigned int thread_rank()
    {
        return lane() & (Size - 1);
    }
    _CG_QUALIFIER void sync() const
    {
        __syncwarp(mask_here());
    }
    template <typename T> _CG_QUALIFIER T shfl(const T &value, int rank) const
    {
        return by_words(value, [=](unsigned int w) { return __shfl_sync(mask_here(), w, rank, Size); });
    }
    template <typename T> _CG_QUALIFIER T shfl_up(const T &value, unsigned int delta) const
    {
        return by_words(value, [=](unsigned int w) { return __shfl_up_sync(mask_here(), w, delta, Size); });
    }
    template <typename T> _CG_QUALIFIER T shfl_down(const T &value, unsigned int delta) const
    {
        return by_words(value, [=](unsigned int w) { return __shfl_down_sync(mask_here(), w, delta, Size); });
    }
    template <typename T> _CG_QUALIFIER T shfl_xor(const T &value, unsigned int mask) const
    {
        return by_words(value, [=](unsigned int w) { return __shfl_xor_sync(mask_here(), w, (int)mask, Size); });
    }
    _CG_QUALIFIER int any(int predicate) const
    {
        return __any_sync(mask_here(), predicate);
    }
    _CG_QUALIFIER int all(int predicate) const
    {
        return __all_sync(mask_here(), predicate);
    }
    _CG_QUALIFIER unsigned int ballot(int predicate) const
    {
        return __ballot_sync(mask_here(), predicate) >> (lane() & ~(Size - 1) & 31);
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    template <typename T> _CG_QUALIFIER unsigned int match_any(const T &value) const
    {
        return __match_any_sync(mask_here(), value) >> (lane() & ~(Size - 1) & 31);
    }
    template <typename T> _CG_QUALIFIER unsigned int match_all(const T &value, int &predicate) const
    {
        return __match_all_sync(mask_here(), value, &predicate) >> (lane() & ~(Size - 1) & 31);
    }
#endif
};
} // namespace details

// Of a block: numbered within the block.
template <unsigned int Size>
class thread_block_tile<Size, thread_block>
    : public __heddle_traits::conditional<(Size > 32), details::block_tile_base<Size>, details::tile_base<Size>>::type
{
    typedef typename __heddle_traits::conditional<(Size > 32), details::block_tile_base<Size>,
                                                  details::tile_base<Size>>::type base;

  public:
    _CG_QUALIFIER explicit thread_block_tile(const thread_block &block) : base(block) {}
    _CG_QUALIFIER thread_block_tile() {}
    static _CG_QUALIFIER unsigned int meta_group_rank()
    {
        return details::block_rank() / Size;
    }
    static _CG_QUALIFIER unsigned int meta_group_size()
    {
        return (details::block_threads() + Size - 1) / Size;
    }
};
// Of a larger tile: numbered within that.
template <unsigned int Size, unsigned int ParentSize, typename Parent>
class thread_block_tile<Size, thread_block_tile<ParentSize, Parent>> : public details::tile_base<Size>
{
    static_assert(Size <= ParentSize, "a tile is not larger than the tile it is made of");

  public:
    _CG_QUALIFIER explicit thread_block_tile(const thread_block_tile<ParentSize, Parent> &) {}
    static _CG_QUALIFIER unsigned int meta_group_rank()
    {
        return ((ParentSize > 32 ? details::block_rank() : details::lane()) & (ParentSize - 1)) / Size;
    }
    static _CG_QUALIFIER unsigned int meta_group_size()
    {
        return ParentSize / Size;
    }
    _CG_QUALIFIER operator thread_block_tile<Size, void>() const
    {
        return thread_block_tile<Size, void>(meta_group_rank(), meta_group_size());
    }
};
// Whatever it was made of: it remembers its number.
template <unsigned int Size> class thread_block_tile<Size, void> : public details::tile_base<Size>
{
    unsigned int meta_rank_, meta_size_;

  public:
    _CG_QUALIFIER thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
        : meta_rank_(meta_rank), meta_size_(meta_size)
    {
    }
    template <typename Parent>
    _CG_QUALIFIER thread_block_tile(const thread_block_tile<Size, Parent> &t)
        : meta_rank_(t.meta_group_rank()), meta_size_(t.meta_group_size())
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

template <unsigned int Size>
_CG_QUALIFIER thread_block_tile<Size, thread_block> tiled_partition(const thread_block &block)
{
    return thread_block_tile<Size, thread_block>(block);
}
template <unsigned int Size, unsigned int ParentSize, typename Parent>
_CG_QUALIFIER thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>
tiled_partition(const thread_block_tile<ParentSize, Parent> &tile)
{
    return thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>(tile);
}

// Sizes known at run time only.
_CG_QUALIFIER coalesced_group tiled_partition(const coalesced_group &group, unsigned int size)
{
    unsigned int rank = group.thread_rank(), first = rank / size * size, mask = group.heddle_mask(), tile = 0;
    for (unsigned int at = 0; mask; mask &= mask - 1, at++)
        if (at >= first && at < first + size)
            tile |= mask & -mask;
    return coalesced_group(tile, rank / size, (group.size() + size - 1) / size);
}
_CG_QUALIFIER thread_group tiled_partition(const thread_group &group, unsigned int size)
{
    if (group.heddle_kind() == group_kind_lanes)
        return tiled_partition(coalesced_group(group.heddle_mask()), size);
    unsigned int last = details::block_threads() - (details::block_rank() & ~31u); // lanes of the last warp may be few
    unsigned int alive = last >= 32 ? 0xFFFFFFFFu : (1u << last) - 1u;
    unsigned int tile = size >= 32 ? 0xFFFFFFFFu : ((1u << size) - 1u) << (details::lane() & ~(size - 1));
    return thread_group(group_kind_lanes, tile & alive);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <typename Label> _CG_QUALIFIER coalesced_group labeled_partition(const coalesced_group &group, Label label)
{
    return coalesced_group(__match_any_sync(group.heddle_mask(), label));
}
template <unsigned int Size, typename Parent, typename Label>
_CG_QUALIFIER coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &tile, Label label)
{
    return coalesced_group(__match_any_sync(tile.heddle_mask(), label));
}
#endif
namespace details
{
_CG_QUALIFIER coalesced_group binary_split(unsigned int mask, bool predicate)
{
    unsigned int set = __ballot_sync(mask, predicate);
    return coalesced_group(predicate ? set : mask & ~set, predicate ? 0 : 1, 2);
}
} // namespace details
_CG_QUALIFIER coalesced_group binary_partition(const coalesced_group &group, bool predicate)
{
    return details::binary_split(group.heddle_mask(), predicate);
}
template <unsigned int Size, typename Parent>
_CG_QUALIFIER coalesced_group binary_partition(const thread_block_tile<Size, Parent> &tile, bool predicate)
{
    return details::binary_split(tile.heddle_mask(), predicate);
}
_CG_QUALIFIER thread_block_tile<1, void> this_thread()
{
    return thread_block_tile<1, void>(0, 1);
}
} // namespace cooperative_groups
#endif
