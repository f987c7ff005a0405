// SPDX-License-Identifier: Apache-2.0
// A template of number.h: sparse LU and Cholesky in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
static inline double FN(size)(T t)
{
#if COMPLEX
    return hypot((double)creal(t), (double)cimag(t));
#else
    return fabs((double)t);
#endif
}

static bool FN(rows_init)(struct FN(sparse_rows) * r, int n)
{
    r->offsets = calloc((size_t)n + 1, sizeof *r->offsets);
    return r->offsets != NULL;
}

static void FN(rows_free)(struct FN(sparse_rows) * r)
{
    free(r->offsets);
    free(r->cols);
    free(r->values);
}

static bool FN(rows_add)(struct FN(sparse_rows) * r, int col, T value)
{
    if (r->n == r->room) {
        const int64_t room = 2 * r->room + 64;
        int *cols = realloc(r->cols, (size_t)room * sizeof *cols);
        if (cols)
            r->cols = cols;
        T *values = cols ? realloc(r->values, (size_t)room * sizeof *values) : NULL;
        if (!values)
            return false;
        r->values = values;
        r->room = room;
    }
    r->cols[r->n] = col;
    r->values[r->n++] = value;
    return true;
}

// The row that is being reduced: values by column, the columns that it has, and those of them with pivots as a heap by place.
struct FN(row) {
    T *x;
    bool *has;
    int *cols, n, *heap, heaped;
};

static void FN(heap_push)(struct FN(row) * r, int place)
{
    int i = r->heaped++;
    for (; i && r->heap[(i - 1) / 2] > place; i = (i - 1) / 2)
        r->heap[i] = r->heap[(i - 1) / 2];
    r->heap[i] = place;
}

static int FN(heap_pop)(struct FN(row) * r)
{
    const int top = r->heap[0], last = r->heap[--r->heaped];
    int i = 0;
    for (int k = 1; k < r->heaped; k = 2 * i + 1) {
        k += k + 1 < r->heaped && r->heap[k + 1] < r->heap[k];
        if (r->heap[k] >= last)
            break;
        r->heap[i] = r->heap[k];
        i = k;
    }
    r->heap[i] = last;
    return top;
}

static void FN(row_add)(struct FN(row) * r, const struct FN(sparse_lu) * f, int step, int col, T value)
{
    if (!r->has[col]) {
        r->has[col] = true;
        r->x[col] = (T)0;
        r->cols[r->n++] = col;
        if (f->place[col] < step)
            FN(heap_push)(r, f->place[col]);
    }
    r->x[col] += value;
}

// The pivot's column: the largest, or that of the diagonal.
static int FN(pivot)(const struct FN(row) * r, const struct FN(sparse_lu) * f, int step, bool positive,
                     double threshold)
{
    const int diagonal = f->p[step];
    int best = -1;
    if (positive)
        return diagonal;
    for (int i = 0; i < r->n; i++) {
        const int col = r->cols[i];
        if (f->place[col] >= step && (best < 0 || FN(size)(r->x[col]) > FN(size)(r->x[best])))
            best = col;
    }
    if (best < 0)
        return f->place[diagonal] >= step ? diagonal : f->q[step];
    const bool near =
        r->has[diagonal] && f->place[diagonal] >= step && FN(size)(r->x[diagonal]) >= threshold * FN(size)(r->x[best]);
    return near && FN(size)(r->x[diagonal]) > 0 ? diagonal : best;
}

static bool FN(row_store)(struct FN(row) * r, struct FN(sparse_lu) * f, int step, int col)
{
    const int from = f->place[col], other = f->q[step];
    f->q[step] = col;
    f->q[from] = other;
    f->place[col] = step;
    f->place[other] = from;
    bool ok = FN(rows_add)(&f->u, col, r->has[col] ? r->x[col] : (T)0);
    for (int i = 0; i < r->n && ok; i++)
        if (f->place[r->cols[i]] > step)
            ok = FN(rows_add)(&f->u, r->cols[i], r->x[r->cols[i]]);
    for (int i = 0; i < r->n; i++)
        r->has[r->cols[i]] = false;
    f->u.offsets[step + 1] = f->u.n;
    f->l.offsets[step + 1] = f->l.n;
    return ok;
}

static bool FN(lu_row)(struct FN(sparse_lu) * f, struct FN(row) * r, const struct pattern *a, const T *values, T shift,
                       int step)
{
    const int i = f->p[step];
    bool ok = true;
    r->n = r->heaped = 0;
    for (int k = a->rows[i] - a->base; k < a->rows[i + 1] - a->base; k++)
        FN(row_add)(r, f, step, a->cols[k] - a->base, values[k]);
    if (shift != (T)0)
        FN(row_add)(r, f, step, i, -shift);
    while (r->heaped && ok) {
        const int k = FN(heap_pop)(r), col = f->q[k];
        const int64_t first = f->u.offsets[k];
        const T factor = r->x[col] / f->u.values[first];
        ok = FN(rows_add)(&f->l, k, factor);
        for (int64_t e = first + 1; e < f->u.offsets[k + 1]; e++)
            FN(row_add)(r, f, step, f->u.cols[e], -factor * f->u.values[e]);
    }
    return ok;
}

enum sparse_result FN(sparse_lu_factor)(struct FN(sparse_lu) * f, const struct pattern *a, const T *values, T shift,
                                        int reorder, bool positive, double threshold, double tol, int *singular)
{
    const int n = a->n;
    struct FN(row) r = {0};
    *f = (struct FN(sparse_lu)){.n = n};
    *singular = -1;
    f->p = malloc((size_t)(3 * n + 3) * sizeof(int));
    r.x = malloc((size_t)(n + 1) * sizeof(T));
    r.has = calloc((size_t)n + 1, sizeof(bool));
    r.cols = malloc((size_t)(2 * n + 2) * sizeof(int));
    bool ok = f->p && r.x && r.has && r.cols && FN(rows_init)(&f->l, n) && FN(rows_init)(&f->u, n);
    if (ok) {
        f->q = f->p + n + 1;
        f->place = f->q + n + 1;
        r.heap = r.cols + n + 1;
        ok = order_by(reorder, a, f->p);
        memcpy(f->q, f->p, (size_t)n * sizeof(int));
        for (int i = 0; i < n; i++)
            f->place[f->q[i]] = i;
    }
    for (int step = 0; step < n && ok; step++) {
        ok = FN(lu_row)(f, &r, a, values, shift, step) &&
             FN(row_store)(&r, f, step, FN(pivot)(&r, f, step, positive, threshold));
        if (!ok)
            break;
        const T d = f->u.values[f->u.offsets[step]];
#if COMPLEX
        const double re = (double)creal(d);
#else
        const double re = (double)d;
#endif
        const bool bad = positive ? !(re > 0) || sqrt(re) <= tol : !(FN(size)(d) > tol);
        if (bad && *singular < 0)
            *singular = step;
        if (bad && positive)
            break; // there is no factor from here on
    }
    free(r.x);
    free(r.has);
    free(r.cols);
    return ok ? SPARSE_DONE : SPARSE_NO_MEMORY;
}

void FN(sparse_lu_free)(struct FN(sparse_lu) * f)
{
    free(f->p);
    FN(rows_free)(&f->l);
    FN(rows_free)(&f->u);
    *f = (struct FN(sparse_lu)){0};
}

bool FN(sparse_lu_solve)(const struct FN(sparse_lu) * f, const T *b, T *x)
{
    T *y = malloc((size_t)(f->n + 1) * sizeof(T));
    if (!y)
        return false;
    for (int i = 0; i < f->n; i++) {
        T t = b[f->p[i]];
        for (int64_t k = f->l.offsets[i]; k < f->l.offsets[i + 1]; k++)
            t -= f->l.values[k] * y[f->l.cols[k]];
        y[i] = t;
    }
    for (int i = f->n - 1; i >= 0; i--) {
        T t = y[i];
        for (int64_t k = f->u.offsets[i] + 1; k < f->u.offsets[i + 1]; k++)
            t -= f->u.values[k] * y[f->place[f->u.cols[k]]];
        y[i] = t / f->u.values[f->u.offsets[i]];
    }
    for (int i = 0; i < f->n; i++)
        x[f->q[i]] = y[i];
    free(y);
    return true;
}
// NOLINTEND(readability-redundant-casting)
