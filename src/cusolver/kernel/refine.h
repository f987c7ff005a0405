// SPDX-License-Identifier: Apache-2.0
// A template of number.h: iterative refinement in one type, with factors of the lower one: LT, LOW(name).
//
// Solves A x = b by factors of A in lower precision; then r = b - A x and x = x + A^-1 r in turns, with r in full precision, until r is as small as full
// factors would leave it (LAPACK's criterion: |r| <= sqrt(n) eps |A| |x|). Where that does not come to an end, or lower factors are
// singular or overflow, full factors are taken. Least squares: A^H A = R^H R gives corrections R^-1 R^-H A^H r, which end where
// A^H r = 0.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
#define LT        NUMBER_CAT(LOW_TYPE, LETTER)
#define LOW(name) NUMBER_CAT(name, NUMBER_CAT(LOW_LETTER, LETTER))

static double FN(norm_most)(int64_t m, int64_t n, const T *a, int64_t lda)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            const double t = (double)FN(la_abs)(a[i + j * lda]);
            most = t > most || t != t ? t : most;
        }
    return most;
}

static double FN(norm_rows)(int64_t m, int64_t n, const T *a, int64_t lda)
{
    double most = 0;
    for (int64_t i = 0; i < m; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += (double)FN(la_abs)(a[i + j * lda]);
        most = sum > most || sum != sum ? sum : most;
    }
    return most;
}

// False: a number is too large for the lower type.
static bool FN(lower)(int64_t m, int64_t n, const T *a, int64_t lda, LT *b)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            b[i + j * m] = (LT)a[i + j * lda];
            if (!(LOW(la_abs)(b[i + j * m]) <= LOWER_MOST))
                return false;
        }
    return true;
}

static void FN(add)(int64_t m, int64_t n, const LT *d, T *x, int64_t ldx)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            x[i + j * ldx] += (T)d[i + j * m];
}

static void FN(history_keep)(const struct refine *w, int step, double norm)
{
    for (int64_t j = 0; w->history && step <= w->most && j < w->nrhs; j++)
        ((R *)w->history)[step + j * (w->most + 1)] = (R)norm;
}

// ---- systems with as many equations as unknowns. True: x is there.
static bool FN(gesv_refined)(const struct refine *w, T *x)
{
    const int64_t n = w->n, nrhs = w->nrhs;
    LT *a = la_take((size_t)(n * n + 1) * sizeof(LT)), *d = la_take((size_t)(n * nrhs + 1) * sizeof(LT));
    T *r = la_take((size_t)(n * nrhs + 1) * sizeof(T));
    int *pivots = la_take((size_t)(n + 1) * sizeof(int));
    const double eps = w->tolerance > 0 ? w->tolerance : (double)FN(la_epsilon)() / 2 * sqrt((double)n);
    const double enough = FN(norm_rows)(n, n, w->a, w->lda) * eps;
    if (!FN(lower)(n, n, w->a, w->lda, a)) {
        *w->iterations = -2;
        return false;
    }
    if (LOW(la_getrf)(n, n, a, n, pivots)) {
        *w->iterations = -3;
        return false;
    }
    FN(la_set)(n, nrhs, (T)0, (T)0, x, w->ldx);
    FN(la_copy)(n, nrhs, w->b, w->ldb, r, n);
    for (int step = 0; step <= w->most; step++) {
        if (!FN(lower)(n, nrhs, r, n, d)) {
            *w->iterations = -2;
            return false;
        }
        LOW(la_laswp)(nrhs, d, n, 0, n, pivots, false);
        LOW(la_trsm)('L', 'L', 'N', 'U', n, nrhs, a, n, d, n);
        LOW(la_trsm)('L', 'U', 'N', 'N', n, nrhs, a, n, d, n);
        FN(add)(n, nrhs, d, x, w->ldx);
        FN(la_copy)(n, nrhs, w->b, w->ldb, r, n);
        FN(la_gemm)('N', 'N', n, nrhs, n, (T)-1, w->a, w->lda, x, w->ldx, (T)1, r, n);
        bool all = true;
        for (int64_t j = 0; j < nrhs; j++)
            all = all && FN(norm_most)(n, 1, r + j * n, n) <= enough * FN(norm_most)(n, 1, x + j * w->ldx, n);
        FN(history_keep)(w, step, FN(norm_most)(n, nrhs, r, n));
        *w->iterations = step;
        if (all)
            return true;
    }
    *w->iterations = -w->most;
    return false;
}

static void FN(gesv_whole)(const struct refine *w, T *x)
{
    int *pivots = w->pivots ? w->pivots : la_take((size_t)(w->n + 1) * sizeof(int));
    *w->info = (int)FN(la_getrf)(w->n, w->n, w->a, w->lda, pivots);
    if (*w->info)
        return;
    FN(la_copy)(w->n, w->nrhs, w->b, w->ldb, x, w->ldx);
    FN(la_laswp)(w->nrhs, x, w->ldx, 0, w->n, pivots, false);
    FN(la_trsm)('L', 'L', 'N', 'U', w->n, w->nrhs, w->a, w->lda, x, w->ldx);
    FN(la_trsm)('L', 'U', 'N', 'N', w->n, w->nrhs, w->a, w->lda, x, w->ldx);
}

static void FN(gesv_run)(const void *block, uint64_t part)
{
    const struct refine *w = block;
    (void)part;
    la_release(0);
    *w->info = 0;
    *w->iterations = 0;
    if (!w->lower || (!FN(gesv_refined)(w, w->x) && w->fallback))
        FN(gesv_whole)(w, w->x);
    la_release(0);
}

// ---- least squares
static bool FN(gels_refined)(const struct refine *w, T *x)
{
    const int64_t m = w->m, n = w->n, nrhs = w->nrhs;
    LT *a = la_take((size_t)(m * n + 1) * sizeof(LT)), *tau = la_take((size_t)(n + 1) * sizeof(LT));
    LT *d = la_take((size_t)(n * nrhs + 1) * sizeof(LT));
    T *r = la_take((size_t)(m * nrhs + 1) * sizeof(T)), *g = la_take((size_t)(n * nrhs + 1) * sizeof(T));
    const double eps = w->tolerance > 0 ? w->tolerance : (double)FN(la_epsilon)() * sqrt((double)n);
    if (!FN(lower)(m, n, w->a, w->lda, a)) {
        *w->iterations = -2;
        return false;
    }
    LOW(la_geqrf)(m, n, a, m, tau);
    for (int64_t i = 0; i < n; i++)
        if (a[i + i * m] == (LT)0) {
            *w->iterations = -3;
            return false;
        }
    FN(la_set)(n, nrhs, (T)0, (T)0, x, w->ldx);
    for (int step = 0; step <= w->most; step++) {
        FN(la_copy)(m, nrhs, w->b, w->ldb, r, m);
        FN(la_gemm)('N', 'N', m, nrhs, n, (T)-1, w->a, w->lda, x, w->ldx, (T)1, r, m);
        FN(la_gemm)('C', 'N', n, nrhs, m, (T)1, w->a, w->lda, r, m, (T)0, g, n);
        if (!FN(lower)(n, nrhs, g, n, d)) {
            *w->iterations = -2;
            return false;
        }
        LOW(la_trsm)('L', 'U', 'C', 'N', n, nrhs, a, m, d, n);
        LOW(la_trsm)('L', 'U', 'N', 'N', n, nrhs, a, m, d, n);
        FN(add)(n, nrhs, d, x, w->ldx);
        double change = 0;
        for (int64_t i = 0; i < n * nrhs; i++)
            change = fmax(change, (double)LOW(la_abs)(d[i]));
        FN(history_keep)(w, step, change);
        *w->iterations = step;
        if (change <= eps * FN(norm_most)(n, nrhs, x, w->ldx))
            return true;
    }
    *w->iterations = -w->most;
    return false;
}

static void FN(gels_whole)(const struct refine *w, T *x)
{
    const int64_t m = w->m, n = w->n;
    T *tau = la_take((size_t)(n + 1) * sizeof(T)), *b = la_take((size_t)(m * w->nrhs + 1) * sizeof(T));
    FN(la_geqrf)(m, n, w->a, w->lda, tau);
    const T *a = w->a;
    for (int64_t i = 0; i < n; i++)
        if (a[i + i * w->lda] == (T)0) {
            *w->info = (int)i + 1;
            return;
        }
    FN(la_copy)(m, w->nrhs, w->b, w->ldb, b, m);
    FN(la_ormqr)('L', 'C', m, w->nrhs, n, w->a, w->lda, tau, b, m);
    FN(la_trsm)('L', 'U', 'N', 'N', n, w->nrhs, w->a, w->lda, b, m);
    FN(la_copy)(n, w->nrhs, b, m, x, w->ldx);
}

static void FN(gels_run)(const void *block, uint64_t part)
{
    const struct refine *w = block;
    (void)part;
    la_release(0);
    *w->info = 0;
    *w->iterations = 0;
    if (!w->lower || (!FN(gels_refined)(w, w->x) && w->fallback))
        FN(gels_whole)(w, w->x);
    la_release(0);
}
#undef LT
#undef LOW
// NOLINTEND(readability-redundant-casting)
