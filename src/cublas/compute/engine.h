// SPDX-License-Identifier: Apache-2.0
// A template: blocked products of one type of sums for one kind of processor, after Goto and van de Geijn. Panels of op(A) and op(B) are
// copied into the order in which they are read (packed), and a kernel keeps a tile of C of ROWS x COLUMNS sums in registers.
//
// The file that includes this defines VECTOR_BYTES, and here:
//   U  a real number of the sums    U_BYTES  its size   COMPLEX, 0 or 1     FN(name)
//   VECTORS  of rows in a tile      COLUMNS  in a tile
// Complex numbers are packed as real and imaginary parts apart from each other, a vector of each.

#include "cublas/compute/store.h"

#undef TURNS_LOW
#undef TURNS_HIGH
#if VECTOR_BYTES / U_BYTES == 2
#define TURNS_LOW(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define TURNS_HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#elif VECTOR_BYTES / U_BYTES == 4
#define TURNS_LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define TURNS_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#elif VECTOR_BYTES / U_BYTES == 8
#define TURNS_LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define TURNS_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define TURNS_LOW(a, b)  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define TURNS_HIGH(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#endif

#if !COMPLEX
// LANES vectors of LANES elements become their transpose: each round puts the elements of vectors i and i + LANES / 2 in turns.
static inline void FN(transpose)(FN(vector) v[FN(LANES)])
{
#pragma GCC unroll 4
    for (int round = 1; round < FN(LANES); round *= 2) {
        FN(vector) w[FN(LANES)];
#pragma GCC unroll 8
        for (int i = 0; i < FN(LANES) / 2; i++) {
            w[2 * i] = TURNS_LOW(v[i], v[i + FN(LANES) / 2]);
            w[2 * i + 1] = TURNS_HIGH(v[i], v[i + FN(LANES) / 2]);
        }
#pragma GCC unroll 16
        for (int i = 0; i < FN(LANES); i++)
            v[i] = w[i];
    }
}
#endif

// One tile: sums over `depth` of packed panels.
static inline void FN(tile)(const struct product *p, int64_t depth, const U *a, const U *b, int64_t rows,
                            int64_t columns, U *c, bool first)
{
    enum { AHEAD = 4, IN_LINE = VECTOR_BYTES < 64 ? 64 / VECTOR_BYTES : 1 }; // steps; vectors of a cache line
    typedef FN(vector) V;
    V sum[COLUMNS][FN(PARTS)][VECTORS];
    for (int j = 0; j < COLUMNS; j++)
        for (int q = 0; q < FN(PARTS); q++)
            for (int i = 0; i < VECTORS; i++)
                sum[j][q][i] = (V){0};
    for (int64_t j = 0; j < columns; j++) { // C is there when the sums are
#pragma GCC unroll 4
        for (int i = 0; i < VECTORS * FN(PARTS); i += IN_LINE)
            __builtin_prefetch(c + j * p->ldc * FN(PARTS) + i * FN(LANES), 1);
        __builtin_prefetch(c + (j * p->ldc + rows - 1) * FN(PARTS), 1);
    }
    for (int64_t d = 0; d < depth; d++) {
        const V *va = (const V *)(a + d * FN(PARTS) * FN(ROWS));
        const U *vb = b + d * FN(PARTS) * COLUMNS;
#if !TILE_BY_LANES
#pragma GCC unroll 4
        for (int i = 0; i < FN(PARTS) * VECTORS; i += IN_LINE) // op(A) comes from the second cache
            __builtin_prefetch(va + AHEAD * FN(PARTS) * VECTORS + i);
#endif
#if COMPLEX || !TILE_BY_LANES
#pragma GCC unroll 16
        for (int j = 0; j < COLUMNS; j++)
#pragma GCC unroll 4
            for (int i = 0; i < VECTORS; i++) {
#if COMPLEX
                sum[j][0][i] += va[i] * vb[j];
                sum[j][1][i] += va[i] * vb[COLUMNS + j];
                sum[j][0][i] -= va[VECTORS + i] * vb[COLUMNS + j];
                sum[j][1][i] += va[VECTORS + i] * vb[j];
#else
                sum[j][0][i] += va[i] * vb[j];
#endif
            }
#else
        V rows_of_a[VECTORS];
#pragma GCC unroll 4
        for (int i = 0; i < VECTORS; i++)
            rows_of_a[i] = va[i];
#pragma GCC unroll 8
        for (int j = 0; j < COLUMNS; j += FN(LANES)) {
            const V columns_of_b = *(const V *)(vb + j);
#pragma GCC unroll 4
            for (int l = 0; l < FN(LANES); l++)
#pragma GCC unroll 4
                for (int i = 0; i < VECTORS; i++)
                    sum[j + l][0][i] += rows_of_a[i] * columns_of_b[l];
        }
#endif
    }
#if COMPLEX
    FN(store)(p, (const U *)sum, rows, columns, c, first);
#else
    FN(tile_store)(p, sum, rows, columns, c, first);
#endif
}

// Products of packed panels into C: rows x columns, of which the panels are full tiles.
static void FN(block)(const struct product *p, int64_t depth, const U *a, const U *b, int64_t rows, int64_t columns,
                      U *c, bool first)
{
    for (int64_t j = 0; j < columns; j += COLUMNS)
        for (int64_t i = 0; i < rows; i += FN(ROWS)) {
            int64_t r = rows - i < FN(ROWS) ? rows - i : FN(ROWS), s = columns - j < COLUMNS ? columns - j : COLUMNS;
            FN(tile)(p, depth, a + i * FN(PARTS) * depth, b + j * FN(PARTS) * depth, r, s,
                     c + (i + j * p->ldc) * FN(PARTS), first);
        }
}
