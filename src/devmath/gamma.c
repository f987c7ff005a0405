// SPDX-License-Identifier: Apache-2.0
// The gamma function by Lanczos' formula with its power carried in two words, and its logarithm by polynomials that
// have the zeros at 1 and 2 as factors. Arguments on the left go through the reflection formula. Single precision is
// computed in double.
#include "devmath/reduce.h"

#define PI_64     0x1.921fb54442d18p+1
#define LANCZOS_G 6.024680040776729583740234375

// |sin(pi a)| for a >= 0.
INLINE double sinpi_abs(double a)
{
    return abs64(__nv_sinpi(a));
}

// Gamma(x) for x >= 1/2 as two factors, each of which stays finite up to x = 200.
INLINE struct dd gamma_factors(double x)
{
    double c = clamp64(x, 0.5, 250.0);
    double b = LANCZOS_G - 0.5;
    struct dd z = fast_sum64(PICK(c > b, c, b), PICK(c > b, b, c));
    struct dd l = log_double64(z.hi);
    l = fast_sum64(sub64(l.hi, 1.0), add64(add64(sub64(l.hi, add64(sub64(l.hi, 1.0), 1.0)), l.lo), div64(z.lo, z.hi)));
    double k = sub64(c, 0.5);
    double p = mul64(k, l.hi);
    double lo = fma64(k, l.lo, fma64(k, l.hi, -p));
    struct rest64 v = exp_rest64(p); // its power of 2 goes to both factors
    int32_t half = v.e >> 1;
    double m = mul64(add64(1.0, expm1_sum64(v.r, lo)), pow2_64(half));
    double n = POLY64(c, LANCZOS_N), d = POLY64(c, LANCZOS_D);
    return (struct dd){mul64(m, div64(n, d)), pow2_64(v.e - half)};
}

double __nv_tgamma(double x)
{
    double a = abs64(x);
    bool near = a < 0.5;
    struct dd g = gamma_factors(PICK(near, add64(x, 1.0), a));
    // right: the product; near zero: Gamma(x + 1)/x; left: -pi / (x sin(pi x) Gamma(-x))
    double right = mul64(g.hi, g.lo);
    right = PICK(near, div64(right, x), right);
    double s = mul64(mul64(a, sinpi_abs(a)), 1.0);
    double left = div64(div64(div64(PI_64, s), g.hi), g.lo);
    // the sign on the left is that of sin(pi x): negative where floor(x) is odd
    double f = trunc64(a);
    bool even = trunc64(mul64(f, 0.5)) == mul64(f, 0.5);
    left = PICK(even, -left, left);
    double y = PICK(x <= -0.5, left, right);
    y = PICK(a > 200.0, PICK(x > 0.0, INF64, PICK(even, -0.0, 0.0)), y);
    y = PICK(x < 0.0 && f == a, NAN64, y);
    y = PICK(x == 0.0, sign64(INF64, x), y);
    return PICK(x != x, x, y);
}

float __nv_tgammaf(float x)
{
    return (float)__nv_tgamma(x);
}

// lgamma(1 + d) for d in [-1/2, 2]: d (d - 1) R.
INLINE double lgamma_near(double d)
{
    double r;
    if (d < 0.095)
        r = POLY64(d, LGAMMA_A);
    else if (d < 1.0)
        r = POLY64(sub64(d, 0.5), LGAMMA_B);
    else
        r = POLY64(sub64(d, 1.5), LGAMMA_C);
    return mul64(mul64(d, sub64(d, 1.0)), r);
}

// lgamma(a) for a > 0.
INLINE double lgamma_positive(double a)
{
    if (a >= 8.0) {
        double i = div64(1.0, a), z = mul64(i, i);
        double l = log_finite64(PICK(a < INF64, a, 8.0));
        double tail = fma64(i, POLY64(z, STIRLING_P), 0x1.acfe390c97d69p-2); // log(2 pi)/2 - 1/2
        return PICK(a < INF64, fma64(sub64(a, 0.5), sub64(l, 1.0), tail), a);
    }
    if (a < 0.5)
        return sub64(lgamma_near(a), log_finite64(a));
    if (a < 3.0)
        return lgamma_near(sub64(a, 1.0));
    // down to [2, 3): the factors that are taken out have a logarithm of their own
    double p = 1.0, y = a;
    for (int i = 0; i < 5; i++) {
        bool more = y >= 3.0;
        y = PICK(more, sub64(y, 1.0), y);
        p = PICK(more, mul64(p, y), p);
    }
    return add64(log_finite64(p), lgamma_near(sub64(y, 1.0)));
}

double __nv_lgamma(double x)
{
    double a = abs64(x);
    if (x != x)
        return x;
    if (a == 0.0 || a == INF64 || (x < 0.0 && trunc64(x) == x))
        return INF64;
    double y = lgamma_positive(a);
    if (x < 0.0) {
        double s = mul64(a, sinpi_abs(a));
        // log(pi / (a sin(pi a))) - lgamma(a); a tiny a would underflow, and there only -log a remains
        y = PICK(a < 0x1p-60, -log_finite64(a), sub64(log_finite64(div64(PI_64, s)), y));
    }
    return y;
}

float __nv_lgammaf(float x)
{
    return (float)__nv_lgamma(x);
}
