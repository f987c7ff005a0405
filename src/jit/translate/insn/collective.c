// SPDX-License-Identifier: Apache-2.0
// "Parallel Synchronization and Communication Instructions" of the PTX manual that threads run together: barriers,
// shuffles, votes. Forms without .sync work on the threads that are active.
#include "jit/translate/emit.h"

value tr_value_activemask(struct translator *t, const struct ptx_insn *in, value *a)
{
    (void)in, (void)a;
    return tr_op(t, OP_ACTIVEMASK, NULL, 0);
}

static value barrier(struct translator *t, const struct ptx_insn *in, enum heddle_op op, value *args, unsigned n)
{
    value call = tr_op(t, op, args, n);
    if (in->op == PTX_OP_BAR || MOD_OF(in, ALIGNED))
        ir_set_metadata(call, IR_ALIGNED, LLVMMDNodeInContext(t->cx, NULL, 0));
    return call;
}

// bar.red, barrier.red: d, a [, b], c
static bool barrier_red(struct translator *t, const struct ptx_insn *in)
{
    value args[3] = {tr_get(t, &in->operands[1], PTX_TYPE_U32), tr_const_i32(t, 0), NULL};
    if (in->noperands > 3)
        args[1] = tr_get(t, &in->operands[2], PTX_TYPE_U32);
    args[2] = tr_get_pred(t, &in->operands[in->noperands - 1]);
    if (MOD_OF(in, OP) == PTX_MOD_POPC)
        return tr_put(t, &in->operands[0], barrier(t, in, OP_BARRIER_RED_POPC, args, 3), PTX_TYPE_U32);
    enum heddle_op op = MOD_OF(in, OP) == PTX_MOD_AND ? OP_BARRIER_RED_AND : OP_BARRIER_RED_OR;
    return tr_put(t, &in->operands[0], barrier(t, in, op, args, 3), PTX_TYPE_PRED);
}

// bar, barrier; bar.warp.sync; barrier.cluster
bool tr_emit_bar(struct translator *t, const struct ptx_insn *in)
{
    if (MOD_OF(in, LEVEL_OF) == PTX_MOD_WARP) {
        value mask = tr_get(t, &in->operands[0], PTX_TYPE_B32);
        tr_op(t, OP_WARP_SYNC, &mask, 1);
        return true;
    }
    if (MOD_OF(in, LEVEL_OF) == PTX_MOD_CLUSTER)
        return tr_cluster_barrier(t, in);
    if (MOD_OF(in, ACTION) == PTX_MOD_RED)
        return barrier_red(t, in);
    value args[2] = {tr_get(t, &in->operands[0], PTX_TYPE_U32), tr_const_i32(t, 0)};
    if (in->noperands > 1)
        args[1] = tr_get(t, &in->operands[1], PTX_TYPE_U32);
    bool arrive = MOD_OF(in, ACTION) == PTX_MOD_ARRIVE;
    barrier(t, in, arrive ? OP_BARRIER_ARRIVE : OP_BARRIER, args, 2);
    return true;
}

static value member_mask(struct translator *t, const struct ptx_insn *in, unsigned operand)
{
    return in->noperands > operand ? tr_get(t, &in->operands[operand], PTX_TYPE_B32) : tr_op(t, OP_ACTIVEMASK, NULL, 0);
}

// shfl: d[|p], a, b, c [, membermask]
bool tr_emit_shfl(struct translator *t, const struct ptx_insn *in)
{
    const char *mode = ptx_mod_name(MOD_OF(in, SHFL));
    value args[4] = {member_mask(t, in, 4)};
    for (int i = 0; i < 3; i++)
        args[1 + i] = tr_get(t, &in->operands[1 + i], PTX_TYPE_B32);
    value d = tr_op(t, op_printf("shfl.%s", mode), args, 4), p = NULL;
    if (in->operands[0].pair)
        p = tr_op(t, op_printf("shfl.pred.%s", mode), args, 4);
    tr_put(t, &in->operands[0], d, PTX_TYPE_B32);
    if (p)
        tr_put(t, in->operands[0].pair, p, PTX_TYPE_PRED);
    return true;
}

bool tr_emit_vote(struct translator *t, const struct ptx_insn *in)
{
    bool ballot = MOD_OF(in, VOTE) == PTX_MOD_BALLOT;
    value args[2] = {member_mask(t, in, 2), tr_get_pred(t, &in->operands[1])};
    value d = tr_op(t, op_printf("vote.%s", ptx_mod_name(MOD_OF(in, VOTE))), args, 2);
    return tr_put(t, &in->operands[0], d, ballot ? PTX_TYPE_B32 : PTX_TYPE_PRED);
}

bool tr_emit_match(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    value args[2] = {member_mask(t, in, 2), tr_get(t, &in->operands[1], ty)};
    value d = tr_op(t, op_printf("match.%s.b%u", ptx_mod_name(MOD_OF(in, VOTE)), tr_type_bits(ty)), args, 2);
    tr_put(t, &in->operands[0], d, PTX_TYPE_B32);
    if (in->operands[0].pair)
        tr_put(t, in->operands[0].pair, LLVMBuildICmp(t->b, LLVMIntNE, d, tr_const_i32(t, 0), ""), PTX_TYPE_PRED);
    return true;
}

// The bits of a float as an integer of the same order, -0 below +0, and back: where the sign is set the other bits are inverted.
static value ordered(struct translator *t, value bits)
{
    value sign = LLVMBuildAShr(t->b, bits, tr_const_i32(t, 31), "");
    return LLVMBuildXor(t->b, bits, LLVMBuildAnd(t->b, sign, tr_const_i32(t, 0x7fffffff), ""), "");
}

// Minimum and maximum of floats are those of signed integers. A NaN becomes the integer beyond all floats that wins with .NaN
// and loses without; INT_MAX and INT_MIN are such and stand for NaNs, so a NaN that is left is the result's.
static bool redux_float(struct translator *t, const struct ptx_insn *in)
{
    bool max = MOD_OF(in, OP) == PTX_MOD_MAX, wins = MOD_OF(in, NAN);
    value top = tr_const_i32(t, 0x7fffffff), inf = tr_const_i32(t, 0x7f800000);
    value bits = tr_bits_cast(t, tr_get(t, &in->operands[1], PTX_TYPE_F32), t->i32);
    value size = LLVMBuildAnd(t->b, bits, top, "");
    value beyond = tr_const_i32(t, max == wins ? 0x7fffffff : 0x80000000);
    value key = LLVMBuildSelect(t->b, LLVMBuildICmp(t->b, LLVMIntUGT, size, inf, ""), beyond,
                                ordered(t, MOD_OF(in, ABS) ? size : bits), "");
    value d = tr_op(t, max ? OP_REDUX_MAX_S32 : OP_REDUX_MIN_S32, (value[]){member_mask(t, in, 2), key}, 2);
    d = ordered(t, d);
    value nan = LLVMBuildICmp(t->b, LLVMIntUGT, LLVMBuildAnd(t->b, d, top, ""), inf, "");
    return tr_put(t, &in->operands[0], tr_bits_cast(t, LLVMBuildSelect(t->b, nan, top, d, ""), t->f32), PTX_TYPE_F32);
}

bool tr_emit_redux(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    if (ty == PTX_TYPE_F32)
        return redux_float(t, in);
    unsigned op = MOD_OF(in, OP) ? MOD_OF(in, OP) : MOD_OF(in, BOOL);
    const char *sign = op != PTX_MOD_MIN && op != PTX_MOD_MAX ? "" : tr_type_is_signed(ty) ? ".s32" : ".u32";
    value args[2] = {member_mask(t, in, 2), tr_get(t, &in->operands[1], ty)};
    return tr_put(t, &in->operands[0], tr_op(t, op_printf("redux.%s%s", ptx_mod_name(op), sign), args, 2), ty);
}

// elect: the leader is the lowest member
bool tr_emit_elect(struct translator *t, const struct ptx_insn *in)
{
    value mask = tr_get(t, &in->operands[1], PTX_TYPE_B32);
    value leader = tr_call_intrinsic(t, "llvm.cttz", &t->i32, 1, (value[]){mask, tr_const_int(t->i1, 0)}, 2);
    value p = tr_op(t, OP_ELECT, &mask, 1);
    tr_put(t, &in->operands[0], leader, PTX_TYPE_B32);
    if (in->operands[0].pair)
        tr_put(t, in->operands[0].pair, p, PTX_TYPE_PRED);
    return true;
}
