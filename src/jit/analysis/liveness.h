// SPDX-License-Identifier: Apache-2.0
// Where values live: stretches of a function's blocks, and those at whose start a value is still wanted.
#ifndef HEDDLE_JIT_LIVENESS_H
#define HEDDLE_JIT_LIVENESS_H
#include "base/vec.h"
#include "jit/analysis/cfg.h"

struct liveness {
    const struct cfg *cfg;
    unsigned *first, *last; // by block: its stretches have numbers one after the other
    unsigned n;             // of all stretches
    int *block;             // by stretch
    struct map at;          // instruction -> its stretch + 1
    unsigned *seen, value;  // by stretch: the last value that was seen there
    struct VEC(unsigned) worklist;
};

// Stretches end behind the instructions that `cuts` says so of (NULL: of none) and with the block.
void liveness_init(struct liveness *l, const struct cfg *c, bool (*cuts)(const void *with, LLVMValueRef x),
                   const void *with);
void liveness_fini(struct liveness *l);
unsigned liveness_stretch(const struct liveness *l, LLVMValueRef instruction);
// Calls `lives` once for each stretch at whose start x lives, an instruction of a block that is reached. Found from its uses up to its
// definition, so that the cost of all values is the sum of their live ranges and nothing is kept.
void liveness_visit(struct liveness *l, LLVMValueRef x, void (*lives)(void *with, unsigned stretch), void *with);
#endif
