// SPDX-License-Identifier: Apache-2.0
// cublasLtMatrixTransform: C = alpha op(A) + beta op(B), from any order and type to any other. C is cut into tiles, whose columns are read,
// added and stored as numbers of the type of alpha and beta. A float that becomes an int8 loses its fraction and then its upper bits, as on an H200.
#include "cublaslt/lt.h"
#include <string.h>

enum { TILE_ROWS = 256, TILE_COLUMNS = 32 };

struct transform {
    struct native_head head;
    enum lt_kind kind;
    int64_t rows, columns, tiles_column, tiles; // tiles_column: in a column; tiles: of a matrix
    struct lt_matrix a, b, c;
    struct lt_scalar alpha, beta;
};

static float _Complex conj_C(float _Complex t)
{
    return __builtin_conjf(t);
}
static double _Complex conj_Z(double _Complex t)
{
    return __builtin_conj(t);
}
#define SAME(t) (t)

// to += factor x; a factor of 0 does not read x.
#define ADD(name, T, CONJ)                                                                                             \
    static void add_##name(void *to, const void *x, const void *factor, bool conjugated, int64_t n)                    \
    {                                                                                                                  \
        T *t = to;                                                                                                     \
        const T *e = x, f = *(const T *)factor;                                                                        \
        for (int64_t i = 0; i < n; i++)                                                                                \
            t[i] += f * (conjugated ? CONJ(e[i]) : e[i]);                                                              \
    }                                                                                                                  \
    static bool zero_##name(const void *factor)                                                                        \
    {                                                                                                                  \
        return *(const T *)factor == 0;                                                                                \
    }
ADD(S, float, SAME)
ADD(D, double, SAME)
ADD(C, float _Complex, conj_C)
ADD(Z, double _Complex, conj_Z)
ADD(I, uint32_t, SAME)

static const struct {
    void (*add)(void *to, const void *x, const void *factor, bool conjugated, int64_t n);
    bool (*is_zero)(const void *factor);
} kinds[KINDS] = {
    [KIND_S] = {add_S, zero_S}, [KIND_D] = {add_D, zero_D}, [KIND_C] = {add_C, zero_C},
    [KIND_Z] = {add_Z, zero_Z}, [KIND_I] = {add_I, zero_I},
};

// A float is converted to an int as the GPU does it: NaN is 0, and what is too large is the nearest int.
static void wrap(float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = x[i] != x[i] ? 0 : x[i] >= 0x1p31f ? -1 : x[i] < -0x1p31f ? 0 : (int8_t)(uint32_t)(int32_t)x[i];
}

static void transform_run(const void *block, uint64_t part)
{
    const struct transform *g = block;
    double sum[2 * TILE_ROWS], x[2 * TILE_ROWS], raw[2 * TILE_ROWS], factor[2][2];
    int64_t index = (int64_t)part / g->tiles, tile = (int64_t)part % g->tiles;
    int64_t i = tile % g->tiles_column * TILE_ROWS, first = tile / g->tiles_column * TILE_COLUMNS;
    int64_t n = g->rows - i < TILE_ROWS ? g->rows - i : TILE_ROWS;
    int64_t last = first + TILE_COLUMNS < g->columns ? first + TILE_COLUMNS : g->columns;
    const struct lt_matrix *from[2] = {&g->a, &g->b};
    lt_scalars(&g->alpha, g->kind, index, 0, 1, factor[0]);
    lt_scalars(&g->beta, g->kind, index, 0, 1, factor[1]);
    for (int64_t j = first; j < last; j++) {
        memset(sum, 0, (size_t)n * lt_kind_size(g->kind));
        for (int q = 0; q < 2; q++) {
            if (kinds[g->kind].is_zero(factor[q]) || !from[q]->at)
                continue;
            matrix_load(from[q], matrix_base(from[q], index), i, j, n, g->kind, x, raw);
            kinds[g->kind].add(sum, x, factor[q], from[q]->conjugated, n);
        }
        if (g->c.type == LT_J && g->kind == KIND_S)
            wrap((float *)sum, n);
        matrix_store(&g->c, matrix_base(&g->c, index), i, j, n, g->kind, sum, raw);
    }
}

static struct library_kernel kernel = LIBRARY_KERNEL("cublasLt_transform", transform_run, struct transform);

static cublasStatus_t launch(struct transform *g, int64_t count, cudaStream_t stream)
{
    g->tiles_column = (g->rows + TILE_ROWS - 1) / TILE_ROWS;
    g->tiles = g->tiles_column * ((g->columns + TILE_COLUMNS - 1) / TILE_COLUMNS);
    return blas_status(library_launch(&kernel, stream, (uint64_t)(g->tiles * count), TILE_ROWS * TILE_COLUMNS, g));
}

// The kind of computing of alpha and beta.
static bool kind_of(enum lt_type scale, enum lt_kind *kind)
{
    static const struct {
        enum lt_type scale;
        enum lt_kind kind;
    } rows[] = {{LT_S, KIND_S}, {LT_H, KIND_S}, {LT_D, KIND_D}, {LT_C, KIND_C}, {LT_Z, KIND_Z}, {LT_I, KIND_I}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].scale == scale) {
            *kind = rows[i].kind;
            return true;
        }
    return false;
}

// A or B; without a factor it may be left out.
static cublasStatus_t source(struct transform *g, struct lt_matrix *x, const struct lt_scalar *factor, int32_t op,
                             const void *at, cublasLtMatrixLayout_t layout, int32_t count)
{
    static const char nothing[16];
    if (!factor->at && !memcmp(factor->value, nothing, lt_size(factor->type)) && (!at || !layout))
        return CUBLAS_STATUS_SUCCESS;
    LT_CHECK(at && layout);
    cublasStatus_t s = lt_matrix_of(x, (const struct lt_layout *)layout, op);
    if (s)
        return s;
    LT_CHECK(x->rows == g->rows && x->columns == g->columns && ((const struct lt_layout *)layout)->count == count);
    LT_SUPPORT(lt_converts(g->kind, x->type));
    x->at = (void *)(uintptr_t)at;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_MatrixTransform(cublasLtHandle_t h, cublasLtMatrixTransformDesc_t desc, const void *alpha,
                                  const void *A, cublasLtMatrixLayout_t Adesc, const void *beta, const void *B,
                                  cublasLtMatrixLayout_t Bdesc, void *C, cublasLtMatrixLayout_t Cdesc,
                                  cudaStream_t stream)
{
    struct transform g = {.kind = KIND_S};
    LT_ENTER(h);
    LT_CHECK(desc && alpha && beta && C && Cdesc);
    const struct lt_transform_desc *d = (const struct lt_transform_desc *)desc;
    int32_t count = ((const struct lt_layout *)Cdesc)->count;
    LT_CHECK((unsigned)d->pointer_mode <= CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST);
    LT_SUPPORT(d->pointer_mode <= CUBLASLT_POINTER_MODE_DEVICE);
    enum lt_type scale = lt_type_of((cudaDataType)d->scale);
    LT_SUPPORT(kind_of(scale, &g.kind));
    cublasStatus_t s = lt_matrix_of(&g.c, (const struct lt_layout *)Cdesc, CUBLAS_OP_N);
    if (s)
        return s;
    LT_SUPPORT(lt_converts(g.kind, g.c.type));
    g.rows = g.c.rows;
    g.columns = g.c.columns;
    g.c.at = C;
    g.alpha = lt_scalar_of(scale, d->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE, alpha);
    g.beta = lt_scalar_of(scale, d->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE, beta);
    s = source(&g, &g.a, &g.alpha, d->op[0], A, Adesc, count);
    s = s ? s : source(&g, &g.b, &g.beta, d->op[1], B, Bdesc, count);
    return s || !g.rows || !g.columns ? s : launch(&g, count, stream);
}
