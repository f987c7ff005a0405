// SPDX-License-Identifier: Apache-2.0
// See structured.h.
#include "jit/analysis/structured.h"
#include "jit/analysis/loops.h"

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

// Where a value is used: of a phi, at the end of the edge's block.
static bool used_within(const struct cfg *c, LLVMValueRef x, LLVMUseRef use, int loop)
{
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAPHINode(user))
        return loop_has(c, loop, user);
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
        if (LLVMGetIncomingValue(user, i) == x && !loop_has_block(c, loop, LLVMGetIncomingBlock(user, i)))
            return false;
    return true;
}

static const char *value_fault(const struct cfg *c, int block)
{
    int loop = c->blocks[block].loop;
    if (loop == CFG_NONE)
        return NULL;
    FOR_INSTRUCTIONS (c->blocks[block].block, x)
        FOR_USES (x, u)
            if (!used_within(c, x, u, loop))
                return "a value that leaves a loop without a phi";
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
        if (!fault)
            fault = value_fault(c, *block = c->order[i]);
        if (fault || c->blocks[c->order[i]].nsucc)
            continue;
        fault = end >= 0 ? "a second return" : NULL;
        end = c->order[i];
    }
    return fault || end >= 0 ? fault : "no return";
}
