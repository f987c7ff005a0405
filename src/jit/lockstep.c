// Old programs leave the barrier away where only one warp is at work, since its threads go in step:
//
//     if (tid < 17) s[tid] = sum;             the last steps of a reduction, or
//     if (tid == 0) total = s[0] + s[1] ...   if (tid < 16) s[rank[tid]] = s[tid];
//
// CUDA forbids it without `volatile` and `__syncwarp`, and GPUs do what was meant. So do gangs of a whole warp: such
// kernels are compiled at width 32. Found here is, where a test of threadIdx.x against a constant of at most 32 (or the
// size of the block) leaves one warp at work: a store to shared memory that a load of another thread's place follows,
// with no barrier and no collective on the way; or one whose place was itself read from shared memory, after a load.
// Too much found costs some speed, too little gives the results of a race.
//
// Addresses are compared as linear forms: a number for each step of threadIdx.x, a constant, and all else as a sum of
// hashed values. Where the rest is not the same nothing is known, and the store counts.
#include "jit/lockstep.h"
#include "base/arena.h"
#include "base/vec.h"
#include "jit/cfg.h"
#include "jit/resume.h"
#include <stdint.h>
#include <string.h>

enum { WARP = 32, DEPTH = 12 };

struct form {
    int64_t step, constant;
    uint64_t rest;
};

struct lockstep {
    struct cfg cfg;
    struct arena arena;
    unsigned *mark; // by block: last walk that saw it
    unsigned walk;
};

static bool is_call(LLVMValueRef v, const char *name)
{
    return LLVMIsACallInst(v) && !strcmp(resume_callee(v), name);
}

static bool is_thread(LLVMValueRef v)
{
    for (;;) {
        if (is_call(v, "heddle.tid.x") || is_call(v, "heddle.laneid"))
            return true;
        if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsATruncInst(v))
            v = LLVMGetOperand(v, 0);
        else
            return false;
    }
}

static bool constant_of(LLVMValueRef v, int64_t *out)
{
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
        return false;
    *out = LLVMConstIntGetSExtValue(v);
    return true;
}

static void add_form(struct form *out, LLVMValueRef v, int64_t scale, int depth);

static void add_unknown(struct form *out, LLVMValueRef v, int64_t scale)
{
    uint64_t h = (uint64_t)(uintptr_t)v * 0x9e3779b97f4a7c15u;
    out->rest += (h ^ h >> 29) * (uint64_t)scale;
}

static void add_address(struct form *out, LLVMValueRef v, int64_t scale, int depth)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    if (LLVMGetNumOperands(v) != 2 || LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) != 8) {
        add_unknown(out, v, scale);
        return;
    }
    add_form(out, LLVMGetOperand(v, 0), scale, depth);
    add_form(out, LLVMGetOperand(v, 1), scale, depth);
}

static void add_form(struct form *out, LLVMValueRef v, int64_t scale, int depth)
{
    int64_t c;
    if (constant_of(v, &c)) {
        out->constant += scale * c;
        return;
    }
    if (is_thread(v)) {
        out->step += scale;
        return;
    }
    if (!LLVMIsAInstruction(v) || depth == 0) {
        add_unknown(out, v, scale);
        return;
    }
    depth--;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef a = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
    LLVMValueRef b = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    if (op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc || op == LLVMPtrToInt || op == LLVMIntToPtr ||
        op == LLVMAddrSpaceCast) {
        add_form(out, a, scale, depth);
    } else if (op == LLVMGetElementPtr) {
        add_address(out, v, scale, depth);
    } else if (op == LLVMAdd || op == LLVMSub || op == LLVMOr) { // or: of an index and an offset in its low bits
        add_form(out, a, scale, depth);
        add_form(out, b, op == LLVMSub ? -scale : scale, depth);
    } else if (op == LLVMMul && constant_of(b, &c)) {
        add_form(out, a, scale * c, depth);
    } else if (op == LLVMShl && constant_of(b, &c) && c >= 0 && c < 32) {
        add_form(out, a, scale * (INT64_C(1) << c), depth);
    } else {
        add_unknown(out, v, scale);
    }
}

static bool is_shared_access(LLVMValueRef i, LLVMOpcode op, LLVMValueRef *pointer)
{
    if (LLVMGetInstructionOpcode(i) != op)
        return false;
    *pointer = LLVMGetOperand(i, op == LLVMStore ? 1 : 0);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(*pointer)) == 3;
}

static bool makes_wait(LLVMValueRef i)
{
    static const char *const names[] = {"heddle.barrier", "heddle.warp.",  "heddle.shfl.",   "heddle.vote.",
                                        "heddle.match.",  "heddle.redux.", "heddle.cluster."};
    if (LLVMGetInstructionOpcode(i) != LLVMCall)
        return false;
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (!strncmp(resume_callee(i), names[k], strlen(names[k])))
            return true;
    return false;
}

// Whether the place that one thread of the warp stores to may be what another one loads.
static bool meets(LLVMValueRef store, LLVMValueRef load, unsigned threads)
{
    struct form s = {0}, l = {0};
    add_form(&s, store, 1, DEPTH);
    add_form(&l, load, 1, DEPTH);
    if (s.rest != l.rest)
        return true;
    for (int64_t i = 0; i < threads; i++)
        for (int64_t k = 0; k < threads; k++)
            if (i != k && s.step * i + s.constant == l.step * k + l.constant)
                return true;
    return false;
}

static bool was_loaded(LLVMValueRef v, int depth)
{
    if (!LLVMIsAInstruction(v) || depth == 0)
        return false;
    if (LLVMIsALoadInst(v))
        return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) == 3;
    if (LLVMIsAPHINode(v) || LLVMIsACallInst(v))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (was_loaded(LLVMGetOperand(v, (unsigned)i), depth - 1))
            return true;
    return false;
}

// Loads that follow a store with nothing between that waits.
static bool is_read_after(struct lockstep *s, LLVMValueRef store, LLVMValueRef place, unsigned threads)
{
    struct VEC(LLVMValueRef) todo = {0};
    bool found = false;
    s->walk++;
    vec_push(&todo, LLVMGetNextInstruction(store));
    while (todo.len && !found) {
        LLVMValueRef i = todo.data[--todo.len], last = i, pointer;
        bool waits = false;
        for (; i && !found && !waits; i = LLVMGetNextInstruction(i)) {
            waits = makes_wait(i);
            found = is_shared_access(i, LLVMLoad, &pointer) && meets(place, pointer, threads);
        }
        if (waits || found)
            continue;
        const struct cfg_block *b = &s->cfg.blocks[cfg_index(&s->cfg, LLVMGetInstructionParent(last))];
        for (unsigned k = 0; k < b->nsucc; k++) {
            if (s->mark[b->succ[k]] == s->walk)
                continue;
            s->mark[b->succ[k]] = s->walk;
            vec_push(&todo, LLVMGetFirstInstruction(s->cfg.blocks[b->succ[k]].block));
        }
    }
    vec_free(&todo);
    return found;
}

// The stores of the blocks that `head` dominates, where only so many threads of the block are at work.
static bool warp_at_work(struct lockstep *s, int head, unsigned threads)
{
    for (unsigned b = 0; b < s->cfg.nblocks; b++) {
        if (s->cfg.blocks[b].rpo == CFG_NONE || !cfg_dominates(&s->cfg, head, (int)b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->cfg.blocks[b].block); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef place;
            if (!is_shared_access(i, LLVMStore, &place))
                continue;
            if (was_loaded(place, DEPTH) || is_read_after(s, i, place, threads))
                return true;
        }
    }
    return false;
}

// How many threads a test lets pass, WARP + 1 for more than a warp or unknown.
static unsigned passing(LLVMValueRef test, bool way, int depth)
{
    int64_t c;
    if (!LLVMIsAInstruction(test) || depth == 0)
        return WARP + 1;
    LLVMOpcode op = LLVMGetInstructionOpcode(test);
    if ((op == LLVMAnd && way) || (op == LLVMOr && !way)) {
        unsigned a = passing(LLVMGetOperand(test, 0), way, depth - 1);
        unsigned b = passing(LLVMGetOperand(test, 1), way, depth - 1);
        return a < b ? a : b;
    }
    if (op == LLVMXor && constant_of(LLVMGetOperand(test, 1), &c))
        return passing(LLVMGetOperand(test, 0), c ? !way : way, depth - 1);
    if (op != LLVMICmp || !is_thread(LLVMGetOperand(test, 0)) || !constant_of(LLVMGetOperand(test, 1), &c))
        return WARP + 1;
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    int64_t n = WARP + 1;
    if (way ? p == LLVMIntULT || p == LLVMIntSLT : p == LLVMIntUGE || p == LLVMIntSGE)
        n = c;
    else if (way ? p == LLVMIntULE || p == LLVMIntSLE : p == LLVMIntUGT || p == LLVMIntSGT)
        n = c + 1;
    return n >= 0 && n <= WARP ? (unsigned)n : WARP + 1;
}

bool lockstep_assumed(LLVMValueRef kernel, unsigned block_threads)
{
    struct lockstep s = {0};
    bool found = false;
    arena_init(&s.arena);
    cfg_build(&s.cfg, kernel, &s.arena);
    s.mark = arena_array(&s.arena, unsigned, s.cfg.nblocks);
    memset(s.mark, 0, s.cfg.nblocks * sizeof *s.mark);
    if (block_threads <= WARP)
        found = warp_at_work(&s, 0, block_threads);
    for (unsigned b = 0; b < s.cfg.nblocks && !found; b++) {
        const struct cfg_block *from = &s.cfg.blocks[b];
        if (from->rpo == CFG_NONE || from->nsucc != 2)
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from->block);
        for (unsigned k = 0; k < 2 && !found && LLVMIsABranchInst(end); k++) {
            unsigned threads = passing(LLVMGetCondition(end), k == 0, DEPTH);
            if (threads <= WARP && threads > 1 && s.cfg.blocks[from->succ[k]].npred == 1)
                found = warp_at_work(&s, from->succ[k], threads);
        }
    }
    cfg_fini(&s.cfg);
    arena_fini(&s.arena);
    return found;
}
