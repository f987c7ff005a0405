// SPDX-License-Identifier: Apache-2.0
// See float_select.c.
#ifndef HEDDLE_JIT_FLOAT_SELECT_H
#define HEDDLE_JIT_FLOAT_SELECT_H
#include <llvm-c/Core.h>

void float_select_guard(LLVMModuleRef m);
#endif
