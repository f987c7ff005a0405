// SPDX-License-Identifier: Apache-2.0
// Bessel functions. Below 8 each piece is a polynomial that has the zero in its interval as a factor, so that it stays
// accurate there; above, amplitude and phase. Orders n by recurrence: upwards where that is stable, else downwards.
// Single precision is computed in double.
#include "devmath/reduce.h"

#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define Y0_LOG_Z1   -0x1.cce4b73e6f025p-4 // log of the first zeros of Y0 and Y1
#define Y1_LOG_Z1   0x1.930641fe98869p-1
#define PIO4_64     0x1.921fb54442d18p-1
#define PIO4_LO_64  0x1.1a62633145c07p-55

// x minus a zero that is known in two words.
#define FROM(x, zero) sub64(sub64(x, zero##_HI), zero##_LO)

// x^2 minus the square of a zero.
#define FROM_SQUARE(x, zero) mul64(FROM(x, zero), add64(x, zero##_HI))

// For x >= 8: J_n = w cos(t), Y_n = w sin(t); the angle as a reduced one.
struct wave {
    double w, hi;
    uint32_t q;
};

INLINE struct wave wave_at(double x, int n)
{
    double i = div64(1.0, x), z = mul64(i, i);
    double amp = n ? POLY64(z, J1_AMP) : POLY64(z, J0_AMP);
    double phase = mul64(i, n ? POLY64(z, J1_PHASE) : POLY64(z, J0_PHASE));
    struct angle64 a = reduce64(x);
    double t = add64(sub64(a.hi, PIO4_64), add64(sub64(a.lo, PIO4_LO_64), phase));
    bool low = t < -PIO4_64;
    t = low ? add64(t, 2.0 * PIO4_64) : t;
    return (struct wave){mul64(amp, sqrt64(mul64(TWO_OVER_PI, i))), t, a.q - (low ? 1u : 0u) - (uint32_t)n};
}

INLINE double wave_value(struct wave v, uint32_t q)
{
    double s = sin_small64(v.hi, 0.0).hi, c = cos_small64(v.hi, 0.0).hi;
    return mul64(v.w, flip64(q & 1 ? c : s, q));
}

static double j0_positive(double a)
{
    double t;
    if (a < 4.0)
        return mul64(FROM_SQUARE(a, J0_Z1), POLY64(mul64(a, a), J0_A));
    if (a < 8.0) {
        t = FROM(a, J0_Z2);
        return mul64(t, POLY64(t, J0_B));
    }
    if (a == INF64)
        return 0.0;
    struct wave v = wave_at(a, 0);
    return wave_value(v, v.q + 1);
}

static double j1_positive(double a)
{
    double t;
    if (a < 4.5)
        return mul64(mul64(a, FROM_SQUARE(a, J1_Z1)), POLY64(mul64(a, a), J1_A));
    if (a < 8.0) {
        t = FROM(a, J1_Z2);
        return mul64(t, POLY64(t, J1_B));
    }
    if (a == INF64)
        return 0.0;
    struct wave v = wave_at(a, 1);
    return wave_value(v, v.q + 1);
}

double __nv_j0(double x)
{
    return x != x ? x : j0_positive(abs64(x));
}

double __nv_j1(double x)
{
    double y = j1_positive(abs64(x));
    return x != x ? x : (x < 0.0 ? -y : y);
}

// log(x / z), accurate near the zero z too.
#define LOG_RATIO(x, zero, log_zero)                                                                                   \
    (x > 0.5 * zero##_HI ? __nv_log1p(div64(FROM(x, zero), zero##_HI)) : sub64(log_finite64(x), log_zero))

// 2/pi log(x/z) J0 + (x^2 - z^2) T: both terms vanish at the zero.
static double y0_positive(double x)
{
    double t;
    if (x < 2.4) {
        double l = LOG_RATIO(x, Y0_Z1, Y0_LOG_Z1);
        t = mul64(FROM_SQUARE(x, Y0_Z1), POLY64(mul64(x, x), Y0_A));
        return fma64(mul64(TWO_OVER_PI, l), j0_positive(x), t);
    }
    if (x < 5.5) {
        t = FROM(x, Y0_Z2);
        return mul64(t, POLY64(t, Y0_B));
    }
    if (x < 8.0) {
        t = FROM(x, Y0_Z3);
        return mul64(t, POLY64(t, Y0_C));
    }
    if (x == INF64)
        return 0.0;
    struct wave v = wave_at(x, 0);
    return wave_value(v, v.q);
}

static double y1_positive(double x)
{
    double t;
    if (x < 3.7) {
        double l = LOG_RATIO(x, Y1_Z1, Y1_LOG_Z1);
        double pole = div64(TWO_OVER_PI / (Y1_Z1_HI * Y1_Z1_HI), x);
        t = mul64(FROM_SQUARE(x, Y1_Z1), fma64(x, POLY64(mul64(x, x), Y1_A), pole));
        return fma64(mul64(TWO_OVER_PI, l), j1_positive(x), t);
    }
    if (x < 7.0) {
        t = FROM(x, Y1_Z2);
        return mul64(t, POLY64(t, Y1_B));
    }
    if (x < 8.0) {
        t = FROM(x, Y1_Z3);
        return mul64(t, POLY64(t, Y1_C));
    }
    if (x == INF64)
        return 0.0;
    struct wave v = wave_at(x, 1);
    return wave_value(v, v.q);
}

double __nv_y0(double x)
{
    if (x != x || x < 0.0)
        return NAN64;
    return x == 0.0 ? -INF64 : y0_positive(x);
}

double __nv_y1(double x)
{
    if (x != x || x < 0.0)
        return NAN64;
    return x == 0.0 ? -INF64 : y1_positive(x);
}

// Downwards from an order so high that the start does not matter, scaled by J0 + 2 (J2 + J4 + ...) = 1.
static double jn_down(int n, double x)
{
    int64_t m = 2 * (((int64_t)n + 20 + (int64_t)sqrt64(mul64(60.0, n))) / 2);
    double next = 0.0, here = 0x1p-900, sum = 0.0, found = 0.0;
    double step = div64(2.0, x);
    for (int64_t k = m; k > 0; k--) {
        double prev = sub64(mul64(mul64(k, step), here), next);
        next = here;
        here = prev;
        if (abs64(here) > 0x1p300) {
            here = mul64(here, 0x1p-600);
            next = mul64(next, 0x1p-600);
            sum = mul64(sum, 0x1p-600);
            found = mul64(found, 0x1p-600);
        }
        sum = (k - 1) % 2 == 0 && k > 1 ? add64(sum, here) : sum;
        found = k - 1 == n ? here : found;
    }
    return div64(found, add64(add64(sum, sum), here));
}

double __nv_jn(int n, double x)
{
    if (n < 0)
        return NAN64;
    double a = abs64(x);
    if (n == 0)
        return __nv_j0(x);
    if (x != x || a == 0.0 || a == INF64)
        return x != x ? x : 0.0;
    double y;
    if (n == 1) {
        y = j1_positive(a);
    } else if (a > n) {
        double before = j0_positive(a), step = div64(2.0, a);
        y = j1_positive(a);
        for (int k = 1; k < n; k++) {
            double after = sub64(mul64(mul64(k, step), y), before);
            before = y;
            y = after;
        }
    } else if (n >= 2000 && a <= mul64(0.5, n)) {
        y = 0.0; // at most (a / 2)^n / n!, less than (e / 4)^n, which is below half of the least double
    } else {
        y = jn_down(n, a);
    }
    return x < 0.0 && (n & 1) ? -y : y;
}

double __nv_yn(int n, double x)
{
    if (n < 0 || x != x || x < 0.0)
        return NAN64;
    if (n == 0)
        return __nv_y0(x);
    if (x == 0.0)
        return -INF64;
    if (x == INF64)
        return 0.0;
    double before = y0_positive(x), y = y1_positive(x), step = div64(2.0, x);
    for (int k = 1; k < n && y != -INF64; k++) {
        double after = sub64(mul64(mul64(k, step), y), before);
        before = y;
        y = after;
    }
    return y;
}

// Modified functions: exp(x) is applied in two halves, since it overflows before they do.
double __nv_cyl_bessel_i0(double x)
{
    double a = abs64(x);
    if (a < 8.0)
        return POLY64(mul64(a, a), I0_A);
    double i = div64(1.0, a), e = exp_full64(mul64(0.5, a), 0);
    return a == INF64 ? a : mul64(mul64(mul64(POLY64(sub64(i, 0.0625), I0_B), sqrt64(i)), e), e);
}

double __nv_cyl_bessel_i1(double x)
{
    double a = abs64(x), y;
    if (a < 8.0) {
        y = mul64(a, POLY64(mul64(a, a), I1_A));
    } else {
        double i = div64(1.0, a), e = exp_full64(mul64(0.5, a), 0);
        y = a == INF64 ? a : mul64(mul64(mul64(POLY64(sub64(i, 0.0625), I1_B), sqrt64(i)), e), e);
    }
    return sign64(y, x);
}

float __nv_j0f(float x)
{
    return (float)__nv_j0(x);
}

float __nv_j1f(float x)
{
    return (float)__nv_j1(x);
}

float __nv_jnf(int n, float x)
{
    return (float)__nv_jn(n, x);
}

float __nv_y0f(float x)
{
    return (float)__nv_y0(x);
}

float __nv_y1f(float x)
{
    return (float)__nv_y1(x);
}

float __nv_ynf(int n, float x)
{
    return (float)__nv_yn(n, x);
}

float __nv_cyl_bessel_i0f(float x)
{
    return (float)__nv_cyl_bessel_i0(x);
}

float __nv_cyl_bessel_i1f(float x)
{
    return (float)__nv_cyl_bessel_i1(x);
}
