// cooperative_groups::reduce: one value of each thread combined into one for all, over tiles, coalesced groups and
// blocks.
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_
#include "../cooperative_groups.h"

namespace cooperative_groups
{
#define HEDDLE_CG_OPERATOR(name, expression)                                                                           \
    template <typename T> struct name {                                                                                \
        __host__ __device__ __forceinline__ T operator()(const T &a, const T &b) const                                 \
        {                                                                                                              \
            return expression;                                                                                         \
        }                                                                                                              \
    };
HEDDLE_CG_OPERATOR(plus, a + b)
HEDDLE_CG_OPERATOR(less, b < a ? b : a)
HEDDLE_CG_OPERATOR(greater, a < b ? b : a)
HEDDLE_CG_OPERATOR(bit_and, a &b)
HEDDLE_CG_OPERATOR(bit_or, a | b)
HEDDLE_CG_OPERATOR(bit_xor, a ^ b)
#undef HEDDLE_CG_OPERATOR

namespace details
{
template <unsigned int Size, typename Parent, typename T, typename Op>
_CG_QUALIFIER T reduce_tile(const thread_block_tile<Size, Parent> &group, T value, Op op, __heddle_traits::false_type)
{
    for (unsigned int step = Size / 2; step; step /= 2)
        value = op(value, group.shfl_xor(value, step));
    return value;
}
template <typename Tile, typename T, typename Op>
_CG_QUALIFIER T reduce_tile(const Tile &group, T value, Op op, __heddle_traits::true_type)
{
    value = reduce_tile(thread_block_tile<32, void>(0, 1), value, op, __heddle_traits::false_type());
    return group.heddle_combine(value, op);
}
} // namespace details

template <unsigned int Size, typename Parent, typename T, typename Op>
_CG_QUALIFIER T reduce(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
    return details::reduce_tile(group, value, op, __heddle_traits::bool_constant<(Size > 32)>());
}
template <typename T, typename Op> _CG_QUALIFIER T reduce(const coalesced_group &group, T value, Op op)
{
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int step = 1; step < size; step *= 2) { // rank r holds r .. r + step - 1
        T other = group.shfl_down(value, step);
        if (rank + step < size)
            value = op(value, other);
    }
    return group.shfl(value, 0);
}
template <typename T, typename Op> _CG_QUALIFIER T reduce(const thread_block &block, T value, Op op)
{
    __shared__ unsigned int words[32][(sizeof(T) + 3) / 4];
    coalesced_group warp = coalesced_threads();
    unsigned int warps = (details::block_threads() + 31) / 32, self = details::block_rank() / 32;
    value = reduce(warp, value, op);
    __syncthreads();
    if (warp.thread_rank() == 0)
        memcpy(words[self], &value, sizeof(T));
    __syncthreads();
    memcpy(&value, words[0], sizeof(T));
    for (unsigned int w = 1; w < warps; w++) {
        T other;
        memcpy(&other, words[w], sizeof(T));
        value = op(value, other);
    }
    __syncthreads();
    return value;
}

namespace details
{
// What an atomic object held before.
#define HEDDLE_CG_ATOMIC(name, member)                                                                                 \
    template <typename Atomic, typename T> _CG_QUALIFIER T atomic_update(Atomic &atomic, T value, const name<T> &)     \
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
template <typename Atomic, typename T, typename Op> _CG_QUALIFIER T atomic_update(Atomic &atomic, T value, const Op &op)
{
    T old = atomic.load();
    while (!atomic.compare_exchange_weak(old, op(old, value)))
        ;
    return old;
}
} // namespace details

// The group's result is combined into an atomic object, or stored there, by one thread.
template <typename Group, typename Atomic, typename T, typename Op>
_CG_QUALIFIER void reduce_update_async(const Group &group, Atomic &atomic, T &&value, Op &&op)
{
    typedef typename __heddle_traits::bare<T>::type type;
    type result = reduce(group, (type)value, op);
    if (group.thread_rank() == 0)
        details::atomic_update(atomic, result, op);
}
template <typename Group, typename Atomic, typename T, typename Op>
_CG_QUALIFIER void reduce_store_async(const Group &group, Atomic &atomic, T &&value, Op &&op)
{
    typedef typename __heddle_traits::bare<T>::type type;
    type result = reduce(group, (type)value, op);
    if (group.thread_rank() == 0)
        atomic.store(result);
}
} // namespace cooperative_groups
#endif
