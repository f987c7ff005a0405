// SPDX-License-Identifier: Apache-2.0
// The driver API as it was called before CUDA 13.
#include <cuda.h>

int main()
{
    CUcontext context;
    CUdevice device;
    CUdeviceptr p;
    CUgraph graph;
    CUgraphNode nodes[2], from[1], to[1];
    size_t edges = 1;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device) ||
        cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL))
        return 1;
    if (cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device) || cuMemPrefetchAsync(p, 4096, device, 0) ||
        cuMemPrefetchAsync(p, 4096, CU_DEVICE_CPU, 0) || cuCtxSynchronize() || cuMemFree(p))
        return 2;
    if (cuGraphCreate(&graph, 0) || cuGraphAddEmptyNode(&nodes[0], graph, 0, 0) ||
        cuGraphAddEmptyNode(&nodes[1], graph, 0, 0) || cuGraphAddDependencies(graph, &nodes[0], &nodes[1], 1) ||
        cuGraphGetEdges(graph, from, to, &edges) || edges != 1 || from[0] != nodes[0] || to[0] != nodes[1] ||
        cuGraphDestroy(graph))
        return 3;
    return cuCtxDestroy(context);
}
