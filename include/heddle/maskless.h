// SPDX-License-Identifier: Apache-2.0
// Shuffles and votes as they were before compute capability 7.0, without a mask: over the threads of the warp that run
// together. Clang has them by instructions that newer targets lack.
#ifndef HEDDLE_MASKLESS_H
#define HEDDLE_MASKLESS_H
#include "../host_defines.h"

#define HEDDLE_MASKLESS_SHUFFLE(name, __T)                                                                             \
    template <class __V> static __device__ __forceinline__ __V name(__V value, __T __at, int width = 32)               \
    {                                                                                                                  \
        return name##_sync(__activemask(), value, __at, width);                                                        \
    }
HEDDLE_MASKLESS_SHUFFLE(__shfl, int)
HEDDLE_MASKLESS_SHUFFLE(__shfl_up, unsigned int)
HEDDLE_MASKLESS_SHUFFLE(__shfl_down, unsigned int)
HEDDLE_MASKLESS_SHUFFLE(__shfl_xor, int)
#undef HEDDLE_MASKLESS_SHUFFLE

static __device__ __forceinline__ int __all(int __predicate)
{
    return __all_sync(__activemask(), __predicate);
}
static __device__ __forceinline__ int __any(int __predicate)
{
    return __any_sync(__activemask(), __predicate);
}
static __device__ __forceinline__ unsigned int __ballot(int __predicate)
{
    return __ballot_sync(__activemask(), __predicate);
}
#endif
