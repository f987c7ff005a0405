// SPDX-License-Identifier: Apache-2.0
// Children of a process that uses the driver: while its threads compile, launch and unload, a child gets
// CUDA_ERROR_NOT_INITIALIZED from every call and ends as usual, whatever the threads were doing. Before there is a context a
// child may use the driver for itself, unless another thread was in the middle of a call when it was forked off.
#include "common.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, CHILDREN = 60, N = 4096 };
static const char text[] = PTX_HEAD PTX_PUT PTX_COUNT;
static CUcontext context;
static atomic_bool over;
static atomic_int failures; // of the threads

#define TRY(call) atomic_fetch_add(&failures, (call) != CUDA_SUCCESS)

static void *busy(void *unused)
{
    (void)unused;
    TRY(cuCtxSetCurrent(context));
    while (!atomic_load(&over)) {
        CUmodule module;
        CUfunction put;
        CUdeviceptr p;
        unsigned value = 3;
        void *args[] = {&p, &value};
        TRY(cuModuleLoadData(&module, text));
        TRY(cuModuleGetFunction(&put, module, "put"));
        TRY(cuMemAlloc(&p, N * sizeof(unsigned)));
        TRY(cuLaunchKernel(put, N / 128, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
        TRY(cuCtxSynchronize());
        TRY(cuMemFree(p));
        TRY(cuModuleUnload(module));
    }
    return NULL;
}

static void in_child(CUmodule module, CUdeviceptr p)
{
    CUcontext c;
    CUmodule m;
    const char *name = NULL;
    unsigned value;
    test_failed = 0;
    alarm(getenv("HEDDLE_TEST_BRIEF") ? 6000 : 600); // a child that waits for ever fails
    EXPECT(cuInit(0), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuCtxGetCurrent(&c), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuModuleLoadData(&m, text), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuModuleUnload(module), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuMemcpyDtoH(&value, p, sizeof value), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuMemFree(p), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuStreamSynchronize(NULL), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuCtxDestroy(context), CUDA_ERROR_NOT_INITIALIZED);
    CHECK(!cuGetErrorName(CUDA_ERROR_NOT_INITIALIZED, &name) && !strcmp(name, "CUDA_ERROR_NOT_INITIALIZED"));
    exit(test_failed != 0);
}

static unsigned answer(void)
{
    CUmodule module;
    CUfunction put;
    CUdeviceptr p;
    unsigned value = 7, got = 0;
    void *args[] = {&p, &value};
    context = start();
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&put, module, "put"));
    OK(cuMemAlloc(&p, 128 * sizeof(unsigned)));
    OK(cuLaunchKernel(put, 1, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(&got, p, sizeof got));
    return got;
}

static void *early(void *unused)
{
    (void)unused;
    while (!atomic_load(&over)) {
        CUlibrary library;
        TRY(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
        TRY(cuLibraryUnload(library));
    }
    return NULL;
}

static void in_early_child(void)
{
    CUlibrary library;
    alarm(getenv("HEDDLE_TEST_BRIEF") ? 6000 : 600);
    CUresult r = cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0);
    if (!r)
        r = cuLibraryUnload(library);
    exit(r && r != CUDA_ERROR_NOT_INITIALIZED);
}

static void child_passes(pid_t child)
{
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(void)
{
    int devices = 0;
    setenv("HEDDLE_CACHE", "0", 1); // the threads compile every time
    OK(cuInit(0));
    OK(cuDeviceGetCount(&devices));
    pid_t child = fork();
    if (!child) {
        CHECK(answer() == 7);
        exit(test_failed != 0);
    }
    child_passes(child);

    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, early, NULL));
    for (int i = 0; i < CHILDREN; i++) {
        child = fork();
        if (!child)
            in_early_child();
        child_passes(child);
    }
    atomic_store(&over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(!atomic_load(&failures));
    atomic_store(&over, false);

    CUmodule module;
    CUdeviceptr p;
    context = start();
    OK(cuModuleLoadData(&module, text));
    OK(cuMemAlloc(&p, N));
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, busy, NULL));
    for (int i = 0; i < CHILDREN; i++) {
        child = fork();
        if (!child)
            in_child(module, p);
        child_passes(child);
    }
    atomic_store(&over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(!atomic_load(&failures));
    OK(cuCtxDestroy(context));
    return test_summary();
}
