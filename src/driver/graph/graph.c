// SPDX-License-Identifier: Apache-2.0
// Graphs: their nodes and edges, copies, and what can be asked of them.
#include "driver/graph/graph.h"
#include <stdlib.h>

static uint64_t next_id = 1; // of graphs and nodes

struct graph *graph_new(void)
{
    struct graph *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->tag = TAG_GRAPH;
    g->id = next_id++;
    g->handle = handle_create(HANDLE_GRAPH, g);
    if (!g->handle) {
        free(g);
        return NULL;
    }
    return g;
}

void user_object_release(struct user_object *o, uint64_t count)
{
    if (atomic_fetch_sub(&o->refs, count) != count)
        return;
    handle_take(o->handle, HANDLE_GRAPH);
    o->destroy(o->data);
    free(o);
}

void graph_free(struct graph *g)
{
    if (!g)
        return;
    handle_take(g->handle, HANDLE_GRAPH);
    for (size_t i = 0; i < g->nodes.len; i++)
        node_free(g->nodes.data[i]);
    for (size_t i = 0; i < g->users.len; i++)
        user_object_release(g->users.data[i].object, g->users.data[i].count);
    for (size_t i = 0; i < g->conditions.len; i++)
        if (atomic_fetch_sub(&g->conditions.data[i]->refs, 1) == 1)
            free(g->conditions.data[i]);
    vec_free(&g->nodes);
    vec_free(&g->users);
    vec_free(&g->conditions);
    free(g);
}

uint64_t graph_next_id(void)
{
    return next_id++;
}

// ---- edges
CUresult edge_check(const struct graph_node *from, const CUgraphEdgeData *d)
{
    if (!d)
        return CUDA_SUCCESS;
    for (size_t i = 0; i < sizeof d->reserved; i++)
        if (d->reserved[i])
            return CUDA_ERROR_INVALID_VALUE;
    if (d->type > CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC || d->to_port || d->from_port > 2)
        return CUDA_ERROR_INVALID_VALUE;
    bool plain = d->type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT && !d->from_port;
    return plain || from->type == CU_GRAPH_NODE_TYPE_KERNEL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool same_data(const CUgraphEdgeData *a, const CUgraphEdgeData *b)
{
    return !memcmp(a, b, sizeof *a);
}

static size_t edge_find(const struct graph_edge *edges, size_t n, const struct graph_node *node,
                        const CUgraphEdgeData *data)
{
    size_t i = 0;
    while (i < n && !(edges[i].node == node && same_data(&edges[i].data, data)))
        i++;
    return i;
}

CUresult graph_connect(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data)
{
    static const CUgraphEdgeData plain = {0};
    CUresult r = edge_check(from, data);
    if (r)
        return r;
    data = data ? data : &plain;
    if (from == to || from->graph != to->graph || edge_find(to->in.data, to->in.len, from, data) < to->in.len)
        return CUDA_ERROR_INVALID_VALUE;
    vec_push(&to->in, ((struct graph_edge){from, *data}));
    vec_push(&from->out, ((struct graph_edge){to, *data}));
    return CUDA_SUCCESS;
}

static bool graph_disconnect(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data)
{
    size_t i = edge_find(to->in.data, to->in.len, from, data), k = edge_find(from->out.data, from->out.len, to, data);
    if (i == to->in.len || k == from->out.len)
        return false;
    memmove(&to->in.data[i], &to->in.data[i + 1], (--to->in.len - i) * sizeof *to->in.data);
    memmove(&from->out.data[k], &from->out.data[k + 1], (--from->out.len - k) * sizeof *from->out.data);
    return true;
}

// Whether an allocation or free node is among them: such graphs keep their shape.
bool graph_has_memory(const struct graph *g)
{
    for (size_t i = 0; i < g->nodes.len; i++) {
        const struct graph_node *n = g->nodes.data[i];
        if (n->memory)
            return true;
        for (uint32_t k = 0; k < n->nchildren; k++)
            if (graph_has_memory(n->children[k]))
                return true;
    }
    return false;
}

static CUresult edges_change(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                             const CUgraphEdgeData *edges, size_t count, bool add)
{
    static const CUgraphEdgeData plain = {0};
    struct graph *g = graph_get(graph);
    if (!g || (count && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    if (!add && count && graph_has_memory(g))
        return CUDA_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; i < count; i++) {
        struct graph_node *a = node_get(from[i]), *b = node_get(to[i]);
        if (!a || !b || a->graph != g || b->graph != g)
            return CUDA_ERROR_INVALID_VALUE;
        CUresult r = add ? graph_connect(a, b, edges ? &edges[i] : NULL)
                     : graph_disconnect(a, b, edges ? &edges[i] : &plain) ? CUDA_SUCCESS
                                                                          : CUDA_ERROR_INVALID_VALUE;
        if (r)
            return r;
    }
    return CUDA_SUCCESS;
}

static CUresult edges_locked(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                             const CUgraphEdgeData *edges, size_t count, bool add)
{
    graphs_lock();
    CUresult r = edges_change(graph, from, to, edges, count, add);
    graphs_unlock();
    return r;
}

CUresult graph_add_edges(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges,
                         size_t count)
{
    return edges_locked(graph, from, to, edges, count, true);
}

CUresult graph_remove_edges(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges,
                            size_t count)
{
    return edges_locked(graph, from, to, edges, count, false);
}

CUresult graph_add_edges_plain(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return graph_add_edges(graph, from, to, NULL, count);
}

CUresult graph_remove_edges_plain(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return graph_remove_edges(graph, from, to, NULL, count);
}

bool graph_order(struct graph *g, struct graph_node **out, struct graph_node **bad)
{
    size_t n = g->nodes.len, done = 0, ready = 0;
    uint32_t *waits = xcalloc(n + 1, sizeof *waits);
    for (size_t i = 0; i < n; i++) {
        struct graph_node *x = g->nodes.data[i];
        x->index = (uint32_t)i;
        waits[i] = (uint32_t)x->in.len;
        if (!waits[i])
            out[ready++] = x;
    }
    for (; done < ready; done++)
        for (size_t k = 0; k < out[done]->out.len; k++) {
            struct graph_node *to = out[done]->out.data[k].node;
            if (!--waits[to->index])
                out[ready++] = to;
        }
    for (size_t i = 0; i < n && ready < n; i++)
        if (waits[i]) {
            *bad = g->nodes.data[i];
            break;
        }
    free(waits);
    return ready == n;
}

// ---- copies
static CUresult copy_forbidden(const struct graph *g)
{
    if (graph_has_memory(g))
        return CUDA_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; i < g->nodes.len; i++)
        if (g->nodes.data[i]->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
            return CUDA_ERROR_NOT_SUPPORTED;
    return g->conditions.len ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

CUresult graph_copy(struct graph *g, bool execution, struct graph **out)
{
    CUresult r = execution ? CUDA_SUCCESS : copy_forbidden(g);
    struct graph *c = r ? NULL : graph_new();
    if (!c)
        return r ? r : CUDA_ERROR_OUT_OF_MEMORY;
    c->origin = g->id;
    for (size_t i = 0; i < g->conditions.len; i++) {
        atomic_fetch_add(&g->conditions.data[i]->refs, 1);
        vec_push(&c->conditions, g->conditions.data[i]);
    }
    for (size_t i = 0; i < g->nodes.len && !r; i++) {
        struct graph_node *n;
        g->nodes.data[i]->index = (uint32_t)i;
        r = node_copy(g->nodes.data[i], c, execution, &n);
    }
    for (size_t i = 0; i < g->nodes.len && !r; i++) {
        struct graph_node *from = g->nodes.data[i], *to = c->nodes.data[i];
        for (size_t k = 0; k < from->in.len; k++)
            vec_push(&to->in,
                     ((struct graph_edge){c->nodes.data[from->in.data[k].node->index], from->in.data[k].data}));
        for (size_t k = 0; k < from->out.len; k++)
            vec_push(&to->out,
                     ((struct graph_edge){c->nodes.data[from->out.data[k].node->index], from->out.data[k].data}));
    }
    for (size_t i = 0; i < g->users.len && !r; i++) {
        atomic_fetch_add(&g->users.data[i].object->refs, g->users.data[i].count);
        vec_push(&c->users, g->users.data[i]);
    }
    if (r)
        graph_free(c);
    else
        *out = c;
    return r;
}

// More than the copies of a node take, with its operation, its step and all that is made while they are put in order.
static size_t bytes_of(const struct graph *g)
{
    enum { NODE = 8 << 10, EDGE = 256 };
    size_t n = NODE + g->users.len * EDGE;
    for (size_t i = 0; i < g->nodes.len; i++) {
        const struct graph_node *x = g->nodes.data[i];
        n += NODE + (x->in.len + x->out.len) * EDGE + (x->function ? 4 * (size_t)x->function->info->param_bytes : 0);
        n += x->attributes.len * 2 * sizeof *x->attributes.data;
        for (uint32_t k = 0; k < x->nchildren; k++)
            n += bytes_of(x->children[k]);
    }
    return n;
}

bool graph_reserve(struct reserve *r, const struct graph *g)
{
    return reserve_begin(r, bytes_of(g));
}

static CUresult clone_make(struct graph *g, CUgraph *clone)
{
    struct graph *c;
    struct reserve reserve;
    if (!graph_reserve(&reserve, g))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult r = graph_copy(g, false, &c);
    reserve_end(&reserve);
    if (!r)
        *clone = c->handle;
    return r;
}

CUresult graph_clone(CUgraph *clone, CUgraph original)
{
    graphs_lock();
    struct graph *g = graph_get(original);
    CUresult r = g && clone ? clone_make(g, clone) : CUDA_ERROR_INVALID_VALUE;
    graphs_unlock();
    return r;
}

CUresult graph_find_in_clone(CUgraphNode *out, CUgraphNode original, CUgraph clone)
{
    CUresult r = CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    struct graph *c = graph_get(clone);
    struct graph_node *n = node_get(original);
    if (out && c && n && c->origin == n->graph->id)
        for (size_t i = 0; i < c->nodes.len && r; i++)
            if (c->nodes.data[i]->origin == n->id) {
                *out = c->nodes.data[i]->handle;
                r = CUDA_SUCCESS;
            }
    graphs_unlock();
    return r;
}

// ---- life
CUresult graph_create(CUgraph *graph, unsigned flags)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!graph || flags)
        return CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    struct graph *g = graph_new();
    graphs_unlock();
    if (!g)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *graph = g->handle;
    return CUDA_SUCCESS;
}

CUresult graph_destroy(CUgraph graph)
{
    graphs_lock();
    struct graph *g = graph_get(graph);
    CUresult r = g && !g->owner && !g->capturing ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        graph_free(g);
    graphs_unlock();
    return r;
}

CUresult graph_destroy_node(CUgraphNode node)
{
    graphs_lock();
    struct graph_node *n = node_get(node);
    CUresult r = !n ? CUDA_ERROR_INVALID_VALUE : graph_has_memory(n->graph) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
    if (!r && n->graph->capturing)
        r = CUDA_ERROR_INVALID_VALUE;
    if (!r) {
        struct graph *g = n->graph;
        while (n->in.len)
            graph_disconnect(n->in.data[0].node, n, &n->in.data[0].data);
        while (n->out.len)
            graph_disconnect(n, n->out.data[0].node, &n->out.data[0].data);
        size_t i = 0;
        while (g->nodes.data[i] != n)
            i++;
        memmove(&g->nodes.data[i], &g->nodes.data[i + 1], (--g->nodes.len - i) * sizeof *g->nodes.data);
        node_free(n);
    }
    graphs_unlock();
    return r;
}

// ---- queries. Each fills as many entries as there are, sets the rest to NULL, and *count to how many were filled;
// without an array it only counts.
static CUresult nodes_list(CUgraph graph, CUgraphNode *out, size_t *count, bool roots)
{
    struct graph *g = graph_get(graph);
    size_t room = count ? *count : 0, n = 0;
    if (!g || !count)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < g->nodes.len; i++) {
        if (roots && g->nodes.data[i]->in.len)
            continue;
        if (out && n == room)
            break;
        if (out)
            out[n] = g->nodes.data[i]->handle;
        n++;
    }
    *count = n;
    for (; out && n < room; n++)
        out[n] = NULL;
    return CUDA_SUCCESS;
}

CUresult graph_nodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    graphs_lock();
    CUresult r = nodes_list(graph, nodes, count, false);
    graphs_unlock();
    return r;
}

CUresult graph_roots(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    graphs_lock();
    CUresult r = nodes_list(graph, nodes, count, true);
    graphs_unlock();
    return r;
}

// Without room for edge data, an edge that has some is an error: the answer would lose it.
static bool lossy(const CUgraphEdgeData *room, const CUgraphEdgeData *data)
{
    static const CUgraphEdgeData plain = {0};
    return !room && !same_data(data, &plain);
}

static CUresult edges_list(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges, size_t *count)
{
    struct graph *g = graph_get(graph);
    if (!g || !count || !from != !to || (edges && !from))
        return CUDA_ERROR_INVALID_VALUE;
    size_t room = *count, n = 0;
    for (size_t i = 0; i < g->nodes.len; i++) {
        struct graph_node *a = g->nodes.data[i];
        for (size_t k = 0; k < a->out.len && (!from || n < room); k++, n++) {
            if (!from)
                continue;
            if (lossy(edges, &a->out.data[k].data))
                return CUDA_ERROR_LOSSY_QUERY;
            from[n] = a->handle;
            to[n] = a->out.data[k].node->handle;
            if (edges)
                edges[n] = a->out.data[k].data;
        }
    }
    *count = n;
    for (; from && n < room; n++)
        from[n] = to[n] = NULL;
    return CUDA_SUCCESS;
}

CUresult graph_edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges, size_t *count)
{
    graphs_lock();
    CUresult r = edges_list(graph, from, to, edges, count);
    graphs_unlock();
    return r;
}

CUresult graph_edges_plain(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    return graph_edges(graph, from, to, NULL, count);
}

static CUresult neighbours(CUgraphNode node, CUgraphNode *out, CUgraphEdgeData *edges, size_t *count, bool before)
{
    struct graph_node *n = node_get(node);
    if (!n || !count || (edges && !out))
        return CUDA_ERROR_INVALID_VALUE;
    const struct graph_edge *e = before ? n->in.data : n->out.data;
    size_t len = before ? n->in.len : n->out.len, room = *count;
    *count = out && room < len ? room : len;
    for (size_t i = 0; out && i < room; i++) {
        out[i] = i < len ? e[i].node->handle : NULL;
        if (i < len && lossy(edges, &e[i].data))
            return CUDA_ERROR_LOSSY_QUERY;
        if (i < len && edges)
            edges[i] = e[i].data;
    }
    return CUDA_SUCCESS;
}

CUresult graph_node_dependencies(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges, size_t *count)
{
    graphs_lock();
    CUresult r = neighbours(node, nodes, edges, count, true);
    graphs_unlock();
    return r;
}

CUresult graph_node_dependents(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges, size_t *count)
{
    graphs_lock();
    CUresult r = neighbours(node, nodes, edges, count, false);
    graphs_unlock();
    return r;
}

CUresult graph_node_dependencies_plain(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    return graph_node_dependencies(node, nodes, NULL, count);
}

CUresult graph_node_dependents_plain(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    return graph_node_dependents(node, nodes, NULL, count);
}

CUresult graph_node_type(CUgraphNode node, CUgraphNodeType *type)
{
    graphs_lock();
    struct graph_node *n = node_get(node);
    if (n && type)
        *type = n->type;
    graphs_unlock();
    return n && type ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
