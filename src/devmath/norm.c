// SPDX-License-Identifier: Apache-2.0
// Lengths of vectors and their inverses: scaled by a power of two so that no square overflows or vanishes, with the sum
// of squares in two words where the inverse needs it.
#include "devmath/kernel.h"

// The power of two that brings the largest magnitude m near 1, kept where it and its inverse are normal.
INLINE float unit32(float m)
{
    uint32_t e = as_u32(m) >> 23;
    e = e < 3 ? 3 : (e > 251 ? 251 : e);
    return as_f32((254u - e) << 23);
}
INLINE double unit64(double m)
{
    uint32_t e = (uint32_t)(as_u64(m) >> 52);
    e = e < 3 ? 3 : (e > 2043 ? 2043 : e);
    return as_f64((uint64_t)(2046u - e) << 52);
}
INLINE float max32(float a, float b)
{
    return PICK(a > b, a, b);
}
INLINE double max64(double a, double b)
{
    return PICK(a > b, a, b);
}

// 1 over a power of two.
INLINE float inverse_unit32(float u)
{
    return as_f32(0x7f000000u - as_u32(u));
}
INLINE double inverse_unit64(double u)
{
    return as_f64(0x7fe0000000000000ull - as_u64(u));
}

// s + v^2 in two words.
INLINE struct dd square_add64(struct dd s, double v)
{
    struct dd q = product64(v, v);
    double t = add64(s.hi, q.hi), u = sub64(t, s.hi);
    double e = add64(sub64(s.hi, sub64(t, u)), sub64(q.hi, u));
    return (struct dd){t, add64(add64(s.lo, q.lo), e)};
}

// sqrt(s), or its inverse, with one correction from the residual.
INLINE double root_of64(struct dd s)
{
    double h = add64(s.hi, s.lo);
    double r = sqrt64(h);
    double rest = add64(fma64(-r, r, s.hi), s.lo);
    bool plain = (h > 0.0) & (h < INF64);
    return add64(r, div64(PICK(plain, rest, 0.0), PICK(plain, add64(r, r), 1.0)));
}
INLINE double inverse_root_of64(struct dd s)
{
    double h = add64(s.hi, s.lo);
    double r = div64(1.0, sqrt64(h));
    struct dd q = product64(r, r);
    double e = fma64(-s.hi, q.hi, 1.0);
    e = fma64(-s.lo, q.hi, fma64(-s.hi, q.lo, e)); // 1 - s r^2
    return PICK((h > 0.0) & (h < INF64), fma64(mul64(0.5, r), e, r), r);
}

// The sum of the squares, scaled; inf wins over NaN, as C99 says of hypot. In single precision one word is within the
// bounds.
struct length32 {
    float s, unit, back;
    bool inf;
};
struct length64 {
    struct dd s;
    double unit, back;
    bool inf;
};

INLINE struct length32 length32(float a, float b, float c, float d)
{
    a = abs32(a), b = abs32(b), c = abs32(c), d = abs32(d);
    float u = unit32(max32(max32(a, b), max32(c, d)));
    bool inf = (a == INF32) | (b == INF32) | (c == INF32) | (d == INF32);
    a = mul32(a, u), b = mul32(b, u), c = mul32(c, u), d = mul32(d, u);
    return (struct length32){fma32(a, a, fma32(b, b, fma32(c, c, mul32(d, d)))), u, inverse_unit32(u), inf};
}
INLINE struct length64 length64(double a, double b, double c, double d)
{
    a = abs64(a), b = abs64(b), c = abs64(c), d = abs64(d);
    double u = unit64(max64(max64(a, b), max64(c, d)));
    bool inf = (a == INF64) | (b == INF64) | (c == INF64) | (d == INF64);
    struct dd s = product64(mul64(a, u), mul64(a, u));
    s = square_add64(s, mul64(b, u));
    s = square_add64(s, mul64(c, u));
    s = square_add64(s, mul64(d, u));
    return (struct length64){s, u, inverse_unit64(u), inf};
}

INLINE float norm_of32(struct length32 l)
{
    return PICK(l.inf, INF32, mul32(sqrt32(l.s), l.back));
}
INLINE double norm_of64(struct length64 l)
{
    return PICK(l.inf, INF64, mul64(root_of64(l.s), l.back));
}
INLINE float inverse_norm_of32(struct length32 l)
{
    return PICK(l.inf, 0.0f, mul32(div32(1.0f, sqrt32(l.s)), l.unit));
}
INLINE double inverse_norm_of64(struct length64 l)
{
    return PICK(l.inf, 0.0, mul64(inverse_root_of64(l.s), l.unit));
}

float __nv_hypotf(float a, float b)
{
    return norm_of32(length32(a, b, 0.0f, 0.0f));
}

float __nv_rhypotf(float a, float b)
{
    return inverse_norm_of32(length32(a, b, 0.0f, 0.0f));
}

float __nv_norm3df(float a, float b, float c)
{
    return norm_of32(length32(a, b, c, 0.0f));
}

float __nv_rnorm3df(float a, float b, float c)
{
    return inverse_norm_of32(length32(a, b, c, 0.0f));
}

float __nv_norm4df(float a, float b, float c, float d)
{
    return norm_of32(length32(a, b, c, d));
}

float __nv_rnorm4df(float a, float b, float c, float d)
{
    return inverse_norm_of32(length32(a, b, c, d));
}

double __nv_hypot(double a, double b)
{
    return norm_of64(length64(a, b, 0.0, 0.0));
}

double __nv_rhypot(double a, double b)
{
    return inverse_norm_of64(length64(a, b, 0.0, 0.0));
}

double __nv_norm3d(double a, double b, double c)
{
    return norm_of64(length64(a, b, c, 0.0));
}

double __nv_rnorm3d(double a, double b, double c)
{
    return inverse_norm_of64(length64(a, b, c, 0.0));
}

double __nv_norm4d(double a, double b, double c, double d)
{
    return norm_of64(length64(a, b, c, d));
}

double __nv_rnorm4d(double a, double b, double c, double d)
{
    return inverse_norm_of64(length64(a, b, c, d));
}

// ---- any number of coordinates: the largest first, then the scaled squares ----
INLINE struct length32 length_n32(int n, const float *v)
{
    float m = 0.0f, s = 0.0f;
    for (int i = 0; i < n; i++)
        m = max32(m, abs32(v[i]));
    float u = unit32(m);
    for (int i = 0; i < n; i++)
        s = fma32(mul32(v[i], u), mul32(v[i], u), s);
    return (struct length32){s, u, inverse_unit32(u), m == INF32};
}
INLINE struct length64 length_n64(int n, const double *v)
{
    double m = 0.0;
    for (int i = 0; i < n; i++)
        m = max64(m, abs64(v[i]));
    double u = unit64(m);
    struct dd s = {0.0, 0.0};
    for (int i = 0; i < n; i++)
        s = square_add64(s, mul64(v[i], u));
    return (struct length64){s, u, inverse_unit64(u), m == INF64};
}

float __nv_normf(int n, const float *v)
{
    return norm_of32(length_n32(n, v));
}

float __nv_rnormf(int n, const float *v)
{
    return inverse_norm_of32(length_n32(n, v));
}

double __nv_norm(int n, const double *v)
{
    return norm_of64(length_n64(n, v));
}

double __nv_rnorm(int n, const double *v)
{
    return inverse_norm_of64(length_n64(n, v));
}
