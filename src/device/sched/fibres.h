// SPDX-License-Identifier: Apache-2.0
// Threads of a kernel with stacks of their own, which wait in the middle of functions.
//
// A kernel is cut into regions at its resume points, and what a thread has in registers there goes to the frame. A function that calls
// itself cannot be cut: its frames are on the stack. Where one waits, the kernel is compiled at width 1 and not cut
// (jit/resume/keep_stack.c): a resume point is a call, and each thread of the block is a fibre.
//  1. The scheduler is the one of width 1 (jit/abi/run.c), which gives each thread its turns; a thread that waits hands back the turn.
//  2. One thread of a block runs at a time, on the thread of the system that runs the block; a block that was put aside may go on on another
//     one. So nothing of the system's thread is kept over a wait: the scope of faults is left and entered again.
//  3. A fibre is taken when its thread begins and given back when it ends: threads that never wait use one after the other.
//  4. A fault is met on the fibre and raised again on the stack of who runs the block. Fibres in the middle of their code
//     are dropped as they stand: generated code holds nothing.
#ifndef HEDDLE_DEVICE_SCHED_FIBRES_H
#define HEDDLE_DEVICE_SCHED_FIBRES_H
#include "device/sched/runner.h"

// Generated: runs one thread from its beginning to its end.
typedef void heddle_thread_fn(const struct jit_launch *launch, struct jit_block *block, uint32_t thread);

// Half of those that there can be are in use. A grid should begin no more blocks, but for its first one: others may be in the middle
// of theirs, and may wait for it.
bool fibres_are_many(void);
uint32_t fibres_run(struct resident *r, heddle_thread_fn *fn, uint32_t threads, uint32_t padded, uint32_t flags);
void fibre_pause(uint32_t state);   // of the thread that runs: it waits
bool fibre_holds(uint64_t address); // it lies on the stack of the thread that runs
// The block is over, or let go. NULL: nothing to do.
void fibres_release(struct fibres *f);
#endif
