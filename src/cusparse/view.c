// SPDX-License-Identifier: Apache-2.0
// Matrices as lines of elements. COO, whose elements are sorted by rows, becomes CSR by an array of offsets in scratch memory: where
// the row changes between two elements, the rows from one to the other begin there.
#include "cusparse/sparse.h"

struct offsets {
    struct native_head head;
    struct indices rows;
    int64_t *out; // for each batch lines + 1
    int64_t lines, nnz, base, stride, parts;
};
enum { EACH = 16384 };

static void offsets_run(const void *block, uint64_t part)
{
    const struct offsets *x = block;
    int64_t batch = (int64_t)part / x->parts, at = batch * x->stride, *out = x->out + batch * (x->lines + 1);
    int64_t k = (int64_t)part % x->parts * EACH, end = sparse_min(k + EACH, x->nnz);
    int64_t line = k ? sparse_min(index_at(x->rows, at + k - 1) - x->base, x->lines) + 1 : 0;
    for (; k < end; k++) {
        int64_t row = sparse_min(index_at(x->rows, at + k) - x->base, x->lines);
        for (; line <= row; line++)
            out[line] = k + x->base;
    }
    if (end == x->nnz)
        for (; line <= x->lines; line++)
            out[line] = x->nnz + x->base;
}
static struct library_kernel kernel = LIBRARY_KERNEL("cusparse_offsets", offsets_run, struct offsets);

size_t view_bytes(cusparseConstSpMatDescr_t m)
{
    return m->format == CUSPARSE_FORMAT_COO ? (size_t)(m->rows + 1) * (size_t)m->batches * sizeof(int64_t) : 0;
}

cusparseStatus_t view_make(cusparseHandle_t h, cusparseConstSpMatDescr_t m, void *memory, struct view *v)
{
    bool columns = m->format == CUSPARSE_FORMAT_CSC;
    *v = (struct view){.offsets = m->offsets,
                       .indices = m->indices,
                       .values = m->values,
                       .lines = columns ? m->cols : m->rows,
                       .across = columns ? m->rows : m->cols,
                       .nnz = m->nnz,
                       .base = (int64_t)m->base,
                       .offsets_stride = m->offsets_stride,
                       .indices_stride = m->indices_stride,
                       .values_stride = m->values_stride};
    if (m->format != CUSPARSE_FORMAT_COO)
        return CUSPARSE_STATUS_SUCCESS;
    int64_t parts = sparse_max(sparse_parts(m->nnz, EACH), 1);
    struct offsets x = {.rows = m->offsets,
                        .out = memory,
                        .lines = m->rows,
                        .nnz = m->nnz,
                        .base = v->base,
                        .stride = m->indices_stride,
                        .parts = parts};
    v->offsets = (struct indices){memory, true};
    v->offsets_stride = m->rows + 1;
    return sparse_launch(h, &kernel, (uint64_t)(parts * m->batches), EACH, &x);
}
