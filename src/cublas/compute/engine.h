// SPDX-License-Identifier: Apache-2.0
// A template: blocked products of one type of sums for one kind of processor, after Goto and van de Geijn. Panels of op(A) and op(B) are
// copied into the order in which they are read (packed), and a kernel keeps a tile of C of ROWS x COLUMNS sums in registers.
//
// The file that includes this defines VECTOR_BYTES, and here:
//   U  a real number of the sums    U_BYTES  its size   COMPLEX, 0 or 1     FN(name)
//   VECTORS  of rows in a tile      COLUMNS  in a tile
// Complex numbers are packed as real and imaginary parts apart from each other, a vector of each.

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

typedef U FN(vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(U)), may_alias));

enum {
    FN(LANES) = VECTOR_BYTES / sizeof(U),
    FN(ROWS) = VECTORS * FN(LANES),
    FN(PARTS) = COMPLEX ? 2 : 1,
    FN(HEIGHT) = PANEL_TILES * FN(ROWS), // rows of op(A) that are packed at once
};

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

// Adds the sums of a tile to C, scaled; `first` with beta. A tile at an edge goes by way of a whole one, so that each of its elements
// becomes what it would become in the middle.
#if COMPLEX
static inline void FN(store)(const struct product *p, const U *sum, int64_t rows, int64_t columns, U *c, bool first)
{
    const U *alpha = p->alpha, *beta = p->beta;
    const U br = beta[0], bi = beta[1];
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) {
            U *d = c + 2 * (i + j * p->ldc);
            U re = sum[i + 2 * j * FN(ROWS)], im = sum[i + (2 * j + 1) * FN(ROWS)];
            U tr = alpha[0] * re - alpha[1] * im, ti = alpha[0] * im + alpha[1] * re;
            if (!first) {
                tr += d[0];
                ti += d[1];
            } else if (br != 0 || bi != 0) {
                tr += br * d[0] - bi * d[1];
                ti += br * d[1] + bi * d[0];
            }
            d[0] = tr;
            d[1] = ti;
        }
}
#else
static inline void FN(whole)(const struct product *p, FN(vector) sum[COLUMNS][1][VECTORS], U *c, int64_t ldc,
                             bool first)
{
    typedef FN(vector) V;
    const U alpha = *(const U *)p->alpha, beta = first ? *(const U *)p->beta : 1;
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < VECTORS; i++) {
            V *d = (V *)(c + j * ldc) + i, t = sum[j][0][i] * alpha;
            if (beta != 0)
                t += *d * beta;
            *d = t;
        }
}

static void FN(edge)(const struct product *p, FN(vector) sum[COLUMNS][1][VECTORS], int64_t rows, int64_t columns, U *c,
                     bool first)
{
    U tile[COLUMNS * FN(ROWS)] = {0};
    bool kept = !first || *(const U *)p->beta != 0;
    for (int64_t j = 0; kept && j < columns; j++)
        memcpy(tile + j * FN(ROWS), c + j * p->ldc, (size_t)rows * sizeof(U));
    FN(whole)(p, sum, tile, FN(ROWS), first);
    for (int64_t j = 0; j < columns; j++)
        memcpy(c + j * p->ldc, tile + j * FN(ROWS), (size_t)rows * sizeof(U));
}
#endif

// One tile: sums over `depth` of packed panels.
static inline void FN(tile)(const struct product *p, int64_t depth, const U *a, const U *b, int64_t rows,
                            int64_t columns, U *c, bool first)
{
    typedef FN(vector) V;
    V sum[COLUMNS][FN(PARTS)][VECTORS];
    for (int j = 0; j < COLUMNS; j++)
        for (int q = 0; q < FN(PARTS); q++)
            for (int i = 0; i < VECTORS; i++)
                sum[j][q][i] = (V){0};
    for (int64_t j = 0; j < columns; j++) { // C is there when the sums are
        __builtin_prefetch(c + j * p->ldc * FN(PARTS), 1);
        __builtin_prefetch(c + (j * p->ldc + rows - 1) * FN(PARTS), 1);
    }
    for (int64_t d = 0; d < depth; d++) {
        const V *va = (const V *)(a + d * FN(PARTS) * FN(ROWS));
        const U *vb = b + d * FN(PARTS) * COLUMNS;
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
    if (rows == FN(ROWS) && columns == COLUMNS)
        FN(whole)(p, sum, c, p->ldc, first);
    else
        FN(edge)(p, sum, rows, columns, c, first);
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
