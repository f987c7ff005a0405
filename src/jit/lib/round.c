// SPDX-License-Identifier: Apache-2.0
// Directed rounding of f32: the exact result is held as a sum of two doubles, rounded to nearest, and moved by one unit
// in the last place where it lies on the wrong side. Works with subnormals off, since a double has none in this range.
#include "lib.h"

INLINE(float) below(float r)
{
    uint32_t u = bits32(r);
    return float32(r == 0 ? 0x80000001 : u + ((int32_t)u < 0 ? 1 : -1u));
}

// s + e rounded down; |e| is at most half a unit in the last place of s.
INLINE(float) down(double s, double e)
{
    float r = (float)s;
    return (double)r > s || ((double)r == s && e < 0) ? below(r) : r;
}

INLINE(float) up(double s, double e)
{
    return -down(-s, -e);
}

INLINE(float) zero(double s, double e)
{
    return s < 0 || (s == 0 && e < 0) ? up(s, e) : down(s, e);
}

// A sum that is exactly zero is -0 when rounding down, unless both terms are +0.
INLINE(float) sum_down(double a, double b)
{
    double s = a + b;
    float r = down(s, sum_error(a, b, s));
    bool minus = s == 0 && ((int64_t)bits64(a) < 0 || (int64_t)bits64(b) < 0);
    return minus ? -0.0f : r;
}

INLINE(float) sum_zero(double a, double b)
{
    double s = a + b;
    return zero(s, sum_error(a, b, s));
}

// Down, up and towards zero: of a sum, and of an expression `s` in x that lacks `e`.
#define DIRECTED_SUM(name, params, x, y)                                                                               \
    FN(float) heddle_##name##_rm_f32 params                                                                            \
    {                                                                                                                  \
        return sum_down(x, y);                                                                                         \
    }                                                                                                                  \
    FN(float) heddle_##name##_rp_f32 params                                                                            \
    {                                                                                                                  \
        return -sum_down(-(x), -(y));                                                                                  \
    }                                                                                                                  \
    FN(float) heddle_##name##_rz_f32 params                                                                            \
    {                                                                                                                  \
        return sum_zero(x, y);                                                                                         \
    }
#define DIRECTED(before, behind, params, s, e)                                                                         \
    DIRECTED_ONE(before##_rm_##behind, params, down, s, e)                                                             \
    DIRECTED_ONE(before##_rp_##behind, params, up, s, e)                                                               \
    DIRECTED_ONE(before##_rz_##behind, params, zero, s, e)
#define DIRECTED_ONE(name, params, round, s, e)                                                                        \
    FN(float) name params                                                                                              \
    {                                                                                                                  \
        double x = s;                                                                                                  \
        return round(x, e);                                                                                            \
    }

// The sign of what a quotient lacks.
INLINE(double) rest(double q, double a, double b)
{
    double r = __builtin_fma(-q, b, a);
    return b < 0 ? -r : r;
}

INLINE(float) up_root(double s, double e)
{
    return s == 0 ? (float)s : up(s, e);
}

DIRECTED_SUM(add, (float a, float b), a, b)
DIRECTED_SUM(fma, (float a, float b, float c), (double)a *(double)b, c)
DIRECTED(heddle_mul, f32, (float a, float b), (double)a *(double)b, 0)
DIRECTED(heddle_div, f32, (float a, float b), (double)a / (double)b, rest(x, a, b))
DIRECTED_ONE(heddle_sqrt_rm_f32, (float a), down, __builtin_sqrt((double)a), __builtin_fma(-x, x, (double)a))
DIRECTED_ONE(heddle_sqrt_rp_f32, (float a), up_root, __builtin_sqrt((double)a), __builtin_fma(-x, x, (double)a))
DIRECTED_ONE(heddle_sqrt_rz_f32, (float a), zero, __builtin_sqrt((double)a), __builtin_fma(-x, x, (double)a))
DIRECTED(heddle_f32, from_f64, (double d), d, 0)

// The integer cut to the precision, and whether something was lost.
INLINE(uint64_t) cut(uint64_t x, unsigned bits)
{
    unsigned n = 64 - (unsigned)__builtin_clzll(x | 1), shift = n > bits ? n - bits : 0;
    return x >> shift << shift;
}

#define FROM_MAGNITUDE(type, format, size, precision)                                                                  \
    INLINE(type) format##_from(uint64_t x, bool negative, bool away)                                                   \
    {                                                                                                                  \
        uint64_t top = cut(x, precision);                                                                              \
        uint##size##_t u = bits##size((type)top) + (away && top != x ? 1 : 0);                                         \
        return float##size(u | (negative ? (uint##size##_t)1 << (size - 1) : 0));                                      \
    }
FROM_MAGNITUDE(float, f32, 32, 24)
FROM_MAGNITUDE(double, f64, 64, 53)

INLINE(uint64_t) magnitude(int64_t x)
{
    return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

#define FROM_INTEGERS(type, format)                                                                                    \
    FROM_INTEGER(type, format, rz, false, false)                                                                       \
    FROM_INTEGER(type, format, rm, false, x < 0)                                                                       \
    FROM_INTEGER(type, format, rp, true, x >= 0)
#define FROM_INTEGER(type, format, round, away_unsigned, away_signed)                                                  \
    FN(type) heddle_##format##_##round##_from_u64(uint64_t x)                                                          \
    {                                                                                                                  \
        return format##_from(x, false, away_unsigned);                                                                 \
    }                                                                                                                  \
    FN(type) heddle_##format##_##round##_from_s64(int64_t x)                                                           \
    {                                                                                                                  \
        return format##_from(magnitude(x), x < 0, away_signed);                                                        \
    }
FROM_INTEGERS(float, f32)
FROM_INTEGERS(double, f64)
