// SPDX-License-Identifier: Apache-2.0
// Keeps the regions small. Each region is a copy of all that its resume point reaches; where many resume points lead to
// the same code (a loop unrolled around a lock, branches that wait before a long common end), the copies would grow
// with the square of the kernel. There a resume point without a wait is put in front of the common code: it is then one
// region, and the others end at it.
//
// 1. Only where what the pass waits decided stays true. That is so where no branch divides the gang: the lanes come
//    there as they came before. And it is so where the lanes may have diverged already: a wait in divided code
//    leaves them diverged, and since they were held to be that from here on, nothing was decided that counts on more.
//    But there lanes may come one by one, each run alone by the scheduler; so only where the regions would otherwise
//    be far too large.
// 2. Never in a loop that does not wait: its iterations stay within one region.
#include "jit/ir/pass.h"
#include "jit/resume/resume.h"

enum { CANDIDATES_MAX = 64 };

struct cut_block {
    unsigned size, before, after; // instructions: of the block, up to its first wait, behind its last
    bool waits, cut;
    bool allowed, diverged; // without a branch that divides the gang before it; with lanes that may have diverged
    unsigned regions;       // how many regions enter it
    unsigned depth;
};

struct cutter {
    struct resume *r;
    struct cut_block *blocks;
    unsigned *seen, walk;
    struct VEC(int) worklist;
    unsigned kernel; // instructions
    bool tangled;    // far too large: cuts in code with diverged lanes too
};

static void measure(struct cutter *c)
{
    struct resume *r = c->r;
    bool *loop_waits = arena_array(&r->arena, bool, r->cfg.nloops + 1);
    for (unsigned k = 0; k < r->cfg.nblocks; k++) {
        struct cut_block *b = &c->blocks[k];
        FOR_INSTRUCTIONS (r->cfg.blocks[k].block, i) {
            b->size++;
            b->after++;
            if (!map_get_ptr(&r->point_index, i))
                continue;
            if (!b->waits)
                b->before = b->size;
            b->waits = true;
            b->after = 0;
        }
        if (!b->waits)
            b->before = b->size;
        c->kernel += b->size;
        for (int l = r->cfg.blocks[k].loop; l >= 0; l = r->cfg.loops[l].parent) {
            b->depth++;
            loop_waits[l] |= b->waits;
        }
    }
    for (unsigned k = 0; k < r->cfg.nblocks; k++) {
        int loop = r->cfg.blocks[k].loop;
        bool possible = k && r->cfg.blocks[k].rpo >= 0 && (loop < 0 || loop_waits[loop]);
        c->blocks[k].allowed = possible && r->block_whole[k];
        c->blocks[k].diverged = possible && !r->block_together[k];
    }
}

static void push_successors(struct cutter *c, int block)
{
    for (unsigned i = 0; i < c->r->cfg.blocks[block].nsucc; i++)
        vec_push(&c->worklist, c->r->cfg.blocks[block].succ[i]);
}

// The size of what can be reached through c->worklist; counts the region in every block that it enters.
static unsigned reach(struct cutter *c, bool count)
{
    unsigned size = 0;
    c->walk++;
    while (c->worklist.len) {
        int k = c->worklist.data[--c->worklist.len];
        struct cut_block *b = &c->blocks[k];
        if (c->seen[k] == c->walk)
            continue;
        c->seen[k] = c->walk;
        b->regions += count;
        if (b->cut)
            continue;
        size += b->before;
        if (!b->waits)
            push_successors(c, k);
    }
    return size;
}

// The region that begins when block k's cut is passed.
static unsigned reach_from_cut(struct cutter *c, int k, bool count)
{
    unsigned size = c->blocks[k].before;
    if (!c->blocks[k].waits)
        push_successors(c, k);
    return size + reach(c, count);
}

static unsigned total(struct cutter *c)
{
    unsigned n = c->r->cfg.nblocks, sum = 0;
    for (unsigned k = 0; k < n; k++)
        c->blocks[k].regions = 0;
    vec_push(&c->worklist, 0);
    sum += reach(c, true);
    for (unsigned k = 0; k < n; k++) {
        if (c->r->cfg.blocks[k].rpo < 0)
            continue;
        if (c->blocks[k].waits) {
            push_successors(c, (int)k);
            sum += c->blocks[k].after + reach(c, true);
        }
        if (c->blocks[k].cut)
            sum += reach_from_cut(c, (int)k, true);
    }
    return sum;
}

// The block where a cut saves most, or -1.
static int best_cut(struct cutter *c)
{
    int candidates[CANDIDATES_MAX], best = -1;
    unsigned n = 0, best_gain = TUNE_CUT_GAIN_MIN;
    for (unsigned least = c->r->cfg.nblocks + (unsigned)c->r->points.len; least >= 2 && n < CANDIDATES_MAX; least /= 2)
        for (unsigned k = 0; k < c->r->cfg.nblocks && n < CANDIDATES_MAX; k++) {
            const struct cut_block *b = &c->blocks[k];
            if ((b->allowed || (b->diverged && c->tangled)) && !b->cut && b->regions >= least && b->regions < 2 * least)
                candidates[n++] = (int)k;
        }
    for (unsigned i = 0; i < n; i++) {
        const struct cut_block *b = &c->blocks[candidates[i]];
        unsigned gain = (b->regions - 1) * reach_from_cut(c, candidates[i], false) / (1 + 3 * b->depth);
        if (gain > best_gain) {
            best = candidates[i];
            best_gain = gain;
        }
    }
    return best;
}

static void insert(struct resume *r, int k)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    LLVMValueRef at = ir_after_phis(LLVMGetFirstInstruction(r->cfg.blocks[k].block));
    unsigned point = (unsigned)r->points.len + 1;
    LLVMValueRef state = LLVMConstInt(i32, point | (uint32_t)RESUME_RUN << RESUME_KIND_SHIFT, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(r->context);
    LLVMPositionBuilderBefore(b, at);
    LLVMValueRef call = op_build(b, OP_RESUME, &state, 1);
    LLVMDisposeBuilder(b);
    vec_push(&r->points, ((struct resume_point){call, REGION_START, RESUME_NONE, r->block_together[k]}));
    map_put_ptr(&r->point_index, call, (void *)(uintptr_t)point);
}

bool pass_cut_regions(struct compilation *compilation)
{
    struct resume *r = compilation->resume;
    if (r->points.len < 2)
        return true;
    struct cutter c = {.r = r};
    c.blocks = arena_array(&r->arena, struct cut_block, r->cfg.nblocks + 1);
    c.seen = arena_array(&r->arena, unsigned, r->cfg.nblocks + 1);
    measure(&c);
    unsigned limit = TUNE_CUT_GROWTH * c.kernel > TUNE_CUT_SMALL ? TUNE_CUT_GROWTH * c.kernel : TUNE_CUT_SMALL;
    unsigned now = total(&c);
    c.tangled = now > TUNE_CUT_TANGLED * limit;
    for (unsigned n = 0; now > limit; n++, now = total(&c)) {
        int k = best_cut(&c);
        if (k < 0 || n >= (now > TUNE_CUT_TANGLED * limit ? TUNE_CUTS_MORE : TUNE_CUTS_MAX))
            break;
        c.blocks[k].cut = true;
    }
    for (unsigned k = 0; k < r->cfg.nblocks; k++)
        if (c.blocks[k].cut)
            insert(r, (int)k);
    vec_free(&c.worklist);
    return true;
}
