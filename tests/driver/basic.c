// SPDX-License-Identifier: Apache-2.0
// Initialisation, devices, contexts, entry points, errors; and what bad arguments give.
#include "common.h"
#include <cudaProfiler.h>

static void before_init(void)
{
    int n;
    CUcontext c;
    CUdeviceptr p;
    EXPECT(cuDeviceGetCount(&n), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuCtxGetCurrent(&c), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuMemAlloc(&p, 4), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuStreamSynchronize(0), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuInit(1), CUDA_ERROR_INVALID_VALUE);
}

static void devices(void)
{
    int n = 0, v = 0;
    CUdevice d;
    char name[100] = "", bus[32];
    size_t bytes = 0;
    CUuuid a, b;
    OK(cuDeviceGetCount(&n));
    CHECK(n == 2);
    EXPECT(cuDeviceGet(&d, 2), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGet(&d, -1), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGet(NULL, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuDeviceGet(&d, 1));
    OK(cuDeviceGetName(name, sizeof name, d));
    CHECK(!strcmp(name, "test device"));
    OK(cuDeviceTotalMem(&bytes, d));
    CHECK(bytes == 1u << 30);
    OK(cuDeviceGetUuid(&a, 0));
    OK(cuDeviceGetUuid(&b, 1));
    CHECK(memcmp(&a, &b, sizeof a));
    OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, d));
    CHECK(v == 32);
    OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d));
    CHECK(v == 8);
    OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d));
    CHECK(v == 6);
    OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, d));
    CHECK(v == 4);
    EXPECT(cuDeviceGetAttribute(&v, 0, d), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MAX, d), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 9), CUDA_ERROR_INVALID_DEVICE);
    OK(cuDeviceGetPCIBusId(bus, sizeof bus, 1));
    OK(cuDeviceGetByPCIBusId(&d, bus));
    CHECK(d == 1);
    OK(cuDeviceCanAccessPeer(&v, 0, 1));
    CHECK(v == 1);
    OK(cuDriverGetVersion(&v));
    CHECK(v == 13000);
}

static void atomics(void)
{
    const unsigned both = CU_ATOMIC_CAPABILITY_SIGNED | CU_ATOMIC_CAPABILITY_UNSIGNED;
    const unsigned words = CU_ATOMIC_CAPABILITY_SCALAR_32 | CU_ATOMIC_CAPABILITY_SCALAR_64;
    CUatomicOperation all[CU_ATOMIC_OPERATION_MAX], bad[2] = {CU_ATOMIC_OPERATION_CAS, CU_ATOMIC_OPERATION_MAX};
    unsigned can[CU_ATOMIC_OPERATION_MAX + 1], peer[CU_ATOMIC_OPERATION_MAX];
    for (int i = 0; i < CU_ATOMIC_OPERATION_MAX; i++)
        all[i] = (CUatomicOperation)i;
    memset(can, 0xaa, sizeof can);
    OK(cuDeviceGetHostAtomicCapabilities(can, all, CU_ATOMIC_OPERATION_MAX, 1));
    CHECK(can[CU_ATOMIC_OPERATION_INTEGER_ADD] == (both | CU_ATOMIC_CAPABILITY_REDUCTION | words));
    CHECK(can[CU_ATOMIC_OPERATION_INTEGER_DECREMENT] ==
          (CU_ATOMIC_CAPABILITY_UNSIGNED | CU_ATOMIC_CAPABILITY_REDUCTION | CU_ATOMIC_CAPABILITY_SCALAR_32));
    CHECK(can[CU_ATOMIC_OPERATION_XOR] == (both | CU_ATOMIC_CAPABILITY_REDUCTION | words));
    CHECK(can[CU_ATOMIC_OPERATION_CAS] == (both | words | CU_ATOMIC_CAPABILITY_SCALAR_128));
    CHECK(can[CU_ATOMIC_OPERATION_FLOAT_ADD] & CU_ATOMIC_CAPABILITY_VECTOR_32x4);
    CHECK(!(can[CU_ATOMIC_OPERATION_FLOAT_ADD] & CU_ATOMIC_CAPABILITY_UNSIGNED));
    CHECK(!can[CU_ATOMIC_OPERATION_FLOAT_MIN] && !can[CU_ATOMIC_OPERATION_FLOAT_MAX]);
    CHECK(can[CU_ATOMIC_OPERATION_MAX] == 0xaaaaaaaa);
    OK(cuDeviceGetP2PAtomicCapabilities(peer, all, CU_ATOMIC_OPERATION_MAX, 0, 1));
    CHECK(!memcmp(peer, can, sizeof peer));
    EXPECT(cuDeviceGetHostAtomicCapabilities(NULL, all, 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGetHostAtomicCapabilities(can, NULL, 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGetHostAtomicCapabilities(can, all, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGetHostAtomicCapabilities(can, bad, 2, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGetHostAtomicCapabilities(can, all, 1, 2), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGetP2PAtomicCapabilities(can, all, 1, 1, 1), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGetP2PAtomicCapabilities(can, all, 1, 0, 2), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGetP2PAtomicCapabilities(can, bad, 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

static void primary(void)
{
    CUcontext a, b, now;
    CUdeviceptr p;
    unsigned flags;
    int active;
    size_t size;
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(!active);
    EXPECT(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuDevicePrimaryCtxRetain(&b, 0));
    CHECK(a == b);
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxSetCurrent(a));
    OK(cuMemAlloc(&p, 1000));
    EXPECT(cuCtxDestroy(a), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuDevicePrimaryCtxReset(0));
    EXPECT(cuMemGetAddressRange(NULL, &size, p), CUDA_ERROR_NOT_FOUND);
    OK(cuMemAlloc(&p, 1000));
    OK(cuDevicePrimaryCtxRelease(0));
    OK(cuMemFree(p));
    OK(cuDevicePrimaryCtxRelease(0));
    EXPECT(cuMemAlloc(&p, 1000), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    OK(cuDevicePrimaryCtxRetain(&b, 0));
    CHECK(a == b);
    OK(cuMemAlloc(&p, 1000));
    OK(cuMemFree(p));
    OK(cuDevicePrimaryCtxRelease(0));
    OK(cuCtxSetCurrent(NULL));
    OK(cuCtxGetCurrent(&now));
    CHECK(now == NULL);
}

static void explicit_contexts(void)
{
    CUcontext a, b, now;
    CUdevice d;
    unsigned n;
    unsigned long long ia, ib;
    size_t v;
    OK(cuCtxCreate_v2(&a, CU_CTX_SCHED_SPIN, 0));
    OK(cuCtxCreate(&b, NULL, 0, 1));
    EXPECT(cuCtxCreate_v2(NULL, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuCtxCreate_v2(&now, 0x1000, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuCtxCreate_v2(&now, 0, 5), CUDA_ERROR_INVALID_DEVICE);
    OK(cuCtxGetCurrent(&now));
    CHECK(now == b);
    OK(cuCtxGetDevice(&d));
    CHECK(d == 1);
    OK(cuCtxGetApiVersion(b, &n));
    OK(cuCtxPopCurrent(&now));
    CHECK(now == b);
    OK(cuCtxGetFlags(&n));
    CHECK(n == CU_CTX_SCHED_SPIN);
    OK(cuCtxGetId(a, &ia));
    OK(cuCtxGetId(b, &ib));
    CHECK(ia != ib);
    OK(cuCtxGetLimit(&v, CU_LIMIT_STACK_SIZE));
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    OK(cuCtxGetLimit(&v, CU_LIMIT_STACK_SIZE));
    CHECK(v == 4096);
    EXPECT(cuCtxSetLimit((CUlimit)99, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 1), CUDA_ERROR_UNSUPPORTED_LIMIT);
    OK(cuCtxPushCurrent(b));
    OK(cuCtxDestroy(b)); // current: popped
    OK(cuCtxGetCurrent(&now));
    CHECK(now == a);
    EXPECT(cuCtxPushCurrent(b), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxDestroy(b), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxSetCurrent(BAD(CUcontext)), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxDestroy(BAD(CUcontext)), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxPushCurrent(a));
    OK(cuCtxDestroy(a)); // once popped, below it stays
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    OK(cuCtxPopCurrent(&now));
    EXPECT(cuCtxPopCurrent(&now), CUDA_ERROR_INVALID_CONTEXT);
}

static void entry_points(void)
{
    void *f = NULL, *g = NULL;
    CUdriverProcAddressQueryResult q;
    OK(cuGetProcAddress("cuMemAlloc", &f, 3020, 0, &q));
    CHECK(f == (void *)cuMemAlloc_v2 && q == CU_GET_PROC_ADDRESS_SUCCESS);
    OK(cuGetProcAddress("cuMemAlloc", &f, 1010, 0, &q)); // older.c has the forms of later versions
    CHECK(!f && q == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    OK(cuGetProcAddress("cuNoSuch", &f, 13000, 0, &q));
    CHECK(!f && q == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    OK(cuGetProcAddress("", &f, 0, 0, &q));
    CHECK(!f);
    OK(cuGetProcAddress("cuStreamSynchronize", &f, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &q));
    OK(cuGetProcAddress("cuStreamSynchronize", &g, 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &q));
    CHECK(f == (void *)cuStreamSynchronize_ptsz && g == (void *)cuStreamSynchronize);
    OK(cuGetProcAddress("cuMemcpyHtoD", &f, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &q));
    CHECK(f == (void *)cuMemcpyHtoD_v2_ptds);
    OK(cuGetProcAddress("cuEventElapsedTime", &f, 12000, 0, &q));
    OK(cuGetProcAddress("cuEventElapsedTime", &g, 13000, 0, &q));
    CHECK(g == (void *)cuEventElapsedTime_v2 && f != g);
    OK(cuGetProcAddress("cuCtxCreate", &f, 12000, 0, &q));
    CHECK(f == (void *)cuCtxCreate_v3);
    EXPECT(cuGetProcAddress("cuNoSuch", &f, 13000, 0, NULL), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuGetProcAddress(NULL, &f, 13000, 0, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGetExportTable((const void **)&f, NULL), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuProfilerInitialize("counters", "profile", CU_OUT_CSV), CUDA_ERROR_NOT_SUPPORTED);
}

static void errors(void)
{
    const char *s;
    OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &s));
    CHECK(!strcmp(s, "CUDA_ERROR_ILLEGAL_ADDRESS"));
    OK(cuGetErrorString(CUDA_SUCCESS, &s));
    CHECK(!strcmp(s, "no error"));
    EXPECT(cuGetErrorName((CUresult)12345, &s), CUDA_ERROR_INVALID_VALUE);
    CHECK(s == NULL);
    EXPECT(cuGetErrorString(CUDA_SUCCESS, NULL), CUDA_ERROR_INVALID_VALUE);
    // What has a name has a text, and no two are the same.
    const char *names[1000], *text;
    unsigned count = 0;
    for (unsigned code = 0; code < 1000; code++) {
        CUresult r = cuGetErrorName((CUresult)code, &s);
        EXPECT(cuGetErrorString((CUresult)code, &text), r);
        if (r)
            continue;
        CHECK(!strncmp(s, code ? "CUDA_ERROR_" : "CUDA_SUCCESS", 11) && *text && strcmp(text, s) != 0);
        for (unsigned i = 0; i < count; i++)
            CHECK(strcmp(names[i], s) != 0);
        names[count++] = s;
    }
    CHECK(count > 100);
    EXPECT(cuGetErrorName(CUDA_ERROR_UNKNOWN, &s), CUDA_SUCCESS);
    CHECK(CUDA_ERROR_UNKNOWN == 999 && !strcmp(names[count - 1], s));
}

int main(void)
{
    setenv("HEDDLE_DEVICES", "3", 1);
    setenv("CUDA_VISIBLE_DEVICES", "2, 0,7,1", 1); // the entry that names nothing ends the list
    setenv("HEDDLE_NAME", "test device", 1);
    setenv("HEDDLE_CC", "8.6", 1);
    setenv("HEDDLE_SMS", "4", 1);
    setenv("HEDDLE_MEMORY", "1073741824", 1);
    before_init();
    OK(cuInit(0));
    devices();
    atomics();
    primary();
    explicit_contexts();
    entry_points();
    errors();
    return test_summary();
}
