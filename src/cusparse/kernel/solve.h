// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: solutions of triangular systems, op(A) y = alpha x. A part has some columns. Rows of op(A) are taken in the order in
// which they depend on each other: from the first on where op(A) is lower.
static inline EY *FN(solve_at)(const struct solve *x, int64_t row, int64_t column)
{
    return (EY *)x->y + row * x->y_down + column * x->y_across;
}

static inline T FN(element)(const struct solve *x, int64_t k)
{
    T e = LA(((const EA *)x->view.values)[k]);
    return x->conjugate ? CONJ(e) : e;
}

// Lines are rows of op(A): what is known of a row is taken from its right side.
static void FN(solve_rows)(const struct solve *x, int64_t column)
{
    const struct view *v = &x->view;
    for (int64_t step = 0; step < v->lines; step++) {
        int64_t i = x->lower ? step : v->lines - 1 - step, end = view_begin(v, i + 1);
        T sum = LY(*FN(solve_at)(x, i, column)), diagonal = 1;
        for (int64_t k = view_begin(v, i); k < end; k++) {
            int64_t j = index_at(v->indices, k) - v->base;
            if (j == i && !x->unit)
                diagonal = FN(element)(x, k);
            else if (x->lower ? j < i : j > i)
                sum -= FN(element)(x, k) * LY(*FN(solve_at)(x, j, column));
        }
        *FN(solve_at)(x, i, column) = SY(sum / diagonal);
    }
}

// Lines are columns of op(A): an unknown that is found is taken from the right sides of all rows that have it.
static void FN(solve_columns)(const struct solve *x, int64_t column)
{
    const struct view *v = &x->view;
    for (int64_t step = 0; step < v->lines; step++) {
        int64_t j = x->lower ? step : v->lines - 1 - step, start = view_begin(v, j), end = view_begin(v, j + 1);
        T diagonal = 1;
        for (int64_t k = start; k < end && !x->unit; k++)
            if (index_at(v->indices, k) - v->base == j)
                diagonal = FN(element)(x, k);
        T found = LY(*FN(solve_at)(x, j, column)) / diagonal;
        *FN(solve_at)(x, j, column) = SY(found);
        for (int64_t k = start; k < end; k++) {
            int64_t i = index_at(v->indices, k) - v->base;
            if (x->lower ? i > j : i < j) {
                EY *y = FN(solve_at)(x, i, column);
                *y = SY(LY(*y) - FN(element)(x, k) * found);
            }
        }
    }
}

static void FN(solve_run)(const void *block, uint64_t part)
{
    const struct solve *x = block;
    const T alpha = *(const T *)scalar_value(&x->alpha);
    for (int64_t c = (int64_t)part * COLUMNS, end = sparse_min(c + COLUMNS, x->columns); c < end; c++) {
        for (int64_t i = 0; i < x->view.lines; i++) {
            T b = LX(((const EX *)x->x)[i * x->x_down + c * x->x_across]);
            *FN(solve_at)(x, i, c) = SY(alpha * b);
        }
        if (x->by_columns)
            FN(solve_columns)(x, c);
        else
            FN(solve_rows)(x, c);
    }
}

// New values of the matrix: all, or those of the diagonal.
static void FN(update_run)(const void *block, uint64_t part)
{
    const struct solve *x = block;
    const struct view *v = &x->view;
    EA *to = x->kept;
    const EA *from = x->x;
    (void)part;
    for (int64_t k = 0; !x->diagonal && k < v->nnz; k++)
        to[k] = from[k];
    for (int64_t i = 0; x->diagonal && i < v->lines; i++)
        for (int64_t k = view_begin(v, i); k < view_begin(v, i + 1); k++)
            if (index_at(v->indices, k) - v->base == i)
                to[k] = from[i];
}
