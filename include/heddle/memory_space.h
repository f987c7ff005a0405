// SPDX-License-Identifier: Apache-2.0
// In which memory an address lies, and conversions between generic addresses and those of one memory.
#ifndef HEDDLE_MEMORY_SPACE_H
#define HEDDLE_MEMORY_SPACE_H
#include "../host_defines.h"

static __device__ __forceinline__ __attribute__((const)) unsigned int __isGlobal(const void *__p)
{
    return __nvvm_isspacep_global(__p);
}
static __device__ __forceinline__ __attribute__((const)) unsigned int __isShared(const void *__p)
{
    return __nvvm_isspacep_shared(__p);
}
static __device__ __forceinline__ __attribute__((const)) unsigned int __isConstant(const void *__p)
{
    return __nvvm_isspacep_const(__p);
}
static __device__ __forceinline__ __attribute__((const)) unsigned int __isLocal(const void *__p)
{
    return __nvvm_isspacep_local(__p);
}
static __device__ __forceinline__ __attribute__((const)) unsigned int __isGridConstant(const void *)
{
    return 0;
}

#define HEDDLE_CVTA(space, number)                                                                                     \
    static __device__ __forceinline__ size_t __cvta_generic_to_##space(const void *__p)                                \
    {                                                                                                                  \
        return (size_t)(const __attribute__((address_space(number))) void *)__p;                                       \
    }                                                                                                                  \
    static __device__ __forceinline__ void *__cvta_##space##_to_generic(size_t raw)                                    \
    {                                                                                                                  \
        return (void *)(__attribute__((address_space(number))) void *)raw;                                             \
    }
HEDDLE_CVTA(global, 1)
HEDDLE_CVTA(shared, 3)
HEDDLE_CVTA(constant, 4)
HEDDLE_CVTA(local, 5)
#undef HEDDLE_CVTA
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
static __device__ __forceinline__ size_t __cvta_generic_to_grid_constant(const void *__p)
{
    size_t raw;
    __asm__("cvta.to.param.u64 %0, %1;" : "=l"(raw) : "l"(__p));
    return raw;
}
static __device__ __forceinline__ void *__cvta_grid_constant_to_generic(size_t raw)
{
    void *__p;
    __asm__("cvta.param.u64 %0, %1;" : "=l"(__p) : "l"(raw));
    return __p;
}
#endif
#endif
