// SPDX-License-Identifier: Apache-2.0
// Matrices made tridiagonal or bidiagonal by reflections, and the matrices of these.
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/dense/reduce.h"
#include "library/number.h"
#undef TEMPLATE
