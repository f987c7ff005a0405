// SPDX-License-Identifier: Apache-2.0
// Walks the calls of a kernel once and sums up what both the compiler and cuFuncGetAttribute ask.
#include "jit/translate/reach/reach.h"
#include "base/graph/scc.h"
#include "base/xmalloc.h"
#include "jit/translate/reach/device_call.h"
#include "ptx/form.h"
#include <stdlib.h>
#include <string.h>

bool reach_has_code(const struct ptx_func *f)
{
    return f->has_body && device_call_find(f->name) < 0;
}

const struct reach_func *reach_find(const struct reach *r, const struct ptx_func *f)
{
    uintptr_t i = (uintptr_t)map_get_ptr(&r->func_at, ptx_func_resolve(f));
    return i ? &r->funcs.data[i - 1] : NULL;
}

static void add_func(struct reach *r, const struct ptx_func *f)
{
    f = ptx_func_resolve(f);
    if (f->is_entry && r->funcs.len)
        return; // another kernel, of which only the address is used
    if (!reach_has_code(f) || map_get_ptr(&r->func_at, f))
        return;
    struct reach_func rf = {.f = f};
    vec_push(&r->funcs, rf);
    map_put_ptr(&r->func_at, f, (void *)(uintptr_t)r->funcs.len);
}

static uint32_t align_up(uint32_t x, uint32_t a)
{
    return a > 1 ? (x + a - 1) / a * a : x;
}

static void add_var(struct reach *r, struct map *dynamic, const struct ptx_var *v)
{
    if (!ptx_space_is_shared(v->space) || map_get_ptr(&r->shared_at, v))
        return;
    if (v->unsized) {
        map_put_ptr(dynamic, v, (void *)v);
        return;
    }
    r->shared_static = align_up(r->shared_static, v->align);
    r->shared_align = v->align > r->shared_align ? v->align : r->shared_align;
    map_put_ptr(&r->shared_at, v, (void *)(uintptr_t)(r->shared_static + 1));
    r->shared_static += (uint32_t)v->size;
}

static void add_operand(struct reach *r, struct map *dynamic, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_VAR && o->var)
        add_var(r, dynamic, o->var);
    if (o->kind == PTX_OPERAND_FUNC && o->func)
        add_func(r, o->func);
    if (o->kind == PTX_OPERAND_SREG && o->sreg >= PTX_SREG_RESERVED_SMEM_OFFSET_BEGIN &&
        o->sreg <= PTX_SREG_RESERVED_SMEM_OFFSET_1 && r->reserved_at == UINT32_MAX) {
        r->reserved_at = align_up(r->shared_static, 128);
        r->shared_static = r->reserved_at + REACH_RESERVED_BYTES;
    }
    for (uint32_t i = 0; i < o->nlist; i++)
        add_operand(r, dynamic, &o->list[i]);
    if (o->pair)
        add_operand(r, dynamic, o->pair);
}

static bool cvt_needs_denormals(const struct ptx_insn *in)
{
    enum ptx_type to = in->types[0], from = in->types[1];
    unsigned round = in->mods[PTX_MODCAT_ROUND];
    if (to == PTX_TYPE_F64 || from == PTX_TYPE_F64 || to == PTX_TYPE_BF16 || from == PTX_TYPE_BF16 ||
        to == PTX_TYPE_BF16X2)
        return true;
    if (from != PTX_TYPE_F32 || in->mods[PTX_MODCAT_FTZ] == PTX_MOD_FTZ)
        return false;
    // A subnormal is 0 as a half and as an integer but for rounding away from 0.
    return to == PTX_TYPE_F32 || to == PTX_TYPE_TF32 || round == PTX_MOD_RMI || round == PTX_MOD_RPI ||
           round == PTX_MOD_RM || round == PTX_MOD_RP;
}

// Does the instruction speak against flush-to-zero as a mode of the whole kernel? Arithmetic in f64 and bf16 does, and
// any f32 operation without .ftz but moves. Those that change bits alone, as abs does, are none of them: LLVM makes comparisons
// of floats of what is asked of the bits, and these are other ones where subnormals count as 0.
static bool needs_denormals(const struct ptx_insn *in)
{
    if (in->op == PTX_OP_CVT)
        return cvt_needs_denormals(in);
    if (in->op == PTX_OP_ATOM || in->op == PTX_OP_RED) { // f32 is added with subnormals flushed in any case, bf16 never
        enum ptx_type ty = in->types[in->ntypes - 1];
        return ty == PTX_TYPE_F64 || ty == PTX_TYPE_BF16 || ty == PTX_TYPE_BF16X2;
    }
    if (in->op == PTX_OP_CP && in->mods[PTX_MODCAT_TENSOR] && in->mods[PTX_MODCAT_ACTION] == PTX_MOD_REDUCE)
        return true; // the map may say bf16
    if (in->op == PTX_OP_MOV || in->op == PTX_OP_LD || in->op == PTX_OP_LDU || in->op == PTX_OP_ST ||
        in->op == PTX_OP_SELP || in->op == PTX_OP_TEX)
        return false;
    for (unsigned i = 0; i < in->ntypes; i++) {
        enum ptx_type ty = in->types[i];
        if (ty == PTX_TYPE_F64 || ty == PTX_TYPE_BF16 || ty == PTX_TYPE_BF16X2 ||
            ((ty == PTX_TYPE_F32 || ty == PTX_TYPE_F32X2) && in->mods[PTX_MODCAT_FTZ] != PTX_MOD_FTZ))
            return true;
    }
    return false;
}

// Reaches, or may be reached by, other blocks of the cluster.
static bool uses_cluster(const struct ptx_insn *in)
{
    return in->space == PTX_SPACE_SHARED_CLUSTER || in->space2 == PTX_SPACE_SHARED_CLUSTER || in->op == PTX_OP_MAPA ||
           in->op == PTX_OP_GETCTARANK || in->mods[PTX_MODCAT_LEVEL_OF] == PTX_MOD_CLUSTER;
}

static void add_facts(struct reach *r, struct reach_func *rf, const struct ptx_insn *in)
{
    bool waits = ptx_forms[in->form].flags & PTX_FORM_WARP;
    r->cluster |= uses_cluster(in);
    r->warp_collectives |= waits;
    switch (in->op) {
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
    case PTX_OP_NANOSLEEP:
    case PTX_OP_MBARRIER:
        waits = true;
        break;
    case PTX_OP_CALL:
        waits |= in->operands[1].kind == PTX_OPERAND_FUNC &&
                 device_call_waits(device_call_find(ptx_func_resolve(in->operands[1].func)->name));
        break;
    case PTX_OP_LD:
    case PTX_OP_ST:
        if (in->mods[PTX_MODCAT_SEM] == PTX_MOD_VOLATILE && ptx_space_is_shared(in->space))
            r->volatile_shared = true;
        break;
    default:
        break;
    }
    rf->waits |= waits;
    rf->own_sites += waits;
    if (needs_denormals(in))
        r->flush_denormals = false;
}

static bool ends_thread(const struct ptx_insn *in)
{
    if (in->op == PTX_OP_EXIT || in->op == PTX_OP_TRAP)
        return true;
    if (in->op != PTX_OP_CALL)
        return false;
    if (in->operands[1].kind != PTX_OPERAND_FUNC)
        return true; // a pointer to no function traps
    const struct ptx_func *f = ptx_func_resolve(in->operands[1].func);
    return !f->has_body && (f->proto.noreturn || !strcmp(f->name, "__assertfail"));
}

// Has a loop, and an access that sees what other threads do: an atomic, or a load that is not weak.
static bool may_spin(const struct ptx_func *f)
{
    bool loops = false, looks = false;
    for (uint32_t k = 0; k < f->ninsns && !(loops && looks); k++) {
        const struct ptx_insn *in = &f->insns[k];
        looks |= in->op == PTX_OP_ATOM ||
                 (in->op == PTX_OP_LD && in->mods[PTX_MODCAT_SEM] && in->mods[PTX_MODCAT_SEM] != PTX_MOD_WEAK);
        if (in->op == PTX_OP_BRX)
            loops = true;
        if (in->op == PTX_OP_BRA)
            loops |= f->labels[in->operands[0].label].insn <= k;
    }
    return loops && looks;
}

// The graph of calls. A node for each function, in the order of r->funcs, and one more that stands for "some function whose
// address is taken": indirect calls lead to it, and it leads to each of those functions. So the edges are as many as the calls
// that are written, and every walk over the graph takes time in proportion.
struct graph {
    struct VEC(uint32_t) edges; // callees by node, an edge for each call
    uint32_t *first;            // by node: where its edges begin; one more at the end
    uint32_t n;                 // nodes, the last of which is the one of indirect calls
    struct scc scc;             // callees before callers
};

static void graph_init(struct graph *g, const struct reach *r)
{
    *g = (struct graph){.n = (uint32_t)r->funcs.len + 1};
    g->first = xcalloc(g->n + 1, sizeof *g->first);
    for (uint32_t i = 0; i + 1 < g->n; i++) {
        const struct ptx_func *f = r->funcs.data[i].f;
        g->first[i] = (uint32_t)g->edges.len;
        for (uint32_t k = 0; k < f->ninsns; k++) {
            const struct ptx_insn *in = &f->insns[k];
            if (in->op != PTX_OP_CALL)
                continue;
            if (in->operands[1].kind != PTX_OPERAND_FUNC)
                vec_push(&g->edges, g->n - 1);
            else if (map_get_ptr(&r->func_at, ptx_func_resolve(in->operands[1].func)))
                vec_push(&g->edges,
                         (uint32_t)((uintptr_t)map_get_ptr(&r->func_at, ptx_func_resolve(in->operands[1].func)) - 1));
        }
    }
    g->first[g->n - 1] = (uint32_t)g->edges.len;
    for (size_t k = 0; k < r->taken.len; k++)
        vec_push(&g->edges, (uint32_t)((uintptr_t)map_get_ptr(&r->func_at, r->taken.data[k]) - 1));
    g->first[g->n] = (uint32_t)g->edges.len;
    scc_find(&g->scc, g->n, g->first, g->edges.data);
}

static void graph_fini(struct graph *g)
{
    vec_free(&g->edges);
    free(g->first);
    scc_free(&g->scc);
}

// Code that is inlined into a kernel, and into what it calls, beyond this many instructions is called instead, where it can be.
enum { INLINE_LIMIT = 60000, CALL_SIZE = 300 };

// Where functions that wait are copied until they are this many instructions, or points where a thread may wait, calls that wait are the
// lesser evil: each such point is an entry of the kernel, and compile time grows with the square of their number.
enum { WAITING_LIMIT = 1000000, SITES_LIMIT = 4000 };

// Sizes with everything inlined, callees before callers. Recursive functions stay calls, so that what is inlined has no cycle. The
// node of indirect calls has the size of all its functions, since a call compares with each.
static void find_sizes(struct reach *r, const struct graph *g)
{
    uint64_t any = 0, any_sites = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t v = g->scc.order[i];
        bool known = v + 1 < g->n;
        uint64_t size = known ? r->funcs.data[v].f->ninsns : 0, sites = known ? r->funcs.data[v].own_sites : 0;
        for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
            uint32_t w = g->edges.data[k];
            size += w + 1 == g->n ? any : r->funcs.data[w].is_call ? 1 : r->funcs.data[w].size;
            sites += w + 1 == g->n ? any_sites : r->funcs.data[w].is_call ? 0 : r->funcs.data[w].sites;
        }
        size = size < UINT32_MAX ? size : UINT32_MAX;
        sites = sites < UINT32_MAX ? sites : UINT32_MAX;
        if (known)
            r->funcs.data[v].size = size, r->funcs.data[v].sites = sites;
        else
            any = size, any_sites = sites;
    }
    r->copied = r->sites = 0;
    for (size_t i = 0; i < r->funcs.len; i++) {
        bool here = !i || r->funcs.data[i].is_call;
        r->copied += here ? r->funcs.data[i].size : 0;
        r->sites += here ? r->funcs.data[i].sites : 0;
    }
}

static void choose_calls(struct reach *r, const struct graph *g)
{
    for (size_t i = 0; i < r->funcs.len; i++)
        r->funcs.data[i].is_call = r->funcs.data[i].recursive;
    find_sizes(r, g);
    if (r->copied <= INLINE_LIMIT)
        return;
    for (size_t i = 1; i < r->funcs.len; i++)
        r->funcs.data[i].is_call |=
            r->funcs.data[i].size > CALL_SIZE && !r->funcs.data[i].waits && !r->funcs.data[i].may_spin;
    find_sizes(r, g);
}

static bool waits_too_often(const struct reach *r)
{
    return r->copied > WAITING_LIMIT || r->sites > SITES_LIMIT;
}

void reach_call_waiting(struct reach *r)
{
    static const uint64_t larger[] = {CALL_SIZE, 0}; // the large functions, and where these do not help all of them
    if (!waits_too_often(r))
        return;
    struct graph g;
    graph_init(&g, r);
    for (unsigned n = 0; n < 2 && waits_too_often(r); n++) {
        for (size_t i = 1; i < r->funcs.len; i++)
            r->funcs.data[i].is_call |= r->funcs.data[i].size > larger[n];
        find_sizes(r, &g);
    }
    graph_fini(&g);
}

// What holds of a callee holds of its callers, and of all functions of a cycle alike.
static void find_facts(struct reach *r, const struct graph *g)
{
    bool any_exits = false, any_waits = false, any_spins = false;
    for (size_t i = 0; i < r->funcs.len; i++) {
        const struct ptx_func *f = r->funcs.data[i].f;
        for (uint32_t k = 0; k < f->ninsns; k++)
            r->funcs.data[i].may_exit |= ends_thread(&f->insns[k]);
        r->funcs.data[i].may_spin = may_spin(f);
    }
    for (uint32_t i = 0, end; i < g->n; i = end) {
        bool exits = false, waits = false, spins = false, cycle = false;
        for (end = i; end < g->n && g->scc.component[g->scc.order[end]] == g->scc.component[g->scc.order[i]]; end++) {
            uint32_t v = g->scc.order[end];
            exits |= v + 1 < g->n && r->funcs.data[v].may_exit;
            waits |= v + 1 < g->n && r->funcs.data[v].waits;
            spins |= v + 1 < g->n && r->funcs.data[v].may_spin;
            for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
                uint32_t w = g->edges.data[k];
                exits |= w + 1 == g->n ? any_exits : r->funcs.data[w].may_exit;
                waits |= w + 1 == g->n ? any_waits : r->funcs.data[w].waits;
                spins |= w + 1 == g->n ? any_spins : r->funcs.data[w].may_spin;
                cycle |= w == v;
            }
        }
        cycle |= end - i > 1;
        for (uint32_t k = i; k < end; k++) {
            uint32_t v = g->scc.order[k];
            if (v + 1 == g->n) {
                any_exits = exits;
                any_waits = waits;
                any_spins = spins;
                continue;
            }
            struct reach_func *rf = &r->funcs.data[v];
            rf->may_exit = exits;
            rf->waits = waits;
            rf->may_spin = spins;
            rf->recursive = cycle;
        }
    }
}

static void find_graph(struct reach *r)
{
    struct graph g;
    graph_init(&g, r);
    find_facts(r, &g);
    choose_calls(r, &g);
    for (uint32_t i = g.n; i-- > 0;)
        if (g.scc.order[i] + 1 < g.n)
            vec_push(&r->callers_first, g.scc.order[i]);
    graph_fini(&g);
}

// The dynamic part follows the static one at the strictest alignment asked for, at least 16.
static void lay_out_dynamic(struct reach *r, const struct map *dynamic)
{
    uint32_t align = 16;
    for (size_t i = 0; i < dynamic->cap; i++) {
        const struct ptx_var *v = dynamic->values ? dynamic->values[i] : NULL;
        if (v && v->align > align)
            align = v->align;
    }
    r->shared_static = align_up(r->shared_static, align);
    r->shared_align = align > r->shared_align ? align : r->shared_align;
    for (size_t i = 0; i < dynamic->cap; i++) {
        const struct ptx_var *v = dynamic->values ? dynamic->values[i] : NULL;
        if (v)
            map_put_ptr(&r->shared_at, v, (void *)(uintptr_t)(r->shared_static + 1));
    }
}

void reach_init(struct reach *r, const struct ptx_module *m, const struct ptx_func *kernel)
{
    memset(r, 0, sizeof *r);
    r->flush_denormals = true;
    r->reserved_at = UINT32_MAX;
    struct map dynamic = {0}, taken = {0};
    bool indirect = false;
    add_func(r, kernel);
    for (size_t i = 0; i < r->funcs.len; i++) {
        const struct ptx_func *f = r->funcs.data[i].f;
        for (uint32_t k = 0; k < f->ninsns; k++) {
            const struct ptx_insn *in = &f->insns[k];
            for (uint32_t o = 0; o < in->noperands; o++)
                add_operand(r, &dynamic, &in->operands[o]);
            add_facts(r, &r->funcs.data[i], in);
            if (in->op == PTX_OP_CALL && in->operands[1].kind != PTX_OPERAND_FUNC && !indirect) {
                indirect = true;
                for (uint32_t g = 0; g < m->nfuncs; g++) {
                    const struct ptx_func *f =
                        ptx_func_resolve(m->funcs[g]); // the address of an alias is that of its function
                    if (m->funcs[g]->address_taken && reach_has_code(f) && !f->is_entry && !map_get_ptr(&taken, f)) {
                        map_put_ptr(&taken, f, (void *)f);
                        vec_push(&r->taken, f);
                        add_func(r, f);
                    }
                }
            }
        }
        for (uint32_t k = 0; k < f->nlocals; k++) {
            if (f->locals[k]->space == PTX_SPACE_LOCAL)
                r->local_bytes += align_up((uint32_t)f->locals[k]->size, 16);
        }
        r->instructions += f->ninsns;
    }
    lay_out_dynamic(r, &dynamic);
    map_free(&dynamic);
    map_free(&taken);
    find_graph(r);
    r->waits = r->funcs.data[0].waits;
}

void reach_fini(struct reach *r)
{
    vec_free(&r->funcs);
    vec_free(&r->taken);
    vec_free(&r->callers_first);
    map_free(&r->func_at);
    map_free(&r->shared_at);
}
