// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::inclusive_scan and exclusive_scan over tiles and coalesced groups, alone or on top of what an
// atomic object held.
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_
#include "reduce.h"

namespace cooperative_groups
{
namespace __v1
{
namespace details
{
// At most a warp.
template <typename __Group, typename __T, typename __Op>
_CG_QUALIFIER __T scan_lanes(const __Group &__group, __T value, __Op &op)
{
    unsigned int rank = __group.thread_rank(), size = __group.size();
    for (unsigned int step = 1; step < size; step *= 2) {
        __T other = __group.shfl_up(value, step);
        if (rank >= step)
            value = op(other, value);
    }
    return value;
}
template <typename __Group> struct is_block_tile : __heddle_traits::false_type {
};
template <unsigned int __Size, typename __Parent>
struct is_block_tile<thread_block_tile<__Size, __Parent>> : __heddle_traits::bool_constant<(__Size > 32)> {
};

// The inclusive result, and through *before the exclusive one, which the first thread has not.
template <typename __Group, typename __T, typename __Op>
_CG_QUALIFIER __T scan_both(const __Group &__group, __T value, __Op &op, __T *before, __heddle_traits::false_type)
{
    __T all = scan_lanes(__group, value, op);
    *before = __group.shfl_up(all, 1);
    return all;
}
template <typename __Group, typename __T, typename __Op>
_CG_QUALIFIER __T scan_both(const __Group &__group, __T value, __Op &op, __T *before, __heddle_traits::true_type)
{
    thread_block_tile<32, void> warp(0, 1);
    __T all = scan_lanes(warp, value, op), own = warp.shfl_up(all, 1);
    unsigned int warps = __group.thread_rank() / 32;
    __T earlier = __group.heddle_combine(all, op, warps); // of no use to the first warp
    *before = !warps ? own : lane() ? op(earlier, own) : earlier;
    return warps ? op(earlier, all) : all;
}

template <typename __Group, typename __Atomic, typename __T, typename __Op>
_CG_QUALIFIER __T scan_update(const __Group &__group, __Atomic &atomic, __T value, __Op &op, bool __exclusive)
{
    __T before, all = scan_both(__group, value, op, &before, typename is_block_tile<__Group>::type()), old = __T();
    if (__group.thread_rank() == __group.size() - 1)
        old = atomic_update(atomic, all, op);
    old = __group.shfl(old, __group.size() - 1);
    return !__exclusive ? op(old, all) : __group.thread_rank() ? op(old, before) : old;
}
} // namespace details

template <typename __Group, typename __T, typename __Op>
_CG_QUALIFIER typename __heddle_traits::bare<__T>::type inclusive_scan(const __Group &__group, __T &&value, __Op &&op)
{
    typedef typename __heddle_traits::bare<__T>::type type;
    type before;
    return details::scan_both(__group, (type)value, op, &before, typename details::is_block_tile<__Group>::type());
}
template <typename __Group, typename __T>
_CG_QUALIFIER typename __heddle_traits::bare<__T>::type inclusive_scan(const __Group &__group, __T &&value)
{
    return inclusive_scan(__group, value, plus<typename __heddle_traits::bare<__T>::type>());
}
template <typename __Group, typename __T, typename __Op>
_CG_QUALIFIER typename __heddle_traits::bare<__T>::type exclusive_scan(const __Group &__group, __T &&value, __Op &&op)
{
    typedef typename __heddle_traits::bare<__T>::type type;
    type before;
    details::scan_both(__group, (type)value, op, &before, typename details::is_block_tile<__Group>::type());
    return __group.thread_rank() ? before : type();
}
template <typename __Group, typename __T>
_CG_QUALIFIER typename __heddle_traits::bare<__T>::type exclusive_scan(const __Group &__group, __T &&value)
{
    return exclusive_scan(__group, value, plus<typename __heddle_traits::bare<__T>::type>());
}

// The group's total is combined into the atomic object; the scan goes on from what it held.
template <typename __Group, typename __Atomic, typename __T, typename __Op>
_CG_QUALIFIER typename __heddle_traits::bare<__T>::type inclusive_scan_update(const __Group &__group, __Atomic &atomic,
                                                                              __T &&value, __Op &&op)
{
    return details::scan_update(__group, atomic, (typename __heddle_traits::bare<__T>::type)value, op, false);
}
template <typename __Group, typename __Atomic, typename __T>
_CG_QUALIFIER typename __heddle_traits::bare<__T>::type inclusive_scan_update(const __Group &__group, __Atomic &atomic,
                                                                              __T &&value)
{
    return inclusive_scan_update(__group, atomic, value, plus<typename __heddle_traits::bare<__T>::type>());
}
template <typename __Group, typename __Atomic, typename __T, typename __Op>
_CG_QUALIFIER typename __heddle_traits::bare<__T>::type exclusive_scan_update(const __Group &__group, __Atomic &atomic,
                                                                              __T &&value, __Op &&op)
{
    return details::scan_update(__group, atomic, (typename __heddle_traits::bare<__T>::type)value, op, true);
}
template <typename __Group, typename __Atomic, typename __T>
_CG_QUALIFIER typename __heddle_traits::bare<__T>::type exclusive_scan_update(const __Group &__group, __Atomic &atomic,
                                                                              __T &&value)
{
    return exclusive_scan_update(__group, atomic, value, plus<typename __heddle_traits::bare<__T>::type>());
}
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#endif
