// SPDX-License-Identifier: Apache-2.0
// What gang/control/flow.c and gang/control/single.c share: an if of the scalar code.
#ifndef HEDDLE_JIT_GANG_BRANCH_H
#define HEDDLE_JIT_GANG_BRANCH_H
#include "jit/gang/gang.h"

// An if as the structured graph has it: `then` runs when the condition is true (false when negated), and meets the
// other path at `join`, which it enters from `last`.
struct if_then {
    int block, then, join, last, loop;
    LLVMValueRef condition;
    bool negate;
};

// gang/control/single.c. The only lane that ever passes, where its code is worth a form of its own; else -1. `mixed`: the code is reached
// in a gang of which some lanes pass and some do not.
int single_lane(struct gang *g, const struct if_then *i, bool mixed);
// Emits what that lane runs. The edge to the join has all lanes' values, those of the others from `around`.
struct edge single_emit(struct gang *g, const struct if_then *i, unsigned lane, const struct edge *around);
#endif
