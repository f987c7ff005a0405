// What device code may call of the runtime interface. Launching kernels from kernels is not supported; conditional nodes of
// graphs are set here.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#include "host_defines.h"
#include "builtin_types.h"
#if defined(__cplusplus) && defined(__CUDACC__)
// The handle is the address of the word that the node reads.
static __inline__ __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value)
{
    *(volatile unsigned int *)handle = value;
}
// Kernels of one stream that may overlap: what came before is waited for, the next one may begin.
static __inline__ __device__ void cudaGridDependencySynchronize()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __asm__ __volatile__("griddepcontrol.wait;" : : : "memory");
#endif
}
static __inline__ __device__ void cudaTriggerProgrammaticLaunchCompletion()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __asm__ __volatile__("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}
// Launches from kernels, as libraries write them out: refused.
static __inline__ __device__ void *cudaGetParameterBuffer(size_t, size_t)
{
    return 0;
}
static __inline__ __device__ void *cudaGetParameterBufferV2(void *, dim3, dim3, unsigned int)
{
    return 0;
}
static __inline__ __device__ cudaError_t cudaLaunchDevice(void *, void *, dim3, dim3, unsigned int, cudaStream_t)
{
    return cudaErrorNotSupported;
}
static __inline__ __device__ cudaError_t cudaLaunchDeviceV2(void *, cudaStream_t)
{
    return cudaErrorNotSupported;
}
static __inline__ __device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance()
{
    return cudaErrorNotSupported;
}
#endif
#endif
