// SPDX-License-Identifier: Apache-2.0
// Vectors of the kernel's scalars. The including file defines SCALAR and VECTOR_BYTES. Complex numbers are held as a vector of real
// and a vector of imaginary parts.
#include "cufft/engine/engine.h"
#include <string.h>

#define LANES  (VECTOR_BYTES / (int)sizeof(SCALAR))
#define ALWAYS static inline __attribute__((always_inline))

typedef SCALAR scalar;
typedef scalar vec __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef scalar vec_unaligned __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(scalar)), may_alias));
typedef struct {
    vec r, i;
} cvec;

#if VECTOR_COUNT == 2
#define LIST(f) f(0), f(1)
#elif VECTOR_COUNT == 4
#define LIST(f) f(0), f(1), f(2), f(3)
#elif VECTOR_COUNT == 8
#define LIST(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
#else
#define LIST(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15)
#endif
_Static_assert(VECTOR_COUNT == LANES, "VECTOR_COUNT is VECTOR_BYTES in scalars");
#define SHUFFLE(a, b, f) __builtin_shufflevector(a, b, LIST(f))

#define EVEN(l)     (2 * (l))
#define ODD(l)      (2 * (l) + 1)
#define LOW(l)      (((l) & 1) ? LANES + (l) / 2 : (l) / 2)
#define HIGH(l)     (LOW(l) + LANES / 2)
#define REVERSED(l) (LANES - 1 - (l))
#define KEEP(l, s)  (((l) & (s)) ? LANES + ((l) ^ (s)) : (l))
#define TAKE(l, s)  (((l) & (s)) ? LANES + (l) : ((l) ^ (s)))
#define KEEP1(l)    KEEP(l, 1)
#define TAKE1(l)    TAKE(l, 1)
#define KEEP2(l)    KEEP(l, 2)
#define TAKE2(l)    TAKE(l, 2)
#define KEEP4(l)    KEEP(l, 4)
#define TAKE4(l)    TAKE(l, 4)
#define KEEP8(l)    KEEP(l, 8)
#define TAKE8(l)    TAKE(l, 8)

// LANES complex numbers one after another in memory.
ALWAYS cvec load_complex(const void *p)
{
    vec a = *(const vec_unaligned *)p, b = *((const vec_unaligned *)p + 1);
    return (cvec){SHUFFLE(a, b, EVEN), SHUFFLE(a, b, ODD)};
}

ALWAYS void store_complex(void *p, cvec v)
{
    *(vec_unaligned *)p = SHUFFLE(v.r, v.i, LOW);
    *((vec_unaligned *)p + 1) = SHUFFLE(v.r, v.i, HIGH);
}

ALWAYS cvec swap_if(cvec v, bool swap)
{
    return swap ? (cvec){v.i, v.r} : v;
}

ALWAYS cvec mul_scalar(cvec v, scalar wr, scalar wi)
{
    return (cvec){v.r * wr - v.i * wi, v.r * wi + v.i * wr};
}

ALWAYS cvec mul(cvec v, cvec w)
{
    return (cvec){v.r * w.r - v.i * w.i, v.r * w.i + v.i * w.r};
}

#define EXCHANGE(s)                                                                                                    \
    _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++) if (!(i & s))                                             \
    {                                                                                                                  \
        vec a = t[i], b = t[i ^ s];                                                                                    \
        t[i] = SHUFFLE(a, b, KEEP##s);                                                                                 \
        t[i ^ s] = SHUFFLE(a, b, TAKE##s);                                                                             \
    }

// LANES vectors of LANES, by exchanges of halves, quarters and so on.
ALWAYS void transpose(vec t[LANES])
{
#if VECTOR_COUNT >= 16
    EXCHANGE(8)
#endif
#if VECTOR_COUNT >= 8
    EXCHANGE(4)
#endif
#if VECTOR_COUNT >= 4
    EXCHANGE(2)
#endif
    EXCHANGE(1)
}
