// SPDX-License-Identifier: Apache-2.0
// A template of number.h: level 2 in one type. A product y = A x has a part for each piece of y, which reads what it needs of A and
// x: no part adds to what another one writes. F is the type of y.
#ifndef F
#define F         E
#define LOAD_F    LOAD
#define STORE_F   STORE
#define F_DEFAULT 1
#endif

static T FN(number)(const struct scalar *s)
{
    const void *p = s->at ? s->at : s->value.bytes;
    switch (s->type) {
    case BLAS_S:
        return (T) * (const float *)p;
    case BLAS_D:
        return (T) * (const double *)p;
    case BLAS_C:
        return (T) * (const float _Complex *)p;
    default:
        return (T) * (const double _Complex *)p;
    }
}

// What is stored of column j: rows from ... to - 1, the first of them at the result.
static inline E *FN(column)(const struct level2 *l, int64_t j, int64_t *from, int64_t *to)
{
    E *a = l->a;
    if (l->storage == STORED_PACKED) {
        *from = l->upper ? 0 : j;
        *to = l->upper ? j + 1 : l->n;
        return a + (l->upper ? j * (j + 1) / 2 : j * (2 * l->n - j + 1) / 2);
    }
    if (l->storage == STORED_BAND) {
        *from = blas_max(0, j - l->ku);
        *to = blas_min(l->m, j + l->kl + 1);
        return a + j * l->lda + l->ku + *from - j;
    }
    *from = 0;
    *to = l->m;
    return a + j * l->lda;
}

// The same of a triangle.
static inline E *FN(triangle)(const struct level2 *l, int64_t j, int64_t *from, int64_t *to)
{
    E *p = FN(column)(l, j, from, to);
    if (l->storage == STORED_FULL) {
        *from = l->upper ? 0 : j;
        *to = l->upper ? j + 1 : l->n;
        p += *from;
    }
    return p;
}

static inline const E *FN(start)(const void *x, int64_t n, int64_t inc)
{
    return (const E *)x + (inc < 0 ? (1 - n) * inc : 0);
}
static inline F *FN(start_y)(const struct level2 *l, int64_t n)
{
    return (F *)l->y + (l->incy < 0 ? (1 - n) * l->incy : 0);
}

// sum of a[i] x[i], in a fixed order
static inline T FN(sum)(const E *a, const E *x, int64_t inc, int64_t n, bool conjugated)
{
    enum { LANES = 16 };
    T lane[LANES] = {0};
    int64_t i = 0;
    if (conjugated)
        for (; i < n; i++)
            lane[i % LANES] += CONJ(LOAD(a[i])) * LOAD(x[i * inc]);
    if (inc == 1)
        for (; i + LANES <= n; i += LANES)
            for (int k = 0; k < LANES; k++)
                lane[k] += LOAD(a[i + k]) * LOAD(x[i + k]);
    for (; i < n; i++)
        lane[i % LANES] += LOAD(a[i]) * LOAD(x[i * inc]);
    for (int half = LANES / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            lane[k] += lane[k + half];
    return lane[0];
}

// y[i] = alpha sum[i] + beta y[i]; y is not read where beta is 0
static inline void FN(finish)(const struct level2 *l, F *y, const T *sum, int64_t from, int64_t to)
{
    const T alpha = FN(number)(&l->alpha), beta = FN(number)(&l->beta);
    for (int64_t i = from; i < to; i++) {
        T t = alpha * sum[i - from];
        if (beta != (T)0)
            t += beta * LOAD_F(y[i * l->incy]);
        y[i * l->incy] = STORE_F(t);
    }
}

enum { FN(ROWS) = 512 }; // of y in a part, at most

static void FN(gemv_part)(const struct level2 *l, uint64_t part)
{
    T sum[FN(ROWS)] = {0};
    int64_t nx = l->transposed ? l->m : l->n, ny = l->transposed ? l->n : l->m, lo, hi;
    int64_t from = (int64_t)part * l->rows, to = blas_min(from + l->rows, ny);
    const E *x = FN(start)(l->x, nx, l->incx);
    F *y = FN(start_y)(l, ny);
    if (FN(number)(&l->alpha) == (T)0) { // neither A nor x is read
    } else if (l->transposed) {
        for (int64_t j = from; j < to; j++) {
            const E *a = FN(column)(l, j, &lo, &hi);
            sum[j - from] = FN(sum)(a, x + lo * l->incx, l->incx, hi - lo, l->conjugated);
        }
    } else {
        int64_t first = 0, last = l->n; // columns that have something in these rows
        if (l->storage == STORED_BAND) {
            first = blas_max(0, from - l->kl);
            last = blas_min(l->n, to + l->ku);
        }
        for (int64_t j = first; j < last; j++) {
            const E *a = FN(column)(l, j, &lo, &hi);
            const T t = LOAD(x[j * l->incx]);
            int64_t r0 = blas_max(lo, from), r1 = blas_min(hi, to);
            for (int64_t i = r0; i < r1; i++)
                sum[i - from] += LOAD(a[i - lo]) * t;
        }
    }
    FN(finish)(l, y, sum, from, to);
}

static void FN(gemv_run)(const void *block, uint64_t part)
{
    const struct level2 *l = block;
    if (!l->parts) {
        FN(gemv_part)(l, part);
        return;
    }
    struct level2 one = *l;
    uint64_t at = part / (uint64_t)l->parts;
    one.a = l->pointers ? ((void *const *)l->a)[at] : (E *)l->a + (int64_t)at * l->stride_a;
    one.x = l->pointers ? ((const void *const *)l->x)[at] : (const E *)l->x + (int64_t)at * l->stride_x;
    one.y = l->pointers ? ((void *const *)l->y)[at] : (F *)l->y + (int64_t)at * l->stride_y;
    FN(gemv_part)(&one, part % (uint64_t)l->parts);
}

#ifdef F_DEFAULT
#undef F
#undef LOAD_F
#undef STORE_F
#undef F_DEFAULT

#ifndef ONLY_GEMV
// Of the triangle that is not stored, an element is the one across the diagonal, or its conjugate.
static void FN(symv_run)(const void *block, uint64_t part)
{
    const struct level2 *l = block;
    T sum[FN(ROWS)] = {0};
    int64_t from = (int64_t)part * l->rows, to = blas_min(from + l->rows, l->n), lo, hi;
    const E *x = FN(start)(l->x, l->n, l->incx);
    E *y = (E *)l->y + (l->incy < 0 ? (1 - l->n) * l->incy : 0);
    bool any = FN(number)(&l->alpha) != (T)0;
    for (int64_t j = 0; any && j < l->n; j++) {
        const E *a = FN(triangle)(l, j, &lo, &hi);
        const T t = LOAD(x[j * l->incx]);
        int64_t r0 = blas_max(lo, from), r1 = blas_min(hi, to);
        for (int64_t i = r0; i < r1; i++) {
            T v = LOAD(a[i - lo]);
            sum[i - from] += (l->hermitian && i == j ? REAL(v) : v) * t;
        }
        if (j < from || j >= to)
            continue;
        if (l->upper)
            sum[j - from] += FN(sum)(a, x + lo * l->incx, l->incx, j - lo, l->hermitian);
        else
            sum[j - from] += FN(sum)(a + 1, x + (j + 1) * l->incx, l->incx, hi - j - 1, l->hermitian);
    }
    const T alpha = FN(number)(&l->alpha), beta = FN(number)(&l->beta);
    for (int64_t i = from; i < to; i++) {
        T t = alpha * sum[i - from];
        if (beta != (T)0)
            t += beta * y[i * l->incy];
        y[i * l->incy] = t;
    }
}

// x = op(A) x, in place. Column by column, in the order in which each element is needed before it is written.
static void FN(trmv_run)(const void *block, uint64_t part)
{
    const struct level2 *l = block;
    int64_t n = l->n, inc = l->incy, lo, hi;
    E *x = (E *)l->y + (inc < 0 ? (1 - n) * inc : 0);
    bool forward = l->upper != l->transposed;
    (void)part;
    for (int64_t k = 0; k < n; k++) {
        int64_t j = forward ? k : n - 1 - k;
        const E *a = FN(triangle)(l, j, &lo, &hi);
        const E *off = l->upper ? a : a + 1;
        int64_t r0 = l->upper ? lo : j + 1, r1 = l->upper ? j : hi;
        T d = l->upper ? a[j - lo] : a[0];
        d = l->unit ? (T)1 : l->conjugated ? CONJ(d) : d;
        if (l->transposed) {
            x[j * inc] = d * x[j * inc] + FN(sum)(off, x + r0 * inc, inc, r1 - r0, l->conjugated);
        } else {
            T t = x[j * inc];
            for (int64_t i = r0; i < r1; i++)
                x[i * inc] += (l->conjugated ? CONJ(off[i - r0]) : off[i - r0]) * t;
            x[j * inc] = d * t;
        }
    }
}

static void FN(trsv_run)(const void *block, uint64_t part)
{
    const struct level2 *l = block;
    int64_t n = l->n, inc = l->incy, lo, hi;
    E *x = (E *)l->y + (inc < 0 ? (1 - n) * inc : 0);
    bool forward = l->upper == l->transposed;
    (void)part;
    for (int64_t k = 0; k < n; k++) {
        int64_t j = forward ? k : n - 1 - k;
        const E *a = FN(triangle)(l, j, &lo, &hi);
        const E *off = l->upper ? a : a + 1;
        int64_t r0 = l->upper ? lo : j + 1, r1 = l->upper ? j : hi;
        T d = l->upper ? a[j - lo] : a[0];
        d = l->conjugated ? CONJ(d) : d;
        T t = x[j * inc];
        if (l->transposed)
            t -= FN(sum)(off, x + r0 * inc, inc, r1 - r0, l->conjugated);
        x[j * inc] = t = l->unit ? t : t / d;
        for (int64_t i = r0; !l->transposed && i < r1; i++)
            x[i * inc] -= (l->conjugated ? CONJ(off[i - r0]) : off[i - r0]) * t;
    }
}

// A += alpha x y^T, or y^H: a part has some columns.
static void FN(ger_run)(const void *block, uint64_t part)
{
    const struct level2 *l = block;
    const T alpha = FN(number)(&l->alpha);
    const E *x = FN(start)(l->x, l->m, l->incx), *y = FN(start)(l->y, l->n, l->incy);
    E *a = l->a;
    for (int64_t j = (int64_t)part * l->rows; j < blas_min(((int64_t)part + 1) * l->rows, l->n); j++) {
        T t = y[j * l->incy];
        t = alpha * (l->conjugated ? CONJ(t) : t);
        if (t == (T)0)
            continue;
        if (l->incx == 1)
            for (int64_t i = 0; i < l->m; i++)
                a[j * l->lda + i] += x[i] * t;
        else
            for (int64_t i = 0; i < l->m; i++)
                a[j * l->lda + i] += x[i * l->incx] * t;
    }
}

// A += alpha x x^T, or alpha x x^H; with y: alpha x y^T + alpha y x^T, or alpha x y^H + conj(alpha) y x^H. One triangle.
static void FN(syr_run)(const void *block, uint64_t part)
{
    const struct level2 *l = block;
    const T alpha = FN(number)(&l->alpha);
    const bool two = l->y, herm = l->hermitian;
    const E *x = FN(start)(l->x, l->n, l->incx), *y = two ? FN(start)(l->y, l->n, l->incy) : x;
    const int64_t incy = two ? l->incy : l->incx;
    int64_t lo, hi;
    if (alpha == (T)0)
        return;
    for (int64_t j = (int64_t)part * l->rows; j < blas_min(((int64_t)part + 1) * l->rows, l->n); j++) {
        E *a = FN(triangle)(l, j, &lo, &hi);
        T xj = x[j * l->incx], yj = y[j * incy];
        T t = alpha * (herm ? CONJ(yj) : yj), u = herm ? CONJ(alpha * xj) : alpha * xj;
        for (int64_t i = lo; i < hi; i++)
            a[i - lo] += x[i * l->incx] * t + (two ? y[i * incy] * u : (T)0);
        if (herm)
            a[j - lo] = REAL(a[j - lo]);
    }
}
#endif
#endif
