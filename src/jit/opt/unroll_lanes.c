// SPDX-License-Identifier: Apache-2.0
// Loops over the steps of a block of one gang in which threads take part by their number: `for (d = 0; d < 31; d++) if (d - t >= 0 && d - t < 16)
// ...`, as in tables that are filled along their diagonals and in eliminations. Written out, the counter is a number and the gang's first
// thread is 0, so that which lanes take part is known (gang/control/flow.c), and so is where each of them stands: a gather is one load with a
// constant offset for each lane that takes part, a scatter one store, where the loop computes an address for every lane, in 64 bits, and sends
// those of the others elsewhere. Where the processor has gathers and scatters, they are left to those steps in which many lanes take part
// (gang/memory/memory.c).
//
// Nothing is said but how often a loop's body is to stand there: LLVM unrolls a loop whose trip count it finds itself, and whatever is guessed
// here of its conditions bears on time alone.
#include "jit/analysis/loop/cost.h"
#include "jit/ir/dialect.h"
#include "jit/ir/pass.h"

enum { DEPTH = 12 };

// What a condition is made of.
struct made {
    bool thread, counter, other;
};

static void read_value(const struct cfg *c, int loop, LLVMValueRef x, unsigned depth, struct made *m)
{
    int64_t constant, step;
    if (value_constant(x, &constant))
        return;
    if (loop_is_variable(c, loop, x)) {
        LLVMValueRef start = loop_start(c, loop, x);
        bool counts = start && value_constant(start, &constant) && loop_phi_step(x, &step);
        *(counts ? &m->counter : &m->other) = true;
        return;
    }
    if (op_is(x, IS_TID)) {
        m->thread = true;
        return;
    }
    if (!depth || !LLVMIsAInstruction(x) ||
        !(LLVMIsABinaryOperator(x) || LLVMIsACastInst(x) || IR_IS(x, LLVMICmp, LLVMSelect))) {
        m->other = true;
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(x) && !m->other; i++)
        read_value(c, loop, LLVMGetOperand(x, (unsigned)i), depth - 1, m);
}

// Whether a branch within the loop takes threads by their number and the step.
static bool has_guard(const struct cfg *c, int loop)
{
    for (unsigned i = 0; i < c->norder; i++) {
        int b = c->order[i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->blocks[b].block);
        if (c->blocks[b].loop != loop || b == c->loops[loop].latch || !LLVMIsABranchInst(end) ||
            !LLVMIsConditional(end))
            continue;
        struct made m = {0};
        read_value(c, loop, LLVMGetCondition(end), DEPTH, &m);
        if (m.thread && m.counter && !m.other)
            return true;
    }
    return false;
}

static unsigned times_of(const struct cfg *c, int loop, const struct profile *p)
{
    enum { REFUSED = HAS_ORDERED | HAS_ATOMIC | HAS_EXCHANGE | HAS_FENCE | HAS_FUNCTION };
    if (c->loops[loop].latch == CFG_NONE || !loop_is_innermost(c, loop))
        return 1;
    LLVMValueRef at = LLVMGetBasicBlockTerminator(c->blocks[c->loops[loop].latch].block);
    if (!has_guard(c, loop))
        return remark_return(1, at, "stays: no branch is a matter of the thread's number and the step");
    unsigned times = loop_rounds(c, loop, cost_unrolled_lanes_most(p));
    if (times < 2 || p->has & REFUSED)
        return remark_return(
            1, at, "stays: how often it runs is no constant, or too often for %d operations, or it has atomics",
            p->operations);
    remark(at, "unrolled: %u steps of %d operations, whose lanes are known", times, p->operations);
    return LOOP_FULLY;
}

static void mark(struct compilation *k, LLVMValueRef function)
{
    struct cfg c;
    cfg_build(&c, function);
    const struct profile *loops = profile_loops(&c);
    unsigned *times = arena_array(&c.arena, unsigned, c.nloops + 1);
    bool some = false;
    for (unsigned i = 0; i < c.nloops; i++) {
        times[i] = times_of(&c, (int)i, &loops[i]);
        some |= times[i] == LOOP_FULLY;
    }
    if (some)
        loop_unroll(&c, times);
    k->marked |= some;
    cfg_fini(&c);
}

bool pass_unroll_lanes(struct compilation *c)
{
    unsigned threads = plan_threads(&c->plan);
    c->marked = false;
    if (c->plan.width == 1 || !threads || threads > c->plan.width)
        return remark_return(true, NULL, "nothing: blocks of several gangs or of any shape");
    return pass_functions(c, mark);
}
