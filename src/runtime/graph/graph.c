// SPDX-License-Identifier: Apache-2.0
// Graphs: what can be asked of them, instantiation, update and launch, in the driver's terms. Handles are the driver's
// own. Nodes are in node.c.
#include "runtime/runtime.h"

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphCreate((CUgraph *)pGraph, flags));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphDestroy((CUgraph)graph));
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphClone((CUgraph *)pGraphClone, (CUgraph)originalGraph));
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(
                   drv.cuGraphNodeFindInClone((CUgraphNode *)pNode, (CUgraphNode)originalNode, (CUgraph)clonedGraph));
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphDebugDotPrint((CUgraph)graph, path, flags));
}

// --- user objects ---

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy,
                                 unsigned int initialRefcount, unsigned int flags)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(
                   drv.cuUserObjectCreate((CUuserObject *)object_out, ptr, (CUhostFn)destroy, initialRefcount, flags));
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuUserObjectRetain((CUuserObject)object, count));
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuUserObjectRelease((CUuserObject)object, count));
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphRetainUserObject((CUgraph)graph, (CUuserObject)object, count, flags));
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphReleaseUserObject((CUgraph)graph, (CUuserObject)object, count));
}

// --- edges and nodes ---

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edgeData, size_t numDependencies)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphAddDependencies((CUgraph)graph, (const CUgraphNode *)from, (const CUgraphNode *)to,
                                                    (const CUgraphEdgeData *)edgeData, numDependencies));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edgeData, size_t numDependencies)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphRemoveDependencies((CUgraph)graph, (const CUgraphNode *)from,
                                                       (const CUgraphNode *)to, (const CUgraphEdgeData *)edgeData,
                                                       numDependencies));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edgeData, size_t *numEdges)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphGetEdges((CUgraph)graph, (CUgraphNode *)from, (CUgraphNode *)to,
                                             (CUgraphEdgeData *)edgeData, numEdges));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                         cudaGraphEdgeData *edgeData, size_t *pNumDependencies)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphNodeGetDependencies((CUgraphNode)node, (CUgraphNode *)pDependencies,
                                                        (CUgraphEdgeData *)edgeData, pNumDependencies));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                           cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphNodeGetDependentNodes((CUgraphNode)node, (CUgraphNode *)pDependentNodes,
                                                          (CUgraphEdgeData *)edgeData, pNumDependentNodes));
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphGetNodes((CUgraph)graph, (CUgraphNode *)nodes, numNodes));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphGetRootNodes((CUgraph)graph, (CUgraphNode *)pRootNodes, pNumRootNodes));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType)
{
    CUgraphNodeType type;
    cudaError_t e = pType ? rt_init() : rt_fail(cudaErrorInvalidValue);
    if (!e)
        e = rt_result(drv.cuGraphNodeGetType((CUgraphNode)node, &type));
    if (!e)
        *pType = (enum cudaGraphNodeType)type;
    return e;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphDestroyNode((CUgraphNode)node));
}

// --- instances ---

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGraphInstantiateWithFlags((CUgraphExec *)pGraphExec, (CUgraph)graph, flags));
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
    return cudaGraphInstantiateWithFlags(pGraphExec, graph, flags);
}

_Static_assert(sizeof(cudaGraphInstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS), "instantiation");
_Static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo), "update");

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *instantiateParams)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphInstantiateWithParams((CUgraphExec *)pGraphExec, (CUgraph)graph,
                                                          (CUDA_GRAPH_INSTANTIATE_PARAMS *)instantiateParams));
}

cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                cudaGraphInstantiateParams *instantiateParams)
{
    if (!instantiateParams)
        return rt_fail(cudaErrorInvalidValue);
    cudaGraphInstantiateParams p = *instantiateParams;
    p.uploadStream = PT(p.uploadStream);
    cudaError_t e = cudaGraphInstantiateWithParams(pGraphExec, graph, &p);
    instantiateParams->errNode_out = p.errNode_out;
    instantiateParams->result_out = p.result_out;
    return e;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphExecUpdate((CUgraphExec)hGraphExec, (CUgraph)hGraph,
                                               (CUgraphExecUpdateResultInfo *)resultInfo));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGraphUpload((CUgraphExec)graphExec, (CUstream)stream));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuGraphLaunch((CUgraphExec)graphExec, (CUstream)stream));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphExecDestroy((CUgraphExec)graphExec));
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long *flags)
{
    cuuint64_t f = 0;
    cudaError_t e = rt_init();
    if (!e)
        e = rt_result(drv.cuGraphExecGetFlags((CUgraphExec)graphExec, flags ? &f : NULL));
    if (!e)
        *flags = f;
    return e;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphNodeSetEnabled((CUgraphExec)hGraphExec, (CUgraphNode)hNode, isEnabled));
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int *isEnabled)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphNodeGetEnabled((CUgraphExec)hGraphExec, (CUgraphNode)hNode, isEnabled));
}

// --- memory of graphs ---

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuDeviceGraphMemTrim(device));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuDeviceGetGraphMemAttribute(device, (CUgraphMem_attribute)attr, value));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuDeviceSetGraphMemAttribute(device, (CUgraphMem_attribute)attr, value));
}
