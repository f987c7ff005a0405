// SPDX-License-Identifier: Apache-2.0
// A template of library/number.h: a tile's sums become D. COMPLEX: there is no epilogue.
#ifdef INTEGER
#define LT_KIND KIND_I
#else
#define LT_KIND NUMBER_CAT(KIND, LETTER)
#endif

// What a tile's columns have in common, and room for one of them.
struct FN(columns) {
    T *alpha, *beta, *x, *y, *bias;
    void *raw;
    bool reads_c;
};

static struct FN(columns) FN(begin)(const struct matmul *g, const struct finish *f)
{
    const size_t rows = (size_t)f->rows, ROOM = 16; // bytes of the largest element
    T *memory = product_memory(MEMORY_OTHER, rows * (5 * sizeof(T) + ROOM));
    struct FN(columns) c = {.alpha = memory,
                            .beta = memory + rows,
                            .x = memory + 2 * rows,
                            .y = memory + 3 * rows,
                            .bias = memory + 4 * rows,
                            .raw = memory + 5 * rows};
    lt_scalars(&g->alpha, LT_KIND, f->index, f->i, f->rows, c.alpha);
    lt_scalars(&g->beta, LT_KIND, f->index, f->i, f->rows, c.beta);
    for (int64_t i = 0; i < f->rows; i++)
        c.reads_c |= c.beta[i] != 0;
    return c;
}

#if !COMPLEX
static void FN(factors)(const struct matmul *g, const struct finish *f, struct FN(columns) * c)
{
    const float whole = (g->outer[0] ? 1 : factor_of(g, 0)) * (g->outer[1] ? 1 : factor_of(g, 1)),
                of_c = factor_of(g, 2);
    for (int64_t i = 0; i < f->rows; i++) {
        c->alpha[i] *= g->outer[0] ? whole * g->factor[0][f->i + i] : whole;
        c->beta[i] *= of_c;
    }
}

static T FN(largest)(const T *x, int64_t n)
{
    T most = 0;
    for (int64_t i = 0; i < n; i++) {
        T a = x[i] < 0 ? -x[i] : x[i];
        most = a > most || a != a ? a : most;
    }
    return most;
}

// GELU by its tangent: x (1 + tanh(u)) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3).
static const T FN(SLOPE) = 0.79788456080286535588, FN(CUBE) = 0.044715;

static void FN(gelu)(T *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        T v = x[i], u = FN(SLOPE) * (v + FN(CUBE) * v * v * v);
        x[i] = v / 2 * (1 + FN(tangent)(u));
    }
}

// x times the derivative of GELU at y.
static void FN(gelu_back)(T *x, const T *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        T v = y[i], u = FN(SLOPE) * (v + FN(CUBE) * v * v * v);
        T t = FN(tangent)(u);
        T slope = FN(SLOPE) * (1 + 3 * FN(CUBE) * v * v);
        x[i] *= (1 + t) / 2 + v / 2 * (1 - t * t) * slope;
    }
}

// A bit for each element, 1 where it is positive. A tile's first row is a multiple of 8.
static void FN(mask_write)(uint8_t *mask, const T *x, int64_t n)
{
    for (int64_t i = 0; i < n; i += 8) {
        unsigned bits = 0;
        for (int64_t q = 0; q < 8 && i + q < n; q++)
            bits |= (unsigned)(x[i + q] > 0) << q;
        mask[i / 8] = (uint8_t)bits;
    }
}

static void FN(mask_apply)(const uint8_t *mask, T *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!(mask[i / 8] >> i % 8 & 1))
            x[i] = 0;
}

// The input of GELU is kept.
static void FN(aux_write)(const struct matmul *g, const struct finish *f, struct FN(columns) * c, int64_t j)
{
    const struct lt_matrix *aux = &g->epilogue.aux;
    const T factor = g->epilogue.aux_factor ? *g->epilogue.aux_factor : 1;
    if (g->epilogue.aux_amax)
        keep_largest(g->epilogue.aux_amax, FN(largest)(c->x, f->rows));
    for (int64_t i = 0; i < f->rows; i++)
        c->y[i] = c->x[i] * factor;
    matrix_store(aux, matrix_base(aux, f->index), f->i, j, f->rows, LT_KIND, c->y, c->raw);
}

static void FN(epilogue)(const struct matmul *g, const struct finish *f, struct FN(columns) * c, int64_t j)
{
    const uint32_t what = g->epilogue.what;
    const int64_t n = f->rows;
    uint8_t *mask = g->epilogue.mask;
    if (mask)
        mask += f->index * g->epilogue.mask_stride + j * g->epilogue.mask_ld + f->i / 8;
    for (int64_t i = 0; matmul_adds_bias(what) && i < n; i++)
        c->x[i] += c->bias[i];
    if (what & CUBLASLT_EPILOGUE_RELU) {
        if (mask)
            FN(mask_write)(mask, c->x, n);
        for (int64_t i = 0; i < n; i++)
            c->x[i] = c->x[i] < 0 ? 0 : c->x[i];
    } else if (what & CUBLASLT_EPILOGUE_GELU) {
        if (what & EPILOGUE_AUX)
            FN(aux_write)(g, f, c, j);
        FN(gelu)(c->x, n);
    } else if (what & EPILOGUE_DRELU) {
        FN(mask_apply)(mask, c->x, n);
    } else if (what & EPILOGUE_DGELU) {
        const struct lt_matrix *aux = &g->epilogue.aux;
        matrix_load(aux, matrix_base(aux, f->index), f->i, j, n, LT_KIND, c->y, c->raw);
        FN(gelu_back)(c->x, c->y, n);
    }
    for (int64_t i = 0; f->row_sums && i < n; i++)
        f->row_sums[i] += c->x[i];
}

static void FN(out_factor)(const struct matmul *g, T *x, int64_t n)
{
    if (g->amax)
        keep_largest(g->amax, FN(largest)(x, n));
    const T factor = factor_of(g, 3);
    for (int64_t i = 0; g->factor[3] && i < n; i++)
        x[i] *= factor;
}
#endif

// Column j of the tile's sums as numbers of this kind, times alpha.
static void FN(scaled)(const struct matmul *g, const struct finish *f, int64_t j, const T *alpha, T *x)
{
#if !COMPLEX
    if (g->types.sums == KIND_I) {
        const int32_t *sums = (const int32_t *)f->sums + j * f->rows;
        for (int64_t i = 0; i < f->rows; i++)
            x[i] = (T)sums[i] * alpha[i];
        return;
    }
    const T factor = g->outer[1] ? g->factor[1][f->j + j] : 1;
#else
    const T factor = 1;
    (void)g;
#endif
    const T *sums = (const T *)f->sums + j * f->rows;
    for (int64_t i = 0; i < f->rows; i++)
        x[i] = sums[i] * alpha[i] * factor;
}

static void FN(finish)(const struct matmul *g, const struct finish *f)
{
    struct FN(columns) c = FN(begin)(g, f);
    const char *from = c.reads_c ? matrix_base(&g->c, f->index) : NULL;
    char *to = matrix_base(&g->d, f->index);
#if !COMPLEX
    FN(factors)(g, f, &c);
    if (matmul_adds_bias(g->epilogue.what)) {
        int64_t size = (int64_t)lt_size(g->epilogue.bias_type), at = f->index * g->epilogue.bias_stride + f->i;
        lt_load(LT_KIND, g->epilogue.bias_type, c.bias, (const char *)g->epilogue.bias + at * size, f->rows);
    }
#endif
    for (int64_t j = 0; j < f->columns; j++) {
        FN(scaled)(g, f, j, c.alpha, c.x);
        if (c.reads_c) {
            matrix_load(&g->c, from, f->i, f->j + j, f->rows, LT_KIND, c.y, c.raw);
            for (int64_t i = 0; i < f->rows; i++)
                c.x[i] += c.beta[i] != 0 ? c.beta[i] * c.y[i] : 0;
        }
#if !COMPLEX
        FN(epilogue)(g, f, &c, f->j + j);
        FN(out_factor)(g, c.x, f->rows);
#endif
        matrix_store(&g->d, to, f->i, f->j + j, f->rows, LT_KIND, c.x, c.raw);
    }
}
#undef LT_KIND
