// SPDX-License-Identifier: Apache-2.0
// "mbarrier" of the PTX manual, and bulk copies that report to one. The 64-bit object, opaque to programs, has these
// fields: bits 0-19 expected arrivals, 20-39 pending arrivals, 40 parity of the phase, 41-63 bytes still expected
// (signed). Each change is one atomic addition; the thread whose change leaves nothing pending ends the phase. A state
// is the object as it was on arrival: the phase has ended when the parity differs.
#include "jit/translate/emit.h"

enum { PENDING = 20, PARITY = 40, BYTES = 41 };

static value add(struct translator *t, value p, value n)
{
    return LLVMBuildAtomicRMW(t->b, LLVMAtomicRMWBinOpAdd, p, n, LLVMAtomicOrderingAcquireRelease, false);
}

// Bits from `at` on of n, to be added; negative for a decrease.
static value field(struct translator *t, value n, unsigned at, bool decrease)
{
    n = LLVMBuildShl(t->b, tr_bits_resize(t, n, t->i64, false), tr_const_i64(t, at), "");
    return decrease ? LLVMBuildNeg(t->b, n, "") : n;
}

// Adds to the object, and ends the phase when nothing is pending any more. The old object.
static value change(struct translator *t, value p, value n)
{
    value old = add(t, p, n), now = LLVMBuildAdd(t->b, old, n, "");
    value rest = LLVMBuildAnd(t->b, now, tr_const_i64(t, ~((1ull << PENDING) - 1) & ~(1ull << PARITY)), "");
    LLVMBasicBlockRef end = tr_block_new(t, ""), after = tr_block_new(t, "");
    ir_branch(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, rest, tr_const_i64(t, 0), ""), end, after, end);
    value expected = LLVMBuildAnd(t->b, now, tr_const_i64(t, (1ull << PENDING) - 1), "");
    add(t, p, field(t, expected, PENDING, false));
    LLVMBuildAtomicRMW(t->b, LLVMAtomicRMWBinOpXor, p, tr_const_i64(t, 1ull << PARITY),
                       LLVMAtomicOrderingAcquireRelease, false);
    ir_enter(t->b, after);
    return old;
}

// A transfer of n bytes (u32) has come to its end; p is the address of the barrier.
void tr_mbarrier_complete(struct translator *t, value p, value n)
{
    change(t, p, field(t, n, BYTES, true));
}

// The barrier that an operand names.
static value object_address(struct translator *t, const struct ptx_insn *in, unsigned operand)
{
    return tr_address(t, &in->operands[operand], in->space == PTX_SPACE_GENERIC ? PTX_SPACE_GENERIC : PTX_SPACE_SHARED);
}

static bool arrive(struct translator *t, const struct ptx_insn *in)
{
    bool has_result = in->noperands > 1 && in->operands[1].kind == PTX_OPERAND_ADDRESS;
    unsigned at = has_result ? 1 : 0;
    value p = object_address(t, in, at), n = tr_const_i32(t, 1);
    if (in->noperands > at + 1) {
        value x = tr_get(t, &in->operands[at + 1], PTX_TYPE_U32);
        if (MOD_OF(in, EXPECT))
            tr_tell_object(t, OBJECT_EXPECT, p, x);
        if (MOD_OF(in, EXPECT))
            add(t, p, field(t, x, BYTES, false));
        else
            n = x;
    }
    tr_tell_object(t, MOD_OF(in, ACTION) == PTX_MOD_ARRIVE_DROP ? OBJECT_DROP : OBJECT_ARRIVE, p, n);
    if (MOD_OF(in, ACTION) == PTX_MOD_ARRIVE_DROP)
        add(t, p, field(t, n, 0, true));
    value old = MOD_OF(in, NOINC) == PTX_MOD_NOCOMPLETE ? add(t, p, field(t, n, PENDING, true))
                                                        : change(t, p, field(t, n, PENDING, true));
    if (has_result)
        tr_put(t, &in->operands[0], old, PTX_TYPE_B64);
    return true;
}

static value parity(struct translator *t, value object)
{
    return tr_part(t, object, PARITY, t->i1);
}

static bool test_wait(struct translator *t, const struct ptx_insn *in)
{
    value p = object_address(t, in, 1), phase;
    tr_tell_object(t, OBJECT_TEST, p, NULL);
    value now = ir_load(t->b, t->i64, p, 8);
    LLVMSetOrdering(now, LLVMAtomicOrderingAcquire);
    if (MOD_OF(in, PARITY))
        phase = LLVMBuildTrunc(t->b, tr_get(t, &in->operands[2], PTX_TYPE_U32), t->i1, "");
    else
        phase = parity(t, tr_get(t, &in->operands[2], PTX_TYPE_B64));
    value over = LLVMBuildXor(t->b, parity(t, now), phase, "");
    if (t->out->checked) {
        value asked = LLVMBuildShl(t->b, LLVMBuildZExt(t->b, phase, t->i32, ""), tr_const_i32(t, 1), "");
        value result = LLVMBuildZExt(t->b, over, t->i32, "");
        tr_tell_object(t, OBJECT_TESTED, p, LLVMBuildOr(t->b, asked, result, ""));
    }
    return tr_put(t, &in->operands[0], over, PTX_TYPE_PRED);
}

static bool init(struct translator *t, const struct ptx_insn *in)
{
    value count = tr_get(t, &in->operands[1], PTX_TYPE_U32), n = LLVMBuildZExt(t->b, count, t->i64, "");
    value v = LLVMBuildOr(t->b, n, field(t, n, PENDING, false), "");
    value p = object_address(t, in, 0);
    tr_tell_object(t, OBJECT_INIT, p, count);
    return ir_store(t->b, v, p, 8);
}

bool tr_emit_mbarrier(struct translator *t, const struct ptx_insn *in)
{
    switch (MOD_OF(in, ACTION)) {
    case PTX_MOD_INIT:
        return init(t, in);
    case PTX_MOD_INVAL:
        if (t->out->checked)
            tr_tell_object(t, OBJECT_END, object_address(t, in, 0), NULL);
        return true;
    case PTX_MOD_ARRIVE:
    case PTX_MOD_ARRIVE_DROP:
        return arrive(t, in);
    case PTX_MOD_TEST_WAIT:
    case PTX_MOD_TRY_WAIT:
        return test_wait(t, in);
    case PTX_MOD_EXPECT_TX:
    case PTX_MOD_COMPLETE_TX: {
        value p = object_address(t, in, 0), n = tr_get(t, &in->operands[1], PTX_TYPE_U32);
        if (MOD_OF(in, ACTION) == PTX_MOD_EXPECT_TX)
            tr_tell_object(t, OBJECT_EXPECT, p, n);
        if (MOD_OF(in, ACTION) == PTX_MOD_EXPECT_TX)
            add(t, p, field(t, n, BYTES, false));
        else
            tr_mbarrier_complete(t, p, n);
        return true;
    }
    default: { // pending_count
        value s = tr_part(t, tr_get(t, &in->operands[1], PTX_TYPE_B64), PENDING, t->i32);
        s = LLVMBuildAnd(t->b, s, tr_const_i32(t, (1u << PENDING) - 1), "");
        return tr_put(t, &in->operands[0], s, PTX_TYPE_U32);
    }
    }
}

// cp.async.mbarrier.arrive: earlier copies are done. Without .noinc the arrival was added to the count first.
bool tr_copy_arrive(struct translator *t, const struct ptx_insn *in)
{
    if (t->out->checked)
        tr_tell_object(t, COPY_ARRIVE, object_address(t, in, 0), NULL);
    if (MOD_OF(in, NOINC) == PTX_MOD_NOINC)
        change(t, object_address(t, in, 0), field(t, tr_const_i32(t, 1), PENDING, true));
    return true;
}

static void copy_words(struct translator *t, value to, value from, value n, value barrier)
{
    value args[3] = {LLVMBuildAddrSpaceCast(t->b, to, t->ptr, ""), LLVMBuildAddrSpaceCast(t->b, from, t->ptr, ""), n};
    tr_tell_object(t, barrier ? LOAD_BEGIN : STORE_BEGIN, barrier, NULL);
    tr_call_lib(t, t->void_type, args, 3, "heddle_copy_words");
    tr_tell_object(t, COPY_END, NULL, NULL);
    if (barrier)
        tr_mbarrier_complete(t, barrier, n);
}

// cp.async.bulk: d, a, size [, mbar [, mask]]; copied at once, then the bytes are reported. Destination and barrier may lie
// in another block of the cluster; with a mask, in the blocks of these ranks.
bool tr_copy_bulk(struct translator *t, const struct ptx_insn *in)
{
    if (MOD_OF(in, ACTION)) // commit_group, wait_group, prefetch
        return tr_tell_groups(t, STORE_COMMIT, STORE_WAIT);
    value to = tr_address(t, &in->operands[0], in->space);
    value from = tr_address(t, &in->operands[1], in->space2);
    value n = tr_get(t, &in->operands[2], PTX_TYPE_U32);
    bool reports = MOD_OF(in, COMPLETION) == PTX_MOD_MBARRIER__COMPLETE_TX__BYTES;
    value barrier = reports ? tr_address(t, &in->operands[3], PTX_SPACE_SHARED) : NULL;
    tr_count_bulk(t, in, in->space == PTX_SPACE_GLOBAL ? to : in->space2 == PTX_SPACE_GLOBAL ? from : NULL, n);
    if (!MOD_OF(in, MULTICAST)) {
        copy_words(t, to, from, n, barrier);
        return true;
    }
    struct tr_loop l;
    value rank = tr_cluster_each(t, &l, tr_get(t, &in->operands[4], PTX_TYPE_B16));
    copy_words(t, tr_cluster_address(t, to, rank), from, n, tr_cluster_address(t, barrier, rank));
    tr_loop_end(t, &l);
    return true;
}
