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
    bool llvm = how == STRUCTURED_LLVM;
    *refused = false;
    if (!run(arg, "prepare", PREPARE_PASSES) || (structured_reduce(m, how) && !run(arg, "reducible", REDUCIBLE_PASSES)))
        return false;
    if (llvm)
        structured_hoist(m);
    return run(arg, "structure", llvm ? STRUCTURE_PASSES : DISPATCH_PASSES) && structured_check(m, how, refused, d);
}
#endif
