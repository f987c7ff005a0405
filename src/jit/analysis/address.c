// SPDX-License-Identifier: Apache-2.0
// See address.h.
#include "jit/analysis/address.h"
#include "jit/ir/dialect.h"
#include "jit/ir/ir.h"
#include <llvm-c/Target.h>
#include <stddef.h>

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
static bool is_number(LLVMValueRef x, unsigned depth)
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
        return is_number(LLVMGetOperand(x, 0), depth - 1) && is_number(LLVMGetOperand(x, 1), depth - 1);
    case LLVMIntToPtr:
    case LLVMFreeze:
        return is_number(LLVMGetOperand(x, 0), depth - 1);
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(x); i++) {
            LLVMValueRef in = LLVMGetIncomingValue(x, i);
            if (!is_number(steps_from(in, x) ? LLVMGetOperand(in, 1) : in, depth / 2))
                return false;
        }
        return true;
    default:
        return false;
    }
}

static LLVMValueRef find(LLVMValueRef x, unsigned depth);

// A pointer that runs through a loop: what it begins with.
static LLVMValueRef find_running(LLVMValueRef phi, unsigned depth)
{
    LLVMValueRef found = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, i);
        if (steps_from(in, phi))
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
        return is_number(b, DEPTH) ? find(a, depth - 1) : is_number(a, DEPTH) ? find(b, depth - 1) : NULL;
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
