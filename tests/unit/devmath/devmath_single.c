// SPDX-License-Identifier: Apache-2.0
// Single precision of the device math library against the C library in double precision: a sweep over bit patterns with
// a large odd stride, and the special values. `unit_devmath_single table [stride]` prints the worst error of each
// function.
#include "devmath_ulp.h"

typedef float float_fn(float);
typedef double double_fn(double);
typedef float float_fn2(float, float);
typedef double double_fn2(double, double);

static double ref_rcbrt(double x)
{
    return 1.0 / cbrt(x);
}
static double ref_rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
static double ref_exp10(double x)
{
    return (double)powl(10.0L, x);
}
static float sincos_s(float x)
{
    float s, c;
    __nv_sincosf(x, &s, &c);
    return s;
}
static float sincos_c(float x)
{
    float s, c;
    __nv_sincosf(x, &s, &c);
    return c;
}

// The documented bound in ulp; where it holds only outside or inside an interval, the arguments that count.
struct row {
    const char *name;
    float_fn *fn;
    double_fn *ref;
    double bound;
    double skip_lo, skip_hi; // arguments not measured
    double limit, absolute;  // beyond the limit an absolute bound holds; 0: none
};

// Functions that the C library lacks are measured against our own double precision, which has its own test.
static const struct row rows[] = {
    {"rsqrtf", __nv_rsqrtf, ref_rsqrt, 2, 0, 0, 0, 0},
    {"frsqrt_rn", __nv_frsqrt_rn, ref_rsqrt, 0, 0, 0, 0, 0},
    {"sqrtf", __nv_sqrtf, sqrt, 0, 0, 0, 0, 0},
    {"cbrtf", __nv_cbrtf, cbrt, 1, 0, 0, 0, 0},
    {"rcbrtf", __nv_rcbrtf, ref_rcbrt, 1, 0, 0, 0, 0},
    {"expf", __nv_expf, exp, 1, 0, 0, 0, 0},
    {"exp2f", __nv_exp2f, exp2, 2, 0, 0, 0, 0},
    {"exp10f", __nv_exp10f, ref_exp10, 2, 0, 0, 0, 0},
    {"expm1f", __nv_expm1f, expm1, 1, 0, 0, 0, 0},
    {"logf", __nv_logf, log, 1, 0, 0, 0, 0},
    {"log2f", __nv_log2f, log2, 1, 0, 0, 0, 0},
    {"log10f", __nv_log10f, log10, 2, 0, 0, 0, 0},
    {"log1pf", __nv_log1pf, log1p, 1, 0, 0, 0, 0},
    {"sinf", __nv_sinf, sin, 2, 0, 0, 0, 0},
    {"cosf", __nv_cosf, cos, 2, 0, 0, 0, 0},
    {"tanf", __nv_tanf, tan, 4, 0, 0, 0, 0},
    {"sincosf.sin", sincos_s, sin, 2, 0, 0, 0, 0},
    {"sincosf.cos", sincos_c, cos, 2, 0, 0, 0, 0},
    {"sinpif", __nv_sinpif, __nv_sinpi, 1, 0, 0, 0, 0},
    {"cospif", __nv_cospif, __nv_cospi, 1, 0, 0, 0, 0},
    {"asinf", __nv_asinf, asin, 2, 0, 0, 0, 0},
    {"acosf", __nv_acosf, acos, 2, 0, 0, 0, 0},
    {"atanf", __nv_atanf, atan, 2, 0, 0, 0, 0},
    {"sinhf", __nv_sinhf, sinh, 3, 0, 0, 0, 0},
    {"coshf", __nv_coshf, cosh, 2, 0, 0, 0, 0},
    {"tanhf", __nv_tanhf, tanh, 2, 0, 0, 0, 0},
    {"asinhf", __nv_asinhf, asinh, 3, 0, 0, 0, 0},
    {"acoshf", __nv_acoshf, acosh, 4, 0, 0, 0, 0},
    {"atanhf", __nv_atanhf, atanh, 3, 0, 0, 0, 0},
    {"erff", __nv_erff, erf, 2, 0, 0, 0, 0},
    {"erfcf", __nv_erfcf, erfc, 4, 0, 0, 0, 0},
    {"erfinvf", __nv_erfinvf, __nv_erfinv, 2, 0, 0, 0, 0},
    {"erfcinvf", __nv_erfcinvf, __nv_erfcinv, 4, 0, 0, 0, 0},
    {"erfcxf", __nv_erfcxf, __nv_erfcx, 4, 0, 0, 0, 0},
    {"normcdff", __nv_normcdff, __nv_normcdf, 5, 0, 0, 0, 0},
    {"normcdfinvf", __nv_normcdfinvf, __nv_normcdfinv, 5, 0, 0, 0, 0},
    {"lgammaf", __nv_lgammaf, lgamma, 6, -10.001, -2.264, 0, 0},
    {"tgammaf", __nv_tgammaf, tgamma, 5, 0, 0, 0, 0},
    {"j0f", __nv_j0f, j0, 9, 0, 0, 8, 2.2e-6},
    {"j1f", __nv_j1f, j1, 9, 0, 0, 8, 2.2e-6},
    {"y0f", __nv_y0f, y0, 9, 0, 0, 8, 2.2e-6},
    {"y1f", __nv_y1f, y1, 9, 0, 0, 8, 2.2e-6},
    {"cyl_bessel_i0f", __nv_cyl_bessel_i0f, __nv_cyl_bessel_i0, 6, 0, 0, 0, 0},
    {"cyl_bessel_i1f", __nv_cyl_bessel_i1f, __nv_cyl_bessel_i1, 6, 0, 0, 0, 0},
    {"ceilf", __nv_ceilf, ceil, 0, 0, 0, 0, 0},
    {"floorf", __nv_floorf, floor, 0, 0, 0, 0, 0},
    {"truncf", __nv_truncf, trunc, 0, 0, 0, 0, 0},
    {"rintf", __nv_rintf, rint, 0, 0, 0, 0, 0},
    {"nearbyintf", __nv_nearbyintf, nearbyint, 0, 0, 0, 0, 0},
    {"roundf", __nv_roundf, round, 0, 0, 0, 0, 0},
    {"logbf", __nv_logbf, logb, 0, 0, 0, 0, 0},
    {"fabsf", __nv_fabsf, fabs, 0, 0, 0, 0, 0},
};

static const float specials[] = {0.0f,          0x1p-149f,
                                 0x1p-126f,     0x1.fffffep-127f,
                                 0x1p-64f,      0x1p-25f,
                                 0x1p-24f,      0x1p-13f,
                                 0x1p-12f,      0.25f,
                                 0.5f,          0x1.000002p-1f,
                                 0.75f,         1.0f,
                                 0x1.000002p0f, 0x1.fffffep-1f,
                                 1.5f,          2.0f,
                                 2.5f,          3.0f,
                                 4.0f,          8.0f,
                                 10.0f,         88.72283f,
                                 88.72284f,     89.41598f,
                                 103.9f,        104.0f,
                                 126.0f,        127.0f,
                                 128.0f,        0x1p23f,
                                 0x1p24f,       0x1p31f,
                                 105000.0f,     105000.01f,
                                 1e10f,         0x1.fffffep127f,
                                 INFINITY,      NAN};

static void measure(const struct row *r, struct worst *w, float x)
{
    float got = r->fn(x);
    float want = (float)r->ref(x);
    if (x > r->skip_lo && x < r->skip_hi)
        return;
    if (r->limit && fabs(x) >= r->limit && got == got) {
        worst_add(w, fabs((double)got - want) <= r->absolute ? 0.0 : FAR, x, 0.0, got, want);
        return;
    }
    worst_add(w, distance32(got, want), x, 0.0, got, want);
}

static void sweep(uint32_t stride)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct worst w = {0};
        for (uint64_t b = i; b < 0x100000000ull; b += stride)
            measure(&rows[i], &w, as_f32((uint32_t)b));
        // the patterns above are spread over all exponents; these are where functions bend
        for (int k = 0; k < 20000; k++)
            measure(&rows[i], &w, (float)random_between(-12.0, 12.0));
        for (int k = 0; k < 20000; k++)
            measure(&rows[i], &w, (float)random_between(-105.0, 105.0));
        for (int k = 0; k < 20000; k++)
            measure(&rows[i], &w, (float)(1.0 + random_between(-0.3, 0.3)));
        for (int k = 1; k < 70000; k++) // nearest to the zeros of sin and cos
            measure(&rows[i], &w, (float)(k * 1.5707963267948966));
        for (size_t k = 0; k < sizeof(specials) / sizeof(specials[0]); k++) {
            measure(&rows[i], &w, specials[k]);
            measure(&rows[i], &w, -specials[k]);
        }
        worst_report(rows[i].name, rows[i].bound, &w);
    }
}

struct row2 {
    const char *name;
    float_fn2 *fn;
    double_fn2 *ref;
    double bound;
};

static double ref_rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}
static double ref_pow(double x, double y)
{
    return (double)powl(x, y);
}

static const struct row2 rows2[] = {
    {"powf", __nv_powf, ref_pow, 4},    {"atan2f", __nv_atan2f, atan2, 3},
    {"hypotf", __nv_hypotf, hypot, 3},  {"rhypotf", __nv_rhypotf, ref_rhypot, 2},
    {"fmodf", __nv_fmodf, fmod, 0},     {"remainderf", __nv_remainderf, remainder, 0},
    {"fdimf", __nv_fdimf, fdim, 0},     {"fmaxf", __nv_fmaxf, fmax, 0},
    {"fminf", __nv_fminf, fmin, 0},     {"copysignf", __nv_copysignf, copysign, 0},
    {"fadd_rn", __nv_fadd_rn, NULL, 0},
};

static void measure2(const struct row2 *r, struct worst *w, float x, float y)
{
    float got = r->fn(x, y);
    float want = r->ref ? (float)r->ref(x, y) : x + y;
    worst_add(w, distance32(got, want), x, y, got, want);
}

// Signalling NaNs are not what is measured.
static float quiet(float x)
{
    return x == x ? x : NAN;
}

static void sweep2(int points)
{
    for (size_t i = 0; i < sizeof(rows2) / sizeof(rows2[0]); i++) {
        struct worst w = {0};
        for (int k = 0; k < points; k++) {
            uint64_t b = random_u64();
            measure2(&rows2[i], &w, quiet(as_f32((uint32_t)b)), quiet(as_f32((uint32_t)(b >> 32))));
            measure2(&rows2[i], &w, (float)random_between(0.0, 10.0), (float)random_between(-30.0, 30.0));
            measure2(&rows2[i], &w, (float)random_between(0.9, 1.1), (float)random_between(-900.0, 900.0));
            measure2(&rows2[i], &w, (float)random_between(-100.0, 100.0), rintf((float)random_between(-20.0, 20.0)));
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

// Norms of three, four and n coordinates.
static void norms(void)
{
    struct worst w3 = {0}, r3 = {0}, w4 = {0}, r4 = {0}, wn = {0};
    for (int k = 0; k < 50000; k++) {
        float v[7];
        int scale = (int)random_between(-60.0, 60.0);
        for (int i = 0; i < 7; i++)
            v[i] = ldexpf((float)random_between(-1.0, 1.0), scale + (int)random_between(-4.0, 4.0));
        double s3 = sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
        double s4 = hypot(s3, v[3]), sn = hypot(s4, hypot(v[4], hypot(v[5], v[6])));
        worst_add(&w3, distance32(__nv_norm3df(v[0], v[1], v[2]), (float)s3), v[0], v[1], 0, s3);
        worst_add(&r3, distance32(__nv_rnorm3df(v[0], v[1], v[2]), (float)(1 / s3)), v[0], v[1], 0, s3);
        worst_add(&w4, distance32(__nv_norm4df(v[0], v[1], v[2], v[3]), (float)s4), v[0], v[1], 0, s4);
        worst_add(&r4, distance32(__nv_rnorm4df(v[0], v[1], v[2], v[3]), (float)(1 / s4)), v[0], v[1], 0, s4);
        worst_add(&wn, distance32(__nv_normf(7, v), (float)sn), v[0], v[1], 0, sn);
        worst_add(&wn, distance32(__nv_rnormf(7, v), (float)(1 / sn)), v[0], v[1], 0, sn);
    }
    worst_report("norm3df", 3, &w3);
    worst_report("rnorm3df", 2, &r3);
    worst_report("norm4df", 3, &w4);
    worst_report("rnorm4df", 2, &r4);
    worst_report("normf, rnormf", 3, &wn);
    CHECK(__nv_norm3df(INFINITY, NAN, 1.0f) == INFINITY && __nv_rnorm3df(INFINITY, NAN, 1.0f) == 0.0f);
}

// Bessel functions of order n: an absolute bound, within which the C library is exact.
static void orders(void)
{
    struct worst j = {0}, y = {0};
    for (int n = 0; n <= 128; n += n < 8 ? 1 : 20) {
        for (int k = 0; k < 200; k++) {
            float x = (float)random_between(0.01, 200.0);
            double dj = fabs(__nv_jnf(n, x) - jn(n, x));
            worst_add(&j, dj <= 2.2e-6 ? 0 : FAR, n, x, __nv_jnf(n, x), jn(n, x));
            double ry = yn(n, x), dy = distance32(__nv_ynf(n, x), (float)ry);
            bool good = x < n ? dy <= ceil(2 + 2.5 * n) : fabs(__nv_ynf(n, x) - ry) <= 2.2e-6 || dy <= 9;
            worst_add(&y, good ? 0 : FAR, n, x, __nv_ynf(n, x), ry);
        }
    }
    worst_report("jnf", 0, &j);
    worst_report("ynf", 0, &y);
}

int main(int argc, char **argv)
{
    print_table = argc > 1 && !strcmp(argv[1], "table");
    uint32_t stride = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : 20011;
    sweep(stride);
    sweep2(40000);
    norms();
    orders();
    return test_summary();
}
