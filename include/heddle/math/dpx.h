// SPDX-License-Identifier: Apache-2.0
// Three-way and fused minima and maxima for dynamic programming, in plain code. The forms with _relu clamp at zero; the
// 16x2 forms work on both halves of a word.
#ifndef HEDDLE_DPX_H
#define HEDDLE_DPX_H
#include "../../host_defines.h"

#define HEDDLE_FN static __host__ __device__ __forceinline__

// The functions max and min are the device's alone; these are the host's as well.
#define HEDDLE_max(a, b) ((a) > (b) ? (a) : (b))
#define HEDDLE_min(a, b) ((a) < (b) ? (a) : (b))

#define HEDDLE_DPX3(__T, __s, op)                                                                                      \
    HEDDLE_FN __T __vi##op##3_##__s(__T __a, __T __b, __T __c)                                                         \
    {                                                                                                                  \
        __T __d = HEDDLE_##op(__a, __b);                                                                               \
        return HEDDLE_##op(__d, __c);                                                                                  \
    }                                                                                                                  \
    HEDDLE_FN __T __viadd##op##_##__s(__T __a, __T __b, __T __c)                                                       \
    {                                                                                                                  \
        __T __d = (__T)((unsigned int)__a + (unsigned int)__b);                                                        \
        return HEDDLE_##op(__d, __c);                                                                                  \
    }
HEDDLE_DPX3(int, s32, max)
HEDDLE_DPX3(int, s32, min)
HEDDLE_DPX3(unsigned int, u32, max)
HEDDLE_DPX3(unsigned int, u32, min)
#undef HEDDLE_DPX3
HEDDLE_FN int __vimax_s32_relu(int __a, int __b)
{
    return __vimax3_s32(__a, __b, 0);
}
HEDDLE_FN int __vimin_s32_relu(int __a, int __b)
{
    int __d = HEDDLE_min(__a, __b);
    return HEDDLE_max(__d, 0);
}
HEDDLE_FN int __vimax3_s32_relu(int __a, int __b, int __c)
{
    int __d = __vimax3_s32(__a, __b, __c);
    return HEDDLE_max(__d, 0);
}
HEDDLE_FN int __vimin3_s32_relu(int __a, int __b, int __c)
{
    int __d = __vimin3_s32(__a, __b, __c);
    return HEDDLE_max(__d, 0);
}
HEDDLE_FN int __viaddmax_s32_relu(int __a, int __b, int __c)
{
    int __d = __viaddmax_s32(__a, __b, __c);
    return HEDDLE_max(__d, 0);
}
HEDDLE_FN int __viaddmin_s32_relu(int __a, int __b, int __c)
{
    int __d = __viaddmin_s32(__a, __b, __c);
    return HEDDLE_max(__d, 0);
}
HEDDLE_FN int __vibmax_s32(int __a, int __b, bool *__pred)
{
    *__pred = __a >= __b;
    return HEDDLE_max(__a, __b);
}
HEDDLE_FN int __vibmin_s32(int __a, int __b, bool *__pred)
{
    *__pred = __a <= __b;
    return HEDDLE_min(__a, __b);
}
HEDDLE_FN unsigned int __vibmax_u32(unsigned int __a, unsigned int __b, bool *__pred)
{
    *__pred = __a >= __b;
    return HEDDLE_max(__a, __b);
}
HEDDLE_FN unsigned int __vibmin_u32(unsigned int __a, unsigned int __b, bool *__pred)
{
    *__pred = __a <= __b;
    return HEDDLE_min(__a, __b);
}

// Both halves of a word, signed or unsigned.
#define HEDDLE_HALF(__T, word, shift) ((__T)((word) >> (shift)))
#define HEDDLE_HALVES(__low, __high)                                                                                   \
    ((unsigned int)(unsigned short)(__low) | (unsigned int)(unsigned short)(__high) << 16)
#define HEDDLE_DPX16(__T, __s, op)                                                                                     \
    HEDDLE_FN unsigned int __vi##op##3_##__s##16x2(unsigned int __a, unsigned int __b, unsigned int __c)               \
    {                                                                                                                  \
        __T __la = HEDDLE_HALF(__T, __a, 0), __lb = HEDDLE_HALF(__T, __b, 0), __lc = HEDDLE_HALF(__T, __c, 0);         \
        __T __ha = HEDDLE_HALF(__T, __a, 16), __hb = HEDDLE_HALF(__T, __b, 16), __hc = HEDDLE_HALF(__T, __c, 16);      \
        __T __low = HEDDLE_##op(__la, __lb), __high = HEDDLE_##op(__ha, __hb);                                         \
        return HEDDLE_HALVES(HEDDLE_##op(__low, __lc), HEDDLE_##op(__high, __hc));                                     \
    }                                                                                                                  \
    HEDDLE_FN unsigned int __viadd##op##_##__s##16x2(unsigned int __a, unsigned int __b, unsigned int __c)             \
    {                                                                                                                  \
        __T __low = (__T)(HEDDLE_HALF(__T, __a, 0) + HEDDLE_HALF(__T, __b, 0)), __lc = HEDDLE_HALF(__T, __c, 0);       \
        __T __high = (__T)(HEDDLE_HALF(__T, __a, 16) + HEDDLE_HALF(__T, __b, 16)), __hc = HEDDLE_HALF(__T, __c, 16);   \
        return HEDDLE_HALVES(HEDDLE_##op(__low, __lc), HEDDLE_##op(__high, __hc));                                     \
    }                                                                                                                  \
    HEDDLE_FN unsigned int __vib##op##_##__s##16x2(unsigned int __a, unsigned int __b, bool *__pred_high,              \
                                                   bool *__pred_low)                                                   \
    {                                                                                                                  \
        int __la = HEDDLE_HALF(__T, __a, 0), __lb = HEDDLE_HALF(__T, __b, 0), __ha = HEDDLE_HALF(__T, __a, 16);        \
        int __hb = HEDDLE_HALF(__T, __b, 16), __low = HEDDLE_##op(__la, __lb), __high = HEDDLE_##op(__ha, __hb);       \
        *__pred_low = __low == __la;                                                                                   \
        *__pred_high = __high == __ha;                                                                                 \
        return HEDDLE_HALVES(__low, __high);                                                                           \
    }
HEDDLE_DPX16(short, s, max)
HEDDLE_DPX16(short, s, min)
HEDDLE_DPX16(unsigned short, u, max)
HEDDLE_DPX16(unsigned short, u, min)
#undef HEDDLE_DPX16
#undef HEDDLE_HALVES
#undef HEDDLE_HALF
HEDDLE_FN unsigned int __vimax_s16x2_relu(unsigned int __a, unsigned int __b)
{
    return __vimax3_s16x2(__a, __b, 0);
}
HEDDLE_FN unsigned int __vimin_s16x2_relu(unsigned int __a, unsigned int __b)
{
    unsigned int __d = __vimin3_s16x2(__a, __b, __b);
    return __vimax3_s16x2(__d, __d, 0);
}
HEDDLE_FN unsigned int __vimax3_s16x2_relu(unsigned int __a, unsigned int __b, unsigned int __c)
{
    unsigned int __d = __vimax3_s16x2(__a, __b, __c);
    return __vimax3_s16x2(__d, __d, 0);
}
HEDDLE_FN unsigned int __vimin3_s16x2_relu(unsigned int __a, unsigned int __b, unsigned int __c)
{
    unsigned int __d = __vimin3_s16x2(__a, __b, __c);
    return __vimax3_s16x2(__d, __d, 0);
}
HEDDLE_FN unsigned int __viaddmax_s16x2_relu(unsigned int __a, unsigned int __b, unsigned int __c)
{
    unsigned int __d = __viaddmax_s16x2(__a, __b, __c);
    return __vimax3_s16x2(__d, __d, 0);
}
HEDDLE_FN unsigned int __viaddmin_s16x2_relu(unsigned int __a, unsigned int __b, unsigned int __c)
{
    unsigned int __d = __viaddmin_s16x2(__a, __b, __c);
    return __vimax3_s16x2(__d, __d, 0);
}
#undef HEDDLE_max
#undef HEDDLE_min
#undef HEDDLE_FN
#endif
