// SPDX-License-Identifier: Apache-2.0
// Pointers that differ from lane to lane and go on by the same constant each time round a loop: threads that each walk through
// a row of their own. As a vector such a pointer is added to each time, and its lanes are taken out one by one for accesses of
// 16 bytes (gang/memory/rows.c), by instructions that shuffle, which the accesses themselves want. So the lanes' first values
// are kept in memory, and what has been added to all of them is one scalar: an address is a load and an addition that
// the access has for nothing. (Sums of rows: 1.6 times as fast.)
//
// Under a mask a lane that takes no part has the pointer of one that does in its place: it reads what is read anyway. Not for loops
// that lanes leave at different times: filling these lanes anew took as long as was gained. Nor for loops within which a gang may stop to
// let others go on (block/interleave.c): it returns there, and its memory is gone when it is called again.
#include "jit/gang/control/control.h"
#include "jit/analysis/address.h"
#include "jit/gang/memory/access.h"

enum { CELL = 8 };

// The phi that a pointer is made of, and the constant between them.
static LLVMValueRef phi_of(LLVMValueRef pointer, int64_t *distance)
{
    LLVMValueRef p = address_source(pointer, distance);
    return LLVMIsAPHINode(p) ? p : NULL;
}

// Whether the loop makes enough accesses through it that gang/memory/rows.c would take together.
static bool is_worth_it(struct gang *g, const struct loop *l, LLVMValueRef phi)
{
    unsigned bytes = 0;
    FOR_LOOP (&g->f->cfg, l->id, x) {
        int64_t distance;
        if (!IR_IS(x, LLVMLoad, LLVMStore))
            continue;
        uint64_t size = LLVMABISizeOfType(g->v->layout, ir_access_type(x));
        if ((size == 4 || size == 8) && phi_of(ir_address(x), &distance) == phi)
            bytes += (unsigned)size;
    }
    return bytes >= 16;
}

// Whether the gang may return and be called again while the loop runs.
static bool may_stop(struct gang *g, const struct loop *l)
{
    FOR_LOOP (&g->f->cfg, l->id, x)
        if (op_of(x) == OP_INTERLEAVE_POINT)
            return true;
    return false;
}

// The lanes' pointers for accesses under this mask.
static void fill(struct gang *g, const struct running *r, LLVMValueRef mask)
{
    LLVMValueRef x = r->start;
    if (mask) {
        LLVMValueRef lane = LLVMBuildAnd(g->b, gang_lowest(g, gang_ballot(g, mask)), gang_i32(g, g->width - 1), "");
        LLVMValueRef one = LLVMBuildExtractElement(g->b, x, lane, "");
        x = LLVMBuildSelect(g->b, gang_mask_bits(g, mask), x, gang_wide(g, one), "");
    }
    LLVMSetVolatile(ir_store(g->b, x, r->memory, TUNE_LINE), 1);
}

// To where the pointers were computed: perhaps outside of a loop around this one.
static void go_behind(struct gang *g, LLVMValueRef x)
{
    LLVMValueRef next = LLVMIsAInstruction(x) ? LLVMGetNextInstruction(x) : NULL;
    if (next)
        LLVMPositionBuilderBefore(g->b, ir_after_phis(next));
}

unsigned running_prepare(struct gang *g, const struct loop *l, const struct edge *in, LLVMValueRef mask)
{
    unsigned first = g->nrunning, n = 0;
    LLVMTypeRef wide = gang_lanes(g, g->v->i64);
    if (g->width == 1 || g->v->arm || may_stop(g, l))
        return first;
    for (LLVMValueRef x = LLVMGetFirstInstruction(g->f->cfg.blocks[l->header].block);
         x && LLVMGetInstructionOpcode(x) == LLVMPHI; x = LLVMGetNextInstruction(x), n++) {
        LLVMTypeRef t = LLVMTypeOf(x);
        bool pointer = LLVMGetTypeKind(t) == LLVMPointerTypeKind;
        struct running r = {.phi = x};
        if (g->nrunning == RUNNING_MAX || gang_shape(g, x).kind != SHAPE_VARYING || !(pointer || type_bits(t) == 64) ||
            (!pointer && LLVMGetTypeKind(t) != LLVMIntegerTypeKind) || !loop_phi_step(x, &r.step) ||
            !is_worth_it(g, l, x))
            continue;
        LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
        r.start = in->incoming[n].vector;
        if (!mask)
            go_behind(g, r.start);
        r.start = LLVMBuildFreeze(g->b, pointer ? LLVMBuildPtrToInt(g->b, r.start, wide, "") : r.start, "");
        r.memory = gang_alloca(g, wide, TUNE_LINE);
        fill(g, &r, mask);
        LLVMPositionBuilderAtEnd(g->b, here);
        g->running[g->nrunning++] = r;
    }
    return first;
}

void running_phis(struct gang *g, unsigned first, LLVMBasicBlockRef from)
{
    LLVMValueRef zero = gang_i64(g, 0);
    for (unsigned i = first; i < g->nrunning; i++) {
        g->running[i].offset = LLVMBuildPhi(g->b, g->v->i64, "run");
        LLVMAddIncoming(g->running[i].offset, &zero, &from, 1);
    }
}

void running_vectors(struct gang *g, unsigned first, LLVMValueRef mask)
{
    for (unsigned i = first; i < g->nrunning; i++) {
        struct running *r = &g->running[i];
        struct gang_value *slot = gang_slot(g, r->phi);
        r->mask = mask;
        r->vector = slot->vector;
        LLVMValueRef x = LLVMBuildAdd(g->b, r->start, gang_wide(g, r->offset), "");
        if (LLVMGetTypeKind(LLVMTypeOf(r->phi)) == LLVMPointerTypeKind)
            x = LLVMBuildIntToPtr(g->b, x, LLVMTypeOf(r->vector), "");
        slot->vector = x;
    }
}

void running_back(struct gang *g, unsigned first)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    for (unsigned i = first; i < g->nrunning; i++) {
        struct running *r = &g->running[i];
        LLVMValueRef next = LLVMBuildAdd(g->b, r->offset, gang_i64(g, r->step), "");
        LLVMAddIncoming(r->offset, &next, &from, 1);
        gang_slot(g, r->phi)->vector = r->vector;
    }
    g->nrunning = first;
}

const struct running *running_find(struct gang *g, LLVMValueRef pointer, LLVMValueRef mask, int64_t *distance)
{
    LLVMValueRef phi = g->nrunning ? phi_of(pointer, distance) : NULL;
    for (unsigned i = 0; phi && i < g->nrunning; i++)
        if (g->running[i].phi == phi && g->running[i].mask == mask)
            return &g->running[i];
    return NULL;
}

LLVMValueRef running_lane(struct gang *g, const struct running *r, unsigned lane)
{
    LLVMValueRef p = LLVMBuildLoad2(g->b, g->v->ptr, gang_step(g, r->memory, (int64_t)lane * CELL), "");
    LLVMSetVolatile(p, 1); // to stay where it is: there are not as many registers
    return gang_gep(g, p, r->offset);
}
