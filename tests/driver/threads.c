// SPDX-License-Identifier: Apache-2.0
// The API from 8 threads at once: own and shared contexts, modules, streams, events, memory.
#include "common.h"
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, ROUNDS = 30, N = 4096 };
static CUcontext shared_context;
static CUmodule shared_module;
static CUlibrary shared_library;
static CUdeviceptr counter;
static atomic_int failures, called;

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        CUresult r_ = (call);                                                                                          \
        if (r_) {                                                                                                      \
            atomic_fetch_add(&failures, 1);                                                                            \
            fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, r_);                                     \
        }                                                                                                              \
    } while (0)

static const char text[] = PTX_HEAD PTX_ADD PTX_COUNT PTX_PUT;

static void called_back(void *data)
{
    (void)data;
    atomic_fetch_add(&called, 1);
}

static void round_of(int thread, int turn, CUmodule module)
{
    CUstream s;
    CUevent e;
    CUdeviceptr a, o;
    CUfunction add, count, put;
    CUkernel kernel;
    float x[64], y[64];
    unsigned n = 64, bits = (unsigned)(thread * 1000 + turn);
    unsigned got[64];
    for (int i = 0; i < 64; i++)
        x[i] = (float)(thread + turn + i);
    TRY(cuStreamCreate(&s, turn % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT));
    TRY(cuEventCreate(&e, 0));
    TRY(cuMemAlloc(&a, sizeof x));
    TRY(cuMemAlloc(&o, sizeof x));
    TRY(cuModuleGetFunction(&add, module, "add"));
    TRY(cuModuleGetFunction(&put, module, "put"));
    TRY(cuMemcpyHtoDAsync(a, x, sizeof x, s));
    void *params[] = {&o, &a, &a, &n};
    TRY(cuLaunchKernel(add, 2, 1, 1, 32, 1, 1, 0, s, params, NULL));
    TRY(cuEventRecord(e, s));
    TRY(cuStreamWaitEvent(CU_STREAM_PER_THREAD, e, 0));
    TRY(cuMemcpyDtoHAsync(y, o, sizeof y, CU_STREAM_PER_THREAD));
    for (int i = 0; i < 64; i++)
        if (y[i] != 2 * x[i])
            atomic_fetch_add(&failures, 1);
    void *put_params[] = {&o, &bits};
    TRY(cuLaunchKernel(put, 1, 1, 1, 32 + (unsigned)(turn % 4) * 8, 1, 1, 0, s, put_params, NULL));
    TRY(cuLaunchHostFunc(s, called_back, NULL));
    TRY(cuStreamSynchronize(s));
    TRY(cuMemcpyDtoH(got, o, sizeof got));
    for (int i = 0; i < 32; i++)
        if (got[i] != bits)
            atomic_fetch_add(&failures, 1);
    if (module == shared_module) { // the counter is of this context
        TRY(cuModuleGetFunction(&count, module, "count"));
        void *count_params[] = {&counter};
        TRY(cuLaunchKernel(count, 2, 1, 1, 32, 1, 1, 0, s, count_params, NULL));
        TRY(cuLibraryGetKernel(&kernel, shared_library, "count"));
        TRY(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 64, 1, 1, 0, 0, count_params, NULL));
    }
    TRY(cuEventDestroy(e));
    TRY(cuStreamDestroy(s));
    TRY(cuMemFree(a));
    TRY(cuMemFree(o));
}

static void *work(void *p)
{
    int thread = (int)(intptr_t)p;
    CUcontext own;
    CUmodule module;
    for (int turn = 0; turn < ROUNDS; turn++) {
        TRY(cuCtxSetCurrent(shared_context));
        round_of(thread, turn, shared_module);
        if (turn % 10 == thread % 10) {
            TRY(cuCtxCreate(&own, NULL, 0, 0));
            TRY(cuModuleLoadData(&module, text));
            round_of(thread, turn, module);
            TRY(cuModuleUnload(module));
            TRY(cuCtxDestroy(own));
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned n = 0;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&shared_context, 0));
    OK(cuCtxSetCurrent(shared_context));
    OK(cuModuleLoadData(&shared_module, text));
    OK(cuLibraryLoadData(&shared_library, text, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuMemAlloc(&counter, 4));
    OK(cuMemcpyHtoD(counter, &n, 4));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(&n, counter, 4));
    CHECK(n == THREADS * ROUNDS * 128);
    CHECK(atomic_load(&called) == THREADS * (ROUNDS + ROUNDS / 10));
    CHECK(atomic_load(&failures) == 0);
    OK(cuLibraryUnload(shared_library));
    OK(cuDevicePrimaryCtxRelease(0));
    return test_summary();
}
