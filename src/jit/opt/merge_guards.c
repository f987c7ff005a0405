// SPDX-License-Identifier: Apache-2.0
// Guards one after the other: `if (x >= w) return; if (y >= h) return;`. Where lanes may differ, the vectoriser makes a copy of
// what follows a test for all lanes and one under a mask, so a body behind two of them would stand there three times.
// What computes the second test moves up to the first one where it is a little arithmetic on special registers and parameters,
// and LLVM makes one test of both.
#include "base/str.h"
#include "jit/analysis/cfg.h"
#include "jit/analysis/address.h"
#include "jit/ir/pass.h"

enum { DEPTH_MAX = 16 };

static bool may_move(LLVMValueRef x)
{
    static const char *const cheap[] = {"llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax.", "llvm.abs."};
    if (LLVMIsACallInst(x))
        return op_is(x, IS_SREG) || str_begins_any(call_name(x), cheap, sizeof cheap / sizeof *cheap);
    if (IR_IS(x, LLVMLoad, IR_DIVISIONS))
        return LLVMIsALoadInst(x) && address_parameter(x, &(int64_t){0});
    return (LLVMIsABinaryOperator(x) && LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind) || LLVMIsACastInst(x) ||
           LLVMIsAICmpInst(x) || LLVMIsAGetElementPtrInst(x);
}

static bool agree(LLVMBasicBlockRef end, LLVMBasicBlockRef a, LLVMBasicBlockRef b)
{
    FOR_PHIS (end, x)
        if (ir_incoming(x, a) != ir_incoming(x, b))
            return false;
    return true;
}

static bool leads_to(const struct cfg_block *b, int to)
{
    return b->nsucc == 2 && (b->succ[0] == to) != (b->succ[1] == to);
}

static bool is_second_guard(const struct cfg *c, int second)
{
    const struct cfg_block *s = &c->blocks[second], *f = s->npred == 1 ? &c->blocks[s->pred[0]] : NULL;
    if (!f || f->rpo < 0 || !leads_to(f, second))
        return false;
    int end = f->succ[0] == second ? f->succ[1] : f->succ[0];
    LLVMValueRef last = LLVMGetBasicBlockTerminator(s->block), first = LLVMGetBasicBlockTerminator(f->block);
    unsigned n = 0;
    if (!leads_to(s, end) || !LLVMIsABranchInst(last) || !LLVMIsABranchInst(first))
        return false;
    if (!agree(c->blocks[end].block, f->block, s->block))
        return remark_return(false, last, "stays: the two tests bring different values to where they lead");
    for (LLVMValueRef x = LLVMGetFirstInstruction(s->block); x != last; x = LLVMGetNextInstruction(x))
        if (++n > TUNE_GUARDS_MOVED_MAX)
            return remark_return(false, last, "stays: more than %d instructions would move up", TUNE_GUARDS_MOVED_MAX);
        else if (!may_move(x))
            return remark_return(false, x,
                                 "stays: this may not run, or takes too long, where the first test keeps threads away");
    bool own = ir_depends_on(LLVMGetCondition(first), DEPTH_MAX, IS_TID) &&
               ir_depends_on(LLVMGetCondition(last), DEPTH_MAX, IS_TID);
    if (own)
        remark(last, "one test with the one before: %u instructions move up", n);
    else
        remark(last, "stays: the tests do not both look at threadIdx, so that lanes do not differ");
    return own;
}

static void move_up(LLVMBuilderRef b, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(to));
    FOR_INSTRUCTIONS_SAFE (from, x)
        if (!LLVMIsATerminatorInst(x))
            ir_move(b, x);
}

bool pass_merge_guards(struct compilation *c)
{
    struct cfg g;
    cfg_build(&g, c->t.kernel);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    c->marked = false;
    for (unsigned i = 0; i < g.norder; i++)
        if (is_second_guard(&g, g.order[i])) {
            move_up(b, g.blocks[g.order[i]].block, g.blocks[g.blocks[g.order[i]].pred[0]].block);
            c->marked = true;
        }
    LLVMDisposeBuilder(b);
    cfg_fini(&g);
    return true;
}
