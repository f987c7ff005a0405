// SPDX-License-Identifier: Apache-2.0
// Memory, pools and events shared with other processes, in the driver's terms.
#include "runtime/runtime.h"
#include <string.h>

_Static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(CUipcMemHandle), "handles");
_Static_assert(sizeof(cudaIpcEventHandle_t) == sizeof(CUipcEventHandle), "handles");

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuIpcGetMemHandle((CUipcMemHandle *)handle, (CUdeviceptr)(uintptr_t)devPtr));
}

cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags)
{
    CUipcMemHandle h;
    CUdeviceptr p;
    if (!devPtr)
        return rt_fail(cudaErrorInvalidValue);
    memcpy(&h, &handle, sizeof h);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuIpcOpenMemHandle(&p, h, flags));
    if (!e)
        *devPtr = (void *)(uintptr_t)p;
    return e;
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuIpcCloseMemHandle((CUdeviceptr)(uintptr_t)devPtr));
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuIpcGetEventHandle((CUipcEventHandle *)handle, (CUevent)event));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    CUipcEventHandle h;
    memcpy(&h, &handle, sizeof h);
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuIpcOpenEventHandle((CUevent *)event, h));
}

_Static_assert(sizeof(struct cudaMemPoolPtrExportData) == sizeof(CUmemPoolPtrExportData), "handles");

cudaError_t cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                               enum cudaMemAllocationHandleType handleType, unsigned int flags)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuMemPoolExportToShareableHandle(shareableHandle, (CUmemoryPool)memPool,
                                                              (CUmemAllocationHandleType)handleType, flags));
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
                                                 enum cudaMemAllocationHandleType handleType, unsigned int flags)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuMemPoolImportFromShareableHandle((CUmemoryPool *)memPool, shareableHandle,
                                                                (CUmemAllocationHandleType)handleType, flags));
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMemPoolExportPointer((CUmemPoolPtrExportData *)exportData, (CUdeviceptr)(uintptr_t)ptr));
}

cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool, struct cudaMemPoolPtrExportData *exportData)
{
    CUdeviceptr p;
    if (!ptr)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuMemPoolImportPointer(&p, (CUmemoryPool)memPool, (CUmemPoolPtrExportData *)exportData));
    if (!e)
        *ptr = (void *)(uintptr_t)p;
    return e;
}
