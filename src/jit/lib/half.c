// SPDX-License-Identifier: Apache-2.0
// Halves, bf16, tf32 and the formats of 8 bits and less: what has no operation of the host's own with a single rounding.
#include "lib.h"

FN(uint16_t) heddle_bf16_from_f32(float x)
{
    return bf16_from_float(x);
}

// The product of two is exact in f64; the sum is rounded to odd there, so that rounding to bf16 is the only one.
FN(uint16_t) heddle_fma_bf16(uint16_t a, uint16_t b, uint16_t c)
{
    double p = (double)bf16_to_float(a) * (double)bf16_to_float(b), z = (double)bf16_to_float(c);
    double s = p + z, e = sum_error(p, z, s);
    uint64_t u = bits64(s);
    // Toward zero when rounding went away from it, then the last bit tells that something was lost. The error of what is
    // not finite is no number.
    uint64_t odd = (u + (uint64_t)((int64_t)(u ^ bits64(e)) >> 63)) | 1;
    return bf16_from_float(odd_from_double(float64(e < 0 || e > 0 ? odd : u)));
}

FN(float) heddle_f32_odd_from_f64(double d)
{
    return odd_from_double(d);
}

// Every NaN becomes 0x7fff, here and in those below.
FN(uint16_t) heddle_f16_rz_from_f32(float x)
{
    uint16_t h = half_from_float(x != x ? GPU_NAN : x);
    return h - (__builtin_fabsf(half_to_float(h)) > __builtin_fabsf(x) ? 1 : 0);
}

FN(uint16_t) heddle_bf16_rz_from_f32(float x)
{
    uint32_t u = bits32(x);
    return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? 0x7fff : u >> 16);
}

// Down and up: what was cut off towards zero moves by one in the direction that is away from it.
#define AWAY(format, round, to_float, beyond)                                                                          \
    FN(uint16_t) heddle_##format##_##round##_from_f32(float x)                                                         \
    {                                                                                                                  \
        uint16_t h = heddle_##format##_rz_from_f32(x);                                                                 \
        return h + (to_float(h) beyond x ? 1 : 0);                                                                     \
    }
// clang-format off
AWAY(f16, rm, half_to_float, >)
AWAY(f16, rp, half_to_float, <)
AWAY(bf16, rm, bf16_to_float, >)
AWAY(bf16, rp, bf16_to_float, <)
// clang-format on

// Infinities become the largest finite value.
#define FINITE(format, infinity)                                                                                       \
    FN(uint16_t) heddle_finite_##format(uint16_t h)                                                                    \
    {                                                                                                                  \
        return (h & 0x7fff) == infinity ? h - 1 : h;                                                                   \
    }
FINITE(f16, 0x7c00)
FINITE(bf16, 0x7f80)

// An integer beyond 2^17 is infinite as a half; below, f32 holds it exactly.
INLINE(float) clamped(int64_t x)
{
    int64_t y = x > 131072 ? 131072 : x;
    return (float)(int32_t)(y < -131072 ? -131072 : y);
}

INLINE(float) clamped_unsigned(uint64_t x)
{
    return clamped((int64_t)(x > 131072 ? 131072 : x));
}

// 24 bits of the integer, the last one set when bits below were lost.
INLINE(float) odd_from_u64(uint64_t x)
{
    unsigned n = 64 - (unsigned)__builtin_clzll(x | 1), shift = n > 24 ? n - 24 : 0;
    uint64_t top = x >> shift;
    top |= (top << shift) != x ? 1 : 0;
    return (float)(top << shift);
}

FN(uint16_t) heddle_bf16_from_u64(uint64_t x)
{
    return bf16_from_float(odd_from_u64(x));
}

FN(uint16_t) heddle_bf16_from_s64(int64_t x)
{
    uint16_t h = bf16_from_float(odd_from_u64(x < 0 ? 0 - (uint64_t)x : (uint64_t)x));
    return x < 0 ? h | 0x8000 : h;
}

INLINE(float) odd_from_s64(int64_t x)
{
    float f = odd_from_u64(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
    return x < 0 ? -f : f;
}

// To nearest and in each direction, by way of an f32 that has what decides the rounding.
#define FROM_INTEGERS(format, of_signed, of_unsigned)                                                                  \
    FROM_INTEGER(heddle_##format##_rz_from, heddle_##format##_rz_from_f32, of_signed, of_unsigned)                     \
    FROM_INTEGER(heddle_##format##_rm_from, heddle_##format##_rm_from_f32, of_signed, of_unsigned)                     \
    FROM_INTEGER(heddle_##format##_rp_from, heddle_##format##_rp_from_f32, of_signed, of_unsigned)
#define FROM_INTEGER(name, of_float, of_signed, of_unsigned)                                                           \
    FN(uint16_t) name##_s64(int64_t x)                                                                                 \
    {                                                                                                                  \
        return of_float(of_signed(x));                                                                                 \
    }                                                                                                                  \
    FN(uint16_t) name##_u64(uint64_t x)                                                                                \
    {                                                                                                                  \
        return of_float(of_unsigned(x));                                                                               \
    }
FROM_INTEGER(heddle_f16_from, half_from_float, clamped, clamped_unsigned)
FROM_INTEGERS(f16, clamped, clamped_unsigned)
FROM_INTEGERS(bf16, odd_from_s64, odd_from_u64)

// tf32: 10 bits of fraction in the upper bits of an f32. A NaN is one NaN, but rna cuts its bits off like a GPU, so that some
// become infinite.
INLINE(uint32_t) tf32(float x, uint32_t add)
{
    uint32_t u = bits32(x);
    bool special = (u & 0x7f800000) == 0x7f800000;
    return special ? ((u & 0x7fffff) ? 0x7fffe000 : u) : (u + add) & 0xffffe000;
}

FN(uint32_t) heddle_tf32_rna(float x)
{
    uint32_t u = bits32(x);
    return (u + ((u & 0x7f800000) == 0x7f800000 ? 0 : 0x1000)) & 0xffffe000;
}

FN(uint32_t) heddle_tf32_rn(float x)
{
    return tf32(x, 0xfff + (bits32(x) >> 13 & 1));
}

FN(uint32_t) heddle_tf32_rz(float x)
{
    return tf32(x, 0);
}

// Rounds x to a format with `e` bits of exponent and `m` of fraction; `most` is the code of its largest value, `nan` what a NaN
// becomes.
INLINE(uint8_t) small_float(float x, unsigned e, unsigned m, unsigned bias, uint32_t most, uint32_t nan)
{
    uint32_t u = bits32(x), sign = u >> 31 << (e + m), a = u & 0x7fffffff;
    float least = float32((128 - bias) << 23), step = float32((128 - bias - m) << 23);
    float f = float32(a);
    uint32_t r = a + ((1u << (22 - m)) - 1) + (a >> (23 - m) & 1);
    uint32_t normal = (r >> (23 - m)) - ((127 - bias) << m);
    float magic = step * 8388608.0f; // one unit in its last place is a step
    uint32_t tiny = bits32(f + magic) - bits32(magic);
    uint32_t code = f < least ? tiny : normal;
    code = a >= 0x7f800000 || code > most ? most : code;
    return (uint8_t)(a > 0x7f800000 ? nan : sign | code);
}

#define FROM_F32(format, e, m, bias, most, nan)                                                                        \
    FN(uint8_t) heddle_##format##_from_f32(float x)                                                                    \
    {                                                                                                                  \
        return small_float(x, e, m, bias, most, nan);                                                                  \
    }
FROM_F32(e4m3, 4, 3, 7, 0x7e, 0x7f)
FROM_F32(e5m2, 5, 2, 15, 0x7b, 0x7f)
// No NaN: the largest value, positive.
FROM_F32(e2m3, 2, 3, 1, 0x1f, 0x1f)
FROM_F32(e3m2, 3, 2, 3, 0x1f, 0x1f)
FROM_F32(e2m1, 2, 1, 1, 0x7, 0x7)

FN(float) heddle_f32_from_e4m3(uint8_t b)
{
    uint32_t e = b >> 3 & 15, m = b & 7, sign = (uint32_t)(b & 0x80) << 24;
    float normal = float32((e + 120) << 23 | m << 20), tiny = (float)(int32_t)m * 0x1p-9f;
    uint32_t u = (b & 0x7f) == 0x7f ? 0x7fffffff : bits32(e ? normal : tiny);
    return float32(u | sign);
}

FN(float) heddle_f32_from_e5m2(uint8_t b)
{
    return half_to_float((uint16_t)(b << 8));
}

// These have no infinity and no NaN; bits above the format's own are ignored.
INLINE(float) widen(uint32_t b, unsigned e, unsigned m, unsigned bias)
{
    uint32_t exponent = b >> m & ((1u << e) - 1), fraction = b & ((1u << m) - 1), sign = (b >> (e + m) & 1) << 31;
    float normal = float32((exponent + 127 - bias) << 23 | fraction << (23 - m));
    float tiny = (float)(int32_t)fraction * float32((128 - bias - m) << 23);
    return float32(bits32(exponent ? normal : tiny) | sign);
}

#define FROM_NARROW(format, e, m, bias)                                                                                \
    FN(float) heddle_f32_from_##format(uint8_t b)                                                                      \
    {                                                                                                                  \
        return widen(b, e, m, bias);                                                                                   \
    }
FROM_NARROW(e2m3, 2, 3, 1)
FROM_NARROW(e3m2, 3, 2, 3)
FROM_NARROW(e2m1, 2, 1, 1)

// A power of two, 2^-127 to 2^127, or NaN. To it, the sign is dropped; what is below the least becomes that.
INLINE(uint8_t) power_of_two(float x, bool up, uint32_t most)
{
    uint32_t a = bits32(x) & 0x7fffffff, e = a >> 23, fraction = a & 0x7fffff, least = e ? 0 : 1u << 22;
    uint32_t code = e + (up && fraction > least ? 1 : 0);
    return (uint8_t)(a > 0x7f800000 ? 0xff : code > most ? most : code);
}

#define TO_POWER(name, up, most)                                                                                       \
    FN(uint8_t) heddle_ue8m0_##name##_from_f32(float x)                                                                \
    {                                                                                                                  \
        return power_of_two(x, up, most);                                                                              \
    }
TO_POWER(rz, false, 0xff)
TO_POWER(rp, true, 0xff)
TO_POWER(rz_finite, false, 0xfe)
TO_POWER(rp_finite, true, 0xfe)

FN(float) heddle_f32_from_ue8m0(uint8_t b)
{
    return float32(b == 0 ? 1u << 22 : b == 0xff ? 0x7fffffff : (uint32_t)b << 23);
}
