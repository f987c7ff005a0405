// SPDX-License-Identifier: Apache-2.0
// Control flow without loops. A block is emitted only where at least one lane runs it, so uniform operations stay
// scalar and uniform branches stay branches. A divergent if becomes a mask: small pure code is simply run and blended;
// other code is jumped around when no lane wants it; and where scalars can tell that all lanes want it, a copy without
// masks runs instead.
#include "jit/gang/memory/access.h"
#include "jit/gang/control/control.h"
#include "jit/analysis/address.h"
#include "jit/host/target.h"
#include <llvm-c/DebugInfo.h>

// A store to a row of each lane's own: through a pointer that goes on by a constant in a loop, or beside the store before it.
static bool writes_row(LLVMValueRef address, struct extent *e)
{
    int64_t distance, step;
    LLVMValueRef source = address_source(address, &distance), before = e->stored;
    e->stored = source;
    return source == before || (LLVMIsAPHINode(source) && loop_phi_step(source, &step));
}

// What is computed beside addresses.
static bool is_work(LLVMValueRef x)
{
    if (IR_IS(x, LLVMAdd, LLVMShl))
        return type_bits(LLVMTypeOf(x)) != 64;
    return !IR_IS(x, LLVMPHI, LLVMBr, LLVMGetElementPtr) && !LLVMIsACastInst(x);
}

void extent_add(struct gang *g, struct extent *e, LLVMValueRef x)
{
    bool vector = gang_shape(g, x).kind == SHAPE_VARYING;
    e->instructions++;
    e->vectors += vector;
    e->memory |= ir_address(x) != NULL;
    e->accesses += IR_IS(x, LLVMLoad, LLVMStore, LLVMAtomicRMW);
    e->acts |= !gang_is_speculatable(x);
    if (!IR_IS(x, LLVMLoad, LLVMStore)) {
        e->work += vector && is_work(x);
        return;
    }
    struct shape s = gang_shape(g, ir_address(x));
    e->scattered += s.kind == SHAPE_VARYING;
    e->affine += s.kind == SHAPE_AFFINE && !shape_is_uniform(g->lanes, &s);
    e->rows |= LLVMIsAStoreInst(x) && s.kind == SHAPE_VARYING && writes_row(ir_address(x), e);
}

// What lies between a branch and its join: the blocks that `then` dominates.
static struct extent measure_then(struct gang *g, int then, bool *flat)
{
    struct extent e = {0};
    const struct cfg *c = &g->f->cfg;
    unsigned cost = 0;
    *flat = true;
    for (unsigned i = 0; i < c->norder; i++) {
        int b = c->order[i];
        if (!cfg_dominates(c, then, b))
            continue;
        LLVMValueRef condition = scalar_fn_condition(g->f, b);
        if (c->blocks[b].loop != c->blocks[then].loop || (condition && gang_is_uniform(g, condition)))
            *flat = false;
        FOR_INSTRUCTIONS (c->blocks[b].block, x) {
            extent_add(g, &e, x);
            if (LLVMGetInstructionOpcode(x) == LLVMBr || LLVMGetInstructionOpcode(x) == LLVMPHI)
                continue;
            cost++;
            *flat &= gang_is_speculatable(x) || gang_is_merged(g, x) || address_parameter(x, &(int64_t){0});
        }
    }
    *flat &= cost <= TUNE_FLATTEN_COST;
    return e;
}

static struct edge emit_then(struct gang *g, const struct if_then *i, LLVMValueRef mask)
{
    struct edge in = edge_read(g, i->block, i->then);
    edge_assign(g, i->then, &in);
    gang_emit_sequence(g, i->then, i->join, mask, i->loop);
    return edge_read(g, i->last, i->join);
}

static void emit_uniform_if(struct gang *g, const struct if_then *i, LLVMValueRef mask)
{
    LLVMValueRef c = gang_scalar(g, i->condition);
    if (loop_leaves_around(g, i, mask)) {
        LLVMBasicBlockRef stay = gang_block(g, "then"), leave = gang_block(g, "leave");
        struct edge around = edge_read(g, i->block, i->join);
        ir_branch(g->b, c, i->negate ? leave : stay, i->negate ? stay : leave, leave);
        loop_leave(g, i, &around);
        LLVMPositionBuilderAtEnd(g->b, stay);
        struct edge through = emit_then(g, i, mask);
        edge_assign(g, i->join, &through);
        return;
    }
    LLVMBasicBlockRef then = gang_block(g, "then"), join = gang_block(g, "join");
    struct edge e[2] = {edge_read(g, i->block, i->join)};
    ir_branch(g->b, c, i->negate ? join : then, i->negate ? then : join, then);
    e[1] = emit_then(g, i, mask);
    ir_enter(g->b, join);
    edge_merge(g, i->join, e, 2);
}

static LLVMValueRef branch_mask(struct gang *g, const struct if_then *i)
{
    LLVMValueRef c = gang_freeze(g, gang_vector(g, i->condition));
    return i->negate ? LLVMBuildNot(g->b, c, "") : c;
}

static void emit_flat_if(struct gang *g, const struct if_then *i, LLVMValueRef mask)
{
    struct edge around = edge_read(g, i->block, i->join);
    uint32_t known;
    bool always, mixed = gang_mixed_lanes(g, i->condition, i->negate, &known, &always) && always;
    LLVMValueRef c = mixed ? gang_mask_constant(g, known) : branch_mask(g, i);
    struct edge through = emit_then(g, i, gang_and(g, mask, c));
    edge_blend(g, i->join, c, &through, &around);
    edge_assign(g, i->join, &through);
}

// The copy for the case that all lanes agree; appends its edges and leaves the builder where they do not.
static unsigned emit_fast_copy(struct gang *g, const struct if_then *i, const struct edge *around,
                               LLVMBasicBlockRef join, struct edge *e)
{
    struct lane_test t;
    unsigned n = 0;
    if (!gang_lane_test(g, i->condition, i->negate, &t))
        return 0;
    int64_t never;
    LLVMBasicBlockRef rest = LLVMGetInsertBlock(g->b), mixed = gang_block(g, "mixed");
    if (!value_constant(t.all, &never)) { // an equality never holds for all
        LLVMBasicBlockRef fast = gang_block(g, "all");
        rest = gang_block(g, "notall");
        ir_branch(g->b, t.all, fast, rest, fast);
        e[n++] = emit_then(g, i, NULL);
        ir_jump(g->b, join, rest);
    }
    e[n++] = (struct edge){rest, around->incoming};
    ir_branch(g->b, t.none, join, mixed, mixed);
    return n;
}

// Whether an instruction does the same under a mask as without.
static bool needs_no_mask(LLVMValueRef x)
{
    enum heddle_op op = op_of(x);
    bool position = op_rows[op].kinds & (IS_TID | IS_NTID | IS_CTAID | IS_NCTAID | IS_FIXED);
    return position || op == OP_LANEID || op == OP_WARPID || op == OP_SHARED || op == OP_CTAID_NEXT ||
           gang_is_speculatable(x) || address_parameter(x, &(int64_t){0});
}

static bool block_needs_no_mask(struct gang *g, int block)
{
    FOR_INSTRUCTIONS (g->f->cfg.blocks[block].block, x)
        if (!needs_no_mask(x))
            return false;
    return g->f->cfg.blocks[block].nsucc == 1;
}

// `if (i < n) do ... while ((i += step) < n)`, as a loop over the elements of a grid is after its test was moved to its end:
// the loop that is all of the `then`, or CFG_NONE.
static int guarded_loop(struct gang *g, const struct if_then *i)
{
    const struct cfg *c = &g->f->cfg;
    int b = i->then, loop = CFG_NONE;
    while (b != i->join) {
        if (c->blocks[b].heads >= 0 && c->blocks[b].heads != i->loop) {
            if (loop != CFG_NONE)
                return CFG_NONE;
            loop = c->blocks[b].heads;
            b = loop_exit(&g->f->cfg, loop);
        } else if (block_needs_no_mask(g, b)) {
            b = c->blocks[b].succ[0];
        } else {
            return CFG_NONE;
        }
    }
    return loop;
}

// With a loop in two phases in the `then`: the second phase, under a mask, serves those who begin with some lanes only.
static bool emit_guarded_loop(struct gang *g, const struct if_then *i)
{
    int loop = guarded_loop(g, i);
    uint32_t known;
    bool always;
    if (loop == CFG_NONE || !gang_all_testable(g, i->condition, i->negate) ||
        gang_mixed_lanes(g, i->condition, i->negate, &known, &always) || !loop_in_phases(g, loop))
        return false;
    struct edge e[4], around = edge_read(g, i->block, i->join);
    struct lane_test t;
    gang_lane_test(g, i->condition, i->negate, &t);
    LLVMBasicBlockRef rest = gang_block(g, "notall"), mixed = gang_block(g, "mixed"), some = gang_block(g, "some"),
                      join = gang_block(g, "join"), from = LLVMGetInsertBlock(g->b);
    ir_branch(g->b, t.all, some, rest, rest);
    e[0] = (struct edge){rest, around.incoming};
    ir_branch(g->b, t.none, join, mixed, mixed);
    LLVMValueRef active = branch_mask(g, i);
    LLVMBasicBlockRef go = gang_block(g, "go");
    e[1] = (struct edge){gang_branch_any(g, active, go, join), around.incoming};
    ir_enter(g->b, some);
    LLVMValueRef m = ir_phi(g->b, gang_mask_all_ones(g), from, active, go);
    LLVMValueRef all = ir_phi(g->b, gang_int(g->v->i1, 1), from, gang_int(g->v->i1, 0), go);
    g->guarded.loop = loop;
    g->guarded.mask = m;
    g->guarded.all = all;
    struct edge through = emit_then(g, i, m);
    edge_blend(g, i->join, m, &through, &around);
    e[2] = through;
    ir_enter(g->b, join);
    edge_merge(g, i->join, e, 3);
    return true;
}

// Gathers and scatters take a mask at no cost: where there is little else, a copy without one gains nothing. Rows that are written gain
// (gang/memory/disjoint.c, gang/memory/running.c).
static bool is_scattered(const struct extent *x)
{
    return target_gathers(4) && target_scatters(4) && !x->rows && x->scattered >= TUNE_SCATTERED &&
           8 * x->affine <= x->scattered;
}

static bool takes_mask(struct gang *g, LLVMValueRef x)
{
    bool store = LLVMIsAStoreInst(x);
    if (!IR_IS(x, LLVMLoad, LLVMStore))
        return needs_no_mask(x) || LLVMIsATerminatorInst(x) || op_is(x, IS_INTERLEAVE) || op_of(x) == OP_PREFETCH ||
               op_of(x) == OP_RT_MISALIGNED;
    struct access a = access_init(g, x, NULL);
    return access_is_simple(x) && target_masks_free((unsigned)a.size) && !(store && (a.shared || a.own)) &&
           ((a.pattern.run == g->width && !a.pattern.reversed) || (!store && shape_is_uniform(g->lanes, &a.shape)));
}

// Where masks cost accesses nothing, a copy without one saves finding the mask, and that is little beside a loop: such code stands
// there once. (A 3D stencil: twice the code took 1.06 to 1.09 times as long.)
static bool has_masked_loop(struct gang *g, int then)
{
    const struct cfg *c = &g->f->cfg;
    bool loop = false;
    for (unsigned i = 0; i < c->norder; i++) {
        int b = c->order[i];
        if (!cfg_dominates(c, then, b))
            continue;
        LLVMValueRef condition = scalar_fn_condition(g->f, b);
        loop |= c->blocks[b].loop != c->blocks[then].loop;
        if (condition && !gang_is_uniform(g, condition))
            return false;
        FOR_INSTRUCTIONS (c->blocks[b].block, x)
            if (!takes_mask(g, x))
                return false;
    }
    return loop;
}

// A condition on numbers of threads and constants alone, in a block of one gang: which lanes go is known, and nothing is tested. (One lane had
// better be one thread: gang/control/single.c.)
static bool emit_known_if(struct gang *g, const struct if_then *i, LLVMValueRef mask)
{
    uint32_t lanes, all = (uint32_t)(UINT64_MAX >> (64 - g->width));
    LLVMValueRef m = gang_is_lazy(g, i->condition) ? gang_and(g, mask, branch_mask(g, i)) : NULL;
    if (!gang_mask_known(g, m, &lanes) || (!(lanes & (lanes - 1)) && single_lane(g, i, true) >= 0))
        return false;
    struct edge around = edge_read(g, i->block, i->join);
    if (!lanes) {
        edge_assign(g, i->join, &around);
        return true;
    }
    struct edge through = emit_then(g, i, lanes == all ? NULL : m);
    edge_blend(g, i->join, lanes == all ? NULL : m, &through, &around);
    edge_assign(g, i->join, &through);
    return true;
}

static void emit_divergent_if(struct gang *g, const struct if_then *i, LLVMValueRef mask)
{
    bool flat;
    if (emit_known_if(g, i, mask))
        return;
    struct extent x = measure_then(g, i->then, &flat);
    if (flat) {
        emit_flat_if(g, i, mask);
        return;
    }
    if (!mask && emit_guarded_loop(g, i))
        return;
    struct edge e[4], around = edge_read(g, i->block, i->join);
    unsigned n = 0;
    LLVMBasicBlockRef then = gang_block(g, "some"), join = gang_block(g, "join");
    if (!mask && x.memory && !is_scattered(&x) && !has_masked_loop(g, i->then) && gang_may_copy(g, x.instructions))
        n = emit_fast_copy(g, i, &around, join, e);
    uint32_t known;
    bool always, mixed = gang_mixed_lanes(g, i->condition, i->negate, &known, &always) && (n || always);
    LLVMValueRef m = gang_and(g, mask, mixed ? gang_mask_constant(g, known) : branch_mask(g, i));
    LLVMValueRef any = mixed && !mask ? gang_int(g->v->i1, 1) : gang_any(g, m);
    e[n++] = (struct edge){LLVMGetInsertBlock(g->b), around.incoming};
    ir_branch(g->b, any, then, join, then);
    int lane = single_lane(g, i, mixed);
    struct edge through = lane < 0 ? emit_then(g, i, m) : single_emit(g, i, (unsigned)lane, &around);
    if (lane < 0)
        edge_blend(g, i->join, m, &through, &around);
    e[n++] = through;
    ir_enter(g->b, join);
    edge_merge(g, i->join, e, n);
}

static int emit_if(struct gang *g, int block, LLVMValueRef mask, int loop)
{
    const struct cfg_block *b = &g->f->cfg.blocks[block];
    struct if_then i = {.block = block, .join = b->ipdom, .loop = loop, .condition = scalar_fn_condition(g->f, block)};
    i.negate = b->succ[0] == i.join;
    i.then = i.negate ? b->succ[1] : b->succ[0];
    const struct cfg_block *join = &g->f->cfg.blocks[i.join];
    i.last = join->pred[0] == block ? join->pred[1] : join->pred[0];
    if (gang_is_uniform(g, i.condition))
        emit_uniform_if(g, &i, mask);
    else
        emit_divergent_if(g, &i, mask);
    return i.join;
}

static void emit_block(struct gang *g, int block, LLVMValueRef mask)
{
    LLVMBasicBlockRef b = g->f->cfg.blocks[block].block;
    for (LLVMValueRef x = LLVMGetFirstInstruction(b); x && !g->failed; x = LLVMGetNextInstruction(x)) {
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(x);
        if (location) // what is emitted for x, a branch included, stands on its source line
            LLVMSetCurrentDebugLocation2(g->b, location);
        if (LLVMGetInstructionOpcode(x) != LLVMPHI && !LLVMIsATerminatorInst(x))
            gang_emit_inst(g, x, mask);
    }
}

static void read_result(struct gang *g, int block)
{
    LLVMValueRef ret = LLVMGetBasicBlockTerminator(g->f->cfg.blocks[block].block);
    if (!LLVMGetNumOperands(ret))
        return;
    LLVMValueRef x = LLVMGetOperand(ret, 0);
    LLVMTypeRef t = LLVMGetReturnType(LLVMGlobalGetValueType(g->function));
    g->result = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? gang_vector(g, x) : gang_scalar(g, x);
}

void gang_emit_sequence(struct gang *g, int b, int stop, LLVMValueRef mask, int loop)
{
    const struct cfg *c = &g->f->cfg;
    int before = CFG_NONE;
    while (b != stop && !g->failed) {
        const struct cfg_block *k = &c->blocks[b];
        if (k->heads >= 0 && k->heads != loop) {
            gang_emit_loop(g, k->heads, before, mask);
            before = c->loops[k->heads].latch;
            b = loop_exit(&g->f->cfg, k->heads);
            continue;
        }
        emit_block(g, b, mask);
        if (loop >= 0 && c->loops[loop].latch == b)
            return;
        if (!k->nsucc) {
            read_result(g, b);
            return;
        }
        before = b;
        if (k->nsucc == 2) {
            b = emit_if(g, b, mask, loop);
            continue;
        }
        b = k->succ[0];
        if (b != stop && c->blocks[b].heads < 0) {
            struct edge e = edge_read(g, before, b);
            edge_assign(g, b, &e);
        }
    }
}
