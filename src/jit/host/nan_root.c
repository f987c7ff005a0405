// SPDX-License-Identifier: Apache-2.0
// LLVM's code generator takes a NaN for any other. Of
//
//     x < 0 ? NaN : sqrt(x),      x >= 0 ? sqrt(x) : NaN
//
// it makes sqrt(x), since both are a NaN where x is negative; and a test of sqrt(x) for NaN has become such a test of x before. But the
// bits of the constant are what the program stores or hashes, and those of the root are the machine's (its sign differs from one to
// the next). So the selection is one of integers: the values are the same, and no floating point constant is left to compare.
#include "jit/host/nan_root.h"
#include <stdbool.h>
#include <string.h>

static bool is_root(LLVMValueRef v)
{
    size_t n;
    LLVMValueRef f = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    return f && LLVMIsAFunction(f) && !strncmp(LLVMGetValueName2(f, &n), "llvm.sqrt.", 10);
}

// Integers of the same shape.
static LLVMTypeRef bits_of(LLVMTypeRef type)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMTypeRef bits;
    switch (LLVMGetTypeKind(vector ? LLVMGetElementType(type) : type)) {
    case LLVMDoubleTypeKind:
        bits = LLVMInt64TypeInContext(context);
        break;
    case LLVMFloatTypeKind:
        bits = LLVMInt32TypeInContext(context);
        break;
    default:
        bits = LLVMInt16TypeInContext(context);
        break;
    }
    return vector ? LLVMVectorType(bits, LLVMGetVectorSize(type)) : bits;
}

static void rewrite(LLVMBuilderRef b, LLVMValueRef select)
{
    LLVMValueRef yes = LLVMGetOperand(select, 1), no = LLVMGetOperand(select, 2);
    if (!(is_root(yes) && LLVMIsConstant(no)) && !(is_root(no) && LLVMIsConstant(yes)))
        return;
    LLVMTypeRef type = LLVMTypeOf(select), bits = bits_of(type);
    LLVMPositionBuilderBefore(b, select);
    LLVMValueRef r = LLVMBuildSelect(b, LLVMGetOperand(select, 0), LLVMBuildBitCast(b, yes, bits, ""),
                                     LLVMBuildBitCast(b, no, bits, ""), "");
    r = LLVMBuildBitCast(b, r, type, "");
    LLVMReplaceAllUsesWith(select, r);
    LLVMInstructionEraseFromParent(select);
}

void nan_root_guard(LLVMModuleRef m)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsASelectInst(i))
                    rewrite(b, i);
            }
    LLVMDisposeBuilder(b);
}
