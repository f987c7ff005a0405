// SPDX-License-Identifier: Apache-2.0
// Floating point: "Floating Point Instructions" and "Half Precision Floating Point Instructions" of the PTX manual.
// Rounding to nearest is LLVM's own operation, never contracted; directed rounding and approximations are builtins. A
// half is computed with as f32 and rounded once: exact for + - * /, and the vectoriser knows fma; where the processor computes with
// halves LLVM finds the sums and products, and pairs of halves are its vectors as they lie. Differs from PTX: the
// payload of a NaN result is the host's, and a signalling NaN may count as a NaN result in min, max and .sat.
#include "jit/host/target.h"
#include "jit/translate/emit.h"
#include <math.h>

static bool is_bf16(enum ptx_type ty)
{
    return ty == PTX_TYPE_BF16 || ty == PTX_TYPE_BF16X2;
}

value tr_half_get(struct translator *t, value bits, enum ptx_type ty)
{
    if (is_bf16(ty)) {
        value v = LLVMBuildShl(t->b, LLVMBuildZExt(t->b, bits, t->i32, ""), tr_const_i32(t, 16), "");
        return tr_bits_cast(t, v, t->f32);
    }
    return LLVMBuildFPExt(t->b, tr_bits_cast(t, bits, t->half), t->f32, "");
}

value tr_half_put(struct translator *t, value f32, enum ptx_type ty)
{
    if (is_bf16(ty))
        return tr_call_lib(t, t->i16, &f32, 1, "heddle_bf16_from_f32");
    return tr_bits_cast(t, LLVMBuildFPTrunc(t->b, f32, t->half, ""), t->i16);
}

// Also where the processor's own flushing does not act: operations that only move bits.
static value flush_always(struct translator *t, const struct ptx_insn *in, value v)
{
    if (MOD_OF(in, FTZ) != PTX_MOD_FTZ || LLVMTypeOf(v) != t->f32)
        return v;
    return tr_call_lib(t, t->f32, &v, 1, "heddle_ftz_f32");
}

// Of constants the builder of instructions computes at once, and knows of no flushing.
value tr_float_ftz(struct translator *t, const struct ptx_insn *in, value v)
{
    return t->reach->flush_denormals && !LLVMIsConstant(v) ? v : flush_always(t, in, v);
}

value tr_half_ftz(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value bits)
{
    const char *flush = is_bf16(ty) ? "heddle_ftz_bf16" : "heddle_ftz_f16";
    return MOD_OF(in, FTZ) == PTX_MOD_FTZ ? tr_call_lib(t, t->i16, &bits, 1, "%s", flush) : bits;
}

// Operands as f32 or f64, flushed when the instruction says so.
static void take(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a, value *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        x[i] = ptx_type_is_half(ty) ? tr_half_get(t, tr_half_ftz(t, in, ty, a[i]), ty) : tr_float_ftz(t, in, a[i]);
}

value tr_saturate(struct translator *t, value v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    value zero = LLVMConstReal(type, 0), one = LLVMConstReal(type, 1);
    v = LLVMBuildSelect(t->b, LLVMBuildFCmp(t->b, LLVMRealOGT, v, zero, ""), v, zero, "");
    return LLVMBuildSelect(t->b, LLVMBuildFCmp(t->b, LLVMRealOLT, v, one, ""), v, one, "");
}

value tr_relu(struct translator *t, value v)
{
    value zero = LLVMConstReal(LLVMTypeOf(v), 0);
    return LLVMBuildSelect(t->b, LLVMBuildFCmp(t->b, LLVMRealUGT, v, zero, ""), v, zero, "");
}

const char *tr_directed(const struct ptx_insn *in)
{
    unsigned round = MOD_OF(in, ROUND);
    return round == PTX_MOD_RZ || round == PTX_MOD_RM || round == PTX_MOD_RP ? ptx_mod_name(round) : NULL;
}

// The result back in the form of its type: saturated, rounded to a half, flushed.
static value finish(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value v)
{
    if (MOD_OF(in, RELU) == PTX_MOD_RELU || MOD_OF(in, OOBRELU))
        v = tr_relu(t, v);
    if (MOD_OF(in, SAT) == PTX_MOD_SAT)
        v = tr_saturate(t, v);
    if (ptx_type_is_half(ty))
        return tr_half_ftz(t, in, ty, tr_half_put(t, v, ty));
    // Directed rounding steps from 0 to the least subnormal by its bits, which the processor does not flush.
    return tr_directed(in) ? flush_always(t, in, v) : tr_float_ftz(t, in, v);
}

// They compute with doubles, of which the processor flushes none: what it would have flushed of f32 is flushed before.
static value directed(struct translator *t, const struct ptx_insn *in, const char *op, const char *round,
                      enum ptx_type ty, value *x, unsigned n)
{
    for (unsigned i = 0; t->reach->flush_denormals && i < n; i++)
        x[i] = flush_always(t, in, x[i]);
    return tr_call_lib(t, LLVMTypeOf(x[0]), x, n, "heddle_%s_%s_%s", op, round, ptx_type_name(ty));
}

// div.approx multiplies by a reciprocal that is 0 for divisors above 2^126: 0, or NaN when the dividend is infinite.
static value divided_by_large(struct translator *t, value a, value b, value quotient)
{
    LLVMTypeRef type = LLVMTypeOf(b);
    value size = tr_intrinsic(t, "llvm.fabs", type, b);
    value large = LLVMBuildFCmp(t->b, LLVMRealOGT, size, LLVMConstReal(type, 0x1p126), "");
    value zero = tr_intrinsic(t, "llvm.copysign", type, LLVMConstReal(type, 0), b);
    return LLVMBuildSelect(t->b, large, LLVMBuildFMul(t->b, a, zero, ""), quotient, "");
}

// add, sub, mul, div. Differs from PTX: div.approx and div.full are the exact quotient, which is within their bounds.
value tr_float_binary(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    value x[2], v;
    const char *round = tr_directed(in);
    take(t, in, ty, a, x, 2);
    LLVMOpcode op = in->op == PTX_OP_ADD   ? LLVMFAdd
                    : in->op == PTX_OP_SUB ? LLVMFSub
                    : in->op == PTX_OP_MUL ? LLVMFMul
                                           : LLVMFDiv;
    if (round && op == LLVMFSub)
        x[1] = LLVMBuildFNeg(t->b, x[1], "");
    v = round ? directed(t, in, op == LLVMFSub ? "add" : ptx_op_name(in->op), round, ty, x, 2)
              : LLVMBuildBinOp(t->b, op, x[0], x[1], "");
    if (op == LLVMFDiv && MOD_OF(in, APPROX) == PTX_MOD_APPROX)
        v = divided_by_large(t, x[0], x[1], v);
    return finish(t, in, ty, v);
}

// One rounding: the processor's own, or the vectoriser writes it out. Sixteen operations each from here on took half a second
// in the scalar passes for a kernel of five hundred.
static value fma_of_halves(struct translator *t, value *bits)
{
    value x[3];
    if (!target_computes_halves())
        return tr_op(t, OP_FMA_F16, bits, 3);
    for (unsigned i = 0; i < 3; i++)
        x[i] = tr_bits_cast(t, bits[i], t->half);
    return tr_bits_cast(t, tr_intrinsic(t, "llvm.fma", t->half, x[0], x[1], x[2]), t->i16);
}

// fma, mad: one rounding
value tr_float_mad(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    const char *round = tr_directed(in);
    value x[3];
    if (ptx_type_is_half(ty)) {
        for (unsigned i = 0; i < 3; i++)
            x[i] = tr_half_ftz(t, in, ty, a[i]);
        value bits = is_bf16(ty) ? tr_call_lib(t, t->i16, x, 3, "heddle_fma_bf16") : fma_of_halves(t, x);
        if (!MOD_OF(in, SAT) && !MOD_OF(in, RELU) && !MOD_OF(in, OOBRELU))
            return tr_half_ftz(t, in, ty, bits);
        return finish(t, in, ty, tr_half_get(t, bits, ty));
    }
    take(t, in, ty, a, x, 3);
    value v = round ? directed(t, in, "fma", round, ty, x, 3)
                    : tr_intrinsic(t, "llvm.fma", LLVMTypeOf(x[0]), x[0], x[1], x[2]);
    return finish(t, in, ty, v);
}

// The lesser or greater of x and a plain constant, where a comparison and a choice are one instruction.
static value minmax_constant(struct translator *t, bool max, bool keep_nan, value x, value constant)
{
    LLVMRealPredicate better = max ? LLVMRealOGT : LLVMRealOLT;
    return keep_nan ? LLVMBuildSelect(t->b, LLVMBuildFCmp(t->b, better, constant, x, ""), constant, x, "")
                    : LLVMBuildSelect(t->b, LLVMBuildFCmp(t->b, better, x, constant, ""), x, constant, "");
}

// Not a NaN, and no zero that may have to give way to the other.
static bool is_plain_constant(value v, bool max, bool keep_nan)
{
    LLVMBool lossy;
    if (!LLVMIsAConstantFP(v))
        return false;
    double c = LLVMConstRealGetDouble(v, &lossy);
    return c == c && (c || (!keep_nan && !signbit(c) == max));
}

value tr_float_minmax(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    bool max = in->op == PTX_OP_MAX;
    value x[3];
    unsigned n = in->noperands > 3 ? 3 : 2;
    for (unsigned i = 0; i < n; i++)
        x[i] = ptx_type_is_half(ty) ? tr_half_get(t, tr_half_ftz(t, in, ty, a[i]), ty) : flush_always(t, in, a[i]);
    value sign = NULL;
    LLVMTypeRef type = LLVMTypeOf(x[0]);
    if (MOD_OF(in, XORSIGN)) {
        // The magnitude is the smaller or larger one, the sign the exclusive or of the signs.
        value s = x[0];
        LLVMTypeRef bits = tr_type_int(t, type == t->f64 ? 64 : 32);
        for (unsigned i = 1; i < n; i++)
            s = tr_bits_cast(t, LLVMBuildXor(t->b, tr_bits_cast(t, s, bits), tr_bits_cast(t, x[i], bits), ""), type);
        sign = s;
    }
    for (unsigned i = 0; MOD_OF(in, ABS) && i < n; i++)
        x[i] = tr_intrinsic(t, "llvm.fabs", type, x[i]);
    value v = x[0];
    bool own = (target_ranges() || target_selects_minima()) && !MOD_OF(in, NAN), nan = MOD_OF(in, NAN);
    unsigned constant = n == 2 && is_plain_constant(x[0], max, nan) ? 0 : 1;
    enum heddle_op op = type == t->f64 ? (max ? OP_MAX_F64 : OP_MIN_F64) : max ? OP_MAX_F32 : OP_MIN_F32;
    if (n == 2 && target_selects_minima() && is_plain_constant(x[constant], max, nan))
        v = minmax_constant(t, max, nan, x[!constant], x[constant]);
    else
        for (unsigned i = 1; i < n; i++)
            v = own ? tr_op(t, op, (value[]){v, x[i]}, 2)
                    : tr_call_lib(t, type, (value[]){v, x[i]}, 2, "heddle_%s%s_%s", ptx_op_name(in->op),
                                  nan ? "_nan" : "", type == t->f64 ? "f64" : "f32");
    if (sign)
        v = tr_intrinsic(t, "llvm.copysign", type, v, sign);
    return ptx_type_is_half(ty) ? tr_half_put(t, v, ty) : v;
}

// neg, abs
value tr_float_sign(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    bool neg = in->op == PTX_OP_NEG;
    if (ptx_type_is_half(ty)) {
        value v = tr_half_ftz(t, in, ty, a[0]);
        return neg ? LLVMBuildXor(t->b, v, tr_const_int(t->i16, 0x8000), "")
                   : LLVMBuildAnd(t->b, v, tr_const_int(t->i16, 0x7fff), "");
    }
    value v = flush_always(t, in, a[0]);
    return neg ? LLVMBuildFNeg(t->b, v, "") : tr_intrinsic(t, "llvm.fabs", LLVMTypeOf(v), v);
}

static value rsqrt(struct translator *t, value x)
{
    if (target_estimates_rsqrt_short()) {
        value s = tr_call_lib(t, t->f32, &x, 1, "heddle_rsqrt_scaled_f32");
        return tr_call_lib(t, t->f32, (value[]){x, tr_op(t, OP_RSQRT_ESTIMATE, &s, 1)}, 2, "heddle_rsqrt_short_f32");
    }
    if (!target_estimates_rsqrt())
        return tr_call_lib(t, t->f32, &x, 1, "heddle_rsqrt_approx_f32");
    value y[2] = {x, tr_op(t, OP_RSQRT_ESTIMATE, &x, 1)};
    return tr_call_lib(t, t->f32, y, 2, "heddle_rsqrt_step_f32");
}

// rcp, sqrt, rsqrt
value tr_float_inverse(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    value x[2];
    const char *round = tr_directed(in);
    take(t, in, ty, a, x, 1);
    if (MOD_OF(in, APPROX) && ty == PTX_TYPE_F64 && MOD_OF(in, FTZ) == PTX_MOD_FTZ)
        return tr_call_lib(t, t->f64, x, 1, "heddle_%s_approx_f64", ptx_op_name(in->op));
    value v;
    if (in->op == PTX_OP_RSQRT && ty == PTX_TYPE_F64) { // without .ftz no part of the operand is dropped
        v = tr_intrinsic(t, "llvm.sqrt", t->f64, x[0]);
        v = LLVMBuildFDiv(t->b, LLVMConstReal(t->f64, 1), v, "");
    } else if (in->op == PTX_OP_RSQRT) {
        v = rsqrt(t, x[0]);
    } else if (in->op == PTX_OP_SQRT) {
        v = round ? directed(t, in, "sqrt", round, ty, x, 1) : tr_intrinsic(t, "llvm.sqrt", LLVMTypeOf(x[0]), x[0]);
    } else if (round) {
        value y[2] = {LLVMConstReal(LLVMTypeOf(x[0]), 1), x[0]};
        v = directed(t, in, "div", round, ty, y, 2);
    } else {
        v = LLVMBuildFDiv(t->b, LLVMConstReal(LLVMTypeOf(x[0]), 1), x[0], "");
    }
    return finish(t, in, ty, v);
}

// sin, cos, lg2, ex2, tanh
value tr_float_transcendental(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a)
{
    value x[1];
    bool own_flush = ty == PTX_TYPE_F32 && (in->op == PTX_OP_EX2 || in->op == PTX_OP_LG2);
    if (own_flush && MOD_OF(in, FTZ) == PTX_MOD_FTZ)
        return tr_call_lib(t, t->f32, a, 1, "heddle_%s_approx_ftz_f32", ptx_op_name(in->op));
    take(t, in, ty, a, x, 1);
    return finish(t, in, ty, tr_call_lib(t, t->f32, x, 1, "heddle_%s_approx_f32", ptx_op_name(in->op)));
}

// copysign: the magnitude of b with the sign of a
value tr_value_copysign(struct translator *t, const struct ptx_insn *in, value *a)
{
    return tr_intrinsic(t, "llvm.copysign", tr_type_of(t, in->types[0]), a[1], a[0]);
}

// testp: questions about the exponent and the fraction. Zero counts as normal on hardware.
value tr_value_testp(struct translator *t, const struct ptx_insn *in, value *a)
{
    bool wide = in->types[0] == PTX_TYPE_F64;
    LLVMTypeRef type = wide ? t->i64 : t->i32;
    value inf = tr_const_int(type, wide ? 0x7ff0000000000000 : 0x7f800000), zero = tr_const_int(type, 0);
    value least = tr_const_int(type, wide ? 0x0010000000000000 : 0x00800000);
    value top = tr_const_int(type, wide ? 0x7fffffffffffffff : 0x7fffffff);
    value m = LLVMBuildAnd(t->b, tr_bits_cast(t, a[0], type), top, "");
    unsigned what = MOD_OF(in, TESTP);
    if (what != PTX_MOD_NORMAL && what != PTX_MOD_SUBNORMAL)
        return LLVMBuildICmp(t->b,
                             what == PTX_MOD_FINITE     ? LLVMIntULT
                             : what == PTX_MOD_INFINITE ? LLVMIntEQ
                             : what == PTX_MOD_NUMBER   ? LLVMIntULE
                                                        : LLVMIntUGT,
                             m, inf, "");
    bool normal = what == PTX_MOD_NORMAL;
    value size = LLVMBuildICmp(t->b, normal ? LLVMIntUGE : LLVMIntULT, m, least, "");
    value is_zero = LLVMBuildICmp(t->b, normal ? LLVMIntEQ : LLVMIntNE, m, zero, "");
    return normal ? LLVMBuildAnd(t->b, LLVMBuildICmp(t->b, LLVMIntULT, m, inf, ""),
                                 LLVMBuildOr(t->b, size, is_zero, ""), "")
                  : LLVMBuildAnd(t->b, size, is_zero, "");
}
