// Graphs: building, instantiation and launch, in the driver's terms. Handles are the driver's own; a kernel node names
// a kernel by its handle, so that the graph runs in whatever context it is launched.
#include "runtime/runtime.h"

static CUcontext context_current(void)
{
    CUcontext c = NULL;
    drv.cuCtxGetCurrent(&c);
    return c;
}

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

// --- nodes ---

static cudaError_t kernel_params(const struct cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *out)
{
    CUkernel k;
    if (!p)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_kernel(p->func, &k);
    if (e)
        return e;
    *out = (CUDA_KERNEL_NODE_PARAMS){.gridDimX = p->gridDim.x,
                                     .gridDimY = p->gridDim.y,
                                     .gridDimZ = p->gridDim.z,
                                     .blockDimX = p->blockDim.x,
                                     .blockDimY = p->blockDim.y,
                                     .blockDimZ = p->blockDim.z,
                                     .sharedMemBytes = p->sharedMemBytes,
                                     .kernelParams = p->kernelParams,
                                     .extra = p->extra,
                                     .kern = k};
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, const struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS p;
    cudaError_t e = kernel_params(pNodeParams, &p);
    return e ? e
             : rt_result(drv.cuGraphAddKernelNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                  (const CUgraphNode *)pDependencies, numDependencies, &p));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS p;
    if (!pNodeParams)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_init();
    if (!e)
        e = rt_result(drv.cuGraphKernelNodeGetParams((CUgraphNode)node, &p));
    if (e)
        return e;
    // The host function is not known to the driver; the kernel's handle is accepted in its place everywhere.
    if (p.kern)
        rt_kernel_adopt(p.kern);
    *pNodeParams = (struct cudaKernelNodeParams){p.kern ? (void *)p.kern : (void *)p.func,
                                                 {p.gridDimX, p.gridDimY, p.gridDimZ},
                                                 {p.blockDimX, p.blockDimY, p.blockDimZ},
                                                 p.sharedMemBytes,
                                                 p.kernelParams,
                                                 p.extra};
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS p;
    cudaError_t e = kernel_params(pNodeParams, &p);
    return e ? e : rt_result(drv.cuGraphKernelNodeSetParams((CUgraphNode)node, &p));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS p;
    cudaError_t e = kernel_params(pNodeParams, &p);
    return e ? e : rt_result(drv.cuGraphExecKernelNodeSetParams((CUgraphExec)hGraphExec, (CUgraphNode)node, &p));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, const struct cudaMemcpy3DParms *pCopyParams)
{
    CUDA_MEMCPY3D c;
    if (!pCopyParams)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_box_convert(pCopyParams, &c);
    return e ? e
             : rt_result(drv.cuGraphAddMemcpyNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                  (const CUgraphNode *)pDependencies, numDependencies, &c,
                                                  context_current()));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                     const void *src, size_t count, enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = {.srcPtr = {(void *)(uintptr_t)src, count, count, 1},
                                  .dstPtr = {dst, count, count, 1},
                                  .extent = {count, 1, 1},
                                  .kind = kind};
    return cudaGraphAddMemcpyNode(pGraphNode, graph, pDependencies, numDependencies, &p);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                           const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                           const void *symbol, const void *src, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind)
{
    void *p = NULL;
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaGraphAddMemcpyNode1D(pGraphNode, graph, pDependencies, numDependencies, p, src, count, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                             const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    void *p = NULL;
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaGraphAddMemcpyNode1D(pGraphNode, graph, pDependencies, numDependencies, dst, p, count, kind);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, const struct cudaMemsetParams *pMemsetParams)
{
    if (!pMemsetParams)
        return rt_fail(cudaErrorInvalidValue);
    CUDA_MEMSET_NODE_PARAMS p = {.dst = (CUdeviceptr)(uintptr_t)pMemsetParams->dst,
                                 .pitch = pMemsetParams->pitch,
                                 .value = pMemsetParams->value,
                                 .elementSize = pMemsetParams->elementSize,
                                 .width = pMemsetParams->width,
                                 .height = pMemsetParams->height};
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphAddMemsetNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                  (const CUgraphNode *)pDependencies, numDependencies, &p,
                                                  context_current()));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                 size_t numDependencies, const struct cudaHostNodeParams *pNodeParams)
{
    if (!pNodeParams)
        return rt_fail(cudaErrorInvalidValue);
    CUDA_HOST_NODE_PARAMS p = {.fn = pNodeParams->fn, .userData = pNodeParams->userData};
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphAddHostNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                (const CUgraphNode *)pDependencies, numDependencies, &p));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       cudaGraph_t childGraph)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphAddChildGraphNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                      (const CUgraphNode *)pDependencies, numDependencies,
                                                      (CUgraph)childGraph));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                  size_t numDependencies)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphAddEmptyNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                 (const CUgraphNode *)pDependencies, numDependencies));
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edgeData, size_t numDependencies)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphAddDependencies((CUgraph)graph, (const CUgraphNode *)from, (const CUgraphNode *)to,
                                                    (const CUgraphEdgeData *)edgeData, numDependencies));
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
    cudaError_t e = rt_init();
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
