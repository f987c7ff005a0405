// SPDX-License-Identifier: Apache-2.0
// Every allocation of libcuda fails in turn, over contexts, modules, memory, streams and events; one in some hundred of the JIT's, LLVM's
// among them, over a launch. Nothing is lost, no process ends, and a call that fails says that memory is short.
#include "common.h"
#include <dlfcn.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
int main(void)
{
    puts("skipped: the sanitizer has an allocator of its own");
    return 0;
}
#else
#include <stdatomic.h>
#include <stdbool.h>
#define EXPORT __attribute__((visibility("default")))
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);

static const char *counted = NULL; // allocations of this library count
static atomic_long number, failing, outstanding;
static _Thread_local bool inside;

static bool fails(const void *caller)
{
    Dl_info info;
    if (!counted || inside)
        return false;
    inside = true;
    bool it = dladdr(caller, &info) && strstr(info.dli_fname, counted);
    inside = false;
    return it && atomic_fetch_add(&number, 1) + 1 == atomic_load(&failing);
}

EXPORT void *malloc(size_t size)
{
    void *p = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    atomic_fetch_add(&outstanding, p != NULL);
    return p;
}

EXPORT void *calloc(size_t n, size_t size)
{
    void *p = fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
    atomic_fetch_add(&outstanding, p != NULL);
    return p;
}

EXPORT void *realloc(void *p, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return NULL;
    void *q = __libc_realloc(p, size);
    atomic_fetch_add(&outstanding, !p && q);
    return q;
}

EXPORT void free(void *p)
{
    atomic_fetch_sub(&outstanding, p != NULL);
    __libc_free(p);
}

static const char text[] = PTX_HEAD PTX_EMPTY ".visible .global .align 4 .b32 v[16];\n";

static void may(CUresult r)
{
    CHECK(r == CUDA_SUCCESS || r == CUDA_ERROR_OUT_OF_MEMORY);
}

// All of it, whatever fails; what came to be is given back.
static void scenario(bool launch)
{
    CUcontext c = NULL;
    CUmodule m = NULL;
    CUlibrary l = NULL;
    CUfunction f = NULL;
    CUdeviceptr p = 0, q = 0;
    CUstream s = NULL;
    CUevent e = NULL;
    CUresult r = cuCtxCreate(&c, NULL, 0, 0);
    may(r);
    if (r)
        return;
    may(cuModuleLoadData(&m, text));
    may(cuLibraryLoadData(&l, text, NULL, NULL, 0, NULL, NULL, 0));
    may(cuMemAlloc(&p, 100));
    may(cuMemAlloc(&q, 1 << 20));
    may(cuStreamCreate(&s, 0));
    may(cuEventCreate(&e, 0));
    if (p)
        may(cuMemsetD8Async(p, 1, 100, s));
    if (p && q)
        may(cuMemcpyDtoD(q, p, 100));
    if (e)
        may(cuEventRecord(e, s));
    if (m) {
        r = cuModuleGetFunction(&f, m, "empty");
        may(r);
        if (!r && launch)
            may(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, NULL, NULL));
    }
    may(cuCtxSynchronize());
    if (e)
        may(cuEventDestroy(e));
    if (s)
        may(cuStreamDestroy(s));
    if (q)
        may(cuMemFree(q));
    if (p)
        may(cuMemFree(p));
    if (l)
        may(cuLibraryUnload(l));
    if (m)
        may(cuModuleUnload(m));
    may(cuCtxDestroy(c));
}

static long count(const char *library, bool launch, long fail)
{
    counted = library;
    atomic_store(&number, 0);
    atomic_store(&failing, fail);
    scenario(launch);
    counted = NULL;
    return atomic_load(&number);
}

int main(void)
{
    OK(cuInit(0));
    count("libcuda", true, 0); // what lives as long as the process
    count("libcuda", false, 0);
    long before = atomic_load(&outstanding), all = count("libcuda", false, 0),
         grown = atomic_load(&outstanding) - before;
    CHECK(all > 20 && grown == 0);
    printf("%ld allocations, %ld more than before\n", all, grown);
    for (long i = 1; i <= all; i++) {
        before = atomic_load(&outstanding);
        count("libcuda", false, i);
        CHECK(atomic_load(&outstanding) <= before);
        if (atomic_load(&outstanding) > before)
            fprintf(stderr, "allocation %ld: %ld are lost\n", i, (long)atomic_load(&outstanding) - before);
    }
    all = count("libcuda", true, 0);
    for (long i = 1; i <= all; i += 1 + all / 12)
        count("libcuda", true, i);
    all = count("libheddle-jit", true, 0);
    for (long i = 1; i <= all; i += 1 + all / 12)
        count("libheddle-jit", true, i);
    count("libcuda", true, 0);
    return test_summary();
}
#endif
