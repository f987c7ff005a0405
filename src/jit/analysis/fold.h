// SPDX-License-Identifier: Apache-2.0
// Arithmetic on integers of 1 to 64 bits as LLVM's instructions make it. Bits above are ignored in what is given, and zero in what is
// returned.
#ifndef HEDDLE_JIT_FOLD_H
#define HEDDLE_JIT_FOLD_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

static inline uint64_t fold_low(uint64_t x, unsigned bits)
{
    return bits >= 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}
static inline int64_t fold_signed(uint64_t x, unsigned bits)
{
    return bits >= 64 ? (int64_t)x : (int64_t)(x << (64 - bits)) >> (64 - bits);
}
// False: the operation has no result for these operands, or is none of integers.
bool fold_binary(LLVMOpcode op, unsigned bits, uint64_t a, uint64_t b, uint64_t *out);
bool fold_compare(LLVMIntPredicate p, unsigned bits, uint64_t a, uint64_t b);
#endif
