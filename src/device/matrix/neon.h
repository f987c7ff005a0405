// SPDX-License-Identifier: Apache-2.0
// What AArch64's instructions make of multiply.h: multiply-adds and dot products take a scalar from any element of a register, so
// that a row of A is loaded once for all its products, and sums stay in the rows in which C and D have them. A part of multiply.h,
// which includes it.
//
// A tile is 16 registers of sums: `parts` registers of a row for each of 16 / parts rows. Where a line of scalars goes on in the
// next chunk is as in struct scalars.
#ifndef HEDDLE_DEVICE_MATRIX_NEON_H
#define HEDDLE_DEVICE_MATRIX_NEON_H

enum { TILE = 16 };

// Where sums are: part p of row i at [i * line + p * part].
struct rows {
    const uint32_t *c;
    uint32_t *d;
    unsigned count, line, part;
};

// --- one step of k: element e of x times the vectors at v ---

#define STEP_FLOATS(e)                                                                                                 \
    do {                                                                                                               \
        float32x4_t w[4];                                                                                              \
        for (unsigned p = 0; p < parts; p++)                                                                           \
            w[p] = vld1q_f32(v + 4 * p);                                                                               \
        UNROLL                                                                                                         \
        for (unsigned i = 0; i < TILE; i++)                                                                            \
            r[i] = vfmaq_laneq_f32(r[i], w[i % parts], x[i / parts], e);                                               \
        v += step;                                                                                                     \
    } while (0)

INLINE void tile_floats(struct rows t, unsigned parts, const float *v, unsigned step, struct scalars s)
{
    unsigned rows = TILE / parts;
    for (unsigned first = 0; first < t.count; first += rows, t.c += rows * t.line, t.d += rows * t.line) {
        const float *begin = v;
        float32x4_t r[TILE], x[TILE];
        UNROLL
        for (unsigned i = 0; i < TILE; i++)
            r[i] = vreinterpretq_f32_u32(vld1q_u32(t.c + i / parts * t.line + i % parts * t.part));
        for (unsigned c = 0; c < s.chunks; c++)
            for (unsigned k = 0; k < s.length; k += 4) {
                UNROLL
                for (unsigned i = 0; i < rows; i++)
                    x[i] = vld1q_f32(s.x + c * s.chunk + (first + i) * s.line + k);
                STEP_FLOATS(0);
                STEP_FLOATS(1);
                STEP_FLOATS(2);
                STEP_FLOATS(3);
            }
        UNROLL
        for (unsigned i = 0; i < TILE; i++)
            vst1q_u32(t.d + i / parts * t.line + i % parts * t.part, vreinterpretq_u32_f32(r[i]));
        v = begin;
    }
}
#undef STEP_FLOATS

// Halves, whose products are exact: fmlal multiplies them as they are and rounds once, as a multiply-add of floats does.
#ifdef __ARM_FEATURE_FP16_FML
struct halves {
    const uint16_t *x;
    unsigned chunks, chunk, line; // lengths are 8
};

#define STEP_HALVES(e)                                                                                                 \
    do {                                                                                                               \
        float16x8_t w[2];                                                                                              \
        for (unsigned p = 0; p < pairs; p++)                                                                           \
            w[p] = vreinterpretq_f16_u16(vld1q_u16(v + 8 * p));                                                        \
        UNROLL                                                                                                         \
        for (unsigned i = 0; i < TILE; i += 2) {                                                                       \
            r[i] = vfmlalq_laneq_low_f16(r[i], w[i / 2 % pairs], x[i / parts], e);                                     \
            r[i + 1] = vfmlalq_laneq_high_f16(r[i + 1], w[i / 2 % pairs], x[i / parts], e);                            \
        }                                                                                                              \
        v += step;                                                                                                     \
    } while (0)

INLINE void tile_halves(struct rows t, unsigned parts, const uint16_t *v, unsigned step, struct halves s)
{
    unsigned rows = TILE / parts, pairs = parts / 2;
    for (unsigned first = 0; first < t.count; first += rows, t.c += rows * t.line, t.d += rows * t.line) {
        const uint16_t *begin = v;
        float32x4_t r[TILE];
        float16x8_t x[TILE];
        UNROLL
        for (unsigned i = 0; i < TILE; i++)
            r[i] = vreinterpretq_f32_u32(vld1q_u32(t.c + i / parts * t.line + i % parts * t.part));
        for (unsigned c = 0; c < s.chunks; c++) {
            UNROLL
            for (unsigned i = 0; i < rows; i++)
                x[i] = vreinterpretq_f16_u16(vld1q_u16(s.x + c * s.chunk + (first + i) * s.line));
            STEP_HALVES(0);
            STEP_HALVES(1);
            STEP_HALVES(2);
            STEP_HALVES(3);
            STEP_HALVES(4);
            STEP_HALVES(5);
            STEP_HALVES(6);
            STEP_HALVES(7);
        }
        UNROLL
        for (unsigned i = 0; i < TILE; i++)
            vst1q_u32(t.d + i / parts * t.line + i % parts * t.part, vreinterpretq_u32_f32(r[i]));
        v = begin;
    }
}
#undef STEP_HALVES
#endif

#ifdef __ARM_FEATURE_DOTPROD
INLINE int32x4_t saturated(int32x4_t c, int32x4_t sum, bool sat)
{
    return sat ? vqaddq_s32(c, sum) : vaddq_s32(c, sum);
}

#define DOT_UNSIGNED(sum, v, x, e)                                                                                     \
    vreinterpretq_s32_u32(                                                                                             \
        vdotq_laneq_u32(vreinterpretq_u32_s32(sum), vreinterpretq_u8_s32(v), vreinterpretq_u8_s32(x), e))
#ifdef __ARM_FEATURE_MATMUL_INT8
#define DOT_MIXED(sum, v, x, e, vs)                                                                                    \
    ((vs) ? vsudotq_laneq_s32(sum, vreinterpretq_s8_s32(v), vreinterpretq_u8_s32(x), e)                                \
          : vusdotq_laneq_s32(sum, vreinterpretq_u8_s32(v), vreinterpretq_s8_s32(x), e))
#define HAS_SIGNS(a, b) true
#else
#define DOT_MIXED(sum, v, x, e, vs) (sum)
#define HAS_SIGNS(a, b)             ((a) == (b))
#endif
#define STEP_BYTES(e)                                                                                                  \
    do {                                                                                                               \
        int32x4_t w[4];                                                                                                \
        for (unsigned p = 0; p < parts; p++)                                                                           \
            w[p] = vld1q_s32((const int32_t *)v + 4 * p);                                                              \
        UNROLL                                                                                                         \
        for (unsigned i = 0; i < TILE; i++) {                                                                          \
            int32x4_t a = w[i % parts], b = x[i / parts];                                                              \
            if (vector_signed != scalar_signed)                                                                        \
                r[i] = DOT_MIXED(r[i], a, b, e, vector_signed);                                                        \
            else if (vector_signed)                                                                                    \
                r[i] = vdotq_laneq_s32(r[i], vreinterpretq_s8_s32(a), vreinterpretq_s8_s32(b), e);                     \
            else                                                                                                       \
                r[i] = DOT_UNSIGNED(r[i], a, b, e);                                                                    \
        }                                                                                                              \
        v += step;                                                                                                     \
    } while (0)

// Lines of scalars have four words in each chunk.
INLINE void tile_bytes(struct rows t, unsigned parts, const uint32_t *v, unsigned step, struct words s,
                       bool vector_signed, bool scalar_signed, bool sat)
{
    unsigned rows = TILE / parts;
    for (unsigned first = 0; first < t.count; first += rows, t.c += rows * t.line, t.d += rows * t.line) {
        const uint32_t *begin = v;
        int32x4_t r[TILE], x[TILE];
        UNROLL
        for (unsigned i = 0; i < TILE; i++)
            r[i] = vdupq_n_s32(0);
        for (unsigned c = 0; c < s.chunks; c++) {
            UNROLL
            for (unsigned i = 0; i < rows; i++)
                x[i] = vld1q_s32((const int32_t *)s.x + c * s.chunk + (first + i) * s.line);
            STEP_BYTES(0);
            STEP_BYTES(1);
            STEP_BYTES(2);
            STEP_BYTES(3);
        }
        UNROLL
        for (unsigned i = 0; i < TILE; i++) {
            unsigned at = i / parts * t.line + i % parts * t.part;
            vst1q_s32((int32_t *)t.d + at, saturated(vld1q_s32((const int32_t *)t.c + at), r[i], sat));
        }
        v = begin;
    }
}
#undef STEP_BYTES

INLINE void tile_bytes_of(struct rows t, unsigned parts, const uint32_t *v, unsigned step, enum matrix_type vt,
                          struct words s, enum matrix_type st, bool sat)
{
    if (vt == MATRIX_S8 && st == MATRIX_S8)
        tile_bytes(t, parts, v, step, s, true, true, sat);
    else if (vt == MATRIX_S8)
        tile_bytes(t, parts, v, step, s, true, false, sat);
    else if (st == MATRIX_S8)
        tile_bytes(t, parts, v, step, s, false, true, sat);
    else
        tile_bytes(t, parts, v, step, s, false, false, sat);
}
#endif

// --- mma ---

// Eight columns of four words to four rows of eight, the even columns first: the order of a row of C in its two words.
INLINE void words_turned(const uint32_t *from, uint32_t (*to)[8])
{
    for (unsigned e = 0; e < 2; e++) {
        uint32x4_t a = vld1q_u32(from + 4 * e), b = vld1q_u32(from + 8 + 4 * e), c = vld1q_u32(from + 16 + 4 * e),
                   d = vld1q_u32(from + 24 + 4 * e);
        uint32x4_t ac = vzip1q_u32(a, c), ac2 = vzip2q_u32(a, c), bd = vzip1q_u32(b, d), bd2 = vzip2q_u32(b, d);
        vst1q_u32(to[0] + 4 * e, vzip1q_u32(ac, bd));
        vst1q_u32(to[1] + 4 * e, vzip2q_u32(ac, bd));
        vst1q_u32(to[2] + 4 * e, vzip1q_u32(ac2, bd2));
        vst1q_u32(to[3] + 4 * e, vzip2q_u32(ac2, bd2));
    }
}

// C and D of halves, which are in pairs, as the four words of floats.
INLINE void pairs_to_floats(const uint32_t *c, unsigned halves, float (*wide)[32])
{
    for (unsigned h = 0; h < halves; h++)
        for (unsigned l = 0; l < 32; l += 4) {
            uint32x4_t w = vld1q_u32(c + 32 * h + l);
            vst1q_f32(wide[2 * h] + l, vcvt_f32_f16(vreinterpret_f16_u16(vmovn_u32(w))));
            vst1q_f32(wide[2 * h + 1] + l, vcvt_f32_f16(vreinterpret_f16_u16(vshrn_n_u32(w, 16))));
        }
}
INLINE void floats_to_pairs(float (*wide)[32], unsigned halves, uint32_t *d)
{
    for (unsigned h = 0; h < halves; h++)
        for (unsigned l = 0; l < 32; l += 4) {
            uint16x4_t even = vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(wide[2 * h] + l)));
            uint16x4_t odd = vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(wide[2 * h + 1] + l)));
            vst1q_u32(d + 32 * h + l, vorrq_u32(vmovl_u16(even), vshll_n_u16(odd, 16)));
        }
}

// The rows of the first or the second half, c and d being those of the whole.
INLINE struct rows rows_of(const uint32_t *c, uint32_t *d, unsigned half)
{
    return (struct rows){c + 64 * half, d + 64 * half, 8, 4, 32};
}

// Rows of B as floats.
INLINE void row_to_floats(enum matrix_type t, uint32_t (*words)[8], float (*v)[8])
{
    unsigned per_word = 4 / matrix_element_bytes(t);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned e = 0; e < per_word; e++)
            for (unsigned p = 0; p < 8; p += 4) {
                uint32x4_t w = vld1q_u32(words[i] + p);
                float32x4_t f;
                if (t == MATRIX_TF32)
                    f = vreinterpretq_f32_u32(vandq_u32(w, vdupq_n_u32(0xffffe000u)));
                else if (t == MATRIX_BF16)
                    f = vreinterpretq_f32_u32(e ? vandq_u32(w, vdupq_n_u32(0xffff0000u)) : vshlq_n_u32(w, 16));
                else
                    f = vcvt_f32_f16(vreinterpret_f16_u16(e ? vshrn_n_u32(w, 16) : vmovn_u32(w)));
                vst1q_f32(v[i * per_word + e] + p, f);
            }
}

// Halves, bfloat16 and tf32. m is 16.
INLINE void mma_rows(const struct matrix_op *o, enum matrix_type t, unsigned chunks, const uint32_t *in, uint32_t *out)
{
    unsigned per_word = 4 / matrix_element_bytes(t), length = 4 * per_word;
    const uint32_t *b = in + chunks * 64, *c = b + chunks * 32;
    _Alignas(64) uint32_t turned[2][4][8];
    _Alignas(64) float wide[4][32];
    uint32_t *d = out;
    if (o->c == MATRIX_F16) {
        pairs_to_floats(c, 2, wide);
        c = (const uint32_t *)wide;
    }
    if (o->d == MATRIX_F16)
        d = (uint32_t *)wide;
    for (unsigned i = 0; i < chunks; i++)
        words_turned(b + 32 * i, turned[i]);
#ifdef __ARM_FEATURE_FP16_FML
    if (t == MATRIX_F16) {
        _Alignas(64) uint16_t v[16][8];
        for (unsigned i = 0; i < 4 * chunks; i++) {
            uint16x8_t even = vld1q_u16((const uint16_t *)turned[0][i]);
            uint16x8_t odd = vld1q_u16((const uint16_t *)(turned[0][i] + 4));
            vst1q_u16(v[2 * i], vuzp1q_u16(even, odd));
            vst1q_u16(v[2 * i + 1], vuzp2q_u16(even, odd));
        }
        for (unsigned h = 0; h < 2; h++)
            tile_halves(rows_of(c, d, h), 2, v[0], 8, (struct halves){(const uint16_t *)(in + 32 * h), chunks, 128, 8});
    } else
#endif
    {
        _Alignas(64) float v[16][8], x[16 * 16];
        for (unsigned i = 0; i < chunks; i++)
            row_to_floats(t, turned[i], v + i * length);
        to_floats(t, in, chunks * 64 * per_word, x);
        for (unsigned h = 0; h < 2; h++)
            tile_floats(rows_of(c, d, h), 2, v[0], 8,
                        (struct scalars){x + h * 8 * length, chunks, 16 * length, length, length});
    }
    if (o->d == MATRIX_F16)
        floats_to_pairs(wide, 2, out);
}

// The types and the common lengths are known wherever the above is inlined.
static void mma_floats(const struct matrix_op *o, unsigned chunks, const uint32_t *in, uint32_t *out)
{
    if (o->a == MATRIX_F16 && chunks == 2)
        mma_rows(o, MATRIX_F16, 2, in, out);
    else if (o->a == MATRIX_F16)
        mma_rows(o, MATRIX_F16, 1, in, out);
    else if (o->a == MATRIX_BF16)
        mma_rows(o, MATRIX_BF16, chunks, in, out);
    else
        mma_rows(o, MATRIX_TF32, chunks, in, out);
}

#ifdef __ARM_FEATURE_DOTPROD
static void mma_bytes(const struct matrix_op *o, const uint32_t *in, uint32_t *out)
{
    unsigned chunks = o->k / 16, halves = o->m / 8;
    const uint32_t *b = in + chunks * halves * 32, *c = b + chunks * 32;
    _Alignas(64) uint32_t turned[2][4][8];
    for (unsigned i = 0; i < chunks; i++)
        words_turned(b + 32 * i, turned[i]);
    for (unsigned h = 0; h < halves; h++)
        tile_bytes_of(rows_of(c, out, h), 2, turned[0][0], 8, o->b,
                      (struct words){in + 32 * h, chunks, halves * 32, 4, 4, 0}, o->a, o->sat);
}
#endif
#endif
