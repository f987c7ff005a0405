// SPDX-License-Identifier: Apache-2.0
// Sparse and dense vectors: axpby, gather, scatter, rotations and products.
#include "cusparse/sparse.h"
#include "cusparse/work.h"

enum { EACH = 8192 };
struct vector {
    struct native_head head;
    int64_t size, nnz, base;
    struct indices indices;
    void *values, *y, *sums, *result;
    struct scalar alpha, beta;
    bool conjugate;
};

#define TEMPLATE "cusparse/kernel/vector.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE
#define TEMPLATE "cusparse/kernel/dot.h"
#define KIND_MIXED
#include "cusparse/kernel/kind.h"
#undef TEMPLATE

enum { SCALE, AXPY, GATHER, SCATTER, ROTATE, OPERATIONS };
#define KERNEL(operation, a, x, y, t)                                                                                  \
    LIBRARY_KERNEL("cusparse_" #operation "_" #a #x #y #t, operation##_##a##x##y##t, struct vector)
#define KERNELS(a, x, y, t)                                                                                            \
    {KERNEL(scale, a, x, y, t), KERNEL(axpy, a, x, y, t), KERNEL(gather, a, x, y, t), KERNEL(scatter, a, x, y, t),     \
     KERNEL(rotate, a, x, y, t)},
static struct library_kernel kernels[][OPERATIONS] = {KINDS(KERNELS)};
#define DOTS(a, x, y, t) {KERNEL(dot, a, x, y, t), KERNEL(sum, a, x, y, t)},
static struct library_kernel dots[][2] = {KINDS(DOTS) KINDS_MIXED(DOTS)};

static cusparseStatus_t begin(cusparseHandle_t h, cusparseConstSpVecDescr_t X, cusparseConstDnVecDescr_t Y, bool same,
                              struct vector *x)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_object_is(X, OBJECT_SPVEC) && sparse_object_is(Y, OBJECT_DNVEC) && X->size == Y->size);
    SPARSE_CHECK(!same || X->type == Y->type);
    *x = (struct vector){
        .size = X->size, .nnz = X->nnz, .base = (int64_t)X->base, .indices = X->indices, .values = X->values};
    x->y = Y->values;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t launch(cusparseHandle_t h, enum sparse_type type, int operation, int64_t n, struct vector *x)
{
    int kind = work_one(type);
    SPARSE_NEED(kind >= 0);
    return sparse_launch(h, &kernels[kind][operation], (uint64_t)sparse_parts(n, EACH), (double)sparse_min(n, EACH), x);
}

cusparseStatus_t sparse_Axpby(cusparseHandle_t h, const void *alpha, cusparseConstSpVecDescr_t X, const void *beta,
                              cusparseDnVecDescr_t Y)
{
    struct vector x;
    SPARSE_TRY(begin(h, X, Y, true, &x));
    SPARSE_CHECK(alpha && beta);
    SPARSE_NEED(work_one(X->type) >= 0);
    x.alpha = sparse_scalar(h, work_compute(X->type), alpha);
    x.beta = sparse_scalar(h, work_compute(X->type), beta);
    SPARSE_TRY(launch(h, X->type, SCALE, x.size, &x));
    return launch(h, X->type, AXPY, x.nnz, &x);
}

cusparseStatus_t sparse_Gather(cusparseHandle_t h, cusparseConstDnVecDescr_t Y, cusparseSpVecDescr_t X)
{
    struct vector x;
    SPARSE_TRY(begin(h, X, Y, true, &x));
    return launch(h, X->type, GATHER, x.nnz, &x);
}

cusparseStatus_t sparse_Scatter(cusparseHandle_t h, cusparseConstSpVecDescr_t X, cusparseDnVecDescr_t Y)
{
    struct vector x;
    SPARSE_TRY(begin(h, X, Y, true, &x));
    return launch(h, X->type, SCATTER, x.nnz, &x);
}

cusparseStatus_t sparse_Rot(cusparseHandle_t h, const void *c, const void *s, cusparseSpVecDescr_t X,
                            cusparseDnVecDescr_t Y)
{
    struct vector x;
    SPARSE_TRY(begin(h, X, Y, true, &x));
    SPARSE_CHECK(c && s);
    SPARSE_NEED(work_one(X->type) >= 0);
    x.alpha = sparse_scalar(h, work_compute(X->type), c);
    x.beta = sparse_scalar(h, work_compute(X->type), s);
    return launch(h, X->type, ROTATE, x.nnz, &x);
}

// A kind of work whose numbers are added up: the type of the result is that of computing.
static int dot_kind(enum sparse_type x, enum sparse_type y, enum sparse_type t)
{
    int kind = work_kind(x, y, t, t, true);
    return kind >= 0 ? kind : work_kind(x, y, x, t, true);
}

static bool wants_buffer(cusparseHandle_t h, cusparseConstSpVecDescr_t X)
{
    return h->mode == CUSPARSE_POINTER_MODE_HOST && X->nnz;
}

cusparseStatus_t sparse_SpVV_bufferSize(cusparseHandle_t h, cusparseOperation_t op, cusparseConstSpVecDescr_t X,
                                        cusparseConstDnVecDescr_t Y, const void *result, cudaDataType type,
                                        size_t *bytes)
{
    struct vector x;
    SPARSE_TRY(begin(h, X, Y, false, &x));
    SPARSE_CHECK(sparse_is_op(op) && result && bytes);
    SPARSE_NEED(dot_kind(X->type, Y->type, sparse_type_of(type)) >= 0 && sparse_can_conjugate(op, X->type));
    *bytes = wants_buffer(h, X) ? SPARSE_BUFFER_BYTES : 0;
    return CUSPARSE_STATUS_SUCCESS;
}

// A result of the host's is there when the call returns.
cusparseStatus_t sparse_SpVV(cusparseHandle_t h, cusparseOperation_t op, cusparseConstSpVecDescr_t X,
                             cusparseConstDnVecDescr_t Y, void *result, cudaDataType type, void *buffer)
{
    struct vector x;
    SPARSE_TRY(begin(h, X, Y, false, &x));
    SPARSE_CHECK(sparse_is_op(op) && result && (buffer || !wants_buffer(h, X)));
    int kind = dot_kind(X->type, Y->type, sparse_type_of(type));
    SPARSE_NEED(kind >= 0 && sparse_can_conjugate(op, X->type));
    uint64_t parts = (uint64_t)sparse_parts(x.nnz, EACH);
    char *memory = sparse_scratch(h, (parts + 1) * 16);
    if (!memory)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    x.sums = memory + 16;
    bool host = h->mode == CUSPARSE_POINTER_MODE_HOST;
    x.result = host ? memory : result;
    x.conjugate = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    cusparseStatus_t status = sparse_launch(h, &dots[kind][0], parts, EACH, &x);
    if (!status)
        status = sparse_launch(h, &dots[kind][1], 1, (double)parts, &x);
    if (!status && host) {
        size_t size = sparse_size(sparse_type_of(type));
        status = sparse_status(cudaMemcpyAsync(result, memory, size, cudaMemcpyDeviceToHost, h->stream));
        status = sparse_wait(h, status);
    }
    sparse_scratch_end(h, memory);
    return status;
}
