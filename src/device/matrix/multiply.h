// SPDX-License-Identifier: Apache-2.0
// Products of matrices for one kind of processor: a file that includes this one defines MULTIPLY, the function's name, and is
// compiled for that processor.
//
// 1. One operand is taken as vectors of 16, the other as scalars, so that a step of k is a multiply-add for each line of sums with
//    a scalar that comes straight from memory. For mma (n = 8) a vector is a column of A, and a line of sums a column of D; for
//    wmma (m <= n) a vector is half a row or a row of B, and a line of sums a row of D.
// 2. Numbers of 16 bits and less become floats before. A sum of k products is a chain of multiply-adds in the order of k that
//    begins with C, each rounded once: the same bits on every processor, and those that gangs of other widths get
//    (jit/translate/insn/matrix.c). So the dot products of bfloat16 (AVX-512, AMX, AArch64) are of no use: they add pairs in another
//    order and take subnormal numbers for zero. AVX-512's would not be faster either, since it does as many products in a cycle as
//    two multiply-adds. Arithmetic on halves (AVX-512 FP16, AArch64) rounds after every step; AArch64's
//    fmlal, which multiplies halves and adds to a float, rounds once and is taken where there is one.
// 3. Sums of products of bytes are whole numbers, so any order will do: dot products of four bytes where the processor has them
//    (VNNI of AVX-512 and of AVX2; AArch64's dotprod, and i8mm for mixed signs), pairs of 16 bits on other processors with AVX2, and
//    floats, which hold sums below 2^24 exactly, on the rest. Then they are added to C.
#include "device/matrix/matrix.h"
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#ifdef __aarch64__
#include <arm_neon.h>
#endif

enum { LANES = 16, MAX_K = 32, MAX_LINES = 16 };

#if defined(__AVX512F__)
enum { VECTOR = 16, GROUP = 16 };
typedef __m512 vector;
#define ADD_PRODUCT(a, b, c) _mm512_fmadd_ps(a, b, c)
#define SPLAT(x)             _mm512_set1_ps(x)
#define LOAD(p)              _mm512_load_ps(p)
#define STORE(p, v)          _mm512_store_ps(p, v)
#elif defined(__FMA__)
enum { VECTOR = 8, GROUP = 4 };
typedef __m256 vector;
#define ADD_PRODUCT(a, b, c) _mm256_fmadd_ps(a, b, c)
#define SPLAT(x)             _mm256_set1_ps(x)
#define LOAD(p)              _mm256_load_ps(p)
#define STORE(p, v)          _mm256_store_ps(p, v)
#elif defined(__aarch64__)
enum { VECTOR = 4, GROUP = 4 };
#else
enum { VECTOR = 1, GROUP = 8 };
typedef float vector;
#define ADD_PRODUCT(a, b, c) __builtin_fmaf(a, b, c)
#define SPLAT(x)             (x)
#define LOAD(p)              (*(p))
#define STORE(p, v)          (*(p) = (v))
#endif
#define PARTS (LANES / VECTOR)

// The same for doubles.
#if defined(__AVX512F__)
enum { DOUBLES = 8 };
typedef __m512d doubles;
#define D_ADD_PRODUCT(a, b, c) _mm512_fmadd_pd(a, b, c)
#define D_SPLAT(x)             _mm512_set1_pd(x)
#define D_LOAD(p)              _mm512_loadu_pd(p)
#define D_STORE(p, v)          _mm512_storeu_pd(p, v)
#elif defined(__FMA__)
enum { DOUBLES = 4 };
typedef __m256d doubles;
#define D_ADD_PRODUCT(a, b, c) _mm256_fmadd_pd(a, b, c)
#define D_SPLAT(x)             _mm256_set1_pd(x)
#define D_LOAD(p)              _mm256_loadu_pd(p)
#define D_STORE(p, v)          _mm256_storeu_pd(p, v)
#elif defined(__aarch64__)
enum { DOUBLES = 2 };
typedef float64x2_t doubles;
#define D_ADD_PRODUCT(a, b, c) vfmaq_f64(c, a, b)
#define D_SPLAT(x)             vdupq_n_f64(x)
#define D_LOAD(p)              vld1q_f64(p)
#define D_STORE(p, v)          vst1q_f64(p, v)
#else
enum { DOUBLES = 1 };
typedef double doubles;
#define D_ADD_PRODUCT(a, b, c) __builtin_fma(a, b, c)
#define D_SPLAT(x)             (x)
#define D_LOAD(p)              (*(p))
#define D_STORE(p, v)          (*(p) = (v))
#endif

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define INLINE static inline __attribute__((always_inline))

// --- numbers ---

INLINE float from_bits(uint32_t b)
{
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

static float from_half(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023;
    if (e == 31)
        return from_bits(sign | 0x7f800000u | m << 13);
    float f = e ? from_bits((e + 112) << 23 | m << 13) : (float)m * 0x1p-24f;
    return sign ? -f : f;
}

// To nearest, ties to even.
static uint16_t to_half(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    uint32_t sign = b >> 16 & 0x8000, a = b & 0x7fffffff;
    if (a >= 0x7f800000)
        return (uint16_t)(sign | (a > 0x7f800000 ? 0x7e00 | (a >> 13 & 0x3ff) : 0x7c00));
    if (a >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (a >= 0x38800000)
        return (uint16_t)(sign | (((a + 0xfff + (a >> 13 & 1)) >> 13) - (112 << 10)));
    uint32_t e = a >> 23;
    if (e < 102)
        return (uint16_t)sign;
    uint32_t m = (a & 0x7fffff) | 0x800000, shift = 126 - e, r = m >> shift, rest = m & ((1u << shift) - 1);
    uint32_t half = 1u << (shift - 1);
    return (uint16_t)(sign | (r + (rest > half || (rest == half && (r & 1)))));
}

static void to_halves(const float *from, unsigned n, uint16_t *to)
{
    unsigned i = 0;
#if defined(__AVX512F__)
    for (; i + 16 <= n; i += 16)
        _mm256_storeu_si256((__m256i *)(to + i),
                            _mm512_cvtps_ph(_mm512_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#elif defined(__F16C__)
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((__m128i *)(to + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
#elif defined(__aarch64__)
    for (; i + 4 <= n; i += 4)
        vst1_u16(to + i, vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(from + i))));
#endif
    for (; i < n; i++)
        to[i] = to_half(from[i]);
}

static float from_e4m3(uint8_t x)
{
    uint32_t e = x >> 3 & 15, m = x & 7;
    float f = (x & 127) == 127 ? __builtin_nanf("") : e ? from_bits((e + 120) << 23 | m << 20) : (float)m * 0x1p-9f;
    return x & 128 ? -f : f;
}

INLINE float from_byte(enum matrix_type t, uint8_t b)
{
    switch (t) {
    case MATRIX_S8:
        return (int8_t)b;
    case MATRIX_U8:
        return b;
    case MATRIX_E4M3:
        return from_e4m3(b);
    default:
        return from_half((uint16_t)(b << 8));
    }
}

// Elements that lie one behind the other.
static void to_floats(enum matrix_type t, const void *from, unsigned n, float *to)
{
    const uint32_t *w = from;
    const uint16_t *h = from;
    const uint8_t *b = from;
    switch (t) {
    case MATRIX_F16: {
        unsigned i = 0;
#if defined(__AVX512F__)
        for (; i + 16 <= n; i += 16)
            _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(h + i))));
#elif defined(__F16C__)
        for (; i + 8 <= n; i += 8)
            _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(h + i))));
#elif defined(__aarch64__)
        for (; i + 4 <= n; i += 4)
            vst1q_f32(to + i, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(h + i))));
#endif
        for (; i < n; i++)
            to[i] = from_half(h[i]);
        break;
    }
    case MATRIX_BF16:
        for (unsigned i = 0; i < n; i++)
            to[i] = from_bits((uint32_t)h[i] << 16);
        break;
    case MATRIX_TF32:
        for (unsigned i = 0; i < n; i++)
            to[i] = from_bits(w[i] & 0xffffe000u);
        break;
    case MATRIX_S8:
        for (unsigned i = 0; i < n; i++)
            to[i] = (int8_t)b[i];
        break;
    case MATRIX_U8:
        for (unsigned i = 0; i < n; i++)
            to[i] = b[i];
        break;
    case MATRIX_E4M3:
    case MATRIX_E5M2:
        for (unsigned i = 0; i < n; i++)
            to[i] = from_byte(t, b[i]);
        break;
    default:
        memcpy(to, from, n * sizeof *to);
    }
}

// Element e of each of n words, whose others belong elsewhere.
INLINE void part_to_floats(enum matrix_type t, const uint32_t *from, unsigned e, unsigned n, float *to)
{
    switch (t) {
    case MATRIX_F16:
#if defined(__AVX512F__)
        for (unsigned i = 0; i < n; i += 16) {
            __m512i w = _mm512_srl_epi32(_mm512_loadu_si512(from + i), _mm_cvtsi32_si128((int)e * 16));
            _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(w)));
        }
#elif defined(__F16C__)
        for (unsigned i = 0; i < n; i += 8) {
            __m256i w = _mm256_loadu_si256((const __m256i *)(from + i));
            w = e ? _mm256_srli_epi32(w, 16) : _mm256_and_si256(w, _mm256_set1_epi32(0xffff));
            w = _mm256_permute4x64_epi64(_mm256_packus_epi32(w, w), 8);
            _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm256_castsi256_si128(w)));
        }
#else
    {
        uint16_t h[LANES];
        for (unsigned i = 0; i < n; i++)
            h[i] = (uint16_t)(from[i] >> (16 * e));
        to_floats(t, h, n, to);
    }
#endif
        break;
    case MATRIX_BF16: {
        uint32_t keep = e ? 0xffff0000u : 0, move = e ? 0 : 0xffff0000u;
        for (unsigned i = 0; i < n; i++)
            to[i] = from_bits((from[i] & keep) | (from[i] << 16 & move));
        break;
    }
    case MATRIX_TF32:
        to_floats(t, from, n, to);
        break;
    case MATRIX_S8:
        for (unsigned i = 0; i < n; i++)
            to[i] = (float)((int32_t)(from[i] << (24 - 8 * e)) >> 24);
        break;
    default:
        for (unsigned i = 0; i < n; i++)
            to[i] = from_byte(t, (uint8_t)(from[i] >> (8 * e)));
    }
}

// --- the order of mma's fragments ---

#if defined(__AVX512F__)
// What spread and collect do, with the lines of 16 in registers.
INLINE void transpose_in(const uint32_t *p, const uint32_t *q, __m512i *to)
{
    __m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 16), c = _mm512_loadu_si512(q),
            d = _mm512_loadu_si512(q + 16);
    __m512i even = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(2));
    __m512i l = _mm512_permutex2var_epi32(a, even, b), l2 = _mm512_permutex2var_epi32(c, even, d);
    __m512i h = _mm512_permutex2var_epi32(a, odd, b), h2 = _mm512_permutex2var_epi32(c, odd, d);
    to[0] = _mm512_shuffle_i64x2(l, l2, 0x44);
    to[1] = _mm512_shuffle_i64x2(l, l2, 0xee);
    to[2] = _mm512_shuffle_i64x2(h, h2, 0x44);
    to[3] = _mm512_shuffle_i64x2(h, h2, 0xee);
}

INLINE void transpose_out(uint32_t *p, uint32_t *q, __m512i t0, __m512i t1, __m512i t2, __m512i t3)
{
    __m512i l = _mm512_shuffle_i64x2(t0, t1, 0x44), l2 = _mm512_shuffle_i64x2(t0, t1, 0xee);
    __m512i h = _mm512_shuffle_i64x2(t2, t3, 0x44), h2 = _mm512_shuffle_i64x2(t2, t3, 0xee);
    __m512i first = _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(4));
    _mm512_storeu_si512(p, _mm512_permutex2var_epi32(l, first, h));
    _mm512_storeu_si512(p + 16, _mm512_permutex2var_epi32(l, second, h));
    _mm512_storeu_si512(q, _mm512_permutex2var_epi32(l2, first, h2));
    _mm512_storeu_si512(q + 16, _mm512_permutex2var_epi32(l2, second, h2));
}
#endif

// 16 lines of four, the first eight at p and the others at q, to four lines of 16.
INLINE void spread(const uint32_t *p, const uint32_t *q, uint32_t (*to)[LANES])
{
#if defined(__AVX512F__)
    __m512i lines[4];
    transpose_in(p, q, lines);
    for (unsigned t = 0; t < 4; t++)
        _mm512_store_si512(to[t], lines[t]);
#else
    for (unsigned g = 0; g < 8; g++)
        for (unsigned t = 0; t < 4; t++) {
            to[t][g] = p[4 * g + t];
            to[t][g + 8] = q[4 * g + t];
        }
#endif
}

// The same the other way; from: lines that are `step` lines apart.
INLINE void collect(uint32_t *p, uint32_t *q, uint32_t (*from)[LANES], unsigned step)
{
#if defined(__AVX512F__)
    transpose_out(p, q, _mm512_load_si512(from[0]), _mm512_load_si512(from[step]), _mm512_load_si512(from[2 * step]),
                  _mm512_load_si512(from[3 * step]));
#else
    for (unsigned g = 0; g < 8; g++)
        for (unsigned t = 0; t < 4; t++) {
            p[4 * g + t] = from[t * step][g];
            q[4 * g + t] = from[t * step][g + 8];
        }
#endif
}

// --- products ---

// Where the scalars of a product are: that of line i at step k is x[k / length][i * line + k % length].
struct scalars {
    const float *x;
    unsigned chunks, chunk, length, line;
};

// Scalars of four bytes, as above; vectors of 16 times four bytes.
struct words {
    const uint32_t *x;
    unsigned chunks, chunk, length, line, count; // count: in all
};

#ifdef __aarch64__
#include "device/matrix/neon.h"

// The number of lines is known wherever this is inlined.
INLINE void add_products(float (*sums)[LANES], unsigned lines, const float *v, unsigned step, struct scalars s)
{
    tile_floats((struct rows){(uint32_t *)sums, (uint32_t *)sums, lines, LANES, 4}, 4, v, step, s);
}
#else
// The number of lines is known wherever this is inlined.
INLINE void add_products(float (*sums)[LANES], unsigned lines, const float *v, unsigned step, struct scalars s)
{
    unsigned group = lines < GROUP ? lines : GROUP;
    for (unsigned first = 0; first < lines; first += group) {
        vector r[GROUP][PARTS];
        const float *p = v;
        for (unsigned i = 0; i < group; i++)
            for (unsigned l = 0; l < PARTS; l++)
                r[i][l] = LOAD(&sums[first + i][l * VECTOR]);
        for (unsigned c = 0; c < s.chunks; c++) {
            const float *x = s.x + c * s.chunk + first * s.line;
            for (unsigned k = 0; k < s.length; k++, p += step) {
                vector part[PARTS];
                for (unsigned l = 0; l < PARTS; l++)
                    part[l] = LOAD(p + l * VECTOR);
                for (unsigned i = 0; i < group; i++)
                    for (unsigned l = 0; l < PARTS; l++)
                        r[i][l] = ADD_PRODUCT(part[l], SPLAT(x[i * s.line + k]), r[i][l]);
            }
        }
        for (unsigned i = 0; i < group; i++)
            for (unsigned l = 0; l < PARTS; l++)
                STORE(&sums[first + i][l * VECTOR], r[i][l]);
    }
}
#endif

static bool is_byte(enum matrix_type t)
{
    return t == MATRIX_S8 || t == MATRIX_U8;
}

INLINE int32_t add_sum(int32_t c, int32_t sum, bool sat)
{
    int32_t r;
    if (sat && __builtin_add_overflow(c, sum, &r))
        return c < 0 ? INT32_MIN : INT32_MAX;
    return (int32_t)((uint32_t)c + (uint32_t)sum);
}

// In runs of 16, so that the compiler need not ask whether they overlap.
INLINE void add_sums(const uint32_t *c, const int32_t *sum, uint32_t *to, unsigned n, bool sat)
{
    for (unsigned i = 0; i < n; i += LANES) {
        uint32_t r[LANES];
        if (sat)
            for (unsigned l = 0; l < LANES; l++)
                r[l] = (uint32_t)add_sum((int32_t)c[i + l], sum[i + l], true);
        else
            for (unsigned l = 0; l < LANES; l++)
                r[l] = c[i + l] + (uint32_t)sum[i + l];
        memcpy(to + i, r, sizeof r);
    }
}

// C to floats, and floats to D.
static void sums_begin(enum matrix_type t, const uint32_t *c, unsigned n, float *to)
{
    to_floats(t == MATRIX_F16 ? MATRIX_F16 : MATRIX_F32, c, n, to);
}
static void sums_end(const struct matrix_op *o, const float *sums, unsigned n, uint32_t *out)
{
    if (o->d != MATRIX_F16) {
        memcpy(out, sums, n * sizeof *sums);
        return;
    }
    to_halves(sums, n, (uint16_t *)out);
}

// Vectors of VECTOR words of four bytes, and their dot products. Each has signs that it takes; where the scalars have the other one
// (MOVED), they get 128 added or taken off, and 128 times the sum of the vector's bytes makes up for it.
#if defined(__AVX512VNNI__)
typedef __m512i words_vector;
#define W_DOT(sum, v, x, vs) ((vs) ? _mm512_dpbusd_epi32(sum, x, v) : _mm512_dpbusd_epi32(sum, v, x))
#define W_LOAD(p)            _mm512_load_si512(p)
#define W_STORE(p, v)        _mm512_store_si512(p, v)
#define W_SPLAT(x)           _mm512_set1_epi32((int)(x))
#define W_TIMES_128(v)       _mm512_slli_epi32(v, 7)
#define W_NEGATE(v)          _mm512_sub_epi32(_mm512_setzero_si512(), v)
#define MOVED(vs, xs)        ((vs) == (xs)) // unsigned by signed
#define HAS_DOT
#elif defined(__AVXVNNI__)
typedef __m256i words_vector;
#define W_DOT(sum, v, x, vs) ((vs) ? _mm256_dpbusd_avx_epi32(sum, x, v) : _mm256_dpbusd_avx_epi32(sum, v, x))
#define W_LOAD(p)            _mm256_load_si256((const __m256i *)(p))
#define W_STORE(p, v)        _mm256_store_si256((__m256i *)(p), v)
#define W_SPLAT(x)           _mm256_set1_epi32((int)(x))
#define W_TIMES_128(v)       _mm256_slli_epi32(v, 7)
#define W_NEGATE(v)          _mm256_sub_epi32(_mm256_setzero_si256(), v)
#define MOVED(vs, xs)        ((vs) == (xs))
#define HAS_DOT
#elif defined(__ARM_FEATURE_DOTPROD)
typedef int32x4_t words_vector;
INLINE int32x4_t dot_signed(int32x4_t sum, int32x4_t v, int32x4_t x)
{
    return vdotq_s32(sum, vreinterpretq_s8_s32(v), vreinterpretq_s8_s32(x));
}
INLINE int32x4_t dot_unsigned(int32x4_t sum, int32x4_t v, int32x4_t x)
{
    return vreinterpretq_s32_u32(
        vdotq_u32(vreinterpretq_u32_s32(sum), vreinterpretq_u8_s32(v), vreinterpretq_u8_s32(x)));
}
#define W_DOT(sum, v, x, vs) ((vs) ? dot_signed(sum, v, x) : dot_unsigned(sum, v, x))
#define W_LOAD(p)            vld1q_s32((const int32_t *)(p))
#define W_STORE(p, v)        vst1q_s32((int32_t *)(p), v)
#define W_SPLAT(x)           vdupq_n_s32((int32_t)(x))
#define W_TIMES_128(v)       vshlq_n_s32(v, 7)
#define W_NEGATE(v)          vnegq_s32(v)
#ifdef __ARM_FEATURE_MATMUL_INT8
INLINE int32x4_t dot_mixed(int32x4_t sum, int32x4_t v, int32x4_t x, bool vs)
{
    return vs ? vusdotq_s32(sum, vreinterpretq_u8_s32(x), vreinterpretq_s8_s32(v))
              : vusdotq_s32(sum, vreinterpretq_u8_s32(v), vreinterpretq_s8_s32(x));
}
#define MOVED(vs, xs) false
#else
#define dot_mixed(sum, v, x, vs) (sum)          // scalars were moved before
#define MOVED(vs, xs)            ((vs) != (xs)) // two of one sign
#endif
#define HAS_DOT
#endif

#if defined(HAS_DOT)
INLINE void add_bytes(int32_t (*sums)[LANES], unsigned lines, const uint32_t *v, unsigned step, struct words s,
                      bool vector_signed, bool scalar_signed)
{
    _Alignas(64) uint32_t x[MAX_LINES * MAX_K / 4];
    words_vector base[PARTS];
    for (unsigned l = 0; l < PARTS; l++)
        base[l] = W_SPLAT(0);
    if (MOVED(vector_signed, scalar_signed)) {
        for (unsigned i = 0; i < s.count; i++)
            x[i] = s.x[i] ^ 0x80808080u;
        __asm__ volatile("" : : "r"(x) : "memory"); // or the compiler takes scalars out of the registers that it stored
        s.x = x;
        for (unsigned l = 0; l < PARTS; l++) {
            for (unsigned k = 0; k < s.chunks * s.length; k++)
                base[l] = W_DOT(base[l], W_LOAD(v + k * step + l * VECTOR), W_SPLAT(0x01010101), vector_signed);
            base[l] = W_TIMES_128(base[l]);
            if (scalar_signed)
                base[l] = W_NEGATE(base[l]);
        }
    }
    unsigned group = lines < GROUP ? lines : GROUP;
    for (unsigned first = 0; first < lines; first += group) {
        words_vector r[GROUP][PARTS];
        const uint32_t *p = v;
        for (unsigned i = 0; i < group; i++)
            for (unsigned l = 0; l < PARTS; l++)
                r[i][l] = base[l];
        for (unsigned c = 0; c < s.chunks; c++) {
            const uint32_t *w = s.x + c * s.chunk + first * s.line;
            for (unsigned k = 0; k < s.length; k++, p += step) {
                words_vector part[PARTS];
                for (unsigned l = 0; l < PARTS; l++)
                    part[l] = W_LOAD(p + l * VECTOR);
                for (unsigned i = 0; i < group; i++)
                    for (unsigned l = 0; l < PARTS; l++)
#ifdef __ARM_FEATURE_DOTPROD
                        if (vector_signed != scalar_signed && !MOVED(vector_signed, scalar_signed))
                            r[i][l] = dot_mixed(r[i][l], part[l], W_SPLAT(w[i * s.line + k]), vector_signed);
                        else
#endif
                            r[i][l] = W_DOT(r[i][l], part[l], W_SPLAT(w[i * s.line + k]), vector_signed);
            }
        }
        for (unsigned i = 0; i < group; i++)
            for (unsigned l = 0; l < PARTS; l++)
                W_STORE(&sums[first + i][l * VECTOR], r[i][l]);
    }
}
#elif defined(__FMA__)
// Without dot products: the even and the odd bytes as 16 bits, of which an instruction multiplies and adds pairs.
#if defined(__AVX512F__)
typedef __m512i words_vector;
#define W(name)       _mm512_##name
#define W_LOAD(p)     _mm512_load_si512(p)
#define W_LOAD_ANY(p) _mm512_loadu_si512(p)
#define W_STORE(p, v) _mm512_store_si512(p, v)
#define W_ZERO()      _mm512_setzero_si512()
#else
typedef __m256i words_vector;
#define W(name)       _mm256_##name
#define W_LOAD(p)     _mm256_load_si256((const __m256i *)(p))
#define W_LOAD_ANY(p) _mm256_loadu_si256((const __m256i *)(p))
#define W_STORE(p, v) _mm256_store_si256((__m256i *)(p), v)
#define W_ZERO()      _mm256_setzero_si256()
#endif
INLINE words_vector even_bytes(words_vector w, bool is_signed)
{
    w = W(slli_epi16)(w, 8);
    return is_signed ? W(srai_epi16)(w, 8) : W(srli_epi16)(w, 8);
}
INLINE words_vector odd_bytes(words_vector w, bool is_signed)
{
    return is_signed ? W(srai_epi16)(w, 8) : W(srli_epi16)(w, 8);
}

INLINE void add_bytes(int32_t (*sums)[LANES], unsigned lines, const uint32_t *v, unsigned step, struct words s,
                      bool vector_signed, bool scalar_signed)
{
    _Alignas(64) uint32_t even[MAX_LINES * MAX_K / 4], odd[MAX_LINES * MAX_K / 4];
    for (unsigned i = 0; i < s.count; i += VECTOR) {
        words_vector w = W_LOAD_ANY(s.x + i);
        W_STORE(even + i, even_bytes(w, scalar_signed));
        W_STORE(odd + i, odd_bytes(w, scalar_signed));
    }
    __asm__ volatile("" : : "r"(even), "r"(odd) : "memory"); // as above
    unsigned group = lines < GROUP ? lines : GROUP;
    for (unsigned first = 0; first < lines; first += group) {
        words_vector r[GROUP][PARTS];
        const uint32_t *p = v;
        for (unsigned i = 0; i < group; i++)
            for (unsigned l = 0; l < PARTS; l++)
                r[i][l] = W_ZERO();
        for (unsigned c = 0; c < s.chunks; c++) {
            unsigned at = c * s.chunk + first * s.line;
            for (unsigned k = 0; k < s.length; k++, p += step) {
                words_vector e[PARTS], o[PARTS];
                for (unsigned l = 0; l < PARTS; l++) {
                    e[l] = even_bytes(W_LOAD(p + l * VECTOR), vector_signed);
                    o[l] = odd_bytes(W_LOAD(p + l * VECTOR), vector_signed);
                }
                for (unsigned i = 0; i < group; i++)
                    for (unsigned l = 0; l < PARTS; l++) {
                        unsigned j = at + i * s.line + k;
                        words_vector m = W(madd_epi16)(e[l], W(set1_epi32)((int)even[j]));
                        r[i][l] =
                            W(add_epi32)(r[i][l], W(add_epi32)(m, W(madd_epi16)(o[l], W(set1_epi32)((int)odd[j]))));
                    }
            }
        }
        for (unsigned i = 0; i < group; i++)
            for (unsigned l = 0; l < PARTS; l++)
                W_STORE(&sums[first + i][l * VECTOR], r[i][l]);
    }
}
#endif

#if defined(HAS_DOT) || defined(__FMA__)
INLINE void sum_bytes(int32_t (*sums)[LANES], unsigned lines, const uint32_t *v, unsigned step, enum matrix_type vt,
                      struct words s, enum matrix_type st)
{
    if (vt == MATRIX_S8 && st == MATRIX_S8)
        add_bytes(sums, lines, v, step, s, true, true);
    else if (vt == MATRIX_S8)
        add_bytes(sums, lines, v, step, s, true, false);
    else if (st == MATRIX_S8)
        add_bytes(sums, lines, v, step, s, false, true);
    else
        add_bytes(sums, lines, v, step, s, false, false);
}
#else
INLINE void sum_bytes(int32_t (*sums)[LANES], unsigned lines, const uint32_t *v, unsigned step, enum matrix_type vt,
                      struct words s, enum matrix_type st)
{
    _Alignas(64) float vf[MAX_K][LANES], xf[MAX_LINES * MAX_K], r[MAX_LINES][LANES] = {0};
    unsigned steps = s.chunks * s.length;
    for (unsigned k = 0; k < steps; k++)
        for (unsigned e = 0; e < 4; e++)
            part_to_floats(vt, v + k * step, e, LANES, vf[4 * k + e]);
    to_floats(st, s.x, 4 * s.count, xf);
    add_products(r, lines, vf[0], LANES, (struct scalars){xf, s.chunks, 4 * s.chunk, 4 * s.length, 4 * s.line});
    for (unsigned i = 0; i < lines; i++)
        for (unsigned l = 0; l < LANES; l++)
            sums[i][l] = (int32_t)r[i][l];
}
#endif

// --- mma: m x 8 x k, fragments as in the PTX manual ---

// Eight lines of sums of `width` doubles each: a scalar of each line, x[k / 4 * chunk + i * line + k % 4], times the vector of k.
INLINE void add_doubles(double *sums, unsigned width, unsigned k, const double *v, const double *x, unsigned chunk,
                        unsigned line)
{
    for (unsigned first = 0; first < width; first += DOUBLES) {
        doubles r[8];
        for (unsigned i = 0; i < 8; i++)
            r[i] = D_LOAD(sums + i * width + first);
        for (unsigned c = 0; c < k; c += 4)
            for (unsigned e = 0; e < 4; e++) {
                doubles part = D_LOAD(v + (c + e) * width + first);
                for (unsigned i = 0; i < 8; i++)
                    r[i] = D_ADD_PRODUCT(part, D_SPLAT(x[c / 4 * chunk + i * line + e]), r[i]);
            }
        for (unsigned i = 0; i < 8; i++)
            D_STORE(sums + i * width + first, r[i]);
    }
}

// Eight lines of four to four lines, `width` apart, and back.
INLINE void turn_doubles(const double *from, double *to, unsigned width)
{
#if defined(__AVX512F__)
    __m512d a = _mm512_loadu_pd(from), b = _mm512_loadu_pd(from + 8), c = _mm512_loadu_pd(from + 16),
            d = _mm512_loadu_pd(from + 24);
    for (unsigned k = 0; k < 4; k += 2) {
        __m512i two = _mm512_add_epi64(_mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13), _mm512_set1_epi64(k));
        __m512d l = _mm512_permutex2var_pd(a, two, b), h = _mm512_permutex2var_pd(c, two, d);
        _mm512_storeu_pd(to + k * width, _mm512_shuffle_f64x2(l, h, 0x44));
        _mm512_storeu_pd(to + (k + 1) * width, _mm512_shuffle_f64x2(l, h, 0xee));
    }
#else
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 4; k++)
            to[k * width + i] = from[4 * i + k];
#endif
}
INLINE void turn_doubles_back(const double *from, double *to, unsigned width)
{
#if defined(__AVX512F__)
    __m512d l[2], h[2];
    for (unsigned k = 0; k < 2; k++) {
        __m512d a = _mm512_loadu_pd(from + 2 * k * width), b = _mm512_loadu_pd(from + (2 * k + 1) * width);
        l[k] = _mm512_shuffle_f64x2(a, b, 0x44);
        h[k] = _mm512_shuffle_f64x2(a, b, 0xee);
    }
    for (unsigned k = 0; k < 2; k++) {
        __m512i two = _mm512_add_epi64(_mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13), _mm512_set1_epi64(2 * k));
        _mm512_storeu_pd(to + 8 * k, _mm512_permutex2var_pd(l[0], two, l[1]));
        _mm512_storeu_pd(to + 16 + 8 * k, _mm512_permutex2var_pd(h[0], two, h[1]));
    }
#else
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 4; k++)
            to[4 * i + k] = from[k * width + i];
#endif
}

INLINE void mma_doubles(unsigned m, unsigned k, const double *in, double *out)
{
    _Alignas(64) double columns[MAX_K * LANES], sums[8 * LANES];
    const double *b = in + k / 4 * (m / 8) * 32, *c = b + k / 4 * 32;
    for (unsigned p = 0; p < k / 4; p++)
        for (unsigned h = 0; h < m / 8; h++)
            turn_doubles(in + (p * (m / 8) + h) * 32, columns + 4 * p * m + 8 * h, m);
    for (unsigned h = 0; h < m / 8; h++)
        for (unsigned e = 0; e < 2; e++)
            turn_doubles(c + (2 * h + e) * 32, sums + e * m + 8 * h, 2 * m);
    add_doubles(sums, m, k, columns, b, 32, 4);
    for (unsigned h = 0; h < m / 8; h++)
        for (unsigned e = 0; e < 2; e++)
            turn_doubles_back(sums + e * m + 8 * h, out + (2 * h + e) * 32, 2 * m);
}

static void mma_double(const struct matrix_op *o, const double *in, double *out)
{
    if (o->m == 8)
        mma_doubles(8, o->k, in, out);
    else
        mma_doubles(16, o->k, in, out);
}

// C and D: words 0 and 1 hold an even and an odd column of the first eight rows, 2 and 3 of the others; halves are in pairs.
INLINE void sums_spread(const struct matrix_op *o, const uint32_t *c, uint32_t (*columns)[LANES])
{
    static const _Alignas(64) uint32_t none[32];
    _Alignas(64) uint32_t wide[4][32];
    if (o->c == MATRIX_F16) {
        for (unsigned h = 0; h < 2; h++)
            for (unsigned e = 0; e < 2; e++)
                for (unsigned l = 0; l < 32; l += LANES)
                    part_to_floats(MATRIX_F16, c + h * 32 + l, e, LANES, (float *)&wide[2 * h + e][l]);
        c = wide[0];
    }
    for (unsigned e = 0; e < 2; e++) {
        _Alignas(64) uint32_t four[4][LANES];
        spread(c + 32 * e, o->m == 16 ? c + 32 * (2 + e) : none, four);
        for (unsigned t = 0; t < 4; t++)
            memcpy(columns[2 * t + e], four[t], sizeof four[t]);
    }
}
INLINE void sums_collect(const struct matrix_op *o, uint32_t (*columns)[LANES], uint32_t *out)
{
    _Alignas(64) uint32_t wide[4][32], none[32];
    uint32_t *d = o->d == MATRIX_F16 ? wide[0] : out;
    for (unsigned e = 0; e < 2; e++)
        collect(d + 32 * e, o->m == 16 ? d + 32 * (2 + e) : none, columns + e, 2);
    if (o->d == MATRIX_F16)
        for (unsigned h = 0; h < 2; h++) {
            uint16_t lo[32], hi[32];
            to_halves((const float *)wide[2 * h], 32, lo);
            to_halves((const float *)wide[2 * h + 1], 32, hi);
            for (unsigned i = 0; i < 32; i++)
                out[32 * h + i] = lo[i] | (uint32_t)hi[i] << 16;
        }
}

#if defined(__AVX512F__)
// With AVX-512 the common shape of halves, bfloat16 and tf32, m16n8 with two chunks, stays in registers but for the scalars.
INLINE __m512 part_of(enum matrix_type t, __m512i words, unsigned e)
{
    if (t == MATRIX_TF32)
        return _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32((int)0xffffe000u)));
    if (t == MATRIX_BF16)
        return _mm512_castsi512_ps(e ? _mm512_and_si512(words, _mm512_set1_epi32((int)0xffff0000u))
                                     : _mm512_slli_epi32(words, 16));
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(e ? _mm512_srli_epi32(words, 16) : words));
}

INLINE void to_scalars(enum matrix_type t, const uint32_t *b, unsigned n, float *x)
{
    for (unsigned i = 0; i < n; i += 16) {
        __m512 f;
        if (t == MATRIX_TF32) {
            f = part_of(t, _mm512_loadu_si512(b + i), 0);
        } else {
            __m256i h = _mm256_loadu_si256((const __m256i *)((const uint16_t *)b + i));
            f = t == MATRIX_F16 ? _mm512_cvtph_ps(h)
                                : _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(h), 16));
        }
        _mm512_store_ps(x + i, f);
    }
}

INLINE void mma_registers(enum matrix_type t, const uint32_t *in, uint32_t *out)
{
    unsigned per_word = 4 / matrix_element_bytes(t), length = 4 * per_word;
    const uint32_t *b = in + 4 * 32, *c = b + 2 * 32;
    _Alignas(64) float x[8 * 16];
    __m512i sum[2][4], rows[4];
    __m512 r[8];
    to_scalars(t, b, 64 * per_word, x);
    __asm__ volatile("" : : "r"(x) : "memory");
    for (unsigned e = 0; e < 2; e++)
        transpose_in(c + 32 * e, c + 32 * (2 + e), sum[e]);
    for (unsigned i = 0; i < 8; i++)
        r[i] = _mm512_castsi512_ps(sum[i % 2][i / 2]);
    UNROLL
    for (unsigned chunk = 0; chunk < 2; chunk++) {
        transpose_in(in + 64 * chunk, in + 64 * chunk + 32, rows);
        UNROLL
        for (unsigned k = 0; k < length; k++) {
            __m512 v = part_of(t, rows[k / per_word], k % per_word);
            UNROLL
            for (unsigned i = 0; i < 8; i++)
                r[i] = _mm512_fmadd_ps(v, _mm512_set1_ps(x[chunk * 8 * length + i * length + k]), r[i]);
        }
    }
    for (unsigned e = 0; e < 2; e++)
        transpose_out(out + 32 * e, out + 32 * (2 + e), _mm512_castps_si512(r[e]), _mm512_castps_si512(r[2 + e]),
                      _mm512_castps_si512(r[4 + e]), _mm512_castps_si512(r[6 + e]));
}
#endif

INLINE void mma_type(const struct matrix_op *o, enum matrix_type at, enum matrix_type bt, unsigned chunks,
                     const uint32_t *in, uint32_t *out)
{
    static const _Alignas(64) uint32_t none[32];
    unsigned per_word = 4 / matrix_element_bytes(at), halves = o->m / 8, length = 4 * per_word;
    const uint32_t *b = in + chunks * halves * 32, *c = b + chunks * 32;
    _Alignas(64) uint32_t rows[MAX_K / 4][LANES], columns[8][LANES];
    _Alignas(64) float v[MAX_K][LANES], x[8 * MAX_K];
    if (is_byte(at)) {
        int32_t (*sums)[LANES] = (int32_t (*)[LANES])v;
        for (unsigned i = 0; i < chunks; i++)
            spread(in + i * halves * 32, halves == 2 ? in + (2 * i + 1) * 32 : none, rows + 4 * i);
        sum_bytes(sums, 8, rows[0], LANES, at, (struct words){b, chunks, 32, 4, 4, chunks * 32}, bt);
        sums_spread(o, c, columns);
        add_sums(columns[0], sums[0], columns[0], 8 * LANES, o->sat);
    } else {
        for (unsigned i = 0; i < chunks; i++) {
            spread(in + i * halves * 32, halves == 2 ? in + (2 * i + 1) * 32 : none, rows);
            for (unsigned t = 0; t < 4; t++)
                for (unsigned e = 0; e < per_word; e++)
                    part_to_floats(at, rows[t], e, LANES, v[i * length + t * per_word + e]);
        }
        to_floats(bt, b, chunks * 32 * per_word, x);
        sums_spread(o, c, columns);
        add_products((float (*)[LANES])columns, 8, v[0], LANES,
                     (struct scalars){x, chunks, 8 * length, length, length});
    }
    sums_collect(o, columns, out);
}

static void mma(const struct matrix_op *o, const uint32_t *in, uint32_t *out)
{
    unsigned chunks = o->k * matrix_element_bytes(o->a) / 16;
    if (o->a == MATRIX_F64) {
        mma_double(o, (const double *)in, (double *)out);
#if defined(__AVX512F__)
    } else if (o->m == 16 && chunks == 2 && o->c == MATRIX_F32 && o->d == MATRIX_F32 && o->a == o->b &&
               (o->a == MATRIX_F16 || o->a == MATRIX_BF16 || o->a == MATRIX_TF32)) {
        if (o->a == MATRIX_F16)
            mma_registers(MATRIX_F16, in, out);
        else if (o->a == MATRIX_BF16)
            mma_registers(MATRIX_BF16, in, out);
        else
            mma_registers(MATRIX_TF32, in, out);
#elif defined(__aarch64__)
    } else if (o->m == 16 && o->a == o->b && (o->a == MATRIX_F16 || o->a == MATRIX_BF16 || o->a == MATRIX_TF32)) {
        mma_floats(o, chunks, in, out);
#ifdef __ARM_FEATURE_DOTPROD
    } else if (is_byte(o->a) && HAS_SIGNS(o->a, o->b)) {
        mma_bytes(o, in, out);
#endif
#endif
    } else if (o->a == MATRIX_F16 && o->b == MATRIX_F16 && chunks == 2) {
        mma_type(o, MATRIX_F16, MATRIX_F16, 2, in, out);
    } else if (o->a == MATRIX_BF16 && o->b == MATRIX_BF16 && chunks == 2) {
        mma_type(o, MATRIX_BF16, MATRIX_BF16, 2, in, out);
    } else if (o->a == MATRIX_TF32 && chunks == 2) {
        mma_type(o, MATRIX_TF32, MATRIX_TF32, 2, in, out);
    } else if (o->a == MATRIX_S8 && o->b == MATRIX_S8 && chunks == 2) {
        mma_type(o, MATRIX_S8, MATRIX_S8, 2, in, out);
    } else {
        mma_type(o, o->a, o->b, chunks, in, out);
    }
}

// --- wmma: m <= n, everything by rows ---

// The shape is known wherever this is inlined.
INLINE void wmma_bytes(const struct matrix_op *o, unsigned m, unsigned n, unsigned k, const uint32_t *in, uint32_t *out)
{
    const uint32_t *b = in + m * k / 4, *c = b + k * n / 4;
#if defined(__aarch64__) && defined(__ARM_FEATURE_DOTPROD)
    if (HAS_SIGNS(o->a, o->b)) {
        for (unsigned first = 0; first < n; first += LANES)
            tile_bytes_of((struct rows){c + first, out + first, m, n, 4}, 4, b + first, n, o->b,
                          (struct words){in, 1, 0, k / 4, k / 4, 0}, o->a, o->sat);
        return;
    }
#endif
    for (unsigned first = 0; first < n; first += LANES) {
        _Alignas(64) int32_t sums[MAX_LINES][LANES];
        sum_bytes(sums, m, b + first, n, o->b, (struct words){in, 1, 0, k / 4, k / 4, m * k / 4}, o->a);
        for (unsigned i = 0; i < m; i++)
            add_sums(c + i * n + first, sums[i], out + i * n + first, LANES, o->sat);
    }
}

INLINE void wmma_floats(const struct matrix_op *o, unsigned m, unsigned n, unsigned k, const uint32_t *in,
                        uint32_t *out)
{
    const uint32_t *b = in + matrix_words(m * k, o->a) * 32, *c = b + matrix_words(k * n, o->b) * 32;
    _Alignas(64) float x[512], v[512], sums[256];
#ifdef __ARM_FEATURE_FP16_FML
    if (o->a == MATRIX_F16) {
        sums_begin(o->c, c, m * n, sums);
        for (unsigned first = 0; first < n; first += LANES)
            tile_halves((struct rows){(uint32_t *)sums + first, (uint32_t *)sums + first, m, n, 4}, 4,
                        (const uint16_t *)b + first, n, (struct halves){(const uint16_t *)in, k / 8, 8, k});
        sums_end(o, sums, m * n, out);
        return;
    }
#endif
    to_floats(o->a, in, m * k, x);
    to_floats(o->b, b, k * n, v);
    sums_begin(o->c, c, m * n, sums);
    for (unsigned first = 0; first < n; first += LANES) {
        _Alignas(64) float part[MAX_LINES][LANES];
        float (*lines)[LANES] = n == LANES ? (float (*)[LANES])sums : part;
        for (unsigned i = 0; i < m && n > LANES; i++)
            memcpy(part[i], sums + i * n + first, sizeof part[i]);
        add_products(lines, m, v + first, n, (struct scalars){x, 1, 0, k, k});
        for (unsigned i = 0; i < m && n > LANES; i++)
            memcpy(sums + i * n + first, part[i], sizeof part[i]);
    }
    sums_end(o, sums, m * n, out);
}

// m16n16k16, m16n16k8, m8n32k16 (and m32n8k16, which comes as that one)
static void wmma(const struct matrix_op *o, const uint32_t *in, uint32_t *out)
{
    if (o->a == MATRIX_F64) { // m8n8k4
        const double *a = (const double *)in, *b = a + 8 * 4;
        double *d = (double *)out;
        memcpy(d, b + 4 * 8, 64 * sizeof *d);
        add_doubles(d, 8, 4, b, a, 0, 4);
    } else if (is_byte(o->a)) {
        if (o->n == 16)
            wmma_bytes(o, 16, 16, 16, in, out);
        else
            wmma_bytes(o, 8, 32, 16, in, out);
    } else if (o->n == 32) {
        wmma_floats(o, 8, 32, 16, in, out);
    } else if (o->k == 16) {
        wmma_floats(o, 16, 16, 16, in, out);
    } else {
        wmma_floats(o, 16, 16, 8, in, out);
    }
}

void MULTIPLY(const struct matrix_op *o, const uint32_t *in, uint32_t *out)
{
    if (o->action == MATRIX_MMA)
        mma(o, in, out);
    else
        wmma(o, in, out);
}
