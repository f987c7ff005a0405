// SPDX-License-Identifier: Apache-2.0
// Clusters: "mapa", "getctarank", "barrier.cluster" of the PTX manual, and where shared addresses count from.
//
// Most kernels never look beyond their block: a shared address is then an offset in the block's own shared memory. In a
// kernel that can reach other blocks of its cluster, it is an offset in the cluster's window, in which the blocks lie one
// behind the other (JIT_WINDOW_SHIFT in abi.h); so shared::cta addresses are shared::cluster addresses too, and an address
// that one block computes means the same in the others. Generic addresses are real ones in both cases.
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

// An operand as an address in the window. A variable's name stands for its address in the space of the instruction.
static value window_operand(struct translator *t, const struct ptx_insn *in, value a)
{
    bool generic = in->space != PTX_SPACE_SHARED_CLUSTER && in->operands[1].kind != PTX_OPERAND_VAR;
    return generic ? window_address(t, a, false) : a;
}

// The same location in the block with this rank, of an address in the window.
static value in_block(struct translator *t, value a, value rank)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    a = LLVMBuildAnd(t->b, a, tr_const_int(type, (1u << JIT_WINDOW_SHIFT) - 1), "");
    rank = LLVMBuildShl(t->b, tr_bits_resize(t, rank, type, false), tr_const_int(type, JIT_WINDOW_SHIFT), "");
    return LLVMBuildAdd(t->b, a, rank, "");
}

// mapa: d, a, b. The same location in the shared memory of the block with rank b.
value tr_value_mapa(struct translator *t, const struct ptx_insn *in, value *a)
{
    value d = in_block(t, window_operand(t, in, a[0]), a[1]);
    return in->space != PTX_SPACE_SHARED_CLUSTER ? window_address(t, d, true) : d;
}

// getctarank: d, a. The rank of the block whose shared memory holds the address.
value tr_value_getctarank(struct translator *t, const struct ptx_insn *in, value *a)
{
    value at = window_operand(t, in, a[0]);
    at = LLVMBuildLShr(t->b, at, tr_const_int(LLVMTypeOf(at), JIT_WINDOW_SHIFT), "");
    return tr_bits_resize(t, at, t->i32, false);
}

value tr_cluster_address(struct translator *t, value p, value rank)
{
    value at = in_block(t, window_address(t, LLVMBuildPtrToInt(t->b, p, t->i64, ""), false), rank);
    return LLVMBuildIntToPtr(t->b, window_address(t, at, true), LLVMPointerTypeInContext(t->cx, AS_SHARED), "");
}

value tr_cluster_each(struct translator *t, struct tr_loop *l, value mask)
{
    LLVMBasicBlockRef body = tr_block_new(t, "");
    mask = tr_bits_resize(t, mask, t->i32, false);
    value rank = tr_loop(t, l, tr_const_i32(t, JIT_CLUSTER_MAX), 1);
    value named = LLVMBuildAnd(t->b, LLVMBuildLShr(t->b, mask, rank, ""), tr_const_i32(t, 1), "");
    ir_branch(t->b, LLVMBuildICmp(t->b, LLVMIntNE, named, tr_const_i32(t, 0), ""), body, l->head, body);
    return rank;
}

// barrier.cluster. An arrival with the wait right behind it is one operation. Releasing and acquiring are nothing more
// here: the blocks of a cluster run on one thread at a time.
bool tr_cluster_barrier(struct translator *t, const struct ptx_insn *in)
{
    if (MOD_OF(in, ACTION) != PTX_MOD_WAIT)
        return tr_op(t, OP_CLUSTER_ARRIVE, NULL, 0);
    value last = LLVMGetLastInstruction(LLVMGetInsertBlock(t->b));
    bool both = last && op_of(last) == OP_CLUSTER_ARRIVE;
    if (both)
        LLVMInstructionEraseFromParent(last);
    return tr_op(t, both ? OP_CLUSTER_SYNC : OP_CLUSTER_WAIT, NULL, 0);
}
