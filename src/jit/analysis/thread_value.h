// SPDX-License-Identifier: Apache-2.0
// What an integer or an address is in each thread of a block: a constant for each thread, and a sum of hashed values
// that all threads have in common at one time.
//
// Good for guesses only (compat.h): hashes may collide, a common value of a loop is another one in the next iteration, an
// `or` counts as a sum and index arithmetic as if it did not wrap around. Nothing that is found here may decide what a
// program computes.
#ifndef HEDDLE_JIT_THREAD_VALUE_H
#define HEDDLE_JIT_THREAD_VALUE_H
#include "base/arena.h"
#include "base/map.h"
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

// Two threads have the same value where constant and rest are equal.
struct thread_value {
    int64_t *constant; // by thread
    uint64_t *rest;
    bool exact; // rest is 0 in all threads
};

struct thread_values {
    struct arena *arena;
    struct map values; // value -> struct thread_value, or to `unknown`
    unsigned block[3], threads, left;
    struct thread_value unknown;
};

// `values`: how many are computed at most; further ones are unknown.
void thread_values_init(struct thread_values *e, struct arena *arena, const unsigned block[3], unsigned values);
void thread_values_fini(struct thread_values *e);
// Whether a value is the same in all threads of a block, as a guess in at most `depth` steps.
bool thread_value_is_common(LLVMValueRef v, bool merges, int depth);
// NULL when it is not known.
const struct thread_value *thread_value_find(struct thread_values *e, LLVMValueRef v);
#endif
