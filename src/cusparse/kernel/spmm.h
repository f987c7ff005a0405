// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: products of a sparse and a dense matrix, C = alpha op(A) op(B) + beta C. A part has some columns of C.
static inline void FN(set)(const struct spmm *x, EY *c, T sum)
{
    const T alpha = *(const T *)scalar_value(&x->alpha), beta = *(const T *)scalar_value(&x->beta);
    T t = alpha * sum;
    if (beta != (T)0)
        t += beta * LY(*c);
    *c = SY(t);
}

static inline T FN(b_at)(const struct spmm *x, const EX *b, int64_t row, int64_t column)
{
    T t = LX(b[row * x->b_down + column * x->b_across]);
    return x->conjugate_b ? CONJ(t) : t;
}

// One row of A with `n` columns of B; across: of B, 1 where rows of B lie side by side.
static inline __attribute__((always_inline)) void FN(row)(const struct spmm *x, const struct view *v, const EX *b,
                                                          EY *c, int64_t line, int64_t n, int64_t across)
{
    const EA *a = v->values;
    T sums[COLUMNS] = {0};
    int64_t end = view_begin(v, line + 1);
    for (int64_t k = view_begin(v, line); k < end; k++) {
        T e = LA(a[k]);
        e = x->conjugate_a ? CONJ(e) : e;
        const EX *from = b + (index_at(v->indices, k) - v->base) * x->b_down;
        for (int64_t j = 0; j < n; j++) {
            T t = LX(from[j * across]);
            sums[j] += e * (x->conjugate_b ? CONJ(t) : t);
        }
    }
    for (int64_t j = 0; j < n; j++)
        FN(set)(x, &c[line * x->c_down + j * x->c_across], sums[j]);
}

static struct view FN(batch)(const struct spmm *x, int64_t batch)
{
    struct view v = x->view;
    v.offsets.at = (const char *)v.offsets.at + batch * v.offsets_stride * (int64_t)index_size(v.offsets);
    v.indices.at = (const char *)v.indices.at + batch * v.indices_stride * (int64_t)index_size(v.indices);
    v.values = (const EA *)v.values + batch * v.values_stride;
    return v;
}

// Lines of A are rows of op(A). Parts are equal in elements, in whole rows.
static void FN(spmm_gather)(const void *block, uint64_t part)
{
    const struct spmm *x = block;
    int64_t groups = sparse_parts(x->columns, COLUMNS), p = (int64_t)part;
    int64_t j = p % groups * COLUMNS, piece = p / groups % x->pieces, batch = p / groups / x->pieces;
    struct view v = FN(batch)(x, batch);
    const EX *b = (const EX *)x->b + batch * x->b_stride + j * x->b_across;
    EY *c = (EY *)x->c + batch * x->c_stride + j * x->c_across;
    int64_t items = v.lines + v.nnz, line = view_line(&v, sparse_min(piece * x->each, items));
    int64_t last = piece + 1 == x->pieces ? v.lines : view_line(&v, sparse_min((piece + 1) * x->each, items));
    int64_t n = sparse_min(COLUMNS, x->columns - j);
    for (; line < last; line++)
        if (x->b_across == 1 && n == COLUMNS)
            FN(row)(x, &v, b, c, line, COLUMNS, 1);
        else
            FN(row)(x, &v, b, c, line, n, x->b_across);
}

// Lines of A are columns of op(A). C is scaled, and then added to.
static void FN(spmm_scatter)(const void *block, uint64_t part)
{
    const struct spmm *x = block;
    int64_t groups = sparse_parts(x->columns, x->group), p = (int64_t)part, batch = p / groups;
    struct view v = FN(batch)(x, batch);
    const EA *a = v.values;
    const EX *b = (const EX *)x->b + batch * x->b_stride;
    EY *c = (EY *)x->c + batch * x->c_stride;
    T *sums = (T *)x->sums + p * v.across;
    for (int64_t j = p % groups * x->group, end = sparse_min(j + x->group, x->columns); j < end; j++) {
        for (int64_t i = 0; i < v.across; i++)
            sums[i] = 0;
        for (int64_t line = 0; line < v.lines; line++) {
            int64_t k = view_begin(&v, line), stop = view_begin(&v, line + 1);
            T f = k < stop ? FN(b_at)(x, b, line, j) : (T)0;
            for (; k < stop; k++) {
                T e = LA(a[k]);
                sums[index_at(v.indices, k) - v.base] += (x->conjugate_a ? CONJ(e) : e) * f;
            }
        }
        for (int64_t i = 0; i < v.across; i++)
            FN(set)(x, &c[i * x->c_down + j * x->c_across], sums[i]);
    }
}

// Blocked ELL and BSR: a row of C is the sum over the blocks of its row of blocks. An index below the base is no block.
static void FN(spmm_blocks)(const void *block, uint64_t part)
{
    const struct spmm *x = block;
    int64_t batch = (int64_t)part / x->pieces, i = (int64_t)part % x->pieces * ROWS,
            end = sparse_min(i + ROWS, x->rows);
    struct view v = FN(batch)(x, batch);
    const EA *a = v.values;
    const EX *b = (const EX *)x->b + batch * x->b_stride;
    EY *c = (EY *)x->c + batch * x->c_stride;
    for (; i < end; i++) {
        int64_t line = i / x->block_rows, in = i % x->block_rows;
        int64_t k0 = x->ell_blocks ? line * x->ell_blocks : view_begin(&v, line);
        int64_t k1 = x->ell_blocks ? k0 + x->ell_blocks : view_begin(&v, line + 1);
        for (int64_t j = 0; j < x->columns; j++) {
            T sum = 0;
            for (int64_t k = k0; k < k1; k++) {
                int64_t column = index_at(v.indices, k) - v.base;
                // blocked ELL keeps whole rows of blocks by rows; BSR block by block
                const EA *e = x->ell_blocks
                                  ? a + i * x->ell_blocks * x->block_cols + (k - k0) * x->block_cols
                                  : a + k * x->block_rows * x->block_cols + in * (x->by_rows ? x->block_cols : 1);
                int64_t step = x->ell_blocks || x->by_rows ? 1 : x->block_rows;
                for (int64_t q = 0; column >= 0 && q < x->block_cols && column * x->block_cols + q < x->inner; q++)
                    sum += (T)LA(e[q * step]) * FN(b_at)(x, b, column * x->block_cols + q, j);
            }
            FN(set)(x, &c[i * x->c_down + j * x->c_across], sum);
        }
    }
}
