// SPDX-License-Identifier: Apache-2.0
// min and max of floats: -0 is less than +0; one NaN gives the other operand, or with .NaN a NaN.
#include "lib.h"

#ifdef __aarch64__
// fminnm and fmaxnm are exactly this, but for signalling NaNs: with one of those they give a NaN.
#define OTHER(r, x, y)      (r == r ? r : x == x ? x : y)
#define LESS(f, b, x, y)    OTHER(__builtin_fmin##f(x, y), x, y)
#define GREATER(f, b, x, y) OTHER(__builtin_fmax##f(x, y), x, y)
#else
// x86-64's instructions give the second operand when both are zeros or one is a NaN. So the second is the one that a tie is
// for, known by the sign of x; and a NaN that comes out was the second one.
#define CHOOSE(b, tie, op, x, y)                                                                                       \
    bool negative = (int##b##_t)bits##b(x) < 0;                                                                        \
    __typeof__(x) second = negative == tie ? x : y, first = negative == tie ? y : x;                                   \
    __typeof__(x) r = first op second ? first : second;                                                                \
    return r == r ? r : first;
// clang-format off
INLINE(float) lessf(float x, float y)
{
    CHOOSE(32, true, <, x, y)
}
INLINE(float) greaterf(float x, float y)
{
    CHOOSE(32, false, >, x, y)
}
INLINE(double) less(double x, double y)
{
    CHOOSE(64, true, <, x, y)
}
INLINE(double) greater(double x, double y)
{
    CHOOSE(64, false, >, x, y)
}
// clang-format on
#define LESS(f, b, x, y)    less##f(x, y)
#define GREATER(f, b, x, y) greater##f(x, y)
#endif

FN(float) heddle_min_f32(float x, float y)
{
    return LESS(f, 32, x, y);
}

FN(float) heddle_max_f32(float x, float y)
{
    return GREATER(f, 32, x, y);
}

FN(double) heddle_min_f64(double x, double y)
{
    return LESS(, 64, x, y);
}

FN(double) heddle_max_f64(double x, double y)
{
    return GREATER(, 64, x, y);
}

FN(float) heddle_min_nan_f32(float x, float y)
{
    return x != x || y != y ? GPU_NAN : LESS(f, 32, x, y);
}

FN(float) heddle_max_nan_f32(float x, float y)
{
    return x != x || y != y ? GPU_NAN : GREATER(f, 32, x, y);
}
