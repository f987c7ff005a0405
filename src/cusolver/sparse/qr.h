// SPDX-License-Identifier: Apache-2.0
// A template of number.h: sparse QR in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
struct FN(qr_row) {
    int *cols, n;
    T *values;
};

static bool FN(qr_keep)(struct FN(sparse_qr) * f, int row, R c, T s)
{
    if (f->count == f->room) {
        const int64_t room = 2 * f->room + 256;
        struct FN(sparse_rotation) *r = realloc(f->rotations, (size_t)room * sizeof *r);
        if (!r)
            return false;
        f->rotations = r;
        f->room = room;
    }
    f->rotations[f->count++] = (struct FN(sparse_rotation)){row, c, s};
    return true;
}

// Rows of R and of A become c r + conj(s) a and -s r + c a, which has no element in their first column. Both get the columns of both.
static bool FN(qr_rotate)(struct FN(sparse_qr) * f, int k, struct FN(qr_row) * a)
{
    const int nr = f->lengths[k];
    int *rc = f->cols[k], *cols = malloc((size_t)(nr + a->n) * sizeof(int)), n = 0;
    T *rv = f->values[k], *mine = malloc((size_t)(nr + a->n) * sizeof(T)),
      *rest = malloc((size_t)(nr + a->n) * sizeof(T));
    int *rest_cols = malloc((size_t)(nr + a->n) * sizeof(int));
    if (!cols || !mine || !rest || !rest_cols) {
        free(cols);
        free(mine);
        free(rest);
        free(rest_cols);
        return false;
    }
    const double x = FN(size)(rv[0]), y = FN(size)(a->values[0]), norm = hypot(x, y);
    const R c = (R)(norm > 0 ? x / norm : 1);
    // s has the phase that makes the first element vanish: s r = c a
    const T s = norm > 0 ? (x > 0 ? a->values[0] / rv[0] * (T)c : (T)1) : (T)0;
    for (int i = 0, j = 0; i < nr || j < a->n; n++) {
        const bool both = i < nr && j < a->n && rc[i] == a->cols[j],
                   left = both || j == a->n || (i < nr && rc[i] < a->cols[j]);
        const T u = left ? rv[i] : (T)0, v = both || !left ? a->values[j] : (T)0;
        cols[n] = left ? rc[i] : a->cols[j];
        mine[n] = (T)c * u + CONJ(s) * v;
        rest[n] = (T)c * v - s * u;
        i += left;
        j += both || !left;
    }
    memcpy(rest_cols, cols + 1, (size_t)(n - 1) * sizeof(int));
    memmove(rest, rest + 1, (size_t)(n - 1) * sizeof(T));
    free(f->cols[k]);
    free(f->values[k]);
    free(a->cols);
    free(a->values);
    f->cols[k] = cols;
    f->values[k] = mine;
    f->lengths[k] = n;
    a->cols = rest_cols;
    a->values = rest;
    a->n = n - 1;
    return FN(qr_keep)(f, k, c, s);
}

static bool FN(qr_insert)(struct FN(sparse_qr) * f, struct FN(qr_row) * a)
{
    while (a->n) {
        const int k = a->cols[0];
        if (!f->cols[k]) {
            f->cols[k] = a->cols;
            f->values[k] = a->values;
            f->lengths[k] = a->n;
            a->cols = NULL;
            a->values = NULL;
            return FN(qr_keep)(f, k, 2, (T)0);
        }
        if (!FN(qr_rotate)(f, k, a))
            return false;
    }
    return true;
}

// Row i of A with its columns in order, equal ones added up.
static bool FN(qr_load)(const struct FN(sparse_qr) * f, const struct pattern *a, const T *values, T shift, int i,
                        struct FN(qr_row) * r)
{
    const int first = a->rows[i] - a->base, n = a->rows[i + 1] - a->base - first;
    r->cols = malloc((size_t)(n + 1) * sizeof(int));
    r->values = malloc((size_t)(n + 1) * sizeof(T));
    r->n = 0;
    if (!r->cols || !r->values)
        return false;
    for (int e = 0; e <= n; e++) {
        if (e == n && shift == (T)0)
            break;
        const int col = f->place[e < n ? a->cols[first + e] - a->base : i];
        const T v = e < n ? values[first + e] : -shift;
        int q = r->n;
        while (q && r->cols[q - 1] > col)
            q--;
        if (q && r->cols[q - 1] == col) {
            r->values[q - 1] += v;
            continue;
        }
        memmove(r->cols + q + 1, r->cols + q, (size_t)(r->n - q) * sizeof(int));
        memmove(r->values + q + 1, r->values + q, (size_t)(r->n - q) * sizeof(T));
        r->cols[q] = col;
        r->values[q] = v;
        r->n++;
    }
    return true;
}

enum sparse_result FN(sparse_qr_factor)(struct FN(sparse_qr) * f, int m, const struct pattern *a, int n,
                                        const T *values, T shift, int reorder)
{
    *f = (struct FN(sparse_qr)){.m = m, .n = n};
    f->lengths = calloc((size_t)n + 1, sizeof(int));
    f->cols = calloc((size_t)n + 1, sizeof *f->cols);
    f->values = calloc((size_t)n + 1, sizeof *f->values);
    f->ends = malloc((size_t)(m + 1) * sizeof *f->ends);
    f->p = malloc((size_t)(m + n + 2) * sizeof(int));
    bool ok = f->lengths && f->cols && f->values && f->ends && f->p;
    if (ok) {
        f->place = f->p + m + 1;
        ok = order_by(m == n ? reorder : 0, a, f->p);
        for (int i = 0; i < n; i++)
            f->place[m == n ? f->p[i] : i] = i;
    }
    for (int i = 0; i < m && ok; i++) {
        struct FN(qr_row) r = {0};
        ok = FN(qr_load)(f, a, values, shift, f->p[i], &r) && FN(qr_insert)(f, &r);
        free(r.cols);
        free(r.values);
        f->ends[i] = f->count;
    }
    return ok ? SPARSE_DONE : SPARSE_NO_MEMORY;
}

int FN(sparse_qr_singular)(const struct FN(sparse_qr) * f, double tol, int *rank)
{
    int first = -1, count = 0;
    for (int k = 0; k < f->n; k++) {
        const bool good = f->cols[k] && FN(size)(f->values[k][0]) > tol;
        count += good;
        if (!good && first < 0)
            first = k;
    }
    if (rank)
        *rank = count;
    return first;
}

void FN(sparse_qr_free)(struct FN(sparse_qr) * f)
{
    for (int k = 0; k < f->n; k++) {
        if (f->cols)
            free(f->cols[k]);
        if (f->values)
            free(f->values[k]);
    }
    free(f->lengths);
    free(f->cols);
    free(f->values);
    free(f->rotations);
    free(f->ends);
    free(f->p);
    *f = (struct FN(sparse_qr)){0};
}

bool FN(sparse_qr_solve)(const struct FN(sparse_qr) * f, const T *b, T *x, double tol, double *rest)
{
    T *y = calloc((size_t)f->n + 1, sizeof(T));
    double left = 0;
    if (!y)
        return false;
    int64_t e = 0;
    for (int i = 0; i < f->m; i++) {
        T v = b[f->p[i]];
        bool kept = false;
        for (; e < f->ends[i]; e++) {
            const struct FN(sparse_rotation) *r = &f->rotations[e];
            if (r->c > 1) {
                y[r->row] = v;
                kept = true;
            } else {
                const T u = y[r->row];
                y[r->row] = (T)r->c * u + CONJ(r->s) * v;
                v = (T)r->c * v - r->s * u;
            }
        }
        left += kept ? 0 : FN(size)(v) * FN(size)(v);
    }
    for (int k = f->n - 1; k >= 0; k--) {
        T t = y[k];
        for (int q = 1; q < f->lengths[k]; q++)
            t -= f->values[k][q] * y[f->cols[k][q]];
        const bool good = f->cols[k] && FN(size)(f->values[k][0]) > tol;
        y[k] = good ? t / f->values[k][0] : (T)0;
    }
    for (int i = 0; i < f->n; i++)
        x[i] = y[f->place[i]];
    free(y);
    if (rest)
        *rest = sqrt(left);
    return true;
}
// NOLINTEND(readability-redundant-casting)
