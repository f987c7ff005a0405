// SPDX-License-Identifier: Apache-2.0
#include "jit/ir/reduce.h"
#include <stddef.h>
#include <stdint.h>

static LLVMValueRef choose(LLVMBuilderRef b, LLVMIntPredicate p, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, p, x, y, ""), x, y, "");
}

LLVMValueRef reduce_combine(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef x, LLVMValueRef y)
{
    switch (op) {
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(b, x, y, "");
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, x, y, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(b, x, y, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(b, x, y, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(b, x, y, "");
    case LLVMAtomicRMWBinOpMax:
        return choose(b, LLVMIntSGT, x, y);
    case LLVMAtomicRMWBinOpMin:
        return choose(b, LLVMIntSLT, x, y);
    case LLVMAtomicRMWBinOpUMax:
        return choose(b, LLVMIntUGT, x, y);
    case LLVMAtomicRMWBinOpUMin:
        return choose(b, LLVMIntULT, x, y);
    default:
        return NULL;
    }
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
