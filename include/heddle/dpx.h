// Three-way and fused minima and maxima for dynamic programming, in plain code. The forms with _relu clamp at zero; the
// 16x2 forms work on both halves of a word.
#ifndef HEDDLE_DPX_H
#define HEDDLE_DPX_H
#include "../host_defines.h"

#define HEDDLE_FN static __device__ __forceinline__

#define HEDDLE_DPX3(T, s, op)                                                                                          \
    HEDDLE_FN T __vi##op##3_##s(T a, T b, T c)                                                                         \
    {                                                                                                                  \
        return op(op(a, b), c);                                                                                        \
    }                                                                                                                  \
    HEDDLE_FN T __viadd##op##_##s(T a, T b, T c)                                                                       \
    {                                                                                                                  \
        return op((T)((unsigned int)a + (unsigned int)b), c);                                                          \
    }
HEDDLE_DPX3(int, s32, max)
HEDDLE_DPX3(int, s32, min)
HEDDLE_DPX3(unsigned int, u32, max)
HEDDLE_DPX3(unsigned int, u32, min)
#undef HEDDLE_DPX3
HEDDLE_FN int __vimax_s32_relu(int a, int b)
{
    return max(max(a, b), 0);
}
HEDDLE_FN int __vimin_s32_relu(int a, int b)
{
    return max(min(a, b), 0);
}
HEDDLE_FN int __vimax3_s32_relu(int a, int b, int c)
{
    return max(max(max(a, b), c), 0);
}
HEDDLE_FN int __vimin3_s32_relu(int a, int b, int c)
{
    return max(min(min(a, b), c), 0);
}
HEDDLE_FN int __viaddmax_s32_relu(int a, int b, int c)
{
    return max(__viaddmax_s32(a, b, c), 0);
}
HEDDLE_FN int __viaddmin_s32_relu(int a, int b, int c)
{
    return max(__viaddmin_s32(a, b, c), 0);
}
HEDDLE_FN int __vibmax_s32(int a, int b, bool *pred)
{
    *pred = a >= b;
    return max(a, b);
}
HEDDLE_FN int __vibmin_s32(int a, int b, bool *pred)
{
    *pred = a <= b;
    return min(a, b);
}
HEDDLE_FN unsigned int __vibmax_u32(unsigned int a, unsigned int b, bool *pred)
{
    *pred = a >= b;
    return max(a, b);
}
HEDDLE_FN unsigned int __vibmin_u32(unsigned int a, unsigned int b, bool *pred)
{
    *pred = a <= b;
    return min(a, b);
}

// Both halves of a word, signed or unsigned.
#define HEDDLE_HALF(T, word, shift) ((T)((word) >> (shift)))
#define HEDDLE_HALVES(low, high)    ((unsigned int)(unsigned short)(low) | (unsigned int)(unsigned short)(high) << 16)
#define HEDDLE_DPX16(T, s, op)                                                                                         \
    HEDDLE_FN unsigned int __vi##op##3_##s##16x2(unsigned int a, unsigned int b, unsigned int c)                       \
    {                                                                                                                  \
        int low = op(op((int)HEDDLE_HALF(T, a, 0), (int)HEDDLE_HALF(T, b, 0)), (int)HEDDLE_HALF(T, c, 0));             \
        int high = op(op((int)HEDDLE_HALF(T, a, 16), (int)HEDDLE_HALF(T, b, 16)), (int)HEDDLE_HALF(T, c, 16));         \
        return HEDDLE_HALVES(low, high);                                                                               \
    }                                                                                                                  \
    HEDDLE_FN unsigned int __viadd##op##_##s##16x2(unsigned int a, unsigned int b, unsigned int c)                     \
    {                                                                                                                  \
        int low = op((int)(T)(HEDDLE_HALF(T, a, 0) + HEDDLE_HALF(T, b, 0)), (int)HEDDLE_HALF(T, c, 0));                \
        int high = op((int)(T)(HEDDLE_HALF(T, a, 16) + HEDDLE_HALF(T, b, 16)), (int)HEDDLE_HALF(T, c, 16));            \
        return HEDDLE_HALVES(low, high);                                                                               \
    }                                                                                                                  \
    HEDDLE_FN unsigned int __vib##op##_##s##16x2(unsigned int a, unsigned int b, bool *pred_high, bool *pred_low)      \
    {                                                                                                                  \
        int la = HEDDLE_HALF(T, a, 0), lb = HEDDLE_HALF(T, b, 0), ha = HEDDLE_HALF(T, a, 16);                          \
        int hb = HEDDLE_HALF(T, b, 16), low = op(la, lb), high = op(ha, hb);                                           \
        *pred_low = low == la;                                                                                         \
        *pred_high = high == ha;                                                                                       \
        return HEDDLE_HALVES(low, high);                                                                               \
    }
HEDDLE_DPX16(short, s, max)
HEDDLE_DPX16(short, s, min)
HEDDLE_DPX16(unsigned short, u, max)
HEDDLE_DPX16(unsigned short, u, min)
#undef HEDDLE_DPX16
#undef HEDDLE_HALVES
#undef HEDDLE_HALF
HEDDLE_FN unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b)
{
    return __vimax3_s16x2(a, b, 0);
}
HEDDLE_FN unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b)
{
    return __vmaxs2(__vmins2(a, b), 0);
}
HEDDLE_FN unsigned int __vimax3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c)
{
    return __vmaxs2(__vimax3_s16x2(a, b, c), 0);
}
HEDDLE_FN unsigned int __vimin3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c)
{
    return __vmaxs2(__vimin3_s16x2(a, b, c), 0);
}
HEDDLE_FN unsigned int __viaddmax_s16x2_relu(unsigned int a, unsigned int b, unsigned int c)
{
    return __vmaxs2(__viaddmax_s16x2(a, b, c), 0);
}
HEDDLE_FN unsigned int __viaddmin_s16x2_relu(unsigned int a, unsigned int b, unsigned int c)
{
    return __vmaxs2(__viaddmin_s16x2(a, b, c), 0);
}
#undef HEDDLE_FN
#endif
