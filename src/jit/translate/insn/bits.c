// SPDX-License-Identifier: Apache-2.0
// Bits: "Logic and Shift Instructions" of the PTX manual, bit fields, permutation, counting.
#include "jit/translate/emit.h"

// and, or, xor; of predicates too
value tr_value_logic(struct translator *t, const struct ptx_insn *in, value *a)
{
    LLVMOpcode op = in->op == PTX_OP_AND ? LLVMAnd : in->op == PTX_OP_OR ? LLVMOr : LLVMXor;
    return LLVMBuildBinOp(t->b, op, a[0], a[1], "");
}

value tr_value_not(struct translator *t, const struct ptx_insn *in, value *a)
{
    (void)in;
    return LLVMBuildNot(t->b, a[0], "");
}

value tr_value_cnot(struct translator *t, const struct ptx_insn *in, value *a)
{
    LLVMTypeRef type = tr_type_of(t, in->types[0]);
    return LLVMBuildZExt(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, a[0], tr_const_int(type, 0), ""), type, "");
}

// A shift whose amount (u32) may be anything: beyond the width it gives zeros, or signs.
static value shift(struct translator *t, LLVMOpcode op, value a, value amount)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    unsigned bits = LLVMGetIntTypeWidth(type);
    value limit = LLVMConstInt(LLVMTypeOf(amount), bits, false);
    value within = LLVMBuildICmp(t->b, LLVMIntULT, amount, limit, "");
    if (op == LLVMAShr) {
        value last = LLVMConstInt(LLVMTypeOf(amount), bits - 1, false);
        amount = LLVMBuildSelect(t->b, within, amount, last, "");
        return LLVMBuildAShr(t->b, a, tr_bits_resize(t, amount, type, false), "");
    }
    value d = LLVMBuildBinOp(t->b, op, a, tr_bits_resize(t, amount, type, false), "");
    return LLVMBuildSelect(t->b, within, d, tr_const_int(type, 0), "");
}

// shl, shr: amounts of 32 bits, clamped to the width
value tr_value_shift(struct translator *t, const struct ptx_insn *in, value *a)
{
    return shift(t, in->op == PTX_OP_SHL ? LLVMShl : tr_type_is_signed(in->types[0]) ? LLVMAShr : LLVMLShr, a[0], a[1]);
}

// shf: the pair [b:a] shifted; .wrap takes the amount modulo 32, .clamp at most 32
value tr_value_shf(struct translator *t, const struct ptx_insn *in, value *a)
{
    bool left = MOD_OF(in, DIR) == PTX_MOD_L;
    value d = tr_intrinsic(t, left ? "llvm.fshl" : "llvm.fshr", t->i32, a[1], a[0], a[2]);
    if (MOD_OF(in, WRAP) != PTX_MOD_CLAMP)
        return d;
    value beyond = LLVMBuildICmp(t->b, LLVMIntUGE, a[2], tr_const_i32(t, 32), "");
    return LLVMBuildSelect(t->b, beyond, a[!left], d, "");
}

// A function of two bits from four bits of a table; bit (2x + y) is f(x, y).
static value lut2(struct translator *t, unsigned table, value x, value y)
{
    value ones = LLVMConstAllOnes(t->i32);
    value out = tr_const_i32(t, 0);
    if (table == 15 || table == 12 || table == 10)
        return table == 15 ? ones : table == 12 ? x : y;
    if (table == 6 || table == 9) {
        value differ = LLVMBuildXor(t->b, x, y, "");
        return table == 6 ? differ : LLVMBuildNot(t->b, differ, "");
    }
    for (unsigned i = 0; i < 4; i++) {
        if (!(table >> i & 1))
            continue;
        value m = LLVMBuildAnd(t->b, i & 2 ? x : LLVMBuildNot(t->b, x, ""), i & 1 ? y : LLVMBuildNot(t->b, y, ""), "");
        out = LLVMBuildOr(t->b, out, m, "");
    }
    return out;
}

// lop3: any function of three bits; optionally a predicate (d != 0) op q
bool tr_emit_lop3(struct translator *t, const struct ptx_insn *in)
{
    value a = tr_get(t, &in->operands[1], PTX_TYPE_B32), b = tr_get(t, &in->operands[2], PTX_TYPE_B32);
    value c = tr_get(t, &in->operands[3], PTX_TYPE_B32);
    unsigned lut = (unsigned)in->operands[4].i & 0xff;
    value f0 = lut2(t, lut & 15, b, c), f1 = lut2(t, lut >> 4, b, c), d;
    if ((lut & 15) == lut >> 4) {
        d = f0;
    } else if (((lut & 15) ^ (lut >> 4)) == 15) {
        d = LLVMBuildXor(t->b, a, f0, "");
    } else {
        // (a & f1) | (~a & f0) in three operations
        d = LLVMBuildXor(t->b, f0, LLVMBuildAnd(t->b, a, LLVMBuildXor(t->b, f0, f1, ""), ""), "");
    }
    tr_put(t, &in->operands[0], d, PTX_TYPE_B32);
    if (in->operands[0].pair) {
        value p = LLVMBuildICmp(t->b, LLVMIntNE, d, tr_const_i32(t, 0), "");
        value q = tr_get_pred(t, &in->operands[5]);
        p = MOD_OF(in, BOOL) == PTX_MOD_AND ? LLVMBuildAnd(t->b, p, q, "") : LLVMBuildOr(t->b, p, q, "");
        tr_put(t, in->operands[0].pair, p, PTX_TYPE_PRED);
    }
    return true;
}

static value low_byte(struct translator *t, value v, LLVMTypeRef type)
{
    return tr_bits_resize(t, LLVMBuildAnd(t->b, v, tr_const_i32(t, 255), ""), type, false);
}

// 2^n - 1 for n below the width, else all ones
static value ones_below(struct translator *t, value n)
{
    LLVMTypeRef type = LLVMTypeOf(n);
    return LLVMBuildNot(t->b, shift(t, LLVMShl, LLVMConstAllOnes(type), n), "");
}

// bfe: len bits from pos; signed forms repeat the field's top bit, or the operand's where the field ends outside
value tr_value_bfe(struct translator *t, const struct ptx_insn *in, value *a)
{
    enum ptx_type ty = in->types[0];
    LLVMTypeRef type = tr_type_of(t, ty);
    value pos = low_byte(t, a[1], type), len = low_byte(t, a[2], type), width = tr_const_int(type, tr_type_bits(ty));
    if (!tr_type_is_signed(ty))
        return LLVMBuildAnd(t->b, shift(t, LLVMLShr, a[0], pos), ones_below(t, len), "");
    value n = LLVMBuildSub(t->b, width, tr_intrinsic(t, "llvm.umin", type, len, width), "");
    value d = shift(t, LLVMAShr, shift(t, LLVMShl, shift(t, LLVMAShr, a[0], pos), n), n);
    value none = LLVMBuildICmp(t->b, LLVMIntEQ, len, tr_const_int(type, 0), "");
    return LLVMBuildSelect(t->b, none, tr_const_int(type, 0), d, "");
}

value tr_value_bfi(struct translator *t, const struct ptx_insn *in, value *a)
{
    LLVMTypeRef type = tr_type_of(t, in->types[0]);
    value pos = low_byte(t, a[2], type), mask = shift(t, LLVMShl, ones_below(t, low_byte(t, a[3], type)), pos);
    value field = LLVMBuildAnd(t->b, shift(t, LLVMShl, a[0], pos), mask, "");
    return LLVMBuildOr(t->b, field, LLVMBuildAnd(t->b, a[1], LLVMBuildNot(t->b, mask, ""), ""), "");
}

static value count_zeros(struct translator *t, value a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return tr_call_intrinsic(t, "llvm.ctlz", &type, 1, (value[]){a, tr_const_int(t->i1, 0)}, 2);
}

// popc, clz: the result is u32
value tr_value_count(struct translator *t, const struct ptx_insn *in, value *a)
{
    value d = in->op == PTX_OP_POPC ? tr_intrinsic(t, "llvm.ctpop", LLVMTypeOf(a[0]), a[0]) : count_zeros(t, a[0]);
    return tr_bits_resize(t, d, t->i32, false);
}

value tr_value_brev(struct translator *t, const struct ptx_insn *in, value *a)
{
    (void)in;
    return tr_intrinsic(t, "llvm.bitreverse", LLVMTypeOf(a[0]), a[0]);
}

// bfind: the position of the most significant bit that is not a sign, or -1; .shiftamt: how far to shift it to the top
value tr_value_bfind(struct translator *t, const struct ptx_insn *in, value *a)
{
    enum ptx_type ty = in->types[0];
    unsigned bits = tr_type_bits(ty);
    value x = a[0];
    if (tr_type_is_signed(ty))
        x = LLVMBuildXor(t->b, x, LLVMBuildAShr(t->b, x, tr_const_int(tr_type_of(t, ty), bits - 1), ""), "");
    value n = tr_bits_resize(t, count_zeros(t, x), t->i32, false);
    value none = LLVMBuildICmp(t->b, LLVMIntEQ, n, tr_const_i32(t, bits), "");
    value d = MOD_OF(in, SHIFTAMT) ? n : LLVMBuildSub(t->b, tr_const_i32(t, bits - 1), n, "");
    return LLVMBuildSelect(t->b, none, LLVMConstAllOnes(t->i32), d, "");
}

// fns: the position of the n-th set bit from a start
value tr_value_fns(struct translator *t, const struct ptx_insn *in, value *a)
{
    (void)in;
    return tr_call_lib(t, t->i32, a, 3, "heddle_fns");
}

// prmt: bytes picked from [b:a] by the nibbles of c, or by one of six fixed patterns that c's low bits turn
value tr_value_prmt(struct translator *t, const struct ptx_insn *in, value *a)
{
    unsigned mode = MOD_OF(in, PRMT);
    return tr_call_lib(t, t->i32, a, 3, "heddle_prmt%s%s", mode ? "_" : "", mode ? ptx_mod_name(mode) : "");
}

static value modulo_32(struct translator *t, const struct ptx_insn *in, value n)
{
    return MOD_OF(in, WRAP) == PTX_MOD_WRAP ? LLVMBuildAnd(t->b, n, tr_const_i32(t, 31), "") : n;
}

// bmsk: b ones from bit a
value tr_value_bmsk(struct translator *t, const struct ptx_insn *in, value *a)
{
    value from = modulo_32(t, in, a[0]);
    return shift(t, LLVMShl, ones_below(t, modulo_32(t, in, a[1])), from);
}

// szext: a value of b bits extended to 32
value tr_value_szext(struct translator *t, const struct ptx_insn *in, value *a)
{
    value b = modulo_32(t, in, a[1]), low = ones_below(t, b), d = LLVMBuildAnd(t->b, a[0], low, "");
    if (!tr_type_is_signed(in->types[0]))
        return d;
    value top = LLVMBuildAnd(t->b, LLVMBuildSub(t->b, b, tr_const_i32(t, 1), ""), tr_const_i32(t, 31), "");
    value sign = LLVMBuildTrunc(t->b, LLVMBuildLShr(t->b, a[0], top, ""), t->i1, "");
    value some = LLVMBuildICmp(t->b, LLVMIntNE, b, tr_const_i32(t, 0), ""); // no bits: no sign
    sign = LLVMBuildAnd(t->b, sign, some, "");
    return LLVMBuildSelect(t->b, sign, LLVMBuildOr(t->b, a[0], LLVMBuildNot(t->b, low, ""), ""), d, "");
}
