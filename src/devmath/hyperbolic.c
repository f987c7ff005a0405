// SPDX-License-Identifier: Apache-2.0
// Hyperbolic functions and their inverses: polynomials near zero, exponentials and logarithms elsewhere, both sides
// computed and one selected.
#include "devmath/kernel.h"

// sinh |x| for |x| >= 1 from E = exp|x| / 2: E - 1/(4E).
float __nv_sinhf(float x)
{
    float a = abs32(x), z = mul32(x, x);
    float small = fma32(mul32(a, z), POLY32(z, SINHF_P), a);
    float e = exp_full32(a, -1);
    float big = sub32(e, div32(0.25f, e));
    return sign32(PICK(a < 1.0f, small, big), x);
}

float __nv_coshf(float x)
{
    float e = exp_full32(abs32(x), -1);
    return add32(e, div32(0.25f, e));
}

HOT float __nv_tanhf(float x)
{
    float a = abs32(x), z = mul32(x, x);
    float small = fma32(mul32(a, z), POLY32(z, TANHF_P), a);
    float e = exp_full32(PICK(a > 20.0f, 40.0f, add32(a, a)), 0);
    float big = sub32(1.0f, div32(2.0f, add32(e, 1.0f)));
    float y = sign32(PICK(a < 0.6f, small, big), x);
    return PICK(x != x, x, y);
}

double __nv_sinh(double x)
{
    double a = abs64(x), z = mul64(x, x);
    double small = fma64(mul64(a, z), POLY64(z, SINH_P), a);
    double e = exp_full64(a, -1);
    double big = sub64(e, div64(0.25, e));
    return sign64(PICK(a < 1.0, small, big), x);
}

double __nv_cosh(double x)
{
    double e = exp_full64(abs64(x), -1);
    return add64(e, div64(0.25, e));
}

HOT double __nv_tanh(double x)
{
    double a = abs64(x), z = mul64(x, x);
    double small = fma64(mul64(a, z), POLY64(z, TANH_P), a);
    double e = exp_full64(PICK(a > 30.0, 60.0, add64(a, a)), 0);
    double big = sub64(1.0, div64(2.0, add64(e, 1.0)));
    double y = sign64(PICK(a < 0.6, small, big), x);
    return PICK(x != x, x, y);
}

// asinh = log1p(a + a^2 / (1 + sqrt(1 + a^2))); beyond 2^30 the square is all there is under the root.
float __nv_asinhf(float x)
{
    float a = abs32(x);
    bool huge = a > 0x1p30f;
    float s = PICK(huge, 1.0f, a);
    float t = add32(s, div32(mul32(s, s), add32(1.0f, sqrt32(fma32(s, s, 1.0f)))));
    float y = PICK(huge, add32(__nv_logf(a), LN2_32), __nv_log1pf(t));
    return sign32(y, x);
}

double __nv_asinh(double x)
{
    double a = abs64(x);
    bool huge = a > 0x1p60;
    double s = PICK(huge, 1.0, a);
    double t = add64(s, div64(mul64(s, s), add64(1.0, sqrt64(fma64(s, s, 1.0)))));
    double y = PICK(huge, add64(__nv_log(a), LN2_64), __nv_log1p(t));
    return sign64(y, x);
}

// acosh = log1p(t + sqrt(2 t + t^2)) with t = x - 1.
float __nv_acoshf(float x)
{
    bool huge = x > 0x1p30f;
    float t = PICK(huge, 1.0f, sub32(x, 1.0f));
    float u = add32(t, sqrt32(fma32(t, t, add32(t, t))));
    float y = PICK(huge, add32(__nv_logf(x), LN2_32), __nv_log1pf(u));
    return PICK(x < 1.0f, NAN32, y);
}

double __nv_acosh(double x)
{
    bool huge = x > 0x1p60;
    double t = PICK(huge, 1.0, sub64(x, 1.0));
    double u = add64(t, sqrt64(fma64(t, t, add64(t, t))));
    double y = PICK(huge, add64(__nv_log(x), LN2_64), __nv_log1p(u));
    return PICK(x < 1.0, NAN64, y);
}

float __nv_atanhf(float x)
{
    float a = abs32(x);
    float y = mul32(0.5f, __nv_log1pf(div32(add32(a, a), sub32(1.0f, a))));
    y = PICK(a < 0x1p-12f, a, y);
    return sign32(y, x);
}

double __nv_atanh(double x)
{
    double a = abs64(x);
    double y = mul64(0.5, __nv_log1p(div64(add64(a, a), sub64(1.0, a))));
    y = PICK(a < 0x1p-27, a, y);
    return sign64(y, x);
}
