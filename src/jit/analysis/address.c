// SPDX-License-Identifier: Apache-2.0
// See address.h.
#include "jit/analysis/address.h"
#include "jit/ir/dialect.h"
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
    if (LLVMIsACallInst(x))
        return op_is(x, IS_SREG) && LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind;
    if (IR_IS(x, LLVMAdd, LLVMSub, LLVMAnd, LLVMOr))
        return has_shape(LLVMGetOperand(x, 0), depth - 1) && has_shape(LLVMGetOperand(x, 1), depth - 1);
    if (IR_IS(x, LLVMIntToPtr, LLVMFreeze))
        return has_shape(LLVMGetOperand(x, 0), depth - 1);
    for (unsigned i = 0; LLVMIsAPHINode(x) && i < LLVMCountIncoming(x); i++) {
        LLVMValueRef in = LLVMGetIncomingValue(x, i);
        if (!has_shape(steps_from(in, x) ? LLVMGetOperand(in, 1) : in, depth / 2))
            return false;
    }
    return IR_IS(x, LLVMPHI, LLVMSExt, LLVMZExt, LLVMMul, LLVMShl, LLVMLShr, LLVMAShr, IR_DIVISIONS);
}

// What the numbers of an address are computed of. The difference of two pointers has the shape of a number, scaled or cut to 32 bits, in one
// piece or as two numbers of which one is subtracted, and leads from one object into the other. So of the values of 64 bits that come from
// elsewhere (loads, arguments), any of which may be a pointer, none is added where another one is subtracted.
enum { ADDED = 1, SUBTRACTED = 2 };
struct cone {
    struct part {
        LLVMValueRef value;
        unsigned signs;
    } phis[8], wholes[8];
    unsigned phi_count, whole_count, left; // instructions that may still be visited
    bool numbers;                          // pointers are looked for behind casts to numbers, too
};

static unsigned flipped(unsigned signs)
{
    return (signs & ADDED ? SUBTRACTED : 0) | (signs & SUBTRACTED ? ADDED : 0);
}

// Notes a value; `known`, whether with these signs already. False: there are too many.
static bool note(struct part *list, unsigned *n, LLVMValueRef x, unsigned signs, bool *known)
{
    enum { MOST = sizeof((struct cone *)0)->phis / sizeof *list };
    unsigned i = 0;
    while (i < *n && list[i].value != x)
        i++;
    if (i == MOST)
        return false;
    if (i == *n)
        list[(*n)++] = (struct part){x, 0};
    *known = (list[i].signs | signs) == list[i].signs;
    list[i].signs |= signs;
    return true;
}

static bool is_whole(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMVectorTypeKind || kind == LLVMPointerTypeKind ||
           (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) >= 64);
}

// With which signs an operand comes into the result.
static unsigned operand_signs(LLVMValueRef x, unsigned i, unsigned signs)
{
    int64_t c;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMSub:
        return i ? flipped(signs) : signs;
    case LLVMXor:
        return ADDED | SUBTRACTED; // may be the complement
    case LLVMMul:
        return value_constant(LLVMGetOperand(x, 1), &c) && c < 0 ? flipped(signs) : signs;
    default:
        return signs;
    }
}

static bool visit(struct cone *c, LLVMValueRef x, unsigned signs)
{
    bool known = false;
    if (LLVMIsAConstant(x))
        return true;
    if (LLVMIsAArgument(x) || LLVMIsALoadInst(x))
        return !is_whole(LLVMTypeOf(x)) || note(c->wholes, &c->whole_count, x, signs, &known);
    if (!LLVMIsAInstruction(x) || !c->left--)
        return false;
    if (LLVMIsACallInst(x) && strncmp(call_name(x), "llvm.", 5))
        return op_is(x, IS_SREG) || (type_bits(LLVMTypeOf(x)) && type_bits(LLVMTypeOf(x)) < 64);
    if (LLVMIsAFPToSIInst(x) || LLVMIsAFPToUIInst(x))
        return true;
    if (LLVMIsAPHINode(x) && (!note(c->phis, &c->phi_count, x, signs, &known) || known))
        return known;
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(x) - (LLVMIsACallInst(x) ? 1 : 0); i < n; i++)
        if (!visit(c, LLVMGetOperand(x, i), operand_signs(x, i, signs)))
            return false;
    return true;
}

static bool has_difference(const struct cone *c)
{
    for (unsigned i = 0; i < c->whole_count; i++)
        for (unsigned k = 0; k < c->whole_count; k++)
            if (i != k && c->wholes[i].signs & ADDED && c->wholes[k].signs & SUBTRACTED)
                return true;
    return false;
}

// Whether x is a number, also beside those that the address has so far; then it is one of them.
static bool is_number(LLVMValueRef x, unsigned signs, struct cone *c)
{
    struct cone with = *c;
    with.left = 64;
    with.phi_count = 0;
    if (!has_shape(x, DEPTH) || !visit(&with, x, signs) || has_difference(&with))
        return false;
    *c = with;
    return true;
}

static LLVMValueRef find(LLVMValueRef x, unsigned depth, struct cone *c);

// A pointer that runs through a loop: what it begins with.
static LLVMValueRef find_running(LLVMValueRef phi, unsigned depth, struct cone *c)
{
    LLVMValueRef found = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, i);
        if (steps_from(in, phi) && is_number(LLVMGetOperand(in, 1), operand_signs(in, 1, ADDED), c))
            continue;
        LLVMValueRef object = find(in, depth, c);
        if (!object || (found && found != object))
            return NULL;
        found = object;
    }
    return found;
}

static LLVMValueRef find(LLVMValueRef x, unsigned depth, struct cone *c)
{
    if (!depth || !LLVMIsAInstruction(x))
        return NULL;
    if (IR_IS(x, LLVMCall, LLVMAlloca))
        return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind ? x : NULL;
    if (LLVMIsALoadInst(x))
        return ir_space(LLVMGetOperand(x, 0)) == AS_CONST && type_bits(LLVMTypeOf(x)) == 64 ? x : NULL;
    if (IR_IS(x, LLVMIntToPtr, LLVMAddrSpaceCast) || (c->numbers && ir_is_opcode(x, LLVMPtrToInt)))
        return find(LLVMGetOperand(x, 0), depth - 1, c);
    if (LLVMIsAPHINode(x))
        return find_running(x, depth - 1, c);
    if (!IR_IS(x, LLVMAdd, LLVMGetElementPtr) || LLVMGetNumOperands(x) != 2)
        return NULL;
    LLVMValueRef a = LLVMGetOperand(x, 0), b = LLVMGetOperand(x, 1);
    return is_number(b, ADDED, c) ? find(a, depth - 1, c) : is_number(a, ADDED, c) ? find(b, depth - 1, c) : NULL;
}

LLVMValueRef address_object(LLVMValueRef address)
{
    struct cone c = {0};
    return find(address, DEPTH, &c);
}

LLVMValueRef address_variable(LLVMValueRef address)
{
    struct cone c = {.numbers = true};
    return find(address, DEPTH, &c);
}

bool address_parameter(LLVMValueRef x, int64_t *offset)
{
    return LLVMIsALoadInst(x) && op_of(address_base(LLVMGetOperand(x, 0), offset)) == OP_ARGS;
}
