// SPDX-License-Identifier: Apache-2.0
// The exported functions of cublasXt.h, from their table.
#include "cublas/xt/xt.h"
#include "library/stub.h"

#define ROW(result, name, params, args, call, status)                                                                  \
    LIBRARY_STUB(result, name, params, args, call, CUBLAS_STATUS_NOT_INITIALIZED)
#include "cublas/xt/each.h"
