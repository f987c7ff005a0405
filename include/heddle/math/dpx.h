// SPDX-License-Identifier: Apache-2.0
// Three-way and fused minima and maxima for dynamic programming, in plain code. The forms with _relu clamp at zero; the
// 16x2 forms work on both halves of a word.
#ifndef HEDDLE_DPX_H
#define HEDDLE_DPX_H
#include "../../host_defines.h"

#define HEDDLE_FN static __device__ __forceinline__

#define HEDDLE_DPX3(__T, __s, op)                                                                                      \
    HEDDLE_FN __T __vi##op##3_##__s(__T __a, __T __b, __T __c)                                                         \
    {                                                                                                                  \
        return op(op(__a, __b), __c);                                                                                  \
    }                                                                                                                  \
    HEDDLE_FN __T __viadd##op##_##__s(__T __a, __T __b, __T __c)                                                       \
    {                                                                                                                  \
        return op((__T)((unsigned int)__a + (unsigned int)__b), __c);                                                  \
    }
HEDDLE_DPX3(int, s32, max)
HEDDLE_DPX3(int, s32, min)
HEDDLE_DPX3(unsigned int, u32, max)
HEDDLE_DPX3(unsigned int, u32, min)
#undef HEDDLE_DPX3
HEDDLE_FN int __vimax_s32_relu(int __a, int __b)
{
    return max(max(__a, __b), 0);
}
HEDDLE_FN int __vimin_s32_relu(int __a, int __b)
{
    return max(min(__a, __b), 0);
}
HEDDLE_FN int __vimax3_s32_relu(int __a, int __b, int __c)
{
    return max(max(max(__a, __b), __c), 0);
}
HEDDLE_FN int __vimin3_s32_relu(int __a, int __b, int __c)
{
    return max(min(min(__a, __b), __c), 0);
}
HEDDLE_FN int __viaddmax_s32_relu(int __a, int __b, int __c)
{
    return max(__viaddmax_s32(__a, __b, __c), 0);
}
HEDDLE_FN int __viaddmin_s32_relu(int __a, int __b, int __c)
{
    return max(__viaddmin_s32(__a, __b, __c), 0);
}
HEDDLE_FN int __vibmax_s32(int __a, int __b, bool *__pred)
{
    *__pred = __a >= __b;
    return max(__a, __b);
}
HEDDLE_FN int __vibmin_s32(int __a, int __b, bool *__pred)
{
    *__pred = __a <= __b;
    return min(__a, __b);
}
HEDDLE_FN unsigned int __vibmax_u32(unsigned int __a, unsigned int __b, bool *__pred)
{
    *__pred = __a >= __b;
    return max(__a, __b);
}
HEDDLE_FN unsigned int __vibmin_u32(unsigned int __a, unsigned int __b, bool *__pred)
{
    *__pred = __a <= __b;
    return min(__a, __b);
}

// Both halves of a word, signed or unsigned.
#define HEDDLE_HALF(__T, word, shift) ((__T)((word) >> (shift)))
#define HEDDLE_HALVES(low, high)      ((unsigned int)(unsigned short)(low) | (unsigned int)(unsigned short)(high) << 16)
#define HEDDLE_DPX16(__T, __s, op)                                                                                     \
    HEDDLE_FN unsigned int __vi##op##3_##__s##16x2(unsigned int __a, unsigned int __b, unsigned int __c)               \
    {                                                                                                                  \
        int low = op(op((int)HEDDLE_HALF(__T, __a, 0), (int)HEDDLE_HALF(__T, __b, 0)), (int)HEDDLE_HALF(__T, __c, 0)); \
        int high =                                                                                                     \
            op(op((int)HEDDLE_HALF(__T, __a, 16), (int)HEDDLE_HALF(__T, __b, 16)), (int)HEDDLE_HALF(__T, __c, 16));    \
        return HEDDLE_HALVES(low, high);                                                                               \
    }                                                                                                                  \
    HEDDLE_FN unsigned int __viadd##op##_##__s##16x2(unsigned int __a, unsigned int __b, unsigned int __c)             \
    {                                                                                                                  \
        int low = op((int)(__T)(HEDDLE_HALF(__T, __a, 0) + HEDDLE_HALF(__T, __b, 0)), (int)HEDDLE_HALF(__T, __c, 0));  \
        int high =                                                                                                     \
            op((int)(__T)(HEDDLE_HALF(__T, __a, 16) + HEDDLE_HALF(__T, __b, 16)), (int)HEDDLE_HALF(__T, __c, 16));     \
        return HEDDLE_HALVES(low, high);                                                                               \
    }                                                                                                                  \
    HEDDLE_FN unsigned int __vib##op##_##__s##16x2(unsigned int __a, unsigned int __b, bool *pred_high,                \
                                                   bool *pred_low)                                                     \
    {                                                                                                                  \
        int __la = HEDDLE_HALF(__T, __a, 0), __lb = HEDDLE_HALF(__T, __b, 0), __ha = HEDDLE_HALF(__T, __a, 16);        \
        int __hb = HEDDLE_HALF(__T, __b, 16), low = op(__la, __lb), high = op(__ha, __hb);                             \
        *pred_low = low == __la;                                                                                       \
        *pred_high = high == __ha;                                                                                     \
        return HEDDLE_HALVES(low, high);                                                                               \
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
    return __vmaxs2(__vmins2(__a, __b), 0);
}
HEDDLE_FN unsigned int __vimax3_s16x2_relu(unsigned int __a, unsigned int __b, unsigned int __c)
{
    return __vmaxs2(__vimax3_s16x2(__a, __b, __c), 0);
}
HEDDLE_FN unsigned int __vimin3_s16x2_relu(unsigned int __a, unsigned int __b, unsigned int __c)
{
    return __vmaxs2(__vimin3_s16x2(__a, __b, __c), 0);
}
HEDDLE_FN unsigned int __viaddmax_s16x2_relu(unsigned int __a, unsigned int __b, unsigned int __c)
{
    return __vmaxs2(__viaddmax_s16x2(__a, __b, __c), 0);
}
HEDDLE_FN unsigned int __viaddmin_s16x2_relu(unsigned int __a, unsigned int __b, unsigned int __c)
{
    return __vmaxs2(__viaddmin_s16x2(__a, __b, __c), 0);
}
#undef HEDDLE_FN
#endif
