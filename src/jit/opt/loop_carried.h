// SPDX-License-Identifier: Apache-2.0
// Frees what a loop carries from values that belong only to threads that leave it.
#ifndef HEDDLE_JIT_CARRY_H
#define HEDDLE_JIT_CARRY_H
#include <llvm-c/Core.h>

// The function has gone through lower/structurise.c: every loop has one latch, which is its only exit.
void carry_simplify(LLVMValueRef function);
#endif
