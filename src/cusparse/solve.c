// SPDX-License-Identifier: Apache-2.0
// Triangular systems with one right side (SpSV) or several (SpSM). The analysis keeps a copy of the matrix's values, and offsets of COO,
// in the program's buffer; solutions use these, and updates change them. A system is solved in the order of its rows, by one part; right
// sides are shared out.
#include "cusparse/sparse.h"
#include "cusparse/work.h"

enum { COLUMNS = 4 };
struct cusparseSpSVDescr {
    struct sparse_object object;
    struct view view; // of the analysis, with values in the buffer
    enum sparse_type type;
    cusparseFormat_t format;
    bool analysed, lower, unit;
};
struct cusparseSpSMDescr {
    struct cusparseSpSVDescr common;
};
_Static_assert(sizeof(struct cusparseSpSMDescr) <= SPARSE_OBJECT_BYTES, "an object");

struct solve {
    struct native_head head;
    struct view view;
    const void *x;
    void *y, *kept;
    int64_t columns, x_down, x_across, y_down, y_across;
    struct scalar alpha;
    bool lower, unit, by_columns, conjugate, diagonal;
};

#define TEMPLATE "cusparse/kernel/solve.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE

enum { SOLVE, UPDATE, OPERATIONS };
#define KERNEL(operation, a, x, y, t)                                                                                  \
    LIBRARY_KERNEL("cusparse_" #operation "_" #a #x #y #t, operation##_run_##a##x##y##t, struct solve)
#define KERNELS(a, x, y, t) {KERNEL(solve, a, x, y, t), KERNEL(update, a, x, y, t)},
static struct library_kernel kernels[][OPERATIONS] = {KINDS(KERNELS)};

static cusparseStatus_t check(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t A, enum sparse_type x, enum sparse_type y, cudaDataType type)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op) && alpha && sparse_object_is(A, OBJECT_SPMAT) && A->rows == A->cols);
    SPARSE_NEED(A->type <= SPARSE_Z && work_kind(A->type, x, y, sparse_type_of(type), false) >= 0);
    SPARSE_CHECK(sparse_can_conjugate(op, A->type));
    SPARSE_NEED((A->format == CUSPARSE_FORMAT_CSR || A->format == CUSPARSE_FORMAT_COO) && A->batches == 1);
    return CUSPARSE_STATUS_SUCCESS;
}

static size_t values_bytes(cusparseConstSpMatDescr_t A)
{
    return ((size_t)A->nnz * sparse_size(A->type) + 15) & ~(size_t)15;
}

static cusparseStatus_t update(cusparseHandle_t h, struct cusparseSpSVDescr *d, const void *values, bool diagonal)
{
    struct solve x = {.view = d->view, .x = values, .kept = (void *)(uintptr_t)d->view.values, .diagonal = diagonal};
    return sparse_launch(h, &kernels[work_one(d->type)][UPDATE], 1, (double)d->view.nnz, &x);
}

static cusparseStatus_t analyse(cusparseHandle_t h, cusparseConstSpMatDescr_t A, struct cusparseSpSVDescr *d,
                                char *buffer)
{
    SPARSE_CHECK(buffer);
    SPARSE_TRY(view_make(h, A, buffer + values_bytes(A), &d->view));
    d->view.values = buffer;
    d->type = A->type;
    d->format = A->format;
    d->lower = A->fill == CUSPARSE_FILL_MODE_LOWER;
    d->unit = A->diag == CUSPARSE_DIAG_TYPE_UNIT;
    d->analysed = true;
    return update(h, d, A->values, false);
}

static cusparseStatus_t run(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t A,
                            const struct cusparseSpSVDescr *d, cudaDataType type, struct solve *x)
{
    bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE_CHECK(d->analysed && d->type == A->type && d->format == A->format && d->view.nnz == A->nnz &&
                 d->view.lines == A->rows);
    x->view = d->view;
    x->alpha = sparse_scalar(h, sparse_type_of(type), alpha);
    x->lower = d->lower == plain;
    x->unit = d->unit;
    x->by_columns = !plain;
    x->conjugate = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    uint64_t parts = d->view.lines ? (uint64_t)sparse_parts(x->columns, COLUMNS) : 0;
    return sparse_launch(h, &kernels[work_one(d->type)][SOLVE], parts, (double)(d->view.nnz * COLUMNS), x);
}

#define DESCRIPTOR(Name, kind)                                                                                         \
    cusparseStatus_t sparse_##Name##_createDescr(cusparse##Name##Descr_t *out)                                         \
    {                                                                                                                  \
        SPARSE_CHECK(out);                                                                                             \
        *out = sparse_object_create(kind);                                                                             \
        return *out ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;                                          \
    }                                                                                                                  \
    cusparseStatus_t sparse_##Name##_destroyDescr(cusparse##Name##Descr_t d)                                           \
    {                                                                                                                  \
        return sparse_object_destroy(d, kind);                                                                         \
    }
DESCRIPTOR(SpSV, OBJECT_SPSV)
DESCRIPTOR(SpSM, OBJECT_SPSM)

// ---- one right side
static cusparseStatus_t check_vectors(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                                      cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X,
                                      cusparseConstDnVecDescr_t Y, cudaDataType type, cusparseSpSVAlg_t algorithm,
                                      cusparseSpSVDescr_t d)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_object_is(X, OBJECT_DNVEC) && sparse_object_is(Y, OBJECT_DNVEC) &&
                 sparse_object_is(d, OBJECT_SPSV) && algorithm == CUSPARSE_SPSV_ALG_DEFAULT);
    SPARSE_TRY(check(h, op, alpha, A, X->type, Y->type, type));
    SPARSE_CHECK(X->size == A->rows && Y->size == A->rows);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpSV_bufferSize(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                                        cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X,
                                        cusparseDnVecDescr_t Y, cudaDataType type, cusparseSpSVAlg_t algorithm,
                                        cusparseSpSVDescr_t d, size_t *bytes)
{
    SPARSE_TRY(check_vectors(h, op, alpha, A, X, Y, type, algorithm, d));
    SPARSE_CHECK(bytes);
    *bytes = values_bytes(A) + view_bytes(A) + 16;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpSV_analysis(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                                      cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X, cusparseDnVecDescr_t Y,
                                      cudaDataType type, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t d,
                                      void *buffer)
{
    SPARSE_TRY(check_vectors(h, op, alpha, A, X, Y, type, algorithm, d));
    return analyse(h, A, d, buffer);
}

cusparseStatus_t sparse_SpSV_solve(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                                   cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X, cusparseDnVecDescr_t Y,
                                   cudaDataType type, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t d)
{
    SPARSE_TRY(check_vectors(h, op, alpha, A, X, Y, type, algorithm, d));
    struct solve x = {.x = X->values, .y = Y->values, .columns = 1, .x_down = 1, .y_down = 1};
    return run(h, op, alpha, A, d, type, &x);
}

cusparseStatus_t sparse_SpSV_updateMatrix(cusparseHandle_t h, cusparseSpSVDescr_t d, void *values,
                                          cusparseSpSVUpdate_t what)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_object_is(d, OBJECT_SPSV) && d->analysed && values &&
                 (unsigned)what <= CUSPARSE_SPSV_UPDATE_DIAGONAL);
    return update(h, d, values, what == CUSPARSE_SPSV_UPDATE_DIAGONAL);
}

// ---- several
static cusparseStatus_t check_matrices(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                       const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                       cusparseConstDnMatDescr_t C, cudaDataType type, cusparseSpSMAlg_t algorithm,
                                       cusparseSpSMDescr_t d)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op_b) && sparse_object_is(B, OBJECT_DNMAT) && sparse_object_is(C, OBJECT_DNMAT) &&
                 sparse_object_is(d, OBJECT_SPSM) && algorithm == CUSPARSE_SPSM_ALG_DEFAULT);
    SPARSE_TRY(check(h, op_a, alpha, A, B->type, C->type, type));
    bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE_CHECK(C->rows == A->rows && (plain ? B->rows : B->cols) == A->rows &&
                 (plain ? B->cols : B->rows) == C->cols);
    SPARSE_NEED(B->batches == 1 && C->batches == 1 && op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpSM_bufferSize(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                        const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                        cusparseDnMatDescr_t C, cudaDataType type, cusparseSpSMAlg_t algorithm,
                                        cusparseSpSMDescr_t d, size_t *bytes)
{
    SPARSE_TRY(check_matrices(h, op_a, op_b, alpha, A, B, C, type, algorithm, d));
    SPARSE_CHECK(bytes);
    *bytes = values_bytes(A) + view_bytes(A) + 16;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpSM_analysis(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                      const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                      cusparseDnMatDescr_t C, cudaDataType type, cusparseSpSMAlg_t algorithm,
                                      cusparseSpSMDescr_t d, void *buffer)
{
    SPARSE_TRY(check_matrices(h, op_a, op_b, alpha, A, B, C, type, algorithm, d));
    return analyse(h, A, &d->common, buffer);
}

cusparseStatus_t sparse_SpSM_solve(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                   const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                   cusparseDnMatDescr_t C, cudaDataType type, cusparseSpSMAlg_t algorithm,
                                   cusparseSpSMDescr_t d)
{
    SPARSE_TRY(check_matrices(h, op_a, op_b, alpha, A, B, C, type, algorithm, d));
    struct solve x = {.x = B->values, .y = C->values, .columns = C->cols};
    bool b_rows = (B->order == CUSPARSE_ORDER_ROW) != (op_b != CUSPARSE_OPERATION_NON_TRANSPOSE),
         c_rows = C->order == CUSPARSE_ORDER_ROW;
    x.x_down = b_rows ? B->ld : 1;
    x.x_across = b_rows ? 1 : B->ld;
    x.y_down = c_rows ? C->ld : 1;
    x.y_across = c_rows ? 1 : C->ld;
    return run(h, op_a, alpha, A, &d->common, type, &x);
}

cusparseStatus_t sparse_SpSM_updateMatrix(cusparseHandle_t h, cusparseSpSMDescr_t d, void *values,
                                          cusparseSpSMUpdate_t what)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_object_is(d, OBJECT_SPSM) && d->common.analysed && values &&
                 (unsigned)what <= CUSPARSE_SPSM_UPDATE_DIAGONAL);
    return update(h, &d->common, values, what == CUSPARSE_SPSM_UPDATE_DIAGONAL);
}
