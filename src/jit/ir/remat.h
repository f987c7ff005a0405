// SPDX-License-Identifier: Apache-2.0
// Rematerialisation: values that are computed again where they are needed, from what is at hand there, and not kept.
#ifndef HEDDLE_JIT_REMAT_H
#define HEDDLE_JIT_REMAT_H
#include "base/map.h"
#include <llvm-c/Core.h>

enum remat {
    REMAT_NEVER,
    REMAT_AT_HAND, // as it is
    REMAT_AGAIN,   // an instruction, from its operands
};
// What becomes of an instruction; anything else is at hand.
typedef enum remat remat_fn(const void *with, LLVMValueRef x);

// How many instructions computing x again takes; more than the budget: it cannot be, or takes more.
unsigned remat_cost(LLVMValueRef x, unsigned budget, remat_fn *how, const void *with);
// x where the builder stands, with copies of what is computed again. done: what has been copied there already.
LLVMValueRef remat_build(LLVMBuilderRef b, LLVMValueRef x, struct map *done, remat_fn *how, const void *with);
#endif
