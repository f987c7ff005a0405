// SPDX-License-Identifier: Apache-2.0
// Every function of cuSPARSE, from api.def and typed.def. Who includes this defines
//   ROW(result, name, (parameters), (arguments), call, status)   call: of the body; status: FULL, or NONE: not supported
// and gets the rows. There is no guard: it is read once for each thing that is made of the rows.
#define EACH_CAT_(a, b, c)   a##b##c
#define EACH_CAT(a, b, c)    EACH_CAT_(a, b, c)
#define EACH_LIST(...)       __VA_ARGS__
#define EACH_CALL(body, ...) body(__VA_ARGS__)

#define FULL(result, name, params, args) ROW(result, EACH_CAT(cusparse, , name), params, args, sparse_##name args, FULL)
#define NONE(result, name, params, args)                                                                               \
    ROW(result, EACH_CAT(cusparse, , name), params, args, CUSPARSE_STATUS_NOT_SUPPORTED, NONE)
#include "cusparse/api.def"
#undef FULL
#undef NONE

#define EACH_FULL(name, params, args)                                                                                  \
    ROW(cusparseStatus_t, EACH_CAT(cusparse, LETTER, name), params, args,                                              \
        EACH_CALL(sparse_##name, TYPE, EACH_LIST args), FULL)
#define EACH_NONE(name, params, args)                                                                                  \
    ROW(cusparseStatus_t, EACH_CAT(cusparse, LETTER, name), params, args, CUSPARSE_STATUS_NOT_SUPPORTED, NONE)
#define SDCZ(status, name, params, args) EACH_##status(name, params, args)

#define HSD(status, name, params, args) EACH_##status(name, params, args)
#define LETTER                          S
#define TYPE                            SPARSE_S
#define T                               float
#define V                               float
#define R                               float
#include "cusparse/typed.def"
#undef LETTER
#undef TYPE
#undef T
#undef V
#undef R

#define LETTER D
#define TYPE   SPARSE_D
#define T      double
#define V      double
#define R      double
#include "cusparse/typed.def"
#undef LETTER
#undef TYPE
#undef T
#undef V
#undef R
#undef HSD

#define HSD(...)
#define LETTER C
#define TYPE   SPARSE_C
#define T      cuComplex
#define V      cuComplex
#define R      float
#include "cusparse/typed.def"
#undef LETTER
#undef TYPE
#undef T
#undef V
#undef R

#define LETTER Z
#define TYPE   SPARSE_Z
#define T      cuDoubleComplex
#define V      cuDoubleComplex
#define R      double
#include "cusparse/typed.def"
#undef LETTER
#undef TYPE
#undef T
#undef V
#undef R
#undef HSD
#undef SDCZ

#define SDCZ(...)
#define HSD(status, name, params, args) EACH_##status(name, params, args)
#define LETTER                          H
#define TYPE                            SPARSE_H
#define T                               __half
#define V                               __half
#define R                               __half
#include "cusparse/typed.def"
#undef LETTER
#undef TYPE
#undef T
#undef V
#undef R
#undef HSD
#undef SDCZ

#undef EACH_CAT_
#undef EACH_CAT
#undef EACH_LIST
#undef EACH_CALL
#undef EACH_FULL
#undef EACH_NONE
