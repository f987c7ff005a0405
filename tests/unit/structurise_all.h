// SPDX-License-Identifier: Apache-2.0
// The rows of pass.def that structure control flow, over a module of a test.
#ifndef HEDDLE_TESTS_STRUCTURISE_ALL_H
#define HEDDLE_TESTS_STRUCTURISE_ALL_H
#include "jit/llvm_passes.h"
#include "jit/lower/structurise.h"

// Runs a string of LLVM's passes over the module, as step `name`.
typedef bool structurise_run(void *arg, const char *name, const char *pipeline);

static inline bool structurise_all(LLVMModuleRef m, enum structured_how how, structurise_run *run, void *arg,
                                   bool *refused, struct diag *d)
{
    struct compilation c = {.module = m, .how = how, .d = d};
    bool llvm = how == STRUCTURED_LLVM;
    bool ok = run(arg, "prepare", PREPARE_PASSES) && pass_reduce(&c) &&
              (!c.rebuilt || run(arg, "reducible", REDUCIBLE_PASSES)) && (!llvm || pass_hoist(&c)) &&
              run(arg, "structure", llvm ? STRUCTURE_PASSES : DISPATCH_PASSES) && pass_structured(&c);
    *refused = c.unstructured;
    return ok;
}
#endif
