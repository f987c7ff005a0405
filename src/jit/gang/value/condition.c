// SPDX-License-Identifier: Apache-2.0
// Conditions: comparisons of integers, logic on i1, selects. They are emitted where they stand or, of affine values, at each use.
#include "jit/gang/gang.h"

static LLVMValueRef emit_select(struct gang *g, LLVMValueRef inst)
{
    LLVMValueRef c = LLVMGetOperand(inst, 0), a = gang_vector(g, LLVMGetOperand(inst, 1)),
                 b = gang_vector(g, LLVMGetOperand(inst, 2));
    if (gang_is_uniform(g, c))
        return LLVMBuildSelect(g->b, gang_scalar(g, c), a, b, "");
    if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMStructTypeKind)
        return gang_blend(g, gang_vector(g, c), a, b);
    return LLVMBuildSelect(g->b, gang_vector_bits(g, c), a, b, "");
}

static bool is_mask_logic(LLVMOpcode op)
{
    return op == LLVMAnd || op == LLVMOr || op == LLVMXor;
}

static bool is_lazy(struct gang *g, LLVMValueRef x, unsigned depth)
{
    if (scalar_fn_index(g->f, x) < 0 || gang_shape(g, x).kind != SHAPE_VARYING)
        return true;
    if (depth > 3 || !LLVMIsAInstruction(x))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    unsigned n = (unsigned)LLVMGetNumOperands(x);
    if (op == LLVMICmp)
        return gang_shape(g, LLVMGetOperand(x, 0)).kind == SHAPE_AFFINE &&
               gang_shape(g, LLVMGetOperand(x, 1)).kind == SHAPE_AFFINE;
    if (!type_is_bool(LLVMTypeOf(x)) || (!is_mask_logic(op) && op != LLVMSelect))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (!is_lazy(g, LLVMGetOperand(x, i), depth + 1))
            return false;
    return true;
}

bool gang_is_lazy(struct gang *g, LLVMValueRef inst)
{
    return LLVMIsAInstruction(inst) && type_is_bool(LLVMTypeOf(inst)) && gang_shape(g, inst).kind == SHAPE_VARYING &&
           is_lazy(g, inst, 0);
}

// "Thread number equals constant": one lane of one gang, so a scalar test of the base and a mask that is known. NULL: not
// of that form.
static LLVMValueRef emit_equal(struct gang *g, LLVMValueRef inst)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(inst);
    struct shape s = gang_shape(g, LLVMGetOperand(inst, 0));
    int64_t c, low = (int64_t)((UINT64_C(1) << s.align) - 1);
    if ((p != LLVMIntEQ && p != LLVMIntNE) || s.kind != SHAPE_AFFINE || s.split || s.wrap.kind != WRAP_NONE ||
        !type_bits(LLVMTypeOf(LLVMGetOperand(inst, 0))) || s.align >= SHAPE_ALIGN_ZERO ||
        !shape_is_aligned(g->lanes, &s) || !value_constant(LLVMGetOperand(inst, 1), &c))
        return NULL;
    LLVMValueRef base = gang_base(g, LLVMGetOperand(inst, 0), 0, &s), lane[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        lane[l] = gang_int(g->v->i1, (s.offset[l] == (c & low)) == (p == LLVMIntEQ));
    LLVMValueRef some = LLVMConstVector(lane, g->width);
    LLVMValueRef none = gang_wide(g, gang_int(g->v->i1, p == LLVMIntNE));
    LLVMValueRef here = LLVMBuildICmp(g->b, LLVMIntEQ, base, gang_int(LLVMTypeOf(base), c & ~low), "");
    return LLVMBuildSelect(g->b, here, some, none, "");
}

bool gang_is_condition(LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    return op == LLVMICmp || op == LLVMSelect || (type_is_bool(LLVMTypeOf(inst)) && is_mask_logic(op));
}

LLVMValueRef gang_emit_condition(struct gang *g, LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    if (op == LLVMSelect)
        return emit_select(g, inst);
    LLVMValueRef x[2], r;
    for (unsigned k = 0; k < 2; k++)
        x[k] = op == LLVMICmp ? gang_vector_bits(g, LLVMGetOperand(inst, k)) : gang_vector(g, LLVMGetOperand(inst, k));
    if (op != LLVMICmp)
        return LLVMBuildBinOp(g->b, op, x[0], x[1], "");
    r = g->width > 1 ? emit_equal(g, inst) : NULL;
    return gang_mask_of(g, r ? r : LLVMBuildICmp(g->b, LLVMGetICmpPredicate(inst), x[0], x[1], ""));
}
