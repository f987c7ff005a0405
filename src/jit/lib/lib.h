// SPDX-License-Identifier: Apache-2.0
// What the builtins share. They are compiled to bitcode, linked into a kernel's module where used, and always inlined:
// straight code without tables, so that it vectorises; no conversion of a float that may be out of range.
#ifndef HEDDLE_JIT_LIB_H
#define HEDDLE_JIT_LIB_H
#include <stdbool.h>
#include <stdint.h>

#define FN(type)     __attribute__((always_inline)) type
#define INLINE(type) static inline __attribute__((always_inline)) type

#define CAST(to, name, from)                                                                                           \
    INLINE(to) name(from x)                                                                                            \
    {                                                                                                                  \
        return __builtin_bit_cast(to, x);                                                                              \
    }
CAST(uint32_t, bits32, float)
CAST(float, float32, uint32_t)
CAST(uint64_t, bits64, double)
CAST(double, float64, uint64_t)
#define GPU_NAN float32(0x7fffffff) // the only one that GPUs make
INLINE(float) half_to_float(uint16_t h)
{
    return (float)__builtin_bit_cast(_Float16, h);
}
INLINE(uint16_t) half_from_float(float x)
{
    return __builtin_bit_cast(uint16_t, (_Float16)x);
}
INLINE(float) bf16_to_float(uint16_t h)
{
    return float32((uint32_t)h << 16);
}
INLINE(uint16_t) bf16_from_float(float x)
{
    uint32_t u = bits32(x);
    uint32_t r = (u + 0x7fff + ((u >> 16) & 1)) >> 16;
    return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? 0x7fff : r);
}
// What s, a + b rounded, lacks.
INLINE(double) sum_error(double a, double b, double s)
{
    double bb = s - a;
    return (a - (s - bb)) + (b - bb);
}
// A double to f32 so that a later rounding to fewer bits is right: truncated, with the last bit set when inexact.
INLINE(float) odd_from_double(double d)
{
    float r = (float)d;
    uint32_t u = bits32(r);
    u -= __builtin_fabs((double)r) > __builtin_fabs(d) ? 1 : 0;
    bool inexact = (double)float32(u) != d && d == d;
    return float32(u | (inexact ? 1 : 0));
}
#endif
