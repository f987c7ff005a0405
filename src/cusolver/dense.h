// SPDX-License-Identifier: Apache-2.0
// Dense functions: the block of arguments that all their kernels have, and what the functions of one type share with those for all types.
#ifndef HEDDLE_CUSOLVER_DENSE_H
#define HEDDLE_CUSOLVER_DENSE_H
#include "cusolver/dense/la.h"
#include "cusolver/solver.h"

// What a kernel does not need is 0. Letters are LAPACK's.
struct work {
    struct native_head head;
    int64_t m, n, k, lda, ldb, ldc, ldd;
    void *a, *b, *c, *d, *e, *f;
    void *pivots;
    bool wide; // pivots are of 64 bits
    int *info;
    char uplo, trans, side, diag, job, job2;
    int type;                 // of a generalised problem, 1 to 3
    cusolverEigRange_t range; // of eigenvalues: (vl, vu], or il to iu from 1 on
    double vl, vu;
    int64_t il, iu, step, width, p, count;
    void *found;                            // how many eigenvalues there are, or a norm
    int64_t a_step, b_step, c_step, d_step; // from one matrix of a batch to the next
    struct jacobi_info *jacobi;
};

// Jacobi's methods: what is asked and how it went. syevjInfo and gesvdjInfo.
struct jacobi_info {
    struct solver_object object;
    double tolerance;
    int most;
    bool sort, batched;
    int sweeps;
    double residual;
};

// The kernels of one operation, by type: op_run_S and so on.
#define KERNEL(letter, op) LIBRARY_KERNEL("cusolver_" #letter #op, op##_run_##letter, struct work)
#define KERNELS(op)                                                                                                    \
    static struct library_kernel op##_kernels[NUMBERS] = {KERNEL(S, op), KERNEL(D, op), KERNEL(C, op), KERNEL(Z, op)};
// A kernel begins so: what an earlier part of this thread left behind is given back.
#define RUN(op)                                                                                                        \
    static void FN(op)(const struct work *w, uint64_t part);                                                           \
    static void FN(op##_run)(const void *block, uint64_t part)                                                         \
    {                                                                                                                  \
        la_release(0);                                                                                                 \
        FN(op)(block, part);                                                                                           \
        la_release(0);                                                                                                 \
    }                                                                                                                  \
    static void FN(op)(const struct work *w, uint64_t part)

static inline cusolverStatus_t dense_launch(cusolverDnHandle_t h, struct library_kernel *k, int64_t parts, double work,
                                            struct work *w)
{
    return solver_launch(h->stream, k, (uint64_t)parts, work, w);
}
static inline double dense_cube(int64_t a, int64_t b, int64_t c)
{
    return (double)(a + 1) * (double)(b + 1) * (double)(c + 1);
}
// What functions ask of the program as work area, in elements: work is done in memory of the worker, so that this is little.
static inline int dense_room(int64_t n)
{
    return n > 1 ? (int)n : 1;
}
// The same for functions with sizes in bytes.
static inline cusolverStatus_t dense_bytes(int64_t elements, enum number t, size_t *device, size_t *host)
{
    SOLVER_CHECK(device && host);
    *device = (size_t)elements * number_size(t);
    *host = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- factor.c
int64_t dense_geqrf_room(int64_t m, int64_t n);
cusolverStatus_t dense_getrf(enum number t, cusolverDnHandle_t h, int64_t m, int64_t n, void *A, int64_t lda,
                             void *pivots, bool wide, int *info);
cusolverStatus_t dense_potrf(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, void *A,
                             int64_t lda, int *info);
cusolverStatus_t dense_geqrf(enum number t, cusolverDnHandle_t h, int64_t m, int64_t n, void *A, int64_t lda, void *tau,
                             void *work, int *info);
// ---- linear.c
cusolverStatus_t dense_getrs(enum number t, cusolverDnHandle_t h, cublasOperation_t trans, int64_t n, int64_t nrhs,
                             const void *A, int64_t lda, const void *pivots, bool wide, void *B, int64_t ldb,
                             int *info);
cusolverStatus_t dense_potrs(enum number t, cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                             const void *A, int64_t lda, void *B, int64_t ldb, int *info);
// ---- eigen.c, svd.c
cusolverStatus_t dense_syevd(enum number t, cusolverDnHandle_t h, struct work *w, cusolverEigMode_t jobz,
                             cublasFillMode_t uplo);
cusolverStatus_t dense_gesvd(enum number t, cusolverDnHandle_t h, signed char jobu, signed char jobvt, struct work *w);
#endif
