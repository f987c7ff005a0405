// SPDX-License-Identifier: Apache-2.0
// The functions of the driver API.
// Part of cuda.h, which includes it within its own surroundings.
#ifndef HEDDLE_INCLUDE_DRIVER_FUNCTIONS_H
#define HEDDLE_INCLUDE_DRIVER_FUNCTIONS_H

// -------------------------------------------------------------------------------------------------------- functions
// A function with a stream, or one that acts on the default stream, has a second name for the per-thread default.
#define HEDDLE_PTSZ(name, parameters)                                                                                  \
    CUresult CUDAAPI name parameters;                                                                                  \
    CUresult CUDAAPI name##_ptsz parameters
#define HEDDLE_PTDS(name, parameters)                                                                                  \
    CUresult CUDAAPI name parameters;                                                                                  \
    CUresult CUDAAPI name##_ptds parameters

CUresult CUDAAPI cuGetErrorString(CUresult error, const char **text);
CUresult CUDAAPI cuGetErrorName(CUresult error, const char **name);
CUresult CUDAAPI cuInit(unsigned int flags);
CUresult CUDAAPI cuDriverGetVersion(int *version);
CUresult CUDAAPI cuGetProcAddress(const char *__symbol, void **fn, int version, cuuint64_t flags);
CUresult CUDAAPI cuGetProcAddress_v2(const char *__symbol, void **fn, int version, cuuint64_t flags,
                                     CUdriverProcAddressQueryResult *status);
CUresult CUDAAPI cuGetExportTable(const void **table, const CUuuid *id);
CUresult CUDAAPI cuProfilerStart(void);
CUresult CUDAAPI cuProfilerStop(void);

// devices
CUresult CUDAAPI cuDeviceGet(CUdevice *device, int __ordinal);
CUresult CUDAAPI cuDeviceGetCount(int *count);
CUresult CUDAAPI cuDeviceGetName(char *name, int size, CUdevice device);
CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device);
CUresult CUDAAPI cuDeviceGetLuid(char *luid, unsigned int *node_mask, CUdevice device);
CUresult CUDAAPI cuDeviceTotalMem_v2(size_t *bytes, CUdevice device);
CUresult CUDAAPI cuDeviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned __channels,
                                                    CUdevice device);
CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult CUDAAPI cuDeviceGetProperties(CUdevprop *__properties, CUdevice device);
CUresult CUDAAPI cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice *device, const char *bus_id);
CUresult CUDAAPI cuDeviceGetPCIBusId(char *bus_id, int size, CUdevice device);
CUresult CUDAAPI cuDeviceGetExecAffinitySupport(int *__supported, CUexecAffinityType type, CUdevice device);
CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool *__pool, CUdevice device);
CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool *__pool, CUdevice device);
CUresult CUDAAPI cuDeviceSetMemPool(CUdevice device, CUmemoryPool __pool);
CUresult CUDAAPI cuMemGetDefaultMemPool(CUmemoryPool *__pool, CUmemLocation *location, CUmemAllocationType type);
CUresult CUDAAPI cuMemGetMemPool(CUmemoryPool *__pool, CUmemLocation *location, CUmemAllocationType type);
CUresult CUDAAPI cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool __pool);
CUresult CUDAAPI cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget __target,
                                            CUflushGPUDirectRDMAWritesScope scope);
CUresult CUDAAPI cuDeviceCanAccessPeer(int *__can, CUdevice device, CUdevice __peer);
CUresult CUDAAPI cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice source,
                                         CUdevice __destination);
CUresult CUDAAPI cuDeviceGetHostAtomicCapabilities(unsigned int *__capabilities, const CUatomicOperation *operations,
                                                   unsigned int count, CUdevice device);
CUresult CUDAAPI cuDeviceGetP2PAtomicCapabilities(unsigned int *__capabilities, const CUatomicOperation *operations,
                                                  unsigned int count, CUdevice source, CUdevice __destination);

// parts of a device as contexts of their own
typedef enum CUgreenCtxCreate_flags_enum { CU_GREEN_CTX_DEFAULT_STREAM = 1 } CUgreenCtxCreate_flags;
typedef enum CUdevSmResourceSplit_flags_enum {
    CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 1,
    CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE = 2
} CUdevSmResourceSplit_flags;
typedef enum CUdevResourceType_enum {
    CU_DEV_RESOURCE_TYPE_INVALID = 0,
    CU_DEV_RESOURCE_TYPE_SM = 1,
    CU_DEV_RESOURCE_TYPE_MAX
} CUdevResourceType;
typedef struct CUdevSmResource_st {
    unsigned int smCount;
    unsigned int minSmPartitionSize;
    unsigned int smCoscheduledAlignment;
} CUdevSmResource;
typedef struct CUdevResource_st {
    CUdevResourceType type;
    unsigned char _internal_padding[92];
    union {
        CUdevSmResource sm;
        unsigned char _oversize[48];
    };
} CUdevResource_v1;
typedef CUdevResource_v1 CUdevResource;
CUresult CUDAAPI cuGreenCtxCreate(CUgreenCtx *__context, CUdevResourceDesc desc, CUdevice device, unsigned int flags);
CUresult CUDAAPI cuGreenCtxDestroy(CUgreenCtx __context);
CUresult CUDAAPI cuCtxFromGreenCtx(CUcontext *__context, CUgreenCtx green);
CUresult CUDAAPI cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type);
CUresult CUDAAPI cuCtxGetDevResource(CUcontext __context, CUdevResource *resource, CUdevResourceType type);
CUresult CUDAAPI cuGreenCtxGetDevResource(CUgreenCtx __context, CUdevResource *resource, CUdevResourceType type);
CUresult CUDAAPI cuDevSmResourceSplitByCount(CUdevResource *result, unsigned int *__groups,
                                             const CUdevResource *__input, CUdevResource *__remaining,
                                             unsigned int flags, unsigned int least);
CUresult CUDAAPI cuDevResourceGenerateDesc(CUdevResourceDesc *desc, CUdevResource *__resources, unsigned int count);
CUresult CUDAAPI cuGreenCtxRecordEvent(CUgreenCtx __context, CUevent event);
CUresult CUDAAPI cuGreenCtxWaitEvent(CUgreenCtx __context, CUevent event);
CUresult CUDAAPI cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *__context);
CUresult CUDAAPI cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx __context, unsigned int flags, int priority);
CUresult CUDAAPI cuGreenCtxGetId(CUgreenCtx __context, unsigned long long *id);

// contexts
CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *__context, CUdevice device);
CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device);
CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags);
CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *__active);
CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice device);
CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice device);
CUresult CUDAAPI cuCtxCreate_v2(CUcontext *__context, unsigned int flags, CUdevice device);
CUresult CUDAAPI cuCtxCreate_v3(CUcontext *__context, CUexecAffinityParam *__affinity, int count, unsigned int flags,
                                CUdevice device);
CUresult CUDAAPI cuCtxCreate_v4(CUcontext *__context, CUctxCreateParams *params, unsigned int flags, CUdevice device);
CUresult CUDAAPI cuCtxDestroy(CUcontext __context);
CUresult CUDAAPI cuCtxDestroy_v2(CUcontext __context);
CUresult CUDAAPI cuCtxAttach(CUcontext *__context, unsigned int flags);
CUresult CUDAAPI cuCtxDetach(CUcontext __context);
CUresult CUDAAPI cuCtxPushCurrent(CUcontext __context);
CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext __context);
CUresult CUDAAPI cuCtxPopCurrent(CUcontext *__context);
CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext *__context);
CUresult CUDAAPI cuCtxSetCurrent(CUcontext __context);
CUresult CUDAAPI cuCtxGetCurrent(CUcontext *__context);
CUresult CUDAAPI cuCtxGetDevice(CUdevice *device);
CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice *device, CUcontext __context);
CUresult CUDAAPI cuCtxGetFlags(unsigned int *flags);
CUresult CUDAAPI cuCtxSetFlags(unsigned int flags);
CUresult CUDAAPI cuCtxGetId(CUcontext __context, unsigned long long *id);
CUresult CUDAAPI cuCtxSynchronize(void);
CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext __context);
CUresult CUDAAPI cuCtxSetLimit(CUlimit __limit, size_t value);
CUresult CUDAAPI cuCtxGetLimit(size_t *value, CUlimit __limit);
CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache *config);
CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config);
CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig *config);
CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config);
CUresult CUDAAPI cuCtxGetApiVersion(CUcontext __context, unsigned int *version);
CUresult CUDAAPI cuCtxGetStreamPriorityRange(int *least, int *__greatest);
CUresult CUDAAPI cuCtxResetPersistingL2Cache(void);
CUresult CUDAAPI cuCtxGetExecAffinity(CUexecAffinityParam *__affinity, CUexecAffinityType type);
CUresult CUDAAPI cuCtxRecordEvent(CUcontext __context, CUevent event);
CUresult CUDAAPI cuCtxWaitEvent(CUcontext __context, CUevent event);
CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext __peer, unsigned int flags);
CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext __peer);

// modules, libraries, kernels, functions
CUresult CUDAAPI cuModuleLoad(CUmodule *__module, const char *__file);
CUresult CUDAAPI cuModuleLoadData(CUmodule *__module, const void *__image);
CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *__module, const void *__image, unsigned int count,
                                    CUjit_option *__options, void **values);
CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule *__module, const void *__image);
CUresult CUDAAPI cuModuleUnload(CUmodule __module);
CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode *__mode);
CUresult CUDAAPI cuModuleGetFunction(CUfunction *function, CUmodule __module, const char *name);
CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int *count, CUmodule __module);
CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule __module);
CUresult CUDAAPI cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule __module, const char *name);
CUresult CUDAAPI cuModuleGetTexRef(CUtexref *texture, CUmodule __module, const char *name);
CUresult CUDAAPI cuModuleGetSurfRef(CUsurfref *surface, CUmodule __module, const char *name);
CUresult CUDAAPI cuLinkCreate_v2(unsigned int count, CUjit_option *__options, void **values, CUlinkState *state);
CUresult CUDAAPI cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                  unsigned int count, CUjit_option *__options, void **values);
CUresult CUDAAPI cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int count,
                                  CUjit_option *__options, void **values);
CUresult CUDAAPI cuLinkComplete(CUlinkState state, void **__image, size_t *size);
CUresult CUDAAPI cuLinkDestroy(CUlinkState state);
CUresult CUDAAPI cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit_options, void **jit_values,
                                   unsigned int jit_count, CUlibraryOption *__options, void **values,
                                   unsigned int count);
CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary *library, const char *__file, CUjit_option *jit_options,
                                       void **jit_values, unsigned int jit_count, CUlibraryOption *__options,
                                       void **values, unsigned int count);
CUresult CUDAAPI cuLibraryUnload(CUlibrary library);
CUresult CUDAAPI cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int *count, CUlibrary library);
CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel *__kernels, unsigned int count, CUlibrary library);
CUresult CUDAAPI cuLibraryGetModule(CUmodule *__module, CUlibrary library);
CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name);
CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name);
CUresult CUDAAPI cuLibraryGetUnifiedFunction(void **address, CUlibrary library, const char *__symbol);
CUresult CUDAAPI cuKernelGetFunction(CUfunction *function, CUkernel kernel);
CUresult CUDAAPI cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
CUresult CUDAAPI cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device);
CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device);
CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device);
CUresult CUDAAPI cuKernelGetName(const char **name, CUkernel kernel);
CUresult CUDAAPI cuKernelGetParamInfo(CUkernel kernel, size_t __index, size_t *offset, size_t *size);
CUresult CUDAAPI cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
CUresult CUDAAPI cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);
CUresult CUDAAPI cuFuncGetModule(CUmodule *__module, CUfunction function);
CUresult CUDAAPI cuFuncGetName(const char **name, CUfunction function);
CUresult CUDAAPI cuFuncGetParamInfo(CUfunction function, size_t __index, size_t *offset, size_t *size);
CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);
CUresult CUDAAPI cuFuncLoad(CUfunction function);

// memory
CUresult CUDAAPI cuMemGetInfo_v2(size_t *free_bytes, size_t *__total);
CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr *address, size_t bytes);
CUresult CUDAAPI cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                                    unsigned int element_size);
CUresult CUDAAPI cuMemFree_v2(CUdeviceptr address);
CUresult CUDAAPI cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr address);
CUresult CUDAAPI cuMemAllocHost_v2(void **pointer, size_t bytes);
CUresult CUDAAPI cuMemFreeHost(void *pointer);
CUresult CUDAAPI cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags);
CUresult CUDAAPI cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *pointer, unsigned int flags);
CUresult CUDAAPI cuMemHostGetFlags(unsigned int *flags, void *pointer);
CUresult CUDAAPI cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned int flags);
CUresult CUDAAPI cuMemHostUnregister(void *pointer);
CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags);
CUresult CUDAAPI cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address);
CUresult CUDAAPI cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **data,
                                        CUdeviceptr address);
CUresult CUDAAPI cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address);
CUresult CUDAAPI cuMemAdvise(CUdeviceptr address, size_t count, CUmem_advise __advice, CUdevice device);
CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr address, size_t count, CUmem_advise __advice, CUmemLocation location);
HEDDLE_PTSZ(cuMemPrefetchAsync, (CUdeviceptr address, size_t count, CUdevice device, CUstream stream));
HEDDLE_PTSZ(cuMemPrefetchAsync_v2,
            (CUdeviceptr address, size_t count, CUmemLocation location, unsigned int flags, CUstream stream));
CUresult CUDAAPI cuMemRangeGetAttribute(void *data, size_t size, CUmem_range_attribute attribute, CUdeviceptr address,
                                        size_t count);
CUresult CUDAAPI cuMemRangeGetAttributes(void **data, size_t *sizes, CUmem_range_attribute *attributes, size_t number,
                                         CUdeviceptr address, size_t count);
HEDDLE_PTSZ(cuMemAllocAsync, (CUdeviceptr * address, size_t bytes, CUstream stream));
HEDDLE_PTSZ(cuMemFreeAsync, (CUdeviceptr address, CUstream stream));
HEDDLE_PTSZ(cuMemAllocFromPoolAsync, (CUdeviceptr * address, size_t bytes, CUmemoryPool __pool, CUstream stream));
CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool *__pool, const CUmemPoolProps *__properties);
CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool __pool);
CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool __pool, size_t __keep);
CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool __pool, CUmemPool_attribute attribute, void *value);
CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool __pool, CUmemPool_attribute attribute, void *value);
CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool __pool, const CUmemAccessDesc *__map, size_t count);
CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool __pool, CUmemLocation *location);
CUresult CUDAAPI cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool __pool, CUmemAllocationHandleType type,
                                                  unsigned long long flags);
CUresult CUDAAPI cuMemPoolImportFromShareableHandle(CUmemoryPool *__pool, void *handle, CUmemAllocationHandleType type,
                                                    unsigned long long flags);
CUresult CUDAAPI cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr address);
CUresult CUDAAPI cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool __pool, CUmemPoolPtrExportData *data);
CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t alignment, CUdeviceptr __wish,
                                     unsigned long long flags);
CUresult CUDAAPI cuMemAddressFree(CUdeviceptr address, size_t size);
CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *__properties,
                             unsigned long long flags);
CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult CUDAAPI cuMemMap(CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                          unsigned long long flags);
CUresult CUDAAPI cuMemUnmap(CUdeviceptr address, size_t size);
CUresult CUDAAPI cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc *desc, size_t count);
CUresult CUDAAPI cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address);
CUresult CUDAAPI cuMemExportToShareableHandle(void *shared, CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType type, unsigned long long flags);
CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shared,
                                                CUmemAllocationHandleType type);
CUresult CUDAAPI cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *__properties,
                                               CUmemAllocationGranularity_flags __option);
CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *__properties,
                                                        CUmemGenericAllocationHandle handle);
CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address);
CUresult CUDAAPI cuMemGetHandleForAddressRange(void *handle, CUdeviceptr address, size_t size,
                                               CUmemRangeHandleType type, unsigned long long flags);
CUresult CUDAAPI cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event);
CUresult CUDAAPI cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle);
CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address);
CUresult CUDAAPI cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags);
CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr address);

// copies and fills
HEDDLE_PTDS(cuMemcpy, (CUdeviceptr dst, CUdeviceptr src, size_t bytes));
HEDDLE_PTDS(cuMemcpyPeer,
            (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context, size_t bytes));
HEDDLE_PTDS(cuMemcpyHtoD_v2, (CUdeviceptr dst, const void *src, size_t bytes));
HEDDLE_PTDS(cuMemcpyDtoH_v2, (void *dst, CUdeviceptr src, size_t bytes));
HEDDLE_PTDS(cuMemcpyDtoD_v2, (CUdeviceptr dst, CUdeviceptr src, size_t bytes));
HEDDLE_PTDS(cuMemcpyDtoA_v2, (CUarray dst, size_t dst_offset, CUdeviceptr src, size_t bytes));
HEDDLE_PTDS(cuMemcpyAtoD_v2, (CUdeviceptr dst, CUarray src, size_t src_offset, size_t bytes));
HEDDLE_PTDS(cuMemcpyHtoA_v2, (CUarray dst, size_t dst_offset, const void *src, size_t bytes));
HEDDLE_PTDS(cuMemcpyAtoH_v2, (void *dst, CUarray src, size_t src_offset, size_t bytes));
HEDDLE_PTDS(cuMemcpyAtoA_v2, (CUarray dst, size_t dst_offset, CUarray src, size_t src_offset, size_t bytes));
HEDDLE_PTDS(cuMemcpy2D_v2, (const CUDA_MEMCPY2D *copy));
HEDDLE_PTDS(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D *copy));
HEDDLE_PTDS(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *copy));
HEDDLE_PTDS(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *copy));
HEDDLE_PTSZ(cuMemcpyAsync, (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream));
HEDDLE_PTSZ(cuMemcpyPeerAsync, (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                                size_t bytes, CUstream stream));
HEDDLE_PTSZ(cuMemcpyHtoDAsync_v2, (CUdeviceptr dst, const void *src, size_t bytes, CUstream stream));
HEDDLE_PTSZ(cuMemcpyDtoHAsync_v2, (void *dst, CUdeviceptr src, size_t bytes, CUstream stream));
HEDDLE_PTSZ(cuMemcpyDtoDAsync_v2, (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream));
HEDDLE_PTSZ(cuMemcpyHtoAAsync_v2, (CUarray dst, size_t dst_offset, const void *src, size_t bytes, CUstream stream));
HEDDLE_PTSZ(cuMemcpyAtoHAsync_v2, (void *dst, CUarray src, size_t src_offset, size_t bytes, CUstream stream));
HEDDLE_PTSZ(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *copy, CUstream stream));
HEDDLE_PTSZ(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *copy, CUstream stream));
HEDDLE_PTSZ(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *copy, CUstream stream));
HEDDLE_PTSZ(cuMemcpyBatchAsync_v2,
            (CUdeviceptr * __dsts, CUdeviceptr *__srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attributes,
             size_t *attribute_starts, size_t attribute_count, CUstream stream));
HEDDLE_PTSZ(cuMemcpy3DBatchAsync_v2,
            (size_t count, CUDA_MEMCPY3D_BATCH_OP *__ops, unsigned long long flags, CUstream stream));
HEDDLE_PTDS(cuMemsetD8_v2, (CUdeviceptr dst, unsigned char value, size_t count));
HEDDLE_PTDS(cuMemsetD16_v2, (CUdeviceptr dst, unsigned short value, size_t count));
HEDDLE_PTDS(cuMemsetD32_v2, (CUdeviceptr dst, unsigned int value, size_t count));
HEDDLE_PTDS(cuMemsetD2D8_v2, (CUdeviceptr dst, size_t pitch, unsigned char value, size_t width, size_t height));
HEDDLE_PTDS(cuMemsetD2D16_v2, (CUdeviceptr dst, size_t pitch, unsigned short value, size_t width, size_t height));
HEDDLE_PTDS(cuMemsetD2D32_v2, (CUdeviceptr dst, size_t pitch, unsigned int value, size_t width, size_t height));
HEDDLE_PTSZ(cuMemsetD8Async, (CUdeviceptr dst, unsigned char value, size_t count, CUstream stream));
HEDDLE_PTSZ(cuMemsetD16Async, (CUdeviceptr dst, unsigned short value, size_t count, CUstream stream));
HEDDLE_PTSZ(cuMemsetD32Async, (CUdeviceptr dst, unsigned int value, size_t count, CUstream stream));
HEDDLE_PTSZ(cuMemsetD2D8Async,
            (CUdeviceptr dst, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream));
HEDDLE_PTSZ(cuMemsetD2D16Async,
            (CUdeviceptr dst, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream));
HEDDLE_PTSZ(cuMemsetD2D32Async,
            (CUdeviceptr dst, size_t pitch, unsigned int value, size_t width, size_t height, CUstream stream));

// streams and events
CUresult CUDAAPI cuStreamCreate(CUstream *stream, unsigned int flags);
CUresult CUDAAPI cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
CUresult CUDAAPI cuStreamDestroy(CUstream stream);
CUresult CUDAAPI cuStreamDestroy_v2(CUstream stream);
HEDDLE_PTSZ(cuStreamGetPriority, (CUstream stream, int *priority));
HEDDLE_PTSZ(cuStreamGetFlags, (CUstream stream, unsigned int *flags));
HEDDLE_PTSZ(cuStreamGetId, (CUstream stream, unsigned long long *id));
HEDDLE_PTSZ(cuStreamGetDevice, (CUstream stream, CUdevice *device));
HEDDLE_PTSZ(cuStreamGetCtx, (CUstream stream, CUcontext *__context));
HEDDLE_PTSZ(cuStreamGetCtx_v2, (CUstream stream, CUcontext *__context, CUgreenCtx *green));
HEDDLE_PTSZ(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags));
HEDDLE_PTSZ(cuStreamAddCallback, (CUstream stream, CUstreamCallback __callback, void *user_data, unsigned int flags));
HEDDLE_PTSZ(cuStreamAttachMemAsync, (CUstream stream, CUdeviceptr address, size_t length, unsigned int flags));
HEDDLE_PTSZ(cuStreamQuery, (CUstream stream));
HEDDLE_PTSZ(cuStreamSynchronize, (CUstream stream));
HEDDLE_PTSZ(cuStreamCopyAttributes, (CUstream dst, CUstream src));
HEDDLE_PTSZ(cuStreamGetAttribute, (CUstream stream, CUstreamAttrID id, CUstreamAttrValue *value));
HEDDLE_PTSZ(cuStreamSetAttribute, (CUstream stream, CUstreamAttrID id, const CUstreamAttrValue *value));
HEDDLE_PTSZ(cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode __mode));
HEDDLE_PTSZ(cuStreamBeginCaptureToGraph, (CUstream stream, CUgraph graph, const CUgraphNode *__dependencies,
                                          const CUgraphEdgeData *__edges, size_t count, CUstreamCaptureMode __mode));
HEDDLE_PTSZ(cuStreamEndCapture, (CUstream stream, CUgraph *graph));
HEDDLE_PTSZ(cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus *status));
HEDDLE_PTSZ(cuStreamGetCaptureInfo_v2, (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                        const CUgraphNode **__dependencies, size_t *count));
HEDDLE_PTSZ(cuStreamGetCaptureInfo_v3,
            (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
             const CUgraphNode **__dependencies, const CUgraphEdgeData **__edges, size_t *count));
HEDDLE_PTSZ(cuStreamUpdateCaptureDependencies_v2, (CUstream stream, CUgraphNode *__dependencies,
                                                   const CUgraphEdgeData *__edges, size_t count, unsigned int flags));
CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *__mode);
HEDDLE_PTSZ(cuStreamWaitValue32_v2, (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags));
HEDDLE_PTSZ(cuStreamWaitValue64_v2, (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags));
HEDDLE_PTSZ(cuStreamWriteValue32_v2, (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags));
HEDDLE_PTSZ(cuStreamWriteValue64_v2, (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags));
HEDDLE_PTSZ(cuStreamBatchMemOp_v2,
            (CUstream stream, unsigned int count, CUstreamBatchMemOpParams *__ops, unsigned int flags));
CUresult CUDAAPI cuEventCreate(CUevent *event, unsigned int flags);
HEDDLE_PTSZ(cuEventRecord, (CUevent event, CUstream stream));
HEDDLE_PTSZ(cuEventRecordWithFlags, (CUevent event, CUstream stream, unsigned int flags));
CUresult CUDAAPI cuEventQuery(CUevent event);
CUresult CUDAAPI cuEventSynchronize(CUevent event);
CUresult CUDAAPI cuEventDestroy(CUevent event);
CUresult CUDAAPI cuEventDestroy_v2(CUevent event);
CUresult CUDAAPI cuEventElapsedTime(float *__milliseconds, CUevent start, CUevent end);
CUresult CUDAAPI cuEventElapsedTime_v2(float *__milliseconds, CUevent start, CUevent end);

// launch and occupancy
HEDDLE_PTSZ(cuLaunchKernel, (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                             unsigned int block_x, unsigned int block_y, unsigned int block_z,
                             unsigned int shared_bytes, CUstream stream, void **params, void **extra));
HEDDLE_PTSZ(cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction function, void **params, void **extra));
HEDDLE_PTSZ(cuLaunchCooperativeKernel,
            (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
             unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream, void **params));
CUresult CUDAAPI cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *__launches, unsigned int count,
                                                      unsigned int flags);
HEDDLE_PTSZ(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *user_data));
CUresult CUDAAPI cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
CUresult CUDAAPI cuFuncSetSharedSize(CUfunction function, unsigned int bytes);
CUresult CUDAAPI cuParamSetSize(CUfunction function, unsigned int bytes);
CUresult CUDAAPI cuParamSeti(CUfunction function, int offset, unsigned int value);
CUresult CUDAAPI cuParamSetf(CUfunction function, int offset, float value);
CUresult CUDAAPI cuParamSetv(CUfunction function, int offset, void *data, unsigned int bytes);
CUresult CUDAAPI cuParamSetTexRef(CUfunction function, int unit, CUtexref texture);
CUresult CUDAAPI cuLaunch(CUfunction function);
CUresult CUDAAPI cuLaunchGrid(CUfunction function, int width, int height);
CUresult CUDAAPI cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream);
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
                                                             size_t dynamic_shared);
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int block_size,
                                                                      size_t dynamic_shared, unsigned int flags);
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, CUfunction function,
                                                  CUoccupancyB2DSize shared_of_block, size_t dynamic_shared,
                                                  int __limit);
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, CUfunction function,
                                                           CUoccupancyB2DSize shared_of_block, size_t dynamic_shared,
                                                           int __limit, unsigned int flags);
CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_shared, CUfunction function, int blocks,
                                                         int block_size);
CUresult CUDAAPI cuOccupancyMaxPotentialClusterSize(int *cluster, CUfunction function, const CUlaunchConfig *config);
CUresult CUDAAPI cuOccupancyMaxActiveClusters(int *__clusters, CUfunction function, const CUlaunchConfig *config);

// arrays, textures, surfaces, tensor maps
CUresult CUDAAPI cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc);
CUresult CUDAAPI cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array);
CUresult CUDAAPI cuArrayDestroy(CUarray array);
CUresult CUDAAPI cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc);
CUresult CUDAAPI cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array);
CUresult CUDAAPI cuArrayGetPlane(CUarray *__plane, CUarray array, unsigned int __index);
CUresult CUDAAPI cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *__requirements, CUarray array,
                                              CUdevice device);
CUresult CUDAAPI cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *__properties, CUarray array);
CUresult CUDAAPI cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                                        unsigned int __levels);
CUresult CUDAAPI cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray array, unsigned int __index);
CUresult CUDAAPI cuMipmappedArrayDestroy(CUmipmappedArray array);

// graphics resources; cudaGL.h registers those of OpenGL
CUresult CUDAAPI cuGraphicsUnregisterResource(CUgraphicsResource resource);
CUresult CUDAAPI cuGraphicsSubResourceGetMappedArray(CUarray *array, CUgraphicsResource resource, unsigned int __index,
                                                     unsigned int level);
CUresult CUDAAPI cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *array, CUgraphicsResource resource);
CUresult CUDAAPI cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *pointer, size_t *size, CUgraphicsResource resource);
CUresult CUDAAPI cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags);
CUresult CUDAAPI cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource resource, unsigned int flags);
CUresult CUDAAPI cuGraphicsMapResources(unsigned int count, CUgraphicsResource *__resources, CUstream stream);
CUresult CUDAAPI cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource *__resources, CUstream stream);

CUresult CUDAAPI cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                                   const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *__view);
CUresult CUDAAPI cuTexObjectDestroy(CUtexObject texture);
CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUtexObject texture);
CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *desc, CUtexObject texture);
CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *desc, CUtexObject texture);
CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource);
CUresult CUDAAPI cuSurfObjectDestroy(CUsurfObject surface);
CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUsurfObject surface);
CUresult CUDAAPI cuTexRefCreate(CUtexref *texture);
CUresult CUDAAPI cuTexRefDestroy(CUtexref texture);
CUresult CUDAAPI cuTexRefSetArray(CUtexref texture, CUarray array, unsigned int flags);
CUresult CUDAAPI cuTexRefSetMipmappedArray(CUtexref texture, CUmipmappedArray array, unsigned int flags);
CUresult CUDAAPI cuTexRefSetAddress_v2(size_t *offset, CUtexref texture, CUdeviceptr address, size_t bytes);
CUresult CUDAAPI cuTexRefSetAddress2D_v3(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr address,
                                         size_t pitch);
CUresult CUDAAPI cuTexRefSetFormat(CUtexref texture, CUarray_format format, int __channels);
CUresult CUDAAPI cuTexRefSetAddressMode(CUtexref texture, int __dimension, CUaddress_mode __mode);
CUresult CUDAAPI cuTexRefSetFilterMode(CUtexref texture, CUfilter_mode __mode);
CUresult CUDAAPI cuTexRefSetMipmapFilterMode(CUtexref texture, CUfilter_mode __mode);
CUresult CUDAAPI cuTexRefSetMipmapLevelBias(CUtexref texture, float bias);
CUresult CUDAAPI cuTexRefSetMipmapLevelClamp(CUtexref texture, float least, float __greatest);
CUresult CUDAAPI cuTexRefSetMaxAnisotropy(CUtexref texture, unsigned int most);
CUresult CUDAAPI cuTexRefSetBorderColor(CUtexref texture, float *color);
CUresult CUDAAPI cuTexRefSetFlags(CUtexref texture, unsigned int flags);
CUresult CUDAAPI cuTexRefGetAddress_v2(CUdeviceptr *address, CUtexref texture);
CUresult CUDAAPI cuTexRefGetArray(CUarray *array, CUtexref texture);
CUresult CUDAAPI cuTexRefGetMipmappedArray(CUmipmappedArray *array, CUtexref texture);
CUresult CUDAAPI cuTexRefGetAddressMode(CUaddress_mode *__mode, CUtexref texture, int __dimension);
CUresult CUDAAPI cuTexRefGetFilterMode(CUfilter_mode *__mode, CUtexref texture);
CUresult CUDAAPI cuTexRefGetFormat(CUarray_format *format, int *__channels, CUtexref texture);
CUresult CUDAAPI cuTexRefGetMipmapFilterMode(CUfilter_mode *__mode, CUtexref texture);
CUresult CUDAAPI cuTexRefGetMipmapLevelBias(float *bias, CUtexref texture);
CUresult CUDAAPI cuTexRefGetMipmapLevelClamp(float *least, float *__greatest, CUtexref texture);
CUresult CUDAAPI cuTexRefGetMaxAnisotropy(int *most, CUtexref texture);
CUresult CUDAAPI cuTexRefGetBorderColor(float *color, CUtexref texture);
CUresult CUDAAPI cuTexRefGetFlags(unsigned int *flags, CUtexref texture);
CUresult CUDAAPI cuSurfRefSetArray(CUsurfref surface, CUarray array, unsigned int flags);
CUresult CUDAAPI cuSurfRefGetArray(CUarray *array, CUsurfref surface);
CUresult CUDAAPI cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *__requirements,
                                                       CUmipmappedArray array, CUdevice device);
CUresult CUDAAPI cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *__properties,
                                                     CUmipmappedArray array);
CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *__map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                        const cuuint64_t *__dims, const cuuint64_t *__strides, const cuuint32_t *__box,
                                        const cuuint32_t *element_strides, CUtensorMapInterleave __interleave,
                                        CUtensorMapSwizzle __swizzle, CUtensorMapL2promotion __promotion,
                                        CUtensorMapFloatOOBfill __fill);
CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap *__map, void *address);

// graphs
CUresult CUDAAPI cuGraphCreate(CUgraph *graph, unsigned int flags);
CUresult CUDAAPI cuGraphDestroy(CUgraph graph);
CUresult CUDAAPI cuGraphClone(CUgraph *__clone, CUgraph __original);
CUresult CUDAAPI cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies,
                                         size_t count, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies, size_t count,
                                      const CUDA_MEMCPY3D *copy, CUcontext __context);
CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies, size_t count,
                                      const CUDA_MEMSET_NODE_PARAMS *params, CUcontext __context);
CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies, size_t count,
                                    const CUDA_HOST_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies,
                                          size_t count, CUgraph __child);
CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies, size_t count);
CUresult CUDAAPI cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *__to,
                                           const CUgraphEdgeData *__edges, size_t count);
CUresult CUDAAPI cuGraphGetNodes(CUgraph graph, CUgraphNode *__nodes, size_t *count);
CUresult CUDAAPI cuGraphGetRootNodes(CUgraph graph, CUgraphNode *__nodes, size_t *count);
CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type);
CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode node);
CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec *__exec, CUgraph graph, unsigned long long flags);
HEDDLE_PTSZ(cuGraphInstantiateWithParams, (CUgraphExec * __exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params));
CUresult CUDAAPI cuGraphExecUpdate_v2(CUgraphExec __exec, CUgraph graph, CUgraphExecUpdateResultInfo *info);
CUresult CUDAAPI cuGraphExecKernelNodeSetParams_v2(CUgraphExec __exec, CUgraphNode node,
                                                   const CUDA_KERNEL_NODE_PARAMS *params);
HEDDLE_PTSZ(cuGraphUpload, (CUgraphExec __exec, CUstream stream));
HEDDLE_PTSZ(cuGraphLaunch, (CUgraphExec __exec, CUstream stream));
CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec __exec);
CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params);
CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params);
CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph);
CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies,
                                           size_t count, CUevent event);
CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies,
                                         size_t count, CUevent event);
CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies,
                                        size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies,
                                       size_t count, CUdeviceptr address);
CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address);
CUresult CUDAAPI cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies,
                                          size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphExecBatchMemOpNodeSetParams(CUgraphExec __exec, CUgraphNode node,
                                                    const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice device);
CUresult CUDAAPI cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value);
CUresult CUDAAPI cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value);
CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode __original, CUgraph __clone);
CUresult CUDAAPI cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *__to, CUgraphEdgeData *__edges,
                                    size_t *count);
CUresult CUDAAPI cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *__nodes, CUgraphEdgeData *__edges,
                                               size_t *count);
CUresult CUDAAPI cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *__nodes, CUgraphEdgeData *__edges,
                                                 size_t *count);
CUresult CUDAAPI cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *__to,
                                              const CUgraphEdgeData *__edges, size_t count);
CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec __exec, cuuint64_t *flags);
CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec __exec, CUgraphNode node, const CUDA_MEMCPY3D *params,
                                                CUcontext __context);
CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec __exec, CUgraphNode node,
                                                const CUDA_MEMSET_NODE_PARAMS *params, CUcontext __context);
CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec __exec, CUgraphNode node,
                                              const CUDA_HOST_NODE_PARAMS *params);
CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec __exec, CUgraphNode node, CUgraph __child);
CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec __exec, CUgraphNode node, CUevent event);
CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec __exec, CUgraphNode node, CUevent event);
CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec __exec, CUgraphNode node, unsigned int __enabled);
CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec __exec, CUgraphNode node, unsigned int *__enabled);
CUresult CUDAAPI cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID id, CUkernelNodeAttrValue *value);
CUresult CUDAAPI cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id,
                                               const CUkernelNodeAttrValue *value);
CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags);
CUresult CUDAAPI cuUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned int count,
                                    unsigned int flags);
CUresult CUDAAPI cuUserObjectRetain(CUuserObject object, unsigned int count);
CUresult CUDAAPI cuUserObjectRelease(CUuserObject object, unsigned int count);
CUresult CUDAAPI cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags);
CUresult CUDAAPI cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);
CUresult CUDAAPI cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies,
                                   const CUgraphEdgeData *__edges, size_t count, CUgraphNodeParams *params);
CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params);
CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec __exec, CUgraphNode node, CUgraphNodeParams *params);
CUresult CUDAAPI cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext __context,
                                                unsigned int __initial, unsigned int flags);

#undef HEDDLE_PTSZ
#undef HEDDLE_PTDS
#endif
