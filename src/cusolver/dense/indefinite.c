// SPDX-License-Identifier: Apache-2.0
// Symmetric matrices that need not be positive: A = L D L^T with blocks of one or two columns, by Bunch and Kaufman.
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/dense/indefinite.h"
#include "library/number.h"
#undef TEMPLATE
