// SPDX-License-Identifier: Apache-2.0
// Emits the function that runs blocks (jit_entry_fn): a loop over the blocks around a body in one of five forms
// (block/block.h). This file has the loop and the two simple forms; block/machine.c the three that need the scheduler.
#include "jit/ir/pass.h"
#include "jit/jit.h"
#include "base/str.h"
#include "jit/block/block.h"
#include "base/xmalloc.h"
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>

enum { NEXTS_MAX = 8 };

// Loops over the gangs

static LLVMValueRef idle_word(struct block_gen *g)
{
    return block_at(g, g->next, LLVMConstInt(g->i64, (g->plan->uniform_bytes + 7) & ~(uint64_t)7, 0));
}

// A short region whose gangs each leave one value, as sums of warps: all of them in a row, so that what follows finds the values
// themselves (assemble.c).
static bool is_short_sum(const struct block_gen *g, unsigned r)
{
    LLVMValueRef f = g->plan->regions.data[r].full;
    uint64_t threads = plan_threads(g->plan);
    if (!f || threads <= g->width || threads > g->width * TUNE_SHORT_GANGS || LLVMCountBasicBlocks(f) > 1 ||
        ir_function_size(f) > TUNE_SHORT_REGION)
        return false;
    unsigned stores = 0;
    FOR_INSTRUCTIONS (LLVMGetEntryBasicBlock(f), x) {
        if (LLVMIsAStoreInst(x) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(x, 0))) == LLVMVectorTypeKind)
            return false;
        stores += LLVMIsAStoreInst(x) != NULL;
    }
    return stores == 1;
}

// for (gang = 0; gang < gangs_full; gang++) full, or downwards; then the gang with fewer threads than lanes. With `idle` it ends when
// a region says so. Returns the result of the last call; all agree.
static LLVMValueRef loop_over_gangs(struct block_gen *g, unsigned r, bool idle)
{
    LLVMValueRef zero = block_const(g, 0), none = LLVMConstInt(g->i64, 0, 0);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), head = block_new(g, "gang"), body = block_new(g, "full");
    LLVMBasicBlockRef tail = block_new(g, "tail"), done = block_new(g, "gangs_done");
    bool value = g->plan->regions.len > 1;
    if (idle)
        LLVMBuildStore(g->b, none, idle_word(g));
    ir_enter(g->b, head);
    LLVMValueRef gang = LLVMBuildPhi(g->b, g->i32, "gang"), last = LLVMBuildPhi(g->b, g->i32, "");
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntULT, gang, g->gangs_full, ""), body, tail, body);
    LLVMValueRef x = block_call_region(g, r, block_gang_at(g, gang, g->gangs_full), NULL),
                 up = LLVMBuildAdd(g->b, gang, block_const(g, 1), "");
    LLVMSetNSW(up, 1);
    LLVMSetNUW(up, 1);
    x = value ? x : zero;
    body = LLVMGetInsertBlock(g->b);
    LLVMValueRef close;
    if (idle) {
        LLVMValueRef word = LLVMBuildLoad2(g->b, g->i64, idle_word(g), "");
        close = LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, word, none, ""), done, head);
    } else {
        close = LLVMBuildBr(g->b, head);
    }
    LLVMValueRef full = g->plan->regions.data[r].full;
    if (g->plan->regions.len >= TUNE_MANY_REGIONS || (full && ir_function_size(full) > TUNE_UNROLLED_GANG_MAX))
        loop_keep(g->context, close);
    else if (!idle && is_short_sum(g, r))
        loop_mark(g->context, close, "llvm.loop.unroll.full", 0);
    LLVMAddIncoming(gang, (LLVMValueRef[]){zero, up}, (LLVMBasicBlockRef[]){before, body}, 2);
    LLVMAddIncoming(last, (LLVMValueRef[]){zero, x}, (LLVMBasicBlockRef[]){before, body}, 2);
    LLVMPositionBuilderAtEnd(g->b, tail);
    LLVMValueRef result = block_finish_gangs(g, r, last, done);
    if (idle)
        LLVMAddIncoming(result, &x, &body, 1);
    return result;
}

static void copy_slot(struct block_gen *g, unsigned slot, LLVMValueRef to, LLVMValueRef from)
{
    const struct uniform_slot *s = &g->plan->uniform.data[slot];
    if (s->type)
        block_set_field(g, block_field(g, s->type, from, s->offset), to, s->offset);
}

// The slots that a region has set. Others stay where they are: so a kernel of many barriers with much that lives across
// them stays in proportion to itself.
static void copy_set(struct block_gen *g, const struct region *r)
{
    for (size_t i = 0; i < r->nset; i++)
        copy_slot(g, g->plan->set.data[r->set + i], g->now, g->next);
}

// The whole block yields: it is put aside with its uniform slots.
static void build_yield(struct block_gen *g, LLVMValueRef state)
{
    for (unsigned k = 0; k < g->plan->uniform.len; k++)
        copy_slot(g, k, g->frame, g->now);
    block_set_field(g, state, g->block, offsetof(struct jit_block, resume));
    LLVMBuildRet(g->b, block_const(g, JIT_YIELD));
}

// Where the block stands: at its start, or where it yielded.
static LLVMValueRef build_start(struct block_gen *g)
{
    LLVMValueRef start = block_const(g, RESUME_START), zero = block_const(g, 0);
    if (!g->yields && !g->clusters)
        return start;
    LLVMValueRef state = block_field(g, g->i32, g->block, offsetof(struct jit_block, resume));
    for (unsigned k = 0; k < g->plan->uniform.len; k++) {
        copy_slot(g, k, g->now, g->frame);
        copy_slot(g, k, g->next, g->frame);
    }
    block_set_field(g, zero, g->block, offsetof(struct jit_block, resume));
    return LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, state, zero, ""), start, state, "");
}

// Where regions lead: the choice of the next one by its number, the blocks of all, the end.
struct dispatch {
    LLVMBasicBlockRef block, done, never, aside;
    LLVMBasicBlockRef *region;
    LLVMValueRef state, left; // phis in `block` and `aside`
};

// Leaves the block at `next` when the condition is true.
static void build_aside(struct block_gen *g, struct dispatch *d, LLVMValueRef next, LLVMValueRef condition,
                        LLVMBasicBlockRef more)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    LLVMBuildCondBr(g->b, condition, d->aside, more);
    LLVMAddIncoming(d->left, &next, &from, 1);
}

// At the cluster's barrier: on, or aside until the other blocks have come.
static void build_cluster(struct block_gen *g, struct dispatch *d, LLVMValueRef next, LLVMValueRef kind,
                          LLVMBasicBlockRef more)
{
    LLVMValueRef first = block_const(g, RESUME_CLUSTER_WAIT);
    LLVMBasicBlockRef at = block_new(g, "cluster"), other = block_new(g, "other");
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntUGE, kind, first, ""), at, other, at);
    LLVMValueRef a[2] = {g->block, kind};
    LLVMValueRef waits = block_call_run(g, "heddle_cluster_step", g->i32, a, 2);
    build_aside(g, d, next, LLVMBuildIsNotNull(g->b, waits, ""), more);
    LLVMPositionBuilderAtEnd(g->b, other);
}

// The values that a region returns, when all are constants. False: one is not, or there are too many.
struct nexts {
    unsigned n;
    LLVMValueRef value[NEXTS_MAX];
};

static bool add_next(struct nexts *s, LLVMValueRef v, unsigned depth)
{
    if (LLVMIsAConstantInt(v)) {
        for (unsigned i = 0; i < s->n; i++)
            if (s->value[i] == v)
                return true;
        if (s->n == NEXTS_MAX)
            return false;
        s->value[s->n++] = v;
        return true;
    }
    if (depth > 3 || (!LLVMIsAPHINode(v) && !LLVMIsASelectInst(v)))
        return false;
    bool phi = LLVMIsAPHINode(v) != NULL;
    for (unsigned i = phi ? 0 : 1, n = phi ? LLVMCountIncoming(v) : 3; i < n; i++)
        if (!add_next(s, phi ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i), depth + 1))
            return false;
    return true;
}

static bool find_nexts(const struct region *r, struct nexts *s)
{
    *s = (struct nexts){0};
    if (!r->full)
        return false;
    LLVMValueRef stands =
        LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(r->full))), INTERLEAVE_STANDS, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(r->full); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAReturnInst(t) || (r->interleaved && LLVMGetOperand(t, 0) == stands))
            continue;
        if (!add_next(s, LLVMGetOperand(t, 0), 0))
            return false;
    }
    return s->n > 0;
}

// A region that is entered at its resume point without further ado.
static bool is_direct(const struct region_plan *p, uint64_t state)
{
    const struct region *r = &p->regions.data[state & RESUME_POINT_MASK];
    uint64_t kind = state >> RESUME_KIND_SHIFT;
    bool in_block = (state >> RESUME_OP_SHIFT & RESUME_OP_MASK) == RESUME_IN_BLOCK; // the other gangs have run
    return (state & RESUME_POINT_MASK) < p->regions.len &&
           (kind == RESUME_RUN || kind == RESUME_BARRIER || (kind == RESUME_YIELD && in_block)) &&
           r->op == RESUME_NONE && r->wait != REGION_WARP;
}

// After a region: finished, put aside, or on to the next; straight there where it is known, so that the optimiser sees a
// loop over barriers as a loop. The uniform slots that it wrote become the ones that the next region reads; both buffers
// are allocas, which become registers once the regions are inlined.
static void build_next(struct block_gen *g, const struct region *r, LLVMValueRef next, struct dispatch *d)
{
    struct nexts known;
    copy_set(g, r);
    bool direct = find_nexts(r, &known);
    for (unsigned i = 0; direct && i < known.n; i++) {
        uint64_t c = LLVMConstIntGetZExtValue(known.value[i]);
        direct = !c || is_direct(g->plan, c);
    }
    if (direct) {
        next = known.n == 1 ? known.value[0] : next;
        LLVMValueRef choose = LLVMBuildSwitch(g->b, next, d->never, known.n);
        for (unsigned i = 0; i < known.n; i++) {
            uint64_t c = LLVMConstIntGetZExtValue(known.value[i]);
            LLVMAddCase(choose, known.value[i], c ? d->region[c & RESUME_POINT_MASK] : d->done);
        }
        return;
    }
    LLVMBasicBlockRef more = d->block;
    if (g->yields || g->clusters) {
        LLVMValueRef kind = LLVMBuildLShr(g->b, next, block_const(g, RESUME_KIND_SHIFT), "");
        more = block_new(g, "more");
        if (g->clusters)
            build_cluster(g, d, next, kind, more);
        LLVMValueRef what = LLVMBuildAnd(g->b, next, block_const(g, (uint32_t)~RESUME_POINT_MASK), "");
        LLVMValueRef spins = block_const(g, (uint32_t)RESUME_YIELD << RESUME_KIND_SHIFT);
        LLVMValueRef yields = LLVMBuildICmp(g->b, LLVMIntEQ, what, spins, "");
        build_aside(g, d, next, yields, more);
        LLVMPositionBuilderAtEnd(g->b, more);
    }
    LLVMBasicBlockRef end = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(d->state, &next, &end, 1);
    LLVMBuildCondBr(g->b, LLVMBuildIsNull(g->b, next, ""), d->done, d->block);
}

static void emit_single(struct block_gen *g)
{
    if (merge_any(g->plan)) { // code under a mask is not inlined: what it merges lies in memory, apart from the rest
        g->next = block_merge_buffer(g, "merged");
        g->next_masked = g->plan->regions.data[0].masked ? block_merge_buffer(g, "merged_masked") : NULL;
        block_merge_begin(g);
    }
    if (g->plan->regions.data[0].interleaved)
        block_interleaved_loop(g, 0);
    else if (g->count)
        block_rows_loop(g, 0);
    else
        loop_over_gangs(g, 0, false);
    block_merge_end(g);
    LLVMBuildRet(g->b, block_const(g, JIT_DONE));
}

static void emit_loops(struct block_gen *g)
{
    struct region_plan *p = g->plan;
    LLVMTypeRef buffer = LLVMArrayType2(g->i64, p->uniform_bytes / 8 + 2);
    g->now = LLVMBuildAlloca(g->b, buffer, "uniform_now");
    g->next = merge_any(p) ? block_merge_buffer(g, "uniform_next") : LLVMBuildAlloca(g->b, buffer, "uniform_next");
    block_merge_begin(g);
    LLVMValueRef start = build_start(g);
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(g->b);
    struct dispatch d = {
        .block = block_new(g, "dispatch"), .done = block_new(g, "done"), .never = block_new(g, "never")};
    ir_enter(g->b, d.block);
    d.state = LLVMBuildPhi(g->b, g->i32, "state");
    LLVMAddIncoming(d.state, &start, &entry, 1);
    LLVMValueRef point = LLVMBuildAnd(g->b, d.state, block_const(g, RESUME_POINT_MASK), "");
    LLVMValueRef choose = LLVMBuildSwitch(g->b, point, d.never, (unsigned)p->regions.len);
    LLVMPositionBuilderAtEnd(g->b, d.never);
    LLVMBuildUnreachable(g->b);
    if (g->yields || g->clusters) {
        LLVMPositionBuilderAtEnd(g->b, d.aside = block_new(g, "aside"));
        d.left = LLVMBuildPhi(g->b, g->i32, "left");
        build_yield(g, d.left);
    }
    d.region = xmalloc(p->regions.len * sizeof *d.region);
    for (unsigned r = 0; r < p->regions.len; r++) {
        d.region[r] = block_new(g, "region");
        LLVMAddCase(choose, block_const(g, r ? r : RESUME_START), d.region[r]);
    }
    for (unsigned r = 0; r < p->regions.len; r++) {
        const struct region *x = &p->regions.data[r];
        LLVMPositionBuilderAtEnd(g->b, d.region[r]);
        if (x->op != RESUME_NONE || x->wait == REGION_WARP) {
            LLVMValueRef a[4] = {g->raw, g->threads, g->padded, d.state};
            block_call_run(g, "heddle_resume_all", g->void_type, a, 4);
        }
        build_next(g, x, x->interleaved ? block_interleaved_loop(g, r) : loop_over_gangs(g, r, x->tells_idle), &d);
    }
    free(d.region);
    LLVMPositionBuilderAtEnd(g->b, d.done);
    block_merge_end(g);
    LLVMBuildRet(g->b, block_const(g, JIT_DONE));
}

// The entry: sets each block's position and runs it.

static void store_position(struct block_gen *g, LLVMValueRef linear)
{
    LLVMValueRef x, y, rest, grid[2];
    for (unsigned i = 0; i < 2; i++)
        grid[i] = LLVMBuildZExt(g->b, block_field(g, g->i32, g->launch, offsetof(struct jit_launch, grid) + 4 * i),
                                g->i64, "");
    x = LLVMBuildURem(g->b, linear, grid[0], "");
    rest = LLVMBuildUDiv(g->b, linear, grid[0], "");
    y = LLVMBuildURem(g->b, rest, grid[1], "");
    LLVMValueRef z = LLVMBuildUDiv(g->b, rest, grid[1], "");
    size_t at = offsetof(struct jit_block, ctaid);
    block_set_field(g, LLVMBuildTrunc(g->b, x, g->i32, ""), g->block, at);
    block_set_field(g, LLVMBuildTrunc(g->b, y, g->i32, ""), g->block, at + 4);
    block_set_field(g, LLVMBuildTrunc(g->b, z, g->i32, ""), g->block, at + 8);
    block_set_field(g, linear, g->block, offsetof(struct jit_block, linear));
}

// On by n blocks (i64), which lie in one row of the grid.
static void step_position(struct block_gen *g, LLVMValueRef n)
{
    size_t at = offsetof(struct jit_block, ctaid), grid = offsetof(struct jit_launch, grid);
    LLVMValueRef zero = block_const(g, 0), carry = LLVMBuildTrunc(g->b, n, g->i32, "");
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef v = LLVMBuildAdd(g->b, block_field(g, g->i32, g->block, at + 4 * i), carry, "");
        LLVMValueRef over = LLVMBuildICmp(g->b, LLVMIntUGE, v, block_field(g, g->i32, g->launch, grid + 4 * i), "");
        block_set_field(g, LLVMBuildSelect(g->b, over, zero, v, ""), g->block, at + 4 * i);
        carry = LLVMBuildZExt(g->b, over, g->i32, "");
    }
    LLVMValueRef linear = block_field(g, g->i64, g->block, offsetof(struct jit_block, linear));
    block_set_field(g, LLVMBuildAdd(g->b, linear, n, ""), g->block, offsetof(struct jit_block, linear));
}

// size: instructions of the body with all that it calls.
static void emit_entry(struct block_gen *g, const char *name, LLVMValueRef body, unsigned size)
{
    block_function(g, name, g->i32, &g->i64, 1);
    LLVMValueRef count = LLVMGetParam(g->function, 2), n = LLVMConstInt(g->i64, 1, 0),
                 zero = LLVMConstInt(g->i64, 0, 0);
    LLVMBasicBlockRef entry, run = block_new(g, "block"), more = block_new(g, "more"), done = block_new(g, "done");
    store_position(g, block_field(g, g->i64, g->block, offsetof(struct jit_block, linear)));
    entry = LLVMGetInsertBlock(g->b);
    ir_enter(g->b, run);
    LLVMValueRef i = LLVMBuildPhi(g->b, g->i64, "i"), a[3] = {g->launch, g->block};
    if (g->plan->side > 1) {
        n = block_side_count(g, LLVMBuildSub(g->b, count, i, ""));
        a[2] = LLVMBuildTrunc(g->b, n, g->i32, "");
    }
    LLVMValueRef next = LLVMBuildAdd(g->b, i, n, ""), last = LLVMBuildICmp(g->b, LLVMIntUGE, next, count, "");
    if (op_find(g->module, OP_CTAID_NEXT)) {
        LLVMValueRef behind = block_field(g, g->i32, g->block, offsetof(struct jit_block, more));
        block_set_field(g, LLVMBuildSelect(g->b, last, behind, block_const(g, 1), ""), g->block,
                        offsetof(struct jit_block, follows));
    }
    LLVMValueRef result = ir_call(g->b, body, a, g->plan->side > 1 ? 3 : 2);
    LLVMValueRef stop =
        LLVMBuildOr(g->b, last, LLVMBuildICmp(g->b, LLVMIntNE, result, block_const(g, JIT_DONE), ""), "");
    ir_branch(g->b, stop, done, more, more);
    step_position(g, n);
    LLVMValueRef close = LLVMBuildBr(g->b, run);
    if (size > TUNE_UNROLLED_GANG_MAX)
        loop_keep(g->context, close);
    LLVMAddIncoming(i, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){entry, more}, 2);
    LLVMPositionBuilderAtEnd(g->b, done);
    LLVMBuildRet(g->b, result);
}

// Form and functions

static void set_inlining(struct block_gen *g)
{
    for (size_t r = 0; r < g->plan->regions.len; r++) {
        const struct region *x = &g->plan->regions.data[r];
        if (x->full) {
            LLVMSetLinkage(x->full, LLVMInternalLinkage);
            if (g->plan->debug)
                ir_add_attribute(x->full, "noinline");
            else if (ir_function_size(x->full) <= TUNE_INLINE_MAX)
                ir_add_attribute(x->full, "alwaysinline");
        }
        if (x->masked && x->masked != x->full) {
            LLVMSetLinkage(x->masked, LLVMInternalLinkage);
            ir_add_attribute(x->masked, "noinline");
        }
    }
}

static void emit_body(struct block_gen *g)
{
    LLVMValueRef body = block_function(g, "heddle.block", g->i32, &g->i32, g->plan->side > 1 ? 1 : 0);
    g->count = g->plan->side > 1 ? LLVMGetParam(body, 2) : NULL;
    LLVMSetLinkage(body, LLVMInternalLinkage);
    if (g->form >= BLOCK_PHASES)
        block_emit_machine(g);
    else if (g->form == BLOCK_LOOPS)
        emit_loops(g);
    else
        emit_single(g);
    unsigned size = ir_function_size(body);
    for (size_t r = 0; r < g->plan->regions.len; r++)
        size += g->plan->regions.data[r].full ? ir_function_size(g->plan->regions.data[r].full) : 0;
    if (!g->plan->debug)
        ir_add_attribute(body, size < TUNE_INLINE_MAX ? "alwaysinline" : "noinline");
    struct str entry = {0};
    if (g->plan->debug)
        str_append(&entry, JIT_ENTRY_PLAIN);
    else
        str_printf(&entry, "%s" JIT_ENTRY_SUFFIX, g->plan->kernel);
    emit_entry(g, str_text(&entry), body, size);
    str_free(&entry);
}

// Emits the jit_entry_fn that runs blocks; fills the variant (frame_bytes, may_wait, ...).
bool pass_block(struct compilation *c)
{
    struct jit_variant *variant = &c->out->variant;
    struct block_gen g = block_begin(&c->plan, c->d);
    block_lay_out_frame(&g, variant);
    variant->may_wait = g.yields;
    variant->stacks = c->plan.stacks;
    variant->local_bytes = (uint32_t)c->plan.local_bytes;
    set_inlining(&g);
    block_limit_side(&g);
    variant->side = c->plan.side;
    emit_body(&g);
    LLVMDisposeBuilder(g.b);
    return true;
}
