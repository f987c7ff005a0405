// SPDX-License-Identifier: Apache-2.0
// A handle of cuBLAS is one of cuBLASLt, as long as it lives.
#include "product_test.h"
#include <cublas_v2.h>

int main()
{
    cublasHandle_t blas;
    int id = 0, n = 0;
    const cudaDataType S = CUDA_R_32F;
    OK(cublasCreate(&blas));
    handle = (cublasLtHandle_t)blas;
    for (int i = 0; i < 3; i++)
        run(job("by the handle of cuBLAS", CUBLAS_COMPUTE_32F, S, S, S));
    OK(cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, S, S, S, S, S, 1, &id, &n));
    CHECK(n == 1);
    HEDDLE_ONLY(WANT(cublasLtDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED)); // it is cuBLAS's to destroy
    OK(cublasDestroy(blas));
    HEDDLE_ONLY(WANT(cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, S, S, S, S, S, 1, &id, &n),
                     CUBLAS_STATUS_NOT_INITIALIZED);
                uint64_t words[8]; memset(words, 0x40, sizeof words);
                WANT(cublasLtMatmulAlgoGetIds((cublasLtHandle_t)words, CUBLAS_COMPUTE_32F, S, S, S, S, S, 1, &id, &n),
                     CUBLAS_STATUS_NOT_INITIALIZED));
    return summary();
}
