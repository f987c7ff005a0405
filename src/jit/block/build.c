// SPDX-License-Identifier: Apache-2.0
// What the parts of a block function are made of: small instructions, the frame, a function's beginning, calls of regions.
//
// The frame of a block, in this order; P is the number of threads rounded up to 32:
//   struct resume_block, state words u32[P]    forms with the scheduler
//   the uniform slots                          BLOCK_LOOPS that may be put aside: kept meanwhile
//   raw slots u64[raw_slots][P]
//   gang frames [P / W], one for all gangs in BLOCK_SINGLE
#include "jit/block/block.h"

LLVMBasicBlockRef block_new(struct block_gen *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->context, g->function, name);
}

LLVMValueRef block_const(struct block_gen *g, uint64_t v)
{
    return LLVMConstInt(g->i32, v, 0);
}

LLVMValueRef block_at(struct block_gen *g, LLVMValueRef p, LLVMValueRef bytes)
{
    return LLVMBuildGEP2(g->b, g->i8, p, &bytes, 1, "");
}

LLVMValueRef block_field(struct block_gen *g, LLVMTypeRef t, LLVMValueRef p, size_t offset)
{
    return LLVMBuildLoad2(g->b, t, block_at(g, p, LLVMConstInt(g->i64, offset, 0)), "");
}

void block_set_field(struct block_gen *g, LLVMValueRef v, LLVMValueRef p, size_t offset)
{
    LLVMBuildStore(g->b, v, block_at(g, p, LLVMConstInt(g->i64, offset, 0)));
}

bool block_is_within(LLVMValueRef function, LLVMValueRef pointer, unsigned parameters)
{
    for (unsigned i = 0; i < 4 && LLVMIsAGetElementPtrInst(pointer); i++)
        pointer = LLVMGetOperand(pointer, 0);
    for (unsigned i = PARAM_LAUNCH; i <= PARAM_RAW; i++)
        if (parameters >> i & 1 && pointer == LLVMGetParam(function, i))
            return true;
    return false;
}

static uint64_t head_bytes(const struct block_gen *g)
{
    if (g->form >= BLOCK_PHASES)
        return RESUME_BLOCK_BYTES;
    return g->form == BLOCK_LOOPS && (g->yields || g->clusters) ? (g->plan->uniform_bytes + 63) & ~(uint64_t)63 : 0;
}

static uint64_t thread_bytes(const struct block_gen *g)
{
    return (g->form >= BLOCK_PHASES ? 4 : 0) + 8 * (uint64_t)g->plan->raw_slots;
}

// The frames of the gangs may have to begin at a multiple of more than the block's frame does.
static uint64_t frame_slack(const struct block_gen *g)
{
    return g->plan->gang_frame_align > JIT_FRAME_ALIGN ? g->plan->gang_frame_align - JIT_FRAME_ALIGN : 0;
}

static LLVMValueRef align_frames(struct block_gen *g, LLVMValueRef p)
{
    if (!frame_slack(g))
        return p;
    LLVMValueRef at = LLVMBuildNeg(g->b, LLVMBuildPtrToInt(g->b, p, g->i64, ""), "");
    return block_at(g, p, LLVMBuildAnd(g->b, at, LLVMConstInt(g->i64, g->plan->gang_frame_align - 1, 0), ""));
}

enum block_form block_form_of(const struct region_plan *p)
{
    bool together = true, barriers = true, counted = false;
    if (p->stacks)
        return BLOCK_MACHINE;
    for (size_t r = 0; r < p->regions.len; r++) {
        const struct region *x = &p->regions.data[r];
        together &= x->next_block_uniform;
        barriers &= !r || x->wait == REGION_YIELD_BLOCK || (x->wait == REGION_BARRIER && x->op == RESUME_NONE);
        counted |= (x->op & RESUME_COUNTED) && (x->op & RESUME_OP_MASK) != RESUME_NONE;
    }
    if (p->regions.len == 1)
        return BLOCK_SINGLE;
    if (together && !counted)
        return BLOCK_LOOPS;
    if (plan_gangs_whole(p))
        return BLOCK_GANGS;
    return barriers ? BLOCK_PHASES : BLOCK_MACHINE;
}

struct block_gen block_begin(struct region_plan *plan, struct diag *d)
{
    struct block_gen g = {.plan = plan, .d = d, .module = plan->module, .width = plan->width};
    g.context = LLVMGetModuleContext(plan->module);
    g.form = block_form_of(plan);
    g.b = LLVMCreateBuilderInContext(g.context);
    IR_SET_TYPES(&g, g.context);
    g.vector = LLVMVectorType(g.i32, g.width);
    for (size_t r = 0; r < plan->regions.len; r++) {
        g.yields |= plan->regions.data[r].wait == REGION_YIELD;
        g.yields_block |= plan->regions.data[r].wait == REGION_YIELD_BLOCK;
        g.clusters |= plan->regions.data[r].wait == REGION_CLUSTER;
    }
    for (size_t i = 0; i < plan->stops.len; i++)
        g.yields |= plan->stops.data[i].wait == REGION_YIELD;
    return g;
}

void block_lay_out_frame(struct block_gen *g, struct jit_variant *v)
{
    const struct region_plan *p = g->plan;
    uint64_t threads = plan_threads(p), padded = (threads + 31) / 32 * 32;
    uint64_t gangs = g->form == BLOCK_SINGLE ? 0 : p->gang_frame_bytes / g->width;
    uint64_t fixed = head_bytes(g) + frame_slack(g) + (g->form == BLOCK_SINGLE ? p->gang_frame_bytes : 0);
    v->frame_bytes = thread_bytes(g) + gangs;
    v->frame_fixed = fixed;
    if (threads) {
        v->frame_bytes = v->frame_bytes * padded + fixed;
        v->frame_fixed = 0;
    }
}

static void load_shape(struct block_gen *g)
{
    if (plan_threads(g->plan)) {
        g->threads = block_const(g, plan_threads(g->plan));
    } else {
        size_t at = offsetof(struct jit_launch, block);
        g->threads = LLVMBuildMul(g->b, block_field(g, g->i32, g->launch, at),
                                  LLVMBuildMul(g->b, block_field(g, g->i32, g->launch, at + 4),
                                               block_field(g, g->i32, g->launch, at + 8), ""),
                                  "threads");
    }
    g->padded =
        LLVMBuildAnd(g->b, LLVMBuildAdd(g->b, g->threads, block_const(g, 31), ""), block_const(g, ~31u), "padded");
    LLVMValueRef width = block_const(g, g->width),
                 up = LLVMBuildAdd(g->b, g->threads, block_const(g, g->width - 1), "");
    g->gangs_full = LLVMBuildUDiv(g->b, g->threads, width, "");
    g->gangs = LLVMBuildUDiv(g->b, up, width, "gangs");
}

LLVMValueRef block_function(struct block_gen *g, const char *name, LLVMTypeRef ret, LLVMTypeRef *more, unsigned nmore)
{
    LLVMTypeRef params[8] = {g->ptr, g->ptr};
    for (unsigned i = 0; i < nmore; i++)
        params[2 + i] = more[i];
    LLVMTypeRef type = LLVMFunctionType(ret, params, 2 + nmore, 0);
    g->function = LLVMGetNamedFunction(g->module, name);
    if (!g->function)
        g->function = LLVMAddFunction(g->module, name, type);
    // Readable from end to end, so that what gangs read which go on from the middle of a loop may be read ahead of their branches.
    static const uint64_t bytes[2] = {sizeof(struct jit_launch), sizeof(struct jit_block)};
    static const uint64_t align[2] = {_Alignof(struct jit_launch), _Alignof(struct jit_block)};
    bool interleaved = false;
    for (size_t r = 0; r < g->plan->regions.len; r++)
        interleaved |= g->plan->regions.data[r].interleaved;
    for (unsigned i = 0; i < 2; i++) {
        ir_add_parameter_attribute(g->function, i, "noalias", 0);
        if (interleaved) {
            ir_add_parameter_attribute(g->function, i, "align", align[i]);
            ir_add_parameter_attribute(g->function, i, "dereferenceable", bytes[i]);
        }
    }
    ir_add_attribute(g->function, "nounwind");
    g->launch = LLVMGetParam(g->function, 0);
    g->block = LLVMGetParam(g->function, 1);
    LLVMPositionBuilderAtEnd(g->b, block_new(g, "entry"));
    load_shape(g);
    g->frame = block_field(g, g->ptr, g->block, offsetof(struct jit_block, frame));
    LLVMValueRef padded = LLVMBuildZExt(g->b, g->padded, g->i64, "");
    LLVMValueRef states = LLVMBuildMul(g->b, padded, LLVMConstInt(g->i64, g->form >= BLOCK_PHASES ? 4 : 0, 0), "");
    LLVMValueRef all = LLVMBuildMul(g->b, padded, LLVMConstInt(g->i64, thread_bytes(g), 0), "");
    LLVMValueRef head = LLVMConstInt(g->i64, head_bytes(g), 0);
    g->raw = block_at(g, g->frame, LLVMBuildAdd(g->b, head, states, ""));
    g->gang_frames = align_frames(g, block_at(g, g->frame, LLVMBuildAdd(g->b, head, all, "")));
    g->now = g->next = LLVMConstNull(g->ptr);
    g->next_masked = NULL;
    return g->function;
}

LLVMValueRef block_mask_below(struct block_gen *g, LLVMValueRef lanes)
{
    LLVMValueRef lane[32], index = block_const(g, 0);
    for (unsigned l = 0; l < g->width; l++)
        lane[l] = block_const(g, l);
    LLVMValueRef one = LLVMBuildInsertElement(g->b, LLVMGetPoison(g->vector), lanes, index, "");
    LLVMValueRef all = LLVMBuildShuffleVector(g->b, one, LLVMGetPoison(g->vector), LLVMConstNull(g->vector), "");
    LLVMValueRef in = LLVMBuildICmp(g->b, LLVMIntULT, LLVMConstVector(lane, g->width), all, "");
    return LLVMBuildSExt(g->b, in, g->vector, "mask");
}

// Tells messages about faults which threads run: a store for each gang, where somebody looks for faults.
static void tell_gang(struct block_gen *g, LLVMValueRef first)
{
    size_t at = offsetof(struct jit_block, first_thread);
    if (g->plan->lines || g->width == 1)
        LLVMSetVolatile(LLVMBuildStore(g->b, first, block_at(g, g->block, LLVMConstInt(g->i64, at, 0))), 1);
}

LLVMValueRef block_gang_at(struct block_gen *g, LLVMValueRef position, LLVMValueRef gangs)
{
    if (!g->plan->descending)
        return position;
    return LLVMBuildSub(g->b, LLVMBuildSub(g->b, gangs, block_const(g, 1), ""), position, "");
}

LLVMValueRef block_call_region(struct block_gen *g, unsigned r, LLVMValueRef gang, LLVMValueRef mask)
{
    const struct region *region = &g->plan->regions.data[r];
    uint64_t size = g->form == BLOCK_SINGLE ? 0 : g->plan->gang_frame_bytes;
    LLVMValueRef offset = LLVMBuildMul(g->b, LLVMBuildZExt(g->b, gang, g->i64, ""), LLVMConstInt(g->i64, size, 0), "");
    LLVMValueRef first = LLVMBuildMul(g->b, gang, block_const(g, g->width), "first");
    LLVMSetNSW(first, 1);
    LLVMSetNUW(first, 1);
    tell_gang(g, first);
    if (!mask && !region->full)
        mask = LLVMConstAllOnes(g->vector);
    bool masked = mask && region->masked;
    LLVMValueRef a[PARAM_MASK + 2] = {[PARAM_LAUNCH] = g->launch,
                                      [PARAM_BLOCK] = g->block,
                                      [PARAM_FRAME] = block_at(g, g->gang_frames, offset),
                                      [PARAM_FIRST] = first,
                                      [PARAM_NOW] = g->now,
                                      [PARAM_NEXT] = masked && g->next_masked ? g->next_masked : g->next,
                                      [PARAM_RAW] = g->raw,
                                      [PARAM_MASK] = mask};
    LLVMValueRef f = masked ? region->masked : region->full;
    unsigned n = masked ? PARAM_MASK + 1 : PARAM_MASK;
    if (!masked && region->interleaved) {
        a[n++] = block_at(g, g->points, g->slot);
        a[n++] = block_at(g, g->kept, LLVMBuildMul(g->b, g->slot, LLVMConstInt(g->i64, region->kept_bytes, 0), ""));
    }
    return ir_call(g->b, f, a, n);
}

LLVMValueRef block_finish_gangs(struct block_gen *g, unsigned r, LLVMValueRef last, LLVMBasicBlockRef done)
{
    LLVMValueRef zero = block_const(g, 0);
    LLVMBasicBlockRef tail = LLVMGetInsertBlock(g->b);
    LLVMPositionBuilderAtEnd(g->b, done);
    LLVMValueRef result = LLVMBuildPhi(g->b, g->i32, "");
    LLVMAddIncoming(result, &last, &tail, 1);
    LLVMPositionBuilderAtEnd(g->b, tail);
    if (g->plan->regions.data[r].masked) {
        LLVMBasicBlockRef part = block_new(g, "part");
        LLVMValueRef lanes = LLVMBuildURem(g->b, g->threads, block_const(g, g->width), "");
        ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntNE, lanes, zero, ""), part, done, part);
        LLVMValueRef y = block_call_region(g, r, g->gangs_full, block_mask_below(g, lanes));
        y = g->plan->regions.len > 1 ? y : zero;
        part = LLVMGetInsertBlock(g->b);
        LLVMAddIncoming(result, &y, &part, 1);
    }
    ir_enter(g->b, done);
    return result;
}
