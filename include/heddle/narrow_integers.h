// Conversions between integers and __half or __nv_bfloat16, once for each: the including header defines NARROW,
// NARROW_NAME and HEDDLE_DIRECTED(double, direction), which rounds to the type's bits: to the nearest (2), towards zero
// (0), up (1) or down (-1). There is no include guard. To integers, what is out of range is clamped and not-a-number is
// 0.
#define HEDDLE_NI                static __host__ __device__ __forceinline__
#define HEDDLE_NI_JOIN(a, b)     a##b
#define HEDDLE_NI_JOIN3(a, b, c) a##b##c
#define HEDDLE_NI_JOIN2(a, b, c) HEDDLE_NI_JOIN3(a, b, c)
#define HEDDLE_NI_FROM(a, n)     HEDDLE_NI_JOIN(a, n)

// A double that rounds as the integer does: beyond its 53 digits the last one tells whether more follow.
#ifndef HEDDLE_NARROW_INTEGERS
#define HEDDLE_NARROW_INTEGERS
HEDDLE_NI double heddle_sticky(unsigned long long v)
{
    return (double)(v >> 53 ? (v & ~0x7FFull) | (v & 0x7FF ? 0x800 : 0) : v);
}
HEDDLE_NI double heddle_sticky(long long v)
{
    return v < 0 ? -heddle_sticky(0ull - (unsigned long long)v) : heddle_sticky((unsigned long long)v);
}
template <typename T> HEDDLE_NI T heddle_clamp_to(float f, double low, double high, T least, T most)
{
    return f != f              ? (T)(sizeof(T) == 8 ? 1ull << 63 : 0ull)
           : (double)f <= low  ? least
           : (double)f >= high ? most
                               : (T)f;
}
#endif
HEDDLE_NI NARROW HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(double d, int direction)
{
    NARROW h;
    h.__x = HEDDLE_DIRECTED(d, direction);
    return h;
}
#define HEDDLE_NI_ONE(name, T, low, high, least, most, wide)                                                           \
    HEDDLE_NI T HEDDLE_NI_JOIN2(__, NARROW_NAME, 2##name##_rn)(NARROW h)                                               \
    {                                                                                                                  \
        return heddle_clamp_to<T>(__builtin_rintf(heddle_widen(h)), low, high, least, most);                           \
    }                                                                                                                  \
    HEDDLE_NI T HEDDLE_NI_JOIN2(__, NARROW_NAME, 2##name##_rz)(NARROW h)                                               \
    {                                                                                                                  \
        return heddle_clamp_to<T>(heddle_widen(h), low, high, least, most);                                            \
    }                                                                                                                  \
    HEDDLE_NI T HEDDLE_NI_JOIN2(__, NARROW_NAME, 2##name##_rd)(NARROW h)                                               \
    {                                                                                                                  \
        return heddle_clamp_to<T>(__builtin_floorf(heddle_widen(h)), low, high, least, most);                          \
    }                                                                                                                  \
    HEDDLE_NI T HEDDLE_NI_JOIN2(__, NARROW_NAME, 2##name##_ru)(NARROW h)                                               \
    {                                                                                                                  \
        return heddle_clamp_to<T>(__builtin_ceilf(heddle_widen(h)), low, high, least, most);                           \
    }                                                                                                                  \
    HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__##name##2, NARROW_NAME, _rn)(T v)                                               \
    {                                                                                                                  \
        return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(wide(v), 2);                                              \
    }                                                                                                                  \
    HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__##name##2, NARROW_NAME, _rz)(T v)                                               \
    {                                                                                                                  \
        return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(wide(v), 0);                                              \
    }                                                                                                                  \
    HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__##name##2, NARROW_NAME, _rd)(T v)                                               \
    {                                                                                                                  \
        return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(wide(v), -1);                                             \
    }                                                                                                                  \
    HEDDLE_NI NARROW HEDDLE_NI_JOIN2(__##name##2, NARROW_NAME, _ru)(T v)                                               \
    {                                                                                                                  \
        return HEDDLE_NI_FROM(heddle_directed_, NARROW_NAME)(wide(v), 1);                                              \
    }
HEDDLE_NI_ONE(int, int, -2147483648.0, 2147483647.0, -2147483647 - 1, 2147483647, double)
HEDDLE_NI_ONE(uint, unsigned int, 0.0, 4294967295.0, 0u, 4294967295u, double)
HEDDLE_NI_ONE(short, short, -32768.0, 32767.0, -32768, 32767, double)
HEDDLE_NI_ONE(ushort, unsigned short, 0.0, 65535.0, 0, 65535, double)
HEDDLE_NI_ONE(ll, long long, -9223372036854775808.0, 9223372036854775808.0, -9223372036854775807LL - 1,
              9223372036854775807LL, heddle_sticky)
HEDDLE_NI_ONE(ull, unsigned long long, 0.0, 18446744073709551616.0, 0ull, 18446744073709551615ull, heddle_sticky)
#undef HEDDLE_NI_ONE
HEDDLE_NI signed char HEDDLE_NI_JOIN2(__, NARROW_NAME, 2char_rz)(NARROW h)
{
    return heddle_clamp_to<signed char>(heddle_widen(h), -128.0, 127.0, -128, 127);
}
HEDDLE_NI unsigned char HEDDLE_NI_JOIN2(__, NARROW_NAME, 2uchar_rz)(NARROW h)
{
    return heddle_clamp_to<unsigned char>(heddle_widen(h), 0.0, 255.0, 0, 255);
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
