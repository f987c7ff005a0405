// SPDX-License-Identifier: Apache-2.0
// Products of two sparse matrices, and of two dense ones at the elements of a sparse one. SpGEMM counts the products of each row of A first,
// which gives the size of the list of products; the list is sorted row by row and added up, and what is left is C.
#include "cusparse/sparse.h"
#include "cusparse/work.h"

enum { LINES = 32, EACH = 4096, PIECE = 512 };
struct spgemm {
    struct native_head head;
    struct view a, b, c;
    int64_t *starts, *counts; // lines + 1: of lists of products; of rows of C
    int64_t *columns, *columns_too;
    void *values, *values_too;
    struct scalar alpha, beta;
    bool symbolic;
};
struct sddmm {
    struct native_head head;
    struct view c;
    const void *a, *b;
    int64_t inner, a_down, a_across, b_down, b_across;
    struct scalar alpha, beta;
    bool conjugate_a, conjugate_b;
};
struct cusparseSpGEMMDescr {
    struct sparse_object object;
    int64_t products; // -1: not yet known
    struct spgemm work;
};
_Static_assert(sizeof(struct cusparseSpGEMMDescr) <= SPARSE_OBJECT_BYTES, "an object");

#define TEMPLATE "cusparse/kernel/spgemm.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE

enum { MULTIPLY, WRITE, REFILL, OPERATIONS };
#define KERNEL(operation, a, x, y, t, Block)                                                                           \
    LIBRARY_KERNEL("cusparse_" #operation "_" #a #x #y #t, operation##_##a##x##y##t, Block)
#define KERNELS(a, x, y, t)                                                                                            \
    {KERNEL(multiply, a, x, y, t, struct spgemm), KERNEL(write, a, x, y, t, struct spgemm),                            \
     KERNEL(refill, a, x, y, t, struct spgemm)},
static struct library_kernel kernels[][OPERATIONS] = {KINDS(KERNELS)};
#define SAMPLE(a, x, y, t) KERNEL(sample, a, x, y, t, struct sddmm),
static struct library_kernel samples[] = {KINDS(SAMPLE)};

static void count_run(const void *block, uint64_t part)
{
    const struct spgemm *x = block;
    for (int64_t i = (int64_t)part * LINES, last = sparse_min(i + LINES, x->a.lines); i < last; i++) {
        int64_t n = 0, end = view_begin(&x->a, i + 1);
        for (int64_t k = view_begin(&x->a, i); k < end; k++) {
            int64_t line = index_at(x->a.indices, k) - x->a.base;
            n += view_begin(&x->b, line + 1) - view_begin(&x->b, line);
        }
        x->starts[i + 1] = n;
    }
}
static void add_starts(const void *block, uint64_t part)
{
    const struct spgemm *x = block;
    (void)part;
    x->starts[0] = 0;
    for (int64_t i = 0; i < x->a.lines; i++)
        x->starts[i + 1] += x->starts[i];
}
static void add_counts(const void *block, uint64_t part)
{
    const struct spgemm *x = block;
    (void)part;
    x->counts[0] = 0;
    for (int64_t i = 0; i < x->a.lines; i++)
        x->counts[i + 1] += x->counts[i];
}
static struct library_kernel count_kernel = LIBRARY_KERNEL("cusparse_spgemm_count", count_run, struct spgemm);
static struct library_kernel starts_kernel = LIBRARY_KERNEL("cusparse_spgemm_starts", add_starts, struct spgemm);
static struct library_kernel counts_kernel = LIBRARY_KERNEL("cusparse_spgemm_counts", add_counts, struct spgemm);

cusparseStatus_t sparse_SpGEMM_createDescr(cusparseSpGEMMDescr_t *out)
{
    SPARSE_CHECK(out);
    *out = sparse_object_create(OBJECT_SPGEMM);
    if (*out)
        (*out)->products = -1;
    return *out ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t sparse_SpGEMM_destroyDescr(cusparseSpGEMMDescr_t d)
{
    return sparse_object_destroy(d, OBJECT_SPGEMM);
}

static cusparseStatus_t check(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B, cusparseConstSpMatDescr_t C,
                              cusparseSpGEMMDescr_t d)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op_a) && sparse_is_op(op_b) && sparse_object_is(A, OBJECT_SPMAT) &&
                 sparse_object_is(B, OBJECT_SPMAT) && sparse_object_is(C, OBJECT_SPMAT) &&
                 sparse_object_is(d, OBJECT_SPGEMM));
    SPARSE_CHECK(A->cols == B->rows && C->rows == A->rows && C->cols == B->cols);
    SPARSE_NEED(op_a == CUSPARSE_OPERATION_NON_TRANSPOSE && op_b == CUSPARSE_OPERATION_NON_TRANSPOSE);
    SPARSE_NEED(A->format == CUSPARSE_FORMAT_CSR && B->format == CUSPARSE_FORMAT_CSR &&
                C->format == CUSPARSE_FORMAT_CSR);
    SPARSE_NEED(A->type == B->type && A->type == C->type && work_one(A->type) >= 0);
    view_make(h, A, NULL, &d->work.a);
    view_make(h, B, NULL, &d->work.b);
    view_make(h, C, NULL, &d->work.c);
    return CUSPARSE_STATUS_SUCCESS;
}

// Halves are multiplied only where the pattern is kept, as NVIDIA's library does.
static cusparseStatus_t check_scalars(cusparseHandle_t h, const void *alpha, const void *beta,
                                      cusparseConstSpMatDescr_t A, cudaDataType type, cusparseSpGEMMDescr_t d,
                                      bool reuse)
{
    SPARSE_CHECK(alpha && beta);
    SPARSE_NEED(sparse_type_of(type) == work_compute(A->type) && (A->type <= SPARSE_Z || reuse));
    d->work.alpha = sparse_scalar(h, work_compute(A->type), alpha);
    d->work.beta = sparse_scalar(h, work_compute(A->type), beta);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t launch(cusparseHandle_t h, struct library_kernel *k, struct spgemm *x)
{
    return sparse_launch(h, k, (uint64_t)sparse_max(sparse_parts(x->a.lines, LINES), 1),
                         (double)x->a.nnz / (double)sparse_max(1, x->a.lines) * LINES, x);
}

static cusparseStatus_t starts_make(cusparseHandle_t h, cusparseSpGEMMDescr_t d, int64_t *starts)
{
    d->work.starts = starts;
    SPARSE_TRY(launch(h, &count_kernel, &d->work));
    return sparse_launch(h, &starts_kernel, 1, (double)d->work.a.lines, &d->work);
}

// Waits: the number is the host's.
static cusparseStatus_t number_get(cusparseHandle_t h, const int64_t *from, int64_t *to)
{
    SPARSE_TRY(sparse_status(cudaMemcpyAsync(to, from, sizeof *to, cudaMemcpyDeviceToHost, h->stream)));
    return sparse_wait(h, CUSPARSE_STATUS_SUCCESS);
}

static cusparseStatus_t estimate(cusparseHandle_t h, cusparseSpGEMMDescr_t d, size_t *bytes, void *buffer)
{
    SPARSE_CHECK(bytes);
    if (!buffer) {
        *bytes = (size_t)(d->work.a.lines + 1) * sizeof(int64_t);
        return CUSPARSE_STATUS_SUCCESS;
    }
    SPARSE_TRY(starts_make(h, d, buffer));
    return number_get(h, d->work.starts + d->work.a.lines, &d->products);
}

enum { NUMBER = 16 }; // bytes of the largest
static size_t list_bytes(cusparseSpGEMMDescr_t d)
{
    return (size_t)d->products * 2 * (sizeof(int64_t) + NUMBER) + (size_t)(d->work.a.lines + 1) * 2 * sizeof(int64_t) +
           NUMBER;
}

// The list of products in the buffer, and the number of elements of C. own: the buffer holds the starts of lists too.
static cusparseStatus_t multiply(cusparseHandle_t h, cusparseSpGEMMDescr_t d, cusparseSpMatDescr_t C, char *buffer,
                                 bool symbolic, bool own)
{
    struct spgemm *x = &d->work;
    x->values = buffer;
    x->values_too = buffer + d->products * NUMBER;
    x->columns = (int64_t *)(buffer + 2 * d->products * NUMBER);
    x->columns_too = x->columns + d->products;
    x->counts = x->columns_too + d->products;
    x->symbolic = symbolic;
    if (own)
        SPARSE_TRY(starts_make(h, d, x->counts + x->a.lines + 1));
    SPARSE_TRY(launch(h, &kernels[work_one(C->type)][MULTIPLY], x));
    SPARSE_TRY(sparse_launch(h, &counts_kernel, 1, (double)x->a.lines, x));
    return number_get(h, x->counts + x->a.lines, &C->nnz);
}

cusparseStatus_t sparse_SpGEMM_workEstimation(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                              const void *alpha, cusparseConstSpMatDescr_t A,
                                              cusparseConstSpMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,
                                              cudaDataType type, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d,
                                              size_t *bytes, void *buffer)
{
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, A, B, C, d));
    SPARSE_TRY(check_scalars(h, alpha, beta, A, type, d, false));
    return estimate(h, d, bytes, buffer);
}

cusparseStatus_t sparse_SpGEMM_getNumProducts(cusparseSpGEMMDescr_t d, int64_t *products)
{
    SPARSE_CHECK(sparse_object_is(d, OBJECT_SPGEMM) && products && d->products >= 0);
    *products = d->products;
    return CUSPARSE_STATUS_SUCCESS;
}

// All products are listed at once, so that a fraction does not matter.
cusparseStatus_t sparse_SpGEMM_estimateMemory(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                              const void *alpha, cusparseConstSpMatDescr_t A,
                                              cusparseConstSpMatDescr_t B, const void *beta, cusparseSpMatDescr_t C,
                                              cudaDataType type, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d,
                                              float fraction, size_t *bytes3, void *buffer3, size_t *bytes2)
{
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, A, B, C, d));
    SPARSE_TRY(check_scalars(h, alpha, beta, A, type, d, false));
    SPARSE_CHECK(d->products >= 0 && fraction > 0 && fraction <= 1 && (buffer3 ? bytes2 : bytes3));
    if (buffer3)
        *bytes2 = list_bytes(d);
    else
        *bytes3 = NUMBER;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpGEMM_compute(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                       const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                       const void *beta, cusparseSpMatDescr_t C, cudaDataType type,
                                       cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d, size_t *bytes,
                                       void *buffer)
{
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, A, B, C, d));
    SPARSE_TRY(check_scalars(h, alpha, beta, A, type, d, false));
    SPARSE_CHECK(d->products >= 0 && (bytes || buffer));
    if (buffer)
        return multiply(h, d, C, buffer, false, false);
    *bytes = list_bytes(d);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpGEMM_copy(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                    const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                    const void *beta, cusparseSpMatDescr_t C, cudaDataType type,
                                    cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d)
{
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, A, B, C, d));
    SPARSE_TRY(check_scalars(h, alpha, beta, A, type, d, false));
    SPARSE_CHECK(d->work.counts && C->offsets.at && (!C->nnz || (C->indices.at && C->values)));
    return launch(h, &kernels[work_one(A->type)][WRITE], &d->work);
}

// ---- the pattern once, values again and again
cusparseStatus_t sparse_SpGEMMreuse_workEstimation(cusparseHandle_t h, cusparseOperation_t op_a,
                                                   cusparseOperation_t op_b, cusparseConstSpMatDescr_t A,
                                                   cusparseConstSpMatDescr_t B, cusparseSpMatDescr_t C,
                                                   cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d,
                                                   size_t *bytes, void *buffer)
{
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, A, B, C, d));
    return estimate(h, d, bytes, buffer);
}

// The third buffer holds all that the copy needs: the program may free the first two before.
cusparseStatus_t sparse_SpGEMMreuse_nnz(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                        cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                        cusparseSpMatDescr_t C, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d,
                                        size_t *bytes2, void *buffer2, size_t *bytes3, void *buffer3, size_t *bytes4,
                                        void *buffer4)
{
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, A, B, C, d));
    SPARSE_CHECK(d->products >= 0 && bytes2 && bytes3 && bytes4);
    if (buffer2 && buffer3 && buffer4)
        return multiply(h, d, C, buffer3, true, true);
    *bytes2 = *bytes4 = NUMBER;
    *bytes3 = list_bytes(d);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpGEMMreuse_copy(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                         cusparseSpMatDescr_t C, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d,
                                         size_t *bytes, void *buffer)
{
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, A, B, C, d));
    SPARSE_CHECK(bytes && d->work.counts);
    if (!buffer) {
        *bytes = NUMBER;
        return CUSPARSE_STATUS_SUCCESS;
    }
    SPARSE_CHECK(C->offsets.at && (!C->nnz || C->indices.at));
    return launch(h, &kernels[work_one(A->type)][WRITE], &d->work);
}

cusparseStatus_t sparse_SpGEMMreuse_compute(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                            const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                            const void *beta, cusparseSpMatDescr_t C, cudaDataType type,
                                            cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d)
{
    (void)algorithm;
    SPARSE_TRY(check(h, op_a, op_b, A, B, C, d));
    SPARSE_TRY(check_scalars(h, alpha, beta, A, type, d, true));
    return launch(h, &kernels[work_one(A->type)][REFILL], &d->work);
}

// ---- SDDMM
static cusparseStatus_t sddmm_check(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                    const void *alpha, cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
                                    const void *beta, cusparseConstSpMatDescr_t C, cudaDataType type)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op_a) && sparse_is_op(op_b) && alpha && beta && sparse_object_is(A, OBJECT_DNMAT) &&
                 sparse_object_is(B, OBJECT_DNMAT) && sparse_object_is(C, OBJECT_SPMAT));
    bool a = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE, b = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE_CHECK((a ? A->rows : A->cols) == C->rows && (b ? B->cols : B->rows) == C->cols &&
                 (a ? A->cols : A->rows) == (b ? B->rows : B->cols));
    SPARSE_NEED(C->format == CUSPARSE_FORMAT_CSR && A->batches == 1 && B->batches == 1 && C->batches == 1);
    SPARSE_NEED(work_kind(A->type, B->type, C->type, sparse_type_of(type), false) >= 0);
    SPARSE_CHECK(sparse_can_conjugate(op_a, A->type) && sparse_can_conjugate(op_b, B->type));
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SDDMM_bufferSize(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void *alpha, cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
                                         const void *beta, cusparseSpMatDescr_t C, cudaDataType type,
                                         cusparseSDDMMAlg_t algorithm, size_t *bytes)
{
    SPARSE_TRY(sddmm_check(h, op_a, op_b, alpha, A, B, beta, C, type));
    SPARSE_CHECK(bytes && algorithm == CUSPARSE_SDDMM_ALG_DEFAULT);
    *bytes = C->nnz ? SPARSE_BUFFER_BYTES : 0;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SDDMM_preprocess(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void *alpha, cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
                                         const void *beta, cusparseSpMatDescr_t C, cudaDataType type,
                                         cusparseSDDMMAlg_t algorithm, void *buffer)
{
    (void)algorithm;
    SPARSE_TRY(sddmm_check(h, op_a, op_b, alpha, A, B, beta, C, type));
    SPARSE_CHECK(buffer || !C->nnz);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SDDMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                              cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B, const void *beta,
                              cusparseSpMatDescr_t C, cudaDataType type, cusparseSDDMMAlg_t algorithm, void *buffer)
{
    (void)algorithm;
    SPARSE_TRY(sddmm_check(h, op_a, op_b, alpha, A, B, beta, C, type));
    SPARSE_CHECK(buffer || !C->nnz);
    struct sddmm x = {
        .a = A->values, .b = B->values, .inner = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE ? A->cols : A->rows};
    bool a_rows = (A->order == CUSPARSE_ORDER_ROW) != (op_a != CUSPARSE_OPERATION_NON_TRANSPOSE);
    bool b_rows = (B->order == CUSPARSE_ORDER_ROW) != (op_b != CUSPARSE_OPERATION_NON_TRANSPOSE);
    x.a_down = a_rows ? A->ld : 1;
    x.a_across = a_rows ? 1 : A->ld;
    x.b_down = b_rows ? B->ld : 1;
    x.b_across = b_rows ? 1 : B->ld;
    x.conjugate_a = op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    x.conjugate_b = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    x.alpha = sparse_scalar(h, sparse_type_of(type), alpha);
    x.beta = sparse_scalar(h, sparse_type_of(type), beta);
    SPARSE_TRY(view_make(h, C, NULL, &x.c));
    uint64_t parts = C->nnz ? (uint64_t)sparse_parts(C->rows + C->nnz, EACH) : 0;
    return sparse_launch(h, &samples[work_one(C->type)], parts, (double)(EACH * x.inner), &x);
}
