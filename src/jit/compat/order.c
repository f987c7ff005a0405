// SPDX-License-Identifier: Apache-2.0
// Yields between a load of one thread and a store of another to the same location (compat.h, rule 2):
//
//     for (...) {
//         x = t ? s[t - 1] : in[i];
//         ...
//         s[t] = x * a + b;
//         __syncthreads();
//     }
//
// It is a data race, and works on GPUs, whose warps go on side by side: all have loaded before one of them reaches the
// store. Here one gang would run up to the barrier first. Where the addresses show that a thread stores to what another
// one loads (analysis/thread_value.h: addresses that depend on data are not known and do not count), and control comes from the load to
// the store with nothing between that waits:
//  1. A yield stands between the two, at the last point before the store that is control-equivalent to a barrier of the
//     program's own: gangs come there whole, and mostly the whole block together, so that it costs what a barrier does.
//  2. Where there is none, as when load and store are both behind a branch that only some threads take, it stands
//     right before the store; but not in kernels with collectives of warps, whose lanes it would make diverge.
//  3. An array that all threads clear before one of them writes to it gets a yield between these stores too.
//  4. All lanes of a warp store, and then one of them tells by an atomic that they have:
//
//         out[i] = x;
//         if (lane == 0) last = atomicAdd(&done, n) + n == all;
//
//     Where the warp is one gang they have. Where it is several, since the code is too large for a wide one, a yield stands before the
//     branch that chooses the lane.
// All of it is a guess that only decides where to yield: budgets, hashes and addresses that are not understood cost a
// yield too many or too few and never a result of a program without races.
#include "base/vec.h"
#include "jit/compat/compat.h"
#include "jit/ir/pass.h"
#include "jit/analysis/thread_value.h"
#include "jit/analysis/address.h"
#include "jit/analysis/cfg.h"
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 2000, VALUES_BYTES = 4 << 20, ACCESSES = 256, DEPTH = 12, WARP = 32 };

struct access {
    LLVMValueRef inst, pointer;
    int block;
};

struct order {
    bool collectives; // which order the threads of a warp among themselves
    bool gathers;     // it asks which lanes are active
    struct cfg cfg;
    struct thread_values values;
    bool *met;                       // by block: control-equivalent to a barrier
    bool **active;                   // by block: which threads may reach it; computed on demand
    unsigned pairs;                  // compared so far
    struct VEC(LLVMValueRef) points; // yields go before these
    struct VEC(struct access) loads, stores;
    struct map index; // a store -> its number + 1
    bool *done;       // by store: no yield can keep it away
};

static bool makes_wait(struct order *o, LLVMValueRef i)
{
    if (op_is(i, IS_BLOCK_WAIT) || op_of(i) == OP_YIELD_BLOCK)
        return true;
    for (size_t k = 0; k < o->points.len; k++)
        if (o->points.data[k] == i)
            return true;
    return false;
}

// How else than by barriers of the whole block threads may wait for each other. Where they do, nothing is known of the
// order.
static bool waits_otherwise(struct order *o, LLVMValueRef i, bool in_loop)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return !access_is_simple(i);
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return true;
    case LLVMAtomicRMW:
        return in_loop && LLVMGetFirstUse(i) &&
               (LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg || LLVMIsNull(LLVMGetOperand(i, 1)));
    case LLVMCall:
        o->collectives |= op_is_collective(i);
        o->gathers |= op_of(i) == OP_ACTIVEMASK;
        return op_is(i, IS_BLOCK_WAIT) && !op_is_syncthreads(i);
    default:
        return false;
    }
}

static bool barriers_only(struct order *o)
{
    for (unsigned b = 0; b < o->cfg.nblocks; b++)
        FOR_INSTRUCTIONS (o->cfg.blocks[b].block, i)
            if (waits_otherwise(o, i, o->cfg.blocks[b].loop != CFG_NONE))
                return false;
    return true;
}

// Loads and stores, either of memory that may be shared or of other memory.
static void find_accesses(struct order *o, bool global)
{
    for (unsigned b = 0; b < o->cfg.nblocks; b++) {
        if (o->cfg.blocks[b].rpo == CFG_NONE)
            continue;
        FOR_INSTRUCTIONS (o->cfg.blocks[b].block, i) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            bool load = op == LLVMLoad;
            if (!load && op != LLVMStore && op != LLVMAtomicRMW && op != LLVMAtomicCmpXchg)
                continue;
            struct access a = {i, LLVMGetOperand(i, op == LLVMStore ? 1 : 0), (int)b};
            unsigned space = ir_space(a.pointer);
            if (global ? space != AS_GLOBAL : space != AS_SHARED && space != AS_GENERIC)
                continue;
            if (load)
                vec_push(&o->loads, a);
            else
                vec_push(&o->stores, a);
        }
    }
}

// Blocks that are control-equivalent to one with a barrier of the program's own, in the same loop.
static bool find_meetings(struct order *o)
{
    bool any = false;
    for (unsigned b = 0; b < o->cfg.nblocks; b++) {
        bool barrier = false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->cfg.blocks[b].block); i && !barrier;
             i = LLVMGetNextInstruction(i))
            barrier = op_is_syncthreads(i);
        if (!barrier || o->cfg.blocks[b].rpo == CFG_NONE)
            continue;
        any = true;
        for (unsigned q = 0; q < o->cfg.nblocks; q++) {
            if (o->cfg.blocks[q].rpo == CFG_NONE || o->cfg.blocks[q].loop != o->cfg.blocks[b].loop)
                continue;
            bool before = cfg_dominates(&o->cfg, (int)q, (int)b) && cfg_postdominates(&o->cfg, (int)b, (int)q);
            bool after = cfg_dominates(&o->cfg, (int)b, (int)q) && cfg_postdominates(&o->cfg, (int)q, (int)b);
            o->met[q] |= before || after;
        }
    }
    return any;
}

// The threads that the branches before a block let pass, as far as they depend on the thread's position alone.
static const bool *active(struct order *o, int block)
{
    if (o->active[block])
        return o->active[block];
    unsigned n = o->values.threads;
    bool *r = arena_array(&o->cfg.arena, bool, n);
    memset(r, true, n);
    o->active[block] = r;
    int from = o->cfg.blocks[block].idom;
    if (from == CFG_NONE)
        return r;
    memcpy(r, active(o, from), n);
    const struct cfg_block *f = &o->cfg.blocks[from];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->block);
    if (f->nsucc != 2 || o->cfg.blocks[block].npred != 1 || !LLVMIsABranchInst(end))
        return r;
    const struct thread_value *c = thread_value_find(&o->values, LLVMGetCondition(end));
    for (unsigned t = 0; c && c->exact && t < n; t++)
        r[t] = r[t] && (c->constant[t] != 0) == (f->succ[0] == block);
    return r;
}

struct cell {
    int64_t constant;
    uint64_t rest;
    int thread, other; // that store there, the first and the last one; + 1, 0: none
};

// The cell of what thread t computes, or a free one.
static struct cell *cell_of(struct cell *table, size_t size, const struct thread_value *v, unsigned t)
{
    uint64_t h = ((uint64_t)v->constant[t] ^ v->rest[t] * 31) * 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(h >> 40) & (size - 1);
    while (table[at].thread && (table[at].constant != v->constant[t] || table[at].rest != v->rest[t]))
        at = (at + 1) & (size - 1);
    return &table[at];
}

// Numbers of threads + 1, 0: none. Threads of a warp among themselves are ordered by its collectives.
static bool is_other(struct order *o, int a, int b)
{
    return a && (o->collectives ? (a - 1) / WARP != (b - 1) / WARP : a != b);
}

// Whether two ranges of the same array do not meet.
static bool is_disjoint(const struct thread_value *a, const struct thread_value *b, unsigned threads)
{
    int64_t least[2] = {a->constant[0], b->constant[0]}, most[2] = {a->constant[0], b->constant[0]};
    bool same = true;
    for (unsigned t = 0; t < threads; t++) {
        int64_t x = a->constant[t], y = b->constant[t];
        least[0] = x < least[0] ? x : least[0];
        least[1] = y < least[1] ? y : least[1];
        most[0] = x > most[0] ? x : most[0];
        most[1] = y > most[1] ? y : most[1];
        same &= a->rest[t] == a->rest[0] && b->rest[t] == b->rest[0];
    }
    return same && (a->rest[0] != b->rest[0] || least[0] > most[1] || least[1] > most[0]);
}

// Whether a thread stores to what another one loads.
static bool conflicts(struct order *o, const struct access *load, const struct access *store)
{
    if (o->pairs++ > PAIRS)
        return false;
    const struct thread_value *l = thread_value_find(&o->values, load->pointer),
                              *s = thread_value_find(&o->values, store->pointer);
    if (!l || !s)
        return false;
    unsigned n = o->values.threads;
    if (is_disjoint(l, s, n))
        return false;
    const bool *loads = active(o, load->block), *stores = active(o, store->block);
    size_t size = 64;
    while (size < n * 2u)
        size *= 2;
    struct cell *table = calloc(size, sizeof *table);
    bool found = false;
    for (unsigned t = 0; table && t < n; t++) {
        if (!stores[t])
            continue;
        struct cell *c = cell_of(table, size, s, t);
        if (!c->thread)
            *c = (struct cell){s->constant[t], s->rest[t], (int)t + 1, 0};
        else
            c->other = (int)t + 1;
    }
    for (unsigned t = 0; table && t < n && !found; t++) {
        if (!loads[t])
            continue;
        const struct cell *c = cell_of(table, size, l, t);
        found = is_other(o, c->thread, (int)t + 1) || is_other(o, c->other, (int)t + 1);
    }
    free(table);
    return found;
}

// The last point before the store that is control-equivalent to a barrier.
static LLVMValueRef point_before(struct order *o, const struct access *store)
{
    if (o->met[store->block])
        return store->inst;
    for (int b = o->cfg.blocks[store->block].idom; b != CFG_NONE; b = o->cfg.blocks[b].idom)
        if (o->met[b])
            return LLVMGetBasicBlockTerminator(o->cfg.blocks[b].block);
    return NULL;
}

struct conflict {
    struct order *o;
    const struct access *load, *only, *found;
};

static enum cfg_visit visit_conflict(void *with, LLVMValueRef i)
{
    struct conflict *c = with;
    struct order *o = c->o;
    uintptr_t number = (uintptr_t)map_get_ptr(&o->index, i);
    const struct access *store = number ? &o->stores.data[number - 1] : NULL;
    if (makes_wait(o, i))
        return CFG_END;
    if (!store || (c->only ? store != c->only : o->done[number - 1] || !conflicts(o, c->load, store)))
        return CFG_GO_ON;
    c->found = store;
    return CFG_FOUND;
}

// A store that control reaches from the load with nothing between that waits and that changes what another thread
// loads, or (only) this one. Stores that no yield can keep away are left out.
static const struct access *find_conflict(struct order *o, const struct access *load, const struct access *only)
{
    struct conflict c = {.o = o, .load = load, .only = only};
    cfg_walk(&o->cfg, LLVMGetNextInstruction(load->inst), CFG_NONE, visit_conflict, &c);
    return c.found;
}

// Whether a yield before this instruction separates the two; if so it stays.
static bool yields_before(struct order *o, LLVMValueRef point, const struct access *load, const struct access *store)
{
    if (!point)
        return false;
    vec_push(&o->points, point);
    if (!find_conflict(o, load, store))
        return true;
    o->points.len--; // it is before the load too
    return false;
}

static void separate(struct order *o, const struct access *load)
{
    const struct access *store;
    while (thread_value_find(&o->values, load->pointer) && (store = find_conflict(o, load, NULL)))
        if (!yields_before(o, point_before(o, store), load, store) &&
            (o->collectives || o->gathers || !yields_before(o, store->inst, load, store)))
            o->done[store - o->stores.data] = true;
}

static unsigned count_active(struct order *o, int block)
{
    const bool *a = active(o, block);
    unsigned n = 0;
    for (unsigned t = 0; t < o->values.threads; t++)
        n += a[t];
    return n;
}

// The parameter of the kernel that an address is made of; NULL: not one.
static LLVMValueRef array_of(LLVMValueRef address)
{
    LLVMValueRef object = address_object(address);
    return object && LLVMIsALoadInst(object) ? object : NULL;
}

// All threads clear an array, then one of them writes to it.
static void separate_clearing(struct order *o, const struct access *clear)
{
    LLVMValueRef array = array_of(clear->pointer);
    if (!array || count_active(o, clear->block) <= WARP)
        return;
    for (size_t s = 0; s < o->stores.len; s++) {
        const struct access *one = &o->stores.data[s];
        LLVMValueRef point = LLVMIsAStoreInst(one->inst) && count_active(o, one->block) == 1 &&
                                     array_of(one->pointer) == array && find_conflict(o, clear, one)
                                 ? point_before(o, one)
                                 : NULL;
        yields_before(o, point, clear, one);
    }
}

// Whether a store that others see stands before the end of this block, with nothing between that waits; in the block, or before it in
// those that as many threads reach.
static bool stores_before_end(struct order *o, int block)
{
    unsigned n = count_active(o, block);
    for (int b = block; b != CFG_NONE && count_active(o, b) == n; b = o->cfg.blocks[b].idom)
        for (LLVMValueRef i = LLVMGetLastInstruction(o->cfg.blocks[b].block); i; i = LLVMGetPreviousInstruction(i)) {
            if (makes_wait(o, i) || op_is_collective(i))
                return false;
            if (LLVMIsAStoreInst(i) && ir_space(LLVMGetOperand(i, 1)) != AS_LOCAL)
                return true;
        }
    return false;
}

static bool has_atomic(LLVMBasicBlockRef b)
{
    FOR_INSTRUCTIONS (b, i)
        if (LLVMIsAAtomicRMWInst(i))
            return true;
    return false;
}

// Of a warp in several gangs, one lane tells by an atomic what all have stored.
static void separate_telling(struct order *o)
{
    unsigned warps = (o->values.threads + WARP - 1) / WARP;
    for (int b = 0; b < (int)o->cfg.nblocks; b++) {
        if (o->cfg.blocks[b].rpo == CFG_NONE || !has_atomic(o->cfg.blocks[b].block) || count_active(o, b) > warps)
            continue;
        int from = o->cfg.blocks[b].idom;
        while (from != CFG_NONE && count_active(o, from) == count_active(o, b))
            from = o->cfg.blocks[from].idom;
        LLVMValueRef end = from != CFG_NONE ? LLVMGetBasicBlockTerminator(o->cfg.blocks[from].block) : NULL;
        if (end && !makes_wait(o, end) && stores_before_end(o, from))
            vec_push(&o->points, end);
    }
}

// Yields between loads and stores of other threads to the same locations, where the program has no barrier.
bool pass_yields_order(struct compilation *c)
{
    struct order o = {0};
    const unsigned *block = c->plan.block, threads = plan_threads(&c->plan);
    if (threads < 2)
        return true;
    cfg_build(&o.cfg, c->t.kernel);
    o.met = arena_array(&o.cfg.arena, bool, o.cfg.nblocks);
    o.active = arena_array(&o.cfg.arena, bool *, o.cfg.nblocks);
    thread_values_init(&o.values, &o.cfg.arena, block, VALUES_BYTES / (threads * 16));
    if (op_find(c->module, OP_BARRIER) && barriers_only(&o) && find_meetings(&o)) {
        find_accesses(&o, false);
        find_accesses(&o, true);
    }
    o.done = arena_array(&o.cfg.arena, bool, o.stores.len + 1);
    for (size_t s = 0; s < o.stores.len; s++)
        map_put_ptr(&o.index, o.stores.data[s].inst, (void *)(s + 1));
    for (size_t s = 0; s < o.stores.len && s < ACCESSES; s++)
        if (LLVMIsAStoreInst(o.stores.data[s].inst) && LLVMIsAConstant(LLVMGetOperand(o.stores.data[s].inst, 0)))
            separate_clearing(&o, &o.stores.data[s]);
    for (size_t l = 0; l < o.loads.len && l < ACCESSES && o.stores.len; l++)
        separate(&o, &o.loads.data[l]);
    if (c->t.warp_collectives && c->plan.width < WARP)
        separate_telling(&o);
    for (size_t k = 0; k < o.points.len; k++)
        op_insert(OP_YIELD_BLOCK, o.points.data[k]);
    compat_tell(c->plan.kernel, (unsigned)o.points.len);
    vec_free(&o.points);
    vec_free(&o.loads);
    vec_free(&o.stores);
    map_free(&o.index);
    thread_values_fini(&o.values);
    cfg_fini(&o.cfg);
    return true;
}
