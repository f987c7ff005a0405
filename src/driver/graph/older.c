// SPDX-License-Identifier: Apache-2.0
// Graphs and captures by the first forms of their functions, for programs that are linked to these: each is a call of today's.
#include "driver/graph/graph.h"
#include <stdio.h>

// Parameters of a kernel without the members that came later: the function alone says what runs, in the current context.
static const CUDA_KERNEL_NODE_PARAMS *today(const CUDA_KERNEL_NODE_PARAMS_v1 *from, CUDA_KERNEL_NODE_PARAMS *to)
{
    *to = (CUDA_KERNEL_NODE_PARAMS){0};
    if (from)
        memcpy(to, from, sizeof *from);
    return from ? to : NULL;
}
_Static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS, kern) == sizeof(CUDA_KERNEL_NODE_PARAMS_v1),
               "one begins as the other");

CUresult graph_add_kernel_plain(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p;
    return graph_add_kernel(node, graph, dependencies, count, today(params, &p));
}

CUresult graph_kernel_get_plain(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p;
    CUresult r = graph_kernel_get(node, params ? &p : NULL);
    if (r)
        return r;
    if (!p.func && p.kern) { // made of a CUkernel, which this form cannot tell
        r = kernel_get_function(&p.func, p.kern);
        if (r)
            return r;
    }
    memcpy(params, &p, sizeof *params);
    return CUDA_SUCCESS;
}

CUresult graph_kernel_set_plain(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p;
    return graph_kernel_set(node, today(params, &p));
}

CUresult graph_exec_kernel_set_plain(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p;
    return graph_exec_kernel_set(exec, node, today(params, &p));
}

CUresult graph_exec_update_plain(CUgraphExec exec, CUgraph graph, CUgraphNode *error_node,
                                 CUgraphExecUpdateResult *result)
{
    CUgraphExecUpdateResultInfo info = {CU_GRAPH_EXEC_UPDATE_ERROR, NULL, NULL};
    if (!error_node || !result)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = graph_exec_update(exec, graph, &info);
    *error_node = info.errorNode;
    *result = info.result;
    return r;
}

// The log has the name of the error, or nothing.
CUresult graph_instantiate_log(CUgraphExec *exec, CUgraph graph, CUgraphNode *error_node, char *log, size_t size)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {0};
    const char *text = "";
    CUresult r = graph_instantiate_params(exec, graph, &p, CU_STREAM_LEGACY);
    if (error_node)
        *error_node = p.hErrNode_out;
    if (r)
        error_name(r, &text);
    if (log && size)
        snprintf(log, size, "%s", text);
    return r;
}

CUresult stream_begin_capture_global(CUstream stream)
{
    return stream_begin_capture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult stream_capture_id(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id)
{
    return stream_capture_info(stream, status, id, NULL, NULL, NULL, NULL);
}
