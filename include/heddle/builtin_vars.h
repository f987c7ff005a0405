// SPDX-License-Identifier: Apache-2.0
// threadIdx, blockIdx, blockDim, gridDim and warpSize. Each member is a property read from its special register, so
// that nothing lies in memory; the objects can be copied and converted as the uint3 and dim3 that they are in CUDA.
#ifndef HEDDLE_BUILTIN_VARS_H
#define HEDDLE_BUILTIN_VARS_H
#include "../vector_types.h"

#define HEDDLE_BUILTIN_MEMBER(member, intrinsic)                                                                       \
    __declspec(property(get = __heddle_get_##member)) unsigned int member;                                             \
    __attribute__((nodebug)) static __device__ __forceinline__ unsigned int __heddle_get_##member()                    \
    {                                                                                                                  \
        return intrinsic();                                                                                            \
    }
#define HEDDLE_BUILTIN_TYPE(name, reg)                                                                                 \
    struct __heddle_##name##_t {                                                                                       \
        HEDDLE_BUILTIN_MEMBER(x, __nvvm_read_ptx_sreg_##reg##_x)                                                       \
        HEDDLE_BUILTIN_MEMBER(y, __nvvm_read_ptx_sreg_##reg##_y)                                                       \
        HEDDLE_BUILTIN_MEMBER(z, __nvvm_read_ptx_sreg_##reg##_z)                                                       \
        __device__ __forceinline__ operator uint3() const                                                              \
        {                                                                                                              \
            uint3 __v = {x, y, z};                                                                                     \
            return __v;                                                                                                \
        }                                                                                                              \
        __device__ __forceinline__ operator dim3() const                                                               \
        {                                                                                                              \
            return dim3(x, y, z);                                                                                      \
        }                                                                                                              \
    };                                                                                                                 \
    extern const __device__ __attribute__((weak)) __heddle_##name##_t name

HEDDLE_BUILTIN_TYPE(threadIdx, tid);
HEDDLE_BUILTIN_TYPE(blockIdx, ctaid);
HEDDLE_BUILTIN_TYPE(blockDim, ntid);
HEDDLE_BUILTIN_TYPE(gridDim, nctaid);
#ifdef __HEDDLE_OWN_WARPSIZE__ // the source has a constant of this name at file scope, which CUDA allows
#define warpSize 32            // for the headers only: heddle/device.h ends it
#else
__device__ const int warpSize = 32;
#endif

#undef HEDDLE_BUILTIN_TYPE
#undef HEDDLE_BUILTIN_MEMBER
#endif
