// SPDX-License-Identifier: Apache-2.0
// __nv_bfloat16 and __nv_bfloat162: the upper half of a float, its conversions and functions.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#include "host_defines.h"
#include "vector_types.h"

#define __CUDA_BF16_TYPES_EXIST__

typedef struct __attribute__((aligned(2))) {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
    unsigned short x, y;
} __nv_bfloat162_raw;

#if defined(__cplusplus)
#if !defined(__CUDACC_RTC__)
#include <string.h>
#endif
#if defined(__CUDACC__)
#include "cuda_runtime.h"
#endif
#include "heddle/half/half_integer.h"

static __host__ __device__ __forceinline__ float __heddle_bfloat_to_float(unsigned short bits)
{
    unsigned int wide = (unsigned int)bits << 16;
    float f;
    memcpy(&f, &wide, 4);
    return f;
}
// To the nearest, ties to even: half of the last place is added, less one where the last kept bit is 0.
static __host__ __device__ __forceinline__ unsigned short __heddle_float_to_bfloat(float f)
{
    unsigned int bits;
    memcpy(&bits, &f, 4);
    if (f != f)
        return 0x7FFF;
    return (unsigned short)((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}
// A double goes by way of a float that was rounded to odd, so that the second rounding is the only one that counts.
static __host__ __device__ __forceinline__ unsigned short __heddle_double_to_bfloat(double __d)
{
    float f = (float)__d;
    unsigned int bits;
    memcpy(&bits, &f, 4);
    if ((double)f != __d && __d == __d && (bits & 0x7F800000u) != 0x7F800000u) {
        bool above = (double)f > __d;
        bits -= (f > 0) == above && (bits & 0x7FFFFFFFu) ? 1 : 0; // towards zero
        bits |= 1;
        memcpy(&f, &bits, 4);
    }
    return __heddle_float_to_bfloat(f);
}

// To the nearest (2), towards zero (0), up (1) or down (-1): the nearest, corrected by one step where it lies on the
// wrong side.
static __host__ __device__ __forceinline__ unsigned short __heddle_double_to_bfloat_directed(double __d,
                                                                                             int __direction)
{
    unsigned short __h = __heddle_double_to_bfloat(__d);
    double back = (double)__heddle_bfloat_to_float(__h);
    bool down = __direction < 0 || (__direction == 0 && __d > 0),
         __up = __direction == 1 || (__direction == 0 && __d < 0);
    if (__d == __d && down && back > __d)
        return back > 0 ? (unsigned short)(__h - 1) : back < 0 ? (unsigned short)(__h + 1) : (unsigned short)0x8001;
    if (__d == __d && __up && back < __d)
        return back < 0 ? (unsigned short)(__h - 1) : back > 0 ? (unsigned short)(__h + 1) : (unsigned short)0x0001;
    return __h;
}

struct __half;
struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &__r) : __x(__r.x) {}
    __host__ __device__ __nv_bfloat16(float f) : __x(__heddle_float_to_bfloat(f)) {}
    __host__ __device__ __nv_bfloat16(double f) : __x(__heddle_double_to_bfloat(f)) {}
    __host__ __device__ explicit __nv_bfloat16(const __half &__h); // with cuda_fp16.h
#define HEDDLE_BFLOAT_INTEGER(__T)                                                                                     \
    __host__ __device__ __nv_bfloat16(__T __v) : __x(__heddle_double_to_bfloat((double)__v)) {}                        \
    __host__ __device__ operator __T() const                                                                           \
    {                                                                                                                  \
        return heddle_integer<__T>(__heddle_bfloat_to_float(__x));                                                     \
    }
    HEDDLE_BFLOAT_INTEGER(short)
    HEDDLE_BFLOAT_INTEGER(unsigned short)
    HEDDLE_BFLOAT_INTEGER(int)
    HEDDLE_BFLOAT_INTEGER(unsigned int)
    HEDDLE_BFLOAT_INTEGER(long)
    HEDDLE_BFLOAT_INTEGER(unsigned long)
    HEDDLE_BFLOAT_INTEGER(long long)
    HEDDLE_BFLOAT_INTEGER(unsigned long long)
#undef HEDDLE_BFLOAT_INTEGER
#define HEDDLE_BFLOAT_BYTE(__T)                                                                                        \
    __host__ __device__ operator __T() const                                                                           \
    {                                                                                                                  \
        return heddle_integer<__T>(__heddle_bfloat_to_float(__x));                                                     \
    }
    HEDDLE_BFLOAT_BYTE(char)
    HEDDLE_BFLOAT_BYTE(signed char)
    HEDDLE_BFLOAT_BYTE(unsigned char)
#undef HEDDLE_BFLOAT_BYTE
    __host__ __device__ operator float() const
    {
        return __heddle_bfloat_to_float(__x);
    }
    __host__ __device__ operator bool() const
    {
        return (__x & 0x7FFF) != 0;
    }
    __host__ __device__ operator __nv_bfloat16_raw() const
    {
        __nv_bfloat16_raw __r = {__x};
        return __r;
    }
    __host__ __device__ operator __nv_bfloat16_raw() const volatile
    {
        __nv_bfloat16_raw __r = {__x};
        return __r;
    }
    template <typename __T> __host__ __device__ __nv_bfloat16 &operator=(const __T &__v)
    {
        return *this = __nv_bfloat16(__v);
    }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &__a, const __nv_bfloat16 &__b) : x(__a), y(__b) {}
    __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &__r)
    {
        x.__x = __r.x;
        y.__x = __r.y;
    }
    __host__ __device__ operator __nv_bfloat162_raw() const
    {
        __nv_bfloat162_raw __r = {x.__x, y.__x};
        return __r;
    }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

static __host__ __device__ __forceinline__ __nv_bfloat16 heddle_narrow___nv_bfloat16(float f)
{
    __nv_bfloat16 __h;
    __h.__x = __heddle_float_to_bfloat(f);
    return __h;
}
static __host__ __device__ __forceinline__ float heddle_widen(__nv_bfloat16 __h)
{
    return __heddle_bfloat_to_float(__h.__x);
}
static __host__ __device__ __forceinline__ __nv_bfloat16 heddle_bfloat_fma(__nv_bfloat16 __a, __nv_bfloat16 __b,
                                                                           __nv_bfloat16 __c)
{
    __nv_bfloat16 __h;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(__h.__x) : "h"(__a.__x), "h"(__b.__x), "h"(__c.__x));
#else
    // The product is exact in double. Where the sum is not, its last bit is made odd, which tells the rounding that
    // follows on which side of it the true one lies.
    double product = (double)heddle_widen(__a) * (double)heddle_widen(__b), addend = (double)heddle_widen(__c);
    double sum = product + addend, part = sum - product, rest = (product - (sum - part)) + (addend - part);
    unsigned long long bits;
    memcpy(&bits, &sum, 8);
    if (rest != 0.0 && !(bits & 1) && sum - sum == 0.0) {
        bits += (rest > 0.0) == (sum > 0.0) ? 1ull : ~0ull;
        memcpy(&sum, &bits, 8);
    }
    __h.__x = __heddle_double_to_bfloat(sum);
#endif
    return __h;
}

#define HEDDLE_AS_GPU(name, cases)                                                                                     \
    static __device__ __forceinline__ unsigned short heddle_as_gpu_##name(__nv_bfloat16 __a, unsigned short __r)       \
    {                                                                                                                  \
        unsigned short x = __a.__x;                                                                                    \
        (void)x;                                                                                                       \
        return (unsigned short)(cases);                                                                                \
    }
HEDDLE_AS_GPU(sin, __r)
HEDDLE_AS_GPU(cos, __r)
HEDDLE_AS_GPU(exp, __r)
HEDDLE_AS_GPU(exp2, __r)
HEDDLE_AS_GPU(exp10, x == 0xBC95 ? __r - 1 : __r)
HEDDLE_AS_GPU(log, __r)
HEDDLE_AS_GPU(log10, __r)
#undef HEDDLE_AS_GPU

#define NARROW           __nv_bfloat16
#define NARROW2          __nv_bfloat162
#define NARROW_NAME      bfloat16
#define HEDDLE_FMA       heddle_bfloat_fma
#define HEDDLE_TANH      "tanh.approx.bf16"
#define HEDDLE_TANH_ARCH 900
#include "heddle/half/narrow_float.h"
#undef HEDDLE_TANH_ARCH
#undef HEDDLE_TANH
#undef HEDDLE_FMA
#undef NARROW_NAME
#undef NARROW2
#undef NARROW
#include "heddle/half/bfloat_functions.h"
#endif
#include "heddle/half/half_bfloat.h"
#endif
