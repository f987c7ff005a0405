// SPDX-License-Identifier: Apache-2.0
// Sums and products of pairs of floats, which GPUs have from compute capability 10.0 on. Each element is rounded as by the
// intrinsic for one, which is also what -ftz=true asks for.
#ifndef HEDDLE_PACKED_H
#define HEDDLE_PACKED_H
#include "../../host_defines.h"
#include "../../vector_types.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
#define HEDDLE_PACKED_PAIR(op, mode)                                                                                   \
    static __device__ __forceinline__ float2 __##op##2_##mode(float2 x, float2 y)                                      \
    {                                                                                                                  \
        float2 __r;                                                                                                    \
        __r.x = __##op##_##mode(x.x, y.x);                                                                             \
        __r.y = __##op##_##mode(x.y, y.y);                                                                             \
        return __r;                                                                                                    \
    }
#define HEDDLE_PACKED(mode)                                                                                            \
    HEDDLE_PACKED_PAIR(fadd, mode)                                                                                     \
    HEDDLE_PACKED_PAIR(fmul, mode)                                                                                     \
    static __device__ __forceinline__ float2 __ffma2_##mode(float2 x, float2 y, float2 z)                              \
    {                                                                                                                  \
        float2 __r;                                                                                                    \
        __r.x = __fmaf_##mode(x.x, y.x, z.x);                                                                          \
        __r.y = __fmaf_##mode(x.y, y.y, z.y);                                                                          \
        return __r;                                                                                                    \
    }
HEDDLE_PACKED(rn)
HEDDLE_PACKED(rz)
HEDDLE_PACKED(ru)
HEDDLE_PACKED(rd)
#undef HEDDLE_PACKED
#undef HEDDLE_PACKED_PAIR
#endif
#endif
