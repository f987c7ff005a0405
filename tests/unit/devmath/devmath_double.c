// SPDX-License-Identifier: Apache-2.0
// Double precision of the device math library against the C library in long double: random arguments of several
// distributions and the special values. `unit_devmath_double table [points]` prints the worst error of each function.
//
// long double has 113 bits on AArch64 and 64 on x86-64; either is enough to round correctly but in one of a thousand
// cases, and a wrong rounding there costs one unit, which no bound here is as small as.
#include "devmath_ulp.h"

typedef long double real;
typedef double double_fn(double);
typedef real real_fn(real);
typedef double double_fn2(double, double);
typedef real real_fn2(real, real);

#define PI_L 3.14159265358979323846264338327950288L

// Rounded to double at once: where long double has 64 bits of fraction, rounding twice would differ.
static real ref_sqrt(real x)
{
    return sqrt((double)x);
}
static real ref_fdim(real x, real y)
{
    return fdim((double)x, (double)y);
}
static real ref_rsqrt(real x)
{
    return 1.0L / sqrtl(x);
}
static real ref_rcbrt(real x)
{
    return 1.0L / cbrtl(x);
}
static real ref_exp10(real x)
{
    return powl(10.0L, x);
}

static real ref_sinpi(real x)
{
    real r = fmodl(x, 2.0L); // exact; then to [-1/2, 1/2] by symmetry
    if (fabsl(r) > 1.5L)
        r -= copysignl(2.0L, r);
    else if (fabsl(r) > 0.5L)
        r = copysignl(1.0L, r) - r;
    return fabsl(r) < 0.25L ? sinl(PI_L * r) : copysignl(cosl(PI_L * (0.5L - fabsl(r))), r);
}
static real ref_cospi(real x)
{
    real r = fabsl(fmodl(x, 2.0L));
    r = r > 1.0L ? 2.0L - r : r;
    return r < 0.25L ? cosl(PI_L * r) : r > 0.75L ? -cosl(PI_L * (1.0L - r)) : sinl(PI_L * (0.5L - r));
}

// exp(x^2 / 2^half) with the square in two words.
static real exp_square(real x, int half, int sign)
{
    if (fabsl(x) > 1e3L)
        return sign < 0 ? 0.0L : INFINITY;
    real hi = x * x, lo = fmal(x, x, -hi);
    return expl(sign * ldexpl(hi, -half)) * (1.0L + sign * ldexpl(lo, -half));
}

// Continued fraction from 2 on, where it converges; the product below.
static real ref_erfcx(real x)
{
    if (x < 2.0L)
        return exp_square(x, 0, 1) * erfcl(x);
    if (x > 1e10L)
        return 1.0L / (x * sqrtl(PI_L));
    real f = x;
    for (int n = 400; n > 0; n--)
        f = x + 0.5L * n / f;
    return 1.0L / (f * sqrtl(PI_L));
}
static real ref_erfc(real x)
{
    return x < 2.0L ? erfcl(x) : exp_square(x, 0, -1) * ref_erfcx(x);
}
static real ref_normcdf(real x)
{
    real a = fabsl(x) * sqrtl(0.5L);
    if (isinf(x))
        return x > 0 ? 1.0L : 0.0L;
    real tail = a > 45.0L ? 0.0L : 0.5L * ref_erfcx(a) * exp_square(x, 1, -1);
    return x > 0 ? 1.0L - tail : tail;
}

// Inverses: Newton steps in long double from the result under test, which they pull to the true one whatever it was.
static real ref_erfcinv(real p)
{
    if (!(p > 0.0L && p < 2.0L))
        return p == 0.0L ? INFINITY : p == 2.0L ? -INFINITY : NAN;
    bool upper = p > 1.0L;
    real q = upper ? 2.0L - p : p, y = fabsl((real)__nv_erfcinv((double)p));
    for (int i = 0; i < 3; i++) {
        real f = q > 0.4L ? (q - 1.0L) + erfl(y) : q * exp_square(y, 0, 1) - ref_erfcx(y);
        real d = q > 0.4L ? f / (2.0L / sqrtl(PI_L) * expl(-y * y)) : f * sqrtl(PI_L) / 2.0L;
        y -= d;
    }
    return upper ? -y : y;
}
static real ref_erfinv(real x)
{
    real a = fabsl(x);
    if (!(a < 1.0L))
        return a == 1.0L ? copysignl(INFINITY, x) : NAN;
    if (a > 0.6L)
        return copysignl(ref_erfcinv(1.0L - a), x);
    real y = __nv_erfinv((double)x);
    for (int i = 0; i < 3; i++)
        y -= (erfl(y) - x) / (2.0L / sqrtl(PI_L) * expl(-y * y));
    return y;
}
static real ref_normcdfinv(real p)
{
    return -sqrtl(2.0L) * ref_erfcinv(2.0L * p);
}

// Power series with positive terms only.
static real ref_bessel_i(real x, int n)
{
    real z = x * x / 4.0L, t = n ? x / 2.0L : 1.0L, s = t;
    if (isinf(x) || x != x)
        return n ? x : fabsl(x);
    for (int k = 1; k < 3000 && fabsl(t) > 1e-40L * fabsl(s); k++) {
        t *= z / ((real)k * (k + n));
        s += t;
    }
    return s;
}
static real ref_i0(real x)
{
    return fabsl(x) > 720.0L ? fabsl(x) * INFINITY : ref_bessel_i(x, 0);
}
static real ref_i1(real x)
{
    return fabsl(x) > 720.0L ? x * INFINITY : ref_bessel_i(x, 1);
}
// Below 8 the C library's Bessel functions of the first kind lose digits next to their zeros; a sum in quadruple precision
// has them all.
#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad;
#else
typedef long double quad;
#endif
static real ref_bessel_j(real x, int n)
{
    quad z = -(quad)x * x / 4, t = n ? (quad)x / 2 : 1, s = t;
    for (int k = 1; k < 80; k++) {
        t *= z / ((quad)k * (k + n));
        s += t;
    }
    return (real)s;
}
static real ref_j0(real x)
{
    return fabsl(x) < 8.0L ? ref_bessel_j(x, 0) : j0l(x);
}
static real ref_j1(real x)
{
    return fabsl(x) < 8.0L ? ref_bessel_j(x, 1) : j1l(x);
}
static double sincos_s(double x)
{
    double s, c;
    __nv_sincos(x, &s, &c);
    return s;
}
static double sincos_c(double x)
{
    double s, c;
    __nv_sincos(x, &s, &c);
    return c;
}

struct row {
    const char *name;
    double_fn *fn;
    real_fn *ref;
    double bound;
    double skip_lo, skip_hi;
    double limit, absolute;
};

static const struct row rows[] = {
    {"rsqrt", __nv_rsqrt, ref_rsqrt, 1, 0, 0, 0, 0},
    {"sqrt", __nv_sqrt, ref_sqrt, 0, 0, 0, 0, 0},
    {"cbrt", __nv_cbrt, cbrtl, 1, 0, 0, 0, 0},
    {"rcbrt", __nv_rcbrt, ref_rcbrt, 1, 0, 0, 0, 0},
    {"exp", __nv_exp, expl, 1, 0, 0, 0, 0},
    {"exp2", __nv_exp2, exp2l, 1, 0, 0, 0, 0},
    {"exp10", __nv_exp10, ref_exp10, 1, 0, 0, 0, 0},
    {"expm1", __nv_expm1, expm1l, 1, 0, 0, 0, 0},
    {"log", __nv_log, logl, 1, 0, 0, 0, 0},
    {"log2", __nv_log2, log2l, 1, 0, 0, 0, 0},
    {"log10", __nv_log10, log10l, 1, 0, 0, 0, 0},
    {"log1p", __nv_log1p, log1pl, 1, 0, 0, 0, 0},
    {"sin", __nv_sin, sinl, 2, 0, 0, 0, 0},
    {"cos", __nv_cos, cosl, 2, 0, 0, 0, 0},
    {"tan", __nv_tan, tanl, 2, 0, 0, 0, 0},
    {"sincos.sin", sincos_s, sinl, 2, 0, 0, 0, 0},
    {"sincos.cos", sincos_c, cosl, 2, 0, 0, 0, 0},
    {"sinpi", __nv_sinpi, ref_sinpi, 2, 0, 0, 0, 0},
    {"cospi", __nv_cospi, ref_cospi, 2, 0, 0, 0, 0},
    {"asin", __nv_asin, asinl, 2, 0, 0, 0, 0},
    {"acos", __nv_acos, acosl, 2, 0, 0, 0, 0},
    {"atan", __nv_atan, atanl, 2, 0, 0, 0, 0},
    {"sinh", __nv_sinh, sinhl, 2, 0, 0, 0, 0},
    {"cosh", __nv_cosh, coshl, 1, 0, 0, 0, 0},
    {"tanh", __nv_tanh, tanhl, 1, 0, 0, 0, 0},
    {"asinh", __nv_asinh, asinhl, 3, 0, 0, 0, 0},
    {"acosh", __nv_acosh, acoshl, 3, 0, 0, 0, 0},
    {"atanh", __nv_atanh, atanhl, 2, 0, 0, 0, 0},
    {"erf", __nv_erf, erfl, 2, 0, 0, 0, 0},
    {"erfc", __nv_erfc, ref_erfc, 5, 0, 0, 0, 0},
    {"erfcx", __nv_erfcx, ref_erfcx, 4, 0, 0, 0, 0},
    {"erfinv", __nv_erfinv, ref_erfinv, 5, 0, 0, 0, 0},
    {"erfcinv", __nv_erfcinv, ref_erfcinv, 6, 0, 0, 0, 0},
    {"normcdf", __nv_normcdf, ref_normcdf, 5, 0, 0, 0, 0},
    {"normcdfinv", __nv_normcdfinv, ref_normcdfinv, 8, 0, 0, 0, 0},
    {"lgamma", __nv_lgamma, lgammal, 4, -23.0001, -2.2637, 0, 0},
    {"tgamma", __nv_tgamma, tgammal, 10, 0, 0, 0, 0},
    {"j0", __nv_j0, ref_j0, 7, 0, 0, 8, 5e-12},
    {"j1", __nv_j1, ref_j1, 7, 0, 0, 8, 5e-12},
    {"y0", __nv_y0, y0l, 7, 0, 0, 8, 5e-12},
    {"y1", __nv_y1, y1l, 7, 0, 0, 8, 5e-12},
    {"cyl_bessel_i0", __nv_cyl_bessel_i0, ref_i0, 6, 0, 0, 0, 0},
    {"cyl_bessel_i1", __nv_cyl_bessel_i1, ref_i1, 6, 0, 0, 0, 0},
    {"ceil", __nv_ceil, ceill, 0, 0, 0, 0, 0},
    {"floor", __nv_floor, floorl, 0, 0, 0, 0, 0},
    {"trunc", __nv_trunc, truncl, 0, 0, 0, 0, 0},
    {"rint", __nv_rint, rintl, 0, 0, 0, 0, 0},
    {"nearbyint", __nv_nearbyint, nearbyintl, 0, 0, 0, 0, 0},
    {"round", __nv_round, roundl, 0, 0, 0, 0, 0},
    {"logb", __nv_logb, logbl, 0, 0, 0, 0, 0},
    {"fabs", __nv_fabs, fabsl, 0, 0, 0, 0, 0},
};

static const double specials[] = {0.0,
                                  0x1p-1074,
                                  0x1p-1022,
                                  0x1.fffffffffffffp-1023,
                                  0x1p-500,
                                  0x1p-60,
                                  0x1p-54,
                                  0x1p-53,
                                  0x1p-27,
                                  0x1p-26,
                                  0.25,
                                  0.5,
                                  0.75,
                                  1.0,
                                  1.5,
                                  2.0,
                                  2.5,
                                  3.0,
                                  4.0,
                                  8.0,
                                  10.0,
                                  0x1.fffffffffffffp-1,
                                  0x1.0000000000001p0,
                                  100.0,
                                  170.0,
                                  171.6,
                                  171.7,
                                  184.0,
                                  300.0,
                                  308.0,
                                  600.0,
                                  709.7,
                                  709.79,
                                  710.4,
                                  745.1,
                                  745.2,
                                  1023.0,
                                  1024.0,
                                  1074.0,
                                  1075.0,
                                  0x1p28,
                                  0x1.0000000000001p28,
                                  0x1p31,
                                  0x1p52,
                                  0x1p53,
                                  1e22,
                                  1e300,
                                  6381956970095103.0 * 0x1p797,
                                  0x1.fffffffffffffp1023,
                                  INFINITY,
                                  NAN};

static void measure(const struct row *r, struct worst *w, double x)
{
    if (x > r->skip_lo && x < r->skip_hi)
        return;
    double got = r->fn(x);
    double want = (double)r->ref(x);
    if (r->limit && fabs(x) >= r->limit && got == got) {
        // the C library may lose its way for huge arguments; the phase is then ours alone to know
        if (fabs(x) < 1e8)
            worst_add(w, fabs(got - want) <= r->absolute ? 0.0 : FAR, x, 0.0, got, want);
        return;
    }
    worst_add(w, distance64(got, want), x, 0.0, got, want);
}

static double any_double(void)
{
    double x = as_f64(random_u64());
    return x == x ? x : NAN;
}

static void sweep(int points)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct worst w = {0};
        for (int k = 0; k < points; k++) {
            measure(&rows[i], &w, any_double());
            measure(&rows[i], &w, random_between(-2.0, 2.0));
            measure(&rows[i], &w, random_between(-10.0, 10.0));
            measure(&rows[i], &w, random_between(-750.0, 750.0));
            measure(&rows[i], &w, ldexp(random_between(-1.0, 1.0), (int)random_between(-60.0, 60.0)));
            measure(&rows[i], &w, 1.0 + random_between(-0.1, 0.1));
            measure(&rows[i], &w, exp(random_between(-740.0, 0.0)));
            measure(&rows[i], &w, rint(random_between(-1e6, 1e6)) * 1.5707963267948966);
        }
        for (size_t k = 0; k < sizeof(specials) / sizeof(specials[0]); k++) {
            measure(&rows[i], &w, specials[k]);
            measure(&rows[i], &w, -specials[k]);
        }
        worst_report(rows[i].name, rows[i].bound, &w);
    }
}

struct row2 {
    const char *name;
    double_fn2 *fn;
    real_fn2 *ref;
    double bound;
};

static real ref_rhypot(real x, real y)
{
    return 1.0L / hypotl(x, y);
}

static const struct row2 rows2[] = {
    {"pow", __nv_pow, powl, 2},       {"atan2", __nv_atan2, atan2l, 2},
    {"hypot", __nv_hypot, hypotl, 2}, {"rhypot", __nv_rhypot, ref_rhypot, 1},
    {"fmod", __nv_fmod, fmodl, 0},    {"remainder", __nv_remainder, remainderl, 0},
    {"fdim", __nv_fdim, ref_fdim, 0}, {"fmax", __nv_fmax, fmaxl, 0},
    {"fmin", __nv_fmin, fminl, 0},    {"copysign", __nv_copysign, copysignl, 0},
};

static void measure2(const struct row2 *r, struct worst *w, double x, double y)
{
    double got = r->fn(x, y), want = (double)r->ref(x, y);
    worst_add(w, distance64(got, want), x, y, got, want);
}

static void sweep2(int points)
{
    for (size_t i = 0; i < sizeof(rows2) / sizeof(rows2[0]); i++) {
        struct worst w = {0};
        for (int k = 0; k < points; k++) {
            measure2(&rows2[i], &w, any_double(), any_double());
            measure2(&rows2[i], &w, random_between(0.0, 10.0), random_between(-300.0, 300.0));
            measure2(&rows2[i], &w, random_between(0.9, 1.1), random_between(-7000.0, 7000.0));
            measure2(&rows2[i], &w, random_between(-100.0, 100.0), rint(random_between(-150.0, 150.0)));
        }
        for (size_t k = 0; k < sizeof(specials) / sizeof(specials[0]); k++) {
            for (size_t l = 0; l < sizeof(specials) / sizeof(specials[0]); l++) {
                for (int sign = 0; sign < 4; sign++)
                    measure2(&rows2[i], &w, sign & 1 ? -specials[k] : specials[k],
                             sign & 2 ? -specials[l] : specials[l]);
            }
        }
        worst_report(rows2[i].name, rows2[i].bound, &w);
    }
}

static void norms(int points)
{
    struct worst w3 = {0}, r3 = {0}, w4 = {0}, r4 = {0}, wn = {0};
    for (int k = 0; k < points; k++) {
        double v[7];
        int scale = (int)random_between(-900.0, 900.0);
        for (int i = 0; i < 7; i++)
            v[i] = ldexp(random_between(-1.0, 1.0), scale + (int)random_between(-4.0, 4.0));
        real s3 = hypotl(hypotl(v[0], v[1]), v[2]), s4 = hypotl(s3, v[3]);
        real sn = hypotl(s4, hypotl(v[4], hypotl(v[5], v[6])));
        worst_add(&w3, distance64(__nv_norm3d(v[0], v[1], v[2]), (double)s3), v[0], v[1], 0, (double)s3);
        worst_add(&r3, distance64(__nv_rnorm3d(v[0], v[1], v[2]), (double)(1 / s3)), v[0], v[1], 0, (double)s3);
        worst_add(&w4, distance64(__nv_norm4d(v[0], v[1], v[2], v[3]), (double)s4), v[0], v[1], 0, (double)s4);
        worst_add(&r4, distance64(__nv_rnorm4d(v[0], v[1], v[2], v[3]), (double)(1 / s4)), v[0], v[1], 0, (double)s4);
        worst_add(&wn, distance64(__nv_norm(7, v), (double)sn), v[0], v[1], 0, (double)sn);
        worst_add(&wn, distance64(__nv_rnorm(7, v), (double)(1 / sn)), v[0], v[1], 0, (double)sn);
    }
    worst_report("norm3d", 1, &w3);
    worst_report("rnorm3d", 1, &r3);
    worst_report("norm4d", 1, &w4);
    worst_report("rnorm4d", 1, &r4);
    worst_report("norm, rnorm", 1, &wn);
}

static void orders(void)
{
    struct worst j = {0}, y = {0};
    for (int n = 0; n <= 128; n += n < 8 ? 1 : 20) {
        for (int k = 0; k < 100; k++) {
            double x = random_between(0.01, 200.0);
            double rj = (double)jnl(n, x), ry = (double)ynl(n, x), gj = __nv_jn(n, x), gy = __nv_yn(n, x);
            worst_add(&j, fabs(gj - rj) <= 5e-12 ? 0 : FAR, n, x, gj, rj);
            bool good = fabs(gy - ry) <= 5e-12 || distance64(gy, ry) <= ceil(2 + 2.5 * n);
            worst_add(&y, good ? 0 : FAR, n, x, gy, ry);
        }
    }
    // Orders far above the argument, at once: the function is below all numbers.
    CHECK(__nv_jn(INT32_MAX, 2.5) == 0 && __nv_jn(INT32_MAX, -1e9) == 0 && __nv_jn(2000, 1000.0) == 0);
    worst_report("jn", 0, &j);
    worst_report("yn", 0, &y);
}

int main(int argc, char **argv)
{
    print_table = argc > 1 && !strcmp(argv[1], "table");
    int points = argc > 2 ? atoi(argv[2]) : 2000;
    sweep(points);
    sweep2(points);
    norms(points);
    orders();
    return test_summary();
}
