// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 with BFMMLA, which adds 2 x 4 by 4 x 2 elements to four sums. Compiled for it (CMakeLists.txt), and called where it is
// there.
//
// Its arithmetic: two products are added, then the sum is added to the float that is there, twice; each sum is rounded to odd, and
// what would be subnormal is 0, of operands too. So a sum has the errors of one that is rounded to the nearest twice over; bf16.h sees to small
// numbers.
#if defined(__aarch64__) && defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
#include "cublas/compute/grouped/arm_tile.h"
#define GROUP_A 4
#define GROUP_B 4
typedef float quad __attribute__((vector_size(16), aligned(4), may_alias));

// The sums of a tile: sum[j][0][i] has rows 4 i to 4 i + 3 of column j.
static inline void sums(quad sum[COLUMNS][1][VECTORS], int64_t depth, const uint16_t *a, const uint16_t *b)
{
    float32x4_t part[4]
                    [4]; // of a pair of columns and a pair of rows: both rows of the first column, then of the second
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            part[j][i] = vdupq_n_f32(0);
    for (int64_t d = 0; d < depth; d += 4, a += 32, b += 32) {
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
            sum[2 * j][0][i] = (quad)vzip1q_f64(x, y);
            sum[2 * j + 1][0][i] = (quad)vzip2q_f64(x, y);
        }
}
#include "cublas/compute/grouped/bf16.h"

void product_B_bf16(const struct product *p)
{
    run_from_B(p);
}
#endif
