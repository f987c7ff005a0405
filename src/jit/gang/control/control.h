// SPDX-License-Identifier: Apache-2.0
// What the files of this folder share: a loop and an if of the scalar code.
#ifndef HEDDLE_JIT_GANG_CONTROL_H
#define HEDDLE_JIT_GANG_CONTROL_H
#include "jit/analysis/loops.h"
#include "jit/gang/gang.h"

// What a part of the code does, in numbers that decide how it is emitted.
struct extent {
    unsigned instructions, vectors;       // vectors: values of each lane's own
    unsigned work;                        // of these, such as are computed beside addresses
    unsigned accesses, scattered, affine; // accesses: gathers and scatters; with a stride
    LLVMValueRef stored;                  // where the last scatter that was seen writes
    bool memory, acts;                    // acts: some of it may not run for nobody (gang_is_speculatable)
    bool rows; // some of the scatters write rows (gang/memory/rows.c), which is best done without a mask
};
void extent_add(struct gang *g, struct extent *e, LLVMValueRef x);

struct loop {
    int id, header, latch, exit;
    struct extent extent;
    LLVMValueRef condition;
    bool negate; // the loop goes on when the condition is false
    bool tail;   // behind a copy without masks: of a run of lanes, most often once
};

// An if as the structured graph has it: `then` runs when the condition is true (false when negated), and meets the
// other path at `join`, which it enters from `last`.
struct if_then {
    int block, then, join, last, loop;
    LLVMValueRef condition;
    bool negate;
};

// Ways out of a divergent loop: the edges that lead to `done`, with what its lanes have when they leave.
enum { WAYS_MAX = 6 };
struct ways {
    unsigned n;
    struct edge way[WAYS_MAX];
};

// A divergent loop while its body is emitted: an if that all active lanes pass together and that else leads out of the loop
// (`if (++k == n) break`) goes straight to `done`, so that behind it there is no mask or value to merge.
struct leaving {
    const struct loop *loop;
    LLVMValueRef active;
    const struct edge *gone; // what lanes have that left before
    LLVMBasicBlockRef done;
    struct ways *ways;
};
// gang/control/loop.c. Whether the way around the if is such a one; and the end of the block that goes there.
bool loop_leaves_around(struct gang *g, const struct if_then *i, LLVMValueRef mask);
void loop_leave(struct gang *g, const struct if_then *i, const struct edge *around);

// A loop that all lanes leave together, from the edge `in`; leaves the builder at its exit. What lives out of it is returned
// as the edge to the exit.
struct edge loop_emit_uniform(struct gang *g, const struct loop *l, const struct edge *in, LLVMValueRef mask);

// A divergent loop whose lanes run unmasked as long as all of them stay.
bool loop_in_phases(struct gang *g, int id);

// gang/memory/disjoint.c. A test before the loop, i1, whether its pointers lead to different memory; NULL: nothing to gain by it.
LLVMValueRef disjoint_test(struct gang *g, const struct loop *l, int pre);

// gang/control/stream.c. Whether the loop, a divergent one, is better run by one lane after the other; and that.
bool stream_pays(struct gang *g, const struct loop *l);
// Whether no lane will make more than two iterations, i1, as far as a counter tells; NULL: there is none.
LLVMValueRef stream_is_short(struct gang *g, const struct loop *l, int pre, LLVMValueRef mask);
struct edge stream_emit(struct gang *g, const struct loop *l, int pre, LLVMValueRef mask);

// gang/control/single.c. The only lane that ever passes, where its code is worth a form of its own; else -1. `mixed`: the code is reached
// in a gang of which some lanes pass and some do not.
int single_lane(struct gang *g, const struct if_then *i, bool mixed);
// Emits what that lane runs. The edge to the join has all lanes' values, those of the others from `around`.
struct edge single_emit(struct gang *g, const struct if_then *i, unsigned lane, const struct edge *around);

// gang/memory/running.c: pointers that differ from lane to lane and go on by the same constant each time round a loop.
// In the order of a loop's emission: before its header (what it returns the others take), among the header's phis, behind
// them, and before the edge back is added to them. The mask is that of the loop's body.
unsigned running_prepare(struct gang *g, const struct loop *l, const struct edge *in, LLVMValueRef mask);
void running_phis(struct gang *g, unsigned first, LLVMBasicBlockRef from);
void running_vectors(struct gang *g, unsigned first, LLVMValueRef mask);
void running_back(struct gang *g, unsigned first);
// The one that this pointer is, but for a constant distance; NULL: none, or under another mask.
const struct running *running_find(struct gang *g, LLVMValueRef pointer, LLVMValueRef mask, int64_t *distance);
LLVMValueRef running_lane(struct gang *g, const struct running *r, unsigned lane); // without that distance
#endif
