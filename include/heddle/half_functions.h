// The named conversions of half precision.
#ifndef HEDDLE_HALF_FUNCTIONS_H
#define HEDDLE_HALF_FUNCTIONS_H
#include "cuda_fp16.h"

#define HEDDLE_HF static __host__ __device__ __forceinline__

HEDDLE_HF __half __heddle_half(unsigned short bits)
{
    __half h;
    h.__x = bits;
    return h;
}
HEDDLE_HF __half __float2half(float f)
{
    return __heddle_half(__heddle_float_to_half(f));
}
HEDDLE_HF __half __double2half(double d)
{
    return __heddle_half(__heddle_double_to_half(d));
}
HEDDLE_HF __half __float2half_rn(float f)
{
    return __float2half(f);
}
HEDDLE_HF __half __float2half_rz(float f)
{
    return __heddle_half(__heddle_double_to_half_directed(f, 0));
}
HEDDLE_HF __half __float2half_rd(float f)
{
    return __heddle_half(__heddle_double_to_half_directed(f, -1));
}
HEDDLE_HF __half __float2half_ru(float f)
{
    return __heddle_half(__heddle_double_to_half_directed(f, 1));
}
HEDDLE_HF float __half2float(__half h)
{
    return __heddle_half_to_float(h.__x);
}
HEDDLE_HF __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
HEDDLE_HF __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}
HEDDLE_HF __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
HEDDLE_HF __half2 __float2half2_rn(float f)
{
    return __half2half2(__float2half(f));
}
HEDDLE_HF __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__float2half(a), __float2half(b));
}
HEDDLE_HF __half2 __float22half2_rn(float2 f)
{
    return __floats2half2_rn(f.x, f.y);
}
HEDDLE_HF float2 __half22float2(__half2 h)
{
    float2 f = {__half2float(h.x), __half2float(h.y)};
    return f;
}
HEDDLE_HF short __half_as_short(__half h)
{
    return (short)h.__x;
}
HEDDLE_HF unsigned short __half_as_ushort(__half h)
{
    return h.__x;
}
HEDDLE_HF __half __short_as_half(short bits)
{
    return __heddle_half((unsigned short)bits);
}
HEDDLE_HF __half __ushort_as_half(unsigned short bits)
{
    return __heddle_half(bits);
}

// Integers: rounding to nearest even, to zero, down and up; out of range values are clamped, and not-a-number is 0.
template <typename T> HEDDLE_HF T __heddle_clamp_to(float f, double low, double high)
{
    return f != f ? (T)0 : (double)f <= low ? (T)low : (double)f >= high ? (T)high : (T)f;
}
#define HEDDLE_HALF_TO(name, T, low, high)                                                                             \
    HEDDLE_HF T __half2##name##_rn(__half h)                                                                           \
    {                                                                                                                  \
        return __heddle_clamp_to<T>(__builtin_rintf(__half2float(h)), low, high);                                      \
    }                                                                                                                  \
    HEDDLE_HF T __half2##name##_rz(__half h)                                                                           \
    {                                                                                                                  \
        return __heddle_clamp_to<T>(__half2float(h), low, high);                                                       \
    }                                                                                                                  \
    HEDDLE_HF T __half2##name##_rd(__half h)                                                                           \
    {                                                                                                                  \
        return __heddle_clamp_to<T>(__builtin_floorf(__half2float(h)), low, high);                                     \
    }                                                                                                                  \
    HEDDLE_HF T __half2##name##_ru(__half h)                                                                           \
    {                                                                                                                  \
        return __heddle_clamp_to<T>(__builtin_ceilf(__half2float(h)), low, high);                                      \
    }                                                                                                                  \
    HEDDLE_HF __half __##name##2half_rn(T v)                                                                           \
    {                                                                                                                  \
        return __heddle_half(__heddle_double_to_half((double)v));                                                      \
    }                                                                                                                  \
    HEDDLE_HF __half __##name##2half_rz(T v)                                                                           \
    {                                                                                                                  \
        return __heddle_half(__heddle_double_to_half_directed((double)v, 0));                                          \
    }                                                                                                                  \
    HEDDLE_HF __half __##name##2half_rd(T v)                                                                           \
    {                                                                                                                  \
        return __heddle_half(__heddle_double_to_half_directed((double)v, -1));                                         \
    }                                                                                                                  \
    HEDDLE_HF __half __##name##2half_ru(T v)                                                                           \
    {                                                                                                                  \
        return __heddle_half(__heddle_double_to_half_directed((double)v, 1));                                          \
    }
HEDDLE_HALF_TO(int, int, -2147483648.0, 2147483647.0)
HEDDLE_HALF_TO(uint, unsigned int, 0.0, 4294967295.0)
HEDDLE_HALF_TO(short, short, -32768.0, 32767.0)
HEDDLE_HALF_TO(ushort, unsigned short, 0.0, 65535.0)
HEDDLE_HALF_TO(ll, long long, -0x1p63, 0x1p62)
HEDDLE_HALF_TO(ull, unsigned long long, 0.0, 0x1p62)
#undef HEDDLE_HALF_TO

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
