// SPDX-License-Identifier: Apache-2.0
// Low bits of integers and addresses that are 0 whatever the thread.
#ifndef HEDDLE_JIT_LOW_BITS_H
#define HEDDLE_JIT_LOW_BITS_H
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// How many low bits of x are known to be 0, at most 64; `base` (or NULL) counts as 0.
unsigned low_zeros(LLVMTargetDataRef layout, LLVMValueRef x, LLVMValueRef base);
#endif
