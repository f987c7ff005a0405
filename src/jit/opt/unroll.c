// SPDX-License-Identifier: Apache-2.0
// Unrolling of one-thread code, where it changes what a gang has to do. Loops get LLVM's marks of how often their body is to stand there, all
// others that not to be unrolled; marks of scalar code do not outlive it. Two kinds of innermost loops gain.
//
// Loops with barriers whose induction variable halves or doubles, as in sums by a tree and scans of a block: `for (d = blockDim.x / 2;
// d; d /= 2)`. The block's shape is known, so the variable is a number in every iteration; written out, iterations have masks and
// addresses that are known too, gangs that have nothing to do have no code, and the last iterations, of fewer threads than a gang has, touch
// just the elements that they need: what one wrote and the next one reads then goes from the one to the other within the
// processor, where a wide load over a narrow store has to wait for memory. Sums of 256 by a tree: 28 to 15 us for 512 of them.
//
// Loops in which each thread walks through rows of its own, a few elements an iteration: `for (k = 0; k < n; k++) out[i * n + k] =
// f(in[i * n + k])`. Compilers unroll such a loop by as much as a GPU likes, by two where its body is long. A gang then takes
// elements one by one, or a quarter of a line at once (gang/memory/rows.c), and comes back to the same lines on the next iterations. Where
// rows lie a power of two apart all of them share a set of the first cache, which has not room for them: every iteration
// brings each line there again, and brings it back after it was written. So these loops are unrolled up to a line an iteration, where the
// body is not too long for that: softmax of 1024 rows of 1024 floats in a fifth of the time, of other lengths in two thirds. Only loops
// that all threads leave together, on a counter. Not on AArch64, where nobody has measured it, and where fewer rows fit into registers.
// A loop that stays is closed: what its pointers go on by stands before its test.
#include "jit/analysis/loop/cost.h"
#include "jit/analysis/thread_value.h"
#include "jit/ir/pass.h"
#include <string.h>

enum { DEPTH = 16, REFUSED = HAS_ORDERED | HAS_CALL | HAS_ATOMIC | HAS_EXCHANGE | HAS_FENCE | HAS_LOCAL };

struct search {
    struct cfg cfg;
    int loop;
    struct rows rows; // that are to be prepared
};

// Whether an induction variable of the loop halves or doubles.
static bool halves(const struct cfg *c, int loop)
{
    FOR_LOOP_PHIS (c, loop, x) {
        LLVMValueRef next = loop_next(c, loop, x);
        int64_t by;
        if (!next || !LLVMIsABinaryOperator(next) || LLVMGetOperand(next, 0) != x ||
            !value_constant(LLVMGetOperand(next, 1), &by) || by < 1 || by > 8)
            continue;
        LLVMOpcode op = LLVMGetInstructionOpcode(next);
        if (op == LLVMShl || op == LLVMLShr || op == LLVMAShr || op == LLVMMul || op == LLVMUDiv || op == LLVMSDiv)
            return true;
    }
    return false;
}

static unsigned times_of_halving(const struct search *s, const struct profile *p)
{
    const struct cfg_loop *l = &s->cfg.loops[s->loop];
    if (l->latch == CFG_NONE || l->parent != CFG_NONE)
        return 1;
    LLVMValueRef at = LLVMGetBasicBlockTerminator(s->cfg.blocks[l->latch].block);
    if (!halves(&s->cfg, s->loop))
        return remark_return(1, at, "stays: no induction variable halves or doubles");
    unsigned times = loop_trip_count(&s->cfg, s->loop, cost_unrolled_most(p));
    if (!times)
        return remark_return(1, at, "stays: how often it runs is no constant, or too often for %d operations",
                             p->operations);
    bool unrolls = cost_unrolls(p, times);
    remark(at, "%s: %u iterations of %d operations with %u barriers", unrolls ? "unrolled" : "stays, too many barriers",
           times, p->operations, p->barriers);
    return unrolls ? LOOP_FULLY : 1;
}

// Additions that stand in the latch, between the loop's test and its head, move up before the test: LLVM then makes one
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

// A phi in place of a sum of one and of what stays, so that all rows have pointers of their own that go on by a constant. The row's own
// step is a guess (linear.h): only a phi to which a constant is added has another one that goes along with it.
static void give_phi(const struct search *s, LLVMBuilderRef b, const struct row *r)
{
    LLVMValueRef phi, base = row_base(&s->cfg, s->loop, r->at, &phi), next;
    int64_t step;
    if (loop_is_variable(&s->cfg, s->loop, r->at) || !base)
        return;
    next = loop_next(&s->cfg, s->loop, phi);
    if (!next || !loop_is_step(ir_only_value(next), phi, &step))
        return;
    LLVMBasicBlockRef from[2] = {s->cfg.blocks[loop_entry(&s->cfg, s->loop)].block,
                                 s->cfg.blocks[s->cfg.loops[s->loop].latch].block};
    LLVMValueRef in[2], mine;
    LLVMPositionBuilderBefore(b, phi);
    mine = LLVMBuildPhi(b, LLVMTypeOf(r->at), "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from[0]));
    in[0] = LLVMBuildAdd(b, base, loop_start(&s->cfg, s->loop, phi), "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from[1]));
    in[1] = LLVMBuildAdd(b, mine, LLVMConstInt(LLVMTypeOf(mine), (unsigned long long)step, 1), "");
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

static unsigned times_of_rows(struct search *s, const struct profile *p, const struct region_plan *plan)
{
    LLVMValueRef at = LLVMGetBasicBlockTerminator(s->cfg.blocks[s->cfg.loops[s->loop].header].block);
    if (p->has & REFUSED)
        return remark_return(1, at, "stays: a call, an atomic or a volatile access in the loop");
    s->rows = rows_find(&s->cfg, s->loop, plan);
    if (!s->rows.n)
        return remark_return(1, at, "stays: no rows of each thread's own, apart from its neighbours'");
    int test = test_of(s);
    if (test == CFG_NONE || loop_is_remainder(&s->cfg, s->loop, TUNE_LINE / 4))
        return 1;
    if (!is_left_at(s, test))
        return remark_return(1, at, "stays: threads may leave the loop at different times");
    unsigned times = cost_unrolls_rows(p, &s->rows, plan->width);
    if (times > 1)
        remark(at, "unrolled %u times: rows of each thread's own, %d operations an iteration", times, p->operations);
    else
        remark(at, "stays: its rows are taken by whole pieces already, or %d operations are too many to unroll",
               p->operations);
    return times;
}

// Brings a loop that is to be unrolled to a form that LLVM unrolls.
static void prepare(struct search *s, LLVMBuilderRef b)
{
    int test = test_of(s);
    for (unsigned i = 0; i < s->rows.n; i++)
        give_phi(s, b, &s->rows.of[i]);
    close_loop(s, b, test);
}

// Whether a loop through rows that stays has its pointers' additions behind its test, where they hide from whoever asks by how much the
// pointers go on (gang/memory/disjoint.c, gang/memory/running.c).
static bool is_open(const struct search *s)
{
    int latch = s->cfg.loops[s->loop].latch, test = s->rows.n ? test_of(s) : CFG_NONE;
    return test != CFG_NONE && test != latch && is_left_at(s, test);
}

// How often the body is to stand there; 1: it stays.
static unsigned times_of(struct search *s, const struct profile *p, const struct region_plan *plan)
{
    s->rows.n = 0;
    if (!loop_is_innermost(&s->cfg, s->loop))
        return 1;
    if (p->barriers)
        return times_of_halving(s, p);
    if (plan->width == 1 || !strncmp(LLVMGetTarget(plan->module), "aarch64", 7))
        return remark_return(1, NULL, "stays: one lane, or AArch64");
    return times_of_rows(s, p, plan);
}

bool pass_unroll(struct compilation *c)
{
    struct search s;
    c->marked = false;
    if (!c->plan.block[0])
        return remark_return(true, NULL, "the code is for blocks of any shape");
    cfg_build(&s.cfg, c->t.kernel);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    const struct profile *loops = profile_loops(&s.cfg);
    unsigned *times = arena_array(&s.cfg.arena, unsigned, s.cfg.nloops + 1);
    for (s.loop = 0; s.loop < (int)s.cfg.nloops; s.loop++) {
        times[s.loop] = times_of(&s, &loops[s.loop], &c->plan);
        bool prepares = times[s.loop] > 1 || (times[s.loop] == 1 && is_open(&s));
        c->marked |= times[s.loop] != 1 || prepares;
        if (prepares)
            prepare(&s, b);
    }
    if (c->marked)
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

bool pass_unroll_settle(struct compilation *c)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    FOR_FUNCTION_SAFE (c->t.kernel, x)
        settle(b, x);
    LLVMDisposeBuilder(b);
    return true;
}
