// SPDX-License-Identifier: Apache-2.0
// One compilation on its way through the passes of pass.def, and which of them are switched off.
#ifndef HEDDLE_JIT_PASS_H
#define HEDDLE_JIT_PASS_H
#include "jit/ir/region.h"
#include "jit/jit.h"
#include "jit/lower/structurise.h"
#include "jit/translate/translate.h"
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

enum { PASS_NARROW = 8 }; // the width of code that is too large for its own

// How much of LLVM the gang code gets.
enum code_size { CODE_USUAL, CODE_LARGE, CODE_QUICK, CODE_DEEP, CODE_HUGE };

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
    enum structured_how how;
    bool marked;   // by the last pass that marks: there is work for the passes behind it
    bool rebuilt;  // cycles with several entries
    bool lockstep; // the gang has to be a warp
    bool may_narrow;
    unsigned collectives;
    bool quick; // no more than quick code is made
    enum code_size size;
    bool too_large;    // the pipeline was left: at this width the code is more than LLVM handles in reasonable time
    bool unstructured; // the pipeline was left: LLVM did not structure the control flow
};

typedef bool pass_fn(struct compilation *c);            // false: it failed, with diagnostics, or left the pipeline
typedef bool pass_when_fn(const struct compilation *c); // does the pass run?

#define PASS(name, function, when, optional, needs, about)                                                             \
    pass_fn pass_##function;                                                                                           \
    pass_when_fn when_##when;
#define LLVM_PASS(name, pipeline, when, about) pass_when_fn when_##when;
#include "jit/pass.def"
#undef PASS
#undef LLVM_PASS

unsigned pass_count_instructions(LLVMModuleRef m);
bool pass_dump_asked(const char *name); // by HEDDLE_DUMP
#endif
