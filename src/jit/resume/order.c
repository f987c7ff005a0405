// Programs in which one warp reads what another one is about to overwrite, with no barrier between:
//
//     for (...) {
//         x = t ? s[t - 1] : in[i];
//         ...
//         s[t] = x * a + b;
//         __syncthreads();
//     }
//
// It is a race, and works on GPUs, whose warps go on side by side: all have read before one of them comes to the store.
// Here one gang would run up to the barrier first. So, where the addresses show that a thread stores to what another one
// loads (each.h: places that depend on data are not known and do not count):
//  1. A barrier is put between the two, in a place that all threads come to as surely as to a barrier of the program's
//     own.
//  2. Where there is no such place, as when load and store are both behind a branch that only some threads take, the store
//     is put off (struct late): value and address are kept, and it is made at the barrier that control comes to next,
//     behind one that is put before that. This needs one such barrier on all ways, and nothing on them that would see the
//     store: accesses of the thread itself that may meet it, atomics, fences, calls, the end of the kernel.
//  3. When one of these stores can be neither kept away nor put off, none is put off: those that belong together, as the
//     fields of a record do, must become visible together.
//  4. An array that all threads clear before one of them writes to it gets a barrier between these stores too.
#include "jit/resume/order.h"
#include "base/arena.h"
#include "base/vec.h"
#include "jit/ir.h"
#include "jit/resume/each.h"
#include "jit/resume/resume.h"
#include "jit/scalar/cfg.h"
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 2000, VALUES_BYTES = 4 << 20, ACCESSES = 256, DEPTH = 12, WARP = 32 };

struct access {
    LLVMValueRef inst, pointer;
    int block;
};

// A store that is put off until the block has come to the barrier that it would be made before.
struct late {
    const struct access *store;
    LLVMValueRef barrier;
};

struct order {
    bool collectives; // which order the threads of a warp among themselves
    LLVMValueRef kernel, barrier;
    LLVMContextRef context;
    LLVMBuilderRef b;
    unsigned invariant; // LLVM's kind of metadata
    struct cfg cfg;
    struct arena arena;
    struct each each;
    bool *met;                       // by block: all threads come to it
    bool **active;                   // by block: which threads may come to it; computed on demand
    unsigned *mark, walk, pairs;     // mark: last walk that saw a block
    struct VEC(LLVMValueRef) points; // barriers go before these
    struct VEC(struct access) loads, stores;
    struct map index; // a store -> its number + 1
    struct VEC(struct late) late;
    bool hopeless; // a store that others count on can be neither kept away nor put off
    bool *done;    // by store: it is put off, or nothing can be done
};

static bool is_block_barrier(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && !strcmp(resume_callee(i), "heddle.barrier") && LLVMIsNull(LLVMGetOperand(i, 0)) &&
           LLVMIsNull(LLVMGetOperand(i, 1));
}

static bool makes_wait(struct order *o, LLVMValueRef i)
{
    if (resume_is_block_wait(i))
        return true;
    for (size_t k = 0; k < o->points.len; k++)
        if (o->points.data[k] == i)
            return true;
    return false;
}

// How else than by barriers of the whole block threads may wait for each other. Where they do, nothing is known of the
// order, and a barrier might wait for ever.
static bool waits_otherwise(struct order *o, LLVMValueRef i, bool in_loop)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return true;
    case LLVMAtomicRMW:
        return in_loop && LLVMGetFirstUse(i) &&
               (LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg || LLVMIsNull(LLVMGetOperand(i, 1)));
    case LLVMCall:
        o->collectives |= resume_is_collective(i);
        return (resume_is_block_wait(i) && !is_block_barrier(i)) ||
               !strncmp(resume_callee(i), "heddle.rt.nanosleep", 19);
    default:
        return false;
    }
}

static bool barriers_only(struct order *o)
{
    for (unsigned b = 0; b < o->cfg.nblocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->cfg.blocks[b].block); i; i = LLVMGetNextInstruction(i))
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
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->cfg.blocks[b].block); i; i = LLVMGetNextInstruction(i)) {
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

// Blocks that run whenever one with a barrier of the program's own does.
static bool find_meetings(struct order *o)
{
    bool any = false;
    for (unsigned b = 0; b < o->cfg.nblocks; b++) {
        bool barrier = false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->cfg.blocks[b].block); i && !barrier;
             i = LLVMGetNextInstruction(i))
            barrier = is_block_barrier(i);
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

// The threads that the branches on the way to a block let pass, as far as they depend on the thread's place alone.
static const bool *active(struct order *o, int block)
{
    if (o->active[block])
        return o->active[block];
    unsigned n = o->each.threads;
    bool *r = arena_array(&o->arena, bool, n);
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
    const struct each_value *c = each_find(&o->each, LLVMGetCondition(end));
    for (unsigned t = 0; c && c->exact && t < n; t++)
        r[t] = r[t] && (c->constant[t] != 0) == (f->succ[0] == block);
    return r;
}

struct cell {
    int64_t constant;
    uint64_t rest;
    int thread, other; // that store there, the first and the last one; + 1, 0: none
};

static size_t hash_of(int64_t constant, uint64_t rest, size_t mask)
{
    uint64_t h = ((uint64_t)constant ^ rest * 31) * 0x9e3779b97f4a7c15u;
    return (size_t)(h >> 40) & mask;
}

// Numbers of threads + 1, 0: none. Threads of a warp among themselves are ordered by its collectives.
static bool is_other(struct order *o, int a, int b)
{
    return a && (o->collectives ? (a - 1) / WARP != (b - 1) / WARP : a != b);
}

// Whether two ranges of the same array do not meet.
static bool is_apart(const struct each_value *a, const struct each_value *b, unsigned threads)
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
    const struct each_value *l = each_find(&o->each, load->pointer), *s = each_find(&o->each, store->pointer);
    if (!l || !s)
        return false;
    unsigned n = o->each.threads;
    if (is_apart(l, s, n))
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
        size_t at = hash_of(s->constant[t], s->rest[t], size - 1);
        while (table[at].thread && (table[at].constant != s->constant[t] || table[at].rest != s->rest[t]))
            at = (at + 1) & (size - 1);
        if (!table[at].thread)
            table[at] = (struct cell){s->constant[t], s->rest[t], (int)t + 1, 0};
        else
            table[at].other = (int)t + 1;
    }
    for (unsigned t = 0; table && t < n && !found; t++) {
        if (!loads[t])
            continue;
        size_t at = hash_of(l->constant[t], l->rest[t], size - 1);
        while (table[at].thread && (table[at].constant != l->constant[t] || table[at].rest != l->rest[t]))
            at = (at + 1) & (size - 1);
        found = is_other(o, table[at].thread, (int)t + 1) || is_other(o, table[at].other, (int)t + 1);
    }
    free(table);
    return found;
}

// The last place before the store that all threads come to.
static LLVMValueRef point_before(struct order *o, const struct access *store)
{
    if (o->met[store->block])
        return store->inst;
    for (int b = o->cfg.blocks[store->block].idom; b != CFG_NONE; b = o->cfg.blocks[b].idom)
        if (o->met[b])
            return LLVMGetBasicBlockTerminator(o->cfg.blocks[b].block);
    return NULL;
}

// A store that control reaches from the load with nothing on the way that waits and that changes what another thread
// loads, or (only) this one. Stores that no barrier can keep away are left out.
static const struct access *find_conflict(struct order *o, const struct access *load, const struct access *only)
{
    struct VEC(LLVMValueRef) pending = {0};
    const struct access *found = NULL;
    o->walk++;
    vec_push(&pending, LLVMGetNextInstruction(load->inst));
    while (pending.len && !found) {
        LLVMValueRef i = pending.data[--pending.len], last = i;
        bool waits = false;
        for (; i && !found && !waits; i = LLVMGetNextInstruction(i)) {
            uintptr_t number = (uintptr_t)map_get_ptr(&o->index, i);
            const struct access *store = number ? &o->stores.data[number - 1] : NULL;
            waits = makes_wait(o, i);
            if (store && !waits && (only ? store == only : !o->done[number - 1] && conflicts(o, load, store)))
                found = store;
            last = i;
        }
        if (waits || found)
            continue;
        const struct cfg_block *b = &o->cfg.blocks[cfg_index(&o->cfg, LLVMGetInstructionParent(last))];
        for (unsigned k = 0; k < b->nsucc; k++) {
            if (o->mark[b->succ[k]] == o->walk)
                continue;
            o->mark[b->succ[k]] = o->walk;
            vec_push(&pending, LLVMGetFirstInstruction(o->cfg.blocks[b->succ[k]].block));
        }
    }
    vec_free(&pending);
    return found;
}

// Whether a thread's own access may be to the place that it stores to.
static bool meets_own(struct order *o, const struct access *store, LLVMValueRef pointer, LLVMTypeRef type)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(o->kernel));
    int64_t mine = (int64_t)LLVMABISizeOfType(layout, LLVMTypeOf(LLVMGetOperand(store->inst, 0)));
    int64_t size = (int64_t)LLVMABISizeOfType(layout, type);
    if (ir_space(pointer) == AS_CONST || (ir_space(pointer) != ir_space(store->pointer) &&
                                          ir_space(pointer) != AS_GENERIC && ir_space(store->pointer) != AS_GENERIC))
        return false;
    const struct each_value *a = each_find(&o->each, store->pointer), *b = each_find(&o->each, pointer);
    bool meet = !a || !b;
    for (unsigned t = 0; !meet && t < o->each.threads; t++) {
        int64_t way = a->constant[t] - b->constant[t];
        meet = a->rest[t] != b->rest[t] || (way < size && way > -mine);
    }
    return meet;
}

static bool touches(struct order *o, const struct access *store, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return !LLVMGetMetadata(i, o->invariant) && meets_own(o, store, LLVMGetOperand(i, 0), LLVMTypeOf(i));
    case LLVMStore:
        return meets_own(o, store, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMRet:
        return true;
    case LLVMCall:
        return strncmp(resume_callee(i), "heddle.rt.misaligned", 20) && !resume_is_index_call(i) &&
               strncmp(resume_callee(i), "llvm.", 5);
    default:
        return false;
    }
}

// The one barrier that control comes to next after the store, with nothing on the way that would see the store.
static LLVMValueRef next_barrier(struct order *o, const struct access *store)
{
    struct VEC(LLVMValueRef) pending = {0};
    LLVMValueRef barrier = NULL;
    bool clear = LLVMIsAStoreInst(store->inst) && LLVMGetOrdering(store->inst) == LLVMAtomicOrderingNotAtomic;
    o->walk++;
    vec_push(&pending, LLVMGetNextInstruction(store->inst));
    while (pending.len && clear) {
        LLVMValueRef i = pending.data[--pending.len], last = i;
        bool waits = false;
        for (; i && clear && !waits; i = LLVMGetNextInstruction(i)) {
            waits = makes_wait(o, i);
            if (waits) {
                clear = is_block_barrier(i) && (!barrier || barrier == i);
                barrier = i;
            } else {
                clear = !touches(o, store, i);
            }
            last = i;
        }
        const struct cfg_block *b = &o->cfg.blocks[cfg_index(&o->cfg, LLVMGetInstructionParent(last))];
        for (unsigned k = 0; k < b->nsucc && !waits; k++) {
            if (o->mark[b->succ[k]] == o->walk)
                continue;
            o->mark[b->succ[k]] = o->walk;
            vec_push(&pending, LLVMGetFirstInstruction(o->cfg.blocks[b->succ[k]].block));
        }
    }
    vec_free(&pending);
    return clear ? barrier : NULL;
}

static void separate(struct order *o, const struct access *load)
{
    const struct access *store;
    while (each_find(&o->each, load->pointer) && (store = find_conflict(o, load, NULL))) {
        LLVMValueRef point = point_before(o, store);
        if (point)
            vec_push(&o->points, point);
        if (point && !find_conflict(o, load, store))
            continue;
        if (point)
            o->points.len--; // it is before the load too
        o->done[store - o->stores.data] = true;
        struct late late = {store, next_barrier(o, store)};
        if (late.barrier)
            vec_push(&o->late, late);
        else
            o->hopeless = true;
    }
}

static unsigned count_active(struct order *o, int block)
{
    const bool *a = active(o, block);
    unsigned n = 0;
    for (unsigned t = 0; t < o->each.threads; t++)
        n += a[t];
    return n;
}

// The parameter of the kernel that an address is made of; NULL: not one.
static LLVMValueRef array_of(LLVMValueRef v, int depth)
{
    if (!LLVMIsAInstruction(v) || depth == 0)
        return NULL;
    LLVMValueRef found = NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
        return ir_space(LLVMGetOperand(v, 0)) == AS_CONST ? v : NULL;
    case LLVMAdd:
    case LLVMGetElementPtr:
        if (LLVMGetNumOperands(v) == 2)
            found = array_of(LLVMGetOperand(v, 1), depth - 1);
        if (found)
            return found;
        break;
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
        break;
    default:
        return NULL;
    }
    return array_of(LLVMGetOperand(v, 0), depth - 1);
}

// All threads clear an array, then one of them writes to it.
static void separate_clearing(struct order *o, const struct access *clear)
{
    LLVMValueRef array = array_of(clear->pointer, DEPTH);
    if (!array || count_active(o, clear->block) <= WARP)
        return;
    for (size_t s = 0; s < o->stores.len; s++) {
        const struct access *one = &o->stores.data[s];
        LLVMValueRef point = LLVMIsAStoreInst(one->inst) && count_active(o, one->block) == 1 &&
                                     array_of(one->pointer, DEPTH) == array && find_conflict(o, clear, one)
                                 ? point_before(o, one)
                                 : NULL;
        if (!point)
            continue;
        vec_push(&o->points, point);
        if (find_conflict(o, clear, one))
            o->points.len--;
    }
}

// A new block for what is in front of this instruction, and for all that came to its block.
static LLVMBasicBlockRef cut_before(struct order *o, LLVMValueRef i)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i), front = LLVMInsertBasicBlockInContext(o->context, block, "");
    const struct cfg_block *b = &o->cfg.blocks[cfg_index(&o->cfg, block)];
    LLVMPositionBuilderAtEnd(o->b, front);
    for (LLVMValueRef x = LLVMGetFirstInstruction(block); x != i; x = LLVMGetFirstInstruction(block)) {
        LLVMInstructionRemoveFromParent(x);
        LLVMInsertIntoBuilder(o->b, x);
    }
    for (unsigned k = 0; k < b->npred; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(o->cfg.blocks[b->pred[k]].block);
        for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
            if (LLVMGetSuccessor(end, n) == block)
                LLVMSetSuccessor(end, n, front);
    }
    return front;
}

static void build_barrier(struct order *o)
{
    LLVMValueRef zero = LLVMConstNull(LLVMInt32TypeInContext(o->context));
    LLVMBuildCall2(o->b, LLVMGlobalGetValueType(o->barrier), o->barrier, (LLVMValueRef[]){zero, zero}, 2, "");
}

static void put_off(struct order *o, const struct late *late, bool first)
{
    LLVMValueRef inst = late->store->inst, x = LLVMGetOperand(inst, 0), p = LLVMGetOperand(inst, 1);
    LLVMTypeRef bit = LLVMInt1TypeInContext(o->context);
    LLVMPositionBuilderBefore(o->b, LLVMGetFirstInstruction(o->cfg.blocks[0].block));
    int defined = LLVMIsAInstruction(p) ? cfg_index(&o->cfg, LLVMGetInstructionParent(p)) : 0;
    bool there = cfg_dominates(&o->cfg, defined, cfg_index(&o->cfg, LLVMGetInstructionParent(late->barrier)));
    LLVMValueRef kept = LLVMBuildAlloca(o->b, LLVMTypeOf(x), ""), to = LLVMBuildAlloca(o->b, LLVMTypeOf(p), "");
    LLVMValueRef is = LLVMBuildAlloca(o->b, bit, "");
    LLVMBuildStore(o->b, LLVMConstNull(bit), is);
    LLVMPositionBuilderBefore(o->b, inst);
    LLVMBuildStore(o->b, x, kept);
    LLVMBuildStore(o->b, p, to);
    LLVMBuildStore(o->b, LLVMConstAllOnes(bit), is);
    LLVMInstructionRemoveFromParent(inst);
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(late->barrier), front = cut_before(o, late->barrier);
    LLVMBasicBlockRef make = LLVMInsertBasicBlockInContext(o->context, rest, "late");
    LLVMPositionBuilderAtEnd(o->b, front);
    if (first)
        build_barrier(o);
    LLVMBuildCondBr(o->b, LLVMBuildLoad2(o->b, bit, is, ""), make, rest);
    LLVMPositionBuilderAtEnd(o->b, make);
    LLVMValueRef value = LLVMBuildLoad2(o->b, LLVMTypeOf(x), kept, "");
    if (!there)
        LLVMSetOperand(inst, 1, LLVMBuildLoad2(o->b, LLVMTypeOf(p), to, ""));
    LLVMSetOperand(inst, 0, value);
    LLVMInsertIntoBuilder(o->b, inst);
    LLVMBuildStore(o->b, LLVMConstNull(bit), is);
    LLVMBuildBr(o->b, rest);
}

// The stores of one barrier, one after the other: the program's order of two of one thread is of no matter, since they
// do not meet.
static void put_off_all(struct order *o)
{
    if (o->hopeless)
        o->late.len = 0; // of stores that belong together, as those of a record, all or none
    for (size_t k = 0; k < o->late.len; k++) {
        bool first = true;
        for (size_t n = 0; n < k; n++)
            first &= o->late.data[n].barrier != o->late.data[k].barrier;
        put_off(o, &o->late.data[k], first);
        cfg_fini(&o->cfg);
        cfg_build(&o->cfg, o->kernel, &o->arena);
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    if (o->late.len)
        LLVMConsumeError(LLVMRunPasses(LLVMGetGlobalParent(o->kernel), "function(mem2reg)", NULL, options));
    LLVMDisposePassBuilderOptions(options);
}

unsigned order_separate(LLVMValueRef kernel, const unsigned block[3])
{
    struct order o = {0};
    LLVMModuleRef m = LLVMGetGlobalParent(kernel);
    LLVMValueRef barrier = LLVMGetNamedFunction(m, "heddle.barrier");
    unsigned threads = block[0] * block[1] * block[2];
    if (!barrier || !threads)
        return 0;
    o.kernel = kernel;
    o.barrier = barrier;
    o.context = LLVMGetModuleContext(m);
    o.invariant = LLVMGetMDKindIDInContext(o.context, "invariant.load", 14);
    arena_init(&o.arena);
    cfg_build(&o.cfg, kernel, &o.arena);
    o.met = arena_array(&o.arena, bool, o.cfg.nblocks);
    o.active = arena_array(&o.arena, bool *, o.cfg.nblocks);
    o.mark = arena_array(&o.arena, unsigned, o.cfg.nblocks);
    each_init(&o.each, &o.arena, block, VALUES_BYTES / (threads * 16));
    if (barriers_only(&o) && find_meetings(&o)) {
        find_accesses(&o, false);
        find_accesses(&o, true);
    }
    o.done = arena_array(&o.arena, bool, o.stores.len + 1);
    for (size_t s = 0; s < o.stores.len; s++)
        map_put_ptr(&o.index, o.stores.data[s].inst, (void *)(s + 1));
    for (size_t s = 0; s < o.stores.len && s < ACCESSES; s++)
        if (LLVMIsAStoreInst(o.stores.data[s].inst) && LLVMIsAConstant(LLVMGetOperand(o.stores.data[s].inst, 0)))
            separate_clearing(&o, &o.stores.data[s]);
    for (size_t l = 0; l < o.loads.len && l < ACCESSES && o.stores.len; l++)
        separate(&o, &o.loads.data[l]);
    o.b = LLVMCreateBuilderInContext(o.context);
    for (size_t k = 0; k < o.points.len; k++) {
        LLVMPositionBuilderBefore(o.b, o.points.data[k]);
        build_barrier(&o);
    }
    put_off_all(&o);
    LLVMDisposeBuilder(o.b);
    unsigned count = (unsigned)(o.points.len + o.late.len);
    vec_free(&o.late);
    vec_free(&o.points);
    vec_free(&o.loads);
    vec_free(&o.stores);
    map_free(&o.index);
    each_fini(&o.each);
    cfg_fini(&o.cfg);
    arena_fini(&o.arena);
    return count;
}
