// SPDX-License-Identifier: Apache-2.0
// Functions whose rounding is an argument, over the intrinsics that have it in their names; barriers with predicates
// and changes of byte order under the names that CUDA's headers have for them.
#ifndef HEDDLE_ROUND_MODES_H
#define HEDDLE_ROUND_MODES_H
#include "../../device_types.h"

#define HEDDLE_FN static __device__ __forceinline__
#define HEDDLE_BY_MODE(f, ...)                                                                                         \
    (__mode == cudaRoundZero     ? f##_rz(__VA_ARGS__)                                                                 \
     : __mode == cudaRoundPosInf ? f##_ru(__VA_ARGS__)                                                                 \
     : __mode == cudaRoundMinInf ? f##_rd(__VA_ARGS__)                                                                 \
                                 : f##_rn(__VA_ARGS__))

HEDDLE_FN double dadd(double __a, double __b, enum cudaRoundMode __mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__dadd, __a, __b);
}
HEDDLE_FN double dsub(double __a, double __b, enum cudaRoundMode __mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__dsub, __a, __b);
}
HEDDLE_FN double dmul(double __a, double __b, enum cudaRoundMode __mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__dmul, __a, __b);
}
HEDDLE_FN int double2int(double __a, enum cudaRoundMode __mode = cudaRoundZero)
{
    return HEDDLE_BY_MODE(__double2int, __a);
}
HEDDLE_FN unsigned int double2uint(double __a, enum cudaRoundMode __mode = cudaRoundZero)
{
    return HEDDLE_BY_MODE(__double2uint, __a);
}
HEDDLE_FN long long double2ll(double __a, enum cudaRoundMode __mode = cudaRoundZero)
{
    return HEDDLE_BY_MODE(__double2ll, __a);
}
HEDDLE_FN unsigned long long double2ull(double __a, enum cudaRoundMode __mode = cudaRoundZero)
{
    return HEDDLE_BY_MODE(__double2ull, __a);
}
HEDDLE_FN double ll2double(long long __a, enum cudaRoundMode __mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__ll2double, __a);
}
HEDDLE_FN double ull2double(unsigned long long __a, enum cudaRoundMode __mode = cudaRoundNearest)
{
    return HEDDLE_BY_MODE(__ull2double, __a);
}
HEDDLE_FN double int2double(int __a, enum cudaRoundMode = cudaRoundNearest)
{
    return __a;
}
HEDDLE_FN double uint2double(unsigned int __a, enum cudaRoundMode = cudaRoundNearest)
{
    return __a;
}
HEDDLE_FN double float2double(float __a, enum cudaRoundMode = cudaRoundNearest)
{
    return __a;
}
#undef HEDDLE_BY_MODE

HEDDLE_FN int syncthreads_count(bool __predicate)
{
    return __syncthreads_count(__predicate);
}
HEDDLE_FN bool syncthreads_and(bool __predicate)
{
    return __syncthreads_and(__predicate) != 0;
}
HEDDLE_FN bool syncthreads_or(bool __predicate)
{
    return __syncthreads_or(__predicate) != 0;
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
