// SPDX-License-Identifier: Apache-2.0
// See loops.h.
#include "jit/analysis/loops.h"
#include "jit/analysis/fold.h"

bool loop_has_block(const struct cfg *c, int loop, LLVMBasicBlockRef block)
{
    int b = cfg_index(c, block);
    return b != CFG_NONE && cfg_loop_contains(c, loop, b);
}

bool loop_has(const struct cfg *c, int loop, LLVMValueRef v)
{
    return v && LLVMIsAInstruction(v) && loop_has_block(c, loop, LLVMGetInstructionParent(v));
}

int loop_at(const struct cfg *c, LLVMValueRef instruction)
{
    return c->blocks[cfg_index(c, LLVMGetInstructionParent(instruction))].loop;
}

bool loop_is_innermost(const struct cfg *c, int loop)
{
    for (unsigned i = 0; i < c->nloops; i++)
        if (c->loops[i].parent == loop)
            return false;
    return true;
}

void loop_unroll(const struct cfg *c, const unsigned *times)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(c->function));
    for (unsigned i = 0; i < c->nloops; i++)
        if (c->loops[i].latch != CFG_NONE)
            loop_mark(context, LLVMGetBasicBlockTerminator(c->blocks[c->loops[i].latch].block),
                      times[i] == LOOP_FULLY ? "llvm.loop.unroll.full"
                      : times[i] > 1         ? "llvm.loop.unroll.count"
                                             : "llvm.loop.unroll.disable",
                      times[i] > 1 ? times[i] : 0);
}

int loop_entry(const struct cfg *c, int loop)
{
    const struct cfg_block *header = &c->blocks[c->loops[loop].header];
    int found = CFG_NONE;
    for (unsigned i = 0; i < header->npred; i++) {
        if (cfg_loop_contains(c, loop, header->pred[i]))
            continue;
        if (found != CFG_NONE)
            return CFG_NONE;
        found = header->pred[i];
    }
    return found;
}

int loop_preheader(const struct cfg *c, int loop)
{
    int b = loop_entry(c, loop);
    return b != CFG_NONE && c->blocks[b].nsucc == 1 ? b : CFG_NONE;
}

int loop_exit(const struct cfg *c, int loop)
{
    const struct cfg_block *latch = &c->blocks[c->loops[loop].latch];
    return latch->succ[latch->succ[0] == c->loops[loop].header];
}

LLVMValueRef loop_condition(const struct cfg *c, int loop, bool *goes_on)
{
    int latch = c->loops[loop].latch;
    LLVMValueRef end = latch == CFG_NONE ? NULL : LLVMGetBasicBlockTerminator(c->blocks[latch].block);
    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return NULL;
    *goes_on = c->blocks[latch].succ[0] == c->loops[loop].header;
    return LLVMGetCondition(end);
}

bool loop_is_variable(const struct cfg *c, int loop, LLVMValueRef x)
{
    return LLVMIsAPHINode(x) && LLVMGetInstructionParent(x) == c->blocks[c->loops[loop].header].block;
}

static LLVMValueRef from_edges(const struct cfg *c, int loop, LLVMValueRef phi, bool inside)
{
    LLVMValueRef found = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (loop_has_block(c, loop, LLVMGetIncomingBlock(phi, i)) != inside)
            continue;
        if (found && found != LLVMGetIncomingValue(phi, i))
            return NULL;
        found = LLVMGetIncomingValue(phi, i);
    }
    return found;
}

LLVMValueRef loop_start(const struct cfg *c, int loop, LLVMValueRef phi)
{
    return from_edges(c, loop, phi, false);
}

LLVMValueRef loop_next(const struct cfg *c, int loop, LLVMValueRef phi)
{
    return from_edges(c, loop, phi, true);
}

bool loop_is_step(LLVMValueRef x, LLVMValueRef from, int64_t *step)
{
    return (ir_is_byte_gep(x) || ir_is_opcode(x, LLVMAdd)) && LLVMGetOperand(x, 0) == from &&
           value_constant(LLVMGetOperand(x, 1), step);
}

bool loop_phi_step(LLVMValueRef phi, int64_t *step)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (loop_is_step(ir_only_value(LLVMGetIncomingValue(phi, i)), phi, step))
            return true;
    return false;
}

bool loop_is_remainder(const struct cfg *c, int loop, int64_t most)
{
    int64_t step, bits;
    FOR_LOOP_PHIS (c, loop, x) {
        LLVMValueRef start = loop_start(c, loop, x);
        if (!start || !loop_phi_step(x, &step) || step != -1)
            continue;
        if (ir_is_opcode(start, LLVMAdd) && LLVMIsAConstant(LLVMGetOperand(start, 1)))
            start = LLVMGetOperand(start, 0);
        if (ir_is_opcode(start, LLVMAnd) && value_constant(LLVMGetOperand(start, 1), &bits) && bits >= 0 && bits < most)
            return true;
    }
    return false;
}

// Where the phi begins with a constant and goes on by an operation with one, and the test compares it, what it will be, or a constant more than it
// is, with a third: the iterations are counted out.
static unsigned count_by(const struct cfg *c, int loop, LLVMValueRef phi, LLVMValueRef test, bool goes_on,
                         unsigned most)
{
    LLVMValueRef start = loop_start(c, loop, phi), next = loop_next(c, loop, phi), tested = LLVMGetOperand(test, 0);
    LLVMValueRef by = next && LLVMIsABinaryOperator(next) ? LLVMGetOperand(next, 1) : NULL;
    LLVMValueRef bound = LLVMGetOperand(test, 1);
    int64_t more = 0;
    bool moved = ir_is_opcode(tested, LLVMAdd) && loop_is_step(tested, phi, &more);
    unsigned bits = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind ? type_bits(LLVMTypeOf(phi)) : 0;
    if (!bits || !start || !by || LLVMGetOperand(next, 0) != phi || (tested != phi && tested != next && !moved) ||
        !LLVMIsAConstantInt(start) || !LLVMIsAConstantInt(by) || !LLVMIsAConstantInt(bound))
        return 0;
    uint64_t now = LLVMConstIntGetZExtValue(start), then;
    for (unsigned n = 1; n <= most; n++, now = then) {
        if (!fold_binary(LLVMGetInstructionOpcode(next), bits, now, LLVMConstIntGetZExtValue(by), &then))
            return 0;
        uint64_t x = tested == next ? then : fold_low(now + (uint64_t)more, bits);
        if (fold_compare(LLVMGetICmpPredicate(test), bits, x, LLVMConstIntGetZExtValue(bound)) != goes_on)
            return n;
    }
    return 0;
}

static unsigned count_test(const struct cfg *c, int loop, LLVMValueRef test, bool goes_on, unsigned most)
{
    unsigned n = 0;
    if (!test || !LLVMIsAICmpInst(test))
        return 0;
    FOR_LOOP_PHIS (c, loop, x)
        n = n ? n : count_by(c, loop, x, test, goes_on, most);
    return n;
}

unsigned loop_trip_count(const struct cfg *c, int loop, unsigned most)
{
    bool goes_on = false;
    LLVMValueRef test = loop_condition(c, loop, &goes_on);
    return count_test(c, loop, test, goes_on, most);
}

unsigned loop_rounds(const struct cfg *c, int loop, unsigned most)
{
    int at = CFG_NONE;
    for (unsigned i = 0; i < c->norder; i++) {
        const struct cfg_block *b = &c->blocks[c->order[i]];
        for (unsigned k = 0; cfg_loop_contains(c, loop, c->order[i]) && k < b->nsucc; k++) {
            if (cfg_loop_contains(c, loop, b->succ[k]))
                continue;
            if (at != CFG_NONE)
                return 0;
            at = c->order[i];
        }
    }
    LLVMValueRef end = at == CFG_NONE ? NULL : LLVMGetBasicBlockTerminator(c->blocks[at].block);
    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return 0;
    return count_test(c, loop, LLVMGetCondition(end), cfg_loop_contains(c, loop, c->blocks[at].succ[0]), most);
}
