// SPDX-License-Identifier: Apache-2.0
// Functions whose parameters CUDA has changed, in the forms of earlier versions: overloads in C++, beside today's; and one that knows
// which default stream the program was compiled for.
// Part of cuda.h, which includes it within its own surroundings.
#ifndef HEDDLE_INCLUDE_DRIVER_OLDER_H
#define HEDDLE_INCLUDE_DRIVER_OLDER_H

// cuGetProcAddress gives the functions of the default stream that the program was compiled for, where it is not told.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_API_VERSION_INTERNAL)
static inline CUresult cuGetProcAddress_v2_ptsz(const char *__symbol, void **__function, int __version,
                                                cuuint64_t __flags, CUdriverProcAddressQueryResult *__status)
{
    if (!(__flags & (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)))
        __flags |= CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    return cuGetProcAddress_v2(__symbol, __function, __version, __flags, __status);
}
#define cuGetProcAddress_v2 cuGetProcAddress_v2_ptsz
#endif

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
