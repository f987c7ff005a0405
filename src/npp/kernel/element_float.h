// SPDX-License-Identifier: Apache-2.0
// The loops of one type of floating-point numbers: T in memory, F when computed with, GET and PUT between them, MATH(name) the name's function for F.
#define FN_(name, type)  name##_##type
#define FN__(name, type) FN_(name, type)
#define FN(name)         FN__(name, NAME)
#define ARGS             const void *x_, const void *const p_[4], void *d_, size_t n, const struct npp_job *j
#define OPERANDS                                                                                                       \
    const T *restrict x = x_, *restrict y = p_[0];                                                                     \
    T *restrict d = d_;                                                                                                \
    (void)y;                                                                                                           \
    (void)j
#define PLAIN(name, expression)                                                                                        \
    static void FN(name)(ARGS)                                                                                         \
    {                                                                                                                  \
        OPERANDS;                                                                                                      \
        for (size_t i = 0; i < n; i++) {                                                                               \
            F a = GET(x[i]);                                                                                           \
            d[i] = PUT(expression);                                                                                    \
        }                                                                                                              \
    }
PLAIN(add, a + GET(y[i]))
PLAIN(sub, a - GET(y[i]))
PLAIN(sub_reverse, GET(y[i]) - a)
PLAIN(mul, a *GET(y[i]))
PLAIN(div, a / GET(y[i]))
PLAIN(div_reverse, GET(y[i]) / a)
PLAIN(abs_diff, MATH(fabs)(a - GET(y[i])))
PLAIN(abs, MATH(fabs)(a))
PLAIN(sqr, a *a)
PLAIN(square_root, MATH(sqrt)(a))
PLAIN(ln, MATH(log)(a))
PLAIN(exp, MATH(exp)(a))
PLAIN(cubrt, MATH(cbrt)(a))
PLAIN(arctan, MATH(atan)(a))
PLAIN(min, a < GET(y[i]) ? a : GET(y[i]))
PLAIN(max, a > GET(y[i]) ? a : GET(y[i]))
#undef PLAIN
#include "npp/kernel/element_threshold.h"
#undef FN_
#undef FN__
#undef FN
#undef ARGS
#undef OPERANDS
