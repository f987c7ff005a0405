// SPDX-License-Identifier: Apache-2.0
// See live.h. Only resume points are remembered, so that large kernels need no sets of nodes by values.
#include "jit/resume/live.h"
#include "jit/ir/dialect.h"
#include "jit/ir/tuning.h"
#include "jit/ir/remat.h"

int live_index(const struct live *l, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) ? (int)(uintptr_t)map_get_ptr(&l->index, v) - 1 : -1;
}

LLVMTypeRef live_slot_type(LLVMContextRef c, LLVMTypeRef t)
{
    bool bit = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1;
    return bit ? LLVMInt32TypeInContext(c) : t;
}

unsigned live_parts(LLVMTypeRef t)
{
    LLVMTypeKind k = LLVMGetTypeKind(t);
    return k == LLVMIntegerTypeKind  ? (LLVMGetIntTypeWidth(t) + 63) / 64
           : k == LLVMStructTypeKind ? LLVMCountStructElementTypes(t)
           : k == LLVMArrayTypeKind  ? (unsigned)LLVMGetArrayLength2(t)
           : k == LLVMVectorTypeKind ? LLVMGetVectorSize(t)
                                     : 1;
}

LLVMTypeRef live_part_type(LLVMContextRef c, LLVMTypeRef t, unsigned i)
{
    LLVMTypeKind k = LLVMGetTypeKind(t);
    return k == LLVMStructTypeKind                                   ? LLVMStructGetTypeAtIndex(t, i)
           : k == LLVMArrayTypeKind || k == LLVMVectorTypeKind       ? LLVMGetElementType(t)
           : k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) > 64 ? LLVMInt64TypeInContext(c)
                                                                     : t;
}

unsigned live_slots(LLVMContextRef c, LLVMTypeRef t)
{
    unsigned n = 0;
    for (unsigned i = 0; i < live_parts(t); i++) {
        LLVMTypeRef part = live_part_type(c, t, i);
        n += part == t ? 1 : live_slots(c, part);
    }
    return n;
}

void live_successors(const struct live *l, unsigned node, struct live_nodes *out)
{
    const struct live_node *n = &l->nodes[node];
    const struct cfg_block *b = &l->r->cfg.blocks[n->block];
    if (n->point)
        return;
    for (unsigned i = 0; i < b->nsucc; i++)
        vec_push(out, l->lives.first[b->succ[i]]);
}

static unsigned point_of(const struct live *l, LLVMValueRef i)
{
    return (unsigned)(uintptr_t)map_get_ptr(&l->r->point_index, i);
}

static bool is_point(const void *with, LLVMValueRef i)
{
    return point_of(with, i);
}

static void number_values(struct live *l)
{
    struct resume *r = l->r;
    liveness_init(&l->lives, &r->cfg, is_point, l);
    l->nodes = arena_array(&r->arena, struct live_node, l->lives.n + 1);
    l->values = arena_array(&r->arena, struct live_value, ir_function_size(r->cfg.function) + 1);
    for (unsigned k = 0; k < r->cfg.nblocks; k++) {
        LLVMValueRef first = LLVMGetFirstInstruction(r->cfg.blocks[k].block);
        struct live_node *n = &l->nodes[l->lives.first[k]];
        *n = (struct live_node){(int)k, first, 0, r->block_together[k], true};
        for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) {
                l->values[l->nvalues] = (struct live_value){.value = i, .node = (unsigned)(n - l->nodes)};
                map_put_ptr(&l->index, i, (void *)(uintptr_t)++l->nvalues);
            }
            unsigned p = n->point = point_of(l, i);
            if (p)
                *++n = (struct live_node){(int)k, LLVMGetNextInstruction(i), 0, r->points.data[p - 1].together, false};
        }
    }
}

// A node that some resume point leads to is not early.
static void find_early_nodes(struct live *l)
{
    struct live_nodes worklist = {0};
    for (unsigned n = 0; n < l->lives.n; n++)
        if (!l->nodes[n].early)
            vec_push(&worklist, n);
    while (worklist.len) {
        size_t from = worklist.len - 1;
        unsigned n = worklist.data[from];
        worklist.len--;
        struct live_nodes next = {0};
        live_successors(l, n, &next);
        for (size_t i = 0; i < next.len; i++)
            if (l->nodes[next.data[i]].early) {
                l->nodes[next.data[i]].early = false;
                vec_push(&worklist, next.data[i]);
            }
        vec_free(&next);
    }
    vec_free(&worklist);
}

struct walk {
    struct live *l;
    unsigned value;
};

// The value is needed at the start of this node: it lives across the point before.
static void lives_at(void *with, unsigned node)
{
    const struct walk *w = with;
    struct live *l = w->l;
    if (node == l->lives.first[l->nodes[node].block])
        return;
    unsigned p = l->nodes[node - 1].point;
    vec_push(&l->at[p].values, w->value);
    l->values[w->value].diverged |= !l->r->points.data[p - 1].together;
}

static void find_live_ranges(struct live *l)
{
    struct walk w = {.l = l};
    for (; w.value < l->nvalues; w.value++)
        if (l->r->cfg.blocks[l->nodes[l->values[w.value].node].block].rpo >= 0)
            liveness_visit(&l->lives, l->values[w.value].value, lives_at, &w);
}

static enum remat behind_point(const void *with, LLVMValueRef v)
{
    (void)with;
    if (op_is(v, IS_SREG))
        return LLVMGetNumArgOperands(v) && LLVMIsAInstruction(LLVMGetOperand(v, 0)) ? REMAT_NEVER : REMAT_AGAIN;
    if (ir_operands(v) > LIVE_OPERANDS)
        return REMAT_NEVER;
    bool constant = ir_is_invariant(v) && ir_space(LLVMGetOperand(v, 0)) == AS_CONST;
    return constant || IR_IS(v, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMLShr, LLVMAShr, LLVMAnd, LLVMOr, LLVMXor,
                             LLVMGetElementPtr, IR_EXTENSIONS, IR_POINTER_CAST, LLVMAddrSpaceCast, LLVMBitCast,
                             LLVMICmp, LLVMSelect, LLVMAlloca)
               ? REMAT_AGAIN
               : REMAT_NEVER;
}

static void choose_home(struct live *l, struct live_value *v)
{
    struct region_plan *plan = l->r->plan;
    if (remat_cost(v->value, TUNE_AGAIN_MAX, behind_point, NULL) <= TUNE_AGAIN_MAX) {
        v->home = LIVE_AGAIN;
        return;
    }
    if (l->nodes[v->node].early || (l->nodes[v->node].together && !v->diverged)) {
        v->home = LIVE_FRAME;
        return;
    }
    v->home = LIVE_RAW;
    v->slot = plan->raw_slots;
    plan->raw_slots += live_slots(l->r->context, LLVMTypeOf(v->value));
}

// Local memory stays where it is for as long as the thread lives: its address may be anywhere.
static bool lay_out_local(struct live *l, struct live_value *v)
{
    struct region_plan *plan = l->r->plan;
    LLVMValueRef count = LLVMGetOperand(v->value, 0);
    if (!LLVMIsAConstantInt(count))
        return diag_unsupported(l->r->d, 0, 0, "alloca of a variable size in '%s'", plan->kernel);
    uint64_t size = LLVMABISizeOfType(plan->layout, LLVMGetAllocatedType(v->value)) * LLVMConstIntGetZExtValue(count);
    uint64_t align = LLVMGetAlignment(v->value) > 16 ? LLVMGetAlignment(v->value) : 16;
    uint64_t at = (plan->local_bytes + align - 1) & ~(align - 1);
    v->home = LIVE_LOCAL;
    v->slot = (unsigned)at;
    plan->local_bytes = at + size;
    plan->local_align = align > plan->local_align ? align : plan->local_align;
    return true;
}

bool live_build(struct live *l, struct resume *r)
{
    *l = (struct live){.r = r};
    number_values(l);
    l->at = xcalloc(r->points.len + 1, sizeof *l->at);
    if (!r->points.len)
        return true;
    find_early_nodes(l);
    find_live_ranges(l);
    bool *across = arena_array(&r->arena, bool, l->nvalues + 1);
    for (size_t p = 1; p <= r->points.len; p++)
        for (size_t i = 0; i < l->at[p].values.len; i++)
            across[l->at[p].values.data[i]] = true;
    bool ok = true;
    for (unsigned v = 0; v < l->nvalues && ok; v++)
        if (LLVMGetInstructionOpcode(l->values[v].value) == LLVMAlloca)
            ok = lay_out_local(l, &l->values[v]);
        else if (across[v])
            choose_home(l, &l->values[v]);
    if (r->plan->local_align) // so that it holds for every thread, whose memories follow each other
        r->plan->local_bytes = (r->plan->local_bytes + r->plan->local_align - 1) & ~(r->plan->local_align - 1);
    if (ok)
        live_share_slots(l);
    return ok;
}

void live_fini(struct live *l)
{
    for (size_t p = 0; l->at && p <= l->r->points.len; p++)
        vec_free(&l->at[p].values);
    free(l->at);
    map_free(&l->index);
    liveness_fini(&l->lives);
}
