// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic: "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic Instructions" of the
// PTX manual. add, sub, mul, mad, div, min, max, neg and abs of floating types go on to float.c.
#include "jit/translate/emit.h"

static bool is_pair(enum ptx_type ty)
{
    return ty == PTX_TYPE_U16X2 || ty == PTX_TYPE_S16X2;
}

static value carry_slot(struct translator *t)
{
    if (!t->carry)
        t->carry = tr_alloca_at_entry(t, t->i1, "carry");
    return t->carry;
}

static value carry_in(struct translator *t, LLVMTypeRef type)
{
    return LLVMBuildZExt(t->b, LLVMBuildLoad2(t->b, t->i1, carry_slot(t), ""), type, "");
}

// a + b or a - b, with the carry or borrow of the instruction before, and its own for the next.
static value carry(struct translator *t, const struct ptx_insn *in, LLVMOpcode op, value a, value b, bool with_carry)
{
    bool add = op == LLVMAdd;
    value d = LLVMBuildBinOp(t->b, op, a, b, ""), out = LLVMBuildICmp(t->b, LLVMIntULT, add ? d : a, add ? a : b, "");
    if (with_carry) {
        value c = carry_in(t, LLVMTypeOf(a)), all = LLVMBuildBinOp(t->b, op, d, c, "");
        out = LLVMBuildOr(t->b, out, LLVMBuildICmp(t->b, LLVMIntULT, add ? all : d, add ? d : c, ""), "");
        d = all;
    }
    if (MOD_OF(in, CC))
        LLVMBuildStore(t->b, out, carry_slot(t));
    return d;
}

typedef value binary_fn(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value a, value b);

// Applies an operation of 16-bit integers to both halves of packed operands.
static value on_pair(struct translator *t, const struct ptx_insn *in, binary_fn *fn, value a, value b)
{
    enum ptx_type ty = in->types[0] == PTX_TYPE_S16X2 ? PTX_TYPE_S16 : PTX_TYPE_U16;
    value low = fn(t, in, ty, tr_part(t, a, 0, t->i16), tr_part(t, b, 0, t->i16));
    return tr_pair(t, low, fn(t, in, ty, tr_part(t, a, 16, t->i16), tr_part(t, b, 16, t->i16)));
}

static bool emit_binary(struct translator *t, const struct ptx_insn *in, binary_fn *fn)
{
    enum ptx_type ty = in->types[0];
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], ty);
    return tr_put(t, &in->operands[0], is_pair(ty) ? on_pair(t, in, fn, a, b) : fn(t, in, ty, a, b), ty);
}

static value add_or_sub(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value a, value b)
{
    bool add = in->op == PTX_OP_ADD || in->op == PTX_OP_ADDC, more = in->op == PTX_OP_ADDC || in->op == PTX_OP_SUBC;
    if (MOD_OF(in, SAT))
        return tr_call_intrinsic2(t, add ? "llvm.sadd.sat" : "llvm.ssub.sat", tr_type_of(t, ty), a, b);
    if (MOD_OF(in, CC) || more)
        return carry(t, in, add ? LLVMAdd : LLVMSub, a, b, more);
    return LLVMBuildBinOp(t->b, add ? LLVMAdd : LLVMSub, a, b, "");
}

// add, addc, sub, subc
bool tr_emit_add(struct translator *t, const struct ptx_insn *in)
{
    return tr_type_is_float(in->types[0]) ? tr_emit_float_binary(t, in) : emit_binary(t, in, add_or_sub);
}

static value widen(struct translator *t, value v, LLVMTypeRef to, bool is_signed)
{
    return is_signed ? LLVMBuildSExt(t->b, v, to, "") : LLVMBuildZExt(t->b, v, to, "");
}

// The asked part of a product: as many bits as the operands for .lo and .hi, twice as many for .wide.
static value product(struct translator *t, unsigned part, enum ptx_type ty, value a, value b)
{
    if (part != PTX_MOD_HI && part != PTX_MOD_WIDE)
        return LLVMBuildMul(t->b, a, b, "");
    unsigned bits = tr_type_bits(ty);
    LLVMTypeRef twice = tr_type_int(t, bits * 2);
    bool s = tr_type_is_signed(ty);
    value p = LLVMBuildMul(t->b, widen(t, a, twice, s), widen(t, b, twice, s), "");
    return part == PTX_MOD_WIDE ? p : tr_part(t, p, bits, tr_type_of(t, ty));
}

bool tr_emit_mul(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    if (tr_type_is_float(ty))
        return tr_emit_float_binary(t, in);
    unsigned part = MOD_OF(in, MUL);
    value p = product(t, part, ty, tr_get(t, &in->operands[1], ty), tr_get(t, &in->operands[2], ty));
    return tr_put(t, &in->operands[0], p, part == PTX_MOD_WIDE ? ptx_type_doubled(ty) : ty);
}

// mad, madc
bool tr_emit_mad(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    if (tr_type_is_float(ty))
        return tr_emit_float_mad(t, in);
    unsigned part = MOD_OF(in, MUL);
    enum ptx_type result = part == PTX_MOD_WIDE ? ptx_type_doubled(ty) : ty;
    value p = product(t, part, ty, tr_get(t, &in->operands[1], ty), tr_get(t, &in->operands[2], ty));
    value c = tr_get(t, &in->operands[3], result);
    value d;
    if (MOD_OF(in, SAT))
        d = tr_call_intrinsic2(t, "llvm.sadd.sat", t->i32, p, c);
    else if (MOD_OF(in, CC) || in->op == PTX_OP_MADC)
        d = carry(t, in, LLVMAdd, p, c, in->op == PTX_OP_MADC);
    else
        d = LLVMBuildAdd(t->b, p, c, "");
    return tr_put(t, &in->operands[0], d, result);
}

// mul24, mad24: the 48-bit product of the low 24 bits; .lo gives bits 31..0, .hi bits 47..16.
bool tr_emit_mul24(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    value v[2], eight = tr_const_i32(t, 8);
    for (int i = 0; i < 2; i++) {
        value x = LLVMBuildShl(t->b, tr_get(t, &in->operands[1 + i], ty), eight, "");
        x = tr_type_is_signed(ty) ? LLVMBuildAShr(t->b, x, eight, "") : LLVMBuildLShr(t->b, x, eight, "");
        v[i] = widen(t, x, t->i64, tr_type_is_signed(ty));
    }
    value p = LLVMBuildMul(t->b, v[0], v[1], "");
    if (MOD_OF(in, MUL) == PTX_MOD_HI)
        p = LLVMBuildLShr(t->b, p, tr_const_i64(t, 16), "");
    p = LLVMBuildTrunc(t->b, p, t->i32, "");
    if (in->op == PTX_OP_MAD24) {
        value c = tr_get(t, &in->operands[3], ty);
        p = MOD_OF(in, SAT) ? tr_call_intrinsic2(t, "llvm.sadd.sat", t->i32, p, c) : LLVMBuildAdd(t->b, p, c, "");
    }
    return tr_put(t, &in->operands[0], p, ty);
}

value tr_value_sad(struct translator *t, const struct ptx_insn *in, value *a)
{
    value less = LLVMBuildICmp(t->b, tr_type_is_signed(in->types[0]) ? LLVMIntSLT : LLVMIntULT, a[0], a[1], "");
    value d = LLVMBuildSub(t->b, a[1], a[0], "");
    d = LLVMBuildSelect(t->b, less, d, LLVMBuildSub(t->b, a[0], a[1], ""), "");
    return LLVMBuildAdd(t->b, a[2], d, "");
}

// Division by zero is no fault: quotient and remainder are all ones, as hardware gives them. The divisor of the LLVM
// operation is never 0 nor -1, so that no processor traps.
static value divide(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value a, value b)
{
    bool rem = in->op == PTX_OP_REM, s = tr_type_is_signed(ty);
    LLVMTypeRef type = tr_type_of(t, ty);
    value one = tr_const_int(type, 1), zero = tr_const_int(type, 0), ones = LLVMConstAllOnes(type);
    value is_zero = LLVMBuildICmp(t->b, LLVMIntEQ, b, zero, ""), minus = NULL;
    value safe = LLVMBuildSelect(t->b, is_zero, one, b, "");
    if (s) {
        minus = LLVMBuildICmp(t->b, LLVMIntEQ, b, ones, "");
        safe = LLVMBuildSelect(t->b, minus, one, safe, "");
    }
    value d = LLVMBuildBinOp(t->b, rem ? (s ? LLVMSRem : LLVMURem) : s ? LLVMSDiv : LLVMUDiv, a, safe, "");
    if (s && !rem)
        d = LLVMBuildSelect(t->b, minus, LLVMBuildNeg(t->b, a, ""), d, "");
    return LLVMBuildSelect(t->b, is_zero, ones, d, "");
}

// div, rem
bool tr_emit_div(struct translator *t, const struct ptx_insn *in)
{
    return tr_type_is_float(in->types[0]) ? tr_emit_float_binary(t, in) : emit_binary(t, in, divide);
}

static value do_minmax(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value a, value b)
{
    bool max = in->op == PTX_OP_MAX, s = tr_type_is_signed(ty);
    LLVMTypeRef type = tr_type_of(t, ty);
    value d =
        tr_call_intrinsic2(t, max ? (s ? "llvm.smax" : "llvm.umax") : (s ? "llvm.smin" : "llvm.umin"), type, a, b);
    if (MOD_OF(in, RELU))
        d = tr_call_intrinsic2(t, "llvm.smax", type, d, tr_const_int(type, 0));
    return d;
}

// min, max
bool tr_emit_minmax(struct translator *t, const struct ptx_insn *in)
{
    return tr_type_is_float(in->types[0]) ? tr_emit_float_minmax(t, in) : emit_binary(t, in, do_minmax);
}

// abs, neg
bool tr_emit_abs(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    if (tr_type_is_float(ty))
        return tr_emit_float_unary(t, in);
    value a = tr_get(t, &in->operands[1], ty), neg = LLVMBuildNeg(t->b, a, "");
    if (in->op == PTX_OP_ABS) {
        value less = LLVMBuildICmp(t->b, LLVMIntSLT, a, tr_const_int(tr_type_of(t, ty), 0), "");
        neg = LLVMBuildSelect(t->b, less, neg, a, "");
    }
    return tr_put(t, &in->operands[0], neg, ty);
}

// dp4a, dp2a: sums of products of bytes, or of halves with bytes.
value tr_value_dp(struct translator *t, const struct ptx_insn *in, value *a)
{
    bool four = in->op == PTX_OP_DP4A, sa = tr_type_is_signed(in->types[0]), sb = tr_type_is_signed(in->types[1]);
    unsigned n = four ? 4 : 2, abits = four ? 8 : 16, from = !four && MOD_OF(in, MUL) == PTX_MOD_HI ? 16 : 0;
    value d = a[2];
    for (unsigned i = 0; i < n; i++) {
        value x = widen(t, tr_part(t, a[0], i * abits, tr_type_int(t, abits)), t->i32, sa);
        value y = widen(t, tr_part(t, a[1], from + i * 8, t->i8), t->i32, sb);
        d = LLVMBuildAdd(t->b, d, LLVMBuildMul(t->b, x, y, ""), "");
    }
    return d;
}
