// SPDX-License-Identifier: Apache-2.0
// Tensor maps: descriptions of tensors in global memory for kernels that copy boxes of them. Interleaved layouts, elements of
// less than a byte and those that are converted on the way are not supported.
#include "driver/driver.h"
#include "jit/abi/tensor.h"

static const uint8_t type_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};

static CUresult type_of(CUtensorMapDataType type, struct tensor_map *m)
{
    if ((unsigned)type > CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B)
        return CUDA_ERROR_INVALID_VALUE;
    if (type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32)
        type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32; // the bits are the same
    if (type > CU_TENSOR_MAP_DATA_TYPE_BFLOAT16)
        return CUDA_ERROR_NOT_SUPPORTED;
    m->type = (uint8_t)type;
    m->bytes = type_bytes[type];
    return CUDA_SUCCESS;
}

static bool dimension_set(struct tensor_map *m, unsigned i, const cuuint64_t *dims, const cuuint64_t *strides,
                          const cuuint32_t *box, const cuuint32_t *steps)
{
    if (!dims[i] || dims[i] > (cuuint64_t)1 << 32 || !box[i] || box[i] > 256 || !steps[i] || steps[i] > 8)
        return false;
    if (i && (strides[i - 1] % 16 || strides[i - 1] >= (cuuint64_t)1 << 40))
        return false;
    m->last[i] = (uint32_t)(dims[i] - 1);
    m->strides[i] = i ? strides[i - 1] : m->bytes;
    m->box[i] = (uint16_t)box[i];
    m->steps[i] = i ? (uint8_t)steps[i] : 1; // the first dimension has none
    return true;
}

CUresult tensor_encode(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                       const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                       const cuuint32_t *element_strides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                       CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    struct tensor_map m = {.magic = TENSOR_MAGIC, .rank = (uint8_t)rank, .address = address};
    if (!map || (uintptr_t)map % 64 || !rank || rank > TENSOR_RANK_MAX || !address || (uintptr_t)address % 16 ||
        !dims || !box || !element_strides || (rank > 1 && !strides))
        return CUDA_ERROR_INVALID_VALUE;
    if ((unsigned)interleave > CU_TENSOR_MAP_INTERLEAVE_32B ||
        (unsigned)promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
        (unsigned)swizzle > CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B ||
        (unsigned)fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = type_of(type, &m);
    if (r)
        return r;
    for (unsigned i = 0; i < rank; i++)
        if (!dimension_set(&m, i, dims, strides, box, element_strides))
            return CUDA_ERROR_INVALID_VALUE;
    bool is_float = m.type >= TENSOR_F16;
    uint32_t inner = box[0] * m.bytes;
    if (fill && !is_float)
        return CUDA_ERROR_INVALID_VALUE;
    if (interleave || swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (inner % 16 || (swizzle && inner > 16u << swizzle))
        return CUDA_ERROR_INVALID_VALUE;
    m.swizzle = (uint8_t)swizzle;
    m.nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    memset(map, 0, sizeof *map);
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

CUresult tensor_replace(CUtensorMap *map, void *address)
{
    struct tensor_map *m = (struct tensor_map *)map;
    if (!map || (uintptr_t)map % 64 || !address || (uintptr_t)address % 16 || m->magic != TENSOR_MAGIC)
        return CUDA_ERROR_INVALID_VALUE;
    m->address = address;
    return CUDA_SUCCESS;
}
