// SPDX-License-Identifier: Apache-2.0
// "Control Flow Instructions" of the PTX manual but calls: branches, the ends of threads, and waiting a while.
#include "jit/translate/emit.h"

static LLVMBasicBlockRef target(struct translator *t, uint32_t label)
{
    return t->blocks[t->f->labels[label].insn];
}

bool tr_emit_bra(struct translator *t, const struct ptx_insn *in)
{
    LLVMBuildBr(t->b, target(t, in->operands[0].label));
    return true;
}

// brx.idx: an index beyond the list is undefined in PTX; here it goes to the last target.
bool tr_emit_brx(struct translator *t, const struct ptx_insn *in)
{
    value index = tr_get(t, &in->operands[0], PTX_TYPE_U32);
    const struct ptx_operand *list = &in->operands[1];
    if (!list->nlist)
        return tr_fail(t, "brx without targets");
    value s = LLVMBuildSwitch(t->b, index, target(t, list->list[list->nlist - 1].label), list->nlist);
    for (uint32_t i = 0; i + 1 < list->nlist; i++)
        LLVMAddCase(s, tr_const_i32(t, i), target(t, list->list[i].label));
    return true;
}

void tr_branch_to_exit(struct translator *t)
{
    if (t->exit_flag)
        LLVMBuildStore(t->b, tr_const_int(t->i8, 1), t->exit_flag);
    LLVMBuildBr(t->b, t->ret_block);
}

bool tr_emit_ret(struct translator *t, const struct ptx_insn *in)
{
    (void)in;
    LLVMBuildBr(t->b, t->ret_block);
    return true;
}

// exit, trap
bool tr_emit_exit(struct translator *t, const struct ptx_insn *in)
{
    if (in->op == PTX_OP_TRAP)
        tr_hook(t, t->void_type, "trap", NULL, 0);
    tr_branch_to_exit(t);
    return true;
}

bool tr_emit_brkpt(struct translator *t, const struct ptx_insn *in)
{
    (void)in;
    return tr_hook(t, t->void_type, "brkpt", NULL, 0);
}

bool tr_emit_nanosleep(struct translator *t, const struct ptx_insn *in)
{
    (void)in;
    return tr_op(t, OP_YIELD, NULL, 0);
}
