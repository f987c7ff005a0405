// SPDX-License-Identifier: Apache-2.0
// What device code may call of the runtime interface: dynamic parallelism, conditional nodes of graphs, overlapping kernels.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#include "host_defines.h"
#include "builtin_types.h"
#if defined(__cplusplus) && defined(__CUDACC__)
// Every driver has it: what a handle means is its own affair.
#if defined(__DEVICE_EMULATION__)
static __inline__ __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value)
{
    *(volatile unsigned int *)handle = value;
}
#else
extern "C" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
#endif
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
// Launches from kernels and the runtime interface in them: heddle/device_runtime.h. Emulated kernels are host code.
#if !defined(__DEVICE_EMULATION__)
#include "heddle/device_runtime.h"
#endif
#endif
#endif
