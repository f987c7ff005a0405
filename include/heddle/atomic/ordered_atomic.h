// SPDX-License-Identifier: Apache-2.0
// Read-modify-write with an order and a scope on the device, for words of 4 and 8 bytes. The compiler's scoped builtins lose
// both on their way to PTX (compare and exchange keeps them), so what is more than relaxed is written out; relaxed ones
// stay with the compiler, which knows in which memory they work.
#ifndef HEDDLE_ORDERED_ATOMIC_H
#define HEDDLE_ORDERED_ATOMIC_H
#include "../../host_defines.h"
#if defined(__CUDA_ARCH__)

#if __CUDA_ARCH__ >= 700
#define HEDDLE_ORDERED(semantics, scope, ptx, __c)                                                                     \
    __asm__ __volatile__("atom." semantics "." scope "." ptx " %0, [%1], %2;"                                          \
                         : "=" __c(old)                                                                                \
                         : "l"(__p), __c(value)                                                                        \
                         : "memory")
#else
#define HEDDLE_ORDERED(semantics, scope, ptx, __c)                                                                     \
    __asm__ __volatile__("membar.gl; atom." ptx " %0, [%1], %2; membar.gl;"                                            \
                         : "=" __c(old)                                                                                \
                         : "l"(__p), __c(value)                                                                        \
                         : "memory")
#endif
#define HEDDLE_ORDERED_SCOPES(semantics, ptx, __c)                                                                     \
    if (scope == __MEMORY_SCOPE_SYSTEM)                                                                                \
        HEDDLE_ORDERED(semantics, "sys", ptx, __c);                                                                    \
    else if (scope == __MEMORY_SCOPE_DEVICE)                                                                           \
        HEDDLE_ORDERED(semantics, "gpu", ptx, __c);                                                                    \
    else                                                                                                               \
        HEDDLE_ORDERED(semantics, "cta", ptx, __c);

// In sequential consistency a fence comes before, as the memory model maps it.
static __device__ __forceinline__ void __heddle_fence_sc(int scope)
{
#if __CUDA_ARCH__ >= 700
    if (scope == __MEMORY_SCOPE_SYSTEM)
        __asm__ __volatile__("fence.sc.sys;" : : : "memory");
    else if (scope == __MEMORY_SCOPE_DEVICE)
        __asm__ __volatile__("fence.sc.gpu;" : : : "memory");
    else
        __asm__ __volatile__("fence.sc.cta;" : : : "memory");
#else
    (void)scope;
#endif
}

#define HEDDLE_ORDERED_ATOMIC(name, __T, builtin, ptx, __c)                                                            \
    static __device__ __forceinline__ __T __heddle_##name(volatile __T *__p, __T value, int order, int scope)          \
    {                                                                                                                  \
        __T old;                                                                                                       \
        if (order == __ATOMIC_RELAXED && scope != __MEMORY_SCOPE_SYSTEM)                                               \
            return builtin(__p, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                                       \
        if (order == __ATOMIC_SEQ_CST)                                                                                 \
            __heddle_fence_sc(scope);                                                                                  \
        if (order == __ATOMIC_RELAXED) {                                                                               \
            HEDDLE_ORDERED_SCOPES("relaxed", ptx, __c)                                                                 \
        } else if (order == __ATOMIC_RELEASE) {                                                                        \
            HEDDLE_ORDERED_SCOPES("release", ptx, __c)                                                                 \
        } else if (order == __ATOMIC_ACQ_REL) {                                                                        \
            HEDDLE_ORDERED_SCOPES("acq_rel", ptx, __c)                                                                 \
        } else {                                                                                                       \
            HEDDLE_ORDERED_SCOPES("acquire", ptx, __c)                                                                 \
        }                                                                                                              \
        return old;                                                                                                    \
    }
HEDDLE_ORDERED_ATOMIC(exchange, unsigned int, __scoped_atomic_exchange_n, "exch.b32", "r")
HEDDLE_ORDERED_ATOMIC(exchange, unsigned long long, __scoped_atomic_exchange_n, "exch.b64", "l")
HEDDLE_ORDERED_ATOMIC(fetch_add, unsigned int, __scoped_atomic_fetch_add, "add.u32", "r")
HEDDLE_ORDERED_ATOMIC(fetch_add, unsigned long long, __scoped_atomic_fetch_add, "add.u64", "l")
HEDDLE_ORDERED_ATOMIC(fetch_add, float, __scoped_atomic_fetch_add, "add.f32", "f")
#if __CUDA_ARCH__ >= 600
HEDDLE_ORDERED_ATOMIC(fetch_add, double, __scoped_atomic_fetch_add, "add.f64", "d")
#endif
HEDDLE_ORDERED_ATOMIC(fetch_and, unsigned int, __scoped_atomic_fetch_and, "and.b32", "r")
HEDDLE_ORDERED_ATOMIC(fetch_and, unsigned long long, __scoped_atomic_fetch_and, "and.b64", "l")
HEDDLE_ORDERED_ATOMIC(fetch_or, unsigned int, __scoped_atomic_fetch_or, "or.b32", "r")
HEDDLE_ORDERED_ATOMIC(fetch_or, unsigned long long, __scoped_atomic_fetch_or, "or.b64", "l")
HEDDLE_ORDERED_ATOMIC(fetch_xor, unsigned int, __scoped_atomic_fetch_xor, "xor.b32", "r")
HEDDLE_ORDERED_ATOMIC(fetch_xor, unsigned long long, __scoped_atomic_fetch_xor, "xor.b64", "l")
HEDDLE_ORDERED_ATOMIC(fetch_min, int, __scoped_atomic_fetch_min, "min.s32", "r")
HEDDLE_ORDERED_ATOMIC(fetch_min, unsigned int, __scoped_atomic_fetch_min, "min.u32", "r")
HEDDLE_ORDERED_ATOMIC(fetch_min, long long, __scoped_atomic_fetch_min, "min.s64", "l")
HEDDLE_ORDERED_ATOMIC(fetch_min, unsigned long long, __scoped_atomic_fetch_min, "min.u64", "l")
HEDDLE_ORDERED_ATOMIC(fetch_max, int, __scoped_atomic_fetch_max, "max.s32", "r")
HEDDLE_ORDERED_ATOMIC(fetch_max, unsigned int, __scoped_atomic_fetch_max, "max.u32", "r")
HEDDLE_ORDERED_ATOMIC(fetch_max, long long, __scoped_atomic_fetch_max, "max.s64", "l")
HEDDLE_ORDERED_ATOMIC(fetch_max, unsigned long long, __scoped_atomic_fetch_max, "max.u64", "l")
#undef HEDDLE_ORDERED_ATOMIC
#undef HEDDLE_ORDERED_SCOPES
#undef HEDDLE_ORDERED
#endif
#endif
