// SPDX-License-Identifier: Apache-2.0
// Code that counts on the order in which a GPU runs threads, where CUDA promises none.
#ifndef HEDDLE_JIT_LOCKSTEP_H
#define HEDDLE_JIT_LOCKSTEP_H
#include <llvm-c/Core.h>
#include <stdbool.h>

// Yields between results that all threads read right after a barrier and the stores that use their location again; how
// many.
unsigned lockstep_insert_yields(LLVMValueRef kernel, unsigned block_threads);
#endif
