// SPDX-License-Identifier: Apache-2.0
// Products of a sparse and a dense matrix. An element of C is summed in one part, in the order of A's elements.
#include "cusparse/sparse.h"
#include "cusparse/work.h"

enum { COLUMNS = 8, EACH = 8192, ROWS = 64, MOST = 16 };
struct spmm {
    struct native_head head;
    struct view view;
    const void *b;
    void *c, *sums;
    int64_t rows, inner, columns;               // of C and, the inner one, of op(B)
    int64_t b_down, b_across, b_stride;         // steps of op(B)
    int64_t c_down, c_across, c_stride;         // and of C
    int64_t pieces, each, group;                // of a batch; elements and ends of rows in each; columns of a part
    int64_t block_rows, block_cols, ell_blocks; // blocked formats; ell_blocks: in a row of blocks, 0: BSR
    struct scalar alpha, beta;
    bool conjugate_a, conjugate_b, by_rows;
};

#define TEMPLATE "cusparse/kernel/spmm.h"
#define KIND_MIXED
#include "cusparse/kernel/kind.h"
#undef TEMPLATE

enum { GATHER, SCATTER, BLOCKS, OPERATIONS };
#define KERNEL(operation, a, x, y, t)                                                                                  \
    LIBRARY_KERNEL("cusparse_" #operation "_" #a #x #y #t, operation##_##a##x##y##t, struct spmm)
#define KERNELS(a, x, y, t)                                                                                            \
    {KERNEL(spmm_gather, a, x, y, t), KERNEL(spmm_scatter, a, x, y, t), KERNEL(spmm_blocks, a, x, y, t)},
static struct library_kernel kernels[][OPERATIONS] = {KINDS(KERNELS) KINDS_MIXED(KERNELS)};

static cusparseStatus_t check(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B, const void *beta,
                              cusparseConstDnMatDescr_t C, cudaDataType type, int *kind)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op_a) && sparse_is_op(op_b) && alpha && beta && sparse_object_is(A, OBJECT_SPMAT) &&
                 sparse_object_is(B, OBJECT_DNMAT) && sparse_object_is(C, OBJECT_DNMAT));
    bool a_plain = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE, b_plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE_CHECK(C->rows == (a_plain ? A->rows : A->cols) && C->cols == (b_plain ? B->cols : B->rows) &&
                 (a_plain ? A->cols : A->rows) == (b_plain ? B->rows : B->cols));
    SPARSE_CHECK(A->batches == C->batches && B->batches == C->batches); // one for all has a stride of 0
    SPARSE_NEED(A->format != CUSPARSE_FORMAT_SLICED_ELLPACK && (a_plain || view_can(A)));
    *kind = work_kind(A->type, B->type, C->type, sparse_type_of(type), true);
    SPARSE_NEED(*kind >= 0);
    SPARSE_CHECK(sparse_can_conjugate(op_a, A->type) && sparse_can_conjugate(op_b, B->type));
    return CUSPARSE_STATUS_SUCCESS;
}

static void steps(cusparseConstDnMatDescr_t m, bool transposed, int64_t *down, int64_t *across, int64_t *stride)
{
    bool by_rows = (m->order == CUSPARSE_ORDER_ROW) != transposed;
    *down = by_rows ? m->ld : 1;
    *across = by_rows ? 1 : m->ld;
    *stride = m->batches > 1 ? m->stride : 0;
}

static cusparseStatus_t blocks(cusparseHandle_t h, struct library_kernel *k, struct spmm *x,
                               cusparseConstSpMatDescr_t A, int batches)
{
    x->view = (struct view){.offsets = A->offsets,
                            .indices = A->indices,
                            .values = A->values,
                            .base = (int64_t)A->base,
                            .offsets_stride = A->offsets_stride,
                            .indices_stride = A->indices_stride,
                            .values_stride = A->values_stride};
    x->block_rows = A->block_rows;
    x->block_cols = A->block_cols;
    x->by_rows = A->order == CUSPARSE_ORDER_ROW;
    x->ell_blocks = A->format == CUSPARSE_FORMAT_BLOCKED_ELL ? A->ell_cols / A->block_cols : 0;
    x->pieces = sparse_parts(x->rows, ROWS);
    return sparse_launch(h, &k[BLOCKS], (uint64_t)(x->pieces * batches),
                         (double)A->nnz / (double)x->pieces * (double)x->columns, x);
}

static cusparseStatus_t lines(cusparseHandle_t h, struct library_kernel *k, struct spmm *x, cusparseConstSpMatDescr_t A,
                              int batches, bool across)
{
    x->group = sparse_parts(x->columns, MOST);
    int64_t groups = sparse_parts(x->columns, x->group);
    size_t offsets = (view_bytes(A) + 15) & ~(size_t)15,
           bytes = offsets + (across ? (size_t)(groups * batches * x->rows) * 16 : 16);
    char *memory = sparse_scratch(h, bytes);
    if (!memory)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    cusparseStatus_t status = view_make(h, A, memory, &x->view);
    if (A->batches == 1)
        x->view.offsets_stride = x->view.indices_stride = x->view.values_stride = 0;
    int64_t items = x->view.lines + x->view.nnz;
    x->sums = memory + offsets;
    x->each = EACH;
    x->pieces = sparse_max(sparse_parts(items, EACH), 1);
    if (!status && across)
        status = sparse_launch(h, &k[SCATTER], (uint64_t)(groups * batches), (double)(items * x->group), x);
    else if (!status)
        status = sparse_launch(h, &k[GATHER], (uint64_t)(x->pieces * sparse_parts(x->columns, COLUMNS) * batches),
                               (double)(sparse_min(items, EACH) * COLUMNS), x);
    sparse_scratch_end(h, memory);
    return status;
}

cusparseStatus_t sparse_SpMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                             cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B, const void *beta,
                             cusparseDnMatDescr_t C, cudaDataType type, cusparseSpMMAlg_t algorithm, void *buffer)
{
    int kind = 0;
    (void)buffer;
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, alpha, A, B, beta, C, type, &kind));
    if (!C->rows || !C->cols)
        return CUSPARSE_STATUS_SUCCESS;
    struct spmm x = {.b = B->values, .c = C->values, .rows = C->rows, .columns = C->cols};
    x.inner = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE ? A->cols : A->rows;
    x.alpha = sparse_scalar(h, sparse_type_of(type), alpha);
    x.beta = sparse_scalar(h, sparse_type_of(type), beta);
    steps(B, op_b != CUSPARSE_OPERATION_NON_TRANSPOSE, &x.b_down, &x.b_across, &x.b_stride);
    steps(C, false, &x.c_down, &x.c_across, &x.c_stride);
    x.conjugate_a = op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    x.conjugate_b = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    if (!view_can(A))
        return blocks(h, kernels[kind], &x, A, C->batches);
    bool across = (A->format == CUSPARSE_FORMAT_CSC) == (op_a == CUSPARSE_OPERATION_NON_TRANSPOSE);
    return lines(h, kernels[kind], &x, A, C->batches, across);
}

// Memory is the handle's.
cusparseStatus_t sparse_SpMM_bufferSize(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                        const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                        const void *beta, cusparseDnMatDescr_t C, cudaDataType type,
                                        cusparseSpMMAlg_t algorithm, size_t *bytes)
{
    int kind;
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, alpha, A, B, beta, C, type, &kind));
    SPARSE_CHECK(bytes);
    *bytes = 0;
    return CUSPARSE_STATUS_SUCCESS;
}

// There is nothing to prepare.
cusparseStatus_t sparse_SpMM_preprocess(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                        const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                        const void *beta, cusparseDnMatDescr_t C, cudaDataType type,
                                        cusparseSpMMAlg_t algorithm, void *buffer)
{
    int kind;
    (void)algorithm;
    (void)buffer;
    return check(h, op_a, op_b, alpha, A, B, beta, C, type, &kind);
}
