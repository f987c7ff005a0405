// SPDX-License-Identifier: Apache-2.0
// The driver interface of the CUDA 1.1 guide's appendix E as a program of that time used it: devices, contexts counted by
// attaching, modules, parameters set one by one, launches in steps. Errors and arrays are in the other tests of this folder.
#include "common.h"
#include <stdbool.h>

static const char first[] =
    PTX_HEAD ".visible .global .align 4 .u32 number = 11;\n"
             ".extern .shared .align 4 .b8 tile[];\n"
             ".visible .entry mix(.param .u64 p, .param .f32 f, .param .u32 k) {\n"
             " .reg .b32 %r<10>; .reg .f32 %f<5>; .reg .b64 %d<5>;\n"
             " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x; mad.lo.s32 %r4, %r2, %r3, %r1;\n"
             " mov.u32 %r5, %ntid.x; mov.u32 %r6, %tid.x; mad.lo.s32 %r7, %r4, %r5, %r6;\n"
             " ld.param.u64 %d1, [p]; ld.param.f32 %f1, [f]; ld.param.u32 %r8, [k];\n"
             " mov.u32 %r9, %dynamic_smem_size; add.u32 %r8, %r8, %r9;\n"
             " mul.wide.u32 %d2, %r7, 4; add.s64 %d3, %d1, %d2; cvt.rn.f32.u32 %f2, %r7; cvt.rn.f32.u32 %f3, %r8;\n"
             " fma.rn.f32 %f4, %f2, %f1, %f3; st.global.f32 [%d3], %f4; ret; }\n";
static const char second[] = PTX_HEAD ".visible .global .align 4 .u32 number = 22;\n"
                                      ".visible .entry mix() { ret; }\n";

// guide: cuInit (Flags 0; CUDA_ERROR_NOT_INITIALIZED before) | cuDeviceGetCount | cuDeviceGet | cuDeviceGetName | cuDeviceTotalMem
// guide: cuDeviceComputeCapability | cuDeviceGetAttribute (15 attributes) | cuDeviceGetProperties / CUdevprop | CUdevice
static CUdevice devices(void)
{
    int count = 0, major = 0, minor = 0;
    char name[128] = "";
    size_t bytes = 0;
    CUdevice d = -1;
    CUdevprop p;
    CHECK(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuInit(0) == CUDA_SUCCESS);
    CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS && count >= 1);
    CHECK(cuDeviceGet(&d, 0) == CUDA_SUCCESS && d == 0);
    CHECK(cuDeviceGet(&(CUdevice){0}, count) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(cuDeviceGetName(name, sizeof name, d) == CUDA_SUCCESS && name[0]);
    CHECK(cuDeviceTotalMem(&bytes, d) == CUDA_SUCCESS && bytes > 1 << 20);
    CHECK(cuDeviceComputeCapability(&major, &minor, d) == CUDA_SUCCESS && major >= 1);
    CHECK(cuDeviceGetProperties(&p, d) == CUDA_SUCCESS);
    const struct {
        CUdevice_attribute attribute;
        int least, property;
    } attributes[] = {{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 512, p.maxThreadsPerBlock},
                      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 512, p.maxThreadsDim[0]},
                      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 512, p.maxThreadsDim[1]},
                      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64, p.maxThreadsDim[2]},
                      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 65535, p.maxGridSize[0]},
                      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535, p.maxGridSize[1]},
                      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 1, p.maxGridSize[2]},
                      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 16384, p.sharedMemPerBlock},
                      {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536, p.totalConstantMemory},
                      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32, p.SIMDWidth},
                      {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 262144, p.memPitch},
                      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 8192, p.regsPerBlock},
                      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1, p.clockRate},
                      {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 1, p.textureAlign}};
    int v = -1;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        CHECK(cuDeviceGetAttribute(&v, attributes[i].attribute, d) == CUDA_SUCCESS && v >= attributes[i].least &&
              v == attributes[i].property);
    CHECK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, d) == CUDA_SUCCESS && v == 1);
    CHECK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d) == CUDA_SUCCESS && v == major);
    return d;
}

// guide: CUcontext | cuCtxCreate | CUDA_ERROR_INVALID_CONTEXT without a context | cuCtxGetDevice | cuCtxSynchronize
// guide: cuCtxAttach | cuCtxDetach (count 0 destroys)
static void contexts(CUdevice d)
{
    CUcontext c = NULL, again = NULL;
    CUdevice which = -1;
    CUdeviceptr p;
    CHECK(cuMemAlloc(&p, 16) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxCreate_v2(&c, 0, d) == CUDA_SUCCESS);
    CHECK(cuCtxGetDevice(&which) == CUDA_SUCCESS && which == d);
    CHECK(cuCtxAttach(&again, 0) == CUDA_SUCCESS && again == c);
    CHECK(cuCtxDetach(c) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS); // one use is left
    CHECK(cuCtxDetach(c) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxDetach(c) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxCreate_v2(&c, 0, d) == CUDA_SUCCESS);
}

// guide: CUmodule | CUfunction | cuModuleLoad | cuModuleLoadData | cuModuleUnload | cuModuleGetFunction (CUDA_ERROR_NOT_FOUND)
// guide: cuModuleGetGlobal (NULL arguments) | names have module scope
static CUfunction modules(CUmodule *m)
{
    CUmodule other, file;
    CUfunction f = NULL, g = NULL;
    CUdeviceptr a = 0, b = 0;
    size_t size = 0;
    unsigned v = 0;
    CHECK(cuModuleLoadData(m, first) == CUDA_SUCCESS);
    CHECK(cuModuleLoadData(&other, second) == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&f, *m, "mix") == CUDA_SUCCESS && cuModuleGetFunction(&g, other, "mix") == CUDA_SUCCESS);
    CHECK(f != g);
    CHECK(cuModuleGetFunction(&g, *m, "none") == CUDA_ERROR_NOT_FOUND);
    CHECK(cuModuleGetGlobal(&a, &size, *m, "number") == CUDA_SUCCESS && size == 4);
    CHECK(cuModuleGetGlobal(&b, NULL, other, "number") == CUDA_SUCCESS && a != b);
    CHECK(cuModuleGetGlobal(NULL, &size, other, "number") == CUDA_SUCCESS);
    CHECK(cuModuleGetGlobal(&b, &size, other, "none") == CUDA_ERROR_NOT_FOUND);
    CHECK(cuMemcpyDtoH(&v, a, 4) == CUDA_SUCCESS && v == 11);
    CHECK(cuMemcpyDtoH(&v, b, 4) == CUDA_SUCCESS && v == 22);
    CHECK(cuModuleUnload(other) == CUDA_SUCCESS);
    CHECK(cuModuleUnload(other) == CUDA_ERROR_INVALID_HANDLE);
    char path[] = "/tmp/heddle-guide-XXXXXX";
    int fd = mkstemp(path);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    CHECK(out && fputs(first, out) >= 0 && !fclose(out));
    CHECK(cuModuleLoad(&file, path) == CUDA_SUCCESS && cuModuleUnload(file) == CUDA_SUCCESS);
    remove(path);
    CHECK(cuModuleLoad(&file, path) == CUDA_ERROR_FILE_NOT_FOUND);
    return f;
}

// guide: CUdeviceptr | cuMemGetInfo | cuMemAlloc (0 bytes: CUDA_ERROR_INVALID_VALUE) | cuMemFree | cuMemAllocHost | cuMemFreeHost
// guide: cuMemAllocPitch | cuMemGetAddressRange (NULL arguments) | cuMemsetD8 | cuMemsetD16 | cuMemsetD32 | cuMemsetD2D8 | cuMemsetD2D16 | cuMemsetD2D32
// guide: cuMemcpyHtoD | cuMemcpyDtoH | cuMemcpyDtoD | cuMemcpyHtoDAsync | cuMemcpyDtoHAsync
static void memory(void)
{
    size_t total = 0, left = 0, size = 0, pitch = 0;
    CUdeviceptr p = 0, q = 0, base = 0;
    unsigned *host = NULL;
    CHECK(cuMemGetInfo(&left, &total) == CUDA_SUCCESS && left <= total && total > 0);
    CHECK(cuMemAlloc(&p, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemAlloc(&p, 4096) == CUDA_SUCCESS && p % 256 == 0);
    CHECK(cuMemGetAddressRange(&base, &size, p + 100) == CUDA_SUCCESS && base == p && size == 4096);
    size = base = 0;
    CHECK(cuMemGetAddressRange(NULL, &size, p + 100) == CUDA_SUCCESS && size == 4096);
    CHECK(cuMemGetAddressRange(&base, NULL, p + 100) == CUDA_SUCCESS && base == p);
    CHECK(cuMemAllocHost((void **)&host, 4096) == CUDA_SUCCESS);
    CHECK(cuMemsetD32(p, 0x01020304, 1024) == CUDA_SUCCESS && cuMemsetD16(p, 0x5566, 2) == CUDA_SUCCESS);
    CHECK(cuMemsetD8(p + 4, 0x77, 3) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(host, p, 4096) == CUDA_SUCCESS);
    CHECK(host[0] == 0x55665566 && host[1] == 0x01777777 && host[2] == 0x01020304 && host[1023] == 0x01020304);
    for (unsigned i = 0; i < 1024; i++)
        host[i] = i * i;
    CHECK(cuMemcpyHtoD(p, host, 4096) == CUDA_SUCCESS);
    CHECK(cuMemAlloc(&q, 4096) == CUDA_SUCCESS && cuMemcpyDtoD(q, p, 4096) == CUDA_SUCCESS);
    memset(host, 0, 4096);
    CUstream s;
    CHECK(cuStreamCreate(&s, 0) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoHAsync(host, q, 4096, s) == CUDA_SUCCESS && cuStreamSynchronize(s) == CUDA_SUCCESS);
    CHECK(host[1023] == 1023 * 1023);
    host[3] = 12345;
    CHECK(cuMemcpyHtoDAsync(p, host, 16, s) == CUDA_SUCCESS && cuStreamSynchronize(s) == CUDA_SUCCESS);
    unsigned word = 0;
    CHECK(cuMemcpyDtoH(&word, p + 12, 4) == CUDA_SUCCESS && word == 12345);
    CHECK(cuMemFree(q) == CUDA_SUCCESS && cuMemFree(q) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemAllocPitch(&q, &pitch, 100, 10, 4) == CUDA_SUCCESS && pitch >= 100);
    CHECK(cuMemsetD2D8(q, pitch, 1, 100, 10) == CUDA_SUCCESS && cuMemsetD2D16(q, pitch, 0x0202, 10, 3) == CUDA_SUCCESS);
    CHECK(cuMemsetD2D32(q, pitch, 0x03030303, 2, 1) == CUDA_SUCCESS);
    unsigned char row[100];
    CHECK(cuMemcpyDtoH(row, q, 100) == CUDA_SUCCESS && row[0] == 3 && row[7] == 3 && row[8] == 2 && row[19] == 2 &&
          row[20] == 1);
    CHECK(cuMemcpyDtoH(row, q + 9 * pitch, 100) == CUDA_SUCCESS && row[0] == 1 && row[99] == 1);
    CHECK(cuMemFree(q) == CUDA_SUCCESS && cuMemFree(p) == CUDA_SUCCESS && cuMemFreeHost(host) == CUDA_SUCCESS);
    CHECK(cuStreamDestroy(s) == CUDA_SUCCESS);
}

// guide: cuFuncSetBlockShape | cuFuncSetSharedSize | cuParamSetSize | cuParamSeti | cuParamSetf | cuParamSetv
// guide: cuLaunch | cuLaunchGrid | cuLaunchGridAsync | cuLaunchKernel (today's replacement of cuLaunchGrid)
// guide: cuStreamCreate | cuStreamQuery | cuStreamSynchronize | cuStreamDestroy
// guide: cuEventCreate | cuEventRecord | cuEventQuery | cuEventSynchronize | cuEventDestroy | cuEventElapsedTime
static void launches(CUfunction f)
{
    enum { N = 6 * 32 };
    CUdeviceptr p;
    float v[N];
    CUstream s;
    CUevent start = NULL, stop = NULL;
    float ms = -1;
    CHECK(cuMemAlloc(&p, sizeof v) == CUDA_SUCCESS);
    CHECK(cuFuncSetBlockShape(f, 32, 1, 1) == CUDA_SUCCESS);
    CHECK(cuFuncSetSharedSize(f, 128) == CUDA_SUCCESS);
    CHECK(cuParamSetv(f, 0, &p, sizeof p) == CUDA_SUCCESS);
    CHECK(cuParamSetf(f, 8, 0.5f) == CUDA_SUCCESS);
    CHECK(cuParamSeti(f, 12, 7) == CUDA_SUCCESS);
    CHECK(cuParamSetSize(f, 16) == CUDA_SUCCESS);
    CHECK(cuLaunchGrid(f, 3, 2) == CUDA_SUCCESS && cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(v, p, sizeof v) == CUDA_SUCCESS);
    bool right = true;
    for (int i = 0; i < N; i++)
        right &= v[i] == i * 0.5f + 7 + 128;
    CHECK(right);
    CHECK(cuParamSeti(f, 12, 9) == CUDA_SUCCESS && cuFuncSetSharedSize(f, 256) == CUDA_SUCCESS);
    CHECK(cuLaunch(f) == CUDA_SUCCESS && cuCtxSynchronize() == CUDA_SUCCESS); // one block
    CHECK(cuMemcpyDtoH(v, p, sizeof v) == CUDA_SUCCESS && v[31] == 31 * 0.5f + 9 + 256 && v[32] == 32 * 0.5f + 7 + 128);
    CHECK(cuStreamCreate(&s, 0) == CUDA_SUCCESS && cuEventCreate(&start, 0) == CUDA_SUCCESS &&
          cuEventCreate(&stop, 0) == CUDA_SUCCESS);
    CHECK(cuEventRecord(start, s) == CUDA_SUCCESS);
    CHECK(cuParamSetf(f, 8, 2.0f) == CUDA_SUCCESS);
    CHECK(cuLaunchGridAsync(f, 6, 1, s) == CUDA_SUCCESS);
    CHECK(cuEventRecord(stop, s) == CUDA_SUCCESS && cuEventSynchronize(stop) == CUDA_SUCCESS &&
          cuEventQuery(stop) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(s) == CUDA_SUCCESS && cuStreamQuery(s) == CUDA_SUCCESS);
    CHECK(cuEventElapsedTime(&ms, start, stop) == CUDA_SUCCESS && ms >= 0);
    CHECK(cuMemcpyDtoH(v, p, sizeof v) == CUDA_SUCCESS && v[N - 1] == (N - 1) * 2.0f + 9 + 256);
    float by = 3;
    unsigned k = 1;
    void *args[] = {&p, &by, &k};
    CHECK(cuLaunchKernel(f, 6, 1, 1, 32, 1, 1, 0, s, args, NULL) == CUDA_SUCCESS &&
          cuStreamSynchronize(s) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(v, p, sizeof v) == CUDA_SUCCESS && v[5] == 16);
    CHECK(cuFuncSetBlockShape(f, 2000, 1, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuFuncSetBlockShape(f, 32, 1, 1) == CUDA_SUCCESS && cuParamSetSize(f, 12) == CUDA_SUCCESS);
    CHECK(cuLaunch(f) == CUDA_ERROR_INVALID_VALUE); // an argument is missing
    CHECK(cuEventDestroy(start) == CUDA_SUCCESS && cuEventDestroy(stop) == CUDA_SUCCESS &&
          cuStreamDestroy(s) == CUDA_SUCCESS);
    CHECK(cuMemFree(p) == CUDA_SUCCESS);
}

int main(void)
{
    CUmodule m;
    contexts(devices());
    CUfunction f = modules(&m);
    memory();
    launches(f);
    CHECK(cuModuleUnload(m) == CUDA_SUCCESS);
    return test_summary();
}
