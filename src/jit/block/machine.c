// SPDX-License-Identifier: Apache-2.0
// Emits the gang function that the scheduler (abi/run.c) drives: it looks at the state words of a gang's lanes and
// runs each resume point that some of them stand at, with those lanes. When all agree, as they mostly do, that is one
// compare and one jump. Where they cannot but agree (plan_gangs_whole) it is handed the gang's point and returns the next state.
#include "jit/block/block.h"
#include <string.h>

// A function of abi/run.c; the loader puts its address in.
LLVMValueRef block_call_run(struct block_gen *g, const char *name, LLVMTypeRef ret, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef f = LLVMGetNamedFunction(g->module, name);
    if (!f)
        f = LLVMAddFunction(g->module, name, ir_function_type(ret, args, n));
    return ir_call(g->b, f, args, n);
}

static LLVMValueRef splat(struct block_gen *g, LLVMValueRef x)
{
    LLVMValueRef poison = LLVMGetPoison(g->vector);
    LLVMValueRef one = LLVMBuildInsertElement(g->b, poison, x, block_const(g, 0), "");
    return LLVMBuildShuffleVector(g->b, one, poison, LLVMConstNull(g->vector), "");
}

static LLVMValueRef greatest(struct block_gen *g, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return ir_intrinsic(g->b, "llvm.vector.reduce.umax", &type, 1, &v, 1);
}

static LLVMValueRef any(struct block_gen *g, LLVMValueRef bits) // <W x i1>
{
    LLVMValueRef m = LLVMBuildSExt(g->b, bits, g->vector, "");
    return LLVMBuildIsNotNull(g->b, greatest(g, m), "any");
}

static LLVMValueRef lanes_word(struct block_gen *g, LLVMValueRef bits)
{
    LLVMTypeRef word = LLVMIntTypeInContext(g->context, g->width);
    return LLVMBuildZExtOrBitCast(g->b, LLVMBuildBitCast(g->b, bits, word, ""), g->i32, "");
}

// The state of a lane that may run is its bare resume point, greater than 0.
static LLVMValueRef may_run(struct block_gen *g, LLVMValueRef state)
{
    return LLVMBuildICmp(g->b, LLVMIntSGT, state, LLVMConstNull(LLVMTypeOf(state)), "");
}

static LLVMValueRef result_vector(struct block_gen *g, LLVMValueRef result)
{
    return LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVectorTypeKind ? result : splat(g, result);
}

struct gang_code {
    LLVMValueRef gang, slot;
    LLVMValueRef states, kept; // kept: of lanes that do not run
    LLVMBasicBlockRef nothing;
};

static void store_states(struct block_gen *g, const struct gang_code *c, LLVMValueRef states)
{
    ir_store(g->b, states, c->slot, g->width * 4 < 64 ? g->width * 4 : 64);
}

// In phases: what a sweep brought, of any gang.
enum { PHASE_LEFT = 1, PHASE_YIELDED = 2 };

// Lanes that stand at a yield; in phases there is none but those within the block.
static LLVMValueRef yielded(struct block_gen *g, LLVMValueRef states)
{
    LLVMValueRef kind = LLVMBuildLShr(g->b, states, splat(g, block_const(g, RESUME_KIND_SHIFT)), "");
    return LLVMBuildICmp(g->b, LLVMIntEQ, kind, splat(g, block_const(g, RESUME_YIELD)), "yielded");
}

// What the driver wants to know: which lanes ran; in phases, whether any lane is left, and any at a yield.
static void build_return(struct block_gen *g, LLVMValueRef states, LLVMValueRef ran)
{
    if (g->form == BLOCK_PHASES) {
        LLVMValueRef left = any(g, LLVMBuildICmp(g->b, LLVMIntNE, states, LLVMConstNull(g->vector), ""));
        LLVMValueRef result = LLVMBuildZExt(g->b, left, g->i32, "");
        if (g->yields_block) {
            LLVMValueRef some = LLVMBuildZExt(g->b, any(g, yielded(g, states)), g->i32, "");
            result = LLVMBuildOr(g->b, result, LLVMBuildMul(g->b, some, block_const(g, PHASE_YIELDED), ""), "");
        }
        LLVMBuildRet(g->b, result);
    } else {
        LLVMBuildRet(g->b, ran);
    }
}

static LLVMValueRef build_switch(struct block_gen *g, LLVMValueRef point, LLVMBasicBlockRef *at,
                                 LLVMBasicBlockRef never)
{
    unsigned n = (unsigned)g->plan->regions.len;
    LLVMValueRef s = LLVMBuildSwitch(g->b, point, never, n);
    for (unsigned r = 0; r < n; r++) {
        at[r] = block_new(g, "at");
        LLVMAddCase(s, block_const(g, r ? r : RESUME_START), at[r]);
    }
    return s;
}

// All lanes stand at one point.
static void emit_agreed(struct block_gen *g, const struct gang_code *c, LLVMValueRef state)
{
    unsigned n = (unsigned)g->plan->regions.len;
    LLVMBasicBlockRef *at = xcalloc(n, sizeof *at), run = block_new(g, "run");
    ir_branch(g->b, may_run(g, state), run, c->nothing, run);
    build_switch(g, state, at, c->nothing);
    uint32_t all = g->width == 32 ? UINT32_MAX : (1u << g->width) - 1;
    for (unsigned r = 0; r < n; r++) {
        LLVMPositionBuilderAtEnd(g->b, at[r]);
        LLVMValueRef next = result_vector(g, block_call_region(g, r, c->gang, NULL));
        store_states(g, c, next);
        build_return(g, next, block_const(g, all));
    }
    free(at);
}

// One point after another; lanes that move on do not run again here.
static void emit_divided(struct block_gen *g, const struct gang_code *c)
{
    unsigned n = (unsigned)g->plan->regions.len;
    LLVMBasicBlockRef *at = xcalloc(n, sizeof *at), before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef head = block_new(g, "divided"), pick = block_new(g, "pick"), done = block_new(g, "divided_done");
    LLVMValueRef first = may_run(g, c->states), zero = LLVMConstNull(g->vector);
    ir_enter(g->b, head);
    LLVMValueRef left = LLVMBuildPhi(g->b, LLVMTypeOf(first), "left"), out = LLVMBuildPhi(g->b, g->vector, "out");
    LLVMAddIncoming(left, &first, &before, 1);
    LLVMAddIncoming(out, (LLVMValueRef[]){c->kept}, &before, 1);
    ir_branch(g->b, any(g, left), pick, done, pick);
    LLVMValueRef candidates = LLVMBuildSelect(g->b, left, c->states, zero, "");
    LLVMValueRef point = greatest(g, candidates);
    LLVMValueRef here = LLVMBuildICmp(g->b, LLVMIntEQ, candidates, splat(g, point), "here");
    LLVMValueRef rest = LLVMBuildAnd(g->b, left, LLVMBuildNot(g->b, here, ""), "");
    LLVMValueRef mask = LLVMBuildSExt(g->b, here, g->vector, "mask");
    build_switch(g, point, at, c->nothing);
    for (unsigned r = 0; r < n; r++) {
        LLVMPositionBuilderAtEnd(g->b, at[r]);
        if (!g->plan->regions.data[r].masked) { // no gang is divided here
            LLVMBuildBr(g->b, c->nothing);
            continue;
        }
        LLVMValueRef next = result_vector(g, block_call_region(g, r, c->gang, mask));
        next = LLVMBuildSelect(g->b, here, next, out, "");
        LLVMBasicBlockRef end = LLVMGetInsertBlock(g->b);
        LLVMAddIncoming(left, &rest, &end, 1);
        LLVMAddIncoming(out, &next, &end, 1);
        LLVMBuildBr(g->b, head);
    }
    LLVMPositionBuilderAtEnd(g->b, done);
    store_states(g, c, out);
    build_return(g, out, lanes_word(g, first));
    free(at);
}

static LLVMValueRef states_of(struct block_gen *g, LLVMValueRef gang)
{
    LLVMValueRef size = LLVMConstInt(g->i64, 4 * g->width, 0), head = LLVMConstInt(g->i64, RESUME_BLOCK_BYTES, 0);
    LLVMValueRef offset = LLVMBuildMul(g->b, LLVMBuildZExt(g->b, gang, g->i64, ""), size, "");
    offset = LLVMBuildAdd(g->b, offset, head, "");
    return LLVMBuildGEP2(g->b, g->i8, g->frame, &offset, 1, "states");
}

// In phases a lane runs from the barrier where it waits, which is released; but while some lanes of the block stand at
// yields (`only`, i32), those alone.
static void choose_lanes(struct block_gen *g, struct gang_code *c, LLVMValueRef only)
{
    LLVMValueRef words = c->states;
    c->states = c->kept = LLVMBuildAnd(g->b, words, splat(g, block_const(g, RESUME_POINT_MASK)), "");
    if (!g->yields_block)
        return;
    LLVMValueRef all = LLVMBuildICmp(g->b, LLVMIntEQ, splat(g, only), LLVMConstNull(g->vector), "");
    LLVMValueRef runs = LLVMBuildOr(g->b, all, yielded(g, words), "");
    c->states = LLVMBuildSelect(g->b, runs, c->states, LLVMConstNull(g->vector), "");
    c->kept = words;
}

// Afterwards g is as it was before.
static LLVMValueRef emit_gang(struct block_gen *g)
{
    struct block_gen caller = *g;
    LLVMTypeRef more[2] = {g->i32, g->i32};
    g->b = LLVMCreateBuilderInContext(g->context);
    LLVMValueRef f = block_function(g, "heddle.gang", g->i32, more, g->form == BLOCK_PHASES ? 2 : 1);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    if (merge_any(g->plan))
        g->next = block_merge_room(g);
    struct gang_code c = {.gang = LLVMGetParam(f, 2), .nothing = block_new(g, "nothing")};
    c.slot = states_of(g, c.gang);
    c.states = LLVMBuildLoad2(g->b, g->vector, c.slot, "states");
    LLVMSetAlignment(c.states, g->width * 4 < 64 ? g->width * 4 : 64);
    c.kept = c.states;
    if (g->form == BLOCK_PHASES)
        choose_lanes(g, &c, LLVMGetParam(f, 3));
    LLVMValueRef state = LLVMBuildExtractElement(g->b, c.states, block_const(g, 0), "");
    LLVMBasicBlockRef agreed = block_new(g, "agreed"), divided = block_new(g, "divided");
    if (g->width > 1) {
        LLVMValueRef differs = LLVMBuildICmp(g->b, LLVMIntNE, c.states, splat(g, state), "");
        ir_branch(g->b, any(g, differs), divided, agreed, divided);
        emit_divided(g, &c);
    } else {
        LLVMBuildBr(g->b, agreed);
        LLVMDeleteBasicBlock(divided);
    }
    LLVMPositionBuilderAtEnd(g->b, agreed);
    emit_agreed(g, &c, state);
    LLVMPositionBuilderAtEnd(g->b, c.nothing);
    build_return(g, c.kept, block_const(g, 0));
    LLVMDisposeBuilder(g->b);
    *g = caller;
    return f;
}

// The code of a gang that stays whole, from a resume point (i32) to the next.
static LLVMValueRef emit_step(struct block_gen *g)
{
    struct block_gen caller = *g;
    LLVMTypeRef more[2] = {g->i32, g->i32};
    unsigned n = (unsigned)g->plan->regions.len;
    LLVMBasicBlockRef *at = xcalloc(n, sizeof *at);
    g->b = LLVMCreateBuilderInContext(g->context);
    LLVMValueRef f = block_function(g, "heddle.gang", g->i32, more, 2);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    if (merge_any(g->plan))
        g->next = block_merge_room(g);
    LLVMBasicBlockRef never = block_new(g, "never");
    build_switch(g, LLVMGetParam(f, 3), at, never);
    for (unsigned r = 0; r < n; r++) {
        LLVMPositionBuilderAtEnd(g->b, at[r]);
        LLVMBuildRet(g->b, block_call_region(g, r, LLVMGetParam(f, 2), NULL));
    }
    LLVMPositionBuilderAtEnd(g->b, never);
    LLVMBuildUnreachable(g->b);
    free(at);
    LLVMDisposeBuilder(g->b);
    *g = caller;
    return f;
}

static uint32_t wait_flags(enum region_wait wait, unsigned op)
{
    switch (wait) {
    case REGION_WARP:
        return RESUME_HAS_WARPS;
    case REGION_CLUSTER:
        return RESUME_HAS_CLUSTERS;
    case REGION_BARRIER:
        return op & RESUME_OP_MASK ? RESUME_HAS_RESULTS : 0;
    case REGION_YIELD:
        return RESUME_HAS_YIELDS | RESUME_HAS_SPINS;
    case REGION_YIELD_BLOCK:
        return RESUME_HAS_YIELDS;
    default:
        return 0;
    }
}

static uint32_t flags(const struct block_gen *g)
{
    uint32_t f = (g->plan->descending ? RESUME_DESCENDING : 0) | (g->plan->eager ? RESUME_EAGER : 0) |
                 (g->plan->debugger ? RESUME_DEBUGGED : 0);
    for (size_t r = 0; r < g->plan->regions.len; r++)
        f |= wait_flags(g->plan->regions.data[r].wait, g->plan->regions.data[r].op);
    for (size_t i = 0; i < g->plan->stops.len; i++)
        f |= wait_flags(g->plan->stops.data[i].wait, g->plan->stops.data[i].op);
    return f;
}

// for (gang = 0; gang < limit; gang++): leaves the builder in the body; loop_end closes it and leaves it behind.
struct loop {
    LLVMBasicBlockRef head, done;
    LLVMValueRef index;
};

static struct loop loop_begin(struct block_gen *g, LLVMValueRef limit)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), body = block_new(g, "body");
    struct loop l = {block_new(g, "loop"), block_new(g, "loop_done"), NULL};
    LLVMValueRef zero = block_const(g, 0);
    ir_enter(g->b, l.head);
    l.index = LLVMBuildPhi(g->b, g->i32, "");
    LLVMAddIncoming(l.index, &zero, &before, 1);
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntULT, l.index, limit, ""), body, l.done, body);
    return l;
}

static void loop_end(struct block_gen *g, const struct loop *l)
{
    LLVMValueRef next = LLVMBuildAdd(g->b, l->index, block_const(g, 1), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(g->b);
    LLVMSetNUW(next, 1);
    LLVMSetNSW(next, 1);
    LLVMAddIncoming(l->index, &next, &end, 1);
    ir_jump(g->b, l->head, l->done);
}

// Which gang comes at this position of a sweep. Threads that are gangs of their own go downwards: a program whose lanes all read what
// lane 0 then overwrites, which lockstep lets pass, gets the same answer so, without a yield. Where the plan asks for the other
// order, it is the other way round.
static LLVMValueRef sweep_order(struct block_gen *g, LLVMValueRef index)
{
    if ((g->width == 1) == g->plan->descending)
        return index;
    return LLVMBuildSub(g->b, LLVMBuildSub(g->b, g->gangs, block_const(g, 1), ""), index, "");
}

// Every wait is a barrier of the whole block: after a sweep over the gangs, all who have not finished wait for it or
// stand at yields. While some do, the next sweep is theirs alone, and the barrier is not released.
static void emit_phases(struct block_gen *g, LLVMValueRef gang)
{
    LLVMValueRef start = splat(g, block_const(g, RESUME_START)), lanes, zero = block_const(g, 0);
    LLVMValueRef left = LLVMBuildAlloca(g->b, g->i32, "left");
    struct loop l = loop_begin(g, g->gangs);
    lanes = LLVMBuildSub(g->b, g->threads, LLVMBuildMul(g->b, l.index, block_const(g, g->width), ""), "");
    struct gang_code c = {.slot = states_of(g, l.index)};
    store_states(g, &c, LLVMBuildAnd(g->b, start, block_mask_below(g, lanes), ""));
    loop_end(g, &l);
    LLVMBasicBlockRef sweep = block_new(g, "sweep"), done = block_new(g, "done");
    LLVMBuildStore(g->b, zero, left);
    ir_enter(g->b, sweep);
    LLVMValueRef only = LLVMBuildAnd(g->b, LLVMBuildLoad2(g->b, g->i32, left, ""), block_const(g, PHASE_YIELDED), "");
    LLVMBuildStore(g->b, zero, left);
    l = loop_begin(g, g->gangs);
    LLVMValueRef a[4] = {g->launch, g->block, sweep_order(g, l.index), only};
    LLVMValueRef lives = ir_call(g->b, gang, a, 4);
    LLVMBuildStore(g->b, LLVMBuildOr(g->b, LLVMBuildLoad2(g->b, g->i32, left, ""), lives, ""), left);
    loop_end(g, &l);
    LLVMValueRef none = LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildLoad2(g->b, g->i32, left, ""), zero, "");
    ir_branch(g->b, none, done, sweep, done);
}

// The code of one thread, from its beginning to its end.
static LLVMValueRef emit_thread(struct block_gen *g)
{
    struct block_gen caller = *g;
    g->b = LLVMCreateBuilderInContext(g->context);
    LLVMValueRef f = block_function(g, "heddle.thread", g->void_type, &g->i32, 1);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    block_call_region(g, 0, LLVMGetParam(f, 2), NULL);
    LLVMBuildRetVoid(g->b);
    LLVMDisposeBuilder(g->b);
    *g = caller;
    return f;
}

// The engine gives each thread a stack, and schedules them as it would their regions.
static void emit_stacks(struct block_gen *g)
{
    LLVMValueRef a[5] = {g->block, g->threads, emit_thread(g), g->padded, block_const(g, flags(g))};
    LLVMValueRef hooks = block_field(g, g->ptr, g->launch, offsetof(struct jit_launch, hooks));
    LLVMValueRef hook = block_field(g, g->ptr, hooks, sizeof(void *) * JIT_HOOK_run_stacks);
    LLVMBuildRet(g->b, ir_call_pointer(g->b, g->i32, hook, a, 5));
}

void block_emit_machine(struct block_gen *g)
{
    if (g->plan->stacks) {
        emit_stacks(g);
        return;
    }
    LLVMValueRef gang = g->form == BLOCK_GANGS ? emit_step(g) : emit_gang(g);
    if (merge_any(g->plan)) {
        g->next = block_merge_room(g);
        block_merge_begin(g);
    }
    if (g->form == BLOCK_PHASES) {
        emit_phases(g, gang);
        block_merge_end(g);
        LLVMBuildRet(g->b, block_const(g, JIT_DONE));
        return;
    }
    LLVMValueRef result, how = block_const(g, flags(g));
    if (g->form == BLOCK_GANGS) {
        LLVMValueRef a[5] = {g->launch, g->block, gang, g->gangs, how};
        result = block_call_run(g, "heddle_resume_gangs", g->i32, a, 5);
    } else {
        LLVMValueRef a[7] = {g->launch, g->block, gang, g->threads, g->padded, block_const(g, g->width), how};
        result = block_call_run(g, "heddle_resume_machine", g->i32, a, 7);
    }
    block_merge_end(g);
    LLVMBuildRet(g->b, result);
}
