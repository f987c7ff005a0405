// SPDX-License-Identifier: Apache-2.0
// The loops of one integer type: T, with NAME for its functions, LOW and HIGH for its range, WIDE for its sums, WIDER for its products and ROUND and
// ROUNDER to scale them. BITS is the most that a sum or product is shifted by.
#define FN_(name, type)  name##_##type
#define FN__(name, type) FN_(name, type)
#define FN(name)         FN__(name, NAME)
#define ARGS             const void *x_, const void *const p_[4], void *d_, size_t n, const struct npp_job *j
#define OPERANDS                                                                                                       \
    const T *restrict x = x_, *restrict y = p_[0];                                                                     \
    T *restrict d = d_;                                                                                                \
    (void)y;                                                                                                           \
    (void)j

// Sums and products are exact, then scaled by a power of two, rounded and saturated.
#define SCALED(name, W, round, most, expression)                                                                       \
    static void FN(name)(ARGS)                                                                                         \
    {                                                                                                                  \
        OPERANDS;                                                                                                      \
        int s = j->c.scale;                                                                                            \
        if (!s) {                                                                                                      \
            for (size_t i = 0; i < n; i++) {                                                                           \
                W v = expression;                                                                                      \
                d[i] = (T)(v<(W)LOW ? (W)LOW : v>(W) HIGH ? (W)HIGH : v);                                              \
            }                                                                                                          \
        } else if (s > (most)) {                                                                                       \
            for (size_t i = 0; i < n; i++)                                                                             \
                d[i] = 0;                                                                                              \
        } else if (s > 0) {                                                                                            \
            for (size_t i = 0; i < n; i++) {                                                                           \
                W v = round(expression, s);                                                                            \
                d[i] = (T)(v<(W)LOW ? (W)LOW : v>(W) HIGH ? (W)HIGH : v);                                              \
            }                                                                                                          \
        } else {                                                                                                       \
            double factor = ldexp(1, -s);                                                                              \
            for (size_t i = 0; i < n; i++) {                                                                           \
                W v = expression;                                                                                      \
                d[i] = (T)npp_clamp((double)v * factor, (double)LOW, (double)HIGH);                                    \
            }                                                                                                          \
        }                                                                                                              \
    }
SCALED(add, WIDE, ROUND, BITS, (WIDE)x[i] + y[i])
SCALED(sub, WIDE, ROUND, BITS, (WIDE)x[i] - y[i])
SCALED(sub_reverse, WIDE, ROUND, BITS, (WIDE)y[i] - x[i])
SCALED(mul, WIDER, ROUNDER, 62, (WIDER)x[i] * y[i])
SCALED(sqr, WIDER, ROUNDER, 62, (WIDER)x[i] * x[i])
SCALED(abs, WIDE, ROUND, BITS, (WIDE)x[i] < 0 ? -(WIDE)x[i] : (WIDE)x[i])
SCALED(abs_diff, WIDE, ROUND, BITS, x[i] > y[i] ? (WIDE)x[i] - y[i] : (WIDE)y[i] - x[i])
#undef SCALED

// Numbers that are no integers: in double, which holds the operands exactly and is precise enough that no tie is made or lost.
#define REAL(name, expression)                                                                                         \
    static void FN(name)(ARGS)                                                                                         \
    {                                                                                                                  \
        OPERANDS;                                                                                                      \
        double factor = ldexp(1, -j->c.scale);                                                                         \
        for (size_t i = 0; i < n; i++) {                                                                               \
            double v = (expression) * factor;                                                                          \
            d[i] = (T)npp_near(npp_clamp(v, (double)LOW, (double)HIGH));                                               \
        }                                                                                                              \
    }
// 0 / 0 is 0.
#define QUOTIENT(a, b) ((b) ? (double)(a) / (double)(b) : (a) ? (double)(a) * HUGE_VAL : 0)
REAL(div, QUOTIENT(x[i], y[i]))
REAL(div_reverse, QUOTIENT(y[i], x[i]))
REAL(square_root, x[i] > 0 ? sqrt((double)x[i]) : 0)
REAL(ln, x[i] > 0 ? log((double)x[i]) : -HUGE_VAL)
REAL(exp, exp((double)x[i]))
REAL(cubrt, cbrt((double)x[i]))
#undef REAL

static void FN(div_round)(ARGS)
{
    OPERANDS;
    double factor = ldexp(1, -j->c.scale);
    for (size_t i = 0; i < n; i++) {
        double v = npp_clamp(QUOTIENT(x[i], y[i]) * factor, (double)LOW, (double)HIGH);
        double whole = trunc(v), near = j->c.round == NPP_RND_NEAR ? npp_near(v) : whole;
        if (j->c.round == NPP_RND_FINANCIAL)
            near = whole + (fabs(v - whole) >= 0.5 ? copysign(1, v) : 0);
        d[i] = (T)npp_clamp(near, (double)LOW, (double)HIGH);
    }
}
#undef QUOTIENT

#define PLAIN(name, expression)                                                                                        \
    static void FN(name)(ARGS)                                                                                         \
    {                                                                                                                  \
        OPERANDS;                                                                                                      \
        for (size_t i = 0; i < n; i++)                                                                                 \
            d[i] = (T)(expression);                                                                                    \
    }
PLAIN(mul_scale, (WIDER)x[i] * y[i] / (WIDER)HIGH)
PLAIN(and, x[i] & y[i])
PLAIN(or, x[i] | y[i])
PLAIN(xor, x[i] ^ y[i])
PLAIN(not, ~x[i])
PLAIN(min, x[i] < y[i] ? x[i] : y[i])
PLAIN(max, x[i] > y[i] ? x[i] : y[i])
#undef PLAIN

// Shifts: bits that leave the type are lost; a shift by its width or more is as if bit after bit were shifted. The numbers are 32-bit ones.
static void FN(rshift)(ARGS)
{
    const T *restrict x = x_;
    const uint32_t *restrict y = p_[0];
    T *restrict d = d_;
    (void)j;
    for (size_t i = 0; i < n; i++) {
        uint32_t s = y[i] < 31 ? y[i] : 31;
        d[i] = (T)((int64_t)x[i] >> s >> (s == 31));
    }
}
static void FN(lshift)(ARGS)
{
    const T *restrict x = x_;
    const uint32_t *restrict y = p_[0];
    T *restrict d = d_;
    (void)j;
    for (size_t i = 0; i < n; i++)
        d[i] = (T)((uint64_t)x[i] << (y[i] < 32 ? y[i] : 32));
}

#include "npp/kernel/element_threshold.h"
#undef FN_
#undef FN__
#undef FN
#undef ARGS
#undef OPERANDS
