// SPDX-License-Identifier: Apache-2.0
// __block_size__: kernels that name the size of their blocks and clusters; the launch says how many of them.
// nvcc: -arch=sm_90
#include "check.h"
#include <cooperative_groups.h>

__global__ void __block_size__((64, 2, 1)) blocks(int *out)
{
    atomicAdd(&out[0], 1);
    if (threadIdx.x == 63 && threadIdx.y == 1)
        out[1 + blockIdx.x] = blockDim.x * 10 + blockDim.y + gridDim.x * 1000;
}

__global__ void __block_size__((32, 1, 1), (2, 1, 1)) clusters(int *out)
{
    unsigned rank = cooperative_groups::this_cluster().block_rank(),
             all = cooperative_groups::this_cluster().num_blocks();
    if (threadIdx.x == 31)
        out[blockIdx.x] = (int)(gridDim.x * 100 + rank * 10 + all);
}

int main()
{
    int *p, host[8] = {0};
    OK(cudaMalloc(&p, sizeof host));
    OK(cudaMemset(p, 0, sizeof host));
    blocks<<<3>>>(p);
    LAUNCHED();
    OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 3 * 128);
    for (int i = 1; i < 4; i++)
        EXPECT(host[i] == 3642);
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    clusters<<<dim3(3, 1, 1), 1, 0, stream>>>(p);
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 6; i++)
        EXPECT(host[i] == 602 + i % 2 * 10);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaMemset(p, 0, sizeof host));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    blocks<<<2, 1, 0, stream>>>(p);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 2 * 128);
    EXPECT(host[1] == 2642);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
    return DONE();
}
