// SPDX-License-Identifier: Apache-2.0
// Remainders, exact. One step subtracts a quotient of up to 24 (53) bits with a fused multiply-add, which loses
// nothing; only a larger ratio of the arguments needs a loop.
#include "devmath/devmath.h"

// |x| mod |y| for finite x and y != 0, and the low bits of the quotient.
struct rem32 {
    float r;
    uint32_t q;
};
struct rem64 {
    double r;
    uint32_t q;
};

// One step: 0 <= r < y afterwards, where r / y < 2^23. The rounded quotient can only be one too large.
INLINE struct rem32 rem_step32(float r, float y)
{
    float q = trunc32(div32(r, y));
    float v = fma32(-q, y, r);
    bool over = v < 0.0f;
    return (struct rem32){over ? add32(v, y) : v, (uint32_t)(int32_t)q - over};
}
INLINE struct rem64 rem_step64(double r, double y)
{
    double q = trunc64(div64(r, y));
    double v = fma64(-q, y, r);
    bool over = v < 0.0;
    return (struct rem64){over ? add64(v, y) : v, (uint32_t)(uint64_t)(int64_t)q - over};
}

INLINE int32_t exponent32(float x)
{
    return (int32_t)(as_u32(x) >> 23);
}
INLINE int32_t exponent64(double x)
{
    return (int32_t)(as_u64(x) >> 52);
}

// a mod b for normal b: multiples of b by powers of two go first, from the top.
INLINE struct rem32 rem_normal32(float a, float b)
{
    int32_t gap = exponent32(a) - exponent32(b);
    while (gap > 22) { // k >= 3: the low three bits of the quotient come from the last step
        int32_t k = gap - 20, half = k >> 1;
        float m = mul32(mul32(b, as_f32((uint32_t)(half + 127) << 23)), as_f32((uint32_t)(k - half + 127) << 23));
        a = rem_step32(a, m).r;
        gap = exponent32(a) - exponent32(b);
    }
    return rem_step32(a, b);
}
INLINE struct rem64 rem_normal64(double a, double b)
{
    int32_t gap = exponent64(a) - exponent64(b);
    while (gap > 51) {
        int32_t k = gap - 49, half = k >> 1;
        double m = mul64(mul64(b, as_f64((uint64_t)(uint32_t)(half + 1023) << 52)),
                         as_f64((uint64_t)(uint32_t)(k - half + 1023) << 52));
        a = rem_step64(a, m).r;
        gap = exponent64(a) - exponent64(b);
    }
    return rem_step64(a, b);
}

// A tiny y is lifted by a power of two: first x modulo the lifted y, which leaves something small enough to be lifted
// too.
INLINE struct rem32 rem32(float x, float y)
{
    float a = abs32(x), b = abs32(y);
    bool tiny = b < 0x1p-100f;
    struct rem32 v = rem_normal32(a, tiny ? mul32(b, 0x1p64f) : b);
    if (tiny) {
        v = rem_normal32(mul32(v.r, 0x1p64f), mul32(b, 0x1p64f));
        v.r = mul32(v.r, 0x1p-64f);
    }
    return v;
}
INLINE struct rem64 rem64(double x, double y)
{
    double a = abs64(x), b = abs64(y);
    bool tiny = b < 0x1p-900;
    struct rem64 v = rem_normal64(a, tiny ? mul64(b, 0x1p200) : b);
    if (tiny) {
        v = rem_normal64(mul64(v.r, 0x1p200), mul64(b, 0x1p200));
        v.r = mul64(v.r, 0x1p-200);
    }
    return v;
}

// Where there is no remainder: x is not finite, y is zero or one of them is NaN.
INLINE bool bad32(float x, float y)
{
    return !(abs32(x) < INF32) || y == 0.0f || y != y;
}
INLINE bool bad64(double x, double y)
{
    return !(abs64(x) < INF64) || y == 0.0 || y != y;
}

float __nv_fmodf(float x, float y)
{
    if (bad32(x, y))
        return NAN32;
    if (abs32(y) == INF32)
        return x;
    return sign32(rem32(x, y).r, x);
}

double __nv_fmod(double x, double y)
{
    if (bad64(x, y))
        return NAN64;
    if (abs64(y) == INF64)
        return x;
    return sign64(rem64(x, y).r, x);
}

float __nv_remquof(float x, float y, int *quo)
{
    *quo = 0;
    if (bad32(x, y))
        return NAN32;
    if (abs32(y) == INF32)
        return x;
    struct rem32 v = rem32(x, y);
    float b = abs32(y), other = sub32(b, v.r); // exact where it is used: r >= y/2
    bool up = v.r > other || (v.r == other && (v.q & 1));
    float r = up ? -other : v.r;
    int q = (int)((v.q + up) & 0x7fffffffu);
    bool neg = (as_u32(x) ^ as_u32(y)) >> 31;
    *quo = neg ? -q : q;
    r = as_u32(x) >> 31 ? -r : r;
    return r == 0.0f ? sign32(0.0f, x) : r;
}

double __nv_remquo(double x, double y, int *quo)
{
    *quo = 0;
    if (bad64(x, y))
        return NAN64;
    if (abs64(y) == INF64)
        return x;
    struct rem64 v = rem64(x, y);
    double b = abs64(y), other = sub64(b, v.r);
    bool up = v.r > other || (v.r == other && (v.q & 1));
    double r = up ? -other : v.r;
    int q = (int)((v.q + up) & 0x7fffffffu);
    bool neg = (as_u64(x) ^ as_u64(y)) >> 63;
    *quo = neg ? -q : q;
    r = as_u64(x) >> 63 ? -r : r;
    return r == 0.0 ? sign64(0.0, x) : r;
}

float __nv_remainderf(float x, float y)
{
    int quo;
    return __nv_remquof(x, y, &quo);
}

double __nv_remainder(double x, double y)
{
    int quo;
    return __nv_remquo(x, y, &quo);
}
