// SPDX-License-Identifier: Apache-2.0
// Calls: to heddle.* by the table, to LLVM's intrinsics, to the engine (once a lane), to recursive functions (their
// gang form, under a mask), and to plain C functions (once a lane).
#include "jit/gang/gang.h"
#include <string.h>

static const char *const hook_names[] = {
#define HOOK(name, ret, ...) #name,
#include "jit/abi/hooks.def"
#undef HOOK
};

static int hook_index(const char *name)
{
    for (int i = 0; i < JIT_HOOK_COUNT; i++)
        if (!strcmp(hook_names[i], name))
            return i;
    return -1;
}

// A call that must not be merged with another, so that each keeps its source line.
static void keep_unmerged(LLVMValueRef call, LLVMValueRef r)
{
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName("nomerge", 7);
    LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(call), at, kind);
    if (a)
        LLVMAddCallSiteAttribute(r, at, a);
}

// One call for each active lane: of the hook, with block, thread and the arguments of the lane, or (hook < 0) of the function itself.
static void call_lanes(struct gang *g, LLVMValueRef call, int hook, LLVMValueRef mask)
{
    unsigned n = LLVMGetNumArgOperands(call), first = hook < 0 ? 0 : 2;
    LLVMValueRef r, f = hook < 0 ? LLVMGetCalledValue(call) : gang_hook(g, hook);
    LLVMValueRef *args = arena_array(&g->v->scalar.arena, LLVMValueRef, n + 2);
    struct lane_operand *x = arena_array(&g->v->scalar.arena, struct lane_operand, n), result;
    for (unsigned i = 0; i < n; i++)
        x[i] = lane_operand(g, LLVMGetOperand(call, i));
    result = lane_result(g, LLVMTypeOf(call), NULL);
    struct lane_loop l;
    lane_loop_begin(g, &l, mask);
    for (unsigned i = 0; i < n; i++)
        args[i + first] = lane_operand_read(g, &l, &x[i]);
    if (hook < 0) {
        r = LLVMBuildCall2(g->b, LLVMGetCalledFunctionType(call), f, args, n, "");
    } else {
        LLVMValueRef lane = l.lane ? LLVMBuildTrunc(g->b, l.lane, g->v->i32, "") : NULL;
        args[0] = g->block;
        args[1] = lane ? LLVMBuildAdd(g->b, g->first_thread, lane, "") : g->first_thread;
        r = ir_call_pointer(g->b, gang_type(g, LLVMTypeOf(call)), f, args, n + 2);
        keep_unmerged(call, r);
    }
    lane_operand_write(g, &l, &result, r);
    lane_loop_end(g, &l);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
        r = lane_operand_vector(g, &result);
        gang_set_result(g, call, r, r);
    }
}

EMIT(hook)
{
    int index = hook_index(op_hook(call));
    if (index < 0)
        gang_fail(g, call, "a call to an unknown function of the engine");
    else
        call_lanes(g, call, index, mask);
}

static void add_call_attribute(struct gang *g, LLVMValueRef call, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(g->v->context, kind, 0));
}

// The pointer of the access that a check stands before; NULL: it stands elsewhere, before a loop, or the pointer comes later.
static LLVMValueRef checked_pointer(LLVMValueRef check)
{
    LLVMValueRef x = check, p = NULL;
    while (!p && (x = LLVMGetNextInstruction(x))) {
        p = ir_address(x);
        if (LLVMIsACallInst(x) && op_of(x) != OP_RT_MISALIGNED)
            return NULL;
    }
    return p && !ir_is_between(p, check, x) ? p : NULL;
}

// What the low bits are of: where a check has left its loop, the address that the loop begins from.
static LLVMValueRef checked_source(LLVMValueRef check)
{
    LLVMValueRef x = LLVMGetOperand(check, 0);
    return LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == LLVMAnd ? LLVMGetOperand(x, 0) : x;
}

// The address of the access in a lane, for a message, or one that it is reached from; 0: not known. Nothing is computed for it but
// where the message is made.
static LLVMValueRef checked_address(struct gang *g, LLVMValueRef check, LLVMValueRef lane, bool *exact)
{
    LLVMValueRef p = checked_pointer(check), at = NULL;
    *exact = p;
    p = p ? p : checked_source(check);
    int k = scalar_fn_index(g->f, p);
    if (k >= 0 && g->f->shapes[k].kind == SHAPE_AFFINE && g->values[k].base[0])
        at = gang_is_uniform(g, p) ? gang_scalar(g, p) : gang_vector(g, p);
    else if (k >= 0 && g->f->shapes[k].kind == SHAPE_VARYING)
        at = g->values[k].vector;
    if (at && LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVectorTypeKind)
        at = LLVMBuildExtractElement(g->b, at, lane, "");
    if (at && LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMPointerTypeKind)
        at = LLVMBuildPtrToInt(g->b, at, g->v->i64, "");
    return at && LLVMTypeOf(at) == g->v->i64 ? at : gang_i64(g, 0);
}

// The low bits in a lane, masked only here: the mask is then an operand of the vector test alone, one instruction on most CPUs.
static LLVMValueRef low_bits_of(struct gang *g, LLVMValueRef low, LLVMValueRef lane)
{
    if (gang_is_uniform(g, low))
        return gang_scalar(g, low);
    bool masked = ir_is_opcode(low, LLVMAnd) && LLVMIsAConstantInt(LLVMGetOperand(low, 1));
    LLVMValueRef of = masked ? LLVMGetOperand(low, 0) : low;
    LLVMValueRef x = LLVMBuildExtractElement(g->b, gang_vector(g, of), lane, "");
    return masked ? LLVMBuildAnd(g->b, x, LLVMGetOperand(low, 1), "") : x;
}

// The low bits of an address are not 0 in some active lane: the hook is called for the first of them and does not return.
EMIT(misaligned)
{
    LLVMValueRef low = LLVMGetOperand(call, 0), zero = gang_i64(g, 0), bad, lanes = NULL;
    LLVMBasicBlockRef fault = gang_block(g, "misaligned"), go_on = gang_block(g, "aligned");
    if (gang_is_uniform(g, low)) {
        bad = LLVMBuildICmp(g->b, LLVMIntNE, gang_scalar(g, low), zero, "");
        lanes = mask;
    } else {
        LLVMValueRef x = gang_vector(g, low);
        LLVMValueRef odd = LLVMBuildICmp(g->b, LLVMIntNE, x, LLVMConstNull(LLVMTypeOf(x)), "");
        lanes = gang_and(g, mask, gang_mask_of(g, LLVMBuildFreeze(g->b, odd, "")));
        bad = gang_any(g, lanes);
    }
    gang_branch_likely(g, LLVMBuildNot(g->b, bad, ""), go_on, fault, fault);
    LLVMValueRef lane = gang_i32(g, 0);
    if (lanes)
        lane = gang_lowest(g, gang_ballot(g, lanes));
    bool exact;
    LLVMValueRef first = low_bits_of(g, low, lane), address = checked_address(g, call, lane, &exact),
                 thread = LLVMBuildAdd(g->b, g->first_thread, lane, "");
    LLVMValueRef args[5] = {g->block, thread, first, address, gang_i32(g, exact)};
    LLVMValueRef end = gang_call_hook(g, JIT_HOOK_misaligned, g->v->void_type, args, 5);
    add_call_attribute(g, end, "noreturn");
    add_call_attribute(g, end, "cold");
    keep_unmerged(call, end);
    LLVMBuildUnreachable(g->b);
    LLVMPositionBuilderAtEnd(g->b, go_on);
}

// For debug/debug.c, which takes it away: where the thread's local memory lies. Of a gang there is no one address.
EMIT(locals)
{
    if (g->width > 1)
        return;
    LLVMValueRef args[3] = {gang_scalar(g, LLVMGetOperand(call, 0)), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2)};
    op_build(g->b, OP_LOCALS, args, 3);
}

// Clocks: lanes of a gang read them at the same time.
EMIT(hook_once)
{
    int index = hook_index(op_hook(call));
    LLVMValueRef args[2] = {g->block, g->first_thread};
    if (index < 0)
        gang_fail(g, call, "a call to an unknown function of the engine");
    else
        gang_set_scalar(g, call, gang_call_hook(g, index, LLVMTypeOf(call), args, 2));
}

EMIT(nothing) {}

static struct scalar_fn *find_callee(struct gang *g, LLVMValueRef callee)
{
    for (unsigned i = 0; i < g->v->scalar.nfunctions; i++)
        if (g->v->scalar.functions[i].function == callee)
            return &g->v->scalar.functions[i];
    return NULL;
}

static void call_gang_function(struct gang *g, LLVMValueRef call, const struct scalar_fn *f, LLVMValueRef mask)
{
    unsigned n = LLVMGetNumArgOperands(call), k = PARAM_MASK + 1;
    const LLVMValueRef standard[] = {[PARAM_LAUNCH] = g->launch,   [PARAM_BLOCK] = g->block,
                                     [PARAM_FRAME] = g->frame,     [PARAM_FIRST] = g->first_thread,
                                     [PARAM_NOW] = g->uniform_now, [PARAM_NEXT] = g->uniform_next,
                                     [PARAM_RAW] = g->raw,         [PARAM_MASK] = mask ? mask : gang_mask_all_ones(g)};
    LLVMValueRef *args = arena_array(&g->v->scalar.arena, LLVMValueRef, k + n);
    memcpy(args, standard, sizeof standard);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef x = LLVMGetOperand(call, i);
        args[k++] = g->width == 1 ? gang_scalar(g, x) : gang_vector(g, x);
    }
    LLVMValueRef r = ir_call(g->b, f->gang_function, args, k);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        gang_set_result(g, call, g->width == 1 ? r : NULL, r);
}

#define emit_none NULL
static void (*const emitters[])(struct gang *g, LLVMValueRef call, unsigned variant, LLVMValueRef mask) = {
#define OP(op, name, kinds, shape, emitter, variant, type, about) [OP_##op] = emit_##emitter,
#include "jit/ir/dialect.def"
};

void gang_emit_call(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    enum heddle_op op = op_of(inst);
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    if ((op_rows[op].kinds & IS_WHOLE_WARP) && g->width != 32) {
        gang_fail(g, inst, "an operation of a whole warp in a gang that is not one");
        return;
    }
    if (emitters[op]) {
        emitters[op](g, inst, op_rows[op].variant, mask);
        return;
    }
    if (!LLVMIsAFunction(callee)) {
        gang_fail(g, inst, "an indirect call");
        return;
    }
    if (LLVMGetIntrinsicID(callee)) {
        if (!gang_emit_intrinsic(g, inst, mask))
            gang_fail(g, inst, "an intrinsic without a vector form");
        return;
    }
    const struct scalar_fn *f = find_callee(g, callee);
    if (f)
        call_gang_function(g, inst, f, mask);
    else if (op)
        gang_fail(g, inst, "a call that does not belong in a region");
    else
        call_lanes(g, inst, -1, mask);
}
