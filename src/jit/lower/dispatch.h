// SPDX-License-Identifier: Apache-2.0
// Control flow of any graph, rebuilt as loops and if-thens within each other; see dispatch.c. What lives between blocks
// goes to allocas: mem2reg has to follow, and nothing that threads jumps.
#ifndef HEDDLE_JIT_DISPATCH_H
#define HEDDLE_JIT_DISPATCH_H
#include <llvm-c/Core.h>
#include <stdbool.h>

// All of a function that has one return, which every block reaches.
void dispatch_function(LLVMValueRef function);
// The cycles with several entries alone; false: there are none.
bool dispatch_irreducible(LLVMValueRef function);
#endif
