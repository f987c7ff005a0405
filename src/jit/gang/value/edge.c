// SPDX-License-Identifier: Apache-2.0
// Phis. An edge of the scalar graph brings a value to each phi of its target; here it is read in the form that the
// phi's shape asks for, and then becomes an assignment, a phi of the gang function, or one side of a blend.
#include "jit/gang/gang.h"

unsigned edge_count(struct gang *g, int to)
{
    unsigned n = 0;
    FOR_PHIS (g->f->cfg.blocks[to].block, phi)
        n++;
    return n;
}

struct edge edge_new(struct gang *g, unsigned n)
{
    return (struct edge){.incoming = arena_array(&g->v->scalar.arena, struct gang_value, n + 1)};
}

LLVMValueRef edge_incoming(struct gang *g, LLVMValueRef phi, int from)
{
    LLVMValueRef x = ir_incoming(phi, g->f->cfg.blocks[from].block);
    if (!x)
        gang_fail(g, phi, "a phi without a value for an edge");
    return x ? x : LLVMGetPoison(LLVMTypeOf(phi));
}

struct gang_value edge_value(struct gang *g, LLVMValueRef phi, LLVMValueRef x)
{
    struct gang_value r = {0};
    struct shape s = gang_shape(g, phi);
    if (s.kind == SHAPE_VARYING) {
        r.vector = gang_vector(g, x);
        return r;
    }
    for (unsigned i = 0; i < shape_bases(g->lanes, &s); i++) {
        r.base[i] = gang_base(g, x, i, &s);
        if (s.wrap.kind != WRAP_NONE)
            r.source[i] = gang_source(g, x, i, &s);
    }
    return r;
}

struct edge edge_read(struct gang *g, int from, int to)
{
    struct edge e = edge_new(g, edge_count(g, to));
    unsigned n = 0;
    FOR_PHIS (g->f->cfg.blocks[to].block, phi)
        e.incoming[n++] = edge_value(g, phi, edge_incoming(g, phi, from));
    e.from = LLVMGetInsertBlock(g->b);
    return e;
}

void edge_assign(struct gang *g, int to, const struct edge *e)
{
    unsigned n = 0;
    FOR_PHIS (g->f->cfg.blocks[to].block, phi)
        *gang_slot(g, phi) = e->incoming[n++];
}

void edge_phis(struct gang *g, int to, const struct edge *first)
{
    FOR_PHIS (g->f->cfg.blocks[to].block, phi) {
        struct gang_value *r = gang_slot(g, phi);
        struct shape s = gang_shape(g, phi);
        *r = (struct gang_value){0};
        if (s.kind == SHAPE_VARYING) {
            r->vector = LLVMBuildPhi(g->b, gang_vector_type(g, LLVMTypeOf(phi)), "");
            continue;
        }
        for (unsigned i = 0; i < shape_bases(g->lanes, &s); i++) {
            r->base[i] = LLVMBuildPhi(g->b, gang_type(g, LLVMTypeOf(phi)), "");
            if (s.wrap.kind != WRAP_NONE)
                r->source[i] = LLVMBuildPhi(g->b, LLVMIntTypeInContext(g->v->context, s.wrap.bits), "");
        }
    }
    edge_add(g, to, first);
}

void edge_add(struct gang *g, int to, const struct edge *e)
{
    unsigned n = 0;
    LLVMBasicBlockRef from = e->from;
    FOR_PHIS (g->f->cfg.blocks[to].block, phi) {
        struct gang_value *r = gang_slot(g, phi), *x = &e->incoming[n++];
        if (r->vector)
            LLVMAddIncoming(r->vector, &x->vector, &from, 1);
        for (unsigned i = 0; i < SEGMENT_MAX && r->base[i]; i++) {
            LLVMAddIncoming(r->base[i], &x->base[i], &from, 1);
            if (r->source[i])
                LLVMAddIncoming(r->source[i], &x->source[i], &from, 1);
        }
    }
}

void edge_merge(struct gang *g, int to, const struct edge *e, unsigned n)
{
    edge_phis(g, to, &e[0]);
    for (unsigned i = 1; i < n; i++)
        edge_add(g, to, &e[i]);
}

void edge_blend(struct gang *g, int to, LLVMValueRef mask, struct edge *a, const struct edge *b)
{
    unsigned n = 0;
    FOR_PHIS (g->f->cfg.blocks[to].block, phi) {
        struct gang_value *x = &a->incoming[n], *y = &b->incoming[n];
        n++;
        if (x->vector)
            x->vector = gang_blend(g, mask, x->vector, y->vector);
        // Not varying at a divergent join: both edges bring the same value, or one brings none.
        for (unsigned i = 0; i < SEGMENT_MAX && x->base[i]; i++)
            if (value_is_undef(x->base[i])) {
                x->base[i] = y->base[i];
                x->source[i] = y->source[i];
            }
    }
    a->from = LLVMGetInsertBlock(g->b);
}
