// SPDX-License-Identifier: Apache-2.0
// Results that blocks merge: see gang/memory/merge.c, and block/merge.c for the blocks' part.
#ifndef HEDDLE_JIT_GANG_MERGE_H
#define HEDDLE_JIT_GANG_MERGE_H
#include "jit/ir/region.h"

// Where the parts of a block's result lie behind the uniform slots (uniform_next), JIT_MERGED_ROOM bytes for each place: the vector,
// then a word of enum jit_merge.
static inline uint64_t merge_offset(const struct region_plan *p, unsigned number)
{
    return ((p->uniform_bytes + 16 + 63) & ~(uint64_t)63) + (uint64_t)number * JIT_MERGED_ROOM;
}
static inline bool merge_any(const struct region_plan *p)
{
    for (unsigned k = 0; k < JIT_MERGED; k++)
        if (p->merged[k].type)
            return true;
    return false;
}
#endif
