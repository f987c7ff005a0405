// SPDX-License-Identifier: Apache-2.0
// What special registers can hold. PTX computes indices in 32 bits without any promise about overflow, so that the
// number of a thread in its grid, ctaid * ntid + tid, might be negative: a division by the size of a warp then differs
// between the lanes of a warp, and indices may wrap around. With a known block shape the code counts on grids in which
// no such number reaches 2^31; a launch of a larger one takes the variant that counts on nothing.
#include "jit/ir/pass.h"

static LLVMValueRef number(LLVMContextRef context, uint64_t x)
{
    return LLVMConstInt(LLVMInt32TypeInContext(context), x, 0);
}

static void mark(LLVMContextRef context, LLVMValueRef call, uint64_t first, uint64_t end)
{
    LLVMValueRef bounds[2] = {number(context, first), number(context, end)};
    LLVMSetMetadata(call, LLVMGetMDKindIDInContext(context, "range", 5), LLVMMDNodeInContext(context, bounds, 2));
}

static void mark_uses(struct region_plan *plan, LLVMValueRef reg)
{
    enum heddle_op op = op_of_function(reg);
    unsigned kinds = op_rows[op].kinds, axis = op_rows[op].variant;
    bool bounded = (kinds & (IS_CTAID | IS_NCTAID)) && plan->grid_max[axis];
    if (!bounded && !(kinds & (IS_TID | IS_NTID)))
        return;
    LLVMContextRef context = LLVMGetModuleContext(plan->module);
    for (LLVMUseRef u = LLVMGetFirstUse(reg), next; u; u = next) {
        LLVMValueRef call = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (kinds & IS_TID)
            mark(context, call, 0, plan->block[axis]);
        else if (kinds & IS_NTID)
            LLVMReplaceAllUsesWith(call, number(context, plan->block[axis]));
        else if (kinds & IS_CTAID)
            mark(context, call, 0, plan->grid_max[axis]);
        else
            mark(context, call, 1, (uint64_t)plan->grid_max[axis] + 1);
    }
}

bool pass_range(struct compilation *c)
{
    struct region_plan *plan = &c->plan;
    if (!plan->block[0] || plan->debug)
        return remark_return(true, NULL,
                             plan->debug ? "-G keeps the code as it is" : "the code is for blocks of any shape");
    remark(NULL, "blocks have %u x %u x %u threads; blocks along x are %s", plan->block[0], plan->block[1],
           plan->block[2], plan->checked ? "as many as there may be" : "few enough for indices of 31 bits");
    for (int k = 0; k < 3 && !plan->checked; k++)
        plan->grid_max[k] = (UINT32_C(1) << 31) / plan->block[k];
    FOR_MODULE (plan->module, f)
        if (LLVMIsDeclaration(f))
            mark_uses(plan, f);
    return true;
}
