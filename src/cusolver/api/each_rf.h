// SPDX-License-Identifier: Apache-2.0
// The rows of rf.def; see each.h.
#define EACH_PLAIN "cusolver/api/rf.def"
#include "cusolver/api/each.h"
