// SPDX-License-Identifier: Apache-2.0
// What lives across resume points, and where it is kept meanwhile.
#ifndef HEDDLE_JIT_RESUME_LIVE_H
#define HEDDLE_JIT_RESUME_LIVE_H
#include "jit/analysis/liveness.h"
#include "jit/resume/resume.h"

// A node is a stretch of a block without a wait: it ends at a resume point or at the block's terminator.
struct live_node {
    int block;
    LLVMValueRef first; // first instruction
    unsigned point;     // the resume point at its end, 0: the terminator
    bool together;      // the lanes of a gang run it together
    bool early;         // runs in region 0 only
};

enum { LIVE_OPERANDS = 16 }; // of a value that is computed again

enum live_home {
    LIVE_NOWHERE, // lives across no resume point
    LIVE_AGAIN,   // computed again
    LIVE_LOCAL,   // an alloca: local memory in the frame
    LIVE_FRAME,
    LIVE_RAW
};

struct live_value {
    LLVMValueRef value;
    unsigned node; // of the definition
    enum live_home home;
    unsigned slot; // first frame slot or raw slot (live_parts), or offset of the local memory
    bool diverged; // lives across a resume point where lanes may have diverged
    bool numbered; // its class of values that share a frame slot has one
};

struct live_set {
    struct VEC(unsigned) values;
};

struct live {
    struct resume *r;
    struct liveness lives;   // its stretches are the nodes
    struct live_node *nodes; // lives.n of them
    struct live_value *values;
    unsigned nvalues;
    struct map index;    // instruction -> value number + 1
    struct live_set *at; // by resume point: the values that live into it
};

// Fills plan->slots, raw_slots and local_bytes.
bool live_build(struct live *l, struct resume *r);
void live_fini(struct live *l);
// resume/share.c: gives the values whose home is the frame their slots.
void live_share_slots(struct live *l);
// The number of the value of an instruction, or -1 for anything else.
int live_index(const struct live *l, LLVMValueRef v);
// The nodes that can follow a node without waiting: pushes them to out.
struct live_nodes VEC(unsigned);
void live_successors(const struct live *l, unsigned node, struct live_nodes *out);
// The type in which a part of a value is kept: i1 becomes i32.
LLVMTypeRef live_slot_type(LLVMContextRef c, LLVMTypeRef t);
// A slot holds at most 64 bits. Wider integers are kept in words, the lowest first, structures and vectors by their elements, in
// slots one after the other: how many parts a value of this type has, directly (1: it is kept as it is), and the type of part i.
unsigned live_parts(LLVMTypeRef t);
LLVMTypeRef live_part_type(LLVMContextRef c, LLVMTypeRef t, unsigned i);
// How many slots a value of this type takes, from its first on.
unsigned live_slots(LLVMContextRef c, LLVMTypeRef t);
#endif
