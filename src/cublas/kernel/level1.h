// SPDX-License-Identifier: Apache-2.0
// A template of number.h: level 1 in one type. Vectors are cut into chunks of CHUNK elements, a part each. Sums of a chunk are kept in
// LANES sums side by side, those of the chunks in the order of a tree: they do not depend on who computed which.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)

// The first element as BLAS counts: of a negative step, the last in memory.
static inline E *FN(first)(const void *x, int64_t n, int64_t inc)
{
    return (E *)(uintptr_t)x + (inc < 0 ? (1 - n) * inc : 0);
}

static inline void FN(range)(const struct vectors *v, uint64_t part, int64_t *from, int64_t *to)
{
    *from = (int64_t)part * CHUNK;
    *to = blas_min(*from + CHUNK, v->n);
}

static T FN(scalar)(const struct scalar *s)
{
    const void *p = s->at ? s->at : s->value.bytes;
    switch (s->type) {
    case BLAS_S:
        return (T) * (const float *)p;
    case BLAS_D:
        return (T) * (const double *)p;
    case BLAS_C:
        return (T) * (const float _Complex *)p;
    case BLAS_Z:
        return (T) * (const double _Complex *)p;
    case BLAS_H:
    case BLAS_HS:
        return (T)half_to_float(*(const uint16_t *)p);
    default:
        return (T)bfloat_to_float(*(const uint16_t *)p);
    }
}

static void FN(axpy_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    const T a = FN(scalar)(&v->a);
    int64_t from, to, dx = v->incx, dy = v->incy;
    FN(range)(v, part, &from, &to);
    const E *x = FN(first)(v->x, v->n, dx);
    E *y = FN(first)(v->y, v->n, dy);
    if (a == (T)0)
        return;
    if (dx == 1 && dy == 1)
        for (int64_t i = from; i < to; i++)
            y[i] = STORE(LOAD(y[i]) + a * LOAD(x[i]));
    else
        for (int64_t i = from; i < to; i++)
            y[i * dy] = STORE(LOAD(y[i * dy]) + a * LOAD(x[i * dx]));
}

static void FN(scal_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    const T a = FN(scalar)(&v->a);
    int64_t from, to;
    FN(range)(v, part, &from, &to);
    E *x = v->y;
    for (int64_t i = from; i < to; i++)
        x[i * v->incy] = STORE(a * LOAD(x[i * v->incy]));
}

// By a real number: both parts by themselves.
static void FN(rscal_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
#if COMPLEX
    const R a = (R)FN(scalar)(&v->a);
#else
    const T a = FN(scalar)(&v->a);
#endif
    int64_t from, to;
    FN(range)(v, part, &from, &to);
    E *x = v->y;
    for (int64_t i = from; i < to; i++)
        x[i * v->incy] = STORE(a * LOAD(x[i * v->incy]));
}

static void FN(copy_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    int64_t from, to, dx = v->incx, dy = v->incy;
    FN(range)(v, part, &from, &to);
    const E *x = FN(first)(v->x, v->n, dx);
    E *y = FN(first)(v->y, v->n, dy);
    for (int64_t i = from; i < to; i++)
        y[i * dy] = x[i * dx];
}

static void FN(swap_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    int64_t from, to, dx = v->incx, dy = v->incy;
    FN(range)(v, part, &from, &to);
    E *x = FN(first)(v->x, v->n, dx), *y = FN(first)(v->y, v->n, dy);
    for (int64_t i = from; i < to; i++) {
        E t = x[i * dx];
        x[i * dx] = y[i * dy];
        y[i * dy] = t;
    }
}

static void FN(rot_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    const T c = REAL(FN(scalar)(&v->a)), s = FN(scalar)(&v->b), sc = CONJ(s);
    int64_t from, to, dx = v->incx, dy = v->incy;
    FN(range)(v, part, &from, &to);
    E *x = FN(first)(v->x, v->n, dx), *y = FN(first)(v->y, v->n, dy);
    for (int64_t i = from; i < to; i++) {
        T a = LOAD(x[i * dx]), b = LOAD(y[i * dy]);
        x[i * dx] = STORE(c * a + s * b);
        y[i * dy] = STORE(c * b - sc * a);
    }
}

// ---- sums. A chunk's sum goes to partial[part]; what ends the sum adds those.
static T FN(lanes_sum)(T *lane)
{
    for (int half = LANES / 2; half; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] += lane[l + half];
    return lane[0];
}

static void FN(dot_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    T lane[LANES] = {0};
    int64_t from, to, dx = v->incx, dy = v->incy;
    FN(range)(v, part, &from, &to);
    const E *x = FN(first)(v->x, v->n, dx), *y = FN(first)(v->y, v->n, dy);
    int64_t i = from;
    if (v->flag)
        for (; i < to; i++)
            lane[i % LANES] += CONJ(LOAD(x[i * dx])) * LOAD(y[i * dy]);
    if (dx == 1 && dy == 1)
        for (; i + LANES <= to; i += LANES)
            for (int l = 0; l < LANES; l++)
                lane[l] += LOAD(x[i + l]) * LOAD(y[i + l]);
    for (; i < to; i++)
        lane[i % LANES] += LOAD(x[i * dx]) * LOAD(y[i * dy]);
    T sum = FN(lanes_sum)(lane);
    ((T *)v->partial)[part] = sum;
}

static void FN(dot_end_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    T *p = v->partial;
    (void)part;
    for (int64_t n = v->n; n > 1; n = (n + 1) / 2)
        for (int64_t i = 0; i < n / 2; i++)
            p[i] += p[i + (n + 1) / 2];
    *(E *)v->result = STORE(p[0]);
}

static void FN(asum_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    R lane[LANES] = {0};
    int64_t from, to;
    FN(range)(v, part, &from, &to);
    const E *x = v->x;
    for (int64_t i = from; i < to; i++)
        lane[i % LANES] += ABS1(LOAD(x[i * v->incx]));
    for (int half = LANES / 2; half; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] += lane[l + half];
    ((double *)v->partial)[part] = lane[0];
}

// Of a norm the sum of squares, in double precision and of numbers divided by a power of two where squares could be too large or
// too small: {sum, power}.
static void FN(nrm2_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    const double LOW = 0x1p-480, HIGH = 0x1p480;
    double lane[LANES] = {0}, most = 0;
    int64_t from, to;
    FN(range)(v, part, &from, &to);
    const E *x = v->x;
    bool wild = false;
    for (int64_t i = from; i < to; i++) {
        double a = (double)ABS1(LOAD(x[i * v->incx]));
        most = a > most ? a : most;
        wild |= !(a <= HIGH);
    }
    double power = most > 0 && most < LOW ? 0x1p-600 : wild ? 0x1p600 : 1;
    for (int64_t i = from; i < to; i++) {
        T t = LOAD(x[i * v->incx]);
#if COMPLEX
        double re = (double)creal(t) / power, im = (double)cimag(t) / power;
        lane[i % LANES] += re * re + im * im;
#else
        double re = (double)t / power;
        lane[i % LANES] += re * re;
#endif
    }
    for (int half = LANES / 2; half; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] += lane[l + half];
    ((double *)v->partial)[2 * part] = lane[0];
    ((double *)v->partial)[2 * part + 1] = power;
}

// One sum of all chunks, brought to the largest power of them.
static void FN(norm_end_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    double *p = v->partial, power = 0, sum = 0;
    (void)part;
    if (v->flag) {
        for (int64_t i = 0; i < v->n; i++)
            power = p[2 * i + 1] > power ? p[2 * i + 1] : power;
        for (int64_t i = 0; i < v->n; i++) {
            double f = p[2 * i + 1] / power;
            sum += p[2 * i] * f * f;
        }
        sum = sqrt(sum) * power;
    } else {
        for (int64_t i = 0; i < v->n; i++)
            sum += p[i];
    }
#if COMPLEX
    *(R *)v->result = (R)sum;
#else
    *(E *)v->result = STORE((T)sum);
#endif
}

// ---- the largest or smallest |re| + |im|: the first one of equal ones; a NaN is neither
static bool FN(beats)(R a, R best, bool most)
{
    return most ? a > best : a < best;
}

static void FN(extreme_run)(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    int64_t from, to, at = -1;
    R best = v->flag ? (R)-1 : (R)INFINITY;
    FN(range)(v, part, &from, &to);
    const E *x = v->x;
    for (int64_t i = from; i < to; i++) {
        R a = ABS1(LOAD(x[i * v->incx]));
        if (FN(beats)(a, best, v->flag)) {
            best = a;
            at = i;
        }
    }
    ((struct extreme *)v->partial)[part] = (struct extreme){(double)best, at};
}
// NOLINTEND(readability-redundant-casting)
