// SPDX-License-Identifier: Apache-2.0
// Memory of a gang: slots that live across resume points, raw slots, local memory. A slot is kept as its shape allows:
// once a block, as bases, or as W lanes.
#include "jit/gang/memory/access.h"
#include "jit/analysis/loops.h"
#include "jit/host/target.h"

static uint64_t align_up(uint64_t x, uint64_t unit)
{
    return (x + unit - 1) / unit * unit;
}

static uint64_t alloca_stride(struct vectoriser *v, LLVMValueRef inst)
{
    int64_t count = 1;
    value_constant(LLVMGetOperand(inst, 0), &count);
    return align_up(LLVMABISizeOfType(v->layout, LLVMGetAllocatedType(inst)) * (uint64_t)count, LLVMGetAlignment(inst));
}

// A local variable begins a cache line, or what it asks for.
static uint64_t spill_align(LLVMValueRef inst)
{
    return LLVMGetAlignment(inst) > JIT_FRAME_ALIGN ? LLVMGetAlignment(inst) : JIT_FRAME_ALIGN;
}

// Room in the frame for the local variables of the region that needs most, if that is too much for a stack; *align: of the room.
static uint64_t spill_room(struct vectoriser *v, uint64_t *align)
{
    uint64_t most = 0;
    *align = JIT_FRAME_ALIGN;
    for (unsigned i = 0; i < v->scalar.nfunctions; i++) {
        struct scalar_fn *f = &v->scalar.functions[i];
        uint64_t sum = 0;
        if (!f->is_region)
            continue;
        FOR_LOOP (&f->cfg, CFG_NONE, x)
            if (LLVMIsAAllocaInst(x)) {
                sum = align_up(sum, spill_align(x)) + alloca_stride(v, x) * v->scalar.lanes.width;
                *align = spill_align(x) > *align ? spill_align(x) : *align;
            }
        most = sum > most ? sum : most;
    }
    if (most > TUNE_LOCALS_ON_STACK)
        return align_up(most, *align);
    *align = JIT_FRAME_ALIGN;
    return 0;
}

// Vectors come first, each at a multiple of its size up to a cache line: one that lies across two lines costs twice.
static uint64_t lay_out_vectors(struct vectoriser *v)
{
    uint64_t frame = 0;
    for (size_t k = 0; k < v->plan->slots.len; k++) {
        LLVMTypeRef t = v->plan->slots.data[k];
        uint64_t bytes = (type_is_bool(t) ? 4 : LLVMABISizeOfType(v->layout, t)) * v->scalar.lanes.width;
        if (v->scalar.slots[k].shape.kind != SHAPE_VARYING)
            continue;
        v->scalar.slots[k].offset = frame = align_up(frame, bytes < 16 ? 16 : bytes > 64 ? 64 : bytes);
        frame += bytes;
    }
    return align_up(frame, 8);
}

void frame_layout(struct vectoriser *v)
{
    struct region_plan *p = v->plan;
    uint64_t frame = lay_out_vectors(v), uniform = 0, align, spilled_align;
    for (size_t k = 0; k < p->slots.len; k++) {
        struct frame_slot *s = &v->scalar.slots[k];
        vec_push(&p->uniform, (struct uniform_slot){0});
        if (s->shape.kind == SHAPE_VARYING)
            continue;
        if (s->shape.kind == SHAPE_NONE)
            s->shape = shape_uniform(true); // read but never written
        s->in_block =
            v->scalar.slots_in_block && shape_is_uniform(&v->scalar.lanes, &s->shape) && !s->shape.gang_varies;
        uint64_t *end = s->in_block ? &uniform : &frame;
        unsigned cells = shape_bases(&v->scalar.lanes, &s->shape) * (s->shape.wrap.kind == WRAP_NONE ? 1 : 2);
        s->offset = *end;
        *end += s->in_block ? 8 : cells * 8;
        LLVMTypeRef t = p->slots.data[k];
        if (s->in_block)
            p->uniform.data[k] =
                (struct uniform_slot){s->offset, LLVMGetTypeKind(t) == LLVMPointerTypeKind ? v->ptr : t};
    }
    align = p->local_align > JIT_FRAME_ALIGN ? p->local_align : JIT_FRAME_ALIGN;
    v->local_offset = frame = align_up(frame, align);
    frame += p->local_bytes * v->scalar.lanes.width;
    v->lanes_offset = frame = align_up(frame, 64);
    v->lanes_in_frame = p->regions.len > 1 || p->lanes_bytes * v->scalar.lanes.width > TUNE_LOCALS_ON_STACK;
    frame += v->lanes_in_frame ? p->lanes_bytes * v->scalar.lanes.width : 0;
    v->spill_bytes = spill_room(v, &spilled_align);
    v->spill_offset = frame = align_up(frame, spilled_align);
    p->gang_frame_align = align > spilled_align ? align : spilled_align;
    p->gang_frame_bytes = align_up(frame + v->spill_bytes, p->gang_frame_align);
    p->uniform_bytes = uniform;
}

static LLVMValueRef slot_pointer(struct gang *g, const struct frame_slot *s, unsigned cell, bool set)
{
    LLVMValueRef base = !s->in_block ? g->frame : set ? g->uniform_next : g->uniform_now;
    return gang_step(g, base, (int64_t)s->offset + 8 * cell);
}

// Nothing that a program can address is there: its loads may move over stores to slots.
static LLVMValueRef in_frame(struct gang *g, LLVMValueRef access)
{
    LLVMSetMetadata(access, g->v->scope_kind, g->v->frame_scope);
    return access;
}

EMIT(frame_get)
{
    const struct frame_slot *s = &g->v->scalar.slots[LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0))];
    LLVMTypeRef t = gang_type(g, LLVMTypeOf(call));
    struct gang_value *r = gang_slot(g, call);
    if (s->shape.kind == SHAPE_VARYING) {
        r->vector = in_frame(g, ir_load(g->b, gang_vector_type(g, t), slot_pointer(g, s, 0, false), 16));
        return;
    }
    unsigned n = shape_bases(g->lanes, &s->shape);
    for (unsigned i = 0; i < n; i++) {
        r->base[i] = in_frame(g, LLVMBuildLoad2(g->b, t, slot_pointer(g, s, i, false), ""));
        if (s->shape.wrap.kind != WRAP_NONE)
            r->source[i] = in_frame(g, LLVMBuildLoad2(g->b, LLVMIntTypeInContext(g->v->context, s->shape.wrap.bits),
                                                      slot_pointer(g, s, n + i, false), ""));
    }
}

// What comes from the slot itself: a region ends with its writes, so that nothing else was written meanwhile.
static bool is_own(LLVMValueRef x, LLVMValueRef slot)
{
    return op_of(x) == OP_FRAME_GET && LLVMGetOperand(x, 0) == slot;
}

// Whether the processor writes some lanes of a vector by itself. Only in quick code: LLVM sees through a load, a choice and a
// store, and makes that of them in the end.
static bool stores_some(struct gang *g, LLVMTypeRef t, LLVMValueRef mask)
{
    LLVMTypeRef e = LLVMGetElementType(t);
    unsigned bytes = (unsigned)LLVMABISizeOfType(g->v->layout, e);
    return mask && g->v->plan->lean && !type_is_bool(e) && (bytes == 4 || bytes == 8) && target_stores_lanes();
}

// Under a mask the other lanes' values are kept: they may be waiting elsewhere with the same slot.
EMIT(frame_set)
{
    const struct frame_slot *s = &g->v->scalar.slots[LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0))];
    LLVMValueRef x = LLVMGetOperand(call, 1);
    if (is_own(x, LLVMGetOperand(call, 0)))
        return;
    if (s->shape.kind == SHAPE_VARYING) {
        LLVMValueRef p = slot_pointer(g, s, 0, true), now = gang_vector(g, x);
        if (stores_some(g, LLVMTypeOf(now), mask)) {
            in_frame(g, masked_store(g, now, p, 16, gang_mask_bits(g, mask)));
            return;
        }
        if (mask)
            now = gang_blend(g, mask, now, in_frame(g, ir_load(g->b, LLVMTypeOf(now), p, 16)));
        in_frame(g, ir_store(g->b, now, p, 16));
        return;
    }
    unsigned n = shape_bases(g->lanes, &s->shape);
    for (unsigned i = 0; i < n; i++) {
        in_frame(g, LLVMBuildStore(g->b, gang_base(g, x, i, &s->shape), slot_pointer(g, s, i, true)));
        if (s->shape.wrap.kind != WRAP_NONE)
            in_frame(g, LLVMBuildStore(g->b, gang_source(g, x, i, &s->shape), slot_pointer(g, s, n + i, true)));
    }
}

EMIT(frame_local)
{
    int64_t offset = LLVMConstIntGetSExtValue(LLVMGetOperand(call, 0));
    gang_set_scalar(g, call, gang_step(g, g->frame, (int64_t)g->v->local_offset + offset));
}

// Memory of the function where nothing outlives it, so that LLVM may keep in registers what it can.
EMIT(frame_lanes)
{
    struct vectoriser *v = g->v;
    int64_t offset = LLVMConstIntGetSExtValue(LLVMGetOperand(call, 0)) * g->width;
    if (!v->lanes_in_frame && !g->by_lanes)
        g->by_lanes = gang_alloca(g, LLVMArrayType2(v->i8, v->plan->lanes_bytes * g->width), 64);
    gang_set_scalar(g, call,
                    v->lanes_in_frame ? gang_step(g, g->frame, (int64_t)v->lanes_offset + offset)
                                      : gang_step(g, g->by_lanes, offset));
}

EMIT(frame_lane)
{
    gang_set_scalar(g, call, gang_i64(g, 0));
}

// Each lane has its variable whole, so that its address means to other code what it should.
void gang_emit_alloca(struct gang *g, LLVMValueRef inst)
{
    uint64_t bytes = alloca_stride(g->v, inst) * g->width;
    unsigned align = LLVMGetAlignment(inst);
    if (g->v->spill_bytes && g->f->is_region) {
        g->spilled = (unsigned)align_up(g->spilled, spill_align(inst));
        gang_set_scalar(g, inst, gang_step(g, g->frame, (int64_t)(g->v->spill_offset + g->spilled)));
        g->spilled += (unsigned)bytes;
        return;
    }
    LLVMTypeRef t = LLVMArrayType2(g->v->i8, bytes ? bytes : 1);
    gang_set_scalar(g, inst, gang_alloca(g, t, align < 16 ? 16 : align));
}

// Raw slots: cells that any thread may read, and plain C code those of eight bytes. A slot always holds one type; one of up to
// 32 bits takes cells of four bytes.
static LLVMTypeRef cell_type(struct gang *g, LLVMTypeRef t)
{
    return LLVMSizeOfTypeInBits(g->v->layout, t) > 32 ? g->v->i64 : g->v->i32;
}

static bool is_pointer(LLVMTypeRef t)
{
    return LLVMGetTypeKind(type_element(t)) == LLVMPointerTypeKind;
}

// Integers of the same size. A cast to the type that a value has is the value.
static LLVMTypeRef bits_type(struct gang *g, LLVMTypeRef t)
{
    return type_like(LLVMIntTypeInContext(g->v->context, (unsigned)LLVMSizeOfTypeInBits(g->v->layout, type_element(t))),
                     t);
}

static LLVMValueRef to_cell(struct gang *g, LLVMValueRef x, LLVMTypeRef cell)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    if (is_pointer(t))
        return LLVMBuildPtrToInt(g->b, x, type_like(cell, t), "");
    return LLVMBuildZExt(g->b, LLVMBuildBitCast(g->b, x, bits_type(g, t), ""), type_like(cell, t), "");
}

static LLVMValueRef from_cell(struct gang *g, LLVMValueRef x, LLVMTypeRef t)
{
    if (is_pointer(t))
        return LLVMBuildIntToPtr(g->b, x, t, "");
    return LLVMBuildBitCast(g->b, LLVMBuildTrunc(g->b, x, bits_type(g, t), ""), t, "");
}

// raw + slot * threads_padded * 8
static LLVMValueRef raw_row(struct gang *g, LLVMValueRef call)
{
    LLVMValueRef row = LLVMBuildZExt(g->b, gang_threads_padded(g), g->v->i64, "");
    int64_t slot = LLVMConstIntGetSExtValue(LLVMGetOperand(call, 0));
    return gang_gep(g, g->raw, LLVMBuildMul(g->b, row, gang_i64(g, slot * 8), ""));
}

static LLVMValueRef raw_cell(struct gang *g, LLVMValueRef row, LLVMTypeRef cell, LLVMValueRef thread)
{
    LLVMValueRef at = LLVMBuildZExt(g->b, thread, g->v->i64, "");
    return gang_gep(g, row, LLVMBuildShl(g->b, at, gang_i64(g, cell == g->v->i64 ? 3 : 2), ""));
}

EMIT(raw_set)
{
    LLVMValueRef x = LLVMGetOperand(call, 1);
    LLVMTypeRef cell = cell_type(g, gang_type(g, LLVMTypeOf(x))), cells = gang_lanes(g, cell);
    LLVMValueRef p = raw_cell(g, raw_row(g, call), cell, g->first_thread);
    if (g->width == 1) {
        LLVMBuildStore(g->b, to_cell(g, gang_scalar(g, x), cell), p);
        return;
    }
    unsigned align = LLVMABIAlignmentOfType(g->v->layout, cell);
    LLVMValueRef now = to_cell(g, gang_vector_bits(g, x), cell);
    if (stores_some(g, cells, mask)) {
        masked_store(g, now, p, align, gang_mask_bits(g, mask));
        return;
    }
    if (mask)
        now = LLVMBuildSelect(g->b, gang_mask_bits(g, mask), now, ir_load(g->b, cells, p, align), "");
    ir_store(g->b, now, p, align);
}

static bool is_consecutive(struct gang *g, const struct shape *s)
{
    if (s->split || !shape_is_aligned(g->lanes, s))
        return false;
    for (unsigned l = 0; l < g->width; l++)
        if (s->offset[l] != l)
            return false;
    return true;
}

EMIT(raw_get)
{
    LLVMValueRef thread = LLVMGetOperand(call, 1), row = raw_row(g, call);
    LLVMTypeRef t = gang_type(g, LLVMTypeOf(call)), cell = cell_type(g, t);
    if (gang_is_uniform(g, thread)) {
        LLVMValueRef p = raw_cell(g, row, cell, gang_scalar(g, thread));
        gang_set_scalar(g, call, from_cell(g, LLVMBuildLoad2(g->b, cell, p, ""), t));
        return;
    }
    LLVMTypeRef cells = gang_lanes(g, cell);
    LLVMValueRef r = LLVMGetPoison(cells), index;
    struct shape s = gang_shape(g, thread);
    bool own = is_consecutive(g, &s); // usual
    if (own)
        r = ir_load(g->b, cells, raw_cell(g, row, cell, gang_base(g, thread, 0, &s)),
                    LLVMABIAlignmentOfType(g->v->layout, cell));
    index = own ? NULL : gang_vector(g, thread);
    if (mask && !own)
        index = LLVMBuildAnd(g->b, LLVMBuildFreeze(g->b, index, ""), mask, "");
    for (unsigned l = 0; l < g->width && !own; l++) {
        LLVMValueRef p = raw_cell(g, row, cell, gang_lane(g, index, l));
        r = LLVMBuildInsertElement(g->b, r, LLVMBuildLoad2(g->b, cell, p, ""), gang_i64(g, l), "");
    }
    r = from_cell(g, r, gang_lanes(g, t));
    gang_set_vector(g, call, type_is_bool(t) ? gang_mask_of(g, r) : r);
}
