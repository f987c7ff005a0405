// SPDX-License-Identifier: Apache-2.0
// Whether what a gang touches lies within its block's shared memory. Most tests for it are decided here already, from the greatest
// number that the gang's first thread can have and the least size of shared memory; what is left is tested when it runs. LLVM
// would find out the same, but only after all the code for the other case has gone through half of its passes.
#include "jit/gang/memory/access.h"

enum { DEPTH_MAX = 16 };

// The bits that an operand shifts or divides by, and the like.
static bool constant_of(LLVMValueRef x, uint64_t *out)
{
    bool is = LLVMIsAConstantInt(x) && type_bits(LLVMTypeOf(x)) <= 64;
    *out = is ? LLVMConstIntGetZExtValue(x) : 0;
    return is;
}

// The greatest value that an integer can have, none of what makes it having wrapped around. False: not known.
static bool greatest(struct gang *g, LLVMValueRef x, unsigned depth, uint64_t *out)
{
    unsigned bits = type_bits(LLVMTypeOf(x));
    uint64_t a, b, most = bits >= 64 ? INT64_MAX : (UINT64_C(1) << bits) - 1;
    if (x == g->first_thread) {
        unsigned n = plan_threads(g->v->plan);
        *out = n ? (n - 1) / g->width * g->width : 0;
        return n != 0;
    }
    if (constant_of(x, out))
        return *out <= most;
    if (!LLVMIsAInstruction(x) || depth > DEPTH_MAX || LLVMGetNumOperands(x) > 2 || !LLVMGetNumOperands(x))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    LLVMValueRef first = LLVMGetOperand(x, 0), second = LLVMGetNumOperands(x) == 2 ? LLVMGetOperand(x, 1) : NULL;
    if (LLVMGetTypeKind(LLVMTypeOf(first)) != LLVMIntegerTypeKind)
        return false;
    bool known = greatest(g, first, depth + 1, &a), constant = second && constant_of(second, &b);
    switch (op) {
    case LLVMAnd:
        *out = constant && !(known && a < b) ? b : a;
        return constant || known;
    case LLVMURem:
        *out = known && a < b ? a : b - 1;
        return constant && b;
    case LLVMUDiv:
        *out = b ? a / b : 0;
        return known && constant && b;
    case LLVMLShr:
        *out = a >> (b & 63);
        return known && constant && b < bits;
    case LLVMShl:
        *out = a << (b & 63);
        return known && constant && b < bits && a <= most >> b;
    case LLVMSub:
        *out = a;
        return known && constant && b == 0;
    case LLVMZExt:
    case LLVMFreeze:
        *out = a;
        return known;
    case LLVMSExt:
        *out = a;
        return known && a < UINT64_C(1) << (type_bits(LLVMTypeOf(first)) - 1);
    case LLVMTrunc:
        *out = a;
        return known && a <= most;
    case LLVMAdd:
    case LLVMOr:
    case LLVMXor:
        if (!known || !greatest(g, second, depth + 1, &b) || a > most - b)
            return false;
        *out = a + b;
        return true;
    case LLVMMul:
        if (!known || !greatest(g, second, depth + 1, &b) || (b && a > most / b))
            return false;
        *out = a * b;
        return true;
    default:
        return false;
    }
}

// How far from the beginning of shared memory a pointer can be.
static bool greatest_offset(struct gang *g, LLVMValueRef pointer, uint64_t *out)
{
    uint64_t step;
    *out = 0;
    for (unsigned depth = 0; pointer != gang_shared(g); depth++) {
        if (!LLVMIsAGetElementPtrInst(pointer) || depth > DEPTH_MAX || LLVMGetNumOperands(pointer) != 2 ||
            type_bits(LLVMGetGEPSourceElementType(pointer)) != 8 ||
            !greatest(g, LLVMGetOperand(pointer, 1), depth, &step) || step > UINT32_MAX)
            return false;
        *out += step;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return true;
}

// Bytes of shared memory; the optimiser is told the least, from which it proves some tests against it.
static LLVMValueRef shared_size(struct gang *g)
{
    struct vectoriser *v = g->v;
    LLVMValueRef size = gang_block_field(g, v->i32, offsetof(struct jit_block, shared_bytes), "block.shared_bytes");
    if (LLVMIsALoadInst(size) && v->plan->shared_static) {
        LLVMMetadataRef range[2] = {LLVMValueAsMetadata(gang_i32(g, v->plan->shared_static)),
                                    LLVMValueAsMetadata(gang_i32(g, 0))}; // up to the greatest number
        ir_set_metadata(size, "range", LLVMMetadataAsValue(v->context, LLVMMDNodeInContext2(v->context, range, 2)));
    }
    return size;
}

LLVMValueRef access_in_shared(struct gang *g, LLVMValueRef pointer, uint64_t bytes)
{
    struct vectoriser *v = g->v;
    uint64_t at;
    if (greatest_offset(g, pointer, &at) && at + bytes <= v->plan->shared_static)
        return NULL;
    LLVMValueRef base = LLVMBuildPtrToInt(g->b, gang_shared(g), v->i64, "");
    LLVMValueRef size = LLVMBuildZExt(g->b, shared_size(g), v->i64, "");
    LLVMValueRef room = gang_intrinsic2(g, "llvm.usub.sat", size, gang_i64(g, (int64_t)bytes - 1));
    LLVMValueRef d = LLVMBuildSub(g->b, LLVMBuildPtrToInt(g->b, pointer, v->i64, ""), base, "");
    return LLVMBuildICmp(g->b, LLVMIntULT, d, room, "inside");
}
