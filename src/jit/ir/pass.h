// SPDX-License-Identifier: Apache-2.0
// One compilation on its way through the passes of pass.def, and the functions that the table names. A pass is the function
// pass_NAME of its file: it reads and changes the compilation, and is known to the pipeline by its row alone.
#ifndef HEDDLE_JIT_IR_PASS_H
#define HEDDLE_JIT_IR_PASS_H
#include "jit/ir/dialect.h"
#include "jit/ir/machine.h"
#include "jit/ir/region.h"
#include "jit/ir/remark.h"
#include "jit/ir/tuning.h"
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

struct jit_object;
struct jit_options;
struct ptx_func;
struct ptx_module;
struct resume;
struct vectoriser;

enum { PASS_NARROW = 8 }; // the width of code that is too large for its own

// How much of LLVM the gang code gets.
enum code_size { CODE_USUAL, CODE_LARGE, CODE_QUICK, CODE_DEEP, CODE_HUGE };

// What brings control flow to its structured form.
enum structured_how {
    STRUCTURED_LLVM,    // structurizecfg
    STRUCTURED_DISPATCH // lower/dispatch.c, which takes any graph
};

struct translate_result {
    LLVMValueRef kernel;    // void ()
    uint32_t shared_static; // bytes, the dynamic part begins here
    uint32_t shared_align;  // the greatest of a variable there, 0: there is none
    bool warp_collectives;  // shfl, vote, match, redux, activemask, bar.warp, mma anywhere in reach
    bool volatile_shared;   // volatile accesses to shared memory (warp-synchronous code)
    bool flush_denormals;   // every f32 operation in reach is .ftz and there is no f64 arithmetic
    bool cluster;           // may reach other blocks of its cluster
    bool checked;           // what only checked code needs is told
    uint32_t instructions;  // PTX instructions in reach
    LLVMDIBuilderRef debug; // NULL, or the builder of debug information, which the caller finalises and disposes of
};

struct compilation {
    const struct ptx_module *ptx;
    const struct ptx_func *kernel;
    const struct jit_options *options;
    struct jit_object *out;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    LLVMPassBuilderOptionsRef passes;
    struct region_plan plan;
    struct translate_result t;
    struct diag *d;
    bool verify; // code is verified after every pass, LLVM's included
    enum structured_how how;
    struct resume *resume;         // from the pass waits to split
    struct vectoriser *vectoriser; // from the pass shapes to vectorise
    bool marked;                   // by the last pass that marks: there is work for the passes behind it
    bool rebuilt;                  // cycles with several entries
    bool narrowed;                 // options->width is the JIT's own choice, since the code was too large for another
    bool may_narrow;
    unsigned region_size; // instructions of the scalar regions
    bool dense;           // with collectives: it becomes narrower only where LLVM could not handle it else
    unsigned collectives;
    unsigned checked_sites;   // by the pass instrument: accesses that it told of,
    struct jit_stores stores; // and through what the kernel stores
    bool quick;               // no more than quick code is made
    enum code_size size;
    bool too_large;    // the pipeline was left: at this width the code is more than LLVM handles in reasonable time
    bool unstructured; // the pipeline was left: LLVM did not structure the control flow
    bool calls_wait;   // the pipeline was left: functions that stay calls wait
    bool calls;        // functions stay calls
    bool fibres;       // made again for that: at width 1, and each thread has a stack of its own
};

typedef bool pass_fn(struct compilation *c); // false: it failed, with diagnostics, or left the pipeline

#define PASS(name, function, when, optional, needs, about) pass_fn pass_##function;
#define LLVM_PASS(name, pipeline, when, about)
#include "jit/pass.def"
#undef PASS
#undef LLVM_PASS

// Runs passes of LLVM's, which the module's functions tell how subnormals count; machine NULL: of none. What went wrong, or NULL.
LLVMErrorRef pass_run_llvm(struct compilation *c, const char *pipeline, LLVMTargetMachineRef machine,
                           LLVMPassBuilderOptionsRef options);
// Calls fn for each function that has code. True, as passes end.
bool pass_functions(struct compilation *c, void (*fn)(struct compilation *c, LLVMValueRef function));
// Whether HEDDLE_DUMP asks for this: the name of a pass (of one with a point, the part before it will do), asm or verify.
bool pass_dump_asked(const char *name);
#endif
