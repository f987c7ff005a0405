// SPDX-License-Identifier: Apache-2.0
// Every function of cuBLAS but those of cublas.h and cublasXt.h, from api.def and typed.def. Who includes this defines
//   ROW(result, name, (parameters), (arguments), call, status)   call: of the body; status: FULL, or NONE: not supported
// and gets the rows. There is no guard: it is read once for each thing that is made of the rows.
#define EACH_CAT_(a, b, c, d, e) a##b##c##d##e
#define EACH_CAT(a, b, c, d, e)  EACH_CAT_(a, b, c, d, e)
#define EACH_LIST(...)           __VA_ARGS__
#define EACH_CALL(body, ...)     body(__VA_ARGS__) // which may be a macro
#define EACH_PLAIN(result, name, params, args, call, status)                                                           \
    ROW(result, EACH_CAT(name, EACH_FORM, , , ), params, args, call, status)
#define EACH_TYPED(prefix, name, suffix, params, args) MIXED(prefix, name, suffix, name, params, args)
#define MIXED(prefix, name, suffix, body, params, args)                                                                \
    ROW(cublasStatus_t, EACH_CAT(cublas, prefix, name, suffix, EACH_FORM), params, args,                               \
        EACH_CALL(blas_##body, TYPE, EACH_LIST args), FULL)
#define EACH_TABLE "cublas/typed.def"

#define INT       int
#define EACH_FORM // nothing behind the name
#define BOTH(...) EACH_PLAIN(__VA_ARGS__)
#define ONCE(...) EACH_PLAIN(__VA_ARGS__)
#include "cublas/api.def"
#undef BOTH
#undef ONCE
#define BOTH(...) EACH_TYPED(__VA_ARGS__)
#define ONCE(...) EACH_TYPED(__VA_ARGS__)
#include "cublas/types.h"
#undef INT
#undef EACH_FORM
#undef BOTH
#undef ONCE

#define INT       int64_t
#define EACH_FORM _64
#define ONCE(...)
#define BOTH(...) EACH_PLAIN(__VA_ARGS__)
#include "cublas/api.def"
#undef BOTH
#define BOTH(...) EACH_TYPED(__VA_ARGS__)
#include "cublas/types.h"
#undef INT
#undef EACH_FORM
#undef BOTH
#undef ONCE

#undef EACH_CAT_
#undef EACH_CAT
#undef EACH_LIST
#undef EACH_CALL
#undef EACH_PLAIN
#undef EACH_TYPED
#undef EACH_TABLE
#undef MIXED
