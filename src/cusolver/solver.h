// SPDX-License-Identifier: Apache-2.0
// What the bodies of cuSOLVER share: handles and other objects, launches, checks. The prototypes of the bodies come from the tables.
#ifndef HEDDLE_CUSOLVER_SOLVER_H
#define HEDDLE_CUSOLVER_SOLVER_H
#include "library/library.h"
#include "library/number_type.h"
#include <cusolverDn.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <string.h>

// ---- objects. All are of one size, so that one that was destroyed is told from one that lives (library_handle_alive).
enum solver_kind {
    OBJECT_DN,
    OBJECT_SP,
    OBJECT_RF,
    OBJECT_PARAMS,
    OBJECT_SYEVJ,
    OBJECT_GESVDJ,
    OBJECT_IRS_PARAMS,
    OBJECT_IRS_INFOS,
    OBJECT_CSRQR,
    OBJECT_CSRLU,
    OBJECT_CSRCHOL,
};
struct solver_object {
    struct library_handle base;
    enum solver_kind kind;
};
enum { SOLVER_OBJECT_BYTES = 512 };
void *solver_object_create(enum solver_kind kind); // NULL: there is no memory
static inline bool solver_object_is(const void *object, enum solver_kind kind)
{
    return library_handle_alive(object) && ((const struct solver_object *)object)->kind == kind;
}
#define SOLVER_MAKE(pointer, object_kind)                                                                              \
    do {                                                                                                               \
        SOLVER_CHECK(pointer);                                                                                         \
        *(pointer) = solver_object_create(object_kind);                                                                \
        if (!*(pointer))                                                                                               \
            return CUSOLVER_STATUS_ALLOC_FAILED;                                                                       \
    } while (0)

struct cusolverDnContext {
    struct solver_object object;
    cudaStream_t stream;
    cusolverDeterministicMode_t deterministic;
    cusolverMathMode_t math;
    cudaEmulationStrategy_t strategy;
    struct library_scratch scratch;
};
struct cusolverSpContext {
    struct solver_object object;
    cudaStream_t stream;
};
struct cusolverDnParams {
    struct solver_object object;
    cusolverAlgMode_t algorithm[CUSOLVERDN_SYEVBATCHED + 1];
};

// ---- statuses and checks, in the order in which NVIDIA's library makes them: the handle, then the arguments
cusolverStatus_t solver_status(cudaError_t e);
static inline cusolverStatus_t solver_launch(cudaStream_t stream, struct library_kernel *k, uint64_t parts, double work,
                                             void *block)
{
    return solver_status(library_launch(k, stream, parts, work, block));
}
// Waits for work that was launched well.
static inline cusolverStatus_t solver_wait(cudaStream_t stream, cusolverStatus_t status)
{
    return status ? status : solver_status(cudaStreamSynchronize(stream));
}

#define DN_ENTER(h)                                                                                                    \
    do {                                                                                                               \
        if (!solver_object_is(h, OBJECT_DN))                                                                           \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                    \
    } while (0)
#define SP_ENTER(h)                                                                                                    \
    do {                                                                                                               \
        if (!solver_object_is(h, OBJECT_SP))                                                                           \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                    \
    } while (0)
#define SOLVER_CHECK(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                                      \
    } while (0)
#define SOLVER_NEED(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return CUSOLVER_STATUS_NOT_SUPPORTED;                                                                      \
    } while (0)
#define SOLVER_TRY(call)                                                                                               \
    do {                                                                                                               \
        cusolverStatus_t status_ = (call);                                                                             \
        if (status_)                                                                                                   \
            return status_;                                                                                            \
    } while (0)

static inline bool solver_is_ld(int64_t ld, int64_t rows)
{
    return ld >= (rows > 1 ? rows : 1);
}
static inline bool solver_is_uplo(cublasFillMode_t uplo)
{
    return (unsigned)uplo <= CUBLAS_FILL_MODE_UPPER;
}
static inline bool solver_is_side(cublasSideMode_t side)
{
    return (unsigned)side <= CUBLAS_SIDE_RIGHT;
}
static inline bool solver_is_op(cublasOperation_t op)
{
    return (unsigned)op <= CUBLAS_OP_C;
}
static inline bool solver_is_job(cusolverEigMode_t job)
{
    return (unsigned)job <= CUSOLVER_EIG_MODE_VECTOR;
}
// LAPACK's letters.
static inline char solver_uplo(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
}
static inline char solver_op(cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : 'C';
}

// ---- the bodies
#define SOLVER_LIST(...)                 __VA_ARGS__
#define STATUS                           cusolverStatus_t
#define DN                               cusolverDnHandle_t handle
#define SP                               cusolverSpHandle_t handle
#define FULL(result, name, params, args) result solver_##name params;
#define NONE(...)
#include "cusolver/api/common.def"
#include "cusolver/api/dn.def"
#include "cusolver/api/rf.def"
#include "cusolver/api/sp.def"
#include "cusolver/api/sp_low.def"
#undef FULL
#define SDCZ(status, real, complex, params, args)                status(real, params)
#define SDCZ_BY_VALUE(status, real, complex, params, args, call) status(real, params)
#define T                                                        void
#define R                                                        void
#define REAL                                                     double
#define NUMBER                                                   const void *
#define POINTERS(name)                                           void *name
#define PAIR                                                     const void *
#define FULL(name, params) cusolverStatus_t solver_Dn_##name(enum number type, SOLVER_LIST params);
#include "cusolver/api/dn_typed.def"
#undef FULL
#define FULL(name, params) cusolverStatus_t solver_Sp_##name(enum number type, SOLVER_LIST params);
#include "cusolver/api/sp_low_typed.def"
#include "cusolver/api/sp_typed.def"
#undef FULL
#undef NONE
#undef SDCZ
#undef SDCZ_BY_VALUE
#undef T
#undef R
#undef REAL
#undef NUMBER
#undef POINTERS
#undef PAIR
#undef STATUS
#undef DN
#undef SP

cusolverStatus_t solver_Dn_gesv(cusolverPrecType_t main, cusolverPrecType_t low, cusolverDnHandle_t handle, int n,
                                int nrhs, void *A, int lda, int *pivots, void *B, int ldb, void *X, int ldx, void *work,
                                size_t bytes, int *iterations, int *info);
cusolverStatus_t solver_Dn_gesv_bufferSize(cusolverPrecType_t main, cusolverPrecType_t low, cusolverDnHandle_t handle,
                                           int n, int nrhs, void *A, int lda, int *pivots, void *B, int ldb, void *X,
                                           int ldx, void *work, size_t *bytes);
cusolverStatus_t solver_Dn_gels(cusolverPrecType_t main, cusolverPrecType_t low, cusolverDnHandle_t handle, int m,
                                int n, int nrhs, void *A, int lda, void *B, int ldb, void *X, int ldx, void *work,
                                size_t bytes, int *iterations, int *info);
cusolverStatus_t solver_Dn_gels_bufferSize(cusolverPrecType_t main, cusolverPrecType_t low, cusolverDnHandle_t handle,
                                           int m, int n, int nrhs, void *A, int lda, void *B, int ldb, void *X, int ldx,
                                           void *work, size_t *bytes);
#endif
