// SPDX-License-Identifier: Apache-2.0
// Conditional nodes: a word that kernels set decides which body, a plan of its own, is run, and whether it is run again.
#include "driver/graph/graph.h"
#include <stdlib.h>

CUresult graph_condition_create(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context, unsigned initial,
                                unsigned flags)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!handle || flags > CU_GRAPH_COND_ASSIGN_DEFAULT)
        return CUDA_ERROR_INVALID_VALUE;
    if (context && !context_get(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    graphs_lock();
    struct graph *g = graph_get(graph);
    if (g) {
        struct condition *c = xcalloc(1, sizeof *c);
        atomic_init(&c->refs, 1);
        c->initial = initial;
        c->assign = flags & CU_GRAPH_COND_ASSIGN_DEFAULT;
        vec_push(&g->conditions, c);
        *handle = (CUgraphConditionalHandle)(uintptr_t)&c->value;
    }
    graphs_unlock();
    return g ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

struct condition_op {
    struct op op;
    struct condition *condition;
    CUgraphConditionalNodeType type;
    uint32_t nbodies;
    struct plan *bodies[];
};

static void condition_over(void *op)
{
    op_finish(op);
}

static void condition_again(void *op)
{
    op_again(op);
}

static void condition_run(struct op *op)
{
    struct condition_op *c = (struct condition_op *)op;
    uint32_t value = __atomic_load_n(&c->condition->value, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < c->nbodies; i++)
        plan_run_of(c->bodies[i], plan_run(op));
    for (uint32_t i = 0; op->order && i < c->nbodies; i++)
        plan_order(c->bodies[i], NULL, op->order);
    switch (c->type) {
    case CU_GRAPH_COND_TYPE_WHILE:
        if (value)
            plan_start(c->bodies[0], condition_again, op);
        else
            op_finish(op);
        return;
    case CU_GRAPH_COND_TYPE_IF:
        value = !value; // the second body is for "else"
        break;
    case CU_GRAPH_COND_TYPE_SWITCH:
        break;
    }
    if (value < c->nbodies)
        plan_start(c->bodies[value], condition_over, op);
    else
        op_finish(op);
}

static uint64_t condition_estimate(struct op *op)
{
    (void)op;
    return UINT64_MAX;
}

static void condition_destroy(struct op *op)
{
    struct condition_op *c = (struct condition_op *)op;
    for (uint32_t i = 0; i < c->nbodies; i++)
        plan_destroy(c->bodies[i]);
    if (atomic_fetch_sub(&c->condition->refs, 1) == 1)
        free(c->condition);
}

CUresult graph_condition_op(struct graph_node *n, struct op **out)
{
    struct graph_node *bad;
    size_t size = sizeof(struct condition_op) + n->nchildren * sizeof(struct plan *);
    struct condition_op *c = (struct condition_op *)op_create(size, condition_run, condition_destroy);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    c->op.flags = OP_ASYNC;
    c->op.estimate = condition_estimate;
    c->condition = n->condition;
    atomic_fetch_add(&n->condition->refs, 1);
    c->type = n->params.conditional.type;
    for (uint32_t i = 0; i < n->nchildren; i++) {
        CUresult r = exec_plan(n->children[i], &c->bodies[i], &bad);
        if (r) {
            op_release(&c->op);
            return r;
        }
        c->nbodies++;
    }
    *out = &c->op;
    return CUDA_SUCCESS;
}

bool graph_condition_allows(const struct graph *g)
{
    for (size_t i = 0; i < g->nodes.len; i++) {
        const struct graph_node *n = g->nodes.data[i];
        switch ((int)n->type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
        case CU_GRAPH_NODE_TYPE_MEMCPY:
        case CU_GRAPH_NODE_TYPE_MEMSET:
        case CU_GRAPH_NODE_TYPE_EMPTY:
            break;
        case CU_GRAPH_NODE_TYPE_GRAPH:
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            for (uint32_t k = 0; k < n->nchildren; k++)
                if (!graph_condition_allows(n->children[k]))
                    return false;
            break;
        default:
            return false;
        }
    }
    return true;
}

// A node may use handles of its graph and of those that this one is inside of.
static struct condition *condition_find(const struct graph *g, CUgraphConditionalHandle handle)
{
    for (; g; g = g->owner ? g->owner->graph : NULL)
        for (size_t i = 0; i < g->conditions.len; i++)
            if ((CUgraphConditionalHandle)(uintptr_t)&g->conditions.data[i]->value == handle)
                return g->conditions.data[i];
    return NULL;
}

CUresult graph_condition_set(struct graph_node *n, CUDA_CONDITIONAL_NODE_PARAMS *p)
{
    struct condition *c = condition_find(n->graph, p->handle);
    bool size_ok = p->type == CU_GRAPH_COND_TYPE_SWITCH ? p->size > 0
                   : p->type == CU_GRAPH_COND_TYPE_IF   ? p->size == 1 || p->size == 2
                                                        : p->type == CU_GRAPH_COND_TYPE_WHILE && p->size == 1;
    if (!c || c->node || !size_ok)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->size >= HANDLE_LIMIT) // each body has one
        return CUDA_ERROR_OUT_OF_MEMORY;
    n->children = calloc(p->size, sizeof *n->children);
    n->child_handles = calloc(p->size, sizeof *n->child_handles);
    if (!n->children || !n->child_handles)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (; n->nchildren < p->size; n->nchildren++) {
        struct graph *body = graph_new();
        if (!body)
            return CUDA_ERROR_OUT_OF_MEMORY;
        body->owner = n;
        n->children[n->nchildren] = body;
        n->child_handles[n->nchildren] = body->handle;
    }
    c->node = n;
    atomic_fetch_add(&c->refs, 1);
    n->condition = c;
    p->phGraph_out = n->child_handles;
    n->params.conditional = *p;
    return CUDA_SUCCESS;
}
