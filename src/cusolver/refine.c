// SPDX-License-Identifier: Apache-2.0
// Solvers by iterative refinement, with parameters and what they tell. Half precision, bfloat16 and TensorFloat-32 are computed in float,
// which is more exact.
#include "cusolver/dense.h"
#include <stdlib.h>

struct cusolverDnIRSParams {
    struct solver_object object;
    cusolverIRSRefinement_t solver;
    cusolverPrecType_t main, low; // 0: not set
    double tolerance, tolerance_inner;
    int most, most_inner;
    bool fallback;
};
struct cusolverDnIRSInfos {
    struct solver_object object;
    int iterations, most;
    bool wanted;   // residuals
    void *history; // (most + 1) x nrhs real numbers
};
_Static_assert(sizeof(struct cusolverDnIRSParams) <= SOLVER_OBJECT_BYTES, "an object");

struct refine {
    struct native_head head;
    int64_t m, n, nrhs, lda, ldb, ldx;
    void *a;
    const void *b;
    void *x, *history;
    int *pivots, *info, *iterations;
    double tolerance;
    int most;
    bool lower, fallback;
};

static const float LOWER_MOST = 3.0e38f;
#define LOW_TYPE_S   float
#define LOW_TYPE_D   float
#define LOW_TYPE_C   float _Complex
#define LOW_TYPE_Z   float _Complex
#define LOW_LETTER_S S
#define LOW_LETTER_D S
#define LOW_LETTER_C C
#define LOW_LETTER_Z C
#define TEMPLATE     "cusolver/kernel/refine.h"
#include "library/number.h"
#undef TEMPLATE
#define REFINE(letter, op) LIBRARY_KERNEL("cusolver_" #letter #op, op##_run_##letter, struct refine)
static struct library_kernel kernels[][NUMBERS] = {
    {REFINE(S, gesv), REFINE(D, gesv), REFINE(C, gesv), REFINE(Z, gesv)},
    {REFINE(S, gels), REFINE(D, gels), REFINE(C, gels), REFINE(Z, gels)},
};
enum { GESV, GELS, MOST_ITERATIONS = 50 };

// ---- parameters
#define PARAMS(p)                                                                                                      \
    do {                                                                                                               \
        if (!solver_object_is(p, OBJECT_IRS_PARAMS))                                                                   \
            return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;                                                         \
    } while (0)
#define INFOS(i)                                                                                                       \
    do {                                                                                                               \
        if (!solver_object_is(i, OBJECT_IRS_INFOS))                                                                    \
            return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;                                                          \
    } while (0)

cusolverStatus_t solver_DnIRSParamsCreate(cusolverDnIRSParams_t *params)
{
    SOLVER_MAKE(params, OBJECT_IRS_PARAMS);
    (*params)->solver = CUSOLVER_IRS_REFINE_NOT_SET;
    (*params)->most = (*params)->most_inner = MOST_ITERATIONS;
    (*params)->fallback = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsDestroy(cusolverDnIRSParams_t params)
{
    PARAMS(params);
    library_handle_destroy(params);
    return CUSOLVER_STATUS_SUCCESS;
}

// Setters take whatever they are given, as NVIDIA's do: what does not go together is told when a solver is asked for (params_check).
// A solver is a hint but for "none".
cusolverStatus_t solver_DnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params, cusolverIRSRefinement_t solver)
{
    PARAMS(params);
    params->solver = solver;
    return CUSOLVER_STATUS_SUCCESS;
}

// The type of numbers in matrices; NUMBERS: none.
static enum number main_of(cusolverPrecType_t p)
{
    return p == CUSOLVER_R_32F   ? NUMBER_S
           : p == CUSOLVER_R_64F ? NUMBER_D
           : p == CUSOLVER_C_32F ? NUMBER_C
           : p == CUSOLVER_C_64F ? NUMBER_Z
                                 : NUMBERS;
}

// Real or complex alike: the kind of numbers is the main precision's.
static bool is_precision(cusolverPrecType_t low)
{
    return (low >= CUSOLVER_R_64F && low <= CUSOLVER_R_TF32) || (low >= CUSOLVER_C_64F && low <= CUSOLVER_C_TF32);
}

cusolverStatus_t solver_DnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t params, cusolverPrecType_t main)
{
    PARAMS(params);
    params->main = main;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t params, cusolverPrecType_t low)
{
    PARAMS(params);
    params->low = low;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params, cusolverPrecType_t main,
                                                       cusolverPrecType_t low)
{
    PARAMS(params);
    params->main = main;
    params->low = low;
    return CUSOLVER_STATUS_SUCCESS;
}

// A tolerance is one of the main precision, which must be known.
cusolverStatus_t solver_DnIRSParamsSetTol(cusolverDnIRSParams_t params, double tolerance)
{
    PARAMS(params);
    SOLVER_CHECK(main_of(params->main) != NUMBERS);
    params->tolerance = tolerance;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsSetTolInner(cusolverDnIRSParams_t params, double tolerance)
{
    PARAMS(params);
    SOLVER_CHECK(main_of(params->main) != NUMBERS);
    params->tolerance_inner = tolerance;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsSetMaxIters(cusolverDnIRSParams_t params, int most)
{
    PARAMS(params);
    params->most = most;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params, int most)
{
    PARAMS(params);
    params->most_inner = most;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsGetMaxIters(cusolverDnIRSParams_t params, int *most)
{
    PARAMS(params);
    SOLVER_CHECK(most);
    *most = params->most;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsEnableFallback(cusolverDnIRSParams_t params)
{
    PARAMS(params);
    params->fallback = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSParamsDisableFallback(cusolverDnIRSParams_t params)
{
    PARAMS(params);
    params->fallback = false;
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- what was done
cusolverStatus_t solver_DnIRSInfosCreate(cusolverDnIRSInfos_t *infos)
{
    SOLVER_MAKE(infos, OBJECT_IRS_INFOS);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSInfosDestroy(cusolverDnIRSInfos_t infos)
{
    INFOS(infos);
    free(infos->history);
    infos->history = NULL;
    library_handle_destroy(infos);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, int *iterations)
{
    INFOS(infos);
    SOLVER_CHECK(iterations);
    *iterations = infos->iterations;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos, int *iterations)
{
    return solver_DnIRSInfosGetNiters(infos, iterations);
}

cusolverStatus_t solver_DnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos)
{
    INFOS(infos);
    infos->wanted = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t infos, void **history)
{
    INFOS(infos);
    SOLVER_CHECK(history && infos->wanted);
    *history = infos->history;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos, int *most)
{
    INFOS(infos);
    SOLVER_CHECK(most);
    *most = infos->most;
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- the solvers. The number of iterations goes to the host: the call waits.
static size_t room(int64_t n, int64_t nrhs)
{
    return (size_t)(n + nrhs + 1) * 16;
}

static cusolverStatus_t check(cusolverDnHandle_t h, const struct refine *w, const void *work, size_t bytes,
                              const int *iterations)
{
    DN_ENTER(h);
    SOLVER_CHECK(w->m >= 0 && w->n >= 0 && w->m >= w->n && w->nrhs >= 0 && solver_is_ld(w->lda, w->m));
    SOLVER_CHECK(solver_is_ld(w->ldb, w->m) && solver_is_ld(w->ldx, w->n) && iterations && w->info);
    SOLVER_CHECK((w->a && w->b && w->x) || !w->n || !w->nrhs);
    if (bytes < room(w->n, w->nrhs) || !work)
        return CUSOLVER_STATUS_INVALID_WORKSPACE;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t solve(cusolverDnHandle_t h, unsigned operation, cusolverPrecType_t main, cusolverPrecType_t low,
                              struct refine *w, int *iterations)
{
    const enum number t = main_of(main);
    int done = 0;
    w->lower = low != CUSOLVER_R_64F && low != CUSOLVER_C_64F && number_real(t) == NUMBER_D;
    w->iterations = &done;
    const double work = dense_cube(w->m, w->n, w->n);
    SOLVER_TRY(solver_wait(h->stream, solver_launch(h->stream, &kernels[operation][t], 1, work, w)));
    *iterations = done;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_gesv(cusolverPrecType_t main, cusolverPrecType_t low, cusolverDnHandle_t h, int n, int nrhs,
                                void *A, int lda, int *pivots, void *B, int ldb, void *X, int ldx, void *work,
                                size_t bytes, int *iterations, int *info)
{
    struct refine w = {.m = n, .n = n, .nrhs = nrhs, .lda = lda, .ldb = ldb, .ldx = ldx, .a = A, .b = B, .x = X};
    w.pivots = pivots;
    w.info = info;
    w.most = MOST_ITERATIONS;
    w.fallback = true;
    SOLVER_TRY(check(h, &w, work, bytes, iterations));
    return solve(h, GESV, main, low, &w, iterations);
}

static cusolverStatus_t room_check(cusolverDnHandle_t h, int64_t m, int64_t n, int64_t nrhs, int64_t lda, int64_t ldb,
                                   int64_t ldx, size_t *bytes)
{
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && m >= n && nrhs >= 0 && solver_is_ld(lda, m) && solver_is_ld(ldb, m) &&
                 solver_is_ld(ldx, n) && bytes);
    *bytes = room(n, nrhs);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_gesv_bufferSize(cusolverPrecType_t main, cusolverPrecType_t low, cusolverDnHandle_t h, int n,
                                           int nrhs, void *A, int lda, int *pivots, void *B, int ldb, void *X, int ldx,
                                           void *work, size_t *bytes)
{
    (void)main;
    (void)low;
    (void)A;
    (void)pivots;
    (void)B;
    (void)X;
    (void)work;
    return room_check(h, n, n, nrhs, lda, ldb, ldx, bytes);
}

cusolverStatus_t solver_Dn_gels(cusolverPrecType_t main, cusolverPrecType_t low, cusolverDnHandle_t h, int m, int n,
                                int nrhs, void *A, int lda, void *B, int ldb, void *X, int ldx, void *work,
                                size_t bytes, int *iterations, int *info)
{
    struct refine w = {.m = m, .n = n, .nrhs = nrhs, .lda = lda, .ldb = ldb, .ldx = ldx, .a = A, .b = B, .x = X};
    w.info = info;
    w.most = MOST_ITERATIONS;
    w.fallback = true;
    SOLVER_TRY(check(h, &w, work, bytes, iterations));
    return solve(h, GELS, main, low, &w, iterations);
}

cusolverStatus_t solver_Dn_gels_bufferSize(cusolverPrecType_t main, cusolverPrecType_t low, cusolverDnHandle_t h, int m,
                                           int n, int nrhs, void *A, int lda, void *B, int ldb, void *X, int ldx,
                                           void *work, size_t *bytes)
{
    (void)main;
    (void)low;
    (void)A;
    (void)B;
    (void)X;
    (void)work;
    return room_check(h, m, n, nrhs, lda, ldb, ldx, bytes);
}

// ---- with parameters
static cusolverStatus_t params_check(cusolverDnHandle_t h, cusolverDnIRSParams_t params)
{
    DN_ENTER(h);
    PARAMS(params);
    if (params->solver < CUSOLVER_IRS_REFINE_NOT_SET || params->solver > CUSOLVER_IRS_REFINE_GMRES_NOPCOND)
        return CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
    if (params->low == CUSOLVER_R_AP || params->low == CUSOLVER_C_AP ||
        params->solver == CUSOLVER_IRS_REFINE_GMRES_NOPCOND)
        return CUSOLVER_STATUS_IRS_NOT_SUPPORTED;
    if (main_of(params->main) == NUMBERS || !is_precision(params->low))
        return CUSOLVER_STATUS_IRS_PARAMS_INVALID;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t expert(cusolverDnHandle_t h, unsigned operation, cusolverDnIRSParams_t params,
                               cusolverDnIRSInfos_t infos, struct refine *w, const void *work, size_t bytes,
                               int *iterations)
{
    SOLVER_TRY(params_check(h, params));
    INFOS(infos);
    SOLVER_TRY(check(h, w, work, bytes, iterations));
    const bool none = params->solver == CUSOLVER_IRS_REFINE_NONE;
    w->most = none || params->most < 0 ? 0 : params->most;
    w->tolerance = params->tolerance;
    w->fallback = params->fallback;
    free(infos->history);
    infos->history = NULL;
    if (infos->wanted) {
        infos->history = calloc((size_t)(w->most + 1) * (size_t)(w->nrhs + 1), sizeof(double));
        if (!infos->history)
            return CUSOLVER_STATUS_ALLOC_FAILED;
        w->history = infos->history;
    }
    SOLVER_TRY(solve(h, operation, params->main, params->low, w, iterations));
    infos->iterations = *iterations;
    infos->most = w->most;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnIRSXgesv(cusolverDnHandle_t h, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos,
                                   int n, int nrhs, void *A, int lda, void *B, int ldb, void *X, int ldx, void *work,
                                   size_t bytes, int *iterations, int *info)
{
    struct refine w = {.m = n, .n = n, .nrhs = nrhs, .lda = lda, .ldb = ldb, .ldx = ldx, .a = A, .b = B, .x = X};
    w.info = info;
    return expert(h, GESV, params, infos, &w, work, bytes, iterations);
}

cusolverStatus_t solver_DnIRSXgels(cusolverDnHandle_t h, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos,
                                   int m, int n, int nrhs, void *A, int lda, void *B, int ldb, void *X, int ldx,
                                   void *work, size_t bytes, int *iterations, int *info)
{
    struct refine w = {.m = m, .n = n, .nrhs = nrhs, .lda = lda, .ldb = ldb, .ldx = ldx, .a = A, .b = B, .x = X};
    w.info = info;
    return expert(h, GELS, params, infos, &w, work, bytes, iterations);
}

cusolverStatus_t solver_DnIRSXgesv_bufferSize(cusolverDnHandle_t h, cusolverDnIRSParams_t params, int n, int nrhs,
                                              size_t *bytes)
{
    SOLVER_TRY(params_check(h, params));
    return room_check(h, n, n, nrhs, la_max(n, 1), la_max(n, 1), la_max(n, 1), bytes);
}

cusolverStatus_t solver_DnIRSXgels_bufferSize(cusolverDnHandle_t h, cusolverDnIRSParams_t params, int m, int n,
                                              int nrhs, size_t *bytes)
{
    SOLVER_TRY(params_check(h, params));
    return room_check(h, m, n, nrhs, la_max(m, 1), la_max(m, 1), la_max(n, 1), bytes);
}
