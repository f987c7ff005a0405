// SPDX-License-Identifier: Apache-2.0
// Structured control flow: what the vectoriser demands, how functions get there, and the check that they did.
//
// A function is structured when every conditional branch is an if-then (one successor is its immediate post-dominator)
// or the latch of a loop, which is the loop's only exit and leads to a block of its own; joins have two predecessors,
// loops a preheader; there is one return. Hence the mask after an if or a loop is the mask before it.
#ifndef HEDDLE_JIT_STRUCTURED_H
#define HEDDLE_JIT_STRUCTURED_H
#include "base/diag.h"
#include "jit/scalar/cfg.h"
#include <llvm-c/Core.h>
#include <stdbool.h>

// NULL, or what is wrong, at which block.
const char *structured_fault(const struct cfg *c, int *block);

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
