// SPDX-License-Identifier: Apache-2.0
// A template of number.h: reductions in one type. What is stored above the diagonal is the mirror image of what is stored below: rows
// and columns in reversed order (la_mirror), reflections too.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)

// One column after the other: A22 = H A22 H = A22 - v w^H - w v^H.
static void FN(sytrd_lower)(int64_t n, T *a, int64_t lda, R *d, R *e, T *tau)
{
    const int mark = la_mark();
    T *w = la_take((size_t)n * sizeof(T));
    for (int64_t k = 0; k + 1 < n; k++) {
        const int64_t r = n - k - 1;
        T *v = a + (k + 1) + k * lda, *a2 = v + lda, dot = 0;
        tau[k] = FN(la_larfg)(r, v, v + 1, 1);
        e[k] = FN(la_re)(v[0]);
        v[0] = (T)1;
        for (int64_t i = 0; i < r; i++)
            w[i] = (T)0;
        for (int64_t j = 0; j < r; j++) { // w = A22 v
            w[j] += REAL(a2[j + j * lda]) * v[j];
            for (int64_t i = j + 1; i < r; i++) {
                w[i] += a2[i + j * lda] * v[j];
                w[j] += CONJ(a2[i + j * lda]) * v[i];
            }
        }
        for (int64_t i = 0; i < r; i++) {
            w[i] *= tau[k];
            dot += CONJ(w[i]) * v[i];
        }
        dot *= tau[k] / 2;
        for (int64_t i = 0; i < r; i++)
            w[i] -= dot * v[i];
        for (int64_t j = 0; j < r; j++)
            for (int64_t i = j; i < r; i++) {
                const T t = a2[i + j * lda] - v[i] * CONJ(w[j]) - w[i] * CONJ(v[j]);
                a2[i + j * lda] = i == j ? REAL(t) : t;
            }
        v[0] = (T)e[k];
        d[k] = FN(la_re)(a[k + k * lda]);
    }
    d[n - 1] = FN(la_re)(a[(n - 1) + (n - 1) * lda]);
    la_release(mark);
}

#ifndef HEDDLE_CUSOLVER_REVERSE
#define HEDDLE_CUSOLVER_REVERSE
#define REVERSE(array, n)                                                                                              \
    for (int64_t i_ = 0, n_ = (n); i_ < n_ / 2; i_++) {                                                                \
        __typeof__(*(array)) t_ = (array)[i_];                                                                         \
        (array)[i_] = (array)[n_ - 1 - i_];                                                                            \
        (array)[n_ - 1 - i_] = t_;                                                                                     \
    }
#endif

void FN(la_sytrd)(char uplo, int64_t n, T *a, int64_t lda, R *d, R *e, T *tau)
{
    enum { BLOCK = 32 };
    const struct FN(lapack) *l = FN(la_lapack)();
    const int mark = la_mark();
    if (n <= 0)
        return;
    if (l && la_fits(n * BLOCK) && la_fits(lda)) {
        const int lwork = (int)n * BLOCK;
        int64_t ld;
        int info;
        T *copy = FN(la_padded)(n, n, a, lda, &ld);
        l->sytrd(&uplo, LA_INT(n), copy, LA_INT(ld), d, e, tau, la_take((size_t)lwork * sizeof(T)), &lwork, &info, 1);
        FN(la_padded_back)(n, n, copy, ld, a, lda);
    } else if (uplo == 'L') {
        FN(sytrd_lower)(n, a, lda, d, e, tau);
    } else {
        T *b = la_take((size_t)(n * n) * sizeof(T));
        FN(la_mirror)(n, a, lda, b, n);
        FN(sytrd_lower)(n, b, n, d, e, tau);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i <= j; i++)
                a[i + j * lda] = b[(n - 1 - i) + (n - 1 - j) * n];
        REVERSE(d, n)
        REVERSE(e, n - 1)
        REVERSE(tau, n - 1)
    }
    la_release(mark);
}

// The n - 1 reflections of sytrd as columns in their order, of n - 1 rows, and their factors.
static void FN(gather)(char uplo, int64_t n, const T *a, int64_t lda, const T *tau, T *v, T *factors)
{
    const int64_t r = n - 1;
    for (int64_t k = 0; k < r; k++) {
        factors[k] = uplo == 'L' ? tau[k] : tau[r - 1 - k];
        for (int64_t i = k; i < r; i++)
            v[i + k * r] = uplo == 'L' ? a[(i + 1) + k * lda] : a[(r - 1 - i) + (r - k) * lda];
    }
}

void FN(la_orgtr)(char uplo, int64_t n, T *a, int64_t lda, const T *tau)
{
    const int64_t r = n - 1;
    const int mark = la_mark();
    if (n <= 0)
        return;
    T *v = la_take((size_t)(r * r + 1) * sizeof(T)), *t = la_take((size_t)n * sizeof(T));
    FN(gather)(uplo, n, a, lda, tau, v, t);
    FN(la_orgqr)(r, r, r, v, r, t);
    FN(la_set)(n, n, (T)0, (T)1, a, lda);
    if (uplo == 'L')
        FN(la_copy)(r, r, v, r, a + 1 + lda, lda);
    else
        FN(la_mirror)(r, v, r, a, lda);
    la_release(mark);
}

// What is reflected of C is all but its first row, or column; of an upper triangle all but the last, in reversed order.
void FN(la_ormtr)(char side, char uplo, char trans, int64_t m, int64_t n, const T *a, int64_t lda, const T *tau, T *c,
                  int64_t ldc)
{
    const bool left = side == 'L', lower = uplo == 'L';
    const int64_t order = left ? m : n, r = order - 1, mm = left ? r : m, nn = left ? n : r;
    const int mark = la_mark();
    if (m <= 0 || n <= 0 || r <= 0)
        return;
    T *v = la_take((size_t)(r * r) * sizeof(T)), *t = la_take((size_t)order * sizeof(T));
    T *b = la_take((size_t)(mm * nn) * sizeof(T));
    FN(gather)(uplo, order, a, lda, tau, v, t);
    const T *from = lower ? left ? c + 1 : c + ldc : c;
    for (int64_t j = 0; j < nn; j++)
        for (int64_t i = 0; i < mm; i++)
            b[i + j * mm] = from[(lower || !left ? i : mm - 1 - i) + (lower || left ? j : nn - 1 - j) * ldc];
    FN(la_ormqr)(side, trans, mm, nn, r, v, r, t, b, mm);
    T *to = c + (from - c);
    for (int64_t j = 0; j < nn; j++)
        for (int64_t i = 0; i < mm; i++)
            to[(lower || !left ? i : mm - 1 - i) + (lower || left ? j : nn - 1 - j) * ldc] = b[i + j * mm];
    la_release(mark);
}

// ---- A = Q B P^H, B upper bidiagonal
// (I - tau v v^H) C, v[0] = 1 whatever is stored there; right: C (I - tau v v^H)
static void FN(apply)(bool left, int64_t m, int64_t n, const T *v, T tau, T *c, int64_t ldc, T *w)
{
    if (left) {
        for (int64_t j = 0; j < n; j++) {
            T sum = 0;
            for (int64_t i = 0; i < m; i++)
                sum += (i ? CONJ(v[i]) : (T)1) * c[i + j * ldc];
            sum *= tau;
            for (int64_t i = 0; i < m; i++)
                c[i + j * ldc] -= (i ? v[i] : (T)1) * sum;
        }
        return;
    }
    for (int64_t i = 0; i < m; i++)
        w[i] = (T)0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            w[i] += c[i + j * ldc] * (j ? v[j] : (T)1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            c[i + j * ldc] -= tau * w[i] * (j ? CONJ(v[j]) : (T)1);
}

static void FN(gebrd_own)(int64_t m, int64_t n, T *a, int64_t lda, R *d, R *e, T *tauq, T *taup)
{
    const int mark = la_mark();
    T *u = la_take((size_t)n * sizeof(T)), *w = la_take((size_t)m * sizeof(T));
    for (int64_t k = 0; k < n; k++) {
        T *v = a + k + k * lda;
        tauq[k] = FN(la_larfg)(m - k, v, v + 1, 1);
        d[k] = FN(la_re)(v[0]);
        FN(apply)(true, m - k, n - k - 1, v, CONJ(tauq[k]), v + lda, lda, w);
        if (k + 1 == n) {
            taup[k] = (T)0;
            break;
        }
        const int64_t r = n - k - 1;
        for (int64_t j = 0; j < r; j++) // the row of the adjoint
            u[j] = CONJ(v[(j + 1) * lda]);
        taup[k] = FN(la_larfg)(r, u, u + 1, 1);
        e[k] = FN(la_re)(u[0]);
        FN(apply)(false, m - k - 1, r, u, taup[k], v + 1 + lda, lda, w);
        for (int64_t j = 0; j < r; j++)
            v[(j + 1) * lda] = CONJ(u[j]);
    }
    la_release(mark);
}

void FN(la_gebrd)(int64_t m, int64_t n, T *a, int64_t lda, R *d, R *e, T *tauq, T *taup)
{
    enum { BLOCK = 32 };
    const struct FN(lapack) *l = FN(la_lapack)();
    if (n <= 0)
        return;
    if (!l || !la_fits((m + n) * BLOCK) || !la_fits(lda)) {
        FN(gebrd_own)(m, n, a, lda, d, e, tauq, taup);
        return;
    }
    const int mark = la_mark(), lwork = (int)(m + n) * BLOCK;
    int64_t ld;
    int info;
    T *copy = FN(la_padded)(m, n, a, lda, &ld);
    l->gebrd(LA_INT(m), LA_INT(n), copy, LA_INT(ld), d, e, tauq, taup, la_take((size_t)lwork * sizeof(T)), &lwork,
             &info);
    FN(la_padded_back)(m, n, copy, ld, a, lda);
    la_release(mark);
}

// Q (side L) or P^H (side R) of gebrd. The rows that P's reflections are stored in are columns of their adjoints. Where the matrix that was
// reduced had no more columns than rows (for P: k >= n; for Q: m < k), its reflections begin one further.
void FN(la_orgbr)(char side, int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau)
{
    const bool left = side == 'L', shifted = left ? m < k : k >= n;
    const int mark = la_mark();
    if (m <= 0 || n <= 0)
        return;
    if (left && !shifted) {
        FN(la_orgqr)(m, n, k, a, lda, tau);
        return;
    }
    const int64_t s = shifted, rows = (left ? m : n) - s, cols = (left ? n : m) - s, count = shifted ? rows : k;
    T *v = la_take((size_t)(rows * la_max(cols, count) + 1) * sizeof(T));
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < rows; i++)
            v[i + j * rows] = left ? a[(i + s) + j * lda] : CONJ(a[j + (i + s) * lda]);
    FN(la_orgqr)(rows, cols, count, v, rows, tau);
    FN(la_set)(m, n, (T)0, (T)1, a, lda);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            if (left)
                a[(i + s) + (j + s) * lda] = v[i + j * rows];
            else
                a[(j + s) + (i + s) * lda] = CONJ(v[i + j * rows]);
    la_release(mark);
}
// NOLINTEND(readability-redundant-casting)
