// SPDX-License-Identifier: Apache-2.0
// Brings functions to structured control flow (analysis/structured.h).
#ifndef HEDDLE_JIT_STRUCTURISE_H
#define HEDDLE_JIT_STRUCTURISE_H
#include "base/diag.h"
#include <llvm-c/Core.h>
#include <stdbool.h>

enum structured_how {
    STRUCTURED_LLVM,    // structurizecfg
    STRUCTURED_DISPATCH // dispatch.c, which takes any graph
};

// What HEDDLE_STRUCTURE says.
enum structured_how structured_asked(void);

// The steps between LLVM's passes (pass.def, rows prepare to structured). Rebuilds cycles with several entries; for
// STRUCTURED_DISPATCH all functions that are not structured. True: there were such cycles, and mem2reg has to follow.
bool structured_reduce(LLVMModuleRef m, enum structured_how how);
// Before structurizecfg: see fault 2 in structurise.c.
void structured_hoist(LLVMModuleRef m);
// Whether all functions have that form. *refused: STRUCTURED_LLVM did not bring them to it; the module is to be made anew, for the
// other way.
bool structured_check(LLVMModuleRef m, enum structured_how how, bool *refused, struct diag *d);
#endif
