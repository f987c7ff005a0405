// SPDX-License-Identifier: Apache-2.0
// Counted code, for ncu (docs/ncu.md): calls that tell the engine which basic blocks of the PTX a thread runs, which predicates hold, and the
// addresses of accesses. They stand where the PTX has them, before anything is folded, merged, unrolled or moved, and passes may neither
// leave one out nor change their order; so what is counted is what the PTX says, whatever becomes of the code around them.
#include "jit/translate/emit.h"

static void tell(struct translator *t, enum count_kind kind, uint32_t index, value address)
{
    value args[2] = {tr_const_i32(t, count_word(kind, index)), address ? address : tr_const_i64(t, 0)};
    value call = tr_op(t, OP_RT_COUNT, args, 2);
    ir_add_attribute(LLVMGetCalledValue(call), "nomerge"); // the word stays a constant
}

static uint32_t index_of(struct translator *t, const struct ptx_insn *in)
{
    return t->count_func->first_insn + (uint32_t)(in - t->f->insns);
}

void tr_count_enter(struct translator *t)
{
    if (!t->counts)
        return;
    t->count_func = count_plan_func(t->counts, t->f);
    for (uint32_t i = 0; i < t->count_func->nlocals; i++) {
        const struct count_local *l = &t->counts->locals.data[t->count_func->first_local + i];
        value at = LLVMBuildPtrToInt(t->b, tr_var_alloca(t, l->var), t->i64, "");
        tell(t, COUNT_LOCAL, t->count_func->first_local + i, at);
    }
}

void tr_count_block(struct translator *t, uint32_t insn)
{
    if (!t->counts)
        return;
    uint32_t at = t->count_func->first_insn + insn, block = t->counts->insns.data[at].block;
    if (t->counts->blocks.data[block].first == at)
        tell(t, COUNT_BLOCK, block, NULL);
}

// Where threads of a warp part each way is told at once, so that nobody has to wait for what the other threads do.
void tr_count_way(struct translator *t, const struct ptx_insn *in, value taken)
{
    if (!t->counts)
        return;
    uint32_t at = index_of(t, in);
    if (t->counts->blocks.data[t->counts->insns.data[at].block].target != COUNT_NONE && count_is_branch(in))
        tell(t, COUNT_WAY, at, LLVMBuildZExt(t->b, taken, t->i64, ""));
}

// Of an access that follows the access itself tells; of a branch, where the thread goes.
void tr_count_guard(struct translator *t, const struct ptx_insn *in)
{
    if (t->counts && !count_is_branch(in) && !count_accesses(in))
        tell(t, COUNT_GUARD, index_of(t, in), NULL);
}

void tr_count_access(struct translator *t, const struct ptx_insn *in, enum count_kind kind, value p)
{
    if (t->counts && count_accesses(in))
        tell(t, kind, index_of(t, in), LLVMBuildPtrToInt(t->b, p, t->i64, ""));
}

// Bulk copies are a thread's own, so that the engine waits for no others.
void tr_count_bulk(struct translator *t, const struct ptx_insn *in, value global, value bytes)
{
    if (!t->counts)
        return;
    tell(t, COUNT_BULK, index_of(t, in), global ? LLVMBuildPtrToInt(t->b, global, t->i64, "") : NULL);
    if (bytes)
        tell(t, COUNT_BYTES, index_of(t, in), LLVMBuildZExt(t->b, bytes, t->i64, ""));
}

// The second word of an access that has two.
void tr_count_stride(struct translator *t, const struct ptx_insn *in, value elements)
{
    if (t->counts)
        tell(t, COUNT_TARGET, index_of(t, in), LLVMBuildZExt(t->b, elements, t->i64, ""));
}

void tr_count_exit(struct translator *t)
{
    if (t->counts)
        tell(t, COUNT_EXIT, 0, NULL);
}
