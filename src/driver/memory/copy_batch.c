// SPDX-License-Identifier: Apache-2.0
// Batches of copies: each becomes a copy of its own in the stream, one after another, which keeps every order that an
// attribute may ask for but one: a source that is not to be read after the call is read in it. The first forms say which
// copy failed, SIZE_MAX where it was none of them.
#include "driver/texture/array.h"

// The error of copy i, which is noted.
static CUresult noted(CUresult r, size_t i, size_t *failed)
{
    if (r && failed)
        *failed = i;
    return r;
}

static bool order_valid(CUmemcpySrcAccessOrder order)
{
    return order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

// Each attribute is that of the copies from its start to the next one's.
static bool attributes_valid(const CUmemcpyAttributes *attributes, const size_t *starts, size_t n, size_t count)
{
    for (size_t i = 0; i < n; i++)
        if (starts[i] >= count || (i ? starts[i] <= starts[i - 1] : starts[i] != 0) ||
            !order_valid(attributes[i].srcAccessOrder))
            return false;
    return true;
}

CUresult memcpy_batch_index(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                            CUmemcpyAttributes *attributes, size_t *attribute_starts, size_t attribute_count,
                            size_t *failed, CUstream stream)
{
    if (!dsts || !srcs || !sizes || !count || !attributes || !attribute_starts || !attribute_count ||
        attribute_count > count || stream == CU_STREAM_LEGACY ||
        !attributes_valid(attributes, attribute_starts, attribute_count, count))
        return noted(CUDA_ERROR_INVALID_VALUE, SIZE_MAX, failed);
    CUresult r = CUDA_SUCCESS;
    for (size_t i = 0, k = 0; i < count && !r; i++) {
        k += k + 1 < attribute_count && attribute_starts[k + 1] == i;
        bool early = attributes[k].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
        r = !sizes[i] ? CUDA_ERROR_INVALID_VALUE
            : early   ? memcpy_any_early(dsts[i], srcs[i], sizes[i], stream)
                      : memcpy_any_async(dsts[i], srcs[i], sizes[i], stream);
        r = noted(r, i, failed);
    }
    return r;
}

CUresult memcpy_batch(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attributes,
                      size_t *attribute_starts, size_t attribute_count, CUstream stream)
{
    return memcpy_batch_index(dsts, srcs, sizes, count, attributes, attribute_starts, attribute_count, NULL, stream);
}

// Bytes of an element of the array, 1 of memory, 0 where there is no such array.
static size_t element_size(const CUmemcpy3DOperand *o)
{
    if (o->type == CU_MEMCPY_OPERAND_TYPE_POINTER)
        return 1;
    const struct array_object *a = o->type == CU_MEMCPY_OPERAND_TYPE_ARRAY ? array_get(o->op.array.array) : NULL;
    return a ? a->array.format.size : 0;
}

// One side of a box in the terms of CUDA_MEMCPY3D.
struct side {
    CUmemorytype type;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

static bool side_read(const CUmemcpy3DOperand *o, size_t element, const CUextent3D *extent, struct side *s)
{
    if (o->type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
        *s = (struct side){.type = CU_MEMORYTYPE_ARRAY,
                           .array = o->op.array.array,
                           .y = o->op.array.offset.y,
                           .z = o->op.array.offset.z};
        return !__builtin_mul_overflow(o->op.array.offset.x, element, &s->x);
    }
    *s = (struct side){.type = CU_MEMORYTYPE_UNIFIED, .device = o->op.ptr.ptr, .height = o->op.ptr.layerHeight};
    bool tight = !o->op.ptr.rowLength && !o->op.ptr.layerHeight;
    return (tight || (o->op.ptr.rowLength >= extent->width && o->op.ptr.layerHeight >= extent->height)) &&
           !__builtin_mul_overflow(o->op.ptr.rowLength, element, &s->pitch);
}

static CUresult box_convert(const CUDA_MEMCPY3D_BATCH_OP *op, CUDA_MEMCPY3D *c)
{
    struct side src, dst;
    size_t from = element_size(&op->src), to = element_size(&op->dst), element = from > to ? from : to, width;
    bool arrays = op->src.type == CU_MEMCPY_OPERAND_TYPE_ARRAY && op->dst.type == CU_MEMCPY_OPERAND_TYPE_ARRAY;
    if (!from || !to || (arrays && from != to) || op->flags & ~(unsigned)CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE ||
        !order_valid(op->srcAccessOrder))
        return CUDA_ERROR_INVALID_VALUE;
    if (!op->extent.width || !op->extent.height || !op->extent.depth ||
        __builtin_mul_overflow(op->extent.width, element, &width) || !side_read(&op->src, element, &op->extent, &src) ||
        !side_read(&op->dst, element, &op->extent, &dst))
        return CUDA_ERROR_INVALID_VALUE;
    *c = (CUDA_MEMCPY3D){.srcXInBytes = src.x,
                         .srcY = src.y,
                         .srcZ = src.z,
                         .srcMemoryType = src.type,
                         .srcDevice = src.device,
                         .srcArray = src.array,
                         .srcPitch = src.pitch,
                         .srcHeight = src.height,
                         .dstXInBytes = dst.x,
                         .dstY = dst.y,
                         .dstZ = dst.z,
                         .dstMemoryType = dst.type,
                         .dstDevice = dst.device,
                         .dstArray = dst.array,
                         .dstPitch = dst.pitch,
                         .dstHeight = dst.height,
                         .WidthInBytes = width,
                         .Height = op->extent.height,
                         .Depth = op->extent.depth};
    return CUDA_SUCCESS;
}

CUresult memcpy_3d_batch_index(size_t count, CUDA_MEMCPY3D_BATCH_OP *ops, size_t *failed, unsigned long long flags,
                               CUstream stream)
{
    struct stream *s;
    CUDA_MEMCPY3D c;
    CUresult r = stream_enter(stream, &s);
    if (!r && (!count || !ops || flags || stream == CU_STREAM_LEGACY))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return noted(r, SIZE_MAX, failed);
    for (size_t i = 0; i < count && !r; i++)
        r = noted(box_convert(&ops[i], &c), i, failed);
    for (size_t i = 0; i < count && !r; i++) {
        r = box_convert(&ops[i], &c);
        bool early = ops[i].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
        r = noted(r ? r : (early ? memcpy_3d_early : memcpy_3d_async)(&c, stream), i, failed);
    }
    return r;
}

CUresult memcpy_3d_batch(size_t count, CUDA_MEMCPY3D_BATCH_OP *ops, unsigned long long flags, CUstream stream)
{
    return memcpy_3d_batch_index(count, ops, NULL, flags, stream);
}
