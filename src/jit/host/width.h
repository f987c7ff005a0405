// SPDX-License-Identifier: Apache-2.0
// The width of kernels that have no need of their own.
#ifndef HEDDLE_JIT_WIDTH_H
#define HEDDLE_JIT_WIDTH_H
#include <llvm-c/Core.h>

// The width that scalar code is best run at, when nothing demands one; `threads` in a block, 0: any.
unsigned width_of_kernel(LLVMValueRef kernel, unsigned width, unsigned threads);
#endif
