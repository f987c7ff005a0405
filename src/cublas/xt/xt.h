// SPDX-License-Identifier: Apache-2.0
// cublasXt: the handle, and one call's way through it.
//
// C is cut into squares of the handle's block dimension, or into panels where the squares of a column or row need each other. A piece is
// a call of cuBLAS's own body on one of the chosen devices, which take turns. Pieces write different elements and no sum is
// cut, so that they need no order. A matrix of the host is read and written where it is: device memory is host memory.
#ifndef HEDDLE_CUBLAS_XT_XT_H
#define HEDDLE_CUBLAS_XT_XT_H
#include "cublas/blas.h"
#include <cublasXt.h>

struct xt_device {
    int id;
    cudaStream_t stream;
    cublasHandle_t blas; // of this stream
};

// What the program gave for a part of the work that the host does: a routine of Fortran's BLAS, and its share of C.
struct xt_cpu {
    void *routine;
    float ratio;
};

struct cublasXtContext {
    struct library_handle base;
    int block, pinning, count;
    struct xt_device *devices;
    cublasHandle_t checker; // its calls check their arguments and launch nothing
    struct xt_cpu gemm[CUBLASXT_DOUBLECOMPLEX + 1];
};

// ---- one call
struct xt_run {
    cublasXtHandle_t h;
    int device;   // the program's, current again at the end
    int64_t next; // the piece that is next
    cublasStatus_t status;
};
// Whether the handle lives and has devices.
cublasStatus_t xt_enter(cublasXtHandle_t h);
// What has been queued in the default streams of the device that is current is done when this returns. Not SUCCESS: the call ends with that.
cublasStatus_t xt_begin(struct xt_run *r, cublasXtHandle_t h);
// The handle for the next piece; its device is current.
cublasHandle_t xt_next(struct xt_run *r);
// A piece's status; false: no more of them.
bool xt_did(struct xt_run *r, cublasStatus_t status);
// Waits for all pieces.
cublasStatus_t xt_end(struct xt_run *r);

// Element (i, j) of a matrix; of op(A) the one that is stored for it.
static inline const char *xt_at(enum blas_type t, const void *a, int64_t ld, int64_t i, int64_t j)
{
    return (const char *)a + (i + j * ld) * (int64_t)blas_size(t);
}
static inline const char *xt_op_at(enum blas_type t, const void *a, int64_t ld, cublasOperation_t op, int64_t i,
                                   int64_t j)
{
    return op == CUBLAS_OP_N ? xt_at(t, a, ld, i, j) : xt_at(t, a, ld, j, i);
}
static inline char *xt_to(enum blas_type t, void *c, int64_t ld, int64_t i, int64_t j)
{
    return (char *)c + (i + j * ld) * (int64_t)blas_size(t);
}
// A size of the program's; one that no memory has becomes one that is refused.
static inline int64_t xt_size(size_t n)
{
    return n > INT64_MAX ? -1 : (int64_t)n;
}

// ---- helper.c: bodies
cublasStatus_t xt_create(cublasXtHandle_t *handle);
cublasStatus_t xt_destroy(cublasXtHandle_t h);
cublasStatus_t xt_count_boards(int count, const int *devices, int *boards);
cublasStatus_t xt_most_boards(int *boards);
cublasStatus_t xt_select(cublasXtHandle_t h, int count, const int *devices);
cublasStatus_t xt_set_block(cublasXtHandle_t h, int block);
cublasStatus_t xt_get_block(cublasXtHandle_t h, int *block);
cublasStatus_t xt_set_pinning(cublasXtHandle_t h, cublasXtPinnedMemMode_t mode);
cublasStatus_t xt_get_pinning(cublasXtHandle_t h, cublasXtPinnedMemMode_t *mode);
cublasStatus_t xt_set_routine(cublasXtHandle_t h, cublasXtBlasOp_t op, cublasXtOpType_t type, void *routine);
cublasStatus_t xt_set_ratio(cublasXtHandle_t h, cublasXtBlasOp_t op, cublasXtOpType_t type, float ratio);

// ---- gemm.c, level3.c: bodies. Arguments are those of the functions.
cublasStatus_t xt_gemm(enum blas_type t, cublasXtHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                       size_t m, size_t n, size_t k, const void *alpha, const void *A, size_t lda, const void *B,
                       size_t ldb, const void *beta, void *C, size_t ldc);
#define XT_SIDED(name)                                                                                                 \
    cublasStatus_t xt_##name(enum blas_type t, cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,       \
                             size_t m, size_t n, const void *alpha, const void *A, size_t lda, const void *B,          \
                             size_t ldb, const void *beta, void *C, size_t ldc)
#define XT_RANK_K(name)                                                                                                \
    cublasStatus_t xt_##name(enum blas_type t, cublasXtHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,     \
                             size_t n, size_t k, const void *alpha, const void *A, size_t lda, const void *beta,       \
                             void *C, size_t ldc)
#define XT_RANK_2K(name)                                                                                               \
    cublasStatus_t xt_##name(enum blas_type t, cublasXtHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,     \
                             size_t n, size_t k, const void *alpha, const void *A, size_t lda, const void *B,          \
                             size_t ldb, const void *beta, void *C, size_t ldc)
XT_SIDED(symm);
XT_SIDED(hemm);
XT_RANK_K(syrk);
XT_RANK_K(herk);
XT_RANK_2K(syr2k);
XT_RANK_2K(her2k);
XT_RANK_2K(syrkx);
XT_RANK_2K(herkx);
cublasStatus_t xt_spmm(enum blas_type t, cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, size_t m,
                       size_t n, const void *alpha, const void *AP, const void *B, size_t ldb, const void *beta,
                       void *C, size_t ldc);
cublasStatus_t xt_trmm(enum blas_type t, cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                       cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const void *alpha,
                       const void *A, size_t lda, const void *B, size_t ldb, void *C, size_t ldc);
cublasStatus_t xt_trsm(enum blas_type t, cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                       cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const void *alpha,
                       const void *A, size_t lda, void *B, size_t ldb);
#endif
