// SPDX-License-Identifier: Apache-2.0
// Products of a sparse matrix and a vector. Where the lines of the matrix are the rows of op(A), parts are pieces of equal work of the
// list of elements and ends of lines, so that long rows do not hurt: pieces of rows that are cut are joined in their order. Where they
// are its columns, parts add to vectors of their own. How many there are follows from the size alone.
#include "cusparse/sparse.h"
#include "cusparse/work.h"

enum { EACH = 16384, ROWS = 1024, LONG = 64 };
struct piece {
    int64_t first, last; // lines that began before the part, and that end after it; -1: none
    _Alignas(16) char sums[2][16];
};
struct spmv {
    struct native_head head;
    struct view view;
    const void *x;
    void *y, *pieces;
    int64_t count, rows, slice, block_rows, block_cols;
    struct scalar alpha, beta;
    bool conjugate, by_rows;
};

#define TEMPLATE "cusparse/kernel/spmv.h"
#define KIND_MIXED
#include "cusparse/kernel/kind.h"
#undef TEMPLATE

enum { GATHER, JOIN, SCATTER, REDUCE, SLICES, BLOCKS, OPERATIONS };
#define KERNEL(operation, a, x, y, t)                                                                                  \
    LIBRARY_KERNEL("cusparse_" #operation "_" #a #x #y #t, operation##_##a##x##y##t, struct spmv)
#define KERNELS(a, x, y, t)                                                                                            \
    {KERNEL(spmv_gather, a, x, y, t), KERNEL(spmv_join, a, x, y, t),   KERNEL(spmv_scatter, a, x, y, t),               \
     KERNEL(spmv_reduce, a, x, y, t), KERNEL(spmv_slices, a, x, y, t), KERNEL(spmv_blocks, a, x, y, t)},
static struct library_kernel kernels[][OPERATIONS] = {KINDS(KERNELS) KINDS_MIXED(KERNELS)};

static cusparseStatus_t gather(cusparseHandle_t h, struct library_kernel *k, struct spmv *x, void *pieces)
{
    int64_t items = x->view.lines + x->view.nnz;
    x->count = sparse_parts(items, EACH);
    x->pieces = x->count > 1 ? pieces : NULL;
    SPARSE_TRY(sparse_launch(h, &k[GATHER], (uint64_t)x->count, (double)sparse_min(items, EACH), x));
    return x->count > 1 ? sparse_launch(h, &k[JOIN], 1, (double)x->count, x) : CUSPARSE_STATUS_SUCCESS;
}

// How many vectors elements are added to: together they are not much larger than the matrix.
static int64_t copies(const struct view *v)
{
    enum { LEAST = 32768, MOST = 16 };
    return v->nnz < LEAST ? 1 : sparse_max(2, sparse_min(MOST, v->nnz / sparse_max(v->across, 1)));
}

static cusparseStatus_t scatter(cusparseHandle_t h, struct library_kernel *k, struct spmv *x, void *memory)
{
    x->count = copies(&x->view);
    x->pieces = memory;
    SPARSE_TRY(sparse_launch(h, &k[SCATTER], (uint64_t)x->count,
                             (double)x->view.nnz / (double)x->count + (double)x->view.across, x));
    return sparse_launch(h, &k[REDUCE], (uint64_t)sparse_parts(x->rows, ROWS), (double)(ROWS * x->count), x);
}

static cusparseStatus_t lines(cusparseHandle_t h, struct library_kernel *k, struct spmv *x, cusparseConstSpMatDescr_t A,
                              bool across)
{
    struct view sizes = {.nnz = A->nnz, .across = x->rows};
    size_t offsets = (view_bytes(A) + 15) & ~(size_t)15;
    size_t bytes = offsets + (across ? (size_t)(copies(&sizes) * x->rows) * 16
                                     : (size_t)sparse_parts(A->nnz + x->rows, EACH) * sizeof(struct piece));
    char *memory = sparse_scratch(h, bytes);
    if (!memory)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    cusparseStatus_t status = view_make(h, A, memory, &x->view);
    if (!status)
        status = (across ? scatter : gather)(h, k, x, memory + offsets);
    sparse_scratch_end(h, memory);
    return status;
}

static cusparseStatus_t check(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X, const void *beta,
                              cusparseConstDnVecDescr_t Y, cudaDataType type, cusparseSpMVAlg_t algorithm, int *kind)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op) && alpha && beta && sparse_object_is(A, OBJECT_SPMAT) &&
                 sparse_object_is(X, OBJECT_DNVEC) && sparse_object_is(Y, OBJECT_DNVEC) &&
                 (unsigned)algorithm <= CUSPARSE_SPMV_BSR_ALG1);
    bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE_CHECK(X->size == (plain ? A->cols : A->rows) && Y->size == (plain ? A->rows : A->cols));
    SPARSE_NEED(A->batches == 1 && A->format != CUSPARSE_FORMAT_BLOCKED_ELL && (plain || view_can(A)));
    *kind = work_kind(A->type, X->type, Y->type, sparse_type_of(type), true);
    SPARSE_NEED(*kind >= 0);
    SPARSE_CHECK(sparse_can_conjugate(op, A->type));
    return CUSPARSE_STATUS_SUCCESS;
}

static bool wants_buffer(cusparseConstSpMatDescr_t A)
{
    return A->format == CUSPARSE_FORMAT_COO && A->nnz;
}

cusparseStatus_t sparse_SpMV(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t A,
                             cusparseConstDnVecDescr_t X, const void *beta, cusparseDnVecDescr_t Y, cudaDataType type,
                             cusparseSpMVAlg_t algorithm, void *buffer)
{
    int kind = 0;
    SPARSE_TRY(check(h, op, alpha, A, X, beta, Y, type, algorithm, &kind));
    SPARSE_CHECK(buffer || !wants_buffer(A));
    if (!Y->size)
        return CUSPARSE_STATUS_SUCCESS;
    enum sparse_type compute = sparse_type_of(type);
    struct spmv x = {.x = X->values, .y = Y->values, .rows = Y->size};
    x.alpha = sparse_scalar(h, compute, alpha);
    x.beta = sparse_scalar(h, compute, beta);
    x.conjugate = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    struct library_kernel *k = kernels[kind];
    if (view_can(A))
        return lines(h, k, &x, A, (A->format == CUSPARSE_FORMAT_CSC) == (op == CUSPARSE_OPERATION_NON_TRANSPOSE));
    x.view = (struct view){.offsets = A->offsets, .indices = A->indices, .values = A->values, .base = (int64_t)A->base};
    x.slice = A->slice;
    x.block_rows = A->block_rows;
    x.block_cols = A->block_cols;
    x.by_rows = A->order == CUSPARSE_ORDER_ROW;
    int64_t parts = sparse_parts(x.rows, ROWS);
    return sparse_launch(h, &k[A->format == CUSPARSE_FORMAT_BSR ? BLOCKS : SLICES], (uint64_t)parts,
                         (double)A->nnz / (double)parts, &x);
}

cusparseStatus_t sparse_SpMV_bufferSize(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                                        cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X, const void *beta,
                                        cusparseDnVecDescr_t Y, cudaDataType type, cusparseSpMVAlg_t algorithm,
                                        size_t *bytes)
{
    int kind;
    SPARSE_TRY(check(h, op, alpha, A, X, beta, Y, type, algorithm, &kind));
    SPARSE_CHECK(bytes);
    *bytes = wants_buffer(A) ? SPARSE_BUFFER_BYTES : 0;
    return CUSPARSE_STATUS_SUCCESS;
}

// There is nothing to prepare.
cusparseStatus_t sparse_SpMV_preprocess(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                                        cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X, const void *beta,
                                        cusparseDnVecDescr_t Y, cudaDataType type, cusparseSpMVAlg_t algorithm,
                                        void *buffer)
{
    int kind;
    SPARSE_TRY(check(h, op, alpha, A, X, beta, Y, type, algorithm, &kind));
    SPARSE_CHECK(buffer || !wants_buffer(A));
    return CUSPARSE_STATUS_SUCCESS;
}
