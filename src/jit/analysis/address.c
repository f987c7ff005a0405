// SPDX-License-Identifier: Apache-2.0
// See address.h.
#include "jit/analysis/address.h"
#include "jit/ir/dialect.h"
#include "jit/ir/ir.h"
#include <llvm-c/Target.h>
#include <string.h>

enum { DEPTH = 12 };

static int64_t element_bytes(LLVMValueRef gep)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 8)
        return 1;
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(gep)));
    return (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(m), t);
}

LLVMValueRef address_base(LLVMValueRef p, int64_t *bytes)
{
    int64_t c;
    for (*bytes = 0;
         LLVMIsAGetElementPtrInst(p) && LLVMGetNumOperands(p) == 2 && value_constant(LLVMGetOperand(p, 1), &c);
         p = LLVMGetOperand(p, 0))
        *bytes += c * element_bytes(p);
    return p;
}

LLVMValueRef address_source(LLVMValueRef pointer, int64_t *bytes)
{
    LLVMValueRef p = address_base(pointer, bytes);
    return ir_is_opcode(p, LLVMIntToPtr) && type_bits(LLVMTypeOf(LLVMGetOperand(p, 0))) == 64 ? LLVMGetOperand(p, 0)
                                                                                              : p;
}

static bool steps_from(LLVMValueRef x, LLVMValueRef phi)
{
    return (LLVMIsAGetElementPtrInst(x) || ir_is_opcode(x, LLVMAdd) || ir_is_opcode(x, LLVMSub)) &&
           LLVMGetOperand(x, 0) == phi;
}

// Whether a value of 64 bits is made by arithmetic that pointers do not come from. What is loaded with all its bits may be one.
static bool has_shape(LLVMValueRef x, unsigned depth)
{
    if (LLVMIsAConstant(x))
        return true;
    if (!depth || !LLVMIsAInstruction(x))
        return false;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMSExt:
    case LLVMZExt:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return true;
    case LLVMCall:
        return op_is(x, IS_PLACE) && LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind;
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
        return has_shape(LLVMGetOperand(x, 0), depth - 1) && has_shape(LLVMGetOperand(x, 1), depth - 1);
    case LLVMIntToPtr:
    case LLVMFreeze:
        return has_shape(LLVMGetOperand(x, 0), depth - 1);
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(x); i++) {
            LLVMValueRef in = LLVMGetIncomingValue(x, i);
            if (!has_shape(steps_from(in, x) ? LLVMGetOperand(in, 1) : in, depth / 2))
                return false;
        }
        return true;
    default:
        return false;
    }
}

// What a number is computed of. The difference of two pointers has the shape of a number, scaled or cut to 32 bits, and leads from
// one object into the other. So of the loaded values of 64 bits, which may be pointers, there is at most one where something is
// subtracted or complemented.
struct cone {
    LLVMValueRef phis[8], loaded;
    unsigned phi_count, left; // instructions that may still be visited
    bool several, negated;
};

static bool negates(LLVMValueRef x)
{
    LLVMOpcode o = LLVMGetInstructionOpcode(x);
    int64_t c;
    return o == LLVMSub || o == LLVMXor || (o == LLVMMul && value_constant(LLVMGetOperand(x, 1), &c) && c < 0);
}

static bool visit_phi(struct cone *c, LLVMValueRef phi, bool *seen)
{
    for (unsigned i = 0; i < c->phi_count; i++)
        if (c->phis[i] == phi)
            return *seen = true;
    if (c->phi_count == sizeof c->phis / sizeof *c->phis)
        return false;
    c->phis[c->phi_count++] = phi;
    return true;
}

static bool visit(struct cone *c, LLVMValueRef x)
{
    bool seen = false;
    if (LLVMIsAConstant(x) || LLVMIsAArgument(x))
        return true;
    if (!LLVMIsAInstruction(x) || !c->left--)
        return false;
    if (LLVMIsALoadInst(x)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(x));
        bool whole = kind == LLVMVectorTypeKind || kind == LLVMPointerTypeKind ||
                     (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(x)) >= 64);
        c->several |= whole && c->loaded && c->loaded != x;
        c->loaded = whole ? x : c->loaded;
        return true;
    }
    if (LLVMIsACallInst(x) && strncmp(call_name(x), "llvm.", 5))
        return op_is(x, IS_PLACE) || (type_bits(LLVMTypeOf(x)) && type_bits(LLVMTypeOf(x)) < 64);
    if (LLVMIsAFPToSIInst(x) || LLVMIsAFPToUIInst(x))
        return true;
    if (LLVMIsAPHINode(x) && (!visit_phi(c, x, &seen) || seen))
        return seen;
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(x) - (LLVMIsACallInst(x) ? 1 : 0); i < n; i++)
        if (!visit(c, LLVMGetOperand(x, i)))
            return false;
    c->negated |= negates(x) && c->loaded;
    return true;
}

static bool is_number(LLVMValueRef x)
{
    struct cone c = {.left = 64};
    return has_shape(x, DEPTH) && visit(&c, x) && !(c.several && c.negated);
}

static LLVMValueRef find(LLVMValueRef x, unsigned depth);

// A pointer that runs through a loop: what it begins with.
static LLVMValueRef find_running(LLVMValueRef phi, unsigned depth)
{
    LLVMValueRef found = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, i);
        if (steps_from(in, phi) && is_number(LLVMGetOperand(in, 1)))
            continue;
        LLVMValueRef object = find(in, depth);
        if (!object || (found && found != object))
            return NULL;
        found = object;
    }
    return found;
}

static LLVMValueRef find(LLVMValueRef x, unsigned depth)
{
    if (!depth || !LLVMIsAInstruction(x))
        return NULL;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMCall:
    case LLVMAlloca:
        return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind ? x : NULL;
    case LLVMLoad:
        return ir_space(LLVMGetOperand(x, 0)) == AS_CONST && type_bits(LLVMTypeOf(x)) == 64 ? x : NULL;
    case LLVMAdd:
    case LLVMGetElementPtr: {
        if (LLVMGetNumOperands(x) != 2)
            return NULL;
        LLVMValueRef a = LLVMGetOperand(x, 0), b = LLVMGetOperand(x, 1);
        return is_number(b) ? find(a, depth - 1) : is_number(a) ? find(b, depth - 1) : NULL;
    }
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
        return find(LLVMGetOperand(x, 0), depth - 1);
    case LLVMPHI:
        return find_running(x, depth - 1);
    default:
        return NULL;
    }
}

LLVMValueRef address_object(LLVMValueRef address)
{
    return find(address, DEPTH);
}

bool address_parameter(LLVMValueRef x, int64_t *offset)
{
    return LLVMIsALoadInst(x) && op_of(address_base(LLVMGetOperand(x, 0), offset)) == OP_ARGS;
}
