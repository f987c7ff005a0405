// SPDX-License-Identifier: Apache-2.0
// Rounding to integers, the parts of a floating-point number, and what needs no arithmetic: all exact.
#include "devmath/devmath.h"

HOT float __nv_ceilf(float x)
{
    return __builtin_ceilf(x);
}

HOT double __nv_ceil(double x)
{
    return __builtin_ceil(x);
}

HOT float __nv_floorf(float x)
{
    return __builtin_floorf(x);
}

HOT double __nv_floor(double x)
{
    return __builtin_floor(x);
}

HOT float __nv_truncf(float x)
{
    return trunc32(x);
}

HOT double __nv_trunc(double x)
{
    return trunc64(x);
}

HOT float __nv_rintf(float x)
{
    return rint32(x);
}

HOT double __nv_rint(double x)
{
    return rint64(x);
}

HOT float __nv_nearbyintf(float x)
{
    return rint32(x);
}

HOT double __nv_nearbyint(double x)
{
    return rint64(x);
}

HOT float __nv_roundf(float x)
{
    return __builtin_roundf(x);
}

HOT double __nv_round(double x)
{
    return __builtin_round(x);
}

long long __nv_llrintf(float x)
{
    return __nv_float2ll_rn(x);
}

long long __nv_llrint(double x)
{
    return __nv_double2ll_rn(x);
}

long long __nv_llroundf(float x)
{
    return __nv_float2ll_rz(__nv_roundf(x));
}

long long __nv_llround(double x)
{
    return __nv_double2ll_rz(__nv_round(x));
}

// ---- sign, classes, bounds ----
HOT float __nv_fabsf(float x)
{
    return __builtin_fabsf(x);
}

HOT double __nv_fabs(double x)
{
    return __builtin_fabs(x);
}

HOT float __nv_copysignf(float x, float y)
{
    return sign32(x, y);
}

HOT double __nv_copysign(double x, double y)
{
    return sign64(x, y);
}

int __nv_signbitf(float x)
{
    return (int)(as_u32(x) >> 31);
}

int __nv_signbitd(double x)
{
    return (int)(as_u64(x) >> 63);
}

int __nv_isnanf(float x)
{
    return x != x;
}

int __nv_isnand(double x)
{
    return x != x;
}

int __nv_isinff(float x)
{
    return abs32(x) == INF32;
}

int __nv_isinfd(double x)
{
    return abs64(x) == INF64;
}

int __nv_finitef(float x)
{
    return abs32(x) < INF32;
}

int __nv_isfinited(double x)
{
    return abs64(x) < INF64;
}

HOT float __nv_fmaxf(float x, float y)
{
    return __builtin_fmaxf(x, y);
}

HOT double __nv_fmax(double x, double y)
{
    return __builtin_fmax(x, y);
}

HOT float __nv_fminf(float x, float y)
{
    return __builtin_fminf(x, y);
}

HOT double __nv_fmin(double x, double y)
{
    return __builtin_fmin(x, y);
}

float __nv_fdimf(float x, float y)
{
    float d = sub32(x, y);
    return PICK(x <= y, 0.0f, d);
}

double __nv_fdim(double x, double y)
{
    double d = sub64(x, y);
    return PICK(x <= y, 0.0, d);
}

// NaN goes to zero.
HOT float __nv_saturatef(float x)
{
#if DEVICE
    return PICK(FTZ, __nvvm_saturate_ftz_f(x), __nvvm_saturate_f(x));
#else
    return PICK(x > 0.0f, PICK(x < 1.0f, x, 1.0f), 0.0f);
#endif
}

// ---- exponents ----
// |x| as a normal number times 2^-shift, so that the exponent field can be read.
struct norm32 {
    uint32_t bits;
    int32_t exp;
};
struct norm64 {
    uint64_t bits;
    int32_t exp;
};
INLINE struct norm32 normal32(float x)
{
    bool tiny = abs32(x) < 0x1p-126f;
    uint32_t b = as_u32(PICK(tiny, mul32(x, 0x1p25f), x));
    return (struct norm32){b, (int32_t)((b >> 23) & 255u) - (tiny ? 25 : 0)};
}
INLINE struct norm64 normal64(double x)
{
    bool tiny = abs64(x) < 0x1p-1022;
    uint64_t b = as_u64(PICK(tiny, mul64(x, 0x1p54), x));
    return (struct norm64){b, (int32_t)((b >> 52) & 2047u) - (tiny ? 54 : 0)};
}
INLINE bool plain32(float x)
{
    return x != 0.0f && abs32(x) < INF32;
}
INLINE bool plain64(double x)
{
    return x != 0.0 && abs64(x) < INF64;
}

float __nv_frexpf(float x, int *e)
{
    struct norm32 v = normal32(x);
    *e = plain32(x) ? v.exp - 126 : 0;
    return PICK(plain32(x), as_f32((v.bits & 0x807fffffu) | 0x3f000000u), x);
}

double __nv_frexp(double x, int *e)
{
    struct norm64 v = normal64(x);
    *e = plain64(x) ? v.exp - 1022 : 0;
    return PICK(plain64(x), as_f64((v.bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull), x);
}

// The exponent field is set directly; a result that is subnormal comes from one multiplication, which rounds once.
float __nv_ldexpf(float x, int n)
{
    struct norm32 v = normal32(x);
    n = n < -1000 ? -1000 : (n > 1000 ? 1000 : n);
    int32_t e = v.exp + n;
    bool low = e < 1;
    int32_t field = low ? (e < -60 ? 1 : e + 64) : e;
    float y = as_f32((v.bits & 0x807fffffu) | (uint32_t)field << 23);
    y = PICK(low, mul32(y, PICK(e < -60, 0x1p-100f, 0x1p-64f)), y);
    y = PICK(e > 254, sign32(INF32, x), y);
    return PICK(plain32(x), y, add32(x, x));
}

double __nv_ldexp(double x, int n)
{
    struct norm64 v = normal64(x);
    n = n < -5000 ? -5000 : (n > 5000 ? 5000 : n);
    int32_t e = v.exp + n;
    bool low = e < 1;
    int32_t field = low ? (e < -120 ? 1 : e + 128) : e;
    double y = as_f64((v.bits & 0x800fffffffffffffull) | (uint64_t)(uint32_t)field << 52);
    y = PICK(low, mul64(y, PICK(e < -120, 0x1p-200, 0x1p-128)), y);
    y = PICK(e > 2046, sign64(INF64, x), y);
    return PICK(plain64(x), y, add64(x, x));
}

float __nv_scalbnf(float x, int n)
{
    return __nv_ldexpf(x, n);
}

double __nv_scalbn(double x, int n)
{
    return __nv_ldexp(x, n);
}

int __nv_ilogbf(float x)
{
    int e = normal32(x).exp - 127;
    e = x == 0.0f || x != x ? (int)0x80000000u : e;
    return abs32(x) == INF32 ? 0x7fffffff : e;
}

int __nv_ilogb(double x)
{
    int e = normal64(x).exp - 1023;
    e = x == 0.0 || x != x ? (int)0x80000000u : e;
    return abs64(x) == INF64 ? 0x7fffffff : e;
}

float __nv_logbf(float x)
{
    float y = normal32(x).exp - 127;
    y = PICK(x == 0.0f, -INF32, y);
    return PICK(abs32(x) < INF32, y, mul32(x, x));
}

double __nv_logb(double x)
{
    double y = normal64(x).exp - 1023;
    y = PICK(x == 0.0, -INF64, y);
    return PICK(abs64(x) < INF64, y, mul64(x, x));
}

float __nv_modff(float x, float *whole)
{
    float t = trunc32(x);
    *whole = t;
    return sign32(PICK(abs32(x) == INF32, 0.0f, sub32(x, t)), x);
}

double __nv_modf(double x, double *whole)
{
    double t = trunc64(x);
    *whole = t;
    return sign64(PICK(abs64(x) == INF64, 0.0, sub64(x, t)), x);
}

// The neighbour is one step away in the order of the bit patterns.
float __nv_nextafterf(float x, float y)
{
    uint32_t b = as_u32(x);
    bool away = (x < y) == (x > 0.0f);
    float r = as_f32(away ? b + 1 : b - 1);
    r = PICK(x == 0.0f, sign32(as_f32(1), y), r);
    r = PICK(x == y, y, r);
    return PICK(x != x || y != y, add32(x, y), r);
}

double __nv_nextafter(double x, double y)
{
    uint64_t b = as_u64(x);
    bool away = (x < y) == (x > 0.0);
    double r = as_f64(away ? b + 1 : b - 1);
    r = PICK(x == 0.0, sign64(as_f64(1), y), r);
    r = PICK(x == y, y, r);
    return PICK(x != x || y != y, add64(x, y), r);
}

// ---- NaN with a payload, given as a C integer ----
INLINE uint64_t payload(const signed char *s)
{
    uint64_t v = 0, base = 10;
    if (*s == '0') {
        s++;
        base = 8;
        if (*s == 'x' || *s == 'X') {
            s++;
            base = 16;
        }
    }
    for (; *s; s++) {
        int c = *s | 32;
        uint64_t d = *s >= '0' && *s <= '9' ? (uint64_t)(*s - '0') : (uint64_t)(c - 'a' + 10);
        if (d >= base)
            return 0;
        v = v * base + d;
    }
    return v;
}

float __nv_nanf(const signed char *s)
{
    return as_f32(0x7fc00000u | ((uint32_t)payload(s) & 0x3fffffu));
}

double __nv_nan(const signed char *s)
{
    return as_f64(0x7ff8000000000000ull | (payload(s) & 0x7ffffffffffffull));
}
