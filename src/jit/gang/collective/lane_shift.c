// SPDX-License-Identifier: Apache-2.0
// What a gang hands on through registers in place of shared memory (resume/forward_lanes.c): a vector moved by some lanes, and a
// load that is made only in the lanes which got nothing that way. Those are few, the first lane or the one at the table's
// border, so they are loaded one by one: a gather takes as long for one lane as for all.
#include "jit/gang/memory/access.h"

// Bit l: lane l is active, and the condition is true in it.
EMIT(lane_word)
{
    LLVMValueRef x = gang_freeze(g, gang_vector(g, LLVMGetOperand(call, 0)));
    gang_set_scalar(g, call, gang_ballot(g, gang_and(g, mask, x)));
}

// Lane l gets what lane l + k has.
EMIT(lane_shift)
{
    LLVMValueRef x = gang_vector(g, LLVMGetOperand(call, 0)), e[GANG_MAX];
    int64_t k = LLVMConstIntGetSExtValue(LLVMGetOperand(call, 1));
    for (unsigned l = 0; l < g->width; l++) {
        int64_t from = (int64_t)l + k;
        e[l] = from >= 0 && from < g->width ? gang_i32(g, from) : LLVMGetPoison(g->v->i32);
    }
    LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(x));
    gang_set_vector(g, call, LLVMBuildShuffleVector(g->b, x, none, LLVMConstVector(e, g->width), ""));
}

// The pointer of one lane, chosen at run time.
struct lane_address {
    LLVMValueRef first; // of lane 0, and the distance to the next
    int64_t step;
    LLVMValueRef pointers; // or memory of all
};

static struct lane_address address_begin(struct gang *g, LLVMValueRef address)
{
    struct shape s = gang_shape(g, address);
    struct lane_address a = {0};
    if (shape_step(g->lanes, &s, &a.step))
        a.first = gang_step(g, gang_base(g, address, 0, &s), s.offset[0]);
    else
        a.pointers = lane_spill(g, gang_vector(g, address));
    return a;
}

// Where an index has wrapped around the sum is off by a multiple of 2^32, which no two addresses in shared memory are.
static LLVMValueRef address_of_lane(struct gang *g, LLVMValueRef address, const struct lane_address *a,
                                    LLVMValueRef lane)
{
    if (a->pointers)
        return LLVMBuildLoad2(g->b, g->v->ptr, LLVMBuildGEP2(g->b, g->v->ptr, a->pointers, &lane, 1, ""), "");
    LLVMValueRef p = gang_gep(g, a->first, LLVMBuildMul(g->b, lane, gang_i64(g, a->step), ""));
    if (gang_shape(g, address).wrap.kind == WRAP_NONE)
        return p;
    LLVMTypeRef i64 = g->v->i64;
    LLVMValueRef base = gang_shared(g);
    LLVMValueRef d =
        LLVMBuildSub(g->b, LLVMBuildPtrToInt(g->b, p, i64, ""), LLVMBuildPtrToInt(g->b, base, i64, ""), "");
    return gang_gep(g, base, LLVMBuildSExt(g->b, LLVMBuildTrunc(g->b, d, g->v->i32, ""), i64, ""));
}

// The bit as a mask of lanes.
static LLVMValueRef bits_of(struct gang *g, LLVMValueRef word)
{
    LLVMValueRef x = LLVMBuildTrunc(g->b, word, LLVMIntTypeInContext(g->v->context, g->width), "");
    return LLVMBuildBitCast(g->b, x, gang_lanes(g, g->v->i1), "");
}

// Where the lanes that load are known, nothing is searched for: a load for each of them.
static void forward_known(struct gang *g, LLVMValueRef call, LLVMTypeRef t, LLVMValueRef x, uint32_t lanes)
{
    LLVMValueRef address = LLVMGetOperand(call, 0);
    struct lane_address a = address_begin(g, address);
    for (unsigned l = 0; l < g->width; l++) {
        if (!(lanes >> l & 1))
            continue;
        LLVMValueRef p = address_of_lane(g, address, &a, gang_i64(g, l));
        LLVMValueRef value = ir_load(g->b, t, p, (unsigned)LLVMABISizeOfType(g->v->layout, t));
        LLVMSetMetadata(value, g->v->noalias_kind, g->v->frame_scope);
        x = LLVMBuildInsertElement(g->b, x, value, gang_i64(g, l), "");
    }
    gang_set_vector(g, call, x);
}

// The value in lanes of the word, a load in the others.
EMIT(forward)
{
    LLVMTypeRef t = gang_type(g, LLVMTypeOf(call)), i32 = g->v->i32;
    LLVMValueRef address = LLVMGetOperand(call, 0), x = gang_vector(g, LLVMGetOperand(call, 1));
    LLVMValueRef active = mask ? gang_ballot(g, mask) : gang_i32(g, (int64_t)(UINT64_MAX >> (64 - g->width)));
    LLVMValueRef left = LLVMBuildAnd(g->b, active, LLVMBuildNot(g->b, gang_scalar(g, LLVMGetOperand(call, 2)), ""), "");
    int64_t known;
    if (value_constant(left, &known)) {
        forward_known(g, call, t, x, (uint32_t)known);
        return;
    }
    LLVMValueRef zero = gang_i32(g, 0), one = gang_i32(g, 1);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b), some = gang_block(g, "border"), lanes = gang_block(g, "lane"),
                      done = gang_block(g, "forwarded");
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntNE, left, zero, ""), some, done, some);
    struct lane_address a = address_begin(g, address);
    ir_enter(g->b, lanes);
    LLVMValueRef word = LLVMBuildPhi(g->b, i32, ""), sum = LLVMBuildPhi(g->b, LLVMTypeOf(x), "");
    LLVMValueRef lane = gang_lowest(g, word);
    LLVMValueRef p = address_of_lane(g, address, &a, LLVMBuildZExt(g->b, lane, g->v->i64, ""));
    LLVMValueRef value = ir_load(g->b, t, p, (unsigned)LLVMABISizeOfType(g->v->layout, t));
    LLVMSetMetadata(value, g->v->noalias_kind, g->v->frame_scope);
    LLVMValueRef rest = LLVMBuildAnd(g->b, word, LLVMBuildSub(g->b, word, one, ""), "");
    LLVMValueRef next =
        LLVMBuildSelect(g->b, bits_of(g, LLVMBuildXor(g->b, word, rest, "")), gang_wide(g, value), sum, "");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, rest, zero, ""), lanes, done);
    LLVMAddIncoming(word, (LLVMValueRef[]){left, rest}, (LLVMBasicBlockRef[]){some, lanes}, 2);
    LLVMAddIncoming(sum, (LLVMValueRef[]){x, next}, (LLVMBasicBlockRef[]){some, lanes}, 2);
    LLVMPositionBuilderAtEnd(g->b, done);
    LLVMValueRef r = ir_phi(g->b, x, from, next, lanes);
    gang_set_vector(g, call, r);
}
