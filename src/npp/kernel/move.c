// SPDX-License-Identifier: Apache-2.0
// Numbers of any type as doubles, and back.
#include "npp/kernel/move.h"
#include "library/half.h"
#include "npp/kernel/number.h"

#define LOAD(T, get)                                                                                                   \
    {                                                                                                                  \
        const T *restrict x = from;                                                                                    \
        for (size_t i = 0; i < n; i++)                                                                                 \
            to[i] = (double)get(x[i]);                                                                                 \
    }                                                                                                                  \
    break
void npp_load(enum npp_type t, const void *from, double *restrict to, size_t n)
{
    switch (t) {
    case NT_8u:
        LOAD(uint8_t, );
    case NT_8s:
        LOAD(int8_t, );
    case NT_16u:
        LOAD(uint16_t, );
    case NT_16s:
        LOAD(int16_t, );
    case NT_32u:
        LOAD(uint32_t, );
    case NT_32s:
        LOAD(int32_t, );
    case NT_64s:
        LOAD(int64_t, );
    case NT_16f:
        LOAD(uint16_t, half_to_float);
    case NT_32f:
        LOAD(float, );
    case NT_64f:
        LOAD(double, );
    default:
        break;
    }
}

#define SAVE(T, low, high)                                                                                             \
    {                                                                                                                  \
        T *restrict x = to;                                                                                            \
        for (size_t i = 0; i < n; i++)                                                                                 \
            x[i] = (T)npp_near(npp_clamp(from[i], low, high));                                                         \
    }                                                                                                                  \
    break
#define SAVE_FLOAT(T, put)                                                                                             \
    {                                                                                                                  \
        T *restrict x = to;                                                                                            \
        for (size_t i = 0; i < n; i++)                                                                                 \
            x[i] = put(from[i]);                                                                                       \
    }                                                                                                                  \
    break
// 64 bits: the greatest double below 2^63, and no rounding by a sum, which has too few places.
static void save_long(const double *restrict from, int64_t *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double v = npp_clamp(from[i], -0x1p63, 0x1p63);
        to[i] = v >= 0x1p63 ? INT64_MAX : (int64_t)rint(v);
    }
}
static inline uint16_t half_of_double(double v)
{
    return half_of_float((float)v);
}
void npp_save(enum npp_type t, const double *restrict from, void *to, size_t n)
{
    switch (t) {
    case NT_8u:
        SAVE(uint8_t, 0, 255);
    case NT_8s:
        SAVE(int8_t, -128, 127);
    case NT_16u:
        SAVE(uint16_t, 0, 65535);
    case NT_16s:
        SAVE(int16_t, -32768, 32767);
    case NT_32u:
        SAVE(uint32_t, 0, 4294967295.0);
    case NT_32s:
        SAVE(int32_t, -2147483648.0, 2147483647.0);
    case NT_64s:
        save_long(from, to, n);
        break;
    case NT_16f:
        SAVE_FLOAT(uint16_t, half_of_double);
    case NT_32f:
        SAVE_FLOAT(float, (float));
    case NT_64f:
        SAVE_FLOAT(double, );
    default:
        break;
    }
}

void npp_round(double *v, size_t n, NppRoundMode mode)
{
    if (mode == NPP_RND_NEAR)
        for (size_t i = 0; i < n; i++)
            v[i] = rint(v[i]);
    else
        for (size_t i = 0; i < n; i++) {
            double whole = trunc(v[i]), more = fabs(v[i] - whole) >= 0.5 && mode == NPP_RND_FINANCIAL;
            v[i] = whole + copysign(more, v[i]);
        }
}
