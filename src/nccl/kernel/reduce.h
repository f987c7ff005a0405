// SPDX-License-Identifier: Apache-2.0
// Reductions: elements of several operands become one, in the order of the operands.
#ifndef HEDDLE_NCCL_KERNEL_REDUCE_H
#define HEDDLE_NCCL_KERNEL_REDUCE_H
#include <stddef.h>
#include <stdint.h>

enum reduce_op { REDUCE_SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_OPS };
// What is done besides: an average divides the sum when it is whole; a factor multiplies a single operand.
enum reduce_end { REDUCE_PLAIN, REDUCE_DIVIDE, REDUCE_SCALE };

struct reduction {
    int type; // ncclDataType_t
    enum reduce_op op;
    enum reduce_end end;
    uint64_t operand;       // how many ranks, or the factor's bits
    const void *operand_at; // where the factor is; NULL: in `operand`
};

size_t reduce_type_bytes(int type);
// n elements of `operands` operands to `to`, which may be one of them. Small floats are summed in float and rounded once.
void reduce_run(const struct reduction *r, void *to, const void *const *from, unsigned operands, size_t n);
#endif
