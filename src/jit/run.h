// SPDX-License-Identifier: Apache-2.0
// Runs the passes of pass.def.
#ifndef HEDDLE_JIT_RUN_H
#define HEDDLE_JIT_RUN_H
#include "jit/ir/pass.h"

// From the pass `first` to `last`, both by name, in the order of the table; NULL: from its start, to its end. False: a pass failed, or
// left the pipeline.
bool run_passes(struct compilation *c, const char *first, const char *last);
// Whether code is verified after every pass, LLVM's included: in debug builds, and with HEDDLE_DUMP=verify.
bool run_verifies(void);
#endif
