// SPDX-License-Identifier: Apache-2.0
// Vectors that are loaded right behind the stores of their elements: see assemble.c.
#ifndef HEDDLE_JIT_ASSEMBLE_H
#define HEDDLE_JIT_ASSEMBLE_H
#include <llvm-c/Core.h>

void assemble_vectors(LLVMModuleRef m);
#endif
