// SPDX-License-Identifier: Apache-2.0
// Brings functions to structured control flow (analysis/structured.h).
#ifndef HEDDLE_JIT_STRUCTURISE_H
#define HEDDLE_JIT_STRUCTURISE_H
#include "jit/ir/pass.h"

// What HEDDLE_STRUCTURE says.
enum structured_how structured_asked(void);
#endif
