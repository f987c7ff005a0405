// SPDX-License-Identifier: Apache-2.0
// HEDDLE_PASSES: optional passes of pass.def that are switched off, as "-name,-name". Free of LLVM, since cache keys have it too.
#ifndef HEDDLE_JIT_PASS_SWITCH_H
#define HEDDLE_JIT_PASS_SWITCH_H
#include <stdbool.h>

bool pass_switched_off(const char *name);
// One line on stderr for each word of it that is not '-' and the name of an optional pass, and for each word of HEDDLE_REMARKS and
// HEDDLE_DUMP that is no pass, which have no effect; once for a process.
void pass_report(void);
#endif
