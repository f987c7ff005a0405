// SPDX-License-Identifier: Apache-2.0
// Conversions between numbers, each with its rounding mode. To integers they saturate; NaN gives zero, or
// only the top bit where either side has 64 bits: as the PTX instruction does.
#include "devmath/devmath.h"

#if DEVICE
#define FROM_FLOAT(type, name, ptx, m, mode)                                                                           \
    HOT type __nv_float2##name##_##m(float x)                                                                          \
    {                                                                                                                  \
        return FTZ ? (type)__nvvm_f2##ptx##_##mode##_ftz(x) : (type)__nvvm_f2##ptx##_##mode(x);                        \
    }
#define FROM_DOUBLE(type, name, ptx, m, mode)                                                                          \
    HOT type __nv_double2##name##_##m(double x)                                                                        \
    {                                                                                                                  \
        return (type)__nvvm_d2##ptx##_##mode(x);                                                                       \
    }
#if __clang_major__ >= 22
#define TO_FLOAT(type, name, ptx, m, mode)                                                                             \
    HOT float __nv_##name##2float_##m(type x)                                                                          \
    {                                                                                                                  \
        return __nvvm_##ptx##2f_##mode(x);                                                                             \
    }
#define TO_DOUBLE(type, name, ptx, m, mode)                                                                            \
    HOT double __nv_##name##2double_##m(type x)                                                                        \
    {                                                                                                                  \
        return __nvvm_##ptx##2d_##mode(x);                                                                             \
    }
#else // LLVM 19 takes the functions that cut off for ones that round; instructions it leaves alone
#define REGISTER_i   "r"
#define REGISTER_ui  "r"
#define REGISTER_ll  "l"
#define REGISTER_ull "l"
#define INTEGER_i    "s32"
#define INTEGER_ui   "u32"
#define INTEGER_ll   "s64"
#define INTEGER_ull  "u64"
#define CONVERT(type, to, letter, name, ptx, m, mode)                                                                  \
    HOT to __nv_##name##2##to##_##m(type x)                                                                            \
    {                                                                                                                  \
        to r;                                                                                                          \
        __asm__("cvt." #mode "." letter "." INTEGER_##ptx " %0, %1;"                                                   \
                : "=" CONVERT_REGISTER_##to(r)                                                                         \
                : REGISTER_##ptx(x));                                                                                  \
        return r;                                                                                                      \
    }
#define CONVERT_REGISTER_float              "f"
#define CONVERT_REGISTER_double             "d"
#define TO_FLOAT(type, name, ptx, m, mode)  CONVERT(type, float, "f32", name, ptx, m, mode)
#define TO_DOUBLE(type, name, ptx, m, mode) CONVERT(type, double, "f64", name, ptx, m, mode)
#endif
#define NARROW(m, mode)                                                                                                \
    HOT float __nv_double2float_##m(double x)                                                                          \
    {                                                                                                                  \
        return FTZ ? __nvvm_d2f_##mode##_ftz(x) : __nvvm_d2f_##mode(x);                                                \
    }
#else
#include <fenv.h>
#include <math.h>
#define HOST_rn FE_TONEAREST
#define HOST_rz FE_TOWARDZERO
#define HOST_rp FE_UPWARD
#define HOST_rm FE_DOWNWARD
INLINE double whole_rn(double x)
{
    return rint(x);
}
INLINE double whole_rz(double x)
{
    return trunc(x);
}
INLINE double whole_rp(double x)
{
    return ceil(x);
}
INLINE double whole_rm(double x)
{
    return floor(x);
}
// wide: the source is a double
INLINE int32_t clamp_i(double x, bool wide)
{
    return x != x ? (wide ? INT32_MIN : 0) : x >= 0x1p31 ? INT32_MAX : x < -0x1p31 ? INT32_MIN : (int32_t)x;
}
INLINE uint32_t clamp_ui(double x, bool wide)
{
    return x != x ? (wide ? 0x80000000u : 0) : !(x > 0.0) ? 0 : x >= 0x1p32 ? UINT32_MAX : (uint32_t)x;
}
INLINE int64_t clamp_ll(double x, bool wide)
{
    (void)wide;
    return x != x || x < -0x1p63 ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : (int64_t)x;
}
INLINE uint64_t clamp_ull(double x, bool wide)
{
    (void)wide;
    return x != x ? 0x8000000000000000ull : !(x > 0.0) ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
}
#define FROM_FLOAT(type, name, ptx, m, mode)                                                                           \
    type __nv_float2##name##_##m(float x)                                                                              \
    {                                                                                                                  \
        return (type)clamp_##ptx(whole_##mode(x), false);                                                              \
    }
#define FROM_DOUBLE(type, name, ptx, m, mode)                                                                          \
    type __nv_double2##name##_##m(double x)                                                                            \
    {                                                                                                                  \
        return (type)clamp_##ptx(whole_##mode(x), true);                                                               \
    }
#define HOST_CONVERT(from, to, function, mode)                                                                         \
    to function(from x)                                                                                                \
    {                                                                                                                  \
        volatile from v = x;                                                                                           \
        int old = fegetround();                                                                                        \
        fesetround(HOST_##mode);                                                                                       \
        volatile to r = (to)v;                                                                                         \
        fesetround(old);                                                                                               \
        return r;                                                                                                      \
    }
#define TO_FLOAT(type, name, ptx, m, mode)  HOST_CONVERT(type, float, __nv_##name##2float_##m, mode)
#define TO_DOUBLE(type, name, ptx, m, mode) HOST_CONVERT(type, double, __nv_##name##2double_##m, mode)
#define NARROW(m, mode)                     HOST_CONVERT(double, float, __nv_double2float_##m, mode)
#endif

#define ALL_MODES(shape, type, name, ptx)                                                                              \
    shape(type, name, ptx, rn, rn) shape(type, name, ptx, rz, rz) shape(type, name, ptx, ru, rp)                       \
        shape(type, name, ptx, rd, rm)

ALL_MODES(FROM_FLOAT, int, int, i)
ALL_MODES(FROM_FLOAT, unsigned, uint, ui)
ALL_MODES(FROM_FLOAT, long long, ll, ll)
ALL_MODES(FROM_FLOAT, unsigned long long, ull, ull)
ALL_MODES(FROM_DOUBLE, int, int, i)
ALL_MODES(FROM_DOUBLE, unsigned, uint, ui)
ALL_MODES(FROM_DOUBLE, long long, ll, ll)
ALL_MODES(FROM_DOUBLE, unsigned long long, ull, ull)
ALL_MODES(TO_FLOAT, int, int, i)
ALL_MODES(TO_FLOAT, unsigned, uint, ui)
ALL_MODES(TO_FLOAT, long long, ll, ll)
ALL_MODES(TO_FLOAT, unsigned long long, ull, ull)
ALL_MODES(TO_DOUBLE, long long, ll, ll)
ALL_MODES(TO_DOUBLE, unsigned long long, ull, ull)
NARROW(rn, rn)
NARROW(rz, rz)
NARROW(ru, rp)
NARROW(rd, rm)

HOT double __nv_int2double_rn(int x)
{
    return x;
}

HOT double __nv_uint2double_rn(unsigned x)
{
    return x;
}

// ---- half precision ----
unsigned short __nv_float2half_rn(float x)
{
#ifndef __NVPTX__ // whose conversion has one NaN
    if (x != x)
        return 0x7fff;
#endif
    union {
        _Float16 h;
        unsigned short u;
    } v = {.h = (_Float16)x};
    return v.u;
}

float __nv_half2float(unsigned short x)
{
    union {
        unsigned short u;
        _Float16 h;
    } v = {.u = x};
    return (float)v.h;
}

// ---- bit patterns ----
HOT int __nv_float_as_int(float x)
{
    return (int)as_u32(x);
}

HOT unsigned __nv_float_as_uint(float x)
{
    return as_u32(x);
}

HOT float __nv_int_as_float(int x)
{
    return as_f32((uint32_t)x);
}

HOT float __nv_uint_as_float(unsigned x)
{
    return as_f32(x);
}

HOT unsigned long long __nv_double_as_longlong(double x)
{
    return as_u64(x);
}

HOT double __nv_longlong_as_double(long long x)
{
    return as_f64((uint64_t)x);
}

HOT int __nv_double2hiint(double x)
{
    return (int)(uint32_t)(as_u64(x) >> 32);
}

HOT int __nv_double2loint(double x)
{
    return (int)(uint32_t)as_u64(x);
}

HOT double __nv_hiloint2double(int hi, int lo)
{
    return as_f64((uint64_t)(uint32_t)hi << 32 | (uint32_t)lo);
}
