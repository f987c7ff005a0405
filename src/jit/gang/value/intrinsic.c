// SPDX-License-Identifier: Apache-2.0
// LLVM's intrinsics. Those in the table widen lane by lane; the rest are dropped when they only inform the optimiser,
// or written out.
#include "jit/host/target.h"
#include "jit/gang/gang.h"
#include "base/str.h"
#include <stdio.h>
#include <string.h>

// How an intrinsic is named for vectors.
enum widen {
    BY_RESULT,  // overloaded on its result
    BY_BOTH,    // on result and first operand
    BY_OPERAND, // on its first operand, the result is i1
    BY_LAST,    // on result and last operand (the exponent of ldexp)
    OVERFLOW,   // overloaded on its operand, the result is a pair
    FUNNEL,     // shifts of two words
    IN_FOURS,   // of one CPU: exists for vectors of four floats
    NOTHING     // information for the optimiser
};

static const struct {
    enum widen widen;
    int immediate;     // operand that stays a scalar constant, -1: none
    const char *names; // without "llvm." and types
} table[] = {
    {BY_RESULT, -1,
     "fma,fmuladd,sqrt,fabs,floor,ceil,trunc,rint,nearbyint,round,roundeven,minnum,maxnum,minimum,maximum,minimumnum,"
     "maximumnum,copysign,exp,exp2,log,log2,log10,sin,cos,pow,canonicalize,ctpop,bitreverse,bswap,smin,smax,"
     "umin,umax,sadd.sat,uadd.sat,ssub.sat,usub.sat,sshl.sat,ushl.sat"},
    {BY_RESULT, 1, "ctlz,cttz,abs"},
    {BY_BOTH, -1, "ucmp,scmp,fptosi.sat,fptoui.sat,lrint,llrint"},
    {BY_OPERAND, 1, "is.fpclass"},
    {BY_LAST, -1, "ldexp"},
    {OVERFLOW, -1,
     "sadd.with.overflow,uadd.with.overflow,ssub.with.overflow,usub.with.overflow,smul.with.overflow,umul.with."
     "overflow"},
    {FUNNEL, -1, "fshl,fshr"},
    {IN_FOURS, -1, "aarch64.neon.frsqrte,aarch64.neon.frsqrts"},
    {NOTHING, -1,
     "lifetime.start,lifetime.end,assume,dbg.value,dbg.declare,dbg.label,dbg.assign,experimental.noalias.scope.decl,"
     "donothing"},
};

static void emit_flat(struct gang *g, LLVMValueRef inst, const struct shape *s)
{
    LLVMValueRef args[8], callee = LLVMGetCalledValue(inst);
    unsigned n = LLVMGetNumArgOperands(inst);
    for (unsigned i = 0; i < shape_bases(g->lanes, s); i++) {
        for (unsigned k = 0; k < n; k++)
            args[k] = gang_base(g, LLVMGetOperand(inst, k), i, s);
        gang_slot(g, inst)->base[i] = LLVMBuildCall2(g->b, LLVMGetCalledFunctionType(inst), callee, args, n, "");
    }
}

static void emit_wide(struct gang *g, LLVMValueRef inst, enum widen how, int immediate)
{
    LLVMValueRef args[8];
    unsigned n = LLVMGetNumArgOperands(inst), id = LLVMGetIntrinsicID(LLVMGetCalledValue(inst));
    bool is_bool = type_is_bool(LLVMTypeOf(inst));
    for (unsigned k = 0; k < n; k++)
        args[k] = (int)k == immediate ? LLVMGetOperand(inst, k) : gang_vector_bits(g, LLVMGetOperand(inst, k));
    LLVMTypeRef first = LLVMTypeOf(args[0]), overload[2] = {first, first};
    unsigned noverload = 1;
    if (how == BY_RESULT || how == BY_BOTH || how == BY_LAST)
        overload[0] = gang_lanes(g, LLVMTypeOf(inst));
    if (how == BY_BOTH || how == BY_LAST) {
        overload[1] = how == BY_LAST ? LLVMTypeOf(args[n - 1]) : first;
        noverload = 2;
    }
    LLVMValueRef r = ir_call(g->b, LLVMGetIntrinsicDeclaration(g->v->module, id, overload, noverload), args, n);
    gang_set_vector(g, inst, is_bool ? gang_mask_of(g, r) : r);
}

// A funnel shift by other numbers in other lanes is written out where it is no rotation. LLVM's combiner makes fshl(0, x, n) of a
// constant vector n a shift by 32 - n, which is poison in lanes where n is 0, as in the first row of a block.
static void emit_funnel(struct gang *g, LLVMValueRef inst)
{
    LLVMValueRef high = LLVMGetOperand(inst, 0), low = LLVMGetOperand(inst, 1), by = LLVMGetOperand(inst, 2);
    if (high == low || gang_is_uniform(g, by)) {
        emit_wide(g, inst, BY_RESULT, -1);
        return;
    }
    LLVMBuilderRef b = g->b;
    bool left = !strncmp(call_name(inst), "llvm.fshl.", 10);
    LLVMTypeRef type = LLVMTypeOf(inst);
    unsigned bits = LLVMGetIntTypeWidth(type);
    LLVMValueRef one = gang_wide(g, LLVMConstInt(type, 1, 0)), last = gang_wide(g, LLVMConstInt(type, bits - 1, 0)),
                 n = LLVMBuildURem(b, gang_vector(g, by), gang_wide(g, LLVMConstInt(type, bits, 0)), ""),
                 rest = LLVMBuildSub(b, last, n, ""); // and one more bit
    LLVMValueRef x = gang_vector(g, high), y = gang_vector(g, low);
    x = left ? LLVMBuildShl(b, x, n, "") : LLVMBuildShl(b, LLVMBuildShl(b, x, one, ""), rest, "");
    y = left ? LLVMBuildLShr(b, LLVMBuildLShr(b, y, one, ""), rest, "") : LLVMBuildLShr(b, y, n, "");
    gang_set_vector(g, inst, LLVMBuildOr(b, x, y, ""));
}

static void emit_in_fours(struct gang *g, LLVMValueRef inst)
{
    LLVMValueRef args[2], part[GANG_MAX / 4];
    LLVMTypeRef four = LLVMVectorType(LLVMTypeOf(inst), 4);
    unsigned n = LLVMGetNumArgOperands(inst), id = LLVMGetIntrinsicID(LLVMGetCalledValue(inst));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->v->module, id, &four, 1);
    for (unsigned i = 0; i < g->width / 4; i++) {
        for (unsigned k = 0; k < n; k++)
            args[k] = gang_slice(g, gang_vector(g, LLVMGetOperand(inst, k)), 4 * i, 4);
        part[i] = ir_call(g->b, f, args, n);
    }
    gang_set_vector(g, inst, gang_concat(g, part, g->width / 4));
}

// Conversion to an integer that saturates, NaN to 0. LLVM takes vectors of it apart on x86-64; the plain conversion is
// poison out of range, in lanes that are then not chosen.
static void emit_saturating(struct gang *g, LLVMValueRef inst, bool is_signed)
{
    LLVMTypeRef t = LLVMTypeOf(inst);
    unsigned bits = LLVMGetIntTypeWidth(t);
    LLVMValueRef x = gang_vector(g, LLVMGetOperand(inst, 0));
    LLVMTypeRef from = LLVMGetElementType(LLVMTypeOf(x)), to = gang_lanes(g, t);
    double top = 2 * (double)(UINT64_C(1) << (is_signed ? bits - 2 : bits - 1));
    LLVMValueRef limit = gang_wide(g, LLVMConstReal(from, top));
    LLVMValueRef most = LLVMConstInt(t, is_signed ? ~UINT64_C(0) >> (65 - bits) : ~UINT64_C(0), 0);
    LLVMValueRef r = is_signed ? LLVMBuildFPToSI(g->b, x, to, "") : LLVMBuildFPToUI(g->b, x, to, "");
    LLVMValueRef none = LLVMConstNull(to), c = LLVMBuildFCmp(g->b, LLVMRealOGE, x, limit, "");
    r = LLVMBuildSelect(g->b, c, gang_wide(g, most), r, "");
    if (is_signed) {
        LLVMValueRef least = LLVMConstInt(t, UINT64_C(1) << (bits - 1), 0);
        c = LLVMBuildFCmp(g->b, LLVMRealOLT, x, gang_wide(g, LLVMConstReal(from, -top)), "");
        r = LLVMBuildSelect(g->b, c, gang_wide(g, least), r, "");
        c = LLVMBuildFCmp(g->b, LLVMRealUNO, x, x, "");
    } else {
        c = LLVMBuildFCmp(g->b, LLVMRealULT, x, LLVMConstNull(LLVMTypeOf(x)), "");
    }
    gang_set_vector(g, inst, LLVMBuildSelect(g->b, c, none, r, ""));
}

// memcpy, memmove and memset of constant size in local memory: one for each lane.
static bool emit_memory_block(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    const char *name = call_name(inst);
    bool copy = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13);
    if (!copy && strncmp(name, "llvm.memset.", 12))
        return false;
    LLVMValueRef callee, args[4] = {0};
    LLVMTypeRef overload[3] = {g->v->ptr, copy ? g->v->ptr : LLVMTypeOf(LLVMGetOperand(inst, 2)),
                               LLVMTypeOf(LLVMGetOperand(inst, 2))};
    callee =
        LLVMGetIntrinsicDeclaration(g->v->module, LLVMGetIntrinsicID(LLVMGetCalledValue(inst)), overload, copy ? 3 : 2);
    struct lane_operand x[3];
    for (unsigned i = 0; i < 3; i++)
        x[i] = lane_operand(g, LLVMGetOperand(inst, i));
    args[3] = LLVMGetOperand(inst, 3);
    struct lane_loop l;
    lane_loop_begin(g, &l, mask);
    for (unsigned i = 0; i < 3; i++)
        args[i] = lane_operand_read(g, &l, &x[i]);
    ir_call(g->b, callee, args, 4);
    lane_loop_end(g, &l);
    return true;
}

// The name of an intrinsic without "llvm." and the types that it is overloaded on: as far as that still names the same one.
static void base_name(const char *name, unsigned id, char *base, size_t size)
{
    size_t n = strlen(name);
    for (size_t k = n; k && LLVMLookupIntrinsicID(name, k) == id;) {
        n = k;
        while (k && name[--k] != '.')
            ;
    }
    snprintf(base, size, "%.*s", (int)(n - 5), name + 5);
}

bool gang_emit_intrinsic(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    const char *name = call_name(inst);
    struct shape s = gang_shape(g, inst);
    char base[64] = "";
    unsigned id = LLVMIsAFunction(LLVMGetCalledValue(inst)) ? LLVMGetIntrinsicID(LLVMGetCalledValue(inst)) : 0;
    if (id)
        base_name(name, id, base, sizeof base);
    for (size_t i = 0; *base && i < sizeof table / sizeof *table; i++) {
        if (!str_list_has(table[i].names, base))
            continue;
        if (table[i].widen == NOTHING)
            return true;
        if (s.kind == SHAPE_AFFINE)
            emit_flat(g, inst, &s);
        else if (table[i].widen == BY_BOTH && !g->v->arm && g->width > 1 && !strncmp(name, "llvm.fpto", 9))
            emit_saturating(g, inst, name[9] == 's');
        else if (table[i].widen == IN_FOURS)
            emit_in_fours(g, inst);
        else if (table[i].widen == FUNNEL)
            emit_funnel(g, inst);
        else
            emit_wide(g, inst, table[i].widen, table[i].immediate);
        return true;
    }
    if (emit_memory_block(g, inst, mask))
        return true;
    if (s.kind == SHAPE_AFFINE && LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind) {
        emit_flat(g, inst, &s);
        return true;
    }
    return false;
}

// The estimate of AVX-512 or AVX2, for as many lanes as a register has at most; the same instruction's form for 4 lanes when
// uniform.
EMIT(rsqrt_estimate)
{
    LLVMValueRef x = LLVMGetOperand(call, 0), part[GANG_MAX / 4];
    bool uniform = gang_is_uniform(g, x), is_short = target_estimates_rsqrt_short();
    unsigned most = is_short ? 8 : 16, n = uniform ? 4 : g->width < most ? g->width : most;
    LLVMTypeRef t = LLVMVectorType(g->v->f32, n);
    const char *name = is_short  ? n == 8 ? "llvm.x86.avx.rsqrt.ps.256" : "llvm.x86.sse.rsqrt.ps"
                       : n == 16 ? "llvm.x86.avx512.rsqrt14.ps.512"
                       : n == 8  ? "llvm.x86.avx512.rsqrt14.ps.256"
                                 : "llvm.x86.avx512.rsqrt14.ps.128";
    LLVMValueRef all = LLVMConstAllOnes(LLVMIntTypeInContext(g->v->context, n == 16 ? 16 : 8));
    LLVMValueRef v = uniform ? gang_splat(g, gang_scalar(g, x), n) : gang_vector(g, x);
    for (unsigned i = 0; i < (uniform ? 1 : g->width / n); i++) {
        LLVMValueRef args[3] = {uniform ? v : gang_slice(g, v, i * n, n), LLVMConstNull(t), all};
        part[i] = ir_intrinsic(g->b, name, NULL, 0, args, is_short ? 1 : 3);
    }
    LLVMValueRef r = uniform ? gang_lane(g, part[0], 0) : gang_concat(g, part, g->width / n);
    gang_set_result(g, call, r, r);
}

// Two halves a lane in one word: the gang's words are a vector of twice as many halves.
EMIT(halves)
{
    bool uniform = gang_is_uniform(g, call);
    LLVMTypeRef half = LLVMHalfTypeInContext(g->v->context);
    LLVMTypeRef t = LLVMVectorType(half, 2 * (uniform ? 1 : g->width));
    LLVMValueRef x[3], r;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef o = LLVMGetOperand(call, k);
        x[k] = LLVMBuildBitCast(g->b, uniform ? gang_scalar(g, o) : gang_vector(g, o), t, "");
    }
    if (variant == LLVMCall)
        r = ir_intrinsic(g->b, "llvm.fma", &t, 1, x, 3);
    else
        r = LLVMBuildBinOp(g->b, (LLVMOpcode)variant, x[0], x[1], "");
    r = LLVMBuildBitCast(g->b, r, uniform ? g->v->i32 : gang_lanes(g, g->v->i32), "");
    gang_set_result(g, call, r, r);
}

// heddle.fma.f16, on bits: the product of two halves is exact in f32; the sum is rounded to odd there, so that rounding to a
// half is the only one.
EMIT(fma_half)
{
    LLVMBuilderRef b = g->b;
    bool uniform = gang_is_uniform(g, call);
    LLVMTypeRef half = LLVMHalfTypeInContext(g->v->context), f32 = g->v->f32, i32 = g->v->i32, i16 = LLVMTypeOf(call);
    LLVMValueRef x[3], bits = gang_i32(g, 31), one = gang_i32(g, 1);
    if (!uniform) {
        half = gang_lanes(g, half), f32 = gang_lanes(g, f32);
        i32 = gang_lanes(g, i32), i16 = gang_lanes(g, i16);
        bits = gang_wide(g, bits), one = gang_wide(g, one);
    }
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef o = LLVMGetOperand(call, i);
        x[i] =
            LLVMBuildFPExt(b, LLVMBuildBitCast(b, uniform ? gang_scalar(g, o) : gang_vector(g, o), half, ""), f32, "");
    }
    LLVMValueRef p = LLVMBuildFMul(b, x[0], x[1], ""), sum = LLVMBuildFAdd(b, p, x[2], "");
    LLVMValueRef part = LLVMBuildFSub(b, sum, p, "");
    LLVMValueRef lost = LLVMBuildFAdd(b, LLVMBuildFSub(b, p, LLVMBuildFSub(b, sum, part, ""), ""),
                                      LLVMBuildFSub(b, x[2], part, ""), "");
    // Toward zero when rounding went away from it, then the last bit tells that something was lost. The error of what is
    // not finite is no number.
    LLVMValueRef u = LLVMBuildBitCast(b, sum, i32, ""),
                 other = LLVMBuildXor(b, u, LLVMBuildBitCast(b, lost, i32, ""), "");
    LLVMValueRef odd = LLVMBuildOr(b, LLVMBuildAdd(b, u, LLVMBuildAShr(b, other, bits, ""), ""), one, "");
    LLVMValueRef inexact = LLVMBuildFCmp(b, LLVMRealONE, lost, LLVMConstNull(f32), "");
    LLVMValueRef r = LLVMBuildBitCast(b, LLVMBuildSelect(b, inexact, odd, u, ""), f32, "");
    r = LLVMBuildBitCast(b, LLVMBuildFPTrunc(b, r, half, ""), i16, "");
    gang_set_result(g, call, r, r);
}
