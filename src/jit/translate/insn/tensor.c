// SPDX-License-Identifier: Apache-2.0
// "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor" of the PTX manual, in tile mode: the engine copies the box at once
// (src/device/memory/tensor.c), then the bytes are reported.
#include "jit/abi/tensor.h"
#include "jit/translate/emit.h"

// The coordinates in memory, and the address of the map.
static void tensor_at(struct translator *t, const struct ptx_operand *o, value *map, value *at)
{
    const struct ptx_operand *c = &o->list[1];
    value p = tr_alloca_at_entry(t, LLVMArrayType2(t->i32, TENSOR_RANK_MAX), "box");
    for (unsigned i = 0; i < tr_elements(c) && i < TENSOR_RANK_MAX; i++)
        LLVMBuildStore(t->b, tr_get(t, tr_element(c, i), PTX_TYPE_S32), tr_step(t, p, (int64_t)i * 4));
    *map = LLVMBuildIntToPtr(t->b, tr_get(t, &o->list[0], PTX_TYPE_U64), t->ptr, "");
    *at = p;
}

static void load(struct translator *t, value to, value map, value at, value barrier)
{
    value args[3] = {LLVMBuildAddrSpaceCast(t->b, to, t->ptr, ""), map, at};
    tr_tell_object(t, LOAD_BEGIN, barrier, NULL);
    value n = tr_hook(t, t->i32, "tensor_load", args, 3);
    tr_tell_object(t, COPY_END, NULL, NULL);
    tr_mbarrier_complete(t, barrier, n);
}

static enum tensor_op reduction(const struct ptx_insn *in)
{
    static const enum tensor_op of[] = {
        [PTX_MOD_ADD] = TENSOR_ADD, [PTX_MOD_MIN] = TENSOR_MIN, [PTX_MOD_MAX] = TENSOR_MAX, [PTX_MOD_INC] = TENSOR_INC,
        [PTX_MOD_DEC] = TENSOR_DEC, [PTX_MOD_AND] = TENSOR_AND, [PTX_MOD_OR] = TENSOR_OR,   [PTX_MOD_XOR] = TENSOR_XOR};
    return of[MOD_OF(in, OP)];
}

bool tr_copy_tensor(struct translator *t, const struct ptx_insn *in)
{
    value map, at;
    if (MOD_OF(in, ACTION) == PTX_MOD_PREFETCH)
        return true;
    tr_count_bulk(t, in, NULL, NULL);
    if (in->space == PTX_SPACE_GLOBAL) { // [map, c], [a]
        enum tensor_op op = MOD_OF(in, ACTION) == PTX_MOD_REDUCE ? reduction(in) : TENSOR_PUT;
        tensor_at(t, &in->operands[0], &map, &at);
        value from = tr_address(t, &in->operands[1], PTX_SPACE_SHARED);
        value args[4] = {LLVMBuildAddrSpaceCast(t->b, from, t->ptr, ""), map, at, tr_const_i32(t, op)};
        tr_tell_object(t, STORE_BEGIN, NULL, NULL);
        tr_hook(t, t->void_type, "tensor_store", args, 4);
        tr_tell_object(t, COPY_END, NULL, NULL);
        return true;
    }
    // [d], [map, c], [mbar] [, mask]
    value to = tr_address(t, &in->operands[0], PTX_SPACE_SHARED);
    value barrier = tr_address(t, &in->operands[2], PTX_SPACE_SHARED);
    tensor_at(t, &in->operands[1], &map, &at);
    if (!MOD_OF(in, MULTICAST)) {
        load(t, to, map, at, barrier);
        return true;
    }
    struct tr_loop l;
    value rank = tr_cluster_each(t, &l, tr_get(t, &in->operands[3], PTX_TYPE_B16));
    load(t, tr_cluster_address(t, to, rank), map, at, tr_cluster_address(t, barrier, rank));
    tr_loop_end(t, &l);
    return true;
}
