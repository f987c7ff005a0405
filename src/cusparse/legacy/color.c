// SPDX-License-Identifier: Apache-2.0
// Colours of the graph of a matrix: nodes that an element joins, on either side of the diagonal, have different colours. Nodes are taken in their
// order and get the smallest colour that no neighbour has, until the wanted fraction has one; each of the rest has a colour of its own.
#include "cusparse/legacy/legacy.h"

struct color {
    struct native_head head;
    int m, nnz, base;
    const int *offsets, *columns;
    bool wide; // the fraction is a double
    struct scalar fraction;
    int *colors, *number, *order; // order NULL: not wanted
    int *begins, *rows, *seen;    // the matrix by columns; which node saw each colour last
};

static void transpose(const struct color *x)
{
    memset(x->begins, 0, ((size_t)x->m + 1) * sizeof(int));
    for (int k = 0; k < x->nnz; k++)
        x->begins[x->columns[k] - x->base + 1]++;
    for (int j = 0; j < x->m; j++)
        x->begins[j + 1] += x->begins[j];
    for (int i = 0; i < x->m; i++)
        for (int k = x->offsets[i] - x->base; k < x->offsets[i + 1] - x->base; k++)
            x->rows[x->begins[x->columns[k] - x->base]++] = i;
    for (int j = x->m; j > 0; j--) // begins were moved on to ends
        x->begins[j] = x->begins[j - 1];
    x->begins[0] = 0;
}

static void saw(const struct color *x, int node, int neighbour)
{
    if (neighbour < node)
        x->seen[x->colors[neighbour]] = node;
}

static int color_of(const struct color *x, int node)
{
    int color = 0;
    for (int k = x->offsets[node] - x->base; k < x->offsets[node + 1] - x->base; k++)
        saw(x, node, x->columns[k] - x->base);
    for (int k = x->begins[node]; k < x->begins[node + 1]; k++)
        saw(x, node, x->rows[k]);
    while (x->seen[color] == node)
        color++;
    return color;
}

// The new place of each node: by colours, within one in the order of before.
static void reorder(const struct color *x, int colors)
{
    int *begins = x->seen;
    memset(begins, 0, ((size_t)colors + 1) * sizeof(int));
    for (int i = 0; i < x->m; i++)
        begins[x->colors[i] + 1]++;
    for (int c = 0; c < colors; c++)
        begins[c + 1] += begins[c];
    for (int i = 0; i < x->m; i++)
        x->order[i] = begins[x->colors[i]]++;
}

static void color_run(const void *block, uint64_t part)
{
    const struct color *x = block;
    const void *at = scalar_value(&x->fraction);
    double fraction = x->wide ? *(const double *)at : *(const float *)at;
    int colors = 0;
    (void)part;
    transpose(x);
    for (int c = 0; c <= x->m; c++)
        x->seen[c] = -1;
    for (int i = 0; i < x->m; i++) {
        int color = i < fraction * x->m ? color_of(x, i) : colors;
        x->colors[i] = color;
        colors += color == colors;
    }
    *x->number = colors;
    if (x->order)
        reorder(x, colors);
}
static struct library_kernel color_kernel = LIBRARY_KERNEL("cusparse_csrcolor", color_run, struct color);

cusparseStatus_t sparse_csrcolor(enum sparse_type type, cusparseHandle_t h, int m, int nnz, cusparseMatDescr_t d,
                                 const void *values, const int *offsets, const int *columns, const void *fraction,
                                 int *number, int *colors, int *order, cusparseColorInfo_t info)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(m >= 0 && nnz >= 0 && (!m || (offsets && colors)) && (!nnz || (values && columns)) && fraction &&
                 number && legacy_info(info, INFO_COLOR));
    SPARSE_TRY(legacy_general(d));
    struct color x = {.m = m, .nnz = nnz, .base = (int)d->base, .offsets = offsets, .columns = columns};
    x.wide = type == SPARSE_D || type == SPARSE_Z;
    x.fraction = sparse_scalar(h, x.wide ? SPARSE_D : SPARSE_S, fraction);
    x.number = number;
    x.colors = colors;
    x.order = order;
    int *memory = sparse_scratch(h, ((size_t)m * 2 + (size_t)nnz + 3) * sizeof(int));
    if (!memory)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    x.begins = memory;
    x.seen = memory + m + 1;
    x.rows = x.seen + m + 1;
    cusparseStatus_t status = legacy_result(h, sparse_launch(h, &color_kernel, 1, (double)nnz + m, &x));
    sparse_scratch_end(h, memory);
    return status;
}
