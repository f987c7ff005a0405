// Device intrinsics that clang's headers leave out: cache-hinted stores and loads, dot products, sleeping, and those of
// newer GPUs in plain code where PTX of older targets has no instruction.
#ifndef HEDDLE_INTRINSICS_H
#define HEDDLE_INTRINSICS_H
#include "../host_defines.h"
#include "../vector_types.h"

#define HEDDLE_FN static __device__ __forceinline__

HEDDLE_FN void __nanosleep(unsigned int ns)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    (void)ns; // older targets have no such instruction
#else
    __asm__ __volatile__("nanosleep.u32 %0;" ::"r"(ns));
#endif
}
#define __prof_trigger(counter) __asm__ __volatile__("pmevent %0;" ::"n"(counter))
HEDDLE_FN void __exit()
{
    __asm__ __volatile__("exit;");
}
HEDDLE_FN unsigned long long __globaltimer()
{
    unsigned long long t;
    __asm__ __volatile__("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

HEDDLE_FN float __saturate(float x) // what CUDA 1 called __saturatef
{
    return __saturatef(x);
}

// The headers of older clangs take mask for value.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HEDDLE_REDUCE(T, name, builtin)                                                                                \
    HEDDLE_FN T __reduce_##name##_sync(unsigned mask, T value)                                                         \
    {                                                                                                                  \
        return (T)__nvvm_redux_sync_##builtin(value, mask);                                                            \
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
#define HEDDLE_DP4A(R, A, B, types)                                                                                    \
    HEDDLE_FN R __dp4a(A a, B b, R c)                                                                                  \
    {                                                                                                                  \
        R d;                                                                                                           \
        __asm__("dp4a." types " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                                  \
        return d;                                                                                                      \
    }
#define HEDDLE_DP2A(R, A, B, types, half)                                                                              \
    HEDDLE_FN R __dp2a_##half(A a, B b, R c)                                                                           \
    {                                                                                                                  \
        R d;                                                                                                           \
        __asm__("dp2a." #half "." types " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                        \
        return d;                                                                                                      \
    }
HEDDLE_DP4A(int, int, int, "s32.s32")
HEDDLE_DP4A(unsigned int, unsigned int, unsigned int, "u32.u32")
HEDDLE_DP2A(int, int, int, "s32.s32", lo)
HEDDLE_DP2A(int, int, int, "s32.s32", hi)
HEDDLE_DP2A(unsigned int, unsigned int, unsigned int, "u32.u32", lo)
HEDDLE_DP2A(unsigned int, unsigned int, unsigned int, "u32.u32", hi)
#undef HEDDLE_DP2A
#undef HEDDLE_DP4A
HEDDLE_FN int __dp4a(char4 a, char4 b, int c)
{
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
HEDDLE_FN unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
HEDDLE_FN int __dp2a_lo(short2 a, char4 b, int c)
{
    return c + a.x * b.x + a.y * b.y;
}
HEDDLE_FN int __dp2a_hi(short2 a, char4 b, int c)
{
    return c + a.x * b.z + a.y * b.w;
}
HEDDLE_FN unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c)
{
    return c + a.x * b.x + a.y * b.y;
}
HEDDLE_FN unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c)
{
    return c + a.x * b.z + a.y * b.w;
}

// Loads and stores with a cache hint, of the types that clang's headers have for the other hints. A GPU takes the hint;
// the value is the same.
#define HEDDLE_HINT_TYPES(X)                                                                                           \
    X(char)                                                                                                            \
    X(signed char) X(short) X(int) X(long) X(long long) X(unsigned char) X(unsigned short) X(unsigned int)             \
        X(unsigned long) X(unsigned long long) X(float) X(double) X(char2) X(char4) X(short2) X(short4) X(int2)        \
            X(int4) X(longlong2) X(uchar2) X(uchar4) X(ushort2) X(ushort4) X(uint2) X(uint4) X(ulonglong2) X(float2)   \
                X(float4) X(double2)
#define HEDDLE_HINTS(T)                                                                                                \
    HEDDLE_FN T __ldca(const T *p)                                                                                     \
    {                                                                                                                  \
        return *p;                                                                                                     \
    }                                                                                                                  \
    HEDDLE_FN T __ldlu(const T *p)                                                                                     \
    {                                                                                                                  \
        return *p;                                                                                                     \
    }                                                                                                                  \
    HEDDLE_FN void __stwb(T *p, T value)                                                                               \
    {                                                                                                                  \
        *p = value;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_FN void __stcg(T *p, T value)                                                                               \
    {                                                                                                                  \
        *p = value;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_FN void __stcs(T *p, T value)                                                                               \
    {                                                                                                                  \
        *p = value;                                                                                                    \
    }
HEDDLE_HINT_TYPES(HEDDLE_HINTS)
#undef HEDDLE_HINTS
#if __clang_major__ < 21 // later ones have these themselves
#define HEDDLE_HINTS(T)                                                                                                \
    HEDDLE_FN T __ldcg(const T *p)                                                                                     \
    {                                                                                                                  \
        return *p;                                                                                                     \
    }                                                                                                                  \
    HEDDLE_FN T __ldcs(const T *p)                                                                                     \
    {                                                                                                                  \
        return *p;                                                                                                     \
    }                                                                                                                  \
    HEDDLE_FN T __ldcv(const T *p)                                                                                     \
    {                                                                                                                  \
        __asm__ __volatile__("" ::: "memory"); /* read anew each time */                                               \
        return *p;                                                                                                     \
    }                                                                                                                  \
    HEDDLE_FN void __stwt(T *p, T value)                                                                               \
    {                                                                                                                  \
        *p = value;                                                                                                    \
        __asm__ __volatile__("" ::: "memory");                                                                         \
    }
HEDDLE_HINT_TYPES(HEDDLE_HINTS)
#undef HEDDLE_HINTS
#endif
#undef HEDDLE_HINT_TYPES

#undef HEDDLE_FN
#endif
