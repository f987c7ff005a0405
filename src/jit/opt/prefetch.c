// SPDX-License-Identifier: Apache-2.0
// Fetching ahead. In a loop with a barrier a block fills tiles in shared memory, then works on them; the next tile is
// often a row of the matrix further, in other pages, where the processor's own prefetching does not follow, and no
// thread loads it before all have done their work. So where the address of a load in such a loop grows by the same
// amount on each turn, scalar code gets a call that asks for the memory of the next turn: heddle.prefetch(address +
// amount). The amount is a hint and need not be exact. (A tiled product of matrices of 1024x1024: 1.5x. Loops without a
// barrier have many loads under way anyway, and lost: up to 4x.)
//
// The best place for the call is behind the barrier that follows the load: among the loads a gang's requests come in one
// burst that the first cache has no room for, so that the loads behind them wait; behind the barrier each gang asks for its
// few lines and goes on with its work on the tile. The address is computed again there, from what the loop carries. Where
// there is no such place the call stands before the load and asks for the second cache only, since steps of a power of two
// meet in few lines of the first.
//
// Small steps, a row's next line, the processor follows by itself, in so many rows as it keeps track of. In blocks that go
// through more rows than that at once (64 of a register-tiled product) they are asked for too; with fewer it lost a tenth.
#include "base/vec.h"
#include "jit/analysis/linear.h"
#include "jit/analysis/loops.h"
#include "jit/ir/ir.h"
#include "jit/ir/tuning.h"
#include "jit/ir/dialect.h"
#include "jit/ir/remat.h"
#include "jit/analysis/cfg.h"
#include "jit/ir/pass.h"
#include "jit/ir/remark.h"

enum { ADDRESS_MAX = 24 }; // instructions of an address that is computed again

struct walk {
    struct cfg cfg;
    LLVMBuilderRef b;
    LLVMTypeRef i64, i8;
    int loop;
    bool small; // steps of a line as well
};

// By how much the address grows on each iteration; lost: not known.
static struct linear step_of(const struct walk *w, LLVMValueRef address)
{
    struct linear at = linear_of(address);
    return linear_step(&w->cfg, w->loop, &at);
}

// An access near an address that is loaded from as well needs nothing of its own.
static bool has_neighbour(const struct walk *w, LLVMValueRef address)
{
    int64_t c;
    if (!ir_is_byte_gep(address) || !value_constant(LLVMGetOperand(address, 1), &c) || c <= -64 || c >= 64)
        return false;
    FOR_USES (LLVMGetOperand(address, 0), u)
        if (LLVMIsALoadInst(LLVMGetUser(u)) && loop_has(&w->cfg, w->loop, LLVMGetUser(u)))
            return true;
    return false;
}

static bool has_barrier(const struct walk *w)
{
    FOR_LOOP (&w->cfg, w->loop, x)
        if (op_is_barrier(x))
            return true;
    return false;
}

// The barrier that comes after the load on every way, in the same loop; NULL: none.
static LLVMValueRef barrier_behind(const struct walk *w, LLVMValueRef load)
{
    int from = cfg_index(&w->cfg, LLVMGetInstructionParent(load));
    for (LLVMValueRef x = LLVMGetNextInstruction(load); x; x = LLVMGetNextInstruction(x))
        if (op_is_barrier(x))
            return x;
    for (int k = w->cfg.blocks[from].ipdom; k != CFG_NONE; k = w->cfg.blocks[k].ipdom) {
        if (w->cfg.blocks[k].loop != w->loop || !cfg_dominates(&w->cfg, from, k))
            return NULL;
        FOR_INSTRUCTIONS (w->cfg.blocks[k].block, x)
            if (op_is_barrier(x))
                return x;
    }
    return NULL;
}

// By arithmetic alone, from what the loop carries and what is known outside.
static enum remat repeats(const void *with, LLVMValueRef x)
{
    const struct walk *w = with;
    if (!loop_has(&w->cfg, w->loop, x) || LLVMIsAPHINode(x))
        return REMAT_AT_HAND;
    return ir_is_byte_gep(x) ||
                   IR_IS(x, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMOr, LLVMSExt, LLVMZExt, IR_POINTER_CAST)
               ? REMAT_AGAIN
               : REMAT_NEVER;
}

static void mark_load(const struct walk *w, LLVMValueRef load)
{
    LLVMValueRef address = LLVMGetOperand(load, 0), barrier = barrier_behind(w, load);
    struct linear step = step_of(w, address);
    int64_t least = w->small ? TUNE_LINE : TUNE_STRIDE_FAR;
    if (step.lost) {
        remark(load, "nothing: how far the address goes on is not known");
        return;
    }
    if (!step.n && step.plus < least && step.plus > -least) {
        remark(load, "nothing: a step of %lld bytes the processor follows by itself", (long long)step.plus);
        return;
    }
    bool behind = barrier && remat_cost(address, ADDRESS_MAX, repeats, w) <= ADDRESS_MAX;
    struct map done = {0};
    LLVMPositionBuilderBefore(w->b, behind ? LLVMGetNextInstruction(barrier) : load);
    address = behind ? remat_build(w->b, address, &done, repeats, w) : address;
    map_free(&done);
    LLVMValueRef by = linear_build(w->b, w->i64, &step);
    address = LLVMBuildGEP2(w->b, w->i8, address, &by, 1, "");
    prefetch_emit(w->b, address, behind ? PREFETCH_NEAR : PREFETCH_FAR);
    remark(load, "the next iteration's line is prefetched %s", behind ? "behind the barrier" : "before the load");
}

// The loads of this loop that go on by a line or a few on each iteration.
static unsigned count_small(struct walk *w, const LLVMValueRef *loads, size_t n)
{
    unsigned count = 0;
    for (size_t i = 0; i < n; i++) {
        if (w->cfg.blocks[cfg_index(&w->cfg, LLVMGetInstructionParent(loads[i]))].loop != w->loop)
            continue;
        struct linear step = step_of(w, LLVMGetOperand(loads[i], 0));
        int64_t bytes = step.plus < 0 ? -step.plus : step.plus;
        count += !step.lost && !step.n && bytes >= TUNE_LINE && bytes < TUNE_STRIDE_FAR;
    }
    return count;
}

static void prefetch_mark(struct region_plan *plan, LLVMValueRef kernel)
{
    struct walk w = {.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(plan->module))};
    struct VEC(LLVMValueRef) loads = {0};
    unsigned gangs = plan->block[0] * plan->block[1] * plan->block[2] / plan->width;
    w.i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(plan->module));
    w.i8 = LLVMInt8TypeInContext(LLVMGetModuleContext(plan->module));
    cfg_build(&w.cfg, kernel);
    for (unsigned i = 0; i < w.cfg.norder; i++) {
        if (w.cfg.blocks[w.cfg.order[i]].loop == CFG_NONE)
            continue;
        FOR_INSTRUCTIONS (w.cfg.blocks[w.cfg.order[i]].block, x)
            if (LLVMIsALoadInst(x) && ir_space(LLVMGetOperand(x, 0)) == AS_GLOBAL)
                vec_push(&loads, x);
    }
    if (loads.len > TUNE_PREFETCH_LOADS_MAX)
        remark(NULL, "nothing: %zu loads in loops, more than %d", loads.len, TUNE_PREFETCH_LOADS_MAX);
    for (size_t i = 0; i < loads.len && loads.len <= TUNE_PREFETCH_LOADS_MAX; i++) {
        LLVMValueRef x = loads.data[i], address = LLVMGetOperand(x, 0);
        w.loop = w.cfg.blocks[cfg_index(&w.cfg, LLVMGetInstructionParent(x))].loop;
        if (!has_barrier(&w) || has_neighbour(&w, address)) {
            remark(x, "nothing: %s", has_barrier(&w) ? "another load is beside it" : "no barrier in the loop");
            continue;
        }
        w.small = count_small(&w, loads.data, loads.len) * gangs > TUNE_PREFETCH_STREAMS;
        mark_load(&w, x);
    }
    vec_free(&loads);
    LLVMDisposeBuilder(w.b);
    cfg_fini(&w.cfg);
}

bool pass_prefetch(struct compilation *c)
{
    prefetch_mark(&c->plan, c->t.kernel);
    return true;
}
