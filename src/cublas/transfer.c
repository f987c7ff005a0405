// SPDX-License-Identifier: Apache-2.0
// Vectors and matrices to the device and back. A vector with steps is a matrix of one row.
#include "cublas/handle.h"

static cublasStatus_t copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
                           cudaStream_t stream, bool wait)
{
    cudaError_t e = wait ? cudaMemcpy2D(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDefault)
                         : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDefault, stream);
    return e ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t transfer_vector(int64_t n, int64_t size, const void *x, int64_t incx, void *y, int64_t incy,
                               cudaStream_t stream, bool wait)
{
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(n > 0 && size > 0 && incx > 0 && incy > 0 && x && y);
    if (incx == 1 && incy == 1)
        return copy(y, (size_t)(n * size), x, (size_t)(n * size), (size_t)(n * size), 1, stream, wait);
    return copy(y, (size_t)(incy * size), x, (size_t)(incx * size), (size_t)size, (size_t)n, stream, wait);
}

cublasStatus_t transfer_matrix(int64_t rows, int64_t cols, int64_t size, const void *A, int64_t lda, void *B,
                               int64_t ldb, cudaStream_t stream, bool wait)
{
    if (rows == 0 || cols == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(rows > 0 && cols > 0 && size > 0 && lda >= rows && ldb >= rows && A && B);
    return copy(B, (size_t)(ldb * size), A, (size_t)(lda * size), (size_t)(rows * size), (size_t)cols, stream, wait);
}
