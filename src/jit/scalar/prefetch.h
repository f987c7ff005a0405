// SPDX-License-Identifier: Apache-2.0
// heddle.prefetch(address, how): asks for memory, in scalar code.
#ifndef HEDDLE_JIT_SCALAR_PREFETCH_H
#define HEDDLE_JIT_SCALAR_PREFETCH_H
#include <llvm-c/Core.h>

enum {
    PREFETCH_FAR = 2,   // in the second cache
    PREFETCH_NEAR = 3,  // in the first
    PREFETCH_WRITE = 4, // to be written, whole: also the last lane's line where lanes lie side by side
};

void prefetch_emit(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef address, unsigned how);
#endif
