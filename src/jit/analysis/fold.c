// SPDX-License-Identifier: Apache-2.0
// See fold.h.
#include "jit/analysis/fold.h"

static bool fold_division(LLVMOpcode op, unsigned bits, uint64_t a, uint64_t b, uint64_t *out)
{
    int64_t x = fold_signed(a, bits), y = fold_signed(b, bits);
    bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    if (!b || (is_signed && y == -1 && a == UINT64_C(1) << (bits - 1)))
        return false;
    *out = op == LLVMUDiv ? a / b : op == LLVMURem ? a % b : (uint64_t)(op == LLVMSDiv ? x / y : x % y);
    return true;
}

bool fold_binary(LLVMOpcode op, unsigned bits, uint64_t a, uint64_t b, uint64_t *out)
{
    bool shift = op == LLVMShl || op == LLVMLShr || op == LLVMAShr, known = !shift || b < bits;
    switch (op) {
    case LLVMAdd:
        *out = a + b;
        break;
    case LLVMSub:
        *out = a - b;
        break;
    case LLVMMul:
        *out = a * b;
        break;
    case LLVMAnd:
        *out = a & b;
        break;
    case LLVMOr:
        *out = a | b;
        break;
    case LLVMXor:
        *out = a ^ b;
        break;
    case LLVMShl:
        *out = known ? a << b : 0;
        break;
    case LLVMLShr:
        *out = known ? a >> b : 0;
        break;
    case LLVMAShr:
        *out = known ? (uint64_t)(fold_signed(a, bits) >> b) : 0;
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        known = fold_division(op, bits, a, b, out);
        break;
    default:
        return false;
    }
    if (known)
        *out = fold_low(*out, bits);
    return known;
}

bool fold_compare(LLVMIntPredicate p, unsigned bits, uint64_t a, uint64_t b)
{
    int64_t x = fold_signed(a, bits), y = fold_signed(b, bits);
    switch (p) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return a > b;
    case LLVMIntUGE:
        return a >= b;
    case LLVMIntULT:
        return a < b;
    case LLVMIntULE:
        return a <= b;
    case LLVMIntSGT:
        return x > y;
    case LLVMIntSGE:
        return x >= y;
    case LLVMIntSLT:
        return x < y;
    default:
        return x <= y;
    }
}
