// Complex numbers in C: cuComplex (float) and cuDoubleComplex, with arithmetic that avoids needless overflow.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_
#if !defined(__CUDACC_RTC__)
#include <math.h>
#endif
#include "vector_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

#define HEDDLE_COMPLEX static __inline__ __host__ __device__
#define HEDDLE_COMPLEX_FUNCTIONS(T, R, f, make)                                                                        \
    HEDDLE_COMPLEX T make(R re, R im)                                                                                  \
    {                                                                                                                  \
        T z;                                                                                                           \
        z.x = re;                                                                                                      \
        z.y = im;                                                                                                      \
        return z;                                                                                                      \
    }                                                                                                                  \
    HEDDLE_COMPLEX R cuCreal##f(T z)                                                                                   \
    {                                                                                                                  \
        return z.x;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_COMPLEX R cuCimag##f(T z)                                                                                   \
    {                                                                                                                  \
        return z.y;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_COMPLEX T cuConj##f(T z)                                                                                    \
    {                                                                                                                  \
        return make(z.x, -z.y);                                                                                        \
    }                                                                                                                  \
    HEDDLE_COMPLEX T cuCadd##f(T a, T b)                                                                               \
    {                                                                                                                  \
        return make(a.x + b.x, a.y + b.y);                                                                             \
    }                                                                                                                  \
    HEDDLE_COMPLEX T cuCsub##f(T a, T b)                                                                               \
    {                                                                                                                  \
        return make(a.x - b.x, a.y - b.y);                                                                             \
    }                                                                                                                  \
    HEDDLE_COMPLEX T cuCmul##f(T a, T b)                                                                               \
    {                                                                                                                  \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                     \
    }                                                                                                                  \
    HEDDLE_COMPLEX T cuCdiv##f(T a, T b) /* scaled by the sum of the divisor's parts */                                \
    {                                                                                                                  \
        R s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), scale = 1 / s;                                          \
        R ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                                      \
        R inverse = 1 / (bx * bx + by * by);                                                                           \
        return make((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);                                     \
    }                                                                                                                  \
    HEDDLE_COMPLEX R cuCabs##f(T z) /* the larger part is taken out of the root */                                     \
    {                                                                                                                  \
        R a = z.x < 0 ? -z.x : z.x, b = z.y < 0 ? -z.y : z.y;                                                          \
        R large = a > b ? a : b, small = a > b ? b : a, t = small / large;                                             \
        if (large == 0 || !(large - large == 0) || !(small - small == 0))                                              \
            return a + b;                                                                                              \
        return large * sqrt##f(1 + t * t);                                                                             \
    }                                                                                                                  \
    HEDDLE_COMPLEX T cuCfma##f(T a, T b, T c)                                                                          \
    {                                                                                                                  \
        return cuCadd##f(cuCmul##f(a, b), c);                                                                          \
    }
HEDDLE_COMPLEX_FUNCTIONS(cuFloatComplex, float, f, make_cuFloatComplex)
HEDDLE_COMPLEX_FUNCTIONS(cuDoubleComplex, double, , make_cuDoubleComplex)
#undef HEDDLE_COMPLEX_FUNCTIONS

HEDDLE_COMPLEX cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
HEDDLE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex((double)z.x, (double)z.y);
}
HEDDLE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
#undef HEDDLE_COMPLEX
#if defined(__cplusplus)
}
#endif
#endif
