// SPDX-License-Identifier: Apache-2.0
// CUDA's math functions that the C library lacks, for host code.
#ifndef HEDDLE_MATH_HOST_H
#define HEDDLE_MATH_HOST_H
#include "../../host_defines.h"
#include <math.h>

#define HEDDLE_HOST static __inline__ __host__
// The C library has sinpi and cospi since C23, for double and with f for float.
#if defined(__GLIBC_PREREQ) && defined(__GLIBC_USE)
#if __GLIBC_PREREQ(2, 41) && __GLIBC_USE(IEC_60559_FUNCS_EXT_C23)
#define HEDDLE_LIBRARY_HAS_PI
#endif
#endif

HEDDLE_HOST double rsqrt(double x)
{
    return 1.0 / ::sqrt(x);
}
HEDDLE_HOST double rcbrt(double x)
{
    return 1.0 / ::cbrt(x);
}
HEDDLE_HOST double __heddle_quarter_turns(double x, int *quarter)
{
    double __r = ::fmod(x, 2.0), __q = ::rint(2.0 * __r); // exact: 2x is a multiple of a quarter turn plus a small rest
    *quarter = (int)__q & 3;
    return ::fma(-0.5, __q, __r) * 3.14159265358979323846;
}
#ifndef HEDDLE_LIBRARY_HAS_PI
HEDDLE_HOST double sinpi(double x)
{
    int quarter;
    double __r = __heddle_quarter_turns(x, &quarter), __v = quarter & 1 ? ::cos(__r) : ::sin(__r);
    return quarter & 2 ? -__v : __v;
}
HEDDLE_HOST double cospi(double x)
{
    int quarter;
    double __r = __heddle_quarter_turns(x, &quarter), __v = quarter & 1 ? -::sin(__r) : ::cos(__r);
    return quarter & 2 ? -__v : __v;
}
#endif
HEDDLE_HOST void sincospi(double x, double *__s, double *__c)
{
    *__s = ::sinpi(x);
    *__c = ::cospi(x);
}
HEDDLE_HOST double normcdf(double x)
{
    return 0.5 * ::erfc(-0.70710678118654752440 * x);
}
HEDDLE_HOST double erfcx(double x)
{
    if (x < 26.0)
        return x < -26.7 ? HUGE_VAL : ::exp(x * x) * ::erfc(x);
    double __r = 1.0 / (x * x); // the asymptotic series
    return 0.56418958354775628695 / x * (1.0 - 0.5 * __r * (1.0 - 1.5 * __r * (1.0 - 2.5 * __r)));
}
// The quantile of the normal distribution: a rational first guess, then Halley steps on erfc.
HEDDLE_HOST double normcdfinv(double __p)
{
    if (!(__p > 0.0 && __p < 1.0))
        return __p == 0.0 ? -HUGE_VAL : __p == 1.0 ? HUGE_VAL : NAN;
    double __q = __p < 0.5 ? __p : 1.0 - __p, __t = ::sqrt(-2.0 * ::log(__q));
    double x = -(__t - (2.515517 + __t * (0.802853 + __t * 0.010328)) /
                           (1.0 + __t * (1.432788 + __t * (0.189269 + __t * 0.001308))));
    for (int __i = 0; __i < 3; __i++) {
        double __e = 0.5 * ::erfc(-0.70710678118654752440 * x) - __q;
        double __u = __e * 2.50662827463100050242 * ::exp(0.5 * x * x);
        x -= __u / (1.0 + 0.5 * x * __u);
    }
    return __p < 0.5 ? x : -x;
}
HEDDLE_HOST double erfcinv(double x)
{
    return -0.70710678118654752440 * ::normcdfinv(0.5 * x);
}
HEDDLE_HOST double erfinv(double x)
{
    if (x == 0.0)
        return x;
    double __a = ::fabs(x), y = ::erfcinv(1.0 - __a);
    if (__a < 0.5) // here 1 - a loses digits: a Newton step on erf itself
        y -= (::erf(y) - __a) * 0.88622692545275801365 * ::exp(y * y);
    return x < 0 ? -y : y;
}
HEDDLE_HOST double fdivide(double x, double y)
{
    return x / y;
}
HEDDLE_HOST double rhypot(double x, double y)
{
    return 1.0 / ::hypot(x, y);
}
HEDDLE_HOST double norm3d(double x, double y, double z)
{
    return ::hypot(::hypot(x, y), z);
}
HEDDLE_HOST double norm4d(double x, double y, double z, double w)
{
    return ::hypot(::hypot(x, y), ::hypot(z, w));
}
HEDDLE_HOST double rnorm3d(double x, double y, double z)
{
    return 1.0 / ::norm3d(x, y, z);
}
HEDDLE_HOST double rnorm4d(double x, double y, double z, double w)
{
    return 1.0 / ::norm4d(x, y, z, w);
}
HEDDLE_HOST double norm(int __n, const double *__v)
{
    double __r = 0.0;
    for (int __i = 0; __i < __n; __i++)
        __r = ::hypot(__r, __v[__i]);
    return __r;
}
HEDDLE_HOST double rnorm(int __n, const double *__v)
{
    return 1.0 / ::norm(__n, __v);
}

#define HEDDLE_HOST_OVERLOAD(name)                                                                                     \
    HEDDLE_HOST float name(float x)                                                                                    \
    {                                                                                                                  \
        return (float)::name((double)x);                                                                               \
    }
#define HEDDLE_HOST1(name)                                                                                             \
    HEDDLE_HOST float name##f(float x)                                                                                 \
    {                                                                                                                  \
        return (float)::name((double)x);                                                                               \
    }                                                                                                                  \
    HEDDLE_HOST_OVERLOAD(name)
HEDDLE_HOST1(rsqrt)
HEDDLE_HOST1(rcbrt)
#ifdef HEDDLE_LIBRARY_HAS_PI
HEDDLE_HOST_OVERLOAD(sinpi)
HEDDLE_HOST_OVERLOAD(cospi)
#else
HEDDLE_HOST1(sinpi)
HEDDLE_HOST1(cospi)
#endif
HEDDLE_HOST1(normcdf)
HEDDLE_HOST1(normcdfinv)
HEDDLE_HOST1(erfinv)
HEDDLE_HOST1(erfcinv)
HEDDLE_HOST1(erfcx)
#undef HEDDLE_HOST1
#undef HEDDLE_HOST_OVERLOAD
HEDDLE_HOST void sincospif(float x, float *__s, float *__c)
{
    *__s = ::sinpif(x);
    *__c = ::cospif(x);
}
HEDDLE_HOST void sincospi(float x, float *__s, float *__c)
{
    ::sincospif(x, __s, __c);
}
HEDDLE_HOST void sincos(float x, float *__s, float *__c)
{
    ::sincosf(x, __s, __c);
}
HEDDLE_HOST float exp10(float x)
{
    return ::exp10f(x);
}
HEDDLE_HOST float fdividef(float x, float y)
{
    return x / y;
}
HEDDLE_HOST float fdivide(float x, float y)
{
    return x / y;
}
HEDDLE_HOST float rhypotf(float x, float y)
{
    return (float)(1.0 / ::hypot((double)x, (double)y));
}
HEDDLE_HOST float rhypot(float x, float y)
{
    return ::rhypotf(x, y);
}
HEDDLE_HOST float norm3df(float x, float y, float z)
{
    return (float)::sqrt((double)x * x + (double)y * y + (double)z * z);
}
HEDDLE_HOST float norm4df(float x, float y, float z, float w)
{
    return (float)::sqrt((double)x * x + (double)y * y + (double)z * z + (double)w * w);
}
HEDDLE_HOST float rnorm3df(float x, float y, float z)
{
    return (float)(1.0 / ::sqrt((double)x * x + (double)y * y + (double)z * z));
}
HEDDLE_HOST float rnorm4df(float x, float y, float z, float w)
{
    return (float)(1.0 / ::sqrt((double)x * x + (double)y * y + (double)z * z + (double)w * w));
}
HEDDLE_HOST float normf(int __n, const float *__v)
{
    double sum = 0.0;
    for (int __i = 0; __i < __n; __i++)
        sum += (double)__v[__i] * __v[__i];
    return (float)::sqrt(sum);
}
HEDDLE_HOST float rnormf(int __n, const float *__v)
{
    return 1.0f / ::normf(__n, __v);
}
#undef HEDDLE_HOST
#endif
