// SPDX-License-Identifier: Apache-2.0
// Graphs built node by node: kernels, copies, fills, host functions, child graphs, symbols; launched again, changed, updated.
#include "check.h"

__device__ int scale = 3;
__constant__ int shift[4];

__global__ void affine(int *p, int n, int add)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = p[i] * scale + add + shift[i & 3];
}

__global__ void sum(const int *p, int n, int *out)
{
    __shared__ int part[128];
    int s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += p[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int k = 64; k; k /= 2) {
        if (threadIdx.x < k)
            part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (!threadIdx.x)
        *out = part[0];
}

struct seen {
    int calls, last;
    const int *value;
};
static void look(void *data)
{
    seen *s = (seen *)data;
    s->calls++;
    s->last = *s->value;
}

enum { N = 1000 };

static int expected(int mul, int add, int first)
{
    int s = 0;
    for (int i = 0; i < N; i++)
        s += first * mul + add + (i & 3) * 10;
    return s;
}

int main()
{
    int *dev, *out, *host, three = 3;
    int shifts[4] = {0, 10, 20, 30};
    OK(cudaMalloc(&dev, N * sizeof(int)));
    OK(cudaMalloc(&out, sizeof(int)));
    OK(cudaMallocHost(&host, sizeof(int)));
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));

    cudaGraph_t graph;
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t fill, symbol, change, kernel, total, back, call, nodes[16];
    cudaMemsetParams m = {};
    m.dst = dev;
    m.elementSize = 4;
    m.value = 2;
    m.width = N;
    m.height = 1;
    OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m));
    OK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, nullptr, 0, shift, shifts, sizeof shifts, 0,
                                      cudaMemcpyHostToDevice));
    OK(cudaGraphAddMemcpyNodeToSymbol(&change, graph, nullptr, 0, scale, &three, sizeof three, 0,
                                      cudaMemcpyHostToDevice));
    int n = N, add = 7;
    void *args[] = {&dev, &n, &add};
    cudaKernelNodeParams k = {};
    k.func = (void *)affine;
    k.gridDim = dim3((N + 63) / 64);
    k.blockDim = dim3(64);
    k.kernelParams = args;
    cudaGraphNode_t before[] = {fill, symbol, change};
    OK(cudaGraphAddKernelNode(&kernel, graph, before, 3, &k));
    void *sum_args[] = {&dev, &n, &out};
    cudaKernelNodeParams s = {};
    s.func = (void *)sum;
    s.gridDim = dim3(1);
    s.blockDim = dim3(128);
    s.kernelParams = sum_args;
    OK(cudaGraphAddKernelNode(&total, graph, &kernel, 1, &s));
    OK(cudaGraphAddMemcpyNode1D(&back, graph, &total, 1, host, out, sizeof(int), cudaMemcpyDeviceToHost));
    seen watch = {0, 0, host};
    cudaHostNodeParams h = {look, &watch};
    OK(cudaGraphAddHostNode(&call, graph, &back, 1, &h));

    size_t count = 16;
    OK(cudaGraphGetNodes(graph, nodes, &count));
    EXPECT(count == 7);
    count = 16;
    OK(cudaGraphGetRootNodes(graph, nodes, &count));
    EXPECT(count == 3);
    OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    EXPECT(count == 6);
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(back, &type));
    EXPECT(type == cudaGraphNodeTypeMemcpy);
    cudaMemsetParams got = {};
    OK(cudaGraphMemsetNodeGetParams(fill, &got));
    EXPECT(got.dst == dev && got.value == 2 && got.width == N && got.elementSize == 4);
    cudaHostNodeParams function = {};
    OK(cudaGraphHostNodeGetParams(call, &function));
    EXPECT(function.fn == look && function.userData == &watch);

    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 1; i <= 10; i++) {
        OK(cudaGraphLaunch(exec, stream));
        OK(cudaStreamSynchronize(stream));
        EXPECT(*host == expected(3, 7, 2) && watch.calls == i && watch.last == *host);
        *host = 0;
    }

    // parameters of the executable graph
    add = 100;
    OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
    m.value = 5;
    OK(cudaGraphExecMemsetNodeSetParams(exec, fill, &m));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(*host == expected(3, 100, 5));

    // update by another graph of the same shape
    cudaGraph_t other;
    OK(cudaGraphClone(&other, graph));
    cudaGraphNode_t twin;
    OK(cudaGraphNodeFindInClone(&twin, kernel, other));
    add = -1;
    OK(cudaGraphKernelNodeSetParams(twin, &k));
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(exec, other, &info));
    EXPECT(info.result == cudaGraphExecUpdateSuccess);
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(*host == expected(3, -1, 2));
    cudaGraphNode_t extra;
    OK(cudaGraphAddEmptyNode(&extra, other, nullptr, 0));
    EXPECT(cudaGraphExecUpdate(exec, other, &info) == cudaErrorGraphExecUpdateFailure);
    EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();

    // disabled nodes do nothing
    OK(cudaGraphNodeSetEnabled(exec, kernel, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(*host == 2 * N);

    // the graph as a child, twice
    cudaGraph_t parent;
    OK(cudaGraphCreate(&parent, 0));
    cudaGraphNode_t first, second;
    OK(cudaGraphAddChildGraphNode(&first, parent, nullptr, 0, graph));
    OK(cudaGraphAddChildGraphNode(&second, parent, &first, 1, graph));
    cudaGraphExec_t both;
    OK(cudaGraphInstantiate(&both, parent, 0));
    int calls = watch.calls;
    OK(cudaGraphLaunch(both, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(watch.calls == calls + 2 && *host == expected(3, 7, 2));

    // launches of one executable graph in two streams follow each other
    cudaStream_t second_stream;
    OK(cudaStreamCreateWithFlags(&second_stream, cudaStreamNonBlocking));
    calls = watch.calls;
    for (int i = 0; i < 20; i++) {
        OK(cudaGraphLaunch(both, i & 1 ? stream : second_stream));
    }
    OK(cudaDeviceSynchronize());
    EXPECT(watch.calls == calls + 40 && *host == expected(3, 7, 2));

    OK(cudaGraphExecDestroy(both));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(parent));
    OK(cudaGraphDestroy(other));
    OK(cudaGraphDestroy(graph));
    return DONE();
}
