// SPDX-License-Identifier: Apache-2.0
// Error functions. Everything for x >= 0 comes from one polynomial: (1 + 2x) erfcx(x) in t = (x - k)/(x + k), smooth
// from zero to infinity; erfc is that times exp(-x^2), with the square carried in two words.
#include "devmath/kernel.h"

#define SQRT2_64         0x1.6a09e667f3bcdp+0
#define SQRT2_LO_64      -0x1.bdd3413b26456p-54
#define TWO_OVER_SQRT_PI 0x1.20dd750429b6dp+0

// n / d in one division, with n and d each in two words.
INLINE float quotient32(float n, float nlo, float d, float dlo)
{
    float inv = div32(1.0f, d);
    float q = mul32(n, inv);
    return fma32(add32(fma32(-q, d, n), fma32(-q, dlo, nlo)), inv, q);
}
INLINE double quotient64(double n, double nlo, double d, double dlo)
{
    double inv = div64(1.0, d);
    double q = mul64(n, inv);
    return fma64(add64(fma64(-q, d, n), fma64(-q, dlo, nlo)), inv, q);
}

// erfcx(a) for a >= 0. The roundings of the two quotients count: erfcx is steep in t near zero.
INLINE float erfcx_positive32(float a)
{
    float c = PICK(a > 1.0e18f, 1.0e18f, a);
    float n = sub32(c, 3.0f), d = add32(c, 3.0f);
    float t = quotient32(n, sub32(c, add32(n, 3.0f)), d, sub32(c, sub32(d, 3.0f)));
    float p = POLY32(t, ERFCXF_P);
    float w = fma32(2.0f, c, 1.0f);
    return quotient32(p, 0.0f, w, fma32(2.0f, c, sub32(1.0f, w)));
}

INLINE double erfcx_positive64(double a)
{
    double c = PICK(a > 1.0e150, 1.0e150, a);
    double n = sub64(c, 4.0), d = add64(c, 4.0);
    double t = quotient64(n, sub64(c, add64(n, 4.0)), d, sub64(c, sub64(d, 4.0)));
    double p = POLY64(t, ERFCX_P);
    double w = fma64(2.0, c, 1.0);
    return quotient64(p, 0.0, w, fma64(2.0, c, sub64(1.0, w)));
}

// erf(a) for |a| <= 1.
INLINE float erf_small32(float a)
{
    return fma32(a, POLY32(mul32(a, a), ERFF_P), a);
}
INLINE double erf_small64(double a)
{
    return fma64(a, POLY64(mul64(a, a), ERF_P), a);
}

// exp(-a^2) for a >= 0.
INLINE float exp_square32(float a)
{
    struct ff s = product32(a, a);
    return exp_sum32(-s.hi, PICK(a < 15.0f, -s.lo, 0.0f), 0);
}
INLINE double exp_square64(double a)
{
    struct dd s = product64(a, a);
    return exp_sum64(-s.hi, PICK(a < 40.0, -s.lo, 0.0), 0);
}

HOT float __nv_erff(float x)
{
    float a = abs32(x);
    float small = erf_small32(a);
    float c = PICK(a > 4.0f, 4.0f, a);
    float e = __nv_exp2f(-mul32(c, POLY32(c, ERFF_Q)));
    float y = PICK(a < 1.0f, small, sub32(1.0f, e));
    return PICK(x != x, x, sign32(y, x));
}

float __nv_erfcf(float x)
{
    float a = abs32(x);
    float c = mul32(erfcx_positive32(a), exp_square32(a));
    float y = PICK(x < 0.0f, sub32(2.0f, c), c);
    y = PICK(a < 0.5f, sub32(1.0f, erf_small32(x)), y);
    return PICK(x != x, x, y);
}

float __nv_erfcxf(float x)
{
    float a = abs32(x);
    float c = erfcx_positive32(a);
    struct ff s = product32(a, a);
    // 2 exp(x^2) - erfcx|x|
    float e = exp_sum32(s.hi, PICK(a < 15.0f, s.lo, 0.0f), 1);
    c = PICK(a < 0.5f, mul32(mul32(0.5f, e), sub32(1.0f, erf_small32(a))), c);
    float y = PICK(x < 0.0f, sub32(e, c), c);
    y = PICK(x > 1.0e18f, div32(0x1.20dd76p-1f, x), y);
    return PICK(x != x, x, y);
}

HOT double __nv_erf(double x)
{
    double a = abs64(x);
    double small = erf_small64(a);
    double c = mul64(erfcx_positive64(a), exp_square64(a));
    double y = PICK(a < 1.0, small, sub64(1.0, c));
    return PICK(x != x, x, sign64(y, x));
}

double __nv_erfc(double x)
{
    double a = abs64(x);
    double c = mul64(erfcx_positive64(a), exp_square64(a));
    double y = PICK(x < 0.0, sub64(2.0, c), c);
    y = PICK(a < 0.5, sub64(1.0, erf_small64(x)), y);
    return PICK(x != x, x, y);
}

double __nv_erfcx(double x)
{
    double a = abs64(x);
    double c = erfcx_positive64(a);
    struct dd s = product64(a, a);
    double e = exp_sum64(s.hi, PICK(a < 40.0, s.lo, 0.0), 1);
    c = PICK(a < 0.5, mul64(mul64(0.5, e), sub64(1.0, erf_small64(a))), c);
    double y = PICK(x < 0.0, sub64(e, c), c);
    y = PICK(x > 1.0e150, div64(0x1.20dd750429b6dp-1, x), y);
    return PICK(x != x, x, y);
}

// normcdf(x) = erfcx(|x|/sqrt 2) exp(-x^2/2) / 2 on the left, one minus that on the right.
double __nv_normcdf(double x)
{
    double a = abs64(x);
    struct dd s = product64(a, a);
    double e = exp_sum64(mul64(-0.5, s.hi), PICK(a < 40.0, mul64(-0.5, s.lo), 0.0), -1);
    double u = mul64(x, 0x1.6a09e667f3bcdp-1);
    double c = mul64(erfcx_positive64(abs64(u)), e);
    double y = PICK(x > 0.0, sub64(1.0, c), c);
    y = PICK(a < 0.7, fma64(0.5, erf_small64(u), 0.5), y);
    return PICK(x != x, x, y);
}

float __nv_normcdff(float x)
{
    float a = abs32(x);
    struct ff s = product32(a, a);
    float e = exp_sum32(mul32(-0.5f, s.hi), PICK(a < 20.0f, mul32(-0.5f, s.lo), 0.0f), -1);
    float u = mul32(x, 0x1.6a09e6p-1f);
    float c = mul32(erfcx_positive32(abs32(u)), e);
    float y = PICK(x > 0.0f, sub32(1.0f, c), c);
    y = PICK(a < 0.7f, fma32(0.5f, erf_small32(u), 0.5f), y);
    return PICK(x != x, x, y);
}

// ---- inverses ----
// erfcinv(p) for p in (0, 1/2]: a guess from sqrt(-log p), then one step of Halley's rule on log erfc(y) = log p. On
// the logarithms, since there the error of a step does not grow with y.
INLINE double erfcinv_tail(double p)
{
    double l = log_finite64(p);
    double s = sqrt64(-l);
    double y = mul64(s, PICK(s < 4.0, POLY64(s, ERFCINV_T1), POLY64(s, ERFCINV_T2)));
    struct dd q = product64(y, y);
    double c = erfcx_positive64(y);
    double ratio = exp_sum64(add64(q.hi, l), q.lo, 0); // p exp(y^2)
    double inv = div64(1.0, c);
    double d = mul64(sub64(c, ratio), inv); // small: -log(1 - d) is its series
    double f = mul64(d, POLY64(d, 1.0, 0.5, 0x1.5555555555555p-2, 0.25, 0x1.999999999999ap-3, 0x1.5555555555555p-3));
    double slope = mul64(TWO_OVER_SQRT_PI, inv);
    double n = div64(f, slope);
    return add64(y, div64(n, fma64(mul64(-0.5, n), fma64(2.0, y, -slope), 1.0)));
}

// erfinv(x) for |x| <= 1/2.
INLINE double erfinv_middle(double x)
{
    return mul64(x, POLY64(mul64(x, x), ERFINV_P));
}

double __nv_erfcinv(double x)
{
    bool upper = x > 1.0;
    double p = PICK(upper, sub64(2.0, x), x);
    double y = PICK(p >= 0.5, erfinv_middle(sub64(1.0, x)), sign64(erfcinv_tail(p), PICK(upper, -1.0, 1.0)));
    y = PICK(p == 0.0, PICK(upper, -INF64, INF64), y);
    return PICK(p < 0.0 || x != x, NAN64, y);
}

double __nv_erfinv(double x)
{
    double a = abs64(x);
    double y = PICK(a <= 0.5, erfinv_middle(a), erfcinv_tail(sub64(1.0, a)));
    y = PICK(a == 1.0, INF64, y);
    return PICK(a > 1.0 || x != x, NAN64, sign64(y, x));
}

double __nv_normcdfinv(double x)
{
    double y = __nv_erfcinv(add64(x, x));
    struct dd r = scale64(-y, SQRT2_64, SQRT2_LO_64);
    return PICK(abs64(y) == INF64, -y, add64(r.hi, r.lo));
}

// erfinv(t) where q = 1 - t^2; far: q may be as small as it likes.
INLINE float erfinv_of32(float t, float q, bool far)
{
    struct frac32 v = split32(q, SPLIT_TWO_THIRDS32);
    float f = sub32(v.m, 1.0f);
    float w = -fma32(v.e, LN2_32, add32(f, log1p_rest32(f)));
    float s = sqrt32(w);
    float u = sub32(s, 3.0f), z = sub32(w, 2.5f);
    float p = PICK(w < 5.0f, POLY32(z, ERFINVF_LOW), add32(s, POLY32(u, ERFINVF_MID)));
    if (far) {
        float r = sub32(s, 7.0f);
        p = PICK(s > 4.0f, add32(s, POLY32(r, ERFINVF_FAR)), p);
    }
    return mul32(t, p);
}

float __nv_erfinvf(float x)
{
    float a = abs32(x);
    float y = erfinv_of32(a, fma32(-a, a, 1.0f), false);
    y = PICK(a == 1.0f, INF32, y);
    return PICK((a > 1.0f) | (x != x), NAN32, sign32(y, x));
}

// With t = 1 - x: 1 - t^2 = x (2 - x), of which either form is exact where the other is not.
INLINE float erfcinv_scaled32(float x, float scale)
{
    float t = sub32(1.0f, x);
    float q = PICK(abs32(t) < 0.5f, fma32(-t, t, 1.0f), mul32(x, sub32(2.0f, x)));
    float y = mul32(erfinv_of32(t, q, true), scale);
    y = PICK(x == 0.0f, mul32(scale, INF32), y);
    y = PICK(x == 2.0f, mul32(scale, -INF32), y);
    return PICK((x < 0.0f) | (x > 2.0f) | (x != x), NAN32, y);
}

float __nv_erfcinvf(float x)
{
    return erfcinv_scaled32(x, 1.0f);
}

float __nv_normcdfinvf(float x)
{
    return erfcinv_scaled32(add32(x, x), -0x1.6a09e6p+0f);
}
