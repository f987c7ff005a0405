// The C++ forms of graph functions: symbols by name, objects with their destructor, and what earlier versions of CUDA called
// without the data of edges.
#ifndef HEDDLE_GRAPH_TEMPLATES_H
#define HEDDLE_GRAPH_TEMPLATES_H

template <class T>
static __inline__ __host__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                                      const cudaGraphNode_t *dependencies, size_t n,
                                                                      const T &symbol, const void *src, size_t count,
                                                                      size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, n, (const void *)&symbol, src, count, offset,
                                            kind);
}
template <class T>
static __inline__ __host__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                                        const cudaGraphNode_t *dependencies, size_t n,
                                                                        void *dst, const T &symbol, size_t count,
                                                                        size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, n, dst, (const void *)&symbol, count, offset,
                                              kind);
}
template <class T>
static __inline__ __host__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                                                            const void *src, size_t count,
                                                                            size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, src, count, offset, kind);
}
template <class T>
static __inline__ __host__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                                              const T &symbol, size_t count,
                                                                              size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void *)&symbol, count, offset, kind);
}
template <class T>
static __inline__ __host__ cudaError_t
cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const T &symbol, const void *src,
                                         size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, (const void *)&symbol, src, count, offset, kind);
}
template <class T>
static __inline__ __host__ cudaError_t
cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const T &symbol,
                                           size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, (const void *)&symbol, count, offset, kind);
}

#if __cplusplus >= 201103L
template <class T>
static __inline__ __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, T *wrapped, unsigned int count,
                                                            unsigned int flags)
{
    return ::cudaUserObjectCreate(
        object, (void *)wrapped, [](void *p) { delete (T *)p; }, count, flags);
}
#endif

// Without the data of edges.
static __inline__ __host__ cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                                const cudaGraphNode_t *to, size_t n)
{
    return ::cudaGraphAddDependencies(graph, from, to, 0, n);
}
static __inline__ __host__ cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                                   const cudaGraphNode_t *to, size_t n)
{
    return ::cudaGraphRemoveDependencies(graph, from, to, 0, n);
}
static __inline__ __host__ cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                                         size_t *n)
{
    return ::cudaGraphGetEdges(graph, from, to, 0, n);
}
static __inline__ __host__ cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                                    size_t *n)
{
    return ::cudaGraphNodeGetDependencies(node, nodes, 0, n);
}
static __inline__ __host__ cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                                      size_t *n)
{
    return ::cudaGraphNodeGetDependentNodes(node, nodes, 0, n);
}
static __inline__ __host__ cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                        const cudaGraphNode_t *dependencies, size_t n,
                                                        struct cudaGraphNodeParams *params)
{
    return ::cudaGraphAddNode(node, graph, dependencies, 0, n, params);
}
static __inline__ __host__ cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                                           cudaGraphNode_t *dependencies, size_t n,
                                                                           unsigned int flags)
{
    return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, 0, n, flags);
}
static __inline__ __host__ cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                                                   enum cudaStreamCaptureStatus *status,
                                                                   unsigned long long *id = 0, cudaGraph_t *graph = 0,
                                                                   const cudaGraphNode_t **dependencies = 0,
                                                                   size_t *n = 0)
{
    return ::cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, 0, n);
}
#endif
