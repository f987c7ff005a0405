// SPDX-License-Identifier: Apache-2.0
// Several devices and contexts at the driver interface: peer access, events and streams of other contexts,
// limits.
#include "common.h"
#include <stdlib.h>

static void peers(void)
{
    CUcontext a, b, same, other;
    int value;
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuDevicePrimaryCtxRetain(&b, 1));
    OK(cuCtxSetCurrent(a));
    EXPECT(cuCtxEnablePeerAccess(b, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuCtxEnablePeerAccess(NULL, 0), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxEnablePeerAccess(a, 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    EXPECT(cuCtxDisablePeerAccess(a), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    EXPECT(cuCtxDisablePeerAccess(b), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    OK(cuCtxEnablePeerAccess(b, 0));
    EXPECT(cuCtxEnablePeerAccess(b, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    // One way only.
    OK(cuCtxSetCurrent(b));
    EXPECT(cuCtxDisablePeerAccess(a), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    OK(cuCtxEnablePeerAccess(a, 0));
    OK(cuCtxDisablePeerAccess(a));
    OK(cuCtxSetCurrent(a));
    OK(cuCtxDisablePeerAccess(b));
    EXPECT(cuCtxDisablePeerAccess(b), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    // Contexts of the same device need none; a context that went is none.
    OK(cuCtxCreate_v2(&same, 0, 0));
    EXPECT(cuCtxEnablePeerAccess(a, 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    OK(cuCtxCreate_v2(&other, 0, 1));
    OK(cuCtxPopCurrent(NULL));
    OK(cuCtxEnablePeerAccess(other, 0));
    OK(cuCtxDestroy(other));
    EXPECT(cuCtxEnablePeerAccess(other, 0), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxDestroy(same));
    OK(cuCtxSetCurrent(a));
    OK(cuDeviceCanAccessPeer(&value, 0, 1));
    CHECK(value == 1);
    OK(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    CHECK(value == 1);
    EXPECT(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 1, 1), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGetP2PAttribute(&value, (CUdevice_P2PAttribute)77, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

static void copies(void)
{
    CUcontext a, b;
    CUdeviceptr p, q;
    unsigned got[64];
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuDevicePrimaryCtxRetain(&b, 1));
    OK(cuCtxSetCurrent(b));
    OK(cuMemAlloc(&q, 256));
    OK(cuCtxSetCurrent(a));
    OK(cuMemAlloc(&p, 256));
    OK(cuMemsetD32(p, 0x1234, 64));
    OK(cuMemcpyPeer(q, b, p, a, 256));
    OK(cuMemcpyDtoH(got, q, 256));
    CHECK(got[0] == 0x1234 && got[63] == 0x1234);
    EXPECT(cuMemcpyPeer(q, NULL, p, (CUcontext)&p, 256), CUDA_ERROR_INVALID_CONTEXT);
    int device = -1;
    OK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, q));
    CHECK(device == 1);
    OK(cuMemFree(p));
    OK(cuMemFree(q));
}

static void events(void)
{
    CUcontext a, c;
    CUstream sa, sc;
    CUevent ea, ec;
    float ms;
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuCtxSetCurrent(a));
    OK(cuStreamCreate(&sa, CU_STREAM_DEFAULT));
    OK(cuEventCreate(&ea, 0));
    OK(cuCtxCreate_v2(&c, 0, 1));
    OK(cuStreamCreate(&sc, CU_STREAM_DEFAULT));
    OK(cuEventCreate(&ec, 0));
    EXPECT(cuEventRecord(ec, sa), CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventRecord(ec, sc));
    OK(cuStreamWaitEvent(sa, ec, 0));
    OK(cuEventRecord(ea, sa)); // whatever is current
    OK(cuStreamSynchronize(sa));
    OK(cuEventSynchronize(ec));
    EXPECT(cuEventElapsedTime(&ms, ec, ea), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuStreamCopyAttributes(sa, sc), CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventDestroy(ea));
    OK(cuStreamDestroy(sa));
    OK(cuCtxDestroy(c));
}

static void limits(void)
{
    CUcontext c;
    size_t v;
    int l2, most, window;
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    OK(cuDeviceGetAttribute(&l2, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 0));
    OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 0));
    OK(cuDeviceGetAttribute(&window, CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, 0));
    CHECK(l2 > 0 && most > 0 && most <= l2 && window > 0);
    OK(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, (size_t)most));
    EXPECT(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, (size_t)most + 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuCtxGetLimit(&v, CU_LIMIT_PERSISTING_L2_CACHE_SIZE));
    CHECK(v == (size_t)most);
    OK(cuCtxResetPersistingL2Cache());
    EXPECT(cuCtxSetLimit(CU_LIMIT_SHMEM_SIZE, 1), CUDA_ERROR_NOT_PERMITTED);
    OK(cuCtxGetLimit(&v, CU_LIMIT_SHMEM_SIZE));
    CHECK(v == 227 << 10);
    EXPECT(cuCtxGetLimit(&v, CU_LIMIT_CIG_ENABLED), CUDA_ERROR_UNSUPPORTED_LIMIT);
}

int main(void)
{
    setenv("HEDDLE_DEVICES", "2", 1);
    OK(cuInit(0));
    peers();
    copies();
    events();
    limits();
    return test_summary();
}
