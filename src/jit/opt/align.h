// SPDX-License-Identifier: Apache-2.0
// Checks of alignment in scalar code, before it is vectorised.
#ifndef HEDDLE_JIT_ALIGN_H
#define HEDDLE_JIT_ALIGN_H
#include "jit/ir/region.h"

// Removes checks that another one makes superfluous, takes those out of loops that are the same on every turn, and makes
// those of kernel parameters assumptions of the plan.
void align_simplify(LLVMValueRef function, struct region_plan *plan);
#endif
