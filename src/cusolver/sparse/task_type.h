// SPDX-License-Identifier: Apache-2.0
// A template of number.h: tasks in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
static cusolverStatus_t FN(solve_lu)(const struct task *x, bool positive)
{
    struct FN(sparse_lu) f;
    int singular;
    bool ok = FN(sparse_lu_factor)(&f, &x->a, x->values, (T)0, x->reorder, positive, x->threshold, x->tol, &singular) ==
              SPARSE_DONE;
    if (ok && !(positive && singular >= 0))
        ok = FN(sparse_lu_solve)(&f, x->b, x->x);
    FN(sparse_lu_free)(&f);
    *x->integer = singular;
    return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

static cusolverStatus_t FN(solve_qr)(const struct task *x)
{
    struct FN(sparse_qr) f;
    bool ok = FN(sparse_qr_factor)(&f, x->m, &x->a, x->n, x->values, (T)0, x->reorder) == SPARSE_DONE;
    double rest = 0;
    const bool least = x->kind == TASK_LEAST_SQUARES;
    ok = ok && FN(sparse_qr_solve)(&f, x->b, x->x, least ? x->tol : 0, &rest);
    if (ok && least) {
        FN(sparse_qr_singular)(&f, x->tol, x->integer);
        *(R *)x->number = (R)rest;
        for (int i = 0; i < x->n; i++)
            x->permutation[i] = i;
    } else if (ok) {
        *x->integer = FN(sparse_qr_singular)(&f, x->tol, NULL);
    }
    FN(sparse_qr_free)(&f);
    return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

static double FN(normalise)(int n, T *v)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)FN(la_abs)(v[i]) * (double)FN(la_abs)(v[i]);
    const double norm = sqrt(sum);
    for (int i = 0; norm > 0 && i < n; i++)
        v[i] /= (R)norm;
    return norm;
}

// Inverse iteration from x0 with the shift mu0; the eigenvalue is Rayleigh's quotient, and |A x - mu x| tells when to stop.
static bool FN(iterate)(const struct task *x, const struct FN(sparse_lu) * f, T *y)
{
    const struct pattern *a = &x->a;
    const T *values = x->values;
    T *v = x->x, mu = *(const T *)x->first;
    for (int i = 0; i < a->n; i++)
        v[i] = ((const T *)x->b)[i];
    FN(normalise)(a->n, v);
    for (int step = 0; step < x->most; step++) {
        if (!FN(sparse_lu_solve)(f, v, y))
            return false;
        FN(normalise)(a->n, y);
        T quotient = 0;
        double rest = 0;
        for (int i = 0; i < a->n; i++)
            v[i] = y[i];
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < a->n; i++) {
                T sum = 0;
                for (int k = a->rows[i] - a->base; k < a->rows[i + 1] - a->base; k++)
                    sum += values[k] * v[a->cols[k] - a->base];
                if (!pass) {
                    quotient += CONJ(v[i]) * sum;
                } else {
                    const double d = (double)FN(la_abs)(sum - quotient * v[i]);
                    rest += d * d;
                }
            }
        mu = quotient;
        if (sqrt(rest) < x->tol)
            break;
    }
    *(T *)x->number = mu;
    return true;
}

static cusolverStatus_t FN(eigenvector)(const struct task *x)
{
    struct FN(sparse_lu) f;
    int singular;
    T *y = malloc((size_t)(x->n + 1) * sizeof(T));
    // A shift that is an eigenvalue has a pivot of 0: a little beside it the vector is the same.
    T shift = *(const T *)x->first;
    bool ok = y && FN(sparse_lu_factor)(&f, &x->a, x->values, shift, 0, false, 1, 0, &singular) == SPARSE_DONE;
    if (ok && singular >= 0) {
        FN(sparse_lu_free)(&f);
        shift += (T)(10 * FN(la_epsilon)() * (1 + FN(la_abs)(shift)));
        ok = FN(sparse_lu_factor)(&f, &x->a, x->values, shift, 0, false, 1, 0, &singular) == SPARSE_DONE;
    }
    ok = ok && FN(iterate)(x, &f, y);
    if (y)
        FN(sparse_lu_free)(&f);
    free(y);
    return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

// How many eigenvalues are in a rectangle: of the dense matrix.
static cusolverStatus_t FN(count_eigenvalues)(const struct task *x)
{
    const int64_t n = x->n;
    const R *low = (const R *)x->first, *high = (const R *)x->second;
    T *dense = la_take((size_t)(n * n + 1) * sizeof(T));
    R *wr = la_take((size_t)(n + 1) * sizeof(R)), *wi = la_take((size_t)(n + 1) * sizeof(R));
    const T *values = x->values;
    FN(la_set)(n, n, (T)0, (T)0, dense, n);
    for (int64_t i = 0; i < n; i++)
        for (int k = x->a.rows[i] - x->a.base; k < x->a.rows[i + 1] - x->a.base; k++)
            dense[i + (x->a.cols[k] - x->a.base) * n] += values[k];
    const int64_t info = FN(la_geev)(n, dense, n, wr, wi, NULL, n);
    int count = 0;
    for (int64_t i = 0; i < n; i++)
        count += wr[i] >= low[0] && wr[i] <= high[0] && wi[i] >= low[1] && wi[i] <= high[1];
    *x->integer = count;
    la_release(0);
    return info ? CUSOLVER_STATUS_INTERNAL_ERROR : CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t FN(factor)(const struct task *x)
{
    struct factor_info *info = x->info;
    enum sparse_result r;
    if (info->object.kind == OBJECT_CSRQR)
        r = FN(sparse_qr_factor)(&info->f.FN(qr), info->m, &info->a, x->n, info->values, *(const T *)info->mu, 0);
    else
        r = FN(sparse_lu_factor)(&info->f.FN(lu), &x->a, x->values, (T)0, 0, info->object.kind == OBJECT_CSRCHOL,
                                 x->threshold, 0, &info->singular);
    info->ready = r == SPARSE_DONE;
    return r == SPARSE_DONE ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

static cusolverStatus_t FN(solve)(const struct task *x)
{
    const struct factor_info *info = x->info;
    const bool ok = info->object.kind == OBJECT_CSRQR ? FN(sparse_qr_solve)(&info->f.FN(qr), x->b, x->x, 0, NULL)
                                                      : FN(sparse_lu_solve)(&info->f.FN(lu), x->b, x->x);
    return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

static cusolverStatus_t FN(batch)(const struct task *x, uint64_t part)
{
    const int nnz = x->a.rows[x->m] - x->a.base;
    struct task one = *x;
    int singular;
    one.kind = TASK_QR;
    one.integer = &singular;
    one.values = (const T *)x->values + (int64_t)part * nnz;
    one.b = (const T *)x->b + (int64_t)part * x->m;
    one.x = (T *)x->x + (int64_t)part * x->n;
    return FN(solve_qr)(&one);
}

static cusolverStatus_t FN(perform)(const struct task *x, uint64_t part)
{
    switch (x->kind) {
    case TASK_LU:
        return FN(solve_lu)(x, false);
    case TASK_CHOLESKY:
        return FN(solve_lu)(x, true);
    case TASK_QR:
    case TASK_LEAST_SQUARES:
        return FN(solve_qr)(x);
    case TASK_EIGENVECTOR:
        return FN(eigenvector)(x);
    case TASK_COUNT_EIGENVALUES:
        return FN(count_eigenvalues)(x);
    case TASK_FACTOR:
        return FN(factor)(x);
    case TASK_SOLVE:
        return FN(solve)(x);
    case TASK_BATCH:
        return FN(batch)(x, part);
    }
    return CUSOLVER_STATUS_INTERNAL_ERROR;
}

static void FN(task_run)(const void *block, uint64_t part)
{
    const struct task *x = block;
    const cusolverStatus_t status = FN(perform)(x, part);
    if (x->status)
        *x->status = status;
}

static void FN(factor_free)(struct factor_info *info)
{
    if (info->object.kind == OBJECT_CSRQR)
        FN(sparse_qr_free)(&info->f.FN(qr));
    else
        FN(sparse_lu_free)(&info->f.FN(lu));
}
// NOLINTEND(readability-redundant-casting)
