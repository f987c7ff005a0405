// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: products of a sparse matrix and a vector. y = alpha * sum + beta * y, where y is not read if beta is 0.
static inline void FN(finish)(const struct spmv *x, int64_t row, T sum)
{
    const T alpha = *(const T *)scalar_value(&x->alpha), beta = *(const T *)scalar_value(&x->beta);
    EY *y = (EY *)x->y + row;
    T t = alpha * sum;
    if (beta != (T)0)
        t += beta * LY(*y);
    *y = SY(t);
}

// What a part reads again and again.
struct FN(line_work) {
    const EA *a;
    const EX *x;
    EY *y;
    struct indices at;
    T alpha, beta;
    bool conjugate;
};

static inline __attribute__((always_inline)) void FN(line_finish)(const struct FN(line_work) * w, int64_t row, T sum)
{
    T t = w->alpha * sum;
    if (__builtin_expect(w->beta != (T)0, 0))
        t += w->beta * LY(w->y[row]);
    w->y[row] = SY(t);
}

// Elements k to end of a line. In a long one four sums are under way at once, so that additions do not wait for each other; in a short one
// that would cost more branches that are foreseen wrongly than it saves.
static inline __attribute__((always_inline)) T FN(dot)(const struct FN(line_work) * w, int64_t k, int64_t end)
{
    T s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    if (w->conjugate) {
        for (; k < end; k++)
            s0 += CONJ((T)LA(w->a[k])) * LX(w->x[index_at(w->at, k)]);
        return s0;
    }
    if (end - k < LONG) {
        for (; k < end; k++)
            s0 += (T)LA(w->a[k]) * LX(w->x[index_at(w->at, k)]);
        return s0;
    }
    for (; end - k >= 4; k += 4) {
        s0 += (T)LA(w->a[k]) * LX(w->x[index_at(w->at, k)]);
        s1 += (T)LA(w->a[k + 1]) * LX(w->x[index_at(w->at, k + 1)]);
        s2 += (T)LA(w->a[k + 2]) * LX(w->x[index_at(w->at, k + 2)]);
        s3 += (T)LA(w->a[k + 3]) * LX(w->x[index_at(w->at, k + 3)]);
    }
    for (; k < end; k++)
        s0 += (T)LA(w->a[k]) * LX(w->x[index_at(w->at, k)]);
    return (s0 + s1) + (s2 + s3);
}

// A part is a piece of the list of elements and ends of lines. Lines that it holds whole are finished; what it has of the line that began
// before it, and of that which ends after it, is left to spmv_join.
static inline __attribute__((always_inline)) void FN(gather_piece)(const struct spmv *x, uint64_t part,
                                                                   bool wide_offsets, bool wide)
{
    struct view v = x->view;
    v.offsets.wide = wide_offsets;
    const EX *from = (const EX *)x->x - v.base;
    __asm__("" : "+r"(from)); // or the base is subtracted from each index
    const struct FN(line_work) w = {.a = v.values,
                                    .x = from,
                                    .y = x->y,
                                    .at = {v.indices.at, wide},
                                    .alpha = *(const T *)scalar_value(&x->alpha),
                                    .beta = *(const T *)scalar_value(&x->beta),
                                    .conjugate = COMPLEX && x->conjugate};
    int64_t d = (int64_t)part * EACH, stop = sparse_min(d + EACH, v.lines + v.nnz);
    int64_t line = view_line(&v, d), last = stop == v.lines + v.nnz ? v.lines : view_line(&v, stop);
    int64_t k = d - line, end = stop - last;
    struct piece *piece = x->pieces ? (struct piece *)x->pieces + part : NULL;
    if (piece)
        piece->first = piece->last = -1;
    if (line < last && k > view_begin(&v, line)) {
        int64_t next = view_begin(&v, line + 1);
        T sum = FN(dot)(&w, k, next);
        piece->first = line++;
        memcpy(piece->sums[0], &sum, sizeof sum);
        k = next;
    }
    for (; line < last; line++) {
        int64_t next = view_begin(&v, line + 1);
        FN(line_finish)(&w, line, FN(dot)(&w, k, next));
        k = next;
    }
    if (k < end) {
        T sum = FN(dot)(&w, k, end);
        piece->last = line;
        memcpy(piece->sums[1], &sum, sizeof sum);
    }
}

static void FN(spmv_gather)(const void *block, uint64_t part)
{
    const struct spmv *x = block;
    if (!x->view.indices.wide && !x->view.offsets.wide)
        FN(gather_piece)(x, part, false, false);
    else if (x->view.indices.wide)
        FN(gather_piece)(x, part, true, true);
    else // offsets that were made of COO
        FN(gather_piece)(x, part, true, false);
}

// Lines that were cut: their pieces follow each other.
static void FN(spmv_join)(const void *block, uint64_t part)
{
    const struct spmv *x = block;
    const struct piece *piece = x->pieces;
    T sum = 0, t;
    (void)part;
    for (int64_t i = 0; i < x->count; i++) {
        if (piece[i].first >= 0) {
            memcpy(&t, piece[i].sums[0], sizeof t);
            FN(finish)(x, piece[i].first, sum + t);
            sum = 0;
        }
        if (piece[i].last >= 0) {
            memcpy(&t, piece[i].sums[1], sizeof t);
            sum += t;
        }
    }
}

// Products with the transposed matrix: a part adds its elements to a vector of its own, in scratch memory; spmv_reduce adds these up.
static void FN(spmv_scatter)(const void *block, uint64_t part)
{
    const struct spmv *x = block;
    const struct view *v = &x->view;
    const EA *a = v->values;
    const EX *from = x->x;
    T *to = (T *)x->pieces + (int64_t)part * v->across;
    int64_t items = v->lines + v->nnz, each = sparse_parts(items, x->count);
    int64_t d = sparse_min((int64_t)part * each, items), stop = sparse_min(d + each, items);
    int64_t line = view_line(v, d), last = stop == items ? v->lines : view_line(v, stop), k = d - line,
            end = stop - last;
    for (int64_t i = 0; i < v->across; i++)
        to[i] = 0;
    for (; line <= last && k < end; line++) {
        int64_t next = line < last ? view_begin(v, line + 1) : end;
        T f = k < next ? (T)LX(from[line]) : (T)0;
        for (; k < next; k++) {
            T e = LA(a[k]);
            to[index_at(v->indices, k) - v->base] += (x->conjugate ? CONJ(e) : e) * f;
        }
    }
}

static void FN(spmv_reduce)(const void *block, uint64_t part)
{
    const struct spmv *x = block;
    const T *from = x->pieces;
    int64_t i = (int64_t)part * ROWS, end = sparse_min(i + ROWS, x->rows);
    for (; i < end; i++) {
        T sum = 0;
        for (int64_t p = 0; p < x->count; p++)
            sum += from[i + p * x->rows];
        FN(finish)(x, i, sum);
    }
}

// Sliced ELL: columns of a slice lie side by side; an index below the base is padding.
static void FN(spmv_slices)(const void *block, uint64_t part)
{
    const struct spmv *x = block;
    const struct view *v = &x->view;
    const EA *a = v->values;
    const EX *from = x->x;
    int64_t i = (int64_t)part * ROWS, end = sparse_min(i + ROWS, x->rows);
    for (; i < end; i++) {
        int64_t slice = i / x->slice, stop = view_begin(v, slice + 1);
        T sum = 0;
        for (int64_t k = view_begin(v, slice) + i % x->slice; k < stop; k += x->slice) {
            int64_t column = index_at(v->indices, k) - v->base;
            if (column >= 0)
                sum += (T)LA(a[k]) * LX(from[column]);
        }
        FN(finish)(x, i, sum);
    }
}

// Blocks, rows of which lie side by side or columns.
static void FN(spmv_blocks)(const void *block, uint64_t part)
{
    const struct spmv *x = block;
    const struct view *v = &x->view;
    const EA *a = v->values;
    const EX *from = x->x;
    int64_t i = (int64_t)part * ROWS, end = sparse_min(i + ROWS, x->rows), down = x->by_rows ? x->block_cols : 1;
    int64_t across = x->by_rows ? 1 : x->block_rows;
    for (; i < end; i++) {
        T sum = 0;
        int64_t line = i / x->block_rows, stop = view_begin(v, line + 1);
        for (int64_t k = view_begin(v, line); k < stop; k++) {
            const EA *e = a + k * x->block_rows * x->block_cols + i % x->block_rows * down;
            const EX *f = from + (index_at(v->indices, k) - v->base) * x->block_cols;
            for (int64_t j = 0; j < x->block_cols; j++)
                sum += (T)LA(e[j * across]) * LX(f[j]);
        }
        FN(finish)(x, i, sum);
    }
}
