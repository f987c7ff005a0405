// SPDX-License-Identifier: Apache-2.0
// When the passes of pass.def run: the predicates that its rows name.
#ifndef HEDDLE_JIT_WHEN_H
#define HEDDLE_JIT_WHEN_H
#include "jit/ir/pass.h"

typedef bool pass_when_fn(const struct compilation *c);

#define PASS(name, function, when, optional, needs, about) pass_when_fn when_##when;
#define LLVM_PASS(name, pipeline, when, about)             pass_when_fn when_##when;
#include "jit/pass.def"
#undef PASS
#undef LLVM_PASS
#endif
