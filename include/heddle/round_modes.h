// Functions whose rounding is an argument, over the intrinsics that have it in their names; barriers with predicates
// and changes of byte order under the names that CUDA's headers have for them.
#ifndef HEDDLE_ROUND_MODES_H
#define HEDDLE_ROUND_MODES_H
#include "../device_types.h"

#define HEDDLE_FN static __device__ __forceinline__
#define HEDDLE_BY_MODE(f, ...)                                                                                         \
    (mode == cudaRoundZero     ? f##_rz(__VA_ARGS__)                                                                   \
     : mode == cudaRoundPosInf ? f##_ru(__VA_ARGS__)                                                                   \
     : mode == cudaRoundMinInf ? f##_rd(__VA_ARGS__)                                                                   \
                               : f##_rn(__VA_ARGS__))

HEDDLE_FN double dadd(double a, double b, enum cudaRoundMode mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__dadd, a, b);
}
HEDDLE_FN double dsub(double a, double b, enum cudaRoundMode mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__dsub, a, b);
}
HEDDLE_FN double dmul(double a, double b, enum cudaRoundMode mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__dmul, a, b);
}
HEDDLE_FN int double2int(double a, enum cudaRoundMode mode = cudaRoundZero)
{
    return HEDDLE_BY_MODE(__double2int, a);
}
HEDDLE_FN unsigned int double2uint(double a, enum cudaRoundMode mode = cudaRoundZero)
{
    return HEDDLE_BY_MODE(__double2uint, a);
}
HEDDLE_FN long long double2ll(double a, enum cudaRoundMode mode = cudaRoundZero)
{
    return HEDDLE_BY_MODE(__double2ll, a);
}
HEDDLE_FN unsigned long long double2ull(double a, enum cudaRoundMode mode = cudaRoundZero)
{
    return HEDDLE_BY_MODE(__double2ull, a);
}
HEDDLE_FN double ll2double(long long a, enum cudaRoundMode mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__ll2double, a);
}
HEDDLE_FN double ull2double(unsigned long long a, enum cudaRoundMode mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__ull2double, a);
}
HEDDLE_FN double int2double(int a, enum cudaRoundMode = cudaRoundNearest)
{
    return a;
}
HEDDLE_FN double uint2double(unsigned int a, enum cudaRoundMode = cudaRoundNearest)
{
    return a;
}
HEDDLE_FN double float2double(float a, enum cudaRoundMode = cudaRoundNearest)
{
    return a;
}
#undef HEDDLE_BY_MODE

HEDDLE_FN int syncthreads_count(bool predicate)
{
    return __syncthreads_count(predicate);
}
HEDDLE_FN bool syncthreads_and(bool predicate)
{
    return __syncthreads_and(predicate) != 0;
}
HEDDLE_FN bool syncthreads_or(bool predicate)
{
    return __syncthreads_or(predicate) != 0;
}
#undef HEDDLE_FN

static __host__ __device__ __forceinline__ unsigned short __nv_bswap16(unsigned short x)
{
    return __builtin_bswap16(x);
}
static __host__ __device__ __forceinline__ unsigned int __nv_bswap32(unsigned int x)
{
    return __builtin_bswap32(x);
}
static __host__ __device__ __forceinline__ unsigned long long __nv_bswap64(unsigned long long x)
{
    return __builtin_bswap64(x);
}
#endif
