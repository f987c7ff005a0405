// SPDX-License-Identifier: Apache-2.0
// Floats of 8, 6 and 4 bits as their codes: conversions from double, which holds floats and halves exactly, with one
// rounding to nearest even, and back to half and bfloat, which hold all of them.
#ifndef HEDDLE_SMALL_FLOAT_H
#define HEDDLE_SMALL_FLOAT_H
#include "../../cuda_bf16.h"
#include "../../cuda_fp16.h"
#include "../../device_types.h"
#include "../../vector_types.h"
#if !defined(__CUDACC_RTC__)
#include <string.h>
#endif

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;

#if defined(__cplusplus)
#define HEDDLE_SF static __host__ __device__ __forceinline__

// exponent and mantissa: numbers of bits; largest: the code of the largest finite number; overflow: the code of what is
// larger when it is not saturated, and of infinity.
HEDDLE_SF unsigned int heddle_small_encode(double x, int __exponent, int mantissa, unsigned int __largest,
                                           unsigned int __overflow, unsigned int nan, bool __saturate)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    unsigned int sign = (unsigned int)(bits >> 63) << (__exponent + mantissa);
    unsigned long long magnitude = bits & ~(1ull << 63);
    if (magnitude > 0x7FFull << 52)
        return nan;
    int bias = (1 << (__exponent - 1)) - 1, __e = (int)(magnitude >> 52) - 1023 + bias; // of the result
    unsigned long long significand = (magnitude & ((1ull << 52) - 1)) | 1ull << 52;
    int drop = 52 - mantissa + (__e < 1 ? 1 - __e : 0); // a subnormal result has fewer digits
    if (magnitude >> 52 == 0 || drop > 54)
        return sign; // far below half of the smallest number
    unsigned long long half = 1ull << (drop - 1), rest = significand & (2 * half - 1), code = significand >> drop;
    if (__e >= 1)
        code += (unsigned long long)(__e - 1) << mantissa; // the leading digit counts one more
    if (rest > half || (rest == half && (code & 1)))
        code++;
    if (code > __largest)
        return sign | (__saturate ? __largest : __overflow);
    return sign | (unsigned int)code;
}
// Bits of the half that a finite code means.
HEDDLE_SF unsigned short heddle_small_to_half(unsigned int code, int __exponent, int mantissa)
{
    unsigned int sign = (code >> (__exponent + mantissa) & 1) << 15,
                 magnitude = code & ((1u << (__exponent + mantissa)) - 1);
    int bias = (1 << (__exponent - 1)) - 1;
    if (magnitude >> mantissa == 0) {
        // A multiple of the smallest number, which as a half is a normal one, or for 5 bits of exponent of half's own
        // kind.
        if (__exponent == 5)
            return (unsigned short)(sign | magnitude << (10 - mantissa));
        if (!magnitude)
            return (unsigned short)sign;
        int shift = 0;
        while (!(magnitude >> mantissa)) {
            magnitude <<= 1;
            shift++;
        }
        magnitude &= (1u << mantissa) - 1;
        return (unsigned short)(sign | (unsigned int)(15 - bias + 1 - shift) << 10 | magnitude << (10 - mantissa));
    }
    return (unsigned short)(sign | ((magnitude << (10 - mantissa)) + ((unsigned int)(15 - bias) << 10)));
}

HEDDLE_SF float heddle_exact(float f)
{
    return f;
}
HEDDLE_SF double heddle_exact(double f)
{
    return f;
}
HEDDLE_SF float heddle_exact(__half_raw __h)
{
    return __heddle_half_to_float(__h.x);
}
HEDDLE_SF float heddle_exact(__nv_bfloat16_raw __h)
{
    return __heddle_bfloat_to_float(__h.x);
}
HEDDLE_SF float heddle_half_value(__half_raw __h)
{
    return __heddle_half_to_float(__h.x);
}

// The classes. T: the type, made by ENCODE(float) and ENCODE(double) and read by DECODE(code) to a __half_raw.
#define HEDDLE_SMALL_CLASS(__T, code_type, ENCODE, DECODE)                                                             \
    struct __attribute__((aligned(sizeof(code_type)))) __T {                                                           \
        code_type __x;                                                                                                 \
        __T() = default;                                                                                               \
        __host__ __device__ explicit __T(const __half f) : __x(ENCODE(heddle_exact((__half_raw)f))) {}                 \
        __host__ __device__ explicit __T(const __nv_bfloat16 f) : __x(ENCODE(heddle_exact((__nv_bfloat16_raw)f))) {}   \
        __host__ __device__ explicit __T(const float f) : __x(ENCODE(f)) {}                                            \
        HEDDLE_SMALL_FROM(__T, double, ENCODE)                                                                         \
        HEDDLE_SMALL_FROM(__T, unsigned short, ENCODE)                                                                 \
        HEDDLE_SMALL_FROM(__T, unsigned int, ENCODE)                                                                   \
        HEDDLE_SMALL_FROM(__T, unsigned long, ENCODE)                                                                  \
        HEDDLE_SMALL_FROM(__T, unsigned long long, ENCODE)                                                             \
        HEDDLE_SMALL_FROM(__T, short, ENCODE)                                                                          \
        HEDDLE_SMALL_FROM(__T, int, ENCODE)                                                                            \
        HEDDLE_SMALL_FROM(__T, long, ENCODE)                                                                           \
        HEDDLE_SMALL_FROM(__T, long long, ENCODE)                                                                      \
        __host__ __device__ explicit operator __half() const                                                           \
        {                                                                                                              \
            return __half(DECODE(__x));                                                                                \
        }                                                                                                              \
        __host__ __device__ explicit operator __nv_bfloat16() const                                                    \
        {                                                                                                              \
            return __nv_bfloat16(heddle_half_value(DECODE(__x)));                                                      \
        }                                                                                                              \
        __host__ __device__ explicit operator float() const                                                            \
        {                                                                                                              \
            return heddle_half_value(DECODE(__x));                                                                     \
        }                                                                                                              \
        __host__ __device__ explicit operator double() const                                                           \
        {                                                                                                              \
            return heddle_half_value(DECODE(__x));                                                                     \
        }                                                                                                              \
        HEDDLE_SMALL_TO(char)                                                                                          \
        HEDDLE_SMALL_TO(signed char)                                                                                   \
        HEDDLE_SMALL_TO(unsigned char)                                                                                 \
        HEDDLE_SMALL_TO(short)                                                                                         \
        HEDDLE_SMALL_TO(unsigned short)                                                                                \
        HEDDLE_SMALL_TO(int)                                                                                           \
        HEDDLE_SMALL_TO(unsigned int)                                                                                  \
        HEDDLE_SMALL_TO(long)                                                                                          \
        HEDDLE_SMALL_TO(unsigned long)                                                                                 \
        HEDDLE_SMALL_TO(long long)                                                                                     \
        HEDDLE_SMALL_TO(unsigned long long)                                                                            \
        __host__ __device__ explicit operator bool() const                                                             \
        {                                                                                                              \
            return heddle_half_value(DECODE(__x)) != 0;                                                                \
        }                                                                                                              \
    };
#define HEDDLE_SMALL_FROM(__T, type, ENCODE)                                                                           \
    __host__ __device__ explicit __T(const type f) : __x(ENCODE((double)f)) {}
#define HEDDLE_SMALL_TO(type)                                                                                          \
    __host__ __device__ explicit operator type() const                                                                 \
    {                                                                                                                  \
        return (type)(__half)(*this);                                                                                  \
    }

// Pairs and fours of T, whose code takes `bits` bits in the storage.
#define HEDDLE_SMALL_PAIR(__T2, code2_type, __T, bits)                                                                 \
    struct __attribute__((aligned(sizeof(code2_type)))) __T2 {                                                         \
        code2_type __x;                                                                                                \
        __T2() = default;                                                                                              \
        static __host__ __device__ code2_type heddle_pack(__T __a, __T __b)                                            \
        {                                                                                                              \
            return (code2_type)(__a.__x | __b.__x << bits);                                                            \
        }                                                                                                              \
        __host__ __device__ __T heddle_part(int __i) const                                                             \
        {                                                                                                              \
            __T __t;                                                                                                   \
            __t.__x = (unsigned char)(__x >> (bits * __i) & ((1u << bits) - 1));                                       \
            return __t;                                                                                                \
        }                                                                                                              \
        __host__ __device__ explicit __T2(const __half2 f) : __x(heddle_pack(__T(f.x), __T(f.y))) {}                   \
        __host__ __device__ explicit __T2(const __nv_bfloat162 f) : __x(heddle_pack(__T(f.x), __T(f.y))) {}            \
        __host__ __device__ explicit __T2(const float2 f) : __x(heddle_pack(__T(f.x), __T(f.y))) {}                    \
        __host__ __device__ explicit __T2(const double2 f) : __x(heddle_pack(__T(f.x), __T(f.y))) {}                   \
        __host__ __device__ explicit operator __half2() const                                                          \
        {                                                                                                              \
            return __half2((__half)heddle_part(0), (__half)heddle_part(1));                                            \
        }                                                                                                              \
        __host__ __device__ explicit operator float2() const                                                           \
        {                                                                                                              \
            float2 f = {(float)heddle_part(0), (float)heddle_part(1)};                                                 \
            return f;                                                                                                  \
        }                                                                                                              \
    };
#define HEDDLE_SMALL_FOUR(__T4, code4_type, __T, bits)                                                                 \
    struct __attribute__((aligned(sizeof(code4_type)))) __T4 {                                                         \
        code4_type __x;                                                                                                \
        __T4() = default;                                                                                              \
        static __host__ __device__ code4_type heddle_pack(__T __a, __T __b, __T __c, __T __d)                          \
        {                                                                                                              \
            return (code4_type)(__a.__x | __b.__x << bits | __c.__x << (2 * bits) |                                    \
                                (unsigned int)__d.__x << (3 * bits));                                                  \
        }                                                                                                              \
        __host__ __device__ __T heddle_part(int __i) const                                                             \
        {                                                                                                              \
            __T __t;                                                                                                   \
            __t.__x = (unsigned char)(__x >> (bits * __i) & ((1u << bits) - 1));                                       \
            return __t;                                                                                                \
        }                                                                                                              \
        __host__ __device__ explicit __T4(const __half2 low, const __half2 high)                                       \
            : __x(heddle_pack(__T(low.x), __T(low.y), __T(high.x), __T(high.y)))                                       \
        {                                                                                                              \
        }                                                                                                              \
        __host__ __device__ explicit __T4(const __nv_bfloat162 low, const __nv_bfloat162 high)                         \
            : __x(heddle_pack(__T(low.x), __T(low.y), __T(high.x), __T(high.y)))                                       \
        {                                                                                                              \
        }                                                                                                              \
        __host__ __device__ explicit __T4(const float4 f)                                                              \
            : __x(heddle_pack(__T(f.x), __T(f.y), __T(f.z), __T(f.w))) {}                                              \
        __host__ __device__ explicit __T4(const double4 f)                                                             \
            : __x(heddle_pack(__T(f.x), __T(f.y), __T(f.z), __T(f.w))) {}                                              \
        __host__ __device__ explicit operator float4() const                                                           \
        {                                                                                                              \
            float4 f = {(float)heddle_part(0), (float)heddle_part(1), (float)heddle_part(2), (float)heddle_part(3)};   \
            return f;                                                                                                  \
        }                                                                                                              \
    };
#endif
#endif
