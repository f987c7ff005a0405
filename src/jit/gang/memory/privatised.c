// SPDX-License-Identifier: Apache-2.0
// Additions that go to the worker's table in place of memory: see opt/privatise.c, which marks them.
#include "jit/gang/memory/access.h"
#include "jit/ir/dialect.h"
#include "jit/ir/ir.h"
#include <llvm-c/Core.h>
#include <stddef.h>

enum jit_sum gang_sum_of(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind:
        return JIT_SUM_F32;
    case LLVMDoubleTypeKind:
        return JIT_SUM_F64;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t) == 32   ? JIT_SUM_I32
               : LLVMGetIntTypeWidth(t) == 64 ? JIT_SUM_I64
                                              : (enum jit_sum)0;
    default:
        return (enum jit_sum)0;
    }
}

// A block that waits for others may be put aside for long.
bool gang_may_wait(const struct region_plan *p)
{
    for (size_t r = 0; r < p->regions.len; r++)
        if (p->regions.data[r].wait == REGION_YIELD || p->regions.data[r].wait == REGION_CLUSTER)
            return true;
    return false;
}

static bool is_float(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) != LLVMIntegerTypeKind;
}

static LLVMValueRef add(struct gang *g, LLVMTypeRef t, LLVMValueRef a, LLVMValueRef b)
{
    return is_float(t) ? LLVMBuildFAdd(g->b, a, b, "") : LLVMBuildAdd(g->b, a, b, "");
}

// Lanes side by side in memory.
static bool is_run(struct gang *g, const struct shape *s, unsigned size)
{
    if (s->kind != SHAPE_AFFINE || s->split || s->wrap.kind != WRAP_NONE)
        return false;
    for (unsigned l = 0; l < g->width; l++)
        if (s->offset[l] - s->offset[0] != (int64_t)l * size)
            return false;
    return true;
}

static LLVMValueRef sum_of_lanes(struct gang *g, LLVMTypeRef t, LLVMValueRef x)
{
    for (unsigned n = g->width / 2; n; n /= 2)
        x = add(g, t, gang_slice(g, x, 0, n), gang_slice(g, x, n, n));
    return gang_lane(g, x, 0);
}

// The cell of this gang at this place of the code. Places share cells when there are many; then one drives out the other.
static LLVMValueRef cell_of(struct gang *g)
{
    struct vectoriser *v = g->v;
    LLVMValueRef table = gang_block_field(g, v->ptr, offsetof(struct jit_block, table), "block.table");
    LLVMValueRef gang = LLVMBuildUDiv(g->b, g->first_thread, gang_i32(g, g->width), "");
    LLVMValueRef n = LLVMBuildAdd(g->b, gang, gang_i32(g, v->collected++ * 17), "");
    n = LLVMBuildZExt(g->b, LLVMBuildAnd(g->b, n, gang_i32(g, JIT_CELLS - 1), ""), v->i64, "");
    n = LLVMBuildMul(g->b, n, gang_i64(g, sizeof(struct jit_cell)), "");
    return gang_step(g, gang_gep(g, table, n), offsetof(struct jit_table, cell));
}

// Makes the cell one of sums at this address.
static void claim(struct gang *g, LLVMValueRef cell, LLVMValueRef address, enum jit_sum sum)
{
    struct vectoriser *v = g->v;
    LLVMBasicBlockRef other = gang_block(g, "other"), mine = gang_block(g, "mine");
    LLVMValueRef held = LLVMBuildLoad2(g->b, v->i64, cell, ""); // the first member
    gang_branch_likely(g, LLVMBuildICmp(g->b, LLVMIntEQ, held, address, ""), mine, other, other);
    LLVMTypeRef params[5] = {v->ptr, v->i32, v->ptr, v->i64, v->i32};
    LLVMValueRef args[5] = {g->block, g->first_thread, cell, address, gang_i32(g, sum)};
    LLVMBuildCall2(g->b, LLVMFunctionType(v->void_type, params, 5, 0), gang_hook(g, JIT_HOOK_collect), args, 5, "");
    ir_enter(g->b, mine);
}

bool gang_emit_collected(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    struct vectoriser *v = g->v;
    LLVMValueRef pointer = LLVMGetOperand(inst, 0);
    LLVMTypeRef t = LLVMTypeOf(inst);
    enum jit_sum sum = gang_sum_of(t);
    struct shape s = gang_shape(g, pointer);
    unsigned size = sum == JIT_SUM_I64 || sum == JIT_SUM_F64 ? 8 : 4;
    bool one = shape_is_uniform(g->lanes, &s);
    if (!LLVMGetMetadata(inst, v->collect_kind) || !sum || gang_may_wait(v->plan) ||
        (!one && (!is_run(g, &s, size) || g->width * size > JIT_CELL_BYTES)))
        return false;
    v->plan->collects = true;
    LLVMValueRef zero = gang_splat(g, is_float(t) ? LLVMConstReal(t, -0.0) : LLVMConstNull(t), g->width);
    LLVMValueRef x = gang_blend(g, mask, gang_vector(g, LLVMGetOperand(inst, 1)), zero);
    LLVMValueRef lanes = one ? gang_i32(g, 1) : gang_ballot(g, mask ? mask : gang_mask_all_ones(g));
    LLVMValueRef at = one ? gang_scalar(g, pointer) : gang_lane_pointer(g, pointer, 0), cell = cell_of(g);
    x = one ? sum_of_lanes(g, t, x) : x;
    claim(g, cell, LLVMBuildPtrToInt(g->b, at, v->i64, ""), sum);
    LLVMValueRef mark = gang_step(g, cell, offsetof(struct jit_cell, lanes));
    LLVMValueRef marked = LLVMBuildOr(g->b, LLVMBuildLoad2(g->b, v->i32, mark, ""), lanes, "");
    LLVMBuildStore(g->b, marked, mark);
    LLVMValueRef value = gang_step(g, cell, offsetof(struct jit_cell, value));
    LLVMValueRef old = ir_load(g->b, LLVMTypeOf(x), value, 64);
    ir_store(g->b, add(g, t, old, x), value, 64);
    return true;
}

// Makes the window one of sums from this address on, if it may be; what it then stands for.
static LLVMValueRef claim_window(struct gang *g, LLVMValueRef window, LLVMValueRef address, enum jit_sum sum,
                                 LLVMValueRef params)
{
    struct vectoriser *v = g->v;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), other = gang_block(g, "other"),
                      claimed = gang_block(g, "claimed");
    LLVMValueRef held[2] = {LLVMBuildLoad2(g->b, v->i64, window, "")}; // the first member
    gang_branch_likely(g, LLVMBuildICmp(g->b, LLVMIntEQ, held[0], address, ""), claimed, other, other);
    LLVMTypeRef types[6] = {v->ptr, v->i32, v->ptr, v->i64, v->i32, v->i64};
    LLVMValueRef args[6] = {g->block, g->first_thread, window, address, gang_i32(g, sum), params};
    LLVMBuildCall2(g->b, LLVMFunctionType(v->void_type, types, 6, 0), gang_hook(g, JIT_HOOK_window), args, 6, "");
    held[1] = LLVMBuildLoad2(g->b, v->i64, window, "");
    ir_enter(g->b, claimed);
    LLVMValueRef r = LLVMBuildPhi(g->b, v->i64, "");
    LLVMAddIncoming(r, held, (LLVMBasicBlockRef[]){before, other}, 2);
    return r;
}

// One after the other, since lanes may meet; offsets leave the vector two at a time, as in shared memory (gang/memory/atomic.c).
static void add_each(struct gang *g, LLVMTypeRef t, LLVMValueRef value, LLVMValueRef sums, LLVMValueRef offsets)
{
    LLVMValueRef x = gang_is_uniform(g, value) ? gang_scalar(g, value) : NULL, all = x ? NULL : gang_vector(g, value);
    LLVMValueRef low = LLVMConstInt(g->v->i64, UINT32_MAX, 0);
    offsets = LLVMBuildBitCast(g->b, offsets, LLVMVectorType(g->v->i64, g->width / 2), "");
    for (unsigned l = 0; l < g->width; l++) {
        LLVMValueRef two = gang_lane(g, offsets, l / 2);
        two = l % 2 ? LLVMBuildLShr(g->b, two, gang_i64(g, 32), "") : LLVMBuildAnd(g->b, two, low, "");
        LLVMValueRef at = gang_gep(g, sums, two), old = LLVMBuildLoad2(g->b, t, at, "");
        LLVMBuildStore(g->b, add(g, t, old, x ? x : gang_lane(g, all, l)), at);
    }
}

LLVMBasicBlockRef gang_emit_windowed(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    struct vectoriser *v = g->v;
    LLVMValueRef mark = LLVMGetMetadata(inst, v->window_kind), pointer = LLVMGetOperand(inst, 0), what[2];
    LLVMTypeRef t = LLVMTypeOf(inst);
    enum jit_sum sum = gang_sum_of(t);
    LLVMValueRef base, offsets, inside;
    if (!mark || !sum || gang_may_wait(v->plan) || gang_shape(g, pointer).kind != SHAPE_VARYING ||
        !offsets_within(g, pointer, op_is_fixed, JIT_WINDOW_BYTES, &base, &offsets, &inside))
        return NULL;
    v->plan->collects = true;
    LLVMGetMDNodeOperands(mark, what);
    LLVMBasicBlockRef near = gang_block(g, "near"), add_up = gang_block(g, "window"), far = gang_block(g, "far"),
                      done = gang_block(g, "later");
    LLVMValueRef outside = gang_mask_of(g, LLVMBuildFreeze(g->b, LLVMBuildNot(g->b, inside, ""), ""));
    ir_branch(g->b, gang_any(g, gang_mask_and(g, mask, outside)), far, near, near);
    LLVMValueRef table = gang_block_field(g, v->ptr, offsetof(struct jit_block, table), "block.table");
    int64_t number = (int64_t)LLVMConstIntGetZExtValue(what[0]);
    LLVMValueRef window =
        gang_step(g, table, (int64_t)offsetof(struct jit_table, window) + number * (int64_t)sizeof(struct jit_window));
    LLVMValueRef address = LLVMBuildPtrToInt(g->b, base, v->i64, "");
    LLVMValueRef held = claim_window(g, window, address, sum, what[1]);
    gang_branch_likely(g, LLVMBuildICmp(g->b, LLVMIntEQ, held, address, ""), add_up, far, add_up);
    LLVMValueRef spare[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        spare[l] = gang_i32(g, JIT_WINDOW_BYTES + 8 * l);
    offsets = gang_blend(g, mask, offsets, LLVMConstVector(spare, g->width));
    LLVMValueRef sums = LLVMBuildLoad2(g->b, v->ptr, gang_step(g, window, offsetof(struct jit_window, value)), "");
    add_each(g, t, LLVMGetOperand(inst, 1), sums, offsets);
    ir_jump(g->b, done, far);
    return done;
}
