// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: triangular systems and products of matrices of blocks.
static inline T FN(blocks_element)(const struct blocks *a, int k, int r, int c, bool conjugate)
{
    T e = LA(((const EA *)a->values)[blocks_at(a, k, r, c)]);
    return conjugate ? CONJ(e) : e;
}

static inline EY *FN(unknown)(const struct triangle *x, int row, int r, int64_t column)
{
    return (EY *)x->y + ((int64_t)row * x->a.height + r) * x->y_down + column * x->y_across;
}

// The diagonal element of row r of row i of blocks; 0: there is none.
static T FN(blocks_diagonal)(const struct triangle *x, int i, int r)
{
    for (int k = blocks_begin(&x->a, i), end = blocks_begin(&x->a, i + 1); k < end; k++)
        if (blocks_column(&x->a, k) == i)
            return FN(blocks_element)(&x->a, k, r, r, x->conjugate);
    return 0;
}

// One unknown, of row (i, r) of op(A). By rows it is what the row's right side leaves by the diagonal; by columns it is then taken from the
// right sides of all rows that have it. In the triangle are elements that come before the diagonal where op(A)'s rows are lower.
static bool FN(solve_one)(const struct triangle *x, int i, int r, int64_t column)
{
    const struct blocks *a = &x->a;
    EY *y = FN(unknown)(x, i, r, column);
    T rest = *y, diagonal = x->unit ? (T)1 : FN(blocks_diagonal)(x, i, r);
    bool before = x->lower != x->by_columns; // the elements of this row of A that count
    if (x->by_columns)
        *y = rest / diagonal;
    for (int k = blocks_begin(a, i), end = blocks_begin(a, i + 1); k < end; k++) {
        int j = blocks_column(a, k), from = 0, to = a->width;
        if (j == i) {
            from = before ? 0 : r + 1;
            to = before ? r : a->width;
        } else if ((j < i) != before) {
            continue;
        }
        for (int c = from; c < to; c++) {
            T e = FN(blocks_element)(a, k, r, c, x->conjugate);
            EY *other = FN(unknown)(x, j, c, column);
            if (x->by_columns)
                *other -= e * *y;
            else
                rest -= e * *other;
        }
    }
    if (!x->by_columns)
        *y = rest / diagonal;
    return diagonal != (T)0;
}

static void FN(triangle_run)(const void *block, uint64_t part)
{
    const struct triangle *x = block;
    const T alpha = *(const T *)scalar_value(&x->alpha);
    int zero = -1, rows = x->a.rows, dim = x->a.height;
    for (int64_t c = (int64_t)part * COLUMNS, end = sparse_min(c + COLUMNS, x->columns); c < end; c++) {
        for (int64_t i = 0; i < (int64_t)rows * dim; i++)
            ((EY *)x->y)[i * x->y_down + c * x->y_across] = alpha * ((const EX *)x->x)[i * x->x_down + c * x->x_across];
        for (int step = 0; step < rows; step++)
            for (int turn = 0; turn < dim; turn++) {
                int i = x->lower ? step : rows - 1 - step, r = x->lower ? turn : dim - 1 - turn;
                if (!FN(solve_one)(x, i, r, c) && (zero < 0 || i < zero))
                    zero = i;
            }
    }
    if (!part)
        x->info->position = zero;
}

// Rows of blocks of alpha A X + beta Y, of which a part has some: all, or those of a mask.
static void FN(product_run)(const void *block, uint64_t part)
{
    const struct product *x = block;
    const struct blocks *a = &x->a;
    const T alpha = *(const T *)scalar_value(&x->alpha), beta = *(const T *)scalar_value(&x->beta);
    const EX *in = x->x;
    for (int line = (int)part * LINES, last = (int)sparse_min(line + LINES, x->lines); line < last; line++) {
        int i = x->mask ? x->mask[line] - a->base : line;
        int begin = blocks_begin(a, i), end = x->ends ? x->ends[i] - a->base : blocks_begin(a, i + 1);
        for (int r = 0; r < a->height; r++)
            for (int64_t c = 0; c < x->columns; c++) {
                T sum = 0;
                for (int k = begin; k < end; k++)
                    for (int e = 0; e < a->width; e++) {
                        int64_t row = (int64_t)blocks_column(a, k) * a->width + e;
                        sum += FN(blocks_element)(a, k, r, e, false) * in[row * x->x_down + c * x->x_across];
                    }
                EY *y = (EY *)x->y + (int64_t)i * a->height + r + c * x->y_across;
                *y = alpha * sum + (beta == (T)0 ? (T)0 : beta * *y);
            }
    }
}

// A dense matrix by columns and a sparse vector: a part has some elements of y.
static void FN(dense_run)(const void *block, uint64_t part)
{
    const struct dense_product *x = block;
    const T alpha = *(const T *)scalar_value(&x->alpha), beta = *(const T *)scalar_value(&x->beta);
    const EA *a = x->a;
    const EX *v = x->values;
    for (int64_t i = (int64_t)part * LINES, last = sparse_min(i + LINES, x->size); i < last; i++) {
        T sum = 0;
        for (int k = 0; k < x->nnz; k++) {
            T e = a[i * x->down + (int64_t)(x->indices[k] - x->base) * x->across];
            sum += (x->conjugate ? CONJ(e) : e) * v[k];
        }
        EY *y = (EY *)x->y + i;
        *y = alpha * sum + (beta == (T)0 ? (T)0 : beta * *y);
    }
}
