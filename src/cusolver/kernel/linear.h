// SPDX-License-Identifier: Apache-2.0
// A template of number.h: systems of equations and inverses from factors, in one type. Right sides are shared out in groups of w->width.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
#ifndef HEDDLE_CUSOLVER_KERNEL_LINEAR
#define HEDDLE_CUSOLVER_KERNEL_LINEAR
static inline int64_t group_size(const struct work *w, uint64_t part, int64_t all)
{
    return la_min(w->width, all - (int64_t)part * w->width);
}
#endif

// Pivots as integers of 32 bits.
static const int *FN(pivots_of)(const struct work *w)
{
    if (!w->pivots || !w->wide)
        return w->pivots;
    int *p = la_take((size_t)(w->n + 1) * sizeof(int));
    for (int64_t i = 0; i < w->n; i++)
        p[i] = (int)((const int64_t *)w->pivots)[i];
    return p;
}

RUN(getrs)
{
    const int64_t columns = group_size(w, part, w->k);
    T *b = (T *)w->b + (int64_t)part * w->width * w->ldb;
    const int *pivots = FN(pivots_of)(w);
    if (!part && w->info)
        *w->info = 0;
    if (w->trans == 'N') {
        if (pivots)
            FN(la_laswp)(columns, b, w->ldb, 0, w->n, pivots, false);
        FN(la_trsm)('L', 'L', 'N', 'U', w->n, columns, w->a, w->lda, b, w->ldb);
        FN(la_trsm)('L', 'U', 'N', 'N', w->n, columns, w->a, w->lda, b, w->ldb);
    } else {
        FN(la_trsm)('L', 'U', w->trans, 'N', w->n, columns, w->a, w->lda, b, w->ldb);
        FN(la_trsm)('L', 'L', w->trans, 'U', w->n, columns, w->a, w->lda, b, w->ldb);
        if (pivots)
            FN(la_laswp)(columns, b, w->ldb, 0, w->n, pivots, true);
    }
}

static void FN(solve_cholesky)(char uplo, int64_t n, int64_t columns, const T *a, int64_t lda, T *b, int64_t ldb)
{
    FN(la_trsm)('L', uplo, uplo == 'L' ? 'N' : 'C', 'N', n, columns, a, lda, b, ldb);
    FN(la_trsm)('L', uplo, uplo == 'L' ? 'C' : 'N', 'N', n, columns, a, lda, b, ldb);
}

RUN(potrs)
{
    if (!part && w->info)
        *w->info = 0;
    FN(solve_cholesky)(w->uplo, w->n, group_size(w, part, w->k), w->a, w->lda,
                       (T *)w->b + (int64_t)part * w->width * w->ldb, w->ldb);
}

// il, iu: the first and the last exchange, from 1 on; step: between pivots
RUN(laswp)
{
    const int64_t columns = group_size(w, part, w->n), step = w->step < 0 ? -w->step : w->step;
    T *a = (T *)w->a + (int64_t)part * w->width * w->lda;
    for (int64_t q = w->il; q <= w->iu; q++) {
        const int64_t i = w->step > 0 ? q : w->iu + w->il - q;
        const int p = ((const int *)w->pivots)[(w->il - 1) + (i - w->il) * step] - (int)(i - 1); // seen from row i
        FN(la_laswp)(columns, a + (i - 1), w->lda, 0, 1, &p, false);
    }
}

RUN(trtri)
{
    (void)part;
    *w->info = (int)FN(la_trtri)(w->uplo, w->diag, w->n, w->a, w->lda);
}

RUN(lauum)
{
    (void)part;
    *w->info = 0;
    FN(la_lauum)(w->uplo, w->n, w->a, w->lda);
}

// A^-1 = L^-H L^-1
RUN(potri)
{
    (void)part;
    *w->info = (int)FN(la_trtri)(w->uplo, 'N', w->n, w->a, w->lda);
    if (!*w->info)
        FN(la_lauum)(w->uplo, w->n, w->a, w->lda);
}

RUN(sytrf)
{
    (void)part;
    *w->info = (int)FN(la_sytrf)(w->uplo, w->n, w->a, w->lda, w->pivots);
}

RUN(sytrs)
{
    if (!part && w->info)
        *w->info = 0;
    FN(la_sytrs)(w->uplo, w->n, group_size(w, part, w->k), w->a, w->lda, FN(pivots_of)(w),
                 (T *)w->b + (int64_t)part * w->width * w->ldb, w->ldb);
}

RUN(sytri)
{
    (void)part;
    *w->info = (int)FN(la_sytri)(w->uplo, w->n, w->a, w->lda, w->pivots);
}

RUN(larft)
{
    (void)part;
    FN(la_larft)(w->n, w->k, w->a, w->lda, w->b, w->c, w->ldc);
}

// ---- a matrix in each part; a and b are arrays of pointers
RUN(potrfBatched)
{
    w->info[part] = (int)FN(la_potrf)(w->uplo, w->n, ((T *const *)w->a)[part], w->lda);
}

RUN(potrsBatched)
{
    if (!part && w->info)
        *w->info = 0;
    FN(solve_cholesky)(w->uplo, w->n, w->k, ((T *const *)w->a)[part], w->lda, ((T *const *)w->b)[part], w->ldb);
}
// NOLINTEND(readability-redundant-casting)
