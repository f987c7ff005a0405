// SPDX-License-Identifier: Apache-2.0
// The approximate functions, each within the error that the PTX manual gives: polynomials (minimax, fitted for this
// file) after exact range reduction, without branches.
#include "lib.h"
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

// 2^f for f in [-1/2, 1/2], and 1 for 0
INLINE(float) exp2_part(float f)
{
    float p = 0.00015594678163909992f;
    p = __builtin_fmaf(p, f, 0.0013406643902143134f);
    p = __builtin_fmaf(p, f, 0.009617692972981859f);
    p = __builtin_fmaf(p, f, 0.05550310551014478f);
    p = __builtin_fmaf(p, f, 0.24022652782887868f);
    p = __builtin_fmaf(p, f, 0.6931472149680274f);
    return __builtin_fmaf(p, f, 1.0f);
}

// 2^r for r in [-1, 1], exact for -1, 0 and 1
INLINE(float) exp2_wide(float r)
{
    float p = 1.50545357e-05f;
    p = __builtin_fmaf(p, r, 0.000156646973f);
    p = __builtin_fmaf(p, r, 0.001333953f);
    p = __builtin_fmaf(p, r, 0.0096166078f);
    p = __builtin_fmaf(p, r, 0.0555037521f);
    p = __builtin_fmaf(p, r, 0.240226746f);
    p = __builtin_fmaf(p, r, 0.693147242f);
    return __builtin_fmaf(p, r, 1.0f);
}

// 2^x = 2^(x - 2j) * 2^j * 2^j, with j the integer nearest to x/2: one shift makes the factor, which is always normal, and the polynomial
// pays a term for the wider rest. The first product is exact, so that subnormal results are rounded once.
FN(float) heddle_ex2_approx_f32(float x)
{
    float c = x > 129.0f ? 129.0f : x;
    c = c < -151.0f ? -151.0f : c;
    float t = __builtin_fmaf(c, 0.5f, 12582912.0f + 127.0f); // rounds to an integer, found in the low bits
    float r = __builtin_fmaf(t - (12582912.0f + 127.0f), -2.0f, c);
    float s = float32(bits32(t) << 23);
    return exp2_wide(r) * s * s;
}

// With subnormals flushed 2^n goes into the exponent.
FN(float) heddle_ex2_approx_ftz_f32(float x)
{
    float c = x > 128.0f ? 128.0f : x;
    c = c < -127.0f ? -127.0f : c;
    float t = c + 12582912.0f;
    float r = float32(bits32(exp2_part(c - (t - 12582912.0f))) + (bits32(t) << 23));
    r = x < 128.0f ? r : x * __builtin_inff(); // infinity, or the NaN
    return x < -126.0f ? 0.0f : r;
}

// log2(x) = e + log2(1 + t), 1 + t in [sqrt(1/2), sqrt(2)); plus `add`
INLINE(float) log2_normal(float x, float add)
{
    uint32_t u = bits32(x);
    int32_t e = (int32_t)(u - 0x3f3504f3u) >> 23;
    float t = float32(u - ((uint32_t)e << 23)) - 1.0f;
    float p = -0.10994953679006549f;
    p = __builtin_fmaf(p, t, 0.18617494434614343f);
    p = __builtin_fmaf(p, t, -0.19106275137108586f);
    p = __builtin_fmaf(p, t, 0.20460062212057267f);
    p = __builtin_fmaf(p, t, -0.23961740433502443f);
    p = __builtin_fmaf(p, t, 0.28856740830008076f);
    p = __builtin_fmaf(p, t, -0.36069664937238055f);
    p = __builtin_fmaf(p, t, 0.4808982410580091f);
    p = __builtin_fmaf(p, t, -0.72134735150101f);
    p = __builtin_fmaf(p, t, 1.4426950408299393f);
    return __builtin_fmaf(p, t, (float)e + add);
}

FN(float) heddle_lg2_approx_f32(float x)
{
    bool tiny = x < 0x1p-126f;
    float r = log2_normal(tiny ? x * 0x1p23f : x, tiny ? -23.0f : 0.0f);
    r = x == __builtin_inff() ? x : r;
    r = x == 0 ? -__builtin_inff() : r;
    return x >= 0 ? r : GPU_NAN;
}

FN(float) heddle_lg2_approx_ftz_f32(float x)
{
    float r = log2_normal(x, 0.0f);
    r = x == __builtin_inff() ? x : r;
    r = x < 0x1p-126f ? -__builtin_inff() : r;
    return x > -0x1p-126f ? r : GPU_NAN;
}

// sin of r in [-pi/2, pi/2]
INLINE(float) sine(float r)
{
    float z = r * r;
    float p = 2.6052249167331454e-06f;
    p = __builtin_fmaf(p, z, -0.000198090752916946f);
    p = __builtin_fmaf(p, z, 0.008333051063451214f);
    p = __builtin_fmaf(p, z, -0.16666657991914097f);
    return __builtin_fmaf(p * z, r, r);
}

// x - n * pi, in three parts of pi; far out, where nothing is promised, it stays in range.
INLINE(float) reduced(float x, float n)
{
    float r = __builtin_fmaf(n, -3.140625f, x);
    r = __builtin_fmaf(n, -9.67502593994140625e-4f, r);
    r = __builtin_fmaf(n, -1.509957990978376432e-7f, r);
    r = r > 2.0f ? 2.0f : r;
    return r < -2.0f ? -2.0f : r;
}

INLINE(uint32_t) odd_sign(float n)
{
    float h = n * 0.5f;
    return h != __builtin_floorf(h) ? 0x80000000u : 0;
}

// The sine of -0 is -0: of n a -0 is made +0, so that the sum with x keeps the sign of x, which the polynomial would lose.
FN(float) heddle_sin_approx_f32(float x)
{
    float n = __builtin_roundevenf(x * 0.318309886f) + 0.0f;
    float r = reduced(x, n);
    return float32(bits32(__builtin_copysignf(sine(r), r)) ^ odd_sign(n));
}

// cos(x) = -(-1)^n sin(x - (n + 1/2) pi)
FN(float) heddle_cos_approx_f32(float x)
{
    float n = __builtin_roundevenf(__builtin_fmaf(x, 0.318309886f, -0.5f));
    return float32(bits32(-sine(reduced(x, n + 0.5f))) ^ odd_sign(n));
}

FN(float) heddle_tanh_approx_f32(float x)
{
    float a = __builtin_fabsf(x), z = x * x;
    float p = 0.013819585481013927f;
    p = __builtin_fmaf(p, z, -0.050881292509798365f);
    p = __builtin_fmaf(p, z, 0.1328249675608597f);
    p = __builtin_fmaf(p, z, -0.3333034919706905f);
    float near = __builtin_fmaf(p * z, x, x);
    float far = 1.0f - 2.0f / (heddle_ex2_approx_f32(a * 2.88539008f) + 1.0f);
    return __builtin_copysignf(a < 0.7f ? near : far, x); // `near` loses the sign of -0
}

#if defined(__aarch64__)
// 1/sqrt(x): the processor's estimate, one of its steps, and one Newton step with the residual in one rounding. Where
// the steps make a NaN (0, infinity, negative numbers) the estimate itself is the answer.
FN(float) heddle_rsqrt_approx_f32(float x)
{
    float y0 = vrsqrtes_f32(x);
    float y = y0 * vrsqrtss_f32(x * y0, y0);
    y = __builtin_fmaf(y * 0.5f, __builtin_fmaf(-x * y, y, 1.0f), y);
    return y != y ? y0 : y;
}
#else
// 1/sqrt(x): a first guess from the exponent, three Newton steps, the last with the residual in one rounding.
FN(float) heddle_rsqrt_approx_f32(float x)
{
    bool tiny = x < 0x1p-125f; // half of it, where subnormals are flushed, would be 0
    float s = tiny ? x * 0x1p24f : x, h = 0.5f * s;
    float y = float32(0x5f375a86u - (bits32(s) >> 1));
    y = y * __builtin_fmaf(-h * y, y, 1.5f);
    y = y * __builtin_fmaf(-h * y, y, 1.5f);
    y = __builtin_fmaf(y * 0.5f, __builtin_fmaf(-s * y, y, 1.0f), y);
    y = tiny ? y * 0x1p12f : y;
    y = x == __builtin_inff() ? 0.0f : y;
    y = x == 0 ? __builtin_copysignf(__builtin_inff(), x) : y;
    return x >= 0 ? y : GPU_NAN;
}
#endif

// From an estimate with 14 bits: one Newton step. Where it makes a NaN the estimate itself is the answer.
FN(float) heddle_rsqrt_step_f32(float x, float y0)
{
    float y = __builtin_fmaf(y0 * 0.5f, __builtin_fmaf(-x * y0, y0, 1.0f), y0);
    return y != y ? y0 : y;
}

// The same from an estimate with 12 bits, which is for normal numbers alone: of x, times 2^24 where that is subnormal. A step of third order:
// with h = 1 - x y0^2, 1/sqrt(x) = y0 (1 - h)^(-1/2) = y0 (1 + h/2 + 3/8 h^2 + ...), and what follows is less than h^3/3 < 2^-34.
INLINE(float) scaled(float x)
{
    return x < 0x1p-126f ? x * 0x1p24f : x;
}

FN(float) heddle_rsqrt_scaled_f32(float x)
{
    return scaled(x);
}

FN(float) heddle_rsqrt_short_f32(float x, float y0)
{
    float h = __builtin_fmaf(-scaled(x) * y0, y0, 1.0f);
    float y = __builtin_fmaf(y0 * h, __builtin_fmaf(h, 0.375f, 0.5f), y0);
    y = x < 0x1p-126f ? y * 0x1p12f : y;
    return y != y ? y0 : y;
}

// The f64 forms give 20 bits of fraction in the upper word and flush subnormals.
INLINE(double) upper(double d)
{
    uint64_t u = bits64(d);
    u = u & 0x7ff0000000000000 ? u : u & 0x8000000000000000;
    bool nan = d != d;
    return float64(nan ? 0x7fffffff00000000 : u & 0xffffffff00000000);
}

FN(double) heddle_rcp_approx_f64(double x)
{
    return upper(1.0 / upper(x));
}

FN(double) heddle_rsqrt_approx_f64(double x)
{
    return upper(1.0 / __builtin_sqrt(upper(x)));
}
