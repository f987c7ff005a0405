// SPDX-License-Identifier: Apache-2.0
// cublasXt: products of matrices that several devices share. Matrices may be the host's or any device's; a call returns when its
// result is there.
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_
#include "driver_types.h"
#include "cuComplex.h"
#include "cublas_v2.h"

#if defined(__cplusplus)
extern "C" {
#endif
struct cublasXtContext;
typedef struct cublasXtContext *cublasXtHandle_t;

typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;

typedef enum {
    CUBLASXT_FLOAT = 0,
    CUBLASXT_DOUBLE = 1,
    CUBLASXT_COMPLEX = 2,
    CUBLASXT_DOUBLECOMPLEX = 3,
} cublasXtOpType_t;

typedef enum {
    CUBLASXT_GEMM = 0,
    CUBLASXT_SYRK = 1,
    CUBLASXT_HERK = 2,
    CUBLASXT_SYMM = 3,
    CUBLASXT_HEMM = 4,
    CUBLASXT_TRSM = 5,
    CUBLASXT_SYR2K = 6,
    CUBLASXT_HER2K = 7,
    CUBLASXT_SPMM = 8,
    CUBLASXT_SYRKX = 9,
    CUBLASXT_HERKX = 10,
    CUBLASXT_TRMM = 11,
    CUBLASXT_ROUTINE_MAX = 12,
} cublasXtBlasOp_t;

#include "heddle/cublas/xt_functions.h"
#if defined(__cplusplus)
}
#endif
#endif
