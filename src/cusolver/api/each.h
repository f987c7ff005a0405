// SPDX-License-Identifier: Apache-2.0
// Functions of cuSOLVER that one header declares, from tables. Who includes this defines
//   ROW(result, name, (parameters), (arguments), call, status)   call: of the body; status: FULL, or NONE: not supported
//   EACH_PLAIN    the table of functions that are there once: FULL(result, name, (parameters), (arguments)), or NONE
//   EACH_TYPED    that of functions for each type, with EACH_LIBRARY, Dn or Sp (each_type.h); none, where it is not defined
//   EACH_REFINED  to be defined where the solvers by iterative refinement (refined.def) belong to it too
// and gets the rows. There is no guard: it is read once for each thing that is made of the rows.
#define EACH_CAT_(a, b, c, d) a##b##c##d
#define EACH_CAT(a, b, c, d)  EACH_CAT_(a, b, c, d)
#define EACH_LIST(...)        __VA_ARGS__
#define EACH_CALL(body, ...)  body(__VA_ARGS__)
#define STATUS                cusolverStatus_t
#define DN                    cusolverDnHandle_t handle
#define SP                    cusolverSpHandle_t handle

#define FULL(result, name, params, args)                                                                               \
    ROW(result, EACH_CAT(cusolver, name, , ), params, args, solver_##name args, FULL)
#define NONE(result, name, params, args)                                                                               \
    ROW(result, EACH_CAT(cusolver, name, , ), params, args, CUSOLVER_STATUS_NOT_SUPPORTED, NONE)
#include EACH_PLAIN
#undef FULL
#undef NONE

#ifdef EACH_REFINED
#define REFINED(pair, main, low, T, name, params, args)                                                                \
    ROW(cusolverStatus_t, EACH_CAT(cusolverDn, pair, name, ), params, args,                                            \
        EACH_CALL(solver_Dn_##name, CUSOLVER_##main, CUSOLVER_##low, EACH_LIST args), FULL)
#include "cusolver/api/refined.def"
#undef REFINED
#endif

#ifdef EACH_TYPED
#define EACH_FULL(library, real, name, params, args, call)                                                             \
    ROW(cusolverStatus_t, EACH_CAT(cusolver, library, LETTER, name), params, args,                                     \
        EACH_CALL(EACH_CAT(solver_, library, _, real), TYPE, EACH_LIST call), FULL)
#define EACH_NONE(library, real, name, params, args, call)                                                             \
    ROW(cusolverStatus_t, EACH_CAT(cusolver, library, LETTER, name), params, args, CUSOLVER_STATUS_NOT_SUPPORTED, NONE)
#define LETTER                                    S
#define TYPE                                      NUMBER_S
#define T                                         float
#define R                                         float
#define PAIR                                      cuComplex
#define SDCZ(status, real, complex, params, args) EACH_##status(EACH_LIBRARY, real, real, params, args, args)
#define SDCZ_BY_VALUE(status, real, complex, params, args, call)                                                       \
    EACH_##status(EACH_LIBRARY, real, real, params, args, call)
#define NUMBER         T
#define POINTERS(name) T *name[]
#define REAL           R
#include EACH_TYPED
#undef LETTER
#undef TYPE
#undef T
#undef R
#undef PAIR

#define LETTER D
#define TYPE   NUMBER_D
#define T      double
#define R      double
#define PAIR   cuDoubleComplex
#include EACH_TYPED
#undef LETTER
#undef TYPE
#undef T
#undef R
#undef PAIR
#undef SDCZ
#undef SDCZ_BY_VALUE

#define SDCZ(status, real, complex, params, args) EACH_##status(EACH_LIBRARY, real, complex, params, args, args)
#define SDCZ_BY_VALUE(status, real, complex, params, args, call)                                                       \
    EACH_##status(EACH_LIBRARY, real, complex, params, args, call)
#define LETTER C
#define TYPE   NUMBER_C
#define T      cuComplex
#define R      float
#define PAIR   cuComplex
#include EACH_TYPED
#undef LETTER
#undef TYPE
#undef T
#undef R
#undef PAIR

#define LETTER Z
#define TYPE   NUMBER_Z
#define T      cuDoubleComplex
#define R      double
#define PAIR   cuDoubleComplex
#include EACH_TYPED
#undef LETTER
#undef TYPE
#undef T
#undef R
#undef PAIR
#undef SDCZ
#undef SDCZ_BY_VALUE
#undef NUMBER
#undef POINTERS
#undef REAL
#undef EACH_FULL
#undef EACH_NONE
#endif

#undef EACH_CAT_
#undef EACH_CAT
#undef EACH_LIST
#undef EACH_CALL
#undef STATUS
#undef DN
#undef SP
#undef EACH_PLAIN
#undef EACH_TYPED
#undef EACH_LIBRARY
#undef EACH_REFINED
