// SPDX-License-Identifier: Apache-2.0
// LLVM (19 and 22 at least) gets this wrong for AVX-512:
//
//     select(c, x, (x & S) | b)        isnan(x) ? x : copysignf(y, x)
//
// It makes one vpternlog under a mask of it, with x as operand and as the value of lanes that the mask leaves alone; when
// it then trades operands, the table of the operation is that of another function. So the selection is moved inside,
//
//     (x & S) | select(c, x & ~S, b)
//
// which is the same value, and where no operand is what is left alone. llvm.copysign becomes such an or in the code generator,
// too late to be seen here, so it is written out first.
#include "jit/ir/pass.h"
#include <string.h>

static LLVMValueRef peek(LLVMValueRef v)
{
    while (LLVMIsABitCastInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

// The operand x & S of an or where S is constant and x the other value; -1: there is none.
static int operand_find(LLVMValueRef or, LLVMValueRef x)
{
    for (int k = 0; k < 2; k++) {
        LLVMValueRef a = peek(LLVMGetOperand(or, (unsigned)k));
        if (ir_is_opcode(a, LLVMAnd) && LLVMIsConstant(LLVMGetOperand(a, 1)) && peek(LLVMGetOperand(a, 0)) == x)
            return k;
    }
    return -1;
}

static bool is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static LLVMValueRef as(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef type)
{
    return LLVMTypeOf(v) == type ? v : LLVMBuildBitCast(b, v, type, "");
}

static void rewrite(LLVMBuilderRef b, LLVMValueRef select)
{
    if (!LLVMIsASelectInst(select) || !is_vector(select) || !is_vector(LLVMGetOperand(select, 0)))
        return;
    LLVMTypeRef type = LLVMTypeOf(select);
    for (unsigned arm = 1; arm <= 2; arm++) {
        LLVMValueRef or = peek(LLVMGetOperand(select, arm)), x = peek(LLVMGetOperand(select, 3 - arm));
        int k = ir_is_opcode(or, LLVMOr) ? operand_find(or, x) : -1;
        if (k < 0)
            continue;
        LLVMPositionBuilderBefore(b, select);
        LLVMValueRef condition = LLVMGetOperand(select, 0);
        LLVMTypeRef bits = LLVMTypeOf(or);
        if (LLVMGetVectorSize(LLVMTypeOf(condition)) != LLVMGetVectorSize(bits))
            continue;
        LLVMValueRef kept = LLVMGetOperand(or, (unsigned)k), other = LLVMGetOperand(or, 1 - (unsigned)k);
        LLVMValueRef masked = peek(kept), mask = LLVMGetOperand(masked, 1);
        LLVMValueRef rest = LLVMBuildAnd(b, as(b, x, LLVMTypeOf(mask)), LLVMConstNot(mask), "");
        rest = as(b, rest, bits);
        LLVMValueRef inner =
            arm == 1 ? LLVMBuildSelect(b, condition, other, rest, "") : LLVMBuildSelect(b, condition, rest, other, "");
        ir_replace(select, as(b, LLVMBuildOr(b, kept, inner, ""), type));
        return;
    }
}

// copysign(x, y) of vectors: (x & ~S) | (y & S), where S is the sign's bit.
static void expand_copysign(LLVMBuilderRef b, LLVMValueRef call)
{
    if (!LLVMIsACallInst(call) || !is_vector(call) || strncmp(call_name(call), "llvm.copysign.", 14))
        return;
    LLVMTypeRef type = LLVMTypeOf(call), words = ir_bits_type(type);
    LLVMValueRef sign = ir_constant(words, UINT64_C(1) << (LLVMGetIntTypeWidth(LLVMGetElementType(words)) - 1));
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef x = LLVMBuildAnd(b, as(b, LLVMGetOperand(call, 0), words), LLVMConstNot(sign), "");
    LLVMValueRef y = LLVMBuildAnd(b, as(b, LLVMGetOperand(call, 1), words), sign, "");
    ir_replace(call, as(b, LLVMBuildOr(b, y, x, ""), type));
}

bool pass_bitselect(struct compilation *c)
{
    return ir_rewrite(c->module, expand_copysign) && ir_rewrite(c->module, rewrite);
}
