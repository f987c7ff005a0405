// SPDX-License-Identifier: Apache-2.0
// What the parts of the vectoriser share: the compilation (struct vectoriser), a scalar function with its analysis
// (struct scalar_fn), and the steps in the order in which vectorise_regions() takes them.
#ifndef HEDDLE_JIT_VECTORISE_H
#define HEDDLE_JIT_VECTORISE_H
#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"
#include "jit/scalar/cfg.h"
#include "jit/region.h"
#include "jit/shape/shape.h"
#include <llvm-c/Core.h>

struct gang;

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
    struct scalar_fn *one;      // as one thread sees it (gang/stream.c); NULL: not asked for yet
};

struct frame_slot {
    struct shape shape;
    uint64_t offset; // in the gang's frame, or in the uniform buffer
    bool in_block;   // block-uniform: lives in the uniform buffers
};

struct vectoriser {
    struct region_plan *plan;
    struct diag *d;
    struct arena arena;
    struct lanes lanes;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMTypeRef i1, i8, i16, i32, i64, f32, ptr, void_type, mask; // mask: <W x i32>
    bool arm;
    unsigned invariant_kind; // metadata kind of !invariant.load
    unsigned collect_kind, window_kind,
        merge_kind; // and of additions that may be made later; how many of them were emitted
    unsigned collected;
    unsigned scope_kind, noalias_kind;
    LLVMValueRef frame_scope;    // what frame slots lie in, and nothing that programs reach
    struct map builtins;         // declaration heddle.* -> number + 1
    struct scalar_fn *functions; // the regions, then the recursive functions
    unsigned nfunctions;
    struct frame_slot *slots;
    bool slots_in_block;   // all gangs move together: block-uniform slots exist
    uint64_t local_offset; // of heddle.frame.local in the gang's frame
    uint64_t lanes_offset; // of heddle.frame.lanes, where it is there
    bool lanes_in_frame;
    uint64_t spill_offset; // of large allocas in the gang's frame
    uint64_t spill_bytes;
};

// Builtins: the functions heddle.* of the dialect, from gang_builtin.def.
struct builtin {
    const char *name; // after "heddle."; one that ends in '.' is a prefix
    struct shape (*shape)(struct vectoriser *v, struct scalar_fn *f, LLVMValueRef call, unsigned variant);
    bool (*emit)(struct gang *g, LLVMValueRef call, unsigned variant, LLVMValueRef mask);
    unsigned variant;
};
// The builtin that the call is to; NULL for any other function.
const struct builtin *builtin_of_call(const struct vectoriser *v, LLVMValueRef call);
void builtin_index(struct vectoriser *v);
const char *call_name(LLVMValueRef call); // "" when indirect

// Width of an integer type, 64 for a pointer, 0 for anything else.
unsigned type_bits(LLVMTypeRef t);
static inline bool type_is_bool(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1;
}
bool value_is_undef(LLVMValueRef v);
// A constant integer of at most 64 bits.
bool value_constant(LLVMValueRef v, int64_t *out);

// shape/function.c: numbers the values of a function, builds its graph and checks that it is structured.
bool scalar_fn_init(struct vectoriser *v, struct scalar_fn *f, LLVMValueRef function);
void scalar_fn_fini(struct scalar_fn *f);
int scalar_fn_index(const struct scalar_fn *f, LLVMValueRef value); // -1: a constant
// For loop `l`: the block it leaves to.
// Whether it stores different values into the frame slot.
bool scalar_fn_slot_differs(const struct scalar_fn *f, unsigned slot);
int scalar_fn_loop_exit(const struct scalar_fn *f, int loop);
LLVMValueRef scalar_fn_condition(const struct scalar_fn *f, int block); // NULL: none

// shape/transfer.c: the shape of an instruction from those of its operands.
struct shape shape_of(const struct vectoriser *v, const struct scalar_fn *f, LLVMValueRef value);
struct shape shape_transfer(struct vectoriser *v, struct scalar_fn *f, LLVMValueRef inst);
// Whether an `or` of affine values is computed as the sum that it equals.
bool shape_or_is_add(const struct vectoriser *v, const struct scalar_fn *f, LLVMValueRef inst);

// shape/builtin.c: the shapes of heddle.* calls, named in gang_builtin.def.
// shape/analyse.c: all functions together, to a fixpoint.
void shape_analyse(struct vectoriser *v);

// gang/frame.c: places for slots and local memory.
void frame_layout(struct vectoriser *v);
// gang/function.c: the gang form of a region, with every lane active or under a mask; NULL when it failed.
LLVMValueRef gang_emit_region(struct vectoriser *v, struct scalar_fn *f, const struct region *region, const char *name,
                              bool masked);
// Declares, then fills, the gang form of a recursive function.
void gang_declare_callee(struct vectoriser *v, struct scalar_fn *f);
bool gang_emit_callee(struct vectoriser *v, struct scalar_fn *f);
#endif
