// SPDX-License-Identifier: Apache-2.0
// Conversions between integers and __half or __nv_bfloat16, once for each: the including header defines NARROW,
// NARROW_NAME and HEDDLE_DIRECTED(double, direction), which rounds to the type's bits: to the nearest (2), towards zero
// (0), up (1) or down (-1). There is no include guard.
#define HEDDLE_NI                      static __host__ __device__ __forceinline__
#define HEDDLE_NI_JOIN(__a, __b)       __a##__b
#define HEDDLE_NI_JOIN3(__a, __b, __c) __a##__b##__c
#define HEDDLE_NI_JOIN2(__a, __b, __c) HEDDLE_NI_JOIN3(__a, __b, __c)
#define HEDDLE_NI_FROM(__a, __n)       HEDDLE_NI_JOIN(__a, __n)

// A double that rounds as the integer does: beyond its 53 digits the last one tells whether more follow.
#ifndef HEDDLE_NARROW_INTEGERS
#define HEDDLE_NARROW_INTEGERS
HEDDLE_NI double heddle_sticky(unsigned long long __v)
{
    return (double)(__v >> 53 ? (__v & ~0x7FFull) | (__v & 0x7FF ? 0x800 : 0) : __v);
}
HEDDLE_NI double heddle_sticky(long long __v)
{
    return __v < 0 ? -heddle_sticky(0ull - (unsigned long long)__v) : heddle_sticky((unsigned long long)__v);
}
#endif
HEDDLE_NI NARROW HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(double __d, int __direction)
{
    NARROW __h;
    __h.__x = HEDDLE_DIRECTED(__d, __direction);
    return __h;
}
#define HEDDLE_NI_ONE(name, __T, wide)                                                                                 \
    HEDDLE_NI __T HEDDLE_NI_JOIN2(__, NARROW_NAME, 2##name##_rn)(NARROW __h)                                           \
    {                                                                                                                  \
        return heddle_integer<__T>(__builtin_rintf(heddle_widen(__h)));                                                \
    }                                                                                                                  \
    HEDDLE_NI __T HEDDLE_NI_JOIN2(__, NARROW_NAME, 2##name##_rz)(NARROW __h)                                           \
    {                                                                                                                  \
        return heddle_integer<__T>(heddle_widen(__h));                                                                 \
    }                                                                                                                  \
    HEDDLE_NI __T HEDDLE_NI_JOIN2(__, NARROW_NAME, 2##name##_rd)(NARROW __h)                                           \
    {                                                                                                                  \
        return heddle_integer<__T>(__builtin_floorf(heddle_widen(__h)));                                               \
    }                                                                                                                  \
    HEDDLE_NI __T HEDDLE_NI_JOIN2(__, NARROW_NAME, 2##name##_ru)(NARROW __h)                                           \
    {                                                                                                                  \
        return heddle_integer<__T>(__builtin_ceilf(heddle_widen(__h)));                                                \
    }                                                                                                                  \
    HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__##name##2, NARROW_NAME, _rn)(__T __v)                                           \
    {                                                                                                                  \
        return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(wide(__v), 2);                                            \
    }                                                                                                                  \
    HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__##name##2, NARROW_NAME, _rz)(__T __v)                                           \
    {                                                                                                                  \
        return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(wide(__v), 0);                                            \
    }                                                                                                                  \
    HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__##name##2, NARROW_NAME, _rd)(__T __v)                                           \
    {                                                                                                                  \
        return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(wide(__v), -1);                                           \
    }                                                                                                                  \
    HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__##name##2, NARROW_NAME, _ru)(__T __v)                                           \
    {                                                                                                                  \
        return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(wide(__v), 1);                                            \
    }
HEDDLE_NI_ONE(int, int, double)
HEDDLE_NI_ONE(uint, unsigned int, double)
HEDDLE_NI_ONE(short, short, double)
HEDDLE_NI_ONE(ushort, unsigned short, double)
HEDDLE_NI_ONE(ll, long long, heddle_sticky)
HEDDLE_NI_ONE(ull, unsigned long long, heddle_sticky)
#undef HEDDLE_NI_ONE
HEDDLE_NI signed char HEDDLE_NI_JOIN2(__, NARROW_NAME, 2char_rz)(NARROW __h)
{
    return heddle_integer<signed char>(heddle_widen(__h));
}
HEDDLE_NI unsigned char HEDDLE_NI_JOIN2(__, NARROW_NAME, 2uchar_rz)(NARROW __h)
{
    return heddle_integer<unsigned char>(heddle_widen(__h));
}
HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__float2, NARROW_NAME, _rz)(float f)
{
    return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(f, 0);
}
HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__float2, NARROW_NAME, _rd)(float f)
{
    return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(f, -1);
}
HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__float2, NARROW_NAME, _ru)(float f)
{
    return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(f, 1);
}
#undef HEDDLE_NI_FROM
#undef HEDDLE_NI_JOIN2
#undef HEDDLE_NI_JOIN3
#undef HEDDLE_NI_JOIN
#undef HEDDLE_NI
