// SPDX-License-Identifier: Apache-2.0
// libcuda while memory runs out: contexts, modules, launches, memory of every kind, streams and events.
#include "scarce.h"
#include "../driver/common.h"
#include <unistd.h>

#define M(call)   MAY(call, CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY, result_name)
#define END(call) MUST(call, CUDA_SUCCESS, result_name)

static const char text[] =
    PTX_HEAD PTX_PUT ".visible .global .align 4 .b32 v[16];\n.visible .global .align 8 .u64 w = v;\n";

static void first(void)
{
    CUdevice d;
    CUcontext c = NULL;
    if (M(cuInit(0)) && M(cuDeviceGet(&d, 0)) && M(cuCtxCreate(&c, NULL, 0, d))) {
        M(cuCtxSynchronize());
        END(cuCtxDestroy(c));
    }
}

static void contexts(void)
{
    CUcontext c = NULL, p = NULL, now;
    if (M(cuCtxCreate(&c, NULL, 0, 0))) {
        M(cuCtxPushCurrent(c));
        M(cuCtxPopCurrent(&now));
        M(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20));
        END(cuCtxDestroy(c));
    }
    if (M(cuDevicePrimaryCtxRetain(&p, 0))) {
        if (M(cuCtxSetCurrent(p)))
            M(cuCtxSetCurrent(NULL));
        END(cuDevicePrimaryCtxRelease(0));
    }
}

static void modules(void)
{
    CUmodule m = NULL;
    CUlibrary l = NULL;
    CUlinkState s = NULL;
    CUfunction f;
    CUkernel k;
    CUdeviceptr p;
    size_t size;
    void *image;
    if (M(cuModuleLoadData(&m, text))) {
        M(cuModuleGetFunction(&f, m, "put"));
        M(cuModuleGetGlobal(&p, &size, m, "v"));
        END(cuModuleUnload(m));
    }
    if (M(cuLibraryLoadData(&l, text, NULL, NULL, 0, NULL, NULL, 0))) {
        if (M(cuLibraryGetKernel(&k, l, "put")))
            M(cuKernelGetFunction(&f, k));
        END(cuLibraryUnload(l));
    }
    if (M(cuLinkCreate(0, NULL, NULL, &s))) {
        if (M(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, sizeof text, "a", 0, NULL, NULL)) &&
            M(cuLinkComplete(s, &image, &size)) && M(cuModuleLoadData(&m, image)))
            END(cuModuleUnload(m));
        END(cuLinkDestroy(s));
    }
}

static char folder[] = "/tmp/heddle-scarce-XXXXXX";

static void module_files(void)
{
    static char path[sizeof folder + 8];
    CUmodule m;
    CUlibrary l;
    if (!*path) {
        snprintf(path, sizeof path, "%s/m.ptx", folder);
        FILE *f = fopen(path, "w");
        CHECK(f && fputs(text, f) >= 0 && !fclose(f));
    }
    if (M(cuModuleLoad(&m, path)))
        END(cuModuleUnload(m));
    if (M(cuLibraryLoadFromFile(&l, path, NULL, NULL, 0, NULL, NULL, 0)))
        END(cuLibraryUnload(l));
}

static void launches(void)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p = 0;
    unsigned value = 3, back[64];
    void *args[] = {&p, &value};
    if (!M(cuCtxCreate(&c, NULL, 0, 0)))
        return;
    if (M(cuModuleLoadData(&m, text)) && M(cuMemAlloc(&p, sizeof back)) && M(cuModuleGetFunction(&f, m, "put")) &&
        M(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, NULL, args, NULL)) && M(cuCtxSynchronize()) &&
        M(cuMemcpyDtoH(back, p, sizeof back)))
        for (int i = 0; i < 64; i++)
            CHECK(back[i] == value);
    END(cuCtxDestroy(c)); // with all that is in it
}

// A grid whose blocks wait for each other, so that each has memory of its own. A launch that was accepted runs to its end: else the context
// would be lost for all calls that follow.
static CUfunction meet;
static CUdeviceptr count;
#define PTX_MEET                                                                                                       \
    ".visible .entry meet(.param .u64 p)\n{\n .reg .u64 %a; .reg .u32 %v, %n; .reg .pred %q;\n"                        \
    " ld.param.u64 %a, [p];\n mov.u32 %n, %nctaid.x;\n atom.global.add.u32 %v, [%a], 1;\n"                             \
    "AGAIN: ld.volatile.global.u32 %v, [%a];\n setp.lt.u32 %q, %v, %n;\n @%q bra AGAIN;\n ret;\n}\n"

static void meetings(void)
{
    enum { BLOCKS = 8 };
    unsigned met = 0;
    void *args[] = {&count};
    if (M(cuMemsetD32(count, 0, 1)) && M(cuLaunchCooperativeKernel(meet, BLOCKS, 1, 1, 1, 1, 1, 0, NULL, args))) {
        if (M(cuCtxSynchronize()) && M(cuMemcpyDtoH(&met, count, sizeof met)))
            CHECK(met == BLOCKS);
    }
}

static void memory(void)
{
    CUdeviceptr p = 0, q = 0, r = 0, a = 0;
    CUstream s = NULL;
    void *host = NULL, *own = NULL;
    static char page[8192];
    size_t pitch;
    CUarray array = NULL;
    CUmemoryPool pool = NULL;
    if (M(cuMemAlloc(&p, 100)) && M(cuMemsetD8(p, 1, 100)) && M(cuMemAlloc(&q, 1 << 20)))
        M(cuMemcpyDtoD(q, p, 100));
    if (q)
        END(cuMemFree(q));
    if (p)
        END(cuMemFree(p));
    if (M(cuMemAllocPitch(&r, &pitch, 100, 10, 4))) {
        M(cuMemsetD2D8(r, pitch, 1, 100, 10));
        END(cuMemFree(r));
    }
    if (M(cuMemAllocHost(&host, 100)))
        END(cuMemFreeHost(host));
    if (M(cuMemHostAlloc(&own, 10000, CU_MEMHOSTALLOC_PORTABLE)))
        END(cuMemFreeHost(own));
    if (M(cuMemHostRegister(page, sizeof page, 0)))
        END(cuMemHostUnregister(page));
    if (M(cuMemAllocManaged(&a, 100, CU_MEM_ATTACH_GLOBAL))) {
        *(int *)(uintptr_t)a = 1;
        END(cuMemFree(a));
    }
    CUDA_ARRAY_DESCRIPTOR d = {.Width = 16, .Height = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    if (M(cuArrayCreate(&array, &d))) {
        CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = page,
                           .srcPitch = 64,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .dstArray = array,
                           .WidthInBytes = 64,
                           .Height = 16};
        M(cuMemcpy2D(&c));
        CUtexObject t;
        CUDA_RESOURCE_DESC from = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
        CUDA_TEXTURE_DESC how = {0};
        if (M(cuTexObjectCreate(&t, &from, &how, NULL)))
            END(cuTexObjectDestroy(t));
        END(cuArrayDestroy(array));
    }
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    if (M(cuMemPoolCreate(&pool, &props))) {
        CUdeviceptr x = 0, y = 0;
        if (M(cuStreamCreate(&s, 0))) {
            if (M(cuMemAllocFromPoolAsync(&x, 5000, pool, s)))
                END(cuMemFreeAsync(x, s));
            if (M(cuMemAllocAsync(&y, 100, s)))
                END(cuMemFreeAsync(y, s));
            END(cuStreamDestroy(s));
        }
        END(cuMemPoolDestroy(pool));
    }
}

static void addresses(void)
{
    CUmemGenericAllocationHandle h;
    CUdeviceptr p;
    size_t size = 2 << 20;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {.location = prop.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    if (!M(cuMemCreate(&h, size, &prop, 0)))
        return;
    if (M(cuMemAddressReserve(&p, size, 0, 0, 0))) {
        if (M(cuMemMap(p, size, 0, h, 0))) {
            if (M(cuMemSetAccess(p, size, &access, 1)))
                M(cuMemsetD8(p, 1, size));
            END(cuMemUnmap(p, size));
        }
        END(cuMemAddressFree(p, size));
    }
    END(cuMemRelease(h));
}

static void called(void *data)
{
    ++*(int *)data;
}

static void streams(void)
{
    CUstream s = NULL, t = NULL;
    CUevent e = NULL, b = NULL;
    float ms;
    static int calls;
    CUdeviceptr word = 0;
    if (M(cuStreamCreate(&s, 0)) && M(cuStreamCreateWithPriority(&t, CU_STREAM_NON_BLOCKING, -1)) &&
        M(cuEventCreate(&e, 0)) && M(cuEventCreate(&b, 0))) {
        bool recorded = M(cuEventRecord(b, s));
        M(cuLaunchHostFunc(s, called, &calls));
        if (recorded && M(cuEventRecord(e, s))) {
            M(cuStreamWaitEvent(t, e, 0));
            if (M(cuEventSynchronize(e)))
                M(cuEventElapsedTime(&ms, b, e));
        }
        if (M(cuMemAlloc(&word, 4)))
            M(cuStreamWriteValue32(t, word, 1, 0));
        M(cuStreamSynchronize(t));
        M(cuStreamSynchronize(s));
        M(cuLaunchHostFunc(s, called, &calls)); // goes on when the stream is gone
    }
    if (word)
        END(cuMemFree(word));
    if (b)
        END(cuEventDestroy(b));
    if (e)
        END(cuEventDestroy(e));
    if (t)
        END(cuStreamDestroy(t));
    if (s)
        END(cuStreamDestroy(s));
}

static int failed(void)
{
    return test_failed;
}

int main(void)
{
    static const struct scarce_scenario begins = {"the first calls", first, 0};
    static const struct scarce_scenario all[] = {
        {"contexts", contexts, 0},   {"modules", modules, 0}, {"files", module_files, 0}, {"memory", memory, 0},
        {"addresses", addresses, 0}, {"streams", streams, 0}, {"launches", launches, 60}, {"meetings", meetings, 0},
    };
    CHECK(scarce_try_first(&begins, failed));
    CUcontext c = start();
    CUmodule m;
    OK(cuModuleLoadData(&m, PTX_HEAD PTX_MEET));
    OK(cuModuleGetFunction(&meet, m, "meet"));
    OK(cuMemAlloc(&count, sizeof(unsigned)));
    CHECK(mkdtemp(folder));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        OK(cuCtxSetCurrent(c));
        CHECK(scarce_try(&all[i]));
    }
    OK(cuCtxDestroy(c));
    char path[sizeof folder + 8];
    snprintf(path, sizeof path, "%s/m.ptx", folder);
    CHECK(!unlink(path) && !rmdir(folder));
    return test_summary();
}
