// SPDX-License-Identifier: Apache-2.0
// Warp collectives, when the gang is a whole warp (W = 32); at other widths resume/resume.c has turned them into raw slots
// before. Members that are active take part. Results follow the PTX manual's sections on shfl, vote, match, redux,
// activemask and elect; where it calls something unpredictable, an H200's are taken: a shuffle that reads a lane which is not
// active gives 0.
#include "jit/gang/gang.h"

// Bits of the lanes that are active here.
static LLVMValueRef active_word(struct gang *g, LLVMValueRef mask)
{
    return mask ? gang_ballot(g, mask) : gang_i32(g, -1);
}

EMIT(activemask)
{
    gang_set_scalar(g, call, active_word(g, mask));
}

// Source lane and range predicate of a shuffle, by number; false when the source is out of range.
static bool shuffle_source(unsigned mode, unsigned lane, unsigned b, unsigned c, unsigned *source)
{
    unsigned clamp = c & 31, segment = c >> 8 & 31, low = lane & segment;
    unsigned high = low | (clamp & ~segment & 31);
    b &= 31;
    int j = (int)(mode == SHUFFLE_UP     ? lane - b
                  : mode == SHUFFLE_DOWN ? lane + b
                  : mode == SHUFFLE_BFLY ? lane ^ b
                                         : low | (b & ~segment & 31));
    bool ok = mode == SHUFFLE_UP ? j >= (int)high : j <= (int)high;
    *source = ok ? (unsigned)j : lane;
    return ok;
}

static bool constant_operands(LLVMValueRef call, unsigned *b, unsigned *c)
{
    int64_t x, y;
    if (!value_constant(LLVMGetOperand(call, 2), &x) || !value_constant(LLVMGetOperand(call, 3), &y))
        return false;
    *b = (unsigned)x;
    *c = (unsigned)y;
    return true;
}

// As shuffle_source, for operands known at run time: source lanes and predicate as vectors.
static LLVMValueRef shuffle_lanes(struct gang *g, LLVMValueRef call, unsigned mode, LLVMValueRef *in_range)
{
    LLVMBuilderRef B = g->b;
    LLVMValueRef lane = gang_lane_ids(g), m31 = gang_wide(g, gang_i32(g, 31));
    LLVMValueRef b = LLVMBuildAnd(B, gang_vector(g, LLVMGetOperand(call, 2)), m31, "");
    LLVMValueRef c = gang_vector(g, LLVMGetOperand(call, 3));
    LLVMValueRef segment = LLVMBuildAnd(B, LLVMBuildLShr(B, c, gang_wide(g, gang_i32(g, 8)), ""), m31, "");
    LLVMValueRef outside = LLVMBuildXor(B, segment, m31, ""), low = LLVMBuildAnd(B, lane, segment, "");
    LLVMValueRef high = LLVMBuildOr(B, low, LLVMBuildAnd(B, c, outside, ""), ""), j;
    LLVMOpcode op = mode == SHUFFLE_UP ? LLVMSub : mode == SHUFFLE_DOWN ? LLVMAdd : LLVMXor;
    j = mode == SHUFFLE_IDX ? LLVMBuildOr(B, low, LLVMBuildAnd(B, b, outside, ""), "")
                            : LLVMBuildBinOp(B, op, lane, b, "");
    *in_range = LLVMBuildICmp(B, mode == SHUFFLE_UP ? LLVMIntSGE : LLVMIntSLE, j, high, "");
    return LLVMBuildSelect(B, *in_range, j, lane, "");
}

// Any permutation, through memory.
static LLVMValueRef permute(struct gang *g, LLVMValueRef x, LLVMValueRef index)
{
    LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(x));
    LLVMValueRef memory = lane_spill(g, x), r = LLVMGetPoison(LLVMTypeOf(x));
    index = LLVMBuildAnd(g->b, LLVMBuildFreeze(g->b, index, ""), gang_wide(g, gang_i32(g, 31)), "");
    for (unsigned l = 0; l < g->width; l++) {
        LLVMValueRef i = LLVMBuildZExt(g->b, gang_lane(g, index, l), g->v->i64, "");
        LLVMValueRef p = LLVMBuildGEP2(g->b, t, memory, &i, 1, "");
        r = LLVMBuildInsertElement(g->b, r, LLVMBuildLoad2(g->b, t, p, ""), gang_i64(g, l), "");
    }
    return r;
}

// Everybody b lanes up or down: a load from memory that is b lanes off. Lanes out of range keep their own.
static LLVMValueRef slide(struct gang *g, LLVMValueRef x, LLVMValueRef b, bool up, LLVMValueRef in_range)
{
    LLVMTypeRef t = LLVMTypeOf(x), e = LLVMGetElementType(t);
    LLVMValueRef memory = gang_alloca(g, LLVMVectorType(e, 3 * g->width), 64), first = gang_i64(g, g->width);
    LLVMValueRef middle = LLVMBuildGEP2(g->b, e, memory, &first, 1, "");
    ir_store(g->b, x, middle, 16);
    LLVMValueRef d =
        LLVMBuildZExt(g->b, LLVMBuildAnd(g->b, LLVMBuildFreeze(g->b, b, ""), gang_i32(g, 31), ""), g->v->i64, "");
    if (up)
        d = LLVMBuildNeg(g->b, d, "");
    LLVMValueRef moved = ir_load(g->b, t, LLVMBuildGEP2(g->b, e, middle, &d, 1, ""), 4);
    return LLVMBuildSelect(g->b, in_range, moved, x, "");
}

EMIT(shuffle)
{
    LLVMValueRef value = LLVMGetOperand(call, 1), b = LLVMGetOperand(call, 2);
    unsigned cb, cc;
    if (gang_is_uniform(g, value) && !mask) {
        gang_set_result(g, call, gang_scalar(g, value), NULL);
        return;
    }
    LLVMValueRef x = gang_vector(g, value);
    if (mask)
        x = gang_blend(g, mask, x, LLVMConstNull(LLVMTypeOf(x)));
    if (gang_is_uniform(g, call)) { // everybody reads lane b
        LLVMValueRef i = LLVMBuildAnd(g->b, LLVMBuildFreeze(g->b, gang_scalar(g, b), ""), gang_i32(g, 31), "");
        gang_set_scalar(g, call, LLVMBuildExtractElement(g->b, x, i, ""));
        return;
    }
    if (constant_operands(call, &cb, &cc)) {
        LLVMValueRef e[GANG_MAX];
        unsigned source;
        for (unsigned l = 0; l < g->width; l++) {
            shuffle_source(variant, l, cb, cc, &source);
            e[l] = gang_i32(g, source);
        }
        gang_set_vector(
            g, call, LLVMBuildShuffleVector(g->b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(e, g->width), ""));
        return;
    }
    LLVMValueRef in_range, lanes = shuffle_lanes(g, call, variant, &in_range);
    if ((variant == SHUFFLE_UP || variant == SHUFFLE_DOWN) && gang_is_uniform(g, b))
        gang_set_vector(g, call, slide(g, x, gang_scalar(g, b), variant == SHUFFLE_UP, in_range));
    else
        gang_set_vector(g, call, permute(g, x, lanes));
}

EMIT(shuffle_pred)
{
    unsigned b, c, source;
    if (constant_operands(call, &b, &c)) {
        int64_t e[GANG_MAX];
        for (unsigned l = 0; l < g->width; l++)
            e[l] = -(int64_t)shuffle_source(variant, l, b, c, &source);
        gang_set_vector(g, call, gang_offsets(g, g->v->i32, e));
        return;
    }
    LLVMValueRef in_range;
    shuffle_lanes(g, call, variant, &in_range);
    gang_set_vector(g, call, gang_mask_of(g, in_range));
}

// The active members: scalar when all lanes name the same, else a vector; the other is NULL.
struct members {
    LLVMValueRef scalar, vector;
};

static struct members find_members(struct gang *g, LLVMValueRef operand, LLVMValueRef mask)
{
    struct members m = {0};
    LLVMValueRef active = active_word(g, mask);
    if (gang_is_uniform(g, operand))
        m.scalar = LLVMBuildAnd(g->b, gang_scalar(g, operand), active, "");
    else
        m.vector = LLVMBuildAnd(g->b, gang_vector(g, operand), gang_wide(g, active), "");
    return m;
}

static LLVMValueRef like(struct gang *g, const struct members *m, LLVMValueRef word)
{
    return m->scalar ? word : gang_wide(g, word);
}

static void set_members_result(struct gang *g, LLVMValueRef call, const struct members *m, LLVMValueRef x)
{
    bool is_bool = type_is_bool(LLVMTypeOf(call));
    if (m->scalar)
        gang_set_result(g, call, x, NULL);
    else
        gang_set_vector(g, call, is_bool ? gang_mask_of(g, x) : x);
}

EMIT(vote)
{
    LLVMValueRef p = LLVMGetOperand(call, 1), word;
    struct members m = find_members(g, LLVMGetOperand(call, 0), mask);
    if (gang_is_uniform(g, p))
        word = LLVMBuildSExt(g->b, gang_scalar(g, p), g->v->i32, "");
    else
        word = gang_ballot(g, LLVMBuildFreeze(g->b, gang_vector(g, p), ""));
    LLVMValueRef all = m.scalar ? m.scalar : m.vector;
    LLVMValueRef yes = LLVMBuildAnd(g->b, all, like(g, &m, word), ""), zero = LLVMConstNull(LLVMTypeOf(yes));
    LLVMValueRef any = LLVMBuildICmp(g->b, LLVMIntNE, yes, zero, ""),
                 every = LLVMBuildICmp(g->b, LLVMIntEQ, yes, all, "");
    set_members_result(g, call, &m,
                       variant == VOTE_BALLOT ? yes
                       : variant == VOTE_ANY  ? any
                       : variant == VOTE_ALL  ? every
                                              : LLVMBuildOr(g->b, every, LLVMBuildNot(g->b, any, ""), ""));
}

// A loop over all lanes, with a vector that it carries.
struct fold_loop {
    struct lane_loop lanes;
    LLVMValueRef carried;
};

static void fold_begin(struct gang *g, struct fold_loop *f, LLVMValueRef start, LLVMValueRef mask)
{
    lane_loop_begin(g, &f->lanes, mask);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(f->lanes.phi, 0);
    LLVMValueRef next = LLVMGetNextInstruction(f->lanes.phi);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(g->v->context);
    if (next)
        LLVMPositionBuilderBefore(b, next);
    else
        LLVMPositionBuilderAtEnd(b, f->lanes.head);
    f->carried = LLVMBuildPhi(b, LLVMTypeOf(start), "");
    LLVMAddIncoming(f->carried, &start, &from, 1);
    LLVMDisposeBuilder(b);
}

// What the loop carried out of its last round.
static LLVMValueRef fold_end(struct gang *g, struct fold_loop *f, LLVMValueRef next)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(f->carried, &next, &from, 1);
    lane_loop_end(g, &f->lanes);
    return next;
}

// For each lane the active lanes that hold the same value.
static LLVMValueRef match(struct gang *g, LLVMValueRef value, LLVMValueRef mask)
{
    LLVMTypeRef t = LLVMTypeOf(value);
    LLVMValueRef x = LLVMBuildFreeze(g->b, gang_vector(g, value), ""), memory = lane_spill(g, x);
    struct fold_loop f;
    fold_begin(g, &f, LLVMConstNull(g->v->mask), mask);
    LLVMValueRef one = lane_read(g, &f.lanes, t, memory);
    LLVMValueRef same = LLVMBuildICmp(g->b, LLVMIntEQ, x, gang_wide(g, one), "");
    LLVMValueRef bit = LLVMBuildShl(g->b, gang_i32(g, 1), LLVMBuildTrunc(g->b, f.lanes.lane, g->v->i32, ""), "");
    LLVMValueRef add = LLVMBuildSelect(g->b, same, gang_wide(g, bit), LLVMConstNull(g->v->mask), "");
    return fold_end(g, &f, LLVMBuildOr(g->b, f.carried, add, ""));
}

EMIT(match_any)
{
    LLVMValueRef value = LLVMGetOperand(call, 1);
    struct members m = find_members(g, LLVMGetOperand(call, 0), mask);
    if (gang_is_uniform(g, value)) {
        set_members_result(g, call, &m, m.scalar ? m.scalar : m.vector);
        return;
    }
    LLVMValueRef all = m.scalar ? gang_wide(g, m.scalar) : m.vector;
    gang_set_vector(g, call, LLVMBuildAnd(g->b, match(g, value, mask), all, ""));
}

static LLVMValueRef first_bit(struct gang *g, LLVMValueRef word)
{
    return gang_intrinsic2(g, "llvm.cttz", word, gang_int(g->v->i1, 0));
}

EMIT(match_all)
{
    LLVMValueRef value = LLVMGetOperand(call, 1), same, none;
    struct members m = find_members(g, LLVMGetOperand(call, 0), mask);
    if (!m.scalar) {
        same = LLVMBuildAnd(g->b, match(g, value, mask), m.vector, "");
        none = LLVMConstNull(g->v->mask);
        same = LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, same, m.vector, ""), m.vector, none, "");
        gang_set_vector(g, call, same);
        return;
    }
    if (gang_is_uniform(g, value)) {
        gang_set_result(g, call, m.scalar, NULL);
        return;
    }
    LLVMValueRef x = LLVMBuildFreeze(g->b, gang_vector(g, value), "");
    LLVMValueRef leader = LLVMBuildAnd(g->b, first_bit(g, m.scalar), gang_i32(g, 31), "");
    LLVMValueRef one = gang_wide(g, LLVMBuildExtractElement(g->b, x, leader, ""));
    same = gang_ballot(g, gang_mask_of(g, LLVMBuildICmp(g->b, LLVMIntEQ, x, one, "")));
    same = LLVMBuildAnd(g->b, same, m.scalar, "");
    LLVMValueRef ok = LLVMBuildICmp(g->b, LLVMIntEQ, same, m.scalar, "");
    gang_set_result(g, call, LLVMBuildSelect(g->b, ok, m.scalar, gang_i32(g, 0), ""), NULL);
}

static const struct {
    const char *reduce; // of a vector
    const char *both;   // of two values; NULL: the instruction
    LLVMOpcode op;
    int64_t neutral;
} redux[] = {
    [REDUX_ADD] = {"llvm.vector.reduce.add", NULL, LLVMAdd, 0},
    [REDUX_SMIN] = {"llvm.vector.reduce.smin", "llvm.smin", 0, INT32_MAX},
    [REDUX_SMAX] = {"llvm.vector.reduce.smax", "llvm.smax", 0, INT32_MIN},
    [REDUX_UMIN] = {"llvm.vector.reduce.umin", "llvm.umin", 0, -1},
    [REDUX_UMAX] = {"llvm.vector.reduce.umax", "llvm.umax", 0, 0},
    [REDUX_AND] = {"llvm.vector.reduce.and", NULL, LLVMAnd, -1},
    [REDUX_OR] = {"llvm.vector.reduce.or", NULL, LLVMOr, 0},
    [REDUX_XOR] = {"llvm.vector.reduce.xor", NULL, LLVMXor, 0},
};

EMIT(redux)
{
    LLVMTypeRef t = g->v->mask;
    LLVMValueRef x = LLVMBuildFreeze(g->b, gang_vector(g, LLVMGetOperand(call, 1)), "");
    LLVMValueRef neutral = gang_wide(g, gang_i32(g, redux[variant].neutral));
    struct members m = find_members(g, LLVMGetOperand(call, 0), mask);
    if (m.scalar) {
        LLVMValueRef in = gang_blend(g, gang_mask_unballot(g, m.scalar), x, neutral);
        gang_set_result(g, call, ir_intrinsic(g->b, redux[variant].reduce, &t, 1, &in, 1), NULL);
        return;
    }
    LLVMValueRef memory = lane_spill(g, x);
    struct fold_loop f;
    fold_begin(g, &f, neutral, mask);
    LLVMValueRef one = gang_wide(g, lane_read(g, &f.lanes, g->v->i32, memory));
    LLVMValueRef both = redux[variant].both ? gang_intrinsic2(g, redux[variant].both, f.carried, one)
                                            : LLVMBuildBinOp(g->b, redux[variant].op, f.carried, one, "");
    LLVMValueRef bit = LLVMBuildShl(g->b, gang_i32(g, 1), LLVMBuildTrunc(g->b, f.lanes.lane, g->v->i32, ""), "");
    LLVMValueRef in = LLVMBuildAnd(g->b, m.vector, gang_wide(g, bit), "");
    in = LLVMBuildICmp(g->b, LLVMIntNE, in, LLVMConstNull(t), "");
    gang_set_vector(g, call, fold_end(g, &f, LLVMBuildSelect(g->b, in, both, f.carried, "")));
}

// The lowest active member.
EMIT(elect)
{
    struct members m = find_members(g, LLVMGetOperand(call, 0), mask);
    LLVMValueRef all = m.scalar ? gang_wide(g, m.scalar) : m.vector;
    LLVMValueRef leader = first_bit(g, all);
    gang_set_vector(g, call, gang_mask_of(g, LLVMBuildICmp(g->b, LLVMIntEQ, leader, gang_lane_ids(g), "")));
}
