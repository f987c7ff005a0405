// SPDX-License-Identifier: Apache-2.0
// The named conversions of half precision.
#ifndef HEDDLE_HALF_FUNCTIONS_H
#define HEDDLE_HALF_FUNCTIONS_H
#include "../../cuda_fp16.h"

#define HEDDLE_HF static __host__ __device__ __forceinline__

HEDDLE_HF __half __heddle_half(unsigned short bits)
{
    __half __h;
    __h.__x = bits;
    return __h;
}
HEDDLE_HF __half __float2half(float f)
{
    return __heddle_half(__heddle_float_to_half(f));
}
HEDDLE_HF __half __double2half(double __d)
{
    return __heddle_half(__heddle_double_to_half(__d));
}
HEDDLE_HF __half __float2half_rn(float f)
{
    return __float2half(f);
}
HEDDLE_HF float __half2float(__half __h)
{
    return __heddle_half_to_float(__h.__x);
}
HEDDLE_HF __half2 __halves2half2(__half __a, __half __b)
{
    return __half2(__a, __b);
}
HEDDLE_HF __half2 make_half2(__half __a, __half __b)
{
    return __half2(__a, __b);
}
HEDDLE_HF __half2 __half2half2(__half __a)
{
    return __half2(__a, __a);
}
HEDDLE_HF __half2 __float2half2_rn(float f)
{
    return __half2half2(__float2half(f));
}
HEDDLE_HF __half2 __floats2half2_rn(float __a, float __b)
{
    return __half2(__float2half(__a), __float2half(__b));
}
HEDDLE_HF __half2 __float22half2_rn(float2 f)
{
    return __floats2half2_rn(f.x, f.y);
}
HEDDLE_HF float2 __half22float2(__half2 __h)
{
    float2 f = {__half2float(__h.x), __half2float(__h.y)};
    return f;
}
HEDDLE_HF short __half_as_short(__half __h)
{
    return (short)__h.__x;
}
HEDDLE_HF unsigned short __half_as_ushort(__half __h)
{
    return __h.__x;
}
HEDDLE_HF __half __short_as_half(short bits)
{
    return __heddle_half((unsigned short)bits);
}
HEDDLE_HF __half __ushort_as_half(unsigned short bits)
{
    return __heddle_half(bits);
}

#define NARROW          __half
#define NARROW_NAME     half
#define HEDDLE_DIRECTED __heddle_double_to_half_directed
#include "narrow_integers.h"
#undef HEDDLE_DIRECTED
#undef NARROW_NAME
#undef NARROW

#if !defined(CUDART_INF_FP16)
#define CUDART_INF_FP16        __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16        __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16       __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16        __ushort_as_half((unsigned short)0x3C00U)
#endif
#undef HEDDLE_HF
#endif
