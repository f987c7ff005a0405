// SPDX-License-Identifier: Apache-2.0
// Argument reduction for the circular functions: x = q pi/2 + r with |r| <= pi/4, for every finite x; in double
// precision r has two words.
//
// Below a limit pi/2 is subtracted in three pieces, of which the first goes exactly. Beyond it
// x is multiplied, in integers, by just those bits of 2/pi that matter (Payne and Hanek). Only that rare path is a
// branch.
#ifndef HEDDLE_DEVMATH_REDUCE_H
#define HEDDLE_DEVMATH_REDUCE_H
#include "devmath/kernel.h"

struct angle32 {
    float r;
    uint32_t q; // only its two low bits have a meaning
};
struct angle64 {
    double hi, lo;
    uint32_t q;
};

// The bits of 2/pi after one word of zeros, for arguments below 1.
static const uint32_t two_over_pi_32[8] = {0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                           0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
static const uint64_t two_over_pi_64[20] = {
    0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull,
    0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull,
    0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull};

// |x| = m 2^e; the window of 96 bits that starts at weight 2 after the product gives the quadrant in its top two bits.
__attribute__((unused)) static struct angle32 reduce_huge32(float x)
{
    uint32_t b = as_u32(x), m = (b & 0x7fffffu) | 0x800000u;
    uint32_t pos = ((b >> 23) & 0xffu) - 150u + 30u, w = pos >> 5, s = pos & 31u;
    w = w > 4u ? 4u : w; // never so for a finite x, but lanes that are switched off must stay inside the table too
    uint64_t a = (uint64_t)two_over_pi_32[w] << 32 | two_over_pi_32[w + 1];
    uint64_t c = (uint64_t)two_over_pi_32[w + 2] << 32 | two_over_pi_32[w + 3];
    uint64_t top = a << s | (s ? c >> (64 - s) : 0);
    uint32_t low = (uint32_t)(c << s >> 32);
    uint64_t p = (uint64_t)m * low;
    uint64_t frac = (uint64_t)m * top + (p >> 32);
    uint32_t q = (uint32_t)(frac >> 62);
    int64_t f = (int64_t)(frac << 2);
    q += f < 0;
    float r = (float)mul64((double)f, 0x1.921fb54442d18p-64);
    bool neg = b >> 31;
    return (struct angle32){neg ? -r : r, neg ? 0u - q : q};
}

__attribute__((unused)) static struct angle64 reduce_huge64(double x)
{
    uint64_t b = as_u64(x), m = (b & 0xfffffffffffffull) | 0x10000000000000ull;
    uint32_t pos = ((uint32_t)(b >> 52) & 0x7ffu) - 1075u + 62u, w = pos >> 6, s = pos & 63u;
    w = w > 16u ? 16u : w;
    uint64_t t0 = two_over_pi_64[w], t1 = two_over_pi_64[w + 1], t2 = two_over_pi_64[w + 2], t3 = two_over_pi_64[w + 3];
    uint64_t hi = t0 << s | (s ? t1 >> (64 - s) : 0);
    uint64_t mid = t1 << s | (s ? t2 >> (64 - s) : 0);
    uint64_t low = t2 << s | (s ? t3 >> (64 - s) : 0);
    uint64_t p1 = m * mid, carry = mulhi_u64(m, low);
    uint64_t f1 = p1 + carry;
    uint64_t f0 = m * hi + mulhi_u64(m, mid) + (f1 < p1);
    uint32_t q = (uint32_t)(f0 >> 62);
    f0 = f0 << 2 | f1 >> 62;
    f1 <<= 2;
    bool neg = f0 >> 63;
    q += neg;
    f0 = neg ? ~f0 : f0; // the last bit of 128 does not matter
    f1 = neg ? ~f1 : f1;
    uint32_t z = f0 ? (uint32_t)__builtin_clzll(f0) : 63u;
    f0 = f0 << z | (z ? f1 >> (64 - z) : 0);
    f1 <<= z;
    double scale = pow2_64(-64 - (int32_t)z);
    double h = mul64((double)(f0 >> 11), mul64(scale, 0x1p11));
    double l = mul64((double)((f0 << 53) >> 11 | f1 >> 22), mul64(scale, 0x1p-42));
    struct dd r = scale64(h, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54);
    r = fast_sum64(r.hi, fma64(l, 0x1.921fb54442d18p+0, r.lo));
    neg ^= (b >> 63) != 0;
    q = b >> 63 ? 0u - q : q;
    return (struct angle64){neg ? -r.hi : r.hi, neg ? -r.lo : r.lo, q};
}

INLINE struct angle32 reduce32(float x)
{
    float t = fma32(x, 0x1.45f306p-1f, MAGIC32);
    float j = sub32(t, MAGIC32);
    float r = fma32(-j, 0x1.921fb6p+0f, x);
    r = fma32(-j, -0x1.777a5cp-25f, r);
    r = fma32(-j, -0x1.ee59dap-50f, r);
    struct angle32 a = {r, as_u32(t)};
    float ax = abs32(x);
    if (ax > 105000.0f && ax < INF32)
        a = reduce_huge32(x);
    return a;
}

INLINE struct angle64 reduce64(double x)
{
    double t = fma64(x, 0x1.45f306dc9c883p-1, MAGIC64);
    double j = sub64(t, MAGIC64);
    double r1 = fma64(-j, 0x1.921fb54442d18p+0, x); // exact
    struct dd p = product64(-j, 0x1.1a62633145c07p-54);
    double r2 = add64(r1, p.hi), u = sub64(r2, r1);
    double e = add64(sub64(r1, sub64(r2, u)), sub64(p.hi, u)); // r1 + p.hi = r2 + e
    struct dd r = fast_sum64(r2, fma64(-j, -0x1.f1976b7ed8fbcp-110, add64(e, p.lo)));
    struct angle64 a = {r.hi, r.lo, (uint32_t)as_u64(t)};
    double ax = abs64(x);
    if (ax > 0x1p28 && ax < INF64)
        a = reduce_huge64(x);
    return a;
}

// sin and cos within pi/4, a little more does not hurt.
INLINE float sin_small32(float r)
{
    float z = mul32(r, r);
    return fma32(mul32(r, z), POLY32(z, SINF_P), r);
}
INLINE float cos_small32(float r)
{
    float z = mul32(r, r);
    return fma32(z, fma32(z, POLY32(z, COSF_P), -0.5f), 1.0f);
}
// The same with a lower word, as used for pi x.
INLINE float sin_sum32(float hi, float lo)
{
    float z = mul32(hi, hi);
    return add32(hi, fma32(mul32(hi, z), POLY32(z, SINF_P), lo));
}
INLINE struct dd sin_small64(double hi, double lo)
{
    double z = mul64(hi, hi);
    // lo (1 - z/2) and not lo: at pi/4 the difference is a tenth of a unit
    return fast_sum64(hi, fma64(mul64(hi, z), POLY64(z, SIN_P), fma64(-mul64(0.5, z), lo, lo)));
}
INLINE struct dd cos_small64(double hi, double lo)
{
    double z = mul64(hi, hi);
    double tail = fma64(mul64(z, z), POLY64(z, COS_P), -mul64(hi, lo));
    double h = mul64(0.5, z), w = sub64(1.0, h);
    return fast_sum64(w, add64(sub64(sub64(1.0, w), h), tail));
}

INLINE float flip32(float x, uint32_t q)
{
    return as_f32(as_u32(x) ^ (q & 2u) << 30);
}
INLINE double flip64(double x, uint32_t q)
{
    return as_f64(as_u64(x) ^ (uint64_t)(q & 2u) << 62);
}
#endif
