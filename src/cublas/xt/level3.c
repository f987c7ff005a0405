// SPDX-License-Identifier: Apache-2.0
// Level 3 but gemm. Products with a symmetric, Hermitian or triangular matrix, and triangular systems, go by panels of B: columns where
// that matrix is on the left, rows where it is on the right. Each is the same function of a smaller B, and panels do not
// need each other. Symmetric products go by squares of their triangle: on the diagonal the same function of fewer rows, beside it
// products of two panels.
#include "cublas/xt/xt.h"

// ---- panels. For triangular systems C is B.
struct sided {
    enum blas_type type;
    cublasSideMode_t side;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    cublasDiagType_t diag;
    int64_t m, n, lda, ldb, ldc;
    const void *alpha, *beta, *a, *b;
    void *c;
};
typedef cublasStatus_t sided_fn(cublasHandle_t h, const struct sided *s);

static cublasStatus_t symm(cublasHandle_t h, const struct sided *s)
{
    return blas_symm(s->type, h, s->side, s->uplo, s->m, s->n, s->alpha, s->a, s->lda, s->b, s->ldb, s->beta, s->c,
                     s->ldc);
}

static cublasStatus_t hemm(cublasHandle_t h, const struct sided *s)
{
    return blas_hemm(s->type, h, s->side, s->uplo, s->m, s->n, s->alpha, s->a, s->lda, s->b, s->ldb, s->beta, s->c,
                     s->ldc);
}

static cublasStatus_t trmm(cublasHandle_t h, const struct sided *s)
{
    return blas_trmm(s->type, h, s->side, s->uplo, s->trans, s->diag, s->m, s->n, s->alpha, s->a, s->lda, s->b, s->ldb,
                     s->c, s->ldc);
}

static cublasStatus_t trsm(cublasHandle_t h, const struct sided *s)
{
    return blas_trsm(s->type, h, s->side, s->uplo, s->trans, s->diag, s->m, s->n, s->alpha, s->a, s->lda, s->c, s->ldc);
}

static void panels(struct xt_run *r, const struct sided *s, sided_fn *function)
{
    bool left = s->side == CUBLAS_SIDE_LEFT;
    int64_t across = left ? s->n : s->m, block = r->h->block;
    for (int64_t at = 0; at < across; at += block) {
        struct sided p = *s;
        *(left ? &p.n : &p.m) = blas_min(block, across - at);
        p.b = xt_at(s->type, s->b, s->ldb, left ? 0 : at, left ? at : 0);
        p.c = xt_to(s->type, s->c, s->ldc, left ? 0 : at, left ? at : 0);
        if (!xt_did(r, function(xt_next(r), &p)))
            return;
    }
}

static cublasStatus_t sided(cublasXtHandle_t h, const struct sided *s, sided_fn *function)
{
    struct xt_run r;
    cublasStatus_t status = xt_enter(h);
    if (!status)
        status = function(h->checker, s);
    if (!status)
        status = xt_begin(&r, h);
    if (status)
        return status;
    panels(&r, s, function);
    return xt_end(&r);
}

#define SIDED_BODY(name)                                                                                               \
    XT_SIDED(name)                                                                                                     \
    {                                                                                                                  \
        struct sided s = {.type = t, .side = side, .uplo = uplo, .m = xt_size(m), .n = xt_size(n)};                    \
        s.lda = xt_size(lda), s.ldb = xt_size(ldb), s.ldc = xt_size(ldc);                                              \
        s.alpha = alpha, s.beta = beta, s.a = A, s.b = B, s.c = C;                                                     \
        return sided(h, &s, name);                                                                                     \
    }
SIDED_BODY(symm)
SIDED_BODY(hemm)

cublasStatus_t xt_trmm(enum blas_type t, cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                       cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const void *alpha,
                       const void *A, size_t lda, const void *B, size_t ldb, void *C, size_t ldc)
{
    struct sided s = {t,     side, uplo, trans, diag, xt_size(m), xt_size(n), xt_size(lda), xt_size(ldb), xt_size(ldc),
                      alpha, NULL, A,    B,     C};
    return sided(h, &s, trmm);
}

cublasStatus_t xt_trsm(enum blas_type t, cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                       cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const void *alpha,
                       const void *A, size_t lda, void *B, size_t ldb)
{
    struct sided s = {t,     side, uplo, trans, diag, xt_size(m), xt_size(n), xt_size(lda), xt_size(ldb), xt_size(ldb),
                      alpha, NULL, A,    B,     B};
    return sided(h, &s, trsm);
}

// ---- a packed matrix is unpacked first
static void unpacked_panels(struct xt_run *r, struct sided *s, const void *packed)
{
    void *whole = NULL;
    cublasHandle_t first = xt_next(r);
    cublasStatus_t status = blas_status(cudaMalloc(&whole, (size_t)(s->lda * s->lda) * blas_size(s->type)));
    if (!status)
        status = blas_tpttr(s->type, first, s->uplo, s->lda, packed, whole, s->lda);
    if (!status)
        status = blas_status(cudaStreamSynchronize(first->stream));
    s->a = whole;
    if (xt_did(r, status))
        panels(r, s, symm);
}

cublasStatus_t xt_spmm(enum blas_type t, cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, size_t m,
                       size_t n, const void *alpha, const void *AP, const void *B, size_t ldb, const void *beta,
                       void *C, size_t ldc)
{
    struct sided s = {.type = t, .side = side, .uplo = uplo, .m = xt_size(m), .n = xt_size(n)};
    s.lda = blas_max(side == CUBLAS_SIDE_LEFT ? s.m : s.n, 1), s.ldb = xt_size(ldb), s.ldc = xt_size(ldc);
    s.alpha = alpha, s.beta = beta, s.b = B, s.c = C;
    struct xt_run r;
    cublasStatus_t status = xt_enter(h);
    if (!status)
        status = symm(h->checker, &s);
    if (status || !m || !n)
        return status;
    BLAS_CHECK(s.lda <= INT64_MAX / 16 / s.lda);
    status = xt_begin(&r, h);
    if (status)
        return status;
    unpacked_panels(&r, &s, AP);
    status = xt_end(&r);
    cudaFree((void *)(uintptr_t)s.a);
    return status;
}

// ---- symmetric products
struct rank {
    enum blas_type type;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    int64_t n, k, lda, ldb, ldc;
    const void *alpha, *beta, *a, *b;
    void *c;
};

static cublasStatus_t syrk(cublasHandle_t h, const struct rank *s)
{
    return blas_syrk(s->type, h, s->uplo, s->trans, s->n, s->k, s->alpha, s->a, s->lda, s->beta, s->c, s->ldc);
}

static cublasStatus_t herk(cublasHandle_t h, const struct rank *s)
{
    return blas_herk(s->type, h, s->uplo, s->trans, s->n, s->k, s->alpha, s->a, s->lda, s->beta, s->c, s->ldc);
}

#define RANK_2K_PIECE(name)                                                                                            \
    static cublasStatus_t name(cublasHandle_t h, const struct rank *s)                                                 \
    {                                                                                                                  \
        return blas_##name(s->type, h, s->uplo, s->trans, s->n, s->k, s->alpha, s->a, s->lda, s->b, s->ldb, s->beta,   \
                           s->c, s->ldc);                                                                              \
    }
RANK_2K_PIECE(syr2k)
RANK_2K_PIECE(her2k)
RANK_2K_PIECE(syrkx)
RANK_2K_PIECE(herkx)

// two: of rank 2k, alpha op(A) op(B)' and the same with A and B exchanged, and alpha conjugated in Hermitian ones. Scalars that are real
// where the matrices are complex are said.
static const struct rank_kind {
    cublasStatus_t (*function)(cublasHandle_t h, const struct rank *s);
    bool hermitian, two, real_alpha, real_beta;
} kinds[] = {
    {syrk, false, false, false, false}, {herk, true, false, true, true},     {syr2k, false, true, false, false},
    {her2k, true, true, false, true},   {syrkx, false, false, false, false}, {herkx, true, false, false, true},
};
enum { SYRK, HERK, SYR2K, HER2K, SYRKX, HERKX };

// A scalar of the matrices' type.
union factor {
    float s[2];
    double d[2];
};

static union factor factor_of(enum blas_type t, const void *value, bool real, bool conjugate)
{
    union factor f = {.d = {0, 0}};
    memcpy(&f, value, blas_size(real ? blas_real(t) : t));
    if (conjugate && t == BLAS_C)
        f.s[1] = -f.s[1];
    if (conjugate && t == BLAS_Z)
        f.d[1] = -f.d[1];
    return f;
}

static const union factor *one_of(enum blas_type t)
{
    static const union factor single = {.s = {1, 0}}, twice = {.d = {1, 0}};
    return t == BLAS_S || t == BLAS_C ? &single : &twice;
}

// The square of C at (i, j) that the diagonal does not meet.
static cublasStatus_t square(cublasHandle_t h, const struct rank_kind *kind, const struct rank *s, int64_t i, int64_t j,
                             int64_t m, int64_t n)
{
    enum blas_type t = s->type;
    bool plain = s->trans == CUBLAS_OP_N;
    cublasOperation_t other = kind->hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    cublasOperation_t first = plain ? CUBLAS_OP_N : other, second = plain ? other : CUBLAS_OP_N;
    union factor alpha = factor_of(t, s->alpha, kind->real_alpha, false);
    union factor turned = factor_of(t, s->alpha, kind->real_alpha, kind->hermitian);
    union factor beta = factor_of(t, s->beta, kind->real_beta, false);
    void *c = xt_to(t, s->c, s->ldc, i, j);
    cublasStatus_t status =
        blas_gemm(t, h, first, second, m, n, s->k, &alpha, xt_op_at(t, s->a, s->lda, s->trans, i, 0), s->lda,
                  xt_op_at(t, s->b, s->ldb, s->trans, j, 0), s->ldb, &beta, c, s->ldc);
    if (status || !kind->two)
        return status;
    return blas_gemm(t, h, first, second, m, n, s->k, &turned, xt_op_at(t, s->b, s->ldb, s->trans, i, 0), s->ldb,
                     xt_op_at(t, s->a, s->lda, s->trans, j, 0), s->lda, one_of(t), c, s->ldc);
}

static cublasStatus_t corner(cublasHandle_t h, const struct rank_kind *kind, const struct rank *s, int64_t i, int64_t n)
{
    struct rank p = *s;
    p.n = n;
    p.a = xt_op_at(s->type, s->a, s->lda, s->trans, i, 0);
    p.b = xt_op_at(s->type, s->b, s->ldb, s->trans, i, 0);
    p.c = xt_to(s->type, s->c, s->ldc, i, i);
    return kind->function(h, &p);
}

static void triangle(struct xt_run *r, const struct rank_kind *kind, const struct rank *s)
{
    const int64_t block = r->h->block;
    bool upper = s->uplo == CUBLAS_FILL_MODE_UPPER;
    for (int64_t j = 0; j < s->n; j += block)
        for (int64_t i = upper ? 0 : j; i < (upper ? j + 1 : s->n); i += block) {
            int64_t m = blas_min(block, s->n - i), n = blas_min(block, s->n - j);
            cublasHandle_t h = xt_next(r);
            if (!xt_did(r, i == j ? corner(h, kind, s, i, n) : square(h, kind, s, i, j, m, n)))
                return;
        }
}

static cublasStatus_t rank(cublasXtHandle_t h, const struct rank_kind *kind, const struct rank *s)
{
    struct xt_run r;
    cublasStatus_t status = xt_enter(h);
    if (!status)
        status = kind->function(h->checker, s);
    if (!status)
        status = xt_begin(&r, h);
    if (status)
        return status;
    triangle(&r, kind, s);
    return xt_end(&r);
}

#define RANK_K_BODY(name, kind)                                                                                        \
    XT_RANK_K(name)                                                                                                    \
    {                                                                                                                  \
        struct rank s = {t,     uplo, trans, xt_size(n), xt_size(k), xt_size(lda), xt_size(lda), xt_size(ldc),         \
                         alpha, beta, A,     A,          C};                                                           \
        return rank(h, &kinds[kind], &s);                                                                              \
    }
#define RANK_2K_BODY(name, kind)                                                                                       \
    XT_RANK_2K(name)                                                                                                   \
    {                                                                                                                  \
        struct rank s = {t,     uplo, trans, xt_size(n), xt_size(k), xt_size(lda), xt_size(ldb), xt_size(ldc),         \
                         alpha, beta, A,     B,          C};                                                           \
        return rank(h, &kinds[kind], &s);                                                                              \
    }
RANK_K_BODY(syrk, SYRK)
RANK_K_BODY(herk, HERK)
RANK_2K_BODY(syr2k, SYR2K)
RANK_2K_BODY(her2k, HER2K)
RANK_2K_BODY(syrkx, SYRKX)
RANK_2K_BODY(herkx, HERKX)
