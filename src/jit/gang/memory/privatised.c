// SPDX-License-Identifier: Apache-2.0
// Additions that go to the worker's table in place of memory: see opt/privatise.c, which marks them.
#include "jit/gang/memory/access.h"

enum jit_sum gang_sum_of(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
    return kind == LLVMFloatTypeKind    ? JIT_SUM_F32
           : kind == LLVMDoubleTypeKind ? JIT_SUM_F64
           : bits == 32                 ? JIT_SUM_I32
           : bits == 64                 ? JIT_SUM_I64
                                        : (enum jit_sum)0;
}

unsigned gang_sum_bytes(enum jit_sum sum)
{
    return sum == JIT_SUM_I64 || sum == JIT_SUM_F64 ? 8 : 4;
}

// A block that waits for others may be put aside for long.
bool gang_may_wait(const struct region_plan *p)
{
    for (size_t r = 0; r < p->regions.len; r++)
        if (p->regions.data[r].wait == REGION_YIELD || p->regions.data[r].wait == REGION_CLUSTER)
            return true;
    for (size_t i = 0; i < p->stops.len; i++)
        if (p->stops.data[i].wait == REGION_YIELD || p->stops.data[i].wait == REGION_CLUSTER)
            return true;
    return false;
}

// The cell of this gang for this instruction. Instructions share cells when there are many; then one drives out the other.
static LLVMValueRef cell_of(struct gang *g)
{
    struct vectoriser *v = g->v;
    LLVMValueRef table = gang_block_field(g, v->ptr, offsetof(struct jit_block, table), "block.table");
    LLVMValueRef gang = LLVMBuildUDiv(g->b, g->first_thread, gang_i32(g, g->width), "");
    LLVMValueRef n = LLVMBuildAdd(g->b, gang, gang_i32(g, v->private_sums++ * 17), "");
    n = LLVMBuildZExt(g->b, LLVMBuildAnd(g->b, n, gang_i32(g, JIT_CELLS - 1), ""), v->i64, "");
    n = LLVMBuildMul(g->b, n, gang_i64(g, sizeof(struct jit_cell)), "");
    return gang_step(g, gang_gep(g, table, n), offsetof(struct jit_table, cell));
}

// Makes a cell or window, whose first member is an address, one of sums from this address on, if it may be: asks the engine where
// it stands for another. What it then stands for.
static LLVMValueRef claim(struct gang *g, int hook, LLVMValueRef at, LLVMValueRef address, enum jit_sum sum,
                          LLVMValueRef params)
{
    struct vectoriser *v = g->v;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), other = gang_block(g, "other"), mine = gang_block(g, "mine");
    LLVMValueRef held = LLVMBuildLoad2(g->b, v->i64, at, "");
    gang_branch_likely(g, LLVMBuildICmp(g->b, LLVMIntEQ, held, address, ""), mine, other, other);
    LLVMValueRef args[6] = {g->block, g->first_thread, at, address, gang_i32(g, sum), params};
    gang_call_hook(g, hook, v->void_type, args, params ? 6 : 5);
    LLVMValueRef now = params ? LLVMBuildLoad2(g->b, v->i64, at, "") : NULL;
    ir_enter(g->b, mine);
    return params ? ir_phi(g->b, held, before, now, other) : NULL;
}

bool gang_emit_private(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    struct vectoriser *v = g->v;
    LLVMValueRef pointer = LLVMGetOperand(inst, 0);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    enum jit_sum sum = gang_sum_of(LLVMTypeOf(inst));
    struct shape s = gang_shape(g, pointer);
    unsigned size = gang_sum_bytes(sum);
    int64_t step;
    bool one = shape_is_uniform(g->lanes, &s), run = shape_step(g->lanes, &s, &step) && step == (int64_t)size;
    if (!ir_metadata(inst, PRIVATE_KIND) || !sum || gang_may_wait(v->plan) ||
        (!one && (!run || s.wrap.kind != WRAP_NONE || g->width * size > JIT_CELL_BYTES)))
        return false;
    v->plan->privatises = true;
    LLVMValueRef zero = gang_wide(g, reduce_neutral(op, LLVMTypeOf(inst)));
    LLVMValueRef x = gang_blend(g, mask, gang_vector(g, LLVMGetOperand(inst, 1)), zero);
    LLVMValueRef lanes = one ? gang_i32(g, 1) : gang_ballot(g, mask ? mask : gang_mask_all_ones(g));
    LLVMValueRef at = one ? gang_scalar(g, pointer) : gang_lane_pointer(g, pointer, 0), cell = cell_of(g);
    x = one ? gang_lane(g, gang_reduce(g, op, x, 1), 0) : x;
    claim(g, JIT_HOOK_collect, cell, LLVMBuildPtrToInt(g->b, at, v->i64, ""), sum, NULL);
    LLVMValueRef mark = gang_step(g, cell, offsetof(struct jit_cell, lanes));
    LLVMValueRef marked = LLVMBuildOr(g->b, LLVMBuildLoad2(g->b, v->i32, mark, ""), lanes, "");
    LLVMBuildStore(g->b, marked, mark);
    LLVMValueRef value = gang_step(g, cell, offsetof(struct jit_cell, value));
    LLVMValueRef old = ir_load(g->b, LLVMTypeOf(x), value, 64);
    ir_store(g->b, reduce_combine(g->b, op, old, x), value, 64);
    return true;
}

LLVMBasicBlockRef gang_emit_windowed(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    struct vectoriser *v = g->v;
    LLVMValueRef mark = ir_metadata(inst, WINDOW_KIND), pointer = LLVMGetOperand(inst, 0), what[2];
    enum jit_sum sum = gang_sum_of(LLVMTypeOf(inst));
    LLVMValueRef base, offsets, inside;
    if (!mark || !sum || gang_may_wait(v->plan) || gang_shape(g, pointer).kind != SHAPE_VARYING ||
        !offsets_within(g, pointer, op_is_fixed, JIT_WINDOW_BYTES, &base, &offsets, &inside))
        return NULL;
    v->plan->privatises = true;
    LLVMGetMDNodeOperands(mark, what);
    LLVMBasicBlockRef near = gang_block(g, "near"), add_up = gang_block(g, "window"), far = gang_block(g, "far"),
                      done = gang_block(g, "later");
    LLVMValueRef outside = gang_mask_of(g, LLVMBuildFreeze(g->b, LLVMBuildNot(g->b, inside, ""), ""));
    ir_branch(g->b, gang_any(g, gang_and(g, mask, outside)), far, near, near);
    LLVMValueRef table = gang_block_field(g, v->ptr, offsetof(struct jit_block, table), "block.table");
    int64_t number = (int64_t)LLVMConstIntGetZExtValue(what[0]);
    LLVMValueRef window =
        gang_step(g, table, (int64_t)offsetof(struct jit_table, window) + number * (int64_t)sizeof(struct jit_window));
    LLVMValueRef address = LLVMBuildPtrToInt(g->b, base, v->i64, "");
    LLVMValueRef held = claim(g, JIT_HOOK_window, window, address, sum, what[1]);
    gang_branch_likely(g, LLVMBuildICmp(g->b, LLVMIntEQ, held, address, ""), add_up, far, add_up);
    LLVMValueRef spare[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        spare[l] = gang_i32(g, JIT_WINDOW_BYTES + 8 * l);
    offsets = gang_blend(g, mask, offsets, LLVMConstVector(spare, g->width));
    LLVMValueRef sums = LLVMBuildLoad2(g->b, v->ptr, gang_step(g, window, offsetof(struct jit_window, value)), "");
    gang_change_each(g, inst, sums, offsets);
    ir_jump(g->b, done, far);
    return done;
}
