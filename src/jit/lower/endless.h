// SPDX-License-Identifier: Apache-2.0
// Ways out of loops that have none, so that every block of a function leads to its return.
#ifndef HEDDLE_JIT_ENDLESS_H
#define HEDDLE_JIT_ENDLESS_H
#include <llvm-c/Core.h>

void endless_open(LLVMValueRef function);
#endif
