// SPDX-License-Identifier: Apache-2.0
// Atomic read-modify-write. In general one operation for each active lane, in lane order. When all lanes name one location
// and the operation is associative, the gang combines its operands first and touches memory once; lanes that want the
// old value get it from a scan. What changes nothing is only read: a minimum that is there already, an exchange that
// will fail; the line then stays where others read it too. Shared memory, also that of a whole cluster, belongs to one
// worker: its atomics are plain operations.
#include "jit/gang/memory/access.h"
#include "jit/analysis/address.h"
#include "jit/ir/llvm_compat.h"

static bool is_used(LLVMValueRef inst)
{
    return LLVMGetFirstUse(inst) != NULL;
}

static bool is_shared(LLVMValueRef pointer)
{
    return ir_space(pointer) == AS_SHARED;
}

static LLVMValueRef increment_wrapping(struct gang *g, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef more = LLVMBuildAdd(g->b, x, LLVMConstInt(t, 1, 0), "");
    return LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntUGE, x, y, ""), LLVMConstNull(t), more, "");
}

static LLVMValueRef decrement_wrapping(struct gang *g, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef less = LLVMBuildSub(g->b, x, LLVMConstInt(t, 1, 0), "");
    LLVMValueRef zero = LLVMBuildICmp(g->b, LLVMIntEQ, x, LLVMConstNull(t), "");
    LLVMValueRef above = LLVMBuildICmp(g->b, LLVMIntUGT, x, y, "");
    return LLVMBuildSelect(g->b, LLVMBuildOr(g->b, zero, above, ""), y, less, "");
}

// x op y, of scalars or vectors; NULL for an operation that is not known here.
static LLVMValueRef combine(struct gang *g, LLVMAtomicRMWBinOp op, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef r = reduce_combine(g->b, op, x, y);
    if (r)
        return r;
    switch (op) {
    case LLVMAtomicRMWBinOpXchg:
        return y;
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(g->b, x, y, "");
    case LLVMAtomicRMWBinOpNand:
        return LLVMBuildNot(g->b, LLVMBuildAnd(g->b, x, y, ""), "");
    case LLVMAtomicRMWBinOpFSub:
        return LLVMBuildFSub(g->b, ir_unfolded(g->b, x), y, "");
    case LLVMAtomicRMWBinOpFMax:
        return gang_intrinsic2(g, "llvm.maxnum", x, y);
    case LLVMAtomicRMWBinOpFMin:
        return gang_intrinsic2(g, "llvm.minnum", x, y);
    case LLVMAtomicRMWBinOpUIncWrap:
        return increment_wrapping(g, x, y);
    case LLVMAtomicRMWBinOpUDecWrap:
        return decrement_wrapping(g, x, y);
    default:
        return NULL;
    }
}

// The operand that changes nothing, for operations whose operands a gang may combine; NULL for the others.
static LLVMValueRef neutral(LLVMAtomicRMWBinOp op, LLVMTypeRef t, bool used)
{
    // the order of a sum is open; of the old values seen it is not
    return op == LLVMAtomicRMWBinOpFAdd && used ? NULL : reduce_neutral(op, t);
}

// The same by compare and exchange, for operations that the code generator lacks.
static LLVMValueRef touch_by_exchange(struct gang *g, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef x)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMAtomicOrdering order = LLVMGetOrdering(inst), failure = LLVMAtomicOrderingMonotonic;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), again = gang_block(g, "again"),
                      done = gang_block(g, "changed");
    LLVMValueRef first = LLVMBuildLoad2(g->b, t, pointer, "");
    LLVMSetOrdering(first, LLVMAtomicOrderingMonotonic);
    ir_enter(g->b, again);
    LLVMValueRef old = LLVMBuildPhi(g->b, t, "");
    LLVMValueRef now = combine(g, LLVMGetAtomicRMWBinOp(inst), old, x);
    LLVMValueRef swap = LLVMBuildAtomicCmpXchg(g->b, pointer, old, now, order, failure, 0);
    LLVMValueRef seen = LLVMBuildExtractValue(g->b, swap, 0, "");
    LLVMBuildCondBr(g->b, LLVMBuildExtractValue(g->b, swap, 1, ""), done, again);
    LLVMAddIncoming(old, (LLVMValueRef[]){first, seen}, (LLVMBasicBlockRef[]){before, again}, 2);
    LLVMPositionBuilderAtEnd(g->b, done);
    return old;
}

// Operations of which many change nothing: of those a read is as good, unless they release.
static bool may_be_idle(LLVMValueRef inst)
{
    LLVMAtomicOrdering order = LLVMGetOrdering(inst);
    if (LLVMGetVolatile(inst) || (order != LLVMAtomicOrderingMonotonic && order != LLVMAtomicOrderingAcquire))
        return false;
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    return (op == LLVMAtomicRMWBinOpAnd || op == LLVMAtomicRMWBinOpOr ||
            (op >= LLVMAtomicRMWBinOpMax && op <= LLVMAtomicRMWBinOpUMin)) &&
           (type_bits(LLVMTypeOf(inst)) == 32 || type_bits(LLVMTypeOf(inst)) == 64);
}

static LLVMValueRef peek(struct gang *g, LLVMTypeRef t, LLVMValueRef pointer, LLVMAtomicOrdering order)
{
    LLVMValueRef x = ir_load(g->b, t, pointer, type_bits(t) / 8);
    LLVMSetOrdering(x, order);
    return x;
}

static LLVMValueRef touch_plainly(struct gang *g, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef x)
{
    LLVMValueRef copy = LLVMInstructionClone(inst);
    LLVMSetOperand(copy, 0, pointer);
    LLVMSetOperand(copy, 1, x);
    LLVMInsertIntoBuilder(g->b, copy);
    return copy;
}

// In memory that belongs to the worker; NULL: for an operation that is not known here.
static LLVMValueRef change(struct gang *g, LLVMAtomicRMWBinOp op, LLVMValueRef pointer, LLVMValueRef x)
{
    LLVMValueRef old = LLVMBuildLoad2(g->b, LLVMTypeOf(x), pointer, ""), now = combine(g, op, old, x);
    if (now)
        LLVMBuildStore(g->b, now, pointer);
    return now ? old : NULL;
}

static LLVMValueRef touch_if_needed(struct gang *g, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef x)
{
    LLVMBasicBlockRef change = gang_block(g, "change"), done = gang_block(g, "same"), from = LLVMGetInsertBlock(g->b);
    LLVMValueRef old = peek(g, LLVMTypeOf(x), pointer, LLVMGetOrdering(inst));
    LLVMValueRef now = combine(g, LLVMGetAtomicRMWBinOp(inst), old, x);
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, now, old, ""), done, change, change);
    LLVMValueRef changed = touch_plainly(g, inst, pointer, x);
    ir_enter(g->b, done);
    return ir_phi(g->b, old, from, changed, change);
}

// Reads, changes and writes one location; the old value.
static LLVMValueRef touch(struct gang *g, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef x)
{
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    if (is_shared(LLVMGetOperand(inst, 0))) {
        LLVMValueRef old = change(g, op, pointer, x);
        return old ? old : (gang_fail(g, inst, "an atomic operation"), LLVMGetPoison(LLVMTypeOf(x)));
    }
    bool wraps = op == LLVMAtomicRMWBinOpUIncWrap || op == LLVMAtomicRMWBinOpUDecWrap;
    if (wraps && !LLVM_COMPAT_WRAPPING_ATOMICS)
        return touch_by_exchange(g, inst, pointer, x);
    return may_be_idle(inst) ? touch_if_needed(g, inst, pointer, x) : touch_plainly(g, inst, pointer, x);
}

// What the lane d before has; the first ones get zero.
static LLVMValueRef shift_up(struct gang *g, LLVMValueRef x, LLVMValueRef zero, unsigned d)
{
    LLVMValueRef e[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        e[l] = gang_i32(g, l >= d ? l - d : g->width);
    return LLVMBuildShuffleVector(g->b, x, gang_wide(g, zero), LLVMConstVector(e, g->width), "");
}

// x[l] = x[0] op ... op x[l], by doubling distances.
static LLVMValueRef scan(struct gang *g, LLVMAtomicRMWBinOp op, LLVMValueRef x, LLVMValueRef zero)
{
    for (unsigned d = 1; d < g->width; d *= 2)
        x = combine(g, op, shift_up(g, x, zero, d), x);
    return x;
}

// Sums of all lanes are LLVM's own reduction. Where the code has them by halves, as below, its code generator for x86-64 (22) takes products or
// absolute differences of bytes together (vpdpbusd, psadbw) and leaves out the sums that remain.
LLVMValueRef gang_reduce(struct gang *g, LLVMAtomicRMWBinOp op, LLVMValueRef x, unsigned elements)
{
    if (op == LLVMAtomicRMWBinOpAdd && elements == 1 && g->width > 1) {
        LLVMTypeRef t = LLVMTypeOf(x);
        LLVMValueRef one = LLVMGetPoison(LLVMVectorType(LLVMGetElementType(t), 1));
        return LLVMBuildInsertElement(g->b, one, ir_intrinsic(g->b, "llvm.vector.reduce.add", &t, 1, &x, 1),
                                      gang_i64(g, 0), "");
    }
    for (unsigned n = g->width / 2; n >= elements; n /= 2)
        x = combine(g, op, gang_slice(g, x, 0, n), gang_slice(g, x, n, n));
    return x;
}

// All lanes name one location.
static void emit_together(struct gang *g, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef zero, LLVMValueRef mask)
{
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    LLVMValueRef x = gang_vector(g, LLVMGetOperand(inst, 1));
    int lane = gang_mask_lane(g, mask);
    if (!is_used(inst) && lane >= 0) {
        touch(g, inst, pointer, gang_lane(g, x, (unsigned)lane));
        return;
    }
    x = gang_blend(g, mask, x, gang_wide(g, zero));
    if (!is_used(inst)) {
        touch(g, inst, pointer, gang_lane(g, gang_reduce(g, op, x, 1), 0));
        return;
    }
    if (append_fits(g, inst)) {
        append_take(g, inst, mask, touch(g, inst, pointer, append_count(g, LLVMTypeOf(inst), mask)));
        return;
    }
    LLVMValueRef sums = scan(g, op, x, zero);
    LLVMValueRef old = gang_wide(g, touch(g, inst, pointer, gang_lane(g, sums, g->width - 1)));
    gang_set_vector(g, inst, combine(g, op, old, shift_up(g, sums, zero, 1)));
}

void gang_emit_together(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    LLVMValueRef zero = neutral(LLVMGetAtomicRMWBinOp(inst), LLVMTypeOf(inst), is_used(inst));
    emit_together(g, inst, gang_scalar(g, LLVMGetOperand(inst, 0)), zero, mask);
}

// The first active lane's.
static LLVMValueRef first_of(struct gang *g, LLVMValueRef vector, LLVMValueRef mask)
{
    return mask ? LLVMBuildExtractElement(g->b, vector, gang_lowest(g, gang_ballot(g, mask)), "")
                : gang_lane(g, vector, 0);
}

// Lanes that turn out to name one location, as neighbours in sorted data do, are combined too, where nobody wants the old
// value. Leaves the builder where they do not; returns the block to meet in, or NULL: not of that kind.
static LLVMBasicBlockRef try_together(struct gang *g, LLVMValueRef inst, LLVMValueRef zero, LLVMValueRef mask)
{
    LLVMValueRef pointer = LLVMGetOperand(inst, 0);
    if (!zero || is_used(inst) || is_shared(pointer) || gang_shape(g, pointer).kind != SHAPE_VARYING)
        return NULL;
    LLVMBasicBlockRef one = gang_block(g, "one"), many = gang_block(g, "many"), done = gang_block(g, "done");
    LLVMValueRef p = LLVMBuildPtrToInt(g->b, gang_vector(g, pointer), gang_lanes(g, g->v->i64), "");
    LLVMValueRef first = first_of(g, p, mask);
    LLVMValueRef other = LLVMBuildICmp(g->b, LLVMIntNE, p, gang_wide(g, first), "");
    LLVMValueRef differ = gang_and(g, mask, gang_mask_of(g, LLVMBuildFreeze(g->b, other, "")));
    ir_branch(g->b, gang_any(g, differ), many, one, one);
    emit_together(g, inst, LLVMBuildIntToPtr(g->b, first, g->v->ptr, ""), zero, mask);
    ir_jump(g->b, done, many);
    return done;
}

// The lanes' offsets leave the vector two at a time, and each is added to the base where it is used. (Pointers are twice as large,
// and taking a lane out is two operations: a histogram 1.25x.)
void gang_change_each(struct gang *g, LLVMValueRef inst, LLVMValueRef base, LLVMValueRef offsets)
{
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    LLVMValueRef value = LLVMGetOperand(inst, 1);
    LLVMValueRef x = gang_is_uniform(g, value) ? gang_scalar(g, value) : NULL, all = x ? NULL : gang_vector(g, value);
    LLVMValueRef low = LLVMConstInt(g->v->i64, UINT32_MAX, 0);
    offsets = LLVMBuildBitCast(g->b, offsets, LLVMVectorType(g->v->i64, g->width / 2), "");
    for (unsigned l = 0; l < g->width; l += 2) {
        LLVMValueRef two = gang_lane(g, offsets, l / 2);
        LLVMValueRef at[2] = {LLVMBuildAnd(g->b, two, low, ""), LLVMBuildLShr(g->b, two, gang_i64(g, 32), "")};
        for (unsigned i = 0; i < 2; i++)
            if (!change(g, op, gang_gep(g, base, at[i]), x ? x : gang_lane(g, all, l + i)))
                gang_fail(g, inst, "an atomic operation");
    }
}

static bool emit_in_shared(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    LLVMValueRef pointer = LLVMGetOperand(inst, 0), base, offsets;
    if (mask || is_used(inst) || !is_shared(pointer) || gang_shape(g, pointer).kind != SHAPE_VARYING ||
        !shared_offsets(g, pointer, &base, &offsets))
        return false;
    gang_change_each(g, inst, base, offsets);
    return true;
}

static void emit_rmw(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    LLVMValueRef pointer = LLVMGetOperand(inst, 0), value = LLVMGetOperand(inst, 1);
    LLVMTypeRef t = LLVMTypeOf(inst);
    if (g->width == 1) {
        gang_set_scalar(g, inst, touch(g, inst, gang_scalar(g, pointer), gang_scalar(g, value)));
        return;
    }
    if (gang_emit_merged(g, inst, mask) || gang_emit_private(g, inst, mask))
        return;
    LLVMValueRef zero = neutral(LLVMGetAtomicRMWBinOp(inst), t, is_used(inst));
    if (zero && gang_is_uniform(g, pointer)) {
        emit_together(g, inst, gang_scalar(g, pointer), zero, mask);
        return;
    }
    if (gang_emit_record(g, inst, mask) || emit_in_shared(g, inst, mask))
        return;
    LLVMBasicBlockRef done = try_together(g, inst, zero, mask), later = gang_emit_windowed(g, inst, mask);
    int64_t bytes;
    // Operations on the members of a record share the pointers of the lanes.
    struct lane_operand p = lane_operand(g, address_base(pointer, &bytes)), x = lane_operand(g, value);
    struct lane_operand result = lane_result(g, is_used(inst) ? t : g->v->void_type, NULL);
    struct lane_loop l;
    lane_loop_begin(g, &l, mask);
    LLVMValueRef at = gang_step(g, lane_operand_read(g, &l, &p), bytes);
    lane_operand_write(g, &l, &result, touch(g, inst, at, lane_operand_read(g, &l, &x)));
    lane_loop_end(g, &l);
    if (later)
        ir_enter(g->b, later);
    if (done)
        ir_enter(g->b, done);
    if (is_used(inst))
        gang_set_vector(g, inst, lane_operand_vector(g, &result));
}

// Compare and exchange at one location: the old value and whether it was as expected.
static void exchange(struct gang *g, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef want, LLVMValueRef now,
                     LLVMValueRef out[2])
{
    if (is_shared(LLVMGetOperand(inst, 0))) {
        out[0] = LLVMBuildLoad2(g->b, LLVMTypeOf(want), pointer, "");
        out[1] = LLVMBuildICmp(g->b, LLVMIntEQ, out[0], want, "");
        LLVMBuildStore(g->b, LLVMBuildSelect(g->b, out[1], now, out[0], ""), pointer);
        return;
    }
    // One that fails is a read: so it is tried only where the value is as expected.
    LLVMTypeRef t = LLVMTypeOf(want);
    bool looks = (type_bits(t) == 32 || type_bits(t) == 64) && !LLVMGetVolatile(inst);
    LLVMBasicBlockRef swap = gang_block(g, "swap"), done = gang_block(g, "swapped"), from[2];
    LLVMValueRef seen[2], ok[2] = {gang_int(g->v->i1, 0)};
    if (looks) {
        seen[0] = peek(g, t, pointer, LLVMGetCmpXchgFailureOrdering(inst));
        from[0] = LLVMGetInsertBlock(g->b);
        LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, seen[0], want, ""), swap, done);
    } else {
        LLVMBuildBr(g->b, swap);
    }
    LLVMPositionBuilderAtEnd(g->b, swap);
    LLVMValueRef copy = LLVMInstructionClone(inst);
    LLVMSetOperand(copy, 0, pointer);
    LLVMSetOperand(copy, 1, want);
    LLVMSetOperand(copy, 2, now);
    LLVMInsertIntoBuilder(g->b, copy);
    seen[looks] = LLVMBuildExtractValue(g->b, copy, 0, "");
    ok[looks] = LLVMBuildExtractValue(g->b, copy, 1, "");
    from[looks] = swap;
    ir_enter(g->b, done);
    out[0] = LLVMBuildPhi(g->b, t, "");
    out[1] = LLVMBuildPhi(g->b, g->v->i1, "");
    LLVMAddIncoming(out[0], seen, from, looks + 1u);
    LLVMAddIncoming(out[1], ok, from, looks + 1u);
}

static LLVMValueRef pair(struct gang *g, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef t[2] = {LLVMTypeOf(a), LLVMTypeOf(b)};
    LLVMValueRef r = LLVMGetPoison(LLVMStructTypeInContext(g->v->context, t, 2, 0));
    r = LLVMBuildInsertValue(g->b, r, a, 0, "");
    return LLVMBuildInsertValue(g->b, r, b, 1, "");
}

static void emit_cmpxchg(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    LLVMValueRef a[3], out[2];
    struct lane_operand x[3];
    for (unsigned i = 0; i < 3; i++)
        x[i] = lane_operand(g, LLVMGetOperand(inst, i));
    struct lane_operand old = lane_result(g, LLVMTypeOf(LLVMGetOperand(inst, 1)), NULL),
                        ok = lane_result(g, g->v->i1, NULL);
    struct lane_loop l;
    lane_loop_begin(g, &l, mask);
    for (unsigned i = 0; i < 3; i++)
        a[i] = lane_operand_read(g, &l, &x[i]);
    exchange(g, inst, a[0], a[1], a[2], out);
    lane_operand_write(g, &l, &old, out[0]);
    lane_operand_write(g, &l, &ok, out[1]);
    lane_loop_end(g, &l);
    LLVMValueRef bits = lane_operand_vector(g, &ok);
    LLVMValueRef both = pair(g, lane_operand_vector(g, &old), g->width > 1 ? gang_mask_bits(g, bits) : bits);
    gang_set_result(g, inst, both, both);
}

void gang_emit_atomic(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    if (LLVMGetInstructionOpcode(inst) == LLVMAtomicRMW)
        emit_rmw(g, inst, mask);
    else
        emit_cmpxchg(g, inst, mask);
}
