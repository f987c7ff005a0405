// SPDX-License-Identifier: Apache-2.0
// Bits: "Logic and Shift Instructions" of the PTX manual, bit fields, permutation, counting.
#include "jit/translate/emit.h"

// and, or, xor; of predicates too
bool tr_emit_logic(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    bool pred = ty == PTX_TYPE_PRED;
    value a = pred ? tr_get_pred(t, &in->operands[1]) : tr_get(t, &in->operands[1], ty);
    value b = pred ? tr_get_pred(t, &in->operands[2]) : tr_get(t, &in->operands[2], ty);
    value d = in->op == PTX_OP_AND  ? LLVMBuildAnd(t->b, a, b, "")
              : in->op == PTX_OP_OR ? LLVMBuildOr(t->b, a, b, "")
                                    : LLVMBuildXor(t->b, a, b, "");
    tr_put(t, &in->operands[0], d, ty);
    return true;
}

bool tr_emit_not(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    value a = ty == PTX_TYPE_PRED ? tr_get_pred(t, &in->operands[1]) : tr_get(t, &in->operands[1], ty);
    tr_put(t, &in->operands[0], LLVMBuildNot(t->b, a, ""), ty);
    return true;
}

bool tr_emit_cnot(struct translator *t, const struct ptx_insn *in)
{
    LLVMTypeRef type = tr_type_of(t, in->types[0]);
    value a = tr_get(t, &in->operands[1], in->types[0]);
    value zero = LLVMBuildICmp(t->b, LLVMIntEQ, a, tr_const_int(type, 0), "");
    tr_put(t, &in->operands[0], LLVMBuildZExt(t->b, zero, type, ""), in->types[0]);
    return true;
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
bool tr_emit_shift(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    LLVMOpcode op = in->op == PTX_OP_SHL ? LLVMShl : tr_type_is_signed(ty) ? LLVMAShr : LLVMLShr;
    tr_put(t, &in->operands[0],
           shift(t, op, tr_get(t, &in->operands[1], ty), tr_get(t, &in->operands[2], PTX_TYPE_U32)), ty);
    return true;
}

// shf: the pair [b:a] shifted; .wrap takes the amount modulo 32, .clamp at most 32
bool tr_emit_shf(struct translator *t, const struct ptx_insn *in)
{
    value a = tr_get(t, &in->operands[1], PTX_TYPE_B32), b = tr_get(t, &in->operands[2], PTX_TYPE_B32);
    value n = tr_get(t, &in->operands[3], PTX_TYPE_U32);
    bool left = MOD_OF(in, DIR) == PTX_MOD_L;
    value d = tr_call_intrinsic3(t, left ? "llvm.fshl" : "llvm.fshr", t->i32, b, a, n);
    if (MOD_OF(in, WRAP) == PTX_MOD_CLAMP) {
        value beyond = LLVMBuildICmp(t->b, LLVMIntUGE, n, tr_const_i32(t, 32), "");
        d = LLVMBuildSelect(t->b, beyond, left ? a : b, d, "");
    }
    tr_put(t, &in->operands[0], d, PTX_TYPE_B32);
    return true;
}

// A function of two bits from four bits of a table; bit (2x + y) is f(x, y).
static value lut2(struct translator *t, unsigned table, value x, value y)
{
    value ones = LLVMConstAllOnes(t->i32);
    value out = tr_const_i32(t, 0);
    if (table == 15)
        return ones;
    if (table == 12)
        return x;
    if (table == 10)
        return y;
    if (table == 6)
        return LLVMBuildXor(t->b, x, y, "");
    if (table == 9)
        return LLVMBuildNot(t->b, LLVMBuildXor(t->b, x, y, ""), "");
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

static value low_byte(struct translator *t, const struct ptx_operand *o, LLVMTypeRef type)
{
    value v = tr_get(t, o, PTX_TYPE_U32);
    return tr_bits_resize(t, LLVMBuildAnd(t->b, v, tr_const_i32(t, 255), ""), type, false);
}

// 2^n - 1 for n below the width, else all ones
static value ones_below(struct translator *t, value n)
{
    LLVMTypeRef type = LLVMTypeOf(n);
    return LLVMBuildNot(t->b, shift(t, LLVMShl, LLVMConstAllOnes(type), n), "");
}

// bfe: len bits from pos; signed forms repeat the field's top bit, or the operand's where the field ends outside
bool tr_emit_bfe(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    LLVMTypeRef type = tr_type_of(t, ty);
    unsigned bits = tr_type_bits(ty);
    value a = tr_get(t, &in->operands[1], ty);
    value pos = low_byte(t, &in->operands[2], type), len = low_byte(t, &in->operands[3], type), d;
    if (tr_type_is_signed(ty)) {
        value n = tr_call_intrinsic2(t, "llvm.umin", type, len, tr_const_int(type, bits));
        n = LLVMBuildSub(t->b, tr_const_int(type, bits), n, "");
        d = shift(t, LLVMShl, shift(t, LLVMAShr, a, pos), n);
        d = shift(t, LLVMAShr, d, n);
        value none = LLVMBuildICmp(t->b, LLVMIntEQ, len, tr_const_int(type, 0), "");
        d = LLVMBuildSelect(t->b, none, tr_const_int(type, 0), d, "");
    } else {
        d = LLVMBuildAnd(t->b, shift(t, LLVMLShr, a, pos), ones_below(t, len), "");
    }
    tr_put(t, &in->operands[0], d, ty);
    return true;
}

bool tr_emit_bfi(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    LLVMTypeRef type = tr_type_of(t, ty);
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], ty);
    value pos = low_byte(t, &in->operands[3], type), len = low_byte(t, &in->operands[4], type);
    value mask = shift(t, LLVMShl, ones_below(t, len), pos);
    value field = LLVMBuildAnd(t->b, shift(t, LLVMShl, a, pos), mask, "");
    value rest = LLVMBuildAnd(t->b, b, LLVMBuildNot(t->b, mask, ""), "");
    tr_put(t, &in->operands[0], LLVMBuildOr(t->b, field, rest, ""), ty);
    return true;
}

static value count_zeros(struct translator *t, value a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return tr_call_intrinsic(t, "llvm.ctlz", &type, 1, (value[]){a, tr_const_int(t->i1, 0)}, 2);
}

// popc, clz: the result is u32
bool tr_emit_count(struct translator *t, const struct ptx_insn *in)
{
    value a = tr_get(t, &in->operands[1], in->types[0]);
    value d = in->op == PTX_OP_POPC ? tr_call_intrinsic1(t, "llvm.ctpop", LLVMTypeOf(a), a) : count_zeros(t, a);
    tr_put(t, &in->operands[0], tr_bits_resize(t, d, t->i32, false), PTX_TYPE_U32);
    return true;
}

bool tr_emit_brev(struct translator *t, const struct ptx_insn *in)
{
    value a = tr_get(t, &in->operands[1], in->types[0]);
    tr_put(t, &in->operands[0], tr_call_intrinsic1(t, "llvm.bitreverse", LLVMTypeOf(a), a), in->types[0]);
    return true;
}

// bfind: the place of the most significant bit that is not a sign, or -1; .shiftamt: how far to shift it to the top
bool tr_emit_bfind(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    unsigned bits = tr_type_bits(ty);
    value a = tr_get(t, &in->operands[1], ty);
    if (tr_type_is_signed(ty))
        a = LLVMBuildXor(t->b, a, LLVMBuildAShr(t->b, a, tr_const_int(tr_type_of(t, ty), bits - 1), ""), "");
    value n = tr_bits_resize(t, count_zeros(t, a), t->i32, false);
    value none = LLVMBuildICmp(t->b, LLVMIntEQ, n, tr_const_i32(t, bits), "");
    value d = MOD_OF(in, SHIFTAMT) ? n : LLVMBuildSub(t->b, tr_const_i32(t, bits - 1), n, "");
    tr_put(t, &in->operands[0], LLVMBuildSelect(t->b, none, LLVMConstAllOnes(t->i32), d, ""), PTX_TYPE_U32);
    return true;
}

// fns: the place of the n-th set bit from a start
bool tr_emit_fns(struct translator *t, const struct ptx_insn *in)
{
    value args[3];
    for (int i = 0; i < 3; i++)
        args[i] = tr_get(t, &in->operands[1 + i], PTX_TYPE_B32);
    tr_put(t, &in->operands[0], tr_call_lib(t, t->i32, "heddle_fns", args, 3), PTX_TYPE_B32);
    return true;
}

// prmt: bytes picked from [b:a] by the nibbles of c, or by one of six fixed patterns that c's low bits turn
bool tr_emit_prmt(struct translator *t, const struct ptx_insn *in)
{
    const char *name = "heddle_prmt";
    switch (MOD_OF(in, PRMT)) {
    case PTX_MOD_F4E:
        name = "heddle_prmt_f4e";
        break;
    case PTX_MOD_B4E:
        name = "heddle_prmt_b4e";
        break;
    case PTX_MOD_RC8:
        name = "heddle_prmt_rc8";
        break;
    case PTX_MOD_ECL:
        name = "heddle_prmt_ecl";
        break;
    case PTX_MOD_ECR:
        name = "heddle_prmt_ecr";
        break;
    case PTX_MOD_RC16:
        name = "heddle_prmt_rc16";
        break;
    default:
        break;
    }
    value args[3];
    for (int i = 0; i < 3; i++)
        args[i] = tr_get(t, &in->operands[1 + i], PTX_TYPE_B32);
    tr_put(t, &in->operands[0], tr_call_lib(t, t->i32, name, args, 3), PTX_TYPE_B32);
    return true;
}

// bmsk: b ones from bit a
bool tr_emit_bmsk(struct translator *t, const struct ptx_insn *in)
{
    value a = tr_get(t, &in->operands[1], PTX_TYPE_U32), b = tr_get(t, &in->operands[2], PTX_TYPE_U32);
    if (MOD_OF(in, WRAP) == PTX_MOD_WRAP) {
        a = LLVMBuildAnd(t->b, a, tr_const_i32(t, 31), "");
        b = LLVMBuildAnd(t->b, b, tr_const_i32(t, 31), "");
    }
    tr_put(t, &in->operands[0], shift(t, LLVMShl, ones_below(t, b), a), PTX_TYPE_B32);
    return true;
}

// szext: a value of b bits extended to 32
bool tr_emit_szext(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], PTX_TYPE_U32);
    if (MOD_OF(in, WRAP) == PTX_MOD_WRAP)
        b = LLVMBuildAnd(t->b, b, tr_const_i32(t, 31), "");
    value low = ones_below(t, b), d = LLVMBuildAnd(t->b, a, low, "");
    if (tr_type_is_signed(ty)) {
        value top = LLVMBuildAnd(t->b, LLVMBuildSub(t->b, b, tr_const_i32(t, 1), ""), tr_const_i32(t, 31), "");
        value sign = LLVMBuildTrunc(t->b, LLVMBuildLShr(t->b, a, top, ""), t->i1, "");
        value some = LLVMBuildICmp(t->b, LLVMIntNE, b, tr_const_i32(t, 0), ""); // no bits: no sign
        sign = LLVMBuildAnd(t->b, sign, some, "");
        d = LLVMBuildSelect(t->b, sign, LLVMBuildOr(t->b, a, LLVMBuildNot(t->b, low, ""), ""), d, "");
    }
    tr_put(t, &in->operands[0], d, ty);
    return true;
}
