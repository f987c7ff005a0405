// SPDX-License-Identifier: Apache-2.0
// Powers and roots. A power is exp(y log x) with the logarithm and the product carried in two words; the many special
// cases of C99 are selected at the end, so that lanes never part.
#include "devmath/kernel.h"

// The value of pow where it is not exp(y log |x|), else value; integer, odd: what y is. A later line overrules those
// before it.
INLINE float pow_special32(float x, float y, float value, bool integer, bool odd)
{
    float ax = abs32(x), ay = abs32(y);
    uint32_t sign = as_u32(x) & 0x80000000u;
    bool up = (ax == INF32) == (y > 0.0f);
    value = PICK(sign && !integer, NAN32, value);
    value = PICK((ax == 0.0f) | (ax == INF32), PICK(up, INF32, 0.0f), value);
    value = as_f32(as_u32(value) ^ (odd ? sign : 0u));
    value = PICK((x != x) | (y != y), NAN32, value);
    return PICK((x == 1.0f) | (ay == 0.0f) | ((ax == 1.0f) & (ay == INF32)), 1.0f, value);
}

INLINE double pow_special64(double x, double y, double value, bool integer, bool odd)
{
    double ax = abs64(x), ay = abs64(y);
    uint64_t sign = as_u64(x) & 0x8000000000000000ull;
    bool up = (ax == INF64) == (y > 0.0);
    value = PICK(sign && !integer, NAN64, value);
    value = PICK((ax == 0.0) | (ax == INF64), PICK(up, INF64, 0.0), value);
    value = as_f64(as_u64(value) ^ (odd ? sign : 0ull));
    value = PICK((x != x) | (y != y), NAN64, value);
    return PICK((x == 1.0) | (ay == 0.0) | ((ax == 1.0) & (ay == INF64)), 1.0, value);
}

HOT float __nv_powf(float x, float y)
{
    struct ff l = log2_double32(abs32(x));
    float p = mul32(y, l.hi);
    float lo = fma32(y, l.lo, fma32(y, l.hi, -p));
    lo = PICK(abs32(p) < 300.0f, lo, 0.0f);
    float c = clamp32(p, -200.0f, 200.0f);
    float t = add32(c, MAGIC32);
    float r = add32(sub32(c, sub32(t, MAGIC32)), lo);
    float v = fma32(r, POLY32(r, EXP2F_Q), 1.0f);
    v = scale_pow2_32(v, (int32_t)(as_u32(t) - as_u32(MAGIC32)));
    float half = mul32(y, 0.5f);
    bool integer = trunc32(y) == y;
    bool odd = integer && trunc32(half) != half;
    return pow_special32(x, y, v, integer, odd);
}

HOT double __nv_pow(double x, double y)
{
    struct dd l = log_double64(abs64(x));
    double p = mul64(y, l.hi);
    double lo = fma64(y, l.lo, fma64(y, l.hi, -p));
    lo = PICK(abs64(p) < 1000.0, lo, 0.0);
    double v = exp_sum64(p, lo, 0);
    double half = mul64(y, 0.5);
    bool integer = trunc64(y) == y;
    bool odd = integer && trunc64(half) != half;
    return pow_special64(x, y, v, integer, odd);
}

float __nv_powif(float x, int n)
{
    struct dd l = log_double64(abs32(x));
    double v = exp_full64(mul64(n, l.hi), 0);
    return pow_special32(x, PICK(n == 0, 0.0f, PICK(n < 0, -2.0f, 2.0f)), (float)v, true, n & 1);
}

double __nv_powi(double x, int n)
{
    return __nv_pow(x, n);
}

// ---- cube roots: a first guess for x^(-1/3) from the exponent divided by three, then two steps of order four ----
struct root32 {
    float m, r, scale; // |x| scaled to be normal, its inverse cube root, and what the cube root must be multiplied by
};
struct root64 {
    double m, r, scale;
};

INLINE struct root32 inverse_cbrt32(float x)
{
    float a = abs32(x);
    bool tiny = a < 0x1p-126f;
    float m = PICK(tiny, mul32(a, 0x1p24f), a);
    float r = as_f32(0x54a20000u - as_u32(m) / 3);
    for (int i = 0; i < 2; i++) {
        float e = fma32(-mul32(m, r), mul32(r, r), 1.0f);
        r = fma32(mul32(r, e), fma32(e, fma32(e, 0x1.61f9aep-3f, 0x1.c71c72p-3f), 0x1.555556p-2f), r);
    }
    return (struct root32){m, r, PICK(tiny, 0x1p-8f, 1.0f)};
}

INLINE struct root64 inverse_cbrt64(double x)
{
    double a = abs64(x);
    bool tiny = a < 0x1p-1022;
    double m = PICK(tiny, mul64(a, 0x1p54), a);
    uint32_t hi = (uint32_t)(as_u64(m) >> 32);
    double r = as_f64((uint64_t)(0x553ee800u - hi / 3) << 32);
    for (int i = 0; i < 2; i++) {
        double e = fma64(-mul64(m, r), mul64(r, r), 1.0);
        r = fma64(mul64(r, e), fma64(e, fma64(e, 0x1.61f9add3c0ca4p-3, 0x1.c71c71c71c71cp-3), 0x1.5555555555555p-2), r);
    }
    return (struct root64){m, r, PICK(tiny, 0x1p-18, 1.0)};
}

float __nv_cbrtf(float x)
{
    struct root32 v = inverse_cbrt32(x);
    float c = mul32(mul32(v.m, v.r), v.r);
    struct ff sq = product32(c, c);
    float rest = sub32(fma32(-c, sq.hi, v.m), mul32(c, sq.lo)); // m - c^3
    c = fma32(mul32(rest, 0x1.555556p-2f), mul32(v.r, v.r), c);
    return PICK(x == 0.0f || abs32(x) == INF32 || x != x, add32(x, x), sign32(mul32(c, v.scale), x));
}

double __nv_cbrt(double x)
{
    struct root64 v = inverse_cbrt64(x);
    double c = mul64(mul64(v.m, v.r), v.r);
    struct dd sq = product64(c, c);
    double rest = sub64(fma64(-c, sq.hi, v.m), mul64(c, sq.lo));
    c = fma64(mul64(rest, 0x1.5555555555555p-2), mul64(v.r, v.r), c);
    return PICK(x == 0.0 || abs64(x) == INF64 || x != x, add64(x, x), sign64(mul64(c, v.scale), x));
}

// One more step, with the residual 1 - m r^3 in two words.
float __nv_rcbrtf(float x)
{
    bool huge = abs32(x) >= 0x1p125f; // then r^3 would be subnormal, 0 with -ftz=true
    struct root32 v = inverse_cbrt32(PICK(huge, mul32(x, 0x1p-24f), x));
    struct ff sq = product32(v.r, v.r), cu = product32(v.r, sq.hi);
    float cl = fma32(v.r, sq.lo, cu.lo);
    float e = sub32(fma32(-v.m, cu.hi, 1.0f), mul32(v.m, cl));
    float r =
        mul32(fma32(mul32(v.r, e), 0x1.555556p-2f, v.r), PICK(huge, 0x1p-8f, PICK(v.scale == 1.0f, 1.0f, 0x1p8f)));
    r = PICK(x == 0.0f, INF32, r);
    r = PICK(abs32(x) == INF32, 0.0f, r);
    return PICK(x != x, add32(x, x), sign32(r, x));
}

double __nv_rcbrt(double x)
{
    struct root64 v = inverse_cbrt64(x);
    struct dd sq = product64(v.r, v.r), cu = product64(v.r, sq.hi);
    double cl = fma64(v.r, sq.lo, cu.lo);
    double e = sub64(fma64(-v.m, cu.hi, 1.0), mul64(v.m, cl));
    double r = mul64(fma64(mul64(v.r, e), 0x1.5555555555555p-2, v.r), PICK(v.scale == 1.0, 1.0, 0x1p18));
    r = PICK(x == 0.0, INF64, r);
    r = PICK(abs64(x) == INF64, 0.0, r);
    return PICK(x != x, add64(x, x), sign64(r, x));
}

// ---- square roots ----
// The back end rounds correctly, or not, as the flags of the compilation say.
HOT float __nv_sqrtf(float x)
{
    return __builtin_sqrtf(x);
}

HOT double __nv_sqrt(double x)
{
    return sqrt64(x);
}

// CUDA defines rsqrtf as this one instruction, with an error of two units.
HOT float __nv_rsqrtf(float x)
{
#if DEVICE
    return PICK(FTZ, __nvvm_rsqrt_approx_ftz_f(x), __nvvm_rsqrt_approx_f(x));
#else
    return div32(1.0f, sqrt32(x));
#endif
}

HOT double __nv_rsqrt(double x)
{
    return div64(1.0, sqrt64(x));
}
