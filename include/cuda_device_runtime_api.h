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
#endif
#endif
