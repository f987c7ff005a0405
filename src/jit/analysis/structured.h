// SPDX-License-Identifier: Apache-2.0
// Structured control flow, which the vectoriser demands.
//
// A function is structured when every conditional branch is an if-then (one successor is its immediate post-dominator)
// or the latch of a loop, which is the loop's only exit and leads to a block of its own; joins have two predecessors,
// loops a preheader; there is one return. Hence the mask after an if or a loop is the mask before it. Values leave loops through
// phis (lcssa): lanes leave in different iterations, and there each one's value of its own last iteration is kept.
#ifndef HEDDLE_JIT_STRUCTURED_H
#define HEDDLE_JIT_STRUCTURED_H
#include "jit/analysis/cfg.h"

// NULL, or what is wrong, at which block.
const char *structured_fault(const struct cfg *c, int *block);
#endif
