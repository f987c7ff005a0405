// SPDX-License-Identifier: Apache-2.0
// "Scalar Video Instructions" and "SIMD Video Instructions" of the PTX manual: arithmetic on bytes and halves of words.
#include "jit/translate/emit.h"
#include <string.h>

// An instruction on one part, on two and on four.
#define FAMILY(op)                                                                                                     \
    case PTX_OP_##op:                                                                                                  \
    case PTX_OP_##op##2:                                                                                               \
    case PTX_OP_##op##4

// What both kinds compute before clamping, on sign- or zero-extended operands.
static value combine(struct translator *t, const struct ptx_insn *in, value a, value b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    switch (in->op) {
        FAMILY(VADD) : return LLVMBuildAdd(t->b, a, b, "");
        FAMILY(VSUB) : return LLVMBuildSub(t->b, a, b, "");
        FAMILY(VABSDIFF) :
        {
            value less = LLVMBuildICmp(t->b, LLVMIntSLT, a, b, "");
            return LLVMBuildSelect(t->b, less, LLVMBuildSub(t->b, b, a, ""), LLVMBuildSub(t->b, a, b, ""), "");
        }
        FAMILY(VMIN) : return tr_intrinsic(t, "llvm.smin", type, a, b);
        FAMILY(VMAX) : return tr_intrinsic(t, "llvm.smax", type, a, b);
    case PTX_OP_VAVRG2:
    case PTX_OP_VAVRG4: {
        value sum = LLVMBuildAdd(t->b, a, b, "");
        value plus = LLVMBuildICmp(t->b, LLVMIntSGE, sum, tr_const_int(type, 0), "");
        sum = LLVMBuildAdd(t->b, sum, LLVMBuildZExt(t->b, plus, type, ""), "");
        return LLVMBuildAShr(t->b, sum, tr_const_int(type, 1), "");
    }
    default: // vset, vset2, vset4: both operands hold their true values, so that signed comparison is right
        return LLVMBuildZExt(t->b, tr_compare(t, MOD_OF(in, CMP), PTX_TYPE_S64, a, b), type, "");
    }
}

static value clamp(struct translator *t, value v, unsigned bits, bool is_signed)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    int64_t most = is_signed ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1, least = is_signed ? -most - 1 : 0;
    v = tr_intrinsic(t, "llvm.smin", type, v, LLVMConstInt(type, (uint64_t)most, true));
    return tr_intrinsic(t, "llvm.smax", type, v, LLVMConstInt(type, (uint64_t)least, true));
}

static void part_of(const struct ptx_operand *o, unsigned *bits, unsigned *at)
{
    int half = o->component - PTX_COMPONENT_H0, byte = o->component - PTX_COMPONENT_B0;
    *bits = half >= 0 ? 16 : byte >= 0 ? 8 : 32;
    *at = *bits * (unsigned)(half >= 0 ? half : byte >= 0 ? byte : 0);
}

static value word(struct translator *t, const struct ptx_operand *o)
{
    struct ptx_operand whole = *o;
    whole.component = -1;
    return tr_get(t, &whole, PTX_TYPE_B32);
}

// The byte, half or word that an operand names, extended to `to`.
static value part(struct translator *t, value w, unsigned at, unsigned bits, bool is_signed, LLVMTypeRef to)
{
    value v = at ? LLVMBuildLShr(t->b, w, tr_const_i32(t, at), "") : w;
    return tr_bits_resize(t, tr_bits_resize(t, v, tr_type_int(t, bits), false), to, is_signed);
}

static value scalar_operand(struct translator *t, const struct ptx_operand *o, enum ptx_type ty)
{
    unsigned bits, at;
    part_of(o, &bits, &at);
    return part(t, word(t, o), at, bits, tr_type_is_signed(ty), t->i64);
}

// The result of a scalar instruction: clamped, joined with c by the second operation or put into a part of c.
static bool scalar_result(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value v)
{
    unsigned bits, at;
    part_of(&in->operands[0], &bits, &at);
    bool s = tr_type_is_signed(ty);
    if (MOD_OF(in, SAT))
        v = clamp(t, v, bits, s);
    value d = LLVMBuildTrunc(t->b, v, t->i32, "");
    if (in->noperands > 3) {
        value c = word(t, &in->operands[3]);
        if (MOD_OF(in, OP) == PTX_MOD_ADD) {
            d = LLVMBuildAdd(t->b, d, c, "");
        } else if (MOD_OF(in, OP)) {
            bool max = MOD_OF(in, OP) == PTX_MOD_MAX;
            d = tr_intrinsic(t, max ? (s ? "llvm.smax" : "llvm.umax") : (s ? "llvm.smin" : "llvm.umin"), t->i32, d, c);
        } else if (bits < 32) {
            uint32_t mask = ((1u << bits) - 1) << at;
            d = LLVMBuildAnd(t->b, LLVMBuildShl(t->b, d, tr_const_i32(t, at), ""), tr_const_i32(t, mask), "");
            d = LLVMBuildOr(t->b, d, LLVMBuildAnd(t->b, c, tr_const_i32(t, ~mask), ""), "");
        }
    }
    struct ptx_operand to = in->operands[0];
    to.component = -1;
    return tr_put(t, &to, d, PTX_TYPE_B32);
}

// vadd, vsub, vabsdiff, vmin, vmax; vset, whose types lack the result's
bool tr_emit_video(struct translator *t, const struct ptx_insn *in)
{
    unsigned first = in->op == PTX_OP_VSET ? 0 : 1;
    value a = scalar_operand(t, &in->operands[1], in->types[first]);
    value b = scalar_operand(t, &in->operands[2], in->types[first + 1]);
    return scalar_result(t, in, first ? in->types[0] : PTX_TYPE_U32, combine(t, in, a, b));
}

// vshl, vshr
bool tr_emit_video_shift(struct translator *t, const struct ptx_insn *in)
{
    value a = scalar_operand(t, &in->operands[1], in->types[1]);
    value n = scalar_operand(t, &in->operands[2], PTX_TYPE_U32);
    if (MOD_OF(in, WRAP) == PTX_MOD_WRAP)
        n = LLVMBuildAnd(t->b, n, tr_const_i64(t, 31), "");
    else
        n = tr_intrinsic(t, "llvm.umin", t->i64, n, tr_const_i64(t, 32));
    value v = in->op == PTX_OP_VSHL ? LLVMBuildShl(t->b, a, n, "") : LLVMBuildAShr(t->b, a, n, "");
    return scalar_result(t, in, in->types[0], v);
}

// vmad: (a * b + c [+ 1]) >> 0, 7 or 15. The product's sign, not the destination's, is that of c and of the result; one of the product and c may be
// negated, which makes it signed. -c is ~c + 1, and the sign is that of ~c, so that 2^31 is added and not taken away.
bool tr_emit_vmad(struct translator *t, const struct ptx_insn *in)
{
    bool product = in->operands[1].minus != in->operands[2].minus, sum = in->operands[3].minus;
    bool s = tr_type_is_signed(in->types[1]) || tr_type_is_signed(in->types[2]) || product || sum;
    value a = LLVMBuildSExt(t->b, scalar_operand(t, &in->operands[1], in->types[1]), t->i128, "");
    value b = LLVMBuildSExt(t->b, scalar_operand(t, &in->operands[2], in->types[2]), t->i128, "");
    value c = word(t, &in->operands[3]);
    c = tr_bits_resize(t, sum ? LLVMBuildNot(t->b, c, "") : c, t->i128, s);
    value v = LLVMBuildMul(t->b, a, b, "");
    v = LLVMBuildAdd(t->b, product ? LLVMBuildNot(t->b, v, "") : v, c, "");
    if (MOD_OF(in, PO) || product || sum)
        v = LLVMBuildAdd(t->b, v, tr_const_int(t->i128, 1), "");
    unsigned shift = MOD_OF(in, VSCALE) == PTX_MOD_SHR7 ? 7 : MOD_OF(in, VSCALE) == PTX_MOD_SHR15 ? 15 : 0;
    v = LLVMBuildAShr(t->b, v, tr_const_int(t->i128, shift), "");
    if (MOD_OF(in, SAT))
        v = clamp(t, v, 32, s);
    return tr_put(t, &in->operands[0], LLVMBuildTrunc(t->b, v, t->i32, ""), PTX_TYPE_B32);
}

// vadd2 ... vset4: two halves or four bytes; .add sums them up with c
bool tr_emit_video_simd(struct translator *t, const struct ptx_insn *in)
{
    const char *name = ptx_op_name(in->op); // vadd2: two lanes, vadd4: four
    unsigned n = (unsigned)(name[strlen(name) - 1] - '0'), bits = 32 / n;
    unsigned first = in->op == PTX_OP_VSET2 || in->op == PTX_OP_VSET4 ? 0 : 1;
    bool sa = tr_type_is_signed(in->types[first]), sb = tr_type_is_signed(in->types[first + 1]);
    bool add = MOD_OF(in, OP) == PTX_MOD_ADD, sd = first && tr_type_is_signed(in->types[0]);
    value a = word(t, &in->operands[1]), b = word(t, &in->operands[2]);
    value d = add ? word(t, &in->operands[3]) : tr_const_i32(t, 0);
    for (unsigned i = 0; i < n; i++) {
        value v = combine(t, in, part(t, a, i * bits, bits, sa, t->i32), part(t, b, i * bits, bits, sb, t->i32));
        if (MOD_OF(in, SAT))
            v = clamp(t, v, bits, sd);
        if (add) {
            d = LLVMBuildAdd(t->b, d, v, "");
        } else {
            v = LLVMBuildAnd(t->b, v, tr_const_i32(t, (1u << bits) - 1), "");
            d = LLVMBuildOr(t->b, d, LLVMBuildShl(t->b, v, tr_const_i32(t, i * bits), ""), "");
        }
    }
    return tr_put(t, &in->operands[0], d, PTX_TYPE_B32);
}
