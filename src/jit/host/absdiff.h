// SPDX-License-Identifier: Apache-2.0
// See absdiff.c.
#ifndef HEDDLE_JIT_ABSDIFF_H
#define HEDDLE_JIT_ABSDIFF_H
#include <llvm-c/Core.h>

void absdiff_guard(LLVMModuleRef m);
#endif
