// SPDX-License-Identifier: Apache-2.0
// "Comparison and Selection Instructions" and "Half Precision Comparison Instructions" of the PTX manual.
#include "jit/translate/emit.h"

static LLVMRealPredicate real_predicate(unsigned cmp)
{
    switch (cmp) {
    case PTX_MOD_EQ:
        return LLVMRealOEQ;
    case PTX_MOD_NE:
        return LLVMRealONE;
    case PTX_MOD_LT:
        return LLVMRealOLT;
    case PTX_MOD_LE:
        return LLVMRealOLE;
    case PTX_MOD_GT:
        return LLVMRealOGT;
    case PTX_MOD_GE:
        return LLVMRealOGE;
    case PTX_MOD_EQU:
        return LLVMRealUEQ;
    case PTX_MOD_NEU:
        return LLVMRealUNE;
    case PTX_MOD_LTU:
        return LLVMRealULT;
    case PTX_MOD_LEU:
        return LLVMRealULE;
    case PTX_MOD_GTU:
        return LLVMRealUGT;
    case PTX_MOD_GEU:
        return LLVMRealUGE;
    case PTX_MOD_NUM:
        return LLVMRealORD;
    default:
        return LLVMRealUNO;
    }
}

static LLVMIntPredicate int_predicate(unsigned cmp, bool is_signed)
{
    switch (cmp) {
    case PTX_MOD_EQ:
        return LLVMIntEQ;
    case PTX_MOD_NE:
        return LLVMIntNE;
    case PTX_MOD_LT:
        return is_signed ? LLVMIntSLT : LLVMIntULT;
    case PTX_MOD_LE:
        return is_signed ? LLVMIntSLE : LLVMIntULE;
    case PTX_MOD_GT:
        return is_signed ? LLVMIntSGT : LLVMIntUGT;
    case PTX_MOD_GE:
        return is_signed ? LLVMIntSGE : LLVMIntUGE;
    case PTX_MOD_LO:
        return LLVMIntULT;
    case PTX_MOD_LS:
        return LLVMIntULE;
    case PTX_MOD_HI:
        return LLVMIntUGT;
    default: // hs
        return LLVMIntUGE;
    }
}

value tr_compare(struct translator *t, unsigned cmp, enum ptx_type ty, value a, value b)
{
    if (tr_is_half(ty)) {
        a = tr_half_get(t, a, ty);
        b = tr_half_get(t, b, ty);
        return LLVMBuildFCmp(t->b, real_predicate(cmp), a, b, "");
    }
    if (tr_type_is_float(ty))
        return LLVMBuildFCmp(t->b, real_predicate(cmp), a, b, "");
    return LLVMBuildICmp(t->b, int_predicate(cmp, tr_type_is_signed(ty)), a, b, "");
}

static value combine(struct translator *t, const struct ptx_insn *in, value p, value q)
{
    switch (MOD_OF(in, BOOL)) {
    case PTX_MOD_AND:
        return LLVMBuildAnd(t->b, p, q, "");
    case PTX_MOD_OR:
        return LLVMBuildOr(t->b, p, q, "");
    case PTX_MOD_XOR:
        return LLVMBuildXor(t->b, p, q, "");
    default:
        return p;
    }
}

static value flush(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value v)
{
    if (ty == PTX_TYPE_F32)
        return tr_float_ftz(t, in, v);
    if (MOD_OF(in, FTZ) == PTX_MOD_FTZ && tr_is_half(ty))
        return tr_call_lib(t, t->i16, "heddle_ftz_f16", &v, 1);
    return v;
}

static value half_of(struct translator *t, value pair, unsigned i)
{
    value v = i ? LLVMBuildLShr(t->b, pair, tr_const_i32(t, 16), "") : pair;
    return LLVMBuildTrunc(t->b, v, t->i16, "");
}

// setp p[|q], a, b [, c]: p = (a cmp b) bool c, q = !(a cmp b) bool c. Packed halves: p for the low parts, q for the
// high.
bool tr_emit_setp(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    unsigned cmp = MOD_OF(in, CMP);
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], ty);
    value c = MOD_OF(in, BOOL) ? tr_get_pred(t, &in->operands[3]) : NULL;
    value p, q;
    if (tr_is_packed_half(ty)) {
        p = tr_compare(t, cmp, ty, flush(t, in, ty, half_of(t, a, 0)), flush(t, in, ty, half_of(t, b, 0)));
        q = tr_compare(t, cmp, ty, flush(t, in, ty, half_of(t, a, 1)), flush(t, in, ty, half_of(t, b, 1)));
    } else {
        p = tr_compare(t, cmp, ty, flush(t, in, ty, a), flush(t, in, ty, b));
        q = LLVMBuildNot(t->b, p, "");
    }
    tr_put(t, &in->operands[0], combine(t, in, p, c), PTX_TYPE_PRED);
    if (in->operands[0].pair)
        tr_put(t, in->operands[0].pair, combine(t, in, q, c), PTX_TYPE_PRED);
    return true;
}

// All ones or 1.0 in the destination's type.
static value truth(struct translator *t, value p, enum ptx_type ty)
{
    LLVMTypeRef type = tr_type_of(t, ty);
    if (ty == PTX_TYPE_F32)
        return LLVMBuildSelect(t->b, p, tr_const_f32(t, 1), tr_const_f32(t, 0), "");
    if (ty == PTX_TYPE_F16)
        return LLVMBuildSelect(t->b, p, tr_const_int(type, 0x3c00), tr_const_int(type, 0), "");
    if (ty == PTX_TYPE_BF16)
        return LLVMBuildSelect(t->b, p, tr_const_int(type, 0x3f80), tr_const_int(type, 0), "");
    return LLVMBuildSExt(t->b, p, type, "");
}

bool tr_emit_set(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type to = in->types[0], ty = in->types[1];
    unsigned cmp = MOD_OF(in, CMP);
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], ty);
    value c = MOD_OF(in, BOOL) ? tr_get_pred(t, &in->operands[3]) : NULL;
    if (!tr_is_packed_half(ty)) {
        value p = combine(t, in, tr_compare(t, cmp, ty, flush(t, in, ty, a), flush(t, in, ty, b)), c);
        tr_put(t, &in->operands[0], truth(t, p, to), to);
        return true;
    }
    value out = tr_const_i32(t, 0);
    for (unsigned i = 0; i < 2; i++) {
        value p = tr_compare(t, cmp, ty, flush(t, in, ty, half_of(t, a, i)), flush(t, in, ty, half_of(t, b, i)));
        enum ptx_type part = to == PTX_TYPE_F16X2 ? PTX_TYPE_F16 : to == PTX_TYPE_BF16X2 ? PTX_TYPE_BF16 : PTX_TYPE_U16;
        value v = LLVMBuildZExt(t->b, truth(t, combine(t, in, p, c), part), t->i32, "");
        out = LLVMBuildOr(t->b, out, LLVMBuildShl(t->b, v, tr_const_i32(t, 16 * i), ""), "");
    }
    tr_put(t, &in->operands[0], out, PTX_TYPE_B32);
    return true;
}

bool tr_emit_selp(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], ty);
    tr_put(t, &in->operands[0], LLVMBuildSelect(t->b, tr_get_pred(t, &in->operands[3]), a, b, ""), ty);
    return true;
}

// slct: a when c >= 0, else b; b for a NaN
bool tr_emit_slct(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0], ct = in->types[1];
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], ty), c = tr_get(t, &in->operands[3], ct),
          p;
    if (ct == PTX_TYPE_F32)
        p = LLVMBuildFCmp(t->b, LLVMRealOGE, tr_float_ftz(t, in, c), tr_const_f32(t, 0), "");
    else
        p = LLVMBuildICmp(t->b, LLVMIntSGE, c, tr_const_i32(t, 0), "");
    tr_put(t, &in->operands[0], LLVMBuildSelect(t->b, p, a, b, ""), ty);
    return true;
}
