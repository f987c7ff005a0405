// The generic atomic functions of CUDA 12.8 and later, with an order and a scope.
#ifndef HEDDLE_NV_ATOMIC_H
#define HEDDLE_NV_ATOMIC_H
#include "ordered_access.h"
#include "../host_defines.h"

#define __NV_ATOMIC_RELAXED       __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME       __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE       __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE       __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL       __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST       __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD  __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK   __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_DEVICE  __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM  __MEMORY_SCOPE_SYSTEM

#define HEDDLE_FN static __device__ __forceinline__
HEDDLE_FN void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order == __NV_ATOMIC_RELAXED)
        return;
    if (scope == __NV_THREAD_SCOPE_BLOCK)
        __threadfence_block();
    else if (scope == __NV_THREAD_SCOPE_DEVICE)
        __threadfence();
    else
        __threadfence_system();
}
// The compiler loses the order of exchanges and fetches on its way to PTX: fences around them give it.
HEDDLE_FN void heddle_order_before(int order, int scope)
{
    if (order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL || order == __NV_ATOMIC_SEQ_CST)
        __nv_atomic_thread_fence(order, scope);
}
HEDDLE_FN void heddle_order_after(int order, int scope)
{
    if (order != __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(order, scope);
}
template <typename T> HEDDLE_FN T __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return HEDDLE_ORDERED_LOAD(p, order, scope);
}
template <typename T> HEDDLE_FN void __nv_atomic_load(T *p, T *out, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *out = HEDDLE_ORDERED_LOAD(p, order, scope);
}
template <typename T, typename V>
HEDDLE_FN void __nv_atomic_store_n(T *p, V value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    HEDDLE_ORDERED_STORE(p, (T)value, order, scope);
}
template <typename T> HEDDLE_FN void __nv_atomic_store(T *p, T *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __scoped_atomic_store(p, value, order, scope);
}
template <typename T, typename V>
HEDDLE_FN T __nv_atomic_exchange_n(T *p, V value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    heddle_order_before(order, scope);
    T old = __scoped_atomic_exchange_n(p, (T)value, __ATOMIC_RELAXED, scope);
    heddle_order_after(order, scope);
    return old;
}
template <typename T>
HEDDLE_FN void __nv_atomic_exchange(T *p, T *value, T *old, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    heddle_order_before(order, scope);
    __scoped_atomic_exchange(p, value, old, __ATOMIC_RELAXED, scope);
    heddle_order_after(order, scope);
}
template <typename T, typename V>
HEDDLE_FN bool __nv_atomic_compare_exchange_n(T *p, T *expected, V desired, bool weak, int success, int failure,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __scoped_atomic_compare_exchange_n(p, expected, (T)desired, weak, success, failure, scope);
}
template <typename T>
HEDDLE_FN bool __nv_atomic_compare_exchange(T *p, T *expected, T *desired, bool weak, int success, int failure,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __scoped_atomic_compare_exchange(p, expected, desired, weak, success, failure, scope);
}
#define HEDDLE_NV_ATOMIC(op)                                                                                           \
    template <typename T, typename V>                                                                                  \
    HEDDLE_FN T __nv_atomic_fetch_##op(T *p, V value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)                 \
    {                                                                                                                  \
        heddle_order_before(order, scope);                                                                             \
        T old = __scoped_atomic_fetch_##op(p, (T)value, __ATOMIC_RELAXED, scope);                                      \
        heddle_order_after(order, scope);                                                                              \
        return old;                                                                                                    \
    }
HEDDLE_NV_ATOMIC(add)
HEDDLE_NV_ATOMIC(sub)
HEDDLE_NV_ATOMIC(and)
HEDDLE_NV_ATOMIC(or)
HEDDLE_NV_ATOMIC(xor)
HEDDLE_NV_ATOMIC(min)
HEDDLE_NV_ATOMIC(max)
#undef HEDDLE_NV_ATOMIC
#undef HEDDLE_FN
#endif
