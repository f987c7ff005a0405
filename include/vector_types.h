// SPDX-License-Identifier: Apache-2.0
// The short vectors (char1 ... double4) and dim3. Their alignment is part of the binary interface: 2- and 4-element
// vectors are aligned to their size, up to 16 bytes; the names ending in _16a and _32a say theirs.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__
#include "host_defines.h"

#define HEDDLE_VECTOR1(name, __T)                                                                                      \
    struct name {                                                                                                      \
        __T x;                                                                                                         \
    };                                                                                                                 \
    typedef struct name name
#define HEDDLE_VECTOR2(name, __T, alignment)                                                                           \
    struct __attribute__((aligned(alignment))) name {                                                                  \
        __T x, y;                                                                                                      \
    };                                                                                                                 \
    typedef struct name name
#define HEDDLE_VECTOR3(name, __T)                                                                                      \
    struct name {                                                                                                      \
        __T x, y, z;                                                                                                   \
    };                                                                                                                 \
    typedef struct name name
#define HEDDLE_VECTOR4(name, __T, alignment)                                                                           \
    struct __attribute__((aligned(alignment))) name {                                                                  \
        __T x, y, z, w;                                                                                                \
    };                                                                                                                 \
    typedef struct name name
#define HEDDLE_VECTORS(name, __T, align2, align4)                                                                      \
    HEDDLE_VECTOR1(name##1, __T);                                                                                      \
    HEDDLE_VECTOR2(name##2, __T, align2);                                                                              \
    HEDDLE_VECTOR3(name##3, __T);                                                                                      \
    HEDDLE_VECTOR4(name##4, __T, align4)
#define HEDDLE_VECTORS64(name, __T)                                                                                    \
    HEDDLE_VECTORS(name, __T, 16, 16);                                                                                 \
    HEDDLE_VECTOR4(name##4_16a, __T, 16);                                                                              \
    HEDDLE_VECTOR4(name##4_32a, __T, 32)

HEDDLE_VECTORS(char, signed char, 2, 4);
HEDDLE_VECTORS(uchar, unsigned char, 2, 4);
HEDDLE_VECTORS(short, short, 4, 8);
HEDDLE_VECTORS(ushort, unsigned short, 4, 8);
HEDDLE_VECTORS(int, int, 8, 16);
HEDDLE_VECTORS(uint, unsigned int, 8, 16);
HEDDLE_VECTORS(float, float, 8, 16);
HEDDLE_VECTORS64(long, long);
HEDDLE_VECTORS64(ulong, unsigned long);
HEDDLE_VECTORS64(longlong, long long);
HEDDLE_VECTORS64(ulonglong, unsigned long long);
HEDDLE_VECTORS64(double, double);

#undef HEDDLE_VECTORS64
#undef HEDDLE_VECTORS
#undef HEDDLE_VECTOR4
#undef HEDDLE_VECTOR3
#undef HEDDLE_VECTOR2
#undef HEDDLE_VECTOR1

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
#define HEDDLE_DIM3_FUNCTION __host__ __device__ constexpr
#else
#define HEDDLE_DIM3_FUNCTION __host__ __device__
#endif
    HEDDLE_DIM3_FUNCTION dim3(unsigned int __vx = 1, unsigned int __vy = 1, unsigned int __vz = 1)
        : x(__vx), y(__vy), z(__vz)
    {
    }
    HEDDLE_DIM3_FUNCTION dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z) {}
#if __cplusplus >= 201103L
    HEDDLE_DIM3_FUNCTION operator uint3() const
    {
        return uint3{x, y, z};
    }
#else
    operator uint3() const
    {
        uint3 __v;
        __v.x = x;
        __v.y = y;
        __v.z = z;
        return __v;
    }
#endif
#undef HEDDLE_DIM3_FUNCTION
#endif
};
typedef struct dim3 dim3;
#endif
