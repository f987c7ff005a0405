// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 without a device engine: memory is malloc's, streams do at once what they are told, and kernels are
// two functions written here. It serves to test libcudart alone: what it calls, when, and what it makes of the answers.
#include "fake_driver.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS 64 // alive at one time
#define API     __attribute__((visibility("default")))

struct CUctx_st {
    int device, retained;
};
struct CUlib_st {
    const void *image;
    int global[16];
};
struct CUkern_st {
    struct CUlib_st *library;
    char name[32];
    int dynamic_shared;
};
struct CUstream_st {
    unsigned flags;
    int priority;
};
struct CUarray_st {
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    size_t pitch;
    char *data;
};
struct CUevent_st {
    int recorded;
};

static struct fake_state state;
static struct CUctx_st contexts[2];
static _Thread_local CUcontext current;
static atomic_uint launches;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUkern_st kernels[KERNELS];

API struct fake_state *fake_state(void)
{
    state.launches = atomic_load(&launches);
    return &state;
}

// --- devices and contexts ---

API CUresult cuInit(unsigned flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

API CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

API CUresult cuDeviceGetCount(int *count)
{
    *count = 2;
    return CUDA_SUCCESS;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal >= 0 && ordinal < 2 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

API CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
    snprintf(name, (size_t)len, "fake %d", device);
    return CUDA_SUCCESS;
}

API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    *bytes = ((size_t)1 << 30) * (size_t)(device + 1);
    return CUDA_SUCCESS;
}

API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    (void)device;
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
        *value = 1024;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
        *value = 64;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
        *value = 2147483647;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
        *value = 65535;
        break;
    default:
        *value = (int)attribute;
    }
    return attribute > 0 && (int)attribute < 200 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    pthread_mutex_lock(&lock);
    contexts[device].device = device;
    contexts[device].retained++;
    pthread_mutex_unlock(&lock);
    *context = &contexts[device];
    return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    pthread_mutex_lock(&lock);
    contexts[device].retained--;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    (void)device;
    state.resets++;
    state.next = CUDA_SUCCESS;
    return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
    (void)device;
    return flags & CU_CTX_MAP_HOST ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}

API CUresult cuCtxSetCurrent(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

API CUresult cuCtxGetDevice(CUdevice *device)
{
    if (!current)
        return CUDA_ERROR_INVALID_CONTEXT;
    *device = current->device;
    return CUDA_SUCCESS;
}

API CUresult cuCtxSynchronize(void)
{
    CUresult r = state.next;
    if (r != CUDA_ERROR_ILLEGAL_ADDRESS)
        state.next = CUDA_SUCCESS;
    return r;
}

// --- memory ---

API CUresult cuMemAlloc(CUdeviceptr *p, size_t size)
{
    *p = (CUdeviceptr)malloc(size);
    return *p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuMemAllocPitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element)
{
    (void)element;
    *pitch = (width + 255) & ~(size_t)255;
    return cuMemAlloc(p, *pitch * height);
}

API CUresult cuMemFree(CUdeviceptr p)
{
    free((void *)p);
    return CUDA_SUCCESS;
}

API CUresult cuMemHostAlloc(void **p, size_t size, unsigned flags)
{
    (void)flags;
    *p = malloc(size);
    return CUDA_SUCCESS;
}

API CUresult cuMemFreeHost(void *p)
{
    free(p);
    return CUDA_SUCCESS;
}

API CUresult cuMemAllocManaged(CUdeviceptr *p, size_t size, unsigned flags)
{
    (void)flags;
    return cuMemAlloc(p, size);
}

API CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *names, void **values, CUdeviceptr p)
{
    if (p == 0x1000) // an address that nobody knows
        return CUDA_SUCCESS;
    for (unsigned i = 0; i < count; i++) {
        if (names[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
            *(unsigned *)values[i] = CU_MEMORYTYPE_DEVICE;
        else if (names[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *(int *)values[i] = 1;
        else if (names[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER)
            *(CUdeviceptr *)values[i] = p;
    }
    return CUDA_SUCCESS;
}

static CUresult copy(void *dst, const void *src, size_t n, CUstream stream)
{
    memmove(dst, src, n);
    state.last_stream = stream;
    return CUDA_SUCCESS;
}

API CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n)
{
    return copy((void *)dst, (void *)src, n, NULL);
}

API CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t n)
{
    return copy((void *)dst, src, n, NULL);
}

API CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t n)
{
    return copy(dst, (void *)src, n, NULL);
}

API CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t n)
{
    return copy((void *)dst, (void *)src, n, NULL);
}

API CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream)
{
    return copy((void *)dst, (void *)src, n, stream);
}

API CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t n, CUstream stream)
{
    return copy((void *)dst, src, n, stream);
}

API CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t n, CUstream stream)
{
    return copy(dst, (void *)src, n, stream);
}

API CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream)
{
    return copy((void *)dst, (void *)src, n, stream);
}

API CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    CUarray a = calloc(1, sizeof *a);
    size_t bytes = d->Format == CU_AD_FORMAT_UNSIGNED_INT8 ? 1 : 4;
    a->descriptor = *d;
    a->pitch = d->Width * bytes * d->NumChannels;
    a->data = calloc((d->Height ? d->Height : 1) * (d->Depth ? d->Depth : 1), a->pitch);
    *array = a;
    return CUDA_SUCCESS;
}

API CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array)
{
    *d = array->descriptor;
    return CUDA_SUCCESS;
}

API CUresult cuArrayDestroy(CUarray array)
{
    free(array->data);
    free(array);
    return CUDA_SUCCESS;
}

API CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c)
{
    const char *src = c->srcMemoryType == CU_MEMORYTYPE_HOST ? c->srcHost : (const char *)c->srcDevice;
    char *dst = c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : (char *)c->dstDevice;
    size_t src_pitch = c->srcPitch, dst_pitch = c->dstPitch, src_height = c->srcHeight, dst_height = c->dstHeight;
    if (c->srcMemoryType == CU_MEMORYTYPE_ARRAY) {
        src = c->srcArray->data;
        src_pitch = c->srcArray->pitch;
        src_height = c->srcArray->descriptor.Height;
    }
    if (c->dstMemoryType == CU_MEMORYTYPE_ARRAY) {
        dst = c->dstArray->data;
        dst_pitch = c->dstArray->pitch;
        dst_height = c->dstArray->descriptor.Height;
    }
    for (size_t z = 0; z < c->Depth; z++)
        for (size_t y = 0; y < c->Height; y++)
            memcpy(dst + ((c->dstZ + z) * dst_height + c->dstY + y) * dst_pitch + c->dstXInBytes,
                   src + ((c->srcZ + z) * src_height + c->srcY + y) * src_pitch + c->srcXInBytes, c->WidthInBytes);
    return CUDA_SUCCESS;
}

API CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream)
{
    state.last_stream = stream;
    return cuMemcpy3D(c);
}

API CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c)
{
    CUDA_MEMCPY3D box = {.srcXInBytes = c->srcXInBytes,
                         .srcY = c->srcY,
                         .srcArray = c->srcArray,
                         .dstXInBytes = c->dstXInBytes,
                         .dstY = c->dstY,
                         .dstArray = c->dstArray,
                         .srcMemoryType = c->srcMemoryType,
                         .srcHost = c->srcHost,
                         .srcDevice = c->srcDevice,
                         .srcPitch = c->srcPitch,
                         .dstMemoryType = c->dstMemoryType,
                         .dstHost = c->dstHost,
                         .dstDevice = c->dstDevice,
                         .dstPitch = c->dstPitch,
                         .WidthInBytes = c->WidthInBytes,
                         .Height = c->Height,
                         .Depth = 1};
    return cuMemcpy3D(&box);
}

API CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream)
{
    state.last_stream = stream;
    return cuMemcpy2DUnaligned(c);
}

API CUresult cuMemsetD2D8(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++)
        memset((char *)p + y * pitch, value, width);
    return CUDA_SUCCESS;
}

API CUresult cuMemsetD8(CUdeviceptr p, unsigned char value, size_t n)
{
    return cuMemsetD2D8(p, n, value, n, 1);
}

API CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t n, CUstream stream)
{
    state.last_stream = stream;
    return cuMemsetD8(p, value, n);
}

// --- streams and events ---

API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    *stream = calloc(1, sizeof **stream);
    **stream = (struct CUstream_st){flags, priority};
    return CUDA_SUCCESS;
}

API CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}

API CUresult cuStreamDestroy(CUstream stream)
{
    free(stream);
    return CUDA_SUCCESS;
}

API CUresult cuStreamSynchronize(CUstream stream)
{
    (void)stream;
    return cuCtxSynchronize();
}

API CUresult cuStreamQuery(CUstream stream)
{
    (void)stream;
    return CUDA_ERROR_NOT_READY;
}

API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags)
{
    (void)flags;
    callback(stream, CUDA_SUCCESS, data);
    return CUDA_SUCCESS;
}

API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *data)
{
    (void)stream;
    fn(data);
    return CUDA_SUCCESS;
}

API CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return CUDA_SUCCESS;
}

API CUresult cuEventRecord(CUevent event, CUstream stream)
{
    (void)stream;
    event->recorded = 1;
    return CUDA_SUCCESS;
}

API CUresult cuEventDestroy(CUevent event)
{
    free(event);
    return CUDA_SUCCESS;
}

API CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    *ms = 1.5f;
    return start->recorded && end->recorded ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

// --- code ---

API CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit, void **jit_values,
                               unsigned jits, CUlibraryOption *options, void **values, unsigned count)
{
    (void)jit, (void)jit_values, (void)jits, (void)options, (void)values, (void)count;
    *library = calloc(1, sizeof **library);
    (*library)->image = code;
    pthread_mutex_lock(&lock);
    state.loads++;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

API CUresult cuLibraryUnload(CUlibrary library)
{
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < KERNELS; i++)
        if (kernels[i].library == library)
            kernels[i].library = NULL;
    state.unloads++;
    pthread_mutex_unlock(&lock);
    free(library);
    return CUDA_SUCCESS;
}

API CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    if (strstr(name, "missing"))
        return CUDA_ERROR_NOT_FOUND;
    pthread_mutex_lock(&lock);
    unsigned i = 0, vacant = 0;
    while (i < KERNELS && (kernels[i].library != library || strcmp(kernels[i].name, name)))
        i++;
    while (i == KERNELS && kernels[vacant].library)
        vacant++;
    if (i == KERNELS) {
        i = vacant;
        kernels[i].library = library;
        snprintf(kernels[i].name, sizeof kernels[i].name, "%s", name);
    }
    pthread_mutex_unlock(&lock);
    *kernel = &kernels[i];
    return CUDA_SUCCESS;
}

API CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *size, CUlibrary library, const char *name)
{
    if (strcmp(name, "global"))
        return CUDA_ERROR_NOT_FOUND;
    *p = (CUdeviceptr)library->global;
    *size = sizeof library->global;
    return CUDA_SUCCESS;
}

API CUresult cuLibraryGetManaged(CUdeviceptr *p, size_t *size, CUlibrary library, const char *name)
{
    (void)name;
    *p = (CUdeviceptr)library->global;
    *size = sizeof library->global;
    return CUDA_SUCCESS;
}

API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
    (void)device;
    *value =
        attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? kernel->dynamic_shared : (int)attribute + 100;
    return CUDA_SUCCESS;
}

API CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    (void)device;
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        kernel->dynamic_shared = value;
    return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int size, size_t shared,
                                                                  unsigned flags)
{
    (void)f, (void)shared, (void)flags;
    *blocks = 2048 / size;
    return CUDA_SUCCESS;
}

static void kernel_run(CUkernel k, void **args)
{
    if (!strcmp(k->name, "store")) // (int *p, int value)
        **(int **)args[0] = *(int *)args[1];
}

API CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                            unsigned shared, CUstream stream, void **args, void **extra)
{
    CUkernel k = (CUkernel)f;
    if (!gx || !gy || !gz || !bx || !by || !bz || (unsigned long long)bx * by * bz > 1024 || shared > 99999)
        return CUDA_ERROR_INVALID_VALUE;
    atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
    if (!strcmp(k->name, "quick"))
        return CUDA_SUCCESS;
    state.last = (struct fake_launch){
        .kernel = k->name, .grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, .stream = stream};
    if (extra) {
        char *buffer = extra[1];
        void *from[] = {buffer, buffer + sizeof(void *)};
        state.last.from_buffer = 1;
        kernel_run(k, from);
    } else {
        kernel_run(k, args);
    }
    return CUDA_SUCCESS;
}

API CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **args, void **extra)
{
    CUresult r = cuLaunchKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ,
                                c->sharedMemBytes, c->hStream, args, extra);
    state.last.attributes = c->numAttrs;
    for (unsigned i = 0; i < c->numAttrs; i++)
        if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            state.last.cooperative = c->attrs[i].value.cooperative;
    return r;
}

API CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                       unsigned bz, unsigned shared, CUstream stream, void **args)
{
    CUresult r = cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, args, NULL);
    state.last.cooperative = 1;
    return r;
}
