// SPDX-License-Identifier: Apache-2.0
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
#define HEDDLE_COMPLEX_FUNCTIONS(__T, __R, f, make)                                                                    \
    HEDDLE_COMPLEX __T make(__R __re, __R __im)                                                                        \
    {                                                                                                                  \
        __T z;                                                                                                         \
        z.x = __re;                                                                                                    \
        z.y = __im;                                                                                                    \
        return z;                                                                                                      \
    }                                                                                                                  \
    HEDDLE_COMPLEX __R cuCreal##f(__T z)                                                                               \
    {                                                                                                                  \
        return z.x;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_COMPLEX __R cuCimag##f(__T z)                                                                               \
    {                                                                                                                  \
        return z.y;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_COMPLEX __T cuConj##f(__T z)                                                                                \
    {                                                                                                                  \
        return make(z.x, -z.y);                                                                                        \
    }                                                                                                                  \
    HEDDLE_COMPLEX __T cuCadd##f(__T __a, __T __b)                                                                     \
    {                                                                                                                  \
        return make(__a.x + __b.x, __a.y + __b.y);                                                                     \
    }                                                                                                                  \
    HEDDLE_COMPLEX __T cuCsub##f(__T __a, __T __b)                                                                     \
    {                                                                                                                  \
        return make(__a.x - __b.x, __a.y - __b.y);                                                                     \
    }                                                                                                                  \
    HEDDLE_COMPLEX __T cuCmul##f(__T __a, __T __b)                                                                     \
    {                                                                                                                  \
        return make(__a.x * __b.x - __a.y * __b.y, __a.x * __b.y + __a.y * __b.x);                                     \
    }                                                                                                                  \
    HEDDLE_COMPLEX __T cuCdiv##f(__T __a, __T __b) /* scaled by the sum of the divisor's parts */                      \
    {                                                                                                                  \
        __R __s = (__b.x < 0 ? -__b.x : __b.x) + (__b.y < 0 ? -__b.y : __b.y), scale = 1 / __s;                        \
        __R __ax = __a.x * scale, __ay = __a.y * scale, __bx = __b.x * scale, __by = __b.y * scale;                    \
        __R __inverse = 1 / (__bx * __bx + __by * __by);                                                               \
        return make((__ax * __bx + __ay * __by) * __inverse, (__ay * __bx - __ax * __by) * __inverse);                 \
    }                                                                                                                  \
    HEDDLE_COMPLEX __R cuCabs##f(__T z) /* the larger part is taken out of the root */                                 \
    {                                                                                                                  \
        __R __a = z.x < 0 ? -z.x : z.x, __b = z.y < 0 ? -z.y : z.y;                                                    \
        __R large = __a > __b ? __a : __b, small = __a > __b ? __b : __a, __t = small / large;                         \
        if (large == 0 || !(large - large == 0) || !(small - small == 0))                                              \
            return __a + __b;                                                                                          \
        return large * sqrt##f(1 + __t * __t);                                                                         \
    }                                                                                                                  \
    HEDDLE_COMPLEX __T cuCfma##f(__T __a, __T __b, __T __c)                                                            \
    {                                                                                                                  \
        return cuCadd##f(cuCmul##f(__a, __b), __c);                                                                    \
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
