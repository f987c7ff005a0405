// SPDX-License-Identifier: Apache-2.0
// What generated block functions call (abi/run.c).
#ifndef HEDDLE_JIT_RESUME_RUN_H
#define HEDDLE_JIT_RESUME_RUN_H
#include "jit/abi/abi.h"
#include "jit/abi/state.h"

// Generated: runs the lanes of a gang that may run, each from its resume point, once. Returns which lanes ran.
typedef uint32_t resume_gang_fn(const struct jit_launch *launch, struct jit_block *block, uint32_t gang);

// Runs a block until it finishes (JIT_DONE) or only spins (JIT_YIELD; to be called again). flags: enum resume_flags.
uint32_t heddle_resume_machine(const struct jit_launch *launch, struct jit_block *block, resume_gang_fn *gang,
                               uint32_t threads, uint32_t padded, uint32_t width, uint32_t flags);
// The same for blocks whose gangs stay whole (plan_gangs_whole): a state for each gang, the n-th word behind struct resume_block.
// step runs a gang from a resume point and returns its next state.
typedef uint32_t resume_step_fn(const struct jit_launch *launch, struct jit_block *block, uint32_t gang,
                                uint32_t point);
uint32_t heddle_resume_gangs(const struct jit_launch *launch, struct jit_block *block, resume_step_fn *step,
                             uint32_t gangs, uint32_t flags);
// For region loops, where all threads wait at one resume point: their collective, or the result of their barrier.
void heddle_resume_all(uint64_t *raw, uint32_t threads, uint32_t padded, uint32_t state);

// For region loops, where the whole block stands at the cluster's barrier; kind: enum resume_kind. 1: the block has to wait;
// it sleeps until the phase is over.
uint32_t heddle_cluster_step(struct jit_block *block, uint32_t kind);

// The functions above by name, for the loader of compiled code.
#define RESUME_FUNCTIONS(X) X(heddle_resume_machine) X(heddle_resume_gangs) X(heddle_resume_all) X(heddle_cluster_step)
#endif
