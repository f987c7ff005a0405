// SPDX-License-Identifier: Apache-2.0
// Prefetching. In a loop with a barrier a block fills tiles in shared memory, then works on them; the next tile is
// often a row of the matrix further, in other pages, where the processor's own prefetching does not follow, and no
// thread loads it before all have done their work. So where the address of a load in such a loop grows by the same
// amount on each iteration, scalar code gets a call that asks for the memory of the next iteration: heddle.prefetch(address +
// amount). The amount is a hint and need not be exact. (A tiled product of matrices of 1024x1024: 1.5x. Loops without a
// barrier have many loads under way anyway, and lost: up to 4x.)
//
// The call stands best behind the barrier that follows the load: among the loads a gang's requests come in one
// burst that the first cache has no room for, so that the loads behind them wait; behind the barrier each gang asks for its
// few lines and goes on with its work on the tile. The address is computed again there, from what the loop carries. Where
// there is no such barrier the call stands before the load and asks for the second cache only, since steps of a power of two
// meet in few lines of the first.
//
// Small steps, a row's next line, the processor follows by itself, in so many rows as it keeps track of. In blocks that go
// through more rows than that at once (64 of a register-tiled product) they are asked for too; with fewer it lost a tenth.
#include "jit/analysis/address.h"
#include "jit/analysis/loop/cost.h"
#include "jit/ir/remat.h"
#include "jit/ir/pass.h"

enum { ADDRESS_MAX = 24, DEPTH = 40 }; // ADDRESS_MAX: instructions of an address that is computed again

struct walk {
    struct cfg cfg;
    LLVMBuilderRef b;
    LLVMTypeRef i64, i8;
    int loop;
    struct loop_accesses accesses; // of the loop
};

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

// The first barrier from this instruction of a block on.
static LLVMValueRef first_barrier(LLVMValueRef x)
{
    while (x && !op_is_barrier(x))
        x = LLVMGetNextInstruction(x);
    return x;
}

// The barrier that comes after the load on every path, in the same loop; NULL: none.
static LLVMValueRef barrier_behind(const struct walk *w, LLVMValueRef load)
{
    int from = cfg_index(&w->cfg, LLVMGetInstructionParent(load));
    LLVMValueRef found = first_barrier(LLVMGetNextInstruction(load));
    for (int k = w->cfg.blocks[from].ipdom; k != CFG_NONE && !found; k = w->cfg.blocks[k].ipdom) {
        if (w->cfg.blocks[k].loop != w->loop || !cfg_dominates(&w->cfg, from, k))
            return NULL;
        found = first_barrier(LLVMGetFirstInstruction(w->cfg.blocks[k].block));
    }
    return found;
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

// Asks for what lies a step further than a load.
static void ask(const struct walk *w, LLVMValueRef load, LLVMValueRef address, const struct linear *step)
{
    LLVMValueRef barrier = barrier_behind(w, load);
    bool behind = barrier && remat_cost(address, ADDRESS_MAX, repeats, w) <= ADDRESS_MAX;
    struct map done = {0};
    LLVMPositionBuilderBefore(w->b, behind ? LLVMGetNextInstruction(barrier) : load);
    address = behind ? remat_build(w->b, address, &done, repeats, w) : address;
    map_free(&done);
    LLVMValueRef by = linear_build(w->b, w->i64, step);
    address = LLVMBuildGEP2(w->b, w->i8, address, &by, 1, "");
    prefetch_emit(w->b, address, behind ? PREFETCH_NEAR : PREFETCH_FAR);
    remark(load, "the next iteration's line is prefetched %s", behind ? "behind the barrier" : "before the load");
}

// What a generic pointer leads to may be shared memory, which is there already.
static bool is_asked_for(const struct loop_access *a)
{
    return !a->write && ir_space(a->address) == AS_GLOBAL;
}

// Loads of the loop that go on by a line or a few on each iteration, in all gangs of the block.
static unsigned count_rows(const struct walk *w, unsigned gangs)
{
    unsigned n = 0;
    for (size_t i = 0; i < w->accesses.len; i++) {
        const struct loop_access *a = &w->accesses.data[i];
        bool fetched = is_asked_for(a) && !a->step.lost && cost_is_fetched(&a->step, 0);
        n += fetched && (a->step.plus >= TUNE_LINE || a->step.plus <= -TUNE_LINE);
    }
    return n * gangs;
}

static void mark_loop(struct walk *w, const struct profile *loops, unsigned gangs)
{
    bool waits = false; // in loops inside too
    for (unsigned i = 0; i < w->cfg.nloops; i++)
        waits |= loops[i].barriers && cfg_loop_contains(&w->cfg, w->loop, w->cfg.loops[i].header);
    profile_accesses(&w->cfg, w->loop, &w->accesses);
    unsigned rows = count_rows(w, gangs);
    for (size_t i = 0; i < w->accesses.len; i++) {
        const struct loop_access *a = &w->accesses.data[i];
        if (!is_asked_for(a))
            continue;
        if (!waits || has_neighbour(w, a->address))
            remark(a->instruction, "nothing: %s", waits ? "another load is beside it" : "no barrier in the loop");
        else if (a->step.lost)
            remark(a->instruction, "nothing: how far the address goes on is not known");
        else if (cost_is_fetched(&a->step, rows))
            remark(a->instruction, "nothing: a step of %lld bytes the processor follows by itself",
                   (long long)a->step.plus);
        else
            ask(w, a->instruction, a->address, &a->step);
    }
}

bool pass_prefetch(struct compilation *c)
{
    struct walk w = {.b = LLVMCreateBuilderInContext(c->context)};
    unsigned gangs = plan_threads(&c->plan) / c->plan.width, loads = 0;
    w.i64 = LLVMInt64TypeInContext(c->context);
    w.i8 = LLVMInt8TypeInContext(c->context);
    cfg_build(&w.cfg, c->t.kernel);
    const struct profile *loops = profile_loops(&w.cfg);
    for (unsigned i = 0; i < w.cfg.nloops; i++)
        loads += loops[i].global;
    if (loads > TUNE_PREFETCH_LOADS_MAX)
        remark(NULL, "nothing: %u loads in loops, more than %d", loads, TUNE_PREFETCH_LOADS_MAX);
    for (w.loop = 0; w.loop < (int)w.cfg.nloops && loads <= TUNE_PREFETCH_LOADS_MAX; w.loop++)
        mark_loop(&w, loops, gangs);
    vec_free(&w.accesses);
    LLVMDisposeBuilder(w.b);
    cfg_fini(&w.cfg);
    return true;
}

// The next block

// Fetching for the next block. A block with barriers begins with loads of its tile and ends with stores of it. One thread
// of the engine runs blocks one after the other, and their rows lie far apart: where a block is one chain of steps that
// wait for each other, nothing overlaps with these misses. So behind the first barrier that is in no loop the code asks for
// what the block after this one (heddle.ctaid.next) will touch: every global access whose address is arithmetic on parameters
// and on the thread's and the block's numbers is computed once more for that block. Nothing but parameters is loaded for it: other
// constant memory may not be there for a block that does not come to the access. It is a hint: at the end of a row of
// blocks the address is wrong, and nothing comes of it. The last block that this thread runs asks for its own lines: the one
// behind it is another thread's, which is at work on it and would have to fetch back what is taken from it here. Addresses that do not come from the block's number, and those in
// loops, are left alone; so are kernels that would need many instructions for it, and addresses without a product of two
// values, such as a row's number and its length: there blocks go through memory one after the other, which the processor
// foresees by itself (softmax lost a fifth).
struct next_search {
    struct map moves; // instruction -> how its value changes from block to block
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
           (LLVMIsAGetElementPtrInst(x) && LLVMGetNumOperands(x) == 2) || address_parameter(x, &(int64_t){0});
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
        r = !op_is(x, IS_SREG) || LLVMGetNumArgOperands(x) ? UNKNOWN : op_of(x) == OP_CTAID_X ? MOVES : FIXED;
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

// Poison that an address of the next block may be does no harm: it is a hint.
static enum remat again(const void *with, LLVMValueRef x)
{
    (void)with, (void)x;
    return REMAT_AGAIN;
}

static LLVMValueRef access_address(LLVMValueRef x)
{
    LLVMValueRef p = IR_IS(x, LLVMLoad, LLVMStore) ? ir_address(x) : NULL;
    return p && ir_space(p) == AS_GLOBAL && LLVMIsAInstruction(p) ? p : NULL;
}

bool pass_prefetch_block(struct compilation *c)
{
    struct next_search a = {0};
    struct VEC(LLVMValueRef) found = {0};
    struct map copies = {0}; // instruction -> its copy for the next block
    struct cfg cfg;
    LLVMValueRef barrier = NULL;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    cfg_build(&cfg, c->t.kernel);
    FOR_LOOP_OWN(&cfg, CFG_NONE, x)
    barrier = !barrier && op_is_barrier(x) ? x : barrier;
    FOR_LOOP_OWN(&cfg, CFG_NONE, x)
    {
        LLVMValueRef p = barrier ? access_address(x) : NULL;
        if (p && moves(&a, p, DEPTH) == MOVES_ROWS)
            vec_push(&found, x);
    }
    if (!barrier)
        remark(NULL, "nothing: no barrier outside of loops");
    else if (found.len < TUNE_PREFETCH_BLOCK_MIN || found.len > TUNE_PLANNED_ACCESSES_MAX ||
             a.instructions > TUNE_PLANNED_WORK_MAX)
        remark(NULL, "nothing: %zu accesses by rows; between %d and %d pay, with little arithmetic", found.len,
               TUNE_PREFETCH_BLOCK_MIN, TUNE_PLANNED_ACCESSES_MAX);
    else {
        remark(barrier, "%zu lines of the next block are prefetched", found.len);
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(barrier));
        LLVMValueRef next = op_build(b, OP_CTAID_NEXT, NULL, 0);
        FOR_FUNCTION (c->t.kernel, x)
            if (op_of(x) == OP_CTAID_X)
                map_put_ptr(&copies, x, next);
        for (size_t i = 0; i < found.len; i++)
            prefetch_emit(b, remat_build(b, access_address(found.data[i]), &copies, again, NULL),
                          LLVMIsAStoreInst(found.data[i]) ? PREFETCH_WRITE | PREFETCH_NEAR : PREFETCH_NEAR);
    }
    LLVMDisposeBuilder(b);
    vec_free(&found);
    map_free(&copies);
    map_free(&a.moves);
    cfg_fini(&cfg);
    return true;
}
