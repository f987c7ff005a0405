// SPDX-License-Identifier: Apache-2.0
// Level 2: a matrix and vectors. The functions check, and describe the matrix; kernel/level2.h has the work.
#include "cublas/level2.h"
#include "cublas/blas.h"

#define TEMPLATE "cublas/kernel/level2.h"
#include "library/number.h"
#undef TEMPLATE

// gemv of half precision: y as A and x, or in float.
#define FN(name) name##_H
#define E        uint16_t
#define T        float
#define LOAD     half_to_float
#define STORE    half_of_float
#define CONJ(t)  (t)
#define ONLY_GEMV
#include "cublas/kernel/level2.h"
#undef FN
#define FN(name)   name##_HS
#define F          float
#define LOAD_F(t)  (t)
#define STORE_F(t) (t)
#include "cublas/kernel/level2.h"
#undef F
#undef LOAD_F
#undef STORE_F
#undef FN
#undef LOAD
#undef STORE
#define FN(name) name##_B
#define LOAD     bfloat_to_float
#define STORE    bfloat_of_float
#include "cublas/kernel/level2.h"
#undef FN
#define FN(name)   name##_BS
#define F          float
#define LOAD_F(t)  (t)
#define STORE_F(t) (t)
#include "cublas/kernel/level2.h"

#define KERNEL(letter, operation)                                                                                      \
    [BLAS_##letter] = LIBRARY_KERNEL("cublas_" #letter #operation, operation##_run_##letter, struct level2)
#define FOR_TYPES(operation)                                                                                           \
    static struct library_kernel operation##_kernels[] = {KERNEL(S, operation), KERNEL(D, operation),                  \
                                                          KERNEL(C, operation), KERNEL(Z, operation)};
FOR_TYPES(symv)
FOR_TYPES(trmv)
FOR_TYPES(trsv)
FOR_TYPES(ger)
FOR_TYPES(syr)
static struct library_kernel gemv_kernels[BLAS_TYPES] = {KERNEL(S, gemv),  KERNEL(D, gemv), KERNEL(C, gemv),
                                                         KERNEL(Z, gemv),  KERNEL(H, gemv), KERNEL(B, gemv),
                                                         KERNEL(HS, gemv), KERNEL(BS, gemv)};

// Cuts `lines` of so many elements each into parts of some ten thousand elements, of 512 lines at most, and 8 at least.
static uint64_t cut(struct level2 *l, int64_t lines, int64_t each)
{
    enum { ELEMENTS = 32768, MOST = 512, LEAST = 8 };
    int64_t rows = ELEMENTS / blas_max(each, 1);
    rows = rows < LEAST ? LEAST : rows > MOST ? MOST : rows - rows % LEAST;
    l->rows = rows;
    return (uint64_t)((lines + rows - 1) / rows);
}

static cublasStatus_t launch(cublasHandle_t h, struct library_kernel *k, struct level2 *l, int64_t lines, int64_t each)
{
    uint64_t parts = cut(l, lines, each);
    return blas_launch(h, k, parts, 2.0 * (double)blas_min(lines, l->rows) * (double)each, l);
}

static void transpose(struct level2 *l, cublasOperation_t trans)
{
    l->transposed = trans == CUBLAS_OP_T || trans == CUBLAS_OP_C;
    l->conjugated = trans == CUBLAS_OP_C || trans == CUBLAS_OP_CONJG;
}

// ---- general matrices
cublasStatus_t blas_gemv(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n,
                         const void *alpha, const void *A, int64_t lda, const void *x, int64_t incx, const void *beta,
                         void *y, int64_t incy)
{
    BLAS_ENTER(h);
    BLAS_CHECK(m >= 0 && n >= 0 && (unsigned)trans <= CUBLAS_OP_C && blas_is_ld(lda, m) && incx && incy && alpha &&
               beta);
    if (!m || !n)
        return CUBLAS_STATUS_SUCCESS;
    struct level2 l = {
        .m = m, .n = n, .a = (void *)(uintptr_t)A, .lda = lda, .x = x, .incx = incx, .y = y, .incy = incy};
    l.alpha = scalar_of(h, blas_scalar(t), alpha);
    l.beta = scalar_of(h, blas_scalar(t), beta);
    transpose(&l, trans);
    return l.transposed ? launch(h, &gemv_kernels[t], &l, n, m) : launch(h, &gemv_kernels[t], &l, m, n);
}

cublasStatus_t blas_gbmv(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl,
                         int64_t ku, const void *alpha, const void *A, int64_t lda, const void *x, int64_t incx,
                         const void *beta, void *y, int64_t incy)
{
    BLAS_ENTER(h);
    BLAS_CHECK(m >= 0 && n >= 0 && kl >= 0 && ku >= 0 && (unsigned)trans <= CUBLAS_OP_C && lda >= kl + ku + 1 && incx &&
               incy && alpha && beta);
    if (!m || !n)
        return CUBLAS_STATUS_SUCCESS;
    struct level2 l = {.storage = STORED_BAND,
                       .m = m,
                       .n = n,
                       .kl = kl,
                       .ku = ku,
                       .a = (void *)(uintptr_t)A,
                       .lda = lda,
                       .x = x,
                       .incx = incx,
                       .y = y,
                       .incy = incy};
    l.alpha = scalar_of(h, t, alpha);
    l.beta = scalar_of(h, t, beta);
    transpose(&l, trans);
    return launch(h, &gemv_kernels[t], &l, l.transposed ? n : m, kl + ku + 1);
}

static cublasStatus_t batch(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, const void *alpha,
                            const void *beta, int64_t count, struct level2 *l)
{
    BLAS_ENTER(h);
    BLAS_CHECK(l->m >= 0 && l->n >= 0 && count >= 0 && (unsigned)trans <= CUBLAS_OP_C && blas_is_ld(l->lda, l->m) &&
               l->incx && l->incy && alpha && beta);
    if (!l->m || !l->n || !count)
        return CUBLAS_STATUS_SUCCESS;
    l->alpha = scalar_of(h, blas_scalar(t), alpha);
    l->beta = scalar_of(h, blas_scalar(t), beta);
    transpose(l, trans);
    int64_t lines = l->transposed ? l->n : l->m, each = l->transposed ? l->m : l->n;
    l->parts = (int64_t)cut(l, lines, each);
    return blas_launch(h, &gemv_kernels[t], (uint64_t)(l->parts * count),
                       2.0 * (double)blas_min(lines, l->rows) * (double)each, l);
}

cublasStatus_t blas_gemvBatched(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n,
                                const void *alpha, const void *A, int64_t lda, const void *x, int64_t incx,
                                const void *beta, const void *y, int64_t incy, int64_t count)
{
    struct level2 l = {.m = m, .n = n, .lda = lda, .incx = incx, .incy = incy, .pointers = true};
    l.a = (void *)(uintptr_t)A;
    l.x = x;
    l.y = (void *)(uintptr_t)y;
    return batch(t, h, trans, alpha, beta, count, &l);
}

cublasStatus_t blas_gemvStridedBatched(enum blas_type t, cublasHandle_t h, cublasOperation_t trans, int64_t m,
                                       int64_t n, const void *alpha, const void *A, int64_t lda, int64_t stride_a,
                                       const void *x, int64_t incx, int64_t stride_x, const void *beta, void *y,
                                       int64_t incy, int64_t stride_y, int64_t count)
{
    struct level2 l = {.m = m, .n = n, .lda = lda, .incx = incx, .incy = incy};
    l.a = (void *)(uintptr_t)A;
    l.x = x;
    l.y = y;
    l.stride_a = stride_a;
    l.stride_x = stride_x;
    l.stride_y = stride_y;
    return batch(t, h, trans, alpha, beta, count, &l);
}

// ---- symmetric and Hermitian ones. A band of k diagonals is on one side of the main one.
static struct level2 stored(enum storage storage, cublasFillMode_t uplo, int64_t n, int64_t k, const void *A,
                            int64_t lda)
{
    bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    return (struct level2){.storage = storage,
                           .upper = upper,
                           .m = n,
                           .n = n,
                           .kl = upper ? 0 : k,
                           .ku = upper ? k : 0,
                           .a = (void *)(uintptr_t)A,
                           .lda = lda};
}

static bool is_stored(const struct level2 *l)
{
    return l->n >= 0 && (l->storage == STORED_PACKED ||
                         (l->storage == STORED_BAND ? l->kl >= 0 && l->ku >= 0 && l->lda > l->kl + l->ku
                                                    : blas_is_ld(l->lda, l->n)));
}

static cublasStatus_t symmetric(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, struct level2 l,
                                bool hermitian, const void *alpha, const void *x, int64_t incx, const void *beta,
                                void *y, int64_t incy)
{
    BLAS_ENTER(h);
    BLAS_CHECK(blas_is_uplo(uplo) && is_stored(&l) && incx && incy && alpha && beta);
    if (!l.n)
        return CUBLAS_STATUS_SUCCESS;
    l.hermitian = hermitian;
    l.x = x;
    l.incx = incx;
    l.y = y;
    l.incy = incy;
    l.alpha = scalar_of(h, t, alpha);
    l.beta = scalar_of(h, t, beta);
    return launch(h, &symv_kernels[t], &l, l.n, l.n);
}

#define SYMMETRIC_BODY(name, hermitian)                                                                                \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n,                   \
                               const void *alpha, const void *A, int64_t lda, const void *x, int64_t incx,             \
                               const void *beta, void *y, int64_t incy)                                                \
    {                                                                                                                  \
        return symmetric(t, h, uplo, stored(STORED_FULL, uplo, n, 0, A, lda), hermitian, alpha, x, incx, beta, y,      \
                         incy);                                                                                        \
    }
#define SYMMETRIC_BAND_BODY(name, hermitian)                                                                           \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t k,        \
                               const void *alpha, const void *A, int64_t lda, const void *x, int64_t incx,             \
                               const void *beta, void *y, int64_t incy)                                                \
    {                                                                                                                  \
        return symmetric(t, h, uplo, stored(STORED_BAND, uplo, n, k, A, lda), hermitian, alpha, x, incx, beta, y,      \
                         incy);                                                                                        \
    }
#define SYMMETRIC_PACKED_BODY(name, hermitian)                                                                         \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n,                   \
                               const void *alpha, const void *AP, const void *x, int64_t incx, const void *beta,       \
                               void *y, int64_t incy)                                                                  \
    {                                                                                                                  \
        return symmetric(t, h, uplo, stored(STORED_PACKED, uplo, n, 0, AP, 0), hermitian, alpha, x, incx, beta, y,     \
                         incy);                                                                                        \
    }
SYMMETRIC_BODY(symv, false)
SYMMETRIC_BODY(hemv, true)
SYMMETRIC_BAND_BODY(sbmv, false)
SYMMETRIC_BAND_BODY(hbmv, true)
SYMMETRIC_PACKED_BODY(spmv, false)
SYMMETRIC_PACKED_BODY(hpmv, true)

// ---- triangular ones, each one part: an element needs the ones before it
static cublasStatus_t triangular(struct library_kernel *k, cublasHandle_t h, cublasFillMode_t uplo,
                                 cublasOperation_t trans, cublasDiagType_t diag, struct level2 l, void *x, int64_t incx)
{
    BLAS_ENTER(h);
    BLAS_CHECK(blas_is_uplo(uplo) && (unsigned)trans <= CUBLAS_OP_C && blas_is_diag(diag) && is_stored(&l) && incx);
    if (!l.n)
        return CUBLAS_STATUS_SUCCESS;
    l.unit = diag == CUBLAS_DIAG_UNIT;
    l.y = x;
    l.incy = incx;
    transpose(&l, trans);
    return blas_launch(h, k, 1, (double)l.n * (double)l.n, &l);
}

#define TRIANGULAR_BODIES(full, band, packed, kernels)                                                                 \
    cublasStatus_t blas_##full(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,     \
                               cublasDiagType_t diag, int64_t n, const void *A, int64_t lda, void *x, int64_t incx)    \
    {                                                                                                                  \
        return triangular(&kernels[t], h, uplo, trans, diag, stored(STORED_FULL, uplo, n, 0, A, lda), x, incx);        \
    }                                                                                                                  \
    cublasStatus_t blas_##band(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,     \
                               cublasDiagType_t diag, int64_t n, int64_t k, const void *A, int64_t lda, void *x,       \
                               int64_t incx)                                                                           \
    {                                                                                                                  \
        return triangular(&kernels[t], h, uplo, trans, diag, stored(STORED_BAND, uplo, n, k, A, lda), x, incx);        \
    }                                                                                                                  \
    cublasStatus_t blas_##packed(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                 cublasDiagType_t diag, int64_t n, const void *AP, void *x, int64_t incx)              \
    {                                                                                                                  \
        return triangular(&kernels[t], h, uplo, trans, diag, stored(STORED_PACKED, uplo, n, 0, AP, 0), x, incx);       \
    }
TRIANGULAR_BODIES(trmv, tbmv, tpmv, trmv_kernels)
TRIANGULAR_BODIES(trsv, tbsv, tpsv, trsv_kernels)

// ---- rank one and two
static cublasStatus_t outer(enum blas_type t, cublasHandle_t h, int64_t m, int64_t n, const void *alpha, const void *x,
                            int64_t incx, const void *y, int64_t incy, void *A, int64_t lda, bool conjugated)
{
    BLAS_ENTER(h);
    BLAS_CHECK(m >= 0 && n >= 0 && incx && incy && blas_is_ld(lda, m) && alpha);
    if (!m || !n)
        return CUBLAS_STATUS_SUCCESS;
    struct level2 l = {
        .m = m, .n = n, .a = A, .lda = lda, .x = x, .incx = incx, .incy = incy, .conjugated = conjugated};
    l.y = (void *)(uintptr_t)y;
    l.alpha = scalar_of(h, t, alpha);
    return launch(h, &ger_kernels[t], &l, n, m);
}

cublasStatus_t blas_geru(enum blas_type t, cublasHandle_t h, int64_t m, int64_t n, const void *alpha, const void *x,
                         int64_t incx, const void *y, int64_t incy, void *A, int64_t lda)
{
    return outer(t, h, m, n, alpha, x, incx, y, incy, A, lda, false);
}

cublasStatus_t blas_gerc(enum blas_type t, cublasHandle_t h, int64_t m, int64_t n, const void *alpha, const void *x,
                         int64_t incx, const void *y, int64_t incy, void *A, int64_t lda)
{
    return outer(t, h, m, n, alpha, x, incx, y, incy, A, lda, true);
}

// y NULL: rank one.
static cublasStatus_t rank(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, struct level2 l, bool hermitian,
                           enum blas_type at, const void *alpha, const void *x, int64_t incx, bool two, const void *y,
                           int64_t incy)
{
    BLAS_ENTER(h);
    BLAS_CHECK(blas_is_uplo(uplo) && is_stored(&l) && incx && incy && alpha && (!two || y || !l.n));
    if (!l.n)
        return CUBLAS_STATUS_SUCCESS;
    l.hermitian = hermitian;
    l.x = x;
    l.incx = incx;
    l.y = two ? (void *)(uintptr_t)y : NULL;
    l.incy = incy;
    l.alpha = scalar_of(h, at, alpha);
    return launch(h, &syr_kernels[t], &l, l.n, l.n);
}

#define RANK1_BODY(name, hermitian, at)                                                                                \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n,                   \
                               const void *alpha, const void *x, int64_t incx, void *A, int64_t lda)                   \
    {                                                                                                                  \
        return rank(t, h, uplo, stored(STORED_FULL, uplo, n, 0, A, lda), hermitian, at, alpha, x, incx, false, NULL,   \
                    1);                                                                                                \
    }
#define RANK1_PACKED_BODY(name, hermitian, at)                                                                         \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n,                   \
                               const void *alpha, const void *x, int64_t incx, void *AP)                               \
    {                                                                                                                  \
        return rank(t, h, uplo, stored(STORED_PACKED, uplo, n, 0, AP, 0), hermitian, at, alpha, x, incx, false, NULL,  \
                    1);                                                                                                \
    }
#define RANK2_BODY(name, hermitian)                                                                                    \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n,                   \
                               const void *alpha, const void *x, int64_t incx, const void *y, int64_t incy, void *A,   \
                               int64_t lda)                                                                            \
    {                                                                                                                  \
        return rank(t, h, uplo, stored(STORED_FULL, uplo, n, 0, A, lda), hermitian, t, alpha, x, incx, true, y, incy); \
    }
#define RANK2_PACKED_BODY(name, hermitian)                                                                             \
    cublasStatus_t blas_##name(enum blas_type t, cublasHandle_t h, cublasFillMode_t uplo, int64_t n,                   \
                               const void *alpha, const void *x, int64_t incx, const void *y, int64_t incy, void *AP)  \
    {                                                                                                                  \
        return rank(t, h, uplo, stored(STORED_PACKED, uplo, n, 0, AP, 0), hermitian, t, alpha, x, incx, true, y,       \
                    incy);                                                                                             \
    }
RANK1_BODY(syr, false, t)
RANK1_BODY(her, true, blas_real(t))
RANK1_PACKED_BODY(spr, false, t)
RANK1_PACKED_BODY(hpr, true, blas_real(t))
RANK2_BODY(syr2, false)
RANK2_BODY(her2, true)
RANK2_PACKED_BODY(spr2, false)
RANK2_PACKED_BODY(hpr2, true)
