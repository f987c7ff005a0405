// SPDX-License-Identifier: Apache-2.0
// A template: small products of real numbers, without packing: A is read where it lies, if it is not transposed, and so is B. The words are
// those of engine.h, and PART_LOAD(from, n) and PART_STORE(to, vector, n) of the first n elements of a vector; sums have the order and
// so the bits of engine.h's tiles.
//
// As many columns as keep the units for sums busy are worked on at once, at the end a few.

enum { FN(BLOCK) = 2 * FN(LANES) };

static inline __attribute__((always_inline)) void FN(rows)(FN(vector) * va, const U *a, const int vectors,
                                                           const bool whole, int64_t n)
{
    for (int i = 0; i < vectors; i++) {
        const U *from = a + i * FN(LANES);
        va[i] = whole || i + 1 < vectors ? *(const FN(vector) *)from : PART_LOAD(from, n);
    }
}

// `vectors` of rows, the last of them with `n` rows where it is not whole. Of the columns only `real` are there: the others repeat the last
// one of these and are not stored.
static inline __attribute__((always_inline)) void FN(columns)(const struct product *p, const U *a, int64_t a_step,
                                                              const U *b, int64_t b_line, int64_t b_step, U *c,
                                                              const int vectors, const int columns, const int64_t real,
                                                              const bool whole, int64_t n)
{
    int64_t line[SMALL_COLUMNS];
#pragma GCC unroll 16
    for (int j = 0; j < columns; j++)
        line[j] = (j < real ? j : real - 1) * b_line;
    typedef FN(vector) V;
    V sum[2][SMALL_COLUMNS];
    const U alpha = *(const U *)p->alpha, beta = *(const U *)p->beta;
#pragma GCC unroll 16
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < vectors; i++)
            sum[i][j] = (V){0};
    int64_t d = 0;
#if TILE_BY_LANES
    if (b_step == 1) // several elements of a column of B by one load
        for (; d + FN(LANES) <= p->k; d += FN(LANES)) {
            V vb[SMALL_COLUMNS];
#pragma GCC unroll 8
            for (int j = 0; j < columns; j++)
                vb[j] = *(const V *)(b + d + line[j]);
#pragma GCC unroll 4
            for (int l = 0; l < FN(LANES); l++) {
                V va[2];
                FN(rows)(va, a + (d + l) * a_step, vectors, whole, n);
#pragma GCC unroll 8
                for (int j = 0; j < columns; j++)
#pragma GCC unroll 2
                    for (int i = 0; i < vectors; i++)
                        sum[i][j] += va[i] * vb[j][l];
            }
        }
#endif
    for (; d < p->k; d++) {
        V va[2];
        FN(rows)(va, a + d * a_step, vectors, whole, n);
#pragma GCC unroll 16
        for (int j = 0; j < columns; j++) {
            const U t = b[d * b_step + line[j]];
#pragma GCC unroll 2
            for (int i = 0; i < vectors; i++)
                sum[i][j] += va[i] * t;
        }
    }
#pragma GCC unroll 16
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < vectors && j < real; i++) {
            U *at = c + j * p->ldc + i * FN(LANES);
            const bool full = whole || i + 1 < vectors;
            V t = sum[i][j] * alpha;
            if (beta != 0) {
                V old = full ? *(V *)at : PART_LOAD(at, n);
                t += old * beta;
            }
            if (full)
                *(V *)at = t;
            else
                PART_STORE(at, t, n);
        }
}

static inline __attribute__((always_inline)) void FN(block_of_rows)(const struct product *p, const U *a, int64_t a_step,
                                                                    U *c, const int vectors, const bool whole,
                                                                    int64_t n)
{
    const U *b = p->b;
    const int64_t b_line = p->b_transposed ? 1 : p->ldb, b_step = p->b_transposed ? p->ldb : 1;
    int64_t j = 0;
#define SMALL_RUN(count, real)                                                                                         \
    FN(columns)(p, a, a_step, b + j * b_line, b_line, b_step, c + j * p->ldc, vectors, count, real, whole, n)
    for (; j + SMALL_COLUMNS <= p->n; j += SMALL_COLUMNS)
        SMALL_RUN(SMALL_COLUMNS, SMALL_COLUMNS);
    const int64_t rest = p->n - j;
    if (rest > SMALL_FEWER)
        SMALL_RUN(SMALL_COLUMNS, rest);
    else if (rest > 1)
        SMALL_RUN(SMALL_FEWER, rest);
    else if (rest)
        SMALL_RUN(1, 1);
#undef SMALL_RUN
}

static void FN(small)(const struct product *p)
{
    U copy[PRODUCT_SMALL * FN(BLOCK)]; // of transposed rows
    for (int64_t i = 0; i < p->m; i += FN(BLOCK)) {
        int64_t rows = p->m - i < FN(BLOCK) ? p->m - i : FN(BLOCK), step = p->lda;
        const U *a = (const U *)p->a + i;
        if (p->a_transposed) {
            a = (const U *)p->a + i * p->lda;
            for (int64_t r = 0; r < rows; r++)
                for (int64_t d = 0; d < p->k; d++)
                    copy[d * FN(BLOCK) + r] = a[d + r * p->lda];
            a = copy;
            step = FN(BLOCK);
        }
        U *c = (U *)p->c + i;
        if (rows == FN(BLOCK))
            FN(block_of_rows)(p, a, step, c, 2, true, 0);
        else if (rows > FN(LANES))
            FN(block_of_rows)(p, a, step, c, 2, false, rows - FN(LANES));
        else if (rows == FN(LANES))
            FN(block_of_rows)(p, a, step, c, 1, true, 0);
        else
            FN(block_of_rows)(p, a, step, c, 1, false, rows);
    }
}
#undef PART_LOAD
#undef PART_STORE
