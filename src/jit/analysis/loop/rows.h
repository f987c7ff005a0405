// SPDX-License-Identifier: Apache-2.0
// Rows: memory that each thread walks through by itself in a loop, a few bytes further on each iteration, while the threads beside it
// are in rows of their own, a line or more away: `for (k = 0; k < n; k++) sum += in[i * n + k]`. For one thread they are the best there
// is, for a gang accesses from as many lines as lanes.
#ifndef HEDDLE_JIT_ROWS_H
#define HEDDLE_JIT_ROWS_H
#include "jit/analysis/loops.h"
#include "jit/ir/region.h"

enum { ROWS_MAX = 8 };

struct rows {
    unsigned n;
    struct row {
        // what its pointers are made of: a phi of the loop's head, or the sum of one and of what stays in the loop
        LLVMValueRef at;
        int64_t step;           // up to a line
        unsigned read, written; // bytes an iteration
    } of[ROWS_MAX];
};

// Of a loop, without loops inside: rows of 4 or 8 bytes an element in global memory.
struct rows rows_find(const struct cfg *c, int loop, const struct region_plan *plan);
// A sum of a phi of the loop's head and of what stays in the loop: both. NULL: it is none.
LLVMValueRef row_base(const struct cfg *c, int loop, LLVMValueRef sum, LLVMValueRef *phi);
#endif
