// SPDX-License-Identifier: Apache-2.0
// Fills: bytes, rows of a pitch, boxes.
#include "runtime/runtime.h"

static cudaError_t rows_fill(void *p, size_t pitch, int value, size_t width, size_t height, struct rt_place where)
{
    CUdeviceptr d = (CUdeviceptr)(uintptr_t)p;
    unsigned char byte = (unsigned char)value;
    cudaError_t e = rt_enter();
    if (e || !width || !height)
        return e;
    if (height > 1 && pitch < width)
        return rt_fail(cudaErrorInvalidValue);
    size_t bytes;
    if (height == 1 || pitch == width) {
        if (__builtin_mul_overflow(width, height, &bytes))
            return rt_fail(cudaErrorInvalidValue);
        return rt_result(where.async ? drv.cuMemsetD8Async(d, byte, bytes, (CUstream)where.stream)
                                     : drv.cuMemsetD8(d, byte, bytes));
    }
    return rt_result(where.async ? drv.cuMemsetD2D8Async(d, pitch, byte, width, height, (CUstream)where.stream)
                                 : drv.cuMemsetD2D8(d, pitch, byte, width, height));
}

static cudaError_t box_fill(struct cudaPitchedPtr p, int value, struct cudaExtent extent, struct rt_place where)
{
    size_t rows, slice, all;
    bool some = extent.width && extent.height && extent.depth;
    if (some && (p.ysize < extent.height || __builtin_mul_overflow(extent.height, extent.depth, &rows) ||
                 (extent.depth > 1 && (__builtin_mul_overflow(p.pitch, p.ysize, &slice) ||
                                       __builtin_mul_overflow(slice, extent.depth - 1, &all)))))
        return rt_fail(cudaErrorInvalidValue);
    // Slices that follow each other without a gap are one block of rows.
    if (extent.height == p.ysize || extent.depth <= 1)
        return rows_fill(p.ptr, p.pitch, value, extent.width, extent.height * extent.depth, where);
    for (size_t z = 0; z < extent.depth; z++) {
        cudaError_t e =
            rows_fill((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, extent.width, extent.height, where);
        if (e)
            return e;
    }
    return rt_enter();
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    return rows_fill(devPtr, count, value, count, 1, (struct rt_place){0});
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    return rows_fill(devPtr, count, value, count, 1, (struct rt_place){true, stream});
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    return rows_fill(devPtr, pitch, value, width, height, (struct rt_place){0});
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    return rows_fill(devPtr, pitch, value, width, height, (struct rt_place){true, stream});
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent)
{
    return box_fill(pitchedDevPtr, value, extent, (struct rt_place){0});
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    return box_fill(pitchedDevPtr, value, extent, (struct rt_place){true, stream});
}
