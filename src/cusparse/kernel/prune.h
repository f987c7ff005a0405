// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: elements of a dense matrix or of CSR that are kept, counted and written. A line is a row, or a column that is counted.
static inline double FN(threshold)(const struct prune *x)
{
    return x->info ? x->info->threshold : REAL(LA(*(const EA *)scalar_value(&x->threshold)));
}

static inline int FN(line_begin)(const struct prune *x, int line)
{
    return x->offsets ? x->offsets[line] - x->base : 0;
}

static inline int FN(line_end)(const struct prune *x, int line)
{
    return x->offsets ? x->offsets[line + 1] - x->base : x->across;
}

static inline EA FN(line_element)(const struct prune *x, int line, int k)
{
    const EA *a = x->a;
    return x->offsets ? a[k] : a[line * x->down + k * x->along];
}

static inline bool FN(is_kept)(const struct prune *x, EA e, double threshold)
{
    return x->nonzero ? LA(e) != (T)0 : MAGNITUDE(LA(e)) > threshold;
}

static void FN(count_run)(const void *block, uint64_t part)
{
    const struct prune *x = block;
    double threshold = x->nonzero ? 0 : FN(threshold)(x);
    for (int line = (int)part * LINES, last = (int)sparse_min(line + LINES, x->lines); line < last; line++) {
        int n = 0;
        for (int k = FN(line_begin)(x, line), end = FN(line_end)(x, line); k < end; k++)
            n += FN(is_kept)(x, FN(line_element)(x, line, k), threshold);
        x->counts[line] = n;
    }
}

static void FN(keep_run)(const void *block, uint64_t part)
{
    const struct prune *x = block;
    double threshold = FN(threshold)(x);
    EA *values = x->out_values;
    for (int line = (int)part * LINES, last = (int)sparse_min(line + LINES, x->lines); line < last; line++) {
        int to = x->out_offsets[line] - x->out_base;
        for (int k = FN(line_begin)(x, line), end = FN(line_end)(x, line); k < end; k++) {
            EA e = FN(line_element)(x, line, k);
            if (!FN(is_kept)(x, e, threshold))
                continue;
            values[to] = e;
            x->out_columns[to++] = (x->columns ? x->columns[k] - x->base : k) + x->out_base;
        }
    }
}

// Magnitudes as the bits of doubles, which are in the same order, NaN last. The one at the wanted position is found by halves.
static void FN(select_run)(const void *block, uint64_t part)
{
    const struct prune *x = block;
    uint64_t *keys = x->buffer;
    int64_t n = 0;
    (void)part;
    for (int line = 0; line < x->lines; line++)
        for (int k = FN(line_begin)(x, line), end = FN(line_end)(x, line); k < end; k++) {
            double e = MAGNITUDE(LA(FN(line_element)(x, line, k)));
            memcpy(keys + n++, &e, sizeof e);
        }
    x->info->threshold = select_percentage(keys, n, x->percentage);
}
