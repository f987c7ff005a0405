// SPDX-License-Identifier: Apache-2.0
// Numbers of NPP: saturation, and rounding to the nearest, ties to even. All without branches, so that loops become vector code.
#ifndef HEDDLE_NPP_KERNEL_NUMBER_H
#define HEDDLE_NPP_KERNEL_NUMBER_H
#include <math.h>
#include <stdint.h>

// To the nearest integer, of a number below 2^51 in magnitude: the sum leaves no places behind the point.
static inline double npp_near(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}
static inline float npp_nearf(float x) // below 2^22
{
    return (x + 0x1.8p23f) - 0x1.8p23f;
}
static inline double npp_clamp(double x, double low, double high)
{
    x = x > low ? x : low; // NaN is the lowest
    return x < high ? x : high;
}
static inline float npp_clampf(float x, float low, float high)
{
    x = x > low ? x : low;
    return x < high ? x : high;
}
// v / 2^s, rounded so; 0 < s, and 2^s is a number of the type.
#define NPP_ROUND_SHIFT(name, type)                                                                                    \
    static inline type name(type v, int s)                                                                             \
    {                                                                                                                  \
        type q = v >> s, rest = v - q * ((type)1 << s), half = (type)1 << (s - 1);                                     \
        return q + (rest + (q & 1) > half);                                                                            \
    }
NPP_ROUND_SHIFT(npp_round32, int32_t)
NPP_ROUND_SHIFT(npp_round64, int64_t)
NPP_ROUND_SHIFT(npp_round128, __int128)
#endif
