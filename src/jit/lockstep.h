// Code that counts on the threads of a warp going in step, though it does not say so with `volatile`.
#ifndef HEDDLE_JIT_LOCKSTEP_H
#define HEDDLE_JIT_LOCKSTEP_H
#include <llvm-c/Core.h>
#include <stdbool.h>

// Whether threads of one warp seem to hand values to each other through shared memory with nothing between that makes
// them wait. `block_threads`: threads of a block.
bool lockstep_assumed(LLVMValueRef kernel, unsigned block_threads);
#endif
