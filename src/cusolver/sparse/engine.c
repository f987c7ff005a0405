// SPDX-License-Identifier: Apache-2.0
// Sparse factorisations.
#include "cusolver/sparse/engine.h"
#include <string.h>

#define TEMPLATE "cusolver/sparse/lu.h"
#include "library/number.h"
#undef TEMPLATE
#define TEMPLATE "cusolver/sparse/qr.h"
#include "library/number.h"
#undef TEMPLATE
