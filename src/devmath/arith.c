// SPDX-License-Identifier: Apache-2.0
// Arithmetic with a rounding mode of its own: one instruction each on the device, the floating-point environment on the
// host.
#include "devmath/devmath.h"

#if DEVICE
#define ROUNDED32_2(name, op, m)                                                                                       \
    HOT float __nv_##name(float a, float b)                                                                            \
    {                                                                                                                  \
        return FTZ ? __nvvm_##op##_##m##_ftz_f(a, b) : __nvvm_##op##_##m##_f(a, b);                                    \
    }
#define ROUNDED32_1(name, op, m)                                                                                       \
    HOT float __nv_##name(float a)                                                                                     \
    {                                                                                                                  \
        return FTZ ? __nvvm_##op##_##m##_ftz_f(a) : __nvvm_##op##_##m##_f(a);                                          \
    }
#define ROUNDED32_3(name, op, m)                                                                                       \
    HOT float __nv_##name(float a, float b, float c)                                                                   \
    {                                                                                                                  \
        return FTZ ? __nvvm_##op##_##m##_ftz_f(a, b, c) : __nvvm_##op##_##m##_f(a, b, c);                              \
    }
#define ROUNDED64_2(name, op, m)                                                                                       \
    HOT double __nv_##name(double a, double b)                                                                         \
    {                                                                                                                  \
        return __nvvm_##op##_##m##_d(a, b);                                                                            \
    }
#define ROUNDED64_1(name, op, m)                                                                                       \
    HOT double __nv_##name(double a)                                                                                   \
    {                                                                                                                  \
        return __nvvm_##op##_##m##_d(a);                                                                               \
    }
#define ROUNDED64_3(name, op, m)                                                                                       \
    HOT double __nv_##name(double a, double b, double c)                                                               \
    {                                                                                                                  \
        return __nvvm_##op##_##m##_d(a, b, c);                                                                         \
    }
#else
#include <fenv.h>
#include <math.h>
#define MODE_rn         FE_TONEAREST
#define MODE_rz         FE_TOWARDZERO
#define MODE_rp         FE_UPWARD
#define MODE_rm         FE_DOWNWARD
#define OP_add(a, b)    ((a) + (b))
#define OP_mul(a, b)    ((a) * (b))
#define OP_div(a, b)    ((a) / (b))
#define OP_rcp(a)       (1 / (a))
#define OP_sqrt(a)      (sizeof(a) == 4 ? (double)sqrtf((float)(a)) : sqrt((double)(a)))
#define OP_fma(a, b, c) (sizeof(a) == 4 ? (double)fmaf((float)(a), (float)(b), (float)(c)) : fma(a, b, c))
// volatile keeps the operation between the two changes of mode
#define ROUNDED(type, mode, expression)                                                                                \
    int old = fegetround();                                                                                            \
    fesetround(mode);                                                                                                  \
    volatile type r = (type)(expression);                                                                              \
    fesetround(old);                                                                                                   \
    return r
#define ROUNDED32_1(name, op, m)                                                                                       \
    float __nv_##name(float x)                                                                                         \
    {                                                                                                                  \
        volatile float a = x;                                                                                          \
        ROUNDED(float, MODE_##m, OP_##op(a));                                                                          \
    }
#define ROUNDED32_2(name, op, m)                                                                                       \
    float __nv_##name(float x, float y)                                                                                \
    {                                                                                                                  \
        volatile float a = x, b = y;                                                                                   \
        ROUNDED(float, MODE_##m, OP_##op(a, b));                                                                       \
    }
#define ROUNDED32_3(name, op, m)                                                                                       \
    float __nv_##name(float x, float y, float z)                                                                       \
    {                                                                                                                  \
        volatile float a = x, b = y, c = z;                                                                            \
        ROUNDED(float, MODE_##m, OP_##op(a, b, c));                                                                    \
    }
#define ROUNDED64_1(name, op, m)                                                                                       \
    double __nv_##name(double x)                                                                                       \
    {                                                                                                                  \
        volatile double a = x;                                                                                         \
        ROUNDED(double, MODE_##m, OP_##op(a));                                                                         \
    }
#define ROUNDED64_2(name, op, m)                                                                                       \
    double __nv_##name(double x, double y)                                                                             \
    {                                                                                                                  \
        volatile double a = x, b = y;                                                                                  \
        ROUNDED(double, MODE_##m, OP_##op(a, b));                                                                      \
    }
#define ROUNDED64_3(name, op, m)                                                                                       \
    double __nv_##name(double x, double y, double z)                                                                   \
    {                                                                                                                  \
        volatile double a = x, b = y, c = z;                                                                           \
        ROUNDED(double, MODE_##m, OP_##op(a, b, c));                                                                   \
    }
#endif

// PTX calls the modes rn, rz, rp, rm; CUDA calls the last two ru and rd.
#define ALL_MODES(shape, name, op)                                                                                     \
    shape(name##_rn, op, rn) shape(name##_rz, op, rz) shape(name##_ru, op, rp) shape(name##_rd, op, rm)

ALL_MODES(ROUNDED32_2, fadd, add)
ALL_MODES(ROUNDED32_2, fmul, mul)
ALL_MODES(ROUNDED32_2, fdiv, div)
ALL_MODES(ROUNDED32_1, frcp, rcp)
ALL_MODES(ROUNDED32_1, fsqrt, sqrt)
ALL_MODES(ROUNDED32_3, fmaf, fma)
ALL_MODES(ROUNDED64_2, dadd, add)
ALL_MODES(ROUNDED64_2, dmul, mul)
ALL_MODES(ROUNDED64_2, ddiv, div)
ALL_MODES(ROUNDED64_1, drcp, rcp)
ALL_MODES(ROUNDED64_1, dsqrt, sqrt)
ALL_MODES(ROUNDED64_3, fma, fma)

// The IEEE forms keep subnormal numbers whatever the flags say.
#if DEVICE
#define IEEE32_3(name, op, m)                                                                                          \
    HOT float __nv_##name(float a, float b, float c)                                                                   \
    {                                                                                                                  \
        return __nvvm_##op##_##m##_f(a, b, c);                                                                         \
    }
#else
#define IEEE32_3 ROUNDED32_3
#endif
ALL_MODES(IEEE32_3, fmaf_ieee, fma)

#define DIFFERENCE(m)                                                                                                  \
    HOT float __nv_fsub_##m(float a, float b)                                                                          \
    {                                                                                                                  \
        return __nv_fadd_##m(a, -b);                                                                                   \
    }                                                                                                                  \
    HOT double __nv_dsub_##m(double a, double b)                                                                       \
    {                                                                                                                  \
        return __nv_dadd_##m(a, -b);                                                                                   \
    }
DIFFERENCE(rn)
DIFFERENCE(rz)
DIFFERENCE(ru)
DIFFERENCE(rd)

HOT float __nv_fmaf(float a, float b, float c)
{
    return fma32(a, b, c);
}

HOT double __nv_fma(double a, double b, double c)
{
    return fma64(a, b, c);
}

// Double precision is so much finer that its rounding never decides.
float __nv_frsqrt_rn(float x)
{
    return (float)div64(1.0, sqrt64(x));
}

// A first approximation for 1/x: only the upper word of the result carries digits.
double __nv_rcp64h(double x)
{
#if DEVICE
    return __nvvm_rcp_approx_ftz_d(x);
#else
    double a = abs64(x) < 0x1p-1022 ? sign64(0.0, x) : x;
    return as_f64(as_u64(1.0 / a) & 0xffffffff00000000ull);
#endif
}
