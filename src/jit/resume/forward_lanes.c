// SPDX-License-Identifier: Apache-2.0
// Wavefronts: what a lane stores in shared memory, its neighbour reads in the next iteration.
//
// In a table that is filled along its diagonals (alignment of sequences, time warping, edit distance) a iteration of the loop is
// a few operations on what the iteration before stored, by this lane and by the one beside it, with a barrier between them. In a
// block of one gang the barrier is nothing (waits.c), and what remains is a chain through memory: a gather that
// wants sixteen locations which a scatter has just written finds them all in the store buffer, one by one, and takes some sixty
// cycles where the arithmetic takes three. So the gang keeps what it stored in a register: the load takes it from there, moved
// by as many lanes as the reader is from the writer. The store is made all the same; nobody waits for it.
//
// In scalar terms, for a store S and a load L of one loop:
//  1. A location in shared memory is a * lane + b * iteration + r, with constants a and b and an r that neither lanes nor iterations
//     change. Known are the low 32 bits (analysis/linear.h), which is enough: two locations whose distance is a multiple of 2^32
//     are the same one, or one of them is outside of shared memory.
//  2. S with the a and b of L hits the location of L m iterations before from the lane that is k further for one k at most:
//     a * k = (r of L) - (r of S) + b * m. No such k among the lanes of a gang: it never does.
//  3. From L back through the loop, over at most ITERATIONS iterations, the first store for which there is a k is L's source. Whatever
//     stands between must be known to write elsewhere: another store without such a k, nothing atomic, volatile or
//     generic, no call.
//  4. Which lanes did store in that iteration is a word that goes with the value, a bit a lane, the same for the whole gang
//     (heddle.lane.word). Where the bit of lane + k is not set, in lanes at the border and in the first iterations, memory is right
//     as ever: it always is, since it is written by every store.
//  5. Words and values are variables of the loop. Words are made and values exchanged (heddle.lane.shift.T) where all lanes
//     are known to be active, at the loop's head and end or at a barrier, and only then used under whatever
//     condition L has: heddle.forward.T(address, value, word) is the value in lanes of the word, a load in others.
//
// Only in loops with a barrier, since elsewhere no lane may count on another one's store, and only when some load crosses
// lanes or the locations of a gang are not side by side: a vector is read back from the store buffer without delay.
//
// Needleman-Wunsch in tiles of 16x16: docs/jit/measurements.md.
#include "base/vec.h"
#include "jit/analysis/loops.h"
#include "base/log.h"
#include "jit/ir/pass.h"
#include "jit/resume/resume.h"
#include "jit/analysis/linear.h"

enum { ITERATIONS = 2, EVENTS_MAX = 64, STRIDE_MAX = 1 << 24 };

// A location in shared memory, by rule 1.
struct location {
    bool known;
    int32_t lane, iteration; // a and b
    struct linear rest;
    int64_t size;
};

enum event_kind { EVENT_LOAD, EVENT_STORE, EVENT_BARRIER, EVENT_UNKNOWN };

struct event {
    enum event_kind kind;
    LLVMValueRef inst;
    struct location location;
    // of a store that is a source
    LLVMValueRef flag, value;                      // allocas: this iteration's
    LLVMValueRef old_value, old_lanes[ITERATIONS]; // one iteration before; one and two iterations before
};

struct forward {
    struct resume *r;
    const struct converge *c;
    const LLVMValueRef *barriers;
    size_t nbarriers;
    int loop;
    unsigned threads;
    struct VEC(struct event) events; // of the loop, in the order of one iteration
    LLVMBuilderRef b;
    unsigned done; // loads that were turned into forwards
};

// Locations

// One call stands for all of a function that is the same wherever it is called.
static LLVMValueRef one_of_all(LLVMValueRef leaf)
{
    if (!leaf || !op_is(leaf, IS_SREG) || LLVMGetNumArgOperands(leaf))
        return leaf;
    return LLVMGetUser(LLVMGetFirstUse(LLVMGetCalledValue(leaf)));
}

// What a variable of the loop is before the first iteration, and what is added to it on each: a constant.
static bool read_variable(const struct forward *f, LLVMValueRef phi, struct linear *first, int64_t *step)
{
    LLVMValueRef start = loop_start(&f->r->cfg, f->loop, phi), next = loop_next(&f->r->cfg, f->loop, phi);
    if (!start || !next)
        return false;
    struct linear one = {.n = 1, .term = {{phi, NULL, 1}}}, x = linear_of(next), by = linear_add(&x, &one, -1);
    *first = linear_of(start);
    *step = by.plus;
    return !by.n && !by.lost && !by.rough && !first->lost && !first->rough;
}

// Adds leaf * by to a location, where that keeps its form.
static bool add_leaf(const struct forward *f, struct location *p, LLVMValueRef leaf, int64_t by, bool from_outside)
{
    const struct cfg *g = &f->r->cfg;
    leaf = one_of_all(leaf);
    if (op_of(leaf) == OP_TID_X) {
        p->lane = (int32_t)((uint32_t)p->lane + (uint32_t)by);
        return true;
    }
    bool inside = loop_has(&f->r->cfg, f->loop, leaf);
    if (!inside && converge_value(f->c, leaf)) {
        struct linear x = {.n = 1, .term = {{leaf, NULL, 1}}};
        p->rest = linear_add(&p->rest, &x, by);
        return true;
    }
    struct linear first;
    int64_t step;
    if (from_outside || !loop_is_variable(g, f->loop, leaf) || !read_variable(f, leaf, &first, &step))
        return false;
    p->iteration = (int32_t)((uint32_t)p->iteration + (uint32_t)((uint64_t)step * (uint64_t)by));
    p->rest.plus = (int64_t)((uint64_t)p->rest.plus + (uint64_t)first.plus * (uint64_t)by);
    for (unsigned i = 0; i < first.n; i++)
        if (first.term[i].times ||
            !add_leaf(f, p, first.term[i].leaf, (int64_t)((uint64_t)first.term[i].by * (uint64_t)by), true))
            return false;
    return true;
}

static struct location location_of(const struct forward *f, LLVMValueRef address, LLVMTypeRef type)
{
    struct linear x = linear_of(address);
    struct location p = {.rest.plus = x.plus, .size = (int64_t)LLVMABISizeOfType(f->r->plan->layout, type)};
    p.known = !x.lost && !x.rough;
    for (unsigned i = 0; i < x.n && p.known; i++) {
        LLVMValueRef other = one_of_all(x.term[i].times), leaf = one_of_all(x.term[i].leaf);
        if (!other) {
            p.known = add_leaf(f, &p, leaf, x.term[i].by, false);
            continue;
        }
        struct linear product = {.n = 1, .term = {{leaf, other, x.term[i].by}}};
        p.known = converge_value(f->c, leaf) && converge_value(f->c, other) && !(loop_has(&f->r->cfg, f->loop, leaf)) &&
                  !(loop_has(&f->r->cfg, f->loop, other));
        p.rest = linear_add(&p.rest, &product, 1);
    }
    p.known = p.known && !p.rest.lost && p.lane < STRIDE_MAX && p.lane > -STRIDE_MAX;
    return p;
}

enum relation { DISJOINT, SOURCE, UNCLEAR };

// How a store, m iterations before the load, meets the location of the load; SOURCE: from the lane that is *k further.
static enum relation relate(const struct forward *f, const struct location *load, const struct location *store, int m,
                            int *k)
{
    if (!store->known || load->lane != store->lane || load->iteration != store->iteration)
        return UNCLEAR;
    struct linear d = linear_add(&load->rest, &store->rest, -1);
    if (d.lost)
        return UNCLEAR;
    for (unsigned i = 0; i < d.n; i++)
        if ((uint32_t)d.term[i].by)
            return UNCLEAR;
    enum relation found = DISJOINT;
    for (int lane = 1 - (int)f->threads; lane < (int)f->threads; lane++) {
        int32_t distance = (int32_t)((uint32_t)d.plus + (uint32_t)load->iteration * (uint32_t)m -
                                     (uint32_t)load->lane * (uint32_t)lane);
        if (distance <= -load->size || distance >= store->size)
            continue;
        if (distance || load->size != store->size || found == SOURCE)
            return UNCLEAR;
        found = SOURCE;
        *k = lane;
    }
    return found;
}

// The loop's events

static bool is_simple(LLVMValueRef access, LLVMTypeRef type)
{
    LLVMTypeKind k = LLVMGetTypeKind(type);
    bool scalar = (k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 8) || k == LLVMFloatTypeKind ||
                  k == LLVMDoubleTypeKind || k == LLVMHalfTypeKind;
    return scalar && access_is_simple(access);
}

static bool is_removed(const struct forward *f, LLVMValueRef call)
{
    for (size_t i = 0; i < f->nbarriers; i++)
        if (f->barriers[i] == call)
            return true;
    return false;
}

static void add_event(struct forward *f, LLVMValueRef x)
{
    struct event e = {.kind = EVENT_UNKNOWN, .inst = x};
    unsigned space = IR_IS(x, LLVMLoad, LLVMStore) ? ir_space(ir_address(x)) : AS_GENERIC;
    bool plain = space == AS_SHARED && is_simple(x, ir_access_type(x));
    if (LLVMIsALoadInst(x) ? !plain : LLVMIsAStoreInst(x) && (space == AS_GLOBAL || space == AS_LOCAL))
        return;
    if (LLVMIsACallInst(x) ? !is_removed(f, x) && !access_may_write(x) : !plain && !IR_IS(x, LLVMStore, IR_ATOMICS))
        return;
    if (plain) {
        e.kind = LLVMIsALoadInst(x) ? EVENT_LOAD : EVENT_STORE;
        e.location = location_of(f, ir_address(x), ir_access_type(x));
    } else if (LLVMIsACallInst(x) && is_removed(f, x)) {
        e.kind = EVENT_BARRIER;
    }
    vec_push(&f->events, e);
}

static bool find_events(struct forward *f)
{
    const struct cfg *g = &f->r->cfg;
    f->events.len = 0;
    if (!loop_is_innermost(g, f->loop))
        return false;
    FOR_LOOP (g, f->loop, x)
        add_event(f, x);
    return f->events.len <= EVENTS_MAX;
}

struct match {
    size_t load, store;
    int m, k;
    size_t barrier; // the one between them when m is 0 and k is not
};

static bool dominates(const struct forward *f, LLVMValueRef a, LLVMValueRef b)
{
    const struct cfg *g = &f->r->cfg;
    return cfg_dominates(g, cfg_index(g, LLVMGetInstructionParent(a)), cfg_index(g, LLVMGetInstructionParent(b)));
}

// Where to exchange between lanes within one iteration: events are in order, so what dominates the load stands before it.
static bool find_barrier(const struct forward *f, struct match *x)
{
    for (x->barrier = x->load; x->barrier-- > x->store + 1;)
        if (f->events.data[x->barrier].kind == EVENT_BARRIER &&
            dominates(f, f->events.data[x->barrier].inst, f->events.data[x->load].inst))
            return true;
    return false;
}

// The store that a load's value comes from, by rule 3.
static bool find_source(const struct forward *f, size_t load, struct match *out)
{
    const struct event *l = &f->events.data[load];
    for (int m = 0; m <= ITERATIONS; m++)
        for (size_t i = m ? f->events.len : load; i-- > 0;) {
            const struct event *e = &f->events.data[i];
            int k = 0;
            if (e->kind == EVENT_UNKNOWN)
                return false;
            if (e->kind != EVENT_STORE)
                continue;
            enum relation r = relate(f, &l->location, &e->location, m, &k);
            if (r == DISJOINT)
                continue;
            *out = (struct match){.load = load, .store = i, .m = m, .k = k};
            return r == SOURCE && LLVMTypeOf(l->inst) == LLVMTypeOf(LLVMGetOperand(e->inst, 0)) &&
                   (m || !k || find_barrier(f, out));
        }
    return false;
}

// Building

static LLVMValueRef build_call(struct forward *f, enum heddle_op op, LLVMTypeRef type, LLVMValueRef *args, unsigned n)
{
    char *suffix = LLVMPrintTypeToString(type);
    LLVMValueRef call = op_build_typed(f->b, op, suffix, type, args, n);
    LLVMDisposeMessage(suffix);
    return call;
}

static LLVMValueRef header_start(const struct forward *f)
{
    const struct cfg *g = &f->r->cfg;
    return ir_after_phis(LLVMGetFirstInstruction(g->blocks[g->loops[f->loop].header].block));
}

// What x, known at the end of a iteration, was in the iteration before; `first` in the first one.
static LLVMValueRef build_before(struct forward *f, LLVMValueRef x, LLVMValueRef first)
{
    const struct cfg *g = &f->r->cfg;
    const struct cfg_block *header = &g->blocks[g->loops[f->loop].header];
    LLVMPositionBuilderBefore(f->b, LLVMGetFirstInstruction(header->block));
    LLVMValueRef phi = LLVMBuildPhi(f->b, LLVMTypeOf(x), "");
    for (unsigned i = 0; i < header->npred; i++) {
        LLVMBasicBlockRef from = g->blocks[header->pred[i]].block;
        LLVMAddIncoming(phi, loop_has_block(g, f->loop, from) ? &x : &first, &from, 1);
    }
    return phi;
}

static LLVMValueRef build_lanes(struct forward *f, LLVMValueRef flag)
{
    LLVMTypeRef i1 = LLVMInt1TypeInContext(f->r->context), i32 = LLVMInt32TypeInContext(f->r->context);
    return build_call(f, OP_LANE_WORD, i32, (LLVMValueRef[]){LLVMBuildLoad2(f->b, i1, flag, "")}, 1);
}

// The variables of a store that is a source: allocas for the iteration at hand, which mem2reg takes out again, and phis of the
// iterations before.
static void make_variables(struct forward *f, struct event *e)
{
    LLVMTypeRef i1 = LLVMInt1TypeInContext(f->r->context), t = LLVMTypeOf(LLVMGetOperand(e->inst, 0));
    LLVMValueRef none = LLVMConstNull(LLVMInt32TypeInContext(f->r->context));
    LLVMPositionBuilderBefore(f->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->r->kernel)));
    e->flag = LLVMBuildAlloca(f->b, i1, "");
    e->value = LLVMBuildAlloca(f->b, t, "");
    LLVMPositionBuilderBefore(f->b, header_start(f));
    LLVMBuildStore(f->b, LLVMConstNull(i1), e->flag);
    LLVMBuildStore(f->b, LLVMGetUndef(t), e->value);
    LLVMPositionBuilderBefore(f->b, LLVMGetNextInstruction(e->inst));
    LLVMBuildStore(f->b, LLVMConstAllOnes(i1), e->flag);
    LLVMBuildStore(f->b, LLVMGetOperand(e->inst, 0), e->value);
    LLVMPositionBuilderBefore(f->b,
                              LLVMGetBasicBlockTerminator(f->r->cfg.blocks[f->r->cfg.loops[f->loop].latch].block));
    LLVMValueRef lanes = build_lanes(f, e->flag), value = LLVMBuildLoad2(f->b, t, e->value, "");
    e->old_value = build_before(f, value, LLVMGetUndef(t));
    for (unsigned m = 0; m < ITERATIONS; m++)
        e->old_lanes[m] = lanes = build_before(f, lanes, none);
}

// The value that the lane k further stored m iterations before.
static LLVMValueRef build_value(struct forward *f, const struct match *x, const struct event *store)
{
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(store->inst, 0));
    LLVMValueRef k = LLVMConstInt(LLVMInt32TypeInContext(f->r->context), (unsigned long long)x->k, 1);
    LLVMValueRef v = x->m ? store->old_value : LLVMBuildLoad2(f->b, t, store->value, "");
    if (x->k)
        v = build_call(f, OP_LANE_SHIFT, t, (LLVMValueRef[]){v, k}, 2);
    for (int m = 1; m < x->m; m++)
        v = build_before(f, v, LLVMGetUndef(t));
    return v;
}

static void build_forward(struct forward *f, const struct match *x)
{
    struct event *store = &f->events.data[x->store];
    LLVMValueRef load = f->events.data[x->load].inst;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(f->r->context);
    if (!store->flag)
        make_variables(f, store);
    LLVMPositionBuilderBefore(f->b, x->m ? header_start(f) : x->k ? f->events.data[x->barrier].inst : load);
    LLVMValueRef lanes = x->m ? store->old_lanes[x->m - 1] : build_lanes(f, store->flag);
    if (x->k)
        lanes = LLVMBuildBinOp(f->b, x->k < 0 ? LLVMShl : LLVMLShr, lanes,
                               LLVMConstInt(i32, (unsigned long long)(x->k < 0 ? -x->k : x->k), 0), "");
    LLVMValueRef args[3] = {LLVMGetOperand(load, 0), build_value(f, x, store), lanes};
    LLVMPositionBuilderBefore(f->b, load);
    LLVMReplaceAllUsesWith(load, build_call(f, OP_FORWARD, LLVMTypeOf(load), args, 3));
    f->done++;
}

static void forward_loop(struct forward *f)
{
    struct VEC(struct match) matches = {0};
    struct match x;
    bool pays = false;
    if (!find_events(f))
        return;
    for (size_t i = 0; i < f->events.len; i++) {
        const struct event *e = &f->events.data[i];
        if (e->kind != EVENT_LOAD || !e->location.known || !e->location.lane || !find_source(f, i, &x))
            continue;
        vec_push(&matches, x);
        pays |= x.k || (e->location.lane != e->location.size && e->location.lane != -e->location.size);
    }
    for (size_t i = 0; pays && i < matches.len; i++)
        build_forward(f, &matches.data[i]);
    for (size_t i = 0; pays && i < matches.len; i++)
        LLVMInstructionEraseFromParent(f->events.data[matches.data[i].load].inst);
    vec_free(&matches);
}

static unsigned forward_mark(struct resume *r, struct converge *c, const LLVMValueRef *barriers, size_t n)
{
    const unsigned *block = r->plan->block;
    struct forward f = {.r = r, .c = c, .barriers = barriers, .nbarriers = n, .threads = block[0]};
    struct VEC(int) loops = {0};
    if (block[1] != 1 || block[2] != 1) {
        remark(NULL, "nothing: the block has more than one row");
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        int loop = r->cfg.blocks[cfg_index(&r->cfg, LLVMGetInstructionParent(barriers[i]))].loop;
        bool seen = loop == CFG_NONE || r->cfg.loops[loop].latch == CFG_NONE ||
                    !converge_undivided(c, r->cfg.loops[loop].header) ||
                    !converge_undivided(c, r->cfg.loops[loop].latch);
        for (size_t k = 0; k < loops.len; k++)
            seen |= loops.data[k] == loop;
        if (!seen)
            vec_push(&loops, loop);
    }
    f.b = LLVMCreateBuilderInContext(r->context);
    for (size_t i = 0; i < loops.len; i++) {
        f.loop = loops.data[i];
        forward_loop(&f);
    }
    vec_free(&loops);
    vec_free(&f.events);
    LLVMDisposeBuilder(f.b);
    return f.done;
}

bool pass_forward_lanes(struct compilation *c)
{
    struct resume *r = c->resume;
    unsigned n = r->passed.len ? forward_mark(r, r->converge, r->passed.data, r->passed.len) : 0;
    c->marked = n;
    if (!r->passed.len)
        remark(NULL, "nothing: no barrier that a block of one gang passes without waiting");
    else
        remark(NULL, "%u loads get what lanes have stored from registers", n);
    if (n)
        log_write(LOG_DEBUG, "%s: %u loads get what lanes have stored from registers", c->plan.kernel, n);
    return true;
}
