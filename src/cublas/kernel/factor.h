// SPDX-License-Identifier: Apache-2.0
// A template of number.h: factorisations of one matrix, in the conventions of LAPACK.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
#ifndef HEDDLE_CUBLAS_MATINV_MOST
#define HEDDLE_CUBLAS_MATINV_MOST
enum { MATINV_MOST = 32 }; // rows that matinvBatched takes
#endif

// A = P L U, column by column; the largest |re| + |im| is the pivot, without pivots the diagonal. Returns the first column, from 1 on,
// whose pivot is 0; 0: there is none.
static int FN(factor_lu)(T *a, int64_t n, int64_t lda, int *pivots)
{
    int singular = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t p = k;
        for (int64_t i = k + 1; pivots && i < n; i++)
            if (ABS1(a[i + k * lda]) > ABS1(a[p + k * lda]))
                p = i;
        if (pivots)
            pivots[k] = (int)p + 1;
        if (a[p + k * lda] == (T)0) {
            singular = singular ? singular : (int)k + 1;
            continue;
        }
        for (int64_t j = 0; p != k && j < n; j++) {
            T t = a[k + j * lda];
            a[k + j * lda] = a[p + j * lda];
            a[p + j * lda] = t;
        }
        for (int64_t i = k + 1; i < n; i++)
            a[i + k * lda] /= a[k + k * lda];
        for (int64_t j = k + 1; j < n; j++) {
            const T t = a[k + j * lda];
            for (int64_t i = k + 1; i < n; i++)
                a[i + j * lda] -= a[i + k * lda] * t;
        }
    }
    return singular;
}

static void FN(exchange)(T *b, int64_t n, const int *pivots, bool back)
{
    for (int64_t q = 0; pivots && q < n; q++) {
        int64_t i = back ? n - 1 - q : q, p = pivots[i] - 1;
        T t = b[i];
        b[i] = b[p];
        b[p] = t;
    }
}

// Solves A x = b, or its transposed form, from the factors.
static void FN(solve_lu)(const T *a, int64_t n, int64_t lda, const int *pivots, T *b, bool transposed, bool conjugated)
{
    if (!transposed) {
        FN(exchange)(b, n, pivots, false);
        for (int64_t k = 0; k < n; k++)
            for (int64_t i = k + 1; i < n; i++)
                b[i] -= a[i + k * lda] * b[k];
        for (int64_t k = n - 1; k >= 0; k--) {
            b[k] /= a[k + k * lda];
            for (int64_t i = 0; i < k; i++)
                b[i] -= a[i + k * lda] * b[k];
        }
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        T t = b[k], d = a[k + k * lda];
        for (int64_t i = 0; i < k; i++)
            t -= (conjugated ? CONJ(a[i + k * lda]) : a[i + k * lda]) * b[i];
        b[k] = t / (conjugated ? CONJ(d) : d);
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        T t = b[k];
        for (int64_t i = k + 1; i < n; i++)
            t -= (conjugated ? CONJ(a[i + k * lda]) : a[i + k * lda]) * b[i];
        b[k] = t;
    }
    FN(exchange)(b, n, pivots, true);
}

static int FN(singular)(const T *a, int64_t n, int64_t lda)
{
    for (int64_t i = 0; i < n; i++)
        if (a[i + i * lda] == (T)0)
            return (int)i + 1;
    return 0;
}

static void FN(invert)(const T *a, int64_t n, int64_t lda, const int *pivots, T *c, int64_t ldc)
{
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++)
            c[i + j * ldc] = i == j ? (T)1 : (T)0;
        FN(solve_lu)(a, n, lda, pivots, c + j * ldc, false, false);
    }
}

static void FN(getrf_run)(const void *block, uint64_t part)
{
    const struct factor *f = block;
    f->info[part] = FN(factor_lu)(f->a[part], f->n, f->lda, f->pivots ? f->pivots + (int64_t)part * f->n : NULL);
}

static void FN(getri_run)(const void *block, uint64_t part)
{
    const struct factor *f = block;
    f->info[part] = FN(singular)(f->a[part], f->n, f->lda);
    if (!f->info[part])
        FN(invert)(f->a[part], f->n, f->lda, f->pivots ? f->pivots + (int64_t)part * f->n : NULL, f->c[part], f->ldc);
}

static void FN(getrs_run)(const void *block, uint64_t part)
{
    const struct factor *f = block;
    const int *pivots = f->pivots ? f->pivots + (int64_t)part * f->n : NULL;
    for (int64_t j = 0; j < f->nrhs; j++)
        FN(solve_lu)(f->a[part], f->n, f->lda, pivots, (T *)f->c[part] + j * f->ldc, f->transposed, f->conjugated);
}

static void FN(matinv_run)(const void *block, uint64_t part)
{
    const struct factor *f = block;
    T lu[MATINV_MOST * MATINV_MOST];
    int pivots[MATINV_MOST];
    const T *a = f->a[part];
    for (int64_t j = 0; j < f->n; j++)
        for (int64_t i = 0; i < f->n; i++)
            lu[i + j * f->n] = a[i + j * f->lda];
    f->info[part] = FN(factor_lu)(lu, f->n, f->n, pivots);
    if (!f->info[part])
        FN(invert)(lu, f->n, f->n, pivots, f->c[part], f->ldc);
}

// ---- A = Q R, Q a product of reflections I - tau v v^H whose v lie below the diagonal, with v[0] = 1. The diagonal of R is real.
static T FN(reflection)(T *x, int64_t n)
{
    R most = 0, sum = 0;
    for (int64_t i = 1; i < n; i++)
        most = ABS1(x[i]) > most ? ABS1(x[i]) : most;
    T alpha = x[0];
#if COMPLEX
    R re = (R)creal(alpha), im = (R)cimag(alpha);
#else
    R re = alpha, im = 0;
#endif
    if (most == 0 && im == 0)
        return (T)0;
    R scale = ABS1(alpha) > most ? ABS1(alpha) : most;
    for (int64_t i = 1; i < n; i++) {
        T t = x[i] / scale;
#if COMPLEX
        sum += (R)(creal(t) * creal(t) + cimag(t) * cimag(t));
#else
        sum += t * t;
#endif
    }
    R norm = scale * (R)sqrt((double)(sum + re / scale * (re / scale) + im / scale * (im / scale)));
    R beta = re > 0 ? -norm : norm;
    T tau = ((T)beta - alpha) / beta, d = alpha - (T)beta;
    for (int64_t i = 1; i < n; i++)
        x[i] /= d;
    x[0] = (T)beta;
    return tau;
}

// y = (I - tau v v^H) y, or its conjugate transposed
static void FN(reflect)(const T *v, int64_t n, T tau, T *y)
{
    T sum = y[0];
    for (int64_t i = 1; i < n; i++)
        sum += CONJ(v[i]) * y[i];
    sum *= tau;
    y[0] -= sum;
    for (int64_t i = 1; i < n; i++)
        y[i] -= v[i] * sum;
}

static void FN(factor_qr)(T *a, int64_t m, int64_t n, int64_t lda, T *tau, T *c, int64_t ldc, int64_t nrhs)
{
    for (int64_t k = 0; k < blas_min(m, n); k++) {
        T *v = a + k + k * lda, t = FN(reflection)(v, m - k);
        if (tau)
            tau[k] = t;
        for (int64_t j = k + 1; j < n; j++)
            FN(reflect)(v, m - k, CONJ(t), a + k + j * lda);
        for (int64_t j = 0; j < nrhs; j++)
            FN(reflect)(v, m - k, CONJ(t), c + k + j * ldc);
    }
}

static void FN(geqrf_run)(const void *block, uint64_t part)
{
    const struct factor *f = block;
    FN(factor_qr)(f->a[part], f->m, f->n, f->lda, f->tau[part], NULL, 0, 0);
}

static void FN(gels_run)(const void *block, uint64_t part)
{
    const struct factor *f = block;
    T *a = f->a[part], *c = f->c[part];
    FN(factor_qr)(a, f->m, f->n, f->lda, NULL, c, f->ldc, f->nrhs);
    int singular = FN(singular)(a, f->n, f->lda);
    if (f->info)
        f->info[part] = singular;
    for (int64_t j = 0; !singular && j < f->nrhs; j++)
        for (int64_t k = f->n - 1; k >= 0; k--) {
            c[k + j * f->ldc] /= a[k + k * f->lda];
            for (int64_t i = 0; i < k; i++)
                c[i + j * f->ldc] -= a[i + k * f->lda] * c[k + j * f->ldc];
        }
}
// NOLINTEND(readability-redundant-casting)
