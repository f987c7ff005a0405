// SPDX-License-Identifier: Apache-2.0
// What special registers can hold. PTX computes indices in 32 bits without any promise about overflow, so that the
// number of a thread in its grid, ctaid * ntid + tid, might be negative: a division by the size of a warp then differs
// between the lanes of a warp, and indices may wrap around. With a known block shape the code counts on grids in which
// no such number reaches 2^31; a launch of a larger one takes the variant that counts on nothing.
#include "jit/opt/opt.h"
#include <llvm-c/Core.h>
#include <string.h>

static LLVMValueRef number(LLVMContextRef context, uint64_t x)
{
    return LLVMConstInt(LLVMInt32TypeInContext(context), x, 0);
}

static void mark(LLVMContextRef context, LLVMValueRef call, uint64_t first, uint64_t end)
{
    LLVMValueRef bounds[2] = {number(context, first), number(context, end)};
    LLVMSetMetadata(call, LLVMGetMDKindIDInContext(context, "range", 5), LLVMMDNodeInContext(context, bounds, 2));
}

// The register's name without its axis; the axis, or -1.
static int axis_of(const char *name, const char *reg)
{
    size_t n = strlen(reg);
    return !strncmp(name, reg, n) && name[n] >= 'x' && name[n] <= 'z' && !name[n + 1] ? name[n] - 'x' : -1;
}

static void mark_uses(struct region_plan *plan, LLVMValueRef reg)
{
    const char *name = LLVMGetValueName(reg);
    LLVMContextRef context = LLVMGetModuleContext(plan->module);
    int tid = axis_of(name, "heddle.tid."), ntid = axis_of(name, "heddle.ntid.");
    int ctaid = axis_of(name, "heddle.ctaid."), nctaid = axis_of(name, "heddle.nctaid.");
    for (LLVMUseRef u = LLVMGetFirstUse(reg), next; u; u = next) {
        LLVMValueRef call = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (tid >= 0)
            mark(context, call, 0, plan->block[tid]);
        else if (ntid >= 0)
            LLVMReplaceAllUsesWith(call, number(context, plan->block[ntid]));
        else if (ctaid >= 0 && plan->grid_max[ctaid])
            mark(context, call, 0, plan->grid_max[ctaid]);
        else if (nctaid >= 0 && plan->grid_max[nctaid])
            mark(context, call, 1, (uint64_t)plan->grid_max[nctaid] + 1);
    }
}

void range_mark(struct region_plan *plan)
{
    if (!plan->block[0] || plan->debug)
        return;
    for (int k = 0; k < 3 && !plan->checked; k++)
        plan->grid_max[k] = (UINT32_C(1) << 31) / plan->block[k];
    for (LLVMValueRef f = LLVMGetFirstFunction(plan->module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f))
            mark_uses(plan, f);
}
