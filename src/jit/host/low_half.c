// SPDX-License-Identifier: Apache-2.0
// LLVM's code generator for x86-64 (22 at least) forgets to cut an index down to its low half. Of
//
//     zext (and (shl (trunc x), 2), 4 * C)
//
// in an address it takes the shift for the scale, which leaves `and (trunc x), C` behind, and counts on this `and` to clear the upper half of its
// register, as instructions of 32 bits do. Then it finds from what it knows of x that no bit of the lower half is lost by it, and takes the
// register of x in its place, upper half and all. That takes an x whose bits are known although LLVM did not simplify the `and` before, which is
// one that comes out of a vector: two indices of 32 bits leave it at once (gang/memory/index.c). So where the lower half of such a number is
// cut out, the number goes through an empty piece of assembly, behind which nothing is known of it. What is computed stays the same.
#include "jit/ir/pass.h"

static bool is_cut(LLVMValueRef x)
{
    FOR_USES (x, u) {
        LLVMValueRef by = LLVMGetUser(u);
        int64_t mask;
        if (LLVMIsATruncInst(by) ||
            (ir_is_opcode(by, LLVMAnd) && value_constant(LLVMGetOperand(by, 1), &mask) && mask == (uint32_t)mask))
            return true;
    }
    return false;
}

static void hide(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    if (!LLVMIsAExtractElementInst(x) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(type) != 64 || !is_cut(x))
        return;
    LLVMTypeRef same = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(same, "", 0, "=r,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(x));
    LLVMValueRef undefined = LLVMGetPoison(type), hidden = LLVMBuildCall2(b, same, nothing, &undefined, 1, "");
    LLVMReplaceAllUsesWith(x, hidden);
    LLVMSetOperand(hidden, 0, x);
}

bool pass_low_half(struct compilation *c)
{
    return ir_rewrite(c->module, hide);
}
