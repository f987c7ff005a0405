// SPDX-License-Identifier: Apache-2.0
// Atomic operations with an order and a scope on objects of 1, 2, 4 or 8 bytes: the compiler's scoped builtins and what
// heddle/atomic/ordered_atomic.h adds on the device, its plain builtins on the host.
#ifndef HEDDLE_SCOPED_ATOMIC_H
#define HEDDLE_SCOPED_ATOMIC_H
#include "../cuda_std.h"
#include "ordered_atomic.h"
#include <atomic>
#include <string.h>

#if defined(__CUDA_ARCH__)
#include "ordered_access.h"
#define HEDDLE_ATOMIC_CALL(name, ...)          __scoped_atomic_##name(__VA_ARGS__, scope_of(__Scope))
#define HEDDLE_ATOMIC_LOAD(__p, order)         HEDDLE_ORDERED_LOAD(__p, order, scope_of(__Scope))
#define HEDDLE_ATOMIC_STORE(__p, value, order) HEDDLE_ORDERED_STORE(__p, value, order, scope_of(__Scope))
#else
#define HEDDLE_ATOMIC_CALL(name, ...)          __atomic_##name(__VA_ARGS__)
#define HEDDLE_ATOMIC_LOAD(__p, order)         __atomic_load_n(__p, order)
#define HEDDLE_ATOMIC_STORE(__p, value, order) __atomic_store_n(__p, value, order)
#endif

namespace cuda
{
namespace heddle
{
#if defined(__CUDA_ARCH__)
constexpr int scope_of(thread_scope __s)
{
    return __s == thread_scope_system   ? __MEMORY_SCOPE_SYSTEM
           : __s == thread_scope_device ? __MEMORY_SCOPE_DEVICE
           : __s == thread_scope_block  ? __MEMORY_SCOPE_WRKGRP
                                        : __MEMORY_SCOPE_SINGLE;
}
#endif

// An integer as large as T that may lie over any object.
template <::std::size_t __Size> struct bits {
    static_assert(__Size == 1 || __Size == 2 || __Size == 4 || __Size == 8,
                  "atomic objects of more than 8 bytes, or of a size that is no power of two, are not supported");
};
template <> struct bits<1> {
    typedef unsigned char type;
};
template <> struct bits<2> {
    typedef unsigned short __attribute__((may_alias)) type;
};
template <> struct bits<4> {
    typedef unsigned int __attribute__((may_alias)) type;
};
template <> struct bits<8> {
    typedef unsigned long long __attribute__((may_alias)) type;
};

#if defined(__CUDA_ARCH__)
// Reads, changes and writes a word: integers of 4 and 8 bytes, float and double by heddle/atomic/ordered_atomic.h, smaller ones by
// the compiler, which makes compare and exchange of them. `As` is the type that the operation works on.
template <::std::size_t __Size, bool Signed> struct as_integer {
    typedef typename bits<__Size>::type type;
};
template <> struct as_integer<4, false> {
    typedef unsigned int type;
};
template <> struct as_integer<4, true> {
    typedef int type;
};
template <> struct as_integer<8, false> {
    typedef unsigned long long type;
};
template <> struct as_integer<8, true> {
    typedef long long type;
};
#define HEDDLE_ORDERED(name, builtin, signs)                                                                           \
    template <thread_scope __Scope, class __T>                                                                         \
    __device__ __forceinline__ __T ordered_##name(volatile __T *__p, __T value, int order, ::std::true_type)           \
    {                                                                                                                  \
        typedef typename as_integer<sizeof(__T), signs && ::std::is_signed<__T>::value>::type __as;                    \
        return (__T)__heddle_##name((volatile __as *)__p, (__as)value, order, scope_of(__Scope));                      \
    }                                                                                                                  \
    template <thread_scope __Scope, class __T>                                                                         \
    __device__ __forceinline__ __T ordered_##name(volatile __T *__p, __T value, int order, ::std::false_type)          \
    {                                                                                                                  \
        return __scoped_atomic_##builtin(__p, value, order, scope_of(__Scope));                                        \
    }                                                                                                                  \
    template <thread_scope __Scope, class __T>                                                                         \
    __device__ __forceinline__ __T ordered_##name(volatile __T *__p, __T value, int order)                             \
    {                                                                                                                  \
        return ordered_##name<__Scope>(__p, value, order, ::std::integral_constant<bool, (sizeof(__T) >= 4)>());       \
    }
HEDDLE_ORDERED(exchange, exchange_n, false)
HEDDLE_ORDERED(fetch_add, fetch_add, false)
HEDDLE_ORDERED(fetch_and, fetch_and, false)
HEDDLE_ORDERED(fetch_or, fetch_or, false)
HEDDLE_ORDERED(fetch_xor, fetch_xor, false)
HEDDLE_ORDERED(fetch_min, fetch_min, true)
HEDDLE_ORDERED(fetch_max, fetch_max, true)
#undef HEDDLE_ORDERED
template <thread_scope __Scope, class __T>
__device__ __forceinline__ __T ordered_fetch_sub(volatile __T *__p, __T value, int order)
{
    return ordered_fetch_add<__Scope>(__p, (__T)(0 - value), order);
}
#define HEDDLE_ATOMIC_CHANGE(name, __p, value, order) ordered_##name<__Scope>(__p, value, order)
#else
#define HEDDLE_ATOMIC_CHANGE(name, __p, value, order) __atomic_##name(__p, value, order)
#endif

// The strongest order that a load may have within `order`, and for the failure of a compare and exchange.
HEDDLE_HD constexpr int load_order(int order)
{
    return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

template <class __T, thread_scope __Scope> struct atomic_operations {
    static_assert(::std::is_trivially_copyable<__T>::value, "an atomic object is trivially copyable");
    typedef typename bits<sizeof(__T)>::type word;

    static HEDDLE_HD word pack(const __T &value)
    {
        word w;
        memcpy(&w, &value, sizeof w);
        return w;
    }
    static HEDDLE_HD __T unpack(word w)
    {
        union holder {
            __T value;
            char none;
            HEDDLE_HD holder() : none() {}
        } __h;
        memcpy((void *)&__h.value, &w, sizeof w);
        return __h.value;
    }
    static HEDDLE_HD volatile word *__at(const volatile __T *__p)
    {
        return (volatile word *)__p;
    }

    static HEDDLE_HD __T load(const volatile __T *__p, int order)
    {
        return unpack(HEDDLE_ATOMIC_LOAD(__at(__p), order));
    }
    static HEDDLE_HD void store(volatile __T *__p, __T value, int order)
    {
        HEDDLE_ATOMIC_STORE(__at(__p), pack(value), order);
    }
    static HEDDLE_HD __T exchange(volatile __T *__p, __T value, int order)
    {
#if defined(__CUDA_ARCH__)
        return unpack(ordered_exchange<__Scope>(__at(__p), pack(value), order));
#else
        return unpack(__atomic_exchange_n(__at(__p), pack(value), order));
#endif
    }
    static HEDDLE_HD bool compare_exchange(volatile __T *__p, __T &expected, __T __desired, bool weak, int __success,
                                           int __failure)
    {
        word __e = pack(expected);
        bool done =
            HEDDLE_ATOMIC_CALL(compare_exchange_n, __at(__p), &__e, pack(__desired), weak, __success, __failure);
        if (!done)
            expected = unpack(__e);
        return done;
    }
    // Anything that has no instruction of its own. Returns the old value.
    template <class __Function> static HEDDLE_HD __T update(volatile __T *__p, __Function f, int order)
    {
        __T old = load(__p, __ATOMIC_RELAXED);
        while (!compare_exchange(__p, old, f(old), true, order, load_order(order)))
            ;
        return old;
    }

    // Integers
#define HEDDLE_ATOMIC_FETCH(name, builtin)                                                                             \
    static HEDDLE_HD __T name(volatile __T *__p, __T value, int order, ::std::true_type)                               \
    {                                                                                                                  \
        return HEDDLE_ATOMIC_CHANGE(builtin, __p, value, order);                                                       \
    }
    HEDDLE_ATOMIC_FETCH(fetch_add, fetch_add)
    HEDDLE_ATOMIC_FETCH(fetch_sub, fetch_sub)
    HEDDLE_ATOMIC_FETCH(fetch_and, fetch_and)
    HEDDLE_ATOMIC_FETCH(fetch_or, fetch_or)
    HEDDLE_ATOMIC_FETCH(fetch_xor, fetch_xor)
#if defined(__CUDA_ARCH__)
    HEDDLE_ATOMIC_FETCH(fetch_min, fetch_min)
    HEDDLE_ATOMIC_FETCH(fetch_max, fetch_max)
#else
    static HEDDLE_HD __T fetch_min(volatile __T *__p, __T value, int order, ::std::true_type)
    {
        return fetch_min(__p, value, order, ::std::false_type());
    }
    static HEDDLE_HD __T fetch_max(volatile __T *__p, __T value, int order, ::std::true_type)
    {
        return fetch_max(__p, value, order, ::std::false_type());
    }
#endif
#undef HEDDLE_ATOMIC_FETCH

    // Floats; the device has an instruction for the sum.
#define HEDDLE_ATOMIC_UPDATE(name, expression)                                                                         \
    struct name##_step {                                                                                               \
        __T value;                                                                                                     \
        HEDDLE_HD __T operator()(__T old) const                                                                        \
        {                                                                                                              \
            return expression;                                                                                         \
        }                                                                                                              \
    };                                                                                                                 \
    static HEDDLE_HD __T name(volatile __T *__p, __T value, int order, ::std::false_type)                              \
    {                                                                                                                  \
        name##_step step = {value};                                                                                    \
        return update(__p, step, order);                                                                               \
    }
    HEDDLE_ATOMIC_UPDATE(fetch_min, value < old ? value : old)
    HEDDLE_ATOMIC_UPDATE(fetch_max, old < value ? value : old)
#if defined(__CUDA_ARCH__)
    static HEDDLE_HD __T fetch_add(volatile __T *__p, __T value, int order, ::std::false_type)
    {
        return __heddle_fetch_add(__p, value, order, scope_of(__Scope));
    }
    static HEDDLE_HD __T fetch_sub(volatile __T *__p, __T value, int order, ::std::false_type)
    {
        return __heddle_fetch_add(__p, -value, order, scope_of(__Scope));
    }
#else
    HEDDLE_ATOMIC_UPDATE(fetch_add, old + value)
    HEDDLE_ATOMIC_UPDATE(fetch_sub, old - value)
#endif
#undef HEDDLE_ATOMIC_UPDATE

    // Until the value is another one.
    static HEDDLE_HD void wait(const volatile __T *__p, __T old, int order)
    {
        while (pack(load(__p, order)) == pack(old))
            pause();
    }
    static HEDDLE_HD void pause()
    {
#if HEDDLE_DEVICE_SM >= 700
        __nanosleep(20);
#elif !defined(__CUDA_ARCH__) && defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
};

template <thread_scope __Scope> HEDDLE_HD void thread_fence(int order)
{
    if (order == __ATOMIC_RELAXED)
        return;
#if defined(__CUDA_ARCH__)
    switch (__Scope) {
    case thread_scope_system:
        if (order == __ATOMIC_SEQ_CST)
            __asm__ __volatile__("fence.sc.sys;" : : : "memory");
        else
            __asm__ __volatile__("fence.acq_rel.sys;" : : : "memory");
        break;
    case thread_scope_device:
        if (order == __ATOMIC_SEQ_CST)
            __asm__ __volatile__("fence.sc.gpu;" : : : "memory");
        else
            __asm__ __volatile__("fence.acq_rel.gpu;" : : : "memory");
        break;
    case thread_scope_block:
        if (order == __ATOMIC_SEQ_CST)
            __asm__ __volatile__("fence.sc.cta;" : : : "memory");
        else
            __asm__ __volatile__("fence.acq_rel.cta;" : : : "memory");
        break;
    default:
        __asm__ __volatile__("" : : : "memory");
    }
#else
    __atomic_thread_fence(order);
#endif
}
} // namespace heddle
} // namespace cuda
#undef HEDDLE_ATOMIC_CALL
#undef HEDDLE_ATOMIC_LOAD
#undef HEDDLE_ATOMIC_STORE
#undef HEDDLE_ATOMIC_CHANGE
#endif
