// SPDX-License-Identifier: Apache-2.0
// The one-thread code of a kernel as it is analysed before it is vectorised: its functions with their graphs, and the shape of each value
// (shape.h).
#ifndef HEDDLE_JIT_SCALAR_H
#define HEDDLE_JIT_SCALAR_H
#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "jit/analysis/cfg.h"
#include "jit/analysis/shape.h"
#include "jit/ir/region.h"
#include <llvm-c/Core.h>

// What a block means for divergence.
struct block_facts {
    bool divergent_join; // two sets of lanes meet here: after a divergent if, or a divergent loop's exit
    bool divergent_exit; // it is the latter
    bool gang_join;      // as divergent_join, but between the gangs of a block
    bool divergent_loop; // header of a loop that lanes leave at different times
};

// A scalar function: a region, or a recursive function that regions call.
struct scalar_fn {
    LLVMValueRef function;
    struct cfg cfg;
    struct map index;  // argument or instruction -> number + 1
    struct map stored; // by frame slot: what is stored there
    unsigned nvalues;
    struct shape *shapes; // by number
    struct block_facts *facts;
    int exit; // the block that returns
    unsigned instructions;
    struct shape result; // of a region: the next resume point
    bool is_region;
    LLVMValueRef gang_function; // of a recursive function
    struct scalar_fn *one;      // as one thread sees it (gang/control/stream.c); NULL: not asked for yet
};

struct frame_slot {
    struct shape shape;
    uint64_t offset; // in the gang's frame, or in the uniform buffer
    bool in_block;   // block-uniform: lives in the uniform buffers
};

struct scalar_module {
    struct region_plan *plan;
    struct diag *d;
    struct arena arena;
    struct lanes lanes;
    struct scalar_fn *functions; // the regions, then the recursive functions
    unsigned nfunctions;
    struct frame_slot *slots;
    bool slots_in_block; // all gangs move together: block-uniform slots exist
};

// scalar_fn.c: numbers the values of a function, builds its graph and checks that it is structured.
bool scalar_fn_init(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef function);
void scalar_fn_fini(struct scalar_fn *f);
int scalar_fn_index(const struct scalar_fn *f, LLVMValueRef value); // -1: a constant
// Whether it stores different values into the frame slot.
bool scalar_fn_slot_differs(const struct scalar_fn *f, unsigned slot);
LLVMValueRef scalar_fn_condition(const struct scalar_fn *f, int block); // NULL: none

// shape_transfer.c: the shape of an instruction from those of its operands.
struct shape shape_of(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef value);
struct shape shape_transfer(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef inst);
// Whether an `or` of affine values is computed as the sum that it equals.
bool shape_or_is_add(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst);

// shape_builtin.c: the shape of a call of heddle.*; false: it is none that regions have.
bool shape_of_op(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef call, struct shape *out);

// shape_analyse.c: all functions together, to a fixpoint.
void shape_analyse(struct scalar_module *m);
#endif
