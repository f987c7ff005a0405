// SPDX-License-Identifier: Apache-2.0
// The rows of cusolverDn.h; see each.h.
#define EACH_PLAIN "cusolver/api/dn.def"
#define EACH_REFINED
#define EACH_TYPED   "cusolver/api/dn_typed.def"
#define EACH_LIBRARY Dn
#include "cusolver/api/each.h"
