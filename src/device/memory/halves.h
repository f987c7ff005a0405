// SPDX-License-Identifier: Apache-2.0
// Sums of halves and bfloats by their bits, as atomic operations and reductions make them.
#ifndef HEDDLE_DEVICE_MEMORY_HALVES_H
#define HEDDLE_DEVICE_MEMORY_HALVES_H
#include <stdint.h>
#include <string.h>

static inline float bf16_to_float(uint16_t h)
{
    uint32_t u = (uint32_t)h << 16;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static inline uint16_t float_to_bf16(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    if ((u & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

static inline uint16_t half_sum_f16(uint16_t a, uint16_t b)
{
    _Float16 x, y;
    memcpy(&x, &a, 2);
    memcpy(&y, &b, 2);
    x = (_Float16)((float)x + (float)y);
    memcpy(&a, &x, 2);
    return a;
}

static inline uint16_t half_sum_bf16(uint16_t a, uint16_t b)
{
    return float_to_bf16(bf16_to_float(a) + bf16_to_float(b));
}
#endif
