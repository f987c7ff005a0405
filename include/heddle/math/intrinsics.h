// SPDX-License-Identifier: Apache-2.0
// Device intrinsics that clang's headers leave out: cache-hinted stores and loads, dot products, sleeping, and those of
// newer GPUs in plain code where PTX of older targets has no instruction.
#ifndef HEDDLE_INTRINSICS_H
#define HEDDLE_INTRINSICS_H
#include "../../host_defines.h"
#include "../../vector_types.h"

#define HEDDLE_FN static __device__ __forceinline__

HEDDLE_FN void __nanosleep(unsigned int __ns)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    (void)__ns; // older targets have no such instruction
#else
    __asm__ __volatile__("nanosleep.u32 %0;" ::"r"(__ns));
#endif
}
#define __prof_trigger(counter) __asm__ __volatile__("pmevent %0;" ::"n"(counter))
HEDDLE_FN void __exit()
{
    __asm__ __volatile__("exit;");
}
HEDDLE_FN unsigned long long __heddle_globaltimer()
{
    unsigned long long __t;
    __asm__ __volatile__("mov.u64 %0, %%globaltimer;" : "=l"(__t));
    return __t;
}

HEDDLE_FN float __saturate(float x) // what CUDA 1 called __saturatef
{
    return __saturatef(x);
}

HEDDLE_FN float __tanhf(float x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    float __r;
    __asm__("tanh.approx.f32 %0, %1;" : "=f"(__r) : "f"(x));
    return __r;
#else
    return ::tanhf(x);
#endif
}
HEDDLE_FN int __signbit(double x)
{
    return __signbitd(x);
}

// The headers of older clangs take mask for value.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HEDDLE_REDUCE(__T, name, builtin)                                                                              \
    HEDDLE_FN __T __reduce_##name##_sync(unsigned mask, __T value)                                                     \
    {                                                                                                                  \
        return (__T)__nvvm_redux_sync_##builtin(value, mask);                                                          \
    }
HEDDLE_REDUCE(unsigned, add, add)
HEDDLE_REDUCE(int, add, add)
HEDDLE_REDUCE(unsigned, min, umin)
HEDDLE_REDUCE(int, min, min)
HEDDLE_REDUCE(unsigned, max, umax)
HEDDLE_REDUCE(int, max, max)
HEDDLE_REDUCE(unsigned, and, and)
HEDDLE_REDUCE(unsigned, or, or)
HEDDLE_REDUCE(unsigned, xor, xor)
#undef HEDDLE_REDUCE
#endif

// Byte dot products, with PTX's instruction from compute capability 6.1 on.
#define HEDDLE_DP4A(__R, __A, __B, types)                                                                              \
    HEDDLE_FN __R __dp4a(__A __a, __B __b, __R __c)                                                                    \
    {                                                                                                                  \
        __R __d;                                                                                                       \
        __asm__("dp4a." types " %0, %1, %2, %3;" : "=r"(__d) : "r"(__a), "r"(__b), "r"(__c));                          \
        return __d;                                                                                                    \
    }
#define HEDDLE_DP2A(__R, __A, __B, types, half)                                                                        \
    HEDDLE_FN __R __dp2a_##half(__A __a, __B __b, __R __c)                                                             \
    {                                                                                                                  \
        __R __d;                                                                                                       \
        __asm__("dp2a." #half "." types " %0, %1, %2, %3;" : "=r"(__d) : "r"(__a), "r"(__b), "r"(__c));                \
        return __d;                                                                                                    \
    }
HEDDLE_DP4A(int, int, int, "s32.s32")
HEDDLE_DP4A(unsigned int, unsigned int, unsigned int, "u32.u32")
HEDDLE_DP2A(int, int, int, "s32.s32", lo)
HEDDLE_DP2A(int, int, int, "s32.s32", hi)
HEDDLE_DP2A(unsigned int, unsigned int, unsigned int, "u32.u32", lo)
HEDDLE_DP2A(unsigned int, unsigned int, unsigned int, "u32.u32", hi)
#undef HEDDLE_DP2A
#undef HEDDLE_DP4A
HEDDLE_FN int __dp4a(char4 __a, char4 __b, int __c)
{
    return __c + __a.x * __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w;
}
HEDDLE_FN unsigned int __dp4a(uchar4 __a, uchar4 __b, unsigned int __c)
{
    return __c + __a.x * __b.x + __a.y * __b.y + __a.z * __b.z + __a.w * __b.w;
}
HEDDLE_FN int __dp2a_lo(short2 __a, char4 __b, int __c)
{
    return __c + __a.x * __b.x + __a.y * __b.y;
}
HEDDLE_FN int __dp2a_hi(short2 __a, char4 __b, int __c)
{
    return __c + __a.x * __b.z + __a.y * __b.w;
}
HEDDLE_FN unsigned int __dp2a_lo(ushort2 __a, uchar4 __b, unsigned int __c)
{
    return __c + __a.x * __b.x + __a.y * __b.y;
}
HEDDLE_FN unsigned int __dp2a_hi(ushort2 __a, uchar4 __b, unsigned int __c)
{
    return __c + __a.x * __b.z + __a.y * __b.w;
}

// Loads and stores with a cache hint. A GPU takes the hint; the value is the same. Clang's headers have some of them as
// assembly that reads no memory as far as the optimiser knows, which takes it out of loops and past stores: device.h
// hides those. __ldcg and __ldcv read anew each time, so that a loop may wait for what another block stores.
#define HEDDLE_HINT_TYPES(__X)                                                                                         \
    __X(char)                                                                                                          \
    __X(signed char)                                                                                                   \
    __X(short)                                                                                                         \
    __X(int)                                                                                                           \
    __X(long)                                                                                                          \
    __X(long long)                                                                                                     \
    __X(unsigned char)                                                                                                 \
    __X(unsigned short)                                                                                                \
    __X(unsigned int)                                                                                                  \
    __X(unsigned long)                                                                                                 \
    __X(unsigned long long)                                                                                            \
    __X(float)                                                                                                         \
    __X(double)                                                                                                        \
    __X(char2)                                                                                                         \
    __X(char4)                                                                                                         \
    __X(short2)                                                                                                        \
    __X(short4)                                                                                                        \
    __X(int2)                                                                                                          \
    __X(int4)                                                                                                          \
    __X(longlong2)                                                                                                     \
    __X(uchar2)                                                                                                        \
    __X(uchar4) __X(ushort2) __X(ushort4) __X(uint2) __X(uint4) __X(ulonglong2) __X(float2) __X(float4) __X(double2)
#define HEDDLE_LOAD_ANEW(hint)                                                                                         \
    do {                                                                                                               \
        if (sizeof(__T) == 1) {                                                                                        \
            unsigned int word;                                                                                         \
            __asm__ __volatile__("ld.global." hint ".u8 %0, [%1];" : "=r"(word) : "l"(__p) : "memory");                \
            __builtin_memcpy(&value, &word, 1);                                                                        \
        } else if (sizeof(__T) == 2) {                                                                                 \
            unsigned short word;                                                                                       \
            __asm__ __volatile__("ld.global." hint ".u16 %0, [%1];" : "=h"(word) : "l"(__p) : "memory");               \
            __builtin_memcpy(&value, &word, 2);                                                                        \
        } else if (sizeof(__T) == 4) {                                                                                 \
            unsigned int word;                                                                                         \
            __asm__ __volatile__("ld.global." hint ".u32 %0, [%1];" : "=r"(word) : "l"(__p) : "memory");               \
            __builtin_memcpy(&value, &word, 4);                                                                        \
        } else if (sizeof(__T) == 8) {                                                                                 \
            unsigned long long word;                                                                                   \
            __asm__ __volatile__("ld.global." hint ".u64 %0, [%1];" : "=l"(word) : "l"(__p) : "memory");               \
            __builtin_memcpy(&value, &word, 8);                                                                        \
        } else {                                                                                                       \
            unsigned int word[4];                                                                                      \
            __asm__ __volatile__("ld.global." hint ".v4.u32 {%0, %1, %2, %3}, [%4];"                                   \
                                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])                          \
                                 : "l"(__p)                                                                            \
                                 : "memory");                                                                          \
            __builtin_memcpy(&value, word, sizeof(value));                                                             \
        }                                                                                                              \
    } while (0)
template <typename __T> HEDDLE_FN __T heddle_load_cg(const __T *__p)
{
    __T value;
    HEDDLE_LOAD_ANEW("cg");
    return value;
}
template <typename __T> HEDDLE_FN __T heddle_load_cv(const __T *__p)
{
    __T value;
    HEDDLE_LOAD_ANEW("cv");
    return value;
}
#undef HEDDLE_LOAD_ANEW
#define HEDDLE_HINTS(__T)                                                                                              \
    HEDDLE_FN __T __ldca(const __T *__p)                                                                               \
    {                                                                                                                  \
        return *__p;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_FN __T __ldcs(const __T *__p)                                                                               \
    {                                                                                                                  \
        return *__p;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_FN __T __ldlu(const __T *__p)                                                                               \
    {                                                                                                                  \
        return *__p;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_FN __T __ldcg(const __T *__p)                                                                               \
    {                                                                                                                  \
        return heddle_load_cg(__p);                                                                                    \
    }                                                                                                                  \
    HEDDLE_FN __T __ldcv(const __T *__p)                                                                               \
    {                                                                                                                  \
        return heddle_load_cv(__p);                                                                                    \
    }                                                                                                                  \
    HEDDLE_FN void __stwb(__T *__p, __T value)                                                                         \
    {                                                                                                                  \
        *__p = value;                                                                                                  \
    }                                                                                                                  \
    HEDDLE_FN void __stcg(__T *__p, __T value)                                                                         \
    {                                                                                                                  \
        *__p = value;                                                                                                  \
    }                                                                                                                  \
    HEDDLE_FN void __stcs(__T *__p, __T value)                                                                         \
    {                                                                                                                  \
        *__p = value;                                                                                                  \
    }                                                                                                                  \
    HEDDLE_FN void __stwt(__T *__p, __T value)                                                                         \
    {                                                                                                                  \
        *__p = value;                                                                                                  \
        __asm__ __volatile__("" ::: "memory");                                                                         \
    }
HEDDLE_HINT_TYPES(HEDDLE_HINTS)
#undef HEDDLE_HINTS
#undef HEDDLE_HINT_TYPES

#undef HEDDLE_FN
#endif
