// SPDX-License-Identifier: Apache-2.0
// min and max of floats: -0 is less than +0; one NaN gives the other operand, or with .NaN a NaN.
#include "lib.h"

#ifdef __aarch64__
// fminnm and fmaxnm are exactly this, but for signaling NaNs: with one of those they give a NaN. So NaNs are made quiet before; behind
// them it would be too late, since LLVM takes a minimum of a number and anything for a number.
#define QUIET(x)            (x == x ? x : GPU_NAN)
#define LESS(f, b, x, y)    __builtin_fmin##f(QUIET(x), QUIET(y))
#define GREATER(f, b, x, y) __builtin_fmax##f(QUIET(x), QUIET(y))
#else
// x86-64's instructions give the second operand when both are zeros or one is a NaN. So the second is the one that a tie is
// for, known by the sign of x; and a NaN that comes out was the second one.
#define CHOOSE(type, name, b, tie, op)                                                                                 \
    INLINE(type) name(type x, type y)                                                                                  \
    {                                                                                                                  \
        bool negative = (int##b##_t)bits##b(x) < 0;                                                                    \
        type second = negative == tie ? x : y, first = negative == tie ? y : x;                                        \
        type r = first op second ? first : second;                                                                     \
        return r == r ? r : first;                                                                                     \
    }
// clang-format off
CHOOSE(float, lessf, 32, true, <)
CHOOSE(float, greaterf, 32, false, >)
CHOOSE(double, less, 64, true, <)
CHOOSE(double, greater, 64, false, >)
// clang-format on
#define LESS(f, b, x, y)    less##f(x, y)
#define GREATER(f, b, x, y) greater##f(x, y)
#endif

#define MINMAX(type, format, f, b)                                                                                     \
    FN(type) heddle_min_##format(type x, type y)                                                                       \
    {                                                                                                                  \
        return LESS(f, b, x, y);                                                                                       \
    }                                                                                                                  \
    FN(type) heddle_max_##format(type x, type y)                                                                       \
    {                                                                                                                  \
        return GREATER(f, b, x, y);                                                                                    \
    }
MINMAX(float, f32, f, 32)
MINMAX(double, f64, , 64)

FN(float) heddle_min_nan_f32(float x, float y)
{
    return x != x || y != y ? GPU_NAN : LESS(f, 32, x, y);
}

FN(float) heddle_max_nan_f32(float x, float y)
{
    return x != x || y != y ? GPU_NAN : GREATER(f, 32, x, y);
}
