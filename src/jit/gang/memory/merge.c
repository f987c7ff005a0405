// SPDX-License-Identifier: Apache-2.0
// Atomics on one location that all threads of all blocks name, and whose result nobody wants: a sum, a counter of those that pass a
// test, a maximum. The gangs of a block merge what their lanes bring into a vector that stays in registers; the block merges that
// into the worker's (struct jit_merged), and the worker its elements into memory, with one operation or with none where that
// would change nothing. opt/privatise.c, which marks such atomics, tells when it is right.
//
// The vector lies behind the uniform slots of the block (merge_offset): memory of the block function, of which LLVM makes
// registers when the gang's code is inlined. With it goes a word: whether the worker merges for this address, which the block asks
// before its gangs run. Where it does not, because the kernel touches the same allocation in other ways later, the gang makes its
// atomic there and then.
#include "jit/gang/gang.h"

enum { ADDRESS_DEPTH = 10 };

static int merge_op(LLVMAtomicRMWBinOp op)
{
    static const int of[] = {
        [LLVMAtomicRMWBinOpAdd] = 1 + JIT_MERGE_ADD,   [LLVMAtomicRMWBinOpFAdd] = 1 + JIT_MERGE_ADD,
        [LLVMAtomicRMWBinOpMin] = 1 + JIT_MERGE_MIN,   [LLVMAtomicRMWBinOpMax] = 1 + JIT_MERGE_MAX,
        [LLVMAtomicRMWBinOpUMin] = 1 + JIT_MERGE_UMIN, [LLVMAtomicRMWBinOpUMax] = 1 + JIT_MERGE_UMAX,
        [LLVMAtomicRMWBinOpAnd] = 1 + JIT_MERGE_AND,   [LLVMAtomicRMWBinOpOr] = 1 + JIT_MERGE_OR,
        [LLVMAtomicRMWBinOpXor] = 1 + JIT_MERGE_XOR};
    return op < sizeof of / sizeof *of ? of[op] - 1 : -1;
}

bool gang_is_merged(struct gang *g, LLVMValueRef inst)
{
    return g->width > 1 && LLVMIsAAtomicRMWInst(inst) && ir_metadata(inst, MERGE_KIND) &&
           gang_sum_of(LLVMTypeOf(inst)) && merge_op(LLVMGetAtomicRMWBinOp(inst)) >= 0 && !gang_may_wait(g->v->plan) &&
           gang_is_uniform(g, LLVMGetOperand(inst, 0)) &&
           ir_made_anywhere(LLVMGetOperand(inst, 0), ADDRESS_DEPTH, op_is_fixed);
}

// The address, where the builder stands, in a function with the parameters launch and block.
static LLVMValueRef rebuild(struct gang *g, LLVMValueRef x)
{
    struct vectoriser *v = g->v;
    if (LLVMIsAConstant(x))
        return gang_constant(g, x);
    if (op_of(x) == OP_ARGS)
        return gang_launch_field(g, v->ptr, offsetof(struct jit_launch, args), "args");
    if (LLVMIsACallInst(x)) { // heddle.global
        LLVMValueRef table = gang_launch_field(g, v->ptr, offsetof(struct jit_launch, globals), "globals");
        return LLVMBuildLoad2(g->b, v->ptr, gang_step(g, table, 8 * LLVMConstIntGetSExtValue(LLVMGetOperand(x, 0))),
                              "");
    }
    LLVMValueRef o[2] = {rebuild(g, LLVMGetOperand(x, 0)),
                         LLVMGetNumOperands(x) > 1 ? rebuild(g, LLVMGetOperand(x, 1)) : NULL};
    LLVMTypeRef t = gang_type(g, LLVMTypeOf(x));
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    switch (op) {
    case LLVMLoad:
        return LLVMBuildLoad2(g->b, t, o[0], "");
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(g->b, gang_type(g, LLVMGetGEPSourceElementType(x)), o[0], &o[1], 1, "");
    case LLVMAddrSpaceCast:
        return o[0];
    default:
        return o[1] ? LLVMBuildBinOp(g->b, op, o[0], o[1], "") : LLVMBuildCast(g->b, op, o[0], t, "");
    }
}

// A function that gives the address to the block.
static LLVMValueRef make_address(struct gang *g, LLVMValueRef pointer)
{
    struct vectoriser *v = g->v;
    LLVMTypeRef params[2] = {v->ptr, v->ptr};
    LLVMValueRef f = LLVMAddFunction(v->module, "heddle.merge.address", LLVMFunctionType(v->i64, params, 2, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    ir_add_attribute(f, "alwaysinline");
    struct gang one = {.v = v, .f = g->f, .lanes = g->lanes, .width = 1, .function = f};
    one.launch = LLVMGetParam(f, 0);
    one.block = LLVMGetParam(f, 1);
    one.b = one.prologue = LLVMCreateBuilderInContext(v->context);
    LLVMPositionBuilderAtEnd(one.b, LLVMAppendBasicBlockInContext(v->context, f, "entry"));
    LLVMBuildRet(one.b, LLVMBuildPtrToInt(one.b, rebuild(&one, pointer), v->i64, ""));
    LLVMDisposeBuilder(one.b);
    map_free(&one.once);
    return f;
}

// Here and now; perhaps no lane is active.
static void make_plainly(struct gang *g, LLVMValueRef inst, LLVMValueRef mask, LLVMBasicBlockRef done)
{
    if (mask) {
        LLVMBasicBlockRef some = gang_block(g, "some");
        ir_branch(g->b, gang_any(g, mask), some, done, some);
    }
    gang_emit_together(g, inst, mask);
    LLVMBuildBr(g->b, done);
}

// What the lanes bring, as a vector of so many elements. From one lane that is known, as after a reduction by shuffles: nothing
// but its element is asked for, so that LLVM leaves the others out of what comes before.
static LLVMValueRef brought(struct gang *g, LLVMValueRef inst, LLVMValueRef mask, unsigned lanes)
{
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    LLVMValueRef x = gang_vector(g, LLVMGetOperand(inst, 1)), nothing = reduce_neutral(op, LLVMTypeOf(inst));
    int lane = gang_mask_lane(g, mask);
    if (lane >= 0)
        return LLVMBuildInsertElement(g->b, gang_splat(g, nothing, lanes), gang_lane(g, x, (unsigned)lane),
                                      gang_i32(g, 0), "");
    return gang_reduce(g, op, gang_blend(g, mask, x, gang_wide(g, nothing)), lanes);
}

bool gang_emit_merged(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    struct vectoriser *v = g->v;
    if (!gang_is_merged(g, inst))
        return false;
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    LLVMTypeRef t = LLVMTypeOf(inst);
    enum jit_sum sum = gang_sum_of(t);
    unsigned lanes = JIT_MERGED_BYTES / gang_sum_bytes(sum);
    lanes = g->width < lanes ? g->width : lanes;
    LLVMValueRef what[2];
    LLVMGetMDNodeOperands(ir_metadata(inst, MERGE_KIND), what);
    unsigned number = (unsigned)LLVMConstIntGetZExtValue(what[0]);
    v->plan->privatises = true;
    v->plan->merged[number].op = op;
    v->plan->merged[number].type = LLVMVectorType(t, lanes);
    v->plan->merged[number].kind = (uint32_t)sum | (uint32_t)merge_op(op) << 8;
    v->plan->merged[number].params = LLVMConstIntGetZExtValue(what[1]);
    if (!v->plan->merged[number].address)
        v->plan->merged[number].address = make_address(g, LLVMGetOperand(inst, 0));
    LLVMBasicBlockRef plain = gang_block(g, "plain"), merge = gang_block(g, "merge"), done = gang_block(g, "merged");
    LLVMValueRef parts = gang_step(g, g->uniform_next, (int64_t)merge_offset(v->plan, number));
    LLVMValueRef state = LLVMBuildLoad2(g->b, v->i32, gang_step(g, parts, JIT_MERGED_BYTES), "");
    LLVMValueRef taken = LLVMBuildICmp(g->b, LLVMIntEQ, state, gang_i32(g, JIT_MERGE_TAKEN), "");
    gang_branch_likely(g, taken, merge, plain, plain);
    make_plainly(g, inst, mask, done);
    LLVMPositionBuilderAtEnd(g->b, merge);
    LLVMValueRef x = brought(g, inst, mask, lanes);
    LLVMValueRef old = ir_load(g->b, LLVMTypeOf(x), parts, JIT_MERGED_BYTES);
    ir_store(g->b, reduce_combine(g->b, op, old, x), parts, JIT_MERGED_BYTES);
    ir_enter(g->b, done);
    return true;
}
