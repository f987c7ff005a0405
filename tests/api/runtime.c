// SPDX-License-Identifier: Apache-2.0
// libcudart over the fake driver: laziness, errors, copies, launches, registration, threads, cost of a launch.
#include "fake_driver.h"
#include "registration.h"
#include "test.h"
#include "fatbin/fatbin.h"
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char store, quick, missing, global, unknown; // their addresses stand for kernels and a variable
static int *managed;
static struct fatbin_wrapper image = {FATBIN_WRAPPER_MAGIC, 1, "", NULL};
static void **module;
static struct fake_state *fake;

static void module_register(void)
{
    module = __cudaRegisterFatBinary(&image);
    __cudaRegisterFunction(module, &store, NULL, "store", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &quick, NULL, "quick", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &missing, NULL, "missing", -1, 0, 0, 0, 0, 0);
    __cudaRegisterVar(module, &global, NULL, "global", 0, 64, 0, 0);
    __cudaRegisterManagedVar(module, (void **)&managed, NULL, "managed", 0, 64, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
}

static void *fake_find(void)
{
    return dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_NOW);
}

static void test_lazy(void)
{
    int n = 0, version = 0;
    CHECK(!fake_find()); // registration alone does nothing
    CHECK(cudaGetLastError() == cudaSuccess && !fake_find());
    CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess && version == 13000 && !fake_find());
    CHECK(cudaGetDeviceCount(&n) == cudaSuccess && n == 2);
    void *library = fake_find();
    CHECK(library);
    fake = ((fake_state_fn)dlsym(library, "fake_state"))();
    CHECK(cudaDriverGetVersion(&version) == cudaSuccess && version == 13000);
    CHECK(cudaFree(NULL) == cudaSuccess && fake->loads == 0); // a context, but no module yet
}

static void test_devices(void)
{
    struct cudaDeviceProp p;
    int d = -1, v = 0;
    CHECK(cudaGetDeviceProperties(&p, 1) == cudaSuccess && !strcmp(p.name, "fake 1") && p.totalGlobalMem == 2ul << 30);
    CHECK(p.warpSize == CU_DEVICE_ATTRIBUTE_WARP_SIZE && p.major == 75 && p.minor == 76 && p.maxGridSize[2] == 65535);
    CHECK(p.clockRate == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    CHECK(cudaGetDeviceProperties(&p, 2) == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess && v == 16);
    CHECK(cudaSetDevice(1) == cudaSuccess && cudaGetDevice(&d) == cudaSuccess && d == 1);
    CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice && cudaGetDevice(&d) == cudaSuccess && d == 1);
    CHECK(cudaSetDevice(0) == cudaSuccess);
    cudaGetLastError();
}

static void *thread_last_error(void *out)
{
    int d = -1;
    cudaGetDevice(&d);
    *(int *)out = cudaPeekAtLastError() == cudaSuccess && d == 0;
    return NULL;
}

static void test_errors(void)
{
    int fresh = 0;
    pthread_t t;
    CHECK(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
    CHECK(!strcmp(cudaGetErrorString(cudaSuccess), "no error") && cudaGetErrorString((cudaError_t)12345));
    CHECK(cudaMemcpy(&fresh, &fresh, 4, (enum cudaMemcpyKind)9) == cudaErrorInvalidMemcpyDirection);
    cudaSetDevice(1);
    pthread_create(&t, NULL, thread_last_error, &fresh);
    pthread_join(t, NULL);
    CHECK(fresh); // another thread has its own last error and its own device
    cudaSetDevice(0);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidMemcpyDirection);
    CHECK(cudaGetLastError() == cudaErrorInvalidMemcpyDirection && cudaPeekAtLastError() == cudaSuccess);
    CHECK(cudaStreamQuery(NULL) == cudaErrorNotReady && cudaGetLastError() == cudaSuccess);
    CHECK(cudaGraphicsUnregisterResource(NULL) == cudaErrorNotSupported && cudaGetLastError() == cudaErrorNotSupported);
    // A lost context: told again and again, until the device is reset.
    fake->next = CUDA_ERROR_ILLEGAL_ADDRESS;
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress && cudaGetLastError() == cudaSuccess); // as on an H200
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress);
    CHECK(cudaDeviceReset() == cudaSuccess && fake->resets == 1 && cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

static void test_memory(void)
{
    int *p = NULL, a[64], b[64] = {0};
    for (int i = 0; i < 64; i++)
        a[i] = i * 7;
    CHECK(cudaMalloc((void **)&p, 0) == cudaSuccess && !p);
    CHECK(cudaMalloc(NULL, 4) == cudaErrorInvalidValue);
    CHECK(cudaMalloc((void **)&p, sizeof a) == cudaSuccess && p);
    CHECK(cudaMemcpy(p, a, sizeof a, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(b, p, sizeof b, cudaMemcpyDefault) == cudaSuccess && !memcmp(a, b, sizeof a));
    CHECK(cudaMemset(p, 1, 8) == cudaSuccess);
    CHECK(cudaMemcpyAsync(b, p, sizeof b, cudaMemcpyDeviceToHost, (cudaStream_t)1) == cudaSuccess);
    CHECK(b[0] == 0x01010101 && b[2] == 14 && fake->last_stream == (CUstream)1);
    CHECK(cudaMemcpy_ptds(b, a, sizeof b, cudaMemcpyHostToHost) == cudaSuccess &&
          fake->last_stream == CU_STREAM_PER_THREAD);
    CHECK(cudaMemsetAsync_ptsz(p, 0, 4, NULL) == cudaSuccess && fake->last_stream == CU_STREAM_PER_THREAD && !p[0]);
    CHECK(cudaMemcpy2D(b, 8, a, 16, 8, 4, cudaMemcpyHostToHost) == cudaSuccess && b[2] == a[4] && b[7] == a[13]);
    CHECK(cudaMemcpy2D(b, 4, a, 16, 8, 4, cudaMemcpyHostToHost) == cudaErrorInvalidPitchValue);
    CHECK(cudaFree(p) == cudaSuccess);

    struct cudaPitchedPtr q;
    struct cudaExtent extent = {12, 3, 2};
    CHECK(cudaMalloc3D(&q, extent) == cudaSuccess && q.pitch == 256 && q.xsize == 12 && q.ysize == 3);
    CHECK(cudaMemset3D(q, 5, extent) == cudaSuccess);
    struct cudaMemcpy3DParms box = {
        .srcPtr = q, .dstPtr = {b, 12, 12, 3}, .extent = extent, .kind = cudaMemcpyDeviceToHost};
    CHECK(cudaMemcpy3D(&box) == cudaSuccess && b[0] == 0x05050505 && b[17] == 0x05050505 && b[18] == a[18]);
    box.dstPtr.ptr = NULL;
    CHECK(cudaMemcpy3D(&box) == cudaErrorInvalidValue);
    CHECK(cudaFree(q.ptr) == cudaSuccess);
    cudaGetLastError();
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void test_arrays(void)
{
    struct cudaChannelFormatDesc d = cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat), e;
    struct cudaExtent extent;
    cudaArray_t a = NULL, c = NULL;
    int in[64], out[64] = {0};
    for (int i = 0; i < 64; i++)
        in[i] = i;
    CHECK(cudaMallocArray(&a, &d, 4, 5, 0) == cudaSuccess && cudaMallocArray(&c, &d, 4, 5, 0) == cudaSuccess);
    CHECK(cudaArrayGetInfo(&e, &extent, NULL, a) == cudaSuccess && !memcmp(&d, &e, sizeof d) && extent.height == 5);
    // 4 x 5 elements of 8 bytes; two rows of 16 bytes at (1, 2).
    CHECK(cudaMemcpy2DToArray(a, 8, 2, in, 20, 16, 2, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy2DFromArray(out, 32, a, 0, 0, 32, 5, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(out[18] == 0 && out[19] == 1 && out[21] == 3 && out[26] == 5 && out[29] == 8 && out[30] == 0);
    CHECK(cudaMemcpy2DToArray(a, 8, 2, in, 12, 16, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
    CHECK(cudaMemcpy2DToArray(a, 8, 2, in, 20, 16, 2, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
    CHECK(cudaMemcpy2DArrayToArray(c, 0, 0, a, 8, 2, 16, 2, cudaMemcpyDeviceToDevice) == cudaSuccess);
    // A run of bytes over the ends of rows: 8 in row 0, row 1 whole, 8 of row 2.
    CHECK(cudaMemcpyToArray(a, 24, 0, in, 48, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpyFromArray(out, a, 24, 0, 48, cudaMemcpyDeviceToHost) == cudaSuccess && !memcmp(in, out, 48));
    CHECK(cudaMemcpy2DFromArray(out, 16, c, 0, 0, 16, 2, cudaMemcpyDeviceToHost) == cudaSuccess && out[5] == 6);
    CHECK(cudaFreeArray(a) == cudaSuccess && cudaFreeArray(c) == cudaSuccess && cudaFreeArray(NULL) == cudaSuccess);
    d.y = 16;
    CHECK(cudaMallocArray(&a, &d, 4, 4, 0) == cudaErrorInvalidChannelDescriptor);

    struct cudaPointerAttributes p;
    CHECK(cudaPointerGetAttributes(&p, in) == cudaSuccess && p.type == cudaMemoryTypeDevice && p.device == 1);
    CHECK(cudaPointerGetAttributes(&p, (void *)0x1000) == cudaSuccess && p.type == cudaMemoryTypeUnregistered);
    cudaGetLastError();
}
#pragma GCC diagnostic pop

static void test_symbols(void)
{
    int v[2] = {3, 4}, w = 0;
    size_t size = 0;
    void *p = NULL;
    CHECK(cudaMemcpyToSymbol(&global, v, sizeof v, 4, cudaMemcpyHostToDevice) == cudaSuccess && fake->loads == 1);
    CHECK(cudaMemcpyFromSymbol(&w, &global, 4, 8, cudaMemcpyDeviceToHost) == cudaSuccess && w == 4);
    CHECK(cudaMemcpyToSymbol(&global, v, 8, 60, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(&global, v, 8, 0, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
    CHECK(cudaMemcpyToSymbol(&unknown, v, 8, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidSymbol);
    CHECK(cudaGetSymbolSize(&size, &global) == cudaSuccess && size == 64);
    CHECK(cudaGetSymbolAddress(&p, &global) == cudaSuccess && ((int *)p)[2] == 4);
    CHECK(managed == p && __cudaInitModule(module) && fake->loads == 1);
    cudaGetLastError();
}

static void test_launch(void)
{
    int value = 0, seven = 7, *p = &value;
    void *args[] = {&p, &seven};
    dim3 one = {1, 1, 1}, grid = {3, 2, 1}, block = {32, 4, 2}, g, b;
    size_t shared;
    cudaStream_t stream;
    CHECK(cudaLaunchKernel(&store, grid, block, args, 48, NULL) == cudaSuccess && value == 7);
    CHECK(fake->last.grid[1] == 2 && fake->last.block[2] == 2 && fake->last.shared == 48 && fake->loads == 1);
    CHECK(cudaLaunchKernel(&unknown, one, one, args, 0, NULL) == cudaErrorInvalidDeviceFunction);
    CHECK(cudaLaunchKernel(&missing, one, one, args, 0, NULL) == cudaErrorInvalidDeviceFunction);
    block.x = 1024;
    CHECK(cudaLaunchKernel(&store, one, block, args, 0, NULL) == cudaErrorInvalidValue);
    block.x = 0;
    CHECK(cudaLaunchKernel(&store, one, block, args, 0, NULL) == cudaErrorInvalidValue);
    CHECK(cudaLaunchKernel(&store, one, one, args, 1 << 20, NULL) == cudaErrorInvalidValue);
    CHECK(cudaLaunchKernel_ptsz(&store, one, one, args, 0, NULL) == cudaSuccess);
    CHECK(fake->last.stream == CU_STREAM_PER_THREAD);

    CHECK(__cudaPushCallConfiguration(grid, one, 1, NULL) == 0);
    CHECK(__cudaPushCallConfiguration(one, grid, 2, cudaStreamLegacy) == 0);
    CHECK(__cudaPopCallConfiguration(&g, &b, &shared, &stream) == cudaSuccess && b.x == 3 && shared == 2 &&
          stream == cudaStreamLegacy);
    CHECK(__cudaPopCallConfiguration(&g, &b, &shared, &stream) == cudaSuccess && g.x == 3 && shared == 1 && !stream);
    CHECK(__cudaPopCallConfiguration(&g, &b, &shared, &stream) == cudaErrorMissingConfiguration);

    cudaKernel_t k;
    seven = 8;
    CHECK(__cudaGetKernel(&k, &store) == cudaSuccess && __cudaLaunchKernel(k, one, one, args, 0, NULL) == cudaSuccess);
    CHECK(value == 8);
    seven = 9;
    CHECK(cudaLaunchKernel(k, one, one, args, 0, NULL) == cudaSuccess && value == 9); // a handle stands for itself

    cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeCooperative, .val = {.cooperative = 1}};
    cudaLaunchConfig_t config = {.gridDim = grid, .blockDim = one, .attrs = &attribute, .numAttrs = 1};
    CHECK(cudaLaunchKernelExC(&config, &store, args) == cudaSuccess && fake->last.attributes == 1);
    CHECK(fake->last.cooperative == 1 && fake->last.grid[0] == 3);
    CHECK(cudaLaunchCooperativeKernel(&store, one, one, args, 0, NULL) == cudaSuccess && fake->last.cooperative);

    seven = 10;
    CHECK(cudaConfigureCall(one, one, 0, NULL) == cudaSuccess);
    CHECK(cudaSetupArgument(&p, sizeof p, 0) == cudaSuccess && cudaSetupArgument(&seven, 4, 8) == cudaSuccess);
    CHECK(cudaLaunch(&store) == cudaSuccess && value == 10 && fake->last.from_buffer);
    cudaGetLastError();
}

static void test_functions(void)
{
    struct cudaFuncAttributes a;
    int blocks = 0;
    const char *name = NULL;
    CHECK(cudaFuncSetAttribute(&store, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536) == cudaSuccess);
    CHECK(cudaFuncGetAttributes(&a, &store) == cudaSuccess && a.maxDynamicSharedSizeBytes == 65536 && a.numRegs == 104);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &store, 256, 0) == cudaSuccess && blocks == 8);
    CHECK(cudaFuncGetName(&name, &store) == cudaSuccess && !strcmp(name, "store"));
    CHECK(cudaFuncGetAttributes(&a, &unknown) == cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
}

static void callback(cudaStream_t stream, cudaError_t status, void *data)
{
    *(int *)data = stream == NULL && status == cudaSuccess;
}

static void host_function(void *data)
{
    *(int *)data += 10;
}

static void test_streams(void)
{
    cudaStream_t s;
    cudaEvent_t a = NULL, b = NULL;
    float ms = 0;
    int seen = 0;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) == cudaSuccess && cudaStreamDestroy(s) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&s, 64) == cudaErrorInvalidValue);
    CHECK(cudaStreamDestroy(NULL) == cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamAddCallback(NULL, callback, &seen, 0) == cudaSuccess && seen == 1);
    CHECK(cudaLaunchHostFunc(NULL, host_function, &seen) == cudaSuccess && seen == 11);
    CHECK(cudaEventCreate(&a) == cudaSuccess && cudaEventCreate(&b) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, a, b) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventRecord(a, NULL) == cudaSuccess && cudaEventRecord(b, NULL) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, a, b) == cudaSuccess && ms == 1.5f);
    CHECK(cudaEventDestroy(a) == cudaSuccess && cudaEventDestroy(b) == cudaSuccess);
    cudaGetLastError();
}

enum { THREADS = 8, ROUNDS = 2000 };

static void *thread_work(void *arg)
{
    static char keys[THREADS][ROUNDS / 100];
    size_t id = (size_t)arg;
    dim3 one = {1, 1, 1};
    uintptr_t bad = 0;
    for (int i = 0; i < ROUNDS; i++) {
        bad += cudaLaunchKernel(&quick, one, one, NULL, 0, NULL) != cudaSuccess;
        if (i % 100 == 0) { // modules come and go while others launch
            void **m = __cudaRegisterFatBinary(&image);
            char *key = &keys[id][i / 100];
            __cudaRegisterFunction(m, key, NULL, "quick", -1, 0, 0, 0, 0, 0);
            bad += cudaSetDevice((int)(id & 1)) != cudaSuccess;
            bad += cudaLaunchKernel(key, one, one, NULL, 0, NULL) != cudaSuccess;
            __cudaUnregisterFatBinary(m);
            bad += cudaLaunchKernel(key, one, one, NULL, 0, NULL) != cudaErrorInvalidDeviceFunction;
        }
    }
    return (void *)bad;
}

static unsigned launches(void)
{
    return ((fake_state_fn)dlsym(fake_find(), "fake_state"))()->launches;
}

static void test_threads(void)
{
    pthread_t t[THREADS];
    uintptr_t bad = 0;
    unsigned before = launches();
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, thread_work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *r;
        pthread_join(t[i], &r);
        bad += (uintptr_t)r;
    }
    unsigned after = launches();
    CHECK(!bad && after - before == THREADS * (ROUNDS + ROUNDS / 100));
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void test_cost(void)
{
    enum { N = 200000, TIMES = 5 };
    dim3 one = {1, 1, 1};
    double best = 1e9;
    unsigned before = launches();
    for (int round = 0; round < TIMES; round++) {
        double t = now_ns();
        for (int i = 0; i < N; i++)
            cudaLaunchKernel(&quick, one, one, NULL, 0, NULL);
        t = (now_ns() - t) / N;
        best = t < best ? t : best;
    }
    printf("launch through libcudart over an empty driver: %.1f ns\n", best);
    CHECK(launches() - before == TIMES * N); // the time is for the reader: the goal is 100
}

static void test_unregister(void)
{
    int value = 0, seven = 7, *p = &value;
    void *args[] = {&p, &seven};
    dim3 one = {1, 1, 1};
    int unloads = fake->unloads;
    __cudaUnregisterFatBinary(module);
    CHECK(fake->unloads == unloads + 1);
    CHECK(cudaLaunchKernel(&store, one, one, args, 0, NULL) == cudaErrorInvalidDeviceFunction);
    module_register();
    CHECK(cudaLaunchKernel(&store, one, one, args, 0, NULL) == cudaSuccess && value == 7);
    cudaGetLastError();
}

int main(void)
{
    module_register();
    if (getenv("CUDA_MODULE_LOADING")) { // EAGER: the first call loads everything
        cudaFree(NULL);
        fake = ((fake_state_fn)dlsym(fake_find(), "fake_state"))();
        CHECK(fake->loads == 1);
        return test_summary();
    }
    test_lazy();
    test_devices();
    test_errors();
    test_memory();
    test_arrays();
    test_symbols();
    test_launch();
    test_functions();
    test_streams();
    test_threads();
    test_cost();
    test_unregister();
    return test_summary();
}
