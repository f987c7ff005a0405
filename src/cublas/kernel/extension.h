// SPDX-License-Identifier: Apache-2.0
// A template of number.h: extensions of level 3 in one type, a tile of the result in each part.
static inline void FN(tile)(const struct extension *x, uint64_t part, int64_t *i, int64_t *i1, int64_t *j, int64_t *j1)
{
    *i = (int64_t)part % x->tiles_m * TILE;
    *j = (int64_t)part / x->tiles_m * TILE;
    *i1 = blas_min(*i + TILE, x->m);
    *j1 = blas_min(*j + TILE, x->n);
}

static T FN(value)(const struct scalar *s)
{
    return *(const T *)(s->at ? s->at : s->value.bytes);
}

// A matrix whose factor is 0 is not read.
static void FN(geam_run)(const void *block, uint64_t part)
{
    const struct extension *x = block;
    const T alpha = FN(value)(&x->alpha), beta = FN(value)(&x->beta), *a = x->a, *b = x->b;
    T *c = x->c;
    int64_t i0, i1, j0, j1;
    FN(tile)(x, part, &i0, &i1, &j0, &j1);
    for (int64_t j = j0; j < j1; j++)
        for (int64_t i = i0; i < i1; i++) {
            T t = 0;
            if (alpha != (T)0) {
                T v = x->a_transposed ? a[j + i * x->lda] : a[i + j * x->lda];
                t = alpha * (x->a_conjugated ? CONJ(v) : v);
            }
            if (beta != (T)0) {
                T v = x->b_transposed ? b[j + i * x->ldb] : b[i + j * x->ldb];
                t += beta * (x->b_conjugated ? CONJ(v) : v);
            }
            c[i + j * x->ldc] = t;
        }
}

static void FN(dgmm_run)(const void *block, uint64_t part)
{
    const struct extension *x = block;
    const T *a = x->a, *v = (const T *)x->b + (x->incx < 0 ? (1 - (x->left ? x->m : x->n)) * x->incx : 0);
    T *c = x->c;
    int64_t i0, i1, j0, j1;
    FN(tile)(x, part, &i0, &i1, &j0, &j1);
    for (int64_t j = j0; j < j1; j++)
        for (int64_t i = i0; i < i1; i++)
            c[i + j * x->ldc] = a[i + j * x->lda] * v[(x->left ? i : j) * x->incx];
}

static void FN(triangle_run)(const void *block, uint64_t part)
{
    const struct extension *x = block;
    const T *a = x->a;
    T *c = x->c;
    int64_t i0, i1, j0, j1;
    FN(tile)(x, part, &i0, &i1, &j0, &j1);
    for (int64_t j = j0; j < j1; j++)
        for (int64_t i = i0; i < i1; i++) {
            if (x->upper ? i > j : i < j)
                continue;
            int64_t packed = x->upper ? j * (j + 1) / 2 + i : j * (2 * x->n - j + 1) / 2 + i - j;
            if (x->unpack)
                c[i + j * x->ldc] = a[packed];
            else
                c[packed] = a[i + j * x->lda];
        }
}
