// SPDX-License-Identifier: Apache-2.0
// A kernel that is not cut. Each thread has a stack of its own: where functions that stay calls wait, whose frames cannot be
// cut (device/sched/fibres.h), and for debuggers, so that one that waits keeps its frames and variables where a debugger finds
// them (device/debug/stacks.h). A resume point is then a call of the engine, which returns when the scheduler lets the
// thread go on.
//
// What is kept: the state word of the resume point goes to the same scheduler (abi/run.c), operands and results go through the
// same raw slots, which are read behind the call. So the schedule is the one of width 1, and nothing lives in the frame.
#include "jit/ir/pass.h"
#include "jit/resume/resume.h"

bool pass_keep_stack(struct compilation *compilation)
{
    struct resume *r = compilation->resume;
    for (size_t i = 0; i < r->points.len; i++) {
        const struct resume_point *p = &r->points.data[i];
        LLVMBuilderRef b = LLVMCreateBuilderInContext(r->context);
        LLVMValueRef state = LLVMGetOperand(p->call, 0);
        LLVMPositionBuilderBefore(b, p->call);
        LLVMInstructionSetDebugLoc(op_build(b, OP_RT_PAUSE, &state, 1), LLVMInstructionGetDebugLoc(p->call));
        LLVMDisposeBuilder(b);
        LLVMInstructionEraseFromParent(p->call);
        vec_push(&r->plan->stops, ((struct region_stop){p->wait, p->op}));
    }
    map_free(&r->point_index);
    r->point_index = (struct map){0};
    r->points.len = 0;
    return true;
}
