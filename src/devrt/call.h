// SPDX-License-Identifier: Apache-2.0
// What the driver of a GPU offers to device code that launches kernels: functions without a body that it resolves when a
// module is loaded, as it does for vprintf and malloc. Answers are numbers of its own.
#ifndef HEDDLE_DEVRT_CALL_H
#define HEDDLE_DEVRT_CALL_H
#include <cuda_runtime.h>

extern "C" {
__device__ int __cuda_syscall_cnpv2GetLastError(); // of the thread; it stays
__device__ int __cuda_syscall_cnpv2SetLastError(int error);
__device__ int __cuda_syscall_cnpv2GetDevice(void *device);
__device__ int __cuda_syscall_cnpv2GetDeviceCount(void *count);
__device__ int __cuda_syscall_cnpv2DeviceGetAttribute(void *value, int attribute, int device);
__device__ int __cuda_syscall_cnpv2GetLimit(void *value, int limit);
__device__ int __cuda_syscall_cnpv2GetCacheConfig(void *config);
__device__ int __cuda_syscall_cnpv2GetSharedMemConfig(void *config);
__device__ int __cuda_syscall_cnpv2FuncGetAttribute(void *value, int attribute, const void *func);
__device__ int __cuda_syscall_cnpv2MaxActiveBlocksPerMultiprocessor(void *blocks, const void *func, int size,
                                                                    size_t shared);
__device__ int __cuda_syscall_cnpv2MaxActiveBlocksPerMultiprocessorWithFlags(void *blocks, const void *func, int size,
                                                                             size_t shared, int flags);
__device__ int __cuda_syscall_cnpv2StreamCreate(void *stream, int flags);
__device__ int __cuda_syscall_cnpv2StreamDestroy(void *stream);
__device__ int __cuda_syscall_cnpv2StreamWaitEvent(void *stream, void *event, int flags);
__device__ int __cuda_syscall_cnpv2EventCreate(void *event, int flags);
__device__ int __cuda_syscall_cnpv2EventRecord(void *event, void *stream);
__device__ int __cuda_syscall_cnpv2EventDestroy(void *event);
__device__ void *__cuda_syscall_cnpv2GetParameterBufferV2(const void *func, dim3 grid, dim3 block, int shared);
__device__ int __cuda_syscall_cnpv2LaunchDeviceV2(void *buffer, void *stream);
}
#define CALL(name) __cuda_syscall_cnpv2##name

// The error is kept as the thread's last one.
static __device__ inline cudaError_t keep(cudaError_t e)
{
    if (e != cudaSuccess)
        CALL(SetLastError)(e);
    return e;
}
#endif
