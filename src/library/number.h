// SPDX-License-Identifier: Apache-2.0
// Kernels that are one text for all types: reads the file TEMPLATE once for each type, with these words for it:
//   E  an element in memory          LOAD(e)  as T     STORE(t)  a T as E
//   T  the type of computing         CONJ(t)           REAL(t)   the number without its imaginary part, as T
//   R  real numbers of T             ABS1(t)  |re| + |im|, as R
//   FN(name)  a name of its own      COMPLEX  1 where T is complex      LETTER  S, D, C, Z, H or B
// NUMBER_HALVES: for H and B too.
#include "library/half.h"
#include <complex.h>
#include <math.h>

#define NUMBER_CAT_(a, b) a##_##b
#define NUMBER_CAT(a, b)  NUMBER_CAT_(a, b)
#define FN(name)          NUMBER_CAT(name, LETTER)

#define LOAD(e)  (e)
#define STORE(t) (t)
#define CONJ(t)  (t)
#define REAL(t)  (t)
#define COMPLEX  0

#define LETTER  S
#define E       float
#define T       float
#define R       float
#define ABS1(t) fabsf(t)
#include TEMPLATE
#undef LETTER
#undef E
#undef T
#undef R
#undef ABS1

#define LETTER  D
#define E       double
#define T       double
#define R       double
#define ABS1(t) fabs(t)
#include TEMPLATE
#undef LETTER
#undef E
#undef T
#undef R
#undef ABS1

#ifdef NUMBER_HALVES
#undef LOAD
#undef STORE
#define LETTER   H
#define E        uint16_t
#define T        float
#define R        float
#define LOAD(e)  half_to_float(e)
#define STORE(t) half_of_float(t)
#define ABS1(t)  fabsf(t)
#include TEMPLATE
#undef LETTER
#undef LOAD
#undef STORE

#define LETTER   B
#define LOAD(e)  bfloat_to_float(e)
#define STORE(t) bfloat_of_float(t)
#include TEMPLATE
#undef LETTER
#undef E
#undef T
#undef R
#undef ABS1
#undef LOAD
#undef STORE
#define LOAD(e)  (e)
#define STORE(t) (t)
#endif

#undef CONJ
#undef REAL
#undef COMPLEX
#define COMPLEX 1

#define LETTER  C
#define E       float _Complex
#define T       float _Complex
#define R       float
#define CONJ(t) conjf(t)
#define REAL(t) ((T)crealf(t))
#define ABS1(t) (fabsf(crealf(t)) + fabsf(cimagf(t)))
#include TEMPLATE
#undef LETTER
#undef E
#undef T
#undef R
#undef CONJ
#undef REAL
#undef ABS1

#define LETTER  Z
#define E       double _Complex
#define T       double _Complex
#define R       double
#define CONJ(t) conj(t)
#define REAL(t) ((T)creal(t))
#define ABS1(t) (fabs(creal(t)) + fabs(cimag(t)))
#include TEMPLATE
#undef LETTER
#undef E
#undef T
#undef R
#undef CONJ
#undef REAL
#undef ABS1

#undef LOAD
#undef STORE
#undef COMPLEX
#undef FN
#undef NUMBER_CAT
#undef NUMBER_CAT_
