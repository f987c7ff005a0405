// SPDX-License-Identifier: Apache-2.0
// Products of int8 with SMMLA, which adds 2 x 8 by 8 x 2 elements to four sums. Compiled for it (CMakeLists.txt), and called where it is
// there. Sums wrap, so that any order gives the same.
#if defined(__aarch64__) && defined(__ARM_FEATURE_MATMUL_INT8)
#include "cublas/compute/grouped/arm_tile.h"
#define GROUP_A 8
#define GROUP_B 8

// The sums of a tile: sum[j][i] has rows 4 i to 4 i + 3 of column j.
static inline void sums(int32x4_t sum[COLUMNS][VECTORS], int64_t depth, const int8_t *a, const int8_t *b,
                        const int32_t *note)
{
    (void)note;
    int32x4_t part[4][4]; // of a pair of columns and a pair of rows: both rows of the first column, then of the second
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            part[j][i] = vdupq_n_s32(0);
    for (int64_t d = 0; d < depth; d += 8, a += 64, b += 64) {
        int8x16_t rows[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            rows[i] = vld1q_s8(a + 16 * i);
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            const int8x16_t pair = vld1q_s8(b + 16 * j);
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++)
                part[j][i] = vmmlaq_s32(part[j][i], pair, rows[i]);
        }
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
#pragma GCC unroll 2
        for (int i = 0; i < VECTORS; i++) {
            const int64x2_t x = (int64x2_t)part[j][2 * i], y = (int64x2_t)part[j][2 * i + 1];
            sum[2 * j][i] = (int32x4_t)vzip1q_s64(x, y);
            sum[2 * j + 1][i] = (int32x4_t)vzip2q_s64(x, y);
        }
}
#include "cublas/compute/grouped/int8.h"

void product_I_i8mm(const struct product *p)
{
    run_from_I(p);
}

void product_IF_i8mm(const struct product *p)
{
    run_from_IF(p);
}
#endif
