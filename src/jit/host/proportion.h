// SPDX-License-Identifier: Apache-2.0
// What keeps LLVM's time in proportion to the code that it gets: see proportion.c.
#ifndef HEDDLE_JIT_PROPORTION_H
#define HEDDLE_JIT_PROPORTION_H
#include <llvm-c/Core.h>

// How many blocks dominate an instruction, on average.
unsigned proportion_depth(LLVMModuleRef m);
#endif
