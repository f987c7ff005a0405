// SPDX-License-Identifier: Apache-2.0
// A scalar function as the vectoriser sees it: numbered values, its graph, and the proof that the graph is structured.
// Everything after this relies on that structure, and silently wrong code is what its absence gives; so it is checked.
#include "jit/analysis/scalar.h"
#include "jit/analysis/loops.h"
#include "jit/analysis/structured.h"
#include "jit/ir/dialect.h"

static bool check_structure(struct scalar_module *m, struct scalar_fn *f)
{
    int block;
    const char *fault = structured_fault(&f->cfg, &block);
    for (unsigned i = 0; i < f->cfg.norder; i++)
        if (!f->cfg.blocks[f->cfg.order[i]].nsucc)
            f->exit = f->cfg.order[i];
    return !fault || diag_fail(m->d, DIAG_INTERNAL, "%s: block %d: control flow is not structured: %s",
                               ir_function_name(f->function), block, fault);
}

static void number_value(struct scalar_fn *f, LLVMValueRef value)
{
    map_put_ptr(&f->index, value, (void *)(uintptr_t)(++f->nvalues));
}

// Which value is stored into each frame slot: the first one, or the function itself where there are several.
static void note_slot(struct scalar_fn *f, LLVMValueRef x)
{
    if (op_of(x) != OP_FRAME_SET)
        return;
    void *slot = (void *)(uintptr_t)(LLVMConstIntGetZExtValue(LLVMGetOperand(x, 0)) + 1);
    LLVMValueRef value = LLVMGetOperand(x, 1), first = map_get_ptr(&f->stored, slot);
    map_put_ptr(&f->stored, slot, first && first != value ? f->function : value);
}

bool scalar_fn_slot_differs(const struct scalar_fn *f, unsigned slot)
{
    return map_get_ptr(&f->stored, (void *)((uintptr_t)slot + 1)) == f->function;
}

bool scalar_fn_init(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef function)
{
    f->function = function;
    cfg_build(&f->cfg, function);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        number_value(f, LLVMGetParam(function, i));
    FOR_LOOP (&f->cfg, CFG_NONE, x) {
        number_value(f, x);
        note_slot(f, x);
        f->instructions++;
    }
    f->shapes = arena_array(&m->arena, struct shape, f->nvalues + 1);
    f->facts = arena_array(&m->arena, struct block_facts, f->cfg.nblocks + 1);
    return check_structure(m, f);
}

void scalar_fn_fini(struct scalar_fn *f)
{
    cfg_fini(&f->cfg);
    map_free(&f->index);
    map_free(&f->stored);
}

int scalar_fn_index(const struct scalar_fn *f, LLVMValueRef value)
{
    return (int)(uintptr_t)map_get_ptr(&f->index, value) - 1;
}

LLVMValueRef scalar_fn_condition(const struct scalar_fn *f, int block)
{
    const struct cfg_block *b = &f->cfg.blocks[block];
    return b->nsucc == 2 ? LLVMGetCondition(LLVMGetBasicBlockTerminator(b->block)) : NULL;
}
