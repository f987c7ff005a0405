// SPDX-License-Identifier: Apache-2.0
// Changes of executable graphs: of single nodes, and by another graph of the same shape.
#include "driver/graph/exec.h"
#include <stdlib.h>

// The node of an executable graph that was made of this one.
static struct graph_node *exec_node(struct exec *x, CUgraphNode handle)
{
    struct graph_node *n = node_get(handle);
    size_t lo = 0, hi = x->nodes.len;
    while (n && lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (x->nodes.data[mid]->origin == n->id)
            return x->nodes.data[mid];
        if (x->nodes.data[mid]->origin < n->id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

// The node's next operation.
static void node_renew(struct exec *x, struct graph_node *n, struct op *op)
{
    op_release(n->fresh);
    n->fresh = op;
    if (!n->dirty)
        vec_push(&x->changed, n);
    n->dirty = true;
}

// The node's parameters have changed: its next operation is made, so that errors show now.
static CUresult node_changed(struct exec *x, struct graph_node *n)
{
    struct op *op;
    CUresult r = node_op(n, &op);
    if (!r)
        node_renew(x, n, op);
    return r;
}

CUresult graph_exec_node_set(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return graph_exec_child_set(exec, node, params->graph.graph);
    graphs_lock();
    struct exec *x = exec_get(exec);
    struct graph_node *n = x ? exec_node(x, node) : NULL;
    CUresult r = n ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (!r) {
        pthread_mutex_lock(&x->lock);
        r = node_set(n, params);
        r = r ? r : node_changed(x, n);
        pthread_mutex_unlock(&x->lock);
    }
    graphs_unlock();
    return r;
}

CUresult graph_exec_set_enabled(CUgraphExec exec, CUgraphNode node, unsigned enabled)
{
    graphs_lock();
    struct exec *x = exec_get(exec);
    struct graph_node *n = x ? exec_node(x, node) : NULL;
    CUresult r = n && n->type <= CU_GRAPH_NODE_TYPE_MEMSET ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (!r && n->disabled != !enabled) {
        pthread_mutex_lock(&x->lock);
        n->disabled = !enabled;
        r = node_changed(x, n);
        pthread_mutex_unlock(&x->lock);
    }
    graphs_unlock();
    return r;
}

CUresult graph_exec_get_enabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled)
{
    graphs_lock();
    struct exec *x = exec_get(exec);
    struct graph_node *n = x ? exec_node(x, node) : NULL;
    CUresult r = n && n->type <= CU_GRAPH_NODE_TYPE_MEMSET && enabled ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *enabled = !n->disabled;
    graphs_unlock();
    return r;
}

// ---- updating by another graph
//
// First all is checked, and the operations are made, which shows what is wrong with a node; then all is applied, in the same order. What
// fails leaves the executable graph as it was.
struct update {
    struct exec *exec;
    struct VEC(struct op *) ops;
    size_t applied; // of the operations
    CUgraphExecUpdateResultInfo info;
    bool lacks_memory;
};

static bool mismatch(struct update *u, CUgraphExecUpdateResult result, struct graph_node *node, struct graph_node *from)
{
    u->info = (CUgraphExecUpdateResultInfo){result, node ? node->handle : NULL, from ? from->handle : NULL};
    return false;
}

static size_t sinks(struct graph *g, struct graph_node **out)
{
    size_t n = 0;
    for (size_t i = 0; i < g->nodes.len; i++) {
        g->nodes.data[i]->index = UINT32_MAX;
        if (!g->nodes.data[i]->out.len)
            out[n++] = g->nodes.data[i];
    }
    return n;
}

// Pairs the nodes of two graphs: those without successors in order, then along the edges in order. index of a node is
// its place in the list of pairs.
static bool pair_nodes(struct update *u, struct graph *old, struct graph *new, struct graph_node **a,
                       struct graph_node **b)
{
    if (old->nodes.len != new->nodes.len)
        return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
    size_t n = sinks(old, a), m = sinks(new, b);
    if (n != m)
        return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, m > n ? b[n] : NULL, NULL);
    for (size_t i = 0; i < n; i++)
        a[i]->index = b[i]->index = (uint32_t)i;
    for (size_t i = 0; i < n; i++) {
        if (a[i]->in.len != b[i]->in.len)
            return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b[i], NULL);
        for (size_t k = 0; k < a[i]->in.len; k++) {
            struct graph_node *x = a[i]->in.data[k].node, *y = b[i]->in.data[k].node;
            bool same = !memcmp(&a[i]->in.data[k].data, &b[i]->in.data[k].data, sizeof(CUgraphEdgeData));
            if (!same || x->index != y->index)
                return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b[i], y);
            if (x->index == UINT32_MAX) {
                x->index = y->index = (uint32_t)n;
                a[n] = x;
                b[n++] = y;
            }
        }
    }
    return n == old->nodes.len || mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
}

static bool node_update(struct update *u, struct graph_node *old, struct graph_node *new, bool apply);

static bool graph_update_nodes(struct update *u, struct graph *old, struct graph *new, bool apply)
{
    struct graph_node **a = xcalloc(old->nodes.len + 1, sizeof *a), **b = xcalloc(new->nodes.len + 1, sizeof *b);
    bool ok = pair_nodes(u, old, new, a, b);
    for (size_t i = 0; i < old->nodes.len && ok; i++)
        ok = node_update(u, a[i], b[i], apply);
    free(a);
    free(b);
    return ok;
}

// The operation of a node of the new graph, made now and taken by the old node later, which has another one while it is disabled.
static bool op_prepare(struct update *u, const struct graph_node *old, struct graph_node *new)
{
    struct op *op;
    CUresult r = node_op(new, &op);
    u->lacks_memory |= r == CUDA_ERROR_OUT_OF_MEMORY;
    if (r)
        return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR, new, NULL);
    if (old->disabled != new->disabled) {
        op_release(op);
        op = NULL;
    }
    vec_push(&u->ops, op);
    return true;
}

static bool op_apply(struct update *u, struct graph_node *old, struct graph_node *new)
{
    struct op *op = u->ops.data[u->applied];
    u->ops.data[u->applied++] = NULL;
    if (op) {
        node_renew(u->exec, old, op);
        return true;
    }
    CUresult r = node_changed(u->exec, old);
    u->lacks_memory |= r == CUDA_ERROR_OUT_OF_MEMORY;
    return !r || mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR, new, NULL);
}

static bool node_update(struct update *u, struct graph_node *old, struct graph_node *new, bool apply)
{
    if (old->type != new->type)
        return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, new, NULL);
    switch ((int)old->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        if (old->params.kernel.ctx != new->params.kernel.ctx)
            return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE, new, NULL);
        if (apply)
            node_take_kernel(old, new);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        if (old->params.alloc.bytesize != new->params.alloc.bytesize || old->memory != new->memory)
            return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, new, NULL);
        return true;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        if (old->memory != new->memory)
            return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, new, NULL);
        return true;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        if (old->nchildren != new->nchildren || old->params.conditional.type != new->params.conditional.type ||
            old->condition != new->condition)
            return mismatch(u, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, new, NULL);
        // fall through
    case CU_GRAPH_NODE_TYPE_GRAPH:
        for (uint32_t i = 0; i < old->nchildren; i++)
            if (!graph_update_nodes(u, old->children[i], new->children[i], apply))
                return false;
        return true;
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return true;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        if (apply)
            node_set(old, &new->params);
        break;
    default:
        if (apply)
            old->params = new->params;
    }
    return apply ? op_apply(u, old, new) : op_prepare(u, old, new);
}

static CUresult update_by(struct exec *x, struct graph *old, struct graph *new, CUgraphExecUpdateResultInfo *info)
{
    struct update u = {.exec = x, .info = {CU_GRAPH_EXEC_UPDATE_SUCCESS, NULL, NULL}};
    struct reserve reserve;
    if (!graph_reserve(&reserve, new))
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&x->lock);
    bool ok = graph_update_nodes(&u, old, new, false) && graph_update_nodes(&u, old, new, true);
    pthread_mutex_unlock(&x->lock);
    reserve_end(&reserve);
    for (size_t i = 0; i < u.ops.len; i++)
        op_release(u.ops.data[i]);
    vec_free(&u.ops);
    if (info)
        *info = u.info;
    return ok ? CUDA_SUCCESS : u.lacks_memory ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

CUresult graph_exec_update(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
    graphs_lock();
    struct exec *x = exec_get(exec);
    struct graph *g = graph_get(graph);
    CUresult r = x && g && info ? update_by(x, x->graph, g, info) : CUDA_ERROR_INVALID_VALUE;
    graphs_unlock();
    return r;
}

CUresult graph_exec_child_set(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
    graphs_lock();
    struct exec *x = exec_get(exec);
    struct graph *g = graph_get(child);
    struct graph_node *n = x ? exec_node(x, node) : NULL;
    CUresult r = n && g && n->type == CU_GRAPH_NODE_TYPE_GRAPH ? update_by(x, n->children[0], g, NULL)
                                                               : CUDA_ERROR_INVALID_VALUE;
    graphs_unlock();
    return r == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE ? CUDA_ERROR_INVALID_VALUE : r;
}
