// SPDX-License-Identifier: Apache-2.0
// The forms of before version 3.2: addresses and sizes of 32 bits. They work on memory below 4 GiB, and refuse what has more bits.
#define __CUDA_API_VERSION_INTERNAL
#include "common.h"

enum { N = 1024 };
static const char text[] = PTX_HEAD PTX_PUT ".visible .global .align 4 .u32 variable[64];\n.global .texref tex;\n";

static void amounts(void)
{
    unsigned total = 0, unused = 0;
    size_t wide = 0;
    OK(cuDeviceTotalMem_v2(&wide, 0));
    OK(cuDeviceTotalMem(&total, 0));
    CHECK(total == (wide > UINT32_MAX ? UINT32_MAX : wide));
    total = 0;
    OK(cuMemGetInfo(&unused, &total));
    CHECK(unused && unused <= total);
    OK(cuMemGetInfo(NULL, NULL));
    EXPECT(cuDeviceTotalMem(NULL, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceTotalMem(&total, -1), CUDA_ERROR_INVALID_DEVICE);
}

static void allocations(void)
{
    CUdeviceptr_v1 p = 1, base, many[500];
    unsigned pitch = 0, size;
    OK(cuMemAlloc(&p, 5000));
    CHECK(p && p % 256 == 0);
    OK(cuMemGetAddressRange(&base, &size, p + 100));
    CHECK(base == p && size == 5000);
    OK(cuMemGetAddressRange(NULL, NULL, p));
    OK(cuMemFree(p));
    EXPECT(cuMemGetAddressRange(&base, &size, p), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(0));
    EXPECT(cuMemAlloc(NULL, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAlloc(&p, UINT32_MAX), CUDA_ERROR_OUT_OF_MEMORY); // not so much is free below 4 GiB
    OK(cuMemAllocPitch(&p, &pitch, 100, 7, 4));
    CHECK(pitch >= 100 && pitch % 256 == 0);
    OK(cuMemsetD2D8(p, pitch, 3, 100, 7));
    OK(cuMemFree(p));
    EXPECT(cuMemAllocPitch(&p, NULL, 100, 7, 4), CUDA_ERROR_INVALID_VALUE);
    bool apart = true;
    for (int round = 0; round < 3; round++) { // what was freed is used again
        for (int i = 0; i < 500; i++) {
            OK(cuMemAlloc(&many[i], 300 + (unsigned)i * 40));
            OK(cuMemsetD8(many[i], (unsigned char)i, 300));
        }
        for (int i = 0; i < 500; i++) {
            unsigned char got = 0;
            OK(cuMemcpyDtoH(&got, many[i] + 299, 1));
            apart &= got == (unsigned char)i;
            OK(cuMemFree(many[i]));
        }
    }
    CHECK(apart);
}

static void copies(void)
{
    CUdeviceptr_v1 a, b;
    unsigned in[N], out[N];
    unsigned short half = 0;
    CUstream s;
    for (unsigned i = 0; i < N; i++)
        in[i] = i * 2654435761u;
    OK(cuStreamCreate(&s, 0));
    OK(cuMemAlloc(&a, sizeof in));
    OK(cuMemAlloc(&b, sizeof in));
    OK(cuMemcpyHtoD(a, in, sizeof in));
    OK(cuMemcpyDtoD(b, a, sizeof in));
    OK(cuMemcpyDtoH(out, b, sizeof in));
    CHECK(!memcmp(in, out, sizeof in));
    OK(cuMemsetD32(a, 0x12345678, N));
    OK(cuMemsetD16(a, 0xabcd, 2));
    OK(cuMemcpyDtoH(out, a, sizeof in));
    CHECK(out[0] == 0xabcdabcd && out[1] == 0x12345678 && out[N - 1] == 0x12345678);
    OK(cuMemsetD2D16(a, 64, 0x1111, 4, 3));
    OK(cuMemsetD2D32(b, 64, 7, 4, 3));
    OK(cuMemcpyDtoH(&half, a + 128 + 6, 2));
    CHECK(half == 0x1111);
    OK(cuMemcpyDtoH(out, b, sizeof in));
    CHECK(out[32 + 3] == 7 && out[32 + 4] == in[32 + 4]);
    OK(cuMemcpyHtoDAsync(a, in, sizeof in, s));
    OK(cuMemcpyDtoDAsync(b, a, sizeof in, s));
    OK(cuMemcpyDtoHAsync(out, b, sizeof in, s));
    OK(cuStreamSynchronize(s));
    CHECK(!memcmp(in, out, sizeof in));
    OK(cuMemcpyHtoDAsync(a, in, 4, NULL));
    EXPECT(cuMemcpyHtoD(0x1000, in, 4), CUDA_ERROR_INVALID_VALUE);
    // A column of 8 rows, from the host to the device and back from another place.
    CUDA_MEMCPY2D_v1 to = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = in,
                           .srcPitch = 64,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = a,
                           .dstPitch = 128,
                           .dstXInBytes = 16,
                           .WidthInBytes = 32,
                           .Height = 8};
    OK(cuMemcpy2D(&to));
    OK(cuMemcpy2DUnaligned(&to));
    OK(cuMemcpy2DAsync(&to, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(out, a, sizeof in));
    CHECK(out[7 * 32 + 4] == in[7 * 16] && out[7 * 32 + 11] == in[7 * 16 + 7]);
    EXPECT(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpy3DAsync(NULL, s), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    OK(cuStreamDestroy(s));
}

static void arrays(void)
{
    CUDA_ARRAY_DESCRIPTOR_v1 flat = {64, 8, CU_AD_FORMAT_UNSIGNED_INT32, 1}, got;
    CUDA_ARRAY3D_DESCRIPTOR_v1 deep = {16, 8, 4, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0}, got_deep;
    CUarray a, b, box;
    CUdeviceptr_v1 p;
    unsigned in[512], out[512] = {0};
    CUstream s;
    for (unsigned i = 0; i < 512; i++)
        in[i] = i;
    OK(cuStreamCreate(&s, 0));
    OK(cuArrayCreate(&a, &flat));
    OK(cuArrayCreate(&b, &flat));
    EXPECT(cuArrayCreate(&a, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuArrayGetDescriptor(&got, a));
    CHECK(!memcmp(&got, &flat, sizeof got));
    EXPECT(cuArrayGetDescriptor(NULL, a), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAlloc(&p, sizeof in));
    OK(cuMemcpyHtoA(a, 0, in, 256));
    OK(cuMemcpyAtoA(b, 0, a, 0, 256));
    OK(cuMemcpyAtoD(p, b, 0, 256));
    OK(cuMemcpyDtoA(a, 128, p, 128));
    OK(cuMemcpyAtoH(out, a, 0, 256));
    CHECK(out[31] == 31 && out[32] == 0 && out[63] == 31);
    OK(cuMemcpyHtoAAsync(a, 0, in + 64, 256, s));
    OK(cuMemcpyAtoHAsync(out, a, 0, 256, s));
    OK(cuStreamSynchronize(s));
    CHECK(out[0] == 64 && out[63] == 127);
    OK(cuArray3DCreate(&box, &deep));
    OK(cuArray3DGetDescriptor(&got_deep, box));
    CHECK(!memcmp(&got_deep, &deep, sizeof deep));
    CUDA_MEMCPY3D_v1 to = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = in,
                           .srcPitch = 64,
                           .srcHeight = 8,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .dstArray = box,
                           .WidthInBytes = 64,
                           .Height = 8,
                           .Depth = 4};
    CUDA_MEMCPY3D_v1 from = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                             .srcArray = box,
                             .srcZ = 2,
                             .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                             .dstDevice = p,
                             .dstPitch = 64,
                             .dstHeight = 8,
                             .WidthInBytes = 64,
                             .Height = 8,
                             .Depth = 2};
    OK(cuMemcpy3D(&to));
    OK(cuMemcpy3DAsync(&from, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(out, p, 1024));
    CHECK(out[0] == 256 && out[255] == 511);
    OK(cuArrayDestroy(a));
    OK(cuArrayDestroy(b));
    OK(cuArrayDestroy(box));
    OK(cuMemFree(p));
    OK(cuStreamDestroy(s));
}

static void textures(CUmodule m)
{
    CUDA_ARRAY_DESCRIPTOR_v1 flat = {64, 8, CU_AD_FORMAT_UNSIGNED_INT32, 1};
    CUtexref t;
    CUdeviceptr_v1 p, got = 0;
    unsigned offset = 1;
    OK(cuModuleGetTexRef(&t, m, "tex"));
    OK(cuTexRefSetFormat(t, CU_AD_FORMAT_UNSIGNED_INT32, 1));
    OK(cuMemAlloc(&p, 8192));
    OK(cuTexRefSetAddress(&offset, t, p, 8192));
    OK(cuTexRefGetAddress(&got, t));
    CHECK(offset == 0 && got == p);
    OK(cuTexRefSetAddress2D(t, &flat, p, 512));
    OK(cuTexRefSetAddress2D_v2(t, &(CUDA_ARRAY_DESCRIPTOR){64, 8, CU_AD_FORMAT_UNSIGNED_INT32, 1}, p, 512));
    EXPECT(cuTexRefSetAddress2D(t, NULL, p, 512), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(p));
}

// A context of that time: all of its memory has addresses of 32 bits, and kernels see the same memory.
static void narrow_context(void)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr_v1 variable = 0, mapped = 0;
    unsigned bytes = 0, version = 0, value = 77, got[64];
    void *host = NULL;
    OK(cuCtxCreate(&c, 0, 0));
    OK(cuCtxGetApiVersion(c, &version));
    CHECK(version == 3010);
    OK(cuModuleLoadData(&m, text));
    OK(cuModuleGetGlobal(&variable, &bytes, m, "variable"));
    CHECK(variable && bytes == sizeof got);
    EXPECT(cuModuleGetGlobal(&variable, &bytes, m, "nothing"), CUDA_ERROR_NOT_FOUND);
    OK(cuModuleGetFunction(&f, m, "put"));
    uint64_t address = variable;
    OK(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&address, &value}, NULL));
    OK(cuMemcpyDtoH(got, variable, sizeof got));
    CHECK(got[0] == 77 && got[63] == 77);
    OK(cuMemAllocHost(&host, 4096));
    OK(cuMemHostGetDevicePointer(&mapped, host, 0));
    CHECK(mapped == (uintptr_t)host);
    OK(cuMemFreeHost(host));
    textures(m);
    OK(cuCtxDestroy(c));
}

// In a context of today memory is anywhere: what has no 32 bits is refused, and nothing is written.
static void wide_context(void)
{
    CUcontext c = start();
    CUmodule m;
    CUtexref t;
    CUdeviceptr wide;
    CUdeviceptr_v1 p = 5, q;
    unsigned bytes = 6, version;
    void *host;
    OK(cuCtxGetApiVersion(c, &version));
    CHECK(version == 3020);
    OK(cuMemHostAlloc(&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    EXPECT(cuMemHostGetDevicePointer(&p, host, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuModuleLoadData(&m, text));
    EXPECT(cuModuleGetGlobal(&p, &bytes, m, "variable"), CUDA_ERROR_INVALID_VALUE);
    CHECK(p == 5 && bytes == 6);
    OK(cuModuleGetGlobal(NULL, &bytes, m, "variable"));
    CHECK(bytes == 256);
    OK(cuMemAlloc_v2(&wide, 8192));
    OK(cuModuleGetTexRef(&t, m, "tex"));
    OK(cuTexRefSetAddress_v2(NULL, t, wide, 8192));
    EXPECT(cuTexRefGetAddress(&p, t), CUDA_ERROR_INVALID_VALUE);
    CHECK(p == 5);
    OK(cuMemAlloc(&q, 64)); // below 4 GiB all the same, and known to the later forms
    size_t size = 0;
    OK(cuMemGetAddressRange_v2(&wide, &size, q));
    CHECK(wide == q && size == 64);
    OK(cuMemFree_v2(q));
    EXPECT(cuMemAlloc(&q, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuCtxDestroy(c));
    EXPECT(cuMemAlloc(&q, 64), CUDA_ERROR_INVALID_CONTEXT);
}

int main(void)
{
    CUcontext c;
    OK(cuInit(0));
    OK(cuCtxCreate(&c, 0, 0));
    amounts();
    allocations();
    copies();
    arrays();
    OK(cuCtxDestroy(c));
    narrow_context();
    wide_context();
    return test_summary();
}
