// SPDX-License-Identifier: Apache-2.0
// A template of number.h: eigenvalues in one type. a: the matrix, b: values; c: the other matrix of a pair, where type is not 0.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)

// A pair becomes one matrix. Info of the factors of B comes after that of the eigenvalues.
static int64_t FN(pair_begin)(const struct work *w)
{
    if (!w->type)
        return 0;
    const int64_t info = FN(la_potrf)(w->uplo, w->n, w->c, w->ldc);
    if (info)
        return w->n + info;
    FN(la_sygst)(w->type, w->uplo, w->n, w->a, w->lda, w->c, w->ldc);
    return 0;
}

// The values that were asked for come first, and their vectors.
static int64_t FN(select)(const struct work *w)
{
    T *a = w->a;
    R *values = w->b;
    int64_t first = 0, last = w->n;
    if (w->range == CUSOLVER_EIG_RANGE_I) {
        first = w->il - 1;
        last = w->iu;
    } else if (w->range == CUSOLVER_EIG_RANGE_V) {
        while (first < w->n && !((double)values[first] > w->vl))
            first++;
        last = first;
        while (last < w->n && (double)values[last] <= w->vu)
            last++;
    }
    for (int64_t i = first; first && i < last; i++) {
        values[i - first] = values[i];
        if (w->job == 'V')
            FN(la_copy)(w->n, 1, a + i * w->lda, w->lda, a + (i - first) * w->lda, w->lda);
    }
    return last - first;
}

RUN(syevd)
{
    (void)part;
    int64_t info = FN(pair_begin)(w), found = 0;
    if (!info && w->n)
        info = FN(la_syevd)(w->job == 'V', w->uplo, w->n, w->a, w->lda, w->b);
    if (!info)
        found = FN(select)(w);
    if (!info && w->type && w->job == 'V')
        FN(la_sygst_back)(w->type, w->uplo, w->n, found, w->c, w->ldc, w->a, w->lda);
    if (w->found)
        *(int64_t *)w->found = found;
    *w->info = (int)info;
}

static int64_t FN(by_rotations)(const struct work *w, T *a, R *values)
{
    struct la_jacobi j = {.tolerance = w->jacobi->tolerance, .most = w->jacobi->most, .sort = w->jacobi->sort};
    FN(la_jacobi_eigen)(w->job == 'V', w->uplo, w->n, a, w->lda, values, &j);
    if (!w->jacobi->batched) {
        w->jacobi->sweeps = j.sweeps;
        w->jacobi->residual = j.residual;
    }
    return j.converged ? 0 : w->n + 1;
}

RUN(syevj)
{
    (void)part;
    const int64_t broken = FN(pair_begin)(w);
    int64_t info = broken;
    if (!broken)
        info = FN(by_rotations)(w, w->a, w->b);
    if (!broken && w->type && w->job == 'V')
        FN(la_sygst_back)(w->type, w->uplo, w->n, w->n, w->c, w->ldc, w->a, w->lda);
    *w->info = (int)info;
}

RUN(syevjBatched)
{
    w->info[part] =
        (int)FN(by_rotations)(w, (T *)w->a + (int64_t)part * w->lda * w->n, (R *)w->b + (int64_t)part * w->n);
}

RUN(syevBatched)
{
    w->info[part] = (int)FN(la_syevd)(w->job == 'V', w->uplo, w->n, (T *)w->a + (int64_t)part * w->lda * w->n, w->lda,
                                      (R *)w->b + (int64_t)part * w->n);
}

// b: values, complex where `wide`, else real parts and behind them imaginary ones; c: right vectors
RUN(geev)
{
    (void)part;
    R *wr = la_take((size_t)(w->n + 1) * sizeof(R)), *wi = la_take((size_t)(w->n + 1) * sizeof(R)), *out = w->b;
    *w->info = (int)FN(la_geev)(w->n, w->a, w->lda, wr, wi, w->c, w->ldc);
    for (int64_t i = 0; i < w->n; i++) {
        out[w->wide ? 2 * i : i] = wr[i];
        out[w->wide ? 2 * i + 1 : w->n + i] = wi[i];
    }
}
// NOLINTEND(readability-redundant-casting)
