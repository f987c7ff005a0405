// SPDX-License-Identifier: Apache-2.0
// Runs the passes of pass.def.
#ifndef HEDDLE_JIT_RUN_H
#define HEDDLE_JIT_RUN_H
#include "jit/ir/pass.h"

// Sets up LLVM's options, and verification in debug builds and with HEDDLE_DUMP=verify. The caller has filled in the rest.
void run_begin(struct compilation *c);
// From the pass `first` to `last`, both by name, in the order of the table; NULL: from its start, to its end. False: a pass failed, or
// left the pipeline.
bool run_passes(struct compilation *c, const char *first, const char *last);
// Frees these, and what passes keep in the compilation, also where they left it early: the plan's lists, the state between passes.
void run_release(struct compilation *c);
#endif
