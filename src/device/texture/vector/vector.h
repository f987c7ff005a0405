// SPDX-License-Identifier: Apache-2.0
// Vectors as the sampler of gangs needs them, for the processor that the including file is compiled for: LANES numbers of 32 bits, and
// masks of as many lanes. Arithmetic is C's own on vectors of the compilers; here stands what C has no operator for.
//
// Nothing here rounds where another processor does not: conversions are of numbers in range, and results of float operations are exact
// or rounded to nearest once. So all processors agree.
#ifndef HEDDLE_DEVICE_TEXTURE_VECTOR_VECTOR_H
#define HEDDLE_DEVICE_TEXTURE_VECTOR_VECTOR_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#ifdef __aarch64__
#include <arm_neon.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif
#define ALL_LANES ((UINT32_C(1) << LANES) - 1)
typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t ints __attribute__((vector_size(4 * LANES)));
typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef int32_t ints_unaligned __attribute__((vector_size(4 * LANES), aligned(4)));

INLINE ints splat(int32_t x)
{
    return x + (ints){0};
}

INLINE floats splat_float(float x)
{
    return x - (floats){0};
}

INLINE ints load(const uint32_t *p)
{
    return (ints) * (const ints_unaligned *)p;
}

INLINE void store(uint32_t *p, ints x)
{
    *(ints_unaligned *)p = (ints_unaligned)x;
}

INLINE floats to_floats(ints x)
{
    return __builtin_convertvector(x, floats);
}

// Towards zero.
INLINE ints to_ints(floats x)
{
    return __builtin_convertvector(x, ints);
}

// ---- Masks and what they choose. choose: a where the mask is set, else b; kept: a or 0; count: one more where it is set.
#if defined(__AVX512F__)
typedef __mmask16 mask;

INLINE mask mask_of(uint32_t bits)
{
    return (mask)bits;
}

INLINE uint32_t bits_of(mask m)
{
    return m;
}

INLINE mask less(ints a, ints b)
{
    return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}

INLINE mask equal(ints a, ints b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

INLINE mask float_equal(floats a, floats b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
}

INLINE mask at_least(floats a, floats b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GE_OQ);
}

INLINE ints choose(mask m, ints a, ints b)
{
    return (ints)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a);
}

INLINE ints kept(mask m, ints a)
{
    return (ints)_mm512_maskz_mov_epi32(m, (__m512i)a);
}

INLINE ints count(ints a, mask m)
{
    return (ints)_mm512_mask_sub_epi32((__m512i)a, m, (__m512i)a, _mm512_set1_epi32(-1));
}

INLINE mask both(mask a, mask b)
{
    return (mask)(a & b);
}

INLINE mask either(mask a, mask b)
{
    return (mask)(a | b);
}
#else
typedef ints mask;

INLINE mask mask_of(uint32_t bits)
{
    ints lane = {0};
    UNROLL for (int i = 0; i < LANES; i++) lane[i] = 1 << i;
    return (mask)((splat((int32_t)bits) & lane) != 0);
}

INLINE uint32_t bits_of(mask m)
{
#if defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)m);
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_ps((__m128)m);
#elif defined(__aarch64__)
    return (uint32_t)vaddvq_s32((int32x4_t)(m & (ints){1, 2, 4, 8}));
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= (uint32_t)(m[i] & 1) << i;
    return bits;
#endif
}

INLINE mask less(ints a, ints b)
{
    return (mask)(a < b);
}

INLINE mask equal(ints a, ints b)
{
    return (mask)(a == b);
}

INLINE mask float_equal(floats a, floats b)
{
    return (mask)(a == b);
}

INLINE mask at_least(floats a, floats b)
{
    return (mask)(a >= b);
}

INLINE ints choose(mask m, ints a, ints b)
{
#if defined(__AVX2__)
    return (ints)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)m);
#else
    return b ^ ((a ^ b) & m);
#endif
}

INLINE ints kept(mask m, ints a)
{
    return a & m;
}

INLINE ints count(ints a, mask m)
{
    return a - m;
}

INLINE mask both(mask a, mask b)
{
    return a & b;
}

INLINE mask either(mask a, mask b)
{
    return a | b;
}
#endif

INLINE floats choose_float(mask m, floats a, floats b)
{
    return (floats)choose(m, (ints)a, (ints)b);
}

// ---- Minima and maxima; of floats, none of which is a NaN.
#if defined(__AVX512F__)
#define MINMAX(name, type, instruction, vector)                                                                        \
    INLINE type name(type a, type b)                                                                                   \
    {                                                                                                                  \
        return (type)_mm512_##instruction((vector)a, (vector)b);                                                       \
    }
MINMAX(smaller, ints, min_epi32, __m512i)
MINMAX(larger, ints, max_epi32, __m512i)
MINMAX(float_smaller, floats, min_ps, __m512)
MINMAX(float_larger, floats, max_ps, __m512)
#elif defined(__AVX2__)
#define MINMAX(name, type, instruction, vector)                                                                        \
    INLINE type name(type a, type b)                                                                                   \
    {                                                                                                                  \
        return (type)_mm256_##instruction((vector)a, (vector)b);                                                       \
    }
MINMAX(smaller, ints, min_epi32, __m256i)
MINMAX(larger, ints, max_epi32, __m256i)
MINMAX(float_smaller, floats, min_ps, __m256)
MINMAX(float_larger, floats, max_ps, __m256)
#elif defined(__aarch64__)
#define MINMAX(name, type, instruction, vector)                                                                        \
    INLINE type name(type a, type b)                                                                                   \
    {                                                                                                                  \
        return (type)instruction((vector)a, (vector)b);                                                                \
    }
MINMAX(smaller, ints, vminq_s32, int32x4_t)
MINMAX(larger, ints, vmaxq_s32, int32x4_t)
MINMAX(float_smaller, floats, vminq_f32, float32x4_t)
MINMAX(float_larger, floats, vmaxq_f32, float32x4_t)
#else
#define MINMAX(name, type, condition)                                                                                  \
    INLINE type name(type a, type b)                                                                                   \
    {                                                                                                                  \
        return (type)choose((mask)(condition), (ints)a, (ints)b);                                                      \
    }
MINMAX(smaller, ints, a < b)
MINMAX(larger, ints, a > b)
MINMAX(float_smaller, floats, a < b)
MINMAX(float_larger, floats, a > b)
#endif
#undef MINMAX

INLINE ints between(ints x, int32_t low, int32_t high)
{
    return larger(smaller(x, splat(high)), splat(low));
}

INLINE floats float_between(floats x, float low, float high)
{
    return float_larger(float_smaller(x, splat_float(high)), splat_float(low));
}

// The smaller one, or a NaN that x is.
INLINE floats not_above(floats x, float high)
{
#if defined(__AVX512F__)
    return (floats)_mm512_min_ps((__m512)splat_float(high), (__m512)x);
#elif defined(__AVX2__)
    return (floats)_mm256_min_ps((__m256)splat_float(high), (__m256)x);
#elif defined(__aarch64__)
    return (floats)vminq_f32((float32x4_t)x, vdupq_n_f32(high));
#else
    return choose_float((mask)(splat_float(high) < x), splat_float(high), x);
#endif
}

// ---- Whole numbers among floats. cut_of: towards zero, of what is below 2^31.
INLINE floats cut_of(floats x)
{
#if defined(__AVX512F__)
    return (floats)_mm512_roundscale_ps((__m512)x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
    return (floats)_mm256_round_ps((__m256)x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#elif defined(__aarch64__)
    return (floats)vrndq_f32((float32x4_t)x);
#else
    return to_floats(to_ints(x));
#endif
}

INLINE floats floor_of(floats x)
{
#if defined(__AVX512F__)
    return (floats)_mm512_roundscale_ps((__m512)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
    return (floats)_mm256_floor_ps((__m256)x);
#elif defined(__aarch64__)
    return (floats)vrndmq_f32((float32x4_t)x);
#else
    // From 2^23 on all floats are whole.
    mask small = less((ints)x & INT32_MAX, splat(0x4b000000));
    floats cut = to_floats(to_ints((floats)kept(small, (ints)x)));
    cut -= (floats)(kept((mask)(cut > x), (ints)splat_float(1)));
    return choose_float(small, cut, x);
#endif
}

// A product of numbers of 16 bits with sign, of which b is not negative.
INLINE ints product16(ints a, ints b)
{
#if defined(__AVX512F__)
    return (ints)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (ints)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__x86_64__)
    return (ints)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    return a * b;
#endif
}

// ---- Memory: 1, 2 or 4 words at offsets from a base, for the lanes of a mask; other lanes read nothing, and their words are any. Where all
// lanes read, single loads are put together: processors' gathers take twice as long (they load lane by lane as well), and words that lie beside
// each other are one load. `at` is in memory, from where addresses come sooner than out of a vector.
#define AT(i) (base + ((const int32_t *)at)[i])

INLINE ints gather_masked(const unsigned char *base, ints at, mask m)
{
#if defined(__AVX512F__)
    return (ints)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, (__m512i)at, (const int *)base, 1);
#elif defined(__AVX2__)
    return (ints)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)base, (__m256i)at, (__m256i)m, 1);
#else
    ints r = {0};
    for (uint32_t bits = bits_of(m); bits; bits &= bits - 1) {
        int32_t i = __builtin_ctz(bits), w;
        memcpy(&w, base + at[i], 4);
        r[i] = w;
    }
    return r;
#endif
}

#ifdef __AVX2__
INLINE __m128i quarter(const unsigned char *base, const int32_t *at)
{
    __m128i r = _mm_loadu_si32(base + at[0]);
    int32_t w[3];
    memcpy(&w[0], base + at[1], 4);
    memcpy(&w[1], base + at[2], 4);
    memcpy(&w[2], base + at[3], 4);
    return _mm_insert_epi32(_mm_insert_epi32(_mm_insert_epi32(r, w[0], 1), w[1], 2), w[2], 3);
}

// Two words each of two lanes.
INLINE __m128i pair(const unsigned char *a, const unsigned char *b)
{
    return (__m128i)_mm_loadh_pd((__m128d)_mm_loadl_epi64((const __m128i *)a), (const double *)b);
}
#endif

#if defined(__AVX512F__)
#define JOIN(a, b, c, d)                                                                                               \
    _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1)),               \
                       _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1), 1)
#elif defined(__AVX2__)
#define JOIN(a, b) _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1)
#endif

INLINE ints gather1(const unsigned char *base, const ints *at, mask m)
{
    if (bits_of(m) != ALL_LANES)
        return gather_masked(base, *at, m);
#if defined(__AVX512F__)
    const int32_t *p = (const int32_t *)at;
    return (ints)JOIN(quarter(base, p), quarter(base, p + 4), quarter(base, p + 8), quarter(base, p + 12));
#elif defined(__AVX2__)
    const int32_t *p = (const int32_t *)at;
    return (ints)JOIN(quarter(base, p), quarter(base, p + 4));
#else
    ints r;
    UNROLL for (int i = 0; i < LANES; i++) memcpy((char *)&r + 4 * i, AT(i), 4);
    return r;
#endif
}

INLINE void gather2(const unsigned char *base, const ints *at, mask m, ints *w)
{
    if (bits_of(m) != ALL_LANES) {
        w[0] = gather_masked(base, *at, m);
        w[1] = gather_masked(base + 4, *at, m);
        return;
    }
#if defined(__AVX512F__)
    __m512 a = (__m512)JOIN(pair(AT(0), AT(1)), pair(AT(4), AT(5)), pair(AT(8), AT(9)), pair(AT(12), AT(13)));
    __m512 b = (__m512)JOIN(pair(AT(2), AT(3)), pair(AT(6), AT(7)), pair(AT(10), AT(11)), pair(AT(14), AT(15)));
    w[0] = (ints)_mm512_shuffle_ps(a, b, 0x88);
    w[1] = (ints)_mm512_shuffle_ps(a, b, 0xdd);
#elif defined(__AVX2__)
    __m256 a = (__m256)JOIN(pair(AT(0), AT(1)), pair(AT(4), AT(5)));
    __m256 b = (__m256)JOIN(pair(AT(2), AT(3)), pair(AT(6), AT(7)));
    w[0] = (ints)_mm256_shuffle_ps(a, b, 0x88);
    w[1] = (ints)_mm256_shuffle_ps(a, b, 0xdd);
#else
    typedef int64_t longs __attribute__((vector_size(16)));
    int64_t x[LANES];
    UNROLL for (int i = 0; i < LANES; i++) memcpy(&x[i], AT(i), 8);
    longs a = {x[0], x[1]}, b = {x[2], x[3]};
    w[0] = __builtin_shufflevector((ints)a, (ints)b, 0, 2, 4, 6);
    w[1] = __builtin_shufflevector((ints)a, (ints)b, 1, 3, 5, 7);
#endif
}

#if defined(__AVX512F__)
#define ROW(i)    (__m512) JOIN(FOUR(i), FOUR(4 + i), FOUR(8 + i), FOUR(12 + i))
#define VECTOR(f) _mm512_##f
typedef __m512 row_vector;
typedef __m512d row_doubles;
#elif defined(__AVX2__)
#define ROW(i)    (__m256) JOIN(FOUR(i), FOUR(4 + i))
#define VECTOR(f) _mm256_##f
typedef __m256 row_vector;
typedef __m256d row_doubles;
#endif
#define FOUR(i) _mm_loadu_si128((const __m128i *)AT(i))

INLINE void gather4(const unsigned char *base, const ints *at, mask m, ints *w)
{
    if (bits_of(m) != ALL_LANES) {
        for (int i = 0; i < 4; i++)
            w[i] = gather_masked(base + 4 * i, *at, m);
        return;
    }
#if defined(__AVX2__)
    row_vector a = ROW(0), b = ROW(1), c = ROW(2), d = ROW(3);
    row_doubles low = (row_doubles)VECTOR(unpacklo_ps)(a, b), high = (row_doubles)VECTOR(unpackhi_ps)(a, b);
    row_doubles next_low = (row_doubles)VECTOR(unpacklo_ps)(c, d), next_high = (row_doubles)VECTOR(unpackhi_ps)(c, d);
    w[0] = (ints)VECTOR(unpacklo_pd)(low, next_low);
    w[1] = (ints)VECTOR(unpackhi_pd)(low, next_low);
    w[2] = (ints)VECTOR(unpacklo_pd)(high, next_high);
    w[3] = (ints)VECTOR(unpackhi_pd)(high, next_high);
#else
    ints x[LANES];
    UNROLL for (int i = 0; i < LANES; i++) memcpy(&x[i], AT(i), 16);
    ints low = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5), high = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
    ints next_low = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
    ints next_high = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
    w[0] = __builtin_shufflevector(low, next_low, 0, 1, 4, 5);
    w[1] = __builtin_shufflevector(low, next_low, 2, 3, 6, 7);
    w[2] = __builtin_shufflevector(high, next_high, 0, 1, 4, 5);
    w[3] = __builtin_shufflevector(high, next_high, 2, 3, 6, 7);
#endif
}

// 1 or 2 bytes in a word of 0s.
INLINE ints gather_bytes(const unsigned char *base, const ints *at, mask m, unsigned size)
{
    ints r = {0};
    if (bits_of(m) == ALL_LANES) {
        if (size == 1) {
            UNROLL for (int i = 0; i < LANES; i++) r[i] = *AT(i);
        } else {
            uint16_t half;
            UNROLL for (int i = 0; i < LANES; i++)
            {
                memcpy(&half, AT(i), 2);
                r[i] = half;
            }
        }
        return r;
    }
    for (uint32_t bits = bits_of(m); bits; bits &= bits - 1) {
        int i = __builtin_ctz(bits);
        uint16_t half = 0;
        memcpy(&half, AT(i), size == 1 ? 1 : 2);
        r[i] = half;
    }
    return r;
}
#undef AT
#undef FOUR
#undef ROW
#undef VECTOR
#undef JOIN
#endif
