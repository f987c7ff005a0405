// SPDX-License-Identifier: Apache-2.0
// Loops with barriers whose counter halves or doubles, as in sums by a tree and scans of a block: `for (d = blockDim.x / 2; d;
// d /= 2)`. The block's shape is known, so the counter is a number on every turn; written out, the turns have masks and addresses
// that are known too, gangs that have nothing to do have no code, and the last turns, of fewer threads than a gang has, touch just
// the elements that they need: what one turn wrote and the next one reads then goes from the one to the other within the
// processor, where a wide load over a narrow store has to wait for memory. Sums of 256 by a tree: 28 to 15 us for 512 of them.
//
// The loop gets LLVM's mark to be unrolled, all others that not to be; marks of scalar code do not outlive it.
#include "jit/analysis/loop/cost.h"
#include "jit/ir/pass.h"

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

static bool is_worth_it(const struct cfg *c, int loop, const struct profile *p)
{
    const struct cfg_loop *l = &c->loops[loop];
    if (l->latch == CFG_NONE || l->parent != CFG_NONE || !loop_is_innermost(c, loop) || !p->barriers)
        return false;
    LLVMValueRef at = LLVMGetBasicBlockTerminator(c->blocks[l->latch].block);
    if (!halves(c, loop))
        return remark_return(false, at, "stays: no induction variable halves or doubles");
    unsigned times = loop_trip_count(c, loop, cost_unrolled_most(p));
    if (!times)
        return remark_return(false, at, "stays: how often it runs is no constant, or too often for %d operations",
                             p->operations);
    bool unrolls = cost_unrolls(p, times);
    remark(at, "%s: %u iterations of %d operations with %u barriers", unrolls ? "unrolled" : "stays, too many barriers",
           times, p->operations, p->barriers);
    return unrolls;
}

bool pass_unroll_halving(struct compilation *k)
{
    struct cfg c;
    k->marked = false;
    if (!k->plan.block[0])
        return remark_return(true, NULL, "the code is for blocks of any shape");
    cfg_build(&c, k->t.kernel);
    const struct profile *loops = profile_loops(&c);
    unsigned *times = arena_array(&c.arena, unsigned, c.nloops + 1);
    for (unsigned i = 0; i < c.nloops; i++) {
        times[i] = is_worth_it(&c, (int)i, &loops[i]) ? LOOP_FULLY : 1;
        k->marked |= times[i] == LOOP_FULLY;
    }
    if (k->marked)
        loop_unroll(&c, times);
    cfg_fini(&c);
    return true;
}
