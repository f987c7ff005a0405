// SPDX-License-Identifier: Apache-2.0
// Jacobi's methods: rotations of two columns at a time, sweep after sweep, until all are orthogonal.
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/dense/jacobi.h"
#include "library/number.h"
#undef TEMPLATE
