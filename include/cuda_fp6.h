// SPDX-License-Identifier: Apache-2.0
// 6-bit floats: e2m3 (up to 7.5) and e3m2 (up to 28), without infinity and NaN; each in the low bits of a byte.
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__
#include "cuda_fp8.h"

#define __CUDA_FP6_TYPES_EXIST__
typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#if defined(__cplusplus)
HEDDLE_SF unsigned int heddle_fp6_encode(double x, __nv_fp6_interpretation_t kind)
{
    return kind == __NV_E2M3 ? heddle_small_encode(x, 2, 3, 0x1F, 0x1F, 0x1F, true)
                             : heddle_small_encode(x, 3, 2, 0x1F, 0x1F, 0x1F, true);
}
HEDDLE_SF unsigned short heddle_fp6_decode(unsigned int code, __nv_fp6_interpretation_t kind)
{
    return kind == __NV_E2M3 ? heddle_small_to_half(code, 2, 3) : heddle_small_to_half(code, 3, 2);
}
HEDDLE_SF __nv_fp6_storage_t __nv_cvt_float_to_fp6(const float x, const __nv_fp6_interpretation_t kind,
                                                   const enum cudaRoundMode)
{
    return (__nv_fp6_storage_t)heddle_fp6_encode(x, kind);
}
HEDDLE_SF __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(const float2 x, const __nv_fp6_interpretation_t kind,
                                                        const enum cudaRoundMode)
{
    return (__nv_fp6x2_storage_t)(heddle_fp6_encode(x.x, kind) | heddle_fp6_encode(x.y, kind) << 8);
}
HEDDLE_SF __nv_fp6_storage_t __nv_cvt_double_to_fp6(const double x, const __nv_fp6_interpretation_t kind,
                                                    const enum cudaRoundMode)
{
    return (__nv_fp6_storage_t)heddle_fp6_encode(x, kind);
}
HEDDLE_SF __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(const double2 x, const __nv_fp6_interpretation_t kind,
                                                         const enum cudaRoundMode)
{
    return (__nv_fp6x2_storage_t)(heddle_fp6_encode(x.x, kind) | heddle_fp6_encode(x.y, kind) << 8);
}
HEDDLE_SF __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(const __half_raw x, const __nv_fp6_interpretation_t kind,
                                                     const enum cudaRoundMode)
{
    return (__nv_fp6_storage_t)heddle_fp6_encode(heddle_exact(x), kind);
}
HEDDLE_SF __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(const __half2_raw x, const __nv_fp6_interpretation_t kind,
                                                          const enum cudaRoundMode)
{
    __half_raw low = {x.x}, high = {x.y};
    return (__nv_fp6x2_storage_t)(heddle_fp6_encode(heddle_exact(low), kind) |
                                  heddle_fp6_encode(heddle_exact(high), kind) << 8);
}
HEDDLE_SF __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(const __nv_bfloat16_raw x,
                                                         const __nv_fp6_interpretation_t kind, const enum cudaRoundMode)
{
    return (__nv_fp6_storage_t)heddle_fp6_encode(heddle_exact(x), kind);
}
HEDDLE_SF __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(const __nv_bfloat162_raw x,
                                                              const __nv_fp6_interpretation_t kind,
                                                              const enum cudaRoundMode)
{
    __nv_bfloat16_raw low = {x.x}, high = {x.y};
    return (__nv_fp6x2_storage_t)(heddle_fp6_encode(heddle_exact(low), kind) |
                                  heddle_fp6_encode(heddle_exact(high), kind) << 8);
}
HEDDLE_SF __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t kind)
{
    __half_raw __r = {heddle_fp6_decode(x, kind)};
    return __r;
}
HEDDLE_SF __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x, const __nv_fp6_interpretation_t kind)
{
    __half2_raw __r = {heddle_fp6_decode(x & 255, kind), heddle_fp6_decode(x >> 8 & 255, kind)};
    return __r;
}
HEDDLE_SF __nv_fp6_storage_t heddle_e2m3_of(double x)
{
    return (__nv_fp6_storage_t)heddle_fp6_encode(x, __NV_E2M3);
}
HEDDLE_SF __half_raw heddle_of_e2m3(__nv_fp6_storage_t x)
{
    return __nv_cvt_fp6_to_halfraw(x, __NV_E2M3);
}
HEDDLE_SMALL_CLASS(__nv_fp6_e2m3, __nv_fp6_storage_t, heddle_e2m3_of, heddle_of_e2m3)
HEDDLE_SMALL_PAIR(__nv_fp6x2_e2m3, __nv_fp6x2_storage_t, __nv_fp6_e2m3, 8)
HEDDLE_SMALL_FOUR(__nv_fp6x4_e2m3, __nv_fp6x4_storage_t, __nv_fp6_e2m3, 8)
HEDDLE_SF __nv_fp6_storage_t heddle_e3m2_of(double x)
{
    return (__nv_fp6_storage_t)heddle_fp6_encode(x, __NV_E3M2);
}
HEDDLE_SF __half_raw heddle_of_e3m2(__nv_fp6_storage_t x)
{
    return __nv_cvt_fp6_to_halfraw(x, __NV_E3M2);
}
HEDDLE_SMALL_CLASS(__nv_fp6_e3m2, __nv_fp6_storage_t, heddle_e3m2_of, heddle_of_e3m2)
HEDDLE_SMALL_PAIR(__nv_fp6x2_e3m2, __nv_fp6x2_storage_t, __nv_fp6_e3m2, 8)
HEDDLE_SMALL_FOUR(__nv_fp6x4_e3m2, __nv_fp6x4_storage_t, __nv_fp6_e3m2, 8)
#endif
#endif
