// SPDX-License-Identifier: Apache-2.0
// Which types gemm takes.
#ifndef HEDDLE_CUBLAS_GEMM_H
#define HEDDLE_CUBLAS_GEMM_H
#include "cublas/compute/product.h"
#include "cublas/handle.h"

struct gemm_types {
    cudaDataType source, result, compute; // of A and B, of C, of the sums as the program names it
    enum product_type product;
    enum blas_type sums, store; // what sums are here, and how C is stored
};
// NULL: not supported.
const struct gemm_types *gemm_types_find(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute);
#endif
