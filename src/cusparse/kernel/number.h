// SPDX-License-Identifier: Apache-2.0
// Numbers by the letter of their type: E_<letter> in memory, LOAD_<letter> as what is computed with, STORE_<letter> back.
#ifndef HEDDLE_CUSPARSE_KERNEL_NUMBER_H
#define HEDDLE_CUSPARSE_KERNEL_NUMBER_H
#include "library/half.h"
#include <complex.h>
#undef I // a letter here
#include <math.h>

struct half_pair {
    uint16_t re, im;
};
#define E_S float
#define E_D double
#define E_C float _Complex
#define E_Z double _Complex
#define E_H uint16_t
#define E_B uint16_t
#define E_K struct half_pair
#define E_L struct half_pair
#define E_J int8_t
#define E_I int32_t

#define LOAD_S(e) (e)
#define LOAD_D(e) (e)
#define LOAD_C(e) (e)
#define LOAD_Z(e) (e)
#define LOAD_H(e) half_to_float(e)
#define LOAD_B(e) bfloat_to_float(e)
#define LOAD_K(e) __builtin_complex(half_to_float((e).re), half_to_float((e).im))
#define LOAD_L(e) __builtin_complex(bfloat_to_float((e).re), bfloat_to_float((e).im))
#define LOAD_J(e) (e)
#define LOAD_I(e) (e)

#define STORE_S(t) (t)
#define STORE_D(t) (t)
#define STORE_C(t) (t)
#define STORE_Z(t) (t)
#define STORE_H(t) half_of_float(t)
#define STORE_B(t) bfloat_of_float(t)
#define STORE_K(t) half_pair_of(t)
#define STORE_L(t) bfloat_pair_of(t)
#define STORE_I(t) (t)
static inline struct half_pair half_pair_of(float _Complex t)
{
    return (struct half_pair){half_of_float(crealf(t)), half_of_float(cimagf(t))};
}
static inline struct half_pair bfloat_pair_of(float _Complex t)
{
    return (struct half_pair){bfloat_of_float(crealf(t)), bfloat_of_float(cimagf(t))};
}

#define CONJ_S(t) (t)
#define CONJ_D(t) (t)
#define CONJ_C(t) conjf(t)
#define CONJ_Z(t) conj(t)
#define CONJ_I(t) (t)

// In double, whatever the type: a float's square root and magnitude are not rounded twice to their harm.
#define REAL_S(t)      (t)
#define REAL_D(t)      (t)
#define REAL_C(t)      crealf(t)
#define REAL_Z(t)      creal(t)
#define MAGNITUDE_S(t) fabs((double)(t))
#define MAGNITUDE_D(t) fabs(t)
#define MAGNITUDE_C(t) hypot((double)crealf(t), (double)cimagf(t))
#define MAGNITUDE_Z(t) cabs(t)

#define KIND_CAT_(a, b)              a##b
#define KIND_CAT(a, b)               KIND_CAT_(a, b)
#define KIND_NAME_(name, a, x, y, t) name##_##a##x##y##t
#define KIND_NAME(name, a, x, y, t)  KIND_NAME_(name, a, x, y, t)
#define EA                           KIND_CAT(E_, KA)
#define EX                           KIND_CAT(E_, KX)
#define EY                           KIND_CAT(E_, KY)
#define T                            KIND_CAT(E_, KT)
#define LA                           KIND_CAT(LOAD_, KA)
#define LX                           KIND_CAT(LOAD_, KX)
#define LY                           KIND_CAT(LOAD_, KY)
#define SY                           KIND_CAT(STORE_, KY)
#define CONJ                         KIND_CAT(CONJ_, KT)
#define REAL                         KIND_CAT(REAL_, KT)
#define MAGNITUDE                    KIND_CAT(MAGNITUDE_, KT)
#define COMPLEX                      (_Generic((T){0}, float _Complex: 1, double _Complex: 1, default: 0))
#define FN(name)                     KIND_NAME(name, KA, KX, KY, KT)
#define KINDS(X)                                                                                                       \
    X(S, S, S, S) X(D, D, D, D) X(C, C, C, C) X(Z, Z, Z, Z) X(H, H, H, S) X(B, B, B, S) X(K, K, K, C) X(L, L, L, C)
#define KINDS_FOUR(X)  X(S, S, S, S) X(D, D, D, D) X(C, C, C, C) X(Z, Z, Z, Z)
#define KINDS_MIXED(X) X(H, H, S, S) X(B, B, S, S) X(J, J, I, I) X(J, J, S, S) X(S, D, D, D) X(S, C, C, C) X(D, Z, Z, Z)
#endif
