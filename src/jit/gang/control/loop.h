// SPDX-License-Identifier: Apache-2.0
// What gang/control/loop.c and gang/control/stream.c share: a loop of the scalar code.
#ifndef HEDDLE_JIT_GANG_LOOP_H
#define HEDDLE_JIT_GANG_LOOP_H
#include "jit/analysis/loops.h"
#include "jit/gang/gang.h"

struct loop {
    int id, header, latch, exit;
    LLVMValueRef condition;
    bool negate; // the loop goes on when the condition is false
};

// A loop that all lanes leave together, from the edge `in`; leaves the builder at its exit. What lives out of it is returned
// as the edge to the exit.
struct edge loop_emit_uniform(struct gang *g, const struct loop *l, const struct edge *in, LLVMValueRef mask);

// A divergent loop whose lanes run unmasked as long as all of them stay.
bool loop_in_phases(struct gang *g, int id);

// gang/memory/disjoint.c. A test before the loop, i1, whether its pointers lead to different memory; NULL: nothing to gain by it.
LLVMValueRef disjoint_test(struct gang *g, const struct loop *l, int pre);

// gang/control/stream.c. Whether the loop, a divergent one, is better run by one lane after the other; and that.
bool stream_pays(struct gang *g, const struct loop *l);
// Whether no lane will make more than two turns, i1, as far as a counter tells; NULL: there is none.
LLVMValueRef stream_is_short(struct gang *g, const struct loop *l, int pre, LLVMValueRef mask);
struct edge stream_emit(struct gang *g, const struct loop *l, int pre, LLVMValueRef mask);
#endif
