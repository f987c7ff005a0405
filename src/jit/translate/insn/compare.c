// SPDX-License-Identifier: Apache-2.0
// "Comparison and Selection Instructions" and "Half Precision Comparison Instructions" of the PTX manual.
#include "jit/translate/emit.h"

static LLVMRealPredicate real_predicate(unsigned cmp)
{
    static const LLVMRealPredicate of[] = {
        [PTX_MOD_EQ] = LLVMRealOEQ,  [PTX_MOD_NE] = LLVMRealONE,  [PTX_MOD_LT] = LLVMRealOLT,
        [PTX_MOD_LE] = LLVMRealOLE,  [PTX_MOD_GT] = LLVMRealOGT,  [PTX_MOD_GE] = LLVMRealOGE,
        [PTX_MOD_EQU] = LLVMRealUEQ, [PTX_MOD_NEU] = LLVMRealUNE, [PTX_MOD_LTU] = LLVMRealULT,
        [PTX_MOD_LEU] = LLVMRealULE, [PTX_MOD_GTU] = LLVMRealUGT, [PTX_MOD_GEU] = LLVMRealUGE,
        [PTX_MOD_NUM] = LLVMRealORD, [PTX_MOD_NAN] = LLVMRealUNO};
    return of[cmp];
}

static LLVMIntPredicate int_predicate(unsigned cmp, bool is_signed)
{
    static const LLVMIntPredicate of[][2] = {
        [PTX_MOD_EQ] = {LLVMIntEQ, LLVMIntEQ},   [PTX_MOD_NE] = {LLVMIntNE, LLVMIntNE},
        [PTX_MOD_LT] = {LLVMIntULT, LLVMIntSLT}, [PTX_MOD_LE] = {LLVMIntULE, LLVMIntSLE},
        [PTX_MOD_GT] = {LLVMIntUGT, LLVMIntSGT}, [PTX_MOD_GE] = {LLVMIntUGE, LLVMIntSGE},
        [PTX_MOD_LO] = {LLVMIntULT, LLVMIntULT}, [PTX_MOD_LS] = {LLVMIntULE, LLVMIntULE},
        [PTX_MOD_HI] = {LLVMIntUGT, LLVMIntUGT}, [PTX_MOD_HS] = {LLVMIntUGE, LLVMIntUGE}};
    return of[cmp][is_signed];
}

value tr_compare(struct translator *t, unsigned cmp, enum ptx_type ty, value a, value b)
{
    if (ptx_type_is_half(ty)) {
        a = tr_half_get(t, a, ty);
        b = tr_half_get(t, b, ty);
    }
    if (ptx_type_is_half(ty) || tr_type_is_float(ty))
        return LLVMBuildFCmp(t->b, real_predicate(cmp), a, b, "");
    return LLVMBuildICmp(t->b, int_predicate(cmp, tr_type_is_signed(ty)), a, b, "");
}

static value combine(struct translator *t, const struct ptx_insn *in, value p, value q)
{
    unsigned op = MOD_OF(in, BOOL);
    return op ? LLVMBuildBinOp(t->b, op == PTX_MOD_AND ? LLVMAnd : op == PTX_MOD_OR ? LLVMOr : LLVMXor, p, q, "") : p;
}

static value flush(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value v)
{
    return ty == PTX_TYPE_F32 ? tr_float_ftz(t, in, v) : ptx_type_is_half(ty) ? tr_half_ftz(t, in, ty, v) : v;
}

// a cmp b; of packed halves, of their parts at bit `at`.
static value compare(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value a, value b, unsigned at)
{
    if (ptx_type_is_half_pair(ty)) {
        a = tr_part(t, a, at, t->i16);
        b = tr_part(t, b, at, t->i16);
    }
    a = flush(t, in, ty, a);
    return tr_compare(t, MOD_OF(in, CMP), ty, a, flush(t, in, ty, b));
}

// setp p[|q], a, b [, c]: p = (a cmp b) bool c, q = !(a cmp b) bool c. Packed halves: p for the low parts, q for the
// high.
bool tr_emit_setp(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], ty);
    value c = MOD_OF(in, BOOL) ? tr_get_pred(t, &in->operands[3]) : NULL;
    value p = compare(t, in, ty, a, b, 0);
    value q = ptx_type_is_half_pair(ty) ? compare(t, in, ty, a, b, 16) : LLVMBuildNot(t->b, p, "");
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
    if (ptx_type_is_half(ty))
        return LLVMBuildSelect(t->b, p, tr_const_int(type, ty == PTX_TYPE_F16 ? 0x3c00 : 0x3f80), tr_const_int(type, 0),
                               "");
    return LLVMBuildSExt(t->b, p, type, "");
}

bool tr_emit_set(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type to = in->types[0], ty = in->types[1];
    value a = tr_get(t, &in->operands[1], ty), b = tr_get(t, &in->operands[2], ty);
    value c = MOD_OF(in, BOOL) ? tr_get_pred(t, &in->operands[3]) : NULL;
    if (!ptx_type_is_half_pair(ty))
        return tr_put(t, &in->operands[0], truth(t, combine(t, in, compare(t, in, ty, a, b, 0), c), to), to);
    enum ptx_type part = to == PTX_TYPE_F16X2 ? PTX_TYPE_F16 : to == PTX_TYPE_BF16X2 ? PTX_TYPE_BF16 : PTX_TYPE_U16;
    value v[2];
    for (unsigned i = 0; i < 2; i++)
        v[i] = truth(t, combine(t, in, compare(t, in, ty, a, b, 16 * i), c), part);
    return tr_put(t, &in->operands[0], tr_join(t, v, 2, 16), PTX_TYPE_B32);
}

value tr_value_selp(struct translator *t, const struct ptx_insn *in, value *a)
{
    (void)in;
    return LLVMBuildSelect(t->b, a[2], a[0], a[1], "");
}

// slct: a when c >= 0, else b; b for a NaN
value tr_value_slct(struct translator *t, const struct ptx_insn *in, value *a)
{
    value p = in->types[1] == PTX_TYPE_F32
                  ? LLVMBuildFCmp(t->b, LLVMRealOGE, tr_float_ftz(t, in, a[2]), tr_const_f32(t, 0), "")
                  : LLVMBuildICmp(t->b, LLVMIntSGE, a[2], tr_const_i32(t, 0), "");
    return LLVMBuildSelect(t->b, p, a[0], a[1], "");
}
