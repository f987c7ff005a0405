// SPDX-License-Identifier: Apache-2.0
// Logarithms. Single precision: x = 2^e (1 + f) with f in [-1/3, 1/3) and a polynomial in f. Double precision: the
// series in (m - 1)/(m + 1), its first term carried with extra digits. No branches; the special arguments are selected
// at the end.
#include "devmath/kernel.h"

HOT float __nv_logf(float x)
{
    struct frac32 v = split32(x, SPLIT_TWO_THIRDS32);
    float f = sub32(v.m, 1.0f);
    float y = fma32(mul32(f, POLY32(f, LOGF_Q)), f, f);
    return log_special32(x, fma32(v.e, LN2_32, y));
}

HOT float __nv_log2f(float x)
{
    struct frac32 v = split32(x, SPLIT_TWO_THIRDS32);
    float f = sub32(v.m, 1.0f);
    float r = mul32(log1p_rest32(f), LOG2E_32);
    struct ff p = scale32(f, LOG2E_32, LOG2E_LO_32);
    struct ff s = fast_sum32(v.e, p.hi);
    return log_special32(x, add32(s.hi, add32(r, add32(s.lo, p.lo))));
}

// Here e log10(2) may cancel most of the rest, so the first terms are added exactly.
HOT float __nv_log10f(float x)
{
    struct frac32 v = split32(x, SPLIT_TWO_THIRDS32);
    float f = sub32(v.m, 1.0f);
    float r = mul32(log1p_rest32(f), 0x1.bcb7b2p-2f);
    struct ff p = scale32(f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f); // f log10(e)
    struct ff s = fast_sum32(mul32(v.e, 0x1.344p-2f), p.hi);    // log10(2), short
    float lo = add32(fma32(v.e, 0x1.3509f8p-18f, r), add32(s.lo, p.lo));
    return log_special32(x, add32(s.hi, lo));
}

// 2^-e (1 + x) - 1 is computed exactly but for one rounding, so no digits of a small x are lost.
HOT float __nv_log1pf(float x)
{
    float u = add32(1.0f, x);
    int32_t e = (int32_t)(as_u32(u) - SPLIT_TWO_THIRDS32) >> 23;
    bool big = e > 64; // there 2^-e itself no longer counts, and might not be a normal number
    float s = pow2_32(big ? 64 - e : -e);
    float v = PICK(big, mul32(x, 0x1p-64f), x), c = sub32(PICK(big, 0.0f, s), 1.0f);
    float f = fma32(v, s, c);
    float lo = fma32(v, s, sub32(c, f)); // what that rounding lost
    f = PICK(e == 0, x, f);
    lo = PICK(e == 0, 0.0f, lo);
    float r = add32(log1p_rest32(f), lo);
    struct ff h = fast_sum32(mul32(e, LN2_SHORT_32), f);
    float y = add32(h.hi, add32(fma32(e, LN2_SHORT_LO_32, r), h.lo));
    y = log_special32(u, y);
    return PICK(abs32(x) < 0x1p-25f, x, y);
}

HOT double __nv_log(double x)
{
    return log_special64(x, log_finite64(x));
}

HOT double __nv_log2(double x)
{
    struct frac64 v = split64(x, SPLIT_SQRT_HALF64);
    struct dd l = log1p_core64(sub64(v.m, 1.0));
    struct dd p = scale64(l.hi, LOG2E_64, LOG2E_LO_64);
    p.lo = fma64(l.lo, LOG2E_64, p.lo);
    struct dd s = fast_sum64(v.e, p.hi);
    return log_special64(x, add64(s.hi, add64(s.lo, p.lo)));
}

HOT double __nv_log10(double x)
{
    struct frac64 v = split64(x, SPLIT_SQRT_HALF64);
    struct dd l = log1p_core64(sub64(v.m, 1.0));
    struct dd p = scale64(l.hi, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
    p.lo = fma64(l.lo, 0x1.bcb7b1526e50ep-2, p.lo);
    struct dd s = fast_sum64(mul64(v.e, 0x1.34413508p-2), p.hi);
    double lo = fma64(v.e, 0x1.f79fef311f12bp-34, p.lo);
    return log_special64(x, add64(s.hi, add64(s.lo, lo)));
}

double __nv_log1p(double x)
{
    double u = add64(1.0, x);
    int32_t e = (int32_t)((int64_t)(as_u64(u) - SPLIT_SQRT_HALF64) >> 52);
    bool big = e > 64;
    double s = pow2_64(big ? 64 - e : -e);
    double f = fma64(PICK(big, mul64(x, 0x1p-64), x), s, sub64(PICK(big, 0.0, s), 1.0));
    f = PICK(e == 0, x, f);
    double y = log_special64(u, log_join64(f, e));
    return PICK(abs64(x) < 0x1p-54, x, y);
}
