// SPDX-License-Identifier: Apache-2.0
// Every function of cuBLASLt, from api.def. Who includes this defines
//   ROW(result, name, (parameters), (arguments), call, status)   call: of the body; status: FULL
// and gets the rows. There is no guard: it is read once for each thing that is made of the rows.
#define FULL(result, name, params, args) ROW(result, cublasLt##name, params, args, lt_##name args, FULL)
#include "cublaslt/api.def"
#undef FULL
