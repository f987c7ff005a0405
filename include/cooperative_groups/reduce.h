// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::reduce: one value of each thread combined into one for all, over tiles, coalesced groups and
// blocks.
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_
#include "../cooperative_groups.h"

namespace cooperative_groups
{
namespace __v1
{
#define HEDDLE_CG_OPERATOR(name, expression)                                                                           \
    template <typename __T> struct name {                                                                              \
        __host__ __device__ __forceinline__ __T operator()(const __T &__a, const __T &__b) const                       \
        {                                                                                                              \
            return expression;                                                                                         \
        }                                                                                                              \
    };
HEDDLE_CG_OPERATOR(plus, __a + __b)
HEDDLE_CG_OPERATOR(less, __b < __a ? __b : __a)
HEDDLE_CG_OPERATOR(greater, __a < __b ? __b : __a)
HEDDLE_CG_OPERATOR(bit_and, __a &__b)
HEDDLE_CG_OPERATOR(bit_or, __a | __b)
HEDDLE_CG_OPERATOR(bit_xor, __a ^ __b)
#undef HEDDLE_CG_OPERATOR

namespace details
{
template <unsigned int __Size, typename __Parent, typename __T, typename __Op>
_CG_QUALIFIER __T reduce_tile(const thread_block_tile<__Size, __Parent> &__group, __T value, __Op op,
                              __heddle_traits::false_type)
{
    for (unsigned int step = __Size / 2; step; step /= 2)
        value = op(value, __group.shfl_xor(value, step));
    return value;
}
template <typename __Tile, typename __T, typename __Op>
_CG_QUALIFIER __T reduce_tile(const __Tile &__group, __T value, __Op op, __heddle_traits::true_type)
{
    value = reduce_tile(thread_block_tile<32, void>(0, 1), value, op, __heddle_traits::false_type());
    return __group.heddle_combine(value, op);
}
} // namespace details

template <unsigned int __Size, typename __Parent, typename __T, typename __Op>
_CG_QUALIFIER __T reduce(const thread_block_tile<__Size, __Parent> &__group, __T value, __Op op)
{
    return details::reduce_tile(__group, value, op, __heddle_traits::bool_constant<(__Size > 32)>());
}
template <typename __T, typename __Op> _CG_QUALIFIER __T reduce(const coalesced_group &__group, __T value, __Op op)
{
    unsigned int rank = __group.thread_rank(), size = __group.size();
    for (unsigned int step = 1; step < size; step *= 2) { // rank r holds r .. r + step - 1
        __T other = __group.shfl_down(value, step);
        if (rank + step < size)
            value = op(value, other);
    }
    return __group.shfl(value, 0);
}
template <typename __T, typename __Op> _CG_QUALIFIER __T reduce(const thread_block &block, __T value, __Op op)
{
    __shared__ unsigned int words[32][(sizeof(__T) + 3) / 4];
    coalesced_group warp = coalesced_threads();
    unsigned int warps = (details::block_threads() + 31) / 32, self = details::block_rank() / 32;
    value = reduce(warp, value, op);
    __syncthreads();
    if (warp.thread_rank() == 0)
        memcpy(words[self], &value, sizeof(__T));
    __syncthreads();
    memcpy(&value, words[0], sizeof(__T));
    for (unsigned int w = 1; w < warps; w++) {
        __T other;
        memcpy(&other, words[w], sizeof(__T));
        value = op(value, other);
    }
    __syncthreads();
    return value;
}

namespace details
{
// What an atomic object held before.
#define HEDDLE_CG_ATOMIC(name, member)                                                                                 \
    template <typename __Atomic, typename __T>                                                                         \
    _CG_QUALIFIER __T atomic_update(__Atomic &atomic, __T value, const name<__T> &)                                    \
    {                                                                                                                  \
        return atomic.member(value);                                                                                   \
    }
HEDDLE_CG_ATOMIC(plus, fetch_add)
HEDDLE_CG_ATOMIC(less, fetch_min)
HEDDLE_CG_ATOMIC(greater, fetch_max)
HEDDLE_CG_ATOMIC(bit_and, fetch_and)
HEDDLE_CG_ATOMIC(bit_or, fetch_or)
HEDDLE_CG_ATOMIC(bit_xor, fetch_xor)
#undef HEDDLE_CG_ATOMIC
// Any other operator.
template <typename __Atomic, typename __T, typename __Op>
_CG_QUALIFIER __T atomic_update(__Atomic &atomic, __T value, const __Op &op)
{
    __T old = atomic.load();
    while (!atomic.compare_exchange_weak(old, op(old, value)))
        ;
    return old;
}
} // namespace details

// The group's result is combined into an atomic object, or stored there, by one thread.
template <typename __Group, typename __Atomic, typename __T, typename __Op>
_CG_QUALIFIER void reduce_update_async(const __Group &__group, __Atomic &atomic, __T &&value, __Op &&op)
{
    typedef typename __heddle_traits::bare<__T>::type type;
    type result = reduce(__group, (type)value, op);
    if (__group.thread_rank() == 0)
        details::atomic_update(atomic, result, op);
}
template <typename __Group, typename __Atomic, typename __T, typename __Op>
_CG_QUALIFIER void reduce_store_async(const __Group &__group, __Atomic &atomic, __T &&value, __Op &&op)
{
    typedef typename __heddle_traits::bare<__T>::type type;
    type result = reduce(__group, (type)value, op);
    if (__group.thread_rank() == 0)
        atomic.store(result);
}
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#endif
