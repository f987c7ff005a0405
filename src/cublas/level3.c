// SPDX-License-Identifier: Apache-2.0
// Level 3 but gemm: products with a symmetric, Hermitian or triangular matrix, and products that are symmetric. The functions check and
// cut; kernel/level3.h has the work.
#include "cublas/level3.h"
#include "cublas/blas.h"

#define TEMPLATE "cublas/kernel/level3.h"
#include "library/number.h"
#undef TEMPLATE

#define KERNEL(letter, operation) LIBRARY_KERNEL("cublas_" #letter #operation, operation##_run_##letter, struct level3)
#define FOR_TYPES(operation)                                                                                           \
    static struct library_kernel operation##_kernels[] = {KERNEL(S, operation), KERNEL(D, operation),                  \
                                                          KERNEL(C, operation), KERNEL(Z, operation)};
FOR_TYPES(symm)
FOR_TYPES(rank)
FOR_TYPES(trmm)
FOR_TYPES(trsm)

// ---- symmetric and Hermitian ones
static cublasStatus_t sided(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                            struct level3 *l, const void *alpha, const void *beta)
{
    enum { TILE = 192 };
    BLAS_ENTER(h);
    BLAS_CHECK(blas_is_side(side) && blas_is_uplo(uplo) && l->m >= 0 && l->n >= 0);
    l->left = side == CUBLAS_SIDE_LEFT;
    BLAS_CHECK(blas_is_ld(l->lda, l->left ? l->m : l->n) && blas_is_ld(l->ldb, l->m) && blas_is_ld(l->ldc, l->m));
    if (!l->m || !l->n)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(alpha && beta);
    l->upper = uplo == CUBLAS_FILL_MODE_UPPER;
    l->alpha = scalar_of(h, t, alpha);
    l->beta = scalar_of(h, t, beta);
    l->tile_m = blas_min(TILE, l->m);
    l->tile_n = blas_min(TILE, l->n);
    l->tiles_m = product_pieces(l->m, l->tile_m);
    double work = 2.0 * (double)l->tile_m * (double)l->tile_n * (double)(l->left ? l->m : l->n);
    return blas_launch(h, &symm_kernels[t], (uint64_t)(l->tiles_m * product_pieces(l->n, l->tile_n)), work, l);
}

#define SIDED_BODY(name, herm)                                                                                         \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,       \
                               int64_t m, int64_t n, const void *alpha, const void *A, int64_t lda, const void *B,     \
                               int64_t ldb, const void *beta, void *C, int64_t ldc)                                    \
    {                                                                                                                  \
        struct level3 l = {                                                                                            \
            .m = m, .n = n, .a = A, .lda = lda, .b = B, .ldb = ldb, .c = C, .ldc = ldc, .hermitian = herm};            \
        return sided(t, h, side, uplo, &l, alpha, beta);                                                               \
    }
SIDED_BODY(symm, false)
SIDED_BODY(hemm, true)

// ---- rank k and 2k. at, bt: the types of alpha and beta. A complex symmetric product has no conjugated form, a Hermitian one no
// transposed one.
static cublasStatus_t rank(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,
                           struct level3 *l, enum blas_type at, const void *alpha, enum blas_type bt, const void *beta)
{
    BLAS_ENTER(h);
    bool is_complex = t == BLAS_C || t == BLAS_Z;
    BLAS_CHECK(blas_is_uplo(uplo) && l->n >= 0 && l->k >= 0 && (unsigned)trans <= CUBLAS_OP_C);
    BLAS_CHECK(!is_complex || trans == CUBLAS_OP_N || trans == (l->hermitian ? CUBLAS_OP_C : CUBLAS_OP_T));
    int64_t rows = trans == CUBLAS_OP_N ? l->n : l->k;
    BLAS_CHECK(blas_is_ld(l->lda, rows) && blas_is_ld(l->ldb, rows) && blas_is_ld(l->ldc, l->n));
    if (!l->n)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(alpha && beta);
    l->upper = uplo == CUBLAS_FILL_MODE_UPPER;
    l->transposed = trans != CUBLAS_OP_N;
    l->alpha = scalar_of(h, at, alpha);
    l->beta = scalar_of(h, bt, beta);
    int64_t tiles = product_pieces(l->n, RANK_TILE), edge = blas_min(l->n, RANK_TILE);
    double work = (l->two ? 4.0 : 2.0) * (double)edge * (double)edge * (double)blas_max(l->k, 1);
    return blas_launch(h, &rank_kernels[t], (uint64_t)(tiles * (tiles + 1) / 2), work, l);
}

#define RANK_K_BODY(name, herm, scalars)                                                                               \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,     \
                               int64_t n, int64_t k, const void *alpha, const void *A, int64_t lda, const void *beta,  \
                               void *C, int64_t ldc)                                                                   \
    {                                                                                                                  \
        struct level3 l = {                                                                                            \
            .n = n, .k = k, .a = A, .lda = lda, .b = A, .ldb = lda, .c = C, .ldc = ldc, .hermitian = herm};            \
        return rank(t, h, uplo, trans, &l, scalars, alpha, scalars, beta);                                             \
    }
#define RANK_2K_BODY(name, herm, both, beta_type)                                                                      \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,     \
                               int64_t n, int64_t k, const void *alpha, const void *A, int64_t lda, const void *B,     \
                               int64_t ldb, const void *beta, void *C, int64_t ldc)                                    \
    {                                                                                                                  \
        struct level3 l = {                                                                                            \
            .n = n, .k = k, .a = A, .lda = lda, .b = B, .ldb = ldb, .c = C, .ldc = ldc, .hermitian = herm};            \
        l.two = both;                                                                                                  \
        return rank(t, h, uplo, trans, &l, t, alpha, beta_type, beta);                                                 \
    }
RANK_K_BODY(syrk, false, t)
RANK_K_BODY(herk, true, blas_real(t))
RANK_2K_BODY(syr2k, false, true, t)
RANK_2K_BODY(her2k, true, true, blas_real(t))
RANK_2K_BODY(syrkx, false, false, t)
RANK_2K_BODY(herkx, true, false, blas_real(t))

// ---- triangular ones: panels of B that do not need each other, columns for A on the left, rows for A on the right
static cublasStatus_t triangular(enum blas_type t, struct library_kernel *kernels, cublasHandle_t h,
                                 cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                                 cublasDiagType_t diag, struct level3 *l, const void *alpha, int64_t count)
{
    enum { PANEL = 64 };
    BLAS_ENTER(h);
    BLAS_CHECK(blas_is_side(side) && blas_is_uplo(uplo) && (unsigned)trans <= CUBLAS_OP_C && blas_is_diag(diag));
    l->left = side == CUBLAS_SIDE_LEFT;
    BLAS_CHECK(l->m >= 0 && l->n >= 0 && count >= 0 && blas_is_ld(l->lda, l->left ? l->m : l->n) &&
               blas_is_ld(l->ldb, l->m) && blas_is_ld(l->ldc, l->m));
    if (!l->m || !l->n || !count)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(alpha);
    l->upper = uplo == CUBLAS_FILL_MODE_UPPER;
    l->transposed = trans != CUBLAS_OP_N;
    l->conjugated = trans == CUBLAS_OP_C;
    l->unit = diag == CUBLAS_DIAG_UNIT;
    l->alpha = scalar_of(h, t, alpha);
    int64_t all = l->left ? l->m : l->n, across = l->left ? l->n : l->m;
    l->tile_n = blas_min(PANEL, across);
    int64_t panels = product_pieces(across, l->tile_n);
    l->panels = l->panels ? panels : 0;
    return blas_launch(h, &kernels[t], (uint64_t)(panels * count), (double)all * (double)all * (double)l->tile_n, l);
}

cublasStatus_t blas_trmm(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                         cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const void *alpha,
                         const void *A, int64_t lda, const void *B, int64_t ldb, void *C, int64_t ldc)
{
    struct level3 l = {.m = m, .n = n, .a = A, .lda = lda, .b = B, .ldb = ldb, .c = C, .ldc = ldc};
    return triangular(t, trmm_kernels, h, side, uplo, trans, diag, &l, alpha, 1);
}

cublasStatus_t blas_trsm(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                         cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const void *alpha,
                         const void *A, int64_t lda, void *B, int64_t ldb)
{
    struct level3 l = {.m = m, .n = n, .a = A, .lda = lda, .ldb = ldb, .c = B, .ldc = ldb};
    return triangular(t, trsm_kernels, h, side, uplo, trans, diag, &l, alpha, 1);
}

cublasStatus_t blas_trsmBatched(enum blas_type t, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                                cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const void *alpha,
                                const void *A, int64_t lda, const void *B, int64_t ldb, int64_t count)
{
    struct level3 l = {.m = m, .n = n, .a = A, .lda = lda, .ldb = ldb, .ldc = ldb, .panels = 1};
    l.c = (void *)(uintptr_t)B;
    return triangular(t, trsm_kernels, h, side, uplo, trans, diag, &l, alpha, count);
}
