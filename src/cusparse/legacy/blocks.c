// SPDX-License-Identifier: Apache-2.0
// Matrices of blocks: triangular systems with one right side (bsrsv2) or several (bsrsm2), products with vectors and dense matrices; and the
// product of a dense matrix with a sparse vector. The triangle is that of elements: of a diagonal block, one triangle of the block.
#include "cusparse/legacy/legacy.h"
#include "cusparse/work.h"

enum { COLUMNS = 4, LINES = 32 };
struct triangle {
    struct native_head head;
    struct blocks a;
    const void *x;
    void *y;
    int64_t columns, x_down, x_across, y_down, y_across;
    struct scalar alpha;
    struct legacy_info *info;
    bool lower, unit, by_columns, conjugate; // lower: op(A) is; by_columns: rows of A are columns of op(A)
};
struct product {
    struct native_head head;
    struct blocks a;
    int lines;
    const int *mask, *ends; // NULL: all rows; rows end where the next one begins
    const void *x;
    void *y;
    int64_t columns, x_down, x_across, y_across;
    struct scalar alpha, beta;
};
struct dense_product {
    struct native_head head;
    const void *a, *values;
    const int *indices;
    void *y;
    int nnz, base;
    int64_t size, down, across;
    struct scalar alpha, beta;
    bool conjugate;
};

#define KIND_FOUR
#define TEMPLATE "cusparse/kernel/blocks.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE
enum { TRIANGLE, PRODUCT, DENSE, OPERATIONS };
#define KERNELS(a, x, y, t)                                                                                            \
    {LIBRARY_KERNEL("cusparse_bsrsm_" #a, triangle_run_##a##x##y##t, struct triangle),                                 \
     LIBRARY_KERNEL("cusparse_bsrmm_" #a, product_run_##a##x##y##t, struct product),                                   \
     LIBRARY_KERNEL("cusparse_gemvi_" #a, dense_run_##a##x##y##t, struct dense_product)},
static struct library_kernel kernels[][OPERATIONS] = {KINDS_FOUR(KERNELS)};

// ---- triangular systems. As documented, bsrsm2 does not transpose A, and right sides are not conjugated.
struct system {
    cusparseDirection_t dir;
    cusparseOperation_t op, op_x;
    int mb, n, nnzb, dim;
    cusparseMatDescr_t d;
    const void *values;
    const int *offsets, *columns;
    struct legacy_info *info;
    cusparseSolvePolicy_t policy;
};

static cusparseStatus_t begin(cusparseHandle_t h, const struct system *s, struct triangle *x)
{
    LEGACY_ENTER(h);
    *x = (struct triangle){.info = s->info, .columns = s->n};
    SPARSE_CHECK(s->info && sparse_is_op(s->op) && sparse_is_op(s->op_x) && s->n >= 0 && legacy_is_policy(s->policy));
    SPARSE_TRY(legacy_square(s->dir, s->mb, s->nnzb, s->d, s->values, s->offsets, s->columns, s->dim, &x->a));
    bool plain = s->op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE_NEED(s->info->kind == INFO_BSRSV2 || (plain && s->op_x != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE));
    x->lower = (s->d->fill == CUSPARSE_FILL_MODE_LOWER) == plain;
    x->unit = s->d->diag == CUSPARSE_DIAG_TYPE_UNIT;
    x->by_columns = !plain;
    x->conjugate = s->op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t system_size(cusparseHandle_t h, const struct system *s, int *bytes, size_t *bytes_ext)
{
    struct triangle x;
    SPARSE_TRY(begin(h, s, &x));
    return legacy_bytes(SPARSE_BUFFER_BYTES, bytes, bytes_ext);
}

// A diagonal block that the pattern lacks is a zero pivot, unless diagonals are 1.
static void analyse_run(const void *block, uint64_t part)
{
    const struct triangle *x = block;
    (void)part;
    x->info->position = -1;
    for (int i = 0; i < x->a.rows && !x->unit && x->info->position < 0; i++)
        if (blocks_find(&x->a, i, i) < 0)
            x->info->position = i;
}
static struct library_kernel analyse_kernel = LIBRARY_KERNEL("cusparse_bsrsm_analysis", analyse_run, struct triangle);

static cusparseStatus_t system_analyse(cusparseHandle_t h, const struct system *s, const void *buffer)
{
    struct triangle x;
    SPARSE_TRY(begin(h, s, &x));
    SPARSE_CHECK(legacy_is_buffer(buffer));
    s->info->base = x.a.base;
    s->info->analysed = true;
    s->info->policy = s->policy;
    return sparse_launch(h, &analyse_kernel, 1, (double)s->nnzb, &x);
}

static cusparseStatus_t system_solve(cusparseHandle_t h, enum sparse_type type, const struct system *s,
                                     const void *alpha, const void *b, int ldb, void *y, int ldy, const void *buffer)
{
    struct triangle x;
    SPARSE_TRY(begin(h, s, &x));
    bool plain = s->op_x == CUSPARSE_OPERATION_NON_TRANSPOSE;
    int64_t m = (int64_t)s->mb * s->dim, ld = plain ? m : s->n;
    SPARSE_CHECK(legacy_is_analysed(s->info, s->policy));
    SPARSE_CHECK(alpha && legacy_is_buffer(buffer) && (!m || !s->n || (b && y)));
    SPARSE_CHECK(ldb >= sparse_max(ld, 1) && ldy >= sparse_max(ld, 1));
    s->info->base = x.a.base;
    x.alpha = sparse_scalar(h, type, alpha);
    x.x = b;
    x.y = y;
    x.x_down = plain ? 1 : ldb;
    x.x_across = plain ? ldb : 1;
    x.y_down = plain ? 1 : ldy;
    x.y_across = plain ? ldy : 1;
    return sparse_launch(h, &kernels[work_one(type)][TRIANGLE], (uint64_t)sparse_parts(s->n, COLUMNS),
                         (double)s->nnzb * s->dim * s->dim * COLUMNS, &x);
}

#define SYSTEM(Op_x, N, KIND)                                                                                          \
    {.dir = dir,                                                                                                       \
     .op = op,                                                                                                         \
     .op_x = (Op_x),                                                                                                   \
     .mb = mb,                                                                                                         \
     .n = (N),                                                                                                         \
     .nnzb = nnzb,                                                                                                     \
     .dim = dim,                                                                                                       \
     .d = d,                                                                                                           \
     .values = values,                                                                                                 \
     .offsets = offsets,                                                                                               \
     .columns = columns,                                                                                               \
     .info = legacy_info(info, KIND)}
#define VECTOR SYSTEM(CUSPARSE_OPERATION_NON_TRANSPOSE, 1, INFO_BSRSV2)
#define MATRIX SYSTEM(op_x, n, INFO_BSRSM2)
cusparseStatus_t sparse_bsrsv2_bufferSize(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                          cusparseOperation_t op, int mb, int nnzb, cusparseMatDescr_t d, void *values,
                                          const int *offsets, const int *columns, int dim, bsrsv2Info_t info,
                                          int *bytes)
{
    struct system s = VECTOR;
    (void)type;
    return system_size(h, &s, bytes, NULL);
}

cusparseStatus_t sparse_bsrsv2_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                             cusparseOperation_t op, int mb, int nnzb, cusparseMatDescr_t d,
                                             void *values, const int *offsets, const int *columns, int dim,
                                             bsrsv2Info_t info, size_t *bytes)
{
    struct system s = VECTOR;
    (void)type;
    return system_size(h, &s, NULL, bytes);
}

cusparseStatus_t sparse_bsrsv2_analysis(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                        cusparseOperation_t op, int mb, int nnzb, cusparseMatDescr_t d,
                                        const void *values, const int *offsets, const int *columns, int dim,
                                        bsrsv2Info_t info, cusparseSolvePolicy_t policy, void *buffer)
{
    struct system s = VECTOR;
    (void)type;
    s.policy = policy;
    return system_analyse(h, &s, buffer);
}

cusparseStatus_t sparse_bsrsv2_solve(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                     cusparseOperation_t op, int mb, int nnzb, const void *alpha, cusparseMatDescr_t d,
                                     const void *values, const int *offsets, const int *columns, int dim,
                                     bsrsv2Info_t info, const void *f, void *y, cusparseSolvePolicy_t policy,
                                     void *buffer)
{
    struct system s = VECTOR;
    s.policy = policy;
    return system_solve(h, type, &s, alpha, f, INT32_MAX, y, INT32_MAX, buffer);
}

cusparseStatus_t sparse_bsrsm2_bufferSize(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                          cusparseOperation_t op, cusparseOperation_t op_x, int mb, int n, int nnzb,
                                          cusparseMatDescr_t d, void *values, const int *offsets, const int *columns,
                                          int dim, bsrsm2Info_t info, int *bytes)
{
    struct system s = MATRIX;
    (void)type;
    return system_size(h, &s, bytes, NULL);
}

cusparseStatus_t sparse_bsrsm2_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                             cusparseOperation_t op, cusparseOperation_t op_x, int mb, int n, int nnzb,
                                             cusparseMatDescr_t d, void *values, const int *offsets, const int *columns,
                                             int dim, bsrsm2Info_t info, size_t *bytes)
{
    struct system s = MATRIX;
    (void)type;
    return system_size(h, &s, NULL, bytes);
}

cusparseStatus_t sparse_bsrsm2_analysis(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                        cusparseOperation_t op, cusparseOperation_t op_x, int mb, int n, int nnzb,
                                        cusparseMatDescr_t d, const void *values, const int *offsets,
                                        const int *columns, int dim, bsrsm2Info_t info, cusparseSolvePolicy_t policy,
                                        void *buffer)
{
    struct system s = MATRIX;
    (void)type;
    s.policy = policy;
    return system_analyse(h, &s, buffer);
}

cusparseStatus_t sparse_bsrsm2_solve(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                                     cusparseOperation_t op, cusparseOperation_t op_x, int mb, int n, int nnzb,
                                     const void *alpha, cusparseMatDescr_t d, const void *values, const int *offsets,
                                     const int *columns, int dim, bsrsm2Info_t info, const void *b, int ldb, void *y,
                                     int ldy, cusparseSolvePolicy_t policy, void *buffer)
{
    struct system s = MATRIX;
    s.policy = policy;
    return system_solve(h, type, &s, alpha, b, ldb, y, ldy, buffer);
}

// ---- products. As in NVIDIA's library, A is not transposed.
static cusparseStatus_t product(cusparseHandle_t h, enum sparse_type type, cusparseDirection_t dir,
                                cusparseOperation_t op, int nnzb, const void *alpha, cusparseMatDescr_t d,
                                const void *beta, struct product *x)
{
    struct blocks *a = &x->a;
    LEGACY_ENTER(h);
    SPARSE_CHECK(legacy_is_direction(dir) && sparse_is_op(op) && a->rows >= 0 && a->cols >= 0 && nnzb >= 0 &&
                 x->columns >= 0 && a->height > 0 && alpha && beta);
    SPARSE_CHECK((!a->rows || a->offsets) && (!nnzb || (a->indices && a->values && x->x)));
    SPARSE_CHECK(!a->rows || !x->columns || x->y);
    SPARSE_TRY(legacy_general(d));
    SPARSE_NEED(op == CUSPARSE_OPERATION_NON_TRANSPOSE);
    a->width = a->height;
    a->base = (int)d->base;
    a->by_columns = dir == CUSPARSE_DIRECTION_COLUMN;
    x->alpha = sparse_scalar(h, type, alpha);
    x->beta = sparse_scalar(h, type, beta);
    double each = (double)nnzb / (double)sparse_max(1, a->rows) * LINES;
    return sparse_launch(h, &kernels[work_one(type)][PRODUCT], (uint64_t)sparse_parts(x->lines, LINES),
                         each * a->height * a->height * (double)x->columns, x);
}

#define BLOCKS                                                                                                         \
    {.rows = mb, .cols = nb, .height = dim, .offsets = offsets, .indices = columns, .values = (void *)(uintptr_t)values}
cusparseStatus_t sparse_bsrmv(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                              cusparseOperation_t op, int mb, int nb, int nnzb, const void *alpha, cusparseMatDescr_t d,
                              const void *values, const int *offsets, const int *columns, int dim, const void *v,
                              const void *beta, void *y)
{
    struct product x = {.a = BLOCKS, .lines = mb, .x = v, .y = y, .columns = 1, .x_down = 1};
    return product(h, type, dir, op, nnzb, alpha, d, beta, &x);
}

cusparseStatus_t sparse_bsrxmv(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                               cusparseOperation_t op, int masked, int mb, int nb, int nnzb, const void *alpha,
                               cusparseMatDescr_t d, const void *values, const int *mask, const int *offsets,
                               const int *ends, const int *columns, int dim, const void *v, const void *beta, void *y)
{
    struct product x = {.a = BLOCKS, .lines = masked, .mask = mask, .ends = ends, .x = v, .y = y};
    LEGACY_ENTER(h);
    SPARSE_CHECK(masked >= 0 && masked <= mb && (!masked || (mask && ends)));
    x.columns = 1;
    x.x_down = 1;
    return product(h, type, dir, op, nnzb, alpha, d, beta, &x);
}

cusparseStatus_t sparse_bsrmm(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,
                              cusparseOperation_t op, cusparseOperation_t op_b, int mb, int n, int nb, int nnzb,
                              const void *alpha, cusparseMatDescr_t d, const void *values, const int *offsets,
                              const int *columns, int dim, const void *b, int ldb, const void *beta, void *c, int ldc)
{
    bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    struct product x = {.a = BLOCKS, .lines = mb, .x = b, .y = c, .columns = n, .y_across = ldc};
    LEGACY_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op_b) && n >= 0 && dim > 0 && ldc >= sparse_max(1, (int64_t)mb * dim) &&
                 ldb >= sparse_max(1, plain ? (int64_t)nb * dim : n));
    SPARSE_NEED(op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
    x.x_down = plain ? 1 : ldb;
    x.x_across = plain ? ldb : 1;
    return product(h, type, dir, op, nnzb, alpha, d, beta, &x);
}

// ---- a dense matrix and a sparse vector
cusparseStatus_t sparse_gemvi_bufferSize(enum sparse_type type, cusparseHandle_t h, cusparseOperation_t op, int m,
                                         int n, int nnz, int *bytes)
{
    (void)type;
    LEGACY_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op) && m >= 0 && n >= 0 && nnz >= 0 && bytes);
    *bytes = SPARSE_BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_gemvi(enum sparse_type type, cusparseHandle_t h, cusparseOperation_t op, int m, int n,
                              const void *alpha, const void *a, int lda, int nnz, const void *values,
                              const int *indices, const void *beta, void *y, cusparseIndexBase_t base, void *buffer)
{
    bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    LEGACY_ENTER(h);
    SPARSE_CHECK(sparse_is_op(op) && m >= 0 && n >= 0 && nnz >= 0 && nnz <= (plain ? n : m) &&
                 lda >= sparse_max(1, m) && sparse_is_base(base) && alpha && beta && buffer);
    SPARSE_CHECK((!nnz || (a && values && indices)) && (!(plain ? m : n) || y));
    struct dense_product x = {.a = a, .values = values, .indices = indices, .y = y, .nnz = nnz, .base = (int)base};
    x.size = plain ? m : n;
    x.down = plain ? 1 : lda;
    x.across = plain ? lda : 1;
    x.conjugate = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    x.alpha = sparse_scalar(h, type, alpha);
    x.beta = sparse_scalar(h, type, beta);
    return sparse_launch(h, &kernels[work_one(type)][DENSE], (uint64_t)sparse_parts(x.size, LINES), (double)nnz * LINES,
                         &x);
}
