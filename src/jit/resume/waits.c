// SPDX-License-Identifier: Apache-2.0
// Decides which calls wait, and turns those into resume points.
//
// 1. Barriers, also those of a cluster, yields and bar.arrive are resume points. But in a block of one gang a barrier
//    that all lanes reach at once has nobody to wait for, and a yield within the block nobody to yield to.
// 2. A warp collective needs every member lane. In a gang of a whole warp the vectoriser executes it at once for the
//    lanes that are active; that is right where the lanes come together (no branch divides the warp before it,
//    and no lane waited elsewhere since they were last together), and where the member mask was itself read off the
//    active lanes. Otherwise, and always in narrower gangs, the lanes publish their operands in raw slots and wait; the
//    scheduler computes the collective when it releases them, in one piece of C for all widths (abi/run.c).
// 3. `together` follows the lanes of a gang through the code: they start together; after a wait in divided code
//    they are diverged; a barrier of the whole block or a wait for the full warp, where no branch divides them, brings them
//    together. It decides where collectives need to wait, and in resume/split.c which values may be kept once for the
//    gang.
// 4. A thread waits for others, wherever they wait: lanes that come to such a barrier may meet lanes of their gang that wait for the
//    same elsewhere, and are one wait ahead of them from then on. Where nobody waits for it in divided code, all lanes of a gang
//    make these waits in one order, and none is over before each has come to the same; else lanes that came apart stay so. All
//    threads of a warp come to the same barrier with .aligned, as bar.sync is.
// 5. Where lanes are diverged, two loads of one address may differ, and so may what a barrier or a vote tells: the question is put again
//    with these in mind, until no other is found. Loads that the lanes make together agree, also in a kernel whose lanes diverge
//    elsewhere: such as that of a block's number, which one thread drew and all took from shared memory behind a barrier.
#include "base/vec.h"
#include "base/xmalloc.h"
#include "jit/ir/pass.h"
#include "jit/jit.h"
#include "jit/resume/resume.h"
#include <string.h>

enum { ROUNDS_MAX = 4 }; // after which every load of a kernel whose lanes diverge counts as made apart

// What a thread waits for where it may meet others that wait elsewhere: barriers by number, and these.
enum {
    MEET_BARRIERS = (1 << RESUME_BARRIERS) - 1,
    MEET_WARP = 1 << RESUME_BARRIERS,
    MEET_CLUSTER = 2 << RESUME_BARRIERS
};

enum action { STAYS, GOES, WAITS };

struct decision {
    LLVMValueRef call;
    const struct op_row *row;
    enum action action;
    bool together; // afterwards
    bool gathers;  // nothing waits, and all lanes of the block, one gang, are active here
};

struct decisions {
    size_t n;
    struct decision *row;
};

struct splitter {
    struct resume *r;
    struct converge *c;
    bool *diverged;     // by block: the lanes may have diverged when they enter it
    uint32_t elsewhere; // MEET_...: what threads wait for in divided code
    struct VEC(struct decision) decisions;
};

// Of calls that wait; NULL for anything else.
static const struct op_row *find_row(LLVMValueRef v)
{
    const struct op_row *row = &op_rows[op_of(v)];
    return row->wait == RESUME_RUN ? NULL : row;
}

static bool is_full_mask(const struct region_plan *p, LLVMValueRef mask)
{
    if (!LLVMIsAConstantInt(mask))
        return false;
    uint32_t m = (uint32_t)LLVMConstIntGetZExtValue(mask), n = plan_threads(p);
    return m == UINT32_MAX || (n && n < RESUME_WARP_LANES && (m & ((1u << n) - 1)) == (1u << n) - 1);
}

static bool is_whole_block(const struct region_plan *p, LLVMValueRef count)
{
    if (!LLVMIsAConstantInt(count))
        return false;
    uint64_t n = LLVMConstIntGetZExtValue(count);
    return !n || (plan_threads(p) && n >= plan_threads(p));
}

// Whoever reaches `here` came over the edge from b to `to` (which may head a loop).
static bool edge_leads(const struct cfg *g, int b, int to, int here)
{
    if (!cfg_dominates(g, to, here))
        return false;
    unsigned edges = 0;
    for (unsigned i = 0; i < g->blocks[to].npred; i++) {
        int p = g->blocks[to].pred[i];
        edges += p == b;
        if (p != b && !cfg_dominates(g, to, p))
            return false;
    }
    return edges == 1;
}

// The mask is the ballot of the whole warp about the condition of the only branch that leads here.
static bool mask_is_branch(struct splitter *s, int here, LLVMValueRef mask)
{
    const struct cfg *g = &s->r->cfg;
    LLVMValueRef p = LLVMGetOperand(mask, 1);
    int there = cfg_index(g, LLVMGetInstructionParent(mask));
    if (!is_full_mask(s->r->plan, LLVMGetOperand(mask, 0)) || converge_branches(s->c, there))
        return false;
    for (int b = g->blocks[here].idom; b >= 0; b = g->blocks[b].idom) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(g->blocks[b].block);
        if (g->blocks[b].nsucc == 2 && LLVMGetOperand(t, 0) == p) {
            return edge_leads(g, b, g->blocks[b].succ[0], here) && converge_branches(s->c, here) == converge_branch(b);
        }
        if (b == there)
            break;
    }
    return false;
}

// Where the branches that divide the warp before `here` all test the thread's position: takes from `lanes` those of
// the warp that go elsewhere. False when that is not so.
static bool lanes_that_come(struct splitter *s, int here, unsigned warp, uint32_t *lanes)
{
    const struct cfg *g = &s->r->cfg;
    uint64_t left = converge_branches(s->c, here);
    for (int b = g->blocks[here].idom; b >= 0 && left; b = g->blocks[b].idom) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(g->blocks[b].block);
        uint32_t bits;
        if (g->blocks[b].nsucc != 2 || converge_value(s->c, LLVMGetOperand(t, 0)))
            continue;
        for (unsigned i = 0; i < 2; i++) {
            if (!edge_leads(g, b, g->blocks[b].succ[i], here))
                continue;
            if (!converge_lanes(s->c, LLVMGetOperand(t, 0), warp, &bits))
                return false;
            *lanes &= i ? ~bits : bits;
            left ^= converge_branch(b);
        }
    }
    return !left;
}

// A constant mask that names just the lanes that come here, in every warp of which some come.
static bool mask_is_position(struct splitter *s, int here, LLVMValueRef mask)
{
    unsigned threads = plan_threads(s->r->plan);
    if (!LLVMIsAConstantInt(mask) || !threads)
        return false;
    uint32_t m = (uint32_t)LLVMConstIntGetZExtValue(mask);
    for (unsigned w = 0; w * RESUME_WARP_LANES < threads; w++) {
        unsigned n = threads - w * RESUME_WARP_LANES;
        uint32_t exist = n < RESUME_WARP_LANES ? (1u << n) - 1 : UINT32_MAX, lanes = exist;
        if (!lanes_that_come(s, here, w, &lanes) || (lanes && lanes != (m & exist)))
            return false;
    }
    return true;
}

// The mask is made of the lanes that were active on this very path: at a call in the same block with no wait since, or
// at one that dominates it with the same branches behind it while the lanes stayed together.
static bool mask_is_active_lanes(struct splitter *s, LLVMValueRef call, LLVMValueRef mask, bool diverged)
{
    if (!diverged && mask_is_position(s, cfg_index(&s->r->cfg, LLVMGetInstructionParent(call)), mask))
        return true;
    enum heddle_op op = op_of(mask);
    if (op == OP_VOTE_BALLOT)
        return !diverged && mask_is_branch(s, cfg_index(&s->r->cfg, LLVMGetInstructionParent(call)), mask);
    bool derived = op_rows[op].kinds & IS_MATCH_ANY;
    if (op != OP_ACTIVEMASK && !derived)
        return false;
    LLVMBasicBlockRef here = LLVMGetInstructionParent(call), there = LLVMGetInstructionParent(mask);
    int h = cfg_index(&s->r->cfg, here), t = cfg_index(&s->r->cfg, there);
    if (here != there && (diverged || converge_branches(s->c, h) != converge_branches(s->c, t)))
        return false;
    if (here == there)
        for (LLVMValueRef i = mask; i != call; i = LLVMGetNextInstruction(i)) {
            const struct op_row *row = find_row(i);
            if (row && (row->wait != RESUME_WARP && row->wait != RESUME_GATHER))
                return false;
        }
    return !derived || mask_is_active_lanes(s, mask, LLVMGetOperand(mask, 0), diverged);
}

static bool is_one_gang(const struct region_plan *p)
{
    return p->in_step && p->width > 1 && plan_threads(p) && plan_threads(p) <= p->width;
}

static uint32_t meets_at(const struct region_plan *p, LLVMValueRef call, const struct op_row *row)
{
    LLVMValueRef of = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    switch (row->wait) {
    case RESUME_BARRIER:
    case RESUME_ARRIVE:
        return ir_metadata(call, IR_ALIGNED) ? 0
               : LLVMIsAConstantInt(of)      ? 1u << (LLVMConstIntGetZExtValue(of) & (RESUME_BARRIERS - 1))
                                             : MEET_BARRIERS;
    case RESUME_WARP: // who waits for some lanes does not meet those that wait for all
        return LLVMIsAConstantInt(of) && !is_full_mask(p, of) ? 0 : MEET_WARP;
    case RESUME_CLUSTER_ARRIVE:
    case RESUME_CLUSTER_WAIT:
    case RESUME_CLUSTER_SYNC:
        return MEET_CLUSTER;
    default:
        return 0;
    }
}

// Of what all threads of a block, warp or cluster wait for: all of them, whichever lanes are here.
static bool waits_for_all(const struct region_plan *p, LLVMValueRef call, const struct op_row *row)
{
    switch (row->wait) {
    case RESUME_BARRIER:
        return is_whole_block(p, LLVMGetOperand(call, 1)) && LLVMIsAConstantInt(LLVMGetOperand(call, 0));
    case RESUME_WARP:
        return is_full_mask(p, LLVMGetOperand(call, 0));
    default:
        return row->wait >= RESUME_CLUSTER_WAIT;
    }
}

static struct decision decide(struct splitter *s, LLVMValueRef call, const struct op_row *row, bool diverged)
{
    const struct region_plan *p = s->r->plan;
    struct decision d = {call, row, WAITS, false, false};
    int block = cfg_index(&s->r->cfg, LLVMGetInstructionParent(call));
    bool whole = !converge_branches(s->c, block);
    bool same = whole && !diverged;
    bool meet = same || (whole && waits_for_all(p, call, row) && !(s->elsewhere & meets_at(p, call, row)));
    switch (row->wait) {
    case RESUME_BARRIER:
    case RESUME_ARRIVE: {
        LLVMValueRef id = LLVMGetOperand(call, 0), count = LLVMGetOperand(call, 1);
        d.together = meet && converge_value(s->c, id) && converge_value(s->c, count);
        d.gathers = row->wait == RESUME_BARRIER && row->resume == RESUME_NONE && same && is_one_gang(p) &&
                    is_whole_block(p, count) && LLVMIsAConstantInt(id) && converge_undivided(s->c, block);
        if (d.gathers)
            d.action = GOES;
        break;
    }
    case RESUME_YIELD:
        d.together = same;
        if (row->resume == RESUME_IN_BLOCK && is_one_gang(p)) {
            d.action = GOES;
            d.gathers = same && converge_undivided(s->c, block);
        }
        break;
    case RESUME_CLUSTER_ARRIVE:
    case RESUME_CLUSTER_WAIT: // passed at once where the others have arrived already
        d.together = same;
        break;
    case RESUME_CLUSTER_SYNC:
        d.together = meet;
        break;
    case RESUME_GATHER:
        d.action = p->width == RESUME_WARP_LANES && !diverged ? STAYS : WAITS;
        d.together = same;
        break;
    default: {
        LLVMValueRef mask = LLVMGetOperand(call, 0);
        d.together = meet && converge_value(s->c, mask);
        if (p->width == RESUME_WARP_LANES && (same || mask_is_active_lanes(s, call, mask, diverged)))
            d.action = row->resume == RESUME_NONE ? GOES : STAYS;
        break;
    }
    }
    if (p->width == 1)
        d.together = true;
    return d;
}

// What follow_block notes on its way: nothing, the decisions, or what lanes make apart that may differ by that.
enum note { NOTE_NOTHING, NOTE_DECISIONS, NOTE_APART };

static bool changes_in_time(LLVMValueRef x)
{
    return LLVMIsALoadInst(x) && ir_space(LLVMGetOperand(x, 0)) != AS_CONST;
}

// Follows the lanes through one block; returns whether they may have diverged at its end.
static bool follow_block(struct splitter *s, int block, enum note note)
{
    bool diverged = s->diverged[block];
    LLVMBasicBlockRef b = s->r->cfg.blocks[block].block;
    FOR_INSTRUCTIONS (b, i) {
        const struct op_row *row = find_row(i);
        if (note == NOTE_APART && diverged && changes_in_time(i))
            map_put_ptr(&s->r->apart, i, i);
        if (!row)
            continue;
        struct decision d = decide(s, i, row, diverged);
        if (d.action == WAITS) {
            diverged = !d.together;
            if (diverged && !(waits_for_all(s->r->plan, i, row) && !converge_branches(s->c, block)))
                s->elsewhere |= meets_at(s->r->plan, i, row);
        }
        if (note == NOTE_APART && diverged && op_rows[op_of(i)].kinds & (IS_BARRIER_RED | IS_AGREED))
            map_put_ptr(&s->r->apart, i, i);
        if (note == NOTE_DECISIONS)
            vec_push(&s->decisions, d);
    }
    return diverged;
}

static void follow_lanes(struct splitter *s)
{
    const struct cfg *g = &s->r->cfg;
    s->c = converge_create(s->r, s->r->plan->width, &s->r->apart);
    s->diverged = arena_array(&s->r->arena, bool, g->nblocks + 1);
    s->elsewhere = 0;
    for (bool changed = true; changed;) {
        uint32_t known = s->elsewhere;
        changed = false;
        for (unsigned k = 0; k < g->norder; k++) {
            const struct cfg_block *b = &g->blocks[g->order[k]];
            if (!follow_block(s, g->order[k], NOTE_NOTHING))
                continue;
            for (unsigned i = 0; i < b->nsucc; i++) {
                changed |= !s->diverged[b->succ[i]];
                s->diverged[b->succ[i]] = true;
            }
        }
        changed |= s->elsewhere != known;
    }
    s->decisions.len = 0;
    // Resume points are numbered so: see release_gathered in abi/run.c.
    const int *order = cfg_loops_first(g, &s->r->arena);
    for (unsigned k = 0; k < g->norder; k++)
        follow_block(s, order[k], NOTE_DECISIONS);
}

// Takes what lanes make apart into account, or, where lanes diverge at all, every load as well. False: there is none that was not known.
static bool find_apart(struct splitter *s, bool every)
{
    const struct cfg *g = &s->r->cfg;
    size_t before = s->r->apart.len;
    bool any = false;
    for (unsigned k = 0; k < g->norder; k++)
        any |= follow_block(s, g->order[k], NOTE_APART);
    for (unsigned k = 0; k < g->norder && any && every; k++)
        FOR_INSTRUCTIONS (g->blocks[g->order[k]].block, i)
            if (changes_in_time(i) || op_rows[op_of(i)].kinds & (IS_BARRIER_RED | IS_AGREED))
                map_put_ptr(&s->r->apart, i, i);
    return s->r->apart.len != before;
}

// Building

static void build_raw_set(struct resume *r, LLVMBuilderRef b, enum resume_slot slot, LLVMValueRef v)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->context);
    LLVMValueRef a[2] = {LLVMConstInt(LLVMInt32TypeInContext(r->context), slot, 0),
                         LLVMBuildZExtOrBitCast(b, v, i64, "")};
    op_build_typed(b, OP_RAW_SET, "i64", LLVMVoidTypeInContext(r->context), a, 2);
    r->plan->raw_slots = RESUME_SLOTS;
}

static LLVMValueRef build_result(struct resume *r, LLVMBuilderRef b, LLVMTypeRef type, bool of_block)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context), i64 = LLVMInt64TypeInContext(r->context);
    LLVMValueRef a[2] = {LLVMConstInt(i32, of_block ? RESUME_BLOCK_RESULT : RESUME_RESULT, 0), LLVMConstInt(i32, 0, 0)};
    if (!of_block)
        a[1] = op_build_thread(b);
    LLVMValueRef v = op_build_typed(b, OP_RAW_GET, "i64", i64, a, 2);
    return LLVMBuildTrunc(b, v, type, "");
}

static void build_operands(struct resume *r, LLVMBuilderRef b, const struct decision *d, unsigned *op)
{
    LLVMValueRef c = d->call;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->context);
    if (d->row->wait == RESUME_BARRIER || d->row->wait == RESUME_ARRIVE) {
        if (!is_whole_block(r->plan, LLVMGetOperand(c, 1))) {
            *op |= RESUME_COUNTED;
            build_raw_set(r, b, RESUME_KEY, LLVMGetOperand(c, 1));
        }
        if (d->row->resume != RESUME_NONE)
            build_raw_set(r, b, RESUME_VALUE, LLVMGetOperand(c, 2));
    }
    if (d->row->wait == RESUME_GATHER)
        r->plan->raw_slots = RESUME_SLOTS;
    if (d->row->wait != RESUME_WARP)
        return;
    unsigned n = LLVMGetNumArgOperands(c);
    build_raw_set(r, b, RESUME_KEY, LLVMGetOperand(c, 0));
    if (n > 1)
        build_raw_set(r, b, RESUME_VALUE, LLVMGetOperand(c, 1));
    if (n > 3) {
        LLVMValueRef low = LLVMBuildZExt(b, LLVMGetOperand(c, 2), i64, "");
        LLVMValueRef high =
            LLVMBuildShl(b, LLVMBuildZExt(b, LLVMGetOperand(c, 3), i64, ""), LLVMConstInt(i64, 32, 0), "");
        build_raw_set(r, b, RESUME_EXTRA, LLVMBuildOr(b, low, high, ""));
    }
}

static LLVMValueRef build_state(struct resume *r, LLVMBuilderRef b, const struct decision *d, unsigned point,
                                unsigned op)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    uint32_t fixed = point | op << RESUME_OP_SHIFT | (uint32_t)d->row->wait << RESUME_KIND_SHIFT;
    LLVMValueRef state = LLVMConstInt(i32, fixed, 0);
    if (d->row->wait != RESUME_BARRIER && d->row->wait != RESUME_ARRIVE)
        return state;
    LLVMValueRef id = LLVMBuildAnd(b, LLVMGetOperand(d->call, 0), LLVMConstInt(i32, RESUME_BARRIERS - 1, 0), "");
    return LLVMBuildOr(b, state, LLVMBuildShl(b, id, LLVMConstInt(i32, RESUME_ID_SHIFT, 0), ""), "");
}

static void build_wait(struct resume *r, const struct decision *d)
{
    static const enum region_wait waits[] = {[RESUME_BARRIER] = REGION_BARRIER,
                                             [RESUME_ARRIVE] = REGION_ARRIVE,
                                             [RESUME_WARP] = REGION_WARP,
                                             [RESUME_GATHER] = REGION_WARP,
                                             [RESUME_YIELD] = REGION_YIELD,
                                             [RESUME_CLUSTER_WAIT] = REGION_CLUSTER,
                                             [RESUME_CLUSTER_SYNC] = REGION_CLUSTER,
                                             [RESUME_CLUSTER_ARRIVE] = REGION_CLUSTER};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(r->context);
    LLVMPositionBuilderBefore(b, d->call);
    unsigned op = d->row->resume, point = (unsigned)r->points.len + 1;
    build_operands(r, b, d, &op);
    LLVMValueRef state = build_state(r, b, d, point, op);
    LLVMValueRef call = op_build(b, OP_RESUME, &state, 1);
    LLVMTypeRef type = LLVMTypeOf(d->call);
    bool in_block = op == RESUME_IN_BLOCK; // nothing is computed there
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(d->call,
                               build_result(r, b, type, d->row->wait == RESUME_BARRIER && !(op & RESUME_COUNTED)));
    LLVMInstructionEraseFromParent(d->call);
    LLVMDisposeBuilder(b);
    vec_push(&r->points, ((struct resume_point){call, in_block ? REGION_YIELD_BLOCK : waits[d->row->wait],
                                                in_block ? RESUME_NONE : op, d->together}));
    map_put_ptr(&r->point_index, call, (void *)(uintptr_t)point);
}

// A wait that the gang need not make. For the scalar code, which knows of one thread, others have changed memory here.
static void build_no_wait(struct resume *r, LLVMValueRef call)
{
    if (r->plan->in_step)
        op_insert(OP_GANG_SYNC, call);
    LLVMInstructionEraseFromParent(call);
}

// Where a block is one gang and need not wait, lanes may read what others stored without going through memory (resume/forward_lanes.c).
static void find_passed(struct splitter *s)
{
    bool all = true;
    for (size_t i = 0; i < s->decisions.len; i++)
        all &= s->decisions.data[i].action != WAITS;
    for (size_t i = 0; all && i < s->decisions.len; i++)
        if (s->decisions.data[i].gathers)
            vec_push(&s->r->passed, s->decisions.data[i].call);
}

// Functions that stay calls (recursive ones) cannot be cut. Where they wait, the kernel is compiled again, for threads with stacks of
// their own (keep_stack.c); their waits are decided as those of the kernel are at width 1.
static bool decide_callees(struct compilation *c, struct splitter *s)
{
    struct resume *r = c->resume;
    FOR_MODULE (r->plan->module, f) {
        if (f == r->kernel || LLVMIsDeclaration(f))
            continue;
        FOR_FUNCTION (f, i) {
            const struct op_row *row = find_row(i);
            bool warp = row && (row->wait == RESUME_WARP || row->wait == RESUME_GATHER);
            if (!row || (warp && r->plan->width == RESUME_WARP_LANES))
                continue;
            if (r->plan->stacks) {
                vec_push(&s->decisions, ((struct decision){i, row, WAITS, true, false}));
            } else if (c->options->check) {
                return diag_unsupported(r->d, 0, 0, "%s in the recursive function '%s', in code that is checked",
                                        row->name + strlen(OP_PREFIX), ir_function_name(f));
            } else {
                c->calls_wait = true;
                return false;
            }
        }
    }
    return true;
}

static struct resume *begin(struct compilation *c)
{
    struct resume *r = xcalloc(1, sizeof *r);
    r->plan = &c->plan;
    r->kernel = c->t.kernel;
    r->context = LLVMGetModuleContext(c->module);
    r->d = c->d;
    r->plan->raw_slots = 0;
    r->plan->local_bytes = r->plan->local_align = 0;
    arena_init(&r->arena);
    cfg_build(&r->cfg, r->kernel);
    return r;
}

bool pass_waits(struct compilation *c)
{
    struct resume *r = c->resume = begin(c);
    struct splitter s = {.r = r};
    for (unsigned round = 0;; round++) {
        follow_lanes(&s);
        if (!find_apart(&s, round + 1 == ROUNDS_MAX))
            break;
        converge_destroy(s.c);
    }
    r->block_together = arena_array(&r->arena, bool, r->cfg.nblocks + 1);
    r->block_whole = arena_array(&r->arena, bool, r->cfg.nblocks + 1);
    for (unsigned k = 0; k < r->cfg.nblocks; k++) {
        r->block_whole[k] = !converge_branches(s.c, (int)k);
        r->block_together[k] = !s.diverged[k];
    }
    r->converge = s.c;
    find_passed(&s);
    if (!decide_callees(c, &s)) {
        vec_free(&s.decisions);
        return false;
    }
    r->decisions = arena_array(&r->arena, struct decisions, 1);
    r->decisions->n = s.decisions.len;
    r->decisions->row = arena_array(&r->arena, struct decision, s.decisions.len + 1);
    for (size_t i = 0; i < s.decisions.len; i++)
        r->decisions->row[i] = s.decisions.data[i];
    vec_free(&s.decisions);
    return true;
}

// Turns every call that waits into heddle.resume and fills points; warp collectives that the vectoriser can execute at once stay,
// warp.sync that is always true goes.
bool pass_resume_points(struct compilation *c)
{
    struct resume *r = c->resume;
    bool ok = true;
    for (size_t i = 0; i < r->decisions->n && ok; i++) {
        const struct decision *d = &r->decisions->row[i];
        if (d->action == GOES)
            build_no_wait(r, d->call);
        else if (d->action == WAITS)
            build_wait(r, d);
        if (r->points.len > RESUME_POINTS_MAX)
            ok = diag_error(r->d, 0, 0, "kernel '%s' waits at more than %d points", r->plan->kernel, RESUME_POINTS_MAX);
    }
    return ok;
}
