// SPDX-License-Identifier: Apache-2.0
// CSR whose rows are not sorted: sorted with the order of before kept in the info (csru2csr), and put back (csr2csru). Memory that an info has
// outgrown is kept until the info is destroyed, since work under way may use it.
#include "cusparse/legacy/unsorted.h"
#include "cusparse/legacy/legacy.h"
#include <stdlib.h>

enum { LINES = 256 };
struct legacy_order {
    struct legacy_order *next;
    int room;
    int from[]; // which element of the unsorted matrix stands at each place
};
struct unsorted {
    struct native_head head;
    int m, nnz, base;
    const int *offsets;
    int *columns, *from, *buffer; // buffer: keys and orders; behind them values
    char *values, *values_too;
    size_t size;
    bool back;
};

void legacy_orders_free(struct legacy_info *info)
{
    if (info->order)
        cudaDeviceSynchronize();
    while (info->order) {
        struct legacy_order *next = info->order->next;
        free(info->order);
        info->order = next;
    }
}

static int *order_of(struct legacy_info *info, int nnz)
{
    if (!info->order || info->order->room < nnz) {
        struct legacy_order *o = malloc(sizeof *o + (size_t)nnz * sizeof(int));
        if (!o)
            return NULL;
        o->next = info->order;
        o->room = nnz;
        info->order = o;
    }
    return info->order->from;
}

static void move_values(const struct unsorted *x, int k, int n)
{
    memcpy(x->values_too + (size_t)k * x->size, x->values + (size_t)k * x->size, (size_t)n * x->size);
    for (int i = k; i < k + n; i++) {
        int to = x->back ? x->from[i] : i, from = x->back ? i : x->from[i];
        memcpy(x->values + (size_t)to * x->size, x->values_too + (size_t)from * x->size, x->size);
    }
}

static void sort_run(const void *block, uint64_t part)
{
    const struct unsorted *x = block;
    for (int i = (int)part * LINES, last = (int)sparse_min(i + (int64_t)LINES, x->m); i < last; i++) {
        int k = x->offsets[i] - x->base, n = x->offsets[i + 1] - x->offsets[i];
        if (x->back) {
            memcpy(x->buffer + k, x->columns + k, (size_t)n * sizeof(int));
            for (int e = k; e < k + n; e++)
                x->columns[x->from[e]] = x->buffer[e];
        } else {
            for (int e = k; e < k + n; e++)
                x->from[e] = e;
            order_sort(x->columns + k, x->from + k, x->buffer + k, x->buffer + x->nnz + k, n);
        }
        move_values(x, k, n);
    }
}
static struct library_kernel sort_kernel = LIBRARY_KERNEL("cusparse_csru2csr", sort_run, struct unsorted);

static size_t keys_bytes(int nnz)
{
    return ((size_t)nnz * 2 * sizeof(int) + 15) & ~(size_t)15;
}

cusparseStatus_t sparse_csru2csr_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m, int n, int nnz,
                                               void *values, const int *offsets, int *columns, csru2csrInfo_t info,
                                               size_t *bytes)
{
    (void)values, (void)offsets, (void)columns;
    LEGACY_ENTER(h);
    SPARSE_CHECK(m >= 0 && n >= 0 && nnz >= 0 && legacy_info(info, INFO_CSRU2CSR) && bytes);
    *bytes = keys_bytes(nnz) + (size_t)nnz * sparse_size(type) + SPARSE_BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t sort(cusparseHandle_t h, enum sparse_type type, int m, int n, int nnz, cusparseMatDescr_t d,
                             void *values, const int *offsets, int *columns, struct legacy_info *info, char *buffer,
                             bool back)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(m >= 0 && n >= 0 && nnz >= 0 && info && legacy_is_buffer(buffer) && (!m || offsets) &&
                 (!nnz || (values && columns)));
    SPARSE_TRY(legacy_general(d));
    SPARSE_CHECK(!back || !nnz || (info->order && info->order->room >= nnz)); // was sorted before
    struct unsorted x = {.m = m, .nnz = nnz, .base = (int)d->base, .offsets = offsets, .columns = columns};
    x.from = order_of(info, nnz);
    if (!x.from)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    x.buffer = (int *)buffer;
    x.values = values;
    x.values_too = buffer + keys_bytes(nnz);
    x.size = sparse_size(type);
    x.back = back;
    return sparse_launch(h, &sort_kernel, nnz ? (uint64_t)sparse_parts(m, LINES) : 0, (double)LINES * 64, &x);
}

cusparseStatus_t sparse_csru2csr(enum sparse_type type, cusparseHandle_t h, int m, int n, int nnz, cusparseMatDescr_t d,
                                 void *values, const int *offsets, int *columns, csru2csrInfo_t info, void *buffer)
{
    return sort(h, type, m, n, nnz, d, values, offsets, columns, legacy_info(info, INFO_CSRU2CSR), buffer, false);
}

cusparseStatus_t sparse_csr2csru(enum sparse_type type, cusparseHandle_t h, int m, int n, int nnz, cusparseMatDescr_t d,
                                 void *values, const int *offsets, int *columns, csru2csrInfo_t info, void *buffer)
{
    return sort(h, type, m, n, nnz, d, values, offsets, columns, legacy_info(info, INFO_CSRU2CSR), buffer, true);
}
