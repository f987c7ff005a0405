// SPDX-License-Identifier: Apache-2.0
// See live.h. Liveness is found value by value, walking from its uses up to its definition: the cost is the sum
// of the live ranges, and only resume points are remembered, so that large kernels need no sets of nodes by values.
#include "jit/resume/live.h"
#include "jit/ir/dialect.h"
#include "jit/ir/tuning.h"
#include "jit/ir/ir.h"
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
        vec_push(out, l->first_node[b->succ[i]]);
}

static unsigned point_of(const struct live *l, LLVMValueRef i)
{
    return (unsigned)(uintptr_t)map_get_ptr(&l->r->point_index, i);
}

static void number_values(struct live *l)
{
    struct resume *r = l->r;
    unsigned nodes = 0, values = 0;
    for (unsigned k = 0; k < r->cfg.nblocks; k++)
        FOR_INSTRUCTIONS (r->cfg.blocks[k].block, i)
            values++;
    l->nodes = arena_array(&r->arena, struct live_node, r->cfg.nblocks + r->points.len + 1);
    l->values = arena_array(&r->arena, struct live_value, values + 1);
    l->first_node = arena_array(&r->arena, unsigned, r->cfg.nblocks + 1);
    l->last_node = arena_array(&r->arena, unsigned, r->cfg.nblocks + 1);
    for (unsigned k = 0; k < r->cfg.nblocks; k++) {
        LLVMValueRef first = LLVMGetFirstInstruction(r->cfg.blocks[k].block);
        l->first_node[k] = nodes;
        struct live_node n = {(int)k, first, 0, r->block_together[k], true};
        for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) {
                l->values[l->nvalues] = (struct live_value){.value = i, .node = nodes};
                map_put_ptr(&l->index, i, (void *)(uintptr_t)++l->nvalues);
            } else {
                map_put_ptr(&l->place, i, (void *)(uintptr_t)(nodes + 1));
            }
            unsigned p = point_of(l, i);
            if (!p)
                continue;
            n.point = p;
            l->nodes[nodes++] = n;
            n = (struct live_node){(int)k, LLVMGetNextInstruction(i), 0, r->points.data[p - 1].together, false};
        }
        l->last_node[k] = nodes;
        l->nodes[nodes++] = n;
    }
    l->nnodes = nodes;
}

// A node that some resume point leads to is not early.
static void find_early_nodes(struct live *l)
{
    struct live_nodes todo = {0};
    for (unsigned n = 0; n < l->nnodes; n++)
        if (!l->nodes[n].early)
            vec_push(&todo, n);
    while (todo.len) {
        size_t from = todo.len - 1;
        unsigned n = todo.data[from];
        todo.len--;
        struct live_nodes next = {0};
        live_successors(l, n, &next);
        for (size_t i = 0; i < next.len; i++)
            if (l->nodes[next.data[i]].early) {
                l->nodes[next.data[i]].early = false;
                vec_push(&todo, next.data[i]);
            }
        vec_free(&next);
    }
    vec_free(&todo);
}

static void node_of_use(const struct live *l, LLVMValueRef user, LLVMValueRef value, struct live_nodes *out)
{
    if (LLVMGetInstructionOpcode(user) == LLVMPHI) { // used at the end of the edge's source
        for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
            int b = cfg_index(&l->r->cfg, LLVMGetIncomingBlock(user, i));
            if (LLVMGetIncomingValue(user, i) == value && l->r->cfg.blocks[b].rpo >= 0)
                vec_push(out, l->last_node[b]);
        }
        return;
    }
    int k = live_index(l, user);
    if (k >= 0) {
        vec_push(out, l->values[k].node);
        return;
    }
    vec_push(out, (unsigned)(uintptr_t)map_get_ptr(&l->place, user) - 1);
}

struct walk {
    struct live *l;
    unsigned *seen; // by node: the value that was last seen there, plus one
    struct live_nodes todo, uses;
};

// v is needed at the start of node n: it lives in whatever precedes it.
static void walk_up(struct walk *w, unsigned v, unsigned n)
{
    struct live *l = w->l;
    const struct live_node *node = &l->nodes[n];
    const struct cfg_block *b = &l->r->cfg.blocks[node->block];
    if (n != l->first_node[node->block]) {
        unsigned p = l->nodes[n - 1].point;
        vec_push(&l->at[p].values, v);
        l->values[v].apart |= !l->r->points.data[p - 1].together;
        vec_push(&w->todo, n - 1);
        return;
    }
    for (unsigned i = 0; i < b->npred; i++)
        if (l->r->cfg.blocks[b->pred[i]].rpo >= 0)
            vec_push(&w->todo, l->last_node[b->pred[i]]);
}

static void find_live_ranges(struct live *l)
{
    struct walk w = {.l = l, .seen = arena_array(&l->r->arena, unsigned, l->nnodes + 1)};
    for (unsigned v = 0; v < l->nvalues; v++) {
        struct live_value *value = &l->values[v];
        if (l->r->cfg.blocks[l->nodes[value->node].block].rpo < 0)
            continue;
        w.uses.len = 0;
        LLVMValueRef last = NULL;
        FOR_USES (value->value, u) {
            LLVMValueRef user = LLVMGetUser(u);
            if (user != last && l->r->cfg.blocks[cfg_index(&l->r->cfg, LLVMGetInstructionParent(user))].rpo >= 0)
                node_of_use(l, user, value->value, &w.uses);
            last = user;
        }
        for (size_t i = 0; i < w.uses.len; i++)
            vec_push(&w.todo, w.uses.data[i]);
        while (w.todo.len) {
            unsigned n = w.todo.data[--w.todo.len];
            if (n == value->node || w.seen[n] == v + 1)
                continue;
            w.seen[n] = v + 1;
            walk_up(&w, v, n);
        }
    }
    vec_free(&w.todo);
    vec_free(&w.uses);
}

static enum remat behind_point(const void *with, LLVMValueRef v)
{
    (void)with;
    if (op_is(v, IS_PLACE))
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
    if (l->nodes[v->node].early || (l->nodes[v->node].together && !v->apart)) {
        v->home = LIVE_FRAME;
        return;
    }
    v->home = LIVE_RAW;
    v->slot = plan->raw_slots;
    plan->raw_slots += live_slots(l->r->context, LLVMTypeOf(v->value));
}

// Local memory stays where it is for as long as the thread lives: its address may be anywhere.
static bool place_local(struct live *l, struct live_value *v)
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
    plan->local_bytes = (at + size + 15) & ~(uint64_t)15;
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
            ok = place_local(l, &l->values[v]);
        else if (across[v])
            choose_home(l, &l->values[v]);
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
    map_free(&l->place);
}
