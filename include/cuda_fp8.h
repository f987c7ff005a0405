// SPDX-License-Identifier: Apache-2.0
// 8-bit floats: e4m3 (no infinity, up to 448), e5m2 (as half), and e8m0, powers of two without a sign.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#include "heddle/half/small_float.h"

#define __CUDA_FP8_TYPES_EXIST__
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus)
HEDDLE_SF unsigned int heddle_fp8_encode(double x, bool __saturate, __nv_fp8_interpretation_t kind)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    unsigned int sign = (unsigned int)(bits >> 56 & 0x80); // what is no number keeps it
    return kind == __NV_E4M3 ? heddle_small_encode(x, 4, 3, 0x7E, 0x7F, sign | 0x7F, __saturate)
                             : heddle_small_encode(x, 5, 2, 0x7B, 0x7C, sign | 0x7E | (bits >> 50 & 3), __saturate);
}
// From a narrower type than double: what is no number has one code.
HEDDLE_SF unsigned int heddle_fp8_encode_narrow(double x, bool __saturate, __nv_fp8_interpretation_t kind)
{
    return x != x ? 0x7F : heddle_fp8_encode(x, __saturate, kind);
}
HEDDLE_SF unsigned short heddle_fp8_decode(unsigned int code, __nv_fp8_interpretation_t kind)
{
    if (kind == __NV_E4M3)
        return (code & 0x7F) == 0x7F ? 0x7FFF : heddle_small_to_half(code, 4, 3);
    return (code & 0x7F) > 0x7C ? 0x7FFF : (unsigned short)(code << 8);
}
HEDDLE_SF __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t __saturate,
                                                   const __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8_storage_t)heddle_fp8_encode_narrow(x, __saturate == __NV_SATFINITE, kind);
}
HEDDLE_SF __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t __saturate,
                                                        const __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8x2_storage_t)(heddle_fp8_encode_narrow(x.x, __saturate == __NV_SATFINITE, kind) |
                                  heddle_fp8_encode_narrow(x.y, __saturate == __NV_SATFINITE, kind) << 8);
}
HEDDLE_SF __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t __saturate,
                                                    const __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8_storage_t)heddle_fp8_encode(x, __saturate == __NV_SATFINITE, kind);
}
HEDDLE_SF __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t __saturate,
                                                         const __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8x2_storage_t)(heddle_fp8_encode(x.x, __saturate == __NV_SATFINITE, kind) |
                                  heddle_fp8_encode(x.y, __saturate == __NV_SATFINITE, kind) << 8);
}
HEDDLE_SF __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t __saturate,
                                                     const __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8_storage_t)heddle_fp8_encode_narrow(heddle_exact(x), __saturate == __NV_SATFINITE, kind);
}
HEDDLE_SF __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x, const __nv_saturation_t __saturate,
                                                          const __nv_fp8_interpretation_t kind)
{
    __half_raw low = {x.x}, high = {x.y};
    return (__nv_fp8x2_storage_t)(heddle_fp8_encode_narrow(heddle_exact(low), __saturate == __NV_SATFINITE, kind) |
                                  heddle_fp8_encode_narrow(heddle_exact(high), __saturate == __NV_SATFINITE, kind)
                                      << 8);
}
HEDDLE_SF __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t __saturate,
                                                         const __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8_storage_t)heddle_fp8_encode_narrow(heddle_exact(x), __saturate == __NV_SATFINITE, kind);
}
HEDDLE_SF __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x,
                                                              const __nv_saturation_t __saturate,
                                                              const __nv_fp8_interpretation_t kind)
{
    __nv_bfloat16_raw low = {x.x}, high = {x.y};
    return (__nv_fp8x2_storage_t)(heddle_fp8_encode_narrow(heddle_exact(low), __saturate == __NV_SATFINITE, kind) |
                                  heddle_fp8_encode_narrow(heddle_exact(high), __saturate == __NV_SATFINITE, kind)
                                      << 8);
}
HEDDLE_SF __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind)
{
    __half_raw __r = {heddle_fp8_decode(x, kind)};
    return __r;
}
HEDDLE_SF __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t kind)
{
    __half2_raw __r = {heddle_fp8_decode(x & 255, kind), heddle_fp8_decode(x >> 8 & 255, kind)};
    return __r;
}

// e8m0: 2^(code - 127), 0xFF is no number. The sign is dropped; what is between two powers goes to the lower one (round
// to zero) or the upper one.
HEDDLE_SF __nv_fp8_storage_t heddle_e8m0_encode(double x, __nv_saturation_t __saturate, enum cudaRoundMode __rounding)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~(1ull << 63);
    if (bits > 0x7FFull << 52)
        return 0xFF;
    int __e = (int)(bits >> 52) - 1023 + 127;
    bool above = (bits & ((1ull << 52) - 1)) != 0;
    if (above && __rounding == cudaRoundPosInf)
        __e++;
    if (__e < 0 || bits >> 52 == 0)
        return 0;
    return (__nv_fp8_storage_t)(__e <= 254 ? __e : __saturate == __NV_SATFINITE ? 254 : 255);
}
HEDDLE_SF unsigned short heddle_e8m0_decode(unsigned int code)
{
    return (unsigned short)(code == 0xFF ? 0x7FFF : code ? code << 7 : 0x40);
}
HEDDLE_SF __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x, const __nv_saturation_t __saturate,
                                                    const enum cudaRoundMode __rounding)
{
    return heddle_e8m0_encode(x, __saturate, __rounding);
}
HEDDLE_SF __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(const float2 x, const __nv_saturation_t __saturate,
                                                         const enum cudaRoundMode __rounding)
{
    return (__nv_fp8x2_storage_t)(heddle_e8m0_encode(x.x, __saturate, __rounding) |
                                  heddle_e8m0_encode(x.y, __saturate, __rounding) << 8);
}
HEDDLE_SF __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x, const __nv_saturation_t __saturate,
                                                     const enum cudaRoundMode __rounding)
{
    return heddle_e8m0_encode(x, __saturate, __rounding);
}
HEDDLE_SF __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(const double2 x, const __nv_saturation_t __saturate,
                                                          const enum cudaRoundMode __rounding)
{
    return (__nv_fp8x2_storage_t)(heddle_e8m0_encode(x.x, __saturate, __rounding) |
                                  heddle_e8m0_encode(x.y, __saturate, __rounding) << 8);
}
HEDDLE_SF __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x, const __nv_saturation_t __saturate,
                                                          const enum cudaRoundMode __rounding)
{
    return heddle_e8m0_encode(heddle_exact(x), __saturate, __rounding);
}
HEDDLE_SF __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(const __nv_bfloat162_raw x,
                                                               const __nv_saturation_t __saturate,
                                                               const enum cudaRoundMode __rounding)
{
    __nv_bfloat16_raw low = {x.x}, high = {x.y};
    return (__nv_fp8x2_storage_t)(heddle_e8m0_encode(heddle_exact(low), __saturate, __rounding) |
                                  heddle_e8m0_encode(heddle_exact(high), __saturate, __rounding) << 8);
}
HEDDLE_SF __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x)
{
    __nv_bfloat16_raw __r = {heddle_e8m0_decode(x)};
    return __r;
}
HEDDLE_SF __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x)
{
    __nv_bfloat162_raw __r = {heddle_e8m0_decode(x & 0xFF), heddle_e8m0_decode(x >> 8)};
    return __r;
}

HEDDLE_SF __nv_fp8_storage_t heddle_e4m3_of(double x)
{
    return (__nv_fp8_storage_t)heddle_fp8_encode(x, true, __NV_E4M3);
}
HEDDLE_SF __nv_fp8_storage_t heddle_e4m3_of(float x)
{
    return (__nv_fp8_storage_t)heddle_fp8_encode_narrow(x, true, __NV_E4M3);
}
HEDDLE_SF __nv_fp8_storage_t heddle_e5m2_of(double x)
{
    return (__nv_fp8_storage_t)heddle_fp8_encode(x, true, __NV_E5M2);
}
HEDDLE_SF __nv_fp8_storage_t heddle_e5m2_of(float x)
{
    return (__nv_fp8_storage_t)heddle_fp8_encode_narrow(x, true, __NV_E5M2);
}
HEDDLE_SF __half_raw heddle_of_e4m3(__nv_fp8_storage_t x)
{
    return __nv_cvt_fp8_to_halfraw(x, __NV_E4M3);
}
HEDDLE_SF __half_raw heddle_of_e5m2(__nv_fp8_storage_t x)
{
    return __nv_cvt_fp8_to_halfraw(x, __NV_E5M2);
}
HEDDLE_SMALL_CLASS(__nv_fp8_e4m3, __nv_fp8_storage_t, heddle_e4m3_of, heddle_of_e4m3)
HEDDLE_SMALL_PAIR(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t, __nv_fp8_e4m3, 8)
HEDDLE_SMALL_FOUR(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t, __nv_fp8_e4m3, 8)
HEDDLE_SMALL_CLASS(__nv_fp8_e5m2, __nv_fp8_storage_t, heddle_e5m2_of, heddle_of_e5m2)
HEDDLE_SMALL_PAIR(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t, __nv_fp8_e5m2, 8)
HEDDLE_SMALL_FOUR(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t, __nv_fp8_e5m2, 8)

// Beyond the range of half, so with conversions of its own.
struct __attribute__((aligned(1))) __nv_fp8_e8m0 {
    __nv_fp8_storage_t __x;
    __nv_fp8_e8m0() = default;
#define HEDDLE_E8M0_FROM(type, value)                                                                                  \
    __host__ __device__ explicit __nv_fp8_e8m0(const type f)                                                           \
        : __x(heddle_e8m0_encode(value, __NV_SATFINITE, cudaRoundPosInf))                                              \
    {                                                                                                                  \
    }
    HEDDLE_E8M0_FROM(__half, heddle_exact((__half_raw)f))
    HEDDLE_E8M0_FROM(__nv_bfloat16, heddle_exact((__nv_bfloat16_raw)f))
    HEDDLE_E8M0_FROM(float, (double)f)
    HEDDLE_E8M0_FROM(double, f)
    HEDDLE_E8M0_FROM(unsigned short, (double)f)
    HEDDLE_E8M0_FROM(unsigned int, (double)f)
    HEDDLE_E8M0_FROM(unsigned long, heddle_sticky((unsigned long long)f))
    HEDDLE_E8M0_FROM(unsigned long long, heddle_sticky((unsigned long long)f))
    HEDDLE_E8M0_FROM(short, (double)f)
    HEDDLE_E8M0_FROM(int, (double)f)
    HEDDLE_E8M0_FROM(long, heddle_sticky((long long)f))
    HEDDLE_E8M0_FROM(long long, heddle_sticky((long long)f))
#undef HEDDLE_E8M0_FROM
    __host__ __device__ explicit operator __nv_bfloat16() const
    {
        return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x));
    }
    __host__ __device__ explicit operator float() const
    {
        return __heddle_bfloat_to_float(heddle_e8m0_decode(__x));
    }
    __host__ __device__ explicit operator double() const
    {
        return __heddle_bfloat_to_float(heddle_e8m0_decode(__x));
    }
    __host__ __device__ explicit operator __half() const
    {
        return __half((float)*this);
    }
#define HEDDLE_E8M0_TO(type)                                                                                           \
    __host__ __device__ explicit operator type() const                                                                 \
    {                                                                                                                  \
        return heddle_integer<type>((float)*this);                                                                     \
    }
    HEDDLE_E8M0_TO(char)
    HEDDLE_E8M0_TO(signed char)
    HEDDLE_E8M0_TO(unsigned char)
    HEDDLE_E8M0_TO(short)
    HEDDLE_E8M0_TO(unsigned short)
    HEDDLE_E8M0_TO(int)
    HEDDLE_E8M0_TO(unsigned int)
    HEDDLE_E8M0_TO(long)
    HEDDLE_E8M0_TO(unsigned long)
    HEDDLE_E8M0_TO(long long)
    HEDDLE_E8M0_TO(unsigned long long)
#undef HEDDLE_E8M0_TO
    __host__ __device__ explicit operator bool() const
    {
        return true;
    }
};
struct __attribute__((aligned(2))) __nv_fp8x2_e8m0 {
    __nv_fp8x2_storage_t __x;
    __nv_fp8x2_e8m0() = default;
    __host__ __device__ explicit __nv_fp8x2_e8m0(const float2 f)
        : __x(__nv_cvt_float2_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    __host__ __device__ explicit __nv_fp8x2_e8m0(const double2 f)
        : __x(__nv_cvt_double2_to_e8m0x2(f, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    __host__ __device__ explicit __nv_fp8x2_e8m0(const __half2 f) : __nv_fp8x2_e8m0(__half22float2(f)) {}
    __host__ __device__ explicit __nv_fp8x2_e8m0(const __nv_bfloat162 f) : __nv_fp8x2_e8m0(__bfloat1622float2(f)) {}
    __host__ __device__ explicit operator __nv_bfloat162() const
    {
        __nv_bfloat162_raw __r = __nv_cvt_e8m0x2_to_bf162raw(__x);
        __nv_bfloat16_raw low = {__r.x}, high = {__r.y};
        return __nv_bfloat162(__nv_bfloat16(low), __nv_bfloat16(high));
    }
    __host__ __device__ explicit operator float2() const
    {
        float2 f = {__heddle_bfloat_to_float(heddle_e8m0_decode(__x & 0xFF)),
                    __heddle_bfloat_to_float(heddle_e8m0_decode(__x >> 8))};
        return f;
    }
    __host__ __device__ explicit operator __half2() const
    {
        float2 f = (float2) * this;
        return __floats2half2_rn(f.x, f.y);
    }
};
struct __attribute__((aligned(4))) __nv_fp8x4_e8m0 {
    __nv_fp8x4_storage_t __x;
    __nv_fp8x4_e8m0() = default;
    template <typename __T>
    static __host__ __device__ __nv_fp8x4_storage_t heddle_pack(__T __a, __T __b, __T __c, __T __d)
    {
        return __nv_fp8_e8m0(__a).__x | __nv_fp8_e8m0(__b).__x << 8 | __nv_fp8_e8m0(__c).__x << 16 |
               (unsigned int)__nv_fp8_e8m0(__d).__x << 24;
    }
    __host__ __device__ explicit __nv_fp8x4_e8m0(const float4 f) : __x(heddle_pack(f.x, f.y, f.z, f.w)) {}
    __host__ __device__ explicit __nv_fp8x4_e8m0(const double4 f) : __x(heddle_pack(f.x, f.y, f.z, f.w)) {}
    __host__ __device__ explicit __nv_fp8x4_e8m0(const __half2 low, const __half2 high)
        : __x(heddle_pack(low.x, low.y, high.x, high.y))
    {
    }
    __host__ __device__ explicit __nv_fp8x4_e8m0(const __nv_bfloat162 low, const __nv_bfloat162 high)
        : __x(heddle_pack(low.x, low.y, high.x, high.y))
    {
    }
    __host__ __device__ explicit operator float4() const
    {
        float4 f = {__heddle_bfloat_to_float(heddle_e8m0_decode(__x & 0xFF)),
                    __heddle_bfloat_to_float(heddle_e8m0_decode(__x >> 8 & 0xFF)),
                    __heddle_bfloat_to_float(heddle_e8m0_decode(__x >> 16 & 0xFF)),
                    __heddle_bfloat_to_float(heddle_e8m0_decode(__x >> 24))};
        return f;
    }
};
#endif
#endif
