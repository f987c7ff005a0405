// SPDX-License-Identifier: Apache-2.0
// Takes values of structure type apart, so that only scalars live from one instruction to another.
#ifndef HEDDLE_JIT_STRUCTURE_H
#define HEDDLE_JIT_STRUCTURE_H
#include <llvm-c/Core.h>

void structure_split(LLVMValueRef function);
// Takes comparisons with a minimum or maximum apart.
void structure_unfold(LLVMValueRef function);
#endif
