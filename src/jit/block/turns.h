// SPDX-License-Identifier: Apache-2.0
// The loop over the gangs of an interleaved region, of one block or of several side by side: block/turns.c.
#ifndef HEDDLE_JIT_TURNS_H
#define HEDDLE_JIT_TURNS_H
#include "jit/block/interleave.h"

// Lessens region_plan.side to what is possible.
void block_limit_side(struct block_gen *g);
// How many the next call runs (i64), where so many blocks are left to the entry function.
LLVMValueRef block_side_count(struct block_gen *g, LLVMValueRef left);
// Runs interleaved region r for all gangs; returns its result.
LLVMValueRef block_turns(struct block_gen *g, unsigned r);
#endif
