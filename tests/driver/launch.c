// SPDX-License-Identifier: Apache-2.0
// Launches: arguments in all forms, shapes that are refused, many shapes, attributes, occupancy, the old interface.
#include "common.h"

static const char text[] = PTX_HEAD PTX_ADD PTX_PUT PTX_COUNT PTX_EMPTY
    ".visible .entry bounded() .maxntid 64, 1, 1 { ret; }\n"
    ".visible .entry exact() .reqntid 32, 2, 1 { ret; }\n"
    ".visible .entry large() { .reg .b32 %r<2>; .shared .align 4 .b8 room[4096]; mov.u32 %r1, room;\n"
    " st.shared.u32 [room], %r1; ret; }\n"
    // reverse(p): through dynamic shared memory
    ".extern .shared .align 4 .b8 pool[];\n"
    ".visible .entry reverse(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %d<5>; mov.u32 %r1, %tid.x; mov.u32 %r2, "
    "%ntid.x;\n"
    " ld.param.u64 %d1, [p]; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; ld.global.u32 %r3, [%d3];\n"
    " mov.u32 %r4, pool; shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5], %r3; bar.sync 0;\n"
    " sub.u32 %r6, %r2, %r1; sub.u32 %r6, %r6, 1; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r4;\n"
    " ld.shared.u32 %r7, [%r6]; st.global.u32 [%d3], %r7; ret; }\n";

static CUmodule module;
static CUfunction get(const char *name)
{
    CUfunction f = NULL;
    OK(cuModuleGetFunction(&f, module, name));
    return f;
}

static CUresult shape(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared)
{
    return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, 0, NULL, NULL);
}

static void arguments(void)
{
    enum { N = 1000 };
    CUfunction add = get("add");
    CUdeviceptr o, a, b;
    float x[N], y[N];
    unsigned n = N;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    OK(cuMemAlloc(&o, sizeof x));
    OK(cuMemAlloc(&a, sizeof x));
    OK(cuMemAlloc(&b, sizeof x));
    OK(cuMemcpyHtoD(a, x, sizeof x));
    OK(cuMemcpyHtoD(b, x, sizeof x));
    void *params[] = {&o, &a, &b, &n};
    OK(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, 0, params, NULL));
    OK(cuMemcpyDtoH(y, o, sizeof y));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != 2 * x[i];
    CHECK(!wrong);
    struct {
        CUdeviceptr o, a, b;
        unsigned n;
    } packed = {o, a, o, N};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, 0, NULL, extra));
    OK(cuMemcpyDtoH(y, o, sizeof y));
    wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != 3 * x[i];
    CHECK(!wrong);
    EXPECT(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, 0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, 0, params, extra), CUDA_ERROR_INVALID_VALUE);
    size = 8;
    EXPECT(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, 0, NULL, extra), CUDA_ERROR_INVALID_VALUE);
    params[2] = NULL;
    EXPECT(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, 0, params, NULL), CUDA_ERROR_INVALID_VALUE);
    // the old interface
    OK(cuFuncSetBlockShape(add, 100, 1, 1));
    OK(cuParamSetv(add, 0, &o, 8));
    OK(cuParamSetv(add, 8, &a, 8));
    OK(cuParamSetv(add, 16, &a, 8));
    OK(cuParamSeti(add, 24, N));
    OK(cuParamSetSize(add, 28));
    OK(cuLaunchGrid(add, 10, 1));
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(y, o, sizeof y));
    CHECK(y[999] == 1998);
    OK(cuMemFree(o));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
}

static void shapes(void)
{
    CUfunction e = get("empty"), bounded = get("bounded"), exact = get("exact"), large = get("large");
    int v;
    OK(shape(e, 1, 1, 1, 1024, 1, 1, 0));
    OK(shape(e, 1, 65535, 1, 1, 1, 1, 0));
    OK(shape(e, 1, 1, 1, 1, 1, 64, 0));
    EXPECT(shape(e, 0, 1, 1, 32, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(shape(e, 1, 1, 1, 32, 0, 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(shape(e, 1, 65536, 1, 1, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(shape(e, 1u << 31, 1, 1, 1, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(shape(e, 1, 1, 1, 1025, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(shape(e, 1, 1, 1, 1, 1, 65, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(shape(e, 1, 1, 1, 64, 32, 1, 0), CUDA_ERROR_INVALID_VALUE);
    OK(shape(bounded, 1, 1, 1, 64, 1, 1, 0));
    EXPECT(shape(bounded, 1, 1, 1, 65, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bounded));
    CHECK(v == 64);
    OK(shape(exact, 1, 1, 1, 32, 2, 1, 0));
    EXPECT(shape(exact, 1, 1, 1, 64, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
    // shared memory
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, large));
    CHECK(v == 4096);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, large));
    CHECK(v == 48 * 1024 - 4096);
    OK(shape(large, 1, 1, 1, 32, 1, 1, 48 * 1024 - 4096));
    EXPECT(shape(large, 1, 1, 1, 32, 1, 1, 48 * 1024 - 4095), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuFuncSetAttribute(large, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024),
           CUDA_ERROR_INVALID_VALUE);
    OK(cuFuncSetAttribute(large, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100 * 1024));
    OK(shape(large, 1, 1, 1, 32, 1, 1, 100 * 1024));
    EXPECT(shape(large, 1, 1, 1, 32, 1, 1, 100 * 1024 + 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuFuncSetAttribute(large, CU_FUNC_ATTRIBUTE_NUM_REGS, 10), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX, large), CUDA_ERROR_INVALID_VALUE);
    // handles
    EXPECT(shape(BAD(CUfunction), 1, 1, 1, 1, 1, 1, 0), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(shape(NULL, 1, 1, 1, 1, 1, 1, 0), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuLaunchKernel(e, 1, 1, 1, 1, 1, 1, 0, BAD(CUstream), NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuLaunchKernel((CUfunction)module, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    OK(cuCtxSynchronize());
}

// More shapes than there are specialised variants.
static void many_shapes(void)
{
    CUfunction count = get("count");
    CUdeviceptr p;
    unsigned zero = 0, n, wanted = 0;
    void *params[] = {&p};
    OK(cuMemAlloc(&p, 4));
    OK(cuMemcpyHtoD(p, &zero, 4));
    for (unsigned b = 1; b < 24; b++) {
        OK(cuLaunchKernel(count, 3, 1, 1, 7 * b, 1 + b % 2, 1, 0, 0, params, NULL));
        wanted += 3 * 7 * b * (1 + b % 2);
    }
    OK(cuMemcpyDtoH(&n, p, 4));
    CHECK(n == wanted);
    OK(cuMemFree(p));
}

static void dynamic_shared(void)
{
    CUfunction f = get("reverse");
    CUdeviceptr p;
    unsigned v[256];
    void *params[] = {&p};
    for (unsigned i = 0; i < 256; i++)
        v[i] = i;
    OK(cuMemAlloc(&p, sizeof v));
    OK(cuMemcpyHtoD(p, v, sizeof v));
    OK(cuLaunchKernel(f, 1, 1, 1, 256, 1, 1, sizeof v, 0, params, NULL));
    OK(cuMemcpyDtoH(v, p, sizeof v));
    int wrong = 0;
    for (unsigned i = 0; i < 256; i++)
        wrong += v[i] != 255 - i;
    CHECK(!wrong);
    OK(cuMemFree(p));
}

static void extended(void)
{
    CUfunction count = get("count");
    CUdeviceptr p;
    CUevent e;
    unsigned zero = 0, n;
    int blocks, sms;
    void *params[] = {&p};
    OK(cuMemAlloc(&p, 4));
    OK(cuMemcpyHtoD(p, &zero, 4));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    CUlaunchAttribute a[4] = {{.id = CU_LAUNCH_ATTRIBUTE_PRIORITY},
                              {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION},
                              {.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT},
                              {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}};
    a[1].value.programmaticStreamSerializationAllowed = 1;
    a[2].value.launchCompletionEvent.event = e;
    a[3].value.clusterDim.x = 2;
    a[3].value.clusterDim.y = a[3].value.clusterDim.z = 1;
    CUlaunchConfig c = {4, 1, 1, 64, 1, 1, 0, NULL, a, 4};
    OK(cuLaunchKernelEx(&c, count, params, NULL));
    OK(cuEventSynchronize(e));
    OK(cuMemcpyDtoH(&n, p, 4));
    CHECK(n == 256);
    c.gridDimX = 3;
    EXPECT(cuLaunchKernelEx(&c, count, params, NULL), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    a[3].value.clusterDim.x = 9;
    c.gridDimX = 9;
    EXPECT(cuLaunchKernelEx(&c, count, params, NULL), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    a[0].id = (CUlaunchAttributeID)500;
    EXPECT(cuLaunchKernelEx(&c, count, params, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLaunchKernelEx(NULL, count, params, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, 128, 0));
    OK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    OK(cuLaunchCooperativeKernel(count, (unsigned)(blocks * sms), 1, 1, 128, 1, 1, 0, 0, params));
    EXPECT(cuLaunchCooperativeKernel(count, (unsigned)(blocks * sms + 1), 1, 1, 128, 1, 1, 0, 0, params),
           CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    OK(cuCtxSynchronize());
    OK(cuEventDestroy(e));
    OK(cuMemFree(p));
}

static size_t shared_of(int block)
{
    return (size_t)block * 64;
}

static void occupancy(void)
{
    CUfunction e = get("empty");
    int blocks, grid, size, sms;
    size_t shared;
    OK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, e, 1024, 0));
    CHECK(blocks == 2);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, e, 32, 0));
    CHECK(blocks == 32);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, e, 64, 40 * 1024));
    CHECK(blocks == 5);
    EXPECT(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, e, 0, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &size, e, NULL, 0, 0));
    CHECK(size == 1024 && grid == 2 * sms);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &size, e, shared_of, 0, 256));
    CHECK(size <= 256 && size >= 32);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&shared, e, 2, 256));
    CHECK(shared == 48 * 1024);
}

int main(void)
{
    CUcontext c = start();
    OK(cuModuleLoadData(&module, text));
    arguments();
    shapes();
    many_shapes();
    dynamic_shared();
    extended();
    occupancy();
    OK(cuCtxDestroy(c));
    return test_summary();
}
