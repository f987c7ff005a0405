// SPDX-License-Identifier: Apache-2.0
// Divergent loops in which every lane walks through memory of its own: the neighbours of a node, the row of a sparse matrix,
// the bytes of a string. For a gang such a loop is the worst there is: an access is a gather from as many lines as lanes,
// which costs a processor at least as much as single loads do; it runs as often as the longest list wants; and lanes that
// had nothing to do from the start, the nodes that a search has not reached, are carried along. One lane after the other has
// none of this: what it reads lies side by side, its branches are foreseen as far as its data can be, and lanes that do not
// take part cost nothing. The code around the loop stays as it is, for the gang.
//
// So: when
//  1. some load's address runs through the loop by a small constant step, from a start that differs between lanes,
//  2. few accesses are of the kind that a gang makes at once (side by side in memory over the lanes),
//  3. there is little else to compute for each access: arithmetic is what a gang is good at,
//  4. the loop has plain operations alone, nothing that waits, is volatile or atomic, or speaks of other lanes, and
//  5. the kernel does not count on its warps' lockstep,
// the loop is emitted as the code of one thread inside a loop over the active lanes. That code is made by the same emitters,
// in a gang of one lane whose values are all uniform (gang/value/one.c); values from outside come from the gang's vectors
// through memory, and results go back the same way. Threads of a warp may run in any order between two collectives, so
// nothing but time changes.
//
// The same form is for searches: a loop with another one inside, both divergent, and a stack in each lane's own memory, whose top
// the thread counts up and down. What lanes lose where each loop runs for the slowest of them multiplies, and gathers and
// scatters take longer than the single accesses that they stand for; so more may be computed for each access. (12 queens, a search a
// thread: 103 ms in place of 137, without AVX-512 105 in place of 235. A single loop that moves things in a heap stays with the
// gang: its branches cannot be foreseen, and it took four times as long.)
//
// A sum of floats, the row of a sparse matrix, waits four cycles for each of its products. There two lanes alternate in the
// loop, and who is done makes room for the next one (emit_pairs): 3.3 million products from memory took 3480 us in place of
// 4570, and 5840 by gathers. What compilers leave of an unrolled loop, three iterations at most, stays with the gang, and so do
// two iterations or less of loops that count down to zero, which a test before them tells.
//
// A breadth-first search took 1960 us in place of 2580 on one thread. With gathers and scatters of 32 addresses at once two
// threads took as long as one, since each held up the other's lines; now they share the work.
#include "jit/gang/control/control.h"
#include "jit/gang/memory/access.h"
#include "jit/analysis/address.h"
#include "jit/analysis/linear.h"

enum { ARRAYS = 8, WALK_MAX = 48 };

// Whether the address goes on by a small constant on each iteration.
static bool runs_on(struct gang *g, const struct loop *l, LLVMValueRef address)
{
    struct linear at = linear_of(address), step = linear_step(&g->f->cfg, l->id, &at);
    return !step.lost && !step.n && step.plus && step.plus >= -TUNE_LINE && step.plus <= TUNE_LINE;
}

// A sum of floats: each iteration waits for the one before, whatever else the processor could do.
static bool is_sum(struct gang *g, const struct loop *l)
{
    FOR_LOOP_PHIS (&g->f->cfg, l->id, x) {
        LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(x));
        if ((k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind) && gang_shape(g, x).kind == SHAPE_VARYING)
            return true;
    }
    return false;
}

// What the loop has computed x from, as far as it was looked at.
struct walk {
    LLVMValueRef seen[WALK_MAX];
    unsigned n;
};

// Whether an address comes out of numbers that the thread counts with, up and down, and not out of memory: the top of a stack.
static bool is_counted(struct gang *g, const struct loop *l, LLVMValueRef x, struct walk *w)
{
    if (!loop_has(&g->f->cfg, l->id, x))
        return true;
    for (unsigned i = 0; i < w->n; i++)
        if (w->seen[i] == x)
            return true;
    if (w->n == WALK_MAX || LLVMIsALoadInst(x) || LLVMIsACallInst(x))
        return false;
    w->seen[w->n++] = x;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(x); i++)
        if (!is_counted(g, l, LLVMGetOperand(x, i), w))
            return false;
    return true;
}

// Arrays of each lane's own, and what a loop does with them.
struct arrays {
    struct {
        LLVMValueRef array;
        bool read, written;
    } of[ARRAYS];
    unsigned n;
};

// Whether with this access the loop both writes and reads one of them.
static bool arrays_note(struct gang *g, const struct loop *l, struct arrays *a, LLVMValueRef address, bool store)
{
    struct walk w = {.n = 0};
    LLVMValueRef array = is_counted(g, l, address, &w) ? address_object(address) : NULL;
    unsigned i = 0;
    while (i < a->n && a->of[i].array != array)
        i++;
    if (!array || i == ARRAYS)
        return false;
    a->n = i < a->n ? a->n : i + 1;
    a->of[i].array = array;
    a->of[i].written |= store;
    a->of[i].read |= !store;
    return a->of[i].read && a->of[i].written;
}

static bool has_divergent_loop(struct gang *g, const struct loop *l)
{
    bool has = false;
    for (unsigned i = 0; i < g->f->cfg.nblocks && !has; i++)
        has = (int)i != l->header && g->f->facts[i].divergent_loop && cfg_loop_contains(&g->f->cfg, l->id, (int)i);
    return has;
}

bool stream_pays(struct gang *g, const struct loop *l)
{
    const struct extent *e = &l->extent;
    struct arrays arrays = {0};
    bool streams = false, stack = false;
    if (g->width == 1 || g->v->plan->lockstep)
        return false;
    FOR_LOOP (&g->f->cfg, l->id, x) {
        if (!one_may_run(x))
            return false;
        if (!IR_IS(x, LLVMLoad, LLVMStore) || gang_shape(g, ir_address(x)).kind != SHAPE_VARYING)
            continue;
        bool store = LLVMIsAStoreInst(x);
        stack |= arrays_note(g, l, &arrays, ir_address(x), store);
        streams |= !store && runs_on(g, l, ir_address(x));
    }
    if (!e->scattered || e->affine >= e->scattered)
        return false;
    return (streams && e->work <= TUNE_STREAM_WORK_MAX * e->scattered &&
            !(is_sum(g, l) && loop_is_remainder(&g->f->cfg, l->id, TUNE_STREAM_REMAINDER))) ||
           (stack && e->work <= TUNE_STREAM_STACK_WORK_MAX * e->scattered && has_divergent_loop(g, l));
}

LLVMValueRef stream_is_short(struct gang *g, const struct loop *l, int pre, LLVMValueRef mask)
{
    int64_t step;
    FOR_LOOP_PHIS (&g->f->cfg, l->id, x) {
        unsigned bits = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind ? type_bits(LLVMTypeOf(x)) : 0;
        if ((bits != 32 && bits != 64) || !is_sum(g, l) || !loop_phi_step(x, &step) || step >= 0 || step < -TUNE_LINE)
            continue;
        LLVMValueRef v = ir_incoming(x, g->f->cfg.blocks[pre].block);
        if (!v || value_is_undef(v))
            continue;
        LLVMValueRef most = gang_wide(g, gang_int(LLVMTypeOf(x), -TUNE_STREAM_SHORT * step));
        LLVMValueRef more = LLVMBuildICmp(g->b, LLVMIntUGT, LLVMBuildFreeze(g->b, gang_vector(g, v), ""), most, "");
        return LLVMBuildNot(g->b, gang_any(g, gang_and(g, gang_mask_of(g, more), mask)), "");
    }
    return NULL;
}

// A value that the loop reads and does not compute.
struct import {
    LLVMValueRef value;
    struct lane_operand operand;
};

struct imports {
    unsigned n, room;
    struct import *of;
};

static void import(struct gang *g, const struct loop *l, struct imports *m, LLVMValueRef x)
{
    if (scalar_fn_index(g->f, x) < 0 || value_is_undef(x) || (loop_has(&g->f->cfg, l->id, x)))
        return;
    for (unsigned i = 0; i < m->n; i++)
        if (m->of[i].value == x)
            return;
    m->of[m->n++] = (struct import){x, lane_operand(g, x)};
}

// Also what the loop does not read itself, but hands on to its exit.
static struct imports import_all(struct gang *g, const struct loop *l)
{
    struct imports m = {0};
    FOR_LOOP (&g->f->cfg, l->id, x)
        m.room += (unsigned)LLVMGetNumOperands(x);
    LLVMBasicBlockRef exit = g->f->cfg.blocks[l->exit].block, latch = g->f->cfg.blocks[l->latch].block;
    FOR_PHIS (exit, x)
        m.room += (unsigned)LLVMGetNumOperands(x);
    m.of = arena_array(&g->v->scalar.arena, struct import, m.room + 1);
    FOR_LOOP (&g->f->cfg, l->id, x)
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(x); i++) {
            LLVMValueRef o = LLVMGetOperand(x, i);
            if (!LLVMValueIsBasicBlock(o))
                import(g, l, &m, o);
        }
    FOR_PHIS (exit, x)
        import(g, l, &m, ir_incoming(x, latch));
    return m;
}

// What lives out of the loop, the phis of its exit, or goes round it, those of its header: a cell for each, which begins with what they
// get from `from` (CFG_NONE: with zeroes).
static struct lane_operand *results_of(struct gang *g, int block, int from, unsigned *n)
{
    struct lane_operand *r = arena_array(&g->v->scalar.arena, struct lane_operand, edge_count(g, block) + 1);
    *n = 0;
    FOR_PHIS (g->f->cfg.blocks[block].block, x) {
        LLVMValueRef v = from == CFG_NONE ? NULL : ir_incoming(x, g->f->cfg.blocks[from].block);
        r[(*n)++] = lane_result(g, LLVMTypeOf(x), v && !value_is_undef(v) ? gang_vector(g, v) : NULL);
    }
    return r;
}

static void write_lane(struct gang *g, struct lane_loop *at, struct lane_operand *r, unsigned n, const struct edge *e)
{
    for (unsigned i = 0; i < n; i++)
        lane_operand_write(g, at, &r[i], e->incoming[i].base[0]);
}

static struct edge read_lane(struct gang *g, struct lane_loop *at, const struct lane_operand *r, unsigned n)
{
    struct edge e = edge_new(g, n);
    for (unsigned i = 0; i < n; i++)
        e.incoming[i].base[0] = lane_operand_read(g, at, &r[i]);
    e.from = LLVMGetInsertBlock(g->b);
    return e;
}

// The gang of the lane at hand.
static struct gang begin_one(struct gang *g, const struct imports *m, struct lane_loop *at)
{
    struct gang one = one_begin(g, LLVMBuildTrunc(g->b, at->lane, g->v->i32, ""));
    for (unsigned i = 0; i < m->n; i++)
        gang_slot(&one, m->of[i].value)->base[0] = lane_operand_read(g, at, &m->of[i].operand);
    return one;
}

static LLVMValueRef without_lowest(struct gang *g, LLVMValueRef word)
{
    return LLVMBuildAnd(g->b, word, LLVMBuildSub(g->b, word, gang_i32(g, 1), ""), "");
}

// What is the same for every lane of a loop.
struct stream {
    struct gang *g;
    const struct loop *l;
    struct imports imports;
    struct lane_operand *result, *state;
    unsigned nresults, nstates;
};

// A lane that has begun: what differs from lane to lane of what the loop reads, and what goes round.
struct slot {
    struct gang one;
    struct lane_loop at;
    struct edge import; // without a base: the same for all
    struct edge state;  // for the next iteration
    struct edge out;    // the results, should this have been the last iteration
    LLVMValueRef stay;
};

static void slot_fill(struct stream *s, struct slot *k, LLVMValueRef lane)
{
    struct gang *g = s->g;
    k->at.lane = lane;
    k->import = edge_new(g, s->imports.n);
    for (unsigned i = 0; i < s->imports.n; i++)
        if (s->imports.of[i].operand.memory)
            k->import.incoming[i].base[0] = lane_operand_read(g, &k->at, &s->imports.of[i].operand);
    k->state = read_lane(g, &k->at, s->state, s->nstates);
}

static LLVMValueRef meet(struct gang *g, LLVMValueRef x, LLVMBasicBlockRef from)
{
    LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(x), "");
    LLVMAddIncoming(phi, &x, &from, 1);
    return phi;
}

static struct edge meet_edge(struct gang *g, const struct edge *e, unsigned n, LLVMBasicBlockRef from)
{
    struct edge r = edge_new(g, n);
    for (unsigned i = 0; i < n; i++)
        r.incoming[i].base[0] = e->incoming[i].base[0] ? meet(g, e->incoming[i].base[0], from) : NULL;
    return r;
}

static void add_edge(const struct edge *to, const struct edge *e, unsigned n, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < n; i++)
        if (e->incoming[i].base[0])
            LLVMAddIncoming(to->incoming[i].base[0], &e->incoming[i].base[0], &from, 1);
}

// Phis of what a slot has; other edges come in by slot_add.
static struct slot slot_meet(struct stream *s, const struct slot *k, LLVMBasicBlockRef from)
{
    struct slot r = *k;
    r.at.lane = meet(s->g, k->at.lane, from);
    r.import = meet_edge(s->g, &k->import, s->imports.n, from);
    r.state = meet_edge(s->g, &k->state, s->nstates, from);
    return r;
}

static void slot_add(struct stream *s, struct slot *to, const struct slot *k, LLVMBasicBlockRef from)
{
    LLVMAddIncoming(to->at.lane, (LLVMValueRef *)&k->at.lane, &from, 1);
    add_edge(&to->import, &k->import, s->imports.n, from);
    add_edge(&to->state, &k->state, s->nstates, from);
}

// One iteration of the loop for a slot.
static void slot_iterate(struct stream *s, struct slot *k)
{
    struct gang *g = s->g;
    const struct loop *l = s->l;
    k->one = begin_one(g, &s->imports, &k->at);
    for (unsigned i = 0; i < s->imports.n; i++)
        if (k->import.incoming[i].base[0])
            *gang_slot(&k->one, s->imports.of[i].value) = k->import.incoming[i];
    edge_assign(&k->one, l->header, &k->state);
    gang_emit_sequence(&k->one, l->header, CFG_NONE, NULL, l->id);
    k->stay = LLVMBuildFreeze(g->b, gang_scalar(&k->one, l->condition), "");
    k->stay = l->negate ? LLVMBuildNot(g->b, k->stay, "") : k->stay;
    k->state = edge_read(&k->one, l->latch, l->header);
    k->out = edge_read(&k->one, l->latch, l->exit);
    one_end(g, &k->one);
}

static LLVMValueRef lane_bit(struct gang *g, const struct slot *k, LLVMValueRef yes)
{
    return LLVMBuildShl(g->b, LLVMBuildZExt(g->b, yes, g->v->i32, ""), LLVMBuildTrunc(g->b, k->at.lane, g->v->i32, ""),
                        "");
}

// Sums wait for themselves. So two lanes alternate in the loop; who is done makes room for the next one. When there
// is none, what the other one has goes to memory. Returns the lanes that are not done, as a word.
static LLVMValueRef emit_pairs(struct stream *s, LLVMValueRef word)
{
    struct gang *g = s->g;
    struct slot slot[2] = {0}, next[2];
    LLVMBasicBlockRef begin = gang_block(g, "pair"), head = gang_block(g, "iteration"), done = gang_block(g, "single"),
                      from, last[3];
    LLVMValueRef none = gang_i32(g, 0), second = without_lowest(g, word), waiting, rest[3] = {word},
                 yes = gang_int(g->v->i1, 1);
    last[0] = LLVMGetInsertBlock(g->b);
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntNE, second, none, ""), begin, done, begin);
    slot_fill(s, &slot[0], LLVMBuildZExt(g->b, gang_lowest(g, word), g->v->i64, ""));
    slot_fill(s, &slot[1], LLVMBuildZExt(g->b, gang_lowest(g, second), g->v->i64, ""));
    waiting = without_lowest(g, second);
    ir_enter(g->b, head);
    waiting = meet(g, waiting, begin);
    LLVMValueRef waiting_phi = waiting;
    for (unsigned k = 0; k < 2; k++)
        next[k] = slot[k] = slot_meet(s, &slot[k], begin);
    for (unsigned k = 0; k < 2; k++)
        slot_iterate(s, &next[k]);
    for (unsigned k = 0; k < 2; k++) {
        LLVMBasicBlockRef left = gang_block(g, "left"), refill = gang_block(g, "refill"),
                          stays = gang_block(g, "stays"), end = gang_block(g, "end");
        from = LLVMGetInsertBlock(g->b);
        ir_branch(g->b, next[k].stay, stays, left, left);
        write_lane(g, &next[k].at, s->result, s->nresults, &next[k].out);
        ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntNE, waiting, none, ""), refill, end, refill);
        struct slot fresh = {0};
        slot_fill(s, &fresh, LLVMBuildZExt(g->b, gang_lowest(g, waiting), g->v->i64, ""));
        LLVMValueRef fewer = without_lowest(g, waiting);
        ir_jump(g->b, stays, end);
        struct slot *other = &next[1 - k];
        write_lane(g, &other->at, s->state, s->nstates, &other->state);
        if (!k)
            write_lane(g, &other->at, s->result, s->nresults, &other->out);
        rest[1 + k] = lane_bit(g, other, k ? yes : other->stay);
        LLVMBuildBr(g->b, done);
        last[1 + k] = end;
        LLVMPositionBuilderAtEnd(g->b, stays);
        waiting = meet(g, waiting, from);
        LLVMAddIncoming(waiting, &fewer, &refill, 1);
        next[k] = slot_meet(s, &next[k], from);
        slot_add(s, &next[k], &fresh, refill);
    }
    from = LLVMGetInsertBlock(g->b);
    loop_keep(g->v->context, LLVMBuildBr(g->b, head));
    LLVMAddIncoming(waiting_phi, &waiting, &from, 1);
    for (unsigned k = 0; k < 2; k++)
        slot_add(s, &slot[k], &next[k], from);
    LLVMPositionBuilderAtEnd(g->b, done);
    LLVMValueRef r = LLVMBuildPhi(g->b, g->v->i32, "");
    LLVMAddIncoming(r, rest, last, 3);
    return r;
}

struct edge stream_emit(struct gang *g, const struct loop *l, int pre, LLVMValueRef mask)
{
    struct stream s = {.g = g, .l = l, .imports = import_all(g, l)};
    LLVMBasicBlockRef skip = NULL;
    s.result = results_of(g, l->exit, CFG_NONE, &s.nresults);
    unsigned size = l->extent.instructions;
    bool pairs = is_sum(g, l) && size <= TUNE_STREAM_PAIR_MAX && gang_may_copy(g, 2 * size);
    if (pairs) {
        s.state = results_of(g, l->header, pre, &s.nstates);
        LLVMValueRef rest = emit_pairs(&s, gang_ballot(g, mask ? mask : gang_mask_all_ones(g)));
        LLVMBasicBlockRef single = gang_block(g, "rest");
        skip = gang_block(g, "streamed");
        ir_branch(g->b, LLVMBuildIsNotNull(g->b, rest, ""), single, skip, single);
        mask = gang_mask_unballot(g, rest);
    }
    struct lane_loop lanes;
    lane_loop_begin(g, &lanes, mask);
    struct gang one = begin_one(g, &s.imports, &lanes);
    struct edge in = pairs ? read_lane(g, &lanes, s.state, s.nstates) : edge_read(&one, pre, l->header);
    struct edge left = loop_emit_uniform(&one, l, &in, NULL);
    one_end(g, &one);
    write_lane(g, &lanes, s.result, s.nresults, &left);
    lane_loop_end(g, &lanes);
    if (pairs)
        ir_enter(g->b, skip);
    struct edge out = edge_new(g, s.nresults);
    for (unsigned i = 0; i < s.nresults; i++)
        out.incoming[i].vector = lane_operand_vector(g, &s.result[i]);
    out.from = LLVMGetInsertBlock(g->b);
    return out;
}
