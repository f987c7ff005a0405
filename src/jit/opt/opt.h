// SPDX-License-Identifier: Apache-2.0
// The optimisations of one-thread code, before it is cut at its resume points.
#ifndef HEDDLE_JIT_OPT_H
#define HEDDLE_JIT_OPT_H
#include "jit/ir/region.h"

// range.c: tells what values special registers can have.
void range_mark(struct region_plan *plan);
// merge_guards.c: brings what tests compute up to tests that lead to the same place, where copies of code go by; true: LLVM
// can make one of them.
bool guard_gather(struct region_plan *plan, LLVMValueRef kernel);
// unroll_halving.c: marks loops with barriers that are better written out, and all others as not to be; false: there is none.
bool halving_mark(struct region_plan *plan, LLVMValueRef kernel);
// unroll_lines.c: marks loops through rows of each thread's own that are better unrolled up to a line of memory a turn, and all
// others as not to be; false: there is none. After that was done: brings their pointers to one form.
bool lines_mark(struct region_plan *plan, LLVMValueRef kernel);
void lines_settle(struct region_plan *plan, LLVMValueRef kernel);
// privatise.c: marks additions to global memory that may be made later (COLLECT_KIND and the others).
void collect_mark(struct region_plan *plan, LLVMValueRef kernel);
// prefetch.c: asks for memory that loops will read some turns later.
void prefetch_mark(struct region_plan *plan, LLVMValueRef kernel);
// interleave_gangs.c: marks loops that the gangs of a block had better go through together.
void weave_mark(struct region_plan *plan, LLVMValueRef kernel);
// prefetch_block.c: asks for memory that the next block will touch.
void ahead_mark(struct region_plan *plan, LLVMValueRef kernel);
// interleave_locals.c: local arrays whose address stays within the kernel are kept by lanes, in heddle.frame.lanes.
void local_interleave(struct region_plan *plan, LLVMValueRef kernel);
#endif
