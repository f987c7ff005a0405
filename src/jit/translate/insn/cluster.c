// SPDX-License-Identifier: Apache-2.0
// Clusters: "mapa", "getctarank", "barrier.cluster" of the PTX manual, and where shared addresses count from.
//
// Most kernels never look beyond their block: a shared address is then an offset in the block's own shared memory. In a
// kernel that can reach other blocks of its cluster, it is an offset in the cluster's window, in which the blocks lie one
// behind the other (JIT_WINDOW_SHIFT in abi.h); so shared::cta addresses are shared::cluster addresses too, and an address
// that one block computes means the same in the others. Generic addresses are real ones in both cases.
#include "jit/abi/abi.h"
#include "jit/translate/emit.h"

value tr_cluster_bytes(struct translator *t)
{
    value n = tr_op(t, OP_CLUSTER_NCTARANK, NULL, 0);
    return LLVMBuildShl(t->b, LLVMBuildZExt(t->b, n, t->i64, ""), tr_const_i64(t, JIT_WINDOW_SHIFT), "");
}

// A generic address as one in the window, and back.
static value window_address(struct translator *t, value a, bool back)
{
    value base = LLVMBuildPtrToInt(t->b, tr_shared_base(t), t->i64, "");
    return back ? LLVMBuildAdd(t->b, a, base, "") : LLVMBuildSub(t->b, a, base, "");
}

// mapa: d, a, b. The same place in the shared memory of the block with rank b.
bool tr_emit_mapa(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    bool generic = in->space != PTX_SPACE_SHARED_CLUSTER;
    LLVMTypeRef type = tr_type_of(t, ty);
    value a = tr_get(t, &in->operands[1], ty), rank = tr_get(t, &in->operands[2], PTX_TYPE_U32);
    // A variable's name stands for its address in the space of the instruction.
    if (generic && in->operands[1].kind != PTX_OPERAND_VAR)
        a = window_address(t, a, false);
    a = LLVMBuildAnd(t->b, a, tr_const_int(type, (1u << JIT_WINDOW_SHIFT) - 1), "");
    rank = LLVMBuildShl(t->b, tr_bits_resize(t, rank, type, false), tr_const_int(type, JIT_WINDOW_SHIFT), "");
    value d = LLVMBuildAdd(t->b, a, rank, "");
    tr_put(t, &in->operands[0], generic ? window_address(t, d, true) : d, ty);
    return true;
}

// getctarank: d, a. The rank of the block whose shared memory holds the address.
bool tr_emit_getctarank(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    bool generic = in->space != PTX_SPACE_SHARED_CLUSTER;
    value a = tr_get(t, &in->operands[1], ty);
    if (generic && in->operands[1].kind != PTX_OPERAND_VAR)
        a = window_address(t, a, false);
    a = LLVMBuildLShr(t->b, a, tr_const_int(tr_type_of(t, ty), JIT_WINDOW_SHIFT), "");
    tr_put(t, &in->operands[0], tr_bits_resize(t, a, t->i32, false), PTX_TYPE_U32);
    return true;
}

value tr_cluster_place(struct translator *t, value p, value rank)
{
    value at = window_address(t, LLVMBuildPtrToInt(t->b, p, t->i64, ""), false);
    at = LLVMBuildAnd(t->b, at, tr_const_i64(t, (1u << JIT_WINDOW_SHIFT) - 1), "");
    rank = LLVMBuildShl(t->b, LLVMBuildZExt(t->b, rank, t->i64, ""), tr_const_i64(t, JIT_WINDOW_SHIFT), "");
    at = window_address(t, LLVMBuildAdd(t->b, at, rank, ""), true);
    return LLVMBuildIntToPtr(t->b, at, LLVMPointerTypeInContext(t->cx, AS_SHARED), "");
}

value tr_cluster_each(struct translator *t, struct cluster_loop *l, value mask)
{
    value counter = tr_alloca_at_entry(t, t->i32, "rank");
    LLVMBasicBlockRef test = tr_block_new(t, ""), body = tr_block_new(t, "");
    l->head = tr_block_new(t, "");
    l->done = tr_block_new(t, "");
    mask = tr_bits_resize(t, mask, t->i32, false);
    LLVMBuildStore(t->b, tr_const_i32(t, (uint32_t)-1), counter);
    LLVMBuildBr(t->b, l->head);
    LLVMPositionBuilderAtEnd(t->b, l->head);
    value rank = LLVMBuildAdd(t->b, LLVMBuildLoad2(t->b, t->i32, counter, ""), tr_const_i32(t, 1), "");
    LLVMBuildStore(t->b, rank, counter);
    value more = LLVMBuildICmp(t->b, LLVMIntULT, rank, tr_const_i32(t, JIT_CLUSTER_MAX), "");
    LLVMBuildCondBr(t->b, more, test, l->done);
    LLVMPositionBuilderAtEnd(t->b, test);
    value named = LLVMBuildAnd(t->b, LLVMBuildLShr(t->b, mask, rank, ""), tr_const_i32(t, 1), "");
    LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntNE, named, tr_const_i32(t, 0), ""), body, l->head);
    LLVMPositionBuilderAtEnd(t->b, body);
    return rank;
}

void tr_cluster_each_end(struct translator *t, const struct cluster_loop *l)
{
    LLVMBuildBr(t->b, l->head);
    LLVMPositionBuilderAtEnd(t->b, l->done);
}

// barrier.cluster. An arrival with the wait right behind it is one operation. Releasing and acquiring are nothing more
// here: the blocks of a cluster run on one thread at a time.
bool tr_cluster_barrier(struct translator *t, const struct ptx_insn *in)
{
    if (MOD_OF(in, ACTION) != PTX_MOD_WAIT) {
        tr_op(t, OP_CLUSTER_ARRIVE, NULL, 0);
        return true;
    }
    value last = LLVMGetLastInstruction(LLVMGetInsertBlock(t->b));
    bool both = last && op_of(last) == OP_CLUSTER_ARRIVE;
    if (both)
        LLVMInstructionEraseFromParent(last);
    tr_op(t, both ? OP_CLUSTER_SYNC : OP_CLUSTER_WAIT, NULL, 0);
    return true;
}
