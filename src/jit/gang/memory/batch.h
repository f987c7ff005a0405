// SPDX-License-Identifier: Apache-2.0
// See batch.c.
#ifndef HEDDLE_JIT_GANG_BATCH_H
#define HEDDLE_JIT_GANG_BATCH_H
#include "jit/gang/vectorise.h"

enum { BATCH_MAX = 8 };

// Whether this load or store and the one right behind it are of a batch.
bool batch_goes_on(struct vectoriser *v, const struct scalar_fn *f, LLVMValueRef access);
#endif
