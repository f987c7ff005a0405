// SPDX-License-Identifier: Apache-2.0
// A template of number.h: singular values in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)

// Columns of U beyond the first ones, which are orthonormal: the complement by QR.
static void FN(extend)(int64_t m, int64_t have, int64_t want, T *u, int64_t ldu)
{
    if (have >= want)
        return;
    const int mark = la_mark();
    T *q = la_take((size_t)(m * want) * sizeof(T)), *tau = la_take((size_t)want * sizeof(T));
    FN(la_copy)(m, have, u, ldu, q, m);
    FN(la_geqrf)(m, have, q, m, tau);
    FN(la_orgqr)(m, want, have, q, m, tau);
    FN(la_copy)(m, want - have, q + have * m, m, u + have * ldu, ldu);
    la_release(mark);
}

// m >= n. QR first: R is square, and its rotations take fewer sweeps.
static int64_t FN(svd_tall)(const struct FN(la_svd) * x)
{
    enum { SWEEPS = 60 };
    const int64_t m = x->m, n = x->n;
    struct la_jacobi own = {.most = SWEEPS, .sort = true}, *j = x->j ? x->j : &own;
    T *tau = la_take((size_t)(n + 1) * sizeof(T)), *r = la_take((size_t)(n * n + 1) * sizeof(T));
    FN(la_geqrf)(m, n, x->a, x->lda, tau);
    for (int64_t c = 0; c < n; c++)
        for (int64_t i = 0; i < n; i++)
            r[i + c * n] = i <= c ? x->a[i + c * x->lda] : (T)0;
    FN(la_jacobi_svd)(n, n, r, n, x->s, x->v, x->ldv, j);
    if (x->u) {
        FN(la_set)(m, x->ucols, (T)0, (T)1, x->u, x->ldu);
        FN(la_copy)(n, n, r, n, x->u, x->ldu);
        FN(la_ormqr)('L', 'N', m, x->ucols, n, x->a, x->lda, tau, x->u, x->ldu);
    }
    if (x->v)
        FN(extend)(n, n, x->vcols, x->v, x->ldv);
    return j->converged ? 0 : la_min(m, n) + 1;
}

#if COMPLEX
#define SVD_REAL rwork,
#else
#define SVD_REAL
#endif
static int64_t FN(svd_lapack)(const struct FN(lapack) * l, char jobu, char jobvt, int64_t m, int64_t n, T *a,
                              int64_t lda, R *s, T *u, int64_t ldu, T *vt, int64_t ldvt, R *unconverged)
{
    const int64_t k = la_min(m, n);
    const int lwork = (int)la_min((m + n) * 64 + k * k + 5 * (m + n), INT32_MAX);
    T *work = la_take((size_t)lwork * sizeof(T));
    R *rwork = la_take((size_t)(5 * k + 1) * sizeof(R));
    const int64_t ucols = jobu == 'A' ? m : jobu == 'S' ? k : 0, vrows = jobvt == 'A' ? n : jobvt == 'S' ? k : 0;
    int64_t ld, ldu2 = ldu, ldvt2 = ldvt;
    int info;
    T *copy = FN(la_padded)(m, n, a, lda, &ld), *u2 = u, *vt2 = vt;
    if (ucols)
        u2 = FN(la_padded)(m, ucols, u, ldu, &ldu2);
    if (vrows)
        vt2 = FN(la_padded)(vrows, n, vt, ldvt, &ldvt2);
    (void)rwork;
    l->gesvd(&jobu, &jobvt, LA_INT(m), LA_INT(n), copy, LA_INT(ld), s, u2, LA_INT(la_max(ldu2, 1)), vt2,
             LA_INT(la_max(ldvt2, 1)), work, &lwork, SVD_REAL & info, 1, 1);
    FN(la_padded_back)(m, n, copy, ld, a, lda);
    FN(la_padded_back)(m, ucols, u2, ldu2, u, ldu);
    FN(la_padded_back)(vrows, n, vt2, ldvt2, vt, ldvt);
    for (int64_t i = 0; unconverged && info > 0 && i + 1 < k; i++)
#if COMPLEX
        unconverged[i] = rwork[i];
#else
        unconverged[i] = work[i + 1];
#endif
    return info;
}
#undef SVD_REAL

int64_t FN(la_svd_run)(const struct FN(la_svd) * x)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    const int mark = la_mark();
    const int64_t m = x->m, n = x->n, k = la_min(m, n);
    int64_t info;
    if (k <= 0)
        return 0;
    if (l && !x->j && la_fits(m) && la_fits(n) && la_fits(x->lda)) {
        T *vt = x->v ? la_take((size_t)(x->vcols * n) * sizeof(T)) : NULL;
        info = FN(svd_lapack)(l,
                              !x->u          ? 'N'
                              : x->ucols > k ? 'A'
                                             : 'S',
                              !x->v          ? 'N'
                              : x->vcols > k ? 'A'
                                             : 'S',
                              m, n, x->a, x->lda, x->s, x->u, x->ldu, vt, x->vcols, NULL);
        if (x->v)
            FN(la_adjoint)(x->vcols, n, vt, x->vcols, x->v, x->ldv);
    } else if (m >= n) {
        info = FN(svd_tall)(x);
    } else { // A^H = V S U^H
        struct FN(la_svd) y = {.m = n, .n = m, .lda = n, .ldu = x->ldv, .ldv = x->ldu, .ucols = x->vcols};
        y.vcols = x->ucols;
        y.a = la_take((size_t)(m * n) * sizeof(T));
        y.u = x->v;
        y.v = x->u;
        y.s = x->s;
        y.j = x->j;
        FN(la_adjoint)(m, n, x->a, x->lda, y.a, n);
        info = FN(svd_tall)(&y);
    }
    la_release(mark);
    return info;
}

static bool FN(gesvd_own)(char jobu, char jobvt, int64_t m, int64_t n, T *a, int64_t lda, R *s, T *u, int64_t ldu,
                          T *vt, int64_t ldvt)
{
    const int64_t ucols = jobu == 'A' ? m : n;
    struct FN(la_svd) x = {.m = m, .n = n, .lda = m, .ldu = m, .ldv = n, .ucols = ucols, .vcols = n, .s = s};
    x.a = la_take((size_t)(m * n + 1) * sizeof(T));
    x.u = jobu == 'N' ? NULL : la_take((size_t)(m * ucols + 1) * sizeof(T));
    x.v = jobvt == 'N' ? NULL : la_take((size_t)(n * n + 1) * sizeof(T));
    FN(la_copy)(m, n, a, lda, x.a, m);
    const int64_t info = FN(la_svd_run)(&x);
    if (x.u)
        FN(la_copy)(m, jobu == 'O' ? n : ucols, x.u, m, jobu == 'O' ? a : u, jobu == 'O' ? lda : ldu);
    if (x.v)
        FN(la_adjoint)(n, n, x.v, n, jobvt == 'O' ? a : vt, jobvt == 'O' ? lda : ldvt);
    return info != 0;
}

int64_t FN(la_gesvd)(char jobu, char jobvt, int64_t m, int64_t n, T *a, int64_t lda, R *s, T *u, int64_t ldu, T *vt,
                     int64_t ldvt, R *unconverged)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    const int mark = la_mark();
    int64_t info = 0;
    if (n <= 0)
        return 0;
    if (l && la_fits(m) && la_fits(n) && la_fits(lda) && la_fits(ldu) && la_fits(ldvt))
        info = FN(svd_lapack)(l, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, unconverged);
    else
        info = FN(gesvd_own)(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt);
    la_release(mark);
    return info;
}
// NOLINTEND(readability-redundant-casting)
