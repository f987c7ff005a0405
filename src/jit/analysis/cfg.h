// SPDX-License-Identifier: Apache-2.0
// The control flow graph of a function, as LLVM-C does not offer it: blocks by number, predecessors, reverse
// post-order, dominators, post-dominators and natural loops. A snapshot: it is not updated when the function changes.
#ifndef HEDDLE_JIT_CFG_H
#define HEDDLE_JIT_CFG_H
#include "base/arena.h"
#include "base/map.h"
#include <llvm-c/Core.h>
#include <stdbool.h>

enum { CFG_NONE = -1 };

struct cfg_block {
    LLVMBasicBlockRef block;
    unsigned nsucc, npred;
    int *succ;               // in the order of the terminator's successors
    int *pred;               // one entry for each edge
    int rpo;                 // index in reverse post-order; CFG_NONE: unreachable
    int idom;                // CFG_NONE for the entry and unreachable blocks
    int ipdom;               // CFG_NONE when only the function's end (or nothing) post-dominates it
    int loop;                // innermost loop, CFG_NONE outside
    int heads;               // the loop whose header this is, or CFG_NONE
    int dom_first, dom_last; // the blocks it dominates have numbers of the dominator tree from first to last
};

struct cfg_loop {
    int header;
    int latch;      // the only source of back edges; CFG_NONE when there are several
    int parent;     // enclosing loop or CFG_NONE
    unsigned depth; // 1: outermost
};

struct cfg {
    LLVMValueRef function;
    struct cfg_block *blocks; // in the order of the function; 0 is the entry
    unsigned nblocks;
    int *order; // reachable blocks in reverse post-order
    unsigned norder;
    struct cfg_loop *loops; // outer loops before inner ones
    unsigned nloops;
    bool irreducible;   // some cycle is not a natural loop
    struct map index;   // block -> number + 1
    struct arena arena; // of all this, and for who wants memory as long as the graph lives
};

void cfg_build(struct cfg *c, LLVMValueRef function);
void cfg_fini(struct cfg *c);
// The number of a block of this function; CFG_NONE for any other.
int cfg_index(const struct cfg *c, LLVMBasicBlockRef block);
// Reflexive: a block dominates itself.
bool cfg_dominates(const struct cfg *c, int a, int b);
bool cfg_postdominates(const struct cfg *c, int a, int b);
// Immediate post-dominators among the blocks `inside`, where those that leave have an edge to one end, number nblocks, besides their
// own; CFG_NONE: the end is not reached. From the arena.
int *cfg_postdominators(const struct cfg *c, struct arena *a, const bool *inside, const bool *leaves);
// Adds to `reached` every block that is reached from one of it along edges, or back against them, through blocks of `through` alone
// (NULL: any).
void cfg_reach(const struct cfg *c, bool back, const bool *through, bool *reached);
// Visits what can run from an instruction on, in no particular order but within a block: each once, but what follows `from` in its own
// block twice where that is part of a cycle. A path ends where `visit` says CFG_END, and before the block `until` (CFG_NONE: none). The
// walk ends where it says CFG_FOUND; the result is whether it did.
enum cfg_visit { CFG_GO_ON, CFG_END, CFG_FOUND };
typedef enum cfg_visit cfg_visit_fn(void *with, LLVMValueRef x);
bool cfg_walk(const struct cfg *c, LLVMValueRef from, int until, cfg_visit_fn *visit, void *with);
// The same from any of several on; what follows one of them in its own block may come once for each of them, and once more.
bool cfg_walk_all(const struct cfg *c, const LLVMValueRef *from, size_t n, int until, cfg_visit_fn *visit, void *with);
// The reachable blocks in a reverse post-order in which a loop comes before what follows it: norder numbers from the arena.
int *cfg_loops_first(const struct cfg *c, struct arena *a);
bool cfg_loop_contains(const struct cfg *c, int loop, int block);
#endif
