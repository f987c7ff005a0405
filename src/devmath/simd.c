// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the two halves or four bytes of a word. Each lane is widened, computed and put back; what differs
// between functions is one expression.
#include "devmath/devmath.h"

// Lane i of x, n bits wide, as a signed or an unsigned number.
INLINE int lane_s(int x, int i, int n)
{
    return (int)((uint32_t)x << (32 - n * (i + 1))) >> (32 - n);
}
INLINE int lane_u(int x, int i, int n)
{
    return (int)((uint32_t)x << (32 - n * (i + 1)) >> (32 - n));
}
INLINE int clamp_s(int v, int n)
{
    int top = (1 << (n - 1)) - 1;
    return v > top ? top : (v < -top - 1 ? -top - 1 : v);
}
INLINE int clamp_u(int v, int n)
{
    int top = (1 << n) - 1;
    return v > top ? top : (v < 0 ? 0 : v);
}
INLINE int magnitude(int v)
{
    return v < 0 ? -v : v;
}

// f(a, b, n) in every lane; kind is s or u.
#define LANES(name, kind, n, expression)                                                                               \
    int __nv_##name(int x, int y)                                                                                      \
    {                                                                                                                  \
        uint32_t r = 0;                                                                                                \
        for (int i = 0; i < 32 / n; i++) {                                                                             \
            int a = lane_##kind(x, i, n), b = lane_##kind(y, i, n);                                                    \
            r |= ((uint32_t)(expression) & ((1u << n) - 1)) << (n * i);                                                \
        }                                                                                                              \
        return (int)r;                                                                                                 \
    }
#define BOTH(name, kind, expression2, expression4)                                                                     \
    LANES(name##2, kind, 16, expression2) LANES(name##4, kind, 8, expression4)
#define SAME(name, kind, expression) BOTH(name, kind, expression, expression)

#define LANES_1(name, n, expression)                                                                                   \
    int __nv_##name(int x)                                                                                             \
    {                                                                                                                  \
        uint32_t r = 0;                                                                                                \
        for (int i = 0; i < 32 / n; i++) {                                                                             \
            int a = lane_s(x, i, n);                                                                                   \
            r |= ((uint32_t)(expression) & ((1u << n) - 1)) << (n * i);                                                \
        }                                                                                                              \
        return (int)r;                                                                                                 \
    }

#define SUM(name, kind, n, expression)                                                                                 \
    int __nv_##name(int x, int y)                                                                                      \
    {                                                                                                                  \
        int r = 0;                                                                                                     \
        for (int i = 0; i < 32 / n; i++) {                                                                             \
            int a = lane_##kind(x, i, n), b = lane_##kind(y, i, n);                                                    \
            r += (expression);                                                                                         \
        }                                                                                                              \
        return r;                                                                                                      \
    }

LANES_1(vabs2, 16, magnitude(a))
LANES_1(vabs4, 8, magnitude(a))
LANES_1(vabsss2, 16, clamp_s(magnitude(a), 16))
LANES_1(vabsss4, 8, clamp_s(magnitude(a), 8))
LANES_1(vneg2, 16, -a)
LANES_1(vneg4, 8, -a)
LANES_1(vnegss2, 16, clamp_s(-a, 16))
LANES_1(vnegss4, 8, clamp_s(-a, 8))

SAME(vabsdiffs, s, magnitude(a - b))
SAME(vabsdiffu, u, magnitude(a - b))
SAME(vadd, u, a + b)
SAME(vsub, u, a - b)
BOTH(vaddss, s, clamp_s(a + b, 16), clamp_s(a + b, 8))
BOTH(vaddus, u, clamp_u(a + b, 16), clamp_u(a + b, 8))
BOTH(vsubss, s, clamp_s(a - b, 16), clamp_s(a - b, 8))
BOTH(vsubus, u, clamp_u(a - b, 16), clamp_u(a - b, 8))
SAME(vavgs, s, (a + b + (a + b >= 0)) >> 1)
SAME(vavgu, u, (a + b + 1) >> 1)
SAME(vhaddu, u, (a + b) >> 1)
SAME(vmaxs, s, a > b ? a : b)
SAME(vmaxu, u, a > b ? a : b)
SAME(vmins, s, a < b ? a : b)
SAME(vminu, u, a < b ? a : b)

SUM(vsads2, s, 16, magnitude(a - b))
SUM(vsads4, s, 8, magnitude(a - b))
SUM(vsadu2, u, 16, magnitude(a - b))
SUM(vsadu4, u, 8, magnitude(a - b))

// Comparisons: all ones (vcmp) or one (vset) where they hold.
#define COMPARE(suffix, kind, op)                                                                                      \
    SAME(vcmp##suffix, kind, a op b ? -1 : 0)                                                                          \
    SAME(vset##suffix, kind, a op b)
COMPARE(eq, u, ==)
COMPARE(ne, u, !=)
COMPARE(ges, s, >=)
COMPARE(geu, u, >=)
COMPARE(gts, s, >)
COMPARE(gtu, u, >)
COMPARE(les, s, <=)
COMPARE(leu, u, <=)
COMPARE(lts, s, <)
COMPARE(ltu, u, <)
