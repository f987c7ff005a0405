// SPDX-License-Identifier: Apache-2.0
// LU, Cholesky and QR: small matrices in one part, large ones by panels, a grid for each (kernel/factor.h).
#include "cusolver/dense.h"

#define TEMPLATE "cusolver/kernel/factor.h"
#include "library/number.h"
#undef TEMPLATE
KERNELS(getrf)
KERNELS(getrf_whole)
KERNELS(potrf)
KERNELS(potrf_whole)
KERNELS(geqrf)
KERNELS(geqrf_whole)

// Up to so many columns one part does it all; above, the width of a panel follows from the size alone.
enum { WHOLE = 256, WHOLE_QR = 192 };
static int64_t panel_width(int64_t k)
{
    enum { NARROW = 96, MIDDLE = 128, FEW = 512, MANY = 1536 };
    return k < FEW ? NARROW : k < MANY ? MIDDLE : PANEL_MOST;
}

// w->count: the columns that are changed. Steps with one part for the next panel and one for each group of columns behind it.
static cusolverStatus_t by_panels(cusolverDnHandle_t h, struct library_kernel *k, struct work *w)
{
    const int64_t panels = (w->k + w->width - 1) / w->width;
    for (w->step = STEP_FIRST; w->step < panels; w->step++) {
        const int64_t next = la_min(w->k, (w->step + 2) * w->width), groups = 2 * w->width;
        const int64_t parts = w->step == STEP_FIRST ? 1 : 1 + (w->count - next + groups - 1) / groups;
        if (w->step == panels - 1 && w->count == w->k)
            break; // nothing lies right of the last panel
        SOLVER_TRY(dense_launch(h, k, parts, dense_cube(w->m, w->width, groups), w));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t dense_getrf(enum number t, cusolverDnHandle_t h, int64_t m, int64_t n, void *A, int64_t lda,
                             void *pivots, bool wide, int *info)
{
    struct work w = {.m = m, .n = n, .k = la_min(m, n), .count = n, .a = A, .lda = lda, .info = info};
    w.pivots = pivots;
    w.wide = wide;
    if (w.k <= WHOLE)
        return dense_launch(h, &getrf_whole_kernels[t], 1, dense_cube(m, n, w.k), &w);
    w.width = panel_width(w.k);
    SOLVER_TRY(by_panels(h, &getrf_kernels[t], &w));
    if (!pivots)
        return CUSOLVER_STATUS_SUCCESS;
    w.step = STEP_SWAPS;
    return dense_launch(h, &getrf_kernels[t], (w.k - 1) / w.width, (double)w.k * (double)w.width, &w);
}

cusolverStatus_t dense_potrf(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, void *A,
                             int64_t lda, int *info)
{
    struct work w = {.m = n, .n = n, .k = n, .count = n, .a = A, .lda = lda, .info = info, .uplo = solver_uplo(uplo)};
    if (n <= WHOLE)
        return dense_launch(h, &potrf_whole_kernels[t], 1, dense_cube(n, n, n) / 3, &w);
    w.width = panel_width(n);
    return by_panels(h, &potrf_kernels[t], &w);
}

// A multiple of what tiles of products have.
static int64_t qr_width(int64_t k)
{
    enum { TILE = 8 };
    return panel_width(k) / 3 / TILE * TILE;
}

int64_t dense_geqrf_room(int64_t m, int64_t n)
{
    const int64_t k = la_min(m, n), width = qr_width(k);
    return k <= WHOLE_QR ? dense_room(n) : (k + width) * width;
}

cusolverStatus_t dense_geqrf(enum number t, cusolverDnHandle_t h, int64_t m, int64_t n, void *A, int64_t lda, void *tau,
                             void *work, int *info)
{
    struct work w = {.m = m, .n = n, .k = la_min(m, n), .count = n, .a = A, .lda = lda, .info = info};
    w.b = tau;
    w.c = work;
    if (w.k <= WHOLE_QR)
        return dense_launch(h, &geqrf_whole_kernels[t], 1, dense_cube(m, n, w.k), &w);
    w.width = qr_width(w.k);
    return by_panels(h, &geqrf_kernels[t], &w);
}

// ---- bodies
cusolverStatus_t solver_Dn_getrf_bufferSize(enum number t, cusolverDnHandle_t h, int m, int n, void *A, int lda,
                                            int *lwork)
{
    (void)t;
    (void)A;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && solver_is_ld(lda, m) && lwork);
    *lwork = dense_room(la_max(m, n));
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_getrf(enum number t, cusolverDnHandle_t h, int m, int n, void *A, int lda, void *work,
                                 int *pivots, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && solver_is_ld(lda, m) && info && (A || !m || !n));
    return dense_getrf(t, h, m, n, A, lda, pivots, false, info);
}

cusolverStatus_t solver_Dn_potrf_bufferSize(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A,
                                            int lda, int *lwork)
{
    (void)t;
    (void)A;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n) && lwork);
    *lwork = dense_room(n);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_potrf(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int n, void *A, int lda,
                                 void *work, int lwork, int *info)
{
    (void)work;
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n) && info && (A || !n));
    SOLVER_CHECK(lwork >= (n ? dense_room(n) : 0));
    return dense_potrf(t, h, uplo, n, A, lda, info);
}

cusolverStatus_t solver_Dn_geqrf_bufferSize(enum number t, cusolverDnHandle_t h, int m, int n, void *A, int lda,
                                            int *lwork)
{
    (void)t;
    (void)A;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && solver_is_ld(lda, m) && lwork);
    *lwork = (int)la_min(dense_geqrf_room(m, n), INT32_MAX);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_geqrf(enum number t, cusolverDnHandle_t h, int m, int n, void *A, int lda, void *tau,
                                 void *work, int lwork, int *info)
{
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && solver_is_ld(lda, m) && info && ((A && tau) || !m || !n));
    SOLVER_CHECK(!m || !n || (lwork >= dense_geqrf_room(m, n) && work));
    return dense_geqrf(t, h, m, n, A, lda, tau, work, info);
}
