// SPDX-License-Identifier: Apache-2.0
// Atomic functions on more than 64 bits: sums of float2 and float4, each element on its own; exchange, and compare and
// exchange, of any type of 16 bytes.
#ifndef HEDDLE_WIDE_ATOMIC_H
#define HEDDLE_WIDE_ATOMIC_H
#include "../../host_defines.h"
#include "../../vector_types.h"
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

#define HEDDLE_FN static __device__ __forceinline__
#define HEDDLE_ATOMIC_VECTORS(name, scope)                                                                             \
    HEDDLE_FN float2 name(float2 *address, float2 value)                                                               \
    {                                                                                                                  \
        float2 old;                                                                                                    \
        __asm__ __volatile__("atom." scope ".global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"                              \
                             : "=f"(old.x), "=f"(old.y)                                                                \
                             : "l"(address), "f"(value.x), "f"(value.y)                                                \
                             : "memory");                                                                              \
        return old;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_FN float4 name(float4 *address, float4 value)                                                               \
    {                                                                                                                  \
        float4 old;                                                                                                    \
        __asm__ __volatile__("atom." scope ".global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"              \
                             : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)                                      \
                             : "l"(address), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)                    \
                             : "memory");                                                                              \
        return old;                                                                                                    \
    }
HEDDLE_ATOMIC_VECTORS(atomicAdd, "gpu")
HEDDLE_ATOMIC_VECTORS(atomicAdd_block, "cta")
HEDDLE_ATOMIC_VECTORS(atomicAdd_system, "sys")
#undef HEDDLE_ATOMIC_VECTORS

namespace __heddle_traits
{
template <class __T, bool __wide> struct of_16_bytes {
};
template <class __T> struct of_16_bytes<__T, true> {
    typedef __T type;
};
} // namespace __heddle_traits
#define HEDDLE_WIDE(__T)                                                                                               \
    typename __heddle_traits::of_16_bytes<__T, sizeof(__T) == 16 && __alignof__(__T) >= 16 &&                          \
                                                   __is_trivially_copyable(__T)>::type
#define HEDDLE_BITS(value) __builtin_bit_cast(unsigned __int128, value)
#define HEDDLE_ATOMIC_WIDE(suffix, scope)                                                                              \
    template <class __T> HEDDLE_FN HEDDLE_WIDE(__T) atomicExch##suffix(__T *address, __T value)                        \
    {                                                                                                                  \
        unsigned __int128 old;                                                                                         \
        __asm__ __volatile__("atom." scope ".exch.b128 %0, [%1], %2;"                                                  \
                             : "=q"(old)                                                                               \
                             : "l"(address), "q"(HEDDLE_BITS(value))                                                   \
                             : "memory");                                                                              \
        return __builtin_bit_cast(__T, old);                                                                           \
    }                                                                                                                  \
    template <class __T> HEDDLE_FN HEDDLE_WIDE(__T) atomicCAS##suffix(__T *address, __T expected, __T __desired)       \
    {                                                                                                                  \
        unsigned __int128 old;                                                                                         \
        __asm__ __volatile__("atom." scope ".cas.b128 %0, [%1], %2, %3;"                                               \
                             : "=q"(old)                                                                               \
                             : "l"(address), "q"(HEDDLE_BITS(expected)), "q"(HEDDLE_BITS(__desired))                   \
                             : "memory");                                                                              \
        return __builtin_bit_cast(__T, old);                                                                           \
    }
HEDDLE_ATOMIC_WIDE(, "gpu")
HEDDLE_ATOMIC_WIDE(_block, "cta")
HEDDLE_ATOMIC_WIDE(_system, "sys")
#undef HEDDLE_ATOMIC_WIDE
#undef HEDDLE_BITS
#undef HEDDLE_WIDE
#undef HEDDLE_FN
#endif
#endif
