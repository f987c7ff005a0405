// SPDX-License-Identifier: Apache-2.0
// The exported functions of cuSPARSE, from the tables.
#include "cusparse/sparse.h"
#include "library/stub.h"

// A type of C++'s; here only pointers to it are passed on.
typedef uint16_t __half;

// A call that goes to NVIDIA's library where that is missing answers "not initialised", or 0 where its result is no status.
#define LOST(result) (result)(intptr_t) __builtin_types_compatible_p(result, cusparseStatus_t)
_Static_assert(CUSPARSE_STATUS_NOT_INITIALIZED == 1, "what LOST says");

// What is passed by value comes last.
#define sparse_nnz_compress(type, h, m, d, values, offsets, counts, total, tol)                                        \
    (sparse_nnz_compress)(type, h, m, d, values, offsets, counts, total, &(tol))
#define sparse_csr2csr_compress(type, h, m, n, d, values, columns, offsets, nnz, counts, out, out_columns, to, tol)    \
    (sparse_csr2csr_compress)(type, h, m, n, d, values, columns, offsets, nnz, counts, out, out_columns, to, &(tol))

#define ROW(result, name, params, args, call, status) LIBRARY_STUB(result, name, params, args, call, LOST(result))
#include "cusparse/each.h"
