// SPDX-License-Identifier: Apache-2.0
// Conversions between blocks of different sizes, CSR being blocks of 1 x 1. A block of the result is there where its area meets a block of A,
// and is filled with zeros where it reaches over that. Rows of blocks are done by themselves: the next block of a row is the first that the
// rows of A below it have, which a binary search in each finds. So counting and filling need no memory.
#include "cusparse/legacy/legacy.h"

enum { LINES = 64 };
struct reblock {
    struct native_head head;
    struct blocks a, c; // offsets and indices of c are written
    int64_t m, n;       // elements
    size_t size;        // of an element
};

// Where in a row of A the first block is that ends behind column `from` of elements.
static int search(const struct blocks *a, int row, int64_t from)
{
    int low = blocks_begin(a, row), high = blocks_begin(a, row + 1);
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (((int64_t)blocks_column(a, middle) + 1) * a->width <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The rows of A that row i of the result covers, first and behind the last.
static void rows_below(const struct reblock *x, int i, int *first, int *end)
{
    *first = (int)((int64_t)i * x->c.height / x->a.height);
    *end = (int)sparse_parts(sparse_min(((int64_t)i + 1) * x->c.height, x->m), x->a.height);
}

// The first block of row i from block column j on; the number of block columns: there is none.
static int next_block(const struct reblock *x, int i, int j)
{
    int first, end, best = x->c.cols;
    rows_below(x, i, &first, &end);
    for (int row = first; row < end; row++) {
        int k = search(&x->a, row, (int64_t)j * x->c.width);
        if (k < blocks_begin(&x->a, row + 1)) {
            int at = (int)((int64_t)blocks_column(&x->a, k) * x->a.width / x->c.width);
            best = (int)sparse_min(best, sparse_max(at, j));
        }
    }
    return best;
}

static void count_run(const void *block, uint64_t part)
{
    const struct reblock *x = block;
    int *offsets = (int *)(uintptr_t)x->c.offsets;
    for (int i = (int)part * LINES, last = (int)sparse_min(i + LINES, x->c.rows); i < last; i++) {
        int n = 0;
        for (int j = next_block(x, i, 0); j < x->c.cols; j = next_block(x, i, j + 1))
            n++;
        offsets[i + 1] = n;
    }
}
static struct library_kernel count_kernel = LIBRARY_KERNEL("cusparse_reblock_count", count_run, struct reblock);

// The elements that block k of A, in a row of blocks, has in common with block `to` of the result at (i, j).
static void copy_common(const struct reblock *x, int row, int k, int i, int j, int to)
{
    const struct blocks *a = &x->a, *c = &x->c;
    int64_t top = (int64_t)row * a->height, left = (int64_t)blocks_column(a, k) * a->width,
            c_top = (int64_t)i * c->height, c_left = (int64_t)j * c->width;
    for (int64_t r = sparse_max(top, c_top), r_end = sparse_min(top + a->height, c_top + c->height); r < r_end; r++)
        for (int64_t e = sparse_max(left, c_left), e_end = sparse_min(left + a->width, c_left + c->width); e < e_end;
             e++)
            memcpy((char *)c->values + blocks_at(c, to, (int)(r - c_top), (int)(e - c_left)) * x->size,
                   (const char *)a->values + blocks_at(a, k, (int)(r - top), (int)(e - left)) * x->size, x->size);
}

static void fill_block(const struct reblock *x, int i, int j, int to)
{
    int first, end;
    size_t bytes = (size_t)x->c.height * (size_t)x->c.width * x->size;
    rows_below(x, i, &first, &end);
    memset((char *)x->c.values + (size_t)to * bytes, 0, bytes);
    for (int row = first; row < end; row++)
        for (int k = search(&x->a, row, (int64_t)j * x->c.width);
             k < blocks_begin(&x->a, row + 1) &&
             (int64_t)blocks_column(&x->a, k) * x->a.width < ((int64_t)j + 1) * x->c.width;
             k++)
            copy_common(x, row, k, i, j, to);
}

static void fill_run(const void *block, uint64_t part)
{
    const struct reblock *x = block;
    int *columns = (int *)(uintptr_t)x->c.indices;
    for (int i = (int)part * LINES, last = (int)sparse_min(i + LINES, x->c.rows); i < last; i++) {
        int k = blocks_begin(&x->c, i);
        for (int j = next_block(x, i, 0); j < x->c.cols; j = next_block(x, i, j + 1), k++) {
            columns[k] = j + x->c.base;
            if (x->c.values)
                fill_block(x, i, j, k);
        }
    }
}
static struct library_kernel fill_kernel = LIBRARY_KERNEL("cusparse_reblock_fill", fill_run, struct reblock);

// ---- what a call says of A and C. rows, cols: blocks of A; of CSR elements.
struct from {
    cusparseDirection_t dir;
    int rows, cols;
    cusparseMatDescr_t d;
    const void *values;
    const int *offsets, *columns;
    int height, width;
};

static cusparseStatus_t begin(cusparseHandle_t h, const struct from *a, int height, int width, struct reblock *x)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(legacy_is_direction(a->dir) && a->rows >= 0 && a->cols >= 0 && a->height > 0 && a->width > 0 &&
                 height > 0 && width > 0);
    SPARSE_TRY(legacy_general(a->d));
    bool by_columns = a->dir == CUSPARSE_DIRECTION_COLUMN;
    *x = (struct reblock){.m = (int64_t)a->rows * a->height, .n = (int64_t)a->cols * a->width};
    SPARSE_CHECK(x->m <= INT32_MAX && x->n <= INT32_MAX);
    x->a = (struct blocks){a->rows,    a->cols,         a->height,
                           a->width,   (int)a->d->base, by_columns,
                           a->offsets, a->columns,      (void *)(uintptr_t)a->values};
    x->c.rows = (int)sparse_parts(x->m, height);
    x->c.cols = (int)sparse_parts(x->n, width);
    x->c.height = height;
    x->c.width = width;
    x->c.by_columns = by_columns;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t target(struct reblock *x, cusparseMatDescr_t d, int *offsets, int *columns, void *values)
{
    SPARSE_TRY(legacy_general(d));
    SPARSE_CHECK(offsets && (!x->a.rows || x->a.offsets));
    x->c.base = (int)d->base;
    x->c.offsets = offsets;
    x->c.indices = columns;
    x->c.values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t count(cusparseHandle_t h, const struct from *a, int height, int width, cusparseMatDescr_t d,
                              int *offsets, int *total)
{
    struct reblock x;
    SPARSE_TRY(begin(h, a, height, width, &x));
    SPARSE_TRY(target(&x, d, offsets, NULL, NULL));
    SPARSE_TRY(sparse_launch(h, &count_kernel, (uint64_t)sparse_parts(x.c.rows, LINES), LINES * 16, &x));
    return legacy_add_up(h, x.c.rows, x.c.base, offsets, total);
}

// Where rows of C begin is known.
static cusparseStatus_t fill(cusparseHandle_t h, const struct from *a, size_t size, int height, int width,
                             cusparseMatDescr_t d, int *offsets, int *columns, void *values)
{
    struct reblock x;
    SPARSE_TRY(begin(h, a, height, width, &x));
    SPARSE_TRY(target(&x, d, offsets, columns, values));
    SPARSE_CHECK(!x.a.rows || (a->columns && columns && (!size || (a->values && values))));
    x.size = size;
    return sparse_launch(h, &fill_kernel, (uint64_t)sparse_parts(x.c.rows, LINES), 16.0 * LINES * height * width, &x);
}

static cusparseStatus_t buffer_size(cusparseHandle_t h, const struct from *a, int height, int width, int *bytes,
                                    size_t *bytes_ext)
{
    struct reblock x;
    SPARSE_TRY(begin(h, a, height, width, &x));
    return legacy_bytes(SPARSE_BUFFER_BYTES, bytes, bytes_ext);
}

// ---- CSR to blocks
cusparseStatus_t sparse_Xcsr2bsrNnz(cusparseHandle_t h, cusparseDirection_t dir, int m, int n, cusparseMatDescr_t d,
                                    const int *offsets, const int *columns, int dim, cusparseMatDescr_t dc,
                                    int *offsets_c, int *total)
{
    struct from a = {dir, m, n, d, NULL, offsets, columns, 1, 1};
    return count(h, &a, dim, dim, dc, offsets_c, total);
}

cusparseStatus_t sparse_csr2bsr(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int m, int n,
                                cusparseMatDescr_t d, const void *values, const int *offsets, const int *columns,
                                int dim, cusparseMatDescr_t dc, void *values_c, int *offsets_c, int *columns_c)
{
    struct from a = {dir, m, n, d, values, offsets, columns, 1, 1};
    return fill(h, &a, sparse_size(type), dim, dim, dc, offsets_c, columns_c, values_c);
}

cusparseStatus_t sparse_csr2gebsr_bufferSize(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int m,
                                             int n, cusparseMatDescr_t d, const void *values, const int *offsets,
                                             const int *columns, int height, int width, int *bytes)
{
    struct from a = {dir, m, n, d, values, offsets, columns, 1, 1};
    (void)type;
    return buffer_size(h, &a, height, width, bytes, NULL);
}

cusparseStatus_t sparse_csr2gebsr_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                                int m, int n, cusparseMatDescr_t d, const void *values,
                                                const int *offsets, const int *columns, int height, int width,
                                                size_t *bytes)
{
    struct from a = {dir, m, n, d, values, offsets, columns, 1, 1};
    (void)type;
    return buffer_size(h, &a, height, width, NULL, bytes);
}

cusparseStatus_t sparse_Xcsr2gebsrNnz(cusparseHandle_t h, cusparseDirection_t dir, int m, int n, cusparseMatDescr_t d,
                                      const int *offsets, const int *columns, cusparseMatDescr_t dc, int *offsets_c,
                                      int height, int width, int *total, void *buffer)
{
    struct from a = {dir, m, n, d, NULL, offsets, columns, 1, 1};
    LEGACY_ENTER(h);
    SPARSE_CHECK(buffer);
    return count(h, &a, height, width, dc, offsets_c, total);
}

cusparseStatus_t sparse_csr2gebsr(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int m, int n,
                                  cusparseMatDescr_t d, const void *values, const int *offsets, const int *columns,
                                  cusparseMatDescr_t dc, void *values_c, int *offsets_c, int *columns_c, int height,
                                  int width, void *buffer)
{
    struct from a = {dir, m, n, d, values, offsets, columns, 1, 1};
    LEGACY_ENTER(h);
    SPARSE_CHECK(buffer);
    return fill(h, &a, sparse_size(type), height, width, dc, offsets_c, columns_c, values_c);
}

// ---- blocks to CSR: every element of a block is one of the matrix
static cusparseStatus_t to_csr(cusparseHandle_t h, const struct from *a, size_t size, cusparseMatDescr_t dc,
                               void *values, int *offsets, int *columns)
{
    SPARSE_TRY(count(h, a, 1, 1, dc, offsets, NULL));
    return fill(h, a, size, 1, 1, dc, offsets, columns, values);
}

cusparseStatus_t sparse_bsr2csr(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int mb, int nb,
                                cusparseMatDescr_t d, const void *values, const int *offsets, const int *columns,
                                int dim, cusparseMatDescr_t dc, void *values_c, int *offsets_c, int *columns_c)
{
    struct from a = {dir, mb, nb, d, values, offsets, columns, dim, dim};
    return to_csr(h, &a, sparse_size(type), dc, values_c, offsets_c, columns_c);
}

cusparseStatus_t sparse_Xgebsr2csr(cusparseHandle_t h, cusparseDirection_t dir, int mb, int nb, cusparseMatDescr_t d,
                                   const int *offsets, const int *columns, int height, int width, cusparseMatDescr_t dc,
                                   int *offsets_c, int *columns_c)
{
    struct from a = {dir, mb, nb, d, NULL, offsets, columns, height, width};
    return to_csr(h, &a, 0, dc, NULL, offsets_c, columns_c);
}

cusparseStatus_t sparse_gebsr2csr(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int mb, int nb,
                                  cusparseMatDescr_t d, const void *values, const int *offsets, const int *columns,
                                  int height, int width, cusparseMatDescr_t dc, void *values_c, int *offsets_c,
                                  int *columns_c)
{
    struct from a = {dir, mb, nb, d, values, offsets, columns, height, width};
    return to_csr(h, &a, sparse_size(type), dc, values_c, offsets_c, columns_c);
}

// ---- blocks to blocks
cusparseStatus_t sparse_gebsr2gebsr_bufferSize(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                               int mb, int nb, int nnzb, cusparseMatDescr_t d, const void *values,
                                               const int *offsets, const int *columns, int height, int width,
                                               int height_c, int width_c, int *bytes)
{
    struct from a = {dir, mb, nb, d, values, offsets, columns, height, width};
    (void)type;
    LEGACY_ENTER(h);
    SPARSE_CHECK(nnzb >= 0);
    return buffer_size(h, &a, height_c, width_c, bytes, NULL);
}

cusparseStatus_t sparse_gebsr2gebsr_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                                  int mb, int nb, int nnzb, cusparseMatDescr_t d, const void *values,
                                                  const int *offsets, const int *columns, int height, int width,
                                                  int height_c, int width_c, size_t *bytes)
{
    struct from a = {dir, mb, nb, d, values, offsets, columns, height, width};
    (void)type;
    LEGACY_ENTER(h);
    SPARSE_CHECK(nnzb >= 0);
    return buffer_size(h, &a, height_c, width_c, NULL, bytes);
}

cusparseStatus_t sparse_Xgebsr2gebsrNnz(cusparseHandle_t h, cusparseDirection_t dir, int mb, int nb, int nnzb,
                                        cusparseMatDescr_t d, const int *offsets, const int *columns, int height,
                                        int width, cusparseMatDescr_t dc, int *offsets_c, int height_c, int width_c,
                                        int *total, void *buffer)
{
    struct from a = {dir, mb, nb, d, NULL, offsets, columns, height, width};
    LEGACY_ENTER(h);
    SPARSE_CHECK(nnzb >= 0 && buffer);
    return count(h, &a, height_c, width_c, dc, offsets_c, total);
}

cusparseStatus_t sparse_gebsr2gebsr(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int mb, int nb,
                                    int nnzb, cusparseMatDescr_t d, const void *values, const int *offsets,
                                    const int *columns, int height, int width, cusparseMatDescr_t dc, void *values_c,
                                    int *offsets_c, int *columns_c, int height_c, int width_c, void *buffer)
{
    struct from a = {dir, mb, nb, d, values, offsets, columns, height, width};
    LEGACY_ENTER(h);
    SPARSE_CHECK(nnzb >= 0 && buffer);
    return fill(h, &a, sparse_size(type), height_c, width_c, dc, offsets_c, columns_c, values_c);
}

// ---- rows of blocks to columns of blocks: as CSR to CSC, with blocks for elements. What is in a block stays as it is.
static cusparseStatus_t transpose_size(cusparseHandle_t h, int mb, int nb, int nnzb, int height, int width, int *bytes,
                                       size_t *bytes_ext)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(mb >= 0 && nb >= 0 && nnzb >= 0 && height > 0 && width > 0);
    return legacy_bytes(((size_t)nb + 1) * sizeof(int), bytes, bytes_ext);
}

cusparseStatus_t sparse_gebsr2gebsc_bufferSize(enum sparse_type type, cusparseHandle_t h, int mb, int nb, int nnzb,
                                               const void *values, const int *offsets, const int *columns, int height,
                                               int width, int *bytes)
{
    (void)type, (void)values, (void)offsets, (void)columns;
    return transpose_size(h, mb, nb, nnzb, height, width, bytes, NULL);
}

cusparseStatus_t sparse_gebsr2gebsc_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int mb, int nb, int nnzb,
                                                  const void *values, const int *offsets, const int *columns,
                                                  int height, int width, size_t *bytes)
{
    (void)type, (void)values, (void)offsets, (void)columns;
    return transpose_size(h, mb, nb, nnzb, height, width, NULL, bytes);
}

cusparseStatus_t sparse_gebsr2gebsc(enum sparse_type type, cusparseHandle_t h, int mb, int nb, int nnzb,
                                    const void *values, const int *offsets, const int *columns, int height, int width,
                                    void *out, int *rows, int *out_offsets, cusparseAction_t action,
                                    cusparseIndexBase_t base, void *buffer)
{
    size_t need;
    bool numeric = action == CUSPARSE_ACTION_NUMERIC;
    SPARSE_TRY(transpose_size(h, mb, nb, nnzb, height, width, NULL, &need));
    SPARSE_CHECK((unsigned)action <= CUSPARSE_ACTION_NUMERIC && sparse_is_base(base) && buffer && out_offsets &&
                 (!mb || offsets) && (!nnzb || (columns && rows && (!numeric || (values && out)))));
    return order_transpose(h, mb, nb, nnzb, (int)base, (size_t)height * (size_t)width * sparse_size(type), values,
                           offsets, columns, numeric ? out : NULL, out_offsets, rows, buffer);
}
