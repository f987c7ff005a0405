// SPDX-License-Identifier: Apache-2.0
// The device runtime for GPUs: what __cudaCDP2... means there. Our own driver answers these names itself
// (src/driver/launch/device_runtime.c) and never looks at this code; a program with launches in kernels carries it for the drivers of
// GPUs. Those of CUDA's own library do the same with the driver's calls.
#include "call.h"

// The driver's numbers, as an H200 gave them for each way to fail.
static __device__ __noinline__ cudaError_t translated(int answer)
{
    switch (answer) {
    case 0:
        return cudaSuccess;
    case 1:
        return cudaErrorInvalidValue;
    case 3:
        return cudaErrorInvalidDevice;
    case 7: // too much shared memory
    case 8: // no such shape
        return cudaErrorInvalidConfiguration;
    case 12:
        return cudaErrorLaunchPendingCountExceeded;
    case 13:
        return cudaErrorUnsupportedLimit;
    default:
        return cudaErrorUnknown;
    }
}

static __device__ __noinline__ cudaError_t kept(int answer)
{
    return keep(translated(answer));
}

// Some answers are 32 bits wide, some 64.
template <class T> static __device__ cudaError_t answered(int answer, T *out, unsigned long long value)
{
    if (!answer)
        *out = (T)value;
    return translated(answer);
}

// What stands before the arguments of a launch whose kernel is not known yet.
struct kept_arguments {
    void *memory;
    size_t size;
};
enum { ALIGNMENT = 64, MOST = 32764 };

extern "C" {
// ---- launches
// clang's launches ask for memory before they name the kernel. The driver has such a call too, but a launch that follows it
// does not happen in the streams of tail launches and of those without an order. So the arguments are kept in memory of the
// heap until the kernel is known, with their size before them.
__device__ void *__cudaCDP2GetParameterBuffer(size_t alignment, size_t size)
{
    if (alignment > ALIGNMENT || size > MOST)
        return nullptr;
    char *memory = (char *)malloc(size + sizeof(kept_arguments) + ALIGNMENT);
    if (!memory) {
        keep(cudaErrorMemoryAllocation);
        return nullptr;
    }
    char *data = (char *)(((size_t)memory + sizeof(kept_arguments) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
    *((kept_arguments *)data - 1) = kept_arguments{memory, size};
    return data;
}

__device__ void *__cudaCDP2GetParameterBufferV2(void *func, dim3 grid, dim3 block, unsigned int shared)
{
    return CALL(GetParameterBufferV2)(func, grid, block, (int)shared);
}

__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void *buffer, cudaStream_t stream)
{
    return kept(CALL(LaunchDeviceV2)(buffer, stream));
}

__device__ cudaError_t __cudaCDP2LaunchDevice(void *func, void *buffer, dim3 grid, dim3 block, unsigned int shared,
                                              cudaStream_t stream)
{
    if (!buffer)
        return keep(cudaErrorInvalidValue);
    const kept_arguments *a = (const kept_arguments *)buffer - 1;
    void *memory = a->memory;
    char *to = (char *)CALL(GetParameterBufferV2)(func, grid, block, (int)shared);
    if (to) {
        size_t words = a->size / 8;
        for (size_t i = 0; i < words; i++)
            ((long long *)to)[i] = ((const long long *)buffer)[i];
        for (size_t i = words * 8; i < a->size; i++)
            to[i] = ((const char *)buffer)[i];
    }
    free(memory);
    return to ? __cudaCDP2LaunchDeviceV2(to, stream) : keep(cudaErrorMemoryAllocation);
}

// Waiting for children is nothing that this form of dynamic parallelism has.
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance()
{
    return keep(cudaErrorNotSupported);
}

// ---- streams and events
__device__ cudaError_t __cudaCDP2StreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return kept(CALL(StreamCreate)(stream, (int)flags));
}

__device__ cudaError_t __cudaCDP2StreamDestroy(cudaStream_t stream)
{
    return kept(CALL(StreamDestroy)(stream));
}

__device__ cudaError_t __cudaCDP2StreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    return kept(CALL(StreamWaitEvent)(stream, event, (int)flags));
}

__device__ cudaError_t __cudaCDP2EventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return kept(CALL(EventCreate)(event, (int)flags));
}

__device__ cudaError_t __cudaCDP2EventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return kept(CALL(EventRecord)(event, stream));
}

__device__ cudaError_t __cudaCDP2EventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    return flags ? keep(cudaErrorInvalidValue) : kept(CALL(EventRecord)(event, stream));
}

__device__ cudaError_t __cudaCDP2EventDestroy(cudaEvent_t event)
{
    return kept(CALL(EventDestroy)(event));
}

// ---- memory
__device__ cudaError_t __cudaCDP2Malloc(void **pointer, size_t size)
{
    if (!pointer)
        return keep(cudaErrorInvalidValue);
    void *p = size ? malloc(size) : nullptr;
    if (size && !p)
        return keep(cudaErrorMemoryAllocation);
    *pointer = p;
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2Free(void *pointer)
{
    free(pointer);
    return cudaSuccess;
}

// ---- questions
__device__ cudaError_t __cudaCDP2DeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    unsigned long long v = 0;
    int answer = CALL(DeviceGetAttribute)(&v, (int)attr, device);
    return keep(answered(answer, value, v));
}

__device__ cudaError_t __cudaCDP2DeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    unsigned long long v = 0;
    int answer = CALL(GetLimit)(&v, (int)limit);
    return answered(answer, value, v); // which is not kept
}

__device__ cudaError_t __cudaCDP2DeviceGetCacheConfig(enum cudaFuncCache *config)
{
    unsigned long long v = 0;
    int answer = CALL(GetCacheConfig)(&v);
    return keep(answered(answer, config, v));
}

__device__ cudaError_t __cudaCDP2DeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    unsigned long long v = 0;
    int answer = CALL(GetSharedMemConfig)(&v);
    return keep(answered(answer, config, v));
}

__device__ cudaError_t __cudaCDP2GetDeviceCount(int *count)
{
    unsigned long long v = 0;
    int answer = CALL(GetDeviceCount)(&v);
    return keep(answered(answer, count, v));
}

__device__ cudaError_t __cudaCDP2GetDevice(int *device)
{
    unsigned long long v = 0;
    int answer = CALL(GetDevice)(&v);
    return keep(answered(answer, device, v));
}

__device__ cudaError_t __cudaCDP2RuntimeGetVersion(int *version)
{
    if (!version)
        return keep(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

// The driver knows the first seven of its attributes, in the order of CUfunction_attribute.
__device__ cudaError_t __cudaCDP2FuncGetAttributes(struct cudaFuncAttributes *attributes, const void *func)
{
    if (!attributes || !func)
        return keep(cudaErrorInvalidValue);
    unsigned long long v[7];
    for (int i = 0; i < 7; i++) {
        v[i] = 0;
        int answer = CALL(FuncGetAttribute)(&v[i], i, func);
        if (answer)
            return kept(answer);
    }
    struct cudaFuncAttributes a = {};
    a.maxThreadsPerBlock = (int)v[0];
    a.sharedSizeBytes = (size_t)v[1];
    a.constSizeBytes = (size_t)v[2];
    a.localSizeBytes = (size_t)v[3];
    a.numRegs = (int)v[4];
    a.ptxVersion = (int)v[5];
    a.binaryVersion = (int)v[6];
    *attributes = a;
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                                           int block_size, size_t shared)
{
    unsigned long long v = 0;
    int answer = CALL(MaxActiveBlocksPerMultiprocessor)(&v, func, block_size, shared);
    return keep(answered(answer, blocks, v));
}

__device__ cudaError_t __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
                                                                                    int block_size, size_t shared,
                                                                                    unsigned int flags)
{
    unsigned long long v = 0;
    int answer = CALL(MaxActiveBlocksPerMultiprocessorWithFlags)(&v, func, block_size, shared, (int)flags);
    return keep(answered(answer, blocks, v));
}

// ---- errors
__device__ cudaError_t __cudaCDP2PeekAtLastError()
{
    return (cudaError_t)CALL(GetLastError)();
}

__device__ cudaError_t __cudaCDP2GetLastError()
{
    cudaError_t e = (cudaError_t)CALL(GetLastError)();
    CALL(SetLastError)(cudaSuccess);
    return e;
}
}
