// SPDX-License-Identifier: Apache-2.0
// What device code calls of the C library: printf, malloc, free, and malloc with an alignment; assert is in assert/assert.h.
// The engine, or a GPU's driver, provides them under these names.
#ifndef HEDDLE_DEVICE_LIBRARY_H
#define HEDDLE_DEVICE_LIBRARY_H
#include "../host_defines.h"
#include <stddef.h>

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...); // the compiler turns calls into vprintf
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void *__cuda_syscall_aligned_malloc(size_t, size_t) __attribute__((nothrow, malloc));
__device__ static inline void *__nv_aligned_device_malloc(size_t __size, size_t __alignment) // free takes it back
{
    return __cuda_syscall_aligned_malloc(__size, __alignment);
}
__device__ static inline void __cxa_pure_virtual()
{
    __builtin_trap();
}
}

namespace std
{
__device__ static inline void free(void *__p)
{
    ::free(__p);
}
__device__ static inline void *malloc(size_t size)
{
    return ::malloc(size);
}
} // namespace std
#endif
