// SPDX-License-Identifier: Apache-2.0
// Launches of native kernels. A kernel is made when it is first used; what is known of it lasts as long as the process.
#include "library/library.h"
#include "library/native_entry.h"
#include <pthread.h>

// What libcudart has for a kernel that is known by its handle; it makes the device's context where there is none.
extern cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                      cudaStream_t stream);

static cudaError_t kernel_make(struct library_kernel *k, CUkernel *out)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    cudaError_t e = cudaSuccess;
    if (!library_native_kernel)
        return cudaErrorInitializationError;
    pthread_mutex_lock(&lock);
    *out = atomic_load(&k->handle);
    if (!*out) {
        CUresult r = library_native_kernel(out, k->name, k->bytes);
        e = r == CUDA_ERROR_OUT_OF_MEMORY ? cudaErrorMemoryAllocation : r ? cudaErrorUnknown : cudaSuccess;
        if (!e)
            atomic_store_explicit(&k->handle, *out, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return e;
}

// The logarithm of the work, two steps to each doubling: 1 to NATIVE_WORKS. What is below 2^8 operations is all the same.
static unsigned work_class(double work)
{
    enum { LEAST = 8, STEPS = 2 };
    unsigned log = 0;
    while (work >= 2 && log < 62) {
        work /= 2;
        log++;
    }
    unsigned at = log < LEAST ? 1 : (log - LEAST) * STEPS + (work >= 1.4142135 ? 2 : 1);
    return at < NATIVE_WORKS ? at : NATIVE_WORKS;
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
        e = kernel_make(k, &kernel);
    if (e)
        return e;
    ((struct native_head *)block)->run = k->run;
    dim3 grid = {(unsigned)parts, 1, 1}, threads = {work_class(work), 1, 1};
    return __cudaLaunchKernel((cudaKernel_t)kernel, grid, threads, &block, 0, stream);
}
