// SPDX-License-Identifier: Apache-2.0
// Threads of a kernel with stacks of their own: what a debugger needs to see all threads of a block.
//
// Requirements, and how they are met:
//  1. Every thread of the block has frames and variables from its beginning to its end, also while it waits. So each one runs on
//     a thread of the system, taken from a store, and its code is not cut at resume points (jit/resume/keep_stack.c).
//  2. The schedule is that of width 1, and no race is added: one thread of a block runs at a time. It has been handed the turn by
//     the scheduler (jit/abi/run.c), and hands it back where it waits, where it ends, and where it is held. So shared memory
//     is as plain here as anywhere, and stepping one thread moves no other.
//  3. A debugger may move its focus to another thread of the block, which then runs while the first stays where it is, in the middle of
//     its code. It writes the number of the thread into heddle_debug and gives the first one a signal, whose handler hands the
//     turn back: the thread is *held*. The wanted one then runs within the turn of the held one, as far as it comes; the scheduler is told
//     when its own turn comes, since the order of turns is not promised to programs. Threads that cannot run are not
//     run: then the held one goes on.
//  4. A fault ends the kernel as ever: it is met on the thread's stack, and raised again on the thread that runs the block. Threads
//     that are in the middle of their code then leave it by a jump.
//  5. A block that is put aside keeps its threads. All of this is for code with -G under HEDDLE_DEBUGGER=1 only; elsewhere threads with
//     stacks of their own are fibres (sched/fibres.h).
#ifndef HEDDLE_DEVICE_DEBUG_STACKS_H
#define HEDDLE_DEVICE_DEBUG_STACKS_H
#include "device/debug/state.h"

// The block is over, or let go: its threads leave their code and go back to the store. NULL: nothing to do.
void own_stacks_release(struct debug_block *d);
#endif
