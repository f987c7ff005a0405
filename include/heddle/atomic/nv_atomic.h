// SPDX-License-Identifier: Apache-2.0
// The generic atomic functions of CUDA 12.8 and later, with an order and a scope.
#ifndef HEDDLE_NV_ATOMIC_H
#define HEDDLE_NV_ATOMIC_H
#include "ordered_access.h"
#include "../../host_defines.h"

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
template <typename __T> HEDDLE_FN __T __nv_atomic_load_n(__T *__p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return HEDDLE_ORDERED_LOAD(__p, order, scope);
}
template <typename __T>
HEDDLE_FN void __nv_atomic_load(__T *__p, __T *out, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    heddle_order_before(order, scope);
    __scoped_atomic_load(__p, out, __ATOMIC_RELAXED, scope);
    heddle_order_after(order, scope);
}
template <typename __T, typename __V>
HEDDLE_FN void __nv_atomic_store_n(__T *__p, __V value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    HEDDLE_ORDERED_STORE(__p, (__T)value, order, scope);
}
template <typename __T>
HEDDLE_FN void __nv_atomic_store(__T *__p, __T *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __scoped_atomic_store(__p, value, order, scope);
}
template <typename __T, typename __V>
HEDDLE_FN __T __nv_atomic_exchange_n(__T *__p, __V value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    heddle_order_before(order, scope);
    __T old = __scoped_atomic_exchange_n(__p, (__T)value, __ATOMIC_RELAXED, scope);
    heddle_order_after(order, scope);
    return old;
}
template <typename __T>
HEDDLE_FN void __nv_atomic_exchange(__T *__p, __T *value, __T *old, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    heddle_order_before(order, scope);
    __scoped_atomic_exchange(__p, value, old, __ATOMIC_RELAXED, scope);
    heddle_order_after(order, scope);
}
template <typename __T, typename __V>
HEDDLE_FN bool __nv_atomic_compare_exchange_n(__T *__p, __T *expected, __V __desired, bool weak, int __success,
                                              int __failure, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __scoped_atomic_compare_exchange_n(__p, expected, (__T)__desired, weak, __success, __failure, scope);
}
template <typename __T>
HEDDLE_FN bool __nv_atomic_compare_exchange(__T *__p, __T *expected, __T *__desired, bool weak, int __success,
                                            int __failure, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __scoped_atomic_compare_exchange(__p, expected, __desired, weak, __success, __failure, scope);
}
#define HEDDLE_NV_ATOMIC(op)                                                                                           \
    template <typename __T, typename __V>                                                                              \
    HEDDLE_FN __T __nv_atomic_fetch_##op(__T *__p, __V value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)         \
    {                                                                                                                  \
        heddle_order_before(order, scope);                                                                             \
        __T old = __scoped_atomic_fetch_##op(__p, (__T)value, __ATOMIC_RELAXED, scope);                                \
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
