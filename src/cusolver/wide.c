// SPDX-License-Identifier: Apache-2.0
// The functions for all types and sizes of 64 bits that factor and solve; those of eigenvalues and singular values are in eigen.c and svd.c.
#include "cusolver/dense.h"

#define UNUSED_BUFFERS(buffer, bytes, host, host_bytes)                                                                \
    do {                                                                                                               \
        (void)(buffer);                                                                                                \
        (void)(bytes);                                                                                                 \
        (void)(host);                                                                                                  \
        (void)(host_bytes);                                                                                            \
    } while (0)

static cusolverStatus_t type_get(cudaDataType type, cudaDataType compute, enum number *t)
{
    *t = number_of(type);
    SOLVER_CHECK(*t != NUMBERS && compute == type);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnXpotrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, cublasFillMode_t uplo,
                                            int64_t n, cudaDataType type, const void *A, int64_t lda,
                                            cudaDataType compute, size_t *device, size_t *host)
{
    (void)params;
    (void)A;
    enum number t;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n));
    SOLVER_TRY(type_get(type, compute, &t));
    return dense_bytes(dense_room(n), t, device, host);
}

cusolverStatus_t solver_DnXpotrf(cusolverDnHandle_t h, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n,
                                 cudaDataType type, void *A, int64_t lda, cudaDataType compute, void *buffer,
                                 size_t bytes, void *host, size_t host_bytes, int *info)
{
    (void)params;
    UNUSED_BUFFERS(buffer, bytes, host, host_bytes);
    enum number t;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n) && info && (A || !n));
    SOLVER_TRY(type_get(type, compute, &t));
    return dense_potrf(t, h, uplo, n, A, lda, info);
}

cusolverStatus_t solver_DnXpotrs(cusolverDnHandle_t h, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n,
                                 int64_t nrhs, cudaDataType type, const void *A, int64_t lda, cudaDataType type_b,
                                 void *B, int64_t ldb, int *info)
{
    (void)params;
    enum number t;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && nrhs >= 0 && solver_is_ld(lda, n) && solver_is_ld(ldb, n) && info);
    SOLVER_CHECK((A && B) || !n || !nrhs);
    SOLVER_TRY(type_get(type, type_b, &t));
    return dense_potrs(t, h, uplo, n, nrhs, A, lda, B, ldb, info);
}

cusolverStatus_t solver_DnXgeqrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n,
                                            cudaDataType type, const void *A, int64_t lda, cudaDataType type_tau,
                                            const void *tau, cudaDataType compute, size_t *device, size_t *host)
{
    (void)params;
    (void)A;
    (void)tau;
    enum number t;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && solver_is_ld(lda, m) && type_tau == type);
    SOLVER_TRY(type_get(type, compute, &t));
    return dense_bytes(dense_geqrf_room(m, n), t, device, host);
}

cusolverStatus_t solver_DnXgeqrf(cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n,
                                 cudaDataType type, void *A, int64_t lda, cudaDataType type_tau, void *tau,
                                 cudaDataType compute, void *buffer, size_t bytes, void *host, size_t host_bytes,
                                 int *info)
{
    (void)params;
    (void)host;
    (void)host_bytes;
    enum number t;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && solver_is_ld(lda, m) && info && type_tau == type && ((A && tau) || !m || !n));
    SOLVER_TRY(type_get(type, compute, &t));
    SOLVER_CHECK(!m || !n || (buffer && bytes >= (size_t)dense_geqrf_room(m, n) * number_size(t)));
    return dense_geqrf(t, h, m, n, A, lda, tau, buffer, info);
}

cusolverStatus_t solver_DnXgetrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n,
                                            cudaDataType type, const void *A, int64_t lda, cudaDataType compute,
                                            size_t *device, size_t *host)
{
    (void)params;
    (void)A;
    enum number t;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && solver_is_ld(lda, m));
    SOLVER_TRY(type_get(type, compute, &t));
    return dense_bytes(dense_room(la_max(m, n)), t, device, host);
}

cusolverStatus_t solver_DnXgetrf(cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n,
                                 cudaDataType type, void *A, int64_t lda, int64_t *pivots, cudaDataType compute,
                                 void *buffer, size_t bytes, void *host, size_t host_bytes, int *info)
{
    (void)params;
    UNUSED_BUFFERS(buffer, bytes, host, host_bytes);
    enum number t;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && solver_is_ld(lda, m) && info && (A || !m || !n));
    SOLVER_TRY(type_get(type, compute, &t));
    return dense_getrf(t, h, m, n, A, lda, pivots, true, info);
}

cusolverStatus_t solver_DnXgetrs(cusolverDnHandle_t h, cusolverDnParams_t params, cublasOperation_t trans, int64_t n,
                                 int64_t nrhs, cudaDataType type, const void *A, int64_t lda, const int64_t *pivots,
                                 cudaDataType type_b, void *B, int64_t ldb, int *info)
{
    (void)params;
    enum number t;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_op(trans) && n >= 0 && nrhs >= 0 && solver_is_ld(lda, n) && solver_is_ld(ldb, n) && info);
    SOLVER_CHECK((A && B) || !n || !nrhs);
    SOLVER_TRY(type_get(type, type_b, &t));
    return dense_getrs(t, h, trans, n, nrhs, A, lda, pivots, true, B, ldb, info);
}
