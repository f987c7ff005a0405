// SPDX-License-Identifier: Apache-2.0
// The loops of all types, and their table.
#include "npp/element.h"
#include "library/half.h"
#include "npp/kernel/number.h"

#define T             uint8_t
#define NAME          8u
#define LOW           0
#define HIGH          255
#define WIDE          int32_t
#define WIDER         int32_t
#define ROUND         npp_round32
#define ROUNDER(v, s) npp_round32(v, (s) < 30 ? (s) : 30)
#define BITS          30
#include "npp/kernel/element_loop.h"
#undef T
#undef NAME
#undef LOW
#undef HIGH
#define T    int8_t
#define NAME 8s
#define LOW  (-128)
#define HIGH 127
#include "npp/kernel/element_loop.h"
#undef T
#undef NAME
#undef LOW
#undef HIGH
#undef WIDER
#undef ROUNDER
#define WIDER   int64_t
#define ROUNDER npp_round64
#define T       uint16_t
#define NAME    16u
#define LOW     0
#define HIGH    65535
#include "npp/kernel/element_loop.h"
#undef T
#undef NAME
#undef LOW
#undef HIGH
#define T    int16_t
#define NAME 16s
#define LOW  (-32768)
#define HIGH 32767
#include "npp/kernel/element_loop.h"
#undef T
#undef NAME
#undef LOW
#undef HIGH
#undef WIDE
#undef ROUND
#undef BITS
#define WIDE  int64_t
#define ROUND npp_round64
#define BITS  62
#define T     int32_t
#define NAME  32s
#define LOW   INT32_MIN
#define HIGH  INT32_MAX
#include "npp/kernel/element_loop.h"
#undef T
#undef NAME
#undef LOW
#undef HIGH
#define T    uint32_t
#define NAME 32u
#define LOW  0
#define HIGH UINT32_MAX
#undef WIDER
#undef ROUNDER
#define WIDER   __int128
#define ROUNDER npp_round128
#include "npp/kernel/element_loop.h"
#undef T
#undef NAME
#undef LOW
#undef HIGH
#undef WIDE
#undef ROUND
#define WIDE  __int128
#define ROUND npp_round128
#define T     int64_t
#define NAME  64s
#define LOW   INT64_MIN
#define HIGH  INT64_MAX
#include "npp/kernel/element_loop.h"
#undef T
#undef NAME
#undef LOW
#undef HIGH
#undef GET

#define T          uint16_t
#define NAME       16f
#define F          float
#define GET        half_to_float
#define PUT        half_of_float
#define MATH(name) name##f
#include "npp/kernel/element_float.h"
#undef T
#undef NAME
#undef GET
#undef PUT
#define T      float
#define NAME   32f
#define GET(a) (a)
#define PUT(a) (a)
#include "npp/kernel/element_float.h"
#undef T
#undef NAME
#undef F
#undef MATH
#define T          double
#define NAME       64f
#define F          double
#define MATH(name) name
#include "npp/kernel/element_float.h"
#undef T
#undef NAME

#define INTEGER 1
#undef WIDE
#undef ROUND
#define T     int16_t
#define W     int64_t
#define NAME  16sc
#define LOW   (-32768)
#define HIGH  32767
#define ROUND npp_round64
#include "npp/kernel/element_complex.h"
#undef T
#undef W
#undef NAME
#undef LOW
#undef HIGH
#undef ROUND
#define T     int32_t
#define W     __int128
#define NAME  32sc
#define LOW   INT32_MIN
#define HIGH  INT32_MAX
#define ROUND npp_round128
#include "npp/kernel/element_complex.h"
#undef T
#undef W
#undef NAME
#undef INTEGER
#define INTEGER 0
#define T       float
#define W       float
#define NAME    32fc
#include "npp/kernel/element_complex.h"
#undef T
#undef W
#undef NAME
#define T    double
#define W    double
#define NAME 64fc
#include "npp/kernel/element_complex.h"

#define ALL(t)                                                                                                         \
    [ELEMENT_ADD][NT_##t] = add_##t, [ELEMENT_SUB][NT_##t] = sub_##t, [ELEMENT_SUB_REVERSE][NT_##t] = sub_reverse_##t, \
    [ELEMENT_MUL][NT_##t] = mul_##t, [ELEMENT_DIV][NT_##t] = div_##t, [ELEMENT_DIV_REVERSE][NT_##t] = div_reverse_##t, \
    [ELEMENT_ABS_DIFF][NT_##t] = abs_diff_##t, [ELEMENT_ABS][NT_##t] = abs_##t, [ELEMENT_SQR][NT_##t] = sqr_##t,       \
    [ELEMENT_SQRT][NT_##t] = square_root_##t, [ELEMENT_LN][NT_##t] = ln_##t, [ELEMENT_EXP][NT_##t] = exp_##t,          \
    [ELEMENT_MIN][NT_##t] = min_##t, [ELEMENT_MAX][NT_##t] = max_##t, [ELEMENT_CUBRT][NT_##t] = cubrt_##t,             \
    [ELEMENT_THRESHOLD_LT][NT_##t] = threshold_lt_##t, [ELEMENT_THRESHOLD_GT][NT_##t] = threshold_gt_##t,              \
    [ELEMENT_THRESHOLD_LT_GT][NT_##t] = threshold_lt_gt_##t, [ELEMENT_THRESHOLD_EQ][NT_##t] = threshold_eq_##t,
#define INTEGERS(t)                                                                                                    \
    ALL(t)                                                                                                             \
    [ELEMENT_DIV_ROUND][NT_##t] = div_round_##t, [ELEMENT_MUL_SCALE][NT_##t] = mul_scale_##t,                          \
    [ELEMENT_AND][NT_##t] = and_##t, [ELEMENT_OR][NT_##t] = or_##t, [ELEMENT_XOR][NT_##t] = xor_##t,                   \
    [ELEMENT_NOT][NT_##t] = not_##t, [ELEMENT_RSHIFT][NT_##t] = rshift_##t, [ELEMENT_LSHIFT][NT_##t] = lshift_##t,
#define FLOATS(t) ALL(t)[ELEMENT_ARCTAN][NT_##t] = arctan_##t,
#define COMPLEX(t)                                                                                                     \
    [ELEMENT_ADD][NT_##t] = add_##t, [ELEMENT_SUB][NT_##t] = sub_##t, [ELEMENT_SUB_REVERSE][NT_##t] = sub_reverse_##t, \
    [ELEMENT_MUL][NT_##t] = mul_##t, [ELEMENT_DIV][NT_##t] = div_##t, [ELEMENT_SQR][NT_##t] = sqr_##t,
static npp_loop *const loops[ELEMENTS][NT_none] = {INTEGERS(8u) INTEGERS(8s) INTEGERS(16u) INTEGERS(16s) INTEGERS(32u)
                                                       INTEGERS(32s) INTEGERS(64s) FLOATS(16f) FLOATS(32f) FLOATS(64f)
                                                           COMPLEX(16sc) COMPLEX(32sc) COMPLEX(32fc) COMPLEX(64fc)};

npp_loop *npp_element_loop(enum npp_element op, enum npp_type t)
{
    return loops[op][t];
}
