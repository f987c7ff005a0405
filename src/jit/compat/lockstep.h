// SPDX-License-Identifier: Apache-2.0
// Code that counts on the order in which a GPU runs threads, where CUDA promises none.
#ifndef HEDDLE_JIT_LOCKSTEP_H
#define HEDDLE_JIT_LOCKSTEP_H
#include <llvm-c/Core.h>
#include <stdbool.h>

// Whether threads of one warp seem to hand values to each other through shared memory with nothing between that makes
// them wait. `block_threads`: threads of a block.
bool lockstep_assumed(LLVMValueRef kernel, unsigned block_threads);
// Yields between results that all threads read right after a barrier and the stores that use their location again; how
// many.
unsigned lockstep_insert_yields(LLVMValueRef kernel, unsigned block_threads);
#endif
