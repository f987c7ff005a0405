// SPDX-License-Identifier: Apache-2.0
// Products, triangular systems and copies of matrices.
#include "cublas/compute/product.h"
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/dense/blas.h"
#include "library/number.h"
#undef TEMPLATE
