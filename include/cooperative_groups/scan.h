// cooperative_groups::inclusive_scan and exclusive_scan over tiles and coalesced groups, alone or on top of what an
// atomic object held.
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_
#include "reduce.h"

namespace cooperative_groups
{
namespace details
{
// At most a warp.
template <typename Group, typename T, typename Op> _CG_QUALIFIER T scan_lanes(const Group &group, T value, Op &op)
{
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int step = 1; step < size; step *= 2) {
        T other = group.shfl_up(value, step);
        if (rank >= step)
            value = op(other, value);
    }
    return value;
}
template <typename Group> struct is_block_tile : __heddle_traits::false_type {
};
template <unsigned int Size, typename Parent>
struct is_block_tile<thread_block_tile<Size, Parent>> : __heddle_traits::bool_constant<(Size > 32)> {
};

// The inclusive result, and through *before the exclusive one, which the first thread has not.
template <typename Group, typename T, typename Op>
_CG_QUALIFIER T scan_both(const Group &group, T value, Op &op, T *before, __heddle_traits::false_type)
{
    T all = scan_lanes(group, value, op);
    *before = group.shfl_up(all, 1);
    return all;
}
template <typename Group, typename T, typename Op>
_CG_QUALIFIER T scan_both(const Group &group, T value, Op &op, T *before, __heddle_traits::true_type)
{
    thread_block_tile<32, void> warp(0, 1);
    T all = scan_lanes(warp, value, op), own = warp.shfl_up(all, 1);
    unsigned int warps = group.thread_rank() / 32;
    T earlier = group.heddle_combine(all, op, warps); // of no use to the first warp
    *before = !warps ? own : lane() ? op(earlier, own) : earlier;
    return warps ? op(earlier, all) : all;
}

template <typename Group, typename Atomic, typename T, typename Op>
_CG_QUALIFIER T scan_update(const Group &group, Atomic &atomic, T value, Op &op, bool exclusive)
{
    T before, all = scan_both(group, value, op, &before, typename is_block_tile<Group>::type()), old = T();
    if (group.thread_rank() == group.size() - 1)
        old = atomic_update(atomic, all, op);
    old = group.shfl(old, group.size() - 1);
    return !exclusive ? op(old, all) : group.thread_rank() ? op(old, before) : old;
}
} // namespace details

template <typename Group, typename T, typename Op>
_CG_QUALIFIER typename __heddle_traits::bare<T>::type inclusive_scan(const Group &group, T &&value, Op &&op)
{
    typedef typename __heddle_traits::bare<T>::type type;
    type before;
    return details::scan_both(group, (type)value, op, &before, typename details::is_block_tile<Group>::type());
}
template <typename Group, typename T>
_CG_QUALIFIER typename __heddle_traits::bare<T>::type inclusive_scan(const Group &group, T &&value)
{
    return inclusive_scan(group, value, plus<typename __heddle_traits::bare<T>::type>());
}
template <typename Group, typename T, typename Op>
_CG_QUALIFIER typename __heddle_traits::bare<T>::type exclusive_scan(const Group &group, T &&value, Op &&op)
{
    typedef typename __heddle_traits::bare<T>::type type;
    type before;
    details::scan_both(group, (type)value, op, &before, typename details::is_block_tile<Group>::type());
    return group.thread_rank() ? before : type();
}
template <typename Group, typename T>
_CG_QUALIFIER typename __heddle_traits::bare<T>::type exclusive_scan(const Group &group, T &&value)
{
    return exclusive_scan(group, value, plus<typename __heddle_traits::bare<T>::type>());
}

// The group's total is combined into the atomic object; the scan goes on from what it held.
template <typename Group, typename Atomic, typename T, typename Op>
_CG_QUALIFIER typename __heddle_traits::bare<T>::type inclusive_scan_update(const Group &group, Atomic &atomic,
                                                                            T &&value, Op &&op)
{
    return details::scan_update(group, atomic, (typename __heddle_traits::bare<T>::type)value, op, false);
}
template <typename Group, typename Atomic, typename T>
_CG_QUALIFIER typename __heddle_traits::bare<T>::type inclusive_scan_update(const Group &group, Atomic &atomic,
                                                                            T &&value)
{
    return inclusive_scan_update(group, atomic, value, plus<typename __heddle_traits::bare<T>::type>());
}
template <typename Group, typename Atomic, typename T, typename Op>
_CG_QUALIFIER typename __heddle_traits::bare<T>::type exclusive_scan_update(const Group &group, Atomic &atomic,
                                                                            T &&value, Op &&op)
{
    return details::scan_update(group, atomic, (typename __heddle_traits::bare<T>::type)value, op, true);
}
template <typename Group, typename Atomic, typename T>
_CG_QUALIFIER typename __heddle_traits::bare<T>::type exclusive_scan_update(const Group &group, Atomic &atomic,
                                                                            T &&value)
{
    return exclusive_scan_update(group, atomic, value, plus<typename __heddle_traits::bare<T>::type>());
}
} // namespace cooperative_groups
#endif
