// SPDX-License-Identifier: Apache-2.0
// cuBLAS of before CUDA 4: no handle, scalars by value, results returned, errors kept for cublasGetError.
#ifndef CUBLAS_H_
#define CUBLAS_H_
#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h have different functions of the same names: include one of them"
#endif
#include "cuda_runtime.h"
#include "cublas_api.h"

#if defined(__cplusplus)
extern "C" {
#endif
typedef cublasStatus_t cublasStatus;
#include "heddle/cublas/legacy_functions.h"
#if defined(__cplusplus)
}
#endif
#endif
