// SPDX-License-Identifier: Apache-2.0
// A = P L U.
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/dense/lu.h"
#include "library/number.h"
#undef TEMPLATE
