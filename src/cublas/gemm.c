// SPDX-License-Identifier: Apache-2.0
// gemm in all its forms: one matrix, arrays of them, groups of arrays, and with types as arguments. All become one kind of grid: C is
// cut into tiles, a part each; of small matrices a part has several. k is never cut, so that sums do not depend on the tiles.
#include "cublas/gemm.h"
#include "cublas/blas.h"
#include "cublas/compute/product.h"
#include "library/half.h"

struct gemm {
    struct native_head head;
    const struct gemm_types *types;
    int64_t m, n, k;
    const void *a, *b;
    void *c;
    int64_t lda, ldb, ldc;
    bool a_transposed, a_conjugated, b_transposed, b_conjugated;
    bool strict; // the program asked for pedantic sums
    struct scalar alpha, beta;
    int64_t tile_m, tile_n, tiles_m, tiles; // tiles_m: in a column of tiles; tiles: of a matrix
    // arrays: pointers to matrices, or the same step from one to the next
    bool pointers;
    int64_t stride_a, stride_b, stride_c, count, each; // each: matrices in a part
};

// What the types of A and B, of C and of the sums may be together: source, C, sums.
static const struct gemm_types types[] = {
    {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, PRODUCT_S, BLAS_S, BLAS_S},
    {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, PRODUCT_D, BLAS_D, BLAS_D},
    {CUDA_C_32F, CUDA_C_32F, CUDA_R_32F, PRODUCT_C, BLAS_C, BLAS_C},
    {CUDA_C_64F, CUDA_C_64F, CUDA_R_64F, PRODUCT_Z, BLAS_Z, BLAS_Z},
    {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, PRODUCT_H, BLAS_S, BLAS_H},
    {CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, PRODUCT_H, BLAS_S, BLAS_S},
    {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, PRODUCT_H, BLAS_S, BLAS_H},
    {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, PRODUCT_B, BLAS_S, BLAS_B},
    {CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, PRODUCT_B, BLAS_S, BLAS_S},
    {CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, PRODUCT_IF, BLAS_S, BLAS_S},
    {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, PRODUCT_I, BLAS_I, BLAS_I},
};

static unsigned source_size(enum product_type t)
{
    static const unsigned char sizes[PRODUCT_TYPES] = {4, 8, 8, 16, 2, 2, 1, 1};
    return sizes[t];
}

const struct gemm_types *gemm_types_find(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute)
{
    cudaDataType sums = CUDA_R_32F;
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        sums = CUDA_R_16F;
        break;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        sums = CUDA_R_64F;
        break;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        sums = CUDA_R_32I;
        break;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
        break;
    default:
        return NULL;
    }
    for (size_t i = 0; a == b && i < sizeof types / sizeof *types; i++)
        if (types[i].source == a && types[i].result == c && types[i].compute == sums)
            return &types[i];
    return NULL;
}

// ---- a part
union number {
    float s;
    double d;
    float _Complex c;
    double _Complex z;
    int32_t i;
};

static union number number_of(const struct scalar *s, enum blas_type sums)
{
    const void *p = s->at ? s->at : s->value.bytes;
    union number n = {.z = 0};
    if (s->type == BLAS_H)
        n.s = half_to_float(*(const uint16_t *)p);
    else
        memcpy(&n, p, blas_size(sums));
    return n;
}

// A tile of sums becomes C of half precision.
static void store_half(const struct gemm *g, const float *sum, int64_t rows, int64_t columns, uint16_t *c, float alpha,
                       float beta)
{
    bool brain = g->types->store == BLAS_B;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) {
            uint16_t *d = c + i + j * g->ldc;
            float t = alpha * sum[i + j * rows];
            if (beta != 0)
                t += beta * (brain ? bfloat_to_float(*d) : half_to_float(*d));
            *d = brain ? bfloat_of_float(t) : half_of_float(t);
        }
}

static const char *matrix_at(const struct gemm *g, const void *x, int64_t stride, size_t size, int64_t index)
{
    return g->pointers ? ((const char *const *)x)[index] : (const char *)x + index * stride * (int64_t)size;
}

// What is the same for all tiles of a part.
struct tiles {
    const struct gemm *g;
    int64_t in, out; // bytes of an element of A and B, and of C
    union number alpha, beta;
    struct product p;
};

static void tiles_begin(struct tiles *t, const struct gemm *g)
{
    static const float one = 1, zero = 0;
    bool direct = g->types->store == g->types->sums;
    t->g = g;
    t->in = source_size(g->types->product);
    t->out = (int64_t)blas_size(g->types->store);
    t->alpha = number_of(&g->alpha, g->types->sums);
    t->beta = number_of(&g->beta, g->types->sums);
    t->p = (struct product){.k = g->k, .lda = g->lda, .ldb = g->ldb, .ldc = g->ldc};
    t->p.a_transposed = g->a_transposed;
    t->p.a_conjugated = g->a_conjugated;
    t->p.b_transposed = g->b_transposed;
    t->p.b_conjugated = g->b_conjugated;
    t->p.strict = g->strict;
    // C of half precision is made of a tile of sums.
    t->p.alpha = direct ? (const void *)&t->alpha : t->alpha.s == 0 ? &zero : &one;
    t->p.beta = direct ? (const void *)&t->beta : &zero;
}

static void tile_run(struct tiles *t, int64_t matrix, int64_t i, int64_t j)
{
    const struct gemm *g = t->g;
    struct product *p = &t->p;
    char *c = (char *)(uintptr_t)matrix_at(g, g->c, g->stride_c, (size_t)t->out, matrix) + (i + j * g->ldc) * t->out;
    p->m = blas_min(g->tile_m, g->m - i);
    p->n = blas_min(g->tile_n, g->n - j);
    p->a = matrix_at(g, g->a, g->stride_a, (size_t)t->in, matrix) + (g->a_transposed ? i * g->lda : i) * t->in;
    p->b = matrix_at(g, g->b, g->stride_b, (size_t)t->in, matrix) + (g->b_transposed ? j : j * g->ldb) * t->in;
    p->c = c;
    if (g->types->store == g->types->sums) {
        product_run(g->types->product, p);
        return;
    }
    p->c = product_memory(MEMORY_TILE, (size_t)(p->m * p->n) * sizeof(float));
    p->ldc = p->m;
    product_run(g->types->product, p);
    store_half(g, p->c, p->m, p->n, (uint16_t *)c, t->alpha.s, t->beta.s);
}

static void prefetch(const char *at, int64_t bytes, int64_t columns, int64_t step)
{
    enum { LINE = 64 };
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < bytes; i += LINE)
            __builtin_prefetch(at + j * step + i);
}

// The next one of many small matrices comes from far while this one is multiplied.
static void tile_prefetch(const struct tiles *t, int64_t matrix)
{
    const struct gemm *g = t->g;
    const int64_t am = g->a_transposed ? g->k : g->m, bm = g->b_transposed ? g->n : g->k;
    prefetch(matrix_at(g, g->a, g->stride_a, (size_t)t->in, matrix), am * t->in, g->m + g->k - am, g->lda * t->in);
    prefetch(matrix_at(g, g->b, g->stride_b, (size_t)t->in, matrix), bm * t->in, g->k + g->n - bm, g->ldb * t->in);
    prefetch(matrix_at(g, g->c, g->stride_c, (size_t)t->out, matrix), g->m * t->out, g->n, g->ldc * t->out);
}

static void gemm_run(const void *block, uint64_t part)
{
    enum { NEAR = 8 << 10 }; // bytes of matrices, twice of which fit into the first cache
    const struct gemm *g = block;
    struct tiles t;
    tiles_begin(&t, g);
    if (g->tiles > 1) {
        int64_t tile = (int64_t)part % g->tiles;
        tile_run(&t, (int64_t)part / g->tiles, tile % g->tiles_m * g->tile_m, tile / g->tiles_m * g->tile_n);
        return;
    }
    int64_t from = (int64_t)part * g->each, to = blas_min(from + g->each, g->count);
    const bool small = (g->m * g->k + g->k * g->n) * t.in + g->m * g->n * t.out <= NEAR;
    for (int64_t i = from; i < to; i++) {
        if (small && i + 1 < to)
            tile_prefetch(&t, i + 1);
        tile_run(&t, i, 0, 0);
    }
}

// One kernel for each row of `types`: their names are told in messages.
#define KERNEL(name) LIBRARY_KERNEL("cublas_" name "gemm", gemm_run, struct gemm)
static struct library_kernel kernels[] = {KERNEL("S"),    KERNEL("D"),     KERNEL("C"),    KERNEL("Z"),
                                          KERNEL("H"),    KERNEL("H_S_"),  KERNEL("H_H_"), KERNEL("B"),
                                          KERNEL("B_S_"), KERNEL("I8_S_"), KERNEL("I8_")};
_Static_assert(sizeof kernels / sizeof *kernels == sizeof types / sizeof *types, "a kernel for each row");

// ---- launches
static void tiles_choose(struct gemm *g)
{
    const bool direct = g->types->store == g->types->sums; // else a tile is memory of its thread
    struct product_tiles t =
        product_tiles_choose(g->types->product, direct ? CUT_ANYWHERE : CUT_BOUNDED, g->m, g->n, g->k, g->count);
    g->tile_m = t.m;
    g->tile_n = t.n;
    g->tiles_m = t.column;
    g->tiles = t.column * t.row;
}

static cublasStatus_t launch(cublasHandle_t h, struct gemm *g)
{
    const double PART = 2e5; // operations that a part of small matrices should have
    tiles_choose(g);
    double work = 2.0 * (double)g->tile_m * (double)g->tile_n * (double)blas_max(g->k, 1);
    g->each = work >= PART || g->tiles > 1 ? 1 : (int64_t)(PART / work);
    int64_t parts = g->tiles > 1 ? g->tiles * g->count : product_pieces(g->count, g->each);
    return blas_launch(h, &kernels[g->types - types], (uint64_t)parts, work * (double)blas_min(g->each, g->count), g);
}

static bool is_strict(cublasHandle_t h, cublasComputeType_t compute)
{
    return compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
           (h->settings[HELPER_MATH_MODE] & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) == CUBLAS_PEDANTIC_MATH;
}

static bool is_trans(cublasOperation_t op)
{
    return (unsigned)op <= CUBLAS_OP_C;
}

// st: the type of alpha and beta.
static cublasStatus_t multiply(cublasHandle_t h, struct gemm *g, cublasOperation_t transa, cublasOperation_t transb,
                               enum blas_type st, const void *alpha, const void *beta)
{
    BLAS_ENTER(h);
    BLAS_CHECK(is_trans(transa) && is_trans(transb) && g->m >= 0 && g->n >= 0 && g->k >= 0 && g->count >= 0);
    BLAS_CHECK(blas_is_ld(g->lda, transa == CUBLAS_OP_N ? g->m : g->k) &&
               blas_is_ld(g->ldb, transb == CUBLAS_OP_N ? g->k : g->n) && blas_is_ld(g->ldc, g->m));
    if (!g->m || !g->n || !g->count)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_CHECK(alpha && beta);
    g->a_transposed = transa != CUBLAS_OP_N;
    g->a_conjugated = transa == CUBLAS_OP_C;
    g->b_transposed = transb != CUBLAS_OP_N;
    g->b_conjugated = transb == CUBLAS_OP_C;
    g->alpha = scalar_of(h, st, alpha);
    g->beta = scalar_of(h, st, beta);
    return launch(h, g);
}

static enum blas_type scalars_of(const struct gemm_types *t)
{
    return t->compute == CUDA_R_16F ? BLAS_H : t->sums;
}

static const struct gemm_types *types_of(enum blas_type t)
{
    return gemm_types_find(blas_data_type(t), blas_data_type(t), blas_data_type(t), blas_compute_type(t));
}

#define SHAPE(t) {.types = (t), .m = m, .n = n, .k = k, .a = A, .lda = lda, .b = B, .ldb = ldb, .ldc = ldc}

cublasStatus_t blas_gemm(enum blas_type t, cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                         int64_t m, int64_t n, int64_t k, const void *alpha, const void *A, int64_t lda, const void *B,
                         int64_t ldb, const void *beta, void *C, int64_t ldc)
{
    struct gemm g = SHAPE(types_of(t));
    g.c = C;
    g.count = 1;
    return multiply(h, &g, transa, transb, scalars_of(g.types), alpha, beta);
}

cublasStatus_t blas_gemmBatched(enum blas_type t, cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                                int64_t m, int64_t n, int64_t k, const void *alpha, const void *A, int64_t lda,
                                const void *B, int64_t ldb, const void *beta, const void *C, int64_t ldc, int64_t count)
{
    struct gemm g = SHAPE(types_of(t));
    g.c = (void *)(uintptr_t)C;
    g.count = count;
    g.pointers = true;
    return multiply(h, &g, transa, transb, scalars_of(g.types), alpha, beta);
}

cublasStatus_t blas_gemmStridedBatched(enum blas_type t, cublasHandle_t h, cublasOperation_t transa,
                                       cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void *alpha,
                                       const void *A, int64_t lda, int64_t stride_a, const void *B, int64_t ldb,
                                       int64_t stride_b, const void *beta, void *C, int64_t ldc, int64_t stride_c,
                                       int64_t count)
{
    struct gemm g = SHAPE(types_of(t));
    g.c = C;
    g.count = count;
    g.stride_a = stride_a;
    g.stride_b = stride_b;
    g.stride_c = stride_c;
    return multiply(h, &g, transa, transb, scalars_of(g.types), alpha, beta);
}

// ---- with types as arguments
cublasStatus_t ex_gemm(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                       int64_t k, const void *alpha, const void *A, cudaDataType at, int64_t lda, const void *B,
                       cudaDataType bt, int64_t ldb, const void *beta, void *C, cudaDataType ct, int64_t ldc,
                       cublasComputeType_t compute)
{
    return ex_gemm_strided(h, transa, transb, m, n, k, alpha, A, at, lda, 0, B, bt, ldb, 0, beta, C, ct, ldc, 0, 1,
                           compute);
}

cublasStatus_t ex_gemm_batched(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                               int64_t n, int64_t k, const void *alpha, const void *A, cudaDataType at, int64_t lda,
                               const void *B, cudaDataType bt, int64_t ldb, const void *beta, const void *C,
                               cudaDataType ct, int64_t ldc, int64_t count, cublasComputeType_t compute)
{
    BLAS_ENTER(h);
    struct gemm g = SHAPE(gemm_types_find(at, bt, ct, compute));
    if (!g.types)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    g.strict = is_strict(h, compute);
    g.c = (void *)(uintptr_t)C;
    g.count = count;
    g.pointers = true;
    return multiply(h, &g, transa, transb, scalars_of(g.types), alpha, beta);
}

cublasStatus_t ex_gemm_strided(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                               int64_t n, int64_t k, const void *alpha, const void *A, cudaDataType at, int64_t lda,
                               int64_t stride_a, const void *B, cudaDataType bt, int64_t ldb, int64_t stride_b,
                               const void *beta, void *C, cudaDataType ct, int64_t ldc, int64_t stride_c, int64_t count,
                               cublasComputeType_t compute)
{
    BLAS_ENTER(h);
    struct gemm g = SHAPE(gemm_types_find(at, bt, ct, compute));
    if (!g.types)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    g.strict = is_strict(h, compute);
    g.c = C;
    g.count = count;
    g.stride_a = stride_a;
    g.stride_b = stride_b;
    g.stride_c = stride_c;
    return multiply(h, &g, transa, transb, scalars_of(g.types), alpha, beta);
}

// ---- groups: the arrays that describe them are the host's, those of matrices the device's
static int64_t integer_at(const void *list, size_t size, int64_t i)
{
    return size == sizeof(int64_t) ? ((const int64_t *)list)[i] : ((const int32_t *)list)[i];
}

cublasStatus_t ex_gemm_grouped(cublasHandle_t h, const cublasOperation_t *transa, const cublasOperation_t *transb,
                               const void *m, const void *n, const void *k, const void *alpha, const void *A,
                               cudaDataType at, const void *lda, const void *B, cudaDataType bt, const void *ldb,
                               const void *beta, const void *C, cudaDataType ct, const void *ldc, int64_t groups,
                               const void *sizes, cublasComputeType_t compute, size_t size)
{
    BLAS_ENTER(h);
    BLAS_CHECK(groups >= 0);
    if (!groups)
        return CUBLAS_STATUS_SUCCESS;
    const struct gemm_types *t = gemm_types_find(at, bt, ct, compute);
    if (!t)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    BLAS_CHECK(transa && transb && m && n && k && alpha && lda && ldb && beta && ldc && sizes);
    size_t scalar = blas_size(scalars_of(t));
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    int64_t first = 0;
    for (int64_t i = 0; i < groups && !status; i++) {
        int64_t count = integer_at(sizes, size, i);
        status = ex_gemm_batched(
            h, transa[i], transb[i], integer_at(m, size, i), integer_at(n, size, i), integer_at(k, size, i),
            (const char *)alpha + (size_t)i * scalar, (const void *const *)A + first, at, integer_at(lda, size, i),
            (const void *const *)B + first, bt, integer_at(ldb, size, i), (const char *)beta + (size_t)i * scalar,
            (const void *const *)C + first, ct, integer_at(ldc, size, i), count, compute);
        first += count;
    }
    return status;
}
