// SPDX-License-Identifier: Apache-2.0
// A template of number.h: products of reflections in one type. a: reflections, b: tau; c: what they are applied to.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
RUN(orgqr)
{
    (void)part;
    *w->info = 0;
    FN(la_orgqr)(w->m, w->n, w->k, w->a, w->lda, w->b);
}

// A slice of C in each part: of columns, or of rows where Q is at its right.
static T *FN(slice)(const struct work *w, uint64_t part, int64_t *m, int64_t *n)
{
    const int64_t first = (int64_t)part * w->width;
    *m = w->side == 'L' ? w->m : la_min(w->width, w->m - first);
    *n = w->side == 'L' ? la_min(w->width, w->n - first) : w->n;
    return (T *)w->c + (w->side == 'L' ? first * w->ldc : first);
}

RUN(ormqr)
{
    int64_t m, n;
    T *c = FN(slice)(w, part, &m, &n);
    if (!part)
        *w->info = 0;
    FN(la_ormqr)(w->side, w->trans, m, n, w->k, w->a, w->lda, w->b, c, w->ldc);
}

RUN(ormtr)
{
    int64_t m, n;
    T *c = FN(slice)(w, part, &m, &n);
    if (!part)
        *w->info = 0;
    FN(la_ormtr)(w->side, w->uplo, w->trans, m, n, w->a, w->lda, w->b, c, w->ldc);
}

// c: D, d: E, b: tauq, e: taup
RUN(gebrd)
{
    (void)part;
    *w->info = 0;
    FN(la_gebrd)(w->m, w->n, w->a, w->lda, w->c, w->d, w->b, w->e);
}

RUN(orgbr)
{
    (void)part;
    *w->info = 0;
    FN(la_orgbr)(w->side, w->m, w->n, w->k, w->a, w->lda, w->b);
}

RUN(sytrd)
{
    (void)part;
    *w->info = 0;
    FN(la_sytrd)(w->uplo, w->n, w->a, w->lda, w->c, w->d, w->b);
}

RUN(orgtr)
{
    (void)part;
    *w->info = 0;
    FN(la_orgtr)(w->uplo, w->n, w->a, w->lda, w->b);
}
// NOLINTEND(readability-redundant-casting)
