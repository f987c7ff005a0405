// SPDX-License-Identifier: Apache-2.0
// See low_bits.h.
#include "jit/analysis/low_bits.h"
#include "jit/ir/ir.h"

enum { DEPTH = 24, PHIS = 16, VISITS = 200 }; // of values; beyond, nothing is known

// A phi that is being looked at counts as 0 throughout: what it adds to itself is what matters.
struct zeros {
    LLVMTargetDataRef layout;
    LLVMValueRef base;
    LLVMValueRef phi[PHIS];
    unsigned nphi, visits;
};

static unsigned count(struct zeros *z, LLVMValueRef x, unsigned depth);

static unsigned least_zeros(struct zeros *z, LLVMValueRef a, LLVMValueRef b, unsigned depth)
{
    unsigned i = count(z, a, depth), k = count(z, b, depth);
    return i < k ? i : k;
}

static unsigned phi_zeros(struct zeros *z, LLVMValueRef x, unsigned depth)
{
    unsigned r = 64;
    for (unsigned i = 0; i < z->nphi; i++)
        if (z->phi[i] == x)
            return r;
    if (z->nphi == PHIS)
        return 0;
    z->phi[z->nphi++] = x;
    for (unsigned i = 0; i < LLVMCountIncoming(x) && r; i++) {
        unsigned k = count(z, LLVMGetIncomingValue(x, i), depth);
        r = k < r ? k : r;
    }
    z->nphi--;
    return r;
}

static unsigned gep_zeros(struct zeros *z, LLVMValueRef x, unsigned depth)
{
    uint64_t unit = LLVMABISizeOfType(z->layout, LLVMGetGEPSourceElementType(x));
    if (LLVMGetNumOperands(x) != 2 || !unit)
        return 0;
    unsigned i = count(z, LLVMGetOperand(x, 0), depth);
    unsigned k = count(z, LLVMGetOperand(x, 1), depth) + (unsigned)__builtin_ctzll(unit);
    return i < k ? i : k;
}

static unsigned count(struct zeros *z, LLVMValueRef x, unsigned depth)
{
    int64_t c;
    if (value_constant(x, &c))
        return c ? (unsigned)__builtin_ctzll((uint64_t)c) : 64;
    if (x == z->base || LLVMIsUndef(x))
        return 64;
    if (!LLVMIsAInstruction(x) || ++depth > DEPTH || ++z->visits > VISITS)
        return 0;
    LLVMValueRef a = LLVMGetNumOperands(x) ? LLVMGetOperand(x, 0) : NULL;
    unsigned i, k;
    if (IR_IS(x, LLVMAdd, LLVMSub, LLVMOr, LLVMXor))
        return least_zeros(z, a, LLVMGetOperand(x, 1), depth);
    if (IR_IS(x, IR_SAME_NUMBER))
        return count(z, a, depth);
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMSelect:
        return least_zeros(z, LLVMGetOperand(x, 1), LLVMGetOperand(x, 2), depth);
    case LLVMAnd:
        i = count(z, a, depth), k = count(z, LLVMGetOperand(x, 1), depth);
        return i > k ? i : k;
    case LLVMMul:
        i = count(z, a, depth) + count(z, LLVMGetOperand(x, 1), depth);
        return i < 64 ? i : 64;
    case LLVMShl:
        i = count(z, a, depth) + (value_constant(LLVMGetOperand(x, 1), &c) && c >= 0 && c < 64 ? (unsigned)c : 0);
        return i < 64 ? i : 64;
    case LLVMGetElementPtr:
        return gep_zeros(z, x, depth);
    default:
        return LLVMIsAPHINode(x) ? phi_zeros(z, x, depth) : 0;
    }
}

unsigned low_zeros(LLVMTargetDataRef layout, LLVMValueRef x, LLVMValueRef base)
{
    struct zeros z = {.layout = layout, .base = base};
    return count(&z, x, 0);
}
