// SPDX-License-Identifier: Apache-2.0
// Natural loops of a control flow graph (cfg.h): what belongs to one, how it is entered, what its induction variables do and how
// often it runs.
#ifndef HEDDLE_JIT_LOOPS_H
#define HEDDLE_JIT_LOOPS_H
#include "jit/analysis/cfg.h"
#include "jit/ir/ir.h"
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

// Runs over the instructions of a loop (CFG_NONE: of all blocks that are reached), blocks in reverse post-order.
#define FOR_LOOP(c, loop, x)                                                                                           \
    for (unsigned block_ = 0; block_ < (c)->norder; block_++)                                                          \
        if (cfg_loop_contains(c, loop, (c)->order[block_]))                                                            \
            FOR_INSTRUCTIONS ((c)->blocks[(c)->order[block_]].block, x)
// The same without loops inside; CFG_NONE: of blocks that are in no loop.
#define FOR_LOOP_OWN(c, of, x)                                                                                         \
    for (unsigned block_ = 0; block_ < (c)->norder; block_++)                                                          \
        if ((c)->blocks[(c)->order[block_]].loop == (of))                                                              \
            FOR_INSTRUCTIONS ((c)->blocks[(c)->order[block_]].block, x)
// Over the phis of its header.
#define FOR_LOOP_PHIS(c, loop, x)                                                                                      \
    for (LLVMValueRef x = LLVMGetFirstInstruction((c)->blocks[(c)->loops[loop].header].block); LLVMIsAPHINode(x);      \
         x = LLVMGetNextInstruction(x))

// Whether a block is one of the loop's; a value, an instruction of one. NULL is not.
bool loop_has_block(const struct cfg *c, int loop, LLVMBasicBlockRef block);
bool loop_has(const struct cfg *c, int loop, LLVMValueRef v);
// The innermost loop that an instruction stands in, or CFG_NONE.
int loop_at(const struct cfg *c, LLVMValueRef instruction);
bool loop_is_innermost(const struct cfg *c, int loop);
// Tells LLVM how often the body of each loop is to stand there: times[i] of loop i, 1 that it stays, LOOP_FULLY as often as it runs.
enum { LOOP_FULLY = 0 };
void loop_unroll(const struct cfg *c, const unsigned *times);
// The only block outside that leads to the header; one that leads nowhere else. CFG_NONE: there is none.
int loop_entry(const struct cfg *c, int loop);
int loop_preheader(const struct cfg *c, int loop);
// Where the latch, which has two successors, leaves the loop to.
int loop_exit(const struct cfg *c, int loop);
// The condition of the latch's branch, and whether the loop goes on when it is true; NULL: there is none.
LLVMValueRef loop_condition(const struct cfg *c, int loop, bool *goes_on);

// A phi of the header, and what it is on the first iteration and on the next; NULL where edges differ.
bool loop_is_variable(const struct cfg *c, int loop, LLVMValueRef x);
LLVMValueRef loop_start(const struct cfg *c, int loop, LLVMValueRef phi);
LLVMValueRef loop_next(const struct cfg *c, int loop, LLVMValueRef phi);
// Whether x is `from` and a constant, of numbers or bytes; whether a phi goes on by a constant on some edge into it.
bool loop_is_step(LLVMValueRef x, LLVMValueRef from, int64_t *step);
bool loop_phi_step(LLVMValueRef phi, int64_t *step);
// What compilers leave of a loop that they have unrolled: a counter that begins with the low bits of a number, less than `most`, and
// goes down by one.
bool loop_is_remainder(const struct cfg *c, int loop, int64_t most);
// How often the latch runs when nothing leaves the loop before, where that follows from constants; 0: not known, or more than `most`.
unsigned loop_trip_count(const struct cfg *c, int loop, unsigned most);
// How often the only test that leaves the loop is made, wherever it stands; 0 as above, or where there are several.
unsigned loop_rounds(const struct cfg *c, int loop, unsigned most);
#endif
