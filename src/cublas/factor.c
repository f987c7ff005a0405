// SPDX-License-Identifier: Apache-2.0
// Factorisations of arrays of matrices, a matrix in each part: they are meant for many small ones.
#include "cublas/blas.h"

struct factor {
    struct native_head head;
    int64_t m, n, nrhs, lda, ldc;
    void *const *a; // pointers to the matrices
    void *const *c;
    void *const *tau;
    int *pivots, *info;
    bool transposed, conjugated;
};

#define TEMPLATE "cublas/kernel/factor.h"
#include "library/number.h"
#undef TEMPLATE

#define KERNEL(letter, operation)                                                                                      \
    LIBRARY_KERNEL("cublas_" #letter #operation "Batched", operation##_run_##letter, struct factor)
#define FOR_TYPES(operation)                                                                                           \
    static struct library_kernel operation##_kernels[] = {KERNEL(S, operation), KERNEL(D, operation),                  \
                                                          KERNEL(C, operation), KERNEL(Z, operation)};
FOR_TYPES(getrf)
FOR_TYPES(getri)
FOR_TYPES(getrs)
FOR_TYPES(matinv)
FOR_TYPES(geqrf)
FOR_TYPES(gels)

static cublasStatus_t launch(cublasHandle_t h, struct library_kernel *k, int64_t count, struct factor *f)
{
    double n = (double)f->n;
    return blas_launch(h, k, (uint64_t)count, n * n * (double)blas_max(f->m, f->n), f);
}

cublasStatus_t blas_getrfBatched(enum blas_type t, cublasHandle_t h, int64_t n, const void *A, int64_t lda, int *pivots,
                                 int *info, int64_t count)
{
    BLAS_ENTER(h);
    BLAS_CHECK(n >= 0 && count >= 0 && blas_is_ld(lda, n));
    if (!count || !n)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(A && info);
    struct factor f = {.m = n, .n = n, .a = A, .lda = lda, .pivots = pivots, .info = info};
    return launch(h, &getrf_kernels[t], count, &f);
}

cublasStatus_t blas_getriBatched(enum blas_type t, cublasHandle_t h, int64_t n, const void *A, int64_t lda,
                                 const int *pivots, const void *C, int64_t ldc, int *info, int64_t count)
{
    BLAS_ENTER(h);
    BLAS_CHECK(n >= 0 && count >= 0 && blas_is_ld(lda, n) && blas_is_ld(ldc, n));
    if (!count || !n)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(A && C && info);
    struct factor f = {.m = n, .n = n, .a = A, .lda = lda, .c = C, .ldc = ldc, .info = info};
    f.pivots = (int *)(uintptr_t)pivots;
    return launch(h, &getri_kernels[t], count, &f);
}

// info is the host's: the number of the argument that is wrong, negative.
cublasStatus_t blas_getrsBatched(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t n, int64_t nrhs,
                                 const void *A, int64_t lda, const int *pivots, const void *B, int64_t ldb, int *info,
                                 int64_t count)
{
    BLAS_ENTER(h);
    BLAS_CHECK(info);
    *info = (unsigned)trans > CUBLAS_OP_C ? -1
            : n < 0                       ? -2
            : nrhs < 0                    ? -3
            : !A && n && count > 0        ? -4
            : !blas_is_ld(lda, n)         ? -5
            : !B && n && count > 0        ? -7
            : !blas_is_ld(ldb, n)         ? -8
            : count < 0                   ? -10
                                          : 0;
    BLAS_CHECK(!*info);
    if (!count || !n || !nrhs)
        return CUBLAS_STATUS_SUCCESS;
    struct factor f = {.m = n, .n = n, .nrhs = nrhs, .a = A, .lda = lda, .c = B, .ldc = ldb};
    f.pivots = (int *)(uintptr_t)pivots;
    f.transposed = trans != CUBLAS_OP_N;
    f.conjugated = trans == CUBLAS_OP_C;
    return launch(h, &getrs_kernels[t], count, &f);
}

cublasStatus_t blas_matinvBatched(enum blas_type t, cublasHandle_t h, int64_t n, const void *A, int64_t lda,
                                  const void *C, int64_t ldc, int *info, int64_t count)
{
    BLAS_ENTER(h);
    BLAS_CHECK(n >= 0 && n <= MATINV_MOST && count >= 0 && blas_is_ld(lda, n) && blas_is_ld(ldc, n));
    if (!count || !n)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(A && C && info);
    struct factor f = {.m = n, .n = n, .a = A, .lda = lda, .c = C, .ldc = ldc, .info = info};
    return launch(h, &matinv_kernels[t], count, &f);
}

cublasStatus_t blas_geqrfBatched(enum blas_type t, cublasHandle_t h, int64_t m, int64_t n, const void *A, int64_t lda,
                                 const void *tau, int *info, int64_t count)
{
    BLAS_ENTER(h);
    BLAS_CHECK(info);
    *info = m < 0                 ? -1
            : n < 0               ? -2
            : !A && count > 0     ? -3
            : !blas_is_ld(lda, m) ? -4
            : !tau && count > 0   ? -5
            : count < 0           ? -7
                                  : 0;
    BLAS_CHECK(!*info);
    if (!count || !m || !n)
        return CUBLAS_STATUS_SUCCESS;
    struct factor f = {.m = m, .n = n, .a = A, .lda = lda, .tau = tau};
    return launch(h, &geqrf_kernels[t], count, &f);
}

// Only systems with as many equations as unknowns, or more, and A as it is: as NVIDIA's.
cublasStatus_t blas_gelsBatched(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n,
                                int64_t nrhs, const void *A, int64_t lda, const void *C, int64_t ldc, int *info,
                                int *infos, int64_t count)
{
    BLAS_ENTER(h);
    BLAS_CHECK(info);
    *info = (unsigned)trans > CUBLAS_OP_C ? -1
            : m < 0                       ? -2
            : n < 0                       ? -3
            : nrhs < 0                    ? -4
            : !A && count > 0             ? -5
            : !blas_is_ld(lda, m)         ? -6
            : !C && count > 0             ? -7
            : !blas_is_ld(ldc, m)         ? -8
            : count < 0                   ? -11
                                          : 0;
    BLAS_CHECK(!*info);
    if (trans != CUBLAS_OP_N || m < n)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!count || !n)
        return CUBLAS_STATUS_SUCCESS;
    struct factor f = {.m = m, .n = n, .nrhs = nrhs, .a = A, .lda = lda, .c = C, .ldc = ldc, .info = infos};
    return launch(h, &gels_kernels[t], count, &f);
}
