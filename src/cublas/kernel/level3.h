// SPDX-License-Identifier: Apache-2.0
// A template of number.h: level 3 in one type, on products of matrices. What is stored as a triangle is made whole, a block at a time,
// in memory of the thread.

static T FN(factor)(const struct scalar *s)
{
    const void *p = s->at ? s->at : s->value.bytes;
    return s->type == KIND ? *(const T *)p : (T) * (const R *)p; // of Hermitian functions some are real
}

struct FN(matrix) {
    const T *at;
    int64_t ld;
    bool transposed, conjugated;
};

// C = alpha op(A) op(B) + beta C
static void FN(multiply)(int64_t m, int64_t n, int64_t k, T alpha, struct FN(matrix) a, struct FN(matrix) b, T beta,
                         T *c, int64_t ldc)
{
    static const enum product_type types[] = {PRODUCT_S, PRODUCT_D, PRODUCT_C, PRODUCT_Z};
    struct product p = {.m = m,
                        .n = n,
                        .k = k,
                        .a = a.at,
                        .lda = a.ld,
                        .a_transposed = a.transposed,
                        .a_conjugated = a.conjugated,
                        .b = b.at,
                        .ldb = b.ld,
                        .b_transposed = b.transposed,
                        .b_conjugated = b.conjugated,
                        .alpha = &alpha,
                        .beta = &beta,
                        .c = c,
                        .ldc = ldc};
    product_run(types[KIND], &p);
}

// ---- symmetric and Hermitian A
static void FN(whole)(const struct level3 *l, T *to, int64_t i0, int64_t rows, int64_t j0, int64_t columns)
{
    const T *a = l->a;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) {
            int64_t r = i0 + i, s = j0 + j;
            bool stored = l->upper ? r <= s : r >= s;
            T t = stored ? a[r + s * l->lda] : a[s + r * l->lda];
            if (l->hermitian)
                t = r == s ? REAL(t) : stored ? t : CONJ(t);
            to[i + j * rows] = t;
        }
}

static void FN(symm_run)(const void *block, uint64_t part)
{
    const struct level3 *l = block;
    const T alpha = FN(factor)(&l->alpha), beta = FN(factor)(&l->beta), *b = l->b;
    int64_t i = (int64_t)part % l->tiles_m * l->tile_m, j = (int64_t)part / l->tiles_m * l->tile_n;
    int64_t rows = blas_min(l->tile_m, l->m - i), columns = blas_min(l->tile_n, l->n - j), all = l->left ? l->m : l->n;
    T *c = (T *)l->c + i + j * l->ldc;
    for (int64_t p = 0; p < all; p += PRODUCT_DEPTH) {
        int64_t depth = blas_min(PRODUCT_DEPTH, all - p);
        T *whole = NULL;
        if (alpha != (T)0) {
            whole = product_memory(MEMORY_OTHER, (size_t)(depth * (l->left ? rows : columns)) * sizeof(T));
            if (l->left)
                FN(whole)(l, whole, i, rows, p, depth);
            else
                FN(whole)(l, whole, p, depth, j, columns);
        }
        struct FN(matrix) s = {whole, l->left ? rows : depth, false, false};
        struct FN(matrix) x = {l->left ? b + p + j * l->ldb : b + i + p * l->ldb, l->ldb, false, false};
        FN(multiply)(rows, columns, depth, alpha, l->left ? s : x, l->left ? x : s, p ? (T)1 : beta, c, l->ldc);
    }
}

// ---- one triangle of C: rank k and 2k. Part t is tile (row, column) of the lower triangle, row by row.
static void FN(rank_run)(const void *block, uint64_t part)
{
    const struct level3 *l = block;
    const T alpha = FN(factor)(&l->alpha), beta = FN(factor)(&l->beta), *a = l->a, *b = l->b;
    int64_t row = (int64_t)((sqrt(8.0 * (double)part + 1) - 1) / 2);
    while ((row + 1) * (row + 2) / 2 <= (int64_t)part)
        row++;
    while (row * (row + 1) / 2 > (int64_t)part)
        row--;
    int64_t column = (int64_t)part - row * (row + 1) / 2;
    int64_t i = (l->upper ? column : row) * RANK_TILE, j = (l->upper ? row : column) * RANK_TILE;
    int64_t rows = blas_min(RANK_TILE, l->n - i), columns = blas_min(RANK_TILE, l->n - j);
    bool diagonal = row == column;
    T *c = (T *)l->c + i + j * l->ldc, *to = c;
    int64_t ld = l->ldc;
    if (diagonal) {
        to = product_memory(MEMORY_OTHER, (size_t)(rows * columns) * sizeof(T));
        ld = rows;
    }
    bool herm = l->hermitian;
#define SIDE(x, ldx, at, right)                                                                                        \
    (struct FN(matrix)){l->transposed ? (x) + (at) * (ldx) : (x) + (at), ldx, (right) != l->transposed,                \
                        herm && (right) != l->transposed}
    FN(multiply)(rows, columns, l->k, alpha, SIDE(a, l->lda, i, false), SIDE(b, l->ldb, j, true),
                 diagonal ? (T)0 : beta, to, ld);
    if (l->two)
        FN(multiply)(rows, columns, l->k, herm ? CONJ(alpha) : alpha, SIDE(b, l->ldb, i, false),
                     SIDE(a, l->lda, j, true), (T)1, to, ld);
#undef SIDE
    for (int64_t y = 0; diagonal && y < columns; y++)
        for (int64_t x = l->upper ? 0 : y; x < (l->upper ? y + 1 : rows); x++) {
            T *d = c + x + y * l->ldc, t = to[x + y * ld];
            if (beta != (T)0)
                t += beta * *d;
            *d = herm && x == y ? REAL(t) : t;
        }
}

// ---- triangular A. op(A) is upper where the stored triangle is and it is not transposed, or the other way round.
static bool FN(is_upper)(const struct level3 *l)
{
    return l->upper != l->transposed;
}

// Block (i, i) of op(A), n x n, with zeros beside the triangle.
static void FN(corner)(const struct level3 *l, T *to, int64_t at, int64_t n)
{
    const T *a = (const T *)l->a + at + at * l->lda;
    bool upper = FN(is_upper)(l);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            T t = (T)0;
            if (i == j && l->unit)
                t = (T)1;
            else if (upper ? i <= j : i >= j)
                t = l->transposed ? a[j + i * l->lda] : a[i + j * l->lda];
            to[i + j * n] = l->conjugated ? CONJ(t) : t;
        }
}

// op(A) from element (i, j) on.
static struct FN(matrix) FN(rest)(const struct level3 *l, int64_t i, int64_t j)
{
    const T *a = l->a;
    return (struct FN(matrix)){l->transposed ? a + j + i * l->lda : a + i + j * l->lda, l->lda, l->transposed,
                               l->conjugated};
}

static struct FN(matrix) FN(plain)(const T *x, int64_t ld)
{
    return (struct FN(matrix)){x, ld, false, false};
}

// C = alpha op(A) B for some columns, or alpha B op(A) for some rows. C may be B: blocks are worked on in the order in which what they
// need is still there.
static void FN(trmm_run)(const void *block, uint64_t part)
{
    const struct level3 *l = block;
    const T alpha = FN(factor)(&l->alpha), *b = l->b;
    int64_t all = l->left ? l->m : l->n, from = (int64_t)part * l->tile_n;
    int64_t width = blas_min(l->tile_n, (l->left ? l->n : l->m) - from);
    T *c = l->c, *corner = product_memory(MEMORY_TILE, TRIANGLE_BLOCK * TRIANGLE_BLOCK * sizeof(T));
    T *copy = product_memory(MEMORY_OTHER, (size_t)(TRIANGLE_BLOCK * width) * sizeof(T));
    bool forward = FN(is_upper)(l) == l->left;
    int64_t blocks = (all + TRIANGLE_BLOCK - 1) / TRIANGLE_BLOCK;
    for (int64_t q = 0; q < blocks; q++) {
        int64_t at = (forward ? q : blocks - 1 - q) * TRIANGLE_BLOCK, n = blas_min(TRIANGLE_BLOCK, all - at),
                end = at + n;
        int64_t first = forward ? end : 0, count = forward ? all - end : at;
        if (alpha != (T)0)
            FN(corner)(l, corner, at, n);
        if (l->left) {
            for (int64_t j = 0; j < width; j++)
                memcpy(copy + j * n, b + at + (from + j) * l->ldb, (size_t)n * sizeof(T));
            T *d = c + at + from * l->ldc;
            FN(multiply)(n, width, n, alpha, FN(plain)(corner, n), FN(plain)(copy, n), (T)0, d, l->ldc);
            FN(multiply)(n, width, count, alpha, FN(rest)(l, at, first), FN(plain)(b + first + from * l->ldb, l->ldb),
                         (T)1, d, l->ldc);
        } else {
            for (int64_t j = 0; j < n; j++)
                memcpy(copy + j * width, b + from + (at + j) * l->ldb, (size_t)width * sizeof(T));
            T *d = c + from + at * l->ldc;
            FN(multiply)(width, n, n, alpha, FN(plain)(copy, width), FN(plain)(corner, n), (T)0, d, l->ldc);
            FN(multiply)(width, n, count, alpha, FN(plain)(b + from + first * l->ldb, l->ldb), FN(rest)(l, first, at),
                         (T)1, d, l->ldc);
        }
    }
}

// Solves corner X = B, or X corner = B, in place.
static void FN(solve_left)(const T *a, int64_t n, bool upper, bool unit, T *b, int64_t ldb, int64_t width)
{
    for (int64_t j = 0; j < width; j++) {
        T *x = b + j * ldb;
        for (int64_t q = 0; q < n; q++) {
            int64_t r = upper ? n - 1 - q : q;
            if (!unit)
                x[r] /= a[r + r * n];
            const T t = x[r];
            for (int64_t i = upper ? 0 : r + 1; i < (upper ? r : n); i++)
                x[i] -= a[i + r * n] * t;
        }
    }
}

static void FN(solve_right)(const T *a, int64_t n, bool upper, bool unit, T *b, int64_t ldb, int64_t height)
{
    for (int64_t q = 0; q < n; q++) {
        int64_t r = upper ? q : n - 1 - q;
        T *x = b + r * ldb;
        for (int64_t i = 0; !unit && i < height; i++)
            x[i] /= a[r + r * n];
        for (int64_t s = upper ? r + 1 : 0; s < (upper ? n : r); s++) {
            const T t = a[r + s * n];
            for (int64_t i = 0; i < height; i++)
                b[i + s * ldb] -= x[i] * t;
        }
    }
}

static void FN(trsm_panel)(const struct level3 *l, int64_t from)
{
    const T alpha = FN(factor)(&l->alpha);
    int64_t all = l->left ? l->m : l->n, width = blas_min(l->tile_n, (l->left ? l->n : l->m) - from);
    T *b = l->c, *corner = product_memory(MEMORY_TILE, TRIANGLE_BLOCK * TRIANGLE_BLOCK * sizeof(T));
    bool upper = FN(is_upper)(l), forward = upper != l->left;
    int64_t blocks = (all + TRIANGLE_BLOCK - 1) / TRIANGLE_BLOCK;
    for (int64_t q = 0; q < blocks; q++) {
        int64_t at = (forward ? q : blocks - 1 - q) * TRIANGLE_BLOCK, n = blas_min(TRIANGLE_BLOCK, all - at),
                end = at + n;
        int64_t first = forward ? 0 : end, count = forward ? at : all - end;
        T *d = l->left ? b + at + from * l->ldb : b + from + at * l->ldb;
        if (alpha == (T)0)
            count = 0;
        if (l->left)
            FN(multiply)(n, width, count, (T)-1, FN(rest)(l, at, first), FN(plain)(b + first + from * l->ldb, l->ldb),
                         alpha, d, l->ldb);
        else
            FN(multiply)(width, n, count, (T)-1, FN(plain)(b + from + first * l->ldb, l->ldb), FN(rest)(l, first, at),
                         alpha, d, l->ldb);
        if (alpha == (T)0)
            continue;
        FN(corner)(l, corner, at, n);
        if (l->left)
            FN(solve_left)(corner, n, upper, l->unit, d, l->ldb, width);
        else
            FN(solve_right)(corner, n, upper, l->unit, d, l->ldb, width);
    }
}

static void FN(trsm_run)(const void *block, uint64_t part)
{
    const struct level3 *l = block;
    if (!l->panels) {
        FN(trsm_panel)(l, (int64_t)part * l->tile_n);
        return;
    }
    struct level3 one = *l;
    one.a = ((const void *const *)l->a)[part / (uint64_t)l->panels];
    one.c = ((void *const *)l->c)[part / (uint64_t)l->panels];
    FN(trsm_panel)(&one, (int64_t)(part % (uint64_t)l->panels) * l->tile_n);
}
