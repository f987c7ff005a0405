// SPDX-License-Identifier: Apache-2.0
// Loops. One that all lanes leave together stays as it is. A divergent one runs until no lane wants to go on: the mask
// of lanes that stay is a phi, and what lives out of the loop is blended each time round, since a lane's value is final
// in the iteration in which it leaves; nothing else is blended. A test that all of its lanes fail together leads straight out. When scalars can tell whether all lanes stay (an index
// against a bound), a copy without masks runs first, for as long as they do: grid-stride loops spend their time there.
// Some loops are better left to one lane after the other (gang/control/stream.c).
#include "jit/gang/control/control.h"
#include <llvm-c/DebugInfo.h>

static struct loop loop_of(struct gang *g, int id)
{
    const struct cfg_loop *l = &g->f->cfg.loops[id];
    struct loop r = {.id = id, .header = l->header, .latch = l->latch, .exit = loop_exit(&g->f->cfg, id)};
    r.condition = scalar_fn_condition(g->f, l->latch);
    r.negate = g->f->cfg.blocks[l->latch].succ[0] != l->header;
    FOR_LOOP (&g->f->cfg, id, x)
        extent_add(g, &r.extent, x);
    return r;
}

static void limit_unrolling(struct gang *g, const struct loop *l, LLVMValueRef branch)
{
    unsigned registers = g->width / 4 ? g->width / 4 : 1;
    if (g->width > 1 && l->extent.vectors * registers >= TUNE_UNROLL_WORK_MAX)
        loop_keep(g->v->context, branch);
}

struct edge loop_emit_uniform(struct gang *g, const struct loop *l, const struct edge *in, LLVMValueRef mask)
{
    LLVMBasicBlockRef head = gang_block(g, "loop"), done = gang_block(g, "done");
    unsigned running = running_prepare(g, l, in, mask);
    ir_enter(g->b, head);
    edge_phis(g, l->header, in);
    running_phis(g, running, in->from);
    running_vectors(g, running, mask);
    gang_emit_sequence(g, l->header, CFG_NONE, mask, l->id);
    LLVMValueRef c = gang_scalar(g, l->condition);
    struct edge out = edge_read(g, l->latch, l->exit), back = edge_read(g, l->latch, l->header);
    running_back(g, running);
    limit_unrolling(g, l, LLVMBuildCondBr(g->b, c, l->negate ? done : head, l->negate ? head : done));
    // The header's phis are still those of this loop: inner copies of the loop do not occur.
    edge_add(g, l->header, &back);
    LLVMPositionBuilderAtEnd(g->b, done);
    out.from = done;
    return out;
}

// Takes a uniform conjunct out of "go on when c": it is tested as a scalar, and the vector part becomes shorter.
static LLVMValueRef take_uniform(struct gang *g, LLVMValueRef *c, bool *negate)
{
    LLVMValueRef part[2];
    enum logic how = ir_logic(*c, part);
    for (; how == LOGIC_NOT; how = ir_logic(*c, part)) {
        *c = part[0];
        *negate = !*negate;
    }
    if (how != (*negate ? LOGIC_OR : LOGIC_AND))
        return NULL;
    bool first = gang_is_uniform(g, part[0]);
    if (first == gang_is_uniform(g, part[1]))
        return NULL;
    *c = part[first];
    LLVMValueRef u = LLVMBuildFreeze(g->b, gang_scalar(g, part[!first]), "");
    return *negate ? LLVMBuildNot(g->b, u, "") : u;
}

// The results of lanes that have left, as phis of the loop header.
static struct edge results_begin(struct gang *g, const struct edge *first, unsigned n, LLVMBasicBlockRef from)
{
    struct edge r = edge_new(g, n);
    for (unsigned i = 0; i < n; i++) {
        r.incoming[i].vector = LLVMBuildPhi(g->b, LLVMTypeOf(first->incoming[i].vector), "left");
        LLVMAddIncoming(r.incoming[i].vector, &first->incoming[i].vector, &from, 1);
    }
    return r;
}

// How often the body of a divergent loop runs for each time that the lanes are asked whether any stays. A body that only
// computes may run once too often for nobody; what lanes have when they leave is blended in every time round.
static unsigned rounds_a_vote(struct gang *g, const struct loop *l)
{
    unsigned n = l->extent.instructions;
    bool twice = loop_is_innermost(&g->f->cfg, l->id) && !l->extent.acts && n <= TUNE_VOTE_BODY_MAX;
    return twice && gang_may_copy(g, n) ? 2 : 1;
}

// What the phis of a block are now.
static struct edge keep_phis(struct gang *g, int block, LLVMBasicBlockRef from)
{
    unsigned n = 0;
    struct edge kept = edge_new(g, edge_count(g, block));
    FOR_PHIS (g->f->cfg.blocks[block].block, x)
        kept.incoming[n++] = *gang_slot(g, x);
    kept.from = from;
    return kept;
}

static void blend_results(struct gang *g, const struct loop *l, struct edge *out, LLVMValueRef active,
                          const struct edge *gone)
{
    for (unsigned i = 0; i < edge_count(g, l->exit); i++)
        out->incoming[i].vector = gang_blend(g, active, out->incoming[i].vector, gone->incoming[i].vector);
}

// The loop's condition is a phi of its latch, which has nothing but phis, and whose value around the if is the constant that leaves.
bool loop_leaves_around(struct gang *g, const struct if_then *i, LLVMValueRef mask)
{
    const struct leaving *v = g->leaving;
    if (!v || v->active != mask || i->loop != v->loop->id || i->join != v->loop->latch || v->ways->n + 3 > WAYS_MAX)
        return false;
    LLVMBasicBlockRef latch = g->f->cfg.blocks[i->join].block;
    LLVMValueRef c = v->loop->condition, first = LLVMGetFirstInstruction(latch);
    if (ir_after_phis(first) != LLVMGetBasicBlockTerminator(latch) || !LLVMIsAPHINode(c) ||
        LLVMGetInstructionParent(c) != latch)
        return false;
    return value_is(ir_incoming(c, g->f->cfg.blocks[i->block].block), v->loop->negate);
}

// What lanes have that leave now, where they are active, and what others had before.
static void way_add(struct gang *g, const struct loop *l, struct ways *w, struct edge out, LLVMBasicBlockRef from)
{
    out.incoming = arena_dup(&g->v->scalar.arena, out.incoming, sizeof *out.incoming * (edge_count(g, l->exit) + 1));
    w->way[w->n++] = (struct edge){from, out.incoming};
}

void loop_leave(struct gang *g, const struct if_then *i, const struct edge *around)
{
    const struct leaving *v = g->leaving;
    edge_assign(g, i->join, around);
    struct edge out = edge_read(g, v->loop->latch, v->loop->exit);
    blend_results(g, v->loop, &out, v->active, v->gone);
    way_add(g, v->loop, v->ways, out, LLVMGetInsertBlock(g->b));
    LLVMBuildBr(g->b, v->done);
}

// Where all ways out meet.
static void ways_meet(struct gang *g, const struct loop *l, const struct ways *w, struct edge *out)
{
    for (unsigned i = 0; w->n > 1 && i < edge_count(g, l->exit); i++) {
        LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(out->incoming[i].vector), "");
        for (unsigned k = 0; k < w->n; k++)
            LLVMAddIncoming(phi, &w->way[k].incoming[i].vector, (LLVMBasicBlockRef *)&w->way[k].from, 1);
        out->incoming[i].vector = phi;
    }
}

// Where scalars can tell that no lane goes on, the vectors are not asked.
static void leave_early(struct gang *g, const struct leaving *v, struct edge *out)
{
    struct lane_test t;
    LLVMBasicBlockRef vote = gang_block(g, "vote");
    blend_results(g, v->loop, out, v->active, v->gone);
    gang_lane_test(g, v->loop->condition, v->loop->negate, &t);
    way_add(g, v->loop, v->ways, *out, LLVMGetInsertBlock(g->b));
    ir_branch(g->b, t.none, v->done, vote, vote);
}

// Runs the loop under a mask from the edge `in`; `left` holds the results of lanes that have left before. Returns the
// edge to the exit, with the builder at its start.
static struct edge emit_masked_loop(struct gang *g, const struct loop *l, const struct edge *in, LLVMValueRef mask,
                                    const struct edge *left)
{
    LLVMBasicBlockRef head = gang_block(g, "loop"), done = gang_block(g, "done"), from = in->from, here;
    ir_enter(g->b, head);
    edge_phis(g, l->header, in);
    LLVMValueRef m = LLVMBuildPhi(g->b, g->v->mask, "active"), active = m, stay, also;
    LLVMAddIncoming(m, &mask, &from, 1);
    unsigned n = edge_count(g, l->exit);
    struct edge results = results_begin(g, left, n, from), gone = results;
    struct edge phis = keep_phis(g, l->header, head), back, out;
    struct ways ways = {0};
    const struct leaving *outer = g->leaving;
    LLVMValueRef outer_run = g->run;
    for (unsigned round = l->tail ? 1 : rounds_a_vote(g, l);; round--) {
        struct leaving leaving = {l, active, &gone, done, &ways};
        g->leaving = &leaving;
        g->run = l->tail ? m : NULL;
        gang_emit_sequence(g, l->header, CFG_NONE, active, l->id);
        g->leaving = outer;
        back = edge_read(g, l->latch, l->header);
        out = edge_read(g, l->latch, l->exit);
        LLVMValueRef c = l->condition;
        bool negate = l->negate;
        if (l->tail)
            leave_early(g, &leaving, &out);
        also = take_uniform(g, &c, &negate);
        stay = LLVMBuildFreeze(g->b, gang_vector(g, c), "");
        if (negate)
            stay = LLVMBuildNot(g->b, stay, "");
        stay = LLVMBuildAnd(g->b, active, stay, "stay");
        if (!l->tail)
            blend_results(g, l, &out, active, &gone);
        if (also || round == 1)
            way_add(g, l, &ways, out, LLVMGetInsertBlock(g->b));
        if (round == 1)
            break;
        if (also) {
            LLVMBasicBlockRef again = gang_block(g, "again");
            ir_branch(g->b, also, again, done, again);
        }
        edge_assign(g, l->header, &back);
        active = stay;
        gone = out;
    }
    g->run = outer_run;
    LLVMValueRef more = gang_and(g, gang_any(g, stay), also);
    here = LLVMGetInsertBlock(g->b);
    back.from = here;
    ways.way[ways.n - 1].from = here;
    limit_unrolling(g, l, LLVMBuildCondBr(g->b, more, head, done));
    edge_assign(g, l->header, &phis);
    edge_add(g, l->header, &back);
    LLVMAddIncoming(m, &stay, &here, 1);
    for (unsigned i = 0; i < n; i++)
        LLVMAddIncoming(results.incoming[i].vector, &out.incoming[i].vector, &here, 1);
    LLVMPositionBuilderAtEnd(g->b, done);
    ways_meet(g, l, &ways, &out);
    out.from = done;
    return out;
}

// Nothing has left yet: any value will do, but one that may be frozen at no cost.
static struct edge no_results(struct gang *g, const struct loop *l)
{
    unsigned n = 0;
    struct edge e = edge_new(g, edge_count(g, l->exit));
    FOR_PHIS (g->f->cfg.blocks[l->exit].block, x)
        e.incoming[n++].vector = LLVMConstNull(gang_vector_type(g, LLVMTypeOf(x)));
    return e;
}

// How the phase under a mask begins: with what is left of the lanes of the first one, or with some of them at once.
static struct edge meet_under_mask(struct gang *g, const struct loop *l, LLVMBasicBlockRef under,
                                   const struct edge *mixed, const struct edge *at_once, LLVMValueRef *stay,
                                   struct edge *left)
{
    LLVMBasicBlockRef from[2] = {mixed->from, at_once->from};
    unsigned n = edge_count(g, l->exit);
    struct edge none = no_results(g, l);
    ir_enter(g->b, under);
    edge_phis(g, l->header, mixed);
    edge_add(g, l->header, at_once);
    *stay = ir_phi(g->b, *stay, from[0], g->guarded.mask, from[1]);
    for (unsigned i = 0; i < n; i++)
        left->incoming[i].vector = ir_phi(g->b, left->incoming[i].vector, from[0], none.incoming[i].vector, from[1]);
    left->from = under;
    return keep_phis(g, l->header, under);
}

static void emit_two_phase_loop(struct gang *g, const struct loop *l, const struct edge *in, bool guarded)
{
    LLVMBasicBlockRef head = gang_block(g, "loopall"), rest = gang_block(g, "notall"), mixed = gang_block(g, "mixed"),
                      done = gang_block(g, "left"), under = guarded ? gang_block(g, "under") : NULL;
    if (guarded)
        LLVMBuildCondBr(g->b, g->guarded.all, head, under);
    else
        LLVMBuildBr(g->b, head);
    LLVMPositionBuilderAtEnd(g->b, head);
    edge_phis(g, l->header, in);
    gang_emit_sequence(g, l->header, CFG_NONE, NULL, l->id);
    struct edge back = edge_read(g, l->latch, l->header), out = edge_read(g, l->latch, l->exit);
    struct lane_test t;
    gang_lane_test(g, l->condition, l->negate, &t);
    back.from = LLVMGetInsertBlock(g->b);
    limit_unrolling(g, l, LLVMBuildCondBr(g->b, t.all, head, rest));
    edge_add(g, l->header, &back);
    LLVMPositionBuilderAtEnd(g->b, rest);
    ir_branch(g->b, t.none, done, mixed, mixed);
    LLVMValueRef stay = LLVMBuildFreeze(g->b, gang_vector(g, l->condition), "");
    if (l->negate)
        stay = LLVMBuildNot(g->b, stay, "");
    // The test is not exact: conditions that each hold for some lanes need not hold for one of them together.
    LLVMBasicBlockRef some = gang_block(g, "some"), asked = gang_branch_any(g, stay, some, done);
    struct edge second = {some, back.incoming}, e[3] = {{rest, out.incoming}, {asked, out.incoming}};
    // The exit edge's values are overwritten by blends of the second phase; the first phase keeps its own copy.
    struct edge left = {
        some, arena_dup(&g->v->scalar.arena, out.incoming, sizeof *out.incoming * (edge_count(g, l->exit) + 1))};
    if (guarded)
        second = meet_under_mask(g, l, under, &second, in, &stay, &left);
    struct loop last = *l;
    last.tail = g->v->arm && gang_is_run(g, l->condition);
    e[2] = emit_masked_loop(g, &last, &second, stay, &left);
    LLVMBuildBr(g->b, done);
    e[2].from = LLVMGetInsertBlock(g->b);
    LLVMPositionBuilderAtEnd(g->b, done);
    edge_merge(g, l->exit, e, 3);
}

bool loop_in_phases(struct gang *g, int id)
{
    struct loop l = loop_of(g, id);
    return g->f->facts[l.header].divergent_loop && !stream_pays(g, &l) && l.extent.accesses &&
           gang_all_testable(g, l.condition, l.negate) && gang_may_copy(g, l.extent.instructions);
}

// The loop in two forms; see gang/memory/disjoint.c.
static void emit_disjoint_loop(struct gang *g, const struct loop *l, const struct edge *in, LLVMValueRef test)
{
    LLVMBasicBlockRef form[2] = {gang_block(g, "disjoint"), gang_block(g, "inorder")}, done = gang_block(g, "left");
    struct edge out[2];
    gang_branch_likely(g, test, form[0], form[1], form[0]);
    for (unsigned i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(g->b, form[i]);
        struct edge from = {form[i], in->incoming};
        g->disjoint = !i;
        out[i] = loop_emit_uniform(g, l, &from, NULL);
        out[i].from = LLVMGetInsertBlock(g->b);
        LLVMBuildBr(g->b, done);
    }
    g->disjoint = false;
    LLVMPositionBuilderAtEnd(g->b, done);
    edge_merge(g, l->exit, out, 2);
}

// One lane after the other, or the gang for those that have little to do.
static void emit_stream(struct gang *g, const struct loop *l, const struct edge *in, int pre, LLVMValueRef mask)
{
    LLVMValueRef few = gang_may_copy(g, l->extent.instructions) ? stream_is_short(g, l, pre, mask) : NULL;
    if (!few) {
        struct edge out = stream_emit(g, l, pre, mask);
        edge_assign(g, l->exit, &out);
        return;
    }
    LLVMBasicBlockRef gang = gang_block(g, "short"), single = gang_block(g, "long"), done = gang_block(g, "left");
    struct edge out[2], from = {gang, in->incoming}, left = no_results(g, l);
    ir_branch(g->b, few, gang, single, gang);
    out[0] = emit_masked_loop(g, l, &from, mask ? mask : gang_mask_all_ones(g), &left);
    out[0].from = LLVMGetInsertBlock(g->b);
    ir_jump(g->b, done, single);
    out[1] = stream_emit(g, l, pre, mask);
    ir_enter(g->b, done);
    edge_merge(g, l->exit, out, 2);
}

void gang_emit_loop(struct gang *g, int id, int pre, LLVMValueRef mask)
{
    struct loop l = loop_of(g, id);
    struct edge in = edge_read(g, pre, l.header);
    if (!g->f->facts[l.header].divergent_loop) {
        LLVMValueRef disjoint = mask || g->disjoint ? NULL : disjoint_test(g, &l, pre);
        if (disjoint) {
            emit_disjoint_loop(g, &l, &in, disjoint);
            return;
        }
        struct edge out = loop_emit_uniform(g, &l, &in, mask);
        edge_assign(g, l.exit, &out);
        return;
    }
    if (stream_pays(g, &l)) {
        emit_stream(g, &l, &in, pre, mask);
        return;
    }
    bool guarded = mask && mask == g->guarded.mask && id == g->guarded.loop;
    if (guarded || (!mask && loop_in_phases(g, id))) {
        emit_two_phase_loop(g, &l, &in, guarded);
        return;
    }
    struct edge left = no_results(g, &l);
    struct edge out = emit_masked_loop(g, &l, &in, mask ? mask : gang_mask_all_ones(g), &left);
    edge_assign(g, l.exit, &out);
}
