// SPDX-License-Identifier: Apache-2.0
// Plain instructions: arithmetic, comparisons, casts, selects, address computation. An affine or uniform result is
// computed on its bases, one scalar instruction for each; a varying one on vectors. No flags (nsw, inbounds, fast-math)
// are carried over: they hold for active lanes only, and a base need not be any lane's value.
#include "jit/gang/memory/access.h"

enum { OPERANDS_MAX = 8 };

static LLVMOpcode effective_opcode(struct gang *g, LLVMValueRef inst)
{
    struct shape s = gang_shape(g, inst);
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    // Bases of disjoint lanes need not be disjoint themselves.
    if (op == LLVMOr && s.kind == SHAPE_AFFINE && !shape_is_flat(g->lanes, &s) &&
        shape_or_is_add(&g->v->scalar, g->f, inst))
        return LLVMAdd;
    return op;
}

static LLVMValueRef build_cast(struct gang *g, LLVMOpcode op, LLVMValueRef x, LLVMTypeRef to)
{
    if (LLVMTypeOf(x) == to && (op == LLVMAddrSpaceCast || op == LLVMBitCast))
        return x;
    return LLVMBuildCast(g->b, op, x, to, "");
}

// Builds the operation from operands that are all scalars or all vectors; `to` is the result type of casts. What constants give in
// floating point is left to LLVM's passes: they know whether the function runs with subnormals flushed, the builder does not.
static LLVMValueRef build(struct gang *g, LLVMValueRef inst, LLVMOpcode op, LLVMValueRef *x, unsigned n, LLVMTypeRef to)
{
    bool constant = n > 0;
    for (unsigned i = 0; i < n; i++)
        constant = constant && LLVMIsConstant(x[i]);
    if (constant)
        x[0] = ir_unfolded(g->b, x[0]);
    if (LLVMIsABinaryOperator(inst))
        return LLVMBuildBinOp(g->b, op, x[0], x[1], "");
    if (LLVMIsACastInst(inst))
        return build_cast(g, op, x[0], to);
    switch (op) {
    case LLVMICmp:
        return LLVMBuildICmp(g->b, LLVMGetICmpPredicate(inst), x[0], x[1], "");
    case LLVMFCmp:
        return LLVMBuildFCmp(g->b, LLVMGetFCmpPredicate(inst), x[0], x[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(g->b, x[0], x[1], x[2], "");
    case LLVMFNeg:
        return LLVMBuildFNeg(g->b, x[0], "");
    case LLVMFreeze:
        return LLVMBuildFreeze(g->b, x[0], "");
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(g->b, LLVMGetGEPSourceElementType(inst), x[0], x + 1, n - 1, "");
    case LLVMExtractValue:
        return LLVMBuildExtractValue(g->b, x[0], LLVMGetIndices(inst)[0], "");
    case LLVMInsertValue:
        return LLVMBuildInsertValue(g->b, x[0], x[1], LLVMGetIndices(inst)[0], "");
    default:
        gang_fail(g, inst, "an instruction that has no gang form");
        return LLVMGetPoison(to);
    }
}

// The bases of the wrap's source: those of whichever operand has it.
static void carry_source(struct gang *g, LLVMValueRef inst, const struct shape *s)
{
    struct gang_value *r = gang_slot(g, inst);
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    for (unsigned i = 0; i < shape_bases(g->lanes, s); i++) {
        if (op == LLVMSelect) {
            LLVMValueRef a = gang_source(g, LLVMGetOperand(inst, 1), i, s),
                         b = gang_source(g, LLVMGetOperand(inst, 2), i, s);
            r->source[i] = a == b ? a : LLVMBuildSelect(g->b, gang_scalar(g, LLVMGetOperand(inst, 0)), a, b, "");
            continue;
        }
        for (unsigned k = 0; k < n; k++) {
            LLVMValueRef x = LLVMGetOperand(inst, k);
            struct shape o = gang_shape(g, x);
            if (o.kind == SHAPE_AFFINE && o.wrap.kind != WRAP_NONE)
                r->source[i] = gang_source(g, x, i, s);
            else if (op == LLVMZExt || op == LLVMSExt)
                r->source[i] = gang_base(g, x, i, s);
        }
    }
}

static void emit_affine(struct gang *g, LLVMValueRef inst, const struct shape *s, LLVMValueRef mask)
{
    LLVMValueRef x[OPERANDS_MAX];
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    struct gang_value *r = gang_slot(g, inst);
    LLVMOpcode op = effective_opcode(g, inst);
    bool zero = s->align == SHAPE_ALIGN_ZERO && LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind;
    for (unsigned i = 0; i < shape_bases(g->lanes, s); i++) {
        if (zero) { // known, and what is computed from it too
            r->base[i] = LLVMConstNull(LLVMTypeOf(inst));
            continue;
        }
        for (unsigned k = 0; k < n; k++)
            x[k] = gang_base(g, LLVMGetOperand(inst, k), i, s);
        if (gang_is_division(op))
            x[1] = gang_safe_divisor(g, inst, i, x[1], mask);
        r->base[i] = build(g, inst, op, x, n, gang_type(g, LLVMTypeOf(inst)));
    }
    if (s->wrap.kind != WRAP_NONE)
        carry_source(g, inst, s);
}

// Division of integers of up to 32 bits by way of doubles, where LLVM would divide lane by lane. It is exact: a quotient
// that is not whole is 1/b away from the next whole number at least, which is more than the rounding error of a/b.
static LLVMValueRef emit_divide(struct gang *g, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b)
{
    bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    LLVMTypeRef t = LLVMTypeOf(a), d = gang_lanes(g, LLVMDoubleTypeInContext(g->v->context));
    LLVMValueRef x = is_signed ? LLVMBuildSIToFP(g->b, a, d, "") : LLVMBuildUIToFP(g->b, a, d, "");
    LLVMValueRef y = is_signed ? LLVMBuildSIToFP(g->b, b, d, "") : LLVMBuildUIToFP(g->b, b, d, "");
    LLVMValueRef q = LLVMBuildFDiv(g->b, x, y, "");
    q = is_signed ? LLVMBuildFPToSI(g->b, q, t, "") : LLVMBuildFPToUI(g->b, q, t, "");
    if (op == LLVMUDiv || op == LLVMSDiv)
        return q;
    return LLVMBuildSub(g->b, a, LLVMBuildMul(g->b, q, b, ""), "");
}

// Uniform operands of an address stay scalar: LLVM takes a mixture.
static LLVMValueRef emit_gep(struct gang *g, LLVMValueRef inst)
{
    LLVMValueRef x[OPERANDS_MAX];
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef o = LLVMGetOperand(inst, k);
        x[k] = gang_is_uniform(g, o) ? gang_scalar(g, o) : gang_vector(g, o);
    }
    return LLVMBuildGEP2(g->b, LLVMGetGEPSourceElementType(inst), x[0], x + 1, n - 1, "");
}

static void emit_varying(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    LLVMTypeRef t = LLVMTypeOf(inst);
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    LLVMValueRef x[OPERANDS_MAX], r;
    if (gang_is_condition(inst) || op == LLVMGetElementPtr) {
        gang_set_vector(g, inst, op == LLVMGetElementPtr ? emit_gep(g, inst) : gang_emit_condition(g, inst));
        return;
    }
    for (unsigned k = 0; k < n; k++)
        x[k] = op == LLVMFreeze || op == LLVMExtractValue || (op == LLVMInsertValue && !k)
                   ? gang_vector(g, LLVMGetOperand(inst, k))
                   : gang_vector_bits(g, LLVMGetOperand(inst, k));
    int64_t c;
    bool by_double = gang_is_division(op) && !g->v->arm && g->width > 1 && type_bits(t) <= 32 &&
                     !value_constant(LLVMGetOperand(inst, 1), &c);
    if (gang_is_division(op) && !by_double)
        x[1] = gang_safe_divisor(g, inst, 0, x[1], mask);
    LLVMTypeRef to = gang_lanes(g, gang_type(g, t));
    r = by_double ? emit_divide(g, op, x[0], x[1]) : build(g, inst, op, x, n, to);
    if (type_is_bool(t) && op != LLVMFreeze)
        r = gang_mask_of(g, r);
    gang_set_vector(g, inst, r);
}

static void emit_plain(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    struct shape s = gang_shape(g, inst);
    if (s.kind == SHAPE_VARYING)
        emit_varying(g, inst, mask);
    else
        emit_affine(g, inst, &s, mask);
}

void gang_emit_inst(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    if ((op == LLVMLoad || op == LLVMStore || op == LLVMAtomicRMW) && neighbours_done(g, inst))
        return;
    *gang_slot(g, inst) = (struct gang_value){0};
    if (op == LLVMLoad)
        gang_emit_load(g, inst, mask);
    else if (op == LLVMStore)
        gang_emit_store(g, inst, mask);
    else if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg)
        gang_emit_atomic(g, inst, mask);
    else if (op == LLVMAlloca)
        gang_emit_alloca(g, inst);
    else if (op == LLVMCall)
        gang_emit_call(g, inst, mask);
    else if (op == LLVMFence)
        LLVMInsertIntoBuilder(g->b, LLVMInstructionClone(inst));
    else if (LLVMGetNumOperands(inst) > OPERANDS_MAX)
        gang_fail(g, inst, "too many operands");
    else if (!gang_is_lazy(g, inst))
        emit_plain(g, inst, mask);
}
