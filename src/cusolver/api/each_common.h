// SPDX-License-Identifier: Apache-2.0
// The rows of common.def; see each.h.
#define EACH_PLAIN "cusolver/api/common.def"
#include "cusolver/api/each.h"
