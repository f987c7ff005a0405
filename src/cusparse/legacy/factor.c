// SPDX-License-Identifier: Apache-2.0
// Incomplete factorisations without fill-in, LU and Cholesky's, of CSR and of blocks. One part does it, row after row. The analysis looks for
// a diagonal element that the pattern lacks; the factorisation reports the first pivot that is zero (of Cholesky's: not positive).
#include "cusparse/legacy/legacy.h"
#include "cusparse/work.h"

struct factor {
    struct native_head head;
    struct blocks a;
    int *where, *diagonal; // one for each row of blocks
    struct legacy_info *info;
    bool cholesky, boost;
    struct scalar tol, value;
};

// The first row that has no diagonal element, or -1.
static int find_diagonal(const struct factor *x)
{
    int first = -1;
    for (int i = 0; i < x->a.rows; i++) {
        x->diagonal[i] = blocks_find(&x->a, i, i);
        if (x->diagonal[i] < 0 && first < 0)
            first = i;
    }
    return first;
}

static void analyse_run(const void *block, uint64_t part)
{
    const struct factor *x = block;
    (void)part;
    x->info->position = find_diagonal(x);
}
static struct library_kernel analyse_kernel = LIBRARY_KERNEL("cusparse_factor_analysis", analyse_run, struct factor);

#define KIND_FOUR
#define TEMPLATE "cusparse/kernel/factor.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE
#define KERNEL(a, x, y, t) LIBRARY_KERNEL("cusparse_factor_" #a, factor_run_##a##x##y##t, struct factor),
static struct library_kernel kernels[] = {KINDS_FOUR(KERNEL)};

static cusparseStatus_t size(cusparseHandle_t h, cusparseDirection_t dir, int rows, int nnz, cusparseMatDescr_t d,
                             const void *values, const int *offsets, const int *indices, int dim,
                             const struct legacy_info *info, int *bytes, size_t *bytes_ext)
{
    struct blocks a;
    LEGACY_ENTER(h);
    SPARSE_TRY(legacy_square(dir, rows, nnz, d, values, offsets, indices, dim, &a));
    SPARSE_CHECK(info);
    return legacy_bytes(((size_t)rows * 2 + 1) * sizeof(int), bytes, bytes_ext);
}

static cusparseStatus_t begin(cusparseHandle_t h, cusparseDirection_t dir, int rows, int nnz, cusparseMatDescr_t d,
                              const void *values, const int *offsets, const int *indices, int dim,
                              struct legacy_info *info, cusparseSolvePolicy_t policy, int *buffer, struct factor *x)
{
    LEGACY_ENTER(h);
    *x = (struct factor){.where = buffer, .diagonal = buffer + rows, .info = info};
    SPARSE_TRY(legacy_square(dir, rows, nnz, d, values, offsets, indices, dim, &x->a));
    SPARSE_CHECK(info && legacy_is_policy(policy) && legacy_is_buffer(buffer));
    info->base = x->a.base;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t analyse(cusparseHandle_t h, cusparseSolvePolicy_t policy, struct factor *x)
{
    x->info->analysed = true;
    x->info->policy = policy;
    return sparse_launch(h, &analyse_kernel, 1, (double)x->a.rows, x);
}

static cusparseStatus_t factor(cusparseHandle_t h, enum sparse_type type, int nnz, cusparseSolvePolicy_t policy,
                               struct factor *x)
{
    SPARSE_CHECK(legacy_is_analysed(x->info, policy));
    x->boost = x->info->boost;
    x->tol = x->info->tol;
    x->value = x->info->value;
    return sparse_launch(h, &kernels[work_one(type)], 1, (double)nnz * x->a.width * x->a.width, x);
}

static cusparseStatus_t boost(cusparseHandle_t h, enum sparse_type type, struct legacy_info *info, int enable,
                              const double *tol, const void *value)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(info && (!enable || (tol && value)));
    info->boost = enable;
    if (enable) {
        info->tol = sparse_scalar(h, SPARSE_D, tol);
        info->value = sparse_scalar(h, type, value);
    }
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_csrilu02_numericBoost(enum sparse_type type, cusparseHandle_t h, csrilu02Info_t info,
                                              int enable, double *tol, void *value)
{
    return boost(h, type, legacy_info(info, INFO_CSRILU02), enable, tol, value);
}

cusparseStatus_t sparse_bsrilu02_numericBoost(enum sparse_type type, cusparseHandle_t h, bsrilu02Info_t info,
                                              int enable, double *tol, void *value)
{
    return boost(h, type, legacy_info(info, INFO_BSRILU02), enable, tol, value);
}

// ---- the functions of both formats and both factorisations, which differ in names alone
#define CSR(name, KIND, is_cholesky)                                                                                   \
    cusparseStatus_t sparse_##name##_bufferSize(enum sparse_type type, cusparseHandle_t h, int m, int nnz,             \
                                                cusparseMatDescr_t d, void *values, const int *offsets,                \
                                                const int *columns, name##Info_t info, int *bytes)                     \
    {                                                                                                                  \
        (void)type;                                                                                                    \
        return size(h, CUSPARSE_DIRECTION_ROW, m, nnz, d, values, offsets, columns, 1, legacy_info(info, KIND), bytes, \
                    NULL);                                                                                             \
    }                                                                                                                  \
    cusparseStatus_t sparse_##name##_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m, int nnz,          \
                                                   cusparseMatDescr_t d, void *values, const int *offsets,             \
                                                   const int *columns, name##Info_t info, size_t *bytes)               \
    {                                                                                                                  \
        (void)type;                                                                                                    \
        return size(h, CUSPARSE_DIRECTION_ROW, m, nnz, d, values, offsets, columns, 1, legacy_info(info, KIND), NULL,  \
                    bytes);                                                                                            \
    }                                                                                                                  \
    cusparseStatus_t sparse_##name##_analysis(                                                                         \
        enum sparse_type type, cusparseHandle_t h, int m, int nnz, cusparseMatDescr_t d, const void *values,           \
        const int *offsets, const int *columns, name##Info_t info, cusparseSolvePolicy_t policy, void *buffer)         \
    {                                                                                                                  \
        struct factor x;                                                                                               \
        (void)type;                                                                                                    \
        SPARSE_TRY(begin(h, CUSPARSE_DIRECTION_ROW, m, nnz, d, values, offsets, columns, 1, legacy_info(info, KIND),   \
                         policy, buffer, &x));                                                                         \
        return analyse(h, policy, &x);                                                                                 \
    }                                                                                                                  \
    cusparseStatus_t sparse_##name(enum sparse_type type, cusparseHandle_t h, int m, int nnz, cusparseMatDescr_t d,    \
                                   void *values, const int *offsets, const int *columns, name##Info_t info,            \
                                   cusparseSolvePolicy_t policy, void *buffer)                                         \
    {                                                                                                                  \
        struct factor x;                                                                                               \
        SPARSE_TRY(begin(h, CUSPARSE_DIRECTION_ROW, m, nnz, d, values, offsets, columns, 1, legacy_info(info, KIND),   \
                         policy, buffer, &x));                                                                         \
        x.cholesky = (is_cholesky);                                                                                    \
        return factor(h, type, nnz, policy, &x);                                                                       \
    }
CSR(csrilu02, INFO_CSRILU02, false)
CSR(csric02, INFO_CSRIC02, true)

#define BSR(name, KIND, is_cholesky, Const)                                                                            \
    cusparseStatus_t sparse_##name##_bufferSize(                                                                       \
        enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int mb, int nnzb, cusparseMatDescr_t d,    \
        void *values, const int *offsets, const int *columns, int dim, name##Info_t info, int *bytes)                  \
    {                                                                                                                  \
        (void)type;                                                                                                    \
        return size(h, dir, mb, nnzb, d, values, offsets, columns, dim, legacy_info(info, KIND), bytes, NULL);         \
    }                                                                                                                  \
    cusparseStatus_t sparse_##name##_bufferSizeExt(                                                                    \
        enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int mb, int nnzb, cusparseMatDescr_t d,    \
        void *values, const int *offsets, const int *columns, int dim, name##Info_t info, size_t *bytes)               \
    {                                                                                                                  \
        (void)type;                                                                                                    \
        return size(h, dir, mb, nnzb, d, values, offsets, columns, dim, legacy_info(info, KIND), NULL, bytes);         \
    }                                                                                                                  \
    cusparseStatus_t sparse_##name##_analysis(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir,      \
                                              int mb, int nnzb, cusparseMatDescr_t d, Const *values,                   \
                                              const int *offsets, const int *columns, int dim, name##Info_t info,      \
                                              cusparseSolvePolicy_t policy, void *buffer)                              \
    {                                                                                                                  \
        struct factor x;                                                                                               \
        (void)type;                                                                                                    \
        SPARSE_TRY(                                                                                                    \
            begin(h, dir, mb, nnzb, d, values, offsets, columns, dim, legacy_info(info, KIND), policy, buffer, &x));   \
        return analyse(h, policy, &x);                                                                                 \
    }                                                                                                                  \
    cusparseStatus_t sparse_##name(enum sparse_type type, cusparseHandle_t h, cusparseDirection_t dir, int mb,         \
                                   int nnzb, cusparseMatDescr_t d, void *values, const int *offsets,                   \
                                   const int *columns, int dim, name##Info_t info, cusparseSolvePolicy_t policy,       \
                                   void *buffer)                                                                       \
    {                                                                                                                  \
        struct factor x;                                                                                               \
        SPARSE_TRY(                                                                                                    \
            begin(h, dir, mb, nnzb, d, values, offsets, columns, dim, legacy_info(info, KIND), policy, buffer, &x));   \
        x.cholesky = (is_cholesky);                                                                                    \
        return factor(h, type, nnzb, policy, &x);                                                                      \
    }
BSR(bsrilu02, INFO_BSRILU02, false, void)
BSR(bsric02, INFO_BSRIC02, true, const void)
