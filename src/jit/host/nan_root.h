// SPDX-License-Identifier: Apache-2.0
// See nan_root.c.
#ifndef HEDDLE_JIT_NAN_ROOT_H
#define HEDDLE_JIT_NAN_ROOT_H
#include <llvm-c/Core.h>

void nan_root_guard(LLVMModuleRef m);
#endif
