// SPDX-License-Identifier: Apache-2.0
// Orders of elements: CSR as CSC, rows of CSR as those of COO and back, sorts. All sorts are stable. Where the whole matrix is put in a new
// order, that is counting: how many elements each line has, where it begins, and each element in its place; one part does it.
#include "cusparse/sparse.h"

enum { EACH = 8192, LINES = 256 };
struct order {
    struct native_head head;
    int m, n, nnz, base;
    const int *offsets, *in;
    int *rows, *columns, *permutation;
    int *out_offsets, *out;
    const char *values;
    char *out_values; // NULL: only indices
    size_t size;      // of a value
    int *buffer;
    bool by_columns;
};

static cusparseStatus_t launch(cusparseHandle_t h, struct library_kernel *k, int64_t parts, struct order *x)
{
    return sparse_launch(h, k, (uint64_t)parts, parts > 1 ? EACH : (double)x->nnz + x->m, x);
}

// ---- CSR to CSC
static void transpose_run(const void *block, uint64_t part)
{
    const struct order *x = block;
    int *next = x->buffer;
    (void)part;
    memset(next, 0, (size_t)(x->n + 1) * sizeof *next);
    for (int k = 0; k < x->nnz; k++)
        next[x->in[k] - x->base + 1]++;
    for (int j = 0; j < x->n; j++)
        next[j + 1] += next[j];
    for (int j = 0; j <= x->n; j++)
        x->out_offsets[j] = next[j] + x->base;
    for (int i = 0; i < x->m; i++)
        for (int k = x->offsets[i] - x->base; k < x->offsets[i + 1] - x->base; k++) {
            int to = next[x->in[k] - x->base]++;
            x->out[to] = i + x->base;
            if (x->out_values)
                memcpy(x->out_values + (size_t)to * x->size, x->values + (size_t)k * x->size, x->size);
        }
}
static struct library_kernel transpose_kernel = LIBRARY_KERNEL("cusparse_csr2csc", transpose_run, struct order);

cusparseStatus_t order_transpose(cusparseHandle_t h, int m, int n, int nnz, int base, size_t size, const void *values,
                                 const int *offsets, const int *columns, void *out_values, int *out_offsets, int *out,
                                 void *buffer)
{
    struct order x = {.m = m, .n = n, .nnz = nnz, .base = base, .offsets = offsets, .in = columns, .values = values};
    x.out_offsets = out_offsets;
    x.out = out;
    x.out_values = out_values;
    x.size = size;
    x.buffer = buffer;
    return launch(h, &transpose_kernel, 1, &x);
}

static cusparseStatus_t transpose_check(cusparseHandle_t h, int m, int n, int nnz, cudaDataType type,
                                        cusparseAction_t action, cusparseIndexBase_t base,
                                        cusparseCsr2CscAlg_t algorithm)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(m >= 0 && n >= 0 && nnz >= 0 && (unsigned)action <= CUSPARSE_ACTION_NUMERIC && sparse_is_base(base) &&
                 algorithm == CUSPARSE_CSR2CSC_ALG_DEFAULT);
    SPARSE_NEED(sparse_type_of(type) != SPARSE_TYPES);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_Csr2cscEx2_bufferSize(cusparseHandle_t h, int m, int n, int nnz, const void *values,
                                              const int *offsets, const int *columns, void *csc_values,
                                              int *csc_offsets, int *csc_rows, cudaDataType type,
                                              cusparseAction_t action, cusparseIndexBase_t base,
                                              cusparseCsr2CscAlg_t algorithm, size_t *bytes)
{
    (void)values, (void)offsets, (void)columns, (void)csc_values, (void)csc_offsets, (void)csc_rows;
    SPARSE_TRY(transpose_check(h, m, n, nnz, type, action, base, algorithm));
    SPARSE_CHECK(bytes);
    *bytes = (size_t)(n + 1) * sizeof(int);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_Csr2cscEx2(cusparseHandle_t h, int m, int n, int nnz, const void *values, const int *offsets,
                                   const int *columns, void *csc_values, int *csc_offsets, int *csc_rows,
                                   cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                                   cusparseCsr2CscAlg_t algorithm, void *buffer)
{
    SPARSE_TRY(transpose_check(h, m, n, nnz, type, action, base, algorithm));
    bool numeric = action == CUSPARSE_ACTION_NUMERIC;
    SPARSE_CHECK(buffer && offsets && csc_offsets &&
                 (!nnz || (columns && csc_rows && (!numeric || (values && csc_values)))));
    return order_transpose(h, m, n, nnz, (int)base, sparse_size(sparse_type_of(type)), values, offsets, columns,
                           numeric ? csc_values : NULL, csc_offsets, csc_rows, buffer);
}

// ---- rows of COO and offsets of CSR
static void to_offsets_run(const void *block, uint64_t part)
{
    const struct order *x = block;
    int k = (int)part * EACH, end = (int)sparse_min(k + (int64_t)EACH, x->nnz),
        row = k ? x->in[k - 1] - x->base + 1 : 0;
    for (; k < end; k++)
        for (; row <= x->in[k] - x->base; row++)
            x->out[row] = k + x->base;
    if (end == x->nnz)
        for (; row <= x->m; row++)
            x->out[row] = x->nnz + x->base;
}
static struct library_kernel to_offsets_kernel = LIBRARY_KERNEL("cusparse_coo2csr", to_offsets_run, struct order);

cusparseStatus_t sparse_Xcoo2csr(cusparseHandle_t h, const int *rows, int nnz, int m, int *offsets,
                                 cusparseIndexBase_t base)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(nnz >= 0 && m >= 0 && offsets && (!nnz || rows) && sparse_is_base(base));
    struct order x = {.m = m, .nnz = nnz, .base = (int)base, .in = rows, .out = offsets};
    return launch(h, &to_offsets_kernel, sparse_max(sparse_parts(nnz, EACH), 1), &x);
}

static void to_rows_run(const void *block, uint64_t part)
{
    const struct order *x = block;
    for (int i = (int)part * LINES, end = (int)sparse_min(i + (int64_t)LINES, x->m); i < end; i++)
        for (int k = x->offsets[i] - x->base; k < x->offsets[i + 1] - x->base; k++)
            x->out[k] = i + x->base;
}
static struct library_kernel to_rows_kernel = LIBRARY_KERNEL("cusparse_csr2coo", to_rows_run, struct order);

cusparseStatus_t sparse_Xcsr2coo(cusparseHandle_t h, const int *offsets, int nnz, int m, int *rows,
                                 cusparseIndexBase_t base)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(nnz >= 0 && m >= 0 && (!m || offsets) && (!nnz || rows) && sparse_is_base(base));
    struct order x = {.m = m, .nnz = nnz, .base = (int)base, .offsets = offsets, .out = rows};
    return launch(h, &to_rows_kernel, sparse_parts(m, LINES), &x);
}

static void identity_run(const void *block, uint64_t part)
{
    const struct order *x = block;
    for (int i = (int)part * EACH, end = (int)sparse_min(i + (int64_t)EACH, x->n); i < end; i++)
        x->out[i] = i;
}
static struct library_kernel identity_kernel = LIBRARY_KERNEL("cusparse_identity", identity_run, struct order);

cusparseStatus_t sparse_CreateIdentityPermutation(cusparseHandle_t h, int n, int *p)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(n >= 0 && (!n || p));
    struct order x = {.n = n, .out = p};
    return launch(h, &identity_kernel, sparse_parts(n, EACH), &x);
}

// ---- sorts within rows: runs of twice the length are merged until one is left
void order_sort(int *keys, int *follow, int *keys_too, int *follow_too, int n)
{
    int *k = keys, *f = follow, *k2 = keys_too, *f2 = follow_too;
    for (int width = 1; width < n; width *= 2) {
        for (int start = 0; start < n; start += 2 * width) {
            int a = start, middle = (int)sparse_min(start + (int64_t)width, n), b = middle;
            int end = (int)sparse_min(start + 2 * (int64_t)width, n);
            for (int to = start; to < end; to++) {
                int from = a < middle && (b >= end || k[a] <= k[b]) ? a++ : b++;
                k2[to] = k[from];
                f2[to] = f ? f[from] : 0;
            }
        }
        int *swap = k;
        k = k2;
        k2 = swap;
        if (f) {
            swap = f;
            f = f2;
            f2 = swap;
        }
        if (width > n / 2)
            break;
    }
    if (k != keys) {
        memcpy(keys, k, (size_t)n * sizeof *k);
        if (f)
            memcpy(follow, f, (size_t)n * sizeof *f);
    }
}

static void sort_lines_run(const void *block, uint64_t part)
{
    const struct order *x = block;
    for (int i = (int)part * LINES, end = (int)sparse_min(i + (int64_t)LINES, x->m); i < end; i++) {
        int k = x->offsets[i] - x->base, n = x->offsets[i + 1] - x->offsets[i];
        order_sort(x->columns + k, x->permutation ? x->permutation + k : NULL, x->buffer + k, x->buffer + x->nnz + k,
                   n);
    }
}
static struct library_kernel sort_lines_kernel = LIBRARY_KERNEL("cusparse_csrsort", sort_lines_run, struct order);

static cusparseStatus_t sort_size(cusparseHandle_t h, int m, int n, int nnz, size_t each, size_t more, size_t *bytes)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(m >= 0 && n >= 0 && nnz >= 0 && bytes);
    *bytes = ((size_t)nnz * each + more) * sizeof(int);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t sort_lines(cusparseHandle_t h, int lines, int across, int nnz, cusparseMatDescr_t d,
                                   const int *offsets, int *indices, int *permutation, void *buffer)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(lines >= 0 && across >= 0 && nnz >= 0 && sparse_object_is(d, OBJECT_DESCR) && (!lines || offsets) &&
                 (!nnz || (indices && buffer)));
    struct order x = {.m = lines, .nnz = nnz, .base = (int)d->base, .offsets = offsets, .columns = indices};
    x.permutation = permutation;
    x.buffer = buffer;
    return launch(h, &sort_lines_kernel, sparse_parts(lines, LINES), &x);
}

cusparseStatus_t sparse_Xcsrsort_bufferSizeExt(cusparseHandle_t h, int m, int n, int nnz, const int *offsets,
                                               const int *columns, size_t *bytes)
{
    (void)offsets, (void)columns;
    return sort_size(h, m, n, nnz, 2, 0, bytes);
}

cusparseStatus_t sparse_Xcsrsort(cusparseHandle_t h, int m, int n, int nnz, cusparseMatDescr_t d, const int *offsets,
                                 int *columns, int *permutation, void *buffer)
{
    return sort_lines(h, m, n, nnz, d, offsets, columns, permutation, buffer);
}

cusparseStatus_t sparse_Xcscsort_bufferSizeExt(cusparseHandle_t h, int m, int n, int nnz, const int *offsets,
                                               const int *rows, size_t *bytes)
{
    (void)offsets, (void)rows;
    return sort_size(h, m, n, nnz, 2, 0, bytes);
}

cusparseStatus_t sparse_Xcscsort(cusparseHandle_t h, int m, int n, int nnz, cusparseMatDescr_t d, const int *offsets,
                                 int *rows, int *permutation, void *buffer)
{
    return sort_lines(h, n, m, nnz, d, offsets, rows, permutation, buffer);
}

// ---- sorts of COO: by the second key, then by the first, each a merge of the whole list with its permutation
static void sort_pairs_run(const void *block, uint64_t part)
{
    const struct order *x = block;
    int *place = x->buffer, *keys = place + x->nnz, *too = keys + x->nnz, *place_too = too + x->nnz;
    int *lists[] = {x->by_columns ? x->rows : x->columns, x->by_columns ? x->columns : x->rows};
    (void)part;
    for (int k = 0; k < x->nnz; k++)
        place[k] = k;
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < x->nnz; k++)
            keys[k] = lists[turn][place[k]];
        order_sort(keys, place, too, place_too, x->nnz);
    }
    int *all[] = {x->rows, x->columns, x->permutation};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; all[i] && k < x->nnz; k++)
            too[k] = all[i][place[k]];
        if (all[i])
            memcpy(all[i], too, (size_t)x->nnz * sizeof *too);
    }
}
static struct library_kernel sort_pairs_kernel = LIBRARY_KERNEL("cusparse_coosort", sort_pairs_run, struct order);

cusparseStatus_t sparse_Xcoosort_bufferSizeExt(cusparseHandle_t h, int m, int n, int nnz, const int *rows,
                                               const int *columns, size_t *bytes)
{
    (void)rows, (void)columns;
    return sort_size(h, m, n, nnz, 4, 0, bytes);
}

static cusparseStatus_t sort_pairs(cusparseHandle_t h, int m, int n, int nnz, int *rows, int *columns, int *permutation,
                                   void *buffer, bool by_columns)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(m >= 0 && n >= 0 && nnz >= 0 && (!nnz || (rows && columns && buffer)));
    struct order x = {
        .m = m, .n = n, .nnz = nnz, .rows = rows, .columns = columns, .permutation = permutation, .buffer = buffer};
    x.by_columns = by_columns;
    return launch(h, &sort_pairs_kernel, nnz > 0, &x);
}

cusparseStatus_t sparse_XcoosortByRow(cusparseHandle_t h, int m, int n, int nnz, int *rows, int *columns,
                                      int *permutation, void *buffer)
{
    return sort_pairs(h, m, n, nnz, rows, columns, permutation, buffer, false);
}

cusparseStatus_t sparse_XcoosortByColumn(cusparseHandle_t h, int m, int n, int nnz, int *rows, int *columns,
                                         int *permutation, void *buffer)
{
    return sort_pairs(h, m, n, nnz, rows, columns, permutation, buffer, true);
}
