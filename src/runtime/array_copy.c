// Copies that name an array: each becomes a box of rows, or, in the older calls that count bytes along the rows of an
// array, up to three boxes.
#include "runtime/runtime.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static cudaError_t box(const struct cudaMemcpy3DParms *p, struct rt_place where)
{
    return where.async ? cudaMemcpy3DAsync(p, where.stream) : cudaMemcpy3D(p);
}

// width and x in bytes; the box wants elements.
static cudaError_t array_units(cudaArray_const_t array, size_t *x, size_t *width)
{
    cudaError_t e = rt_enter();
    size_t element = e ? 0 : rt_array_element(array, &e);
    if (e)
        return e;
    if (*x % element || *width % element)
        return rt_fail(cudaErrorInvalidValue);
    *x /= element;
    *width /= element;
    return cudaSuccess;
}

static cudaError_t rows_to(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                           size_t height, enum cudaMemcpyKind kind, struct rt_place where)
{
    size_t bytes = width;
    if (pitch < width)
        return rt_fail(cudaErrorInvalidPitchValue);
    cudaError_t e = array_units(dst, &x, &width);
    if (e || !bytes || !height)
        return e;
    struct cudaMemcpy3DParms p = {.srcPtr = {(void *)(uintptr_t)src, pitch, bytes, height},
                                  .dstArray = dst,
                                  .dstPos = {x, y, 0},
                                  .extent = {width, height, 1},
                                  .kind = kind};
    return box(&p, where);
}

static cudaError_t rows_from(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                             size_t height, enum cudaMemcpyKind kind, struct rt_place where)
{
    size_t bytes = width;
    if (pitch < width)
        return rt_fail(cudaErrorInvalidPitchValue);
    cudaError_t e = array_units(src, &x, &width);
    if (e || !bytes || !height)
        return e;
    struct cudaMemcpy3DParms p = {.srcArray = (cudaArray_t)(uintptr_t)src,
                                  .srcPos = {x, y, 0},
                                  .dstPtr = {dst, pitch, bytes, height},
                                  .extent = {width, height, 1},
                                  .kind = kind};
    return box(&p, where);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return rows_to(dst, wOffset, hOffset, src, spitch, width, height, kind, (struct rt_place){0});
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rows_to(dst, wOffset, hOffset, src, spitch, width, height, kind, (struct rt_place){true, stream});
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                  size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return rows_from(dst, dpitch, src, wOffset, hOffset, width, height, kind, (struct rt_place){0});
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rows_from(dst, dpitch, src, wOffset, hOffset, width, height, kind, (struct rt_place){true, stream});
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                     size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    size_t again = width;
    cudaError_t e = array_units(src, &wOffsetSrc, &width);
    if (!e)
        e = array_units(dst, &wOffsetDst, &again);
    if (e || !width || !height)
        return e;
    struct cudaMemcpy3DParms p = {.srcArray = (cudaArray_t)(uintptr_t)src,
                                  .srcPos = {wOffsetSrc, hOffsetSrc, 0},
                                  .dstArray = dst,
                                  .dstPos = {wOffsetDst, hOffsetDst, 0},
                                  .extent = {width, height, 1},
                                  .kind = kind};
    return cudaMemcpy3D(&p);
}

// count bytes from (x, y) on, running over into the next rows: the rest of the first row, whole rows, part of a last
// row.
static cudaError_t run_copy(cudaArray_t array, size_t x, size_t y, char *memory, size_t count, enum cudaMemcpyKind kind,
                            bool to_array, struct rt_place where)
{
    struct cudaExtent extent;
    cudaError_t e = cudaArrayGetInfo(NULL, &extent, NULL, array);
    size_t element = e ? 0 : rt_array_element(array, &e);
    if (e)
        return e;
    size_t row = extent.width * element;
    while (count && !e) {
        size_t width = x || count < row ? (count < row - x ? count : row - x) : row;
        size_t height = x || count < row ? 1 : count / row;
        e = to_array ? rows_to(array, x, y, memory, width, width, height, kind, where)
                     : rows_from(memory, width, array, x, y, width, height, kind, where);
        memory += width * height;
        count -= width * height;
        y += height;
        x = 0;
    }
    return e;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    return run_copy(dst, wOffset, hOffset, (char *)(uintptr_t)src, count, kind, true, (struct rt_place){0});
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run_copy(dst, wOffset, hOffset, (char *)(uintptr_t)src, count, kind, true, (struct rt_place){true, stream});
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                enum cudaMemcpyKind kind)
{
    return run_copy((cudaArray_t)(uintptr_t)src, wOffset, hOffset, dst, count, kind, false, (struct rt_place){0});
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run_copy((cudaArray_t)(uintptr_t)src, wOffset, hOffset, dst, count, kind, false,
                    (struct rt_place){true, stream});
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc, size_t count, enum cudaMemcpyKind kind)
{
    // Differs from CUDA: a run that does not end within its row is refused, rather than wrapped in both arrays.
    return cudaMemcpy2DArrayToArray(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, count, 1, kind);
}
