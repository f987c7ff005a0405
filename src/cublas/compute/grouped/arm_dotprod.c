// SPDX-License-Identifier: Apache-2.0
// Products of int8 with SDOT, which adds groups of 4 products to four sums. Compiled for it (CMakeLists.txt), and called where it is
// there. Sums wrap, so that any order gives the same.
#if defined(__aarch64__) && defined(__ARM_FEATURE_DOTPROD)
#include "cublas/compute/grouped/arm_tile.h"
#define GROUP_A 4
#define GROUP_B 4

// The sums of a tile: sum[j][i] has rows 4 i to 4 i + 3 of column j.
static inline void sums(int32x4_t sum[COLUMNS][VECTORS], int64_t depth, const int8_t *a, const int8_t *b,
                        const int32_t *note)
{
    (void)note;
#pragma GCC unroll 8
    for (int j = 0; j < COLUMNS; j++)
        sum[j][0] = sum[j][1] = vdupq_n_s32(0);
    for (int64_t d = 0; d < depth; d += 4, a += 32, b += 32) {
        const int8x16_t rows[VECTORS] = {vld1q_s8(a), vld1q_s8(a + 16)};
        const int8x16_t left = vld1q_s8(b), right = vld1q_s8(b + 16);
#pragma GCC unroll 2
        for (int i = 0; i < VECTORS; i++) {
            sum[0][i] = vdotq_laneq_s32(sum[0][i], rows[i], left, 0);
            sum[1][i] = vdotq_laneq_s32(sum[1][i], rows[i], left, 1);
            sum[2][i] = vdotq_laneq_s32(sum[2][i], rows[i], left, 2);
            sum[3][i] = vdotq_laneq_s32(sum[3][i], rows[i], left, 3);
            sum[4][i] = vdotq_laneq_s32(sum[4][i], rows[i], right, 0);
            sum[5][i] = vdotq_laneq_s32(sum[5][i], rows[i], right, 1);
            sum[6][i] = vdotq_laneq_s32(sum[6][i], rows[i], right, 2);
            sum[7][i] = vdotq_laneq_s32(sum[7][i], rows[i], right, 3);
        }
    }
}
#include "cublas/compute/grouped/int8.h"

void product_I_dotprod(const struct product *p)
{
    run_from_I(p);
}

void product_IF_dotprod(const struct product *p)
{
    run_from_IF(p);
}
#endif
