// SPDX-License-Identifier: Apache-2.0
// Addresses as sums: leaf * factor + leaf * leaf * factor + ... + constant. For hints and guesses: extensions and
// truncations are seen through as if nothing ever wrapped around, and an `or` counts as the sum that it usually is. The low
// 32 bits of the sum are exact unless it is marked rough.
#ifndef HEDDLE_JIT_LINEAR_H
#define HEDDLE_JIT_LINEAR_H
#include "jit/analysis/cfg.h"
#include "jit/ir/dialect.h"
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

enum { LINEAR_TERMS = 12 };

struct linear {
    unsigned n;
    struct linear_term {
        LLVMValueRef leaf, times; // times: a second one, or NULL
        int64_t by;
    } term[LINEAR_TERMS];
    int64_t plus;
    bool lost;  // more terms than there is room for
    bool rough; // made with an `or` that may carry, or through fewer than 32 bits
};

struct linear linear_of(LLVMValueRef x);
// a + b * by
struct linear linear_add(const struct linear *a, const struct linear *b, int64_t by);
// By how much the value grows on each iteration of the loop, in terms that the loop does not change; lost: not known.
struct linear linear_step(const struct cfg *c, int loop, const struct linear *x);
// The factor of a special register (heddle.tid.x ...), followed through phis and what loops' variables begin with.
struct linear linear_factor(const struct cfg *c, const struct linear *x, enum heddle_op op);
// It as an i64 in the code; what it is made of must be there.
LLVMValueRef linear_build(LLVMBuilderRef b, LLVMTypeRef i64, const struct linear *x);
#endif
