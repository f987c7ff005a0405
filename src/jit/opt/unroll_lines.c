// SPDX-License-Identifier: Apache-2.0
// Loops in which each thread walks through rows of its own, a few elements a turn: `for (k = 0; k < n; k++) out[i * n + k] =
// f(in[i * n + k])`. Compilers unroll such a loop by as much as a GPU likes, by two where its body is long. A gang then takes
// elements one by one, or a quarter of a line at once (gang/memory/rows.c), and comes back to the same lines on the next turns. Where
// rows lie a power of two apart all of them share a set of the first cache, which has not room for them: every turn
// brings each line there again, and brings it back after it was written. So these loops are unrolled up to a line a turn, where the
// body is not too long for that: softmax of 1024 rows of 1024 floats in a fifth of the time, of other lengths in two thirds.
//
// Only loops that all threads leave together, on a counter. Loops that only read their rows, by 16 bytes and more, are left as they
// are: nothing has to go back; so are those that write by as much to no more lines than a set holds. Not on AArch64, where nobody has
// measured it, and where fewer rows fit into registers.
#include "jit/analysis/address.h"
#include "jit/analysis/loops.h"
#include "jit/ir/pass.h"
#include "jit/analysis/linear.h"
#include "jit/analysis/thread_value.h"
#include <string.h>

enum { ROWS = 8, DEPTH = 16 };

struct row {
    LLVMValueRef
        at; // the number that its pointers are made of: a phi of the loop's head, or one and what stays in the loop
    int64_t step;
    unsigned read, written; // bytes a turn
};

struct search {
    struct cfg cfg;
    int loop;
    unsigned width, block_width;
    struct row rows[ROWS];
    unsigned nrows, instructions;
};

// How far threads side by side are apart; near ones reach the same lines anyway.
static bool lies_apart(const struct search *s, const struct linear *at)
{
    struct linear x = linear_factor(&s->cfg, at, OP_TID_X), y = linear_factor(&s->cfg, at, OP_TID_Y);
    bool apart = !x.lost && (x.n || x.plus >= TUNE_LINE || x.plus <= -TUNE_LINE);
    bool rows = s->block_width < s->width && !y.lost && (y.n || y.plus >= TUNE_LINE || y.plus <= -TUNE_LINE);
    return apart || (rows && !x.lost && !x.n && !x.plus);
}

// A sum of a phi of the head and of what stays in the loop: the latter.
static LLVMValueRef base_of(const struct search *s, LLVMValueRef sum, LLVMValueRef *phi)
{
    for (unsigned i = 0; i < 2 && ir_is_opcode(sum, LLVMAdd); i++) {
        *phi = LLVMGetOperand(sum, i);
        if (loop_is_variable(&s->cfg, s->loop, *phi) && !loop_has(&s->cfg, s->loop, LLVMGetOperand(sum, 1 - i)))
            return LLVMGetOperand(sum, 1 - i);
    }
    return NULL;
}

static struct row *row_of(struct search *s, LLVMValueRef at)
{
    LLVMValueRef phi;
    for (unsigned i = 0; i < s->nrows; i++)
        if (s->rows[i].at == at)
            return &s->rows[i];
    if (!loop_is_variable(&s->cfg, s->loop, at) && (loop_entry(&s->cfg, s->loop) == CFG_NONE || !base_of(s, at, &phi)))
        return NULL;
    struct linear place = linear_of(at), step = linear_step(&s->cfg, s->loop, &place);
    if (s->nrows == ROWS || step.lost || step.n || step.plus < 1 || step.plus > TUNE_LINE / 2 || !lies_apart(s, &place))
        return NULL;
    s->rows[s->nrows] = (struct row){.at = at, .step = step.plus};
    return &s->rows[s->nrows++];
}

static bool look_at_access(struct search *s, const struct region_plan *plan, LLVMValueRef x)
{
    int64_t bytes;
    LLVMValueRef p = address_base(ir_address(x), &bytes);
    if (!access_is_simple(x))
        return false;
    unsigned size = (unsigned)LLVMABISizeOfType(plan->layout, ir_access_type(x));
    bool global = ir_space(p) == AS_GENERIC || ir_space(p) == AS_GLOBAL;
    p = ir_is_opcode(p, LLVMIntToPtr) ? LLVMGetOperand(p, 0) : p;
    struct row *r = global && (size == 4 || size == 8) && LLVMIsAInstruction(p) ? row_of(s, p) : NULL;
    if (r)
        *(LLVMIsAStoreInst(x) ? &r->written : &r->read) += size;
    return true;
}

static bool look_at(struct search *s, const struct region_plan *plan, LLVMValueRef x)
{
    s->instructions += !LLVMIsACastInst(x) && !LLVMIsAGetElementPtrInst(x) && !LLVMIsAPHINode(x);
    s->instructions -= op_of(x) == OP_RT_MISALIGNED ? 2 : 0; // with its operand: most fall away
    return IR_IS(x, LLVMLoad, LLVMStore) ? look_at_access(s, plan, x)
           : LLVMIsACallInst(x)          ? op_is_harmless(x)
                                         : !IR_IS(x, IR_ATOMICS, LLVMAlloca);
}

// Additions that stand on the way back, between the loop's test and its head, move up before the test: LLVM then makes one
// block of the two, so that the test is at the loop's end.
static void close_loop(const struct search *s, LLVMBuilderRef b, int at)
{
    int latch = s->cfg.loops[s->loop].latch;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->cfg.blocks[latch].block), x;
    if (at == latch)
        return;
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(s->cfg.blocks[at].block));
    while ((x = LLVMGetFirstInstruction(s->cfg.blocks[latch].block)) != end)
        ir_move(b, x);
}

// A phi in place of a sum of one and of what stays, so that all rows have pointers of their own that go on by a constant.
static void give_phi(const struct search *s, LLVMBuilderRef b, const struct row *r)
{
    LLVMValueRef phi, base = base_of(s, r->at, &phi);
    if (loop_is_variable(&s->cfg, s->loop, r->at) || !base)
        return;
    LLVMBasicBlockRef from[2] = {s->cfg.blocks[loop_entry(&s->cfg, s->loop)].block,
                                 s->cfg.blocks[s->cfg.loops[s->loop].latch].block};
    LLVMValueRef in[2], mine;
    LLVMPositionBuilderBefore(b, phi);
    mine = LLVMBuildPhi(b, LLVMTypeOf(r->at), "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from[0]));
    in[0] = LLVMBuildAdd(b, base, loop_start(&s->cfg, s->loop, phi), "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from[1]));
    in[1] = LLVMBuildAdd(b, mine, LLVMConstInt(LLVMTypeOf(mine), (unsigned long long)r->step, 1), "");
    LLVMAddIncoming(mine, in, from, 2);
    ir_replace(r->at, mine);
}

// The block with the loop's test: its last one, or the one before when there are only additions behind. CFG_NONE: no such.
static int test_of(const struct search *s)
{
    int latch = s->cfg.loops[s->loop].latch;
    const struct cfg_block *l = latch == CFG_NONE ? NULL : &s->cfg.blocks[latch];
    if (!l || l->nsucc != 1 || l->npred != 1)
        return latch;
    FOR_INSTRUCTIONS (l->block, x)
        if (!ir_is_opcode(x, LLVMAdd) && !LLVMIsAGetElementPtrInst(x) && !LLVMIsABranchInst(x))
            return CFG_NONE;
    return l->pred[0];
}

// Whether all threads leave the loop together, and there alone.
static bool is_left_at(const struct search *s, int test)
{
    for (unsigned i = 0; i < s->cfg.norder; i++) {
        int block = s->cfg.order[i];
        for (unsigned k = 0; s->cfg.blocks[block].loop == s->loop && k < s->cfg.blocks[block].nsucc; k++)
            if (block != test && s->cfg.blocks[s->cfg.blocks[block].succ[k]].loop != s->loop)
                return false;
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->cfg.blocks[test].block);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMIsAICmpInst(LLVMGetCondition(end)) &&
           thread_value_is_common(LLVMGetCondition(end), false, DEPTH);
}

// How often the body is to stand there; 1: it stays.
static unsigned turns_of(struct search *s, const struct region_plan *plan)
{
    s->nrows = s->instructions = 0;
    if (!loop_is_innermost(&s->cfg, s->loop))
        return 1;
    FOR_LOOP (&s->cfg, s->loop, x)
        if (!look_at(s, plan, x))
            return remark_return(1, x, "stays: a call, an atomic or a volatile access in the loop");
    int64_t step = 0;
    for (unsigned i = 0; i < s->nrows; i++) {
        const struct row *r = &s->rows[i];
        bool piecemeal = r->step < TUNE_ROW_PIECE && r->read >= r->step;
        bool stored = r->written >= r->step && (r->step < TUNE_ROW_PIECE || s->width * s->nrows > TUNE_WAYS);
        step = (piecemeal || stored) && r->step > step ? r->step : step;
    }
    int test = test_of(s);
    LLVMValueRef at = LLVMGetBasicBlockTerminator(s->cfg.blocks[s->cfg.loops[s->loop].header].block);
    if (!step)
        remark(at, s->nrows ? "stays: its rows are read and written by whole pieces already"
                            : "stays: no rows of each thread's own, apart from its neighbours'");
    if (!step || test == CFG_NONE || loop_is_remainder(&s->cfg, s->loop, TUNE_LINE / 4))
        return 1;
    if (!is_left_at(s, test))
        return remark_return(1, at, "stays: threads may leave the loop at different times");
    unsigned turns = (unsigned)(TUNE_LINE / step);
    while (turns > 1 && turns * s->instructions > TUNE_LINES_CODE_MAX)
        turns /= 2;
    turns = turns * step >= TUNE_ROW_PIECE ? turns : 1;
    if (turns > 1)
        remark(at, "unrolled %u times: rows of each thread's own, %u instructions an iteration", turns,
               s->instructions);
    else
        remark(at, "stays: %u instructions an iteration are too many to unroll", s->instructions);
    return turns;
}

// Brings a loop that is to be unrolled to a form that LLVM unrolls.
static void prepare(struct search *s, LLVMBuilderRef b)
{
    int test = test_of(s);
    for (unsigned i = 0; i < s->nrows; i++)
        give_phi(s, b, &s->rows[i]);
    close_loop(s, b, test);
}

bool pass_unroll_lines(struct compilation *c)
{
    const struct region_plan *plan = &c->plan;
    struct search s = {.width = plan->width, .block_width = plan->block[0]};
    c->marked = false;
    if (plan->width == 1 || !plan->block[0] || !strncmp(LLVMGetTarget(plan->module), "aarch64", 7))
        return remark_return(true, NULL, "one lane, blocks of any shape, or AArch64: nothing is unrolled");
    cfg_build(&s.cfg, c->t.kernel);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    unsigned *times = arena_array(&s.cfg.arena, unsigned, s.cfg.nloops + 1);
    for (s.loop = 0; s.loop < (int)s.cfg.nloops; s.loop++) {
        times[s.loop] = turns_of(&s, plan);
        c->marked |= times[s.loop] > 1;
        if (times[s.loop] > 1)
            prepare(&s, b);
    }
    loop_unroll(&s.cfg, times);
    LLVMDisposeBuilder(b);
    cfg_fini(&s.cfg);
    return true;
}

// Pointers made of a phi and constants become constant steps from a pointer, as accesses side by side are found by.
static void settle(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(x));
    LLVMValueRef from = ir_is_opcode(x, LLVMIntToPtr) ? LLVMGetOperand(x, 0) : NULL;
    int64_t by, sum = 0;
    for (; from && ir_is_opcode(from, LLVMAdd) && value_constant(LLVMGetOperand(from, 1), &by);
         from = LLVMGetOperand(from, 0))
        sum += by;
    if (!from || !sum || !LLVMIsAPHINode(from))
        return;
    LLVMPositionBuilderBefore(b, x);
    LLVMValueRef p = LLVMBuildIntToPtr(b, from, LLVMTypeOf(x), "");
    LLVMValueRef step = LLVMConstInt(LLVMInt64TypeInContext(c), (unsigned long long)sum, 1);
    ir_replace(x, LLVMBuildGEP2(b, LLVMInt8TypeInContext(c), p, &step, 1, ""));
}

bool pass_lines_settle(struct compilation *c)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    FOR_FUNCTION_SAFE (c->t.kernel, x)
        settle(b, x);
    LLVMDisposeBuilder(b);
    return true;
}
