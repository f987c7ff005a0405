// SPDX-License-Identifier: Apache-2.0
// Copies: linear, between rows of two pitches, and of boxes; from and to pointers and arrays.
//
// Everything with rows is one box (struct cudaMemcpy3DParms) in the end, which is the driver's CUDA_MEMCPY3D in other
// words. The direction says which side is host memory; with cudaMemcpyDefault the driver finds out from the addresses.
#include "runtime/emulate/emulate.h"
#include "runtime/runtime.h"
#include <string.h>

static CUdeviceptr device_address(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

static bool kind_is_known(enum cudaMemcpyKind kind)
{
    return (unsigned)kind <= cudaMemcpyDefault;
}

static CUmemorytype kind_source(enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDefault)
        return CU_MEMORYTYPE_UNIFIED;
    return kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static CUmemorytype kind_target(enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDefault)
        return CU_MEMORYTYPE_UNIFIED;
    return kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

// In emulation variables of the device are variables of the program: the driver finds out what a pointer is.
static enum cudaMemcpyKind kind_meant(enum cudaMemcpyKind kind)
{
    return emulate_is_on() && kind_is_known(kind) ? cudaMemcpyDefault : kind;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    cudaError_t e = rt_enter();
    if (e || !count)
        return e;
    switch (kind_meant(kind)) {
    case cudaMemcpyHostToDevice:
        return rt_result(drv.cuMemcpyHtoD(device_address(dst), src, count));
    case cudaMemcpyDeviceToHost:
        return rt_result(drv.cuMemcpyDtoH(dst, device_address(src), count));
    case cudaMemcpyDeviceToDevice:
        return rt_result(drv.cuMemcpyDtoD(device_address(dst), device_address(src), count));
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return rt_result(drv.cuMemcpy(device_address(dst), device_address(src), count));
    }
    return rt_fail(cudaErrorInvalidMemcpyDirection);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    CUstream s = (CUstream)stream;
    if (e || !count)
        return e;
    switch (kind_meant(kind)) {
    case cudaMemcpyHostToDevice:
        return rt_result(drv.cuMemcpyHtoDAsync(device_address(dst), src, count, s));
    case cudaMemcpyDeviceToHost:
        return rt_result(drv.cuMemcpyDtoHAsync(dst, device_address(src), count, s));
    case cudaMemcpyDeviceToDevice:
        return rt_result(drv.cuMemcpyDtoDAsync(device_address(dst), device_address(src), count, s));
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return rt_result(drv.cuMemcpyAsync(device_address(dst), device_address(src), count, s));
    }
    return rt_fail(cudaErrorInvalidMemcpyDirection);
}

_Static_assert(sizeof(struct cudaMemcpyAttributes) == sizeof(CUmemcpyAttributes), "attributes of copies");

cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                                 struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                                 cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMemcpyBatchAsync((CUdeviceptr *)(uintptr_t)dsts, (CUdeviceptr *)(uintptr_t)srcs,
                                                (size_t *)(uintptr_t)sizes, count, (CUmemcpyAttributes *)attrs,
                                                attrsIdxs, numAttrs, (CUstream)stream));
}

// --- boxes ---

// Whether the rows and slices of a box lie apart on the side of a pointer, as NVIDIA's runtime asks it: the width is in elements
// where the other side is an array. Of one row nothing is asked here, of one slice not its height: the driver looks at the bytes,
// and takes 0.
static bool side_has_rows(const struct cudaExtent *e, cudaArray_const_t array, const struct cudaPitchedPtr *p)
{
    if (array || !e->width || !e->height || !e->depth)
        return true;
    return (e->depth == 1 || p->ysize >= e->height) && ((e->height == 1 && e->depth == 1) || p->pitch >= e->width);
}

cudaError_t rt_box_convert(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c)
{
    cudaError_t e = cudaSuccess;
    if (!kind_is_known(p->kind))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    if (!p->srcArray == !p->srcPtr.ptr || !p->dstArray == !p->dstPtr.ptr)
        return rt_fail(cudaErrorInvalidValue);
    size_t element = 1, other;
    if (p->srcArray)
        element = rt_array_element(p->srcArray, &e);
    if (p->dstArray && !e) {
        other = element;
        element = rt_array_element(p->dstArray, &e);
        if (!e && p->srcArray && other != element)
            return rt_fail(cudaErrorInvalidValue);
    }
    if (e)
        return e;
    size_t width, src_x, dst_x;
    if (__builtin_mul_overflow(p->extent.width, element, &width) ||
        __builtin_mul_overflow(p->srcPos.x, p->srcArray ? element : 1, &src_x) ||
        __builtin_mul_overflow(p->dstPos.x, p->dstArray ? element : 1, &dst_x))
        return rt_fail(cudaErrorInvalidValue);
    if (!side_has_rows(&p->extent, p->srcArray, &p->srcPtr) || !side_has_rows(&p->extent, p->dstArray, &p->dstPtr))
        return rt_fail(cudaErrorInvalidPitchValue);
    *c = (CUDA_MEMCPY3D){.srcXInBytes = src_x,
                         .srcY = p->srcPos.y,
                         .srcZ = p->srcPos.z,
                         .dstXInBytes = dst_x,
                         .dstY = p->dstPos.y,
                         .dstZ = p->dstPos.z,
                         .WidthInBytes = width,
                         .Height = p->extent.height,
                         .Depth = p->extent.depth};
    if (p->srcArray) {
        c->srcMemoryType = CU_MEMORYTYPE_ARRAY;
        c->srcArray = (CUarray)p->srcArray;
    } else {
        c->srcMemoryType = kind_source(p->kind);
        c->srcHost = p->srcPtr.ptr;
        c->srcDevice = device_address(p->srcPtr.ptr);
        c->srcPitch = p->srcPtr.pitch;
        c->srcHeight = p->srcPtr.ysize;
    }
    if (p->dstArray) {
        c->dstMemoryType = CU_MEMORYTYPE_ARRAY;
        c->dstArray = (CUarray)p->dstArray;
    } else {
        c->dstMemoryType = kind_target(p->kind);
        c->dstHost = p->dstPtr.ptr;
        c->dstDevice = device_address(p->dstPtr.ptr);
        c->dstPitch = p->dstPtr.pitch;
        c->dstHeight = p->dstPtr.ysize;
    }
    return cudaSuccess;
}

static struct cudaPitchedPtr side_revert(CUmemorytype type, const void *host, CUdeviceptr device, size_t pitch,
                                         size_t height)
{
    void *p = type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)host : (void *)(uintptr_t)device;
    return (struct cudaPitchedPtr){p, pitch, 0, height}; // the driver does not know how much of a row is used
}

cudaError_t rt_box_revert(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *p)
{
    cudaError_t e = cudaSuccess;
    bool from = c->srcMemoryType == CU_MEMORYTYPE_ARRAY, to = c->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    size_t element = 1;
    if (from || to)
        element = rt_array_element((cudaArray_const_t)(from ? c->srcArray : c->dstArray), &e);
    if (e)
        return e;
    *p = (struct cudaMemcpy3DParms){.srcPos = {c->srcXInBytes / (from ? element : 1), c->srcY, c->srcZ},
                                    .dstPos = {c->dstXInBytes / (to ? element : 1), c->dstY, c->dstZ},
                                    .extent = {c->WidthInBytes / element, c->Height, c->Depth},
                                    .kind = cudaMemcpyDefault};
    if (from)
        p->srcArray = (cudaArray_t)c->srcArray;
    else
        p->srcPtr = side_revert(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcPitch, c->srcHeight);
    if (to)
        p->dstArray = (cudaArray_t)c->dstArray;
    else
        p->dstPtr = side_revert(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstPitch, c->dstHeight);
    if (c->srcMemoryType != CU_MEMORYTYPE_UNIFIED && c->dstMemoryType != CU_MEMORYTYPE_UNIFIED) {
        bool source = c->srcMemoryType == CU_MEMORYTYPE_HOST, target = c->dstMemoryType == CU_MEMORYTYPE_HOST;
        p->kind = source ? (target ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                         : (target ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice);
    }
    return cudaSuccess;
}

static cudaError_t box_copy(const struct cudaMemcpy3DParms *p, struct rt_place where)
{
    CUDA_MEMCPY3D c;
    if (!p)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_box_convert(p, &c);
    if (e || !c.WidthInBytes || !c.Height || !c.Depth)
        return e;
    return rt_result(where.async ? drv.cuMemcpy3DAsync(&c, (CUstream)where.stream) : drv.cuMemcpy3D(&c));
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return box_copy(p, (struct rt_place){0});
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return box_copy(p, (struct rt_place){true, stream});
}

static cudaError_t rows_copy(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                             enum cudaMemcpyKind kind, struct rt_place where)
{
    cudaError_t e = rt_enter();
    if (e)
        return e;
    if (!kind_is_known(kind))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    if (!width || !height)
        return cudaSuccess;
    if (height > 1 && (dpitch < width || spitch < width)) // of one row the driver looks at them, and takes 0
        return rt_fail(cudaErrorInvalidPitchValue);
    CUDA_MEMCPY2D c = {.srcMemoryType = kind_source(kind),
                       .srcHost = src,
                       .srcDevice = device_address(src),
                       .srcPitch = spitch,
                       .dstMemoryType = kind_target(kind),
                       .dstHost = dst,
                       .dstDevice = device_address(dst),
                       .dstPitch = dpitch,
                       .WidthInBytes = width,
                       .Height = height};
    return rt_result(where.async ? drv.cuMemcpy2DAsync(&c, (CUstream)where.stream) : drv.cuMemcpy2DUnaligned(&c));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    return rows_copy(dst, dpitch, src, spitch, width, height, kind, (struct rt_place){0});
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rows_copy(dst, dpitch, src, spitch, width, height, kind, (struct rt_place){true, stream});
}

// --- between devices ---

static cudaError_t peer_contexts(int first, int second, CUcontext out[2])
{
    cudaError_t e = rt_device_check(first);
    if (!e)
        e = rt_device_check(second);
    if (!e)
        e = rt_enter();
    if (e)
        return e;
    CUresult r = drv.cuDevicePrimaryCtxRetain(&out[0], first);
    if (r)
        return rt_fail_driver(r);
    r = drv.cuDevicePrimaryCtxRetain(&out[1], second);
    if (r)
        drv.cuDevicePrimaryCtxRelease(first);
    return rt_result(r);
}

static cudaError_t peer_copy(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                             struct rt_place where)
{
    CUcontext c[2];
    cudaError_t e = peer_contexts(dstDevice, srcDevice, c);
    if (e)
        return e;
    CUresult r = CUDA_SUCCESS;
    if (count && where.async)
        r = drv.cuMemcpyPeerAsync(device_address(dst), c[0], device_address(src), c[1], count, (CUstream)where.stream);
    else if (count)
        r = drv.cuMemcpyPeer(device_address(dst), c[0], device_address(src), c[1], count);
    drv.cuDevicePrimaryCtxRelease(srcDevice);
    drv.cuDevicePrimaryCtxRelease(dstDevice);
    return rt_result(r);
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    return peer_copy(dst, dstDevice, src, srcDevice, count, (struct rt_place){0});
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                cudaStream_t stream)
{
    return peer_copy(dst, dstDevice, src, srcDevice, count, (struct rt_place){true, stream});
}

static cudaError_t peer_box_copy(const struct cudaMemcpy3DPeerParms *p, struct rt_place where)
{
    if (!p)
        return rt_fail(cudaErrorInvalidValue);
    struct cudaMemcpy3DParms box = {.srcArray = p->srcArray,
                                    .srcPos = p->srcPos,
                                    .srcPtr = p->srcPtr,
                                    .dstArray = p->dstArray,
                                    .dstPos = p->dstPos,
                                    .dstPtr = p->dstPtr,
                                    .extent = p->extent,
                                    .kind = cudaMemcpyDeviceToDevice};
    CUDA_MEMCPY3D c;
    CUcontext contexts[2];
    cudaError_t e = peer_contexts(p->dstDevice, p->srcDevice, contexts);
    if (e)
        return e;
    e = rt_box_convert(&box, &c);
    if (!e && c.WidthInBytes && c.Height && c.Depth) {
        CUDA_MEMCPY3D_PEER peer = {.srcXInBytes = c.srcXInBytes,
                                   .srcY = c.srcY,
                                   .srcZ = c.srcZ,
                                   .srcMemoryType = c.srcMemoryType,
                                   .srcDevice = c.srcDevice,
                                   .srcArray = c.srcArray,
                                   .srcContext = contexts[1],
                                   .srcPitch = c.srcPitch,
                                   .srcHeight = c.srcHeight,
                                   .dstXInBytes = c.dstXInBytes,
                                   .dstY = c.dstY,
                                   .dstZ = c.dstZ,
                                   .dstMemoryType = c.dstMemoryType,
                                   .dstDevice = c.dstDevice,
                                   .dstArray = c.dstArray,
                                   .dstContext = contexts[0],
                                   .dstPitch = c.dstPitch,
                                   .dstHeight = c.dstHeight,
                                   .WidthInBytes = c.WidthInBytes,
                                   .Height = c.Height,
                                   .Depth = c.Depth};
        e = rt_result(where.async ? drv.cuMemcpy3DPeerAsync(&peer, (CUstream)where.stream) : drv.cuMemcpy3DPeer(&peer));
    }
    drv.cuDevicePrimaryCtxRelease(p->srcDevice);
    drv.cuDevicePrimaryCtxRelease(p->dstDevice);
    return e;
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return peer_box_copy(p, (struct rt_place){0});
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return peer_box_copy(p, (struct rt_place){true, stream});
}

// --- symbols ---

cudaError_t rt_symbol_range(const void *symbol, size_t count, size_t offset, void **out)
{
    CUdeviceptr address;
    size_t size;
    cudaError_t e = rt_symbol(symbol, &address, &size);
    if (e)
        return e;
    if (offset > size || count > size - offset)
        return rt_fail(cudaErrorInvalidValue);
    *out = (void *)(uintptr_t)(address + offset);
    return cudaSuccess;
}

static bool kind_to_symbol(enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

static bool kind_from_symbol(enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    void *p = NULL;
    if (!kind_to_symbol(kind))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaMemcpy(p, src, count, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    void *p = NULL;
    if (!kind_to_symbol(kind))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaMemcpyAsync(p, src, count, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    void *p = NULL;
    if (!kind_from_symbol(kind))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaMemcpy(dst, p, count, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    void *p = NULL;
    if (!kind_from_symbol(kind))
        return rt_fail(cudaErrorInvalidMemcpyDirection);
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaMemcpyAsync(dst, p, count, kind, stream);
}
