// SPDX-License-Identifier: Apache-2.0
// A template: the sums of a tile of C, ROWS x COLUMNS of them as vectors, and how they are added to C. Words are those of engine.h.

typedef U FN(vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(U)), may_alias));

enum {
    FN(LANES) = VECTOR_BYTES / sizeof(U),
    FN(ROWS) = VECTORS * FN(LANES),
    FN(PARTS) = COMPLEX ? 2 : 1,
    FN(HEIGHT) = PANEL_TILES * FN(ROWS), // rows of op(A) that are packed at once
};

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

static inline void FN(tile_store)(const struct product *p, FN(vector) sum[COLUMNS][1][VECTORS], int64_t rows,
                                  int64_t columns, U *c, bool first)
{
    if (rows == FN(ROWS) && columns == COLUMNS)
        FN(whole)(p, sum, c, p->ldc, first);
    else
        FN(edge)(p, sum, rows, columns, c, first);
}
#endif
