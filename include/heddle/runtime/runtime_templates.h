// SPDX-License-Identifier: Apache-2.0
// The C++ forms of the runtime interface: typed pointers, symbols given as variables, kernels given as functions.
#ifndef HEDDLE_RUNTIME_TEMPLATES_H
#define HEDDLE_RUNTIME_TEMPLATES_H
#include "../../cuda_runtime_api.h"
#if __cplusplus >= 201103L
#include <utility>
#endif

// Launches.
template <class __T>
static __inline__ __host__ cudaError_t cudaLaunchKernel(__T *func, dim3 gridDim, dim3 blockDim, void **args,
                                                        size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaLaunchCooperativeKernel(__T *func, dim3 gridDim, dim3 blockDim, void **args,
                                                                   size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
#if __cplusplus >= 201103L
template <typename... __Expected, typename... __Actual>
static __inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                          void (*kernel)(__Expected...), __Actual &&...actual)
{
    return [&](__Expected... converted) {
        void *args[] = {(void *)&converted..., nullptr};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
    }(std::forward<__Actual>(actual)...);
}
template <typename... __Expected, typename... __Actual>
static __inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, const cudaKernel_t kernel,
                                                          __Actual &&...actual)
{
    void *args[] = {(void *)&actual..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
}
#endif
// As before CUDA 7: the configuration, the arguments one by one, the launch.
template <class __T> static __inline__ __host__ cudaError_t cudaSetupArgument(__T __arg, size_t offset)
{
    return ::cudaSetupArgument((const void *)&__arg, sizeof(__T), offset);
}
template <class __T> static __inline__ __host__ cudaError_t cudaLaunch(__T *func)
{
    return ::cudaLaunch((const void *)func);
}

// Memory.
template <class __T> static __inline__ __host__ cudaError_t cudaMalloc(__T **devPtr, size_t size)
{
    return ::cudaMalloc((void **)(void *)devPtr, size);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaMallocHost(__T **ptr, size_t size, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
static __inline__ __host__ cudaError_t cudaMallocHost(void **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc(ptr, size, flags);
}
template <class __T> static __inline__ __host__ cudaError_t cudaHostAlloc(__T **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaHostGetDevicePointer(__T **pDevice, void *pHost, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)pDevice, pHost, flags);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaMallocManaged(__T **devPtr, size_t size,
                                                         unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaMallocPitch(__T **devPtr, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}
template <class __T> static __inline__ __host__ cudaError_t cudaMallocAsync(__T **ptr, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)ptr, size, stream);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaMallocAsync(__T **ptr, size_t size, cudaMemPool_t __pool,
                                                       cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, __pool, stream);
}
static __inline__ __host__ cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t __pool,
                                                       cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(ptr, size, __pool, stream);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaMallocFromPoolAsync(__T **ptr, size_t size, cudaMemPool_t __pool,
                                                               cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, __pool, stream);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, __T *devPtr, size_t length = 0,
                                                                unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

// The forms of earlier versions of CUDA, which named a device by its number.
static __inline__ __host__ struct cudaMemLocation __heddle_location(int device)
{
    struct cudaMemLocation location;
    location.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device < 0 ? 0 : device;
    return location;
}
static __inline__ __host__ cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int device,
                                                            cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync(devPtr, count, __heddle_location(device), 0, stream);
}
static __inline__ __host__ cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise __advice,
                                                     int device)
{
    return ::cudaMemAdvise(devPtr, count, __advice, __heddle_location(device));
}

// Symbols.
template <class __T>
static __inline__ __host__ cudaError_t cudaMemcpyToSymbol(const __T &__symbol, const void *src, size_t count,
                                                          size_t offset = 0,
                                                          enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&__symbol, src, count, offset, kind);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaMemcpyToSymbolAsync(const __T &__symbol, const void *src, size_t count,
                                                               size_t offset = 0,
                                                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                               cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&__symbol, src, count, offset, kind, stream);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaMemcpyFromSymbol(void *dst, const __T &__symbol, size_t count,
                                                            size_t offset = 0,
                                                            enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(dst, (const void *)&__symbol, count, offset, kind);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const __T &__symbol, size_t count,
                                                                 size_t offset = 0,
                                                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                                 cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&__symbol, count, offset, kind, stream);
}
template <class __T> static __inline__ __host__ cudaError_t cudaGetSymbolAddress(void **devPtr, const __T &__symbol)
{
    return ::cudaGetSymbolAddress(devPtr, (const void *)&__symbol);
}
#if !defined(__DEVICE_EMULATION__) // where the type tells
template <class __T> static __inline__ __host__ cudaError_t cudaGetSymbolSize(size_t *size, const __T &__symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&__symbol);
}
#endif

// Functions.
template <class __T> static __inline__ __host__ cudaError_t cudaFuncSetCacheConfig(__T *func, enum cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)func, config);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaFuncSetSharedMemConfig(__T *func, enum cudaSharedMemConfig config)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
#pragma GCC diagnostic pop
}
template <class __T>
static __inline__ __host__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, __T *func)
{
    return ::cudaFuncGetAttributes(attr, (const void *)func);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaFuncSetAttribute(__T *func, enum cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class __T> static __inline__ __host__ cudaError_t cudaFuncGetName(const char **name, __T *func)
{
    return ::cudaFuncGetName(name, (const void *)func);
}
template <class __T> static __inline__ __host__ cudaError_t cudaGetKernel(cudaKernel_t *kernel, __T *func)
{
    return ::cudaGetKernel(kernel, (const void *)func);
}
template <class __T> static __inline__ __host__ cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, __T *func)
{
    return ::cudaGetFuncBySymbol(function, (const void *)func);
}

// Events and graphs.
static __inline__ __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}
static __inline__ __host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__exec, cudaGraph_t graph,
                                                            cudaGraphNode_t *errorNode, char *log, size_t size)
{
    (void)errorNode;
    if (log && size)
        log[0] = 0;
    return ::cudaGraphInstantiate(__exec, graph, 0);
}

static __inline__ __host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t graph,
                                                           cudaGraphNode_t *errorNode,
                                                           enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t __e = ::cudaGraphExecUpdate(__exec, graph, &info);
    if (errorNode)
        *errorNode = info.errorNode;
    if (result)
        *result = info.result;
    return __e;
}

#include "occupancy_templates.h"
#include "graph_templates.h"
#endif
