// SPDX-License-Identifier: Apache-2.0
// Devices: properties, attributes, limits, addresses on the bus, access between them.
#include "runtime/emulate/emulate.h"
#include "runtime/runtime.h"
#include <string.h>

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    if (!prop)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_device_check(device);
    if (e)
        return e;
    memset(prop, 0, sizeof *prop);
    CUuuid uuid;
    int value;
    // Each question alone may be one that the driver does not know; the field then stays 0.
    drv.cuDeviceGetName(prop->name, sizeof prop->name, device);
    if (!drv.cuDeviceGetUuid(&uuid, device))
        memcpy(&prop->uuid, &uuid, sizeof uuid);
    drv.cuDeviceTotalMem(&prop->totalGlobalMem, device);
#define PROP(field, attribute)                                                                                         \
    if (!drv.cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_##attribute, device))                                    \
        prop->field = (__typeof__(prop->field))value;
#include "runtime/context/property.def"
#undef PROP
    if (emulate_is_on()) { // as CUDA's emulation presents itself
        strcpy(prop->name, "Device Emulation (CPU)");
        prop->major = prop->minor = 9999;
    }
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device)
{
    return cudaGetDeviceProperties(prop, device);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    if (!value)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuDeviceGetAttribute(value, (CUdevice_attribute)attr, device));
}

static bool prop_suits(const struct cudaDeviceProp *have, const struct cudaDeviceProp *want)
{
    return (!want->major || have->major > want->major || (have->major == want->major && have->minor >= want->minor)) &&
           (!want->name[0] || !strcmp(have->name, want->name)) && have->totalGlobalMem >= want->totalGlobalMem &&
           have->sharedMemPerBlock >= want->sharedMemPerBlock && have->multiProcessorCount >= want->multiProcessorCount;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    if (!device || !prop)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_init();
    if (e)
        return e;
    *device = 0;
    for (int i = 0; i < rt_process.devices; i++) {
        struct cudaDeviceProp have;
        if (!cudaGetDeviceProperties(&have, i) && prop_suits(&have, prop)) {
            *device = i;
            break;
        }
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuCtxGetLimit(pValue, (CUlimit)limit));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    CUfunc_cache config;
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuCtxGetCacheConfig(&config));
    if (!e)
        *pCacheConfig = (enum cudaFuncCache)config;
    return e;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuCtxSetCacheConfig((CUfunc_cache)cacheConfig));
}

// The width of shared memory's banks has been fixed for many generations: the calls are kept and do nothing.
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
    if (!pConfig)
        return rt_fail(cudaErrorInvalidValue);
    *pConfig = cudaSharedMemBankSizeFourByte;
    return rt_enter();
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    return (unsigned)config > cudaSharedMemBankSizeEightByte ? rt_fail(cudaErrorInvalidValue) : rt_enter();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuCtxGetStreamPriorityRange(leastPriority, greatestPriority));
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuCtxResetPersistingL2Cache());
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuDeviceGetByPCIBusId(device, pciBusId));
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuDeviceGetPCIBusId(pciBusId, len, device));
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice)
{
    cudaError_t e = rt_device_check(srcDevice);
    if (!e)
        e = rt_device_check(dstDevice);
    return e ? e : rt_result(drv.cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)attr, srcDevice, dstDevice));
}

cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities, const enum cudaAtomicOperation *operations,
                                                unsigned int count, int device)
{
    cudaError_t e = rt_device_check(device);
    return e ? e
             : rt_result(drv.cuDeviceGetHostAtomicCapabilities(capabilities, (const CUatomicOperation *)operations,
                                                               count, device));
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int *capabilities, const enum cudaAtomicOperation *operations,
                                               unsigned int count, int srcDevice, int dstDevice)
{
    cudaError_t e = rt_device_check(srcDevice);
    if (!e)
        e = rt_device_check(dstDevice);
    return e ? e
             : rt_result(drv.cuDeviceGetP2PAtomicCapabilities(capabilities, (const CUatomicOperation *)operations,
                                                              count, srcDevice, dstDevice));
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
    cudaError_t e = rt_device_check(device);
    if (!e)
        e = rt_device_check(peerDevice);
    if (e)
        return e;
    if (!canAccessPeer)
        return rt_fail(cudaErrorInvalidValue);
    *canAccessPeer = 0;
    return device == peerDevice ? cudaSuccess : rt_result(drv.cuDeviceCanAccessPeer(canAccessPeer, device, peerDevice));
}

// Runs a driver call on the primary context of a peer.
static cudaError_t peer_call(int device, CUresult (*call)(CUcontext))
{
    cudaError_t e = rt_device_check(device);
    if (!e)
        e = rt_enter();
    if (e)
        return e;
    CUcontext peer;
    CUresult r = drv.cuDevicePrimaryCtxRetain(&peer, device);
    if (!r) {
        r = call(peer);
        drv.cuDevicePrimaryCtxRelease(device);
    }
    return rt_result(r);
}

static CUresult peer_enable(CUcontext peer)
{
    return drv.cuCtxEnablePeerAccess(peer, 0);
}

static CUresult peer_disable(CUcontext peer)
{
    return drv.cuCtxDisablePeerAccess(peer);
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    return flags ? rt_fail(cudaErrorInvalidValue) : peer_call(peerDevice, peer_enable);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    return peer_call(peerDevice, peer_disable);
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    if (!driverVersion)
        return rt_fail(cudaErrorInvalidValue);
    *driverVersion = 0;
    // Where there is no driver the answer is 0, which is no error.
    if (rt_init()) {
        cudaGetLastError();
        return cudaSuccess;
    }
    return rt_result(drv.cuDriverGetVersion(driverVersion));
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    if (!runtimeVersion)
        return rt_fail(cudaErrorInvalidValue);
    *runtimeVersion = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuProfilerStart());
}

cudaError_t cudaProfilerStop(void)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuProfilerStop());
}
