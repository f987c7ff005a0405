// SPDX-License-Identifier: Apache-2.0
// Sparse matrices from dense ones and back. Elements of a dense matrix are counted line by line, the counts are added up to where lines begin,
// and lines are filled. The counts are kept in the program's buffer from the analysis to the conversion.
#include "cusparse/sparse.h"
#include "cusparse/work.h"

enum { LINES = 64 };
struct convert {
    struct native_head head;
    struct view view;
    void *dense;
    int64_t down, across; // steps of the dense matrix, from line to line and along a line
    int64_t *counts;      // lines + 1
    bool coo;
};

#define TEMPLATE "cusparse/kernel/convert.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE

enum { TO_DENSE, COUNT, FILL, OPERATIONS };
#define KERNEL(operation, a, x, y, t)                                                                                  \
    LIBRARY_KERNEL("cusparse_" #operation "_" #a #x #y #t, operation##_##a##x##y##t, struct convert)
#define KERNELS(a, x, y, t) {KERNEL(to_dense, a, x, y, t), KERNEL(count, a, x, y, t), KERNEL(fill, a, x, y, t)},
static struct library_kernel kernels[][OPERATIONS] = {KINDS(KERNELS)};

static void add_up(const void *block, uint64_t part)
{
    const struct convert *x = block;
    (void)part;
    x->counts[0] = 0;
    for (int64_t i = 0; i < x->view.lines; i++)
        x->counts[i + 1] += x->counts[i];
}
static struct library_kernel add_up_kernel = LIBRARY_KERNEL("cusparse_add_up", add_up, struct convert);

static cusparseStatus_t check(cusparseHandle_t h, cusparseConstSpMatDescr_t S, cusparseConstDnMatDescr_t D)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_object_is(S, OBJECT_SPMAT) && sparse_object_is(D, OBJECT_DNMAT));
    SPARSE_CHECK(S->rows == D->rows && S->cols == D->cols && S->type == D->type);
    SPARSE_NEED(view_can(S) && S->batches == 1 && D->batches == 1 && work_one(S->type) >= 0);
    return CUSPARSE_STATUS_SUCCESS;
}

static void steps(struct convert *x, cusparseConstSpMatDescr_t S, cusparseConstDnMatDescr_t D)
{
    bool along = (D->order == CUSPARSE_ORDER_ROW) != (S->format == CUSPARSE_FORMAT_CSC);
    x->dense = D->values;
    x->down = along ? D->ld : 1;
    x->across = along ? 1 : D->ld;
    x->coo = S->format == CUSPARSE_FORMAT_COO;
}

static cusparseStatus_t launch(cusparseHandle_t h, enum sparse_type type, int operation, struct convert *x)
{
    return sparse_launch(h, &kernels[work_one(type)][operation],
                         (uint64_t)sparse_max(sparse_parts(x->view.lines, LINES), 1), (double)(LINES * x->view.across),
                         x);
}

static bool wants_buffer(cusparseConstSpMatDescr_t A)
{
    return A->format != CUSPARSE_FORMAT_COO && A->nnz;
}

cusparseStatus_t sparse_SparseToDense_bufferSize(cusparseHandle_t h, cusparseConstSpMatDescr_t A,
                                                 cusparseDnMatDescr_t B, cusparseSparseToDenseAlg_t algorithm,
                                                 size_t *bytes)
{
    SPARSE_TRY(check(h, A, B));
    SPARSE_CHECK(algorithm == CUSPARSE_SPARSETODENSE_ALG_DEFAULT && bytes);
    *bytes = wants_buffer(A) ? SPARSE_BUFFER_BYTES : 0;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SparseToDense(cusparseHandle_t h, cusparseConstSpMatDescr_t A, cusparseDnMatDescr_t B,
                                      cusparseSparseToDenseAlg_t algorithm, void *buffer)
{
    struct convert x = {0};
    SPARSE_TRY(check(h, A, B));
    SPARSE_CHECK(algorithm == CUSPARSE_SPARSETODENSE_ALG_DEFAULT && (buffer || !wants_buffer(A)));
    void *memory = sparse_scratch(h, view_bytes(A) + 1);
    if (!memory)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    cusparseStatus_t status = view_make(h, A, memory, &x.view);
    steps(&x, A, B);
    if (!status)
        status = launch(h, A->type, TO_DENSE, &x);
    sparse_scratch_end(h, memory);
    return status;
}

// A view of what is yet to be filled.
static void view_plain(cusparseConstSpMatDescr_t S, struct view *v)
{
    bool columns = S->format == CUSPARSE_FORMAT_CSC;
    *v = (struct view){.offsets = S->offsets, .indices = S->indices, .values = S->values, .base = (int64_t)S->base};
    v->lines = columns ? S->cols : S->rows;
    v->across = columns ? S->rows : S->cols;
}

cusparseStatus_t sparse_DenseToSparse_bufferSize(cusparseHandle_t h, cusparseConstDnMatDescr_t A,
                                                 cusparseSpMatDescr_t B, cusparseDenseToSparseAlg_t algorithm,
                                                 size_t *bytes)
{
    SPARSE_TRY(check(h, B, A));
    SPARSE_CHECK(algorithm == CUSPARSE_DENSETOSPARSE_ALG_DEFAULT && bytes);
    *bytes = (size_t)(sparse_max(B->rows, B->cols) + 1) * sizeof(int64_t);
    return CUSPARSE_STATUS_SUCCESS;
}

// Waits: the number of elements is the host's.
cusparseStatus_t sparse_DenseToSparse_analysis(cusparseHandle_t h, cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
                                               cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    struct convert x = {.counts = buffer};
    SPARSE_TRY(check(h, B, A));
    SPARSE_CHECK(algorithm == CUSPARSE_DENSETOSPARSE_ALG_DEFAULT && buffer);
    view_plain(B, &x.view);
    steps(&x, B, A);
    SPARSE_TRY(launch(h, B->type, COUNT, &x));
    SPARSE_TRY(sparse_launch(h, &add_up_kernel, 1, (double)x.view.lines, &x));
    int64_t nnz = 0;
    SPARSE_TRY(
        sparse_status(cudaMemcpyAsync(&nnz, x.counts + x.view.lines, sizeof nnz, cudaMemcpyDeviceToHost, h->stream)));
    SPARSE_TRY(sparse_wait(h, CUSPARSE_STATUS_SUCCESS));
    B->nnz = nnz;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_DenseToSparse_convert(cusparseHandle_t h, cusparseConstDnMatDescr_t A, cusparseSpMatDescr_t B,
                                              cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    struct convert x = {.counts = buffer};
    SPARSE_TRY(check(h, B, A));
    SPARSE_CHECK(algorithm == CUSPARSE_DENSETOSPARSE_ALG_DEFAULT && buffer &&
                 (!B->nnz || (B->indices.at && B->values)));
    SPARSE_CHECK(B->offsets.at || (B->format == CUSPARSE_FORMAT_COO && !B->nnz));
    view_plain(B, &x.view);
    steps(&x, B, A);
    return launch(h, B->type, FILL, &x);
}
