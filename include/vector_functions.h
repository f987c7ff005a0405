// SPDX-License-Identifier: Apache-2.0
// make_char1 ... make_double4: short vectors from their elements, on host and device.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#include "host_defines.h"
#include "vector_types.h"

#define HEDDLE_MAKE static __inline__ __host__ __device__
#define HEDDLE_MAKE1(name, __T)                                                                                        \
    HEDDLE_MAKE name make_##name(__T x)                                                                                \
    {                                                                                                                  \
        name __v;                                                                                                      \
        __v.x = x;                                                                                                     \
        return __v;                                                                                                    \
    }
#define HEDDLE_MAKE2(name, __T)                                                                                        \
    HEDDLE_MAKE name make_##name(__T x, __T y)                                                                         \
    {                                                                                                                  \
        name __v;                                                                                                      \
        __v.x = x;                                                                                                     \
        __v.y = y;                                                                                                     \
        return __v;                                                                                                    \
    }
#define HEDDLE_MAKE3(name, __T)                                                                                        \
    HEDDLE_MAKE name make_##name(__T x, __T y, __T z)                                                                  \
    {                                                                                                                  \
        name __v;                                                                                                      \
        __v.x = x;                                                                                                     \
        __v.y = y;                                                                                                     \
        __v.z = z;                                                                                                     \
        return __v;                                                                                                    \
    }
#define HEDDLE_MAKE4(name, __T)                                                                                        \
    HEDDLE_MAKE name make_##name(__T x, __T y, __T z, __T w)                                                           \
    {                                                                                                                  \
        name __v;                                                                                                      \
        __v.x = x;                                                                                                     \
        __v.y = y;                                                                                                     \
        __v.z = z;                                                                                                     \
        __v.w = w;                                                                                                     \
        return __v;                                                                                                    \
    }
#define HEDDLE_MAKES(name, __T)                                                                                        \
    HEDDLE_MAKE1(name##1, __T)                                                                                         \
    HEDDLE_MAKE2(name##2, __T)                                                                                         \
    HEDDLE_MAKE3(name##3, __T)                                                                                         \
    HEDDLE_MAKE4(name##4, __T)
#define HEDDLE_MAKES64(name, __T)                                                                                      \
    HEDDLE_MAKES(name, __T)                                                                                            \
    HEDDLE_MAKE4(name##4_16a, __T)                                                                                     \
    HEDDLE_MAKE4(name##4_32a, __T)

HEDDLE_MAKES(char, signed char)
HEDDLE_MAKES(uchar, unsigned char)
HEDDLE_MAKES(short, short)
HEDDLE_MAKES(ushort, unsigned short)
HEDDLE_MAKES(int, int)
HEDDLE_MAKES(uint, unsigned int)
HEDDLE_MAKES(float, float)
HEDDLE_MAKES64(long, long)
HEDDLE_MAKES64(ulong, unsigned long)
HEDDLE_MAKES64(longlong, long long)
HEDDLE_MAKES64(ulonglong, unsigned long long)
HEDDLE_MAKES64(double, double)

#undef HEDDLE_MAKES64
#undef HEDDLE_MAKES
#undef HEDDLE_MAKE4
#undef HEDDLE_MAKE3
#undef HEDDLE_MAKE2
#undef HEDDLE_MAKE1
#undef HEDDLE_MAKE
#endif
