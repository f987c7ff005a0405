// Atomic operations with an order and a scope on objects of 1, 2, 4 or 8 bytes: the compiler's scoped builtins and what
// heddle/ordered_atomic.h adds on the device, its plain builtins on the host.
#ifndef HEDDLE_SCOPED_ATOMIC_H
#define HEDDLE_SCOPED_ATOMIC_H
#include "cuda_std.h"
#include "ordered_atomic.h"
#include <atomic>
#include <string.h>

#if defined(__CUDA_ARCH__)
#include "ordered_access.h"
#define HEDDLE_ATOMIC_CALL(name, ...)        __scoped_atomic_##name(__VA_ARGS__, scope_of(Scope))
#define HEDDLE_ATOMIC_LOAD(p, order)         HEDDLE_ORDERED_LOAD(p, order, scope_of(Scope))
#define HEDDLE_ATOMIC_STORE(p, value, order) HEDDLE_ORDERED_STORE(p, value, order, scope_of(Scope))
#else
#define HEDDLE_ATOMIC_CALL(name, ...)        __atomic_##name(__VA_ARGS__)
#define HEDDLE_ATOMIC_LOAD(p, order)         __atomic_load_n(p, order)
#define HEDDLE_ATOMIC_STORE(p, value, order) __atomic_store_n(p, value, order)
#endif

namespace cuda
{
namespace heddle
{
#if defined(__CUDA_ARCH__)
constexpr int scope_of(thread_scope s)
{
    return s == thread_scope_system   ? __MEMORY_SCOPE_SYSTEM
           : s == thread_scope_device ? __MEMORY_SCOPE_DEVICE
           : s == thread_scope_block  ? __MEMORY_SCOPE_WRKGRP
                                      : __MEMORY_SCOPE_SINGLE;
}
#endif

// An integer as large as T that may lie over any object.
template <::std::size_t Size> struct bits {
    static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8,
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
// Reads, changes and writes a word: integers of 4 and 8 bytes, float and double by heddle/ordered_atomic.h, smaller ones by the
// compiler, which makes compare and exchange of them. `As` is the type that the operation works on.
template <::std::size_t Size, bool Signed> struct as_integer {
    typedef typename bits<Size>::type type;
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
    template <thread_scope Scope, class T>                                                                             \
    __device__ __forceinline__ T ordered_##name(volatile T *p, T value, int order, ::std::true_type)                   \
    {                                                                                                                  \
        typedef typename as_integer<sizeof(T), signs && ::std::is_signed<T>::value>::type as;                          \
        return (T)__heddle_##name((volatile as *)p, (as)value, order, scope_of(Scope));                                \
    }                                                                                                                  \
    template <thread_scope Scope, class T>                                                                             \
    __device__ __forceinline__ T ordered_##name(volatile T *p, T value, int order, ::std::false_type)                  \
    {                                                                                                                  \
        return __scoped_atomic_##builtin(p, value, order, scope_of(Scope));                                            \
    }                                                                                                                  \
    template <thread_scope Scope, class T>                                                                             \
    __device__ __forceinline__ T ordered_##name(volatile T *p, T value, int order)                                     \
    {                                                                                                                  \
        return ordered_##name<Scope>(p, value, order, ::std::integral_constant<bool, (sizeof(T) >= 4)>());             \
    }
HEDDLE_ORDERED(exchange, exchange_n, false)
HEDDLE_ORDERED(fetch_add, fetch_add, false)
HEDDLE_ORDERED(fetch_and, fetch_and, false)
HEDDLE_ORDERED(fetch_or, fetch_or, false)
HEDDLE_ORDERED(fetch_xor, fetch_xor, false)
HEDDLE_ORDERED(fetch_min, fetch_min, true)
HEDDLE_ORDERED(fetch_max, fetch_max, true)
#undef HEDDLE_ORDERED
template <thread_scope Scope, class T>
__device__ __forceinline__ T ordered_fetch_sub(volatile T *p, T value, int order)
{
    return ordered_fetch_add<Scope>(p, (T)(0 - value), order);
}
#define HEDDLE_ATOMIC_CHANGE(name, p, value, order) ordered_##name<Scope>(p, value, order)
#else
#define HEDDLE_ATOMIC_CHANGE(name, p, value, order) __atomic_##name(p, value, order)
#endif

// The strongest order that a load may have within `order`, and for the failure of a compare and exchange.
HEDDLE_HD constexpr int load_order(int order)
{
    return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

template <class T, thread_scope Scope> struct atomic_operations {
    static_assert(::std::is_trivially_copyable<T>::value, "an atomic object is trivially copyable");
    typedef typename bits<sizeof(T)>::type word;

    static HEDDLE_HD word pack(const T &value)
    {
        word w;
        memcpy(&w, &value, sizeof w);
        return w;
    }
    static HEDDLE_HD T unpack(word w)
    {
        union holder {
            T value;
            char none;
            HEDDLE_HD holder() : none() {}
        } h;
        memcpy((void *)&h.value, &w, sizeof w);
        return h.value;
    }
    static HEDDLE_HD volatile word *at(const volatile T *p)
    {
        return (volatile word *)p;
    }

    static HEDDLE_HD T load(const volatile T *p, int order)
    {
        return unpack(HEDDLE_ATOMIC_LOAD(at(p), order));
    }
    static HEDDLE_HD void store(volatile T *p, T value, int order)
    {
        HEDDLE_ATOMIC_STORE(at(p), pack(value), order);
    }
    static HEDDLE_HD T exchange(volatile T *p, T value, int order)
    {
#if defined(__CUDA_ARCH__)
        return unpack(ordered_exchange<Scope>(at(p), pack(value), order));
#else
        return unpack(__atomic_exchange_n(at(p), pack(value), order));
#endif
    }
    static HEDDLE_HD bool compare_exchange(volatile T *p, T &expected, T desired, bool weak, int success, int failure)
    {
        word e = pack(expected);
        bool done = HEDDLE_ATOMIC_CALL(compare_exchange_n, at(p), &e, pack(desired), weak, success, failure);
        if (!done)
            expected = unpack(e);
        return done;
    }
    // Anything that has no instruction of its own. Returns the old value.
    template <class Function> static HEDDLE_HD T update(volatile T *p, Function f, int order)
    {
        T old = load(p, __ATOMIC_RELAXED);
        while (!compare_exchange(p, old, f(old), true, order, load_order(order)))
            ;
        return old;
    }

    // Integers
#define HEDDLE_ATOMIC_FETCH(name, builtin)                                                                             \
    static HEDDLE_HD T name(volatile T *p, T value, int order, ::std::true_type)                                       \
    {                                                                                                                  \
        return HEDDLE_ATOMIC_CHANGE(builtin, p, value, order);                                                         \
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
    static HEDDLE_HD T fetch_min(volatile T *p, T value, int order, ::std::true_type)
    {
        return fetch_min(p, value, order, ::std::false_type());
    }
    static HEDDLE_HD T fetch_max(volatile T *p, T value, int order, ::std::true_type)
    {
        return fetch_max(p, value, order, ::std::false_type());
    }
#endif
#undef HEDDLE_ATOMIC_FETCH

    // Floats; the device has an instruction for the sum.
#define HEDDLE_ATOMIC_UPDATE(name, expression)                                                                         \
    struct name##_step {                                                                                               \
        T value;                                                                                                       \
        HEDDLE_HD T operator()(T old) const                                                                            \
        {                                                                                                              \
            return expression;                                                                                         \
        }                                                                                                              \
    };                                                                                                                 \
    static HEDDLE_HD T name(volatile T *p, T value, int order, ::std::false_type)                                      \
    {                                                                                                                  \
        name##_step step = {value};                                                                                    \
        return update(p, step, order);                                                                                 \
    }
    HEDDLE_ATOMIC_UPDATE(fetch_min, value < old ? value : old)
    HEDDLE_ATOMIC_UPDATE(fetch_max, old < value ? value : old)
#if defined(__CUDA_ARCH__)
    static HEDDLE_HD T fetch_add(volatile T *p, T value, int order, ::std::false_type)
    {
        return __heddle_fetch_add(p, value, order, scope_of(Scope));
    }
    static HEDDLE_HD T fetch_sub(volatile T *p, T value, int order, ::std::false_type)
    {
        return __heddle_fetch_add(p, -value, order, scope_of(Scope));
    }
#else
    HEDDLE_ATOMIC_UPDATE(fetch_add, old + value)
    HEDDLE_ATOMIC_UPDATE(fetch_sub, old - value)
#endif
#undef HEDDLE_ATOMIC_UPDATE

    // Until the value is another one.
    static HEDDLE_HD void wait(const volatile T *p, T old, int order)
    {
        while (pack(load(p, order)) == pack(old))
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

template <thread_scope Scope> HEDDLE_HD void thread_fence(int order)
{
    if (order == __ATOMIC_RELAXED)
        return;
#if defined(__CUDA_ARCH__)
    switch (Scope) {
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
