// SPDX-License-Identifier: Apache-2.0
// Overloads of the math functions that CUDA has beyond clang's headers: the float forms declared there and left to a
// toolkit, CUDA's own functions for float under the short name, and on the host those that the C library lacks.
#ifndef HEDDLE_MATH_OVERLOADS_H
#define HEDDLE_MATH_OVERLOADS_H
#include "../../host_defines.h"

#define HEDDLE_FN static __device__ __forceinline__
#define HEDDLE_FN1(__R, name, single)                                                                                  \
    HEDDLE_FN __R name(float x)                                                                                        \
    {                                                                                                                  \
        return single(x);                                                                                              \
    }
#define HEDDLE_FN2(__R, name, single, __T)                                                                             \
    HEDDLE_FN __R name(float x, __T y)                                                                                 \
    {                                                                                                                  \
        return single(x, y);                                                                                           \
    }

HEDDLE_FN1(float, acosh, ::acoshf)
HEDDLE_FN1(float, asinh, ::asinhf)
HEDDLE_FN1(float, atanh, ::atanhf)
HEDDLE_FN1(float, cbrt, ::cbrtf)
HEDDLE_FN1(float, erf, ::erff)
HEDDLE_FN1(float, erfc, ::erfcf)
HEDDLE_FN1(float, exp2, ::exp2f)
HEDDLE_FN1(float, expm1, ::expm1f)
HEDDLE_FN1(int, ilogb, ::ilogbf)
HEDDLE_FN1(float, lgamma, ::lgammaf)
HEDDLE_FN1(long long, llrint, ::llrintf)
HEDDLE_FN1(long long, llround, ::llroundf)
HEDDLE_FN1(float, log1p, ::log1pf)
HEDDLE_FN1(float, log2, ::log2f)
HEDDLE_FN1(float, logb, ::logbf)
HEDDLE_FN1(long, lrint, ::lrintf)
HEDDLE_FN1(long, lround, ::lroundf)
HEDDLE_FN1(float, nearbyint, ::nearbyintf)
HEDDLE_FN1(float, rint, ::rintf)
HEDDLE_FN1(float, round, ::roundf)
HEDDLE_FN1(float, tgamma, ::tgammaf)
HEDDLE_FN1(float, trunc, ::truncf)
HEDDLE_FN2(float, copysign, ::copysignf, float)
HEDDLE_FN2(float, fdim, ::fdimf, float)
HEDDLE_FN2(float, fmax, ::fmaxf, float)
HEDDLE_FN2(float, fmin, ::fminf, float)
HEDDLE_FN2(float, hypot, ::hypotf, float)
HEDDLE_FN2(float, nextafter, ::nextafterf, float)
HEDDLE_FN2(float, remainder, ::remainderf, float)
HEDDLE_FN2(float, scalbln, ::scalblnf, long)
HEDDLE_FN2(float, scalbn, ::scalbnf, int)
HEDDLE_FN float fma(float x, float y, float z)
{
    return ::fmaf(x, y, z);
}
HEDDLE_FN float nanf(const char *)
{
    return __builtin_nanf("");
}
HEDDLE_FN double nan(const char *)
{
    return __builtin_nan("");
}

// CUDA's own functions: float under the short name.
HEDDLE_FN1(float, rsqrt, ::rsqrtf)
HEDDLE_FN1(float, rcbrt, ::rcbrtf)
HEDDLE_FN1(float, sinpi, ::sinpif)
HEDDLE_FN1(float, cospi, ::cospif)
HEDDLE_FN1(float, erfinv, ::erfinvf)
HEDDLE_FN1(float, erfcinv, ::erfcinvf)
HEDDLE_FN1(float, erfcx, ::erfcxf)
HEDDLE_FN1(float, normcdf, ::normcdff)
HEDDLE_FN1(float, normcdfinv, ::normcdfinvf)
HEDDLE_FN1(float, exp10, ::exp10f)
HEDDLE_FN1(float, j0, ::j0f)
HEDDLE_FN1(float, j1, ::j1f)
HEDDLE_FN1(float, y0, ::y0f)
HEDDLE_FN1(float, y1, ::y1f)
HEDDLE_FN1(float, cyl_bessel_i0, ::cyl_bessel_i0f)
HEDDLE_FN1(float, cyl_bessel_i1, ::cyl_bessel_i1f)
HEDDLE_FN2(float, fdivide, ::fdividef, float)
HEDDLE_FN2(float, rhypot, ::rhypotf, float)
HEDDLE_FN void sincos(float x, float *__s, float *__c)
{
    ::sincosf(x, __s, __c);
}
HEDDLE_FN void sincospi(float x, float *__s, float *__c)
{
    ::sincospif(x, __s, __c);
}
HEDDLE_FN float jn(int __n, float x)
{
    return ::jnf(__n, x);
}
HEDDLE_FN float yn(int __n, float x)
{
    return ::ynf(__n, x);
}
HEDDLE_FN float norm3d(float x, float y, float z)
{
    return ::norm3df(x, y, z);
}
HEDDLE_FN float norm4d(float x, float y, float z, float w)
{
    return ::norm4df(x, y, z, w);
}
HEDDLE_FN float rnorm3d(float x, float y, float z)
{
    return ::rnorm3df(x, y, z);
}
HEDDLE_FN float rnorm4d(float x, float y, float z, float w)
{
    return ::rnorm4df(x, y, z, w);
}
#undef HEDDLE_FN2
#undef HEDDLE_FN1
#undef HEDDLE_FN
#if !defined(__CUDACC_RTC__)
#include "math_host.h"
#endif
#endif
