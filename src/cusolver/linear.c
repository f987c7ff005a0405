// SPDX-License-Identifier: Apache-2.0
// Systems of equations, inverses and exchanges of rows, from factors; symmetric indefinite matrices; arrays of small matrices.
#include "cusolver/dense.h"

#define TEMPLATE "cusolver/kernel/linear.h"
#include "library/number.h"
#undef TEMPLATE
KERNELS(getrs)
KERNELS(potrs)
KERNELS(laswp)
KERNELS(trtri)
KERNELS(lauum)
KERNELS(potri)
KERNELS(sytrf)
KERNELS(sytrs)
KERNELS(sytri)
KERNELS(larft)
KERNELS(potrfBatched)
KERNELS(potrsBatched)

// Columns that one part has: enough for triangular systems to be products.
enum { COLUMNS = 48 };
static cusolverStatus_t by_columns(cusolverDnHandle_t h, struct library_kernel *k, int64_t columns, struct work *w)
{
    w->width = COLUMNS;
    return dense_launch(h, k, (columns + COLUMNS - 1) / COLUMNS, dense_cube(w->n, w->n, COLUMNS), w);
}

cusolverStatus_t dense_getrs(enum number t, cusolverDnHandle_t h, cublasOperation_t trans, int64_t n, int64_t nrhs,
                             const void *A, int64_t lda, const void *pivots, bool wide, void *B, int64_t ldb, int *info)
{
    struct work w = {.n = n, .k = nrhs, .a = (void *)(uintptr_t)A, .lda = lda, .b = B, .ldb = ldb, .info = info};
    w.pivots = (void *)(uintptr_t)pivots;
    w.wide = wide;
    w.trans = solver_op(trans);
    return by_columns(h, &getrs_kernels[t], nrhs, &w);
}

cusolverStatus_t solver_Dn_getrs(enum number t, cusolverDnHandle_t h, cublasOperation_t trans, int n, int nrhs,
                                 const void *A, int lda, const int *pivots, void *B, int ldb, int *info)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_op(trans) && n >= 0 && nrhs >= 0 && solver_is_ld(lda, n) && solver_is_ld(ldb, n) && info);
    SOLVER_CHECK((A && B) || !n || !nrhs);
    return dense_getrs(t, h, trans, n, nrhs, A, lda, pivots, false, B, ldb, info);
}

cusolverStatus_t dense_potrs(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                             const void *A, int64_t lda, void *B, int64_t ldb, int *info)
{
    struct work w = {.n = n, .k = nrhs, .a = (void *)(uintptr_t)A, .lda = lda, .b = B, .ldb = ldb, .info = info};
    w.uplo = solver_uplo(uplo);
    return by_columns(h, &potrs_kernels[t], nrhs, &w);
}

cusolverStatus_t solver_Dn_potrs(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, int nrhs,
                                 const void *A, int lda, void *B, int ldb, int *info)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && nrhs >= 0 && solver_is_ld(lda, n) && solver_is_ld(ldb, n) && info);
    SOLVER_CHECK((A && B) || !n || !nrhs);
    return dense_potrs(t, h, uplo, n, nrhs, A, lda, B, ldb, info);
}

cusolverStatus_t solver_Dn_laswp(enum number t, cusolverDnHandle_t h, int n, void *A, int lda, int k1, int k2,
                                 const int *pivots, int incx)
{
    DN_ENTER(h);
    SOLVER_CHECK(n >= 0 && lda >= 1 && k1 >= 1 && k2 >= k1 - 1 && incx && pivots && (A || !n));
    struct work w = {.n = n, .a = A, .lda = lda, .il = k1, .iu = k2, .step = incx, .width = COLUMNS};
    w.pivots = (void *)(uintptr_t)pivots;
    return dense_launch(h, &laswp_kernels[t], (n + COLUMNS - 1) / COLUMNS, COLUMNS * (double)(k2 - k1 + 1), &w);
}

// ---- functions of one triangle in one part: bufferSize and the function itself
static cusolverStatus_t triangle_room(cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t lda, int *lwork)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n) && lwork);
    *lwork = dense_room(n);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t triangle(cusolverDnHandle_t h, struct library_kernel *k, cublasFillMode_t uplo, int64_t n,
                                 void *A, int64_t lda, const int *pivots, int lwork, int *info)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n) && info && (A || !n));
    SOLVER_CHECK(lwork >= (n ? dense_room(n) : 0));
    struct work w = {.n = n, .a = A, .lda = lda, .uplo = solver_uplo(uplo), .info = info};
    w.pivots = (void *)(uintptr_t)pivots;
    return dense_launch(h, k, 1, dense_cube(n, n, n), &w);
}

#define TRIANGLE(name)                                                                                                 \
    cusolverStatus_t solver_Dn_##name##_bufferSize(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n,  \
                                                   void *A, int lda, int *lwork)                                       \
    {                                                                                                                  \
        (void)t;                                                                                                       \
        (void)A;                                                                                                       \
        return triangle_room(h, uplo, n, lda, lwork);                                                                  \
    }                                                                                                                  \
    cusolverStatus_t solver_Dn_##name(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A,      \
                                      int lda, void *work, int lwork, int *info)                                       \
    {                                                                                                                  \
        (void)work;                                                                                                    \
        return triangle(h, &name##_kernels[t], uplo, n, A, lda, NULL, lwork, info);                                    \
    }
TRIANGLE(potri)
TRIANGLE(lauum)

cusolverStatus_t solver_Dn_sytrf_bufferSize(enum number t, cusolverDnHandle_t h, int n, void *A, int lda, int *lwork)
{
    (void)t;
    (void)A;
    return triangle_room(h, CUBLAS_FILL_MODE_LOWER, n, lda, lwork);
}

cusolverStatus_t solver_Dn_sytrf(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A, int lda,
                                 int *pivots, void *work, int lwork, int *info)
{
    (void)work;
    return triangle(h, &sytrf_kernels[t], uplo, n, A, lda, pivots, lwork, info);
}

cusolverStatus_t solver_Dn_sytri_bufferSize(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A,
                                            int lda, const int *pivots, int *lwork)
{
    (void)t;
    (void)A;
    (void)pivots;
    return triangle_room(h, uplo, n, lda, lwork);
}

cusolverStatus_t solver_Dn_sytri(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A, int lda,
                                 const int *pivots, void *work, int lwork, int *info)
{
    (void)work;
    return triangle(h, &sytri_kernels[t], uplo, n, A, lda, pivots, lwork, info);
}

// ---- arrays of matrices
cusolverStatus_t solver_Dn_potrfBatched(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A,
                                        int lda, int *info, int count)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n) && count >= 0);
    SOLVER_CHECK((A && info) || !n || !count);
    struct work w = {.n = n, .a = A, .lda = lda, .info = info, .uplo = solver_uplo(uplo)};
    return n ? dense_launch(h, &potrfBatched_kernels[t], count, dense_cube(n, n, n) / 3, &w) : CUSOLVER_STATUS_SUCCESS;
}

// One right side for each, as NVIDIA's.
cusolverStatus_t solver_Dn_potrsBatched(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, int nrhs,
                                        void *A, int lda, void *B, int ldb, int *info, int count)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && nrhs >= 0 && solver_is_ld(lda, n) && solver_is_ld(ldb, n) &&
                 count >= 0);
    SOLVER_NEED(nrhs <= 1);
    SOLVER_CHECK((A && B) || !n || !count || !nrhs);
    struct work w = {.n = n, .k = nrhs, .a = A, .lda = lda, .b = B, .ldb = ldb, .info = info};
    w.uplo = solver_uplo(uplo);
    if (!n || !nrhs)
        return CUSOLVER_STATUS_SUCCESS;
    return dense_launch(h, &potrsBatched_kernels[t], count, dense_cube(n, n, 1), &w);
}

// ---- functions for all types
cusolverStatus_t solver_DnXtrtri_bufferSize(cusolverDnHandle_t h, cublasFillMode_t uplo, cublasDiagType_t diag,
                                            int64_t n, cudaDataType type, void *A, int64_t lda, size_t *device,
                                            size_t *host)
{
    (void)A;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && (unsigned)diag <= CUBLAS_DIAG_UNIT && n >= 0 && solver_is_ld(lda, n));
    SOLVER_NEED(number_of(type) != NUMBERS);
    return dense_bytes(dense_room(n), number_of(type), device, host);
}

cusolverStatus_t solver_DnXtrtri(cusolverDnHandle_t h, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                                 cudaDataType type, void *A, int64_t lda, void *buffer, size_t bytes, void *host,
                                 size_t host_bytes, int *info)
{
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && (unsigned)diag <= CUBLAS_DIAG_UNIT && n >= 0 && solver_is_ld(lda, n) && info &&
                 (A || !n));
    SOLVER_NEED(number_of(type) != NUMBERS);
    struct work w = {.n = n, .a = A, .lda = lda, .uplo = solver_uplo(uplo), .info = info};
    w.diag = diag == CUBLAS_DIAG_UNIT ? 'U' : 'N';
    return dense_launch(h, &trtri_kernels[number_of(type)], 1, dense_cube(n, n, n) / 3, &w);
}

cusolverStatus_t solver_DnXsytrs_bufferSize(cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                            cudaDataType type, const void *A, int64_t lda, const int64_t *pivots,
                                            cudaDataType type_b, void *B, int64_t ldb, size_t *device, size_t *host)
{
    (void)A;
    (void)B;
    (void)pivots;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && nrhs >= 0 && solver_is_ld(lda, n) && solver_is_ld(ldb, n));
    SOLVER_NEED(number_of(type) != NUMBERS && type == type_b);
    return dense_bytes(dense_room(n), number_of(type), device, host);
}

cusolverStatus_t solver_DnXsytrs(cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                 cudaDataType type, const void *A, int64_t lda, const int64_t *pivots,
                                 cudaDataType type_b, void *B, int64_t ldb, void *buffer, size_t bytes, void *host,
                                 size_t host_bytes, int *info)
{
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && nrhs >= 0 && solver_is_ld(lda, n) && solver_is_ld(ldb, n) && info);
    SOLVER_CHECK((A && B) || !n || !nrhs);
    SOLVER_NEED(number_of(type) != NUMBERS && type == type_b);
    struct work w = {.n = n, .k = nrhs, .a = (void *)(uintptr_t)A, .lda = lda, .b = B, .ldb = ldb, .info = info};
    w.uplo = solver_uplo(uplo);
    w.pivots = (void *)(uintptr_t)pivots;
    w.wide = true;
    return by_columns(h, &sytrs_kernels[number_of(type)], nrhs, &w);
}

static cusolverStatus_t larft_check(cusolverDnHandle_t h, cusolverDirectMode_t direct, cusolverStorevMode_t storev,
                                    int64_t n, int64_t k, int64_t ldv, int64_t ldt)
{
    DN_ENTER(h);
    SOLVER_CHECK(n >= 0 && k >= 0 && k <= n && solver_is_ld(ldv, n) && solver_is_ld(ldt, k));
    SOLVER_NEED(direct == CUBLAS_DIRECT_FORWARD && storev == CUBLAS_STOREV_COLUMNWISE);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnXlarft_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params,
                                            cusolverDirectMode_t direct, cusolverStorevMode_t storev, int64_t n,
                                            int64_t k, cudaDataType type_v, const void *V, int64_t ldv,
                                            cudaDataType type_tau, const void *tau, cudaDataType type_t, void *T,
                                            int64_t ldt, cudaDataType compute, size_t *device, size_t *host)
{
    (void)params;
    (void)V;
    (void)tau;
    (void)T;
    SOLVER_TRY(larft_check(h, direct, storev, n, k, ldv, ldt));
    SOLVER_NEED(number_of(type_v) != NUMBERS && type_v == type_tau && type_v == type_t && type_v == compute);
    return dense_bytes(dense_room(k), number_of(type_v), device, host);
}

cusolverStatus_t solver_DnXlarft(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverDirectMode_t direct,
                                 cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType type_v, const void *V,
                                 int64_t ldv, cudaDataType type_tau, const void *tau, cudaDataType type_t, void *T,
                                 int64_t ldt, cudaDataType compute, void *buffer, size_t bytes, void *host,
                                 size_t host_bytes)
{
    (void)params;
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    SOLVER_TRY(larft_check(h, direct, storev, n, k, ldv, ldt));
    SOLVER_NEED(number_of(type_v) != NUMBERS && type_v == type_tau && type_v == type_t && type_v == compute);
    SOLVER_CHECK((V && tau && T) || !k);
    struct work w = {.n = n, .k = k, .a = (void *)(uintptr_t)V, .lda = ldv, .b = (void *)(uintptr_t)tau, .c = T};
    w.ldc = ldt;
    return dense_launch(h, &larft_kernels[number_of(type_v)], k ? 1 : 0, dense_cube(n, k, k), &w);
}
