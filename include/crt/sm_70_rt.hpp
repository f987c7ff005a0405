// SPDX-License-Identifier: Apache-2.0
// __match_any_sync and __match_all_sync for every type, over the four forms that the compiler has. Clang's headers
// include this file by its name.
#ifndef HEDDLE_SM_70_RT_HPP
#define HEDDLE_SM_70_RT_HPP
#include "host_defines.h"

#define HEDDLE_MATCH(__T, bits, __as)                                                                                  \
    static __device__ __forceinline__ unsigned int __match_any_sync(unsigned mask, __T value)                          \
    {                                                                                                                  \
        return __match##bits##_any_sync(mask, __as(value));                                                            \
    }                                                                                                                  \
    static __device__ __forceinline__ unsigned int __match_all_sync(unsigned mask, __T value, int *__pred)             \
    {                                                                                                                  \
        return __match##bits##_all_sync(mask, __as(value), __pred);                                                    \
    }
#define HEDDLE_BITS32(__v) ((unsigned int)(__v))
#define HEDDLE_BITS64(__v) ((unsigned long long)(__v))
HEDDLE_MATCH(unsigned int, 32, HEDDLE_BITS32)
HEDDLE_MATCH(int, 32, HEDDLE_BITS32)
HEDDLE_MATCH(unsigned long, 64, HEDDLE_BITS64)
HEDDLE_MATCH(long, 64, HEDDLE_BITS64)
HEDDLE_MATCH(unsigned long long, 64, HEDDLE_BITS64)
HEDDLE_MATCH(long long, 64, HEDDLE_BITS64)
HEDDLE_MATCH(float, 32, __float_as_uint)
HEDDLE_MATCH(double, 64, __double_as_longlong)
#undef HEDDLE_BITS64
#undef HEDDLE_BITS32
#undef HEDDLE_MATCH
#endif
