// SPDX-License-Identifier: Apache-2.0
// A = L L^H, and inverses and products of triangles.
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/dense/cholesky.h"
#include "library/number.h"
#undef TEMPLATE
