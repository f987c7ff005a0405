// SPDX-License-Identifier: Apache-2.0
// The ground of the device math library: exact arithmetic, bit patterns and polynomials, for nvptx64 and for the host
// alike.
//
// Every function gives the same bits on every machine, so all arithmetic goes through the operations below: each is one
// IEEE operation, rounded to nearest, that no compiler may fuse with its neighbour. On nvptx64 that needs the .rn
// builtins, since the back end contracts plain a * b + c whatever the front end says; the host build is compiled with
// -ffp-contract=off.
#ifndef HEDDLE_DEVMATH_H
#define HEDDLE_DEVMATH_H
#include <stdbool.h>

#ifdef __NVPTX__
#define DEVICE 1
// <stdint.h> would bring in the host's C library.
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
// Functions that must never remain calls: they are the body of somebody's inner loop.
#define HOT           __attribute__((always_inline))
#define REFLECT(name) __nvvm_reflect(name)
#else
#include <stdint.h>
#define DEVICE 0
#define HOT
#define REFLECT(name) 0
#endif
#define INLINE static inline __attribute__((always_inline, unused))
#define FTZ    REFLECT("__CUDA_FTZ")

#define NV(result, name, args) result __nv_##name args;
#define NV_OUT                 NV
#include "devmath/devmath.def"
#undef NV
#undef NV_OUT

#define INF32 __builtin_inff()
#define INF64 __builtin_inf()
#define NAN32 as_f32(0x7fffffffu)
#define NAN64 as_f64(0x7fffffffffffffffull)

// ---- bit patterns ----
INLINE uint32_t as_u32(float x)
{
    union {
        float f;
        uint32_t u;
    } v = {.f = x};
    return v.u;
}

INLINE float as_f32(uint32_t x)
{
    union {
        uint32_t u;
        float f;
    } v = {.u = x};
    return v.f;
}

INLINE uint64_t as_u64(double x)
{
    union {
        double f;
        uint64_t u;
    } v = {.f = x};
    return v.u;
}

INLINE double as_f64(uint64_t x)
{
    union {
        uint64_t u;
        double f;
    } v = {.u = x};
    return v.f;
}

INLINE float abs32(float x)
{
    return as_f32(as_u32(x) & 0x7fffffffu);
}

INLINE double abs64(double x)
{
    return as_f64(as_u64(x) & 0x7fffffffffffffffull);
}

// The magnitude of a with the sign of b.
INLINE float sign32(float a, float b)
{
    return as_f32((as_u32(a) & 0x7fffffffu) | (as_u32(b) & 0x80000000u));
}

INLINE double sign64(double a, double b)
{
    return as_f64((as_u64(a) & 0x7fffffffffffffffull) | (as_u64(b) & 0x8000000000000000ull));
}

// c ? a : b with both sides computed. Written with masks, since a compiler that sees a choice likes to move the work of
// one side behind a branch, which costs more than it saves where lanes run together; it does turn these masks into a
// select instruction.
INLINE float pick32(bool c, float a, float b)
{
    uint32_t m = 0u - (uint32_t)c;
    return as_f32((as_u32(a) & m) | (as_u32(b) & ~m));
}

INLINE double pick64(bool c, double a, double b)
{
    uint64_t m = 0ull - (uint64_t)c;
    return as_f64((as_u64(a) & m) | (as_u64(b) & ~m));
}
#define PICK(c, a, b) _Generic((a), float: pick32, double: pick64)(c, a, b)

// 2^e for e in the normal range; other exponents give garbage that the caller selects away.
INLINE float pow2_32(int32_t e)
{
    return as_f32(((uint32_t)e + 127u) << 23);
}

INLINE double pow2_64(int32_t e)
{
    return as_f64((uint64_t)((uint32_t)e + 1023u) << 52);
}

// ---- single operations ----
#if DEVICE
INLINE float add32(float a, float b)
{
    return FTZ ? __nvvm_add_rn_ftz_f(a, b) : __nvvm_add_rn_f(a, b);
}
INLINE float mul32(float a, float b)
{
    return FTZ ? __nvvm_mul_rn_ftz_f(a, b) : __nvvm_mul_rn_f(a, b);
}
INLINE float div32(float a, float b)
{
    return FTZ ? __nvvm_div_rn_ftz_f(a, b) : __nvvm_div_rn_f(a, b);
}
INLINE float sqrt32(float a)
{
    return FTZ ? __nvvm_sqrt_rn_ftz_f(a) : __nvvm_sqrt_rn_f(a);
}
INLINE double add64(double a, double b)
{
    return __nvvm_add_rn_d(a, b);
}
INLINE double mul64(double a, double b)
{
    return __nvvm_mul_rn_d(a, b);
}
INLINE double div64(double a, double b)
{
    return __nvvm_div_rn_d(a, b);
}
INLINE double sqrt64(double a)
{
    return __nvvm_sqrt_rn_d(a);
}
INLINE uint64_t mulhi_u64(uint64_t a, uint64_t b)
{
    return __nvvm_mulhi_ull(a, b);
}
#else
INLINE float add32(float a, float b)
{
    return a + b;
}
INLINE float mul32(float a, float b)
{
    return a * b;
}
INLINE float div32(float a, float b)
{
    return a / b;
}
INLINE float sqrt32(float a)
{
    return __builtin_sqrtf(a);
}
INLINE double add64(double a, double b)
{
    return a + b;
}
INLINE double mul64(double a, double b)
{
    return a * b;
}
INLINE double div64(double a, double b)
{
    return a / b;
}
INLINE double sqrt64(double a)
{
    return __builtin_sqrt(a);
}
INLINE uint64_t mulhi_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}
#endif

INLINE float sub32(float a, float b)
{
    return add32(a, -b);
}
INLINE float fma32(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
INLINE float rint32(float a)
{
    return __builtin_rintf(a);
}
INLINE float trunc32(float a)
{
    return __builtin_truncf(a);
}
INLINE double sub64(double a, double b)
{
    return add64(a, -b);
}
INLINE double fma64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
INLINE double rint64(double a)
{
    return __builtin_rint(a);
}
INLINE double trunc64(double a)
{
    return __builtin_trunc(a);
}

// ---- numbers as unevaluated sums hi + lo ----
struct ff {
    float hi, lo;
};
struct dd {
    double hi, lo;
};

// a + b exactly, where |a| >= |b| or a = 0.
INLINE struct ff fast_sum32(float a, float b)
{
    float s = add32(a, b);
    return (struct ff){s, add32(sub32(a, s), b)};
}
INLINE struct dd fast_sum64(double a, double b)
{
    double s = add64(a, b);
    return (struct dd){s, add64(sub64(a, s), b)};
}
INLINE struct ff product32(float a, float b)
{
    float p = mul32(a, b);
    return (struct ff){p, fma32(a, b, -p)};
}
INLINE struct dd product64(double a, double b)
{
    double p = mul64(a, b);
    return (struct dd){p, fma64(a, b, -p)};
}
// x times the constant hi + lo.
INLINE struct ff scale32(float x, float hi, float lo)
{
    float p = mul32(x, hi);
    return (struct ff){p, fma32(x, lo, fma32(x, hi, -p))};
}
INLINE struct dd scale64(double x, double hi, double lo)
{
    double p = mul64(x, hi);
    return (struct dd){p, fma64(x, lo, fma64(x, hi, -p))};
}

// ---- polynomials: POLY32(x, c0, c1, ...) is c0 + x (c1 + x (...)), unrolled by the preprocessor ----
#define POLY32(...) POLY_(32, __VA_ARGS__)
#define POLY64(...) POLY_(64, __VA_ARGS__)
#define POLY_(...)  POLY__(__VA_ARGS__)
#define POLY__(p, x, ...)                                                                                              \
    NTH(__VA_ARGS__, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6,   \
        P5, P4, P3, P2, P1, )(p, x, __VA_ARGS__)
#define NTH(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23,  \
            a24, a25, name, ...)                                                                                       \
    name
#define P1(p, x, c)       c
#define P2(p, x, c, ...)  fma##p(x, P1(p, x, __VA_ARGS__), c)
#define P3(p, x, c, ...)  fma##p(x, P2(p, x, __VA_ARGS__), c)
#define P4(p, x, c, ...)  fma##p(x, P3(p, x, __VA_ARGS__), c)
#define P5(p, x, c, ...)  fma##p(x, P4(p, x, __VA_ARGS__), c)
#define P6(p, x, c, ...)  fma##p(x, P5(p, x, __VA_ARGS__), c)
#define P7(p, x, c, ...)  fma##p(x, P6(p, x, __VA_ARGS__), c)
#define P8(p, x, c, ...)  fma##p(x, P7(p, x, __VA_ARGS__), c)
#define P9(p, x, c, ...)  fma##p(x, P8(p, x, __VA_ARGS__), c)
#define P10(p, x, c, ...) fma##p(x, P9(p, x, __VA_ARGS__), c)
#define P11(p, x, c, ...) fma##p(x, P10(p, x, __VA_ARGS__), c)
#define P12(p, x, c, ...) fma##p(x, P11(p, x, __VA_ARGS__), c)
#define P13(p, x, c, ...) fma##p(x, P12(p, x, __VA_ARGS__), c)
#define P14(p, x, c, ...) fma##p(x, P13(p, x, __VA_ARGS__), c)
#define P15(p, x, c, ...) fma##p(x, P14(p, x, __VA_ARGS__), c)
#define P16(p, x, c, ...) fma##p(x, P15(p, x, __VA_ARGS__), c)
#define P17(p, x, c, ...) fma##p(x, P16(p, x, __VA_ARGS__), c)
#define P18(p, x, c, ...) fma##p(x, P17(p, x, __VA_ARGS__), c)
#define P19(p, x, c, ...) fma##p(x, P18(p, x, __VA_ARGS__), c)
#define P20(p, x, c, ...) fma##p(x, P19(p, x, __VA_ARGS__), c)
#define P21(p, x, c, ...) fma##p(x, P20(p, x, __VA_ARGS__), c)
#define P22(p, x, c, ...) fma##p(x, P21(p, x, __VA_ARGS__), c)
#define P23(p, x, c, ...) fma##p(x, P22(p, x, __VA_ARGS__), c)
#define P24(p, x, c, ...) fma##p(x, P23(p, x, __VA_ARGS__), c)
#define P25(p, x, c, ...) fma##p(x, P24(p, x, __VA_ARGS__), c)
#endif
