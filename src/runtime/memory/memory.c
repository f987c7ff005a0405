// SPDX-License-Identifier: Apache-2.0
// Memory: allocation on the device, pinned and managed; what an address is; hints.
#include "runtime/runtime.h"
#include <string.h>

static CUdeviceptr device_address(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    cudaError_t e = rt_enter();
    if (e)
        return e;
    if (!devPtr)
        return rt_fail(cudaErrorInvalidValue);
    *devPtr = NULL;
    return size ? rt_result(drv.cuMemAlloc((CUdeviceptr *)devPtr, size)) : cudaSuccess;
}

cudaError_t cudaFree(void *devPtr)
{
    cudaError_t e = rt_enter();
    return e || !devPtr ? e : rt_result(drv.cuMemFree(device_address(devPtr)));
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    cudaError_t e = rt_enter();
    if (e)
        return e;
    if (!devPtr || !size || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return rt_fail(cudaErrorInvalidValue);
    return rt_result(drv.cuMemAllocManaged((CUdeviceptr *)devPtr, size, flags));
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    cudaError_t e = rt_enter();
    if (e)
        return e;
    if (!devPtr || !pitch)
        return rt_fail(cudaErrorInvalidValue);
    *devPtr = NULL;
    *pitch = 0;
    return width && height ? rt_result(drv.cuMemAllocPitch((CUdeviceptr *)devPtr, pitch, width, height, 4))
                           : cudaSuccess;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)
{
    size_t rows;
    if (!pitchedDevPtr)
        return rt_fail(cudaErrorInvalidValue);
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return rt_fail(cudaErrorMemoryAllocation);
    pitchedDevPtr->xsize = extent.width;
    pitchedDevPtr->ysize = extent.height;
    return cudaMallocPitch(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width, rows);
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    cudaError_t e = rt_enter();
    if (e)
        return e;
    if (!pHost || flags & ~7u)
        return rt_fail(cudaErrorInvalidValue);
    *pHost = NULL;
    return size ? rt_result(drv.cuMemHostAlloc(pHost, size, flags)) : cudaSuccess;
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return cudaHostAlloc(ptr, size, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *ptr)
{
    cudaError_t e = rt_enter();
    return e || !ptr ? e : rt_result(drv.cuMemFreeHost(ptr));
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuMemHostRegister(ptr, size, flags));
}

cudaError_t cudaHostUnregister(void *ptr)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuMemHostUnregister(ptr));
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuMemHostGetDevicePointer((CUdeviceptr *)pDevice, pHost, flags));
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuMemHostGetFlags(pFlags, pHost));
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuMemGetInfo(free, total));
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    if (!attributes)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (e)
        return e;
    unsigned type = 0, managed = 0;
    int device = cudaInvalidDeviceId;
    CUdeviceptr device_pointer = 0;
    void *host_pointer = NULL;
    CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *values[] = {&type, &managed, &device, &device_pointer, &host_pointer};
    memset(attributes, 0, sizeof *attributes);
    attributes->device = cudaInvalidDeviceId;
    CUresult r = drv.cuPointerGetAttributes(5, names, values, device_address(ptr));
    if (r)
        return rt_fail_driver(r);
    // Memory that CUDA knows nothing of is not an error: it is plain host memory.
    if (managed)
        attributes->type = cudaMemoryTypeManaged;
    else if (type == CU_MEMORYTYPE_HOST)
        attributes->type = cudaMemoryTypeHost;
    else if (type == CU_MEMORYTYPE_DEVICE)
        attributes->type = cudaMemoryTypeDevice;
    else
        attributes->type = cudaMemoryTypeUnregistered;
    if (attributes->type == cudaMemoryTypeUnregistered) {
        attributes->hostPointer = (void *)(uintptr_t)ptr;
        return cudaSuccess;
    }
    attributes->device = device;
    attributes->devicePointer = (void *)(uintptr_t)device_pointer;
    attributes->hostPointer = host_pointer;
    return cudaSuccess;
}

_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "locations of memory");

static CUmemLocation location_convert(struct cudaMemLocation l)
{
    return (CUmemLocation){.type = (CUmemLocationType)l.type, .id = l.id};
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMemPrefetchAsync(device_address(devPtr), count, location_convert(location), flags,
                                                (CUstream)stream));
}

_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "the runtime's locations are the driver's");

cudaError_t cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs,
                                      size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                      cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMemPrefetchBatchAsync((CUdeviceptr *)dptrs, sizes, count, (CUmemLocation *)prefetchLocs,
                                                     prefetchLocIdxs, numPrefetchLocs, flags, (CUstream)stream));
}

cudaError_t cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuMemDiscardBatchAsync((CUdeviceptr *)dptrs, sizes, count, flags, (CUstream)stream));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMemDiscardAndPrefetchBatchAsync((CUdeviceptr *)dptrs, sizes, count,
                                                               (CUmemLocation *)prefetchLocs, prefetchLocIdxs,
                                                               numPrefetchLocs, flags, (CUstream)stream));
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(
                   drv.cuMemAdvise(device_address(devPtr), count, (CUmem_advise)advice, location_convert(location)));
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                     const void *devPtr, size_t count)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMemRangeGetAttribute(data, dataSize, (CUmem_range_attribute)attribute,
                                                    device_address(devPtr), count));
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                      size_t numAttributes, const void *devPtr, size_t count)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMemRangeGetAttributes(data, dataSizes, (CUmem_range_attribute *)attributes,
                                                     numAttributes, device_address(devPtr), count));
}
