// SPDX-License-Identifier: Apache-2.0
// Atomic functions. Those of device and block scope are the compiler's own relaxed operations, so that it can tell in
// which memory they work; the block scope asks for no less than the device scope gives. The ones of system scope name
// that scope to a GPU, in PTX.
#ifndef HEDDLE_ATOMIC_H
#define HEDDLE_ATOMIC_H
#include "../../host_defines.h"

#define HEDDLE_FN static __device__ __forceinline__
#define HEDDLE_ATOMIC_DEVICE(__T, name, operation)                                                                     \
    HEDDLE_FN __T name(__T *address, __T value)                                                                        \
    {                                                                                                                  \
        return operation(address, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                                     \
    }                                                                                                                  \
    HEDDLE_FN __T name##_block(__T *address, __T value)                                                                \
    {                                                                                                                  \
        return operation(address, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);                                     \
    }
#define HEDDLE_ATOMIC_SYSTEM(__T, name, ptx, reg)                                                                      \
    HEDDLE_FN __T name##_system(__T *address, __T value)                                                               \
    {                                                                                                                  \
        __T old;                                                                                                       \
        __asm__ __volatile__("atom.sys." ptx " %0, [%1], %2;" : "=" reg(old) : "l"(address), reg(value) : "memory");   \
        return old;                                                                                                    \
    }
#define HEDDLE_ATOMIC(__T, name, operation, ptx, reg)                                                                  \
    HEDDLE_ATOMIC_DEVICE(__T, name, operation)                                                                         \
    HEDDLE_ATOMIC_SYSTEM(__T, name, ptx, reg)

HEDDLE_ATOMIC(int, atomicAdd, __scoped_atomic_fetch_add, "add.s32", "r")
HEDDLE_ATOMIC(unsigned int, atomicAdd, __scoped_atomic_fetch_add, "add.u32", "r")
HEDDLE_ATOMIC(unsigned long long, atomicAdd, __scoped_atomic_fetch_add, "add.u64", "l")
HEDDLE_ATOMIC(float, atomicAdd, __scoped_atomic_fetch_add, "add.f32", "f")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
HEDDLE_ATOMIC(double, atomicAdd, __scoped_atomic_fetch_add, "add.f64", "d")
#endif
HEDDLE_ATOMIC(int, atomicExch, __scoped_atomic_exchange_n, "exch.b32", "r")
HEDDLE_ATOMIC(unsigned int, atomicExch, __scoped_atomic_exchange_n, "exch.b32", "r")
HEDDLE_ATOMIC(unsigned long long, atomicExch, __scoped_atomic_exchange_n, "exch.b64", "l")

#define HEDDLE_ATOMIC_INTEGER(__T, __s, __b, reg)                                                                      \
    HEDDLE_ATOMIC(__T, atomicMin, __scoped_atomic_fetch_min, "min." __s, reg)                                          \
    HEDDLE_ATOMIC(__T, atomicMax, __scoped_atomic_fetch_max, "max." __s, reg)                                          \
    HEDDLE_ATOMIC(__T, atomicAnd, __scoped_atomic_fetch_and, "and." __b, reg)                                          \
    HEDDLE_ATOMIC(__T, atomicOr, __scoped_atomic_fetch_or, "or." __b, reg)                                             \
    HEDDLE_ATOMIC(__T, atomicXor, __scoped_atomic_fetch_xor, "xor." __b, reg)
HEDDLE_ATOMIC_INTEGER(int, "s32", "b32", "r")
HEDDLE_ATOMIC_INTEGER(unsigned int, "u32", "b32", "r")
HEDDLE_ATOMIC_INTEGER(long long, "s64", "b64", "l")
HEDDLE_ATOMIC_INTEGER(unsigned long long, "u64", "b64", "l")

// A float is exchanged as its bits.
#define HEDDLE_ATOMIC_EXCH_FLOAT(name)                                                                                 \
    HEDDLE_FN float name(float *address, float value)                                                                  \
    {                                                                                                                  \
        return __uint_as_float(name((unsigned int *)address, __float_as_uint(value)));                                 \
    }
HEDDLE_ATOMIC_EXCH_FLOAT(atomicExch)
HEDDLE_ATOMIC_EXCH_FLOAT(atomicExch_block)
HEDDLE_ATOMIC_EXCH_FLOAT(atomicExch_system)

#define HEDDLE_ATOMIC_SUB(suffix)                                                                                      \
    HEDDLE_FN int atomicSub##suffix(int *address, int value)                                                           \
    {                                                                                                                  \
        return atomicAdd##suffix(address, (int)-(unsigned int)value);                                                  \
    }                                                                                                                  \
    HEDDLE_FN unsigned int atomicSub##suffix(unsigned int *address, unsigned int value)                                \
    {                                                                                                                  \
        return atomicAdd##suffix(address, -value);                                                                     \
    }
HEDDLE_ATOMIC_SUB()
HEDDLE_ATOMIC_SUB(_block)
HEDDLE_ATOMIC_SUB(_system)

HEDDLE_FN unsigned int atomicInc(unsigned int *address, unsigned int __limit)
{
    return __nvvm_atom_inc_gen_ui(address, __limit);
}
HEDDLE_FN unsigned int atomicInc_block(unsigned int *address, unsigned int __limit)
{
    return __nvvm_atom_inc_gen_ui(address, __limit);
}
HEDDLE_FN unsigned int atomicDec(unsigned int *address, unsigned int __limit)
{
    return __nvvm_atom_dec_gen_ui(address, __limit);
}
HEDDLE_FN unsigned int atomicDec_block(unsigned int *address, unsigned int __limit)
{
    return __nvvm_atom_dec_gen_ui(address, __limit);
}
HEDDLE_ATOMIC_SYSTEM(unsigned int, atomicInc, "inc.u32", "r")
HEDDLE_ATOMIC_SYSTEM(unsigned int, atomicDec, "dec.u32", "r")

#define HEDDLE_ATOMIC_CAS(__T, bits, reg)                                                                              \
    HEDDLE_FN __T atomicCAS(__T *address, __T expected, __T __desired)                                                 \
    {                                                                                                                  \
        __scoped_atomic_compare_exchange_n(address, &expected, __desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,   \
                                           __MEMORY_SCOPE_DEVICE);                                                     \
        return expected;                                                                                               \
    }                                                                                                                  \
    HEDDLE_FN __T atomicCAS_block(__T *address, __T expected, __T __desired)                                           \
    {                                                                                                                  \
        return atomicCAS(address, expected, __desired);                                                                \
    }                                                                                                                  \
    HEDDLE_FN __T atomicCAS_system(__T *address, __T expected, __T __desired)                                          \
    {                                                                                                                  \
        __T old;                                                                                                       \
        __asm__ __volatile__("atom.sys.cas." bits " %0, [%1], %2, %3;"                                                 \
                             : "=" reg(old)                                                                            \
                             : "l"(address), reg(expected), reg(__desired)                                             \
                             : "memory");                                                                              \
        return old;                                                                                                    \
    }
HEDDLE_ATOMIC_CAS(int, "b32", "r")
HEDDLE_ATOMIC_CAS(unsigned int, "b32", "r")
HEDDLE_ATOMIC_CAS(unsigned long long, "b64", "l")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
HEDDLE_ATOMIC_CAS(unsigned short, "b16", "h")
#endif

#undef HEDDLE_ATOMIC_CAS
#undef HEDDLE_ATOMIC_SUB
#undef HEDDLE_ATOMIC_EXCH_FLOAT
#undef HEDDLE_ATOMIC_INTEGER
#undef HEDDLE_ATOMIC
#undef HEDDLE_ATOMIC_SYSTEM
#undef HEDDLE_ATOMIC_DEVICE
#undef HEDDLE_FN
#endif
