// SPDX-License-Identifier: Apache-2.0
// Descriptors and their attributes. As in NVIDIA's library any value can be set; who uses a descriptor checks what it holds.
#include "cublaslt/lt.h"
#include <stdlib.h>
#include <string.h>

struct attribute {
    unsigned short offset, bytes; // bytes 0: there is none of this number
};
struct attributes {
    const struct attribute *rows;
    unsigned n;
};
#define AT(type, field) {offsetof(struct type, field), sizeof(((struct type *)0)->field)}
#define ALL(rows)       {rows, sizeof(rows) / sizeof *(rows)}

static const struct attribute layout_rows[] = {
    [CUBLASLT_MATRIX_LAYOUT_TYPE] = AT(lt_layout, type),
    [CUBLASLT_MATRIX_LAYOUT_ORDER] = AT(lt_layout, order),
    [CUBLASLT_MATRIX_LAYOUT_ROWS] = AT(lt_layout, rows),
    [CUBLASLT_MATRIX_LAYOUT_COLS] = AT(lt_layout, columns),
    [CUBLASLT_MATRIX_LAYOUT_LD] = AT(lt_layout, ld),
    [CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT] = AT(lt_layout, count),
    [CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET] = AT(lt_layout, stride),
    [CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET] = AT(lt_layout, plane),
    [CUBLASLT_MATRIX_LAYOUT_BATCH_MODE] = AT(lt_layout, mode),
};
static const struct attribute desc_rows[] = {
    [CUBLASLT_MATMUL_DESC_COMPUTE_TYPE] = AT(lt_desc, compute),
    [CUBLASLT_MATMUL_DESC_SCALE_TYPE] = AT(lt_desc, scale),
    [CUBLASLT_MATMUL_DESC_POINTER_MODE] = AT(lt_desc, pointer_mode),
    [CUBLASLT_MATMUL_DESC_TRANSA] = AT(lt_desc, op[0]),
    [CUBLASLT_MATMUL_DESC_TRANSB] = AT(lt_desc, op[1]),
    [CUBLASLT_MATMUL_DESC_TRANSC] = AT(lt_desc, op[2]),
    [CUBLASLT_MATMUL_DESC_FILL_MODE] = AT(lt_desc, fill),
    [CUBLASLT_MATMUL_DESC_EPILOGUE] = AT(lt_desc, epilogue),
    [CUBLASLT_MATMUL_DESC_BIAS_POINTER] = AT(lt_desc, bias),
    [CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE] = AT(lt_desc, bias_stride),
    [CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER] = AT(lt_desc, aux),
    [CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD] = AT(lt_desc, aux_ld),
    [CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE] = AT(lt_desc, aux_stride),
    [CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE] = AT(lt_desc, alpha_stride),
    [CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET] = AT(lt_desc, sm_count),
    [CUBLASLT_MATMUL_DESC_A_SCALE_POINTER] = AT(lt_desc, factor[0]),
    [CUBLASLT_MATMUL_DESC_B_SCALE_POINTER] = AT(lt_desc, factor[1]),
    [CUBLASLT_MATMUL_DESC_C_SCALE_POINTER] = AT(lt_desc, factor[2]),
    [CUBLASLT_MATMUL_DESC_D_SCALE_POINTER] = AT(lt_desc, factor[3]),
    [CUBLASLT_MATMUL_DESC_AMAX_D_POINTER] = AT(lt_desc, amax),
    [CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE] = AT(lt_desc, aux_type),
    [CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER] = AT(lt_desc, aux_factor),
    [CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER] = AT(lt_desc, aux_amax),
    [CUBLASLT_MATMUL_DESC_FAST_ACCUM] = AT(lt_desc, fast),
    [CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE] = AT(lt_desc, bias_type),
    [CUBLASLT_MATMUL_DESC_A_SCALE_MODE] = AT(lt_desc, mode[0]),
    [CUBLASLT_MATMUL_DESC_B_SCALE_MODE] = AT(lt_desc, mode[1]),
    [CUBLASLT_MATMUL_DESC_C_SCALE_MODE] = AT(lt_desc, mode[2]),
    [CUBLASLT_MATMUL_DESC_D_SCALE_MODE] = AT(lt_desc, mode[3]),
    [CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE] = AT(lt_desc, aux_mode),
    [CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER] = AT(lt_desc, out_factor),
    [CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE] = AT(lt_desc, out_mode),
    [CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR] = AT(lt_desc, emulation),
};
static const struct attribute transform_rows[] = {
    [CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE] = AT(lt_transform_desc, scale),
    [CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE] = AT(lt_transform_desc, pointer_mode),
    [CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA] = AT(lt_transform_desc, op[0]),
    [CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB] = AT(lt_transform_desc, op[1]),
};
static const struct attribute preference_rows[] = {
    [CUBLASLT_MATMUL_PREF_SEARCH_MODE] = AT(lt_preference, search),
    [CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES] = AT(lt_preference, workspace),
    [CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK] = AT(lt_preference, reductions),
    [CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES] = AT(lt_preference, alignment[0]),
    [CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES] = AT(lt_preference, alignment[1]),
    [CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES] = AT(lt_preference, alignment[2]),
    [CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES] = AT(lt_preference, alignment[3]),
    [CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT] = AT(lt_preference, waves),
    [CUBLASLT_MATMUL_PREF_IMPL_MASK] = AT(lt_preference, flags),
};
static const struct attribute emulation_rows[] = {
    [CUBLASLT_EMULATION_DESC_STRATEGY] = AT(lt_emulation, strategy),
    [CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT] = AT(lt_emulation, special_values),
    [CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_CONTROL] = AT(lt_emulation, mantissa_control),
    [CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT] = AT(lt_emulation, mantissa_bits),
    [CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_OFFSET] = AT(lt_emulation, mantissa_offset),
    [CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER] = AT(lt_emulation, bit_count),
};
static const struct attribute algo_rows[] = {
    [CUBLASLT_ALGO_CONFIG_ID] = AT(lt_algo, id),
    [CUBLASLT_ALGO_CONFIG_TILE_ID] = AT(lt_algo, tile),
    [CUBLASLT_ALGO_CONFIG_SPLITK_NUM] = AT(lt_algo, splits),
    [CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME] = AT(lt_algo, reduction),
    [CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING] = AT(lt_algo, swizzle),
    [CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION] = AT(lt_algo, custom),
    [CUBLASLT_ALGO_CONFIG_STAGES_ID] = AT(lt_algo, stages),
    [CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID] = AT(lt_algo, inner),
    [CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID] = AT(lt_algo, cluster),
};
static const struct attributes layout_all = ALL(layout_rows), desc_all = ALL(desc_rows),
                               transform_all = ALL(transform_rows), preference_all = ALL(preference_rows),
                               emulation_all = ALL(emulation_rows), algo_all = ALL(algo_rows);

static cublasStatus_t set(const struct attributes *all, void *object, unsigned attr, const void *buf, size_t bytes)
{
    LT_CHECK(object && buf && attr < all->n && all->rows[attr].bytes && all->rows[attr].bytes == bytes);
    memcpy((char *)object + all->rows[attr].offset, buf, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t get(const struct attributes *all, const void *object, unsigned attr, void *buf, size_t bytes,
                          size_t *written)
{
    LT_CHECK(object && attr < all->n && all->rows[attr].bytes && (bytes || written));
    LT_CHECK(!bytes || (buf && all->rows[attr].bytes == bytes));
    if (bytes)
        memcpy(buf, (const char *)object + all->rows[attr].offset, bytes);
    if (written)
        *written = all->rows[attr].bytes;
    return CUBLAS_STATUS_SUCCESS;
}

// Memory of the program's becomes a descriptor.
static cublasStatus_t init(void *object, size_t room, const void *value, size_t bytes, size_t opaque)
{
    LT_CHECK(object);
    if (room < opaque)
        return CUBLAS_STATUS_ALLOC_FAILED;
    memset(object, 0, opaque);
    memcpy(object, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t create(void **object, const void *value, size_t bytes, size_t opaque)
{
    LT_CHECK(object);
    *object = malloc(opaque);
    return *object ? init(*object, opaque, value, bytes, opaque) : CUBLAS_STATUS_ALLOC_FAILED;
}

static cublasStatus_t destroy(void *object)
{
    free(object);
    return CUBLAS_STATUS_SUCCESS;
}

// The functions of one kind of descriptor; INITIAL is made of the parameters.
#define LIST(...) __VA_ARGS__
#define DESCRIPTOR(name, Struct, all, Attribute, params, INITIAL)                                                      \
    cublasStatus_t lt_##name##Init_internal(cublasLt##name##_t object, size_t room LIST params)                        \
    {                                                                                                                  \
        const struct Struct value = INITIAL;                                                                           \
        return init(object, room, &value, sizeof value, sizeof *object);                                               \
    }                                                                                                                  \
    cublasStatus_t lt_##name##Create(cublasLt##name##_t *object LIST params)                                           \
    {                                                                                                                  \
        const struct Struct value = INITIAL;                                                                           \
        return create((void **)object, &value, sizeof value, sizeof **object);                                         \
    }                                                                                                                  \
    cublasStatus_t lt_##name##Destroy(cublasLt##name##_t object)                                                       \
    {                                                                                                                  \
        return destroy(object);                                                                                        \
    }                                                                                                                  \
    cublasStatus_t lt_##name##SetAttribute(cublasLt##name##_t object, Attribute attr, const void *buf, size_t bytes)   \
    {                                                                                                                  \
        return set(&(all), object, (unsigned)attr, buf, bytes);                                                        \
    }                                                                                                                  \
    cublasStatus_t lt_##name##GetAttribute(cublasLt##name##_t object, Attribute attr, void *buf, size_t bytes,         \
                                           size_t *written)                                                            \
    {                                                                                                                  \
        return get(&(all), object, (unsigned)attr, buf, bytes, written);                                               \
    }
#define LAYOUT {.type = (int32_t)type, .rows = rows, .columns = columns, .ld = ld, .count = 1}
#define DESC                                                                                                           \
    {.compute = (int32_t)compute,                                                                                      \
     .scale = (int32_t)scale,                                                                                          \
     .fill = CUBLAS_FILL_MODE_FULL,                                                                                    \
     .epilogue = CUBLASLT_EPILOGUE_DEFAULT,                                                                            \
     .aux_type = -1,                                                                                                   \
     .bias_type = -1}
#define TRANSFORM {.scale = (int32_t)scale}
#define PREFERENCE                                                                                                     \
    {.reductions = CUBLASLT_REDUCTION_SCHEME_MASK, .alignment = {256, 256, 256, 256}, .flags = UINT64_MAX}
#define EMULATION {.special_values = 0xffff}
DESCRIPTOR(MatrixLayout, lt_layout, layout_all, cublasLtMatrixLayoutAttribute_t,
           (, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld), LAYOUT)
DESCRIPTOR(MatmulDesc, lt_desc, desc_all, cublasLtMatmulDescAttributes_t,
           (, cublasComputeType_t compute, cudaDataType_t scale), DESC)
DESCRIPTOR(MatrixTransformDesc, lt_transform_desc, transform_all, cublasLtMatrixTransformDescAttributes_t,
           (, cudaDataType scale), TRANSFORM)
DESCRIPTOR(MatmulPreference, lt_preference, preference_all, cublasLtMatmulPreferenceAttributes_t, (), PREFERENCE)
DESCRIPTOR(EmulationDesc, lt_emulation, emulation_all, cublasLtEmulationDescAttributes_t, (), EMULATION)

// ---- algorithms: which one it is cannot be set
cublasStatus_t lt_MatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoConfigAttributes_t attr,
                                               const void *buf, size_t bytes)
{
    LT_CHECK(attr != CUBLASLT_ALGO_CONFIG_ID);
    return set(&algo_all, algo, (unsigned)attr, buf, bytes);
}

cublasStatus_t lt_MatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                               cublasLtMatmulAlgoConfigAttributes_t attr, void *buf, size_t bytes,
                                               size_t *written)
{
    return get(&algo_all, algo, (unsigned)attr, buf, bytes, written);
}
