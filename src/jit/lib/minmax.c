// min and max of floats: -0 is less than +0; one NaN gives the other operand, or with .NaN a NaN.
#include "lib.h"

#ifdef __aarch64__
// fminnm and fmaxnm are exactly this.
#define LESS(f, b, x, y)    __builtin_fmin##f(x, y)
#define GREATER(f, b, x, y) __builtin_fmax##f(x, y)
#else
#define LESS(f, b, x, y)    (y != y || x < y || (x == y && (int##b##_t)bits##b(x) < 0) ? x : y)
#define GREATER(f, b, x, y) (y != y || x > y || (x == y && (int##b##_t)bits##b(x) >= 0) ? x : y)
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
    return x != x || y != y ? __builtin_nanf("") : LESS(f, 32, x, y);
}

FN(float) heddle_max_nan_f32(float x, float y)
{
    return x != x || y != y ? __builtin_nanf("") : GREATER(f, 32, x, y);
}
