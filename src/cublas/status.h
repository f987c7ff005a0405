// SPDX-License-Identifier: Apache-2.0
// The status of cuBLAS and cuBLASLt that stands for an error of the runtime.
#ifndef HEDDLE_CUBLAS_STATUS_H
#define HEDDLE_CUBLAS_STATUS_H
#include <cublas_api.h>
#include <cuda_runtime_api.h>

static inline cublasStatus_t blas_status(cudaError_t e)
{
    return e == cudaSuccess                 ? CUBLAS_STATUS_SUCCESS
           : e == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
           : e == cudaErrorInvalidValue     ? CUBLAS_STATUS_INVALID_VALUE
                                            : CUBLAS_STATUS_EXECUTION_FAILED;
}
#endif
