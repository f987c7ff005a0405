// SPDX-License-Identifier: Apache-2.0
// Inverse circular functions: one polynomial on [0, 1/2] (arc sine) or [0, 1] (arc tangent), the rest by symmetry.
#include "devmath/kernel.h"

#define PIO2_32    0x1.921fb6p+0f
#define PIO2_LO_32 -0x1.777a5cp-25f
#define PIO2_64    0x1.921fb54442d18p+0
#define PIO2_LO_64 0x1.1a62633145c07p-54

// asin|x| = x + x^3 p(x^2) up to 1/2; beyond it pi/2 - 2 asin(sqrt((1 - x)/2)). Yields the argument and its tail.
struct arcsine32 {
    float x, tail;
};
INLINE struct arcsine32 arcsine32(float a, bool big)
{
    float z = PICK(big, fma32(a, -0.5f, 0.5f), mul32(a, a));
    float s = PICK(big, sqrt32(z), a);
    float p = POLY32(z, ASINF_P);
    // the root is inexact: its rest counts as part of the tail
    float rest = PICK(big, div32(fma32(-s, s, z), add32(s, s)), 0.0f);
    rest = PICK(s == 0.0f, 0.0f, rest);
    return (struct arcsine32){s, fma32(mul32(s, z), p, rest)};
}

struct arcsine64 {
    double x, tail;
};
INLINE struct arcsine64 arcsine64(double a, bool big)
{
    double z = PICK(big, fma64(a, -0.5, 0.5), mul64(a, a));
    double s = PICK(big, sqrt64(z), a);
    double p = POLY64(z, ASIN_P);
    double rest = PICK(big, div64(fma64(-s, s, z), add64(s, s)), 0.0);
    rest = PICK(s == 0.0, 0.0, rest);
    return (struct arcsine64){s, fma64(mul64(s, z), p, rest)};
}

float __nv_asinf(float x)
{
    float a = abs32(x);
    bool big = a > 0.5f;
    struct arcsine32 v = arcsine32(a, big);
    struct ff h = fast_sum32(PIO2_32, mul32(-2.0f, v.x));
    float far = add32(h.hi, add32(h.lo, fma32(-2.0f, v.tail, PIO2_LO_32)));
    return sign32(PICK(big, far, add32(v.x, v.tail)), x);
}

// Near +1: 2 asin(...); near -1: pi - that; between: pi/2 - asin x.
float __nv_acosf(float x)
{
    float a = abs32(x);
    bool big = a > 0.5f, neg = x < 0.0f;
    struct arcsine32 v = arcsine32(a, big);
    float k = PICK(big, -2.0f, 1.0f);
    k = PICK(neg, k, -k);
    float base = PICK(big, PICK(neg, 2.0f * PIO2_32, 0.0f), PIO2_32);
    float base_lo = PICK(big, PICK(neg, 2.0f * PIO2_LO_32, 0.0f), PIO2_LO_32);
    struct ff h = fast_sum32(base, mul32(k, v.x));
    return add32(h.hi, add32(h.lo, fma32(k, v.tail, base_lo)));
}

double __nv_asin(double x)
{
    double a = abs64(x);
    bool big = a > 0.5;
    struct arcsine64 v = arcsine64(a, big);
    struct dd h = fast_sum64(PIO2_64, mul64(-2.0, v.x));
    double far = add64(h.hi, add64(h.lo, fma64(-2.0, v.tail, PIO2_LO_64)));
    return sign64(PICK(big, far, add64(v.x, v.tail)), x);
}

double __nv_acos(double x)
{
    double a = abs64(x);
    bool big = a > 0.5, neg = x < 0.0;
    struct arcsine64 v = arcsine64(a, big);
    double k = PICK(big, -2.0, 1.0);
    k = PICK(neg, k, -k);
    double base = PICK(big, PICK(neg, 2.0 * PIO2_64, 0.0), PIO2_64);
    double base_lo = PICK(big, PICK(neg, 2.0 * PIO2_LO_64, 0.0), PIO2_LO_64);
    struct dd h = fast_sum64(base, mul64(k, v.x));
    return add64(h.hi, add64(h.lo, fma64(k, v.tail, base_lo)));
}

// atan(q) for q in [0, 1]; the first term apart, so that it can be subtracted exactly.
INLINE struct ff arctan32(float q)
{
    float z = mul32(q, q);
    float p = POLY32(z, ATANF_P);
    return (struct ff){q, mul32(mul32(q, z), p)};
}
INLINE struct dd arctan64(double q)
{
    double z = mul64(q, q);
    double p = POLY64(z, ATAN_P);
    return (struct dd){q, mul64(mul64(q, z), p)};
}

HOT float __nv_atanf(float x)
{
    float a = abs32(x);
    bool big = a > 1.0f;
    struct ff v = arctan32(PICK(big, div32(1.0f, a), a));
    struct ff h = fast_sum32(PIO2_32, -v.hi);
    float far = add32(h.hi, add32(h.lo, sub32(PIO2_LO_32, v.lo)));
    return sign32(PICK(big, far, add32(v.hi, v.lo)), x);
}

HOT double __nv_atan(double x)
{
    double a = abs64(x);
    bool big = a > 1.0;
    struct dd v = arctan64(PICK(big, div64(1.0, a), a));
    struct dd h = fast_sum64(PIO2_64, -v.hi);
    double far = add64(h.hi, add64(h.lo, sub64(PIO2_LO_64, v.lo)));
    return sign64(PICK(big, far, add64(v.hi, v.lo)), x);
}

// The angle of (x, y): the smaller coordinate over the larger, then unfolded from the octant.
HOT float __nv_atan2f(float y, float x)
{
    float ax = abs32(x), ay = abs32(y);
    bool steep = ay > ax, left = as_u32(x) >> 31;
    float n = PICK(steep, ax, ay), d = PICK(steep, ay, ax);
    bool same = n == INF32 || d == 0.0f;
    float q = PICK(same, PICK(d == 0.0f, 0.0f, 1.0f), div32(n, d));
    struct ff v = arctan32(q);
    bool minus = steep != left;
    float s = PICK(minus, -v.hi, v.hi), t = PICK(minus, -v.lo, v.lo);
    float base = PICK(steep, PIO2_32, PICK(left, 2.0f * PIO2_32, 0.0f));
    float base_lo = PICK(steep, PIO2_LO_32, PICK(left, 2.0f * PIO2_LO_32, 0.0f));
    struct ff h = fast_sum32(base, s);
    float r = add32(h.hi, add32(h.lo, add32(t, base_lo)));
    return PICK(x != x || y != y, add32(x, y), sign32(r, y));
}

HOT double __nv_atan2(double y, double x)
{
    double ax = abs64(x), ay = abs64(y);
    bool steep = ay > ax, left = as_u64(x) >> 63;
    double n = PICK(steep, ax, ay), d = PICK(steep, ay, ax);
    bool same = n == INF64 || d == 0.0;
    double q = PICK(same, PICK(d == 0.0, 0.0, 1.0), div64(n, d));
    struct dd v = arctan64(q);
    bool minus = steep != left;
    double s = PICK(minus, -v.hi, v.hi), t = PICK(minus, -v.lo, v.lo);
    double base = PICK(steep, PIO2_64, PICK(left, 2.0 * PIO2_64, 0.0));
    double base_lo = PICK(steep, PIO2_LO_64, PICK(left, 2.0 * PIO2_LO_64, 0.0));
    struct dd h = fast_sum64(base, s);
    double r = add64(h.hi, add64(h.lo, add64(t, base_lo)));
    return PICK(x != x || y != y, add64(x, y), sign64(r, y));
}
