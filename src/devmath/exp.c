// SPDX-License-Identifier: Apache-2.0
// Exponentials: 2^n is taken out by rounding to the nearest n, a polynomial gives the rest, and two multiplications put
// 2^n back so that subnormal results round once. No branches.
#include "devmath/kernel.h"

// expf is the inner loop of much that runs on GPUs, where shifts and integer additions cost twice what a multiply-add does. So
// 4^n is taken out, and 2^n, which is one shift away and always a normal number, put back twice; the polynomial pays a term
// for the wider rest. Beyond the top the rest is not bounded: all its coefficients are positive, so it gives infinity, and a NaN
// stays one.
HOT float __nv_expf(float x)
{
    float c = PICK(x < -105.0f, -105.0f, x);
    float t = fma32(less32(c, 90.0f), 0.5f * LOG2E_32, MAGIC32 + 127.0f);
    float j = sub32(t, MAGIC32 + 127.0f);
    float r = fma32(-j, 2.0f * LN2_SHORT_LO_32, fma32(-j, 2.0f * LN2_SHORT_32, c));
    float p = fma32(r, POLY32(r, EXPF_WIDE), 1.0f);
    float s = as_f32(as_u32(t) << 23);
    return mul32(mul32(p, s), s);
}

HOT double __nv_exp(double x)
{
    return exp_full64(x, 0);
}

HOT float __nv_exp2f(float x)
{
    float c = clamp32(x, -151.0f, 129.0f);
    float t = add32(c, MAGIC32);
    float r = sub32(c, sub32(t, MAGIC32));
    float p = fma32(r, POLY32(r, EXP2F_Q), 1.0f);
    return scale_pow2_32(p, (int32_t)(as_u32(t) - as_u32(MAGIC32)));
}

HOT double __nv_exp2(double x)
{
    double c = clamp64(x, -1077.0, 1025.0);
    double t = add64(c, MAGIC64);
    double r = sub64(c, sub64(t, MAGIC64));
    struct dd s = scale64(r, LN2_64, LN2_LO_64);
    return scale_pow2_64(add64(1.0, expm1_sum64(s.hi, s.lo)), (int32_t)(uint32_t)as_u64(t));
}

HOT float __nv_exp10f(float x)
{
    float c = clamp32(x, -46.0f, 39.0f);
    float t = fma32(c, 0x1.a934f0p+1f, MAGIC32);
    float j = sub32(t, MAGIC32);
    float r = fma32(-j, -0x1.ec10c0p-27f, fma32(-j, 0x1.344136p-2f, c)); // c - j log10(2)
    struct ff s = scale32(r, 0x1.26bb1cp+1f, -0x1.12aabap-25f);          // times ln 10
    return scale_pow2_32(add32(1.0f, expm1_sum32(s.hi, s.lo)), (int32_t)(as_u32(t) - as_u32(MAGIC32)));
}

HOT double __nv_exp10(double x)
{
    double c = clamp64(x, -325.0, 310.0);
    double t = fma64(c, 0x1.a934f0979a371p+1, MAGIC64);
    double j = sub64(t, MAGIC64);
    double r = fma64(-j, -0x1.9dc1da994fd21p-59, fma64(-j, 0x1.34413509f79ffp-2, c));
    struct dd s = scale64(r, 0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53);
    return scale_pow2_64(add64(1.0, expm1_sum64(s.hi, s.lo)), (int32_t)(uint32_t)as_u64(t));
}

// expm1 = 2^e (1 + r + tail) - 1 = 2 ((2^(e-1) r + (2^(e-1) - 1/2)) + 2^(e-1) tail), which cannot overflow before the
// result does.
float __nv_expm1f(float x)
{
    struct rest32 v = exp_rest32(clamp32(x, -30.0f, 89.0f));
    float t = expm1_tail32(v.r);
    float s = pow2_32(offset(v.e, -1));
    float y = fma32(s, t, fma32(s, v.r, sub32(s, 0.5f)));
    y = PICK(v.e == 0, add32(v.r, t), add32(y, y));
    return PICK(abs32(x) < 0x1p-25f, x, y);
}

double __nv_expm1(double x)
{
    struct rest64 v = exp_rest64(clamp64(x, -60.0, 710.0));
    double t = expm1_tail64(v.r);
    double s = pow2_64(offset(v.e, -1));
    double y = fma64(s, t, fma64(s, v.r, sub64(s, 0.5)));
    y = PICK(v.e == 0, add64(v.r, t), add64(y, y));
    return PICK(abs64(x) < 0x1p-54, x, y);
}
