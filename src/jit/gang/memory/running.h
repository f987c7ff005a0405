// SPDX-License-Identifier: Apache-2.0
// Pointers that differ from lane to lane and go on by the same constant each time round a loop (gang/memory/running.c).
#ifndef HEDDLE_JIT_GANG_RUNNING_H
#define HEDDLE_JIT_GANG_RUNNING_H
#include "jit/gang/control/control.h"

// In the order of a loop's emission: before its header (what it returns the others take), among the header's phis, behind
// them, and before the edge back is added to them. The mask is that of the loop's body.
unsigned running_prepare(struct gang *g, const struct loop *l, const struct edge *in, LLVMValueRef mask);
void running_phis(struct gang *g, unsigned first, LLVMBasicBlockRef from);
void running_vectors(struct gang *g, unsigned first, LLVMValueRef mask);
void running_back(struct gang *g, unsigned first);
// The one that this pointer is, but for a constant distance; NULL: none, or under another mask.
const struct running *running_find(struct gang *g, LLVMValueRef pointer, LLVMValueRef mask, int64_t *distance);
LLVMValueRef running_lane(struct gang *g, const struct running *r, unsigned lane); // without that distance
#endif
