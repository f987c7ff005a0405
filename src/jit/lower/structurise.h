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

// Runs a string of LLVM's passes over the module, as step `name`.
typedef bool structured_passes(void *arg, const char *name, const char *pipeline);

// Brings all functions of the module to that form. *refused: STRUCTURED_LLVM did not; the module is to be made anew,
// for the other way. False without it: a pass failed.
bool structured_make(LLVMModuleRef m, enum structured_how how, structured_passes *run, void *arg, bool *refused,
                     struct diag *d);
#endif
