// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation and its pools. Handles and attributes are the driver's.
#include "runtime/runtime.h"

_Static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps), "pool properties");
_Static_assert(sizeof(struct cudaMemAccessDesc) == sizeof(CUmemAccessDesc), "access descriptors");

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    cudaError_t e = rt_enter();
    if (e)
        return e;
    if (!devPtr)
        return rt_fail(cudaErrorInvalidValue);
    *devPtr = NULL;
    return size ? rt_result(drv.cuMemAllocAsync((CUdeviceptr *)devPtr, size, (CUstream)hStream)) : cudaSuccess;
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    cudaError_t e = rt_enter();
    return e || !devPtr ? e : rt_result(drv.cuMemFreeAsync((CUdeviceptr)(uintptr_t)devPtr, (CUstream)hStream));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(
                   drv.cuMemAllocFromPoolAsync((CUdeviceptr *)ptr, size, (CUmemoryPool)memPool, (CUstream)stream));
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuDeviceGetDefaultMemPool((CUmemoryPool *)memPool, device));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuDeviceGetMemPool((CUmemoryPool *)memPool, device));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuDeviceSetMemPool(device, (CUmemoryPool)memPool));
}

// Pools by place: here only devices have them.
static cudaError_t location_check(const struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
    if (!location)
        return rt_fail(cudaErrorInvalidValue);
    return rt_fail(location->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned
                       ? cudaSuccess
                       : cudaErrorNotSupported);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    cudaError_t e = location_check(location, type);
    return e ? e : cudaDeviceGetDefaultMemPool(memPool, location->id);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
    cudaError_t e = location_check(location, type);
    return e ? e : cudaDeviceGetMemPool(memPool, location->id);
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type, cudaMemPool_t memPool)
{
    cudaError_t e = location_check(location, type);
    return e ? e : cudaDeviceSetMemPool(location->id, memPool);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuMemPoolCreate((CUmemoryPool *)memPool, (const CUmemPoolProps *)poolProps));
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuMemPoolDestroy((CUmemoryPool)memPool));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuMemPoolTrimTo((CUmemoryPool)memPool, minBytesToKeep));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuMemPoolSetAttribute((CUmemoryPool)memPool, (CUmemPool_attribute)attr, value));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuMemPoolGetAttribute((CUmemoryPool)memPool, (CUmemPool_attribute)attr, value));
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList, size_t count)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuMemPoolSetAccess((CUmemoryPool)memPool, (const CUmemAccessDesc *)descList, count));
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    CUmemAccess_flags f;
    cudaError_t e = rt_init();
    if (!e)
        e = rt_result(drv.cuMemPoolGetAccess(&f, (CUmemoryPool)memPool, (CUmemLocation *)location));
    if (!e)
        *flags = (enum cudaMemAccessFlags)f;
    return e;
}
