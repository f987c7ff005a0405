// SPDX-License-Identifier: Apache-2.0
// Nodes: what each type keeps, how its parameters are set, and the operation that stands for it in an executable graph.
#include "driver/graph/graph.h"
#include <stdlib.h>

// ---- kernels
static CUresult kernel_request(const struct graph_node *n, struct launch_request *q)
{
    const CUDA_KERNEL_NODE_PARAMS_v3 *p = &n->params.kernel;
    *q = (struct launch_request){.grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                 .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                 .shared = p->sharedMemBytes};
    for (size_t i = 0; i < n->attributes.len; i++) {
        CUresult r = launch_attribute(&n->attributes.data[i], q);
        if (r)
            return r;
    }
    return CUDA_SUCCESS;
}

// What a node has of its kernel.
static void kernel_release(struct graph_node *n)
{
    if (!n->function)
        return;
    if (n->function->info->native)
        native_release(n->args);
    module_release(n->function->module, 1);
}

// The node gets the function and a copy of the parameter block; nothing changes on failure.
static CUresult kernel_assign(struct graph_node *n, struct function *f, CUkernel kernel,
                              const CUDA_KERNEL_NODE_PARAMS_v3 *shape, const void *args)
{
    const struct kernel_info *k = f->info;
    char *copy = xmalloc(k->param_bytes + 1);
    void **pointers = xcalloc(k->nparams + 1, sizeof *pointers);
    if (k->param_bytes)
        memcpy(copy, args, k->param_bytes);
    for (uint32_t i = 0; i < k->nparams; i++)
        pointers[i] = copy + k->params[i].offset;
    atomic_fetch_add(&f->module->refs, 1);
    native_retain(k, copy);
    kernel_release(n);
    free(n->args);
    free(n->arg_pointers);
    n->function = f;
    n->args = copy;
    n->arg_pointers = pointers;
    n->params.kernel = *shape;
    n->params.kernel.func = kernel ? NULL : f->handle;
    n->params.kernel.kern = kernel;
    n->params.kernel.ctx = f->module->context->handle;
    n->params.kernel.kernelParams = k->nparams ? pointers : NULL;
    n->params.kernel.extra = NULL;
    return CUDA_SUCCESS;
}

static CUresult kernel_set(struct graph_node *n, const CUDA_KERNEL_NODE_PARAMS_v3 *p)
{
    struct function *f;
    struct launch_request q;
    const void *args;
    CUfunction handle = p->func ? p->func : (CUfunction)p->kern;
    if (p->ctx && !context_get(p->ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (p->ctx)
        ctx_push(p->ctx);
    CUresult r = handle ? function_get(handle, &f) : CUDA_ERROR_INVALID_VALUE;
    if (p->ctx)
        ctx_pop(NULL);
    if (r)
        return r;
    CUDA_KERNEL_NODE_PARAMS_v3 old = n->params.kernel;
    n->params.kernel = *p;
    r = kernel_request(n, &q);
    n->params.kernel = old;
    r = r ? r : launch_check(f, &q);
    r = r ? r : launch_shared_check(f, &q);
    if (r)
        return r;
    char *block = xmalloc(f->info->param_bytes + 1);
    r = launch_pack(f->info, p->kernelParams, p->extra, block, &args);
    r = r ? r : kernel_assign(n, f, handle_get(handle, HANDLE_KERNEL) ? (CUkernel)handle : NULL, p, args);
    free(block);
    return r;
}

static CUresult kernel_op(struct graph_node *n, struct op **out)
{
    struct launch_request q;
    if (handle_get(n->function->handle, HANDLE_FUNCTION) != n->function) // its module was unloaded
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult r = kernel_request(n, &q);
    r = r ? r : launch_check(n->function, &q);
    q.node = true;
    return r ? r : launch_op_make(n->function, &q, n->args, out);
}

// ---- events
struct record_op {
    struct op op;
    struct op *mark; // what the event holds, finished here
};

static void record_run(struct op *op)
{
    struct record_op *r = (struct record_op *)op;
    struct op *mark = r->mark;
    r->mark = NULL;
    if (mark) {
        op_finish(mark);
        op_release(mark);
    }
}

static void record_destroy(struct op *op)
{
    record_run(op);
}

void graph_record_mark(struct op *op, struct op *mark)
{
    ((struct record_op *)op)->mark = mark;
}

// ---- child graphs
static bool holds_type(const struct graph *g, CUgraphNodeType type)
{
    for (size_t i = 0; i < g->nodes.len; i++) {
        const struct graph_node *n = g->nodes.data[i];
        if (n->type == type)
            return true;
        for (uint32_t k = 0; k < n->nchildren; k++)
            if (holds_type(n->children[k], type))
                return true;
    }
    return false;
}

static CUresult child_adopt(struct graph_node *n, struct graph *child)
{
    n->children = xcalloc(1, sizeof *n->children);
    n->children[0] = child;
    n->nchildren = 1;
    child->owner = n;
    n->params.graph.graph = child->handle;
    return CUDA_SUCCESS;
}

static CUresult child_set(struct graph_node *n, const CUDA_CHILD_GRAPH_NODE_PARAMS *p)
{
    struct graph *g = graph_get(p->graph), *child;
    if (!g || (unsigned)p->ownership > CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE)
        return CUDA_ERROR_INVALID_VALUE;
    if (holds_type(g, CU_GRAPH_NODE_TYPE_CONDITIONAL))
        return CUDA_ERROR_NOT_SUPPORTED;
    for (struct graph *up = n->graph; up; up = up->owner ? up->owner->graph : NULL)
        if (up == g && p->ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE)
            return CUDA_ERROR_INVALID_VALUE;
    n->params.graph = *p;
    if (p->ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
        if (g->owner || g->capturing)
            return CUDA_ERROR_INVALID_VALUE;
        return child_adopt(n, g);
    }
    struct reserve reserve;
    if (!graph_reserve(&reserve, g))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult r = graph_copy(g, false, &child);
    r = r ? r : child_adopt(n, child);
    reserve_end(&reserve);
    return r;
}

// ---- allocations
static CUresult free_set(struct graph_node *n, const CUDA_MEM_FREE_NODE_PARAMS *p)
{
    struct graph_memory *m = graph_memory_find(p->dptr);
    if (!m)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n->graph->nodes.len; i++) {
        struct graph_node *other = n->graph->nodes.data[i];
        if (other->type == CU_GRAPH_NODE_TYPE_MEM_FREE && other->memory == m)
            return CUDA_ERROR_INVALID_VALUE;
    }
    n->memory = graph_memory_retain(m);
    n->params.free = *p;
    return CUDA_SUCCESS;
}

static CUresult alloc_set(struct graph_node *n, CUDA_MEM_ALLOC_NODE_PARAMS_v2 *p)
{
    CUDA_MEM_ALLOC_NODE_PARAMS q;
    _Static_assert(sizeof q == sizeof *p, "one layout");
    memcpy(&q, p, sizeof q);
    CUresult r = graph_memory_make(&q, &n->memory);
    if (r)
        return r;
    p->dptr = q.dptr;
    n->params.alloc = *p;
    n->params.alloc.accessDescs = NULL;
    if (p->accessDescCount) {
        CUmemAccessDesc *d = malloc(p->accessDescCount * sizeof *d);
        if (!d)
            return CUDA_ERROR_OUT_OF_MEMORY;
        memcpy(d, p->accessDescs, p->accessDescCount * sizeof *d);
        n->params.alloc.accessDescs = d;
    }
    return CUDA_SUCCESS;
}

// ---- all types
static CUresult context_check(CUcontext c)
{
    return c && !context_get(c) ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

// Whether the parameters make an operation.
static CUresult copy_check(const CUDA_MEMCPY3D *c)
{
    struct op *op;
    CUresult r = copy_op_make(c, &op);
    if (!r)
        op_release(op);
    return r;
}

static CUresult fill_check(const CUDA_MEMSET_NODE_PARAMS_v2 *p)
{
    struct op *op;
    CUresult r = fill_op_make(p, &op);
    if (!r)
        op_release(op);
    return r;
}

static CUresult batch_set(struct graph_node *n, const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *p)
{
    struct op *op;
    if (p->flags)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = memop_op_make(p->paramArray, p->count, &op);
    if (r)
        return r;
    op_release(op);
    CUstreamBatchMemOpParams *copy = xmalloc(p->count * sizeof *copy);
    memcpy(copy, p->paramArray, p->count * sizeof *copy);
    free(n->params.memOp.paramArray);
    n->params.memOp = *p;
    n->params.memOp.paramArray = copy;
    return CUDA_SUCCESS;
}

static CUresult event_check(CUevent event)
{
    return handle_get(event, HANDLE_EVENT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult node_set(struct graph_node *n, const CUgraphNodeParams *p)
{
    CUresult r;
    if (p->type != n->type)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)n->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return kernel_set(n, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        r = context_check(p->memcpy.copyCtx);
        r = r ? r : copy_check(&p->memcpy.copyParams);
        if (!r)
            n->params.memcpy = p->memcpy;
        return r;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        r = context_check(p->memset.ctx);
        r = r ? r : fill_check(&p->memset);
        if (!r)
            n->params.memset = p->memset;
        return r;
    case CU_GRAPH_NODE_TYPE_HOST:
        if (!p->host.fn)
            return CUDA_ERROR_INVALID_VALUE;
        n->params.host = p->host;
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        r = context_check(p->memOp.ctx);
        return r ? r : batch_set(n, &p->memOp);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        r = event_check(p->eventWait.event);
        if (!r)
            n->params.eventWait = p->eventWait;
        return r;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        r = event_check(p->eventRecord.event);
        if (!r)
            n->params.eventRecord = p->eventRecord;
        return r;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// The parameters of a new node.
static CUresult node_init(struct graph_node *n, CUgraphNodeParams *p)
{
    switch ((int)p->type) {
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH: {
        CUresult r = child_set(n, &p->graph);
        if (!r)
            p->graph.graph = n->params.graph.graph;
        return r;
    }
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return alloc_set(n, &p->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return free_set(n, &p->free);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return graph_condition_set(n, &p->conditional);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        log_write(LOG_WARN, "nodes for external semaphores are not supported");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return node_set(n, p);
}

static struct graph_node *node_new(struct graph *g, CUgraphNodeType type)
{
    struct graph_node *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->tag = TAG_NODE;
    n->graph = g;
    n->type = n->params.type = type;
    n->id = graph_next_id();
    n->handle = handle_create(HANDLE_GRAPH, n);
    if (!n->handle) {
        free(n);
        return NULL;
    }
    return n;
}

void node_free(struct graph_node *n)
{
    handle_take(n->handle, HANDLE_GRAPH);
    kernel_release(n);
    free(n->args);
    free(n->arg_pointers);
    for (uint32_t i = 0; i < n->nchildren; i++)
        graph_free(n->children[i]);
    free(n->children);
    free(n->child_handles);
    if (n->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        free((void *)(uintptr_t)n->params.alloc.accessDescs);
    if (n->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
        free(n->params.memOp.paramArray);
    if (n->condition) {
        if (n->condition->node == n)
            n->condition->node = NULL;
        if (atomic_fetch_sub(&n->condition->refs, 1) == 1)
            free(n->condition);
    }
    graph_memory_release(n->memory);
    op_release(n->fresh);
    vec_free(&n->attributes);
    vec_free(&n->in);
    vec_free(&n->out);
    free(n);
}

static CUresult deps_check(struct graph *g, struct graph_node *const *deps, const CUgraphEdgeData *edges, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!deps[i] || deps[i]->graph != g)
            return CUDA_ERROR_INVALID_VALUE;
        for (size_t k = 0; k < i; k++)
            if (deps[k] == deps[i] && (!edges || !memcmp(&edges[k], &edges[i], sizeof *edges)))
                return CUDA_ERROR_INVALID_VALUE;
        CUresult r = edge_check(deps[i], edges ? &edges[i] : NULL);
        if (r)
            return r;
    }
    return CUDA_SUCCESS;
}

// The node becomes part of its graph.
static void node_insert(struct graph_node *n, struct graph_node *const *deps, const CUgraphEdgeData *edges,
                        size_t count)
{
    vec_push(&n->graph->nodes, n);
    for (size_t i = 0; i < count; i++)
        graph_connect(deps[i], n, edges ? &edges[i] : NULL);
}

CUresult node_make(struct graph *g, struct graph_node *const *deps, const CUgraphEdgeData *edges, size_t n,
                   CUgraphNodeParams *params, struct graph_node **out)
{
    CUresult r = deps_check(g, deps, edges, n);
    if (r)
        return r;
    struct graph_node *node = node_new(g, params->type);
    if (!node)
        return CUDA_ERROR_OUT_OF_MEMORY;
    r = node_init(node, params);
    if (r) {
        node_free(node);
        return r;
    }
    node_insert(node, deps, edges, n);
    *out = node;
    return CUDA_SUCCESS;
}

static CUresult attribute_put(struct graph_node *n, const CUlaunchAttribute *a)
{
    for (size_t i = 0; i < n->attributes.len; i++)
        if (n->attributes.data[i].id == a->id) {
            n->attributes.data[i] = *a;
            return CUDA_SUCCESS;
        }
    vec_push(&n->attributes, *a);
    return CUDA_SUCCESS;
}

CUresult node_make_kernel(struct graph *g, struct graph_node *const *deps, const CUgraphEdgeData *edges, size_t n,
                          struct function *f, CUkernel kernel, const struct launch_request *q, const void *args,
                          struct graph_node **out)
{
    CUresult r = deps_check(g, deps, edges, n);
    struct graph_node *node = r ? NULL : node_new(g, CU_GRAPH_NODE_TYPE_KERNEL);
    if (!node)
        return r ? r : CUDA_ERROR_OUT_OF_MEMORY;
    CUDA_KERNEL_NODE_PARAMS_v3 shape = {.gridDimX = q->grid[0],
                                        .gridDimY = q->grid[1],
                                        .gridDimZ = q->grid[2],
                                        .blockDimX = q->block[0],
                                        .blockDimY = q->block[1],
                                        .blockDimZ = q->block[2],
                                        .sharedMemBytes = q->shared};
    kernel_assign(node, f, kernel, &shape, args);
    for (unsigned i = 0; i < q->nattributes; i++) {
        CUlaunchAttributeID id = q->attributes[i].id;
        if (id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT && id != CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
            attribute_put(node, &q->attributes[i]);
    }
    if (q->cooperative)
        attribute_put(node, &(CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = {.cooperative = 1}});
    node_insert(node, deps, edges, n);
    *out = node;
    return CUDA_SUCCESS;
}

CUresult node_copy(const struct graph_node *from, struct graph *to, bool execution, struct graph_node **out)
{
    struct graph_node *n = node_new(to, from->type);
    if (!n)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult r = CUDA_SUCCESS;
    n->origin = from->id;
    n->params = from->params;
    if (from->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        n->params.alloc.accessDescs = NULL; // nobody asks a copy
    if (from->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) {
        n->params.memOp.paramArray = NULL;
        r = batch_set(n, &from->params.memOp);
    }
    if (from->function) {
        CUDA_KERNEL_NODE_PARAMS_v3 shape = from->params.kernel;
        kernel_assign(n, from->function, from->params.kernel.kern, &shape, from->args);
    }
    for (size_t i = 0; i < from->attributes.len; i++)
        vec_push(&n->attributes, from->attributes.data[i]);
    if (from->memory)
        n->memory = graph_memory_retain(from->memory);
    if (from->condition) {
        n->condition = from->condition;
        atomic_fetch_add(&n->condition->refs, 1);
    }
    n->children = from->nchildren ? xcalloc(from->nchildren, sizeof *n->children) : NULL;
    for (; n->nchildren < from->nchildren && !r; n->nchildren++) {
        r = graph_copy(from->children[n->nchildren], execution, &n->children[n->nchildren]);
        if (r)
            break;
        n->children[n->nchildren]->owner = n;
    }
    if (!r && n->type == CU_GRAPH_NODE_TYPE_GRAPH)
        n->params.graph.graph = n->children[0]->handle;
    n->disabled = from->disabled;
    if (r) {
        node_free(n);
        return r;
    }
    vec_push(&to->nodes, n);
    *out = n;
    return CUDA_SUCCESS;
}

void node_take_kernel(struct graph_node *to, const struct graph_node *from)
{
    CUDA_KERNEL_NODE_PARAMS_v3 shape = from->params.kernel;
    kernel_assign(to, from->function, shape.kern, &shape, from->args);
    to->attributes.len = 0;
    for (size_t i = 0; i < from->attributes.len; i++)
        vec_push(&to->attributes, from->attributes.data[i]);
}

static CUresult empty_op(struct op **out)
{
    *out = op_create(sizeof **out, NULL, NULL);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult node_op(struct graph_node *n, struct op **out)
{
    if (n->disabled)
        return empty_op(out);
    switch ((int)n->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return kernel_op(n, out);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return copy_op_make(&n->params.memcpy.copyParams, out);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return fill_op_make(&n->params.memset, out);
    case CU_GRAPH_NODE_TYPE_HOST:
        *out = host_op_make(n->params.host.fn, n->params.host.userData);
        return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return memop_op_make(n->params.memOp.paramArray, n->params.memOp.count, out);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        *out = op_create(sizeof(struct record_op), record_run, record_destroy);
        return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        for (uint32_t i = 0; i < n->nchildren; i++)
            if (!graph_condition_allows(n->children[i]))
                return CUDA_ERROR_NOT_SUPPORTED;
        return graph_condition_op(n, out);
    }
    return empty_op(out); // what has its effect elsewhere: waits, memory, the ends of child graphs
}

// ---- attributes of kernel nodes
static struct graph_node *kernel_node(CUgraphNode node)
{
    struct graph_node *n = node_get(node);
    return n && n->type == CU_GRAPH_NODE_TYPE_KERNEL ? n : NULL;
}

CUresult graph_kernel_set_attribute(CUgraphNode node, CUkernelNodeAttrID id, const CUkernelNodeAttrValue *value)
{
    struct launch_request q = {0};
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    CUlaunchAttribute a = {.id = id, .value = *value};
    graphs_lock();
    struct graph_node *n = kernel_node(node);
    CUresult r = n ? launch_attribute(&a, &q) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        attribute_put(n, &a);
    graphs_unlock();
    return r;
}

CUresult graph_kernel_get_attribute(CUgraphNode node, CUkernelNodeAttrID id, CUkernelNodeAttrValue *value)
{
    struct launch_request q = {0};
    CUlaunchAttribute a = {.id = id};
    a.value.clusterDim.x = a.value.clusterDim.y = a.value.clusterDim.z = 1;
    if (!value || launch_attribute(&a, &q))
        return CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    struct graph_node *n = kernel_node(node);
    if (n) {
        memset(value, 0, sizeof *value);
        for (size_t i = 0; i < n->attributes.len; i++)
            if (n->attributes.data[i].id == id)
                *value = n->attributes.data[i].value;
    }
    graphs_unlock();
    return n ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult graph_kernel_copy_attributes(CUgraphNode dst, CUgraphNode src)
{
    graphs_lock();
    struct graph_node *to = kernel_node(dst), *from = kernel_node(src);
    if (to && from && to != from) {
        to->attributes.len = 0;
        for (size_t i = 0; i < from->attributes.len; i++)
            vec_push(&to->attributes, from->attributes.data[i]);
    }
    graphs_unlock();
    return to && from ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
