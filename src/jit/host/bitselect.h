// SPDX-License-Identifier: Apache-2.0
// A guard between the passes and the code generator.
#ifndef HEDDLE_JIT_BITSELECT_H
#define HEDDLE_JIT_BITSELECT_H
#include <llvm-c/Core.h>
// Rewrites what LLVM's code generator for AVX-512 gets wrong, see bitselect.c. Nothing is optimised afterwards.
void bitselect_guard(LLVMModuleRef m);
#endif
