// SPDX-License-Identifier: Apache-2.0
#include "jit/ir/ir.h"
#include <stddef.h>
#include <stdint.h>

LLVMValueRef reduce_combine(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef x, LLVMValueRef y)
{
    static const LLVMOpcode opcodes[] = {[LLVMAtomicRMWBinOpAdd] = LLVMAdd,
                                         [LLVMAtomicRMWBinOpFAdd] = LLVMFAdd,
                                         [LLVMAtomicRMWBinOpAnd] = LLVMAnd,
                                         [LLVMAtomicRMWBinOpOr] = LLVMOr,
                                         [LLVMAtomicRMWBinOpXor] = LLVMXor};
    static const LLVMIntPredicate kept[] = {[LLVMAtomicRMWBinOpMax] = LLVMIntSGT,
                                            [LLVMAtomicRMWBinOpMin] = LLVMIntSLT,
                                            [LLVMAtomicRMWBinOpUMax] = LLVMIntUGT,
                                            [LLVMAtomicRMWBinOpUMin] = LLVMIntULT};
    if (op < sizeof opcodes / sizeof *opcodes && opcodes[op])
        return LLVMBuildBinOp(b, opcodes[op], LLVMIsConstant(y) ? ir_unfolded(b, x) : x, y, "");
    if (op < sizeof kept / sizeof *kept && kept[op])
        return LLVMBuildSelect(b, LLVMBuildICmp(b, kept[op], x, y, ""), x, y, "");
    return NULL;
}

LLVMValueRef reduce_neutral(LLVMAtomicRMWBinOp op, LLVMTypeRef t)
{
    unsigned bits = LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
    uint64_t all = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    switch (op) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpUMax:
        return LLVMConstNull(t);
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpUMin:
        return LLVMConstAllOnes(t);
    case LLVMAtomicRMWBinOpMax:
        return LLVMConstInt(t, all ^ all >> 1, 0);
    case LLVMAtomicRMWBinOpMin:
        return LLVMConstInt(t, all >> 1, 0);
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMConstReal(t, -0.0);
    default:
        return NULL;
    }
}
