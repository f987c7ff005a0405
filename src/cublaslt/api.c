// SPDX-License-Identifier: Apache-2.0
// The exported functions of cuBLASLt, from the table.
#include "cublaslt/lt.h"
#include "library/stub.h"

// A call that goes to NVIDIA's library where that is missing answers "not initialised", or 0 where its result is no status.
#define LOST(result) (result)(intptr_t) __builtin_types_compatible_p(result, cublasStatus_t)
_Static_assert(CUBLAS_STATUS_NOT_INITIALIZED == 1, "what LOST says");

#define ROW(result, name, params, args, call, status) LIBRARY_STUB(result, name, params, args, call, LOST(result))
#include "cublaslt/each.h"
