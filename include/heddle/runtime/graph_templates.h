// SPDX-License-Identifier: Apache-2.0
// The C++ forms of graph functions: symbols by name, objects with their destructor, and what earlier versions of CUDA called
// without the data of edges.
#ifndef HEDDLE_GRAPH_TEMPLATES_H
#define HEDDLE_GRAPH_TEMPLATES_H

template <class __T>
static __inline__ __host__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                                      const cudaGraphNode_t *__dependencies, size_t __n,
                                                                      const __T &__symbol, const void *src,
                                                                      size_t count, size_t offset,
                                                                      enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, __dependencies, __n, (const void *)&__symbol, src, count,
                                            offset, kind);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                                        const cudaGraphNode_t *__dependencies,
                                                                        size_t __n, void *dst, const __T &__symbol,
                                                                        size_t count, size_t offset,
                                                                        enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, __dependencies, __n, dst, (const void *)&__symbol, count,
                                              offset, kind);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const __T &__symbol,
                                                                            const void *src, size_t count,
                                                                            size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&__symbol, src, count, offset, kind);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                                              const __T &__symbol, size_t count,
                                                                              size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void *)&__symbol, count, offset, kind);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t __exec,
                                                                                cudaGraphNode_t node,
                                                                                const __T &__symbol, const void *src,
                                                                                size_t count, size_t offset,
                                                                                enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(__exec, node, (const void *)&__symbol, src, count, offset, kind);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t __exec,
                                                                                  cudaGraphNode_t node, void *dst,
                                                                                  const __T &__symbol, size_t count,
                                                                                  size_t offset,
                                                                                  enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(__exec, node, dst, (const void *)&__symbol, count, offset,
                                                        kind);
}

#if __cplusplus >= 201103L
template <class __T>
static __inline__ __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, __T *__wrapped,
                                                            unsigned int count, unsigned int flags)
{
    return ::cudaUserObjectCreate(object, (void *)__wrapped, [](void *__p) { delete (__T *)__p; }, count, flags);
}
#endif

// Without the data of edges.
static __inline__ __host__ cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                                const cudaGraphNode_t *__to, size_t __n)
{
    return ::cudaGraphAddDependencies(graph, from, __to, 0, __n);
}
static __inline__ __host__ cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                                   const cudaGraphNode_t *__to, size_t __n)
{
    return ::cudaGraphRemoveDependencies(graph, from, __to, 0, __n);
}
static __inline__ __host__ cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                                         cudaGraphNode_t *__to, size_t *__n)
{
    return ::cudaGraphGetEdges(graph, from, __to, 0, __n);
}
static __inline__ __host__ cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *__nodes,
                                                                    size_t *__n)
{
    return ::cudaGraphNodeGetDependencies(node, __nodes, 0, __n);
}
static __inline__ __host__ cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *__nodes,
                                                                      size_t *__n)
{
    return ::cudaGraphNodeGetDependentNodes(node, __nodes, 0, __n);
}
static __inline__ __host__ cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                        const cudaGraphNode_t *__dependencies, size_t __n,
                                                        struct cudaGraphNodeParams *params)
{
    return ::cudaGraphAddNode(node, graph, __dependencies, 0, __n, params);
}
static __inline__ __host__ cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                                           cudaGraphNode_t *__dependencies, size_t __n,
                                                                           unsigned int flags)
{
    return ::cudaStreamUpdateCaptureDependencies(stream, __dependencies, 0, __n, flags);
}
static __inline__ __host__ cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                                                   enum cudaStreamCaptureStatus *status,
                                                                   unsigned long long *id = 0, cudaGraph_t *graph = 0,
                                                                   const cudaGraphNode_t **__dependencies = 0,
                                                                   size_t *__n = 0)
{
    return ::cudaStreamGetCaptureInfo(stream, status, id, graph, __dependencies, 0, __n);
}
#endif
