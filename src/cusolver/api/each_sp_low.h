// SPDX-License-Identifier: Apache-2.0
// The rows of cusolverSp_LOWLEVEL_PREVIEW.h; see each.h.
#define EACH_PLAIN   "cusolver/api/sp_low.def"
#define EACH_TYPED   "cusolver/api/sp_low_typed.def"
#define EACH_LIBRARY Sp
#include "cusolver/api/each.h"
