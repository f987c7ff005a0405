// SPDX-License-Identifier: Apache-2.0
// Launches of native kernels. A kernel is made when it is first used; what is known of it lasts as long as the process.
#include "library/library.h"
#include "library/native_entry.h"
#include <math.h>
#include <pthread.h>

// What libcudart has for a kernel that is known by its handle; it makes the device's context where there is none.
extern cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                      cudaStream_t stream);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(native_wake_fn *) wake;

static cudaError_t kernel_new(CUkernel *out, const char *name, size_t bytes, bool task)
{
    native_wake_fn *f = NULL;
    if (task ? !library_native_task : !library_native_kernel)
        return cudaErrorInitializationError;
    CUresult r = task ? library_native_task(out, &f, name, bytes) : library_native_kernel(out, name, bytes);
    if (task && !r)
        atomic_store(&wake, f);
    return r == CUDA_ERROR_OUT_OF_MEMORY ? cudaErrorMemoryAllocation : r ? cudaErrorUnknown : cudaSuccess;
}

static cudaError_t kernel_make(_Atomic(CUkernel) *handle, CUkernel *out, const char *name, size_t bytes, bool task)
{
    cudaError_t e = cudaSuccess;
    pthread_mutex_lock(&lock);
    *out = atomic_load(handle);
    if (!*out) {
        e = kernel_new(out, name, bytes, task);
        if (!e)
            atomic_store_explicit(handle, *out, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return e;
}

// The logarithm of the work, two steps to each doubling: 1 to NATIVE_WORKS. What is below 2^8 operations is all the same.
static unsigned work_class(double work)
{
    enum { LEAST = 8, STEPS = 2 };
    const double MOST = (double)(1ull << (LEAST + NATIVE_WORKS / STEPS));
    int log;
    if (!(work >= 1 << LEAST) || work >= MOST)
        return work >= MOST ? NATIVE_WORKS : 1;
    const double half = frexp(work, &log); // work = half 2^log, and half is 1/2 at least
    return (unsigned)(log - 1 - LEAST) * STEPS + (half >= 0.70710677 ? 2 : 1);
}

cudaError_t library_launch(struct library_kernel *k, cudaStream_t stream, uint64_t parts, double work, void *block)
{
    CUkernel kernel = atomic_load_explicit(&k->handle, memory_order_acquire);
    cudaError_t e = cudaSuccess;
    if (!parts)
        return cudaSuccess;
    if (parts > INT32_MAX)
        return cudaErrorInvalidValue;
    if (__builtin_expect(!kernel, 0))
        e = kernel_make(&k->handle, &kernel, k->name, k->bytes, false);
    if (e)
        return e;
    ((struct native_head *)block)->run = k->run;
    dim3 grid = {(unsigned)parts, 1, 1}, threads = {work_class(work), 1, 1};
    return __cudaLaunchKernel((cudaKernel_t)kernel, grid, threads, &block, 0, stream);
}

cudaError_t library_task_launch(struct library_task *t, cudaStream_t stream, void *block)
{
    CUkernel kernel = atomic_load_explicit(&t->handle, memory_order_acquire);
    cudaError_t e = kernel ? cudaSuccess : kernel_make(&t->handle, &kernel, t->name, t->bytes, true);
    if (e)
        return e;
    struct native_task_head *head = block;
    head->turn = t->turn;
    head->abandon = t->abandon;
    dim3 one = {1, 1, 1};
    return __cudaLaunchKernel((cudaKernel_t)kernel, one, one, &block, 0, stream);
}

void library_task_wake(struct native_task *task)
{
    atomic_load (&wake)(task);
}

bool library_file(const void *address, size_t size, struct native_file *out)
{
    return library_native_file && !library_native_file(address, size, out);
}
