// SPDX-License-Identifier: Apache-2.0
// Wrong arguments to the functions that the driver interface of CUDA 1.1 had: null, out of range, too large, of the
// wrong kind. The errors are those of an H200; OURS are calls that crash NVIDIA's driver, or where it is more lenient.
// What is no handle at all has a test of its own (handles.c), and so have arrays and textures.
#include "common.h"

#ifdef ORACLE
#define OURS(row)
#else
#define OURS(row) row
#endif
#define VALUE(call)     EXPECT(call, CUDA_ERROR_INVALID_VALUE)
#define HANDLE(call)    EXPECT(call, CUDA_ERROR_INVALID_HANDLE)
#define DEVICE(call)    EXPECT(call, CUDA_ERROR_INVALID_DEVICE)
#define CONTEXT(call)   EXPECT(call, CUDA_ERROR_INVALID_CONTEXT)
#define NOT_FOUND(call) EXPECT(call, CUDA_ERROR_NOT_FOUND)
#define MEMORY(call)    EXPECT(call, CUDA_ERROR_OUT_OF_MEMORY)
#define IMAGE(call)     EXPECT(call, CUDA_ERROR_INVALID_IMAGE)

static CUdevice device;
static CUdeviceptr memory; // 1 MiB
static char host[1 << 20];

static void devices(void)
{
    int a, b;
    char name[10];
    size_t size;
    CUdevprop p;
    VALUE(cuInit(1));
    VALUE(cuDeviceGetCount(NULL));
    VALUE(cuDeviceGet(NULL, 0));
    DEVICE(cuDeviceGet(&a, 99));
    DEVICE(cuDeviceGet(&a, -1));
    VALUE(cuDeviceGetName(NULL, 5, device));
    DEVICE(cuDeviceGetName(name, 10, 77));
    OK(cuDeviceGetName(name, 2, device));
    CHECK(name[0] && !name[1]);
    OURS(VALUE(cuDeviceGetName(name, 0, device)));
    OURS(VALUE(cuDeviceGetName(name, -1, device)));
    VALUE(cuDeviceTotalMem(NULL, device));
    DEVICE(cuDeviceTotalMem(&size, 77));
    VALUE(cuDeviceComputeCapability(NULL, &b, device));
    VALUE(cuDeviceComputeCapability(&a, NULL, device));
    DEVICE(cuDeviceComputeCapability(&a, &b, -1));
    VALUE(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    VALUE(cuDeviceGetAttribute(&a, (CUdevice_attribute)0, device));
    VALUE(cuDeviceGetAttribute(&a, (CUdevice_attribute)9999, device));
    DEVICE(cuDeviceGetAttribute(&a, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 77));
    VALUE(cuDeviceGetProperties(NULL, device));
    DEVICE(cuDeviceGetProperties(&p, 99));
    OK(cuDeviceGetProperties(&p, device));
    CHECK(p.maxThreadsPerBlock == 1024 && p.SIMDWidth == 32 && p.memPitch == 0x7fffffff);
}

static void contexts(CUcontext current)
{
    CUcontext c;
    CUdevice d;
    VALUE(cuCtxCreate(NULL, NULL, 0, device));
    DEVICE(cuCtxCreate(&c, NULL, 0, 77));
    VALUE(cuCtxCreate(&c, NULL, 0x8000, device));
    VALUE(cuCtxDestroy(NULL));
    VALUE(cuCtxGetDevice(NULL));
    VALUE(cuCtxAttach(NULL, 0));
    VALUE(cuCtxAttach(&c, 1));
    OK(cuCtxAttach(&c, 0));
    CHECK(c == current);
    OK(cuCtxDetach(c));
    CONTEXT(cuCtxDetach(NULL));
    OK(cuCtxGetDevice(&d));
    CHECK(d == device);
    OK(cuCtxSetCurrent(NULL));
    CONTEXT(cuCtxGetDevice(&d));
    CONTEXT(cuCtxSynchronize());
    CONTEXT(cuMemAlloc(&memory, 4));
    OK(cuCtxSetCurrent(current));
}

static void modules(void)
{
    static const char ptx[] = PTX_HEAD ".visible .global .u32 word;\n" PTX_EMPTY;
    static const char garbage[] = "garbage garbage garbage garbage garbage garbage garbage garbage garbage garbage";
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    size_t size;
    VALUE(cuModuleLoad(NULL, "x"));
    VALUE(cuModuleLoad(&m, NULL));
    EXPECT(cuModuleLoad(&m, "/nonexistent"), CUDA_ERROR_FILE_NOT_FOUND);
    VALUE(cuModuleLoadData(NULL, ptx));
    VALUE(cuModuleLoadData(&m, NULL));
    IMAGE(cuModuleLoadData(&m, garbage));
    IMAGE(cuModuleLoadData(&m, ""));
    VALUE(cuModuleLoadFatBinary(&m, NULL));
    IMAGE(cuModuleLoadFatBinary(&m, garbage));
    HANDLE(cuModuleUnload(NULL));
    OK(cuModuleLoadData(&m, ptx));
    VALUE(cuModuleGetFunction(NULL, m, "empty"));
    VALUE(cuModuleGetFunction(&f, m, NULL));
    VALUE(cuModuleGetFunction(&f, m, ""));
    NOT_FOUND(cuModuleGetFunction(&f, m, "none"));
    NOT_FOUND(cuModuleGetFunction(&f, m, "word"));
    HANDLE(cuModuleGetFunction(&f, NULL, "empty"));
    OK(cuModuleGetGlobal(NULL, &size, m, "word"));
    CHECK(size == 4);
    VALUE(cuModuleGetGlobal(NULL, NULL, m, "word"));
    VALUE(cuModuleGetGlobal(&p, &size, m, NULL));
    NOT_FOUND(cuModuleGetGlobal(&p, &size, m, "none"));
    VALUE(cuModuleGetGlobal(&p, &size, m, "empty")); // a kernel
    HANDLE(cuModuleGetGlobal(&p, &size, NULL, "word"));
    OK(cuModuleUnload(m));
}

static void streams_and_events(void)
{
    CUstream s;
    CUevent a, b;
    float ms;
    VALUE(cuStreamCreate(NULL, 0));
    VALUE(cuStreamCreate(&s, 0x80));
    HANDLE(cuStreamDestroy(NULL));
    HANDLE(cuStreamDestroy(CU_STREAM_LEGACY));
    VALUE(cuEventCreate(NULL, 0));
    VALUE(cuEventCreate(&a, 0x80));
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, 0));
    OK(cuEventQuery(a)); // never recorded
    OK(cuEventSynchronize(a));
    HANDLE(cuEventElapsedTime(&ms, a, b));
    HANDLE(cuEventElapsedTime(&ms, NULL, b));
    HANDLE(cuEventRecord(NULL, 0));
    HANDLE(cuEventQuery(NULL));
    HANDLE(cuEventSynchronize(NULL));
    HANDLE(cuEventDestroy(NULL));
    OURS(VALUE(cuEventElapsedTime(NULL, a, b)));
    OK(cuEventDestroy(a));
    OK(cuEventDestroy(b));
}

static void allocation(void)
{
    CUdeviceptr p;
    size_t size;
    void *h;
    VALUE(cuMemAlloc(NULL, 4));
    VALUE(cuMemAlloc(&p, 0));
    MEMORY(cuMemAlloc(&p, SIZE_MAX));
    MEMORY(cuMemAlloc(&p, (size_t)1 << 50));
    VALUE(cuMemAllocPitch(NULL, &size, 4, 4, 4));
    VALUE(cuMemAllocPitch(&p, NULL, 4, 4, 4));
    VALUE(cuMemAllocPitch(&p, &size, 0, 4, 4));
    VALUE(cuMemAllocPitch(&p, &size, 4, 0, 4));
    VALUE(cuMemAllocPitch(&p, &size, 4, 4, 3));
    VALUE(cuMemAllocPitch(&p, &size, 4, 4, 0));
    VALUE(cuMemAllocPitch(&p, &size, SIZE_MAX, 4, 4));
    OK(cuMemFree(0));
    VALUE(cuMemFree(16));
    VALUE(cuMemFree(memory + 4));
    VALUE(cuMemFree((CUdeviceptr)(uintptr_t)host));
    VALUE(cuMemAllocHost(NULL, 4));
    OK(cuMemAllocHost(&h, 0));
    MEMORY(cuMemAllocHost(&h, SIZE_MAX));
    OK(cuMemFreeHost(NULL));
    VALUE(cuMemFreeHost(host));
    OK(cuMemGetAddressRange(NULL, NULL, memory));
    NOT_FOUND(cuMemGetAddressRange(&p, &size, 16));
    NOT_FOUND(cuMemGetAddressRange(&p, &size, 0));
    OK(cuMemGetInfo(NULL, NULL));
    OK(cuMemAlloc(&p, 1 << 16));
    OK(cuMemFree(p));
    OURS(VALUE(cuMemFree(p)));
}

static void fills_and_copies(void)
{
    VALUE(cuMemsetD8(0, 0, 4));
    VALUE(cuMemsetD8(16, 0, 4));
    VALUE(cuMemsetD8(memory, 0, 3 << 20));
    VALUE(cuMemsetD16(memory + 1, 0, 4));
    VALUE(cuMemsetD32(memory + 2, 0, 4));
    OK(cuMemsetD8(memory, 0, 0));
    OK(cuMemsetD8(0, 0, 0));
    VALUE(cuMemsetD2D8(memory, 4, 0, 8, 2));
    OK(cuMemsetD2D8(memory, 4, 0, 8, 1));
    VALUE(cuMemsetD2D16(memory, 7, 0, 2, 2));
    OK(cuMemsetD2D8(memory, 8, 0, 0, 2));
    VALUE(cuMemsetD2D8(memory, 0, 0, 8, 2));
    VALUE(cuMemsetD2D32(0, 8, 0, 2, 2));
    OURS(VALUE(cuMemsetD8(memory, 0, SIZE_MAX)));
    VALUE(cuMemcpyHtoD(0, host, 4));
    VALUE(cuMemcpyHtoD(memory, NULL, 4));
    VALUE(cuMemcpyHtoD(16, host, 4));
    OK(cuMemcpyHtoD(0, NULL, 0));
    VALUE(cuMemcpyHtoD(memory, host, SIZE_MAX));
    VALUE(cuMemcpyHtoD(memory, host, (2 << 20) + 4));
    VALUE(cuMemcpyDtoH(host, 0, 4));
    VALUE(cuMemcpyDtoH(NULL, memory, 4));
    VALUE(cuMemcpyDtoH(host, 16, 4));
    VALUE(cuMemcpyDtoD(memory, 0, 4));
    VALUE(cuMemcpyDtoD(16, memory, 4));
    VALUE(cuMemcpyDtoD(memory, (CUdeviceptr)(uintptr_t)host, 4));
}

// Launches with shape and arguments set on the function.
static void launches(void)
{
    CUmodule m;
    CUfunction f;
    int v = 0;
    OK(cuModuleLoadData(&m, PTX_HEAD PTX_PUT));
    OK(cuModuleGetFunction(&f, m, "put"));
    VALUE(cuFuncSetBlockShape(f, 0, 1, 1));
    VALUE(cuFuncSetBlockShape(f, -1, 1, 1));
    VALUE(cuFuncSetBlockShape(f, 2000, 1, 1));
    HANDLE(cuFuncSetBlockShape(NULL, 1, 1, 1));
    VALUE(cuFuncSetSharedSize(f, 1 << 30));
    HANDLE(cuFuncSetSharedSize(NULL, 0));
    VALUE(cuParamSetSize(f, 40000));
    HANDLE(cuParamSetSize(NULL, 8));
    VALUE(cuParamSeti(f, 40000, 1));
    OURS(VALUE(cuParamSeti(f, -4, 1)));
    HANDLE(cuParamSeti(NULL, 0, 0));
    VALUE(cuParamSetf(f, 40000, 1));
    VALUE(cuParamSetv(f, 0, NULL, 8));
    OK(cuParamSetv(f, 0, &memory, 0));
    OURS(VALUE(cuParamSetv(f, 8, &memory, 0xffffffffu)));
    OURS(VALUE(cuLaunch(f))); // no arguments yet
    OK(cuFuncSetBlockShape(f, 8, 2, 1));
    OK(cuFuncSetSharedSize(f, 0));
    OK(cuParamSetSize(f, 12));
    OK(cuParamSetv(f, 0, &memory, 8));
    OK(cuParamSeti(f, 8, 77));
    VALUE(cuLaunchGrid(f, 0, 1));
    VALUE(cuLaunchGrid(f, -1, 1));
    VALUE(cuLaunchGrid(f, 1, 65536));
    HANDLE(cuLaunch(NULL));
    OK(cuLaunchGrid(f, 2, 1));
    OK(cuMemcpyDtoH(&v, memory + 15 * 4, 4));
    CHECK(v == 77);
    OK(cuParamSetf(f, 8, 1.0f));
    OK(cuLaunchGridAsync(f, 1, 1, 0));
    OK(cuMemcpyDtoH(&v, memory + 7 * 4, 4));
    CHECK(v == 0x3f800000);
    OK(cuLaunch(f));
    OK(cuCtxSynchronize());
    OK(cuModuleUnload(m));
}

static void graphs(CUcontext context)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphConditionalHandle h;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphConditionalHandleCreate(&h, g, context, 0, 0));
    p.conditional.handle = h;
    p.conditional.type = CU_GRAPH_COND_TYPE_SWITCH;
    p.conditional.ctx = context;
    VALUE(cuGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p.conditional.size = UINT32_MAX; // more bodies than there is room for
    EXPECT(cuGraphAddNode(&n, g, NULL, NULL, 0, &p), CUDA_ERROR_OUT_OF_MEMORY);
    p.conditional.size = 3;
    OK(cuGraphAddNode(&n, g, NULL, NULL, 0, &p));
    VALUE(cuGraphAddNode(&n, g, NULL, NULL, 0, &p)); // the handle has its node
    OK(cuGraphDestroy(g));
}

int main(void)
{
    CUcontext context = start();
    OK(cuDeviceGet(&device, 0));
    contexts(context);
    OK(cuMemAlloc(&memory, 1 << 20));
    devices();
    modules();
    streams_and_events();
    allocation();
    fills_and_copies();
    launches();
    graphs(context);
    OK(cuMemFree(memory));
    return test_summary();
}
