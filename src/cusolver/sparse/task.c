// SPDX-License-Identifier: Apache-2.0
// Work on sparse matrices, by the caller or in the stream.
#include "cusolver/sparse/task.h"
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/sparse/task_type.h"
#include "library/number.h"
#undef TEMPLATE

static struct library_kernel kernels[NUMBERS] = {
    LIBRARY_KERNEL("cusolver_Scsr", task_run_S, struct task),
    LIBRARY_KERNEL("cusolver_Dcsr", task_run_D, struct task),
    LIBRARY_KERNEL("cusolver_Ccsr", task_run_C, struct task),
    LIBRARY_KERNEL("cusolver_Zcsr", task_run_Z, struct task),
};

// About what a part has to do, in operations.
static double amount(const struct task *x)
{
    return (double)x->n * 100.0 + 1000.0;
}

cusolverStatus_t task_do(enum number t, cusolverSpHandle_t h, bool host, struct task *x)
{
    cusolverStatus_t status = CUSOLVER_STATUS_EXECUTION_FAILED;
    x->status = &status;
    if (host)
        kernels[t].run(x, 0);
    else
        SOLVER_TRY(solver_wait(h->stream, solver_launch(h->stream, &kernels[t], 1, amount(x), x)));
    return status;
}

cusolverStatus_t task_launch(enum number t, cusolverSpHandle_t h, int parts, struct task *x)
{
    return solver_launch(h->stream, &kernels[t], (uint64_t)parts, amount(x), x);
}

cusolverStatus_t task_matrix(cusolverSpHandle_t h, struct task *x, int m, int n, int nnz, cusparseMatDescr_t descr,
                             const int *rows, const int *cols)
{
    SP_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && nnz >= 0 && descr && rows && (cols || !nnz));
    if (cusparseGetMatType(descr) != CUSPARSE_MATRIX_TYPE_GENERAL)
        return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    x->m = m;
    x->n = n;
    x->a = (struct pattern){m, rows, cols, cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ONE};
    return CUSOLVER_STATUS_SUCCESS;
}

void factor_free(struct factor_info *info)
{
    static void (*const frees[NUMBERS])(struct factor_info *) = {factor_free_S, factor_free_D, factor_free_C,
                                                                 factor_free_Z};
    if (info->ready)
        frees[info->type](info);
    info->ready = false;
}
