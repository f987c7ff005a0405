// SPDX-License-Identifier: Apache-2.0
// Functions with types as arguments: those of level 1, and syrk and herk of complex numbers. A combination that NVIDIA's library does
// not list is not supported.
#include "cublas/blas.h"

static const struct {
    enum blas_type type;
    cudaDataType data;
    cublasComputeType_t compute;
} types[] = {
    {BLAS_S, CUDA_R_32F, CUBLAS_COMPUTE_32F}, {BLAS_D, CUDA_R_64F, CUBLAS_COMPUTE_64F},
    {BLAS_C, CUDA_C_32F, CUBLAS_COMPUTE_32F}, {BLAS_Z, CUDA_C_64F, CUBLAS_COMPUTE_64F},
    {BLAS_H, CUDA_R_16F, CUBLAS_COMPUTE_16F}, {BLAS_B, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
    {BLAS_I, CUDA_R_32I, CUBLAS_COMPUTE_32I},
};
enum { TYPES = sizeof types / sizeof *types };

cudaDataType blas_data_type(enum blas_type t)
{
    unsigned i = 0;
    while (types[i].type != t)
        i++;
    return types[i].data;
}

cublasComputeType_t blas_compute_type(enum blas_type t)
{
    unsigned i = 0;
    while (types[i].type != t)
        i++;
    return types[i].compute;
}

static bool is_half(enum blas_type t)
{
    return t == BLAS_H || t == BLAS_B;
}

// The type of elements, and whether it may be computed in `execution`: in itself, half precision in float.
static bool type_find(cudaDataType data, cudaDataType execution, enum blas_type *out)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (types[i].data == data && types[i].type <= BLAS_B) {
            *out = types[i].type;
            return execution == (is_half(*out) ? CUDA_R_32F : data);
        }
    return false;
}

static bool scalar_find(cudaDataType data, enum blas_type *out)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (types[i].data == data) {
            *out = types[i].type;
            return types[i].type <= BLAS_B;
        }
    return false;
}

static bool is_real(enum blas_type t)
{
    return t != BLAS_C && t != BLAS_Z;
}

// A scalar for elements of type t: of the type itself, and float for half precision.
static bool scalar_fits(enum blas_type t, enum blas_type scalar)
{
    return scalar == (is_half(t) ? BLAS_S : t);
}

#define EX_TYPES(h, x_type, execution, t)                                                                              \
    enum blas_type t;                                                                                                  \
    BLAS_ENTER(h);                                                                                                     \
    if (!type_find(x_type, execution, &(t)))                                                                           \
    return CUBLAS_STATUS_NOT_SUPPORTED

// A norm's execution type may be the real one of complex elements.
static cudaDataType norm_execution(cudaDataType x, cudaDataType execution)
{
    return x == CUDA_C_32F && execution == CUDA_R_32F   ? CUDA_C_32F
           : x == CUDA_C_64F && execution == CUDA_R_64F ? CUDA_C_64F
                                                        : execution;
}

cublasStatus_t ex_nrm2(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, void *result,
                       cudaDataType rt, cudaDataType execution)
{
    EX_TYPES(h, xt, norm_execution(xt, execution), t);
    return rt == blas_data_type(blas_real(t)) ? blas_nrm2(t, h, n, x, incx, result) : CUBLAS_STATUS_NOT_SUPPORTED;
}

// Not of half precision: NVIDIA's library has none.
cublasStatus_t ex_asum(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, void *result,
                       cudaDataType rt, cudaDataType execution)
{
    EX_TYPES(h, xt, norm_execution(xt, execution), t);
    bool known = !is_half(t) && rt == blas_data_type(blas_real(t));
    return known ? blas_asum(t, h, n, x, incx, result) : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t ex_dot(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, const void *y,
                      cudaDataType yt, int64_t incy, void *result, cudaDataType rt, cudaDataType execution,
                      bool conjugate)
{
    EX_TYPES(h, xt, execution, t);
    if (yt != xt || rt != xt)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return conjugate && !is_real(t) ? blas_dotc(t, h, n, x, incx, y, incy, result)
                                    : blas_dotu(t, h, n, x, incx, y, incy, result);
}

cublasStatus_t ex_scal(cublasHandle_t h, int64_t n, const void *alpha, cudaDataType at, void *x, cudaDataType xt,
                       int64_t incx, cudaDataType execution)
{
    enum blas_type s;
    EX_TYPES(h, xt, execution, t);
    if (!scalar_find(at, &s) || !scalar_fits(t, s))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return level1_scal(t, h, n, s, alpha, x, incx);
}

cublasStatus_t ex_axpy(cublasHandle_t h, int64_t n, const void *alpha, cudaDataType at, const void *x, cudaDataType xt,
                       int64_t incx, void *y, cudaDataType yt, int64_t incy, cudaDataType execution)
{
    enum blas_type s;
    EX_TYPES(h, xt, execution, t);
    if (yt != xt || !scalar_find(at, &s) || !scalar_fits(t, s))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return level1_axpy(t, h, n, s, alpha, x, incx, y, incy);
}

cublasStatus_t ex_copy(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, void *y,
                       cudaDataType yt, int64_t incy)
{
    enum blas_type t;
    BLAS_ENTER(h);
    return xt == yt && scalar_find(xt, &t) ? blas_copy(t, h, n, x, incx, y, incy) : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t ex_swap(cublasHandle_t h, int64_t n, void *x, cudaDataType xt, int64_t incx, void *y, cudaDataType yt,
                       int64_t incy)
{
    enum blas_type t;
    BLAS_ENTER(h);
    return xt == yt && scalar_find(xt, &t) ? blas_swap(t, h, n, x, incx, y, incy) : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t ex_amax(cublasHandle_t h, int64_t n, const void *x, cudaDataType xt, int64_t incx, void *result,
                       size_t size, bool most)
{
    enum blas_type t;
    BLAS_ENTER(h);
    return scalar_find(xt, &t) ? blas_extreme(t, h, n, x, incx, result, size, most) : CUBLAS_STATUS_NOT_SUPPORTED;
}

// c is real where the elements are complex and s is too; both are real otherwise.
cublasStatus_t ex_rot(cublasHandle_t h, int64_t n, void *x, cudaDataType xt, int64_t incx, void *y, cudaDataType yt,
                      int64_t incy, const void *c, const void *s, cudaDataType cst, cudaDataType execution)
{
    enum blas_type cs;
    EX_TYPES(h, xt, execution, t);
    if (yt != xt || !scalar_find(cst, &cs) || (cs != t && cs != blas_real(t)))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return level1_rot(t, h, n, x, incx, y, incy, blas_real(cs), c, cs, s);
}

cublasStatus_t ex_rotg(cublasHandle_t h, void *a, void *b, cudaDataType abt, void *c, void *s, cudaDataType cst,
                       cudaDataType execution)
{
    EX_TYPES(h, abt, execution, t);
    return cst == abt && t <= BLAS_Z ? blas_rotg(t, h, a, b, c, s) : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t ex_rotm(cublasHandle_t h, int64_t n, void *x, cudaDataType xt, int64_t incx, void *y, cudaDataType yt,
                       int64_t incy, const void *param, cudaDataType pt, cudaDataType execution)
{
    EX_TYPES(h, xt, execution, t);
    if (yt != xt || pt != xt || t > BLAS_D)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return blas_rotm(t, h, n, x, incx, y, incy, param);
}

cublasStatus_t ex_rotmg(cublasHandle_t h, void *d1, cudaDataType d1t, void *d2, cudaDataType d2t, void *x1,
                        cudaDataType x1t, const void *y1, cudaDataType y1t, void *param, cudaDataType pt,
                        cudaDataType execution)
{
    EX_TYPES(h, d1t, execution, t);
    if (d2t != d1t || x1t != d1t || y1t != d1t || pt != d1t || t > BLAS_D)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return blas_rotmg(t, h, d1, d2, x1, y1, param);
}

// Of CUDA_C_8I, which NVIDIA's library takes for A too, there is nothing here.
cublasStatus_t ex_syrk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                       const void *alpha, const void *A, cudaDataType at, int64_t lda, const void *beta, void *C,
                       cudaDataType ct, int64_t ldc)
{
    BLAS_ENTER(h);
    if (at != CUDA_C_32F || ct != CUDA_C_32F)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return blas_syrk(BLAS_C, h, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);
}

cublasStatus_t ex_herk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                       const void *alpha, const void *A, cudaDataType at, int64_t lda, const void *beta, void *C,
                       cudaDataType ct, int64_t ldc)
{
    BLAS_ENTER(h);
    if (at != CUDA_C_32F || ct != CUDA_C_32F)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return blas_herk(BLAS_C, h, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);
}
