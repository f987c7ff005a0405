// SPDX-License-Identifier: Apache-2.0
// A template of number.h: Jacobi's methods in one type.
//
// Columns x, y with inner product g = x^H y (in the norm of A, for eigenvalues) are rotated so that it becomes 0: y takes the phase of g, so
// that g is real; then x' = c x - s y, y' = s x + c y with t = s / c the smaller root of t^2 + 2 z t - 1 = 0, z = (b - a) / (2 |g|).
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
#ifndef HEDDLE_CUSOLVER_JACOBI_LARGE
#define HEDDLE_CUSOLVER_JACOBI_LARGE
enum { JACOBI_LARGE = 64 };
#endif
struct FN(rotation) {
    R c, s;
    T phase; // of y
};

static struct FN(rotation) FN(rotation_of)(R a, R b, T g)
{
    const R size = FN(la_abs)(g), z = (b - a) / (2 * size);
    const R root = (R)sqrt(1 + (double)z * (double)z), t = (z >= 0 ? 1 : -1) / ((z >= 0 ? z : -z) + root);
    const R c = 1 / (R)sqrt(1 + (double)t * (double)t);
    return (struct FN(rotation)){c, t * c, CONJ(g) / size};
}

static void FN(rotate)(int64_t n, T *x, T *y, int64_t inc, const struct FN(rotation) * r)
{
    for (int64_t i = 0; i < n; i++) {
        const T p = x[i * inc], q = y[i * inc] * r->phase;
        x[i * inc] = p * r->c - q * r->s;
        y[i * inc] = p * r->s + q * r->c;
    }
}

// Values with their columns in order; up: ascending.
static void FN(sort)(int64_t n, R *w, int64_t rows, T *v, int64_t ldv, int64_t rows2, T *v2, int64_t ldv2, bool up)
{
    for (int64_t i = 0; i + 1 < n; i++) {
        int64_t best = i;
        for (int64_t j = i + 1; j < n; j++)
            if (up ? w[j] < w[best] : w[j] > w[best])
                best = j;
        if (best == i)
            continue;
        const R t = w[i];
        w[i] = w[best];
        w[best] = t;
        for (int64_t r = 0; v && r < rows; r++) {
            const T e = v[r + i * ldv];
            v[r + i * ldv] = v[r + best * ldv];
            v[r + best * ldv] = e;
        }
        for (int64_t r = 0; v2 && r < rows2; r++) {
            const T e = v2[r + i * ldv2];
            v2[r + i * ldv2] = v2[r + best * ldv2];
            v2[r + best * ldv2] = e;
        }
    }
}

// The norm of what is off the diagonal, and of all.
static double FN(off_norm)(int64_t n, const T *a, int64_t lda, double *all)
{
    double off = 0, sum = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            const double t = (double)FN(la_abs)(a[i + j * lda]);
            sum += t * t;
            off += i == j ? 0 : t * t;
        }
    *all = sqrt(sum);
    return sqrt(off);
}

// One sweep over all pairs of the whole Hermitian matrix.
static void FN(sweep_eigen)(int64_t n, T *a, int64_t lda, T *v, int64_t ldv)
{
    for (int64_t p = 0; p + 1 < n; p++)
        for (int64_t q = p + 1; q < n; q++) {
            const T g = a[p + q * lda];
            if (!(FN(la_abs2)(g) > 0))
                continue;
            const R app = FN(la_re)(a[p + p * lda]), aqq = FN(la_re)(a[q + q * lda]);
            const struct FN(rotation) r = FN(rotation_of)(app, aqq, g);
            struct FN(rotation) rows = r;
            rows.phase = CONJ(r.phase);
            FN(rotate)(n, a + p * lda, a + q * lda, 1, &r);
            FN(rotate)(n, a + p, a + q, lda, &rows);
            const R change = r.s / r.c * FN(la_abs)(g);
            a[p + p * lda] = (T)(app - change);
            a[q + q * lda] = (T)(aqq + change);
            a[p + q * lda] = a[q + p * lda] = (T)0;
            if (v)
                FN(rotate)(n, v + p * ldv, v + q * ldv, 1, &r);
        }
}

// Rotations of a large matrix start from the vectors that LAPACK gives, V: the matrix is V^H B V, nearly diagonal. Else from the unit matrix.
static void FN(start_eigen)(int64_t n, T *b, T *v)
{
    if (n < JACOBI_LARGE || !FN(la_lapack)()) {
        if (v)
            FN(la_set)(n, n, (T)0, (T)1, v, n);
        return;
    }
    const int mark = la_mark();
    T *first = la_take((size_t)(n * n) * sizeof(T)), *product = la_take((size_t)(n * n) * sizeof(T));
    R *w = la_take((size_t)n * sizeof(R));
    FN(la_copy)(n, n, b, n, first, n);
    if (!FN(la_syevd)(true, 'L', n, first, n, w)) {
        FN(la_gemm)('N', 'N', n, n, n, (T)1, b, n, first, n, (T)0, product, n);
        FN(la_gemm)('C', 'N', n, n, n, (T)1, first, n, product, n, (T)0, b, n);
        FN(la_fill)('L', n, b, n);
    } else {
        FN(la_set)(n, n, (T)0, (T)1, first, n);
    }
    if (v)
        FN(la_copy)(n, n, first, n, v, n);
    la_release(mark);
}

void FN(la_jacobi_eigen)(bool vectors, char uplo, int64_t n, T *a, int64_t lda, R *w, struct la_jacobi *j)
{
    const int mark = la_mark();
    const double least = (double)FN(la_epsilon)(), tolerance = j->tolerance > 0 ? j->tolerance : least;
    T *v = vectors ? la_take((size_t)(n * n + 1) * sizeof(T)) : NULL;
    T *b = la_take((size_t)(n * n + 1) * sizeof(T));
    FN(la_copy)(n, n, a, lda, b, n);
    FN(la_fill)(uplo, n, b, n);
    FN(start_eigen)(n, b, v);
    double all, off = FN(off_norm)(n, b, n, &all);
    for (j->sweeps = 0; j->sweeps < j->most && off > tolerance * all; j->sweeps++) {
        FN(sweep_eigen)(n, b, n, v, n);
        double ignored;
        off = FN(off_norm)(n, b, n, &ignored);
    }
    j->residual = all > 0 ? off / all : off;
    j->converged = off <= tolerance * all;
    for (int64_t i = 0; i < n; i++)
        w[i] = FN(la_re)(b[i + i * n]);
    if (j->sort)
        FN(sort)(n, w, n, v, n, 0, NULL, 0, true);
    if (v)
        FN(la_copy)(n, n, v, n, a, lda);
    la_release(mark);
}

// One sweep over all pairs of columns; the largest cosine of an angle between two.
static double FN(sweep_svd)(int64_t m, int64_t n, T *a, int64_t lda, T *v, int64_t ldv, double enough)
{
    double worst = 0;
    for (int64_t p = 0; p + 1 < n; p++)
        for (int64_t q = p + 1; q < n; q++) {
            T *x = a + p * lda, *y = a + q * lda, g = 0;
            R xx = 0, yy = 0;
            for (int64_t i = 0; i < m; i++) {
                g += CONJ(x[i]) * y[i];
                xx += FN(la_abs2)(x[i]);
                yy += FN(la_abs2)(y[i]);
            }
            const double size = (double)FN(la_abs)(g), both = sqrt((double)xx) * sqrt((double)yy);
            if (!(size > 0) || size <= enough * both)
                continue;
            worst = size / both > worst ? size / both : worst;
            const struct FN(rotation) r = FN(rotation_of)(xx, yy, g);
            FN(rotate)(m, x, y, 1, &r);
            if (v)
                FN(rotate)(n, v + p * ldv, v + q * ldv, 1, &r);
        }
    return worst;
}

// Columns that are 0 are completed to an orthonormal set: by the complement that QR gives.
static void FN(complete)(int64_t m, int64_t n, int64_t rank, T *u, int64_t ldu)
{
    if (rank == n)
        return;
    const int mark = la_mark();
    T *q = la_take((size_t)(m * n) * sizeof(T)), *tau = la_take((size_t)n * sizeof(T));
    FN(la_copy)(m, rank, u, ldu, q, m);
    FN(la_geqrf)(m, rank, q, m, tau);
    FN(la_orgqr)(m, n, rank, q, m, tau);
    FN(la_copy)(m, n - rank, q + rank * m, m, u + rank * ldu, ldu);
    la_release(mark);
}

// The same for columns: those of A V are nearly orthogonal.
static void FN(start_svd)(int64_t m, int64_t n, T *a, int64_t lda, T *v, int64_t ldv)
{
    if (v)
        FN(la_set)(n, n, (T)0, (T)1, v, ldv);
    if (n < JACOBI_LARGE || !FN(la_lapack)())
        return;
    const int mark = la_mark();
    T *copy = la_take((size_t)(m * n) * sizeof(T)), *first = la_take((size_t)(n * n) * sizeof(T));
    struct FN(la_svd) x = {.m = m, .n = n, .lda = m, .ldv = n, .vcols = n, .a = copy, .v = first};
    x.s = la_take((size_t)n * sizeof(R));
    FN(la_copy)(m, n, a, lda, copy, m);
    if (!FN(la_svd_run)(&x)) {
        FN(la_copy)(m, n, a, lda, copy, m);
        FN(la_gemm)('N', 'N', m, n, n, (T)1, copy, m, first, n, (T)0, a, lda);
        if (v)
            FN(la_copy)(n, n, first, n, v, ldv);
    }
    la_release(mark);
}

void FN(la_jacobi_svd)(int64_t m, int64_t n, T *a, int64_t lda, R *s, T *v, int64_t ldv, struct la_jacobi *j)
{
    const double least = 2 * (double)FN(la_epsilon)() * sqrt((double)m);
    const double enough = j->tolerance > least ? j->tolerance : least;
    R scale = 0;
    for (int64_t c = 0; c < n; c++)
        for (int64_t i = 0; i < m; i++)
            scale = ABS1(a[i + c * lda]) > scale ? ABS1(a[i + c * lda]) : scale;
    for (int64_t c = 0; scale > 0 && c < n; c++) // squares shall neither overflow nor vanish
        for (int64_t i = 0; i < m; i++)
            a[i + c * lda] /= scale;
    FN(start_svd)(m, n, a, lda, v, ldv);
    j->residual = 1;
    for (j->sweeps = 0; j->sweeps < j->most && j->residual > 0; j->sweeps++)
        j->residual = FN(sweep_svd)(m, n, a, lda, v, ldv, enough);
    j->converged = j->residual <= enough;
    for (int64_t c = 0; c < n; c++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += (double)FN(la_abs2)(a[i + c * lda]);
        s[c] = (R)sqrt(sum);
    }
    FN(sort)(n, s, m, a, lda, n, v, ldv, false);
    int64_t rank = 0;
    for (int64_t c = 0; c < n; c++) {
        for (int64_t i = 0; s[c] > 0 && i < m; i++)
            a[i + c * lda] /= s[c];
        rank += s[c] > 0;
        s[c] *= scale;
    }
    FN(complete)(m, n, rank, a, lda);
}
// NOLINTEND(readability-redundant-casting)
