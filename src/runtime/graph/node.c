// SPDX-License-Identifier: Apache-2.0
// Nodes of graphs, in the driver's terms. A kernel node names a kernel by its handle, so that the graph runs in
// whatever context it is launched.
#include "runtime/runtime.h"

static CUcontext context_current(void)
{
    CUcontext c = NULL;
    drv.cuCtxGetCurrent(&c);
    return c;
}

// --- kernels ---

static cudaError_t kernel_params(const struct cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *out)
{
    CUkernel k;
    if (!p)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_kernel(p->func, &k);
    if (e == cudaErrorInvalidDeviceFunction) // a node takes handles of kernels too, and so answers as for those
        e = rt_fail(cudaErrorInvalidResourceHandle);
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
    // Programs compare the answer with their kernels' host functions. A kernel that has none is told by its handle, which is accepted everywhere.
    const void *host = p.kern ? rt_kernel_host(p.kern) : p.func;
    if (!host) {
        e = rt_kernel_adopt(p.kern);
        host = p.kern;
    }
    if (e)
        return e;
    *pNodeParams = (struct cudaKernelNodeParams){(void *)host,
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

// --- copies ---

static struct cudaMemcpy3DParms line_params(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){
        .srcPtr = {.ptr = (void *)(uintptr_t)src}, .dstPtr = {.ptr = dst}, .extent = {count, 1, 1}, .kind = kind};
}

static cudaError_t copy_params(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c)
{
    if (!p)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    return e ? e : rt_box_convert(p, c);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, const struct cudaMemcpy3DParms *pCopyParams)
{
    CUDA_MEMCPY3D c;
    cudaError_t e = copy_params(pCopyParams, &c);
    return e ? e
             : rt_result(drv.cuGraphAddMemcpyNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                  (const CUgraphNode *)pDependencies, numDependencies, &c,
                                                  context_current()));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *pNodeParams)
{
    CUDA_MEMCPY3D c;
    if (!pNodeParams)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuGraphMemcpyNodeGetParams((CUgraphNode)node, &c));
    return e ? e : rt_box_revert(&c, pNodeParams);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *pNodeParams)
{
    CUDA_MEMCPY3D c;
    cudaError_t e = copy_params(pNodeParams, &c);
    return e ? e : rt_result(drv.cuGraphMemcpyNodeSetParams((CUgraphNode)node, &c));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *pNodeParams)
{
    CUDA_MEMCPY3D c;
    cudaError_t e = copy_params(pNodeParams, &c);
    return e ? e
             : rt_result(drv.cuGraphExecMemcpyNodeSetParams((CUgraphExec)hGraphExec, (CUgraphNode)node, &c,
                                                            context_current()));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                     const void *src, size_t count, enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = line_params(dst, src, count, kind);
    return cudaGraphAddMemcpyNode(pGraphNode, graph, pDependencies, numDependencies, &p);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                           enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = line_params(dst, src, count, kind);
    return cudaGraphMemcpyNodeSetParams(node, &p);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                               const void *src, size_t count, enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = line_params(dst, src, count, kind);
    return cudaGraphExecMemcpyNodeSetParams(hGraphExec, node, &p);
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

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                 size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    void *p = NULL;
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaGraphMemcpyNodeSetParams1D(node, p, src, count, kind);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
                                                   size_t offset, enum cudaMemcpyKind kind)
{
    void *p = NULL;
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaGraphMemcpyNodeSetParams1D(node, dst, p, count, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                     const void *symbol, const void *src, size_t count, size_t offset,
                                                     enum cudaMemcpyKind kind)
{
    void *p = NULL;
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaGraphExecMemcpyNodeSetParams1D(hGraphExec, node, p, src, count, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                                       const void *symbol, size_t count, size_t offset,
                                                       enum cudaMemcpyKind kind)
{
    void *p = NULL;
    cudaError_t e = rt_symbol_range(symbol, count, offset, &p);
    return e ? e : cudaGraphExecMemcpyNodeSetParams1D(hGraphExec, node, dst, p, count, kind);
}

// --- fills ---

_Static_assert(sizeof(struct cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS), "fills");

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, const struct cudaMemsetParams *pMemsetParams)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphAddMemsetNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                  (const CUgraphNode *)pDependencies, numDependencies,
                                                  (const CUDA_MEMSET_NODE_PARAMS *)pMemsetParams, context_current()));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *pNodeParams)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphMemsetNodeGetParams((CUgraphNode)node, (CUDA_MEMSET_NODE_PARAMS *)pNodeParams));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *pNodeParams)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(
                   drv.cuGraphMemsetNodeSetParams((CUgraphNode)node, (const CUDA_MEMSET_NODE_PARAMS *)pNodeParams));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *pNodeParams)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphExecMemsetNodeSetParams((CUgraphExec)hGraphExec, (CUgraphNode)node,
                                                            (const CUDA_MEMSET_NODE_PARAMS *)pNodeParams,
                                                            context_current()));
}

// --- host functions, child graphs, empty nodes ---

_Static_assert(sizeof(struct cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS), "host functions");

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphHostNodeGetParams((CUgraphNode)node, (CUDA_HOST_NODE_PARAMS *)pNodeParams));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *pNodeParams)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphHostNodeSetParams((CUgraphNode)node, (const CUDA_HOST_NODE_PARAMS *)pNodeParams));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *pNodeParams)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphExecHostNodeSetParams((CUgraphExec)hGraphExec, (CUgraphNode)node,
                                                          (const CUDA_HOST_NODE_PARAMS *)pNodeParams));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphChildGraphNodeGetGraph((CUgraphNode)node, (CUgraph *)pGraph));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                 cudaGraph_t childGraph)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphExecChildGraphNodeSetParams((CUgraphExec)hGraphExec, (CUgraphNode)node,
                                                                (CUgraph)childGraph));
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

// --- events ---

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies, size_t numDependencies, cudaEvent_t event)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphAddEventRecordNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                       (const CUgraphNode *)pDependencies, numDependencies,
                                                       (CUevent)event));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphEventRecordNodeGetEvent((CUgraphNode)node, (CUevent *)event_out));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphEventRecordNodeSetEvent((CUgraphNode)node, (CUevent)event));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(
                   drv.cuGraphExecEventRecordNodeSetEvent((CUgraphExec)hGraphExec, (CUgraphNode)hNode, (CUevent)event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies, size_t numDependencies, cudaEvent_t event)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphAddEventWaitNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                     (const CUgraphNode *)pDependencies, numDependencies,
                                                     (CUevent)event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphEventWaitNodeGetEvent((CUgraphNode)node, (CUevent *)event_out));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphEventWaitNodeSetEvent((CUgraphNode)node, (CUevent)event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(
                   drv.cuGraphExecEventWaitNodeSetEvent((CUgraphExec)hGraphExec, (CUgraphNode)hNode, (CUevent)event));
}

// --- memory ---

_Static_assert(sizeof(struct cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS), "allocations");

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                     struct cudaMemAllocNodeParams *nodeParams)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphAddMemAllocNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                    (const CUgraphNode *)pDependencies, numDependencies,
                                                    (CUDA_MEM_ALLOC_NODE_PARAMS *)nodeParams));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params_out)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphMemAllocNodeGetParams((CUgraphNode)node, (CUDA_MEM_ALLOC_NODE_PARAMS *)params_out));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                    const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dptr)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuGraphAddMemFreeNode((CUgraphNode *)pGraphNode, (CUgraph)graph,
                                                   (const CUgraphNode *)pDependencies, numDependencies,
                                                   (CUdeviceptr)(uintptr_t)dptr));
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphMemFreeNodeGetParams((CUgraphNode)node, (CUdeviceptr *)dptr_out));
}

// --- attributes of kernel nodes ---

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc)
{
    cudaError_t e = rt_init();
    return e ? e : rt_result(drv.cuGraphKernelNodeCopyAttributes((CUgraphNode)hDst, (CUgraphNode)hSrc));
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value_out)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphKernelNodeGetAttribute((CUgraphNode)hNode, (CUkernelNodeAttrID)attr,
                                                           (CUkernelNodeAttrValue *)value_out));
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value)
{
    cudaError_t e = rt_init();
    return e ? e
             : rt_result(drv.cuGraphKernelNodeSetAttribute((CUgraphNode)hNode, (CUkernelNodeAttrID)attr,
                                                           (const CUkernelNodeAttrValue *)value));
}

// --- nodes of any type ---

static cudaError_t node_params(const struct cudaGraphNodeParams *p, CUgraphNodeParams *out)
{
    cudaError_t e = p ? rt_enter() : rt_fail(cudaErrorInvalidValue);
    if (e)
        return e;
    *out = (CUgraphNodeParams){.type = (CUgraphNodeType)p->type};
    switch (p->type) {
    case cudaGraphNodeTypeKernel: {
        CUDA_KERNEL_NODE_PARAMS k;
        struct cudaKernelNodeParams q = {p->kernel.func,           p->kernel.gridDim,      p->kernel.blockDim,
                                         p->kernel.sharedMemBytes, p->kernel.kernelParams, p->kernel.extra};
        e = kernel_params(&q, &k);
        if (!e)
            __builtin_memcpy(&out->kernel, &k, sizeof k);
        return e;
    }
    case cudaGraphNodeTypeMemcpy:
        out->memcpy.copyCtx = context_current();
        return rt_box_convert(&p->memcpy.copyParams, &out->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        __builtin_memcpy(&out->memset, &p->memset, sizeof p->memset);
        out->memset.ctx = context_current();
        return cudaSuccess;
    case cudaGraphNodeTypeConditional:
        out->conditional.handle = p->conditional.handle;
        out->conditional.type = (CUgraphConditionalNodeType)p->conditional.type;
        out->conditional.size = p->conditional.size;
        out->conditional.ctx = context_current();
        return cudaSuccess;
    default: // one layout
        __builtin_memcpy(out->reserved1, p->reserved1, sizeof p->reserved1);
        return cudaSuccess;
    }
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                             const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                             struct cudaGraphNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t e = node_params(nodeParams, &p);
    if (!e)
        e = rt_result(drv.cuGraphAddNode((CUgraphNode *)pGraphNode, (CUgraph)graph, (const CUgraphNode *)pDependencies,
                                         (const CUgraphEdgeData *)dependencyData, numDependencies, &p));
    if (e)
        return e;
    if (nodeParams->type == cudaGraphNodeTypeMemAlloc)
        nodeParams->alloc.dptr = (void *)(uintptr_t)p.alloc.dptr;
    else if (nodeParams->type == cudaGraphNodeTypeGraph)
        nodeParams->graph.graph = (cudaGraph_t)p.graph.graph;
    else if (nodeParams->type == cudaGraphNodeTypeConditional)
        nodeParams->conditional.phGraph_out = (cudaGraph_t *)p.conditional.phGraph_out;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t e = node_params(nodeParams, &p);
    return e ? e : rt_result(drv.cuGraphNodeSetParams((CUgraphNode)node, &p));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t e = node_params(nodeParams, &p);
    return e ? e : rt_result(drv.cuGraphExecNodeSetParams((CUgraphExec)graphExec, (CUgraphNode)node, &p));
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
                                             unsigned int defaultLaunchValue, unsigned int flags)
{
    CUgraphConditionalHandle handle;
    if (!pHandle_out)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(
            drv.cuGraphConditionalHandleCreate(&handle, (CUgraph)graph, context_current(), defaultLaunchValue, flags));
    if (!e)
        *pHandle_out = handle;
    return e;
}
