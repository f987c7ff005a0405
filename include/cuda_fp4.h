// SPDX-License-Identifier: Apache-2.0
// 4-bit floats: e2m1 (up to 6), without infinity and NaN; a pair in a byte.
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__
#include "cuda_fp6.h"

#define __CUDA_FP4_TYPES_EXIST__
typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#if defined(__cplusplus)
HEDDLE_SF unsigned int heddle_fp4_encode(double x)
{
    return heddle_small_encode(x, 2, 1, 0x7, 0x7, 0x7, true);
}
HEDDLE_SF __nv_fp4_storage_t __nv_cvt_float_to_fp4(const float x, const __nv_fp4_interpretation_t,
                                                   const enum cudaRoundMode)
{
    return (__nv_fp4_storage_t)heddle_fp4_encode(x);
}
HEDDLE_SF __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(const float2 x, const __nv_fp4_interpretation_t,
                                                        const enum cudaRoundMode)
{
    return (__nv_fp4x2_storage_t)(heddle_fp4_encode(x.x) | heddle_fp4_encode(x.y) << 4);
}
HEDDLE_SF __nv_fp4_storage_t __nv_cvt_double_to_fp4(const double x, const __nv_fp4_interpretation_t,
                                                    const enum cudaRoundMode)
{
    return (__nv_fp4_storage_t)heddle_fp4_encode(x);
}
HEDDLE_SF __nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(const double2 x, const __nv_fp4_interpretation_t,
                                                         const enum cudaRoundMode)
{
    return (__nv_fp4x2_storage_t)(heddle_fp4_encode(x.x) | heddle_fp4_encode(x.y) << 4);
}
HEDDLE_SF __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(const __half_raw x, const __nv_fp4_interpretation_t,
                                                     const enum cudaRoundMode)
{
    return (__nv_fp4_storage_t)heddle_fp4_encode(heddle_exact(x));
}
HEDDLE_SF __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(const __half2_raw x, const __nv_fp4_interpretation_t,
                                                          const enum cudaRoundMode)
{
    __half_raw low = {x.x}, high = {x.y};
    return (__nv_fp4x2_storage_t)(heddle_fp4_encode(heddle_exact(low)) | heddle_fp4_encode(heddle_exact(high)) << 4);
}
HEDDLE_SF __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(const __nv_bfloat16_raw x, const __nv_fp4_interpretation_t,
                                                         const enum cudaRoundMode)
{
    return (__nv_fp4_storage_t)heddle_fp4_encode(heddle_exact(x));
}
HEDDLE_SF __nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(const __nv_bfloat162_raw x,
                                                              const __nv_fp4_interpretation_t, const enum cudaRoundMode)
{
    __nv_bfloat16_raw low = {x.x}, high = {x.y};
    return (__nv_fp4x2_storage_t)(heddle_fp4_encode(heddle_exact(low)) | heddle_fp4_encode(heddle_exact(high)) << 4);
}
HEDDLE_SF __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x, const __nv_fp4_interpretation_t)
{
    __half_raw __r = {heddle_small_to_half(x, 2, 1)};
    return __r;
}
HEDDLE_SF __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x, const __nv_fp4_interpretation_t)
{
    __half2_raw __r = {heddle_small_to_half(x & 15, 2, 1), heddle_small_to_half(x >> 4 & 15, 2, 1)};
    return __r;
}
HEDDLE_SF __nv_fp4_storage_t heddle_e2m1_of(double x)
{
    return (__nv_fp4_storage_t)heddle_fp4_encode(x);
}
HEDDLE_SF __half_raw heddle_of_e2m1(__nv_fp4_storage_t x)
{
    return __nv_cvt_fp4_to_halfraw(x, __NV_E2M1);
}
HEDDLE_SMALL_CLASS(__nv_fp4_e2m1, __nv_fp4_storage_t, heddle_e2m1_of, heddle_of_e2m1)
HEDDLE_SMALL_PAIR(__nv_fp4x2_e2m1, __nv_fp4x2_storage_t, __nv_fp4_e2m1, 4)
HEDDLE_SMALL_FOUR(__nv_fp4x4_e2m1, __nv_fp4x4_storage_t, __nv_fp4_e2m1, 4)
#endif
#endif
