// SPDX-License-Identifier: Apache-2.0
// Emission: the gang form of one scalar function. struct gang is the state while one gang function is written; the
// files of gang/ are its topics. Masks are <W x i32> of 0 and -1; a mask that is NULL means that all lanes are active.
#ifndef HEDDLE_JIT_GANG_H
#define HEDDLE_JIT_GANG_H
#include "jit/gang/vectorise.h"
#include "jit/ir/dialect.h"
#include "jit/ir/tuning.h"

// A value as emitted. Affine: a base for each segment (only the first when not split), and, where its shape has a wrap,
// the bases of the wrap's source. Varying: a vector; i1 as a mask.
struct gang_value {
    LLVMValueRef base[SEGMENT_MAX];
    LLVMValueRef source[SEGMENT_MAX];
    LLVMValueRef vector;
};

// Accesses to adjacent locations (gang/memory/neighbours.c), of 64 bytes at most.
enum { NEIGHBOURS_MAX = 16, ROW_GROUPS = 4 };
struct neighbours {
    LLVMValueRef member[NEIGHBOURS_MAX]; // by position
    LLVMValueRef first, last;
    unsigned n;     // 0: none
    int64_t before; // bytes from the lowest member to the first access met
};

// A pointer that runs through a loop (gang/memory/running.c): what the lanes had when it began, in memory, and one offset for all.
enum { RUNNING_MAX = 8 };
struct running {
    LLVMValueRef phi;    // of the scalar code
    LLVMValueRef vector; // the phi of all lanes that would have been, and nobody reads
    LLVMValueRef start, memory, offset, mask;
    int64_t step;
};

struct gang {
    struct vectoriser *v;
    struct scalar_fn *f;
    const struct lanes *lanes; // = &v->scalar.lanes
    unsigned width;
    LLVMBuilderRef b;
    LLVMBuilderRef prologue; // at the end of the entry block, which dominates everything
    LLVMValueRef function;
    LLVMValueRef launch, block, frame, first_thread, uniform_now, uniform_next, raw; // parameters
    struct gang_value *values;                                                       // by number in f
    struct map once;                 // text -> value that was computed in the prologue
    LLVMValueRef by_lanes;           // memory of heddle.frame.lanes; NULL: none yet, or in the frame
    LLVMValueRef outlined;           // memory that functions of jit/abi/wrapped.h read and write; NULL: none yet
    LLVMValueRef copies;             // memory for what rare paths have loaded (gang/memory/memory.c); NULL: none yet
    LLVMValueRef matrix;             // memory for the operands and results of matrix instructions; NULL: none yet
    LLVMValueRef result;             // what the function returns
    unsigned versions;               // copies of code made so far for fast paths, in instructions
    unsigned spilled;                // bytes of large allocas placed in the frame
    struct VEC(LLVMValueRef) loaded; // loads, stores and atomics that were emitted with an earlier one
    struct neighbours writing, row_writing[ROW_GROUPS]; // stores that wait for the last of them: of records, to rows
    struct running running[RUNNING_MAX];
    unsigned nrunning;
    bool disjoint; // in a loop whose pointers lead to different memory (gang/memory/disjoint.c)
    struct {
        LLVMValueRef inst, mask, old;
    } appended; // the last addition that took elements for its lanes (gang/memory/append.c)
    struct {
        int loop;
        LLVMValueRef mask, all; // all: i1, whether the mask has all lanes
    } guarded;                  // the loop that is all of an if's `then` (gang/control/flow.c)
    LLVMValueRef told;          // struct jit_told: reads that the next call tells of (gang/memory/check.c)
    unsigned ntold;
    LLVMValueRef run;              // a mask whose lanes lie side by side, most often (gang/control/loop.c); NULL: none
    const struct leaving *leaving; // the divergent loop that is being emitted (gang/control/control.h); NULL: none
    bool failed;
};

// Reports an internal error or a missing feature; emission goes on with poison, and the result is thrown away.
LLVMValueRef gang_fail(struct gang *g, LLVMValueRef inst, const char *what);

// gang/value/value.c: types, constants and the forms of a value
LLVMTypeRef gang_type(struct gang *g, LLVMTypeRef t);        // without address space
LLVMTypeRef gang_vector_type(struct gang *g, LLVMTypeRef t); // W lanes; i1 is the mask type
LLVMValueRef gang_int(LLVMTypeRef t, int64_t x);
LLVMValueRef gang_i32(struct gang *g, int64_t x);
LLVMValueRef gang_i64(struct gang *g, int64_t x);
LLVMValueRef gang_offsets(struct gang *g, LLVMTypeRef t, const int64_t *offset);
LLVMValueRef gang_constant(struct gang *g, LLVMValueRef c);
LLVMValueRef gang_undefined(LLVMValueRef as, LLVMTypeRef t); // of this type, as undefined as the other
LLVMValueRef gang_splat(struct gang *g, LLVMValueRef x, unsigned n);
LLVMValueRef gang_wide(struct gang *g, LLVMValueRef x);             // in every lane
static inline LLVMTypeRef gang_lanes(struct gang *g, LLVMTypeRef t) // W of them, as they are
{
    return LLVMVectorType(t, g->width);
}
LLVMValueRef gang_iota(struct gang *g, LLVMTypeRef t);
LLVMValueRef gang_lane(struct gang *g, LLVMValueRef vector, unsigned lane);
LLVMValueRef gang_slice(struct gang *g, LLVMValueRef vector, unsigned first, unsigned n);
LLVMValueRef gang_concat(struct gang *g, LLVMValueRef *parts, unsigned n);
LLVMValueRef gang_step(struct gang *g, LLVMValueRef p, int64_t bytes); // pointer + constant
LLVMValueRef gang_gep(struct gang *g, LLVMValueRef p, LLVMValueRef bytes);
struct shape gang_shape(struct gang *g, LLVMValueRef value);
bool gang_is_uniform(struct gang *g, LLVMValueRef value);
struct gang_value *gang_slot(struct gang *g, LLVMValueRef inst);
LLVMValueRef gang_scalar(struct gang *g, LLVMValueRef value); // of a uniform value
// The base of a segment in the form of `want`, which must hold the value's own shape.
LLVMValueRef gang_base(struct gang *g, LLVMValueRef value, unsigned segment, const struct shape *want);
LLVMValueRef gang_source(struct gang *g, LLVMValueRef value, unsigned segment, const struct shape *want);
LLVMValueRef gang_vector(struct gang *g, LLVMValueRef value);                        // exact, whatever the shape
LLVMValueRef gang_vector_bits(struct gang *g, LLVMValueRef value);                   // i1 as <W x i1>
LLVMValueRef gang_lane_pointer(struct gang *g, LLVMValueRef address, unsigned lane); // affine without wrap
LLVMValueRef gang_lane_value(struct gang *g, LLVMValueRef value, unsigned lane);     // whatever the shape; i1 as i1
// True when no lane of the value's wrap source wrapped around; NULL when it needs no test.
LLVMValueRef gang_no_wrap(struct gang *g, LLVMValueRef value);
LLVMValueRef gang_in_range(struct gang *g, LLVMValueRef base, const int64_t *offset, bool is_signed);
void gang_set_scalar(struct gang *g, LLVMValueRef inst, LLVMValueRef x);
void gang_set_vector(struct gang *g, LLVMValueRef inst, LLVMValueRef x);
// Whatever the shape of inst: a scalar result for all lanes, or W results.
void gang_set_result(struct gang *g, LLVMValueRef inst, LLVMValueRef scalar, LLVMValueRef vector);
LLVMBasicBlockRef gang_block(struct gang *g, const char *name);
// A branch that nearly always goes to the first block; the builder goes on in `then`.
void gang_branch_likely(struct gang *g, LLVMValueRef c, LLVMBasicBlockRef likely, LLVMBasicBlockRef rare,
                        LLVMBasicBlockRef then);
LLVMValueRef gang_intrinsic2(struct gang *g, const char *name, LLVMValueRef a, LLVMValueRef b); // of the type of a
LLVMValueRef gang_lowest(struct gang *g, LLVMValueRef word); // the number of the lowest bit that is set; there is one
LLVMValueRef gang_alloca(struct gang *g, LLVMTypeRef t, unsigned align); // in the prologue
// Code that nearly always runs, and another one where it cannot: begins the first, then the second, then what follows both, where a
// value of either meets.
struct fork {
    LLVMBasicBlockRef fast, rare, done;
};
struct fork fork_begin(struct gang *g, LLVMValueRef ok, const char *fast, const char *rare, const char *done);
void fork_rare(struct gang *g, struct fork *f);
void fork_end(struct gang *g, struct fork *f);
LLVMValueRef fork_value(struct gang *g, const struct fork *f, LLVMValueRef of_fast, LLVMValueRef of_rare);
LLVMValueRef gang_and(struct gang *g, LLVMValueRef a, LLVMValueRef b); // of i1 or masks, either may be NULL

// gang/value/mask.c
LLVMValueRef gang_mask_bits(struct gang *g, LLVMValueRef mask); // <W x i1>
LLVMValueRef gang_mask_of(struct gang *g, LLVMValueRef bits);
LLVMValueRef gang_mask_all_ones(struct gang *g);
LLVMValueRef gang_mask_constant(struct gang *g, uint32_t lanes);
bool gang_mask_known(struct gang *g, LLVMValueRef mask, uint32_t *lanes); // the lanes of a constant mask
// Goes to `some` where a lane of the mask is set, and stands there; to `none` elsewhere, from the block that is returned.
LLVMBasicBlockRef gang_branch_any(struct gang *g, LLVMValueRef mask, LLVMBasicBlockRef some, LLVMBasicBlockRef none);
LLVMValueRef gang_freeze(struct gang *g, LLVMValueRef x); // a constant mask stays one
int gang_mask_lane(struct gang *g, LLVMValueRef mask);    // the only one of them; -1: there is none such
LLVMValueRef gang_any(struct gang *g, LLVMValueRef mask); // i1; of any number of lanes
LLVMValueRef gang_all(struct gang *g, LLVMValueRef mask);
LLVMValueRef gang_ballot(struct gang *g, LLVMValueRef mask);                                // i32, bit l = lane l
LLVMValueRef gang_mask_unballot(struct gang *g, LLVMValueRef word);                         // i32 -> mask
LLVMValueRef gang_blend(struct gang *g, LLVMValueRef mask, LLVMValueRef a, LLVMValueRef b); // a where active

// gang/value/lanes.c: code that runs once for each active lane
struct lane_loop {
    LLVMBasicBlockRef head, done;
    LLVMValueRef phi, word, lane; // lane: i64
    bool rare;                    // set after its begin: it is not unrolled
};
void lane_loop_begin(struct gang *g, struct lane_loop *l, LLVMValueRef mask);
void lane_loop_end(struct gang *g, struct lane_loop *l);
LLVMValueRef lane_spill(struct gang *g, LLVMValueRef vector); // memory that holds the vector
LLVMValueRef lane_reload(struct gang *g, LLVMTypeRef t, LLVMValueRef memory);
LLVMValueRef lane_read(struct gang *g, struct lane_loop *l, LLVMTypeRef t, LLVMValueRef memory);
void lane_write(struct gang *g, struct lane_loop *l, LLVMTypeRef t, LLVMValueRef memory, LLVMValueRef x);
// A value inside a lane loop: one for all lanes, or memory that has those of the lanes. i1 is carried as i32. Made before the loop, of
// what it reads, or for a result of this type, which is `start` (NULL: 0) where nothing is written; read and written within; a vector
// of all lanes again behind it. In a gang of one lane there is no loop, and what was written last is the result.
struct lane_operand {
    LLVMValueRef value, memory;
    LLVMTypeRef type;
    bool is_bool;
};
struct lane_operand lane_operand(struct gang *g, LLVMValueRef value);
struct lane_operand lane_result(struct gang *g, LLVMTypeRef t, LLVMValueRef start);
LLVMValueRef lane_operand_read(struct gang *g, struct lane_loop *l, const struct lane_operand *o);
void lane_operand_write(struct gang *g, struct lane_loop *l, struct lane_operand *o, LLVMValueRef x);
LLVMValueRef lane_operand_vector(struct gang *g, const struct lane_operand *o);

// The topics; each returns with g->failed set when it cannot.
void gang_emit_inst(struct gang *g, LLVMValueRef inst, LLVMValueRef mask); // gang/value/op.c
// gang/value/condition.c. The vector of a condition: a comparison of integers, logic on i1, a select.
bool gang_is_condition(LLVMValueRef inst);
LLVMValueRef gang_emit_condition(struct gang *g, LLVMValueRef inst);
// A condition over affine values is not computed where it stands but at each use: its vector is often needed only off
// the fast path, and the optimiser merges what is computed twice.
bool gang_is_lazy(struct gang *g, LLVMValueRef inst);
void gang_emit_load(struct gang *g, LLVMValueRef inst, LLVMValueRef mask); // gang/memory/memory.c
void gang_emit_store(struct gang *g, LLVMValueRef inst, LLVMValueRef mask);
void gang_emit_alloca(struct gang *g, LLVMValueRef inst);                    // gang/memory/frame.c
void gang_emit_atomic(struct gang *g, LLVMValueRef inst, LLVMValueRef mask); // gang/memory/atomic.c
bool gang_emit_record(struct gang *g, LLVMValueRef inst,
                      LLVMValueRef mask); // gang/memory/record.c; false: as any other
bool gang_emit_merged(struct gang *g, LLVMValueRef inst, LLVMValueRef mask); // gang/memory/merge.c; false: as any other
bool gang_is_merged(struct gang *g, LLVMValueRef inst); // so it is; may run where no lane is active
void gang_emit_together(struct gang *g, LLVMValueRef inst,
                        LLVMValueRef mask); // gang/memory/atomic.c: all lanes name one location
enum jit_sum gang_sum_of(LLVMTypeRef t);    // gang/memory/privatised.c; 0: none
unsigned gang_sum_bytes(enum jit_sum sum);
bool gang_may_wait(const struct region_plan *p);
// gang/memory/atomic.c: a vector with so many elements of what all lanes of x combine to.
LLVMValueRef gang_reduce(struct gang *g, LLVMAtomicRMWBinOp op, LLVMValueRef x, unsigned elements);
// Makes the atomic in memory that is the worker's own, at base + offset, <W x i32>, of each lane, one after the other since lanes may meet.
void gang_change_each(struct gang *g, LLVMValueRef inst, LLVMValueRef base, LLVMValueRef offsets);
bool gang_emit_private(struct gang *g, LLVMValueRef inst,
                       LLVMValueRef mask); // gang/memory/privatised.c; false: as any other
// Emits the addition where the worker's window may take it and leaves the builder where it may not; the block to meet in, or
// NULL: as any other.
LLVMBasicBlockRef gang_emit_windowed(struct gang *g, LLVMValueRef inst, LLVMValueRef mask);
void gang_emit_call(struct gang *g, LLVMValueRef inst, LLVMValueRef mask); // gang/control/call.c
bool gang_emit_intrinsic(struct gang *g, LLVMValueRef inst,
                         LLVMValueRef mask); // gang/value/intrinsic.c; false: not known

// gang/value/edge.c: what phis receive along an edge
struct edge {
    LLVMBasicBlockRef from;      // of the gang function
    struct gang_value *incoming; // one for each phi of the target, in order
};
unsigned edge_count(struct gang *g, int to);                                    // phis of the target
struct edge edge_new(struct gang *g, unsigned n);                               // of so many
struct edge edge_read(struct gang *g, int from, int to);                        // where the builder stands
LLVMValueRef edge_incoming(struct gang *g, LLVMValueRef phi, int from);         // of the scalar code
struct gang_value edge_value(struct gang *g, LLVMValueRef phi, LLVMValueRef x); // in the phi's form
void edge_assign(struct gang *g, int to, const struct edge *e);                 // the only edge into `to`
void edge_merge(struct gang *g, int to, const struct edge *e, unsigned n);      // phis
void edge_phis(struct gang *g, int to, const struct edge *first);               // as above, more edges to come
void edge_add(struct gang *g, int to, const struct edge *e);
// Lanes of the mask from a, the others from b; into a.
void edge_blend(struct gang *g, int to, LLVMValueRef mask, struct edge *a, const struct edge *b);

// gang/value/one.c: one lane of a gang by itself.
// Whether the instruction can stand in such code: a plain operation, nothing that waits, is volatile or atomic, or speaks of
// other lanes.
bool one_may_run(LLVMValueRef inst);
bool one_may_hold(LLVMTypeRef t); // values of this type
// The gang of one lane, i32. Values from outside must be set before they are read.
struct gang one_begin(struct gang *g, LLVMValueRef lane);
void one_end(struct gang *to, const struct gang *from); // what it has made is there for the gang

// gang/value/test.c: scalar tests of affine conditions
struct lane_test {
    LLVMValueRef all, none; // i1: certainly so for all lanes
};
// False when scalars cannot tell; then neither is certain.
bool gang_lane_test(struct gang *g, LLVMValueRef condition, bool negate, struct lane_test *out);
// Whether the lanes that pass lie side by side, as those of an index below a bound do where it does not wrap around.
bool gang_is_run(struct gang *g, LLVMValueRef condition);
// Whether such a test could find that all lanes pass; emits nothing.
bool gang_mixed_lanes(struct gang *g, LLVMValueRef condition, bool negate, uint32_t *lanes, bool *always);
bool gang_all_testable(struct gang *g, LLVMValueRef condition, bool negate);

// gang/control/loop.c, called by gang/control/flow.c: emits the loop entered from block `pre` and leaves the builder at its exit.
void gang_emit_loop(struct gang *g, int id, int pre, LLVMValueRef mask);
// gang/control/flow.c: blocks from b until stop, or to the end of the body of `loop`; from 0 on, to no stop and in no loop: all of them.
void gang_emit_sequence(struct gang *g, int b, int stop, LLVMValueRef mask, int loop);
// gang/value/value.c. Whether one more copy of so many instructions is within bounds; counts it when it is.
bool gang_may_copy(struct gang *g, unsigned instructions);

// gang/value/inactive.c: what may run for lanes that are not active.
// Whether it may run where no lane is.
bool gang_is_speculatable(LLVMValueRef inst);
bool gang_is_division(LLVMOpcode op);
// A divisor with which inactive lanes (the segment, where inst has a base for each) do not trap.
LLVMValueRef gang_safe_divisor(struct gang *g, LLVMValueRef inst, unsigned segment, LLVMValueRef divisor,
                               LLVMValueRef mask);
// Where a segment of a value of shape s reads: the sink when none of its lanes is active.
LLVMValueRef gang_segment_pointer(struct gang *g, const struct shape *s, unsigned segment, LLVMValueRef p,
                                  LLVMValueRef mask);

// gang/value/sreg.c
LLVMValueRef gang_shared(struct gang *g);
LLVMValueRef gang_sink(struct gang *g);
LLVMValueRef gang_lane_ids(struct gang *g); // <W x i32>: %laneid
LLVMValueRef gang_block_field(struct gang *g, LLVMTypeRef t, size_t offset, const char *name);
LLVMValueRef gang_launch_field(struct gang *g, LLVMTypeRef t, size_t offset, const char *name);
LLVMValueRef gang_threads_padded(struct gang *g); // i32
// A function of the engine, and a call of it.
LLVMValueRef gang_hook(struct gang *g, int index);
LLVMValueRef gang_call_hook(struct gang *g, int index, LLVMTypeRef result, LLVMValueRef *args, unsigned n);

// Emitters named in ir/dialect.def; declared from the table.
#define EMIT(name)                                                                                                     \
    void emit_##name(__attribute__((unused)) struct gang *g, __attribute__((unused)) LLVMValueRef call,                \
                     __attribute__((unused)) unsigned variant, __attribute__((unused)) LLVMValueRef mask)
#define OP(op, name, kinds, shape, emitter, number, type, about) EMIT(emitter);
#include "jit/ir/dialect.def"
#endif
