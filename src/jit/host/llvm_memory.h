// SPDX-License-Identifier: Apache-2.0
// Memory that LLVM asks for: see llvm_memory.c.
#ifndef HEDDLE_JIT_HOST_LLVM_MEMORY_H
#define HEDDLE_JIT_HOST_LLVM_MEMORY_H

// The library is open: what fails from now on may escape.
void llvm_memory_opened(void);
#endif
