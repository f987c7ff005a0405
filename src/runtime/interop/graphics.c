// SPDX-License-Identifier: Apache-2.0
// Graphics resources and OpenGL, in the driver's terms. OpenGL's numbers are unsigned here, as cuda_gl_interop.h has them.
#include "runtime/runtime.h"

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGraphicsUnregisterResource((CUgraphicsResource)resource));
}

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGraphicsResourceSetMapFlags((CUgraphicsResource)resource, flags));
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    if (!e && count < 0)
        return rt_fail(cudaErrorInvalidValue);
    return e ? e
             : rt_result(
                   drv.cuGraphicsMapResources((unsigned)count, (CUgraphicsResource *)resources, (CUstream)stream));
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    if (!e && count < 0)
        return rt_fail(cudaErrorInvalidValue);
    return e ? e
             : rt_result(
                   drv.cuGraphicsUnmapResources((unsigned)count, (CUgraphicsResource *)resources, (CUstream)stream));
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size, cudaGraphicsResource_t resource)
{
    CUdeviceptr p = 0;
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuGraphicsResourceGetMappedPointer(&p, size, (CUgraphicsResource)resource));
    if (!e && devPtr)
        *devPtr = (void *)(uintptr_t)p;
    return e;
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource,
                                                  unsigned int arrayIndex, unsigned int mipLevel)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphicsSubResourceGetMappedArray((CUarray *)array, (CUgraphicsResource)resource,
                                                                 arrayIndex, mipLevel));
}

cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                                        cudaGraphicsResource_t resource)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphicsResourceGetMappedMipmappedArray((CUmipmappedArray *)mipmappedArray,
                                                                       (CUgraphicsResource)resource));
}

cudaError_t cudaGLGetDevices(unsigned int *pCudaDeviceCount, int *pCudaDevices, unsigned int cudaDeviceCount,
                             enum cudaGLDeviceList deviceList)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(
                   drv.cuGLGetDevices_v2(pCudaDeviceCount, pCudaDevices, cudaDeviceCount, (CUGLDeviceList)deviceList));
}

cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource, unsigned int image, unsigned int target,
                                        unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGraphicsGLRegisterImage((CUgraphicsResource *)resource, image, target, flags));
}

cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, unsigned int buffer,
                                         unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGraphicsGLRegisterBuffer((CUgraphicsResource *)resource, buffer, flags));
}

// Any device may be used with OpenGL since CUDA 5: this only makes it the current one.
cudaError_t cudaGLSetGLDevice(int device)
{
    return cudaSetDevice(device);
}

cudaError_t cudaGLRegisterBufferObject(unsigned int bufObj)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGLRegisterBufferObject(bufObj));
}

cudaError_t cudaGLMapBufferObject(void **devPtr, unsigned int bufObj)
{
    return cudaGLMapBufferObjectAsync(devPtr, bufObj, cudaStreamLegacy);
}

cudaError_t cudaGLMapBufferObjectAsync(void **devPtr, unsigned int bufObj, cudaStream_t stream)
{
    CUdeviceptr p = 0;
    size_t size;
    cudaError_t e = rt_enter();
    if (!e && !devPtr)
        return rt_fail(cudaErrorInvalidValue);
    if (!e)
        e = rt_result(drv.cuGLMapBufferObjectAsync_v2(&p, &size, bufObj, (CUstream)stream));
    if (!e)
        *devPtr = (void *)(uintptr_t)p;
    return e;
}

cudaError_t cudaGLUnmapBufferObject(unsigned int bufObj)
{
    return cudaGLUnmapBufferObjectAsync(bufObj, cudaStreamLegacy);
}

cudaError_t cudaGLUnmapBufferObjectAsync(unsigned int bufObj, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGLUnmapBufferObjectAsync(bufObj, (CUstream)stream));
}

cudaError_t cudaGLUnregisterBufferObject(unsigned int bufObj)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGLUnregisterBufferObject(bufObj));
}

cudaError_t cudaGLSetBufferObjectMapFlags(unsigned int bufObj, unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGLSetBufferObjectMapFlags(bufObj, flags));
}
