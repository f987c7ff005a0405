// SPDX-License-Identifier: Apache-2.0
// Tiles of products by instructions that add the products of a group of neighbouring elements to each lane of sums: those of VNNI, of AVX-512
// or AVX, and of AVX512-BF16. The file that includes this defines VECTOR_BYTES, VECTORS and COLUMNS, and for int8 DOT_BYTES(sum, u, s), which adds four products of
// unsigned and signed bytes, for bfloat16 DOT_BFLOATS(sum, x, y), which adds two products.
//
// Unsigned bytes are those of B with their highest bit turned over, which adds 128 to each. So 128 times a row of A is taken away again: that is
// what a tile starts with (note_rows). Sums wrap, so that they are exact.
#include "cublas/compute/product.h"
#include <string.h>
#define COMPLEX     0
#define PANEL_TILES 8
#define INTEGERS    integers

typedef int32_t integers __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef float floats __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
enum { TILE_ROWS = VECTORS * VECTOR_BYTES / 4 };

// A word in all lanes.
static inline integers all_lanes(const void *word)
{
    int32_t w;
    memcpy(&w, word, sizeof w);
    return (integers){0} + w;
}

#ifdef DOT_BYTES
#define FLIP_B (-128)
static inline void note_rows(int32_t *note, const int8_t *panel, int64_t depth)
{
    const integers ones = (integers){0} + 0x01010101;
    for (int i = 0; i < VECTORS; i++) {
        integers sum = {0};
        for (int64_t d = 0; d < depth; d += 4)
            sum = DOT_BYTES(sum, ones, ((const integers *)(panel + d * TILE_ROWS))[i]);
        ((integers *)note)[i] = sum * -128;
    }
}

// sum[j][i] has the rows of vector i of column j.
static inline void sums(integers sum[COLUMNS][VECTORS], int64_t depth, const int8_t *a, const int8_t *b,
                        const int32_t *note)
{
#pragma GCC unroll 16
    for (int j = 0; j < COLUMNS; j++)
#pragma GCC unroll 4
        for (int i = 0; i < VECTORS; i++)
            sum[j][i] = ((const integers *)note)[i];
    for (int64_t d = 0; d < depth; d += 4, a += 4 * TILE_ROWS, b += 4 * COLUMNS) {
        integers rows[VECTORS];
#pragma GCC unroll 4
        for (int i = 0; i < VECTORS; i++)
            rows[i] = ((const integers *)a)[i];
#pragma GCC unroll 16
        for (int j = 0; j < COLUMNS; j++) {
            const integers column = all_lanes(b + 4 * j);
#pragma GCC unroll 4
            for (int i = 0; i < VECTORS; i++)
                sum[j][i] = DOT_BYTES(sum[j][i], column, rows[i]);
        }
    }
}
#endif

#ifdef DOT_BFLOATS
static inline void sums(floats sum[COLUMNS][1][VECTORS], int64_t depth, const uint16_t *a, const uint16_t *b)
{
#pragma GCC unroll 16
    for (int j = 0; j < COLUMNS; j++)
#pragma GCC unroll 4
        for (int i = 0; i < VECTORS; i++)
            sum[j][0][i] = (floats){0};
    for (int64_t d = 0; d < depth; d += 2, a += 2 * TILE_ROWS, b += 2 * COLUMNS) {
        integers rows[VECTORS];
#pragma GCC unroll 4
        for (int i = 0; i < VECTORS; i++)
            rows[i] = ((const integers *)a)[i];
#pragma GCC unroll 16
        for (int j = 0; j < COLUMNS; j++) {
            const integers column = all_lanes(b + 2 * j);
#pragma GCC unroll 4
            for (int i = 0; i < VECTORS; i++)
                sum[j][0][i] = DOT_BFLOATS(sum[j][0][i], column, rows[i]);
        }
    }
}
#endif
