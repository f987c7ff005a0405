// SPDX-License-Identifier: Apache-2.0
// __half and __half2: 16-bit floats with 11 bits of precision, their conversions and functions.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#include "host_defines.h"
#include "vector_types.h"

#define __CUDA_FP16_TYPES_EXIST__

typedef struct __attribute__((aligned(2))) {
    unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
    unsigned short x, y;
} __half2_raw;

#if defined(__cplusplus)
#if !defined(__CUDACC_RTC__)
#include <string.h>
#endif
#if defined(__CUDACC__)
#include "cuda_runtime.h"
#endif
#include "heddle/half/half_convert.h"
#include "heddle/half/half_integer.h"

struct __half;
struct __nv_bfloat16;
static __host__ __device__ __forceinline__ __half heddle_narrow___half(float f);
static __host__ __device__ __forceinline__ float heddle_widen(__half __h);

struct __attribute__((aligned(2))) __half {
    unsigned short __x;

    __half() = default;
    __host__ __device__ __half(const __half_raw &__r) : __x(__r.x) {}
    __host__ __device__ __half(float f) : __x(__heddle_float_to_half(f)) {}
    __host__ __device__ __half(double f) : __x(__heddle_double_to_half(f)) {}
    __host__ __device__ explicit __half(const __nv_bfloat16 &__b); // with cuda_bf16.h
#define HEDDLE_HALF_INTEGER(__T)                                                                                       \
    __host__ __device__ __half(__T __v) : __x(__heddle_double_to_half((double)__v)) {}                                 \
    __host__ __device__ operator __T() const                                                                           \
    {                                                                                                                  \
        return heddle_integer<__T>(__heddle_half_to_float(__x));                                                       \
    }
    HEDDLE_HALF_INTEGER(short)
    HEDDLE_HALF_INTEGER(unsigned short)
    HEDDLE_HALF_INTEGER(int)
    HEDDLE_HALF_INTEGER(unsigned int)
    HEDDLE_HALF_INTEGER(long)
    HEDDLE_HALF_INTEGER(unsigned long)
    HEDDLE_HALF_INTEGER(long long)
    HEDDLE_HALF_INTEGER(unsigned long long)
#undef HEDDLE_HALF_INTEGER
#define HEDDLE_HALF_BYTE(__T)                                                                                          \
    __host__ __device__ operator __T() const                                                                           \
    {                                                                                                                  \
        return heddle_integer<__T>(__heddle_half_to_float(__x));                                                       \
    }
    HEDDLE_HALF_BYTE(char)
    HEDDLE_HALF_BYTE(signed char)
    HEDDLE_HALF_BYTE(unsigned char)
#undef HEDDLE_HALF_BYTE
    __host__ __device__ operator float() const
    {
        return __heddle_half_to_float(__x);
    }
    __host__ __device__ operator bool() const
    {
        return (__x & 0x7FFF) != 0;
    }
    __host__ __device__ operator __half_raw() const
    {
        __half_raw __r = {__x};
        return __r;
    }
    __host__ __device__ operator __half_raw() const volatile
    {
        __half_raw __r = {__x};
        return __r;
    }
    template <typename __T> __host__ __device__ __half &operator=(const __T &__v)
    {
        return *this = __half(__v);
    }
};
struct __attribute__((aligned(4))) __half2 {
    __half x, y;

    __half2() = default;
    __host__ __device__ __half2(const __half &__a, const __half &__b) : x(__a), y(__b) {}
    __host__ __device__ __half2(const __half2_raw &__r)
    {
        x.__x = __r.x;
        y.__x = __r.y;
    }
    __host__ __device__ operator __half2_raw() const
    {
        __half2_raw __r = {x.__x, y.__x};
        return __r;
    }
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

static __host__ __device__ __forceinline__ __half heddle_narrow___half(float f)
{
    __half __h;
    __h.__x = __heddle_float_to_half(f);
    return __h;
}
static __host__ __device__ __forceinline__ float heddle_widen(__half __h)
{
    return __heddle_half_to_float(__h.__x);
}
static __host__ __device__ __forceinline__ __half heddle_half_fma(__half __a, __half __b, __half __c)
{
    __half __h; // the product is exact in double
    __h.__x = __heddle_half_fma(__a.__x, __b.__x, __c.__x);
    return __h;
}

#define HEDDLE_AS_GPU(name, cases)                                                                                     \
    static __device__ __forceinline__ unsigned short heddle_as_gpu_##name(__half __a, unsigned short __r)              \
    {                                                                                                                  \
        unsigned short x = __a.__x;                                                                                    \
        return (unsigned short)(cases);                                                                                \
    }
HEDDLE_AS_GPU(sin, (x & 0x7FFF) == 0x32B3 ? __r + 1 : (x & 0x7FFF) == 0x5CB0 ? __r - 1 : __r)
HEDDLE_AS_GPU(cos, (x & 0x7FFF) == 0x2B7C ? __r + 1 : __r)
HEDDLE_AS_GPU(exp, x == 0x1F79 || x == 0x25CF ? __r - 1 : __r)
HEDDLE_AS_GPU(exp2, x == 0x11C5 ? __r + 1 : __r)
HEDDLE_AS_GPU(exp10, x == 0xBF0A ? __r - 1 : __r)
HEDDLE_AS_GPU(log, x == 0x1935 || x == 0x1D78 ? __r - 1 : __r)
HEDDLE_AS_GPU(log10, x == 0x338F || x == 0x57E1 || x == 0x719D ? __r - 1 : x == 0x33F8 || x == 0x69D0 ? __r + 1 : __r)
#undef HEDDLE_AS_GPU

#define NARROW           __half
#define NARROW2          __half2
#define NARROW_NAME      half
#define HEDDLE_FMA       heddle_half_fma
#define HEDDLE_TANH      "tanh.approx.f16"
#define HEDDLE_TANH_ARCH 750
#include "heddle/half/narrow_float.h"
#undef HEDDLE_TANH_ARCH
#undef HEDDLE_TANH
#undef HEDDLE_FMA
#undef NARROW_NAME
#undef NARROW2
#undef NARROW
#include "heddle/half/half_functions.h"
#endif
#include "heddle/half/half_bfloat.h"
#endif
