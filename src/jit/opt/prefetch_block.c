// SPDX-License-Identifier: Apache-2.0
// Fetching for the next block. A block with barriers begins with loads of its tile and ends with stores of it. One thread
// of the engine runs blocks one after the other, and their rows lie far apart: where a block is one chain of steps that
// wait for each other, nothing overlaps with these misses. So behind the first barrier that is in no loop the code asks for
// what the block after this one (heddle.ctaid.next) will touch: every global access whose address is arithmetic on parameters
// and on the thread's and the block's place is computed once more for that block. It is a hint: at the end of a row of
// blocks the address is wrong, and nothing comes of it. The last block that this thread runs asks for its own lines: the one
// behind it is another thread's, which is at work on it and would have to fetch back what is taken from it here. Addresses that do not come from the block's number, and those in
// loops, are left alone; so are kernels that would need many instructions for it, and addresses without a product of two
// values, such as a row's number and its length: there blocks go through memory one after the other, which the processor
// foresees by itself (softmax lost a fifth).
#include "base/map.h"
#include "base/vec.h"
#include "jit/analysis/cfg.h"
#include "jit/ir/ir.h"
#include "jit/ir/tuning.h"
#include "jit/ir/dialect.h"
#include "jit/ir/pass.h"
#include "jit/ir/remark.h"

enum { DEPTH = 40 };

struct next_search {
    LLVMBuilderRef b;
    struct map copies; // instruction -> its copy for the next block
    struct map moves;  // instruction -> how its value changes from block to block
    unsigned instructions;
};

// What is computed from several values is as the last of them; a product that moves, or what moves beside one, is MOVES_ROWS.
enum { FIXED = 1, PRODUCT, MOVES, MOVES_ROWS, UNKNOWN };

static bool is_binary(LLVMValueRef x)
{
    return IR_IS(x, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMAnd, LLVMOr, LLVMLShr, LLVMAShr);
}

static bool is_arithmetic(LLVMValueRef x)
{
    return is_binary(x) || IR_IS(x, IR_EXTENSIONS, IR_POINTER_CAST) ||
           (LLVMIsAGetElementPtrInst(x) && LLVMGetNumOperands(x) == 2) ||
           (ir_is_invariant(x) && ir_space(LLVMGetOperand(x, 0)) == AS_CONST);
}

static unsigned combine(unsigned a, unsigned b)
{
    unsigned most = a > b ? a : b, least = a > b ? b : a;
    return most == MOVES && least == PRODUCT ? MOVES_ROWS : most;
}

static unsigned moves(struct next_search *a, LLVMValueRef x, unsigned depth)
{
    if (!LLVMIsAInstruction(x))
        return FIXED;
    unsigned known = (unsigned)(uintptr_t)map_get_ptr(&a->moves, x);
    if (known)
        return known;
    unsigned r = FIXED;
    if (LLVMIsACallInst(x)) {
        r = !op_is(x, IS_PLACE) || LLVMGetNumArgOperands(x) ? UNKNOWN : op_of(x) == OP_CTAID_X ? MOVES : FIXED;
    } else if (!is_arithmetic(x) || !depth) {
        r = UNKNOWN;
    } else {
        a->instructions++;
        for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(x); i < n && r != UNKNOWN; i++) {
            unsigned o = moves(a, LLVMGetOperand(x, i), depth - 1);
            r = combine(r, o);
        }
        bool product = LLVMGetInstructionOpcode(x) == LLVMMul && !LLVMIsConstant(LLVMGetOperand(x, 0)) &&
                       !LLVMIsConstant(LLVMGetOperand(x, 1));
        r = product ? combine(r, PRODUCT) : r;
    }
    map_put_ptr(&a->moves, x, (void *)(uintptr_t)r);
    return r;
}

// What is promised of the values of this block need not hold for the next.
static LLVMValueRef plain_copy(struct next_search *a, LLVMValueRef x, LLVMValueRef *operands)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    if (is_binary(x))
        return LLVMBuildBinOp(a->b, op, operands[0], operands[1], "");
    if (op == LLVMGetElementPtr)
        return LLVMBuildGEP2(a->b, LLVMGetGEPSourceElementType(x), operands[0], operands + 1, 1, "");
    return op == LLVMLoad ? ir_clone(a->b, x, operands) : LLVMBuildCast(a->b, op, operands[0], LLVMTypeOf(x), "");
}

static LLVMValueRef next_block(struct next_search *a, LLVMValueRef x)
{
    if (!LLVMIsAInstruction(x))
        return x;
    LLVMValueRef copy = map_get_ptr(&a->copies, x);
    if (copy)
        return copy;
    if (LLVMIsACallInst(x)) {
        copy = op_of(x) == OP_CTAID_X ? op_build(a->b, OP_CTAID_NEXT, NULL, 0) : ir_clone(a->b, x, NULL);
    } else {
        LLVMValueRef operands[2] = {0};
        for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(x); i < n; i++)
            operands[i] = next_block(a, LLVMGetOperand(x, i));
        copy = plain_copy(a, x, operands);
    }
    map_put_ptr(&a->copies, x, copy);
    return copy;
}

static LLVMValueRef first_barrier(const struct cfg *c)
{
    for (unsigned i = 0; i < c->norder; i++) {
        const struct cfg_block *b = &c->blocks[c->order[i]];
        for (LLVMValueRef x = LLVMGetFirstInstruction(b->block); x && b->loop == CFG_NONE;
             x = LLVMGetNextInstruction(x))
            if (op_is_barrier(x))
                return x;
    }
    return NULL;
}

static LLVMValueRef access_address(LLVMValueRef x)
{
    LLVMValueRef p = IR_IS(x, LLVMLoad, LLVMStore) ? ir_address(x) : NULL;
    return p && ir_space(p) == AS_GLOBAL && LLVMIsAInstruction(p) ? p : NULL;
}

static void next_block_mark(struct region_plan *plan, LLVMValueRef kernel)
{
    struct next_search a = {0};
    struct VEC(LLVMValueRef) found = {0};
    struct cfg cfg;
    cfg_build(&cfg, kernel);
    LLVMValueRef barrier = first_barrier(&cfg);
    for (unsigned i = 0; barrier && i < cfg.norder; i++) {
        const struct cfg_block *b = &cfg.blocks[cfg.order[i]];
        for (LLVMValueRef x = LLVMGetFirstInstruction(b->block); x && b->loop == CFG_NONE;
             x = LLVMGetNextInstruction(x)) {
            LLVMValueRef p = access_address(x);
            if (p && moves(&a, p, DEPTH) == MOVES_ROWS)
                vec_push(&found, x);
        }
    }
    if (found.len >= TUNE_PREFETCH_BLOCK_MIN && found.len <= TUNE_PLANNED_ACCESSES_MAX &&
        a.instructions <= TUNE_PLANNED_WORK_MAX) {
        a.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(plan->module));
        LLVMPositionBuilderBefore(a.b, LLVMGetNextInstruction(barrier));
        for (size_t i = 0; i < found.len; i++)
            prefetch_emit(a.b, next_block(&a, access_address(found.data[i])),
                          LLVMIsAStoreInst(found.data[i]) ? PREFETCH_WRITE | PREFETCH_NEAR : PREFETCH_NEAR);
        LLVMDisposeBuilder(a.b);
        remark(barrier, "%zu lines of the next block are prefetched", found.len);
    } else if (barrier) {
        remark(NULL, "nothing: %zu accesses by rows; between %d and %d pay, with little arithmetic", found.len,
               TUNE_PREFETCH_BLOCK_MIN, TUNE_PLANNED_ACCESSES_MAX);
    } else {
        remark(NULL, "nothing: no barrier outside of loops");
    }
    vec_free(&found);
    map_free(&a.copies);
    map_free(&a.moves);
    cfg_fini(&cfg);
}

bool pass_prefetch_block(struct compilation *c)
{
    next_block_mark(&c->plan, c->t.kernel);
    return true;
}
