// cooperative_groups::inclusive_scan and exclusive_scan over tiles and coalesced groups.
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_
#include "cooperative_groups/reduce.h"

namespace cooperative_groups
{
template <typename Group, typename T, typename Op> _CG_QUALIFIER T inclusive_scan(const Group &group, T value, Op op)
{
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int step = 1; step < size; step *= 2) {
        T other = group.shfl_up(value, step);
        if (rank >= step)
            value = op(other, value);
    }
    return value;
}
template <typename Group, typename T> _CG_QUALIFIER T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Op> _CG_QUALIFIER T exclusive_scan(const Group &group, T value, Op op)
{
    T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() ? before : T();
}
template <typename Group, typename T> _CG_QUALIFIER T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}
} // namespace cooperative_groups
#endif
