// SPDX-License-Identifier: Apache-2.0
// Numbers of half precision and their floats; rounding is to nearest, ties to even.
#ifndef HEDDLE_LIBRARY_HALF_H
#define HEDDLE_LIBRARY_HALF_H
#include <stdint.h>
#include <string.h>

static inline float half_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline uint32_t half_bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

// The exponent is moved by a product with a power of two, which makes normal numbers of subnormal ones. All without a branch, so
// that loops become vector code.
static inline float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
    float number = half_bits(rest) * 0x1p112f;
    uint32_t bits = half_bits_of(number), beyond = rest | 0x7f800000; // infinity and NaN
    return half_bits((rest >= 0x0f800000 ? beyond : bits) | sign);
}

static inline uint16_t half_of_float(float f)
{
    uint32_t bits = half_bits_of(f), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest >= 0x47800000) // 65536 and more, infinity, NaN
        return (uint16_t)(sign | (rest > 0x7f800000 ? 0x7e00 : 0x7c00));
    if (rest < 0x38800000) { // subnormal: a sum with 0.5 puts the last place where it belongs
        float sum = half_bits(rest) + 0.5f;
        return (uint16_t)(sign | (half_bits_of(sum) - 0x3f000000));
    }
    uint32_t odd = rest >> 13 & 1;
    return (uint16_t)(sign | (rest - 0x38000000 + 0xfff + odd) >> 13);
}

static inline float bfloat_to_float(uint16_t b)
{
    return half_bits((uint32_t)b << 16);
}

static inline uint16_t bfloat_of_float(float f)
{
    uint32_t bits = half_bits_of(f);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#endif
