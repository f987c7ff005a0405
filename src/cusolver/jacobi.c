// SPDX-License-Identifier: Apache-2.0
// What is asked of Jacobi's methods and how they went: syevjInfo and gesvdjInfo are the same.
#include "cusolver/dense.h"

_Static_assert(sizeof(struct jacobi_info) <= SOLVER_OBJECT_BYTES, "an object");
enum { SWEEPS = 100 };

// Results are those of the work before it in the handle's stream.
static cusolverStatus_t result(cusolverDnHandle_t h, const void *info, enum solver_kind kind, const void *to)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_object_is(info, kind) && to);
    SOLVER_NEED(!((const struct jacobi_info *)info)->batched);
    return solver_status(cudaStreamSynchronize(h->stream));
}

#define JACOBI(Name, name, object_kind)                                                                                \
    cusolverStatus_t solver_DnCreate##Name##Info(name##Info_t *info)                                                   \
    {                                                                                                                  \
        SOLVER_MAKE(info, object_kind);                                                                                \
        struct jacobi_info *j = (struct jacobi_info *)*info;                                                           \
        j->most = SWEEPS;                                                                                              \
        j->sort = true;                                                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_DnDestroy##Name##Info(name##Info_t info)                                                   \
    {                                                                                                                  \
        if (!info)                                                                                                     \
            return CUSOLVER_STATUS_SUCCESS;                                                                            \
        SOLVER_CHECK(solver_object_is(info, object_kind));                                                             \
        library_handle_destroy(info);                                                                                  \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_DnX##name##SetTolerance(name##Info_t info, double tolerance)                               \
    {                                                                                                                  \
        SOLVER_CHECK(solver_object_is(info, object_kind));                                                             \
        ((struct jacobi_info *)info)->tolerance = tolerance;                                                           \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_DnX##name##SetMaxSweeps(name##Info_t info, int most)                                       \
    {                                                                                                                  \
        SOLVER_CHECK(solver_object_is(info, object_kind) && most >= 0);                                                \
        ((struct jacobi_info *)info)->most = most;                                                                     \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_DnX##name##SetSortEig(name##Info_t info, int sort)                                         \
    {                                                                                                                  \
        SOLVER_CHECK(solver_object_is(info, object_kind));                                                             \
        ((struct jacobi_info *)info)->sort = sort != 0;                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_DnX##name##GetResidual(cusolverDnHandle_t h, name##Info_t info, double *residual)          \
    {                                                                                                                  \
        SOLVER_TRY(result(h, info, object_kind, residual));                                                            \
        *residual = ((const struct jacobi_info *)info)->residual;                                                      \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_DnX##name##GetSweeps(cusolverDnHandle_t h, name##Info_t info, int *sweeps)                 \
    {                                                                                                                  \
        SOLVER_TRY(result(h, info, object_kind, sweeps));                                                              \
        *sweeps = ((const struct jacobi_info *)info)->sweeps;                                                          \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }
JACOBI(Syevj, syevj, OBJECT_SYEVJ)
JACOBI(Gesvdj, gesvdj, OBJECT_GESVDJ)
