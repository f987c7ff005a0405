// SPDX-License-Identifier: Apache-2.0
// Arithmetic instructions of PTX, each with a reference in C: the tables of translate_ops.inc and what they stand on. For
// tests that include it once.
#ifndef HEDDLE_TEST_PTX_REFERENCE_H
#define HEDDLE_TEST_PTX_REFERENCE_H
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t ref_fn(uint64_t A, uint64_t B, uint64_t C);
struct op_test {
    const char *text; // operands %A %B %C (64 bits), %a %b %c (their low words), %ha %hb %hc; result %D, %d, %hd or %p
    char result;      // 'D', 'd', 'h', 'p'
    char kind;        // 'x' bits, 'f' f32, 'F' f64, 'h' f16, 'b' bf16 (NaNs equal); 'e' f32 within tolerance
    double tolerance; // 'e': relative, or absolute where negative
    ref_fn *ref;
};

static float f32(uint64_t x)
{
    uint32_t u = (uint32_t)x;
    float f;
    return memcpy(&f, &u, 4), f;
}
static double f64(uint64_t x)
{
    double d;
    return memcpy(&d, &x, 8), d;
}
static uint64_t u32(float f)
{
    uint32_t u;
    return memcpy(&u, &f, 4), u;
}
static uint64_t u64(double d)
{
    uint64_t u;
    return memcpy(&u, &d, 8), u;
}

static float ftz(float x)
{
    return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}
// Rounds in a mode of the C library; volatile keeps the compiler from moving the operation out.
static float round32(int mode, char op, float x, float y, float z)
{
    volatile float a = x, b = y, c = z, r = 0;
    int old = fegetround();
    fesetround(mode);
    switch (op) {
    case '+':
        r = a + b;
        break;
    case '*':
        r = a * b;
        break;
    case '/':
        r = a / b;
        break;
    case 's':
        r = sqrtf(a);
        break;
    default:
        r = fmaf(a, b, c);
    }
    fesetround(old);
    return r;
}
static double round64(int mode, char op, double x, double y, double z)
{
    volatile double a = x, b = y, c = z, r = 0;
    int old = fegetround();
    fesetround(mode);
    switch (op) {
    case '+':
        r = a + b;
        break;
    case '*':
        r = a * b;
        break;
    case '/':
        r = a / b;
        break;
    case 's':
        r = sqrt(a);
        break;
    default:
        r = fma(a, b, c);
    }
    fesetround(old);
    return r;
}
// f64 to a narrower format with `p` bits of precision, by exact scaling: the reference for halves.
static double narrow(double x, int p, int emin, double most)
{
    if (x == 0 || isnan(x) || isinf(x))
        return x;
    int e;
    frexp(x, &e);
    e = e - 1 < emin ? emin : e - 1;
    double q = ldexp(1, e - p + 1), r = nearbyint(x / q) * q;
    return fabs(r) > most ? copysign(INFINITY, x) : r == 0 ? copysign(0, x) : r;
}
static double half_value(uint64_t h)
{
    int e = h >> 10 & 31, m = h & 1023;
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h & 0x8000 ? -v : v;
}
static uint64_t half_bits(double x)
{
    x = narrow(x, 11, -14, 65504);
    uint64_t s = signbit(x) ? 0x8000 : 0;
    x = fabs(x);
    if (isnan(x))
        return 0x7fff;
    if (isinf(x))
        return s | 0x7c00;
    if (x < 0x1p-14)
        return s | (uint64_t)(x * 0x1p24);
    int e;
    double m = frexp(x, &e);
    return s | (uint64_t)(e + 14) << 10 | ((uint64_t)(m * 2048) & 1023);
}
static double bf16_value(uint64_t h)
{
    return f32(h << 16);
}
static uint64_t bf16_bits(double x)
{
    x = narrow(x, 8, -126, 0x1.fep127);
    return isnan(x) ? 0x7fff : u32((float)x) >> 16 & 0xffff;
}

#define REF(name, expr)                                                                                                \
    static uint64_t name(uint64_t A, uint64_t B, uint64_t C)                                                           \
    {                                                                                                                  \
        uint32_t a = (uint32_t)A, b = (uint32_t)B, c = (uint32_t)C;                                                    \
        int32_t sa = (int32_t)a, sb = (int32_t)b, sc = (int32_t)c;                                                     \
        uint16_t ha = (uint16_t)A, hb = (uint16_t)B, hc = (uint16_t)C;                                                 \
        (void)a, (void)b, (void)c, (void)sa, (void)sb, (void)sc, (void)ha, (void)hb, (void)hc;                         \
        return (uint64_t)(expr);                                                                                       \
    }
#include "translate_ops.inc"
#endif
