// SPDX-License-Identifier: Apache-2.0
// See count.h. Paths that part meet at the immediate post-dominator, which is found by Cooper, Harvey and Kennedy's iteration on the
// reversed graph, with one node behind all ends of the function.
#include "jit/translate/reach/count.h"
#include "jit/translate/reach/support.h"
#include <stdlib.h>

bool count_is_branch(const struct ptx_insn *in)
{
    return in->op == PTX_OP_BRA || in->op == PTX_OP_BRX || in->op == PTX_OP_CALL || in->op == PTX_OP_RET ||
           in->op == PTX_OP_EXIT || in->op == PTX_OP_TRAP;
}

static bool is_data_space(enum ptx_space s)
{
    return s == PTX_SPACE_GENERIC || s == PTX_SPACE_GLOBAL || s == PTX_SPACE_LOCAL || ptx_space_is_shared(s);
}

bool count_accesses(const struct ptx_insn *in)
{
    switch (in->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX:
        return is_data_space(in->space) && !MOD_OF(in, BULK);
    case PTX_OP_CP:
        return !MOD_OF(in, TENSOR) && !MOD_OF(in, BULK) && !MOD_OF(in, MBARRIER) && !MOD_OF(in, ACTION);
    case PTX_OP_WMMA:
        return MOD_OF(in, ACTION) == PTX_MOD_LOAD || MOD_OF(in, ACTION) == PTX_MOD_STORE;
    default:
        return false;
    }
}

bool count_copies_bulk(const struct ptx_insn *in)
{
    return in->op == PTX_OP_CP && MOD_OF(in, BULK) && (!MOD_OF(in, ACTION) || MOD_OF(in, ACTION) == PTX_MOD_REDUCE);
}

// ---- the graph of one function's blocks; node n is behind all ends
struct graph {
    const struct count_plan *p;
    const struct count_func *cf;
    uint32_t n;
    uint32_t *order, *rank, *join; // nodes in the order of a walk from the end, backwards; where in it; the answer
    uint32_t *first, *edges;       // predecessors in the reversed graph: where each block may go
};

static uint32_t block_at(const struct count_plan *p, const struct count_func *cf, uint32_t insn)
{
    return insn < cf->f->ninsns ? p->insns.data[cf->first_insn + insn].block - cf->first_block : cf->nblocks;
}

typedef void edge_fn(struct graph *g, uint32_t from, uint32_t to);

static void for_targets(struct graph *g, uint32_t b, edge_fn *edge)
{
    const struct count_func *cf = g->cf;
    uint32_t last = g->p->blocks.data[cf->first_block + b].end - 1 - cf->first_insn;
    const struct ptx_insn *in = &cf->f->insns[last];
    const struct ptx_label *labels = cf->f->labels;
    bool ends = in->op == PTX_OP_RET || in->op == PTX_OP_EXIT || in->op == PTX_OP_TRAP;
    if (in->op == PTX_OP_BRA)
        edge(g, b, block_at(g->p, cf, labels[in->operands[0].label].insn));
    for (uint32_t i = 0; in->op == PTX_OP_BRX && i < in->operands[1].nlist; i++)
        edge(g, b, block_at(g->p, cf, labels[in->operands[1].list[i].label].insn));
    if (ends)
        edge(g, b, g->n);
    if (in->guarded || (!ends && in->op != PTX_OP_BRA && in->op != PTX_OP_BRX))
        edge(g, b, block_at(g->p, cf, last + 1));
}

static void count_edge(struct graph *g, uint32_t from, uint32_t to)
{
    (void)to;
    g->first[from + 1]++;
}

static void add_edge(struct graph *g, uint32_t from, uint32_t to)
{
    g->edges[g->first[from]++] = to;
}

static void edges_find(struct graph *g)
{
    g->first = xcalloc(g->n + 2, sizeof *g->first);
    for (uint32_t b = 0; b < g->n; b++)
        for_targets(g, b, count_edge);
    for (uint32_t b = 0; b < g->n; b++)
        g->first[b + 1] += g->first[b];
    g->edges = xcalloc(g->first[g->n] + 1, sizeof *g->edges);
    for (uint32_t b = 0; b < g->n; b++)
        for_targets(g, b, add_edge);
    for (uint32_t b = g->n; b > 0; b--)
        g->first[b] = g->first[b - 1];
    g->first[0] = 0;
}

// Who may come to each node: the edges turned around.
static void sources_find(const struct graph *g, uint32_t **first, uint32_t **list)
{
    uint32_t *f = xcalloc(g->n + 3, sizeof *f), all = g->first[g->n];
    *list = xcalloc(all + 1, sizeof **list);
    for (uint32_t e = 0; e < all; e++)
        f[g->edges[e] + 2]++;
    for (uint32_t b = 0; b <= g->n; b++)
        f[b + 2] += f[b + 1];
    for (uint32_t b = 0; b < g->n; b++)
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++)
            (*list)[f[g->edges[e] + 1]++] = b;
    *first = f;
}

// A walk from the end backwards; each node stands behind all that are reached from it.
static uint32_t walk(struct graph *g)
{
    uint32_t *first, *list, len = 0, depth = 0, *stack = xcalloc(g->n + 1, sizeof *stack);
    sources_find(g, &first, &list);
    uint32_t *at = xcalloc(g->n + 2, sizeof *at);
    bool *seen = xcalloc(g->n + 1, sizeof *seen);
    stack[depth++] = g->n;
    seen[g->n] = true;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (first[b] + at[b] < first[b + 1]) {
            uint32_t next = list[first[b] + at[b]++];
            if (!seen[next]) {
                seen[next] = true;
                stack[depth++] = next;
            }
        } else {
            g->rank[b] = len;
            g->order[len++] = b;
            depth--;
        }
    }
    free(first), free(list), free(stack), free(at), free(seen);
    return len;
}

static uint32_t common(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->rank[a] < g->rank[b])
            a = g->join[a];
        while (g->rank[b] < g->rank[a])
            b = g->join[b];
    }
    return a;
}

static void joins_find(struct graph *g)
{
    uint32_t len = walk(g);
    for (uint32_t b = 0; b <= g->n; b++)
        g->join[b] = COUNT_NONE;
    g->join[g->n] = g->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = len - 1; i-- > 0;) { // the end itself is the last
            uint32_t b = g->order[i], join = COUNT_NONE;
            for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++)
                if (g->join[g->edges[e]] != COUNT_NONE)
                    join = join == COUNT_NONE ? g->edges[e] : common(g, join, g->edges[e]);
            changed |= join != g->join[b];
            g->join[b] = join;
        }
    }
}

static void add_joins(struct count_plan *p, const struct count_func *cf)
{
    struct graph g = {.p = p, .cf = cf, .n = cf->nblocks};
    if (!g.n)
        return;
    g.order = xcalloc(g.n + 1, sizeof *g.order);
    g.rank = xcalloc(g.n + 1, sizeof *g.rank);
    g.join = xcalloc(g.n + 1, sizeof *g.join);
    edges_find(&g);
    joins_find(&g);
    for (uint32_t b = 0; b < g.n; b++)
        if (g.join[b] < g.n)
            p->blocks.data[cf->first_block + b].join = cf->first_block + g.join[b];
    free(g.order), free(g.rank), free(g.join), free(g.first), free(g.edges);
}

// ---- instructions, blocks and local variables
static void note_reads(bool *read, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_REG)
        read[o->reg] = true;
    for (uint32_t i = 0; i < o->nlist; i++)
        note_reads(read, &o->list[i]);
}

// An atomic whose old value nobody reads is a reduction, as it is for ptxas. read: by register, whether an instruction has it as a source.
static bool is_reduction(const bool *read, const struct ptx_insn *in)
{
    const struct ptx_operand *d = &in->operands[0];
    return in->op == PTX_OP_ATOM && (d->kind == PTX_OPERAND_SINK || (d->kind == PTX_OPERAND_REG && !read[d->reg]));
}

static bool *reads_find(const struct ptx_func *f)
{
    bool *read = xcalloc(f->nregs + 1, sizeof *read);
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct ptx_insn *in = &f->insns[i];
        if (in->guarded)
            read[in->guard] = true;
        for (uint32_t k = in->op == PTX_OP_ATOM ? 1 : 0; k < in->noperands; k++)
            note_reads(read, &in->operands[k]);
    }
    return read;
}

static void add_blocks(struct count_plan *p, struct count_func *cf)
{
    const struct ptx_func *f = cf->f;
    bool *read = reads_find(f);
    bool *leads = xcalloc(f->ninsns + 1, sizeof *leads);
    for (uint32_t i = 0; i < f->nlabels; i++)
        leads[f->labels[i].insn] = true;
    leads[0] = true;
    for (uint32_t i = 0; i < f->ninsns; i++)
        leads[i + 1] |= count_is_branch(&f->insns[i]);
    for (uint32_t i = 0; i < f->ninsns; i++) {
        struct count_insn c = {.f = f, .in = &f->insns[i]};
        if (leads[i])
            vec_push(&p->blocks,
                     ((struct count_block){cf->first_insn + i, 0, COUNT_NONE, COUNT_NONE, COUNT_NONE, COUNT_NONE}));
        struct count_block *b = &p->blocks.data[p->blocks.len - 1];
        b->end = cf->first_insn + i + 1;
        c.block = (uint32_t)p->blocks.len - 1;
        count_classify(&c);
        if (is_reduction(read, c.in))
            c.op = COUNT_OP_RED;
        vec_push(&p->insns, c);
    }
    free(leads);
    free(read);
    cf->nblocks = (uint32_t)p->blocks.len - cf->first_block;
    for (uint32_t i = 0; i + 1 < cf->nblocks; i++) {
        struct count_block *b = &p->blocks.data[cf->first_block + i];
        b->next = cf->first_block + i + 1;
        const struct ptx_insn *last = p->insns.data[b->end - 1].in;
        b->after = last->op == PTX_OP_CALL ? b->next : COUNT_NONE;
        uint32_t to = last->op == PTX_OP_BRA && last->guarded ? f->labels[last->operands[0].label].insn : f->ninsns;
        b->target = to < f->ninsns ? p->insns.data[cf->first_insn + to].block : COUNT_NONE;
    }
}

static void add_locals(struct count_plan *p, struct count_func *cf)
{
    for (uint32_t i = 0; i < cf->f->nlocals; i++) {
        const struct ptx_var *v = cf->f->locals[i];
        if (v->space != PTX_SPACE_LOCAL)
            continue;
        vec_push(&p->locals, ((struct count_local){v, p->local_bytes}));
        p->local_bytes += (uint32_t)(v->size + 15) & ~15u;
        cf->nlocals++;
    }
}

void count_plan_make(struct count_plan *p, const struct reach *r)
{
    *p = (struct count_plan){0};
    for (size_t i = 0; i < r->funcs.len; i++) {
        struct count_func cf = {.f = r->funcs.data[i].f,
                                .first_insn = (uint32_t)p->insns.len,
                                .first_block = (uint32_t)p->blocks.len,
                                .first_local = (uint32_t)p->locals.len};
        add_blocks(p, &cf);
        add_locals(p, &cf);
        add_joins(p, &cf);
        vec_push(&p->funcs, cf);
    }
}

void count_plan_free(struct count_plan *p)
{
    vec_free(&p->funcs);
    vec_free(&p->insns);
    vec_free(&p->blocks);
    vec_free(&p->locals);
}

const struct count_func *count_plan_func(const struct count_plan *p, const struct ptx_func *f)
{
    for (size_t i = 0; i < p->funcs.len; i++)
        if (p->funcs.data[i].f == f)
            return &p->funcs.data[i];
    return NULL;
}
