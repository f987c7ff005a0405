// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: sparse matrices made dense, dense ones made sparse, of one type. A line is a row, of CSC a column.
static inline EA *FN(dense_at)(const struct convert *x, int64_t line, int64_t across)
{
    return (EA *)x->dense + line * x->down + across * x->across;
}

static inline bool FN(is_zero)(EA e)
{
    return (T)LA(e) == (T)0;
}

static void FN(to_dense)(const void *block, uint64_t part)
{
    const struct convert *x = block;
    const EA *a = x->view.values;
    for (int64_t line = (int64_t)part * LINES, end = sparse_min(line + LINES, x->view.lines); line < end; line++) {
        for (int64_t j = 0; j < x->view.across; j++)
            *FN(dense_at)(x, line, j) = SY((T)0);
        int64_t stop = view_begin(&x->view, line + 1);
        for (int64_t k = view_begin(&x->view, line); k < stop; k++)
            *FN(dense_at)(x, line, index_at(x->view.indices, k) - x->view.base) = a[k];
    }
}

static void FN(count)(const void *block, uint64_t part)
{
    const struct convert *x = block;
    for (int64_t line = (int64_t)part * LINES, end = sparse_min(line + LINES, x->view.lines); line < end; line++) {
        int64_t n = 0;
        for (int64_t j = 0; j < x->view.across; j++)
            n += !FN(is_zero)(*FN(dense_at)(x, line, j));
        x->counts[line + 1] = n;
    }
}

// counts holds where lines begin.
static void FN(fill)(const void *block, uint64_t part)
{
    const struct convert *x = block;
    EA *a = (EA *)(uintptr_t)x->view.values;
    if (!x->coo && !part)
        index_set(x->view.offsets, 0, x->view.base);
    for (int64_t line = (int64_t)part * LINES, end = sparse_min(line + LINES, x->view.lines); line < end; line++) {
        int64_t k = x->counts[line];
        for (int64_t j = 0; j < x->view.across; j++) {
            EA e = *FN(dense_at)(x, line, j);
            if (FN(is_zero)(e))
                continue;
            a[k] = e;
            index_set(x->view.indices, k, j + x->view.base);
            if (x->coo)
                index_set(x->view.offsets, k, line + x->view.base);
            k++;
        }
        if (!x->coo)
            index_set(x->view.offsets, line + 1, k + x->view.base);
    }
}
