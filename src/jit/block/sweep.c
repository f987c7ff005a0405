// SPDX-License-Identifier: Apache-2.0
// The loop over the gangs of an interleaved region (block/interleave.c): sweeps until all have reached its end. And the blocks that
// take part in it together.
//
// Gangs that go through a loop iteration by iteration reach one after the other what lies side by side in memory. The longer that
// is the better: a row that is read from end to end takes one translation of addresses and sets off the processor's own
// prefetching, and lines at its ends, which the neighbours need too, are a smaller part of it. But blocks of many
// kernels are 32 threads wide, which is two lines, and read the lines on both sides in every iteration: twice the traffic.
// On a GPU the neighbours of a block are at work at the same time, on the next multiprocessor. Here one call of the
// block function runs up to region_plan.side blocks that follow each other along x, as if they were one that is so many
// times as wide: a sweep goes through the first row of all of them, then through the second row of all.
//
// That is right where a block has nothing of its own but its number, which opt/interleave_gangs.c sees to: no shared memory, no
// barrier, no frame, no atomics, no call that tells of the block. Such blocks have no order among each other. The
// number stands in jit_block, where gangs read it and messages about faults find it; it is set before each gang runs.
//
// It pays until a row is some lines long (TUNE_INTERLEAVE_ROW), so that wide blocks stay alone, and while what all these
// gangs keep between iterations leaves room in the first cache (TUNE_INTERLEAVE_SIDE_KEPT_MAX). A row of the grid that is no
// multiple is cut into equal parts. Kernels without loops, whose gangs run to their end at once, go through rows in the same order
// (region_plan.by_rows). A call for fewer blocks runs those: the engine knows the number (jit_variant.side) and
// hands out so many at once where no thread stays without work by it (src/device/sched/launch.c).
#include "jit/block/block.h"
#include "jit/ir/machine.h"
#include "base/log.h"

void block_limit_side(struct block_gen *g)
{
    struct region_plan *p = g->plan;
    const struct region *r = &p->regions.data[0];
    uint64_t threads = plan_threads(p);
    bool possible = g->form == BLOCK_SINGLE && (r->interleaved || p->by_rows) && threads % g->width == 0 &&
                    !p->gang_frame_bytes && !p->raw_slots && !p->local_bytes && !p->lanes_bytes;
    while (p->side > 1 && (!possible || p->side * r->kept_bytes * (threads / g->width) >
                                            machine_part(FIGURE_L1, TUNE_INTERLEAVE_SIDE_KEPT_MAX)))
        p->side--;
    if (p->side > 1)
        log_write(LOG_DEBUG, "%s: up to %u blocks side by side run as one", p->kernel, p->side);
}

static LLVMValueRef entry_array(struct block_gen *g, uint64_t bytes, unsigned align, const char *name)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(g->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(g->function)));
    LLVMValueRef a = LLVMBuildAlloca(b, LLVMArrayType2(g->i8, bytes), name);
    LLVMSetAlignment(a, align);
    LLVMDisposeBuilder(b);
    return a;
}

static LLVMValueRef add_one(struct block_gen *g, LLVMValueRef x)
{
    LLVMValueRef up = LLVMBuildAdd(g->b, x, block_const(g, 1), "");
    LLVMSetNSW(up, 1);
    LLVMSetNUW(up, 1);
    return up;
}

// Where a sweep is. One block: `slot` is the gang. Several: slot counts all gangs in their order, which is rows, in
// these blocks, in these the gangs of a row.
struct sweep {
    LLVMValueRef slot, gang, block; // i32
};

static void begin(struct block_gen *g, struct sweep *s)
{
    s->slot = LLVMBuildPhi(g->b, g->i32, "slot");
    s->gang = g->count ? LLVMBuildPhi(g->b, g->i32, "gang") : s->slot;
    s->block = g->count ? LLVMBuildPhi(g->b, g->i32, "block") : NULL;
}

static void step(struct block_gen *g, struct sweep *s, LLVMBasicBlockRef before)
{
    LLVMValueRef zero = block_const(g, 0), up = add_one(g, s->slot);
    LLVMBasicBlockRef from[2] = {before, LLVMGetInsertBlock(g->b)};
    LLVMAddIncoming(s->slot, (LLVMValueRef[]){zero, up}, from, 2);
    if (!g->count)
        return;
    unsigned width = g->plan->block[0], row = width % g->width ? 1 : width / g->width;
    LLVMValueRef gang = add_one(g, s->gang), rest = LLVMBuildURem(g->b, gang, block_const(g, row), "");
    LLVMValueRef row_ends = LLVMBuildICmp(g->b, LLVMIntEQ, rest, zero, "");
    LLVMValueRef block = LLVMBuildAdd(g->b, s->block, LLVMBuildZExt(g->b, row_ends, g->i32, ""), "");
    LLVMValueRef over = LLVMBuildICmp(g->b, LLVMIntEQ, block, g->count, "");
    LLVMValueRef back = LLVMBuildAnd(g->b, row_ends, LLVMBuildNot(g->b, over, ""), "");
    gang = LLVMBuildSelect(g->b, back, LLVMBuildSub(g->b, gang, block_const(g, row), ""), gang, "");
    block = LLVMBuildSelect(g->b, over, zero, block, "");
    LLVMAddIncoming(s->gang, (LLVMValueRef[]){zero, gang}, from, 2);
    LLVMAddIncoming(s->block, (LLVMValueRef[]){zero, block}, from, 2);
}

LLVMValueRef block_interleaved_loop(struct block_gen *g, unsigned r)
{
    LLVMValueRef zero = block_const(g, 0), no = LLVMConstInt(g->i1, 0, 0), all = g->gangs_full, x0 = NULL;
    size_t ctaid = offsetof(struct jit_block, ctaid);
    uint64_t gangs = LLVMConstIntGetZExtValue(g->gangs_full) * g->plan->side;
    g->kept = entry_array(g, gangs * g->plan->regions.data[r].kept_bytes, 64, "kept");
    g->points = entry_array(g, gangs, 16, "points");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), sweep = block_new(g, "sweep"), head = block_new(g, "gang");
    LLVMBasicBlockRef body = block_new(g, "full"), run = block_new(g, "point"), next = block_new(g, "next");
    LLVMBasicBlockRef swept = block_new(g, "swept"), tail = block_new(g, "tail");
    LLVMBuildMemSet(g->b, g->points, LLVMConstInt(g->i8, 0, 0), LLVMConstInt(g->i64, gangs, 0), 16);
    if (g->count) {
        all = LLVMBuildMul(g->b, all, g->count, "");
        x0 = block_field(g, g->i32, g->block, ctaid);
    }
    ir_enter(g->b, sweep);
    LLVMValueRef before_sweep = LLVMBuildPhi(g->b, g->i32, "");
    ir_enter(g->b, head);
    struct sweep s;
    begin(g, &s);
    LLVMValueRef last = LLVMBuildPhi(g->b, g->i32, ""), more = LLVMBuildPhi(g->b, g->i1, "more");
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntULT, s.slot, all, ""), body, swept, body);
    g->slot = LLVMBuildZExt(g->b, s.slot, g->i64, "");
    LLVMValueRef point = LLVMBuildLoad2(g->b, g->i8, block_at(g, g->points, g->slot), "");
    LLVMValueRef ended = LLVMBuildICmp(g->b, LLVMIntEQ, point, LLVMConstInt(g->i8, INTERLEAVE_FINISHED, 0), "");
    ir_branch(g->b, ended, next, run, run);
    if (g->count)
        block_set_field(g, LLVMBuildAdd(g->b, x0, s.block, ""), g->block, ctaid);
    LLVMValueRef x = block_call_region(g, r, s.gang, NULL);
    LLVMValueRef stands = LLVMBuildICmp(g->b, LLVMIntEQ, x, block_const(g, INTERLEAVE_STANDS), "");
    LLVMValueRef now = LLVMBuildSelect(g->b, stands, last, x, ""), any = LLVMBuildOr(g->b, more, stands, "");
    run = LLVMGetInsertBlock(g->b);
    ir_enter(g->b, next);
    LLVMValueRef result = ir_phi(g->b, last, body, now, run), left = ir_phi(g->b, more, body, any, run);
    step(g, &s, sweep);
    LLVMBuildBr(g->b, head);
    LLVMAddIncoming(last, (LLVMValueRef[]){before_sweep, result}, (LLVMBasicBlockRef[]){sweep, next}, 2);
    LLVMAddIncoming(more, (LLVMValueRef[]){no, left}, (LLVMBasicBlockRef[]){sweep, next}, 2);
    LLVMPositionBuilderAtEnd(g->b, swept);
    LLVMBuildCondBr(g->b, more, sweep, tail);
    LLVMAddIncoming(before_sweep, (LLVMValueRef[]){zero, last}, (LLVMBasicBlockRef[]){before, swept}, 2);
    LLVMPositionBuilderAtEnd(g->b, tail);
    if (g->count)
        block_set_field(g, x0, g->block, ctaid);
    return block_finish_gangs(g, r, last, block_new(g, "gangs_done"));
}

// A loop `name` of count iterations (i32), within which the builder stands then; returns its counter. loop_close: behind it.
struct counted {
    LLVMBasicBlockRef head, done;
    LLVMValueRef i;
};

static struct counted loop_open(struct block_gen *g, const char *name, LLVMValueRef count)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), body = block_new(g, name);
    struct counted l = {block_new(g, name), block_new(g, name), NULL};
    LLVMValueRef zero = block_const(g, 0);
    ir_enter(g->b, l.head);
    l.i = LLVMBuildPhi(g->b, g->i32, name);
    LLVMAddIncoming(l.i, &zero, &before, 1);
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntULT, l.i, count, ""), body, l.done, body);
    return l;
}

static void loop_close(struct block_gen *g, const struct counted *l)
{
    LLVMValueRef up = add_one(g, l->i);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(l->i, &up, &end, 1);
    LLVMBuildBr(g->b, l->head);
    LLVMPositionBuilderAtEnd(g->b, l->done);
}

void block_rows_loop(struct block_gen *g, unsigned r)
{
    size_t ctaid = offsetof(struct jit_block, ctaid);
    LLVMValueRef x0 = block_field(g, g->i32, g->block, ctaid), width = block_const(g, g->plan->block[0] / g->width);
    struct counted row = loop_open(g, "row", LLVMBuildUDiv(g->b, g->gangs_full, width, ""));
    LLVMValueRef first = LLVMBuildMul(g->b, row.i, width, "");
    struct counted block = loop_open(g, "block", g->count);
    block_set_field(g, LLVMBuildAdd(g->b, x0, block.i, ""), g->block, ctaid);
    struct counted gang = loop_open(g, "gang", width);
    block_call_region(g, r, LLVMBuildAdd(g->b, first, gang.i, ""), NULL);
    loop_close(g, &gang);
    loop_close(g, &block);
    loop_close(g, &row);
    block_set_field(g, x0, g->block, ctaid);
}

// How many blocks the next call runs: rows of the grid are cut into equal parts of no more than `side`.
LLVMValueRef block_side_count(struct block_gen *g, LLVMValueRef left)
{
    LLVMValueRef side = block_const(g, g->plan->side), less = block_const(g, g->plan->side - 1),
                 one = block_const(g, 1);
    LLVMValueRef row = LLVMBuildSub(g->b, block_field(g, g->i32, g->launch, offsetof(struct jit_launch, grid)),
                                    block_field(g, g->i32, g->block, offsetof(struct jit_block, ctaid)), "");
    LLVMValueRef parts = LLVMBuildUDiv(g->b, LLVMBuildAdd(g->b, row, less, ""), side, "");
    LLVMValueRef up = LLVMBuildAdd(g->b, row, LLVMBuildSub(g->b, parts, one, ""), "");
    LLVMValueRef n = LLVMBuildZExt(g->b, LLVMBuildUDiv(g->b, up, parts, ""), g->i64, "");
    return LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntULT, n, left, ""), n, left, "");
}
