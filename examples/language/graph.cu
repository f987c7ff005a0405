// SPDX-License-Identifier: Apache-2.0
// Graphs: work that is recorded once and launched often. A fork over two streams is captured; then a graph is changed: the arguments of a kernel by
// its node, and a loop on the device by a conditional node that ends when a kernel says so.
// Options: -arch=sm_90
#include "../check.h"

constexpr int N = 4096;

__global__ void scale(float *x, float by)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}
__global__ void add(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
__global__ void halve(float *x, cudaGraphConditionalHandle again)
{
    x[0] *= 0.5f;
    cudaGraphSetConditional(again, x[0] > 1);
}

static bool forked(float *a, float *b, float *c)
{
    cudaStream_t s, side;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    size_t n = 0;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&side));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    scale<<<N / 256, 256, 0, s>>>(a, 2);
    scale<<<N / 256, 256, 0, side>>>(b, 3);
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(s, join, 0));
    add<<<N / 256, 256, 0, s>>>(a, b, c);
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphGetNodes(graph, nullptr, &n));
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    for (int i = 0; i < 5; i++)
        CHECK(cudaGraphLaunch(run, s));
    CHECK(cudaStreamSynchronize(s));
    bool right = n == 3 && c[N - 1] == 32 + 243; // 2^5 and 3^5
    printf("captured: %zu nodes, %s\n", n, right ? "right" : "WRONG");

    // The first node of the captured graph doubles a: from now on it leaves it as it is.
    cudaGraphNode_t nodes[3];
    cudaKernelNodeParams p;
    float by = 1;
    CHECK(cudaGraphGetNodes(graph, nodes, &n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cudaGraphKernelNodeGetParams(nodes[i], &p));
        if (p.func != (void *)scale || *(float **)p.kernelParams[0] != a)
            continue;
        void *arguments[] = {&a, &by};
        p.kernelParams = arguments;
        CHECK(cudaGraphExecKernelNodeSetParams(run, nodes[i], &p));
    }
    CHECK(cudaGraphLaunch(run, s));
    CHECK(cudaStreamSynchronize(s));
    bool changed = c[0] == 32 + 729;
    printf("changed: %s\n", changed ? "right" : "WRONG");
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    return right && changed;
}

static bool looped(float *x)
{
    cudaGraph_t graph, body;
    cudaGraphExec_t run;
    cudaGraphNode_t loop, node;
    cudaGraphConditionalHandle again;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = again;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    CHECK(cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &p));
    body = p.conditional.phGraph_out[0];
    void *arguments[] = {&x, &again};
    cudaKernelNodeParams k = {};
    k.func = (void *)halve;
    k.gridDim = k.blockDim = dim3(1);
    k.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, body, nullptr, 0, &k));
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    x[0] = 1000;
    CHECK(cudaGraphLaunch(run, 0));
    CHECK(cudaDeviceSynchronize());
    printf("looped until %.4f\n", x[0]);
    return x[0] == 1000.0f / 1024;
}

int main()
{
    float *a, *b, *c;
    CHECK(cudaMallocManaged(&a, N * sizeof *a));
    CHECK(cudaMallocManaged(&b, N * sizeof *b));
    CHECK(cudaMallocManaged(&c, N * sizeof *c));
    for (int i = 0; i < N; i++)
        a[i] = b[i] = 1;
    bool right = forked(a, b, c);
    return verdict(looped(c) && right);
}
