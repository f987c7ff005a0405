// SPDX-License-Identifier: Apache-2.0
// libcudart while memory runs out: the first calls, modules that the program registers, launches, memory of every kind, streams,
// events and graphs. What gives something back succeeds also then.
#include "scarce.h"
#include "registration.h"
#include "../driver/common.h"
#include "fatbin/fatbin.h"
#include <cuda_runtime_api.h>
#include <stddef.h>

#define M(call)   MAY(call, cudaSuccess, cudaErrorMemoryAllocation, cudaGetErrorName)
#define END(call) MUST(call, cudaSuccess, cudaGetErrorName)

static const char text[] = PTX_HEAD PTX_PUT ".visible .global .align 4 .b32 v[16];\n";

// What our compiler puts into a program.
static struct {
    struct fatbin_header header;
    struct fatbin_entry_header entry;
    char text[(sizeof text + 7) / 8 * 8];
} image;
static struct fatbin_wrapper wrapper = {FATBIN_WRAPPER_MAGIC, 1, &image, NULL};
static char put, variable; // their addresses stand for a kernel and a variable

static void image_make(void)
{
    image.header = (struct fatbin_header){FATBIN_MAGIC, 1, sizeof image.header, sizeof image - sizeof image.header};
    image.entry = (struct fatbin_entry_header){.kind = FATBIN_PTX,
                                               .version = 0x101,
                                               .header_size = sizeof image.entry,
                                               .size = sizeof image.text,
                                               .major = 7,
                                               .minor = 8,
                                               .sm = 80};
    memcpy(image.text, text, sizeof text);
}

static void **registered(void)
{
    void **m = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(m, &put, NULL, "put", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(m, &variable, NULL, "v", 0, 64, 0, 0);
    __cudaRegisterFatBinaryEnd(m);
    return m;
}

static void called(void *data)
{
    ++*(int *)data;
}

static bool launched(unsigned *out, unsigned value, cudaStream_t s)
{
    void *args[] = {&out, &value};
    return M(cudaLaunchKernel(&put, (dim3){2, 1, 1}, (dim3){32, 1, 1}, args, 0, s));
}

// What a program begins with: the driver is found, a context made, a module loaded, threads started.
static void first(void)
{
    void **m = registered(), *p = NULL;
    static int calls;
    int n;
    size_t size;
    if (M(cudaGetDeviceCount(&n)) && M(cudaMalloc(&p, 100))) {
        M(cudaGetSymbolSize(&size, &variable));
        M(cudaMemset(p, 1, 100));
        M(cudaLaunchHostFunc(NULL, called, &calls));
        M(cudaDeviceSynchronize());
        END(cudaFree(p));
    }
    __cudaUnregisterFatBinary(m);
}

static void contexts(void)
{
    struct cudaDeviceProp prop;
    int device;
    M(cudaSetDevice(0));
    M(cudaGetDevice(&device));
    M(cudaGetDeviceProperties(&prop, 0));
    M(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    M(cudaDeviceSynchronize());
    M(cudaFree(NULL));
    END(cudaDeviceReset());
}

static void modules(void)
{
    void **m = registered(), *address;
    cudaLibrary_t l = NULL;
    cudaKernel_t k;
    struct cudaFuncAttributes a;
    size_t size;
    M(cudaFuncGetAttributes(&a, &put));
    M(cudaGetSymbolAddress(&address, &variable));
    M(cudaGetSymbolSize(&size, &variable));
    M(cudaMemcpyToSymbol(&variable, text, 8, 0, cudaMemcpyHostToDevice));
    __cudaUnregisterFatBinary(m);
    if (M(cudaLibraryLoadData(&l, text, NULL, NULL, 0, NULL, NULL, 0))) {
        M(cudaLibraryGetKernel(&k, l, "put"));
        END(cudaLibraryUnload(l));
    }
}

// A kernel that finds no memory while it runs takes its context with it.
static void launches(void)
{
    void **m = registered();
    unsigned *p = NULL, back[64];
    if (M(cudaMalloc((void **)&p, sizeof back))) {
        bool ok = launched(p, 5, NULL) && M(cudaDeviceSynchronize()) &&
                  M(cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 64 && ok; i++)
            CHECK(back[i] == 5);
        if (ok)
            END(cudaFree(p));
        else
            END(cudaDeviceReset());
    }
    __cudaUnregisterFatBinary(m);
}

static void memory(void)
{
    void *p = NULL, *q = NULL, *host = NULL;
    static char page[8192];
    size_t pitch;
    cudaArray_t array = NULL;
    struct cudaChannelFormatDesc d = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    if (M(cudaMalloc(&p, 100)) && M(cudaMemset(p, 1, 100)) && M(cudaMalloc(&q, 1 << 20)))
        M(cudaMemcpy(q, p, 100, cudaMemcpyDeviceToDevice));
    if (q)
        END(cudaFree(q));
    if (p)
        END(cudaFree(p));
    if (M(cudaMallocPitch(&p, &pitch, 100, 10))) {
        M(cudaMemset2D(p, pitch, 1, 100, 10));
        END(cudaFree(p));
    }
    if (M(cudaMallocHost(&host, 100)))
        END(cudaFreeHost(host));
    if (M(cudaHostAlloc(&host, 10000, cudaHostAllocPortable | cudaHostAllocMapped))) {
        M(cudaHostGetDevicePointer(&p, host, 0));
        END(cudaFreeHost(host));
    }
    if (M(cudaHostRegister(page, sizeof page, 0)))
        END(cudaHostUnregister(page));
    if (M(cudaMallocManaged(&p, 100, cudaMemAttachGlobal))) {
        *(int *)p = 1;
        END(cudaFree(p));
    }
    if (M(cudaMallocArray(&array, &d, 16, 16, 0))) {
        cudaTextureObject_t t;
        struct cudaResourceDesc from = {.resType = cudaResourceTypeArray, .res.array.array = array};
        struct cudaTextureDesc how = {0};
        M(cudaMemcpy2DToArray(array, 0, 0, page, 64, 64, 16, cudaMemcpyHostToDevice));
        if (M(cudaCreateTextureObject(&t, &from, &how, NULL)))
            END(cudaDestroyTextureObject(t));
        END(cudaFreeArray(array));
    }
}

static void pools(void)
{
    cudaStream_t s = NULL;
    cudaMemPool_t pool;
    void *x = NULL;
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
    if (!M(cudaStreamCreate(&s)))
        return;
    if (M(cudaMallocAsync(&x, 100, s)))
        END(cudaFreeAsync(x, s));
    if (M(cudaMallocAsync(&x, 100, s)))
        END(cudaFree(x));
    if (M(cudaMemPoolCreate(&pool, &props))) {
        if (M(cudaMallocFromPoolAsync(&x, 5000, pool, s)))
            END(cudaFreeAsync(x, s));
        END(cudaMemPoolDestroy(pool));
    }
    END(cudaStreamDestroy(s));
}

static void streams(void)
{
    cudaStream_t s = NULL, t = NULL;
    cudaEvent_t e = NULL, b = NULL;
    static int calls;
    float ms;
    if (M(cudaStreamCreate(&s)) && M(cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -1)) &&
        M(cudaEventCreate(&e)) && M(cudaEventCreateWithFlags(&b, cudaEventBlockingSync))) {
        bool recorded = M(cudaEventRecord(b, s));
        M(cudaLaunchHostFunc(s, called, &calls));
        if (recorded && M(cudaEventRecord(e, s))) {
            M(cudaStreamWaitEvent(t, e, 0));
            if (M(cudaEventSynchronize(e)))
                M(cudaEventElapsedTime(&ms, b, e));
        }
        M(cudaStreamSynchronize(t));
        M(cudaStreamSynchronize(s));
        M(cudaLaunchHostFunc(s, called, &calls)); // goes on when the stream is gone
    }
    if (b)
        END(cudaEventDestroy(b));
    if (e)
        END(cudaEventDestroy(e));
    if (t)
        END(cudaStreamDestroy(t));
    if (s)
        END(cudaStreamDestroy(s));
}

static void graphs(void)
{
    cudaGraph_t g = NULL, c = NULL;
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n;
    cudaStream_t s = NULL;
    void *p = NULL;
    static int calls;
    struct cudaHostNodeParams host = {called, &calls};
    if (M(cudaStreamCreate(&s)) && M(cudaMalloc(&p, 64)) && M(cudaGraphCreate(&g, 0))) {
        struct cudaMemsetParams set = {.dst = p, .elementSize = 4, .width = 16, .height = 1};
        if (M(cudaGraphAddMemsetNode(&n, g, NULL, 0, &set)) && M(cudaGraphAddHostNode(&n, g, &n, 1, &host)) &&
            M(cudaGraphInstantiate(&x, g, 0))) {
            if (M(cudaGraphLaunch(x, s)))
                M(cudaStreamSynchronize(s));
            END(cudaGraphExecDestroy(x));
        }
        END(cudaGraphDestroy(g));
        if (M(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal))) {
            M(cudaMemsetAsync(p, 0, 64, s));
            if (M(cudaStreamEndCapture(s, &c)))
                END(cudaGraphDestroy(c));
        }
    }
    if (s) // which ends a capture
        END(cudaStreamDestroy(s));
    if (p)
        END(cudaFree(p));
}

static int failed(void)
{
    return test_failed;
}

int main(void)
{
    static const struct scarce_scenario begins[] = {{"the first calls", first, 0}, {"the first launch", launches, 100}};
    static const struct scarce_scenario all[] = {
        {"contexts", contexts, 0}, {"modules", modules, 0}, {"memory", memory, 0},      {"pools", pools, 0},
        {"streams", streams, 0},   {"graphs", graphs, 0},   {"launches", launches, 60},
    };
    image_make();
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        CHECK(scarce_try_first(&begins[i], failed));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CHECK(scarce_try(&all[i]));
    return test_summary();
}
