// SPDX-License-Identifier: Apache-2.0
// The exported functions of cuBLAS with a handle, from the tables.
#include "cublas/blas.h"
#include "library/stub.h"

// The types of half precision are C++'s; here only pointers to them are passed on.
typedef uint16_t __half, __nv_bfloat16;

// A call that goes to NVIDIA's library where that is missing answers "not initialised", or 0 where its result is no status.
#define LOST(result) (result)(intptr_t) __builtin_types_compatible_p(result, cublasStatus_t)
_Static_assert(CUBLAS_STATUS_NOT_INITIALIZED == 1, "what LOST says");

#define ROW(result, name, params, args, call, status) LIBRARY_STUB(result, name, params, args, call, LOST(result))
#include "cublas/each.h"
