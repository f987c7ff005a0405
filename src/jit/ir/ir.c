// SPDX-License-Identifier: Apache-2.0
#include "jit/ir/ir.h"
#include "jit/ir/dialect.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { ARGS_MAX = 128 };

unsigned ir_block_size(LLVMBasicBlockRef b)
{
    unsigned n = 0;
    FOR_INSTRUCTIONS (b, i)
        n++;
    return n;
}

unsigned ir_function_size(LLVMValueRef f)
{
    unsigned n = 0;
    FOR_FUNCTION (f, i)
        n++;
    return n;
}

unsigned ir_module_size(LLVMModuleRef m)
{
    unsigned n = 0;
    FOR_MODULE (m, f)
        n += ir_function_size(f);
    return n;
}

bool opcode_in(LLVMOpcode op, const LLVMOpcode *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == op)
            return true;
    return false;
}

LLVMValueRef ir_address(LLVMValueRef x)
{
    return IR_IS(x, LLVMLoad, LLVMStore, LLVMAtomicRMW, LLVMAtomicCmpXchg)
               ? LLVMGetOperand(x, ir_is_opcode(x, LLVMStore))
               : NULL;
}

LLVMTypeRef ir_access_type(LLVMValueRef x)
{
    return LLVMTypeOf(LLVMIsAStoreInst(x) ? LLVMGetOperand(x, 0) : LLVMIsALoadInst(x) ? x : LLVMGetOperand(x, 1));
}

LLVMValueRef ir_metadata(LLVMValueRef x, const char *kind)
{
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(x));
    return LLVMGetMetadata(x, LLVMGetMDKindIDInContext(c, kind, (unsigned)strlen(kind)));
}

void ir_set_metadata(LLVMValueRef x, const char *kind, LLVMValueRef node)
{
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(x));
    LLVMSetMetadata(x, LLVMGetMDKindIDInContext(c, kind, (unsigned)strlen(kind)), node);
}

bool ir_is_invariant(LLVMValueRef x)
{
    return LLVMIsALoadInst(x) && LLVMHasMetadata(x) && ir_metadata(x, "invariant.load");
}

void ir_mark_invariant(LLVMValueRef x)
{
    ir_set_metadata(x, "invariant.load", LLVMMDNodeInContext(LLVMGetTypeContext(LLVMTypeOf(x)), NULL, 0));
}

void ir_replace(LLVMValueRef x, LLVMValueRef with)
{
    LLVMReplaceAllUsesWith(x, with);
    LLVMInstructionEraseFromParent(x);
}

bool ir_rewrite(LLVMModuleRef m, void (*fn)(LLVMBuilderRef b, LLVMValueRef x))
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    FOR_MODULE (m, f)
        FOR_FUNCTION_SAFE (f, x)
            fn(b, x);
    LLVMDisposeBuilder(b);
    return true;
}

bool ir_is_between(LLVMValueRef x, LLVMValueRef from, LLVMValueRef to)
{
    for (; from != to; from = LLVMGetNextInstruction(from))
        if (from == x)
            return true;
    return false;
}

void ir_move(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMInstructionRemoveFromParent(x);
    LLVMInsertIntoBuilder(b, x);
}

void ir_move_before(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef before)
{
    LLVMInstructionRemoveFromParent(x);
    LLVMPositionBuilderBefore(b, before);
    LLVMInsertIntoBuilder(b, x);
}

LLVMValueRef ir_clone(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef *operands)
{
    LLVMValueRef copy = LLVMInstructionClone(x);
    LLVMInsertIntoBuilder(b, copy);
    for (unsigned i = 0, n = ir_operands(x); operands && i < n; i++)
        LLVMSetOperand(copy, i, operands[i]);
    LLVMInstructionSetDebugLoc(copy, NULL);
    return copy;
}

static bool is_elsewhere(LLVMValueRef x, LLVMValueRef user)
{
    return LLVMGetInstructionParent(user) != LLVMGetInstructionParent(x) || LLVMIsAPHINode(user);
}

bool ir_used_elsewhere(LLVMValueRef x)
{
    FOR_USES (x, u)
        if (is_elsewhere(x, LLVMGetUser(u)))
            return true;
    return false;
}

void ir_read_variable(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef variable, bool elsewhere)
{
    struct VEC(LLVMValueRef) users = {0};
    FOR_USES (x, u) {
        LLVMValueRef user = LLVMGetUser(u);
        if ((!elsewhere || is_elsewhere(x, user)) && (!users.len || users.data[users.len - 1] != user))
            vec_push(&users, user);
    }
    for (size_t i = 0; i < users.len; i++) {
        LLVMValueRef user = users.data[i], load = NULL;
        for (unsigned o = 0, n = (unsigned)LLVMGetNumOperands(user); o < n; o++) {
            if (LLVMGetOperand(user, o) != x)
                continue;
            LLVMBasicBlockRef from = LLVMIsAPHINode(user) ? LLVMGetIncomingBlock(user, o) : NULL;
            if (from) { // several entries of one block must have one value
                load = NULL;
                for (unsigned q = 0; q < o && !load; q++)
                    load = LLVMGetIncomingBlock(user, q) == from ? LLVMGetIncomingValue(user, q) : NULL;
            }
            LLVMPositionBuilderBefore(b, from ? LLVMGetBasicBlockTerminator(from) : user);
            load = load ? load : LLVMBuildLoad2(b, LLVMTypeOf(x), variable, "");
            LLVMSetOperand(user, o, load);
        }
    }
    vec_free(&users);
}

LLVMValueRef ir_incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

LLVMValueRef ir_phi(LLVMBuilderRef b, LLVMValueRef x, LLVMBasicBlockRef from_x, LLVMValueRef y,
                    LLVMBasicBlockRef from_y)
{
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(x), "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){x, y}, (LLVMBasicBlockRef[]){from_x, from_y}, 2);
    return phi;
}

void ir_jump(LLVMBuilderRef b, LLVMBasicBlockRef to, LLVMBasicBlockRef then)
{
    LLVMBuildBr(b, to);
    LLVMPositionBuilderAtEnd(b, then);
}

void ir_enter(LLVMBuilderRef b, LLVMBasicBlockRef block)
{
    ir_jump(b, block, block);
}

void ir_branch(LLVMBuilderRef b, LLVMValueRef c, LLVMBasicBlockRef yes, LLVMBasicBlockRef no, LLVMBasicBlockRef then)
{
    LLVMBuildCondBr(b, c, yes, no);
    LLVMPositionBuilderAtEnd(b, then);
}

LLVMValueRef ir_load(LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef p, unsigned align)
{
    LLVMValueRef x = LLVMBuildLoad2(b, t, p, "");
    LLVMSetAlignment(x, align);
    return x;
}

LLVMValueRef ir_store(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef p, unsigned align)
{
    LLVMValueRef store = LLVMBuildStore(b, x, p);
    LLVMSetAlignment(store, align);
    return store;
}

LLVMModuleRef ir_module(LLVMBuilderRef b)
{
    return LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
}

LLVMTypeRef ir_function_type(LLVMTypeRef result, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[ARGS_MAX];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    return LLVMFunctionType(result, types, n, 0);
}

LLVMValueRef ir_call(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef *args, unsigned n)
{
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, n, "");
}

LLVMValueRef ir_call_pointer(LLVMBuilderRef b, LLVMTypeRef result, LLVMValueRef f, LLVMValueRef *args, unsigned n)
{
    return LLVMBuildCall2(b, ir_function_type(result, args, n), f, args, n, "");
}

LLVMValueRef ir_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *overload, unsigned noverload,
                          LLVMValueRef *args, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    return ir_call(b, LLVMGetIntrinsicDeclaration(ir_module(b), id, overload, noverload), args, n);
}

bool ir_is_byte_gep(LLVMValueRef x)
{
    return LLVMIsAGetElementPtrInst(x) && LLVMGetNumOperands(x) == 2 && type_bits(LLVMGetGEPSourceElementType(x)) == 8;
}

LLVMValueRef ir_only_value(LLVMValueRef x)
{
    LLVMValueRef only = NULL;
    for (unsigned i = 0; LLVMIsAPHINode(x) && i < LLVMCountIncoming(x); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(x, i);
        if (value_is_undef(v))
            continue;
        if (only)
            return x;
        only = v;
    }
    return only ? only : x;
}

LLVMValueRef ir_after_phis(LLVMValueRef x)
{
    while (LLVMIsAPHINode(x))
        x = LLVMGetNextInstruction(x);
    return x;
}

// Phis cannot be changed through LLVM-C, only made anew.
void ir_move_phi_entries(LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMBasicBlockRef to, bool all)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block))));
    FOR_PHIS_SAFE (block, p) {
        LLVMPositionBuilderBefore(b, p);
        LLVMValueRef q = LLVMBuildPhi(b, LLVMTypeOf(p), "");
        bool moved = to == NULL;
        for (unsigned i = 0; i < LLVMCountIncoming(p); i++) {
            LLVMBasicBlockRef in = LLVMGetIncomingBlock(p, i);
            LLVMValueRef v = LLVMGetIncomingValue(p, i);
            if (in == from && moved && all)
                continue;
            if (in == from && !moved) {
                moved = true;
                in = to;
            }
            LLVMAddIncoming(q, &v, &in, 1);
        }
        ir_replace(p, q);
    }
    LLVMDisposeBuilder(b);
}

// An address that is there whatever the kernel is given: what a call tells, and constants.
static bool is_fixed_location(LLVMValueRef x)
{
    while (IR_IS(x, LLVMAdd, LLVMGetElementPtr, IR_POINTER_CAST, LLVMAddrSpaceCast)) {
        for (int i = 1; i < LLVMGetNumOperands(x); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(x, (unsigned)i)))
                return false;
        x = LLVMGetOperand(x, 0);
    }
    return LLVMIsACallInst(x);
}

static bool is_made(LLVMValueRef x, unsigned depth, bool (*leaf)(LLVMValueRef call), bool anywhere)
{
    if (LLVMIsAConstant(x))
        return true;
    if (!LLVMIsAInstruction(x) || !depth)
        return false;
    if (LLVMIsACallInst(x))
        return leaf(x);
    LLVMValueRef from = LLVMIsALoadInst(x) ? LLVMGetOperand(x, 0) : NULL;
    if (from ? ir_space(from) != AS_CONST || (anywhere && !is_fixed_location(from))
             : !IR_IS(x, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMOr, IR_EXTENSIONS, LLVMBitCast, LLVMIntToPtr,
                      LLVMAddrSpaceCast, LLVMGetElementPtr))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(x); i++)
        if (!is_made(LLVMGetOperand(x, (unsigned)i), depth - 1, leaf, anywhere))
            return false;
    return true;
}

bool ir_made_of(LLVMValueRef x, unsigned depth, bool (*leaf)(LLVMValueRef call))
{
    return is_made(x, depth, leaf, false);
}

bool ir_made_anywhere(LLVMValueRef x, unsigned depth, bool (*leaf)(LLVMValueRef call))
{
    return is_made(x, depth, leaf, true);
}

bool ir_depends_on(LLVMValueRef x, unsigned depth, unsigned kinds)
{
    if (!depth || !LLVMIsAInstruction(x) || LLVMIsAPHINode(x))
        return false;
    if (LLVMIsACallInst(x) && op_is(x, kinds))
        return true;
    for (int i = 0; i < LLVMGetNumOperands(x); i++)
        if (ir_depends_on(LLVMGetOperand(x, (unsigned)i), depth - 1, kinds))
            return true;
    return false;
}

void ir_copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex at)
{
    unsigned n = LLVMGetAttributeCountAtIndex(from, at);
    LLVMAttributeRef *list = xcalloc(n + 1, sizeof *list);
    LLVMGetAttributesAtIndex(from, at, list);
    for (unsigned i = 0; i < n; i++)
        LLVMAddAttributeAtIndex(to, at, list[i]);
    free(list);
}

static void add_attribute(LLVMValueRef f, LLVMAttributeIndex at, const char *name, uint64_t value)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, at, LLVMCreateEnumAttribute(c, kind, value));
}

void ir_add_attribute(LLVMValueRef f, const char *name)
{
    add_attribute(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, 0);
}

// Calls of a function of LLVM's own are folded as if subnormals counted, but for those that are no builtin.
static void keep_calls(LLVMValueRef f, LLVMAttributeRef no_builtin)
{
    FOR_USES (f, u)
        if (LLVMIsACallInst(LLVMGetUser(u)))
            LLVMAddCallSiteAttribute(LLVMGetUser(u), (LLVMAttributeIndex)LLVMAttributeFunctionIndex, no_builtin);
}

void ir_flush_denormals(LLVMModuleRef m)
{
    static const char kind[] = "denormal-fp-math-f32", mode[] = "preserve-sign,preserve-sign", no[] = "nobuiltin";
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMAttributeRef flush = LLVMCreateStringAttribute(c, kind, sizeof kind - 1, mode, sizeof mode - 1);
    LLVMAttributeRef no_builtin = LLVMCreateEnumAttribute(c, LLVMGetEnumAttributeKindForName(no, sizeof no - 1), 0);
    FOR_MODULE (m, f)
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, flush);
        else if (type_is_float(LLVMGetReturnType(LLVMGlobalGetValueType(f))))
            keep_calls(f, no_builtin);
}

void ir_add_parameter_attribute(LLVMValueRef f, unsigned i, const char *name, uint64_t value)
{
    add_attribute(f, 1 + i, name, value);
}

void ir_set_memory(LLVMValueRef f, unsigned memory)
{
    add_attribute(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "memory", memory);
}

static void call_attribute(LLVMValueRef call, LLVMAttributeIndex at, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddCallSiteAttribute(call, at, LLVMCreateEnumAttribute(LLVMGetTypeContext(LLVMTypeOf(call)), kind, value));
}

void ir_call_accesses(LLVMValueRef call, unsigned memory)
{
    call_attribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "memory", memory);
    call_attribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind", 0);
    call_attribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "willreturn", 0);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            call_attribute(call, 1 + i, ir_no_capture(), 0);
}

const char *ir_no_capture(void)
{
    return LLVMGetEnumAttributeKindForName("captures", 8) ? "captures" : "nocapture"; // before LLVM 21
}

bool ir_call_only_reads(LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    return a && !(LLVMGetEnumAttributeValue(a) & ~(uint64_t)MEMORY_READ);
}

bool ir_touches_no_memory(LLVMValueRef f)
{
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef a = LLVMIsAFunction(f) ? LLVMGetEnumAttributeAtIndex(f, at, kind) : NULL;
    return a && LLVMGetEnumAttributeValue(a) == MEMORY_NONE;
}

const char *ir_function_name(LLVMValueRef f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    return strncmp(name, IR_PREFIX, strlen(IR_PREFIX)) ? name : name + strlen(IR_PREFIX);
}

unsigned type_bits(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t) <= 64 ? LLVMGetIntTypeWidth(t) : 0;
    case LLVMPointerTypeKind:
        return 64;
    default:
        return 0;
    }
}

bool type_is_float(LLVMTypeRef t)
{
    LLVMTypeKind k = LLVMGetTypeKind(type_element(t));
    return k == LLVMDoubleTypeKind || k == LLVMFloatTypeKind || k == LLVMHalfTypeKind || k == LLVMBFloatTypeKind;
}

LLVMTypeRef ir_bits_type(LLVMTypeRef t)
{
    LLVMTypeKind k = LLVMGetTypeKind(type_element(t));
    unsigned bits = k == LLVMDoubleTypeKind ? 64 : k == LLVMFloatTypeKind ? 32 : 16;
    return type_like(LLVMIntTypeInContext(LLVMGetTypeContext(t), bits), t);
}

LLVMValueRef ir_constant(LLVMTypeRef t, uint64_t x)
{
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
        return LLVMConstInt(t, x, 0);
    unsigned n = LLVMGetVectorSize(t);
    LLVMValueRef *e = xmalloc(n * sizeof *e);
    for (unsigned i = 0; i < n; i++)
        e[i] = LLVMConstInt(LLVMGetElementType(t), x, 0);
    LLVMValueRef r = LLVMConstVector(e, n);
    free(e);
    return r;
}

LLVMValueRef ir_unfolded(LLVMBuilderRef b, LLVMValueRef x)
{
    return type_is_float(LLVMTypeOf(x)) && LLVMIsConstant(x) && !value_is_undef(x) ? LLVMBuildFreeze(b, x, "") : x;
}

static bool as_float(LLVMValueRef v, double *x)
{
    LLVMBool lost;
    int64_t n;
    if (LLVMIsAConstantFP(v)) {
        *x = LLVMConstRealGetDouble(v, &lost);
        return true;
    }
    if (!value_constant(v, &n))
        return false;
    float f;
    memcpy(&f, &(uint32_t){(uint32_t)n}, sizeof f);
    *x = f;
    return true;
}

bool value_any_lane(LLVMValueRef v, bool (*is)(double))
{
    LLVMTypeRef type = LLVMTypeOf(v);
    unsigned n = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
    for (unsigned i = 0; i < (n ? n : 1); i++) {
        double x;
        LLVMValueRef e = n ? LLVMGetAggregateElement(v, i) : v;
        if (!e || (as_float(e, &x) ? is(x) : !value_is_undef(e)))
            return true;
    }
    return false;
}

bool value_is_undef(LLVMValueRef v)
{
    return LLVMIsUndef(v) || LLVMIsPoison(v);
}

bool value_constant(LLVMValueRef v, int64_t *out)
{
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
        return false;
    *out = LLVMConstIntGetSExtValue(v);
    return true;
}

enum logic ir_logic(LLVMValueRef x, LLVMValueRef part[2])
{
    if (!IR_IS(x, LLVMAnd, LLVMOr, LLVMXor, LLVMSelect) || !type_is_bool(LLVMTypeOf(x)))
        return LOGIC_NONE;
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    bool inverts = op == LLVMXor && value_is(LLVMGetOperand(x, 1), true);
    bool both = op == LLVMAnd || (op == LLVMSelect && value_is(LLVMGetOperand(x, 2), false));
    bool either = op == LLVMOr || (op == LLVMSelect && !both && value_is(LLVMGetOperand(x, 1), true));
    part[0] = LLVMGetOperand(x, 0);
    part[1] = LLVMGetOperand(x, op == LLVMSelect && either ? 2 : 1);
    return inverts ? LOGIC_NOT : both ? LOGIC_AND : either ? LOGIC_OR : LOGIC_NONE;
}

const char *call_name(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
}

bool access_is_simple(LLVMValueRef x)
{
    return !LLVMGetVolatile(x) && LLVMGetOrdering(x) == LLVMAtomicOrderingNotAtomic;
}

bool access_may_write(LLVMValueRef x)
{
    if (LLVMIsACallInst(x))
        return op_of(x) != OP_RT_MISALIGNED && op_of(x) != OP_PREFETCH &&
               strcmp(call_name(x), "llvm.experimental.noalias.scope.decl") &&
               !ir_touches_no_memory(LLVMGetCalledValue(x));
    return IR_IS(x, LLVMStore, IR_ATOMICS) || (LLVMIsALoadInst(x) && !access_is_simple(x));
}

void loop_mark(LLVMContextRef c, LLVMValueRef branch, const char *what, unsigned number)
{
    LLVMMetadataRef mark[2] = {LLVMMDStringInContext2(c, what, strlen(what)),
                               LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(c), number, 0))};
    LLVMMetadataRef self = LLVMTemporaryMDNode(c, NULL, 0),
                    node[2] = {self, LLVMMDNodeInContext2(c, mark, number ? 2 : 1)};
    LLVMMetadataRef id = LLVMMDNodeInContext2(c, node, 2);
    LLVMMetadataReplaceAllUsesWith(self, id); // a loop's name is a node that begins with itself
    ir_set_metadata(branch, "llvm.loop", LLVMMetadataAsValue(c, id));
}

void loop_keep(LLVMContextRef c, LLVMValueRef branch)
{
    loop_mark(c, branch, "llvm.loop.unroll.disable", 0);
}
