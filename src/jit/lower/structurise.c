// SPDX-License-Identifier: Apache-2.0
// See lower.h.
//
// LLVM does it as long as its result is what is asked for. Faults of it that are known are avoided by code of our own:
//  1. fix-irreducible (LLVM 22) drops entries of phis where a block branches to two entries of a cycle: cycles with
//     several entries are rebuilt by dispatch.c.
//  2. structurizecfg (LLVM 22) brings values of casts and address arithmetic to phis on paths where the phi has another
//     value: it hoists such an instruction out of the block from which the phi gets it, and then takes it for the value
//     that a second phi has undefined, though that one may be undefined on further paths. Where the instruction stands
//     elsewhere nothing of this happens; so those that could be hoisted are, here.
//  3. Every edge of a translated branch has a block, and instcombine moves what the exit does not need to the one on a loop's
//     way back; loop-rotate takes one addition back from there, not two. structurizecfg then makes a phi of constants of
//     the loop's condition, from which the vectoriser cannot tell when all lanes stay. So what steps along with the counter goes up
//     before the branch. It only computes, and is used on the way back alone: for a thread that leaves it is lost.
//  4. lower-switch leaves blocks behind that cannot be reached and yet lead to others, which then count as joins:
//     endless.c removes them.
//
// What LLVM leaves unstructured all the same, the check finds; the module is then made again, and rebuilt by dispatch.c.
#include "jit/lower/lower.h"
#include "jit/analysis/structured.h"
#include "base/env.h"
#include <string.h>

enum structured_how structured_asked(void)
{
    return strcmp(env_get("HEDDLE_STRUCTURE"), "dispatch") ? STRUCTURED_LLVM : STRUCTURED_DISPATCH;
}

static const char *function_fault(LLVMValueRef function, int *block)
{
    struct cfg c;
    cfg_build(&c, function);
    const char *fault = structured_fault(&c, block);
    cfg_fini(&c);
    return fault;
}

// What structurizecfg must not hoist

// Instructions that LLVM counts as free, and that any thread may execute.
static bool may_be_free(LLVMValueRef x)
{
    return IR_IS(x, IR_EXTENSIONS, IR_POINTER_CAST, LLVMBitCast, LLVMAddrSpaceCast, LLVMGetElementPtr, LLVMFreeze,
                 LLVMExtractValue, LLVMInsertValue);
}

static bool defined_outside(LLVMValueRef x, LLVMBasicBlockRef block)
{
    for (int i = 0; i < LLVMGetNumOperands(x); i++) {
        LLVMValueRef o = LLVMGetOperand(x, (unsigned)i);
        if (LLVMIsAInstruction(o) && LLVMGetInstructionParent(o) == block)
            return false;
    }
    return true;
}

// Whether the block can be the `else` of a branch.
static bool is_arm(const struct cfg *c, int block)
{
    const struct cfg_block *k = &c->blocks[block];
    bool arm = false;
    for (unsigned i = 0; i < k->npred; i++)
        arm |= c->blocks[k->pred[i]].nsucc == 2;
    return arm && k->nsucc == 1 && k->idom >= 0;
}

// What a phi gets from `from`, if that is such an instruction in that very block, goes to the end of its dominator.
static void hoist_free(const struct cfg *c, LLVMValueRef x, LLVMBasicBlockRef from, LLVMBuilderRef b)
{
    int k = cfg_index(c, from);
    if (!LLVMIsAInstruction(x) || LLVMGetInstructionParent(x) != from || !may_be_free(x) || !defined_outside(x, from) ||
        !is_arm(c, k))
        return;
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(c->blocks[c->blocks[k].idom].block));
    ir_move(b, x);
}

static bool is_step(LLVMValueRef x)
{
    return IR_IS(x, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMAnd, LLVMOr, LLVMXor, LLVMGetElementPtr, LLVMBitCast,
                 IR_EXTENSIONS, IR_POINTER_CAST);
}

// Whether the loop's latch does nothing but step, behind a branch that leaves the loop.
static bool steps_behind_exit(const struct cfg *c, int loop)
{
    int latch = c->loops[loop].latch;
    const struct cfg_block *l = latch == CFG_NONE ? NULL : &c->blocks[latch];
    if (!l || l->nsucc != 1 || l->npred != 1 || latch == c->loops[loop].header)
        return false;
    const struct cfg_block *p = &c->blocks[l->pred[0]];
    unsigned n = 0;
    FOR_INSTRUCTIONS (l->block, x)
        if (!LLVMIsATerminatorInst(x) && (++n > TUNE_LATCH_STEPS || !is_step(x)))
            return false;
    return p->loop == loop && p->nsucc == 2 &&
           !cfg_loop_contains(c, loop, p->succ[0] == latch ? p->succ[1] : p->succ[0]);
}

// The branch leads back itself, and the latch is left without a way to it.
static void hoist_steps(const struct cfg *c, int loop, LLVMBuilderRef b)
{
    LLVMBasicBlockRef latch = c->blocks[c->loops[loop].latch].block, header = c->blocks[c->loops[loop].header].block;
    const struct cfg_block *p = &c->blocks[c->blocks[c->loops[loop].latch].pred[0]];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(p->block);
    for (LLVMValueRef x = LLVMGetFirstInstruction(latch), next; !LLVMIsATerminatorInst(x); x = next) {
        next = LLVMGetNextInstruction(x);
        LLVMPositionBuilderBefore(b, branch);
        ir_move(b, x);
    }
    LLVMSetSuccessor(branch, LLVMGetSuccessor(branch, 0) != latch, header);
    ir_move_phi_entries(header, latch, p->block, true);
    LLVMDeleteBasicBlock(latch);
}

static void hoist_loops(LLVMValueRef function)
{
    struct cfg c;
    cfg_build(&c, function);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    for (unsigned i = 0; i < c.nloops; i++)
        if (steps_behind_exit(&c, (int)i))
            hoist_steps(&c, (int)i, b);
    LLVMDisposeBuilder(b);
    cfg_fini(&c);
}

static void hoist_function(LLVMValueRef function)
{
    struct cfg c;
    hoist_loops(function);
    cfg_build(&c, function);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    for (unsigned i = 0; i < c.norder; i++)
        FOR_PHIS (c.blocks[c.order[i]].block, p)
            for (unsigned k = 0; k < LLVMCountIncoming(p); k++)
                hoist_free(&c, LLVMGetIncomingValue(p, k), LLVMGetIncomingBlock(p, k), b);
    LLVMDisposeBuilder(b);
    cfg_fini(&c);
}

bool pass_reduce(struct compilation *c)
{
    int block;
    c->rebuilt = false;
    FOR_DEFINED (c->module, f) {
        endless_open(f);
        if (c->how == STRUCTURED_LLVM)
            c->rebuilt |= dispatch_irreducible(f);
        else if (function_fault(f, &block))
            dispatch_function(f);
    }
    return true;
}

bool pass_hoist(struct compilation *c)
{
    FOR_DEFINED (c->module, f)
        hoist_function(f);
    return true;
}

bool pass_structured(struct compilation *c)
{
    int block;
    size_t n;
    c->unstructured = false;
    FOR_DEFINED (c->module, f) {
        const char *fault = function_fault(f, &block);
        if (!fault)
            continue;
        c->unstructured = c->how == STRUCTURED_LLVM;
        return !c->unstructured && diag_fail(c->d, DIAG_INTERNAL, "%s: block %d: control flow is not structured: %s",
                                             LLVMGetValueName2(f, &n), block, fault);
    }
    return true;
}
