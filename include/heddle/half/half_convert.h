// SPDX-License-Identifier: Apache-2.0
// Conversions between half precision and wider types, on the bits. Where the compiler has the type it converts;
// elsewhere integer code does.
#ifndef HEDDLE_HALF_CONVERT_H
#define HEDDLE_HALF_CONVERT_H
#include "../../host_defines.h"
#if !defined(__CUDACC_RTC__)
#include <string.h>
#endif

#define HEDDLE_HC static __host__ __device__ __forceinline__

#if (defined(__clang__) || defined(__CUDACC_RTC__)) && defined(__FLT16_MANT_DIG__)
HEDDLE_HC unsigned short __heddle_half_bits(_Float16 __h)
{
    unsigned short bits;
    memcpy(&bits, &__h, 2);
    return bits;
}
HEDDLE_HC _Float16 __heddle_half_value(unsigned short bits)
{
    _Float16 __h;
    memcpy(&__h, &bits, 2);
    return __h;
}
#if defined(__CUDA_ARCH__)
#define HEDDLE_HC_NAN(x) false // the instruction sees to it
#else
#define HEDDLE_HC_NAN(x) ((x) != (x)) // has one form on every side
#endif
HEDDLE_HC unsigned short __heddle_float_to_half(float f)
{
    return HEDDLE_HC_NAN(f) ? (unsigned short)0x7FFF : __heddle_half_bits((_Float16)f);
}
HEDDLE_HC unsigned short __heddle_double_to_half(double __d)
{
    return HEDDLE_HC_NAN(__d) ? (unsigned short)0x7FFF : __heddle_half_bits((_Float16)__d);
}
HEDDLE_HC float __heddle_half_to_float(unsigned short bits)
{
    float f = (float)__heddle_half_value(bits);
    return HEDDLE_HC_NAN(f) ? __builtin_nanf("0x7FFFFF") : f;
}
#undef HEDDLE_HC_NAN
#else
HEDDLE_HC float __heddle_half_to_float(unsigned short bits)
{
    unsigned int sign = (bits & 0x8000u) << 16, __exponent = bits >> 10 & 31, fraction = bits & 0x3FFu, out;
    float f;
    if (__exponent == 31) {
        out = fraction ? 0x7FFFFFFFu : sign | 0x7F800000u;
    } else if (__exponent) {
        out = sign | (__exponent + 112) << 23 | fraction << 13;
    } else { // 2^-24 times the fraction
        f = (float)fraction * 5.9604644775390625e-8f;
        memcpy(&out, &f, 4);
        out |= sign;
    }
    memcpy(&f, &out, 4);
    return f;
}
HEDDLE_HC unsigned short __heddle_double_to_half(double __d)
{
    unsigned long long bits;
    memcpy(&bits, &__d, 8);
    unsigned short sign = (unsigned short)(bits >> 48 & 0x8000u);
    unsigned long long fraction = bits & 0xFFFFFFFFFFFFFull;
    int __exponent = (int)(bits >> 52 & 2047) - 1023;
    if (__exponent == 1024)
        return fraction ? 0x7FFF : (unsigned short)(sign | 0x7C00);
    if (__exponent > 15)
        return (unsigned short)(sign | 0x7C00);
    if (__exponent < -25)
        return sign;
    int drop = __exponent >= -14 ? 42 : 42 + (-14 - __exponent); // bits of the significand that do not fit
    unsigned long long whole = fraction | 1ull << 52, kept = whole >> drop, rest = whole & ((1ull << drop) - 1);
    unsigned long long tie = 1ull << (drop - 1);
    kept += rest > tie || (rest == tie && (kept & 1));
    if (__exponent >= -14)
        kept += (unsigned long long)(__exponent + 14) << 10; // the leading bit adds 1 to the exponent; so does a carry
    return (unsigned short)(sign | kept);
}
HEDDLE_HC unsigned short __heddle_float_to_half(float f)
{
    return __heddle_double_to_half((double)f);
}
#endif

HEDDLE_HC unsigned short __heddle_half_fma(unsigned short __a, unsigned short __b, unsigned short __c)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530
    return __heddle_half_bits(
        __builtin_fmaf16(__heddle_half_value(__a), __heddle_half_value(__b), __heddle_half_value(__c)));
#else
    double product = (double)__heddle_half_to_float(__a) * (double)__heddle_half_to_float(__b); // exact
    return __heddle_double_to_half(product + (double)__heddle_half_to_float(__c));
#endif
}

// To the nearest (2), towards zero (0), up (1) or down (-1): the nearest half, corrected by one step where it lies on the
// wrong side.
HEDDLE_HC unsigned short __heddle_double_to_half_directed(double __d, int __direction)
{
    unsigned short __h = __heddle_double_to_half(__d);
    double back = (double)__heddle_half_to_float(__h);
    bool down = __direction < 0 || (__direction == 0 && __d > 0),
         __up = __direction == 1 || (__direction == 0 && __d < 0);
    if (__d == __d && down && back > __d)
        return back > 0 ? (unsigned short)(__h - 1) : back < 0 ? (unsigned short)(__h + 1) : (unsigned short)0x8001;
    if (__d == __d && __up && back < __d)
        return back < 0 ? (unsigned short)(__h - 1) : back > 0 ? (unsigned short)(__h + 1) : (unsigned short)0x0001;
    return __h;
}
#undef HEDDLE_HC
#endif
