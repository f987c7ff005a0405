// SPDX-License-Identifier: Apache-2.0
// See structured.h.
//
// LLVM does it as long as its result is what is asked for. Faults of it that are known are avoided by code of our own:
//  1. fix-irreducible (LLVM 22) drops entries of phis where a block branches to two entries of a cycle: cycles with
//  several
//     entries are rebuilt by dispatch.c.
//  2. structurizecfg (LLVM 22) brings values of casts and address arithmetic to phis on paths where the phi has another
//  value:
//     it hoists such an instruction out of the block from which the phi gets it, and then takes it for the value that a
//     second phi has undefined, though that one may be undefined on further paths. Where the instruction stands
//     elsewhere nothing of this happens; so those that could be hoisted are, here.
//  3. lower-switch leaves blocks behind that cannot be reached and yet lead to others, which then count as joins:
//     endless.c removes them.
// What LLVM leaves unstructured all the same, the check finds; the module is then made again, and rebuilt by
// dispatch.c.
#include "jit/scalar/structured.h"
#include "base/env.h"
#include "jit/scalar/dispatch.h"
#include "jit/scalar/endless.h"
#include <string.h>

static const char pass_prepare[] =
    "function(mem2reg,instcombine<no-verify-fixpoint>,simplifycfg,mergereturn,lower-switch)";
static const char pass_registers[] = "function(mem2reg)";
static const char pass_structure[] = "function(loop-simplify,unify-loop-exits,lcssa,structurizecfg,instsimplify,"
                                     "loop-simplify,lcssa)";
// Nothing here changes the graph but for blocks that loops lack.
static const char pass_dispatched[] = "function(mem2reg,instsimplify,loop-simplify,lcssa)";

enum structured_how structured_asked(void)
{
    return strcmp(env_get("HEDDLE_STRUCTURE"), "dispatch") ? STRUCTURED_LLVM : STRUCTURED_DISPATCH;
}

// The check

static int loop_exit(const struct cfg *c, int loop)
{
    const struct cfg_block *latch = &c->blocks[c->loops[loop].latch];
    return latch->succ[0] == c->loops[loop].header ? latch->succ[1] : latch->succ[0];
}

static const char *loop_fault(const struct cfg *c, int loop, int *block)
{
    const struct cfg_loop *l = &c->loops[loop];
    *block = l->header;
    if (l->latch < 0)
        return "a loop with several latches";
    if (c->blocks[l->header].npred != 2)
        return "a loop without preheader";
    *block = l->latch;
    if (c->blocks[l->latch].nsucc != 2)
        return "a loop without exit at its latch";
    *block = loop_exit(c, loop);
    if (cfg_loop_contains(c, loop, *block) || c->blocks[*block].npred != 1)
        return "a loop exit that is not dedicated";
    for (unsigned i = 0; i < c->norder; i++) {
        *block = c->order[i];
        if (!cfg_loop_contains(c, loop, *block) || *block == l->latch)
            continue;
        for (unsigned s = 0; s < c->blocks[*block].nsucc; s++)
            if (!cfg_loop_contains(c, loop, c->blocks[*block].succ[s]))
                return "a second exit of a loop";
    }
    return NULL;
}

static const char *branch_fault(const struct cfg *c, int *block)
{
    const struct cfg_block *b = &c->blocks[*block];
    if (!LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b->block)) && (b->nsucc == 0 || b->nsucc > 2))
        return "a terminator other than br and ret";
    if (b->nsucc < 2 || (b->loop >= 0 && c->loops[b->loop].latch == *block))
        return NULL;
    if (b->succ[0] == b->succ[1])
        return "a branch with one target";
    int join = b->ipdom, other = b->succ[0] == join ? b->succ[1] : b->succ[0];
    if (join != b->succ[0] && join != b->succ[1])
        return "a branch that is not an if-then";
    *block = join;
    if (c->blocks[join].npred != 2)
        return "a join of more than two paths";
    *block = other;
    if (c->blocks[other].npred != 1)
        return "a jump into an if";
    return NULL;
}

const char *structured_fault(const struct cfg *c, int *block)
{
    const char *fault = NULL;
    int end = CFG_NONE;
    *block = 0;
    if (c->irreducible)
        return "an irreducible loop";
    for (unsigned i = 0; i < c->nloops && !fault; i++)
        fault = loop_fault(c, (int)i, block);
    for (unsigned i = 0; i < c->norder && !fault; i++) {
        *block = c->order[i];
        fault = branch_fault(c, block);
        if (fault || c->blocks[c->order[i]].nsucc)
            continue;
        fault = end >= 0 ? "a second return" : NULL;
        end = c->order[i];
    }
    return fault || end >= 0 ? fault : "no return";
}

static const char *function_fault(LLVMValueRef function, int *block)
{
    struct arena a;
    struct cfg c;
    arena_init(&a);
    cfg_build(&c, function, &a);
    const char *fault = structured_fault(&c, block);
    cfg_fini(&c);
    arena_fini(&a);
    return fault;
}

// What structurizecfg must not hoist

// Instructions that LLVM counts as free, and that any thread may execute.
static bool may_be_free(LLVMValueRef x)
{
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMFreeze:
    case LLVMExtractValue:
    case LLVMInsertValue:
        return true;
    default:
        return false;
    }
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
    LLVMInstructionRemoveFromParent(x);
    LLVMInsertIntoBuilder(b, x);
}

static void hoist_function(LLVMValueRef function)
{
    struct arena a;
    struct cfg c;
    arena_init(&a);
    cfg_build(&c, function, &a);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    for (unsigned i = 0; i < c.norder; i++)
        for (LLVMValueRef p = LLVMGetFirstInstruction(c.blocks[c.order[i]].block); LLVMIsAPHINode(p);
             p = LLVMGetNextInstruction(p))
            for (unsigned k = 0; k < LLVMCountIncoming(p); k++)
                hoist_free(&c, LLVMGetIncomingValue(p, k), LLVMGetIncomingBlock(p, k), b);
    LLVMDisposeBuilder(b);
    cfg_fini(&c);
    arena_fini(&a);
}

bool structured_make(LLVMModuleRef m, enum structured_how how, structured_passes *run, void *arg, bool *refused,
                     struct diag *d)
{
    bool rebuilt = false;
    int block;
    *refused = false;
    if (!run(arg, "prepare", pass_prepare))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        endless_open(f);
        if (how == STRUCTURED_LLVM)
            rebuilt |= dispatch_irreducible(f);
        else if (function_fault(f, &block))
            dispatch_function(f);
    }
    if (rebuilt && !run(arg, "reducible", pass_registers))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && how == STRUCTURED_LLVM; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            hoist_function(f);
    if (!run(arg, "structure", how == STRUCTURED_LLVM ? pass_structure : pass_dispatched))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        const char *fault = LLVMIsDeclaration(f) ? NULL : function_fault(f, &block);
        if (!fault)
            continue;
        size_t n;
        *refused = how == STRUCTURED_LLVM;
        return *refused ? false
                        : diag_fail(d, DIAG_INTERNAL, "%s: block %d: control flow is not structured: %s",
                                    LLVMGetValueName2(f, &n), block, fault);
    }
    return true;
}
