// SPDX-License-Identifier: Apache-2.0
// What programs without proper synchronisation count on. CUDA leaves the order open in which the warps of a block run,
// and many programs work only because on a GPU they run side by side. Heddle runs one gang after the other, and shows
// the race. This room finds such programs and gives them the schedule that they count on.
//
// Requirements:
//  1. A schedule is all that is chosen here. CUDA allows every one, so for a program without data races the result
//     is the same, by construction, whether a guess is right or wrong. No access is moved, deferred, added or left
//     out, and nothing is added that other threads could wait for: no barrier, which would pair with the program's
//     own ones.
//  2. The means is the yield, `heddle.yield.block`: a resume point that waits for nothing. The other threads of
//     its block that can run go on until they yield, wait or finish; then it goes on. It pairs with nothing and
//     counts nothing: a thread at a yield has arrived at no barrier and at no collective, and has not finished, so
//     that what waits for it waits on. It may stand anywhere: in one arm of a branch, in a loop with another number
//     of iterations in each thread, behind threads that have exited.
//  3. The other choice is that of the gang: a whole warp (lockstep_assumed), whose lanes take every step together.
//  4. Each finding is a guess. Budgets that run out, hashes that collide and values that are not understood may cost
//     time, or leave a race as it is, and by rule 1 nothing else.
//  5. HEDDLE_COMPAT=0 turns all of it off. At width 1, and with -G, it is always off: the plain schedule, one thread
//     after the other from wait to wait, which is the oracle for the other widths. HEDDLE_COMPAT=everywhere yields at
//     every step in place of guessing, which puts rule 1 to the test.
//
// Why a yield is right in each form of the block function: where all threads of a block reach it together, it is the
// end of a loop over the gangs, as a barrier is (block/block.c). With the scheduler (abi/run.c) a thread at a yield
// is one that may run in the next sweep. In the phases between barriers (block/machine.c) sweeps over the yielding
// threads alone come first, and the barrier is released when none is left. In a block of one gang there is nobody to
// yield to, and it is nothing.
#ifndef HEDDLE_JIT_COMPAT_H
#define HEDDLE_JIT_COMPAT_H
#include <llvm-c/Core.h>

// What the log says of yields.
void compat_tell(const char *kernel, unsigned yields);
#endif
