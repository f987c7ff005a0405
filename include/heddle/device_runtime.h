// SPDX-License-Identifier: Apache-2.0
// Dynamic parallelism: the runtime interface as kernels call it. Each function is one that the device runtime answers under
// the name __cudaCDP2...; `f<<<...>>>(...)` in device code becomes cudaGetParameterBuffer and cudaLaunchDevice.
//
// A name that both sides have is an overload: device code sees these, host code those of cuda_runtime_api.h.
#ifndef __HEDDLE_DEVICE_RUNTIME_H__
#define __HEDDLE_DEVICE_RUNTIME_H__

#define cudaStreamGraphTailLaunch             ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget          ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)
// After the grid and all that it has launched; at once, in no order with anything.
#define cudaStreamTailLaunch    ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

// NAME(parameters) calls __cudaCDP2NAME(arguments).
#define __HEDDLE_CDP(type, name, parameters, arguments)                                                                \
    extern "C" __device__ type __cudaCDP2##name parameters;                                                            \
    static __inline__ __device__ type cuda##name parameters                                                            \
    {                                                                                                                  \
        return __cudaCDP2##name arguments;                                                                             \
    }
// The same, with a form for one default stream a thread: in a kernel both mean the block's own.
#define __HEDDLE_CDP_STREAM(type, name, parameters, arguments)                                                         \
    __HEDDLE_CDP(type, name, parameters, arguments)                                                                    \
    static __inline__ __device__ type cuda##name##_ptsz parameters                                                     \
    {                                                                                                                  \
        return __cudaCDP2##name arguments;                                                                             \
    }

__HEDDLE_CDP(cudaError_t, DeviceGetAttribute, (int *value, enum cudaDeviceAttr attr, int device), (value, attr, device))
__HEDDLE_CDP(cudaError_t, DeviceGetLimit, (size_t *value, enum cudaLimit __limit), (value, __limit))
__HEDDLE_CDP(cudaError_t, DeviceGetCacheConfig, (enum cudaFuncCache * config), (config))
__HEDDLE_CDP(cudaError_t, DeviceGetSharedMemConfig, (enum cudaSharedMemConfig * config), (config))
__HEDDLE_CDP(cudaError_t, GetLastError, (), ())
__HEDDLE_CDP(cudaError_t, PeekAtLastError, (), ())
__HEDDLE_CDP(const char *, GetErrorString, (cudaError_t error), (error))
__HEDDLE_CDP(const char *, GetErrorName, (cudaError_t error), (error))
__HEDDLE_CDP(cudaError_t, GetDeviceCount, (int *count), (count))
__HEDDLE_CDP(cudaError_t, GetDevice, (int *device), (device))
__HEDDLE_CDP(cudaError_t, RuntimeGetVersion, (int *version), (version))
__HEDDLE_CDP(cudaError_t, StreamCreateWithFlags, (cudaStream_t * stream, unsigned int flags), (stream, flags))
__HEDDLE_CDP(cudaError_t, StreamDestroy, (cudaStream_t stream), (stream))
__HEDDLE_CDP_STREAM(cudaError_t, StreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned int flags),
                    (stream, event, flags))
__HEDDLE_CDP(cudaError_t, EventCreateWithFlags, (cudaEvent_t * event, unsigned int flags), (event, flags))
__HEDDLE_CDP_STREAM(cudaError_t, EventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
__HEDDLE_CDP_STREAM(cudaError_t, EventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned int flags),
                    (event, stream, flags))
__HEDDLE_CDP(cudaError_t, EventDestroy, (cudaEvent_t event), (event))
__HEDDLE_CDP(cudaError_t, FuncGetAttributes, (struct cudaFuncAttributes * attributes, const void *func),
             (attributes, func))
__HEDDLE_CDP(cudaError_t, Malloc, (void **pointer, size_t size), (pointer, size))
__HEDDLE_CDP(cudaError_t, Free, (void *pointer), (pointer))
__HEDDLE_CDP_STREAM(cudaError_t, MemcpyAsync,
                    (void *__to, const void *from, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream),
                    (__to, from, count, kind, stream))
__HEDDLE_CDP_STREAM(cudaError_t, Memcpy2DAsync,
                    (void *__to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                     enum cudaMemcpyKind kind, cudaStream_t stream),
                    (__to, to_pitch, from, from_pitch, width, height, kind, stream))
__HEDDLE_CDP_STREAM(cudaError_t, Memcpy3DAsync, (const struct cudaMemcpy3DParms *copy, cudaStream_t stream),
                    (copy, stream))
__HEDDLE_CDP_STREAM(cudaError_t, MemsetAsync, (void *__to, int value, size_t count, cudaStream_t stream),
                    (__to, value, count, stream))
__HEDDLE_CDP_STREAM(cudaError_t, Memset2DAsync,
                    (void *__to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
                    (__to, pitch, value, width, height, stream))
__HEDDLE_CDP_STREAM(cudaError_t, Memset3DAsync,
                    (struct cudaPitchedPtr __to, int value, struct cudaExtent extent, cudaStream_t stream),
                    (__to, value, extent, stream))
__HEDDLE_CDP(cudaError_t, OccupancyMaxActiveBlocksPerMultiprocessor,
             (int *blocks, const void *func, int block_size, size_t shared), (blocks, func, block_size, shared))
__HEDDLE_CDP(cudaError_t, OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
             (int *blocks, const void *func, int block_size, size_t shared, unsigned int flags),
             (blocks, func, block_size, shared, flags))

// A launch by hand: memory for the arguments, each at its place, and then the launch itself. The second form knows the
// kernel from the beginning.
__HEDDLE_CDP(void *, GetParameterBuffer, (size_t alignment, size_t size), (alignment, size))
__HEDDLE_CDP(void *, GetParameterBufferV2, (void *func, dim3 __grid, dim3 block, unsigned int shared),
             (func, __grid, block, shared))
__HEDDLE_CDP_STREAM(cudaError_t, LaunchDevice,
                    (void *func, void *__buffer, dim3 __grid, dim3 block, unsigned int shared, cudaStream_t stream),
                    (func, __buffer, __grid, block, shared, stream))
__HEDDLE_CDP_STREAM(cudaError_t, LaunchDeviceV2, (void *__buffer, cudaStream_t stream), (__buffer, stream))

#undef __HEDDLE_CDP
#undef __HEDDLE_CDP_STREAM

// Waiting for children was the first form of dynamic parallelism (CDP1), and is asked for by this macro for targets below 9.0.
extern "C" __device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();
#if defined(CUDA_FORCE_CDP1_IF_SUPPORTED) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900)
static __inline__ __device__ cudaError_t cudaDeviceSynchronize()
{
    return __cudaDeviceSynchronizeDeprecationAvoidance();
}
#endif

template <class __T> static __inline__ __device__ cudaError_t cudaMalloc(__T **pointer, size_t size)
{
    return cudaMalloc((void **)(void *)pointer, size);
}
template <class __T>
static __inline__ __device__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, __T *__entry)
{
    return cudaFuncGetAttributes(attributes, (const void *)__entry);
}
template <class __T>
static __inline__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, __T func,
                                                                                       int block_size, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, block_size, shared);
}
template <class __T>
static __inline__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, __T func,
                                                                                                int block_size,
                                                                                                size_t shared,
                                                                                                unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)func, block_size, shared,
                                                                  flags);
}
#endif
