// ::min and ::max for the pairs of types that CUDA gives, on host and device.
#ifndef HEDDLE_MINMAX_H
#define HEDDLE_MINMAX_H
#include "../host_defines.h"

#define HEDDLE_MINMAX_WHERE(where, R, A, B)                                                                            \
    static where __forceinline__ R min(A a, B b)                                                                       \
    {                                                                                                                  \
        return (R)a < (R)b ? (R)a : (R)b;                                                                              \
    }                                                                                                                  \
    static where __forceinline__ R max(A a, B b)                                                                       \
    {                                                                                                                  \
        return (R)a > (R)b ? (R)a : (R)b;                                                                              \
    }
#define HEDDLE_MINMAX(R, A, B) HEDDLE_MINMAX_WHERE(__host__ __device__, R, A, B)
#define HEDDLE_MINMAX_SIGNS(S, U)                                                                                      \
    HEDDLE_MINMAX(U, U, U)                                                                                             \
    HEDDLE_MINMAX(U, S, U)                                                                                             \
    HEDDLE_MINMAX(U, U, S)
#define HEDDLE_MINMAX_FLOAT(R, A, B, f)                                                                                \
    static __host__ __device__ __forceinline__ R min(A a, B b)                                                         \
    {                                                                                                                  \
        return ::fmin##f(a, b);                                                                                        \
    }                                                                                                                  \
    static __host__ __device__ __forceinline__ R max(A a, B b)                                                         \
    {                                                                                                                  \
        return ::fmax##f(a, b);                                                                                        \
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
#define HEDDLE_HOST_MINMAX(T, prefix)                                                                                  \
    static __host__ __forceinline__ T prefix##min(T a, T b)                                                            \
    {                                                                                                                  \
        return a < b ? a : b;                                                                                          \
    }                                                                                                                  \
    static __host__ __forceinline__ T prefix##max(T a, T b)                                                            \
    {                                                                                                                  \
        return a > b ? a : b;                                                                                          \
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
