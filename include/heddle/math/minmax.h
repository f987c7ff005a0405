// SPDX-License-Identifier: Apache-2.0
// ::min and ::max for the pairs of types that CUDA gives, on host and device.
#ifndef HEDDLE_MINMAX_H
#define HEDDLE_MINMAX_H
#include "../../host_defines.h"

#define HEDDLE_MINMAX_WHERE(where, __R, __A, __B)                                                                      \
    static where __forceinline__ __R min(__A __a, __B __b)                                                             \
    {                                                                                                                  \
        return (__R)__a < (__R)__b ? (__R)__a : (__R)__b;                                                              \
    }                                                                                                                  \
    static where __forceinline__ __R max(__A __a, __B __b)                                                             \
    {                                                                                                                  \
        return (__R)__a > (__R)__b ? (__R)__a : (__R)__b;                                                              \
    }
#define HEDDLE_MINMAX(__R, __A, __B) HEDDLE_MINMAX_WHERE(__host__ __device__, __R, __A, __B)
#define HEDDLE_MINMAX_SIGNS(__S, __U)                                                                                  \
    HEDDLE_MINMAX(__U, __U, __U)                                                                                       \
    HEDDLE_MINMAX(__U, __S, __U)                                                                                       \
    HEDDLE_MINMAX(__U, __U, __S)
#define HEDDLE_MINMAX_FLOAT(__R, __A, __B, f)                                                                          \
    static __host__ __device__ __forceinline__ __R min(__A __a, __B __b)                                               \
    {                                                                                                                  \
        return ::fmin##f(__a, __b);                                                                                    \
    }                                                                                                                  \
    static __host__ __device__ __forceinline__ __R max(__A __a, __B __b)                                               \
    {                                                                                                                  \
        return ::fmax##f(__a, __b);                                                                                    \
    }

#if !defined(__CUDACC_RTC__) // no host side; a precompiled header of clang 19 takes these for clang's of the device
HEDDLE_MINMAX_WHERE(__host__, int, int, int) // clang's headers have the device's
#endif
HEDDLE_MINMAX(long, long, long)
HEDDLE_MINMAX(long long, long long, long long)
HEDDLE_MINMAX_SIGNS(int, unsigned int)
HEDDLE_MINMAX_SIGNS(long, unsigned long)
HEDDLE_MINMAX_SIGNS(long long, unsigned long long)
HEDDLE_MINMAX_FLOAT(float, float, float, f)
HEDDLE_MINMAX_FLOAT(double, double, double, )
HEDDLE_MINMAX_FLOAT(double, float, double, )
HEDDLE_MINMAX_FLOAT(double, double, float, )

#if !defined(__CUDACC_RTC__)
#define HEDDLE_HOST_MINMAX(__T, prefix)                                                                                \
    static __host__ __forceinline__ __T prefix##min(__T __a, __T __b)                                                  \
    {                                                                                                                  \
        return __a < __b ? __a : __b;                                                                                  \
    }                                                                                                                  \
    static __host__ __forceinline__ __T prefix##max(__T __a, __T __b)                                                  \
    {                                                                                                                  \
        return __a > __b ? __a : __b;                                                                                  \
    }
HEDDLE_HOST_MINMAX(unsigned int, u)
HEDDLE_HOST_MINMAX(long long, ll)
HEDDLE_HOST_MINMAX(unsigned long long, ull)
#undef HEDDLE_HOST_MINMAX
#endif
#undef HEDDLE_MINMAX_FLOAT
#undef HEDDLE_MINMAX_SIGNS
#undef HEDDLE_MINMAX
#undef HEDDLE_MINMAX_WHERE
#endif
