// SPDX-License-Identifier: Apache-2.0
// Streams captured into graphs: order, forks and joins through events, memory allocated inside, and what is refused.
#include "check.h"
#include <thread>

__global__ void append(int *list, int *n, int v)
{
    list[atomicAdd(n, 1)] = v;
}
__global__ void store(int *p, int v)
{
    *p = v;
}
__global__ void add(int *out, const int *a, const int *b)
{
    *out = *a + *b;
}

static int host_calls;
static void called(void *)
{
    host_calls++;
}

static cudaStreamCaptureStatus status(cudaStream_t s)
{
    cudaStreamCaptureStatus c;
    OK(cudaStreamIsCapturing(s, &c));
    return c;
}

static size_t node_count(cudaGraph_t g)
{
    size_t n = 0;
    OK(cudaGraphGetNodes(g, nullptr, &n));
    return n;
}

int main()
{
    int *dev, *list, *n, *host;
    OK(cudaMalloc(&dev, 1024));
    OK(cudaMalloc(&list, 1024));
    OK(cudaMalloc(&n, sizeof(int)));
    OK(cudaMallocHost(&host, 1024));
    cudaStream_t s, t;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    cudaEvent_t fork, join;
    OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    // order in one stream; nothing runs while it is captured
    OK(cudaMemset(n, 0, sizeof(int)));
    EXPECT(status(s) == cudaStreamCaptureStatusNone);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    EXPECT(status(s) == cudaStreamCaptureStatusActive);
    OK(cudaMemsetAsync(n, 0, sizeof(int), s));
    for (int i = 0; i < 20; i++)
        append<<<1, 1, 0, s>>>(list, n, i);
    OK(cudaMemcpyAsync(host, list, 20 * sizeof(int), cudaMemcpyDeviceToHost, s));
    OK(cudaLaunchHostFunc(s, called, nullptr));
    OK(cudaStreamEndCapture(s, &graph));
    EXPECT(status(s) == cudaStreamCaptureStatusNone && node_count(graph) == 23 && host_calls == 0);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int r = 1; r <= 5; r++) {
        memset(host, 0xff, 1024);
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        bool right = true;
        for (int i = 0; i < 20; i++)
            right &= host[i] == i;
        EXPECT(right && host_calls == r);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    // a fork and a join
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, s>>>(dev, 1);
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    EXPECT(status(t) == cudaStreamCaptureStatusActive);
    store<<<1, 1, 0, t>>>(dev + 1, 20);
    store<<<1, 1, 0, s>>>(dev, 300);
    OK(cudaEventRecord(join, t));
    OK(cudaStreamWaitEvent(s, join, 0));
    add<<<1, 1, 0, s>>>(dev + 2, dev, dev + 1);
    cudaStreamCaptureStatus now;
    unsigned long long id;
    cudaGraph_t inside;
    const cudaGraphNode_t *deps;
    size_t ndeps;
    OK(cudaStreamGetCaptureInfo(s, &now, &id, &inside, &deps, nullptr, &ndeps));
    EXPECT(now == cudaStreamCaptureStatusActive && ndeps == 1 && node_count(inside) == 4);
    OK(cudaStreamEndCapture(s, &graph));
    EXPECT(graph == inside && status(t) == cudaStreamCaptureStatusNone);
    size_t edges = 0;
    OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    EXPECT(edges == 4);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, t));
    OK(cudaStreamSynchronize(t));
    OK(cudaMemcpy(host, dev + 2, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 320);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    // nodes added by hand among captured ones
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    add<<<1, 1, 0, s>>>(dev + 2, dev + 1, dev + 1);
    OK(cudaStreamGetCaptureInfo(s, &now, &id, &inside, &deps, nullptr, &ndeps));
    cudaGraphNode_t empty;
    OK(cudaGraphAddEmptyNode(&empty, inside, deps, ndeps));
    OK(cudaStreamUpdateCaptureDependencies(s, &empty, nullptr, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, s>>>(dev + 3, dev + 2, dev + 2);
    OK(cudaStreamEndCapture(s, &graph));
    EXPECT(node_count(graph) == 3);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaMemcpyAsync(host, dev + 3, sizeof(int), cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(host[0] == 80);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    EXPECT(cudaGraphLaunch(exec, s) == cudaErrorStreamCaptureUnsupported);
    EXPECT(cudaStreamEndCapture(s, &inside) == cudaErrorStreamCaptureInvalidated);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    // memory in stream order
    int *inner_memory;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync((void **)&inner_memory, 4096, s));
    store<<<1, 1, 0, s>>>(inner_memory + 5, 55);
    OK(cudaMemcpyAsync(host, inner_memory + 5, sizeof(int), cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(inner_memory, s));
    OK(cudaStreamEndCapture(s, &graph));
    EXPECT(node_count(graph) == 4);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int r = 0; r < 3; r++) {
        host[0] = 0;
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        EXPECT(host[0] == 55);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    // an existing graph is continued
    OK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams m = {};
    m.dst = dev;
    m.elementSize = 1;
    m.value = 1;
    m.width = 4;
    m.height = 1;
    cudaGraphNode_t fill;
    OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m));
    OK(cudaStreamBeginCaptureToGraph(s, graph, &fill, nullptr, 1, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s>>>(dev + 1, dev, dev);
    OK(cudaStreamEndCapture(s, &inside));
    EXPECT(inside == graph && node_count(graph) == 2);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(host, dev + 1, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 0x02020202);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    // what ends a capture in an error
    graph = nullptr;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    EXPECT(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported);
    EXPECT(status(s) == cudaStreamCaptureStatusInvalidated);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated && !graph);

    OK(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
    void *p;
    EXPECT(cudaMalloc(&p, 16) == cudaErrorStreamCaptureUnsupported);
    EXPECT(cudaStreamEndCapture(t, &graph) == cudaErrorStreamCaptureInvalidated);
    OK(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed));
    OK(cudaMalloc(&p, 16));
    OK(cudaStreamEndCapture(t, &graph));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    EXPECT(mode == cudaStreamCaptureModeGlobal);
    OK(cudaFree(p));
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    OK(cudaStreamEndCapture(t, &graph));
    OK(cudaGraphDestroy(graph));

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    store<<<1, 1, 0, t>>>(dev, 1);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureUnjoined);
    EXPECT(status(s) == cudaStreamCaptureStatusNone && status(t) == cudaStreamCaptureStatusNone);

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    cudaError_t ended = cudaSuccess;
    std::thread([&] { ended = cudaStreamEndCapture(s, &graph); }).join();
    EXPECT(ended == cudaErrorStreamCaptureWrongThread && status(s) == cudaStreamCaptureStatusNone);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorIllegalState);

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    OK(cudaEventRecord(fork, s));
    EXPECT(cudaEventQuery(fork) == cudaErrorCapturedEvent);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    EXPECT(cudaEventQuery(fork) == cudaErrorInvalidValue);

    OK(cudaEventRecord(fork, t));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    EXPECT(cudaStreamWaitEvent(s, fork, 0) == cudaErrorStreamCaptureIsolation);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    OK(cudaStreamBeginCapture(t, cudaStreamCaptureModeThreadLocal));
    EXPECT(cudaStreamBeginCapture(t, cudaStreamCaptureModeThreadLocal) == cudaErrorIllegalState);
    OK(cudaEventRecord(fork, s));
    EXPECT(cudaStreamWaitEvent(t, fork, 0) == cudaErrorStreamCaptureMerge);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    EXPECT(cudaStreamEndCapture(t, &graph) == cudaErrorStreamCaptureInvalidated);

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    store<<<1, 1>>>(dev, 1); // the legacy stream would wait for s
    EXPECT(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    std::thread([&] {
        store<<<1, 1, 0, s>>>(dev, 1);
        ended = cudaStreamEndCapture(s, &graph);
    }).join();
    EXPECT(ended == cudaSuccess && node_count(graph) == 1);
    OK(cudaGraphDestroy(graph));
    EXPECT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
    OK(cudaDeviceSynchronize());
    // A capture whose graph nobody wants.
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(dev, 0, 4, s));
    OK(cudaStreamEndCapture(s, nullptr));
    cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(s, &status));
    EXPECT(status == cudaStreamCaptureStatusNone);
    return DONE();
}
