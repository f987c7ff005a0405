// SPDX-License-Identifier: Apache-2.0
// The functions of the interface that add nodes and get or set their parameters, type by type. All go through
// CUgraphNodeParams, the form that holds every type.
#include "driver/graph/graph.h"
#include <stdlib.h>

static CUresult add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *edges,
                    size_t count, CUgraphNodeParams *params)
{
    struct graph_node *n;
    CUresult r = CUDA_SUCCESS;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!node || !params || (count && !dependencies))
        return CUDA_ERROR_INVALID_VALUE;
    struct graph_node **deps = calloc(count + 1, sizeof *deps);
    if (!deps)
        return CUDA_ERROR_OUT_OF_MEMORY;
    graphs_lock();
    struct graph *g = graph_get(graph);
    for (size_t i = 0; i < count; i++)
        deps[i] = node_get(dependencies[i]);
    r = g ? node_make(g, deps, edges, count, params, &n) : CUDA_ERROR_INVALID_VALUE;
    free(deps);
    if (!r)
        *node = n->handle;
    graphs_unlock();
    return r;
}

CUresult graph_add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *edges,
                        size_t count, CUgraphNodeParams *params)
{
    return add(node, graph, dependencies, edges, count, params);
}

CUresult graph_add_node_plain(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              CUgraphNodeParams *params)
{
    return add(node, graph, dependencies, NULL, count, params);
}

CUresult graph_node_set(CUgraphNode node, CUgraphNodeParams *params)
{
    graphs_lock();
    struct graph_node *n = node_get(node);
    CUresult r = n && params ? node_set(n, params) : CUDA_ERROR_INVALID_VALUE;
    graphs_unlock();
    return r;
}

// The parameters of a node of the given type, or an error.
static CUresult get(CUgraphNode node, CUgraphNodeType type, CUgraphNodeParams *out)
{
    graphs_lock();
    struct graph_node *n = node_get(node);
    CUresult r = n && n->type == type ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *out = n->params;
    graphs_unlock();
    return r;
}

// ---- kernels
_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) == sizeof(CUDA_KERNEL_NODE_PARAMS_v3), "one layout");

static CUgraphNodeParams kernel_params(const CUDA_KERNEL_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
    memcpy(&p.kernel, params, sizeof *params);
    return p;
}

CUresult graph_add_kernel(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                          const CUDA_KERNEL_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = kernel_params(params);
    return add(node, graph, dependencies, NULL, count, &p);
}

CUresult graph_kernel_get(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params)
{
    CUgraphNodeParams p;
    CUresult r = params ? get(node, CU_GRAPH_NODE_TYPE_KERNEL, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        memcpy(params, &p.kernel, sizeof *params);
    return r;
}

CUresult graph_kernel_set(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = kernel_params(params);
    return graph_node_set(node, &p);
}

CUresult graph_exec_kernel_set(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = kernel_params(params);
    return graph_exec_node_set(exec, node, &p);
}

// ---- copies
static CUgraphNodeParams copy_params(const CUDA_MEMCPY3D *copy, CUcontext context)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    p.memcpy.copyParams = *copy;
    p.memcpy.copyCtx = context;
    return p;
}

CUresult graph_add_copy(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        const CUDA_MEMCPY3D *copy, CUcontext context)
{
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = copy_params(copy, context);
    return add(node, graph, dependencies, NULL, count, &p);
}

CUresult graph_copy_get(CUgraphNode node, CUDA_MEMCPY3D *params)
{
    CUgraphNodeParams p;
    CUresult r = params ? get(node, CU_GRAPH_NODE_TYPE_MEMCPY, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *params = p.memcpy.copyParams;
    return r;
}

CUresult graph_copy_set(CUgraphNode node, const CUDA_MEMCPY3D *params)
{
    CUgraphNodeParams p;
    CUresult r = params ? get(node, CU_GRAPH_NODE_TYPE_MEMCPY, &p) : CUDA_ERROR_INVALID_VALUE;
    if (r)
        return r;
    p.memcpy.copyParams = *params;
    return graph_node_set(node, &p);
}

CUresult graph_exec_copy_set(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy, CUcontext context)
{
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = copy_params(copy, context);
    return graph_exec_node_set(exec, node, &p);
}

// ---- fills
static CUgraphNodeParams fill_params(const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    memcpy(&p.memset, params, sizeof *params);
    p.memset.ctx = context;
    return p;
}

CUresult graph_add_fill(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = fill_params(params, context);
    return add(node, graph, dependencies, NULL, count, &p);
}

CUresult graph_fill_get(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params)
{
    CUgraphNodeParams p;
    CUresult r = params ? get(node, CU_GRAPH_NODE_TYPE_MEMSET, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        memcpy(params, &p.memset, sizeof *params);
    return r;
}

CUresult graph_fill_set(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params)
{
    CUgraphNodeParams p;
    CUresult r = params ? get(node, CU_GRAPH_NODE_TYPE_MEMSET, &p) : CUDA_ERROR_INVALID_VALUE;
    if (r)
        return r;
    memcpy(&p.memset, params, sizeof *params);
    return graph_node_set(node, &p);
}

CUresult graph_exec_fill_set(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params,
                             CUcontext context)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = fill_params(params, context);
    return graph_exec_node_set(exec, node, &p);
}

// ---- host functions
static CUgraphNodeParams host_params(const CUDA_HOST_NODE_PARAMS *params)
{
    return (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST, .host = {params->fn, params->userData}};
}

CUresult graph_add_host(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        const CUDA_HOST_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = host_params(params);
    return add(node, graph, dependencies, NULL, count, &p);
}

CUresult graph_host_get(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params)
{
    CUgraphNodeParams p;
    CUresult r = params ? get(node, CU_GRAPH_NODE_TYPE_HOST, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *params = (CUDA_HOST_NODE_PARAMS){p.host.fn, p.host.userData};
    return r;
}

CUresult graph_host_set(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = host_params(params);
    return graph_node_set(node, &p);
}

CUresult graph_exec_host_set(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = host_params(params);
    return graph_exec_node_set(exec, node, &p);
}

// ---- child graphs, empty nodes
CUresult graph_add_child(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUgraph child)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = {.graph = child}};
    return add(node, graph, dependencies, NULL, count, &p);
}

CUresult graph_child_get(CUgraphNode node, CUgraph *graph)
{
    CUgraphNodeParams p;
    CUresult r = graph ? get(node, CU_GRAPH_NODE_TYPE_GRAPH, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *graph = p.graph.graph;
    return r;
}

CUresult graph_add_empty(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return add(node, graph, dependencies, NULL, count, &p);
}

// ---- events
CUresult graph_add_record(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                          CUevent event)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {event}};
    return add(node, graph, dependencies, NULL, count, &p);
}

CUresult graph_record_get(CUgraphNode node, CUevent *event)
{
    CUgraphNodeParams p;
    CUresult r = event ? get(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *event = p.eventRecord.event;
    return r;
}

CUresult graph_record_set(CUgraphNode node, CUevent event)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {event}};
    return graph_node_set(node, &p);
}

CUresult graph_exec_record_set(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {event}};
    return graph_exec_node_set(exec, node, &p);
}

CUresult graph_add_wait(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUevent event)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {event}};
    return add(node, graph, dependencies, NULL, count, &p);
}

CUresult graph_wait_get(CUgraphNode node, CUevent *event)
{
    CUgraphNodeParams p;
    CUresult r = event ? get(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *event = p.eventWait.event;
    return r;
}

CUresult graph_wait_set(CUgraphNode node, CUevent event)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {event}};
    return graph_node_set(node, &p);
}

CUresult graph_exec_wait_set(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {event}};
    return graph_exec_node_set(exec, node, &p);
}

// ---- memory
CUresult graph_add_alloc(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                         CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&p.alloc, params, sizeof *params);
    CUresult r = add(node, graph, dependencies, NULL, count, &p);
    params->dptr = r ? 0 : p.alloc.dptr;
    return r;
}

CUresult graph_alloc_get(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    CUgraphNodeParams p;
    CUresult r = params ? get(node, CU_GRAPH_NODE_TYPE_MEM_ALLOC, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        memcpy(params, &p.alloc, sizeof *params);
    return r;
}

CUresult graph_add_free(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        CUdeviceptr address)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {address}};
    return add(node, graph, dependencies, NULL, count, &p);
}

CUresult graph_free_get(CUgraphNode node, CUdeviceptr *address)
{
    CUgraphNodeParams p;
    CUresult r = address ? get(node, CU_GRAPH_NODE_TYPE_MEM_FREE, &p) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *address = p.free.dptr;
    return r;
}

// ---- nodes of graphs
CUresult graph_add_batch(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                         const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                           .memOp = {params->ctx, params->count, params->paramArray, params->flags}};
    return graph_add_node_plain(node, graph, dependencies, count, &p);
}

CUresult graph_batch_get(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    graphs_lock();
    struct graph_node *n = node_get(node);
    bool ok = n && params && n->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    if (ok)
        *params = (CUDA_BATCH_MEM_OP_NODE_PARAMS){n->params.memOp.ctx, n->params.memOp.count,
                                                  n->params.memOp.paramArray, n->params.memOp.flags};
    graphs_unlock();
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult graph_batch_set(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                           .memOp = {params->ctx, params->count, params->paramArray, params->flags}};
    return graph_node_set(node, &p);
}

CUresult graph_exec_batch_set(CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                           .memOp = {params->ctx, params->count, params->paramArray, params->flags}};
    return graph_exec_node_set(exec, node, &p);
}
