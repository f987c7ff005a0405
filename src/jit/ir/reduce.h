// SPDX-License-Identifier: Apache-2.0
// Operations of atomics whose operands may be combined in any order.
#ifndef HEDDLE_JIT_REDUCE_H
#define HEDDLE_JIT_REDUCE_H
#include <llvm-c/Core.h>

// x op y, of scalars or vectors, and the operand that changes nothing; NULL for other operations.
LLVMValueRef reduce_combine(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef reduce_neutral(LLVMAtomicRMWBinOp op, LLVMTypeRef t);
#endif
