// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: sparse and dense vectors, of one type. Indices of a sparse vector are all different.
static inline T FN(number)(const struct scalar *s)
{
    return *(const T *)scalar_value(s);
}

// y = beta y, and then y = y + alpha x: two grids.
static void FN(scale)(const void *block, uint64_t part)
{
    const struct vector *x = block;
    const T beta = FN(number)(&x->beta);
    EY *y = x->y;
    for (int64_t i = (int64_t)part * EACH, end = sparse_min(i + EACH, x->size); i < end; i++)
        y[i] = SY(beta == (T)0 ? (T)0 : beta * LY(y[i]));
}

static void FN(axpy)(const void *block, uint64_t part)
{
    const struct vector *x = block;
    const T alpha = FN(number)(&x->alpha);
    const EX *v = x->values;
    EY *y = x->y;
    for (int64_t k = (int64_t)part * EACH, end = sparse_min(k + EACH, x->nnz); k < end; k++) {
        EY *e = y + (index_at(x->indices, k) - x->base);
        *e = SY(LY(*e) + alpha * LX(v[k]));
    }
}

static void FN(gather)(const void *block, uint64_t part)
{
    const struct vector *x = block;
    const EX *y = x->y;
    EX *v = x->values;
    for (int64_t k = (int64_t)part * EACH, end = sparse_min(k + EACH, x->nnz); k < end; k++)
        v[k] = y[index_at(x->indices, k) - x->base];
}

static void FN(scatter)(const void *block, uint64_t part)
{
    const struct vector *x = block;
    const EX *v = x->values;
    EX *y = x->y;
    for (int64_t k = (int64_t)part * EACH, end = sparse_min(k + EACH, x->nnz); k < end; k++)
        y[index_at(x->indices, k) - x->base] = v[k];
}

static void FN(rotate)(const void *block, uint64_t part)
{
    const struct vector *x = block;
    const T c = FN(number)(&x->alpha), s = FN(number)(&x->beta);
    EX *v = x->values;
    EY *y = x->y;
    for (int64_t k = (int64_t)part * EACH, end = sparse_min(k + EACH, x->nnz); k < end; k++) {
        EY *e = y + (index_at(x->indices, k) - x->base);
        T a = LX(v[k]), b = LY(*e);
        v[k] = SY(c * a + s * b);
        *e = SY(c * b - s * a);
    }
}
