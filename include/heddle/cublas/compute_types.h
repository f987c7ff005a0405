// SPDX-License-Identifier: Apache-2.0
// The functions with a compute type, for C++ programs that still name it by a type of numbers, as before CUDA 11.
#ifndef HEDDLE_CUBLAS_COMPUTE_TYPES_H
#define HEDDLE_CUBLAS_COMPUTE_TYPES_H

static inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t __handle, cudaDataType_t __type,
                                                      cublasComputeType_t *__compute)
{
    cublasMath_t __mode = CUBLAS_DEFAULT_MATH;
    cublasStatus_t __status = cublasGetMathMode(__handle, &__mode);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    bool __exact = (__mode & 0xf) == CUBLAS_PEDANTIC_MATH;
    if (__type == CUDA_R_32F || __type == CUDA_C_32F)
        *__compute = __exact ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
    else if (__type == CUDA_R_64F || __type == CUDA_C_64F)
        *__compute = __exact ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
    else if (__type == CUDA_R_16F)
        *__compute = __exact ? CUBLAS_COMPUTE_16F_PEDANTIC : CUBLAS_COMPUTE_16F;
    else if (__type == CUDA_R_32I)
        *__compute = __exact ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I;
    else
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return CUBLAS_STATUS_SUCCESS;
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                          cublasOperation_t __transb, int __m, int __n, int __k, const void *__alpha,
                                          const void *__A, cudaDataType __Atype, int __lda, const void *__B,
                                          cudaDataType __Btype, int __ldb, const void *__beta, void *__C,
                                          cudaDataType __Ctype, int __ldc, cudaDataType __type, cublasGemmAlgo_t __algo)
{
    cublasComputeType_t __compute = CUBLAS_COMPUTE_32F;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __type, &__compute);
    return __status != CUBLAS_STATUS_SUCCESS
               ? __status
               : cublasGemmEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype, __lda, __B, __Btype,
                              __ldb, __beta, __C, __Ctype, __ldc, __compute, __algo);
}

static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                                 cublasOperation_t __transb, int __m, int __n, int __k,
                                                 const void *__alpha, const void *const __A[], cudaDataType __Atype,
                                                 int __lda, const void *const __B[], cudaDataType __Btype, int __ldb,
                                                 const void *__beta, void *const __C[], cudaDataType __Ctype, int __ldc,
                                                 int __count, cudaDataType __type, cublasGemmAlgo_t __algo)
{
    cublasComputeType_t __compute = CUBLAS_COMPUTE_32F;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __type, &__compute);
    return __status != CUBLAS_STATUS_SUCCESS
               ? __status
               : cublasGemmBatchedEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype, __lda, __B,
                                     __Btype, __ldb, __beta, __C, __Ctype, __ldc, __count, __compute, __algo);
}

static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, int __m,
                           int __n, int __k, const void *__alpha, const void *__A, cudaDataType __Atype, int __lda,
                           long long int __strideA, const void *__B, cudaDataType __Btype, int __ldb,
                           long long int __strideB, const void *__beta, void *__C, cudaDataType __Ctype, int __ldc,
                           long long int __strideC, int __count, cudaDataType __type, cublasGemmAlgo_t __algo)
{
    cublasComputeType_t __compute = CUBLAS_COMPUTE_32F;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __type, &__compute);
    return __status != CUBLAS_STATUS_SUCCESS
               ? __status
               : cublasGemmStridedBatchedEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype, __lda,
                                            __strideA, __B, __Btype, __ldb, __strideB, __beta, __C, __Ctype, __ldc,
                                            __strideC, __count, __compute, __algo);
}
#endif
