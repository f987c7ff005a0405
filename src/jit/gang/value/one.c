// SPDX-License-Identifier: Apache-2.0
// Code of one thread within the code of its gang, made by the same emitters in a gang of one lane: every value is uniform and no
// branch divergent there.
#include "jit/gang/memory/access.h"
#include <string.h>

bool one_may_hold(LLVMTypeRef t)
{
    LLVMTypeKind k = LLVMGetTypeKind(t);
    if (k == LLVMIntegerTypeKind)
        return LLVMGetIntTypeWidth(t) <= 64 && (LLVMGetIntTypeWidth(t) & (LLVMGetIntTypeWidth(t) - 1)) == 0;
    return k == LLVMHalfTypeKind || k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind || k == LLVMPointerTypeKind ||
           k == LLVMVoidTypeKind;
}

static bool is_simple_call(LLVMValueRef x)
{
    enum heddle_op op = op_of(x);
    if (op_is_fixed(x) || op == OP_SHARED || op == OP_RT_MISALIGNED)
        return true;
    return !strncmp(call_name(x), "llvm.", 5) && LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVoidTypeKind;
}

bool one_may_run(LLVMValueRef x)
{
    bool may = LLVMIsACallInst(x)              ? is_simple_call(x)
               : IR_IS(x, LLVMLoad, LLVMStore) ? access_is_simple(x)
                                               : !IR_IS(x, IR_ATOMICS, LLVMAlloca, LLVMExtractValue);
    return may && one_may_hold(LLVMTypeOf(x));
}

// The function as one thread sees it: every value is uniform, no branch divergent.
static struct scalar_fn *one_thread(struct gang *g)
{
    if (g->f->one)
        return g->f->one;
    struct scalar_fn *f = arena_dup(&g->v->scalar.arena, g->f, sizeof *g->f);
    f->shapes = arena_array(&g->v->scalar.arena, struct shape, f->nvalues + 1);
    for (unsigned i = 0; i < f->nvalues; i++)
        f->shapes[i] = shape_uniform(true);
    f->facts = arena_array(&g->v->scalar.arena, struct block_facts, f->cfg.nblocks + 1);
    return g->f->one = f;
}

struct gang one_begin(struct gang *g, LLVMValueRef lane)
{
    static const struct lanes single = {.width = 1, .segments = 1, .block = {1, 1, 1}};
    struct gang one = *g;
    one.f = one_thread(g);
    one.lanes = &single;
    one.width = 1;
    one.values = arena_array(&g->v->scalar.arena, struct gang_value, g->f->nvalues + 1);
    one.first_thread = LLVMBuildAdd(g->b, g->first_thread, lane, "");
    return one;
}

void one_end(struct gang *to, const struct gang *from)
{
    to->once = from->once;
    to->loaded = from->loaded;
    to->versions = from->versions;
    to->failed |= from->failed;
}
