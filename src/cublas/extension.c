// SPDX-License-Identifier: Apache-2.0
// Extensions of level 3: sums of matrices, products with a diagonal one, and triangles packed and unpacked.
#include "cublas/blas.h"

struct extension {
    struct native_head head;
    int64_t m, n;
    const void *a, *b;
    void *c;
    int64_t lda, ldb, ldc, incx;
    struct scalar alpha, beta;
    bool a_transposed, a_conjugated, b_transposed, b_conjugated;
    bool left, upper, unpack;
    int64_t tiles_m;
};

enum { TILE = 64 };

#define TEMPLATE "cublas/kernel/extension.h"
#include "library/number.h"
#undef TEMPLATE

#define KERNEL(letter, operation)                                                                                      \
    LIBRARY_KERNEL("cublas_" #letter #operation, operation##_run_##letter, struct extension)
#define FOR_TYPES(operation)                                                                                           \
    static struct library_kernel operation##_kernels[] = {KERNEL(S, operation), KERNEL(D, operation),                  \
                                                          KERNEL(C, operation), KERNEL(Z, operation)};
FOR_TYPES(geam)
FOR_TYPES(dgmm)
FOR_TYPES(triangle)

static cublasStatus_t launch(cublasHandle_t h, struct library_kernel *k, struct extension *x)
{
    x->tiles_m = (x->m + TILE - 1) / TILE;
    return blas_launch(h, k, (uint64_t)(x->tiles_m * ((x->n + TILE - 1) / TILE)), TILE * TILE, x);
}

// C may be A or B where that is not transposed, with the same leading dimension.
cublasStatus_t blas_geam(enum blas_type t, cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                         int64_t m, int64_t n, const void *alpha, const void *A, int64_t lda, const void *beta,
                         const void *B, int64_t ldb, void *C, int64_t ldc)
{
    BLAS_ENTER(h);
    BLAS_CHECK((unsigned)transa <= CUBLAS_OP_C && (unsigned)transb <= CUBLAS_OP_C && m >= 0 && n >= 0 && alpha && beta);
    BLAS_CHECK(blas_is_ld(lda, transa == CUBLAS_OP_N ? m : n) && blas_is_ld(ldb, transb == CUBLAS_OP_N ? m : n) &&
               blas_is_ld(ldc, m));
    BLAS_CHECK((C != A || (transa == CUBLAS_OP_N && lda == ldc)) && (C != B || (transb == CUBLAS_OP_N && ldb == ldc)));
    if (!m || !n)
        return CUBLAS_STATUS_SUCCESS;
    struct extension x = {.m = m, .n = n, .a = A, .lda = lda, .b = B, .ldb = ldb, .c = C, .ldc = ldc};
    x.a_transposed = transa != CUBLAS_OP_N;
    x.a_conjugated = transa == CUBLAS_OP_C;
    x.b_transposed = transb != CUBLAS_OP_N;
    x.b_conjugated = transb == CUBLAS_OP_C;
    x.alpha = scalar_of(h, t, alpha);
    x.beta = scalar_of(h, t, beta);
    return launch(h, &geam_kernels[t], &x);
}

cublasStatus_t blas_dgmm(enum blas_type t, cublasHandle_t h, cublasSideMode_t mode, int64_t m, int64_t n, const void *A,
                         int64_t lda, const void *v, int64_t incx, void *C, int64_t ldc)
{
    BLAS_ENTER(h);
    BLAS_CHECK(blas_is_side(mode) && m >= 0 && n >= 0 && blas_is_ld(lda, m) && blas_is_ld(ldc, m));
    if (!m || !n)
        return CUBLAS_STATUS_SUCCESS;
    struct extension x = {.m = m, .n = n, .a = A, .lda = lda, .b = v, .incx = incx, .c = C, .ldc = ldc};
    x.left = mode == CUBLAS_SIDE_LEFT;
    return launch(h, &dgmm_kernels[t], &x);
}

static cublasStatus_t triangle(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *from,
                               void *to, int64_t ld, bool unpack)
{
    BLAS_ENTER(h);
    BLAS_CHECK(blas_is_uplo(uplo) && n >= 0 && blas_is_ld(ld, n));
    if (!n)
        return CUBLAS_STATUS_SUCCESS;
    struct extension x = {.m = n, .n = n, .a = from, .lda = ld, .c = to, .ldc = ld, .unpack = unpack};
    x.upper = uplo == CUBLAS_FILL_MODE_UPPER;
    return launch(h, &triangle_kernels[t], &x);
}

cublasStatus_t blas_tpttr(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *AP, void *A,
                          int64_t lda)
{
    return triangle(t, h, uplo, n, AP, A, lda, true);
}

cublasStatus_t blas_trttp(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const void *A,
                          int64_t lda, void *AP)
{
    return triangle(t, h, uplo, n, A, AP, lda, false);
}
