// SPDX-License-Identifier: Apache-2.0
// What loops do in one iteration, and a kernel as a whole: the numbers that the cost model (cost.h) decides by, and the accesses of
// memory as sums (linear.h). One walk counts for all; an instruction counts for the innermost loop that it stands in and for the kernel.
#ifndef HEDDLE_JIT_PROFILE_H
#define HEDDLE_JIT_PROFILE_H
#include "base/vec.h"
#include "jit/analysis/linear.h"
#include "jit/analysis/loops.h"

enum profile_has {
    HAS_ORDERED = 1,      // volatile or atomic loads and stores
    HAS_ATOMIC = 2,       // read-modify-writes
    HAS_ATOMIC_EACH = 4,  // of these, such that lanes make one by one
    HAS_ATOMIC_SHOWN = 8, // of these, such that other blocks see at once
    HAS_EXCHANGE = 16,    // compare-and-swaps
    HAS_FENCE = 32,       // fences
    HAS_LOCAL = 64,       // variables in local memory
    HAS_CALL = 128,       // calls that may wait or do anything else
    HAS_FUNCTION = 256,   // calls of functions with a body, or of what an address names
    HAS_YIELD = 512,      // scheduling points of the block
};

struct profile {
    unsigned instructions;
    int operations; // of them those that become code: no casts, addresses, phis nor alignment checks
    unsigned floats, loads;
    unsigned chain;  // the most floating-point operations of which each needs the one before; of a kernel, of any loop
    unsigned global; // loads of global memory
    unsigned barriers;
    unsigned local; // bytes of variables in local memory
    // values that the head of the loop takes over, but for those that go on by a constant; of a kernel, the most of any loop
    unsigned carried;
    unsigned has; // enum profile_has
};

// For each loop of the graph; behind them, the kernel's own. In the graph's arena.
const struct profile *profile_loops(struct cfg *c);

// A load or store of memory that is global, or generic and so may be, and by how much its address grows on each iteration (lost: not known).
struct loop_access {
    LLVMValueRef instruction, address;
    struct linear at, step;
    bool write;
};

struct loop_accesses VEC(struct loop_access);

// Those of a loop, without those of loops inside; the list is emptied before.
void profile_accesses(const struct cfg *c, int loop, struct loop_accesses *out);
// b is where a will be so many iterations later, or less than a line from there.
bool access_is_near(const struct loop_access *a, const struct loop_access *b, int64_t iterations);
// Whether none before it in the list reaches the same line in an iteration.
bool access_is_first(const struct loop_accesses *a, size_t i);
#endif
