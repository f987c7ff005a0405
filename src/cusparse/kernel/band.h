// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: systems with b diagonals on either side of the main one. Row i is kept as its columns i - b to i + 2b, where the b last
// ones hold what pivoting or rotations bring; right sides are changed with the rows.
static inline T *FN(band_at)(const struct band *x, T *w, int row, int column)
{
    return w + (size_t)row * band_width(x) + (size_t)(column - row + x->b);
}

static inline EY *FN(right)(const struct band *x, int64_t system, int row, int64_t column)
{
    return (EY *)x->y + system * x->y_system + row * x->y_down + column * x->y_across;
}

static void FN(band_read)(const struct band *x, T *w, int64_t system)
{
    for (int i = 0; i < x->m; i++)
        for (int j = i - x->b; j <= i + 2 * x->b; j++) {
            const EA *from = j - i <= x->b ? x->diagonals[j - i + x->b] : NULL;
            *FN(band_at)(x, w, i, j) = from && j >= 0 && j < x->m ? from[system * x->a_system + i * x->a_down] : (T)0;
        }
}

// The row with the largest element of column j comes to the place of row j.
static void FN(band_pivot)(const struct band *x, T *w, int64_t system, int j, int64_t first, int64_t last)
{
    int best = j, end = (int)sparse_min(j + (int64_t)x->b, x->m - 1);
    for (int i = j + 1; i <= end; i++)
        if (MAGNITUDE(*FN(band_at)(x, w, i, j)) > MAGNITUDE(*FN(band_at)(x, w, best, j)))
            best = i;
    if (best == j)
        return;
    for (int k = j; k <= j + 2 * x->b; k++) {
        T *a = FN(band_at)(x, w, j, k), *b = FN(band_at)(x, w, best, k), swap = *a;
        *a = *b;
        *b = swap;
    }
    for (int64_t c = first; c < last; c++) {
        EY *a = FN(right)(x, system, j, c), *b = FN(right)(x, system, best, c), swap = *a;
        *a = *b;
        *b = swap;
    }
}

// Row j takes element (i, j) away from row i.
static void FN(band_eliminate)(const struct band *x, T *w, int64_t system, int j, int i, int64_t first, int64_t last)
{
    T l = *FN(band_at)(x, w, i, j) / *FN(band_at)(x, w, j, j);
    for (int k = j; k <= j + 2 * x->b; k++)
        *FN(band_at)(x, w, i, k) -= l * *FN(band_at)(x, w, j, k);
    for (int64_t c = first; c < last; c++)
        *FN(right)(x, system, i, c) -= l * *FN(right)(x, system, j, c);
}

// The same by a rotation of both rows, which leaves lengths as they are.
static void FN(band_rotate)(const struct band *x, T *w, int64_t system, int j, int i, int64_t first, int64_t last)
{
    T a = *FN(band_at)(x, w, j, j), b = *FN(band_at)(x, w, i, j);
    double length = hypot(MAGNITUDE(a), MAGNITUDE(b));
    if (length == 0)
        return;
    T by = length, c = a / by, s = b / by;
    for (int k = j; k <= j + 2 * x->b; k++) {
        T *p = FN(band_at)(x, w, j, k), *q = FN(band_at)(x, w, i, k), old = *p;
        *p = CONJ(c) * old + CONJ(s) * *q;
        *q = c * *q - s * old;
    }
    for (int64_t k = first; k < last; k++) {
        EY *p = FN(right)(x, system, j, k), *q = FN(right)(x, system, i, k), old = *p;
        *p = CONJ(c) * old + CONJ(s) * *q;
        *q = c * *q - s * old;
    }
}

static void FN(band_solve)(const struct band *x, T *w, int64_t system, int64_t first, int64_t last)
{
    FN(band_read)(x, w, system);
    for (int j = 0; j < x->m; j++) {
        if (x->method == BAND_PIVOT)
            FN(band_pivot)(x, w, system, j, first, last);
        for (int i = j + 1, end = (int)sparse_min(j + (int64_t)x->b, x->m - 1); i <= end; i++) {
            if (x->method == BAND_ROTATE)
                FN(band_rotate)(x, w, system, j, i, first, last);
            else
                FN(band_eliminate)(x, w, system, j, i, first, last);
        }
    }
    for (int64_t c = first; c < last; c++)
        for (int i = x->m - 1; i >= 0; i--) {
            T rest = *FN(right)(x, system, i, c);
            for (int k = i + 1, end = (int)sparse_min(i + 2 * (int64_t)x->b, x->m - 1); k <= end; k++)
                rest -= *FN(band_at)(x, w, i, k) * *FN(right)(x, system, k, c);
            *FN(right)(x, system, i, c) = rest / *FN(band_at)(x, w, i, i);
        }
}

// A part has one system with some of its right sides, or some systems with one.
static void FN(band_run)(const void *block, uint64_t part)
{
    const struct band *x = block;
    T *w = (T *)x->buffer + part * (size_t)x->m * band_width(x);
    if (x->columns != 1) {
        FN(band_solve)(x, w, 0, (int64_t)part * COLUMNS, sparse_min(((int64_t)part + 1) * COLUMNS, x->columns));
        return;
    }
    for (int64_t s = (int64_t)part * SYSTEMS, end = sparse_min(s + SYSTEMS, x->systems); s < end; s++)
        FN(band_solve)(x, w, s, 0, 1);
}
