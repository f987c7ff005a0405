// SPDX-License-Identifier: Apache-2.0
// Finds the loops that may run until another thread does something (locks, flags, barriers made of atomics) and lets
// the thread step aside on their back edges, or before a try that is made again there. A loop may wait when what decides
// that it ends comes, through values of the same iteration, from a volatile or atomic access: a grid-stride loop that
// merely contains an atomic does not. It may come through how often an inner loop runs. Where the polled value reaches the
// test through memory (the thread keeps it in an array; thread 0 polls, and the block reads its answer after a barrier; a
// function that stays a call leaves it there), the loop may wait too, and so may one that reads memory again behind a
// fence. Too many yields cost time, one too few hangs: every doubt is decided for the yield. One common loop surely goes on
// by itself and gets none: compare-and-swap that tries again at one location with the very value it found until it succeeds.
// (Taking numbers from a counter is none: another thread may have to set it back.)
#include "base/map.h"
#include "base/vec.h"
#include "jit/analysis/loops.h"
#include "jit/ir/pass.h"
#include "jit/jit.h"
#include "jit/resume/resume.h"

struct spin {
    struct cfg cfg;
    LLVMModuleRef module;
    bool calls_look; // functions that stay calls have sources, or fences
    unsigned *mark;  // by block: last walk that saw it
    unsigned walk;
    LLVMValueRef *leads_to; // by block seen on this walk: the one value a phi gets from here on, NULL: one of several
};

struct slice {                // what one loop's end depends on
    struct map seen, written; // values; stores and the like
    struct VEC(LLVMValueRef) work;
    struct VEC(LLVMValueRef) loads; // ordinary ones that take part
    bool calls;                     // functions that stay calls take part: they may read anything
};

// In shared memory that no other block reaches: the kernel knows no window of its cluster (translate/insn/cluster.c).
static bool is_shared(LLVMValueRef access, LLVMValueRef pointer)
{
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)));
    return ir_space(pointer) == AS_SHARED && !op_find(m, OP_WINDOW);
}

static bool is_atomic_or_volatile_load(LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMLoad && !access_is_simple(v);
}

static bool is_source(LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || is_atomic_or_volatile_load(v) ||
           (op_is(v, IS_HOOK) && op_of(v) != OP_RT_MISALIGNED);
}

// An access by which a thread looks at what other blocks did, without changing it (or by taking a lock).
static bool is_poll(LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMAtomicCmpXchg || is_atomic_or_volatile_load(v))
        return !is_shared(v, LLVMGetOperand(v, 0));
    if (op != LLVMAtomicRMW || is_shared(v, LLVMGetOperand(v, 0)))
        return false;
    LLVMValueRef x = LLVMGetOperand(v, 1);
    return LLVMGetAtomicRMWBinOp(v) == LLVMAtomicRMWBinOpXchg || LLVMIsNull(x) ||
           (LLVMIsAConstantInt(x) && LLVMConstIntGetSExtValue(x) == -1);
}

static bool is_fence(LLVMValueRef v)
{
    return LLVMIsAFenceInst(v);
}

// A function that stays a call, and does more than arithmetic.
static bool is_own_call(LLVMValueRef v)
{
    LLVMValueRef f = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    return f && !(LLVMIsAFunction(f) && LLVMIsDeclaration(f)) && !ir_touches_no_memory(f);
}

static bool is_wait(LLVMValueRef v)
{
    return op_is(v, IS_BLOCK_WAIT | IS_WARP_WAIT);
}

static void push_condition(struct spin *s, struct slice *sl, int block)
{
    LLVMValueRef t = LLVMGetBasicBlockTerminator(s->cfg.blocks[block].block);
    if (s->cfg.blocks[block].nsucc > 1)
        vec_push(&sl->work, LLVMGetOperand(t, 0));
}

// The branches that decide whether the loop gets to this block in this iteration.
static void push_choices(struct spin *s, struct slice *sl, int loop, int block)
{
    int stop = s->cfg.loops[loop].header;
    if (stop == block)
        return;
    struct VEC(int) pending = {0};
    s->walk++;
    for (unsigned i = 0; i < s->cfg.blocks[block].npred; i++)
        vec_push(&pending, s->cfg.blocks[block].pred[i]);
    while (pending.len) {
        int b = pending.data[--pending.len];
        if (!cfg_loop_contains(&s->cfg, loop, b) || s->mark[b] == s->walk)
            continue;
        s->mark[b] = s->walk;
        if (!cfg_postdominates(&s->cfg, block, b))
            push_condition(s, sl, b);
        for (unsigned i = 0; b != stop && i < s->cfg.blocks[b].npred; i++)
            vec_push(&pending, s->cfg.blocks[b].pred[i]);
    }
    vec_free(&pending);
}

// What decides that a loop ends: this one, or one inside.
static void push_end(struct spin *s, struct slice *sl, int loop)
{
    if (map_get_ptr(&sl->seen, s->cfg.blocks[s->cfg.loops[loop].header].block))
        return;
    map_put_ptr(&sl->seen, s->cfg.blocks[s->cfg.loops[loop].header].block, sl);
    for (unsigned b = 0; b < s->cfg.nblocks; b++) {
        if (!cfg_loop_contains(&s->cfg, loop, (int)b))
            continue;
        for (unsigned k = 0; k < s->cfg.blocks[b].nsucc; k++)
            if (!cfg_loop_contains(&s->cfg, loop, s->cfg.blocks[b].succ[k])) {
                push_condition(s, sl, (int)b);
                push_choices(s, sl, loop, (int)b);
                break;
            }
    }
}

// How often the loops inside this one run that the block is in.
static void push_rounds(struct spin *s, struct slice *sl, int loop, int block)
{
    for (int l = s->cfg.blocks[block].loop; l != loop && l != CFG_NONE; l = s->cfg.loops[l].parent)
        push_end(s, sl, l);
}

// What an exchange found (0), whether it succeeded (1).
static bool is_result(LLVMValueRef x, LLVMValueRef v, unsigned which)
{
    return ir_is_opcode(x, LLVMExtractValue) && LLVMGetOperand(x, 0) == v && *LLVMGetIndices(x) == which;
}

// Whether x, in all iterations but the loop's first, is a value that `is` takes for the exchange v's, wherever it comes from.
static bool comes_from(struct spin *s, int loop, LLVMValueRef x, LLVMValueRef v, unsigned depth,
                       bool (*is)(struct spin *s, int loop, LLVMValueRef x, LLVMValueRef v, unsigned depth))
{
    if (!depth || !loop_has(&s->cfg, loop, x))
        return false;
    if (!LLVMIsAPHINode(x))
        return is(s, loop, x, v, depth - 1);
    bool any = false;
    for (unsigned i = 0; i < LLVMCountIncoming(x); i++) {
        if (!loop_has_block(&s->cfg, loop, LLVMGetIncomingBlock(x, i)))
            continue; // a first try
        if (!comes_from(s, loop, LLVMGetIncomingValue(x, i), v, depth - 1, is))
            return false;
        any = true;
    }
    return any;
}

static bool is_itself(struct spin *s, int loop, LLVMValueRef x, LLVMValueRef v, unsigned depth)
{
    (void)s, (void)loop, (void)depth;
    return x == v;
}

// What the exchange found there, of the pair that is its result.
static bool is_found(struct spin *s, int loop, LLVMValueRef x, LLVMValueRef v, unsigned depth)
{
    if (IR_IS(x, LLVMBitCast, IR_POINTER_CAST, LLVMFreeze))
        return comes_from(s, loop, LLVMGetOperand(x, 0), v, depth, is_found);
    return ir_is_opcode(x, LLVMExtractValue) && !*LLVMGetIndices(x) &&
           comes_from(s, loop, LLVMGetOperand(x, 0), v, depth, is_itself);
}

// Whether a condition has this value when the exchange v has succeeded.
static bool success_makes(LLVMValueRef c, LLVMValueRef v, bool value, unsigned depth)
{
    if (!depth || !LLVMIsAInstruction(c))
        return false;
    if (is_result(c, v, 1))
        return value;
    if (LLVMIsAICmpInst(c) && LLVMGetICmpPredicate(c) == (value ? LLVMIntEQ : LLVMIntNE)) {
        LLVMValueRef a = LLVMGetOperand(c, 0), b = LLVMGetOperand(c, 1), expected = LLVMGetOperand(v, 1);
        return (b == expected && is_result(a, v, 0)) || (a == expected && is_result(b, v, 0));
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(c);
    if (op == LLVMXor && value_is(LLVMGetOperand(c, 1), true))
        return success_makes(LLVMGetOperand(c, 0), v, !value, depth - 1);
    bool select = op == LLVMSelect;
    LLVMValueRef a = op == LLVMAnd || op == LLVMOr || select ? LLVMGetOperand(c, 0) : NULL, b = NULL;
    bool both = op == LLVMAnd;
    if (select && value_is(LLVMGetOperand(c, 1), true))
        b = LLVMGetOperand(c, 2);
    else if (select && value_is(LLVMGetOperand(c, 2), false))
        b = LLVMGetOperand(c, 1), both = true;
    else if (!select && a)
        b = LLVMGetOperand(c, 1);
    if (!b)
        return false;
    bool first = success_makes(a, v, value, depth - 1), second = success_makes(b, v, value, depth - 1);
    return both == value ? first && second : first || second;
}

// Whether no iteration comes from block `at` to its end, at the loop's header, but through block b.
static bool is_passed(struct spin *s, int loop, int at, int b)
{
    bool *within = arena_array(&s->cfg.arena, bool, s->cfg.nblocks);
    bool *reached = arena_array(&s->cfg.arena, bool, s->cfg.nblocks);
    for (unsigned k = 0; k < s->cfg.nblocks; k++)
        within[k] = (int)k != b && cfg_loop_contains(&s->cfg, loop, (int)k);
    for (unsigned i = 0; at != b && i < s->cfg.blocks[at].nsucc; i++)
        reached[s->cfg.blocks[at].succ[i]] = within[s->cfg.blocks[at].succ[i]];
    cfg_reach(&s->cfg, false, within, reached);
    return !reached[s->cfg.loops[loop].header];
}

// Whether the loop is left when the exchange v has succeeded.
static bool success_leaves(struct spin *s, int loop, LLVMValueRef v)
{
    int at = cfg_index(&s->cfg, LLVMGetInstructionParent(v));
    for (unsigned b = 0; b < s->cfg.nblocks; b++) {
        const struct cfg_block *k = &s->cfg.blocks[b];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(k->block);
        if (k->nsucc != 2 || !LLVMIsABranchInst(end) || !cfg_loop_contains(&s->cfg, loop, (int)b))
            continue;
        bool in[2] = {cfg_loop_contains(&s->cfg, loop, k->succ[0]), cfg_loop_contains(&s->cfg, loop, k->succ[1])};
        if (in[0] != in[1] && success_makes(LLVMGetCondition(end), v, in[1], 6) && is_passed(s, loop, at, (int)b))
            return true;
    }
    return false;
}

// Whether x is the same in all iterations.
static bool stays(struct spin *s, int loop, LLVMValueRef x, unsigned depth)
{
    if (!loop_has(&s->cfg, loop, x))
        return true;
    if (!depth || !IR_IS(x, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMOr, IR_EXTENSIONS, IR_POINTER_CAST,
                         LLVMAddrSpaceCast, LLVMGetElementPtr))
        return false;
    for (unsigned i = 0; i < ir_operands(x); i++)
        if (!stays(s, loop, LLVMGetOperand(x, i), depth - 1))
            return false;
    return true;
}

// A compare-and-swap that expects exactly what it found there in the iteration before, until it succeeds: if it fails, another one
// succeeded. One that expects anything else, as the same without a lock's bit or what it found elsewhere, or that goes on after
// success, waits for others.
static bool is_retry(struct spin *s, int loop, LLVMValueRef v)
{
    return LLVMGetInstructionOpcode(v) == LLVMAtomicCmpXchg && stays(s, loop, LLVMGetOperand(v, 0), 6) &&
           comes_from(s, loop, LLVMGetOperand(v, 1), v, 8, is_found) && success_leaves(s, loop, v);
}

static void push_operands(struct slice *sl, LLVMValueRef v)
{
    for (int i = 0, n = LLVMGetNumOperands(v); i < n; i++)
        vec_push(&sl->work, LLVMGetOperand(v, (unsigned)i));
}

// The branches that decide which value a phi gets: those between its block's dominator and it from which it may get
// several. (A branch around a store is none where both edges bring the same value.)
static void push_phi_choices(struct spin *s, struct slice *sl, int loop, LLVMValueRef phi)
{
    struct arrival {
        int block;
        LLVMValueRef value;
    };
    int block = cfg_index(&s->cfg, LLVMGetInstructionParent(phi)), header = s->cfg.loops[loop].header;
    int stop = header == block ? header : s->cfg.blocks[block].idom;
    struct VEC(struct arrival) pending = {0};
    struct VEC(int) seen = {0};
    s->walk++;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        vec_push(&pending,
                 ((struct arrival){cfg_index(&s->cfg, LLVMGetIncomingBlock(phi, i)), LLVMGetIncomingValue(phi, i)}));
    while (pending.len) {
        struct arrival t = pending.data[--pending.len];
        if (!cfg_loop_contains(&s->cfg, loop, t.block))
            continue;
        if (s->mark[t.block] != s->walk) {
            s->mark[t.block] = s->walk;
            s->leads_to[t.block] = t.value;
            vec_push(&seen, t.block);
        } else if (s->leads_to[t.block] && s->leads_to[t.block] != t.value) {
            s->leads_to[t.block] = NULL;
        } else {
            continue;
        }
        for (unsigned i = 0; t.block != stop && i < s->cfg.blocks[t.block].npred; i++)
            vec_push(&pending, ((struct arrival){s->cfg.blocks[t.block].pred[i], s->leads_to[t.block]}));
    }
    for (size_t i = 0; i < seen.len; i++)
        if (!s->leads_to[seen.data[i]])
            push_condition(s, sl, seen.data[i]);
    vec_free(&seen);
    vec_free(&pending);
}

static void push_phi(struct spin *s, struct slice *sl, int loop, LLVMValueRef v)
{
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
        vec_push(&sl->work, LLVMGetIncomingValue(v, i));
    push_phi_choices(s, sl, loop, v);
    int heads = s->cfg.blocks[cfg_index(&s->cfg, LLVMGetInstructionParent(v))].heads;
    if (heads != CFG_NONE && heads != loop) // its last value depends on how often that loop runs
        push_end(s, sl, heads);
}

static bool end_depends_on_access(struct spin *s, struct slice *sl, int loop)
{
    while (sl->work.len) {
        LLVMValueRef v = sl->work.data[--sl->work.len];
        if (!loop_has(&s->cfg, loop, v) || map_get_ptr(&sl->seen, v))
            continue;
        map_put_ptr(&sl->seen, v, v);
        LLVMOpcode op = LLVMGetInstructionOpcode(v);
        if (is_source(v) && !is_retry(s, loop, v))
            return true;
        if (s->calls_look && is_own_call(v))
            return true;
        sl->calls |= is_own_call(v);
        if (op == LLVMLoad && ir_space(LLVMGetOperand(v, 0)) != AS_CONST)
            vec_push(&sl->loads, v);
        if (op == LLVMPHI)
            push_phi(s, sl, loop, v);
        else
            push_operands(sl, v);
    }
    return false;
}

// Whether the slice may read what this writes.
static bool is_read(const struct slice *sl, LLVMValueRef x)
{
    if (sl->calls || is_own_call(x))
        return true;
    unsigned to = ir_space(ir_address(x));
    for (size_t i = 0; i < sl->loads.len; i++) {
        unsigned from = ir_space(LLVMGetOperand(sl->loads.data[i], 0));
        if (from == to || from == AS_GENERIC || to == AS_GENERIC)
            return true;
    }
    return false;
}

// Takes the writes of the loop in that the slice may read: what they store and where, whether they are made and how often.
static bool push_stores(struct spin *s, struct slice *sl, int loop)
{
    FOR_LOOP (&s->cfg, loop, x) {
        bool call = is_own_call(x);
        if (!(IR_IS(x, LLVMStore, LLVMAtomicRMW, LLVMAtomicCmpXchg) || call) || map_get_ptr(&sl->written, x) ||
            !is_read(sl, x))
            continue;
        int block = cfg_index(&s->cfg, LLVMGetInstructionParent(x));
        map_put_ptr(&sl->written, x, x);
        sl->calls |= call;
        push_operands(sl, x);
        push_choices(s, sl, loop, block);
        push_rounds(s, sl, loop, block);
    }
    return sl->work.len;
}

static bool some(struct spin *s, int loop, bool (*test)(LLVMValueRef))
{
    FOR_LOOP (&s->cfg, loop, x)
        if (test(x))
            return true;
    return false;
}

// Whether the slice may read without further ado what other threads write.
static bool some_of_others(const struct slice *sl)
{
    if (sl->calls)
        return true;
    for (size_t i = 0; i < sl->loads.len; i++)
        if (ir_space(LLVMGetOperand(sl->loads.data[i], 0)) != AS_LOCAL)
            return true;
    return false;
}

static bool loop_may_wait(struct spin *s, int loop)
{
    struct slice sl = {0};
    push_end(s, &sl, loop);
    bool waits = end_depends_on_access(s, &sl, loop);
    while (!waits && (sl.loads.len || sl.calls) && push_stores(s, &sl, loop))
        waits = end_depends_on_access(s, &sl, loop);
    if (!waits && (sl.loads.len || sl.calls))
        waits = (some(s, loop, is_wait) && some(s, loop, is_poll)) || (s->calls_look && some(s, loop, is_own_call)) ||
                (some(s, loop, is_fence) && some_of_others(&sl));
    vec_free(&sl.loads);
    map_free(&sl.written);
    map_free(&sl.seen);
    vec_free(&sl.work);
    return waits;
}

static bool leads_to(LLVMValueRef terminator, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        if (LLVMGetSuccessor(terminator, i) == block)
            return true;
    return false;
}

// A switch may have several edges from one block to another, which become one; the others then find none left.
static void yield_on_edge(struct spin *s, int from, int to)
{
    LLVMBasicBlockRef source = s->cfg.blocks[from].block, header = s->cfg.blocks[to].block;
    LLVMValueRef t = LLVMGetBasicBlockTerminator(source);
    if (LLVMGetNumSuccessors(t) == 1) {
        op_insert(OP_YIELD, t);
        return;
    }
    if (!leads_to(t, header))
        return;
    LLVMContextRef c = LLVMGetModuleContext(s->module);
    LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(c, header, "spin");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(b, block);
    LLVMValueRef jump = LLVMBuildBr(b, header);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(t); i++)
        if (LLVMGetSuccessor(t, i) == header)
            LLVMSetSuccessor(t, i, block);
    ir_move_phi_entries(header, source, block, true);
    LLVMDisposeBuilder(b);
    op_insert(OP_YIELD, jump);
}

static bool depends_on(LLVMValueRef v, LLVMValueRef x, unsigned depth)
{
    if (v == x || !depth || !LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != LLVMGetInstructionParent(x))
        return v == x;
    for (int i = 0, n = LLVMIsAPHINode(v) ? 0 : LLVMGetNumOperands(v); i < n; i++)
        if (depends_on(LLVMGetOperand(v, (unsigned)i), x, depth - 1))
            return true;
    return false;
}

// The atomic that decides which way the block ends and is the last to write memory in it, if that is how it ends.
static LLVMValueRef deciding_atomic(LLVMBasicBlockRef block)
{
    LLVMValueRef t = LLVMGetBasicBlockTerminator(block), x = LLVMGetPreviousInstruction(t);
    while (x && !LLVMIsAStoreInst(x) && !LLVMIsACallInst(x) && !is_source(x))
        x = LLVMGetPreviousInstruction(x);
    bool decides = x && ir_is_opcode(x, LLVMAtomicRMW) && LLVMGetNumSuccessors(t) == 2 && LLVMIsABranchInst(t) &&
                   depends_on(LLVMGetCondition(t), x, 6);
    return decides ? x : NULL;
}

// Of `for (;;) { if (atomicSub(s, 1) > 0) break; atomicAdd(s, 1); }` compilers make a first try and, if it fails, a loop that
// puts back what a try took and tries again. As it was written a thread gives way while it has put all back: before the try. Behind it
// all those that wait would hold what each of them waits for. Returns the try of such a loop: the first one, the same
// operation, stands before the loop.
static LLVMValueRef tried_again(struct spin *s, int loop, int latch)
{
    LLVMValueRef x = deciding_atomic(s->cfg.blocks[latch].block);
    for (int b = s->cfg.blocks[s->cfg.loops[loop].header].idom; x && b >= 0; b = s->cfg.blocks[b].idom) {
        LLVMValueRef first = deciding_atomic(s->cfg.blocks[b].block);
        if (first && LLVMGetAtomicRMWBinOp(first) == LLVMGetAtomicRMWBinOp(x) &&
            LLVMGetOperand(first, 0) == LLVMGetOperand(x, 0) && LLVMGetOperand(first, 1) == LLVMGetOperand(x, 1))
            return x;
        if (s->cfg.blocks[b].idom == b)
            break;
    }
    return NULL;
}

// A loop that sleeps in every iteration needs no second yield.
static bool yields_already(struct spin *s, int loop, int latch)
{
    for (int b = latch;; b = s->cfg.blocks[b].idom) {
        FOR_INSTRUCTIONS (s->cfg.blocks[b].block, i)
            if (op_of(i) == OP_YIELD)
                return true;
        if (b == s->cfg.loops[loop].header)
            return false;
    }
}

static bool calls_look(const struct compilation *c)
{
    FOR_MODULE (c->module, f)
        FOR_FUNCTION (f, i)
            if (f != c->t.kernel && (is_source(i) || is_fence(i)))
                return true;
    return false;
}

static void insert_yields(struct compilation *c, LLVMValueRef function, bool calls_look)
{
    struct spin s = {.module = c->module, .calls_look = calls_look};
    cfg_build(&s.cfg, function);
    s.mark = arena_array(&s.cfg.arena, unsigned, s.cfg.nblocks);
    s.leads_to = arena_array(&s.cfg.arena, LLVMValueRef, s.cfg.nblocks);
    struct VEC(int) edges = {0};
    struct VEC(LLVMValueRef) tries = {0};
    for (unsigned l = 0; l < s.cfg.nloops; l++) {
        if (!loop_may_wait(&s, (int)l))
            continue;
        int h = s.cfg.loops[l].header, last = -1;
        for (unsigned i = 0; i < s.cfg.blocks[h].npred; i++) {
            int p = s.cfg.blocks[h].pred[i];
            if (p == last || !cfg_loop_contains(&s.cfg, (int)l, p) || yields_already(&s, (int)l, p))
                continue;
            last = p;
            LLVMValueRef x = tried_again(&s, (int)l, p);
            if (x) {
                vec_push(&tries, x);
                continue;
            }
            vec_push(&edges, p);
            vec_push(&edges, h);
        }
    }
    // Cycles that are no natural loops: any access in the function may be what they wait for.
    bool access = false;
    FOR_FUNCTION (function, i)
        access |= s.cfg.irreducible && (is_source(i) || is_fence(i) || (calls_look && is_own_call(i)));
    for (unsigned b = 0; access && b < s.cfg.nblocks; b++)
        for (unsigned k = 0; s.cfg.blocks[b].rpo >= 0 && k < s.cfg.blocks[b].nsucc; k++) {
            int t = s.cfg.blocks[b].succ[k];
            if (s.cfg.blocks[t].rpo <= s.cfg.blocks[b].rpo && !cfg_dominates(&s.cfg, t, (int)b)) {
                vec_push(&edges, (int)b);
                vec_push(&edges, t);
            }
        }
    for (size_t i = 0; i < edges.len; i += 2)
        yield_on_edge(&s, edges.data[i], edges.data[i + 1]);
    for (size_t i = 0; i < tries.len; i++)
        op_insert(OP_YIELD, tries.data[i]);
    vec_free(&tries);
    vec_free(&edges);
    cfg_fini(&s.cfg);
}

// Functions that stay calls (recursive ones) may wait as well: their threads then have stacks of their own. Not in checked code, which
// is told of warps as they are at width 32.
bool pass_spin(struct compilation *c)
{
    bool look = calls_look(c);
    FOR_MODULE (c->module, f)
        if (!LLVMIsDeclaration(f) && (f == c->t.kernel || !c->options->check))
            insert_yields(c, f, look);
    return true;
}
