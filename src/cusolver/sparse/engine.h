// SPDX-License-Identifier: Apache-2.0
// Sparse factorisations on one thread. Each is one text for all types: sparse_lu_S and so on (engine_type.h).
//
// LU goes row by row: a row of A, in the order p, is reduced by the rows of U before it; of what remains the largest element, or the one on the
// diagonal where that is not much smaller, is the pivot, and its column is exchanged. A(p, q) = L U, L with ones on its diagonal. Cholesky is the
// same without exchanges: of a Hermitian matrix U = D L^H, and R = D^-1/2 U.
// QR goes row by row too (George and Heath): a row is rotated with the rows of R that have its first elements, until it becomes
// a row of R itself or nothing is left of it. Rotations are kept, so that Q^H b can be formed later.
#ifndef HEDDLE_CUSOLVER_SPARSE_ENGINE_H
#define HEDDLE_CUSOLVER_SPARSE_ENGINE_H
#include "cusolver/sparse/order.h"
#include <stdint.h>
#include <stdlib.h>

enum sparse_result { SPARSE_DONE, SPARSE_NO_MEMORY };

#define TEMPLATE "cusolver/sparse/engine_type.h"
#include "library/number.h"
#undef TEMPLATE
#endif
