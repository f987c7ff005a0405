// SPDX-License-Identifier: Apache-2.0
// Floats of 8 bits, as NVIDIA's conversions have them: to nearest, ties to even, and what is too large becomes the largest number.
#ifndef HEDDLE_NCCL_KERNEL_NUMBER_H
#define HEDDLE_NCCL_KERNEL_NUMBER_H
#include "library/half.h"

// e5m2: the upper half of half precision.
static inline float e5m2_to_float(uint8_t v)
{
    return half_to_float((uint16_t)(v << 8));
}

// Both kinds: a number of so many bits of mantissa whose least normal exponent is `least`; the largest one as bits.
static inline uint8_t float8_of_float(float f, int mantissa, int least, uint8_t largest, uint8_t nan)
{
    uint32_t bits = half_bits_of(f), sign = bits >> 24 & 0x80, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        return (uint8_t)(sign | nan);
    int exponent = (int)(rest >> 23) - 127, shift = 23 - mantissa;
    uint32_t m = (rest & 0x7fffff) | 0x800000;
    if (rest < 0x800000) // far below the least
        return (uint8_t)sign;
    if (exponent < least) { // subnormal
        shift += least - exponent;
        if (shift > 24)
            return (uint8_t)sign;
    }
    uint32_t kept = m >> shift, lost = m & ((1u << shift) - 1), half = 1u << (shift - 1);
    kept += lost > half || (lost == half && kept & 1);
    // A normal number has its leading bit; the exponent field counts from 1 at `least`.
    uint32_t code = exponent < least ? kept : kept + ((uint32_t)(exponent - least) << mantissa);
    return (uint8_t)(sign | (rest >= 0x7f800000 || code > largest ? largest : code));
}

static inline uint8_t e5m2_of_float(float f)
{
    return float8_of_float(f, 2, -14, 0x7b, 0x7f);
}

static inline uint8_t e4m3_of_float(float f)
{
    return float8_of_float(f, 3, -6, 0x7e, 0x7f);
}

static inline float e4m3_to_float(uint8_t v)
{
    uint32_t exponent = v >> 3 & 15, m = v & 7;
    float f = exponent ? half_bits((exponent + 120) << 23 | m << 20) : (float)m * 0x1p-9f;
    f = (v & 0x7f) == 0x7f ? __builtin_nanf("") : f;
    return v & 0x80 ? -f : f;
}
#endif
