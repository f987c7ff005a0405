// SPDX-License-Identifier: Apache-2.0
// Functions whose parameters CUDA has changed, in the forms of earlier versions: overloads in C++, beside today's.
// Part of cuda.h, which includes it within its own surroundings.
#ifndef HEDDLE_INCLUDE_DRIVER_OLDER_H
#define HEDDLE_INCLUDE_DRIVER_OLDER_H

#if defined(__cplusplus) && !defined(__CUDA_API_VERSION_INTERNAL)
extern "C++" {
static inline CUresult cuCtxCreate(CUcontext *__context, unsigned int flags, CUdevice device)
{
    return cuCtxCreate_v2(__context, flags, device);
}

static inline CUmemLocation __heddle_driver_location(CUdevice device)
{
    CUmemLocation location;
    location.type = device < 0 ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device < 0 ? 0 : device;
    return location;
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t count, CUdevice device, CUstream stream)
{
    return cuMemPrefetchAsync(address, count, __heddle_driver_location(device), 0, stream);
}
static inline CUresult cuMemAdvise(CUdeviceptr address, size_t count, CUmem_advise __advice, CUdevice device)
{
    return cuMemAdvise(address, count, __advice, __heddle_driver_location(device));
}

// Without the data of edges.
static inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *__to,
                                              size_t __n)
{
    return cuGraphAddDependencies(graph, from, __to, 0, __n);
}
static inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *__to,
                                                 size_t __n)
{
    return cuGraphRemoveDependencies(graph, from, __to, 0, __n);
}
static inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *__to, size_t *__n)
{
    return cuGraphGetEdges(graph, from, __to, 0, __n);
}
static inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *__nodes, size_t *__n)
{
    return cuGraphNodeGetDependencies(node, __nodes, 0, __n);
}
static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *__nodes, size_t *__n)
{
    return cuGraphNodeGetDependentNodes(node, __nodes, 0, __n);
}
static inline CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *__dependencies, size_t __n,
                                      CUgraphNodeParams *params)
{
    return cuGraphAddNode(node, graph, __dependencies, 0, __n, params);
}
}
#endif
#endif
