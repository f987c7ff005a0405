// SPDX-License-Identifier: Apache-2.0
// A template: products of real numbers whose matrices the second cache holds, without packing: A is read where it lies, if it is not
// transposed, and so is B. The words are those of engine.h and pack.h, and PART_LOAD(from, n) and PART_STORE(to, vector, n) of the first n
// elements of a vector; sums have the order and so the bits of engine.h's tiles.
//
// SMALL_VECTORS of rows and SMALL_COLUMNS(vectors) columns are worked on at once, at the end a few.

enum { FN(BLOCK) = SMALL_VECTORS * FN(LANES) };

static inline __attribute__((always_inline)) void FN(rows)(FN(vector) * va, const U *a, const int vectors,
                                                           const bool whole, int64_t n)
{
#pragma GCC unroll 4
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
    int64_t line[SMALL_MOST];
#pragma GCC unroll 16
    for (int j = 0; j < columns; j++)
        line[j] = (j < real ? j : real - 1) * b_line;
    typedef FN(vector) V;
    V sum[SMALL_VECTORS][SMALL_MOST];
    const U alpha = *(const U *)p->alpha, beta = *(const U *)p->beta;
#pragma GCC unroll 16
    for (int j = 0; j < columns; j++)
#pragma GCC unroll 4
        for (int i = 0; i < vectors; i++)
            sum[i][j] = (V){0};
    int64_t d = 0;
#if TILE_BY_LANES
    if (b_step == 1) // several elements of a column of B by one load
        for (; d + FN(LANES) <= p->k; d += FN(LANES)) {
            V vb[SMALL_MOST];
#pragma GCC unroll 8
            for (int j = 0; j < columns; j++)
                vb[j] = *(const V *)(b + d + line[j]);
#pragma GCC unroll 4
            for (int l = 0; l < FN(LANES); l++) {
                V va[SMALL_VECTORS];
                FN(rows)(va, a + (d + l) * a_step, vectors, whole, n);
#pragma GCC unroll 8
                for (int j = 0; j < columns; j++)
#pragma GCC unroll 4
                    for (int i = 0; i < vectors; i++)
                        sum[i][j] += va[i] * vb[j][l];
            }
        }
#endif
    for (; d < p->k; d++) {
        V va[SMALL_VECTORS];
        FN(rows)(va, a + d * a_step, vectors, whole, n);
#pragma GCC unroll 16
        for (int j = 0; j < columns; j++) {
            const U t = b[d * b_step + line[j]];
#pragma GCC unroll 4
            for (int i = 0; i < vectors; i++)
                sum[i][j] += va[i] * t;
        }
    }
#pragma GCC unroll 16
    for (int j = 0; j < columns; j++)
#pragma GCC unroll 4
        for (int i = 0; i < vectors; i++) {
            U *at = c + j * p->ldc + i * FN(LANES);
            const bool full = whole || i + 1 < vectors;
            if (j >= real)
                continue;
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
    enum { FULL = SMALL_COLUMNS(SMALL_VECTORS), WIDE = SMALL_COLUMNS(1) };
    const U *b = p->b;
    const int64_t b_line = p->b_transposed ? 1 : p->ldb, b_step = p->b_transposed ? p->ldb : 1;
    const int columns = vectors == SMALL_VECTORS ? FULL : WIDE;
    int64_t j = 0;
#define SMALL_RUN(count, real)                                                                                         \
    FN(columns)(p, a, a_step, b + j * b_line, b_line, b_step, c + j * p->ldc, vectors, count, real, whole, n)
    for (; j + columns <= p->n; j += columns)
        SMALL_RUN(columns, columns);
    const int64_t rest = p->n - j;
    if (rest > SMALL_FEWER)
        SMALL_RUN(columns, rest);
    else if (rest > 1)
        SMALL_RUN(SMALL_FEWER, rest);
    else if (rest)
        SMALL_RUN(1, 1);
#undef SMALL_RUN
}

// One block of rows, of so many vectors.
static void FN(block_of)(const struct product *p, const U *a, int64_t a_step, U *c, int64_t vectors, int64_t last)
{
#define SMALL_BLOCK(count)                                                                                             \
    case count:                                                                                                        \
        if (last == FN(LANES))                                                                                         \
            FN(block_of_rows)(p, a, a_step, c, count, true, 0);                                                        \
        else                                                                                                           \
            FN(block_of_rows)(p, a, a_step, c, count, false, last);                                                    \
        break;
    switch (vectors) {
        SMALL_BLOCK(1)
        SMALL_BLOCK(2)
#if SMALL_VECTORS > 2
        SMALL_BLOCK(3)
        SMALL_BLOCK(4)
#endif
    }
#undef SMALL_BLOCK
}

static void FN(small)(const struct product *p)
{
    U *copy = p->a_transposed ? product_memory(MEMORY_A, (size_t)(FN(BLOCK) * p->k) * sizeof(U)) : NULL;
    for (int64_t i = 0; i < p->m; i += FN(BLOCK)) {
        const int64_t rows = p->m - i < FN(BLOCK) ? p->m - i : FN(BLOCK), vectors = (rows + FN(LANES) - 1) / FN(LANES);
        const U *a = (const U *)p->a + (p->a_transposed ? i * p->lda : i);
        if (p->a_transposed)
            PN(pack)(copy, a, rows, FN(BLOCK), p->k, p->lda, 1, false);
        FN(block_of)(p, p->a_transposed ? copy : a, p->a_transposed ? FN(BLOCK) : p->lda, (U *)p->c + i, vectors,
                     rows - (vectors - 1) * FN(LANES));
    }
}
#undef PART_LOAD
#undef PART_STORE
