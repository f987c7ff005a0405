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

INLINE(double) two_sum(double a, double b, double s)
{
    double bb = s - a;
    return (a - (s - bb)) + (b - bb);
}

// A sum that is exactly zero is -0 when rounding down, unless both terms are +0.
INLINE(float) sum_down(double a, double b)
{
    double s = a + b;
    float r = down(s, two_sum(a, b, s));
    bool minus = s == 0 && ((int64_t)bits64(a) < 0 || (int64_t)bits64(b) < 0);
    return minus ? -0.0f : r;
}

INLINE(float) sum_zero(double a, double b)
{
    double s = a + b;
    return zero(s, two_sum(a, b, s));
}

FN(float) heddle_add_rm_f32(float a, float b)
{
    return sum_down(a, b);
}
FN(float) heddle_add_rp_f32(float a, float b)
{
    return -sum_down(-a, -b);
}
FN(float) heddle_add_rz_f32(float a, float b)
{
    return sum_zero(a, b);
}
FN(float) heddle_fma_rm_f32(float a, float b, float c)
{
    return sum_down((double)a * (double)b, c);
}
FN(float) heddle_fma_rp_f32(float a, float b, float c)
{
    return -sum_down(-((double)a * (double)b), -c);
}
FN(float) heddle_fma_rz_f32(float a, float b, float c)
{
    return sum_zero((double)a * (double)b, c);
}
FN(float) heddle_mul_rm_f32(float a, float b)
{
    return down((double)a * (double)b, 0);
}
FN(float) heddle_mul_rp_f32(float a, float b)
{
    return up((double)a * (double)b, 0);
}
FN(float) heddle_mul_rz_f32(float a, float b)
{
    return zero((double)a * (double)b, 0);
}

// The sign of what a quotient lacks.
INLINE(double) rest(double q, double a, double b)
{
    double r = __builtin_fma(-q, b, a);
    return b < 0 ? -r : r;
}

FN(float) heddle_div_rm_f32(float a, float b)
{
    double q = (double)a / (double)b;
    return down(q, rest(q, a, b));
}
FN(float) heddle_div_rp_f32(float a, float b)
{
    double q = (double)a / (double)b;
    return up(q, rest(q, a, b));
}
FN(float) heddle_div_rz_f32(float a, float b)
{
    double q = (double)a / (double)b;
    return zero(q, rest(q, a, b));
}
FN(float) heddle_sqrt_rm_f32(float a)
{
    double s = __builtin_sqrt((double)a);
    return down(s, __builtin_fma(-s, s, (double)a));
}
FN(float) heddle_sqrt_rp_f32(float a)
{
    double s = __builtin_sqrt((double)a);
    return s == 0 ? (float)s : up(s, __builtin_fma(-s, s, (double)a));
}
FN(float) heddle_sqrt_rz_f32(float a)
{
    double s = __builtin_sqrt((double)a);
    return zero(s, __builtin_fma(-s, s, (double)a));
}

FN(float) heddle_f32_rm_from_f64(double d)
{
    return down(d, 0);
}
FN(float) heddle_f32_rp_from_f64(double d)
{
    return up(d, 0);
}
FN(float) heddle_f32_rz_from_f64(double d)
{
    return zero(d, 0);
}

// The integer cut to the precision, and whether something was lost.
INLINE(uint64_t) cut(uint64_t x, unsigned bits)
{
    unsigned n = 64 - (unsigned)__builtin_clzll(x | 1), shift = n > bits ? n - bits : 0;
    return x >> shift << shift;
}

INLINE(float) f32_from(uint64_t x, bool negative, bool away)
{
    uint64_t top = cut(x, 24);
    uint32_t u = bits32((float)top) + (away && top != x ? 1 : 0);
    return float32(u | (negative ? 0x80000000 : 0));
}

INLINE(double) f64_from(uint64_t x, bool negative, bool away)
{
    uint64_t top = cut(x, 53);
    uint64_t u = bits64((double)top) + (away && top != x ? 1 : 0);
    return float64(u | (negative ? 0x8000000000000000 : 0));
}

INLINE(uint64_t) magnitude(int64_t x)
{
    return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

FN(float) heddle_f32_rz_from_u64(uint64_t x)
{
    return f32_from(x, false, false);
}
FN(float) heddle_f32_rm_from_u64(uint64_t x)
{
    return f32_from(x, false, false);
}
FN(float) heddle_f32_rp_from_u64(uint64_t x)
{
    return f32_from(x, false, true);
}
FN(float) heddle_f32_rz_from_s64(int64_t x)
{
    return f32_from(magnitude(x), x < 0, false);
}
FN(float) heddle_f32_rm_from_s64(int64_t x)
{
    return f32_from(magnitude(x), x < 0, x < 0);
}
FN(float) heddle_f32_rp_from_s64(int64_t x)
{
    return f32_from(magnitude(x), x < 0, x >= 0);
}
FN(double) heddle_f64_rz_from_u64(uint64_t x)
{
    return f64_from(x, false, false);
}
FN(double) heddle_f64_rm_from_u64(uint64_t x)
{
    return f64_from(x, false, false);
}
FN(double) heddle_f64_rp_from_u64(uint64_t x)
{
    return f64_from(x, false, true);
}
FN(double) heddle_f64_rz_from_s64(int64_t x)
{
    return f64_from(magnitude(x), x < 0, false);
}
FN(double) heddle_f64_rm_from_s64(int64_t x)
{
    return f64_from(magnitude(x), x < 0, x < 0);
}
FN(double) heddle_f64_rp_from_s64(int64_t x)
{
    return f64_from(magnitude(x), x < 0, x >= 0);
}
