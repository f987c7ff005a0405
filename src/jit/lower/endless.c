// SPDX-License-Identifier: Apache-2.0
// A loop without an exit gets one that is never taken, on heddle.never(). Post-dominators, masks and the structure that
// the vectoriser relies on all need that every block leads to the function's return; CUDA does not: `while (1);` on a
// path that is not taken is legal, and LLVM makes such loops itself where it finds out that a condition always holds.
//
// 1. The condition is a call, so nothing before the vectoriser can tell its value; there it is false. The program does
//    what it did: the edge is there and no thread ever takes it. The result that it brings is arbitrary.
// 2. One edge of each such loop is enough. A block is taken that does not reach the return; afterwards it does, and so
//    do all that lead to it. Blocks are looked at from the end, so that few edges are added.
// 3. Blocks that cannot be reached, as lower-switch leaves them behind, go: they would count as predecessors of other blocks.
// 4. Where LLVM has put `unreachable`, nothing that a program may do comes: a thread that does ends.
#include "jit/lower/lower.h"
#include "jit/analysis/cfg.h"

// A return of its own for the new edges, since they do not come with the values that the old one's code uses; the old
// one, if there is one, leads to it.
static LLVMBasicBlockRef add_return(LLVMValueRef function, LLVMBasicBlockRef old, LLVMBuilderRef b)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(c, function, "return");
    LLVMPositionBuilderAtEnd(b, block);
    LLVMValueRef result = LLVMGetTypeKind(type) == LLVMVoidTypeKind ? NULL : LLVMBuildPhi(b, type, ""), value;
    if (result)
        LLVMBuildRet(b, result);
    else
        LLVMBuildRetVoid(b);
    if (!old)
        return block;
    LLVMValueRef ret = LLVMGetBasicBlockTerminator(old);
    if (result) {
        value = LLVMGetOperand(ret, 0);
        LLVMAddIncoming(result, &value, &old, 1);
    }
    LLVMInstructionEraseFromParent(ret);
    LLVMPositionBuilderAtEnd(b, old);
    LLVMBuildBr(b, block);
    return block;
}

static void add_arbitrary(LLVMBasicBlockRef to, LLVMBasicBlockRef from)
{
    FOR_PHIS (to, p) {
        LLVMValueRef any = LLVMConstNull(LLVMTypeOf(p));
        LLVMAddIncoming(p, &any, &from, 1);
    }
}

static void add_exit(LLVMValueRef function, LLVMBasicBlockRef from, LLVMBasicBlockRef end, LLVMBuilderRef b)
{
    LLVMModuleRef m = LLVMGetGlobalParent(function);
    LLVMValueRef t = LLVMGetBasicBlockTerminator(from);
    LLVMBasicBlockRef to = LLVMGetSuccessor(t, 0),
                      mid = LLVMInsertBasicBlockInContext(LLVMGetModuleContext(m), to, "forever");
    LLVMPositionBuilderAtEnd(b, mid);
    LLVMBuildCondBr(b, op_build(b, OP_NEVER, NULL, 0), end, to);
    LLVMSetSuccessor(t, 0, mid);
    ir_move_phi_entries(to, from, mid, false);
    add_arbitrary(end, mid);
}

static void drop_unreachable(const struct cfg *c)
{
    if (c->norder == c->nblocks)
        return;
    for (unsigned k = 0; k < c->norder; k++) {
        const struct cfg_block *block = &c->blocks[c->order[k]];
        for (unsigned i = 0; i < block->npred; i++)
            if (c->blocks[block->pred[i]].rpo < 0)
                ir_move_phi_entries(block->block, c->blocks[block->pred[i]].block, NULL, true);
    }
    for (unsigned k = 0; k < c->nblocks; k++)
        for (LLVMValueRef x; c->blocks[k].rpo < 0 && (x = LLVMGetLastInstruction(c->blocks[k].block));) {
            if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVoidTypeKind)
                LLVMReplaceAllUsesWith(x, LLVMGetPoison(LLVMTypeOf(x)));
            LLVMInstructionEraseFromParent(x);
        }
    for (unsigned k = 0; k < c->nblocks; k++)
        if (c->blocks[k].rpo < 0)
            LLVMDeleteBasicBlock(c->blocks[k].block);
}

void endless_open(LLVMValueRef function)
{
    struct cfg c;
    cfg_build(&c, function);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    drop_unreachable(&c);
    LLVMBasicBlockRef old = NULL, end = NULL;
    bool *leads = arena_array(&c.arena, bool, c.nblocks + 1);
    for (unsigned k = 0; k < c.norder; k++) {
        const struct cfg_block *block = &c.blocks[c.order[k]];
        if (block->nsucc)
            continue;
        leads[c.order[k]] = true;
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block->block)))
            old = block->block;
    }
    cfg_reach(&c, true, NULL, leads);
    for (unsigned k = c.norder; k-- > 0;) {
        const struct cfg_block *block = &c.blocks[c.order[k]];
        LLVMValueRef t = LLVMGetBasicBlockTerminator(block->block);
        bool cut = LLVMIsAUnreachableInst(t);
        if (leads[c.order[k]] && !cut)
            continue;
        end = end ? end : add_return(function, old, b);
        if (cut) {
            LLVMInstructionEraseFromParent(t);
            LLVMPositionBuilderAtEnd(b, block->block);
            LLVMBuildBr(b, end);
            add_arbitrary(end, block->block);
        } else {
            add_exit(function, block->block, end, b);
            leads[c.order[k]] = true;
            cfg_reach(&c, true, NULL, leads);
        }
    }
    LLVMDisposeBuilder(b);
    cfg_fini(&c);
}

// Every block leads to the return, also after LLVM has found out what conditions are.
bool pass_endless(struct compilation *c)
{
    FOR_DEFINED (c->module, f)
        endless_open(f);
    return true;
}
