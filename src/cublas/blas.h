// SPDX-License-Identifier: Apache-2.0
// The bodies of cuBLAS's functions, one for all types and widths of integers. The tables' rows call them (api.def, typed.def,
// legacy/legacy.def); arguments are those of the functions.
#ifndef HEDDLE_CUBLAS_BLAS_H
#define HEDDLE_CUBLAS_BLAS_H
#include "cublas/handle.h"

#define BODY(name) cublasStatus_t blas_##name

// ---- level1.c
#define blas_amax(type, h, n, x, incx, result) blas_extreme(type, h, n, x, incx, result, sizeof *(result), true)
#define blas_amin(type, h, n, x, incx, result) blas_extreme(type, h, n, x, incx, result, sizeof *(result), false)
BODY(extreme)(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *result, size_t size,
              bool most);
BODY(asum)(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *result);
BODY(nrm2)(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *result);
BODY(dotu)(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy,
           void *result);
BODY(dotc)(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy,
           void *result);
#define blas_dot blas_dotu
BODY(axpy)(enum blas_type t, cublasHandle_t h, int64_t n, const void *alpha, const void *x, int64_t incx, void *y,
           int64_t incy);
BODY(copy)(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *y, int64_t incy);
BODY(swap)(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy);
BODY(scal)(enum blas_type t, cublasHandle_t h, int64_t n, const void *alpha, void *x, int64_t incx);
BODY(rscal)(enum blas_type t, cublasHandle_t h, int64_t n, const void *alpha, void *x, int64_t incx);
BODY(rot)(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *c,
          const void *s);
BODY(rrot)(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *c,
           const void *s);
BODY(rotm)(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy,
           const void *param);
BODY(rotg)(enum blas_type t, cublasHandle_t h, void *a, void *b, void *c, void *s);
BODY(rotmg)(enum blas_type t, cublasHandle_t h, void *d1, void *d2, void *x1, const void *y1, void *param);
// With types of scalars of their own, for functions that name them.
cublasStatus_t level1_axpy(enum blas_type t, cublasHandle_t h, int64_t n, enum blas_type at, const void *alpha,
                           const void *x, int64_t incx, void *y, int64_t incy);
cublasStatus_t level1_scal(enum blas_type t, cublasHandle_t h, int64_t n, enum blas_type at, const void *alpha, void *x,
                           int64_t incx);
cublasStatus_t level1_rot(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy,
                          enum blas_type ct, const void *c, enum blas_type st, const void *s);

// ---- level2.c
BODY(gemv)(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n, const void *alpha,
           const void *A, int64_t lda, const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
BODY(gbmv)(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku,
           const void *alpha, const void *A, int64_t lda, const void *x, int64_t incx, const void *beta, void *y,
           int64_t incy);
BODY(gemvBatched)(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n, const void *alpha,
                  const void *A, int64_t lda, const void *x, int64_t incx, const void *beta, const void *y,
                  int64_t incy, int64_t count);
BODY(gemvStridedBatched)(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n,
                         const void *alpha, const void *A, int64_t lda, int64_t stride_a, const void *x, int64_t incx,
                         int64_t stride_x, const void *beta, void *y, int64_t incy, int64_t stride_y, int64_t count);
#define SYMMETRIC(name)                                                                                                \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *alpha, const void *A, \
               int64_t lda, const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
#define SYMMETRIC_BAND(name)                                                                                           \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t k, const void *alpha,     \
               const void *A, int64_t lda, const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
#define SYMMETRIC_PACKED(name)                                                                                         \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *alpha,                \
               const void *AP, const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
SYMMETRIC(symv)
SYMMETRIC(hemv)
SYMMETRIC_BAND(sbmv)
SYMMETRIC_BAND(hbmv)
SYMMETRIC_PACKED(spmv)
SYMMETRIC_PACKED(hpmv)
#define TRIANGULAR(name)                                                                                               \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,                     \
               cublasDiagType_t diag, int64_t n, const void *A, int64_t lda, void *x, int64_t incx);
#define TRIANGULAR_BAND(name)                                                                                          \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,                     \
               cublasDiagType_t diag, int64_t n, int64_t k, const void *A, int64_t lda, void *x, int64_t incx);
#define TRIANGULAR_PACKED(name)                                                                                        \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,                     \
               cublasDiagType_t diag, int64_t n, const void *AP, void *x, int64_t incx);
TRIANGULAR(trmv)
TRIANGULAR(trsv)
TRIANGULAR_BAND(tbmv)
TRIANGULAR_BAND(tbsv)
TRIANGULAR_PACKED(tpmv)
TRIANGULAR_PACKED(tpsv)
BODY(geru)(enum blas_type t, cublasHandle_t h, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx,
           const void *y, int64_t incy, void *A, int64_t lda);
BODY(gerc)(enum blas_type t, cublasHandle_t h, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx,
           const void *y, int64_t incy, void *A, int64_t lda);
#define blas_ger blas_geru
#define RANK1(name)                                                                                                    \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *alpha, const void *x, \
               int64_t incx, void *A, int64_t lda);
#define RANK1_PACKED(name)                                                                                             \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *alpha, const void *x, \
               int64_t incx, void *AP);
#define RANK2(name)                                                                                                    \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *alpha, const void *x, \
               int64_t incx, const void *y, int64_t incy, void *A, int64_t lda);
#define RANK2_PACKED(name)                                                                                             \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *alpha, const void *x, \
               int64_t incx, const void *y, int64_t incy, void *AP);
RANK1(syr)
RANK1(her)
RANK1_PACKED(spr)
RANK1_PACKED(hpr)
RANK2(syr2)
RANK2(her2)
RANK2_PACKED(spr2)
RANK2_PACKED(hpr2)

// ---- gemm.c
BODY(gemm)(enum blas_type t, cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
           int64_t k, const void *alpha, const void *A, int64_t lda, const void *B, int64_t ldb, const void *beta,
           void *C, int64_t ldc);
#define blas_gemm3m blas_gemm
BODY(gemmBatched)(enum blas_type t, cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                  int64_t n, int64_t k, const void *alpha, const void *A, int64_t lda, const void *B, int64_t ldb,
                  const void *beta, const void *C, int64_t ldc, int64_t count);
BODY(gemmStridedBatched)(enum blas_type t, cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                         int64_t m, int64_t n, int64_t k, const void *alpha, const void *A, int64_t lda,
                         int64_t stride_a, const void *B, int64_t ldb, int64_t stride_b, const void *beta, void *C,
                         int64_t ldc, int64_t stride_c, int64_t count);
#define blas_gemmGroupedBatched(type, h, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, groups, sizes)  \
    ex_gemm_grouped(h, transa, transb, m, n, k, alpha, A, blas_data_type(type), lda, B, blas_data_type(type), ldb,     \
                    beta, C, blas_data_type(type), ldc, groups, sizes, blas_compute_type(type), sizeof *(m))

// ---- level3.c
#define SIDED(name)                                                                                                    \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, \
               const void *alpha, const void *A, int64_t lda, const void *B, int64_t ldb, const void *beta, void *C,   \
               int64_t ldc);
#define RANK_K(name)                                                                                                   \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n,          \
               int64_t k, const void *alpha, const void *A, int64_t lda, const void *beta, void *C, int64_t ldc);
#define RANK_2K(name)                                                                                                  \
    BODY(name)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n,          \
               int64_t k, const void *alpha, const void *A, int64_t lda, const void *B, int64_t ldb, const void *beta, \
               void *C, int64_t ldc);
SIDED(symm)
SIDED(hemm)
RANK_K(syrk)
RANK_K(herk)
RANK_2K(syr2k)
RANK_2K(her2k)
RANK_2K(syrkx)
RANK_2K(herkx)
BODY(trmm)(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
           cublasDiagType_t diag, int64_t m, int64_t n, const void *alpha, const void *A, int64_t lda, const void *B,
           int64_t ldb, void *C, int64_t ldc);
BODY(trsm)(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
           cublasDiagType_t diag, int64_t m, int64_t n, const void *alpha, const void *A, int64_t lda, void *B,
           int64_t ldb);
BODY(trsmBatched)(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                  cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const void *alpha,
                  const void *A, int64_t lda, const void *B, int64_t ldb, int64_t count);

// ---- extension.c
BODY(geam)(enum blas_type t, cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
           const void *alpha, const void *A, int64_t lda, const void *beta, const void *B, int64_t ldb, void *C,
           int64_t ldc);
BODY(dgmm)(enum blas_type t, cublasHandle_t h, cublasSideMode_t mode, int64_t m, int64_t n, const void *A, int64_t lda,
           const void *x, int64_t incx, void *C, int64_t ldc);
BODY(tpttr)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *AP, void *A, int64_t lda);
BODY(trttp)(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *A, int64_t lda, void *AP);

// ---- factor.c: arrays of matrices
BODY(getrfBatched)(enum blas_type t, cublasHandle_t h, int64_t n, const void *A, int64_t lda, int *pivots, int *info,
                   int64_t count);
BODY(getriBatched)(enum blas_type t, cublasHandle_t h, int64_t n, const void *A, int64_t lda, const int *pivots,
                   const void *C, int64_t ldc, int *info, int64_t count);
BODY(getrsBatched)(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t n, int64_t nrhs, const void *A,
                   int64_t lda, const int *pivots, const void *B, int64_t ldb, int *info, int64_t count);
BODY(matinvBatched)(enum blas_type t, cublasHandle_t h, int64_t n, const void *A, int64_t lda, const void *C,
                    int64_t ldc, int *info, int64_t count);
BODY(geqrfBatched)(enum blas_type t, cublasHandle_t h, int64_t m, int64_t n, const void *A, int64_t lda,
                   const void *tau, int *info, int64_t count);
BODY(gelsBatched)(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n, int64_t nrhs,
                  const void *A, int64_t lda, const void *C, int64_t ldc, int *info, int *infos, int64_t count);

// ---- ex.c: functions with types as arguments
cudaDataType blas_data_type(enum blas_type t);
cublasComputeType_t blas_compute_type(enum blas_type t);
cublasStatus_t ex_nrm2(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, void *result,
                       cudaDataType rt, cudaDataType execution);
cublasStatus_t ex_asum(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, void *result,
                       cudaDataType rt, cudaDataType execution);
cublasStatus_t ex_dot(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, const void *y,
                      cudaDataType yt, int64_t incy, void *result, cudaDataType rt, cudaDataType execution,
                      bool conjugate);
cublasStatus_t ex_scal(cublasHandle_t h, int64_t n, const void *alpha, cudaDataType at, void *x, cudaDataType xt,
                       int64_t incx, cudaDataType execution);
cublasStatus_t ex_axpy(cublasHandle_t h, int64_t n, const void *alpha, cudaDataType at, const void *x, cudaDataType xt,
                       int64_t incx, void *y, cudaDataType yt, int64_t incy, cudaDataType execution);
cublasStatus_t ex_copy(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, void *y,
                       cudaDataType yt, int64_t incy);
cublasStatus_t ex_swap(cublasHandle_t h, int64_t n, void *x, cudaDataType xt, int64_t incx, void *y, cudaDataType yt,
                       int64_t incy);
cublasStatus_t ex_amax(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, void *result,
                       size_t size, bool most);
cublasStatus_t ex_rot(cublasHandle_t h, int64_t n, void *x, cudaDataType xt, int64_t incx, void *y, cudaDataType yt,
                      int64_t incy, const void *c, const void *s, cudaDataType cst, cudaDataType execution);
cublasStatus_t ex_rotg(cublasHandle_t h, void *a, void *b, cudaDataType abt, void *c, void *s, cudaDataType cst,
                       cudaDataType execution);
cublasStatus_t ex_rotm(cublasHandle_t h, int64_t n, void *x, cudaDataType xt, int64_t incx, void *y, cudaDataType yt,
                       int64_t incy, const void *param, cudaDataType pt, cudaDataType execution);
cublasStatus_t ex_rotmg(cublasHandle_t h, void *d1, cudaDataType d1t, void *d2, cudaDataType d2t, void *x1,
                        cudaDataType x1t, const void *y1, cudaDataType y1t, void *param, cudaDataType pt,
                        cudaDataType execution);
cublasStatus_t ex_gemm(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                       int64_t k, const void *alpha, const void *A, cudaDataType at, int64_t lda, const void *B,
                       cudaDataType bt, int64_t ldb, const void *beta, void *C, cudaDataType ct, int64_t ldc,
                       cublasComputeType_t compute);
cublasStatus_t ex_gemm_batched(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                               int64_t n, int64_t k, const void *alpha, const void *A, cudaDataType at, int64_t lda,
                               const void *B, cudaDataType bt, int64_t ldb, const void *beta, const void *C,
                               cudaDataType ct, int64_t ldc, int64_t count, cublasComputeType_t compute);
cublasStatus_t ex_gemm_strided(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                               int64_t n, int64_t k, const void *alpha, const void *A, cudaDataType at, int64_t lda,
                               int64_t stride_a, const void *B, cudaDataType bt, int64_t ldb, int64_t stride_b,
                               const void *beta, void *C, cudaDataType ct, int64_t ldc, int64_t stride_c, int64_t count,
                               cublasComputeType_t compute);
// size: of an integer in the arrays
cublasStatus_t ex_gemm_grouped(cublasHandle_t h, const cublasOperation_t *transa, const cublasOperation_t *transb,
                               const void *m, const void *n, const void *k, const void *alpha, const void *A,
                               cudaDataType at, const void *lda, const void *B, cudaDataType bt, const void *ldb,
                               const void *beta, const void *C, cudaDataType ct, const void *ldc, int64_t groups,
                               const void *sizes, cublasComputeType_t compute, size_t size);
cublasStatus_t ex_syrk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                       const void *alpha, const void *A, cudaDataType at, int64_t lda, const void *beta, void *C,
                       cudaDataType ct, int64_t ldc);
cublasStatus_t ex_herk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                       const void *alpha, const void *A, cudaDataType at, int64_t lda, const void *beta, void *C,
                       cudaDataType ct, int64_t ldc);
#endif
