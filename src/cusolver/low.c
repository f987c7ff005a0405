// SPDX-License-Identifier: Apache-2.0
// Sparse factors step by step: analysis, factors, pivots, solutions; LU of the host, QR and Cholesky of host and device.
#include "cusolver/dense/la.h"
#include "cusolver/sparse/task.h"

#define TEMPLATE "cusolver/kernel/low.h"
#include "library/number.h"
#undef TEMPLATE
#define BY_TYPE(name) {name##_S, name##_D, name##_C, name##_Z}

// Bytes of buffers: factors are memory of the library.
enum { BUFFER_BYTES = 256 };

// ---- objects
#define OBJECTS(Name, name, object_kind)                                                                               \
    cusolverStatus_t solver_SpCreate##Name(name##_t *info)                                                             \
    {                                                                                                                  \
        SOLVER_MAKE(info, object_kind);                                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_SpDestroy##Name(name##_t info)                                                             \
    {                                                                                                                  \
        if (!info)                                                                                                     \
            return CUSOLVER_STATUS_SUCCESS;                                                                            \
        SOLVER_CHECK(solver_object_is(info, object_kind));                                                             \
        factor_free((struct factor_info *)info);                                                                       \
        library_handle_destroy(info);                                                                                  \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }
OBJECTS(CsrluInfoHost, csrluInfoHost, OBJECT_CSRLU)
OBJECTS(CsrqrInfoHost, csrqrInfoHost, OBJECT_CSRQR)
OBJECTS(CsrqrInfo, csrqrInfo, OBJECT_CSRQR)
OBJECTS(CsrcholInfoHost, csrcholInfoHost, OBJECT_CSRCHOL)
OBJECTS(CsrcholInfo, csrcholInfo, OBJECT_CSRCHOL)

// ---- what all have
static cusolverStatus_t analyse(cusolverSpHandle_t h, enum solver_kind kind, int m, int n, int nnz,
                                cusparseMatDescr_t descr, const int *rows, const int *cols, void *info)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(m >= n && solver_object_is(info, kind));
    struct factor_info *f = info;
    factor_free(f);
    f->analysed = true;
    f->m = m;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t buffers(cusolverSpHandle_t h, enum solver_kind kind, int m, int n, int nnz,
                                cusparseMatDescr_t descr, const int *rows, const int *cols, const void *info,
                                size_t *internal, size_t *workspace)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(solver_object_is(info, kind) && internal && workspace);
    SOLVER_CHECK(((const struct factor_info *)info)->analysed);
    *internal = 0;
    *workspace = BUFFER_BYTES;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t factor(enum number t, cusolverSpHandle_t h, bool host, enum solver_kind kind, int n, int nnz,
                               cusparseMatDescr_t descr, const void *values, const int *rows, const int *cols,
                               void *info, double threshold)
{
    struct task task = {.kind = TASK_FACTOR, .values = values, .threshold = threshold, .info = info};
    SOLVER_TRY(task_matrix(h, &task, n, n, nnz, descr, rows, cols));
    SOLVER_CHECK(solver_object_is(info, kind) && task.info->analysed && (values || !nnz));
    factor_free(task.info);
    task.info->type = t;
    return task_do(t, h, host, &task);
}

static bool is_ready(enum number t, const void *info, enum solver_kind kind)
{
    const struct factor_info *f = info;
    return solver_object_is(info, kind) && f->ready && f->type == t;
}

static cusolverStatus_t solve(enum number t, cusolverSpHandle_t h, bool host, enum solver_kind kind, int n,
                              const void *b, void *x, void *info)
{
    struct task task = {.kind = TASK_SOLVE, .n = n, .b = b, .x = x, .info = info};
    SP_ENTER(h);
    SOLVER_CHECK(is_ready(t, info, kind) && n >= 0 && ((b && x) || !n));
    return task_do(t, h, host, &task);
}

static cusolverStatus_t zero_pivot(enum number t, cusolverSpHandle_t h, enum solver_kind kind, const void *info,
                                   double tol, int *position)
{
    static int (*const find[NUMBERS])(const struct factor_info *, double) = BY_TYPE(zero_pivot);
    SP_ENTER(h);
    SOLVER_CHECK(is_ready(t, info, kind) && position);
    *position = find[t](info, tol);
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- LU and Cholesky: square matrices
#define SQUARE(prefix, suffix, info_type, object_kind, host)                                                           \
    cusolverStatus_t solver_SpX##prefix##Analysis##suffix(cusolverSpHandle_t h, int n, int nnz,                        \
                                                          cusparseMatDescr_t descr, const int *rows, const int *cols,  \
                                                          info_type info)                                              \
    {                                                                                                                  \
        return analyse(h, object_kind, n, n, nnz, descr, rows, cols, info);                                            \
    }                                                                                                                  \
    cusolverStatus_t solver_Sp_##prefix##BufferInfo##suffix(                                                           \
        enum number t, cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr, const void *values,             \
        const int *rows, const int *cols, info_type info, size_t *internal, size_t *workspace)                         \
    {                                                                                                                  \
        (void)t;                                                                                                       \
        (void)values;                                                                                                  \
        return buffers(h, object_kind, n, n, nnz, descr, rows, cols, info, internal, workspace);                       \
    }                                                                                                                  \
    cusolverStatus_t solver_Sp_##prefix##ZeroPivot##suffix(enum number t, cusolverSpHandle_t h, info_type info,        \
                                                           double tol, int *position)                                  \
    {                                                                                                                  \
        return zero_pivot(t, h, object_kind, info, tol, position);                                                     \
    }                                                                                                                  \
    cusolverStatus_t solver_Sp_##prefix##Solve##suffix(enum number t, cusolverSpHandle_t h, int n, const void *b,      \
                                                       void *x, info_type info, void *buffer)                          \
    {                                                                                                                  \
        (void)buffer;                                                                                                  \
        return solve(t, h, host, object_kind, n, b, x, info);                                                          \
    }
SQUARE(csrlu, Host, csrluInfoHost_t, OBJECT_CSRLU, true)
SQUARE(csrchol, Host, csrcholInfoHost_t, OBJECT_CSRCHOL, true)
SQUARE(csrchol, , csrcholInfo_t, OBJECT_CSRCHOL, false)

cusolverStatus_t solver_Sp_csrluFactorHost(enum number t, cusolverSpHandle_t h, int n, int nnz,
                                           cusparseMatDescr_t descr, const void *values, const int *rows,
                                           const int *cols, csrluInfoHost_t info, double threshold, void *buffer)
{
    (void)buffer;
    SOLVER_CHECK(threshold >= 0 && threshold <= 1);
    return factor(t, h, true, OBJECT_CSRLU, n, nnz, descr, values, rows, cols, info, threshold);
}

cusolverStatus_t solver_Sp_csrcholFactorHost(enum number t, cusolverSpHandle_t h, int n, int nnz,
                                             cusparseMatDescr_t descr, const void *values, const int *rows,
                                             const int *cols, csrcholInfoHost_t info, void *buffer)
{
    (void)buffer;
    return factor(t, h, true, OBJECT_CSRCHOL, n, nnz, descr, values, rows, cols, info, 0);
}

cusolverStatus_t solver_Sp_csrcholFactor(enum number t, cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr,
                                         const void *values, const int *rows, const int *cols, csrcholInfo_t info,
                                         void *buffer)
{
    (void)buffer;
    return factor(t, h, false, OBJECT_CSRCHOL, n, nnz, descr, values, rows, cols, info, 0);
}

cusolverStatus_t solver_Sp_csrcholDiag(enum number t, cusolverSpHandle_t h, csrcholInfo_t info, void *diag)
{
    SP_ENTER(h);
    SOLVER_CHECK(is_ready(t, info, OBJECT_CSRCHOL) && diag);
    const struct factor_info *f = (const struct factor_info *)info;
    SOLVER_CHECK(f->singular < 0);
    if (t == NUMBER_S)
        diagonal_S(f, diag);
    else if (t == NUMBER_D)
        diagonal_D(f, diag);
    else if (t == NUMBER_C)
        diagonal_C(f, diag);
    else
        diagonal_Z(f, diag);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_SpXcsrluNnzHost(cusolverSpHandle_t h, int *l, int *u, csrluInfoHost_t info)
{
    static void (*const counts[NUMBERS])(const struct factor_info *, int *, int *) = BY_TYPE(counts);
    const struct factor_info *f = (const struct factor_info *)info;
    SP_ENTER(h);
    SOLVER_CHECK(solver_object_is(info, OBJECT_CSRLU) && f->ready && l && u);
    counts[f->type](f, l, u);
    return CUSOLVER_STATUS_SUCCESS;
}

static int base_of(cusparseMatDescr_t descr)
{
    return cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ONE;
}

cusolverStatus_t solver_Sp_csrluExtractHost(enum number t, cusolverSpHandle_t h, int *P, int *Q, cusparseMatDescr_t dl,
                                            void *lv, int *lr, int *lc, cusparseMatDescr_t du, void *uv, int *ur,
                                            int *uc, csrluInfoHost_t info, void *buffer)
{
    (void)buffer;
    const struct factor_info *f = (const struct factor_info *)info;
    SP_ENTER(h);
    SOLVER_CHECK(is_ready(t, info, OBJECT_CSRLU) && P && Q && dl && lv && lr && lc && du && uv && ur && uc);
    if (t == NUMBER_S)
        extract_S(f, P, Q, base_of(dl), lv, lr, lc, base_of(du), uv, ur, uc);
    else if (t == NUMBER_D)
        extract_D(f, P, Q, base_of(dl), lv, lr, lc, base_of(du), uv, ur, uc);
    else if (t == NUMBER_C)
        extract_C(f, P, Q, base_of(dl), lv, lr, lc, base_of(du), uv, ur, uc);
    else
        extract_Z(f, P, Q, base_of(dl), lv, lr, lc, base_of(du), uv, ur, uc);
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- QR: the matrix A - mu I is named by Setup, factored by Factor
static cusolverStatus_t qr_setup(enum number t, cusolverSpHandle_t h, int m, int n, int nnz, cusparseMatDescr_t descr,
                                 const void *values, const int *rows, const int *cols, const void *mu, void *info)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(solver_object_is(info, OBJECT_CSRQR) && (values || !nnz));
    struct factor_info *f = info;
    SOLVER_CHECK(f->analysed && f->m == m);
    factor_free(f);
    f->type = t;
    f->a = task.a;
    f->values = values;
    memcpy(f->mu, mu, number_size(t));
    return CUSOLVER_STATUS_SUCCESS;
}

// b and x may be NULL: then nothing is solved.
static cusolverStatus_t qr_factor(enum number t, cusolverSpHandle_t h, bool host, int m, int n, const void *b, void *x,
                                  void *info)
{
    struct task task = {.kind = TASK_FACTOR, .m = m, .n = n, .info = info};
    SP_ENTER(h);
    SOLVER_CHECK(solver_object_is(info, OBJECT_CSRQR) && task.info->analysed && task.info->type == t &&
                 task.info->m == m && m >= n && n >= 0);
    factor_free(task.info);
    SOLVER_TRY(task_do(t, h, host, &task));
    return b && x ? solve(t, h, host, OBJECT_CSRQR, n, b, x, info) : CUSOLVER_STATUS_SUCCESS;
}

#define RECTANGLE(suffix, info_type, host)                                                                             \
    cusolverStatus_t solver_SpXcsrqrAnalysis##suffix(cusolverSpHandle_t h, int m, int n, int nnz,                      \
                                                     cusparseMatDescr_t descr, const int *rows, const int *cols,       \
                                                     info_type info)                                                   \
    {                                                                                                                  \
        return analyse(h, OBJECT_CSRQR, m, n, nnz, descr, rows, cols, info);                                           \
    }                                                                                                                  \
    cusolverStatus_t solver_Sp_csrqrBufferInfo##suffix(                                                                \
        enum number t, cusolverSpHandle_t h, int m, int n, int nnz, cusparseMatDescr_t descr, const void *values,      \
        const int *rows, const int *cols, info_type info, size_t *internal, size_t *workspace)                         \
    {                                                                                                                  \
        (void)t;                                                                                                       \
        (void)values;                                                                                                  \
        return buffers(h, OBJECT_CSRQR, m, n, nnz, descr, rows, cols, info, internal, workspace);                      \
    }                                                                                                                  \
    cusolverStatus_t solver_Sp_csrqrSetup##suffix(enum number t, cusolverSpHandle_t h, int m, int n, int nnz,          \
                                                  cusparseMatDescr_t descr, const void *values, const int *rows,       \
                                                  const int *cols, const void *mu, info_type info)                     \
    {                                                                                                                  \
        return qr_setup(t, h, m, n, nnz, descr, values, rows, cols, mu, info);                                         \
    }                                                                                                                  \
    cusolverStatus_t solver_Sp_csrqrFactor##suffix(enum number t, cusolverSpHandle_t h, int m, int n, int nnz,         \
                                                   void *b, void *x, info_type info, void *buffer)                     \
    {                                                                                                                  \
        (void)nnz;                                                                                                     \
        (void)buffer;                                                                                                  \
        return qr_factor(t, h, host, m, n, b, x, info);                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_Sp_csrqrZeroPivot##suffix(enum number t, cusolverSpHandle_t h, info_type info, double tol, \
                                                      int *position)                                                   \
    {                                                                                                                  \
        return zero_pivot(t, h, OBJECT_CSRQR, info, tol, position);                                                    \
    }                                                                                                                  \
    cusolverStatus_t solver_Sp_csrqrSolve##suffix(enum number t, cusolverSpHandle_t h, int m, int n, void *b, void *x, \
                                                  info_type info, void *buffer)                                        \
    {                                                                                                                  \
        (void)m;                                                                                                       \
        (void)buffer;                                                                                                  \
        return solve(t, h, host, OBJECT_CSRQR, n, b, x, info);                                                         \
    }
RECTANGLE(Host, csrqrInfoHost_t, true)
RECTANGLE(, csrqrInfo_t, false)
