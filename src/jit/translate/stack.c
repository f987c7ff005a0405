// SPDX-License-Identifier: Apache-2.0
// "Stack Manipulation Instructions" of the PTX manual: local memory of a size that is known late. The engine has it; a function
// that takes some gives it back where it returns.
#include "jit/translate/emit.h"

static bool uses_stack(const struct ptx_func *f)
{
    for (uint32_t i = 0; i < f->ninsns; i++)
        if (f->insns[i].op == PTX_OP_ALLOCA)
            return true;
    return false;
}

static value save(struct translator *t)
{
    return tr_hook(t, t->i64, "stack_save", NULL, 0);
}

static void restore(struct translator *t, value state)
{
    tr_hook(t, t->void_type, "stack_restore", &state, 1);
}

void tr_stack_enter(struct translator *t)
{
    t->stack = NULL;
    if (!uses_stack(t->f))
        return;
    t->stack = tr_alloca_at_entry(t, t->i64, "stack");
    LLVMBuildStore(t->b, save(t), t->stack);
}

void tr_stack_leave(struct translator *t)
{
    if (t->stack)
        restore(t, LLVMBuildLoad2(t->b, t->i64, t->stack, ""));
}

bool tr_emit_alloca(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    uint64_t align = in->noperands > 2 ? (uint64_t)in->operands[2].i : 8;
    value args[2] = {tr_bits_resize(t, tr_get(t, &in->operands[1], ty), t->i64, false), tr_const_i64(t, align)};
    value p = tr_hook(t, t->i64, "stack_alloc", args, 2);
    return tr_put(t, &in->operands[0], tr_bits_resize(t, p, tr_type_of(t, ty), false), ty);
}

value tr_value_stacksave(struct translator *t, const struct ptx_insn *in, value *a)
{
    (void)a;
    return tr_bits_resize(t, save(t), tr_type_of(t, in->types[0]), false);
}

bool tr_emit_stackrestore(struct translator *t, const struct ptx_insn *in)
{
    restore(t, tr_bits_resize(t, tr_get(t, &in->operands[0], in->types[0]), t->i64, false));
    return true;
}
