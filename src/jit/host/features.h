// SPDX-License-Identifier: Apache-2.0
// See features.c.
#ifndef HEDDLE_JIT_FEATURES_H
#define HEDDLE_JIT_FEATURES_H
#include "base/str.h"
#include <llvm-c/TargetMachine.h>

// Appends those of the features in the table that the target machine's code uses, each with a '+' before it and a ',' behind.
void features_find(LLVMTargetMachineRef tm, struct str *out);
#endif
