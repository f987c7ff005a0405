// SPDX-License-Identifier: Apache-2.0
// Brings functions to structured control flow (analysis/structured.h).
#ifndef HEDDLE_JIT_LOWER_H
#define HEDDLE_JIT_LOWER_H
#include "jit/ir/pass.h"

// What HEDDLE_STRUCTURE says.
enum structured_how structured_asked(void);
// Exits of loops that have none, so that every block of a function leads to its return.
void endless_open(LLVMValueRef function);
// Control flow of any graph, rebuilt as loops and if-thens within each other (dispatch.c). What lives between blocks goes to allocas:
// mem2reg has to follow, and nothing that threads jumps. All of a function that has one return, which every block reaches; or the
// cycles with several entries alone, false: there are none.
void dispatch_function(LLVMValueRef function);
bool dispatch_irreducible(LLVMValueRef function);
#endif
