// SPDX-License-Identifier: Apache-2.0
// Elements above a threshold: counted in dense matrices and in CSR, and kept as CSR. By percentage, the threshold is the magnitude at that part of
// all in ascending order: it is found when rows are counted, and stands in the info for those that fill.
#include "cusparse/legacy/legacy.h"
#include "cusparse/work.h"

enum { LINES = 64 };
struct prune {
    struct native_head head;
    const void *a;
    const int *offsets, *columns; // of CSR; NULL: dense
    int lines, across, base;
    int64_t down, along; // steps of a dense matrix
    struct scalar threshold;
    struct legacy_info *info; // NULL: `threshold` is one
    float percentage;
    bool nonzero; // kept is what is not 0, NaN too
    int *counts;
    const int *out_offsets;
    int *out_columns, out_base;
    void *out_values, *buffer;
};

// The n-th part of a hundred: position ceil(n percentage / 100) - 1, within the list.
static double select_percentage(uint64_t *keys, int64_t n, float percentage)
{
    int64_t at = (int64_t)ceil((double)n * percentage / 100) - 1, low = 0, high = n - 1;
    if (!n)
        return 0;
    at = sparse_max(sparse_min(at, n - 1), 0);
    while (low < high) { // Hoare's selection: keys[at] is within low to high
        uint64_t middle = keys[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (keys[i] < middle)
                i++;
            while (keys[j] > middle)
                j--;
            if (i <= j) {
                uint64_t swap = keys[i];
                keys[i++] = keys[j];
                keys[j--] = swap;
            }
        }
        if (at <= j)
            high = j;
        else if (at >= i)
            low = i;
        else
            break;
    }
    double found;
    memcpy(&found, keys + at, sizeof found);
    return found;
}

#define TEMPLATE "cusparse/kernel/prune.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE
enum { COUNT, KEEP, SELECT, OPERATIONS };
#define KERNEL(operation, a, x, y, t)                                                                                  \
    LIBRARY_KERNEL("cusparse_prune_" #operation "_" #a, operation##_run_##a##x##y##t, struct prune)
#define KERNELS(a, x, y, t) {KERNEL(count, a, x, y, t), KERNEL(keep, a, x, y, t), KERNEL(select, a, x, y, t)},
static struct library_kernel kernels[][OPERATIONS] = {KINDS(KERNELS)};

static cusparseStatus_t launch(cusparseHandle_t h, enum sparse_type type, int operation, struct prune *x)
{
    return sparse_launch(h, &kernels[work_one(type)][operation],
                         operation == SELECT ? 1 : (uint64_t)sparse_parts(x->lines, LINES),
                         (double)LINES * (x->offsets ? 16 : x->across), x);
}

// ---- what calls name: a dense matrix, or CSR
static cusparseStatus_t dense(cusparseHandle_t h, int m, int n, const void *a, int lda, struct prune *x)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(m >= 0 && n >= 0 && lda >= sparse_max(1, m) && (!m || !n || a));
    *x = (struct prune){.a = a, .lines = m, .across = n, .down = 1, .along = lda};
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t csr(cusparseHandle_t h, int m, int n, int nnz, cusparseMatDescr_t d, const void *a,
                            const int *offsets, const int *columns, struct prune *x)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(m >= 0 && n >= 0 && nnz >= 0 && (!m || offsets) && (!nnz || (a && columns)));
    SPARSE_TRY(legacy_general(d));
    *x = (struct prune){.a = a, .lines = m, .across = n, .offsets = offsets, .columns = columns, .base = (int)d->base};
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t set_threshold(cusparseHandle_t h, enum sparse_type type, const void *threshold, struct prune *x)
{
    SPARSE_CHECK(threshold);
    x->threshold = sparse_scalar(h, type, threshold);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t set_percentage(float percentage, pruneInfo_t info, struct prune *x)
{
    x->info = legacy_info(info, INFO_PRUNE);
    x->percentage = percentage;
    SPARSE_CHECK(x->info && percentage >= 0 && percentage <= 100);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t size(cusparseMatDescr_t dc, int64_t keys, size_t *bytes)
{
    SPARSE_TRY(legacy_general(dc));
    SPARSE_CHECK(bytes);
    *bytes = (size_t)sparse_max(keys, 2) * sizeof(uint64_t);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t count(cusparseHandle_t h, enum sparse_type type, cusparseMatDescr_t dc, int *offsets,
                              int *total, void *buffer, struct prune *x)
{
    SPARSE_TRY(legacy_general(dc));
    SPARSE_CHECK(offsets && buffer);
    x->buffer = buffer;
    if (x->info)
        SPARSE_TRY(launch(h, type, SELECT, x));
    x->counts = offsets + 1;
    SPARSE_TRY(launch(h, type, COUNT, x));
    return legacy_add_up(h, x->lines, (int)dc->base, offsets, total);
}

static cusparseStatus_t keep(cusparseHandle_t h, enum sparse_type type, cusparseMatDescr_t dc, void *values,
                             const int *offsets, int *columns, const void *buffer, struct prune *x)
{
    SPARSE_TRY(legacy_general(dc));
    SPARSE_CHECK((!x->lines || offsets) && buffer);
    x->out_values = values;
    x->out_offsets = offsets;
    x->out_columns = columns;
    x->out_base = (int)dc->base;
    return launch(h, type, KEEP, x);
}

// ---- counts of what is not 0, and of what is above a tolerance
cusparseStatus_t sparse_nnz(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int m, int n,
                            cusparseMatDescr_t d, const void *a, int lda, int *counts, int *total)
{
    struct prune x;
    SPARSE_TRY(dense(h, m, n, a, lda, &x));
    SPARSE_TRY(legacy_general(d));
    bool columns = dir == CUSPARSE_DIRECTION_COLUMN;
    SPARSE_CHECK(legacy_is_direction(dir) && total && (!(columns ? n : m) || counts));
    x.nonzero = true;
    x.counts = counts;
    if (columns) {
        x.lines = n;
        x.across = m;
        x.down = lda;
        x.along = 1;
    }
    SPARSE_TRY(launch(h, type, COUNT, &x));
    return legacy_sum(h, x.lines, counts, total);
}

// A tolerance is passed by value: of a complex one, the real part counts.
static cusparseStatus_t set_tolerance(enum sparse_type type, const void *tol, struct prune *x)
{
    memcpy(x->threshold.value, tol, sparse_size(type));
    double real = type == SPARSE_S || type == SPARSE_C ? *(const float *)tol : *(const double *)tol;
    SPARSE_CHECK(real >= 0);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_nnz_compress(enum sparse_type type, cusparseHandle_t h, int m, cusparseMatDescr_t d,
                                     const void *values, const int *offsets, int *counts, int *total, const void *tol)
{
    struct prune x;
    SPARSE_TRY(csr(h, m, 0, 0, d, values, offsets, NULL, &x));
    SPARSE_TRY(set_tolerance(type, tol, &x));
    SPARSE_CHECK(total && (!m || (counts && values)));
    x.counts = counts;
    SPARSE_TRY(launch(h, type, COUNT, &x));
    return legacy_sum(h, m, counts, total);
}

cusparseStatus_t sparse_csr2csr_compress(enum sparse_type type, cusparseHandle_t h, int m, int n, cusparseMatDescr_t d,
                                         const void *values, const int *columns, const int *offsets, int nnz,
                                         const int *counts, void *values_c, int *columns_c, int *offsets_c,
                                         const void *tol)
{
    struct prune x;
    SPARSE_TRY(csr(h, m, n, nnz, d, values, offsets, columns, &x));
    SPARSE_TRY(set_tolerance(type, tol, &x));
    SPARSE_CHECK(offsets_c && (!m || counts));
    SPARSE_TRY(sparse_status(
        cudaMemcpyAsync(offsets_c + 1, counts, (size_t)m * sizeof *counts, cudaMemcpyDeviceToDevice, h->stream)));
    SPARSE_TRY(legacy_add_up(h, m, x.base, offsets_c, NULL));
    return keep(h, type, d, values_c, offsets_c, columns_c, offsets_c, &x);
}

// ---- by a threshold
cusparseStatus_t sparse_pruneDense2csr_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m, int n,
                                                     const void *a, int lda, const void *threshold,
                                                     cusparseMatDescr_t dc, const void *values, const int *offsets,
                                                     const int *columns, size_t *bytes)
{
    struct prune x;
    (void)values, (void)offsets, (void)columns;
    SPARSE_TRY(dense(h, m, n, a, lda, &x));
    SPARSE_TRY(set_threshold(h, type, threshold, &x));
    return size(dc, 0, bytes);
}

cusparseStatus_t sparse_pruneDense2csrNnz(enum sparse_type type, cusparseHandle_t h, int m, int n, const void *a,
                                          int lda, const void *threshold, cusparseMatDescr_t dc, int *offsets,
                                          int *total, void *buffer)
{
    struct prune x;
    SPARSE_TRY(dense(h, m, n, a, lda, &x));
    SPARSE_TRY(set_threshold(h, type, threshold, &x));
    return count(h, type, dc, offsets, total, buffer, &x);
}

cusparseStatus_t sparse_pruneDense2csr(enum sparse_type type, cusparseHandle_t h, int m, int n, const void *a, int lda,
                                       const void *threshold, cusparseMatDescr_t dc, void *values, const int *offsets,
                                       int *columns, void *buffer)
{
    struct prune x;
    SPARSE_TRY(dense(h, m, n, a, lda, &x));
    SPARSE_TRY(set_threshold(h, type, threshold, &x));
    return keep(h, type, dc, values, offsets, columns, buffer, &x);
}

cusparseStatus_t sparse_pruneCsr2csr_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m, int n, int nnz,
                                                   cusparseMatDescr_t d, const void *a, const int *a_offsets,
                                                   const int *a_columns, const void *threshold, cusparseMatDescr_t dc,
                                                   const void *values, const int *offsets, const int *columns,
                                                   size_t *bytes)
{
    struct prune x;
    (void)values, (void)offsets, (void)columns;
    SPARSE_TRY(csr(h, m, n, nnz, d, a, a_offsets, a_columns, &x));
    SPARSE_TRY(set_threshold(h, type, threshold, &x));
    return size(dc, 0, bytes);
}

cusparseStatus_t sparse_pruneCsr2csrNnz(enum sparse_type type, cusparseHandle_t h, int m, int n, int nnz,
                                        cusparseMatDescr_t d, const void *a, const int *a_offsets, const int *a_columns,
                                        const void *threshold, cusparseMatDescr_t dc, int *offsets, int *total,
                                        void *buffer)
{
    struct prune x;
    SPARSE_TRY(csr(h, m, n, nnz, d, a, a_offsets, a_columns, &x));
    SPARSE_TRY(set_threshold(h, type, threshold, &x));
    return count(h, type, dc, offsets, total, buffer, &x);
}

cusparseStatus_t sparse_pruneCsr2csr(enum sparse_type type, cusparseHandle_t h, int m, int n, int nnz,
                                     cusparseMatDescr_t d, const void *a, const int *a_offsets, const int *a_columns,
                                     const void *threshold, cusparseMatDescr_t dc, void *values, const int *offsets,
                                     int *columns, void *buffer)
{
    struct prune x;
    SPARSE_TRY(csr(h, m, n, nnz, d, a, a_offsets, a_columns, &x));
    SPARSE_TRY(set_threshold(h, type, threshold, &x));
    return keep(h, type, dc, values, offsets, columns, buffer, &x);
}

// ---- by percentage
cusparseStatus_t sparse_pruneDense2csrByPercentage_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m,
                                                                 int n, const void *a, int lda, float percentage,
                                                                 cusparseMatDescr_t dc, const void *values,
                                                                 const int *offsets, const int *columns,
                                                                 pruneInfo_t info, size_t *bytes)
{
    struct prune x;
    (void)type, (void)values, (void)offsets, (void)columns;
    SPARSE_TRY(dense(h, m, n, a, lda, &x));
    SPARSE_TRY(set_percentage(percentage, info, &x));
    return size(dc, (int64_t)m * n, bytes);
}

cusparseStatus_t sparse_pruneDense2csrNnzByPercentage(enum sparse_type type, cusparseHandle_t h, int m, int n,
                                                      const void *a, int lda, float percentage, cusparseMatDescr_t dc,
                                                      int *offsets, int *total, pruneInfo_t info, void *buffer)
{
    struct prune x;
    SPARSE_TRY(dense(h, m, n, a, lda, &x));
    SPARSE_TRY(set_percentage(percentage, info, &x));
    return count(h, type, dc, offsets, total, buffer, &x);
}

cusparseStatus_t sparse_pruneDense2csrByPercentage(enum sparse_type type, cusparseHandle_t h, int m, int n,
                                                   const void *a, int lda, float percentage, cusparseMatDescr_t dc,
                                                   void *values, const int *offsets, int *columns, pruneInfo_t info,
                                                   void *buffer)
{
    struct prune x;
    SPARSE_TRY(dense(h, m, n, a, lda, &x));
    SPARSE_TRY(set_percentage(percentage, info, &x));
    return keep(h, type, dc, values, offsets, columns, buffer, &x);
}

cusparseStatus_t sparse_pruneCsr2csrByPercentage_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m, int n,
                                                               int nnz, cusparseMatDescr_t d, const void *a,
                                                               const int *a_offsets, const int *a_columns,
                                                               float percentage, cusparseMatDescr_t dc,
                                                               const void *values, const int *offsets,
                                                               const int *columns, pruneInfo_t info, size_t *bytes)
{
    struct prune x;
    (void)type, (void)values, (void)offsets, (void)columns;
    SPARSE_TRY(csr(h, m, n, nnz, d, a, a_offsets, a_columns, &x));
    SPARSE_TRY(set_percentage(percentage, info, &x));
    return size(dc, nnz, bytes);
}

cusparseStatus_t sparse_pruneCsr2csrNnzByPercentage(enum sparse_type type, cusparseHandle_t h, int m, int n, int nnz,
                                                    cusparseMatDescr_t d, const void *a, const int *a_offsets,
                                                    const int *a_columns, float percentage, cusparseMatDescr_t dc,
                                                    int *offsets, int *total, pruneInfo_t info, void *buffer)
{
    struct prune x;
    SPARSE_TRY(csr(h, m, n, nnz, d, a, a_offsets, a_columns, &x));
    SPARSE_TRY(set_percentage(percentage, info, &x));
    return count(h, type, dc, offsets, total, buffer, &x);
}

cusparseStatus_t sparse_pruneCsr2csrByPercentage(enum sparse_type type, cusparseHandle_t h, int m, int n, int nnz,
                                                 cusparseMatDescr_t d, const void *a, const int *a_offsets,
                                                 const int *a_columns, float percentage, cusparseMatDescr_t dc,
                                                 void *values, const int *offsets, int *columns, pruneInfo_t info,
                                                 void *buffer)
{
    struct prune x;
    SPARSE_TRY(csr(h, m, n, nnz, d, a, a_offsets, a_columns, &x));
    SPARSE_TRY(set_percentage(percentage, info, &x));
    return keep(h, type, dc, values, offsets, columns, buffer, &x);
}
