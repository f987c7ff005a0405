// SPDX-License-Identifier: Apache-2.0
// Programs that have a barrier too few and work on GPUs all the same.
//
// Old ones leave it away where only one warp is at work, since its threads go in step:
//
//     if (tid < 17) s[tid] = sum;             the last steps of a reduction, or
//     if (tid == 0) total = s[0] + s[1] ...   if (tid < 16) s[rank[tid]] = s[tid];
//
// CUDA forbids it without `volatile` and `__syncwarp`, and GPUs do what was meant. So do gangs of a whole warp: such
// kernels are compiled at width 32. Found here is, where a test of threadIdx.x or of the lane against a constant of at
// most 32 (or the size of the block) leaves one warp at work: a store to shared or volatile memory and a load of
// another thread's location, one after the other with no barrier and no collective between. Too much found costs some
// speed, too little gives the results of a race.
//
// Addresses are compared as linear forms: a number for each step of threadIdx.x, a constant, and all else as a sum of
// hashed values. Where the rest is not the same nothing is known, and the accesses count.
//
// With all warps at work, a store with a fence of the block right behind it (__threadfence_block, which kept compilers
// from holding values in registers) counts when a load of a location nearby follows.
//
// A warp of which one thread takes a lock and tells the others counts as well, and one of which a thread overwrites
// what all have just loaded.
//
// Others read a result that all threads share right after a barrier, and use its location again before the next one:
//
//     __syncthreads();
//     mean = s[0];  ...  if (lane == 0) s[warp] = x;
//
// On a GPU all warps have read before one of them reaches the store. Here one gang would go on to the next barrier
// first. Where a load of a fixed address follows a barrier in straight line and a store may reach it, a yield is
// put between them; where only some threads load it (LLVM moves loads to where they are used), in the next block that
// all come to.
#include "jit/ir/pass.h"
#include "base/log.h"
#include "jit/jit.h"
#include "base/vec.h"
#include "jit/compat/compat.h"
#include "jit/analysis/linear.h"

enum relation { ANOTHER, NEARBY, FIXED };

enum { WARP = 32, DEPTH = 12, PAIRS = 100000, MEETINGS = 8 }; // PAIRS: of accesses to compare, in large kernels

struct form {
    int64_t step, constant;
    uint64_t rest;
};

struct lockstep {
    struct cfg cfg;
    unsigned pairs; // compared so far
};

// The instructions that are reached through the block `head` alone.
#define FOR_DOMINATED(s, head, x)                                                                                      \
    for (unsigned b_ = 0; b_ < (s)->cfg.nblocks; b_++)                                                                 \
        if ((s)->cfg.blocks[b_].rpo != CFG_NONE && cfg_dominates(&(s)->cfg, head, (int)b_))                            \
            FOR_INSTRUCTIONS ((s)->cfg.blocks[b_].block, x)

static bool is_thread(LLVMValueRef v)
{
    for (;;) {
        if (op_of(v) == OP_TID_X || op_of(v) == OP_LANEID)
            return true;
        if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsATruncInst(v))
            v = LLVMGetOperand(v, 0);
        else
            return false;
    }
}

// threadIdx.x & 31
static bool is_lane(LLVMValueRef v)
{
    int64_t c;
    while (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsATruncInst(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAnd && is_thread(LLVMGetOperand(v, 0)) &&
           value_constant(LLVMGetOperand(v, 1), &c) && c == WARP - 1;
}

static uint64_t hash_of(LLVMValueRef v)
{
    uint64_t h = (uint64_t)(uintptr_t)v * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static struct form form_of(LLVMValueRef pointer)
{
    struct linear l = linear_of(pointer);
    struct form f = {.constant = l.plus, .rest = l.lost ? hash_of(pointer) : 0};
    for (unsigned i = 0; i < l.n; i++) {
        LLVMValueRef leaf = l.term[i].leaf, times = l.term[i].times;
        if (!times && is_thread(leaf))
            f.step += l.term[i].by;
        else if (times || op_of(leaf) != OP_SHARED) // which is in all addresses
            f.rest += hash_of(leaf) * (times ? hash_of(times) | 1 : 1) * (uint64_t)l.term[i].by;
    }
    return f;
}

static bool is_shared_access(LLVMValueRef i, LLVMOpcode op, LLVMValueRef *pointer)
{
    if (LLVMGetInstructionOpcode(i) != op)
        return false;
    *pointer = LLVMGetOperand(i, op == LLVMStore ? 1 : 0);
    return ir_space(*pointer) == AS_SHARED;
}

// What threads may exchange values by: shared memory, and any that the program calls volatile.
static bool is_exchange(LLVMValueRef i, LLVMOpcode op, LLVMValueRef *pointer)
{
    if (LLVMGetInstructionOpcode(i) != op)
        return false;
    bool shared = is_shared_access(i, op, pointer);
    return shared || LLVMGetVolatile(i);
}

// Waits for the block or yields to it, or (warp) waits for the warp at least.
static bool makes_wait(LLVMValueRef i, bool warp)
{
    return op_is(i, IS_BLOCK_WAIT | (warp ? IS_WARP_WAIT : 0)) || op_of(i) == OP_YIELD_BLOCK;
}

// Whether the location that one thread of the warp stores to may be what another one loads.
static bool meets(struct lockstep *s, struct form store, struct form load, unsigned threads)
{
    if (s->pairs++ > PAIRS)
        return false;
    if (store.rest != load.rest || (!store.step && !load.step))
        return true;
    for (int64_t i = 0; i < threads; i++) {
        int64_t distance = store.step * i + store.constant - load.constant;
        if (!load.step ? distance == 0 && threads > 1
                       : distance % load.step == 0 && distance / load.step != i && distance / load.step >= 0 &&
                             distance / load.step < (int64_t)threads)
            return true;
    }
    return false;
}

// Whether threads of the block may store to a fixed location. Arrays that begin behind it do not reach it.
static bool overwrites(struct form store, struct form load, unsigned threads)
{
    int64_t distance = load.constant - store.constant;
    if (store.rest)
        return distance >= 0;
    return store.step
               ? distance % store.step == 0 && distance / store.step >= 0 && distance / store.step < (int64_t)threads
               : distance == 0;
}

// The same location but for a constant that is less than a warp of large elements.
static bool is_near(struct form a, struct form b)
{
    int64_t distance = a.constant - b.constant;
    return a.rest == b.rest && a.step == b.step && (a.rest || a.step) && distance && distance < WARP * 16 &&
           distance > -WARP * 16;
}

struct meeting {
    struct lockstep *s;
    LLVMOpcode op; // of the access at `mine`
    struct form mine;
    unsigned threads;
    enum relation how;
};

static enum cfg_visit visit_meeting(void *with, LLVMValueRef i)
{
    const struct meeting *m = with;
    LLVMOpcode opposite = m->op == LLVMStore ? LLVMLoad : LLVMStore;
    LLVMValueRef other = NULL;
    bool found = false;
    if (m->how == ANOTHER ? is_exchange(i, opposite, &other) : is_shared_access(i, opposite, &other))
        found = m->how == FIXED      ? overwrites(form_of(other), m->mine, m->threads)
                : m->how == NEARBY   ? is_near(form_of(other), m->mine)
                : m->op == LLVMStore ? meets(m->s, m->mine, form_of(other), m->threads)
                                     : meets(m->s, form_of(other), m->mine, m->threads);
    return found ? CFG_FOUND : makes_wait(i, m->how != FIXED) ? CFG_END : CFG_GO_ON;
}

// Whether from here on a load after a store to this location, or a store after a load of it (op), with nothing between
// that waits, meets it: at a location that another thread may mean; or nearby; or the load is of a fixed location, the same
// for all threads.
static bool meets_from(struct lockstep *s, LLVMValueRef start, LLVMOpcode op, LLVMValueRef location, unsigned threads,
                       enum relation how)
{
    struct meeting m = {s, op, form_of(location), threads, how};
    return cfg_walk(&s->cfg, start, CFG_NONE, visit_meeting, &m);
}

static bool meets_later(struct lockstep *s, LLVMValueRef access, LLVMOpcode op, LLVMValueRef location, unsigned threads,
                        enum relation how)
{
    return meets_from(s, LLVMGetNextInstruction(access), op, location, threads, how);
}

// The accesses of the blocks that `head` dominates, where only so many threads of a warp are at work.
static bool accesses_meet(struct lockstep *s, int head, unsigned threads)
{
    FOR_DOMINATED (s, head, i) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        LLVMValueRef location = NULL;
        if ((op == LLVMStore || op == LLVMLoad) && is_exchange(i, op, &location) &&
            meets_later(s, i, op, location, threads, ANOTHER))
            return true;
    }
    return false;
}

static bool has_fence_behind(LLVMValueRef i)
{
    do
        i = LLVMGetNextInstruction(i);
    while (op_of(i) == OP_RT_MISALIGNED);
    return LLVMGetInstructionOpcode(i) == LLVMFence;
}

static bool fenced_stores_meet(struct lockstep *s)
{
    LLVMValueRef location;
    FOR_DOMINATED (s, 0, i)
        if (is_shared_access(i, LLVMStore, &location) && has_fence_behind(i) &&
            meets_later(s, i, LLVMStore, location, WARP, NEARBY))
            return true;
    return false;
}

// A lock that one thread takes for its warp: the result of an atomic that sets something in global memory goes to a
// collective. What the warp does before it gives the lock back is done by all threads, which nothing says.
static bool is_warp_lock(LLVMValueRef atomic)
{
    enum { LIMIT = 64 };
    LLVMOpcode op = LLVMGetInstructionOpcode(atomic);
    LLVMAtomicRMWBinOp kind = op == LLVMAtomicRMW ? LLVMGetAtomicRMWBinOp(atomic) : LLVMAtomicRMWBinOpXchg;
    if ((op != LLVMAtomicRMW && op != LLVMAtomicCmpXchg) ||
        (kind != LLVMAtomicRMWBinOpXchg && kind != LLVMAtomicRMWBinOpOr) ||
        ir_space(LLVMGetOperand(atomic, 0)) == AS_SHARED)
        return false;
    LLVMValueRef seen[LIMIT] = {atomic};
    for (unsigned n = 1, k = 0; k < n; k++)
        FOR_USES (seen[k], u) {
            LLVMValueRef x = LLVMGetUser(u);
            if (LLVMIsACallInst(x) && makes_wait(x, true))
                return true;
            bool known = !LLVMIsAInstruction(x) || n == LIMIT;
            for (unsigned i = 0; i < n && !known; i++)
                known = seen[i] == x;
            if (!known)
                seen[n++] = x;
        }
    return false;
}

static bool takes_warp_lock(struct lockstep *s)
{
    for (unsigned b = 0; b < s->cfg.nblocks; b++)
        FOR_INSTRUCTIONS (s->cfg.blocks[b].block, i)
            if (s->cfg.blocks[b].loop != CFG_NONE && is_warp_lock(i))
                return true;
    return false;
}

// How many threads a test lets pass, WARP + 1 for more than a warp or unknown.
static unsigned passing(LLVMValueRef test, bool taken, int depth)
{
    int64_t c;
    if (!LLVMIsAInstruction(test) || depth == 0)
        return WARP + 1;
    LLVMOpcode op = LLVMGetInstructionOpcode(test);
    if ((op == LLVMAnd && taken) || (op == LLVMOr && !taken)) {
        unsigned a = passing(LLVMGetOperand(test, 0), taken, depth - 1);
        unsigned b = passing(LLVMGetOperand(test, 1), taken, depth - 1);
        return a < b ? a : b;
    }
    if (op == LLVMXor && value_constant(LLVMGetOperand(test, 1), &c))
        return passing(LLVMGetOperand(test, 0), c ? !taken : taken, depth - 1);
    bool lane = op == LLVMICmp && is_lane(LLVMGetOperand(test, 0));
    if (op != LLVMICmp || !(lane || is_thread(LLVMGetOperand(test, 0))) || !value_constant(LLVMGetOperand(test, 1), &c))
        return WARP + 1;
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    int64_t n = WARP + 1;
    if (p == (taken ? LLVMIntEQ : LLVMIntNE))
        n = 1;
    else if (taken ? p == LLVMIntULT || p == LLVMIntSLT : p == LLVMIntUGE || p == LLVMIntSGE)
        n = c;
    else if (taken ? p == LLVMIntULE || p == LLVMIntSLE : p == LLVMIntUGT || p == LLVMIntSGT)
        n = c + 1;
    return n >= 0 && n <= WARP ? (unsigned)n : lane ? WARP : WARP + 1;
}

// One thread stores to what all of its warp have just loaded:
//
//     next = s[j];
//     if (lane == 0)
//         s[j] = s[last];
static bool one_overwrites(struct lockstep *s, int from, int head)
{
    FOR_DOMINATED (s, head, i) {
        LLVMValueRef to, location;
        if (makes_wait(i, true))
            break; // of this block
        if (!is_shared_access(i, LLVMStore, &to))
            continue;
        struct form store = form_of(to);
        for (LLVMValueRef k = LLVMGetLastInstruction(s->cfg.blocks[from].block); k && !makes_wait(k, true);
             k = LLVMGetPreviousInstruction(k)) {
            if (s->pairs++ > PAIRS || !is_shared_access(k, LLVMLoad, &location))
                continue;
            struct form load = form_of(location);
            if (load.step == store.step && load.constant == store.constant && load.rest == store.rest)
                return true;
        }
    }
    return false;
}

// Whether threads of one warp seem to hand values to each other through shared memory with nothing between that makes
// them wait. `block_threads`: threads of a block.
static bool lockstep_assumed(LLVMValueRef kernel, unsigned block_threads)
{
    struct lockstep s = {0};
    cfg_build(&s.cfg, kernel);
    bool found =
        takes_warp_lock(&s) || fenced_stores_meet(&s) || (block_threads <= WARP && accesses_meet(&s, 0, block_threads));
    for (unsigned b = 0; b < s.cfg.nblocks && !found; b++) {
        const struct cfg_block *from = &s.cfg.blocks[b];
        if (from->rpo == CFG_NONE || from->nsucc != 2)
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from->block);
        for (unsigned k = 0; k < 2 && !found && LLVMIsABranchInst(end); k++) {
            unsigned threads = passing(LLVMGetCondition(end), k == 0, DEPTH);
            if (threads <= WARP && threads && s.cfg.blocks[from->succ[k]].npred == 1)
                found =
                    threads > 1 ? accesses_meet(&s, from->succ[k], threads) : one_overwrites(&s, (int)b, from->succ[k]);
        }
    }
    cfg_fini(&s.cfg);
    return found;
}

// What all threads reach next.
static LLVMValueRef next_in_line(struct lockstep *s, LLVMValueRef i)
{
    LLVMValueRef next = LLVMGetNextInstruction(i);
    if (next)
        return next;
    const struct cfg_block *b = &s->cfg.blocks[cfg_index(&s->cfg, LLVMGetInstructionParent(i))];
    if (b->nsucc != 1 || s->cfg.blocks[b->succ[0]].npred != 1)
        return NULL;
    return LLVMGetFirstInstruction(s->cfg.blocks[b->succ[0]].block);
}

// The last of the loads of fixed locations right after the barrier, if one of them may be overwritten too soon.
static LLVMValueRef reads_in_danger(struct lockstep *s, LLVMValueRef barrier, unsigned threads)
{
    LLVMValueRef last = NULL, location;
    bool danger = false;
    for (LLVMValueRef i = next_in_line(s, barrier); i && !makes_wait(i, true); i = next_in_line(s, i)) {
        if (is_shared_access(i, LLVMStore, &location))
            break;
        if (!is_shared_access(i, LLVMLoad, &location))
            continue;
        struct form f = form_of(location);
        if (f.step || f.rest)
            continue;
        last = i;
        danger = danger || meets_later(s, i, LLVMLoad, location, threads, FIXED);
    }
    return danger ? last : NULL;
}

// Accesses to shared memory between a barrier and a block that all threads reach after it: the addresses of loads of fixed
// locations, and of all stores. The walk has found something where threads may wait between: then nothing is to be done.
struct between {
    struct VEC(LLVMValueRef) loads, stores;
};
static enum cfg_visit visit_between(void *with, LLVMValueRef i)
{
    struct between *out = with;
    LLVMValueRef location;
    if (is_shared_access(i, LLVMStore, &location)) {
        vec_push(&out->stores, location);
    } else if (is_shared_access(i, LLVMLoad, &location)) {
        struct form f = form_of(location);
        if (!f.step && !f.rest)
            vec_push(&out->loads, location);
    }
    return makes_wait(i, false) ? CFG_FOUND : CFG_GO_ON;
}

// The last of the next blocks that all threads reach behind which a fixed location may be overwritten that some of them
// have loaded before it; NULL: there is none.
static LLVMValueRef meeting_in_danger(struct lockstep *s, LLVMValueRef barrier, unsigned threads)
{
    int from = cfg_index(&s->cfg, LLVMGetInstructionParent(barrier));
    LLVMValueRef found = NULL;
    int q = s->cfg.blocks[from].ipdom;
    for (unsigned k = 0; k < MEETINGS && q != CFG_NONE && !found; k++, q = s->cfg.blocks[q].ipdom) {
        if (!cfg_dominates(&s->cfg, from, q) || s->cfg.blocks[q].loop != s->cfg.blocks[from].loop)
            continue;
        struct between b = {0};
        LLVMValueRef here = ir_after_phis(LLVMGetFirstInstruction(s->cfg.blocks[q].block));
        bool clear = !cfg_walk(&s->cfg, LLVMGetNextInstruction(barrier), q, visit_between, &b);
        for (size_t i = 0; clear && i < b.loads.len; i++) {
            struct form load = form_of(b.loads.data[i]);
            for (size_t n = 0; clear && n < b.stores.len; n++)
                clear = !overwrites(form_of(b.stores.data[n]), load, threads);
            if (clear && meets_from(s, here, LLVMLoad, b.loads.data[i], threads, FIXED))
                found = here;
        }
        vec_free(&b.loads);
        vec_free(&b.stores);
        if (!clear)
            return NULL;
    }
    return found;
}

// Yields between results that all threads read right after a barrier and the stores that use their location again.
bool pass_yields_results(struct compilation *c)
{
    struct lockstep s = {0};
    struct VEC(LLVMValueRef) ends = {0};
    unsigned block_threads = plan_threads(&c->plan);
    if (block_threads < 2)
        return true;
    cfg_build(&s.cfg, c->t.kernel);
    for (unsigned b = 0; b < s.cfg.nblocks; b++)
        FOR_INSTRUCTIONS (s.cfg.blocks[b].block, i) {
            if (!op_is_syncthreads(i))
                continue;
            LLVMValueRef last = reads_in_danger(&s, i, block_threads);
            LLVMValueRef before = last ? LLVMGetNextInstruction(last) : meeting_in_danger(&s, i, block_threads);
            for (size_t k = 0; before && k < ends.len; k++)
                before = ends.data[k] == before ? NULL : before;
            if (before)
                vec_push(&ends, before);
        }
    for (size_t k = 0; k < ends.len; k++)
        op_insert(OP_YIELD_BLOCK, ends.data[k]);
    compat_tell(c->plan.kernel, (unsigned)ends.len);
    vec_free(&ends);
    cfg_fini(&s.cfg);
    return true;
}

bool pass_lockstep(struct compilation *c)
{
    unsigned threads = plan_threads(&c->plan);
    bool plain = c->t.volatile_shared;
    c->plan.lockstep = plain || (threads > PASS_NARROW && lockstep_assumed(c->t.kernel, threads));
    if (!c->options->width && !plain && c->plan.lockstep) {
        c->plan.width = c->plan.width < threads ? 32 : c->plan.width;
        remark(NULL, "one gang a warp: threads seem to count on lockstep");
        log_write(LOG_DEBUG, "%s: one gang a warp, since its threads seem to count on lockstep", c->plan.kernel);
    }
    return true;
}
