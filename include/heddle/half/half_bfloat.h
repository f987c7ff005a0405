// SPDX-License-Identifier: Apache-2.0
// Conversions between __half and __nv_bfloat16, when a source has included the headers of both.
#if defined(__cplusplus) && defined(__CUDA_FP16_H__) && defined(__CUDA_BF16_H__) && !defined(HEDDLE_HALF_BFLOAT_H)
#define HEDDLE_HALF_BFLOAT_H
#include "../../cuda_bf16.h"
#include "../../cuda_fp16.h"

inline __host__ __device__ __half::__half(const __nv_bfloat16 &__b) : __x(__heddle_float_to_half(heddle_widen(__b))) {}
inline __host__ __device__ __nv_bfloat16::__nv_bfloat16(const __half &__h)
    : __x(__heddle_float_to_bfloat(heddle_widen(__h)))
{
}
#endif
