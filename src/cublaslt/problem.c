// SPDX-License-Identifier: Apache-2.0
// Descriptors become a product, or the status that says why not: what cannot be is an invalid value, what nobody has written is not supported.
#include "cublaslt/matmul.h"

// ---- types
enum sums { SUMS_16F, SUMS_32F, SUMS_64F, SUMS_32I, SUMS_NONE };

static enum sums sums_of(int32_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return SUMS_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        return SUMS_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return SUMS_32I;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
        return SUMS_32F;
    default:
        return SUMS_NONE;
    }
}

// Sums, types of A and B, of C and D, of alpha and beta; then what computes them.
#define FLAGS(sum, input)                                                                                              \
    (CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_##sum |                             \
     CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_##input)
static const struct {
    enum sums compute;
    enum lt_type source, result;
    struct lt_types types;
} table[] = {
    {SUMS_32F, LT_S, LT_S, {PRODUCT_S, KIND_S, KIND_S, LT_S, FLAGS(32F, 32F)}},
    {SUMS_64F, LT_D, LT_D, {PRODUCT_D, KIND_D, KIND_D, LT_D, FLAGS(64F, 64F)}},
    {SUMS_32F, LT_C, LT_C, {PRODUCT_C, KIND_C, KIND_C, LT_C, FLAGS(32F, 32F)}},
    {SUMS_64F, LT_Z, LT_Z, {PRODUCT_Z, KIND_Z, KIND_Z, LT_Z, FLAGS(64F, 64F)}},
    {SUMS_32F, LT_H, LT_H, {PRODUCT_H, KIND_S, KIND_S, LT_S, FLAGS(32F, 16F)}},
    {SUMS_32F, LT_H, LT_S, {PRODUCT_H, KIND_S, KIND_S, LT_S, FLAGS(32F, 16F)}},
    {SUMS_16F, LT_H, LT_H, {PRODUCT_H, KIND_S, KIND_S, LT_H, FLAGS(32F, 16F)}},
    {SUMS_32F, LT_B, LT_B, {PRODUCT_B, KIND_S, KIND_S, LT_S, FLAGS(32F, 16BF)}},
    {SUMS_32F, LT_B, LT_S, {PRODUCT_B, KIND_S, KIND_S, LT_S, FLAGS(32F, 16BF)}},
    {SUMS_32F, LT_J, LT_S, {PRODUCT_IF, KIND_S, KIND_S, LT_S, FLAGS(32F, 8I)}},
    {SUMS_32I, LT_J, LT_I, {PRODUCT_I, KIND_I, KIND_I, LT_I, FLAGS(32I, 8I)}},
    {SUMS_32I, LT_J, LT_J, {PRODUCT_I, KIND_I, KIND_S, LT_S, FLAGS(32I, 8I)}},
};

// C is half precision or float; D is as C, or fp8 where C is half precision. E5M2 is a result only where one source is.
static bool fp8_find(struct lt_types *t, enum sums compute, enum lt_type scale, const enum lt_type type[4])
{
    enum lt_type a = type[0], b = type[1], c = type[2], d = type[3];
    bool half = c == LT_H || c == LT_B, five = a == LT_E5 || b == LT_E5;
    if (!lt_is_fp8(a) || !lt_is_fp8(b) || (a == LT_E5 && b == LT_E5) || compute != SUMS_32F || scale != LT_S)
        return false;
    if ((!half && c != LT_S) || (d != c && !(half && (d == LT_E4 || (d == LT_E5 && five)))))
        return false;
    *t = (struct lt_types){PRODUCT_H, KIND_S, KIND_S, LT_S, FLAGS(32F, 8F_E4M3)};
    if (five)
        t->flags |= CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E5M2;
    return true;
}

bool lt_types_find(struct lt_types *t, int32_t compute, int32_t scale, const cudaDataType type[4])
{
    enum sums sums = sums_of(compute);
    enum lt_type s = lt_type_of((cudaDataType)scale), e[4];
    for (int i = 0; i < 4; i++)
        e[i] = lt_type_of(type[i]);
    for (size_t i = 0; e[0] == e[1] && e[2] == e[3] && i < sizeof table / sizeof *table; i++)
        if (table[i].compute == sums && table[i].source == e[0] && table[i].result == e[2] &&
            table[i].types.scale == s) {
            *t = table[i].types;
            return true;
        }
    return fp8_find(t, sums, s, e);
}

// ---- factors of matrices: fp8 has them
static cublasStatus_t factors(struct matmul *g, const struct lt_desc *d)
{
    bool fp8 = lt_is_fp8(g->a.type);
    for (int i = 0; i < 4; i++) {
        bool outer = d->mode[i] == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
        LT_CHECK((unsigned)d->mode[i] < CUBLASLT_MATMUL_MATRIX_SCALE_END && (fp8 || !d->factor[i]));
        if (!d->factor[i])
            continue;
        LT_SUPPORT(d->mode[i] == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F || (outer && i < 2));
        g->factor[i] = d->factor[i];
        if (i < 2)
            g->outer[i] = outer;
    }
    LT_CHECK(fp8 || (!d->amax && !d->aux_amax && !d->aux_factor));
    LT_SUPPORT(!d->out_factor && d->aux_mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F);
    g->amax = d->amax;
    g->epilogue.aux_factor = d->aux_factor;
    g->epilogue.aux_amax = d->aux_amax;
    return CUBLAS_STATUS_SUCCESS;
}

// ---- epilogues
static bool is_epilogue(uint32_t what)
{
    static const uint16_t known[] = {
        CUBLASLT_EPILOGUE_DEFAULT,     CUBLASLT_EPILOGUE_RELU,      CUBLASLT_EPILOGUE_RELU_AUX,
        CUBLASLT_EPILOGUE_BIAS,        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
        CUBLASLT_EPILOGUE_DRELU,       CUBLASLT_EPILOGUE_GELU,      CUBLASLT_EPILOGUE_DRELU_BGRAD,
        CUBLASLT_EPILOGUE_GELU_AUX,    CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
        CUBLASLT_EPILOGUE_DGELU,       CUBLASLT_EPILOGUE_BGRADA,    CUBLASLT_EPILOGUE_BGRADB,
        CUBLASLT_EPILOGUE_DGELU_BGRAD,
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == what)
            return true;
    return false;
}

// The type of a bias that the program does not name.
static enum lt_type bias_default(const struct matmul *g)
{
    if (g->d.type == LT_J)
        return LT_S;
    if (!lt_is_fp8(g->a.type))
        return g->d.type;
    return g->c.type == LT_S ? LT_B : g->c.type;
}

// A mask of bits, whose columns begin at multiples of 128 bits, or the matrix that GELU is applied to.
static cublasStatus_t aux(struct matmul *g, const struct lt_desc *d)
{
    bool bits = g->epilogue.what & (CUBLASLT_EPILOGUE_RELU | EPILOGUE_DRELU);
    int64_t unit = bits ? 128 : 1;
    LT_CHECK(d->aux_ld >= g->m && d->aux_ld % unit == 0 && d->aux_stride >= 0 && d->aux_stride % unit == 0);
    LT_SUPPORT(matrix_is_plain(&g->d) && !g->d.transposed);
    if (bits) {
        g->epilogue.mask = d->aux;
        g->epilogue.mask_ld = d->aux_ld / 8;
        g->epilogue.mask_stride = d->aux_stride / 8;
        return CUBLAS_STATUS_SUCCESS;
    }
    g->epilogue.aux = (struct lt_matrix){
        .at = d->aux,
        .rows = g->m,
        .columns = g->n,
        .ld = d->aux_ld,
        .stride = d->aux_stride,
        .type = d->aux_type == -1 ? g->d.type : lt_type_of((cudaDataType)d->aux_type),
        .order = CUBLASLT_ORDER_COL,
    };
    LT_SUPPORT(lt_converts(g->types.kind, g->epilogue.aux.type));
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t epilogue(struct matmul *g, const struct lt_desc *d)
{
    uint32_t what = d->epilogue;
    LT_CHECK(is_epilogue(what));
    g->epilogue.what = what;
    if (what == CUBLASLT_EPILOGUE_DEFAULT)
        return CUBLAS_STATUS_SUCCESS;
    LT_SUPPORT(g->types.kind == KIND_S || g->types.kind == KIND_D);
    LT_SUPPORT(g->d.type != LT_J ||
               !(what & ~(uint32_t)CUBLASLT_EPILOGUE_GELU_BIAS & ~(uint32_t)CUBLASLT_EPILOGUE_RELU));
    if (what & EPILOGUE_VECTOR) {
        g->epilogue.bias = d->bias;
        g->epilogue.bias_stride = d->bias_stride;
        g->epilogue.bias_type = d->bias_type == -1 ? bias_default(g) : lt_type_of((cudaDataType)d->bias_type);
        LT_SUPPORT(lt_converts(g->types.kind, g->epilogue.bias_type));
    }
    g->strips = what & EPILOGUE_BGRAD;
    return what & EPILOGUE_AUX ? aux(g, d) : CUBLAS_STATUS_SUCCESS;
}

// ---- all of it
static cublasStatus_t matrices(struct matmul *g, const struct lt_desc *d, const struct lt_layout *const l[4])
{
    struct lt_matrix *x[4] = {&g->a, &g->b, &g->c, &g->d};
    cudaDataType type[4];
    for (int i = 0; i < 4; i++) {
        cublasStatus_t s = lt_matrix_of(x[i], l[i], i < 2 ? d->op[i] : CUBLAS_OP_N);
        if (s)
            return s;
        LT_CHECK(l[i]->count == l[3]->count);
        type[i] = (cudaDataType)l[i]->type;
    }
    LT_CHECK(g->a.rows == g->d.rows && g->b.columns == g->d.columns && g->a.columns == g->b.rows &&
             g->c.rows == g->d.rows && g->c.columns == g->d.columns);
    LT_SUPPORT(lt_types_find(&g->types, d->compute, d->scale, type));
    g->strict = d->compute == CUBLAS_COMPUTE_32F_PEDANTIC;
    g->m = g->d.rows;
    g->n = g->d.columns;
    g->k = g->a.columns;
    g->count = l[3]->count;
    g->panels = !matrix_is_plain(&g->a) || !matrix_is_plain(&g->b) || lt_is_fp8(g->a.type);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t matmul_of(struct matmul *g, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t A,
                         cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D)
{
    LT_CHECK(desc && A && B && C && D);
    const struct lt_desc *d = (const struct lt_desc *)desc;
    const struct lt_layout *const l[4] = {(const struct lt_layout *)A, (const struct lt_layout *)B,
                                          (const struct lt_layout *)C, (const struct lt_layout *)D};
    *g = (struct matmul){.each = 1};
    LT_CHECK((unsigned)d->pointer_mode <= CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST &&
             (unsigned)d->op[2] <= CUBLAS_OP_CONJG && (unsigned)d->fill <= CUBLAS_FILL_MODE_FULL);
    LT_SUPPORT(d->op[2] == CUBLAS_OP_N && d->fill == CUBLAS_FILL_MODE_FULL);
    cublasStatus_t s = matrices(g, d, l);
    s = s ? s : factors(g, d);
    return s ? s : epilogue(g, d);
}
