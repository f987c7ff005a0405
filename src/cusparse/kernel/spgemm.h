// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: rows of a product of sparse matrices. All products of a row are listed, sorted by column, so that equal columns stay
// in the order of A's elements, and added up.
static void FN(sort_products)(int64_t *keys, T *values, int64_t *keys_too, T *values_too, int64_t n)
{
    int64_t *k = keys, *k2 = keys_too;
    T *v = values, *v2 = values_too;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t start = 0; start < n; start += 2 * width) {
            int64_t a = start, middle = sparse_min(start + width, n), b = middle,
                    end = sparse_min(start + 2 * width, n);
            for (int64_t to = start; to < end; to++) {
                int64_t from = a < middle && (b >= end || k[a] <= k[b]) ? a++ : b++;
                k2[to] = k[from];
                v2[to] = v[from];
            }
        }
        int64_t *k_swap = k;
        T *v_swap = v;
        k = k2;
        k2 = k_swap;
        v = v2;
        v2 = v_swap;
    }
    if (k != keys) {
        memcpy(keys, k, (size_t)n * sizeof *k);
        memcpy(values, v, (size_t)n * sizeof *v);
    }
}

static void FN(multiply)(const void *block, uint64_t part)
{
    const struct spgemm *x = block;
    for (int64_t i = (int64_t)part * LINES, last = sparse_min(i + LINES, x->a.lines); i < last; i++) {
        int64_t start = x->starts[i], n = 0, unique = 0, end = view_begin(&x->a, i + 1);
        int64_t *keys = x->columns + start;
        T *values = (T *)x->values + start;
        for (int64_t k = view_begin(&x->a, i); k < end; k++) {
            int64_t line = index_at(x->a.indices, k) - x->a.base, stop = view_begin(&x->b, line + 1);
            T f = x->symbolic ? (T)0 : (T)LA(((const EA *)x->a.values)[k]);
            for (int64_t q = view_begin(&x->b, line); q < stop; q++, n++) {
                keys[n] = index_at(x->b.indices, q) - x->b.base;
                values[n] = x->symbolic ? (T)0 : f * LX(((const EX *)x->b.values)[q]);
            }
        }
        FN(sort_products)(keys, values, x->columns_too + start, (T *)x->values_too + start, n);
        for (int64_t k = 0; k < n; k++)
            if (unique && keys[unique - 1] == keys[k]) {
                values[unique - 1] += values[k];
            } else {
                keys[unique] = keys[k];
                values[unique++] = values[k];
            }
        x->counts[i + 1] = unique;
    }
}

static void FN(write)(const void *block, uint64_t part)
{
    const struct spgemm *x = block;
    if (!part)
        index_set(x->c.offsets, 0, x->c.base);
    const T alpha = *(const T *)scalar_value(&x->alpha), beta = *(const T *)scalar_value(&x->beta);
    EY *c = (EY *)(uintptr_t)x->c.values;
    for (int64_t i = (int64_t)part * LINES, last = sparse_min(i + LINES, x->a.lines); i < last; i++) {
        int64_t to = x->counts[i], n = x->counts[i + 1] - to;
        for (int64_t k = 0; k < n; k++) {
            index_set(x->c.indices, to + k, x->columns[x->starts[i] + k] + x->c.base);
            if (x->symbolic)
                continue;
            T t = alpha * ((const T *)x->values)[x->starts[i] + k];
            c[to + k] = SY(beta == (T)0 ? t : t + beta * LY(c[to + k]));
        }
        index_set(x->c.offsets, i + 1, to + n + x->c.base);
    }
}

// With the pattern of C at hand: products are added up by the place that their column has in the row of C, which is sorted. A long row is
// taken in pieces, so that sums need no memory.
static inline int64_t FN(place)(const struct spgemm *x, int64_t low, int64_t high, int64_t column)
{
    int64_t end = high;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (index_at(x->c.indices, middle) - x->c.base < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && index_at(x->c.indices, low) - x->c.base == column ? low : -1;
}

static void FN(refill_piece)(const struct spgemm *x, int64_t line, int64_t start, int64_t n, T *sums)
{
    int64_t end = view_begin(&x->a, line + 1);
    for (int64_t i = 0; i < n; i++)
        sums[i] = 0;
    for (int64_t k = view_begin(&x->a, line); k < end; k++) {
        int64_t other = index_at(x->a.indices, k) - x->a.base, stop = view_begin(&x->b, other + 1);
        T f = LA(((const EA *)x->a.values)[k]);
        for (int64_t q = view_begin(&x->b, other); q < stop; q++) {
            int64_t at = FN(place)(x, start, start + n, index_at(x->b.indices, q) - x->b.base);
            if (at >= 0)
                sums[at - start] += f * LX(((const EX *)x->b.values)[q]);
        }
    }
}

static void FN(refill)(const void *block, uint64_t part)
{
    const struct spgemm *x = block;
    const T alpha = *(const T *)scalar_value(&x->alpha), beta = *(const T *)scalar_value(&x->beta);
    EY *c = (EY *)(uintptr_t)x->c.values;
    T sums[PIECE];
    for (int64_t i = (int64_t)part * LINES, last = sparse_min(i + LINES, x->a.lines); i < last; i++) {
        int64_t stop = view_begin(&x->c, i + 1);
        for (int64_t start = view_begin(&x->c, i); start < stop; start += PIECE) {
            int64_t n = sparse_min(PIECE, stop - start);
            FN(refill_piece)(x, i, start, n, sums);
            for (int64_t k = 0; k < n; k++)
                c[start + k] = SY(beta == (T)0 ? alpha * sums[k] : alpha * sums[k] + beta * LY(c[start + k]));
        }
    }
}

// Products of dense matrices where C has elements.
static void FN(sample)(const void *block, uint64_t part)
{
    const struct sddmm *x = block;
    const T alpha = *(const T *)scalar_value(&x->alpha), beta = *(const T *)scalar_value(&x->beta);
    EY *c = (EY *)(uintptr_t)x->c.values;
    int64_t d = (int64_t)part * EACH, stop = sparse_min(d + EACH, x->c.lines + x->c.nnz), line = view_line(&x->c, d);
    int64_t last = stop == x->c.lines + x->c.nnz ? x->c.lines : view_line(&x->c, stop), k = d - line, end = stop - last;
    for (; line <= last && k < end; line++) {
        int64_t next = line < last ? view_begin(&x->c, line + 1) : end;
        for (; k < next; k++) {
            int64_t column = index_at(x->c.indices, k) - x->c.base;
            const EA *a = (const EA *)x->a + line * x->a_down;
            const EX *b = (const EX *)x->b + column * x->b_across;
            T sum = 0;
            for (int64_t j = 0; j < x->inner; j++) {
                T e = LA(a[j * x->a_across]), f = LX(b[j * x->b_down]);
                sum += (x->conjugate_a ? CONJ(e) : e) * (x->conjugate_b ? CONJ(f) : f);
            }
            c[k] = SY(beta == (T)0 ? alpha * sum : alpha * sum + beta * LY(c[k]));
        }
    }
}
