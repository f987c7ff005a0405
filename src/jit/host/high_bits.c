// SPDX-License-Identifier: Apache-2.0
// LLVM's code generator for x86-64 (22 at least) makes a multiplication of high halves of
//
//     trunc (lshr (mul x, y), c) to 16 bits
//
// where x and y are known to be numbers of 16 bits: pmulhw, and a shift by c - 16 of its 16 bits. With c of 32 and more that is a shift by
// more than there are bits, which may be anything: a function that computes the high half of a product of two signed bytes as bytes
// becomes a return. What it knows of x and y may be more than the code says, so that every such value is meant, also one that is cut to fewer
// than 16 bits. Here the count comes from an empty piece of assembly, which no combination looks through: a shift by a number that all lanes have
// takes it from a register as well.
#include "jit/ir/pass.h"

enum { HIGH = 32, CUT = 32 }; // the least count, in bits; and what is cut to fewer bits than these

static bool is_vector_of(LLVMValueRef v, unsigned least, unsigned most)
{
    LLVMTypeRef type = LLVMTypeOf(v),
                each = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : NULL;
    if (!each || LLVMGetTypeKind(each) != LLVMIntegerTypeKind)
        return false;
    unsigned bits = LLVMGetIntTypeWidth(each);
    return bits >= least && bits <= most;
}

// The count of a shift, if it is one number for all lanes.
static bool same_count(LLVMValueRef counts, int64_t *count)
{
    if (!LLVMIsAConstant(counts))
        return false;
    for (unsigned i = 0, n = LLVMGetVectorSize(LLVMTypeOf(counts)); i < n; i++) {
        LLVMValueRef e = LLVMGetAggregateElement(counts, i);
        int64_t at;
        if (!e || !value_constant(e, &at) || (i && at != *count))
            return false;
        *count = at;
    }
    return true;
}

static LLVMValueRef hidden_counts(LLVMBuilderRef b, LLVMTypeRef type, int64_t count)
{
    LLVMContextRef cx = LLVMGetTypeContext(type);
    LLVMTypeRef each = LLVMGetElementType(type), i32 = LLVMInt32TypeInContext(cx);
    LLVMTypeRef same = LLVMFunctionType(each, &each, 1, false);
    LLVMValueRef number = LLVMConstInt(each, (unsigned long long)count, false);
    LLVMValueRef hide = LLVMGetInlineAsm(same, "", 0, "=r,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef hidden = LLVMBuildCall2(b, same, hide, &number, 1, "");
    LLVMValueRef first = LLVMBuildInsertElement(b, LLVMGetPoison(type), hidden, LLVMConstInt(i32, 0, false), "");
    LLVMValueRef mask = LLVMConstNull(LLVMVectorType(i32, LLVMGetVectorSize(type)));
    return LLVMBuildShuffleVector(b, first, LLVMGetPoison(type), mask, "");
}

static void hide_count(LLVMBuilderRef b, LLVMValueRef x)
{
    int64_t count = 0;
    if (!LLVMIsATruncInst(x) || !is_vector_of(x, 1, CUT - 1))
        return;
    LLVMValueRef shift = LLVMGetOperand(x, 0);
    while (LLVMIsATruncInst(shift) || LLVMIsAFreezeInst(shift))
        shift = LLVMGetOperand(shift, 0);
    if (!ir_is_opcode(shift, LLVMLShr) || !is_vector_of(shift, 64, 64) ||
        !same_count(LLVMGetOperand(shift, 1), &count) || count < HIGH)
        return;
    LLVMValueRef of = LLVMGetOperand(shift, 0);
    while (LLVMIsAFreezeInst(of))
        of = LLVMGetOperand(of, 0);
    if (!ir_is_opcode(of, LLVMMul))
        return;
    LLVMPositionBuilderBefore(b, shift);
    LLVMSetOperand(shift, 1, hidden_counts(b, LLVMTypeOf(shift), count));
}

bool pass_high_bits(struct compilation *c)
{
    return ir_rewrite(c->module, hide_count);
}
