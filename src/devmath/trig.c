// SPDX-License-Identifier: Apache-2.0
// Circular functions: reduction to pi/4, both polynomials, and the quadrant selects between them.
#include "devmath/reduce.h"

INLINE float sin_at32(struct angle32 a, uint32_t q)
{
    float s = sin_small32(a.r), c = cos_small32(a.r);
    return flip32(PICK(q & 1, c, s), q);
}

INLINE double sin_at64(struct angle64 a, uint32_t q)
{
    double s = sin_small64(a.hi, a.lo).hi, c = cos_small64(a.hi, a.lo).hi;
    return flip64(PICK(q & 1, c, s), q);
}

HOT float __nv_sinf(float x)
{
    struct angle32 a = reduce32(x);
    float y = sin_at32(a, a.q);
    return PICK(abs32(x) < 0x1p-13f, x, y);
}

HOT float __nv_cosf(float x)
{
    struct angle32 a = reduce32(x);
    return sin_at32(a, a.q + 1);
}

HOT void __nv_sincosf(float x, float *s, float *c)
{
    struct angle32 a = reduce32(x);
    float y = sin_at32(a, a.q);
    *s = PICK(abs32(x) < 0x1p-13f, x, y);
    *c = sin_at32(a, a.q + 1);
}

HOT double __nv_sin(double x)
{
    struct angle64 a = reduce64(x);
    double y = sin_at64(a, a.q);
    return PICK(abs64(x) < 0x1p-27, x, y);
}

HOT double __nv_cos(double x)
{
    struct angle64 a = reduce64(x);
    return sin_at64(a, a.q + 1);
}

HOT void __nv_sincos(double x, double *s, double *c)
{
    struct angle64 a = reduce64(x);
    double y = sin_at64(a, a.q);
    *s = PICK(abs64(x) < 0x1p-27, x, y);
    *c = sin_at64(a, a.q + 1);
}

HOT float __nv_tanf(float x)
{
    struct angle32 a = reduce32(x);
    float z = mul32(a.r, a.r);
    float t = fma32(mul32(a.r, z), POLY32(z, TANF_P), a.r);
    float y = PICK(a.q & 1, div32(-1.0f, t), t);
    return PICK(abs32(x) < 0x1p-13f, x, y);
}

// sin / cos or -cos / sin, numerator and denominator in two words.
HOT double __nv_tan(double x)
{
    struct angle64 a = reduce64(x);
    struct dd s = sin_small64(a.hi, a.lo), c = cos_small64(a.hi, a.lo);
    bool odd = a.q & 1;
    struct dd n = {PICK(odd, -c.hi, s.hi), PICK(odd, -c.lo, s.lo)};
    struct dd d = {PICK(odd, s.hi, c.hi), PICK(odd, s.lo, c.lo)};
    double inv = div64(1.0, d.hi);
    double t = mul64(n.hi, inv);
    double rest = add64(fma64(-t, d.hi, n.hi), fma64(-t, d.lo, n.lo));
    double y = fma64(rest, inv, t);
    return PICK(abs64(x) < 0x1p-27, x, y);
}

// ---- sin(pi x), cos(pi x): the reduction is exact ----
struct turn32 {
    float hi, lo;
    uint32_t q;
};
INLINE struct turn32 reduce_pi32(float x)
{
    float v = PICK(abs32(x) < 0x1p24f, x, mul32(x, 0.0f)); // all even from here on; infinity becomes NaN
    float j = rint32(add32(v, v));
    float r = fma32(j, -0.5f, v);
    struct ff s = scale32(r, 0x1.921fb6p+1f, -0x1.777a5cp-24f);
    return (struct turn32){s.hi, s.lo, (uint32_t)(int32_t)PICK(v == v, j, 0.0f)};
}

INLINE struct angle64 reduce_pi64(double x)
{
    double v = PICK(abs64(x) < 0x1p53, x, mul64(x, 0.0));
    double j = rint64(add64(v, v));
    double r = fma64(j, -0.5, v);
    struct dd s = scale64(r, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53);
    return (struct angle64){s.hi, s.lo, (uint32_t)(uint64_t)(int64_t)PICK(v == v, j, 0.0)};
}

// Integers give zeros of the sign of x for sin, halves give +0 for cos; infinity gives NaN by way of r.
INLINE float turn_at32(struct turn32 a, uint32_t q)
{
    float s = sin_sum32(a.hi, a.lo), c = cos_small32(a.hi);
    return flip32(PICK(q & 1, c, s), q);
}
INLINE float sinpi_at32(float x, struct turn32 a)
{
    float y = turn_at32(a, a.q);
    y = PICK(trunc32(x) == x, sign32(0.0f, x), y);
    return PICK(abs32(x) == INF32, NAN32, y);
}
INLINE float cospi_at32(struct turn32 a)
{
    float y = turn_at32(a, a.q + 1);
    return PICK(y == 0.0f, 0.0f, y);
}
INLINE double sinpi_at64(double x, struct angle64 a)
{
    double y = sin_at64(a, a.q);
    y = PICK(trunc64(x) == x, sign64(0.0, x), y);
    return PICK(abs64(x) == INF64, NAN64, y);
}
INLINE double cospi_at64(struct angle64 a)
{
    double y = sin_at64(a, a.q + 1);
    return PICK(y == 0.0, 0.0, y);
}

float __nv_sinpif(float x)
{
    return sinpi_at32(x, reduce_pi32(x));
}

float __nv_cospif(float x)
{
    return cospi_at32(reduce_pi32(x));
}

void __nv_sincospif(float x, float *s, float *c)
{
    struct turn32 a = reduce_pi32(x);
    *s = sinpi_at32(x, a);
    *c = cospi_at32(a);
}

double __nv_sinpi(double x)
{
    return sinpi_at64(x, reduce_pi64(x));
}

double __nv_cospi(double x)
{
    return cospi_at64(reduce_pi64(x));
}

void __nv_sincospi(double x, double *s, double *c)
{
    struct angle64 a = reduce_pi64(x);
    *s = sinpi_at64(x, a);
    *c = cospi_at64(a);
}
