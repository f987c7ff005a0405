// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic: "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic Instructions" of the
// PTX manual.
#include "jit/translate/emit.h"

static value carry_slot(struct translator *t)
{
    if (!t->carry)
        t->carry = tr_alloca_at_entry(t, t->i1, "carry");
    return t->carry;
}

// CC.CF as NVIDIA's processors have it: behind a subtraction it is set where nothing was borrowed, as a - b is a + ~b + 1 to them. The
// manual says only that sub.cc and subc agree with each other, but NVIDIA's compiler reads the flag of one kind with the other: its
// 128-bit division asks with `addc d, 0, 0` whether a subc.cc borrowed.
static value flag_read(struct translator *t, bool borrow, LLVMTypeRef type)
{
    value flag = LLVMBuildLoad2(t->b, t->i1, carry_slot(t), "");
    return LLVMBuildZExt(t->b, borrow ? LLVMBuildNot(t->b, flag, "") : flag, type, "");
}

// a + b or a - b, with the carry or borrow of the instruction before, and its own for the next.
static value carry(struct translator *t, const struct ptx_insn *in, LLVMOpcode op, value a, value b, bool with_carry)
{
    bool add = op == LLVMAdd;
    value d = LLVMBuildBinOp(t->b, op, a, b, ""), out = LLVMBuildICmp(t->b, LLVMIntULT, add ? d : a, add ? a : b, "");
    if (with_carry) {
        value c = flag_read(t, !add, LLVMTypeOf(a)), all = LLVMBuildBinOp(t->b, op, d, c, "");
        out = LLVMBuildOr(t->b, out, LLVMBuildICmp(t->b, LLVMIntULT, add ? all : d, add ? d : c, ""), "");
        d = all;
    }
    if (MOD_OF(in, CC))
        LLVMBuildStore(t->b, add ? out : LLVMBuildNot(t->b, out, ""), carry_slot(t));
    return d;
}

// add, addc, sub, subc
value tr_int_add(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    bool add = in->op == PTX_OP_ADD || in->op == PTX_OP_ADDC, more = in->op == PTX_OP_ADDC || in->op == PTX_OP_SUBC;
    if (MOD_OF(in, SAT))
        return tr_intrinsic(t, add ? "llvm.sadd.sat" : "llvm.ssub.sat", tr_type_of(t, ty), a[0], a[1]);
    if (MOD_OF(in, CC) || more)
        return carry(t, in, add ? LLVMAdd : LLVMSub, a[0], a[1], more);
    return LLVMBuildBinOp(t->b, add ? LLVMAdd : LLVMSub, a[0], a[1], "");
}

static value widen(struct translator *t, value v, LLVMTypeRef to, bool is_signed)
{
    return is_signed ? LLVMBuildSExt(t->b, v, to, "") : LLVMBuildZExt(t->b, v, to, "");
}

// The asked part of a product: as many bits as the operands for .lo and .hi, twice as many for .wide.
value tr_int_mul(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    unsigned part = MOD_OF(in, MUL), bits = tr_type_bits(ty);
    if (part != PTX_MOD_HI && part != PTX_MOD_WIDE)
        return LLVMBuildMul(t->b, a[0], a[1], "");
    LLVMTypeRef twice = tr_type_int(t, bits * 2);
    bool s = tr_type_is_signed(ty);
    value p = LLVMBuildMul(t->b, widen(t, a[0], twice, s), widen(t, a[1], twice, s), "");
    return part == PTX_MOD_WIDE ? p : tr_part(t, p, bits, tr_type_of(t, ty));
}

// mad, madc
value tr_int_mad(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    value p = tr_int_mul(t, in, ty, a);
    if (MOD_OF(in, SAT))
        return tr_intrinsic(t, "llvm.sadd.sat", t->i32, p, a[2]);
    if (MOD_OF(in, CC) || in->op == PTX_OP_MADC)
        return carry(t, in, LLVMAdd, p, a[2], in->op == PTX_OP_MADC);
    return LLVMBuildAdd(t->b, p, a[2], "");
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
        p = MOD_OF(in, SAT) ? tr_intrinsic(t, "llvm.sadd.sat", t->i32, p, c) : LLVMBuildAdd(t->b, p, c, "");
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

// div, rem. Division by zero is no fault: quotient and remainder are all ones, as hardware gives them. The divisor of the LLVM
// operation is never 0 nor -1, so that no processor traps.
value tr_int_div(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *x)
{
    bool rem = in->op == PTX_OP_REM, s = tr_type_is_signed(ty);
    value a = x[0], b = x[1];
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

// min, max
value tr_int_minmax(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    bool max = in->op == PTX_OP_MAX, s = tr_type_is_signed(ty);
    LLVMTypeRef type = tr_type_of(t, ty);
    const char *name = max ? (s ? "llvm.smax" : "llvm.umax") : (s ? "llvm.smin" : "llvm.umin");
    value d = tr_intrinsic(t, name, type, a[0], a[1]);
    if (MOD_OF(in, RELU))
        d = tr_intrinsic(t, "llvm.smax", type, d, tr_const_int(type, 0));
    return d;
}

// abs, neg
value tr_int_sign(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    value neg = LLVMBuildNeg(t->b, a[0], "");
    if (in->op == PTX_OP_NEG)
        return neg;
    value less = LLVMBuildICmp(t->b, LLVMIntSLT, a[0], tr_const_int(tr_type_of(t, ty), 0), "");
    return LLVMBuildSelect(t->b, less, neg, a[0], "");
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
