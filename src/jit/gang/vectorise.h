// SPDX-License-Identifier: Apache-2.0
// What the parts of the vectoriser share: the compilation (struct vectoriser), a scalar function with its analysis
// (struct scalar_fn), and the steps of the passes shapes and vectorise.
#ifndef HEDDLE_JIT_VECTORISE_H
#define HEDDLE_JIT_VECTORISE_H
#include "base/diag.h"
#include "jit/analysis/scalar.h"
#include <llvm-c/Core.h>

struct gang;

struct vectoriser {
    struct scalar_module scalar; // what is vectorised
    struct region_plan *plan;    // as scalar.plan, with the module and layout
    struct diag *d;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMTypeRef i1, i8, i16, i32, i64, f32, ptr, void_type, mask; // mask: <W x i32>
    bool arm;
    unsigned private_sums;             // additions to the worker's table that were emitted (gang/memory/privatised.c)
    unsigned scope_kind, noalias_kind; // of metadata
    LLVMValueRef frame_scope;          // what frame slots lie in, and nothing that programs reach
    LLVMValueRef shared_scope;         // the block's shared memory, which no pointer to global memory leads to
    LLVMValueRef both_scopes;
    uint64_t local_offset; // of heddle.frame.local in the gang's frame
    uint64_t lanes_offset; // of heddle.frame.lanes, where it is there
    bool lanes_in_frame;
    uint64_t spill_offset; // of large allocas in the gang's frame
    uint64_t spill_bytes;
};

// Ends what the pass shapes began; v may be NULL.
void vectorise_release(struct vectoriser *v);

// gang/memory/frame.c: where slots and local memory lie.
void frame_layout(struct vectoriser *v);
// gang/control/function.c: the gang form of a region, with every lane active or under a mask; NULL when it failed.
LLVMValueRef gang_emit_region(struct vectoriser *v, struct scalar_fn *f, const struct region *region, const char *name,
                              bool masked);
// Declares, then fills, the gang form of a recursive function.
void gang_declare_callee(struct vectoriser *v, struct scalar_fn *f);
bool gang_emit_callee(struct vectoriser *v, struct scalar_fn *f);
#endif
