// SPDX-License-Identifier: Apache-2.0
// cublasLtMatmul: D is cut into tiles, a part each; of small matrices a part has several. A part lets the product engine of cuBLAS sum up a
// tile, in the memory of its thread, and finishes it (finish.c). k is never cut between parts, so that sums do not depend on them.
//
// Matrices that the engine does not read, fp8 and orders of tiles, are copied in panels of PRODUCT_DEPTH: fp8 becomes half precision, which
// has all of its values.
#include "cublaslt/matmul.h"
#include <string.h>

static const double zero[2]; // 0 in every kind

static const void *one_of(enum lt_kind kind)
{
    static const float s[2] = {1, 0};
    static const double d[2] = {1, 0};
    static const int32_t i = 1;
    return kind == KIND_I ? (const void *)&i : kind == KIND_S || kind == KIND_C ? (const void *)s : d;
}

// What is the same for all tiles of a part.
struct part {
    const struct matmul *g;
    bool nothing;             // alpha is 0: A and B are not read. A vector is never taken for that.
    bool direct;              // the engine's own alpha and beta do, and it stores D
    double alpha[2], beta[2]; // numbers of any kind
};

static bool is_zero(enum lt_kind kind, const void *number)
{
    return kind == KIND_S   ? *(const float *)number == 0
           : kind == KIND_D ? *(const double *)number == 0
           : kind == KIND_C ? *(const float _Complex *)number == 0
           : kind == KIND_Z ? *(const double _Complex *)number == 0
                            : *(const uint32_t *)number == 0;
}

// Whether D is made of sums as the engine stores them.
static bool is_bare(const struct matmul *g)
{
    static const enum lt_type stored[KINDS] = {LT_S, LT_D, LT_C, LT_Z, LT_I};
    return g->epilogue.what == CUBLASLT_EPILOGUE_DEFAULT && !g->panels && !g->alpha.vector && !g->beta.vector &&
           g->types.sums == g->types.kind && g->d.type == stored[g->types.kind] && matrix_is_plain(&g->d) &&
           !g->d.transposed;
}

static bool is_in_place(const struct matmul *g)
{
    return g->c.at == g->d.at && g->c.ld == g->d.ld && g->c.stride == g->d.stride && matrix_is_plain(&g->c) &&
           !g->c.transposed && g->c.pointers == g->d.pointers;
}

static struct part part_of(const struct matmul *g)
{
    struct part p = {.g = g};
    if (g->alpha.vector)
        return p;
    lt_scalars(&g->alpha, g->types.kind, 0, 0, 1, p.alpha);
    p.nothing = is_zero(g->types.kind, p.alpha);
    if (is_bare(g)) {
        lt_scalars(&g->beta, g->types.kind, 0, 0, 1, p.beta);
        p.direct = is_zero(g->types.kind, p.beta) || is_in_place(g);
    }
    return p;
}

// ---- the sums of a tile
// A block of what is stored, in columns one after the other.
static void panel_copy(const struct lt_matrix *x, const char *base, int64_t r, int64_t c, int64_t rows, int64_t columns,
                       char *to, char *raw)
{
    size_t size = lt_is_fp8(x->type) ? sizeof(uint16_t) : lt_size(x->type);
    for (int64_t j = 0; j < columns; j++) {
        char *column = to + (size_t)(j * rows) * size;
        matrix_copy(x, base, r, c + j, rows, lt_is_fp8(x->type) ? raw : column);
        if (lt_is_fp8(x->type))
            lt_fp8_to_half(x->type, (uint16_t *)(void *)column, raw, rows);
    }
}

// Rows i ... and columns d ... of op(X); the panel is stored as X is.
static void panel_of(const struct lt_matrix *x, const char *base, int64_t i, int64_t d, int64_t rows, int64_t columns,
                     char *to, char *raw)
{
    if (x->transposed)
        panel_copy(x, base, d, i, columns, rows, to, raw);
    else
        panel_copy(x, base, i, d, rows, columns, to, raw);
}

// The order of sums is that of one product, which is cut at multiples of PRODUCT_DEPTH too.
static void by_panels(const struct matmul *g, struct product *p, int64_t index, int64_t i, int64_t j)
{
    const char *a = matrix_base(&g->a, index), *b = matrix_base(&g->b, index);
    int64_t depth = product_min(g->k, PRODUCT_DEPTH);
    size_t size = lt_is_fp8(g->a.type) ? sizeof(uint16_t) : lt_size(g->a.type), raw = (size_t)(p->m + p->n + depth);
    char *memory = product_memory(MEMORY_OTHER, raw + (size_t)((p->m + p->n) * depth) * size);
    char *pb = memory + (size_t)(p->m * depth) * size, *line = pb + (size_t)(p->n * depth) * size;
    for (int64_t d = 0; d < g->k; d += PRODUCT_DEPTH) {
        p->k = product_min(PRODUCT_DEPTH, g->k - d);
        panel_of(&g->a, a, i, d, p->m, p->k, memory, line);
        panel_of(&g->b, b, d, j, p->k, p->n, pb, line);
        p->a = memory;
        p->b = pb;
        p->lda = g->a.transposed ? p->k : p->m;
        p->ldb = g->b.transposed ? p->n : p->k;
        product_run(g->types.product, p);
        p->beta = p->alpha;
    }
}

// The sums, or D where the engine stores it.
static void sum_up(const struct part *t, const struct finish *f, void *sums)
{
    const struct matmul *g = t->g;
    struct product p = {.m = f->rows, .n = f->columns, .k = g->k, .c = sums, .ldc = f->rows, .beta = zero};
    p.alpha = t->nothing ? zero : one_of(g->types.sums);
    p.a_transposed = g->a.transposed;
    p.a_conjugated = g->a.conjugated;
    p.b_transposed = g->b.transposed;
    p.b_conjugated = g->b.conjugated;
    p.strict = g->strict;
    if (g->panels && !t->nothing && g->k) {
        by_panels(g, &p, f->index, f->i, f->j);
        return;
    }
    int64_t size = (int64_t)lt_size(g->a.type);
    if (!t->nothing && g->k) {
        p.a = matrix_base(&g->a, f->index) + (g->a.transposed ? f->i * g->a.ld : f->i) * size;
        p.b = matrix_base(&g->b, f->index) + (g->b.transposed ? f->j : f->j * g->b.ld) * size;
    }
    p.lda = g->a.ld;
    p.ldb = g->b.ld;
    if (t->direct) {
        p.alpha = t->alpha;
        p.beta = t->beta;
        p.c = matrix_base(&g->d, f->index) + (f->i + f->j * g->d.ld) * (int64_t)lt_size(g->d.type);
        p.ldc = g->d.ld;
    }
    product_run(g->types.product, &p);
}

static void tile_run(const struct part *t, int64_t index, int64_t i, int64_t j, double *row_sums)
{
    const struct matmul *g = t->g;
    struct finish f = {.index = index, .i = i, .j = j, .row_sums = row_sums};
    f.rows = product_min(g->tiles.m, g->m - i);
    f.columns = product_min(g->tiles.n, g->n - j);
    if (t->direct) {
        sum_up(t, &f, NULL);
        return;
    }
    void *sums = product_memory(MEMORY_TILE, (size_t)(f.rows * f.columns) * lt_kind_size(g->types.sums));
    sum_up(t, &f, sums);
    f.sums = sums;
    matmul_finish(g, &f);
}

// ---- vectors of sums
static void vector_store(const struct matmul *g, int64_t index, int64_t i, int64_t n, const double *sums)
{
    float s[PRODUCT_TILE_M];
    int64_t at = index * g->epilogue.bias_stride + i;
    char *to = (char *)g->epilogue.bias + at * (int64_t)lt_size(g->epilogue.bias_type);
    for (int64_t q = 0; q < n; q++)
        s[q] = (float)sums[q];
    lt_store(g->types.kind, g->epilogue.bias_type, to, g->types.kind == KIND_D ? (const void *)sums : s, n);
}

// A strip of D: all tiles of its rows, whose sums are the gradient of a bias.
static void strip_run(const struct part *t, int64_t index, int64_t i)
{
    const struct matmul *g = t->g;
    double sums[PRODUCT_TILE_M] = {0};
    for (int64_t j = 0; j < g->n; j += g->tiles.n)
        tile_run(t, index, i, j, sums);
    vector_store(g, index, i, product_min(g->tiles.m, g->m - i), sums);
}

static void matmul_run(const void *block, uint64_t part)
{
    const struct matmul *g = block;
    struct part t = part_of(g);
    int64_t tiles = g->strips ? g->tiles.column : g->tiles.column * g->tiles.row, q = (int64_t)part;
    if (g->strips) {
        strip_run(&t, q / tiles, q % tiles * g->tiles.m);
    } else if (tiles > 1) {
        int64_t tile = q % tiles;
        tile_run(&t, q / tiles, tile % g->tiles.column * g->tiles.m, tile / g->tiles.column * g->tiles.n, NULL);
    } else {
        for (int64_t i = q * g->each; i < product_min((q + 1) * g->each, g->count); i++)
            tile_run(&t, i, 0, 0, NULL);
    }
}

// The sums of rows of op(A), or of columns of op(B): a part has SUMS of them, of one matrix.
enum { SUMS = 64 };

static void gradient_run(const void *block, uint64_t part)
{
    const struct matmul *g = block;
    struct lt_matrix x = g->a;
    if (g->epilogue.what == CUBLASLT_EPILOGUE_BGRADB) {
        x = g->b;
        x.transposed = !x.transposed;
        x.rows = g->n;
    }
    int64_t parts = product_pieces(x.rows, SUMS), index = (int64_t)part / parts, i = (int64_t)part % parts * SUMS;
    int64_t n = product_min(SUMS, x.rows - i);
    const char *base = matrix_base(&x, index);
    double sums[SUMS] = {0}, column[SUMS], raw[SUMS];
    for (int64_t d = 0; d < g->k; d++) {
        matrix_load(&x, base, i, d, n, g->types.kind, column, raw);
        for (int64_t q = 0; q < n; q++)
            sums[q] += g->types.kind == KIND_D ? column[q] : (double)((const float *)(const void *)column)[q];
    }
    vector_store(g, index, i, n, sums);
}

// ---- launches. One kernel for each kind of product: their names are told in messages.
#define KERNEL(name) LIBRARY_KERNEL("cublasLt_" name "matmul", matmul_run, struct matmul)
static struct library_kernel kernels[PRODUCT_TYPES] = {
    [PRODUCT_S] = KERNEL("S"), [PRODUCT_D] = KERNEL("D"), [PRODUCT_C] = KERNEL("C"),  [PRODUCT_Z] = KERNEL("Z"),
    [PRODUCT_H] = KERNEL("H"), [PRODUCT_B] = KERNEL("B"), [PRODUCT_I] = KERNEL("I8"), [PRODUCT_IF] = KERNEL("I8_S_"),
};
static struct library_kernel gradient = LIBRARY_KERNEL("cublasLt_bgrad", gradient_run, struct matmul);

static double tile_work(const struct matmul *g)
{
    return 2.0 * (double)g->tiles.m * (double)g->tiles.n * (double)(g->k + 1);
}

int64_t matmul_cut(struct matmul *g)
{
    const double PART = 2e5; // operations that a part of small matrices should have
    g->tiles = product_tiles_choose(g->types.product, g->strips ? CUT_ROWS : CUT_BOUNDED, g->m, g->n, g->k, g->count);
    int64_t tiles = g->strips ? g->tiles.column : g->tiles.column * g->tiles.row;
    if (g->strips || tiles > 1)
        return tiles * g->count;
    g->each = tile_work(g) >= PART ? 1 : (int64_t)(PART / tile_work(g));
    return product_pieces(g->count, g->each);
}

static cublasStatus_t launch(struct matmul *g, cudaStream_t stream)
{
    int64_t parts = matmul_cut(g), lines = g->epilogue.what == CUBLASLT_EPILOGUE_BGRADA ? g->m : g->n;
    double work = tile_work(g) * (double)(g->strips ? g->tiles.row : product_min(g->each, g->count));
    cudaError_t e = cudaSuccess;
    if (g->amax)
        e = cudaMemsetAsync(g->amax, 0, sizeof *g->amax, stream);
    if (!e && g->epilogue.aux_amax)
        e = cudaMemsetAsync(g->epilogue.aux_amax, 0, sizeof(float), stream);
    if (!e && g->epilogue.what & (CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB))
        e = library_launch(&gradient, stream, (uint64_t)(product_pieces(lines, SUMS) * g->count), SUMS * (double)g->k,
                           g);
    return blas_status(e ? e : library_launch(&kernels[g->types.product], stream, (uint64_t)parts, work, g));
}

// ---- the call
static cublasStatus_t scalars(struct matmul *g, const struct lt_desc *d, const void *alpha, const void *beta)
{
    static const char nothing[16];
    int32_t mode = d->pointer_mode;
    bool vector = mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR,
         zero_beta = mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
    LT_CHECK(alpha && (beta || zero_beta));
    LT_CHECK(!zero_beta || !d->alpha_stride);
    g->alpha = lt_scalar_of(g->types.scale, mode != CUBLASLT_POINTER_MODE_HOST, alpha);
    g->alpha.vector = vector;
    g->alpha.stride = d->alpha_stride;
    bool device = mode == CUBLASLT_POINTER_MODE_DEVICE || mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
    g->beta = lt_scalar_of(g->types.scale, device, zero_beta ? nothing : beta);
    g->beta.vector = mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
    return CUBLAS_STATUS_SUCCESS;
}

// C is read unless the host knows that beta is 0; then it has an address, and where that is D's, D's layout.
static cublasStatus_t operand_c(const struct matmul *g, const void *C, const void *D)
{
    static const char nothing[16];
    if (!g->beta.at && !memcmp(g->beta.value, nothing, lt_size(g->beta.type)))
        return CUBLAS_STATUS_SUCCESS;
    LT_CHECK(C);
    LT_CHECK(C != D || (g->c.type == g->d.type && g->c.order == g->d.order && g->c.transposed == g->d.transposed &&
                        g->c.ld == g->d.ld && g->c.stride == g->d.stride && g->c.pointers == g->d.pointers));
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t extras(const struct matmul *g)
{
    LT_CHECK(g->epilogue.bias || !(g->epilogue.what & EPILOGUE_VECTOR));
    LT_CHECK(g->epilogue.mask || g->epilogue.aux.at || !(g->epilogue.what & EPILOGUE_AUX));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_Matmul(cublasLtHandle_t h, cublasLtMatmulDesc_t desc, const void *alpha, const void *A,
                         cublasLtMatrixLayout_t Adesc, const void *B, cublasLtMatrixLayout_t Bdesc, const void *beta,
                         const void *C, cublasLtMatrixLayout_t Cdesc, void *D, cublasLtMatrixLayout_t Ddesc,
                         const cublasLtMatmulAlgo_t *algo, void *workspace, size_t bytes, cudaStream_t stream)
{
    const uintptr_t ALIGN = 256;
    struct matmul g;
    LT_ENTER(h);
    cublasStatus_t s = matmul_of(&g, desc, Adesc, Bdesc, Cdesc, Ddesc);
    s = s || !algo ? s : algo_check(algo, desc, Adesc, Bdesc, Cdesc, Ddesc);
    s = s ? s : scalars(&g, (const struct lt_desc *)desc, alpha, beta);
    if (s)
        return s;
    LT_CHECK(!bytes || (workspace && (uintptr_t)workspace % ALIGN == 0));
    if (!g.m || !g.n)
        return CUBLAS_STATUS_SUCCESS;
    LT_CHECK(((A && B) || !g.k) && D);
    s = operand_c(&g, C, D);
    s = s ? s : extras(&g);
    if (s)
        return s;
    g.a.at = (void *)(uintptr_t)A;
    g.b.at = (void *)(uintptr_t)B;
    g.c.at = (void *)(uintptr_t)C;
    g.d.at = D;
    return launch(&g, stream);
}
