// SPDX-License-Identifier: Apache-2.0
// Orthogonal matrices from reflections, products with them, and reductions to tridiagonal and bidiagonal form.
#include "cusolver/dense.h"

#define TEMPLATE "cusolver/kernel/orthogonal.h"
#include "library/number.h"
#undef TEMPLATE
KERNELS(orgqr)
KERNELS(ormqr)
KERNELS(ormtr)
KERNELS(gebrd)
KERNELS(orgbr)
KERNELS(sytrd)
KERNELS(orgtr)

static cusolverStatus_t room(int64_t n, int *lwork)
{
    SOLVER_CHECK(lwork);
    *lwork = dense_room(n);
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- Q of geqrf
static bool orgqr_good(int m, int n, int k, int lda)
{
    return m >= 0 && n >= 0 && n <= m && k >= 0 && k <= n && solver_is_ld(lda, m);
}

cusolverStatus_t solver_Dn_orgqr_bufferSize(enum number t, cusolverDnHandle_t h, int m, int n, int k, const void *A,
                                            int lda, const void *tau, int *lwork)
{
    (void)t;
    (void)A;
    (void)tau;
    DN_ENTER(h);
    SOLVER_CHECK(orgqr_good(m, n, k, lda));
    return room(n, lwork);
}

cusolverStatus_t solver_Dn_orgqr(enum number t, cusolverDnHandle_t h, int m, int n, int k, void *A, int lda,
                                 const void *tau, void *work, int lwork, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(orgqr_good(m, n, k, lda) && info && (A || !n) && (tau || !k) && (lwork >= dense_room(n) || !n));
    struct work w = {.m = m, .n = n, .k = k, .a = A, .lda = lda, .b = (void *)(uintptr_t)tau, .info = info};
    return dense_launch(h, &orgqr_kernels[t], 1, dense_cube(m, n, k), &w);
}

// Parts have slices of C of this many rows or columns.
enum { SLICE = 64 };
static cusolverStatus_t sliced(cusolverDnHandle_t h, struct library_kernel *k, struct work *w)
{
    const int64_t all = w->side == 'L' ? w->n : w->m, parts = (all + SLICE - 1) / SLICE;
    w->width = SLICE;
    return dense_launch(h, k, w->m && w->n ? parts : 0, dense_cube(w->side == 'L' ? w->m : w->n, w->k, SLICE), w);
}

static bool ormqr_good(cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, int lda, int ldc)
{
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    return solver_is_side(side) && solver_is_op(trans) && m >= 0 && n >= 0 && k >= 0 && k <= order &&
           solver_is_ld(lda, order) && solver_is_ld(ldc, m);
}

cusolverStatus_t solver_Dn_ormqr_bufferSize(enum number t, cusolverDnHandle_t h, cublasSideMode_t side,
                                            cublasOperation_t trans, int m, int n, int k, const void *A, int lda,
                                            const void *tau, const void *C, int ldc, int *lwork)
{
    (void)t;
    (void)A;
    (void)tau;
    (void)C;
    DN_ENTER(h);
    SOLVER_CHECK(ormqr_good(side, trans, m, n, k, lda, ldc));
    return room(la_max(m, n), lwork);
}

// Of complex matrices Q or its adjoint, of real ones Q or its transpose.
cusolverStatus_t solver_Dn_ormqr(enum number t, cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t trans,
                                 int m, int n, int k, const void *A, int lda, const void *tau, void *C, int ldc,
                                 void *work, int lwork, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(ormqr_good(side, trans, m, n, k, lda, ldc) && info && ((A && tau) || !k) && (C || !m || !n));
    SOLVER_CHECK(!(number_is_complex(t) && trans == CUBLAS_OP_T) && lwork >= dense_room(la_max(m, n)));
    struct work w = {.m = m, .n = n, .k = k, .a = (void *)(uintptr_t)A, .lda = lda, .c = C, .ldc = ldc, .info = info};
    w.b = (void *)(uintptr_t)tau;
    w.side = side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
    w.trans = solver_op(trans);
    return sliced(h, &ormqr_kernels[t], &w);
}

// ---- gebrd: m >= n, as NVIDIA's
cusolverStatus_t solver_Dn_gebrd_bufferSize(enum number t, cusolverDnHandle_t h, int m, int n, int *lwork)
{
    (void)t;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0);
    return room(la_max(m, n), lwork);
}

cusolverStatus_t solver_Dn_gebrd(enum number t, cusolverDnHandle_t h, int m, int n, void *A, int lda, void *D, void *E,
                                 void *tauq, void *taup, void *work, int lwork, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && m >= n && solver_is_ld(lda, m) && info && lwork >= dense_room(la_max(m, n)));
    SOLVER_CHECK((A && D && tauq && taup && (E || n == 1)) || !n);
    struct work w = {.m = m, .n = n, .a = A, .lda = lda, .b = tauq, .c = D, .d = E, .e = taup, .info = info};
    return dense_launch(h, &gebrd_kernels[t], 1, dense_cube(m, n, n), &w);
}

static bool orgbr_good(cublasSideMode_t side, int m, int n, int k, int lda)
{
    const bool left = side == CUBLAS_SIDE_LEFT;
    return solver_is_side(side) && m >= 0 && n >= 0 && k >= 0 && solver_is_ld(lda, m) &&
           (left ? n <= m && n >= la_min(m, k) : m <= n && m >= la_min(n, k));
}

cusolverStatus_t solver_Dn_orgbr_bufferSize(enum number t, cusolverDnHandle_t h, cublasSideMode_t side, int m, int n,
                                            int k, const void *A, int lda, const void *tau, int *lwork)
{
    (void)t;
    (void)A;
    (void)tau;
    DN_ENTER(h);
    SOLVER_CHECK(orgbr_good(side, m, n, k, lda));
    return room(la_max(m, n), lwork);
}

cusolverStatus_t solver_Dn_orgbr(enum number t, cusolverDnHandle_t h, cublasSideMode_t side, int m, int n, int k,
                                 void *A, int lda, const void *tau, void *work, int lwork, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(orgbr_good(side, m, n, k, lda) && info && ((A && tau) || !m || !n) &&
                 lwork >= dense_room(la_max(m, n)));
    struct work w = {.m = m, .n = n, .k = k, .a = A, .lda = lda, .b = (void *)(uintptr_t)tau, .info = info};
    w.side = side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
    return dense_launch(h, &orgbr_kernels[t], 1, dense_cube(m, n, la_min(m, n)), &w);
}

// ---- sytrd
static bool square_good(cublasFillMode_t uplo, int n, int lda)
{
    return solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n);
}

cusolverStatus_t solver_Dn_sytrd_bufferSize(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n,
                                            const void *A, int lda, const void *d, const void *e, const void *tau,
                                            int *lwork)
{
    (void)t;
    (void)A;
    (void)d;
    (void)e;
    (void)tau;
    DN_ENTER(h);
    SOLVER_CHECK(square_good(uplo, n, lda));
    return room(n, lwork);
}

cusolverStatus_t solver_Dn_sytrd(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A, int lda,
                                 void *d, void *e, void *tau, void *work, int lwork, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(square_good(uplo, n, lda) && info && ((A && d && ((e && tau) || n == 1)) || !n) &&
                 (lwork >= dense_room(n) || !n));
    struct work w = {.n = n, .a = A, .lda = lda, .b = tau, .c = d, .d = e, .info = info, .uplo = solver_uplo(uplo)};
    return dense_launch(h, &sytrd_kernels[t], 1, dense_cube(n, n, n), &w);
}

cusolverStatus_t solver_Dn_orgtr_bufferSize(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n,
                                            const void *A, int lda, const void *tau, int *lwork)
{
    (void)t;
    (void)A;
    (void)tau;
    DN_ENTER(h);
    SOLVER_CHECK(square_good(uplo, n, lda));
    return room(n, lwork);
}

cusolverStatus_t solver_Dn_orgtr(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A, int lda,
                                 const void *tau, void *work, int lwork, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(square_good(uplo, n, lda) && info && ((A && (tau || n == 1)) || !n) && (lwork >= dense_room(n) || !n));
    struct work w = {.n = n, .a = A, .lda = lda, .b = (void *)(uintptr_t)tau, .info = info, .uplo = solver_uplo(uplo)};
    return dense_launch(h, &orgtr_kernels[t], 1, dense_cube(n, n, n), &w);
}

static bool ormtr_good(cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, int m, int n, int lda,
                       int ldc)
{
    return solver_is_side(side) && solver_is_uplo(uplo) && solver_is_op(trans) && m >= 0 && n >= 0 &&
           solver_is_ld(lda, side == CUBLAS_SIDE_LEFT ? m : n) && solver_is_ld(ldc, m);
}

cusolverStatus_t solver_Dn_ormtr_bufferSize(enum number t, cusolverDnHandle_t h, cublasSideMode_t side,
                                            cublasFillMode_t uplo, cublasOperation_t trans, int m, int n, const void *A,
                                            int lda, const void *tau, const void *C, int ldc, int *lwork)
{
    (void)t;
    (void)A;
    (void)tau;
    (void)C;
    DN_ENTER(h);
    SOLVER_CHECK(ormtr_good(side, uplo, trans, m, n, lda, ldc));
    return room(la_max(m, n), lwork);
}

cusolverStatus_t solver_Dn_ormtr(enum number t, cusolverDnHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                                 cublasOperation_t trans, int m, int n, void *A, int lda, void *tau, void *C, int ldc,
                                 void *work, int lwork, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(ormtr_good(side, uplo, trans, m, n, lda, ldc) && info && ((A && tau && C) || !m || !n));
    SOLVER_CHECK(!(number_is_complex(t) && trans == CUBLAS_OP_T) && lwork >= dense_room(la_max(m, n)));
    struct work w = {.m = m, .n = n, .a = A, .lda = lda, .b = tau, .c = C, .ldc = ldc, .info = info};
    w.k = side == CUBLAS_SIDE_LEFT ? m : n;
    w.side = side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
    w.uplo = solver_uplo(uplo);
    w.trans = solver_op(trans);
    return sliced(h, &ormtr_kernels[t], &w);
}
