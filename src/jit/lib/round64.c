// SPDX-License-Identifier: Apache-2.0
// Directed rounding of f64: the result to nearest, moved by one unit in the last place when the sign of what it lacks,
// found with error-free transformations, says that it lies on the wrong side.
#include "lib.h"

#define LARGEST 0x1.fffffffffffffp1023

INLINE(bool) is_finite(double x)
{
    return __builtin_fabs(x) <= LARGEST;
}

INLINE(double) below(double r)
{
    uint64_t u = bits64(r);
    return float64(r == 0 ? 0x8000000000000001 : u + ((int64_t)u < 0 ? 1 : -1ull));
}

// r is the result to nearest, e has the sign of (exact - r). An overflow to infinity is taken back.
INLINE(double) down(double r, double e, bool finite)
{
    bool over = finite && r == __builtin_inf();
    return over ? LARGEST : e < 0 ? below(r) : r;
}

INLINE(double) up(double r, double e, bool finite)
{
    return -down(-r, -e, finite);
}

INLINE(double) zero(double r, double e, bool finite)
{
    return r < 0 ? up(r, e, finite) : r > 0 ? down(r, e, finite) : r;
}

// The sign of a * b - p. Below the range where the error is a number, the smaller factor is scaled up first.
INLINE(double) product_error(double a, double b, double p)
{
    double e = __builtin_fma(a, b, -p);
    bool a_small = __builtin_fabs(a) < __builtin_fabs(b);
    double x = (a_small ? a : b) * 0x1p1000, y = a_small ? b : a;
    double scaled = __builtin_fma(x, y, -(p * 0x1p1000));
    double sign = a == 0 || b == 0 ? 0.0 : (a < 0) != (b < 0) ? -1.0 : 1.0;
    e = __builtin_fabs(p) < 0x1p-900 ? scaled : e;
    return p == 0 ? sign : e;
}

INLINE(bool) minus_zero(double s, double a, double b)
{
    return s == 0 && ((int64_t)bits64(a) < 0 || (int64_t)bits64(b) < 0);
}

FN(double) heddle_add_rm_f64(double a, double b)
{
    double s = a + b;
    double r = down(s, sum_error(a, b, s), is_finite(a) && is_finite(b));
    return minus_zero(s, a, b) ? -0.0 : r;
}
FN(double) heddle_add_rp_f64(double a, double b)
{
    return -heddle_add_rm_f64(-a, -b);
}
FN(double) heddle_add_rz_f64(double a, double b)
{
    double s = a + b;
    return zero(s, sum_error(a, b, s), is_finite(a) && is_finite(b));
}

// Down, up and towards zero: of an expression `s` in r that lacks `e`, where `finite` says that infinity would be an overflow.
#define DIRECTED(name, params, s, e, finite)                                                                           \
    DIRECTED_ONE(heddle_##name##_rm_f64, params, down, s, e, finite)                                                   \
    DIRECTED_ONE(heddle_##name##_rp_f64, params, up, s, e, finite)                                                     \
    DIRECTED_ONE(heddle_##name##_rz_f64, params, zero, s, e, finite)
#define DIRECTED_ONE(name, params, round, s, e, finite)                                                                \
    FN(double) name params                                                                                             \
    {                                                                                                                  \
        double r = s;                                                                                                  \
        return round(r, e, finite);                                                                                    \
    }
DIRECTED(mul, (double a, double b), a *b, product_error(a, b, r), is_finite(a) && is_finite(b))

// The sign of a * b + c - r. Where all terms are small they are scaled up, so that none underflows; a product that
// still does keeps its sign.
INLINE(double) fma_error(double a, double b, double c, double r)
{
    bool small = __builtin_fabs(c) < 0x1p-800 && __builtin_fabs(a * b) < 0x1p-800;
    bool a_small = __builtin_fabs(a) < __builtin_fabs(b);
    double k = small ? 0x1p1000 : 1.0, x = (a_small ? a : b) * k, y = a_small ? b : a;
    double p = x * y, e = __builtin_fma(x, y, -p);
    p = p == 0 && a != 0 && b != 0 ? __builtin_copysign(0x1p-1074, p) : p;
    double z = c * k, s = p + z, f = sum_error(p, z, s);
    double u = s - r * k, v = f + e, w = sum_error(f, e, v);
    double t = u + v, q = sum_error(u, v, t);
    return t != 0 ? t : q + w;
}

FN(double) heddle_fma_rm_f64(double a, double b, double c)
{
    double r = __builtin_fma(a, b, c);
    bool finite = is_finite(a) && is_finite(b) && is_finite(c);
    double e = fma_error(a, b, c, r);
    return e == 0 && minus_zero(r, a * b, c) ? -0.0 : down(r, e, finite);
}
FN(double) heddle_fma_rp_f64(double a, double b, double c)
{
    return -heddle_fma_rm_f64(-a, b, -c);
}
FN(double) heddle_fma_rz_f64(double a, double b, double c)
{
    double r = __builtin_fma(a, b, c);
    return zero(r, fma_error(a, b, c, r), is_finite(a) && is_finite(b) && is_finite(c));
}

// The sign of a / b - q.
INLINE(double) quotient_error(double a, double b, double q)
{
    double k = __builtin_fabs(a) < 0x1p-500 ? 0x1p500 : 1.0;
    bool q_small = __builtin_fabs(q) < __builtin_fabs(b);
    double r = __builtin_fma(q_small ? -q * k : -q, q_small ? b : b * k, a * k);
    return b < 0 ? -r : r;
}

DIRECTED(div, (double a, double b), a / b, quotient_error(a, b, r), is_finite(a) && b != 0)

INLINE(double) root_error(double a, double s)
{
    double k = a < 0x1p-500 ? 0x1p300 : 1.0;
    return s > 0 && is_finite(s) ? __builtin_fma(-s * k, s * k, a * k * k) : 0.0;
}

DIRECTED(sqrt, (double a), __builtin_sqrt(a), root_error(a, r), is_finite(a))
