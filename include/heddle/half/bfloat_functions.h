// SPDX-License-Identifier: Apache-2.0
// The named conversions of bfloat16.
#ifndef HEDDLE_BFLOAT_FUNCTIONS_H
#define HEDDLE_BFLOAT_FUNCTIONS_H
#include "../../cuda_bf16.h"

#define HEDDLE_BF static __host__ __device__ __forceinline__

HEDDLE_BF __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    __nv_bfloat16 __h;
    __h.__x = bits;
    return __h;
}
HEDDLE_BF __nv_bfloat16 __short_as_bfloat16(short bits)
{
    return __ushort_as_bfloat16((unsigned short)bits);
}
HEDDLE_BF unsigned short __bfloat16_as_ushort(__nv_bfloat16 __h)
{
    return __h.__x;
}
HEDDLE_BF short __bfloat16_as_short(__nv_bfloat16 __h)
{
    return (short)__h.__x;
}
HEDDLE_BF __nv_bfloat16 __float2bfloat16(float f)
{
    return heddle_narrow___nv_bfloat16(f);
}
HEDDLE_BF __nv_bfloat16 __float2bfloat16_rn(float f)
{
    return heddle_narrow___nv_bfloat16(f);
}
HEDDLE_BF __nv_bfloat16 __double2bfloat16(double __d)
{
    return __ushort_as_bfloat16(__heddle_double_to_bfloat(__d));
}
HEDDLE_BF float __bfloat162float(__nv_bfloat16 __h)
{
    return heddle_widen(__h);
}
HEDDLE_BF __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 __a, __nv_bfloat16 __b)
{
    return __nv_bfloat162(__a, __b);
}
HEDDLE_BF __nv_bfloat162 make_bfloat162(__nv_bfloat16 __a, __nv_bfloat16 __b)
{
    return __nv_bfloat162(__a, __b);
}
HEDDLE_BF __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 __a)
{
    return __nv_bfloat162(__a, __a);
}
HEDDLE_BF __nv_bfloat162 __float2bfloat162_rn(float f)
{
    return __bfloat162bfloat162(__float2bfloat16(f));
}
HEDDLE_BF __nv_bfloat162 __floats2bfloat162_rn(float __a, float __b)
{
    return __nv_bfloat162(__float2bfloat16(__a), __float2bfloat16(__b));
}
HEDDLE_BF __nv_bfloat162 __float22bfloat162_rn(float2 f)
{
    return __floats2bfloat162_rn(f.x, f.y);
}
HEDDLE_BF float2 __bfloat1622float2(__nv_bfloat162 __h)
{
    float2 f = {heddle_widen(__h.x), heddle_widen(__h.y)};
    return f;
}
#define NARROW          __nv_bfloat16
#define NARROW_NAME     bfloat16
#define HEDDLE_DIRECTED __heddle_double_to_bfloat_directed
#include "narrow_integers.h"
#undef HEDDLE_DIRECTED
#undef NARROW_NAME
#undef NARROW

#define CUDART_INF_BF16        __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16        __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16   __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16       __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16        __ushort_as_bfloat16((unsigned short)0x3F80U)
#undef HEDDLE_BF
#endif
