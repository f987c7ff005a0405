// SPDX-License-Identifier: Apache-2.0
// Kernels whose f32 operations all flush subnormals run with the processor's own flushing: operands and results of arithmetic cost
// nothing more. LLVM must not undo that. It folds constants by the function's mode (ir_flush_denormals), but takes liberties
// that the mode allows and PTX does not:
//
//   x * 1, x / -1, x + -0.0      become x or -x, which is not flushed then. The 1 may show up late, in an unrolled loop or with the
//                                block's shape;
//   fma(a, b, c), sqrt(a)        of constants are computed as if subnormals counted, also in the code generator;
//   a + b, a < b                 of constant vectors with operands that are not flushed, before LLVM 22.
//
// flush.mark, before anything is folded: where the result of arithmetic leaves arithmetic (stores, bit casts, calls, returns), it goes through
// llvm.canonicalize, which LLVM leaves alone. Operands of arithmetic and comparisons need none (but before LLVM 22): the processor flushes them. Nor do phis and
// selections of results and of constants that are not subnormal: all that comes out of them is flushed or may be, so it is done where it
// leaves them, and a sum that a loop carries is not touched. A phi that also gets something raw, as a load, must pass that on as it is: results are
// marked before they come there.
//
// flush.lower, after the last pass that folds: what is canonicalised is arithmetic still, or goes to nothing else, and there is nothing to do, or it is flushed by its
// bits. Arithmetic of constants alone gets one of them from a variable, so that the processor computes it. And a selection of what may be subnormal
// by a comparison of it, x < y ? x : y, becomes one of integers: the code generator for x86-64 makes a minimum of it, which flushes what
// the selection hands on.
#include "base/map.h"
#include "base/vec.h"
#include "jit/ir/pass.h"
#include <math.h>
#include <string.h>

static const char mark_name[] = "llvm.canonicalize";

static bool is_f32(LLVMTypeRef t)
{
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        t = LLVMGetElementType(t);
    return LLVMGetTypeKind(t) == LLVMFloatTypeKind;
}

static bool calls(LLVMValueRef x, const char *name)
{
    size_t n = strlen(name);
    const char *called = LLVMIsACallInst(x) ? call_name(x) : "";
    return !strncmp(called, name, n) && called[n] == '.';
}

// Operations that the processor flushes the result of.
static bool is_arithmetic(LLVMValueRef x)
{
    return is_f32(LLVMTypeOf(x)) && (IR_IS(x, LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, LLVMFPTrunc) ||
                                     calls(x, "llvm.fma") || calls(x, "llvm.sqrt"));
}

// Operations that the processor flushes the operands of, whatever LLVM makes of them.
static bool flushes_operands(LLVMValueRef x)
{
    return is_arithmetic(x) || IR_IS(x, LLVMFCmp, LLVMFPTrunc, LLVMFPToSI, LLVMFPToUI);
}

static bool is_subnormal(double x)
{
    return x != 0 && fabs(x) < 0x1p-126;
}

// A word that flushing or quieting would change.
static bool is_special(double x)
{
    return is_subnormal(x) || isnan(x);
}

static bool is_zero(double x)
{
    return x == 0;
}

static bool is_one(double x)
{
    return fabs(x) == 1;
}

// An f32 or its bits: compilers keep both in registers without a type.
static bool is_word(LLVMTypeRef t)
{
    return is_f32(t) || type_bits(LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t) == 32;
}

// What hands words on as they are: its operands first ... end - 1 are those. False: it does not.
static bool passes_on(LLVMValueRef x, unsigned *first, unsigned *end)
{
    if (!LLVMIsAInstruction(x) || !is_word(LLVMTypeOf(x)))
        return false;
    *first = 0;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMPHI:
        *end = LLVMCountIncoming(x);
        return true;
    case LLVMSelect:
        *first = 1, *end = 3;
        return true;
    case LLVMShuffleVector:
    case LLVMInsertElement:
        *end = 2;
        return true;
    case LLVMBitCast:
    case LLVMFreeze:
    case LLVMExtractElement:
        *end = 1;
        return is_word(LLVMTypeOf(LLVMGetOperand(x, 0)));
    default:
        return false;
    }
}

// ------------------------------------------------------------------------------------------------------------- marking

// Of what hands words on: whether a result of arithmetic comes in, and whether something raw does.
enum { FED = 1, RAW = 2 };
struct webs {
    struct map state;
    struct VEC(LLVMValueRef) work;
};

static uintptr_t state_of(const struct webs *w, LLVMValueRef x)
{
    return (uintptr_t)map_get_ptr(&w->state, x);
}

static void come_in(struct webs *w, LLVMValueRef x, uintptr_t what)
{
    unsigned first, end;
    uintptr_t old = state_of(w, x);
    if (!passes_on(x, &first, &end) || (old | what) == old)
        return;
    map_put_ptr(&w->state, x, (void *)(old | what));
    vec_push(&w->work, x);
}

static uintptr_t source_of(LLVMValueRef v)
{
    unsigned first, end;
    if (LLVMIsConstant(v))
        return value_any_lane(v, is_special) ? RAW : 0;
    return is_arithmetic(v) ? FED : passes_on(v, &first, &end) ? 0 : RAW;
}

static void find_webs(struct webs *w, LLVMValueRef f)
{
    unsigned i, end;
    FOR_FUNCTION (f, x)
        for (bool word = passes_on(x, &i, &end); word && i < end; i++)
            come_in(w, x, source_of(LLVMGetOperand(x, i)));
    while (w->work.len) {
        LLVMValueRef x = w->work.data[--w->work.len];
        FOR_USES (x, u)
            come_in(w, LLVMGetUser(u), state_of(w, x));
    }
}

// A result of arithmetic, or what hands on such and nothing raw.
static bool is_result(const struct webs *w, LLVMValueRef v)
{
    return is_arithmetic(v) || state_of(w, v) == FED;
}

static LLVMValueRef marked(LLVMBuilderRef b, LLVMValueRef word)
{
    LLVMTypeRef given = LLVMTypeOf(word), type = LLVMFloatTypeInContext(LLVMGetTypeContext(given));
    if (LLVMGetTypeKind(given) == LLVMVectorTypeKind)
        type = LLVMVectorType(type, LLVMGetVectorSize(given));
    LLVMValueRef v = LLVMBuildBitCast(b, word, type, "");
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(m, LLVMLookupIntrinsicID(mark_name, sizeof mark_name - 1), &type, 1);
    return LLVMBuildBitCast(b, LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, &v, 1, ""), given, "");
}

// Of a phi the value is marked at the end of the block that it comes from, once where several edges do.
static void mark_incoming(const struct webs *w, LLVMBuilderRef b, LLVMValueRef phi)
{
    unsigned n = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < n; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (!is_result(w, v))
            continue;
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef r = marked(b, v);
        for (unsigned k = i; k < n; k++)
            if (LLVMGetIncomingBlock(phi, k) == from)
                LLVMSetOperand(phi, k, r);
    }
}

static LLVMValueRef flushed_by_bits(LLVMBuilderRef b, LLVMValueRef v)
{
    LLVMTypeRef type = ir_bits_type(LLVMTypeOf(v));
    LLVMValueRef bits = LLVMBuildBitCast(b, v, type, "");
    LLVMValueRef exponent = LLVMBuildAnd(b, bits, ir_constant(type, 0x7f800000), "");
    LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, exponent, LLVMConstNull(type), "");
    LLVMValueRef sign = LLVMBuildAnd(b, bits, ir_constant(type, 0x80000000), "");
    return LLVMBuildBitCast(b, LLVMBuildSelect(b, zero, sign, bits, ""), LLVMTypeOf(v), "");
}

static bool folds_unflushed(void)
{
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    return major < 22;
}

static void mark_operands(const struct webs *w, LLVMBuilderRef b, LLVMValueRef x)
{
    bool sums = LLVMIsAAtomicRMWInst(x) && LLVMGetAtomicRMWBinOp(x) == LLVMAtomicRMWBinOpFAdd;
    bool takes = flushes_operands(x), both = folds_unflushed() && (takes || sums);
    if ((takes ? !both : is_result(w, x)) || calls(x, mark_name))
        return;
    if (LLVMIsAPHINode(x)) {
        mark_incoming(w, b, x);
        return;
    }
    for (unsigned i = 0; i < ir_operands(x); i++) {
        LLVMValueRef v = LLVMGetOperand(x, i);
        bool result = is_result(w, v), other = LLVMIsConstant(v) && !value_any_lane(v, is_subnormal);
        if ((!both || result || other || !is_f32(LLVMTypeOf(v))) && (takes || !result))
            continue;
        LLVMPositionBuilderBefore(b, x); // a comparison is taken for one of what was canonicalised
        LLVMSetOperand(x, i, LLVMIsAFCmpInst(x) ? flushed_by_bits(b, v) : marked(b, v));
    }
}

bool pass_flush_mark(struct compilation *c)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(c->module));
    FOR_MODULE (c->module, f) {
        struct webs w = {0};
        find_webs(&w, f);
        FOR_FUNCTION (f, x)
            mark_operands(&w, b, x);
        map_free(&w.state);
        vec_free(&w.work);
    }
    LLVMDisposeBuilder(b);
    return true;
}

// ------------------------------------------------------------------------------------------------------------ lowering

static bool all_constant(LLVMValueRef x)
{
    for (unsigned i = 0; i < ir_operands(x); i++)
        if (!LLVMIsConstant(LLVMGetOperand(x, i)))
            return false;
    return true;
}

static bool may_be(LLVMValueRef x, unsigned operand, bool (*what)(double))
{
    LLVMValueRef v = LLVMGetOperand(x, operand);
    return LLVMIsConstant(v) && value_any_lane(v, what);
}

// Arithmetic that the code generator may take an operand for, or its negation.
static bool is_identity(LLVMValueRef x)
{
    bool by_one = may_be(x, 0, is_one) || (ir_operands(x) > 1 && may_be(x, 1, is_one));
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMFAdd:
    case LLVMFSub:
        return may_be(x, 0, is_zero) || may_be(x, 1, is_zero);
    case LLVMFMul:
        return by_one;
    case LLVMFDiv:
        return may_be(x, 1, is_one);
    case LLVMFPTrunc:
        return ir_is_opcode(LLVMGetOperand(x, 0), LLVMFPExt);
    default:
        return ir_operands(x) == 3 && by_one && may_be(x, 2, is_zero); // fma
    }
}

// Whether v is flushed as it is, looking through phis and selections; `seen` are those that were looked through.
enum { SEEN_MAX = 32 };
static bool is_flushed(LLVMValueRef v, LLVMValueRef *seen, unsigned *n)
{
    if (LLVMIsConstant(v))
        return !value_any_lane(v, is_subnormal);
    unsigned k, end;
    if (!passes_on(v, &k, &end))
        return calls(v, mark_name) || (is_arithmetic(v) && !is_identity(v));
    for (unsigned i = 0; i < *n; i++)
        if (seen[i] == v)
            return true;
    if (*n == SEEN_MAX)
        return false;
    seen[(*n)++] = v;
    for (; k < end; k++)
        if (!is_flushed(LLVMGetOperand(v, k), seen, n))
            return false;
    return true;
}

static bool is_operand_alone(LLVMValueRef x)
{
    FOR_USES (x, u)
        if (!flushes_operands(LLVMGetUser(u)))
            return false;
    return true;
}

// The same value, of which the code generator knows nothing.
static LLVMValueRef hidden(LLVMBuilderRef b, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    LLVMBuilderRef first = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(first, LLVMGetFirstInstruction(entry));
    LLVMValueRef variable = LLVMBuildAlloca(first, type, "");
    LLVMDisposeBuilder(first);
    LLVMSetVolatile(LLVMBuildStore(b, constant, variable), true);
    LLVMValueRef r = LLVMBuildLoad2(b, type, variable, "");
    LLVMSetVolatile(r, true);
    return r;
}

static LLVMValueRef uncast(LLVMValueRef v)
{
    while (LLVMIsABitCastInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

// The comparison within a condition that has one of these as its operand; NULL: there is none.
static LLVMValueRef comparison_of(LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b, unsigned *budget)
{
    LLVMValueRef found = NULL;
    if (!LLVMIsAInstruction(condition) || !*budget)
        return NULL;
    --*budget;
    if (LLVMIsAFCmpInst(condition)) {
        LLVMValueRef x = uncast(LLVMGetOperand(condition, 0)), y = uncast(LLVMGetOperand(condition, 1));
        return x == a || x == b || y == a || y == b ? condition : NULL;
    }
    if (!IR_IS(condition, LLVMAnd, LLVMOr, LLVMXor, LLVMSelect, LLVMFreeze))
        return NULL;
    for (unsigned i = 0; i < ir_operands(condition) && !found; i++)
        found = comparison_of(LLVMGetOperand(condition, i), a, b, budget);
    return found;
}

static bool is_negative(double x)
{
    return x < 0;
}

static bool is_positive(double x)
{
    return x > 0;
}

static bool is_nan(double x)
{
    return isnan(x);
}

// Whether a selection by a comparison with a constant, which is its other arm, never chooses what the comparison takes for zero: x > 0 ? x : 0.
static bool chooses_no_zero(LLVMValueRef select)
{
    LLVMValueRef c = LLVMGetOperand(select, 0);
    for (unsigned arm = 1; LLVMIsAFCmpInst(c) && arm <= 2; arm++) {
        LLVMValueRef x = LLVMGetOperand(select, arm), other = LLVMGetOperand(select, 3 - arm);
        bool first = LLVMGetOperand(c, 0) == x && LLVMGetOperand(c, 1) == other;
        bool second = LLVMGetOperand(c, 1) == x && LLVMGetOperand(c, 0) == other;
        if (!LLVMIsConstant(other) || value_any_lane(other, is_subnormal) || !(first || second))
            continue;
        // the bits of a predicate: it holds of what is equal, greater, less, not ordered
        unsigned p = (unsigned)LLVMGetFCmpPredicate(c) ^ (arm == 1 ? 0 : 15);
        unsigned above = first ? 2 : 4,
                 below = first ? 4 : 2; // zero is the one, or the other, of numbers below and above it
        return !((p & 1 && value_any_lane(other, is_zero)) || (p & above && value_any_lane(other, is_negative)) ||
                 (p & below && value_any_lane(other, is_positive)) || (p & 8 && value_any_lane(other, is_nan)));
    }
    return false;
}

static bool is_flushed_later(LLVMValueRef x)
{
    FOR_USES (x, u)
        if (!flushes_operands(LLVMGetUser(u)) && !calls(LLVMGetUser(u), mark_name))
            return false;
    return true;
}

static void keep_subnormals(LLVMBuilderRef b, LLVMValueRef select)
{
    LLVMValueRef seen[SEEN_MAX];
    LLVMTypeRef type = LLVMTypeOf(select);
    unsigned n = 0, budget = SEEN_MAX;
    if (!LLVMIsASelectInst(select) || !is_f32(type))
        return;
    LLVMValueRef yes = LLVMGetOperand(select, 1), no = LLVMGetOperand(select, 2);
    if (!comparison_of(LLVMGetOperand(select, 0), uncast(yes), uncast(no), &budget) || is_flushed(select, seen, &n) ||
        is_flushed_later(select) || chooses_no_zero(select))
        return;
    remark(select, "a selection of integers: it hands on what is not flushed");
    LLVMTypeRef bits = ir_bits_type(type);
    LLVMPositionBuilderBefore(b, select);
    LLVMValueRef r = LLVMBuildSelect(b, LLVMGetOperand(select, 0), LLVMBuildBitCast(b, yes, bits, ""),
                                     LLVMBuildBitCast(b, no, bits, ""), "");
    ir_replace(select, LLVMBuildBitCast(b, r, type, ""));
}

static bool is_folded_by_generator(LLVMValueRef x)
{
    return is_arithmetic(x) || (IR_IS(x, LLVMFCmp, LLVMFPExt) && is_f32(LLVMTypeOf(LLVMGetOperand(x, 0))));
}

static void lower(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMValueRef seen[SEEN_MAX];
    unsigned n = 0;
    LLVMPositionBuilderBefore(b, x);
    if (calls(x, mark_name)) {
        LLVMValueRef v = LLVMGetOperand(x, 0);
        bool flushed = (!LLVMIsConstant(v) && is_operand_alone(x)) || is_flushed(v, seen, &n);
        if (!flushed)
            remark(x, "flushed by its bits: it is no result of arithmetic any more");
        ir_replace(x, flushed ? v : flushed_by_bits(b, v));
    } else if (is_folded_by_generator(x) && all_constant(x)) {
        LLVMSetOperand(x, 0, hidden(b, LLVMGetOperand(x, 0)));
    }
}

bool pass_flush_lower(struct compilation *c)
{
    return ir_rewrite(c->module, keep_subnormals) && ir_rewrite(c->module, lower);
}
