// SPDX-License-Identifier: Apache-2.0
// A piece of work on a sparse matrix: the same for data of the host, where the caller does it, and for data of the device, where it is a native
// kernel that the caller waits for, since its results are the host's.
#ifndef HEDDLE_CUSOLVER_SPARSE_TASK_H
#define HEDDLE_CUSOLVER_SPARSE_TASK_H
#include "cusolver/solver.h"
#include "cusolver/sparse/engine.h"

enum task_kind {
    TASK_LU, // solve at once
    TASK_CHOLESKY,
    TASK_QR,
    TASK_LEAST_SQUARES,
    TASK_EIGENVECTOR,
    TASK_COUNT_EIGENVALUES,
    TASK_FACTOR, // factors that are kept, by the kind of the object
    TASK_SOLVE,
    TASK_BATCH, // one matrix in each part
};

// Factors that are kept: csrluInfoHost, csrqrInfo and their relatives.
struct factor_info {
    struct solver_object object;
    enum number type;
    bool analysed, ready;
    int singular; // of Cholesky
    struct pattern a;
    int m;
    const void *values; // what csrqrSetup named
    _Alignas(16) char mu[16];
    union {
        struct sparse_lu_S lu_S;
        struct sparse_lu_D lu_D;
        struct sparse_lu_C lu_C;
        struct sparse_lu_Z lu_Z;
        struct sparse_qr_S qr_S;
        struct sparse_qr_D qr_D;
        struct sparse_qr_C qr_C;
        struct sparse_qr_Z qr_Z;
    } f;
};
_Static_assert(sizeof(struct factor_info) <= SOLVER_OBJECT_BYTES, "an object");

struct task {
    struct native_head head;
    enum task_kind kind;
    struct pattern a;
    int m, n; // rows and columns
    const void *values, *b;
    void *x;
    double tol, threshold;
    int reorder, most, *integer, *permutation; // integer: singularity, rank or number
    void *number;                              // the eigenvalue, or a norm
    _Alignas(16) char first[16], second[16];   // numbers of the call
    struct factor_info *info;
    cusolverStatus_t *status;
};

cusolverStatus_t task_do(enum number t, cusolverSpHandle_t h, bool host, struct task *x);
cusolverStatus_t task_launch(enum number t, cusolverSpHandle_t h, int parts, struct task *x); // does not wait
// Checks a matrix and puts it into the task.
cusolverStatus_t task_matrix(cusolverSpHandle_t h, struct task *x, int m, int n, int nnz, cusparseMatDescr_t descr,
                             const int *rows, const int *cols);
void factor_free(struct factor_info *info);
#endif
