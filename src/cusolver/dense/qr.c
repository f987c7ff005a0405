// SPDX-License-Identifier: Apache-2.0
// A = Q R, Q a product of reflections I - tau v v^H, and products with Q.
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/dense/qr.h"
#include "library/number.h"
#undef TEMPLATE
