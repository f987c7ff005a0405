// SPDX-License-Identifier: Apache-2.0
// See fold.h.
#include "jit/analysis/fold.h"
#include "jit/ir/ir.h"

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
    if (OPCODE_IN(op, IR_DIVISIONS))
        known = fold_division(op, bits, a, b, out);
    else if (!OPCODE_IN(op, LLVMAdd, LLVMSub, LLVMMul, LLVMAnd, LLVMOr, LLVMXor, LLVMShl, LLVMLShr, LLVMAShr))
        return false;
    else if (known)
        *out = op == LLVMAdd    ? a + b
               : op == LLVMSub  ? a - b
               : op == LLVMMul  ? a * b
               : op == LLVMAnd  ? a & b
               : op == LLVMOr   ? a | b
               : op == LLVMXor  ? a ^ b
               : op == LLVMShl  ? a << b
               : op == LLVMLShr ? a >> b
                                : (uint64_t)(fold_signed(a, bits) >> b);
    if (known)
        *out = fold_low(*out, bits);
    return known;
}

bool fold_compare(LLVMIntPredicate p, unsigned bits, uint64_t a, uint64_t b)
{
    int64_t x = fold_signed(a, bits), y = fold_signed(b, bits);
    return p == LLVMIntEQ    ? a == b
           : p == LLVMIntNE  ? a != b
           : p == LLVMIntUGT ? a > b
           : p == LLVMIntUGE ? a >= b
           : p == LLVMIntULT ? a < b
           : p == LLVMIntULE ? a <= b
           : p == LLVMIntSGT ? x > y
           : p == LLVMIntSGE ? x >= y
           : p == LLVMIntSLT ? x < y
                             : x <= y;
}
