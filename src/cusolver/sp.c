// SPDX-License-Identifier: Apache-2.0
// Sparse systems, least squares and eigenvalues at once; orders, permutations and questions about patterns; arrays of systems.
#include "cusolver/sparse/task.h"

enum { REORDERS = 3 };

// ---- systems. reorder: 0 none, 1 rcm, 2 degree, 3 dissection
static cusolverStatus_t system_solve(enum number t, cusolverSpHandle_t h, bool host, enum task_kind kind, int n,
                                     int nnz, cusparseMatDescr_t descr, const void *values, const int *rows,
                                     const int *cols, const void *b, double tol, int reorder, void *x, int *singularity)
{
    struct task task = {.kind = kind, .values = values, .b = b, .x = x, .tol = tol, .integer = singularity};
    SOLVER_TRY(task_matrix(h, &task, n, n, nnz, descr, rows, cols));
    SOLVER_CHECK(reorder >= 0 && reorder <= REORDERS && singularity && ((values && b && x) || !n));
    task.reorder = reorder;
    task.threshold = kind == TASK_LU ? 0.1 : 0;
    return task_do(t, h, host, &task);
}

#define SYSTEM(name, host, kind)                                                                                       \
    cusolverStatus_t solver_Sp_##name(enum number t, cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr,   \
                                      const void *values, const int *rows, const int *cols, const void *b, double tol, \
                                      int reorder, void *x, int *singularity)                                          \
    {                                                                                                                  \
        return system_solve(t, h, host, kind, n, nnz, descr, values, rows, cols, b, tol, reorder, x, singularity);     \
    }
SYSTEM(csrlsvluHost, true, TASK_LU)
SYSTEM(csrlsvqr, false, TASK_QR)
SYSTEM(csrlsvqrHost, true, TASK_QR)
SYSTEM(csrlsvchol, false, TASK_CHOLESKY)
SYSTEM(csrlsvcholHost, true, TASK_CHOLESKY)

cusolverStatus_t solver_Sp_csrlsqvqrHost(enum number t, cusolverSpHandle_t h, int m, int n, int nnz,
                                         cusparseMatDescr_t descr, const void *values, const int *rows, const int *cols,
                                         const void *b, double tol, int *rank, void *x, int *p, void *norm)
{
    struct task task = {.kind = TASK_LEAST_SQUARES, .values = values, .b = b, .x = x, .tol = tol, .integer = rank};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(m >= n && rank && p && norm && ((values && b && x) || !n));
    task.permutation = p;
    task.number = norm;
    return task_do(t, h, true, &task);
}

// ---- eigenvalues
static cusolverStatus_t eigenvector(enum number t, cusolverSpHandle_t h, bool host, int n, int nnz,
                                    cusparseMatDescr_t descr, const void *values, const int *rows, const int *cols,
                                    const void *mu0, const void *x0, int most, double tol, void *mu, void *x)
{
    struct task task = {.kind = TASK_EIGENVECTOR, .values = values, .b = x0, .x = x, .tol = tol, .most = most};
    SOLVER_TRY(task_matrix(h, &task, n, n, nnz, descr, rows, cols));
    SOLVER_CHECK(most >= 0 && mu && ((values && x0 && x) || !n));
    memcpy(task.first, mu0, number_size(t));
    task.number = mu;
    return task_do(t, h, host, &task);
}

cusolverStatus_t solver_Sp_csreigvsiHost(enum number t, cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr,
                                         const void *values, const int *rows, const int *cols, const void *mu0,
                                         const void *x0, int most, double tol, void *mu, void *x)
{
    return eigenvector(t, h, true, n, nnz, descr, values, rows, cols, mu0, x0, most, tol, mu, x);
}

cusolverStatus_t solver_Sp_csreigvsi(enum number t, cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr,
                                     const void *values, const int *rows, const int *cols, const void *mu0,
                                     const void *x0, int most, double tol, void *mu, void *x)
{
    return eigenvector(t, h, false, n, nnz, descr, values, rows, cols, mu0, x0, most, tol, mu, x);
}

cusolverStatus_t solver_Sp_csreigsHost(enum number t, cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr,
                                       const void *values, const int *rows, const int *cols, const void *low,
                                       const void *high, int *count)
{
    struct task task = {.kind = TASK_COUNT_EIGENVALUES, .values = values, .integer = count};
    SOLVER_TRY(task_matrix(h, &task, n, n, nnz, descr, rows, cols));
    SOLVER_CHECK(count && (values || !n));
    memcpy(task.first, low, number_size(number_complex(t)));
    memcpy(task.second, high, number_size(number_complex(t)));
    return task_do(t, h, true, &task);
}

// ---- patterns
cusolverStatus_t solver_SpXcsrissymHost(cusolverSpHandle_t h, int m, int nnz, cusparseMatDescr_t descr, const int *rows,
                                        const int *ends, const int *cols, int *issym)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, m, m, nnz, descr, rows, cols));
    SOLVER_CHECK(ends && issym);
    const int base = task.a.base;
    bool all = true;
    for (int i = 0; i < m && all; i++)
        for (int k = rows[i] - base; k < ends[i] - base && all; k++) {
            const int j = cols[k] - base;
            bool found = false;
            for (int q = rows[j] - base; q < ends[j] - base && !found; q++)
                found = cols[q] - base == i;
            all = found;
        }
    *issym = all;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t order(cusolverSpHandle_t h, int reorder, int n, int nnz, cusparseMatDescr_t descr,
                              const int *rows, const int *cols, int *p)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, n, n, nnz, descr, rows, cols));
    SOLVER_CHECK(p || !n);
    return order_by(reorder, &task.a, p) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

#define ORDER(name, reorder)                                                                                           \
    cusolverStatus_t solver_Sp##name(cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr, const int *rows,  \
                                     const int *cols, int *p)                                                          \
    {                                                                                                                  \
        return order(h, reorder, n, nnz, descr, rows, cols, p);                                                        \
    }
ORDER(XcsrsymrcmHost, 1)
ORDER(XcsrsymmdqHost, 2)
ORDER(XcsrsymamdHost, 2)

// Options are METIS's: hints.
cusolverStatus_t solver_SpXcsrmetisndHost(cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr,
                                          const int *rows, const int *cols, const int64_t *options, int *p)
{
    (void)options;
    return order(h, 3, n, nnz, descr, rows, cols, p);
}

static bool is_zero(enum number t, const void *values, int k)
{
    const char *v = (const char *)values + (size_t)k * number_size(t);
    if (number_real(t) == NUMBER_S) {
        const float *f = (const float *)v;
        return f[0] == 0 && (!number_is_complex(t) || f[1] == 0);
    }
    const double *d = (const double *)v;
    return d[0] == 0 && (!number_is_complex(t) || d[1] == 0);
}

// Rows of A in an order P whose diagonal has as many numbers that are not 0 as can be.
cusolverStatus_t solver_Sp_csrzfdHost(enum number t, cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t descr,
                                      const void *values, const int *rows, const int *cols, int *P, int *count)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, n, n, nnz, descr, rows, cols));
    SOLVER_CHECK(count && ((values && P) || !n));
    bool *counts = malloc((size_t)nnz + 1);
    int *q = malloc(((size_t)n + 1) * sizeof(int));
    int found = -1;
    for (int k = 0; counts && k < nnz; k++)
        counts[k] = !is_zero(t, values, k);
    if (counts && q)
        found = order_match(&task.a, counts, q);
    for (int i = 0; found >= 0 && i < n; i++)
        P[q[i]] = i;
    free(counts);
    free(q);
    if (found < 0)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    *count = found;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_SpXcsrperm_bufferSizeHost(cusolverSpHandle_t h, int m, int n, int nnz, cusparseMatDescr_t descr,
                                                  const int *rows, const int *cols, const int *p, const int *q,
                                                  size_t *bytes)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(bytes && (p || !m) && (q || !n));
    *bytes = ((size_t)m + (size_t)n + 2 * (size_t)nnz + 4) * sizeof(int);
    return CUSOLVER_STATUS_SUCCESS;
}

// B = A(p, q) in place; element k of B is element map[k] of A, seen through what map was.
cusolverStatus_t solver_SpXcsrpermHost(cusolverSpHandle_t h, int m, int n, int nnz, cusparseMatDescr_t descr, int *rows,
                                       int *cols, const int *p, const int *q, int *map, void *buffer)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(map && buffer && (p || !m) && (q || !n));
    int *place = buffer, *offsets = place + n, *old_cols = offsets + m + 1, *old_map = old_cols + nnz;
    const int base = task.a.base;
    for (int j = 0; j < n; j++)
        place[q[j]] = j;
    memcpy(offsets, rows, ((size_t)m + 1) * sizeof(int));
    memcpy(old_cols, cols, (size_t)nnz * sizeof(int));
    memcpy(old_map, map, (size_t)nnz * sizeof(int));
    int at = 0;
    for (int i = 0; i < m; i++) {
        const int first = at;
        for (int k = offsets[p[i]] - base; k < offsets[p[i] + 1] - base; k++) { // columns in their order
            const int col = place[old_cols[k] - base] + base;
            int e = at++;
            for (; e > first && cols[e - 1] > col; e--) {
                cols[e] = cols[e - 1];
                map[e] = map[e - 1];
            }
            cols[e] = col;
            map[e] = old_map[k];
        }
        rows[i] = first + base;
    }
    rows[m] = at + base;
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- arrays of systems with one pattern
cusolverStatus_t solver_SpXcsrqrAnalysisBatched(cusolverSpHandle_t h, int m, int n, int nnz, cusparseMatDescr_t descr,
                                                const int *rows, const int *cols, csrqrInfo_t info)
{
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(m >= n && solver_object_is(info, OBJECT_CSRQR));
    ((struct factor_info *)info)->analysed = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Sp_csrqrBufferInfoBatched(enum number t, cusolverSpHandle_t h, int m, int n, int nnz,
                                                  cusparseMatDescr_t descr, const void *values, const int *rows,
                                                  const int *cols, int count, csrqrInfo_t info, size_t *internal,
                                                  size_t *workspace)
{
    (void)t;
    (void)values;
    enum { BYTES = 256 }; // factors are memory of the worker
    struct task task = {0};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(count >= 0 && internal && workspace && solver_object_is(info, OBJECT_CSRQR));
    *internal = 0;
    *workspace = BYTES;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Sp_csrqrsvBatched(enum number t, cusolverSpHandle_t h, int m, int n, int nnz,
                                          cusparseMatDescr_t descr, const void *values, const int *rows,
                                          const int *cols, const void *b, void *x, int count, csrqrInfo_t info,
                                          void *buffer)
{
    struct task task = {.kind = TASK_BATCH, .values = values, .b = b, .x = x};
    SOLVER_TRY(task_matrix(h, &task, m, n, nnz, descr, rows, cols));
    SOLVER_CHECK(count >= 0 && buffer && solver_object_is(info, OBJECT_CSRQR) && ((values && b && x) || !n || !count));
    SOLVER_CHECK(((const struct factor_info *)info)->analysed);
    return task_launch(t, h, n ? count : 0, &task);
}
