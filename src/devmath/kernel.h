// SPDX-License-Identifier: Apache-2.0
// The exponential and the logarithm that the other functions are made of, in both precisions and with extra digits.
#ifndef HEDDLE_DEVMATH_KERNEL_H
#define HEDDLE_DEVMATH_KERNEL_H
#include "devmath/coef.h"
#include "devmath/devmath.h"

#define MAGIC32     0x1.8p23f // adding it rounds to an integer that then stands in the low bits
#define MAGIC64     0x1.8p52
#define LOG2E_32    0x1.715476p+0f
#define LOG2E_LO_32 0x1.4ae0c0p-26f
#define LN2_32      0x1.62e430p-1f
#define LN2_LO_32   -0x1.05c610p-29f
#define LOG2E_64    0x1.71547652b82fep+0
#define LOG2E_LO_64 0x1.777d0ffda0d24p-56
#define LN2_64      0x1.62e42fefa39efp-1
#define LN2_LO_64   0x1.abc9e3b39803fp-56
// ln 2 with so few bits that its product with any exponent is exact
#define LN2_SHORT_32    0x1.62ep-1f
#define LN2_SHORT_LO_32 0x1.0bfbe8p-15f
#define LN2_SHORT_64    0x1.62e42feep-1
#define LN2_SHORT_LO_64 0x1.a39ef35793c76p-33

// x * 2^e for |e| below twice the range, rounded once where x is in [0.5, 4].
INLINE float scale_pow2_32(float x, int32_t e)
{
    int32_t half = e >> 1;
    return mul32(mul32(x, pow2_32(half)), pow2_32(e - half));
}
INLINE double scale_pow2_64(double x, int32_t e)
{
    int32_t half = e >> 1;
    return mul64(mul64(x, pow2_64(half)), pow2_64(e - half));
}

// e + k; a NaN makes any e, and the sum must not be undefined then.
INLINE int32_t offset(int32_t e, int32_t k)
{
    return (int32_t)((uint32_t)e + (uint32_t)k);
}

// ---- exponential: exp(x) = 2^e exp(r), |r| <= ln 2 / 2 ----
struct rest32 {
    float r;
    int32_t e;
};
struct rest64 {
    double r;
    int32_t e;
};

// The lesser of a number and a constant; of a NaN the constant.
INLINE float less32(float x, float constant)
{
    return DEVICE ? __builtin_fminf(x, constant) : PICK(x < constant, x, constant);
}
INLINE float clamp32(float x, float lo, float hi)
{
    x = PICK(x < lo, lo, x); // written so that a NaN stays
    return PICK(x > hi, hi, x);
}
INLINE double clamp64(double x, double lo, double hi)
{
    x = PICK(x < lo, lo, x);
    return PICK(x > hi, hi, x);
}

// expm1(r) for |r| <= ln 2 / 2 without its first term.
INLINE float expm1_tail32(float r)
{
    float q = POLY32(r, EXPF_Q);
    return mul32(mul32(r, r), q);
}
INLINE double expm1_tail64(double r)
{
    double q = POLY64(r, EXP_Q);
    return mul64(mul64(r, r), q);
}

// expm1(r + lo), |lo| far below |r| or at least tiny.
INLINE float expm1_sum32(float r, float lo)
{
    float h = add32(r, lo), l = add32(sub32(r, h), lo);
    return add32(h, add32(expm1_tail32(h), l));
}
INLINE double expm1_sum64(double r, double lo)
{
    double h = add64(r, lo), l = add64(sub64(r, h), lo);
    return add64(h, add64(expm1_tail64(h), l));
}

// The nearest power of two taken out of exp(x): x = e ln 2 + r. |x| must be bounded by the caller.
INLINE struct rest32 exp_rest32(float x)
{
    float t = fma32(x, LOG2E_32, MAGIC32);
    float j = sub32(t, MAGIC32);
    return (struct rest32){fma32(-j, LN2_LO_32, fma32(-j, LN2_32, x)), (int32_t)(as_u32(t) - as_u32(MAGIC32))};
}
INLINE struct rest64 exp_rest64(double x)
{
    double t = fma64(x, LOG2E_64, MAGIC64);
    double j = sub64(t, MAGIC64);
    return (struct rest64){fma64(-j, LN2_LO_64, fma64(-j, LN2_64, x)), (int32_t)(uint32_t)as_u64(t)};
}

// exp(x) * 2^k over the whole range.
INLINE float exp_full32(float x, int32_t k)
{
    struct rest32 v = exp_rest32(clamp32(x, -105.0f, 90.0f));
    return scale_pow2_32(add32(1.0f, add32(v.r, expm1_tail32(v.r))), offset(v.e, k));
}
INLINE double exp_full64(double x, int32_t k)
{
    struct rest64 v = exp_rest64(clamp64(x, -747.0, 712.0));
    return scale_pow2_64(add64(1.0, add64(v.r, expm1_tail64(v.r))), offset(v.e, k));
}

// exp(x + lo) * 2^k.
INLINE float exp_sum32(float x, float lo, int32_t k)
{
    struct rest32 v = exp_rest32(clamp32(x, -105.0f, 90.0f));
    return scale_pow2_32(add32(1.0f, expm1_sum32(v.r, lo)), offset(v.e, k));
}
INLINE double exp_sum64(double x, double lo, int32_t k)
{
    struct rest64 v = exp_rest64(clamp64(x, -747.0, 712.0));
    return scale_pow2_64(add64(1.0, expm1_sum64(v.r, lo)), offset(v.e, k));
}

// ---- logarithm: x = 2^e m with m around 1 ----
struct frac32 {
    float m, e;
};
struct frac64 {
    double m;
    int32_t e;
};

// Splits a positive x, subnormals too, so that m lies in [low, 2 low).
INLINE struct frac32 split32(float x, uint32_t low)
{
    bool tiny = x < 0x1p-126f;
    uint32_t b = as_u32(PICK(tiny, mul32(x, 0x1p24f), x));
    uint32_t e = (b - low) & 0xff800000u; // times 2^23, so that no shift is needed
    return (struct frac32){as_f32(b - e), fma32((float)(int32_t)e, 0x1p-23f, PICK(tiny, -24.0f, 0.0f))};
}
#define SPLIT_TWO_THIRDS32 0x3f2aaaabu
#define SPLIT_SQRT_HALF32  0x3f3504f3u
#define SPLIT_SQRT_HALF64  0x3fe6a09e667f3bcdull

INLINE struct frac64 split64(double x, uint64_t low)
{
    bool tiny = x < 0x1p-1022;
    uint64_t b = as_u64(PICK(tiny, mul64(x, 0x1p54), x));
    int32_t e = (int32_t)((int64_t)(b - low) >> 52);
    return (struct frac64){as_f64(b - ((uint64_t)(int64_t)e << 52)), tiny ? e - 54 : e};
}

// What a logarithm yields for arguments that are zero, negative, infinite or NaN; value otherwise.
INLINE float log_special32(float x, float value)
{
    value = PICK(as_u32(x) >= 0x7f800000u, fma32(x, INF32, INF32), value); // negative ones too
    return PICK(x == 0.0f, -INF32, value);
}
INLINE double log_special64(double x, double value)
{
    value = PICK(x == INF64, x, value);
    value = PICK(x == 0.0, -INF64, value);
    return PICK(x < 0.0 || x != x, NAN64, value);
}

// log1p(f) - f for f in [-1/3, 1/3].
INLINE float log1p_rest32(float f)
{
    float q = POLY32(f, LOGF_Q);
    return mul32(mul32(f, f), q);
}

// log1p(f) for 1 + f in [sqrt 1/2, sqrt 2], as hi + lo good to about 60 bits. With s = f / (2 + f) it is 2 s + s^3
// R(s^2).
INLINE struct dd log1p_core64(double f)
{
    double d = add64(2.0, f), dlo = add64(sub64(2.0, d), f);
    double inv = div64(1.0, d);
    double s = mul64(f, inv);
    double slo = mul64(fma64(-s, dlo, fma64(-s, d, f)), inv);
    double z = mul64(s, s);
    double r = POLY64(z, LOG_R);
    return (struct dd){add64(s, s), fma64(mul64(s, z), r, add64(slo, slo))};
}

// log1p(f) + e ln 2.
INLINE double log_join64(double f, int32_t e)
{
    struct dd l = log1p_core64(f);
    struct dd s = fast_sum64(mul64(e, LN2_SHORT_64), l.hi);
    return add64(s.hi, add64(s.lo, fma64(e, LN2_SHORT_LO_64, l.lo)));
}

// log(x) of a positive finite x.
INLINE double log_finite64(double x)
{
    struct frac64 v = split64(x, SPLIT_SQRT_HALF64);
    return log_join64(sub64(v.m, 1.0), v.e);
}

// log(x) of a positive finite x as hi + lo, good to about 66 bits: what powers need.
INLINE struct dd log_double64(double x)
{
    struct frac64 v = split64(x, SPLIT_SQRT_HALF64);
    double f = sub64(v.m, 1.0);
    double d = add64(2.0, f), dlo = add64(sub64(2.0, d), f);
    double inv = div64(1.0, d);
    double s = mul64(f, inv);
    double slo = mul64(fma64(-s, dlo, fma64(-s, d, f)), inv);
    struct dd z = product64(s, s);
    z.lo = fma64(add64(s, s), slo, z.lo);
    double r = POLY64(z.hi, LOG_R2);
    struct dd t = fast_sum64(0x1.5555555555555p-1, mul64(z.hi, r)); // 2/3 + z R2
    t.lo = add64(t.lo, 0x1.5555555555555p-55);
    struct dd cube = product64(s, z.hi);
    cube.lo = add64(cube.lo, fma64(s, z.lo, mul64(slo, z.hi)));
    struct dd w = product64(cube.hi, t.hi);
    w.lo = add64(w.lo, fma64(cube.hi, t.lo, mul64(cube.lo, t.hi)));
    struct dd u = fast_sum64(add64(s, s), w.hi);
    u.lo = add64(u.lo, add64(w.lo, add64(slo, slo)));
    struct dd h = fast_sum64(mul64(v.e, LN2_SHORT_64), u.hi);
    struct dd k = product64(v.e, LN2_SHORT_LO_64);
    struct dd n = fast_sum64(h.hi, k.hi);
    return fast_sum64(n.hi, add64(add64(n.lo, h.lo), add64(u.lo, k.lo)));
}

// log2(x) of a positive finite x as hi + lo, good to about 32 bits.
INLINE struct ff log2_double32(float x)
{
    struct frac32 v = split32(x, SPLIT_SQRT_HALF32);
    float f = sub32(v.m, 1.0f);
    float d = add32(2.0f, f), dlo = add32(sub32(2.0f, d), f);
    float inv = div32(1.0f, d);
    float s = mul32(f, inv);
    float slo = mul32(fma32(-s, dlo, fma32(-s, d, f)), inv);
    float z = mul32(s, s);
    float r = POLY32(z, LOGF_R2);
    float w = mul32(mul32(s, z), fma32(z, r, 0x1.555556p-1f));
    struct ff u = fast_sum32(add32(s, s), w);
    u.lo = add32(u.lo, add32(slo, slo));
    struct ff p = scale32(u.hi, LOG2E_32, LOG2E_LO_32);
    p.lo = fma32(u.lo, LOG2E_32, p.lo);
    struct ff n = fast_sum32(v.e, p.hi);
    return fast_sum32(n.hi, add32(n.lo, p.lo));
}
#endif
