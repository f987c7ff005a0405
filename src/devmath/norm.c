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
    return a > b ? a : b;
}
INLINE double max64(double a, double b)
{
    return a > b ? a : b;
}

// s + v^2 in two words.
INLINE struct ff square_add32(struct ff s, float v)
{
    struct ff q = product32(v, v);
    float t = add32(s.hi, q.hi), u = sub32(t, s.hi);
    float e = add32(sub32(s.hi, sub32(t, u)), sub32(q.hi, u));
    return (struct ff){t, add32(add32(s.lo, q.lo), e)};
}
INLINE struct dd square_add64(struct dd s, double v)
{
    struct dd q = product64(v, v);
    double t = add64(s.hi, q.hi), u = sub64(t, s.hi);
    double e = add64(sub64(s.hi, sub64(t, u)), sub64(q.hi, u));
    return (struct dd){t, add64(add64(s.lo, q.lo), e)};
}

// sqrt(s), or its inverse, with one correction from the residual.
INLINE float root_of32(struct ff s)
{
    float h = add32(s.hi, s.lo);
    float r = sqrt32(h);
    float rest = add32(add32(fma32(-r, r, s.hi), s.lo), 0.0f);
    return h > 0.0f && h < INF32 ? add32(r, div32(rest, add32(r, r))) : r;
}
INLINE double root_of64(struct dd s)
{
    double h = add64(s.hi, s.lo);
    double r = sqrt64(h);
    double rest = add64(fma64(-r, r, s.hi), s.lo);
    return h > 0.0 && h < INF64 ? add64(r, div64(rest, add64(r, r))) : r;
}
INLINE float inverse_root_of32(struct ff s)
{
    float h = add32(s.hi, s.lo);
    float r = div32(1.0f, sqrt32(h));
    struct ff q = product32(r, r);
    float e = fma32(-s.hi, q.hi, 1.0f);
    e = fma32(-s.lo, q.hi, fma32(-s.hi, q.lo, e)); // 1 - s r^2
    return h > 0.0f && h < INF32 ? fma32(mul32(0.5f, r), e, r) : r;
}
INLINE double inverse_root_of64(struct dd s)
{
    double h = add64(s.hi, s.lo);
    double r = div64(1.0, sqrt64(h));
    struct dd q = product64(r, r);
    double e = fma64(-s.hi, q.hi, 1.0);
    e = fma64(-s.lo, q.hi, fma64(-s.hi, q.lo, e));
    return h > 0.0 && h < INF64 ? fma64(mul64(0.5, r), e, r) : r;
}

// The squares of up to four coordinates, scaled; inf wins over NaN, as C99 says of hypot.
struct length32 {
    struct ff s;
    float unit;
    bool inf;
};
struct length64 {
    struct dd s;
    double unit;
    bool inf;
};

INLINE struct length32 length32(float a, float b, float c, float d)
{
    a = abs32(a), b = abs32(b), c = abs32(c), d = abs32(d);
    float u = unit32(max32(max32(a, b), max32(c, d)));
    struct ff s = product32(mul32(a, u), mul32(a, u));
    s = square_add32(s, mul32(b, u));
    s = square_add32(s, mul32(c, u));
    s = square_add32(s, mul32(d, u));
    return (struct length32){s, u, a == INF32 || b == INF32 || c == INF32 || d == INF32};
}
INLINE struct length64 length64(double a, double b, double c, double d)
{
    a = abs64(a), b = abs64(b), c = abs64(c), d = abs64(d);
    double u = unit64(max64(max64(a, b), max64(c, d)));
    struct dd s = product64(mul64(a, u), mul64(a, u));
    s = square_add64(s, mul64(b, u));
    s = square_add64(s, mul64(c, u));
    s = square_add64(s, mul64(d, u));
    return (struct length64){s, u, a == INF64 || b == INF64 || c == INF64 || d == INF64};
}

INLINE float norm_of32(struct length32 l)
{
    float r = div32(root_of32(l.s), l.unit);
    return l.inf ? INF32 : r;
}
INLINE double norm_of64(struct length64 l)
{
    double r = div64(root_of64(l.s), l.unit);
    return l.inf ? INF64 : r;
}
INLINE float inverse_norm_of32(struct length32 l)
{
    float r = mul32(inverse_root_of32(l.s), l.unit);
    return l.inf ? 0.0f : r;
}
INLINE double inverse_norm_of64(struct length64 l)
{
    double r = mul64(inverse_root_of64(l.s), l.unit);
    return l.inf ? 0.0 : r;
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
    struct length32 l = {{0.0f, 0.0f}, 1.0f, false};
    float m = 0.0f;
    for (int i = 0; i < n; i++)
        m = max32(m, abs32(v[i]));
    l.unit = unit32(m);
    l.inf = m == INF32;
    for (int i = 0; i < n; i++)
        l.s = square_add32(l.s, mul32(v[i], l.unit));
    return l;
}
INLINE struct length64 length_n64(int n, const double *v)
{
    struct length64 l = {{0.0, 0.0}, 1.0, false};
    double m = 0.0;
    for (int i = 0; i < n; i++)
        m = max64(m, abs64(v[i]));
    l.unit = unit64(m);
    l.inf = m == INF64;
    for (int i = 0; i < n; i++)
        l.s = square_add64(l.s, mul64(v[i], l.unit));
    return l;
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
