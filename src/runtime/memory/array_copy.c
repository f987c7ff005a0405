// SPDX-License-Identifier: Apache-2.0
// Copies that name an array, in bytes: rectangles, and the older calls that count bytes along the rows of an array,
// which become up to three rectangles.
#include "runtime/runtime.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static cudaError_t rows_copy(const CUDA_MEMCPY2D *c, struct rt_place where)
{
    return rt_result(where.async ? drv.cuMemcpy2DAsync(c, (CUstream)where.stream) : drv.cuMemcpy2DUnaligned(c));
}

// The memory on the other side of an array, by direction; false: not a direction from or to an array.
static bool kind_memory(enum cudaMemcpyKind kind, enum cudaMemcpyKind host_kind, CUmemorytype *type)
{
    if (kind == host_kind)
        *type = CU_MEMORYTYPE_HOST;
    else if (kind == cudaMemcpyDeviceToDevice)
        *type = CU_MEMORYTYPE_DEVICE;
    else if (kind == cudaMemcpyDefault)
        *type = CU_MEMORYTYPE_UNIFIED;
    else
        return false;
    return true;
}

static cudaError_t array_check(cudaArray_const_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    return rt_result(drv.cuArray3DGetDescriptor(&d, (CUarray)(uintptr_t)array));
}

// A rectangle between memory and an array.
struct transfer {
    cudaArray_const_t array;
    size_t x, y;
    char *memory;
    size_t pitch;
    enum cudaMemcpyKind kind;
    bool to_array;
    struct rt_place where;
};

static cudaError_t transfer_rows(const struct transfer *t, size_t width, size_t height)
{
    CUmemorytype type;
    if (!kind_memory(t->kind, t->to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, &type))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    CUDA_MEMCPY2D c = {.WidthInBytes = width, .Height = height};
    if (t->to_array) {
        c.srcMemoryType = type;
        c.srcHost = t->memory;
        c.srcDevice = (CUdeviceptr)(uintptr_t)t->memory;
        c.srcPitch = t->pitch;
        c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        c.dstArray = (CUarray)(uintptr_t)t->array;
        c.dstXInBytes = t->x;
        c.dstY = t->y;
    } else {
        c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
        c.srcArray = (CUarray)(uintptr_t)t->array;
        c.srcXInBytes = t->x;
        c.srcY = t->y;
        c.dstMemoryType = type;
        c.dstHost = t->memory;
        c.dstDevice = (CUdeviceptr)(uintptr_t)t->memory;
        c.dstPitch = t->pitch;
    }
    return rows_copy(&c, t->where);
}

static cudaError_t rectangle(const struct transfer *t, size_t width, size_t height)
{
    cudaError_t e = rt_enter();
    if (e || !width || !height)
        return e;
    if (height > 1 && t->pitch < width) // of one row the driver looks at it, and takes 0
        return rt_fail(cudaErrorInvalidPitchValue);
    e = array_check(t->array);
    return e ? e : transfer_rows(t, width, height);
}

static char *writable(const void *p)
{
    return (char *)(uintptr_t)p;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    struct transfer t = {dst, wOffset, hOffset, writable(src), spitch, kind, true, {0}};
    return rectangle(&t, width, height);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct transfer t = {dst, wOffset, hOffset, writable(src), spitch, kind, true, {true, stream}};
    return rectangle(&t, width, height);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                  size_t width, size_t height, enum cudaMemcpyKind kind)
{
    struct transfer t = {src, wOffset, hOffset, dst, dpitch, kind, false, {0}};
    return rectangle(&t, width, height);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct transfer t = {src, wOffset, hOffset, dst, dpitch, kind, false, {true, stream}};
    return rectangle(&t, width, height);
}

// --- between arrays ---

static cudaError_t between(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src, size_t src_x,
                           size_t src_y, size_t width, size_t height)
{
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcArray = (CUarray)(uintptr_t)src,
                       .srcXInBytes = src_x,
                       .srcY = src_y,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = (CUarray)dst,
                       .dstXInBytes = dst_x,
                       .dstY = dst_y,
                       .WidthInBytes = width,
                       .Height = height};
    return rows_copy(&c, (struct rt_place){0});
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                     size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    CUmemorytype type;
    cudaError_t e = rt_enter();
    if (e || !width || !height)
        return e;
    if (!kind_memory(kind, cudaMemcpyDefault, &type))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    return between(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height);
}

// --- runs of bytes that go on in the next row ---

struct run {
    size_t row;      // bytes of a row
    size_t at, left; // from the beginning of the first row; to the end of the last
};

static cudaError_t run_begin(cudaArray_const_t array, size_t x, size_t y, size_t count, struct run *r)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    cudaError_t e = rt_result(drv.cuArray3DGetDescriptor(&d, (CUarray)(uintptr_t)array));
    if (!e)
        r->row = d.Width * rt_array_element(array, &e);
    if (e)
        return e;
    size_t height = d.Height ? d.Height : 1, size = r->row * height;
    if (y >= height || x > size || y * r->row + x > size)
        return rt_fail(cudaErrorInvalidValue);
    r->at = y * r->row + x;
    r->left = size - r->at;
    return count > r->left ? rt_fail(cudaErrorInvalidValue) : cudaSuccess;
}

// The rest of the first row, whole rows, part of a last row.
static cudaError_t run_copy(struct transfer t, size_t count)
{
    struct run r;
    cudaError_t e = rt_enter();
    if (e || !count)
        return e;
    e = run_begin(t.array, t.x, t.y, count, &r);
    while (count && !e) {
        t.x = r.at % r.row;
        t.y = r.at / r.row;
        bool part = t.x || count < r.row;
        size_t width = !part ? r.row : count < r.row - t.x ? count : r.row - t.x, height = part ? 1 : count / r.row;
        t.pitch = width;
        e = transfer_rows(&t, width, height);
        t.memory += width * height;
        r.at += width * height;
        count -= width * height;
    }
    return e;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    return run_copy((struct transfer){dst, wOffset, hOffset, writable(src), 0, kind, true, {0}}, count);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run_copy((struct transfer){dst, wOffset, hOffset, writable(src), 0, kind, true, {true, stream}}, count);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                enum cudaMemcpyKind kind)
{
    return run_copy((struct transfer){src, wOffset, hOffset, dst, 0, kind, false, {0}}, count);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run_copy((struct transfer){src, wOffset, hOffset, dst, 0, kind, false, {true, stream}}, count);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc, size_t count, enum cudaMemcpyKind kind)
{
    struct run to, from;
    CUmemorytype type;
    cudaError_t e = rt_enter();
    if (e || !count)
        return e;
    if (!kind_memory(kind, cudaMemcpyDefault, &type))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    e = run_begin(dst, wOffsetDst, hOffsetDst, count, &to);
    if (!e)
        e = run_begin(src, wOffsetSrc, hOffsetSrc, count, &from);
    while (count && !e) { // what neither array breaks, and whole rows where both are as wide
        size_t dst_x = to.at % to.row, src_x = from.at % from.row, height = 1;
        size_t width = to.row - dst_x < from.row - src_x ? to.row - dst_x : from.row - src_x;
        width = width < count ? width : count;
        if (!dst_x && !src_x && to.row == from.row && count >= to.row)
            height = count / to.row;
        e = between(dst, dst_x, to.at / to.row, src, src_x, from.at / from.row, width, height);
        to.at += width * height;
        from.at += width * height;
        count -= width * height;
    }
    return e;
}

// --- batches ---

_Static_assert(sizeof(struct cudaMemcpy3DBatchOp) == sizeof(CUDA_MEMCPY3D_BATCH_OP), "batches");
_Static_assert(offsetof(struct cudaMemcpy3DBatchOp, flags) == offsetof(CUDA_MEMCPY3D_BATCH_OP, flags), "batches");

cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long long flags,
                                   cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMemcpy3DBatchAsync(numOps, (CUDA_MEMCPY3D_BATCH_OP *)opList, flags, (CUstream)stream));
}
