// SPDX-License-Identifier: Apache-2.0
// Gives every loop that can wait for another thread a point where its thread is put aside.
#ifndef HEDDLE_JIT_SPIN_H
#define HEDDLE_JIT_SPIN_H
#include <llvm-c/Core.h>

// Inserts heddle.yield() on the back edges of the loops of `function` that spin; returns how many back edges got one.
unsigned spin_insert_yields(LLVMValueRef function);
#endif
