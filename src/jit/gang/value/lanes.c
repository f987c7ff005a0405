// SPDX-License-Identifier: Apache-2.0
// Code that runs once for each active lane, in lane order: calls to the engine, atomics, functions without a vector
// form. It is a loop, not W copies: the optimiser unrolls it where that pays. Vectors are read and written through
// memory.
#include "jit/gang/gang.h"

// With a mask the loop walks the set bits of a word. The word is not zero: code runs only when some lane is active.
void lane_loop_begin(struct gang *g, struct lane_loop *l, LLVMValueRef mask)
{
    *l = (struct lane_loop){0};
    if (g->width == 1)
        return;
    LLVMValueRef start = mask ? gang_ballot(g, mask) : gang_i64(g, 0);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    l->head = gang_block(g, "lane");
    l->done = gang_block(g, "lanes");
    ir_enter(g->b, l->head);
    l->phi = LLVMBuildPhi(g->b, LLVMTypeOf(start), "");
    LLVMAddIncoming(l->phi, &start, &from, 1);
    l->word = mask ? l->phi : NULL;
    l->lane = l->phi;
    if (mask)
        l->lane = LLVMBuildZExt(g->b, gang_lowest(g, l->phi), g->v->i64, "");
}

void lane_loop_end(struct gang *g, struct lane_loop *l)
{
    LLVMValueRef next, more;
    if (g->width == 1)
        return;
    if (l->word) {
        next = LLVMBuildAnd(g->b, l->word, LLVMBuildSub(g->b, l->word, gang_i32(g, 1), ""), "");
        more = LLVMBuildIsNotNull(g->b, next, "");
    } else {
        next = LLVMBuildAdd(g->b, l->lane, gang_i64(g, 1), "");
        more = LLVMBuildICmp(g->b, LLVMIntULT, next, gang_i64(g, g->width), "");
    }
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(l->phi, &next, &from, 1);
    ir_branch(g->b, more, l->head, l->done, l->done);
    if (l->rare)
        loop_keep(g->v->context, LLVMGetBasicBlockTerminator(from));
}

LLVMValueRef lane_spill(struct gang *g, LLVMValueRef vector)
{
    LLVMValueRef m = gang_alloca(g, LLVMTypeOf(vector), 16);
    ir_store(g->b, vector, m, 16);
    return m;
}

LLVMValueRef lane_reload(struct gang *g, LLVMTypeRef t, LLVMValueRef memory)
{
    return ir_load(g->b, t, memory, 16); // as it was spilled: the type's own may be more
}

static LLVMValueRef element(struct gang *g, struct lane_loop *l, LLVMTypeRef t, LLVMValueRef memory)
{
    return LLVMBuildGEP2(g->b, t, memory, &l->lane, 1, "");
}

LLVMValueRef lane_read(struct gang *g, struct lane_loop *l, LLVMTypeRef t, LLVMValueRef memory)
{
    return LLVMBuildLoad2(g->b, t, element(g, l, t, memory), "");
}

void lane_write(struct gang *g, struct lane_loop *l, LLVMTypeRef t, LLVMValueRef memory, LLVMValueRef x)
{
    LLVMBuildStore(g->b, x, element(g, l, t, memory));
}

struct lane_operand lane_operand(struct gang *g, LLVMValueRef value)
{
    struct lane_operand o = {.type = gang_type(g, LLVMTypeOf(value)), .is_bool = type_is_bool(LLVMTypeOf(value))};
    if (gang_is_uniform(g, value)) {
        o.value = gang_scalar(g, value);
        return o;
    }
    if (o.is_bool)
        o.type = g->v->i32;
    o.memory = lane_spill(g, gang_vector(g, value));
    return o;
}

struct lane_operand lane_result(struct gang *g, LLVMTypeRef t, LLVMValueRef start)
{
    struct lane_operand o = {.type = type_is_bool(t) ? g->v->i32 : gang_type(g, t), .is_bool = type_is_bool(t)};
    if (g->width > 1 && LLVMGetTypeKind(t) != LLVMVoidTypeKind)
        o.memory = lane_spill(g, start ? start : LLVMConstNull(gang_lanes(g, o.type)));
    return o;
}

LLVMValueRef lane_operand_read(struct gang *g, struct lane_loop *l, const struct lane_operand *o)
{
    if (o->value)
        return o->value;
    LLVMValueRef x = lane_read(g, l, o->type, o->memory);
    return o->is_bool ? LLVMBuildIsNotNull(g->b, x, "") : x;
}

void lane_operand_write(struct gang *g, struct lane_loop *l, struct lane_operand *o, LLVMValueRef x)
{
    if (o->memory)
        lane_write(g, l, o->type, o->memory, o->is_bool ? LLVMBuildSExt(g->b, x, o->type, "") : x);
    else
        o->value = x;
}

LLVMValueRef lane_operand_vector(struct gang *g, const struct lane_operand *o)
{
    return o->memory ? lane_reload(g, gang_lanes(g, o->type), o->memory) : o->value;
}
