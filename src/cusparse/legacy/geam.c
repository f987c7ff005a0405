// SPDX-License-Identifier: Apache-2.0
// Sums of two matrices in CSR: the pattern of C is that of A and B together. Rows are merged, which asks that their columns ascend.
#include "cusparse/legacy/legacy.h"
#include "cusparse/work.h"

enum { LINES = 64 };
struct geam {
    struct native_head head;
    struct blocks a, b, c; // of 1 x 1
    int *offsets, *columns;
    struct scalar alpha, beta;
};

#define KIND_FOUR
#define TEMPLATE "cusparse/kernel/geam.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE
#define KERNEL(a, x, y, t) LIBRARY_KERNEL("cusparse_geam_" #a, geam_run_##a##x##y##t, struct geam),
static struct library_kernel kernels[] = {KINDS_FOUR(KERNEL)};

static void count_run(const void *block, uint64_t part)
{
    const struct geam *x = block;
    for (int i = (int)part * LINES, last = (int)sparse_min(i + LINES, x->a.rows); i < last; i++) {
        int ka = blocks_begin(&x->a, i), a_end = blocks_begin(&x->a, i + 1), kb = blocks_begin(&x->b, i),
            b_end = blocks_begin(&x->b, i + 1), n = 0;
        for (; ka < a_end && kb < b_end; n++) {
            int ja = blocks_column(&x->a, ka), jb = blocks_column(&x->b, kb);
            ka += ja <= jb;
            kb += jb <= ja;
        }
        x->offsets[i + 1] = n + (a_end - ka) + (b_end - kb);
    }
}
static struct library_kernel count_kernel = LIBRARY_KERNEL("cusparse_geam_count", count_run, struct geam);

static cusparseStatus_t side(int m, int n, cusparseMatDescr_t d, int nnz, const void *values, bool with_values,
                             const int *offsets, const int *columns, struct blocks *a)
{
    SPARSE_CHECK(m >= 0 && n >= 0 && nnz >= 0 && (!m || offsets) && (!nnz || (columns && (values || !with_values))));
    SPARSE_TRY(legacy_general(d));
    *a = (struct blocks){m, n, 1, 1, (int)d->base, false, offsets, columns, (void *)(uintptr_t)values};
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t launch(cusparseHandle_t h, struct library_kernel *k, struct geam *x)
{
    return sparse_launch(h, k, (uint64_t)sparse_parts(x->a.rows, LINES), LINES * 16, x);
}

cusparseStatus_t sparse_csrgeam2_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m, int n,
                                               const void *alpha, cusparseMatDescr_t da, int nnz_a,
                                               const void *values_a, const int *offsets_a, const int *columns_a,
                                               const void *beta, cusparseMatDescr_t db, int nnz_b, const void *values_b,
                                               const int *offsets_b, const int *columns_b, cusparseMatDescr_t dc,
                                               const void *values_c, const int *offsets_c, const int *columns_c,
                                               size_t *bytes)
{
    struct geam x;
    (void)type, (void)values_c, (void)offsets_c, (void)columns_c;
    LEGACY_ENTER(h);
    SPARSE_TRY(side(m, n, da, nnz_a, values_a, false, offsets_a, columns_a, &x.a));
    SPARSE_TRY(side(m, n, db, nnz_b, values_b, false, offsets_b, columns_b, &x.b));
    SPARSE_TRY(legacy_general(dc));
    SPARSE_CHECK(alpha && beta && bytes);
    *bytes = SPARSE_BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_Xcsrgeam2Nnz(cusparseHandle_t h, int m, int n, cusparseMatDescr_t da, int nnz_a,
                                     const int *offsets_a, const int *columns_a, cusparseMatDescr_t db, int nnz_b,
                                     const int *offsets_b, const int *columns_b, cusparseMatDescr_t dc, int *offsets_c,
                                     int *total, void *buffer)
{
    struct geam x = {.offsets = offsets_c};
    LEGACY_ENTER(h);
    SPARSE_TRY(side(m, n, da, nnz_a, NULL, false, offsets_a, columns_a, &x.a));
    SPARSE_TRY(side(m, n, db, nnz_b, NULL, false, offsets_b, columns_b, &x.b));
    SPARSE_TRY(legacy_general(dc));
    SPARSE_CHECK(offsets_c && buffer);
    SPARSE_TRY(launch(h, &count_kernel, &x));
    return legacy_add_up(h, m, (int)dc->base, offsets_c, total);
}

cusparseStatus_t sparse_csrgeam2(enum sparse_type type, cusparseHandle_t h, int m, int n, const void *alpha,
                                 cusparseMatDescr_t da, int nnz_a, const void *values_a, const int *offsets_a,
                                 const int *columns_a, const void *beta, cusparseMatDescr_t db, int nnz_b,
                                 const void *values_b, const int *offsets_b, const int *columns_b,
                                 cusparseMatDescr_t dc, void *values_c, int *offsets_c, int *columns_c, void *buffer)
{
    struct geam x = {.columns = columns_c};
    LEGACY_ENTER(h);
    SPARSE_TRY(side(m, n, da, nnz_a, values_a, true, offsets_a, columns_a, &x.a));
    SPARSE_TRY(side(m, n, db, nnz_b, values_b, true, offsets_b, columns_b, &x.b));
    SPARSE_TRY(side(m, n, dc, nnz_a | nnz_b, values_c, true, offsets_c, columns_c, &x.c));
    SPARSE_CHECK(alpha && beta && buffer);
    x.alpha = sparse_scalar(h, type, alpha);
    x.beta = sparse_scalar(h, type, beta);
    return launch(h, &kernels[work_one(type)], &x);
}
