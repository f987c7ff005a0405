// SPDX-License-Identifier: Apache-2.0
// LLVM's code generator for x86-64 (22 at least) makes a multiplication of high halves of
//
//     trunc (lshr (mul x, y), c) to 16 bits,   c >= 16
//
// where x and y are known to be numbers of 16 bits: pmulhw or pmulhuw, and a shift by c - 16 that fills its 16 bits with zeros. That is right
// for products of 32 bits. Of wider ones the bits from 32 on are as the sign: with c of 17 and more negative ones come out wrong, and
// with c of 32 and more that is a shift by more than there are bits, which may be anything: a function that computes the high half of a
// product of two signed bytes as bytes becomes a return. An arithmetic shift becomes this one where no bit that is left tells the difference, two
// shifts with a cut between them become one, and what is cut behind an addition is cut before it. What LLVM knows of x and y may be more than
// the code says. So every wide product is meant, but for one by a number of more bits, of which bits beyond the 16th come to where fewer
// than 32 are left. The count of the first shift comes from an empty piece of assembly then, which no combination looks through: a
// shift by a number that all lanes have takes it from a register as well.
#include "jit/ir/pass.h"
#include <limits.h>

enum { WIDE = 33, CUT = 32 }; // bits of products from which on, and below which, that may be
enum { RIGHT_MOST = 16 };     // the largest count that comes out right
enum { WALK_MAX = 64 };       // instructions that are looked at behind a shift, before the worst is assumed

static bool is_vector_of(LLVMValueRef v, unsigned least, unsigned most)
{
    LLVMTypeRef type = LLVMTypeOf(v),
                each = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : NULL;
    if (!each || LLVMGetTypeKind(each) != LLVMIntegerTypeKind)
        return false;
    unsigned bits = LLVMGetIntTypeWidth(each);
    return bits >= least && bits <= most;
}

// An element of a constant vector; false: it is undefined, or no number.
static bool element(LLVMValueRef v, unsigned i, int64_t *out)
{
    LLVMValueRef e = LLVMGetAggregateElement(v, i);
    if (e && LLVMIsAConstantInt(e) && LLVMGetIntTypeWidth(LLVMTypeOf(e)) > 64)
        e = LLVMConstTrunc(e, LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(e))));
    return e && value_constant(e, out);
}

// The count of a shift, if it is one number for all lanes that have one.
static bool same_count(LLVMValueRef counts, int64_t *count)
{
    bool any = false;
    if (!LLVMIsAConstant(counts))
        return false;
    for (unsigned i = 0, n = LLVMGetVectorSize(LLVMTypeOf(counts)); i < n; i++) {
        int64_t at;
        if (!element(counts, i, &at))
            continue;
        if (any && at != *count)
            return false;
        *count = at;
        any = true;
    }
    return any;
}

static bool has_more_bits(LLVMValueRef x)
{
    int64_t at;
    for (unsigned i = 0, n = LLVMIsAConstant(x) ? LLVMGetVectorSize(LLVMTypeOf(x)) : 0; i < n; i++)
        if (element(x, i, &at) && (at < INT16_MIN || at > UINT16_MAX))
            return true;
    return false;
}

// Whether these are the bits of a product where it has them, or further to the left.
static bool is_of_product(LLVMValueRef x)
{
    while (IR_IS(x, LLVMFreeze, LLVMTrunc, LLVMShl, LLVMAnd) && is_vector_of(x, WIDE, UINT_MAX))
        x = LLVMGetOperand(x, LLVMIsABinaryOperator(x) && LLVMIsAConstant(LLVMGetOperand(x, 0)));
    return ir_is_opcode(x, LLVMMul) && is_vector_of(x, WIDE, UINT_MAX) && !has_more_bits(LLVMGetOperand(x, 0)) &&
           !has_more_bits(LLVMGetOperand(x, 1));
}

// Whether what becomes of a value, lane by lane, is cut; far: its bits come from beyond the 16th, if no shift is to come.
static bool is_cut(LLVMValueRef x, bool far, unsigned *budget)
{
    FOR_USES (x, u) {
        LLVMValueRef by = LLVMGetUser(u);
        bool right = IR_IS(by, LLVMLShr, LLVMAShr);
        if (LLVMIsATruncInst(by) && far && is_vector_of(by, 1, CUT - 1))
            return true;
        if (!LLVMIsABinaryOperator(by) && !LLVMIsACastInst(by) && !IR_IS(by, LLVMFreeze, LLVMSelect))
            continue;
        if (!*budget || (--*budget, is_cut(by, far || right, budget)))
            return true;
    }
    return false;
}

static LLVMValueRef hidden_counts(LLVMBuilderRef b, LLVMTypeRef type, int64_t count)
{
    LLVMContextRef cx = LLVMGetTypeContext(type);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(cx), i32 = LLVMInt32TypeInContext(cx);
    LLVMTypeRef same = LLVMFunctionType(i64, &i64, 1, false);
    LLVMValueRef number = LLVMConstInt(i64, (unsigned long long)count, false);
    LLVMValueRef hide = LLVMGetInlineAsm(same, "", 0, "=r,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef hidden = LLVMBuildCall2(b, same, hide, &number, 1, "");
    hidden = LLVMBuildZExtOrBitCast(b, hidden, LLVMGetElementType(type), "");
    LLVMValueRef first = LLVMBuildInsertElement(b, LLVMGetPoison(type), hidden, LLVMConstInt(i32, 0, false), "");
    LLVMValueRef mask = LLVMConstNull(LLVMVectorType(i32, LLVMGetVectorSize(type)));
    return LLVMBuildShuffleVector(b, first, LLVMGetPoison(type), mask, "");
}

static void hide_count(LLVMBuilderRef b, LLVMValueRef x)
{
    int64_t count = 0;
    unsigned budget = WALK_MAX;
    if (!IR_IS(x, LLVMLShr, LLVMAShr) || !is_vector_of(x, WIDE, UINT_MAX) ||
        !same_count(LLVMGetOperand(x, 1), &count) || !is_of_product(LLVMGetOperand(x, 0)) ||
        !is_cut(x, count > RIGHT_MOST, &budget))
        return;
    LLVMPositionBuilderBefore(b, x);
    LLVMSetOperand(x, 1, hidden_counts(b, LLVMTypeOf(x), count));
}

bool pass_high_bits(struct compilation *c)
{
    return ir_rewrite(c->module, hide_count);
}
