// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 with BFMMLA, which adds 2 x 4 by 4 x 2 elements to four sums. Compiled for it (CMakeLists.txt), and called where it is
// there.
//
// Its arithmetic: two products are added, then the sum is added to the float that is there, twice; each sum is rounded to odd, and
// what would be subnormal is 0, of operands too. So a sum has the errors of one that is rounded to the nearest twice over, and small
// numbers would be lost. The latter is not let happen: where it could, an element's sum over a block of DEPTH is made of fused
// operations of floats instead. Whether it could follows from its row of A and its column of B alone:
//
//   Let 2^e and 2^f be the least powers of two of the elements other than 0 of the row and of the column, none of which is subnormal. An
//   element has 8 bits, so that all products are multiples of q = 2^(e - 7) 2^(f - 7). So are all sums of them, before rounding and behind
//   it: a sum whose last place is below q is exact. A multiple of q other than 0 is at least q; if q >= 2^-126 it is normal.
#if defined(__aarch64__) && defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
#include "cublas/compute/grouped_tile.h"
#define SOURCE           uint16_t
#define GROUP            4
#define DEPTH            PRODUCT_DEPTH
#define TURNS_LOW(a, b)  vzip1q_u16((uint16x8_t)(a), (uint16x8_t)(b))
#define TURNS_HIGH(a, b) vzip2q_u16((uint16x8_t)(a), (uint16x8_t)(b))
#define FN(name)         name##_S
#define PN(name)         name##_from_B
#define U                float
#include "cublas/compute/store.h"

// The biased exponent of the least element of each line other than 0. e + f - 14 >= -126 is LEAST for two of them, each biased by 127.
enum { LEAST = 127 + 127 + 14 - 126, NONE = LEAST, SUBNORMAL = -256 };

static void low_from_B(int16_t *low, const uint16_t *panel, int64_t lines, int64_t groups)
{
    const uint16x8_t magnitude = vdupq_n_u16(0x7fff), one = vdupq_n_u16(1);
    for (int64_t i = 0; i < lines; i += 8, panel += 32 * groups) {
        uint16x8_t least[4];
        for (int q = 0; q < 4; q++)
            least[q] = vdupq_n_u16(0xffff);
        for (int64_t g = 0; g < groups; g++)
#pragma GCC unroll 4
            for (int q = 0; q < 4; q++) // 0 becomes the largest
                least[q] = vminq_u16(least[q], vsubq_u16(vandq_u16(vld1q_u16(panel + 32 * g + 8 * q), magnitude), one));
        for (int q = 0; q < 8; q++) {
            const uint16x8_t both = least[q / 2];
            const uint16_t line = vminv_u16(q % 2 ? vget_high_u16(both) : vget_low_u16(both));
            const int exponent = (line + 1) >> 7;
            low[i + q] = (int16_t)(line == 0xffff ? NONE : exponent ? exponent : SUBNORMAL);
        }
    }
}

// The sums by fused operations, of those elements for which the others may be wrong.
static __attribute__((noinline)) void repair(FN(vector) sum[COLUMNS][1][VECTORS], int64_t groups, const uint16_t *a,
                                             const uint16_t *b, const int16_t *low_a, const int16_t *low_b)
{
    float right[COLUMNS][COLUMNS] = {0}; // of a column, all rows
    for (int64_t d = 0; d < groups * GROUP; d++) {
        const int64_t at = d / GROUP * (GROUP * COLUMNS) + d % GROUP;
        float x[COLUMNS], y[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            const uint32_t bits[2] = {(uint32_t)a[at + i * GROUP] << 16, (uint32_t)b[at + i * GROUP] << 16};
            memcpy(&x[i], &bits[0], sizeof(float));
            memcpy(&y[i], &bits[1], sizeof(float));
        }
        for (int j = 0; j < COLUMNS; j++)
            for (int i = 0; i < COLUMNS; i++)
                right[j][i] = __builtin_fmaf(x[i], y[j], right[j][i]);
    }
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < COLUMNS; i++)
            if (low_a[i] + low_b[j] < LEAST)
                sum[j][0][i / 4][i % 4] = right[j][i];
}

static inline bool may_be_small(const int16_t *low_a, const int16_t *low_b)
{
    return vminvq_s16(vld1q_s16(low_a)) + vminvq_s16(vld1q_s16(low_b)) < LEAST;
}

static inline void tile_from_B(const struct product *p, int64_t groups, const uint16_t *a, const uint16_t *b,
                               int64_t rows, int64_t columns, float *c, bool first, const int16_t *low_a,
                               const int16_t *low_b)
{
    const bool small = may_be_small(low_a, low_b);
    const uint16_t *from_a = a, *from_b = b;
    float32x4_t part[4]
                    [4]; // of a pair of columns and a pair of rows: both rows of the first column, then of the second
    FN(vector) sum[COLUMNS][1][VECTORS];
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            part[j][i] = vdupq_n_f32(0);
    for (int64_t g = 0; g < groups; g++, a += 32, b += 32) {
        bfloat16x8_t pairs[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            pairs[i] = vreinterpretq_bf16_u16(vld1q_u16(a + 8 * i));
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            const bfloat16x8_t pair = vreinterpretq_bf16_u16(vld1q_u16(b + 8 * j));
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++)
                part[j][i] = vbfmmlaq_f32(part[j][i], pair, pairs[i]);
        }
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
#pragma GCC unroll 2
        for (int i = 0; i < VECTORS; i++) {
            const float64x2_t x = (float64x2_t)part[j][2 * i], y = (float64x2_t)part[j][2 * i + 1];
            sum[2 * j][0][i] = (float32x4_t)vzip1q_f64(x, y);
            sum[2 * j + 1][0][i] = (float32x4_t)vzip2q_f64(x, y);
        }
    if (__builtin_expect(small, 0))
        repair(sum, groups, from_a, from_b, low_a, low_b);
    FN(tile_store)(p, sum, rows, columns, c, first);
}
#include "cublas/compute/grouped.h"

void product_B_bf16(const struct product *p)
{
    run_from_B(p);
}
#endif
