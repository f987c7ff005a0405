// SPDX-License-Identifier: Apache-2.0
// One lane of a gang by itself: see gang/value/one.c.
#ifndef HEDDLE_JIT_GANG_ONE_H
#define HEDDLE_JIT_GANG_ONE_H
#include "jit/gang/gang.h"

// Whether the instruction can stand in such code: a plain operation, nothing that waits, is volatile or atomic, or speaks of
// other lanes.
bool one_may_run(LLVMValueRef inst);
bool one_may_hold(LLVMTypeRef t); // values of this type
// The gang of one lane, i32. Values from outside must be set before they are read.
struct gang one_begin(struct gang *g, LLVMValueRef lane);
void one_end(struct gang *to, const struct gang *from); // what it has made is there for the gang
#endif
