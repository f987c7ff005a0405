// SPDX-License-Identifier: Apache-2.0
// What the files that emit block functions share.
#ifndef HEDDLE_JIT_BLOCK_H
#define HEDDLE_JIT_BLOCK_H
#include "jit/ir/ir.h"
#include "jit/ir/region.h"
#include "jit/ir/tuning.h"
#include "jit/abi/state.h"

enum block_form {
    BLOCK_SINGLE, // nothing waits: a loop over the gangs
    BLOCK_LOOPS,  // the whole block goes from region to region together
    BLOCK_PHASES, // threads diverge between barriers of the whole block
    BLOCK_GANGS,  // gangs diverge, but not the lanes of one
    BLOCK_MACHINE // anything
};

struct block_gen {
    struct region_plan *plan;
    struct diag *d;
    enum block_form form;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMTypeRef i1, i8, i16, i32, i64, f32, ptr, void_type, vector; // vector: <W x i32>
    unsigned width;
    bool yields;       // some region waits by yielding: it spins
    bool yields_block; // some region begins where threads yield to their block
    bool clusters;     // some region is at the cluster's barrier
    // of the function that is being written
    LLVMValueRef function, launch, block, frame;
    LLVMValueRef threads, padded, gangs_full, gangs; // i32, constants when the shape is known
    LLVMValueRef raw, gang_frames;
    LLVMValueRef now, next;
    LLVMValueRef next_masked; // in place of next where some lanes run; NULL: the same
    LLVMValueRef count;       // i32: blocks side by side that the call runs (block/sweep.c); NULL: one
    LLVMValueRef points, kept,
        slot; // of the interleaved region that is being written; slot: i64, the gang's index in both
};

// ---- build.c
// Whether a pointer leads into what one of these parameters (a bit for each region_parameter) points to.
bool block_is_within(LLVMValueRef function, LLVMValueRef pointer, unsigned parameters);
enum block_form block_form_of(const struct region_plan *p);
// What all passes of this room begin with; the caller disposes of its builder.
struct block_gen block_begin(struct region_plan *plan, struct diag *d);
void block_lay_out_frame(struct block_gen *g, struct jit_variant *v); // its size in the variant
LLVMBasicBlockRef block_new(struct block_gen *g, const char *name);
LLVMValueRef block_const(struct block_gen *g, uint64_t v); // i32
LLVMValueRef block_at(struct block_gen *g, LLVMValueRef p, LLVMValueRef bytes);
LLVMValueRef block_field(struct block_gen *g, LLVMTypeRef t, LLVMValueRef p, size_t offset);
void block_set_field(struct block_gen *g, LLVMValueRef v, LLVMValueRef p, size_t offset);
// Begins a function with the parameters launch and block, then those given; sets up everything below `function`.
LLVMValueRef block_function(struct block_gen *g, const char *name, LLVMTypeRef ret, LLVMTypeRef *more, unsigned nmore);
// Which gang comes at this position of a loop over so many.
LLVMValueRef block_gang_at(struct block_gen *g, LLVMValueRef position, LLVMValueRef gangs);
// Calls region r for gang `gang` with all lanes (mask NULL) or some of them.
LLVMValueRef block_call_region(struct block_gen *g, unsigned r, LLVMValueRef gang, LLVMValueRef mask);
// Behind the loop over the full gangs, in the builder's block, which has their result: the gang with fewer threads than
// lanes. Leaves the builder at `done`, behind it; returns the phi there, to which other edges may be added.
LLVMValueRef block_finish_gangs(struct block_gen *g, unsigned r, LLVMValueRef last, LLVMBasicBlockRef done);
LLVMValueRef block_mask_below(struct block_gen *g, LLVMValueRef lanes); // lanes 0 ... lanes-1

// block/merge.c: memory for what gangs merge, on the stack of the block function or in the worker's table, behind what next points
// to; what it begins with; how it reaches the worker's, at the block's end.
LLVMValueRef block_merge_buffer(struct block_gen *g, const char *name);
LLVMValueRef block_merge_room(struct block_gen *g);
void block_merge_begin(struct block_gen *g);
void block_merge_end(struct block_gen *g);

// block/machine.c: the body of a block by the scheduler; returns JIT_DONE or JIT_YIELD.
void block_emit_machine(struct block_gen *g);
// Calls a function of abi/run.h.
LLVMValueRef block_call_run(struct block_gen *g, const char *name, LLVMTypeRef ret, LLVMValueRef *args, unsigned n);

// block/interleave.c: loops that the gangs of a block go through together.
enum {
    INTERLEAVE_FINISHED = 255, // the point of a gang that has reached the end of the region; 0: its start
    INTERLEAVE_STANDS =
        0xffffffffu // what the function of an interleaved region returns when the gang has stopped; no state is that
};

// block/sweep.c: the loop over the gangs of an interleaved region, of one block or of several side by side.
// Lessens region_plan.side to what is possible.
void block_limit_side(struct block_gen *g);
// How many the next call runs (i64), where so many blocks are left to the entry function.
LLVMValueRef block_side_count(struct block_gen *g, LLVMValueRef left);
// Runs interleaved region r for all gangs; returns its result.
LLVMValueRef block_interleaved_loop(struct block_gen *g, unsigned r);
// Runs region r, which is all of the kernel, for all gangs of the blocks of a call, row by row.
void block_rows_loop(struct block_gen *g, unsigned r);
#endif
