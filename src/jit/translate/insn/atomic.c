// SPDX-License-Identifier: Apache-2.0
// Atomics and fences: "atom", "red", "membar / fence" of the PTX manual.
#include "jit/translate/emit.h"
#include <stdio.h>

// Differs from PTX: a relaxed atom, and one without a word about order, acquires. Locks and counters of finished blocks
// count on what follows not being read before; no GPU does that, AArch64 does. The instruction costs the same.
static LLVMAtomicOrdering ordering(const struct ptx_insn *in)
{
    unsigned sem = MOD_OF(in, SEM);
    return sem == PTX_MOD_RELEASE                            ? LLVMAtomicOrderingRelease
           : sem == PTX_MOD_ACQ_REL                          ? LLVMAtomicOrderingAcquireRelease
           : sem == PTX_MOD_ACQUIRE || in->op == PTX_OP_ATOM ? LLVMAtomicOrderingAcquire
                                                             : LLVMAtomicOrderingMonotonic;
}

bool tr_rmw_op(unsigned op, enum ptx_type ty, LLVMAtomicRMWBinOp *out)
{
    static const struct {
        unsigned mod;
        int of_unsigned, of_signed, of_float; // -1: none
    } ops[] = {{PTX_MOD_AND, LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd},
               {PTX_MOD_OR, LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr},
               {PTX_MOD_XOR, LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor},
               {PTX_MOD_EXCH, LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
               {PTX_MOD_ADD, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd},
               {PTX_MOD_MIN, LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin, -1},
               {PTX_MOD_MAX, LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax, -1},
               {PTX_MOD_INC, LLVMAtomicRMWBinOpUIncWrap, LLVMAtomicRMWBinOpUIncWrap, -1},
               {PTX_MOD_DEC, LLVMAtomicRMWBinOpUDecWrap, LLVMAtomicRMWBinOpUDecWrap, -1}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i].mod == op) {
            int found = tr_type_is_float(ty)    ? ops[i].of_float
                        : tr_type_is_signed(ty) ? ops[i].of_signed
                                                : ops[i].of_unsigned;
            *out = (LLVMAtomicRMWBinOp)found;
            return found >= 0;
        }
    return false;
}

static value compare_exchange(struct translator *t, const struct ptx_insn *in, value p, value expected, value desired)
{
    LLVMAtomicOrdering order = ordering(in);
    LLVMAtomicOrdering on_failure = order == LLVMAtomicOrderingAcquire || order == LLVMAtomicOrderingAcquireRelease
                                        ? LLVMAtomicOrderingAcquire
                                        : LLVMAtomicOrderingMonotonic;
    value pair = LLVMBuildAtomicCmpXchg(t->b, p, expected, desired, order, on_failure, false);
    tr_mark_scope(t, pair);
    return LLVMBuildExtractValue(t->b, pair, 0, "");
}

// One element at p; the old value, or NULL where the combination is lacking.
static value atomic_one(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value p, value b, value c)
{
    unsigned op = MOD_OF(in, OP);
    if (ptx_type_is_half(ty) && op == PTX_MOD_ADD) {
        char name[64];
        snprintf(name, sizeof name, "atom_add_%s", ptx_type_name(ty));
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)))
            p = LLVMBuildAddrSpaceCast(t->b, p, t->ptr, "");
        value old = tr_hook(t, t->i32, name, (value[]){p, tr_bits_resize(t, b, t->i32, false)}, 2);
        return tr_bits_resize(t, old, tr_type_of(t, ty), false);
    }
    if (op == PTX_MOD_CAS)
        return compare_exchange(t, in, p, b, c);
    LLVMAtomicRMWBinOp rmw;
    if (ptx_type_is_half(ty) || !tr_rmw_op(op, ty, &rmw))
        return NULL;
    value old = LLVMBuildAtomicRMW(t->b, rmw, p, b, ordering(in), false);
    tr_mark_scope(t, old);
    return old;
}

// atom: d, [a], b [, c]; red: [a], b
bool tr_emit_atom(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[in->ntypes - 1];
    unsigned first = in->op == PTX_OP_ATOM ? 1 : 0;
    const struct ptx_operand *to = first ? &in->operands[0] : NULL, *from = &in->operands[first + 1];
    value p = tr_address(t, &in->operands[first], in->space);
    unsigned n = tr_elements(from);
    tr_check_align(t, &in->operands[first], in->space, p, n * ptx_type_bytes(ty));
    tr_count_access(t, in, COUNT_ACCESS, p);
    for (unsigned i = 0; i < n; i++) {
        value q = tr_step(t, p, (int64_t)i * ptx_type_bytes(ty));
        value b = tr_get(t, n > 1 ? &from->list[i] : from, ty);
        value c = MOD_OF(in, OP) == PTX_MOD_CAS ? tr_get(t, &in->operands[first + 2], ty) : NULL;
        value old = atomic_one(t, in, ty, q, b, c);
        if (!old)
            return diag_fail(t->d, DIAG_INTERNAL, "no code for this atomic operation");
        if (to)
            tr_put(t, n > 1 ? &to->list[i] : to, old, ty);
    }
    if (MOD_OF(in, ASYNC) && in->noperands > 2) // red.async: done at once, then the bytes are reported
        tr_mbarrier_complete(t, tr_address(t, &in->operands[2], in->space), tr_const_i32(t, ptx_type_bytes(ty)));
    return true;
}

// cp.reduce.async.bulk: [d], [a], size [, [mbar]]; element by element and at once, then the bytes are reported.
bool tr_reduce_bulk(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[in->ntypes - 1];
    value to = tr_address(t, &in->operands[0], in->space), from = tr_address(t, &in->operands[1], in->space2);
    value n = tr_get(t, &in->operands[2], PTX_TYPE_U32);
    tr_count_bulk(t, in, in->space == PTX_SPACE_GLOBAL ? to : NULL, n);
    struct tr_loop l;
    value at = tr_loop(t, &l, n, ptx_type_bytes(ty));
    value offset = LLVMBuildZExt(t->b, at, t->i64, "");
    value x = ir_load(t->b, tr_type_of(t, ty), tr_gep(t, from, offset), ptx_type_bytes(ty));
    if (!atomic_one(t, in, ty, tr_gep(t, to, offset), x, NULL))
        return diag_fail(t->d, DIAG_INTERNAL, "no code for this reduction");
    tr_loop_end(t, &l);
    if (MOD_OF(in, COMPLETION) == PTX_MOD_MBARRIER__COMPLETE_TX__BYTES)
        tr_mbarrier_complete(t, tr_address(t, &in->operands[3], PTX_SPACE_SHARED), n);
    return true;
}

// membar, fence. A block runs on one processor at a time, so within it only the order of the code counts.
bool tr_emit_fence(struct translator *t, const struct ptx_insn *in)
{
    if (MOD_OF(in, PROXY) == PTX_MOD_ASYNC)
        tr_tell_object(t, PROXY_FENCE, NULL, NULL);
    bool block = MOD_OF(in, SCOPE) == PTX_MOD_CTA || (MOD_OF(in, FENCE) && !MOD_OF(in, SCOPE));
    bool weak =
        MOD_OF(in, SEM) == PTX_MOD_ACQ_REL || MOD_OF(in, SEM) == PTX_MOD_ACQUIRE || MOD_OF(in, SEM) == PTX_MOD_RELEASE;
    value fence = LLVMBuildFence(
        t->b, weak ? LLVMAtomicOrderingAcquireRelease : LLVMAtomicOrderingSequentiallyConsistent, block, "");
    if (block && t->out->checked)
        ir_set_metadata(fence, IR_BLOCK_SCOPE, LLVMMDNodeInContext(t->cx, NULL, 0));
    return true;
}
