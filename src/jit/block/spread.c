// SPDX-License-Identifier: Apache-2.0
// Prefetches in a burst. A processor keeps some 16 lines under way; a prefetch more waits in the pipeline, and what comes behind
// it in the program soon waits too. A block that asks for fifty lines of the next one (opt/prefetch.c) and then goes through a
// loop spends as long on asking as the loop takes, when each of the loop's iterations might have asked for two of them.
//
// So where more prefetches than that stand before a loop, in the block that leads to it, their addresses go into a list and each
// iteration takes the next one of reads and the next one of writes. Only loops whose number of iterations is a constant get a list: none
// of the lines may be left out. What is more than the iterations can take stays where it was.
#include "base/vec.h"
#include "jit/block/block.h"
#include "jit/analysis/loops.h"
#include "jit/ir/pass.h"
#include <string.h>

// Prefetches of one kind: their operands but the address are the same.
struct spread_list {
    LLVMValueRef first;
    struct VEC(LLVMValueRef) calls;
};

static bool is_prefetch(LLVMValueRef x)
{
    return LLVMIsACallInst(x) && !strncmp(call_name(x), "llvm.prefetch", 13);
}

static bool same_kind(LLVMValueRef a, LLVMValueRef b)
{
    for (unsigned i = 1; i < 4; i++)
        if (LLVMGetOperand(a, i) != LLVMGetOperand(b, i))
            return false;
    return true;
}

// A variable of the loop: 0, 1, 2 and so on.
static LLVMValueRef build_iteration(struct block_gen *g, const struct cfg *c, int loop)
{
    const struct cfg_block *header = &c->blocks[c->loops[loop].header];
    LLVMPositionBuilderBefore(g->b, LLVMGetFirstInstruction(header->block));
    LLVMValueRef phi = LLVMBuildPhi(g->b, g->i64, "iteration"), zero = LLVMConstInt(g->i64, 0, 0);
    LLVMPositionBuilderBefore(g->b, LLVMGetBasicBlockTerminator(c->blocks[c->loops[loop].latch].block));
    LLVMValueRef next = LLVMBuildAdd(g->b, phi, LLVMConstInt(g->i64, 1, 0), "");
    for (unsigned i = 0; i < header->npred; i++) {
        LLVMBasicBlockRef from = c->blocks[header->pred[i]].block;
        LLVMAddIncoming(phi, cfg_loop_contains(c, loop, header->pred[i]) ? &next : &zero, &from, 1);
    }
    return phi;
}

static LLVMValueRef entry_in(struct block_gen *g, LLVMValueRef list, LLVMValueRef i)
{
    return LLVMBuildGEP2(g->b, g->ptr, list, &i, 1, "");
}

// Puts the calls of one kind into the loop. `iteration` is its variable, `at` where its header's own instructions begin.
static void build_list(struct block_gen *g, LLVMValueRef function, const struct spread_list *l, unsigned iterations,
                       LLVMValueRef iteration, LLVMValueRef at)
{
    size_t n = l->calls.len, each = n / iterations ? n / iterations : 1,
           more = n > each * iterations ? n - each * iterations : 0;
    if (more > machine_figure(FIGURE_FILLS) / 2) {
        each++;
        more = 0;
    }
    size_t listed = n - more;
    LLVMPositionBuilderBefore(g->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef list = LLVMBuildAlloca(g->b, LLVMArrayType2(g->ptr, listed), "ahead");
    LLVMValueRef most = LLVMConstInt(g->i64, listed - 1, 0);
    LLVMPositionBuilderBefore(g->b, at);
    LLVMValueRef from = LLVMBuildMul(g->b, iteration, LLVMConstInt(g->i64, each, 0), "");
    for (size_t k = 0; k < each; k++) {
        LLVMValueRef i = LLVMBuildAdd(g->b, from, LLVMConstInt(g->i64, k, 0), "");
        if (each * iterations > listed) // those behind the end ask for the last one again
            i = LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntULT, i, most, ""), i, most, "");
        LLVMValueRef address = LLVMBuildLoad2(g->b, g->ptr, entry_in(g, list, i), "");
        LLVMSetOperand(ir_clone(g->b, l->first, NULL), 0, address);
    }
    for (size_t k = 0; k < listed; k++) {
        LLVMValueRef call = l->calls.data[k];
        LLVMPositionBuilderBefore(g->b, call);
        LLVMBuildStore(g->b, LLVMGetOperand(call, 0), entry_in(g, list, LLVMConstInt(g->i64, k, 0)));
        LLVMInstructionEraseFromParent(call);
    }
}

static void spread_loop(struct block_gen *g, const struct cfg *c, int loop)
{
    struct VEC(struct spread_list) lists = {0};
    int before = loop_preheader(c, loop);
    size_t n = 0, most = 0;
    for (LLVMValueRef x = before == CFG_NONE ? NULL : LLVMGetFirstInstruction(c->blocks[before].block); x;
         x = LLVMGetNextInstruction(x)) {
        size_t k = 0;
        if (!is_prefetch(x))
            continue;
        while (k < lists.len && !same_kind(lists.data[k].first, x))
            k++;
        if (k == lists.len)
            vec_push(&lists, ((struct spread_list){.first = x}));
        vec_push(&lists.data[k].calls, x);
        most = lists.data[k].calls.len > most ? lists.data[k].calls.len : most;
        n++;
    }
    unsigned iterations = n > machine_figure(FIGURE_FILLS) ? loop_trip_count(c, loop, TUNE_PREFETCH_SPREAD_MAX) : 0;
    bool spread = iterations >= TUNE_PREFETCH_SPREAD_MIN && most <= (size_t)iterations * TUNE_PREFETCH_SPREAD_EACH;
    if (n > machine_figure(FIGURE_FILLS))
        remark(LLVMBasicBlockAsValue(c->blocks[c->loops[loop].header].block),
               spread ? "%zu prefetches before the loop are made by its %u iterations"
                      : "%zu prefetches stay before the loop, whose %u iterations (0: not known) are too few",
               n, iterations);
    if (spread) {
        LLVMValueRef at = ir_after_phis(LLVMGetFirstInstruction(c->blocks[c->loops[loop].header].block));
        LLVMValueRef iteration = build_iteration(g, c, loop);
        for (size_t k = 0; k < lists.len; k++)
            build_list(g, c->function, &lists.data[k], iterations, iteration, at);
    }
    for (size_t k = 0; k < lists.len; k++)
        vec_free(&lists.data[k].calls);
    vec_free(&lists);
}

static void block_spread(struct block_gen *g, LLVMValueRef function)
{
    struct cfg c;
    cfg_build(&c, function);
    for (unsigned i = 0; i < c.nloops; i++)
        spread_loop(g, &c, (int)i);
    cfg_fini(&c);
}

bool pass_spread_prefetches(struct compilation *c)
{
    struct block_gen g = block_begin(&c->plan, c->d);
    for (size_t r = 0; LLVMGetNamedFunction(c->module, "llvm.prefetch.p0") && r < c->plan.regions.len; r++)
        if (c->plan.regions.data[r].full)
            block_spread(&g, c->plan.regions.data[r].full);
    LLVMDisposeBuilder(g.b);
    return true;
}
