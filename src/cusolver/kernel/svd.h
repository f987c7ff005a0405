// SPDX-License-Identifier: Apache-2.0
// A template of number.h: singular values in one type. a: the matrix, b: values, c: U, d: V or its adjoint.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
RUN(gesvd)
{
    (void)part;
    *w->info = (int)FN(la_gesvd)(w->job, w->job2, w->m, w->n, w->a, w->lda, w->b, w->c, w->ldc, w->d, w->ldd, w->e);
}

// k columns of U and p of V; by rotations where w->jacobi. The program's A is lost, as by NVIDIA's.
static void FN(svd_one)(const struct work *w, uint64_t part)
{
    const int64_t q = (int64_t)part;
    struct la_jacobi j = {.sort = true};
    struct FN(la_svd) x = {.m = w->m, .n = w->n, .lda = w->lda, .ldu = w->ldc, .ldv = w->ldd, .ucols = w->k};
    x.vcols = w->p;
    x.a = (T *)w->a + q * w->a_step;
    x.s = (R *)w->b + q * w->b_step;
    x.u = w->job == 'V' ? (T *)w->c + q * w->c_step : NULL;
    x.v = w->job == 'V' ? (T *)w->d + q * w->d_step : NULL;
    if (w->jacobi) {
        j.tolerance = w->jacobi->tolerance;
        j.most = w->jacobi->most;
        x.j = &j;
    }
    const int64_t info = FN(la_svd_run)(&x);
    if (w->jacobi && !w->jacobi->batched) {
        w->jacobi->sweeps = j.sweeps;
        w->jacobi->residual = j.residual;
    }
    w->info[part] = (int)info;
}

RUN(gesvdj)
{
    FN(svd_one)(w, part);
}

// The first `count` values and vectors of each, and the norm of what they leave. A stays as it is.
RUN(gesvda)
{
    const int64_t q = (int64_t)part, m = w->m, n = w->n, k = la_min(m, n), rank = w->count;
    struct FN(la_svd) x = {.m = m, .n = n, .lda = m, .ldu = m, .ldv = n, .ucols = k, .vcols = k};
    R *s = (R *)w->b + q * w->b_step;
    x.a = la_take((size_t)(m * n) * sizeof(T));
    x.s = la_take((size_t)k * sizeof(R));
    if (w->job == 'V') {
        x.u = la_take((size_t)(m * k) * sizeof(T));
        x.v = la_take((size_t)(n * k) * sizeof(T));
    }
    FN(la_copy)(m, n, (const T *)w->a + q * w->a_step, w->lda, x.a, m);
    w->info[part] = (int)FN(la_svd_run)(&x);
    for (int64_t i = 0; i < rank; i++)
        s[i] = x.s[i];
    if (w->job == 'V') {
        FN(la_copy)(m, rank, x.u, m, (T *)w->c + q * w->c_step, w->ldc);
        FN(la_copy)(n, rank, x.v, n, (T *)w->d + q * w->d_step, w->ldd);
    }
    double rest = 0;
    for (int64_t i = rank; i < k; i++)
        rest += (double)x.s[i] * (double)x.s[i];
    if (w->found)
        ((double *)w->found)[part] = sqrt(rest);
}

// An orthonormal base of the columns of Y.
static void FN(orthonormal)(int64_t m, int64_t n, T *y)
{
    T *tau = la_take((size_t)n * sizeof(T));
    FN(la_geqrf)(m, n, y, m, tau);
    FN(la_orgqr)(m, n, n, y, m, tau);
}

// Halko, Martinsson and Tropp: the range of A seen through random columns (k and p more), `step` times A A^H, and the singular values
// of A in that range.
RUN(gesvdr)
{
    (void)part;
    const int64_t m = w->m, n = w->n, l = w->k + w->p;
    T *omega = la_take((size_t)(n * l) * sizeof(T)), *y = la_take((size_t)(m * l) * sizeof(T));
    T *b = la_take((size_t)(l * n) * sizeof(T)), *u = la_take((size_t)(l * l) * sizeof(T));
    T *v = la_take((size_t)(n * l) * sizeof(T));
    R *s = la_take((size_t)l * sizeof(R));
    uint64_t random = 88172645463325252u;
    for (int64_t i = 0; i < n * l; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        omega[i] = (T)((double)(random >> 11) / 4503599627370496.0 - 1.0);
    }
    FN(la_gemm)('N', 'N', m, l, n, (T)1, w->a, w->lda, omega, n, (T)0, y, m);
    FN(orthonormal)(m, l, y);
    for (int64_t i = 0; i < w->step; i++) {
        FN(la_gemm)('C', 'N', n, l, m, (T)1, w->a, w->lda, y, m, (T)0, omega, n);
        FN(orthonormal)(n, l, omega);
        FN(la_gemm)('N', 'N', m, l, n, (T)1, w->a, w->lda, omega, n, (T)0, y, m);
        FN(orthonormal)(m, l, y);
    }
    FN(la_gemm)('C', 'N', l, n, m, (T)1, y, m, w->a, w->lda, (T)0, b, l);
    struct FN(la_svd)
        x = {.m = l, .n = n, .lda = l, .ldu = l, .ldv = n, .ucols = l, .vcols = l, .a = b, .u = u, .v = v};
    x.s = s;
    *w->info = (int)FN(la_svd_run)(&x);
    for (int64_t i = 0; i < w->k; i++)
        ((R *)w->b)[i] = s[i];
    if (w->job == 'S')
        FN(la_gemm)('N', 'N', m, w->k, l, (T)1, y, m, u, l, (T)0, w->c, w->ldc);
    if (w->job2 == 'S')
        FN(la_copy)(n, w->k, v, n, w->d, w->ldd);
}
// NOLINTEND(readability-redundant-casting)
