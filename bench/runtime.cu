// SPDX-License-Identifier: Apache-2.0
// What the runtime itself costs: launches through a stream and through graphs, copies beside the C library's own. The least of
// many, each row in turn with what it is compared to.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

static double now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__global__ void empty() {}

template <class F> static double least(int rounds, F f)
{
    double best = 1e9;
    for (int r = 0; r < rounds; r++) {
        double t = f();
        best = t < best ? t : best;
    }
    return best;
}

// Seconds for each of n launches in a row; with `finish`, until all of them are over.
static double launches(cudaStream_t s, int n, bool finish)
{
    double t = now();
    for (int i = 0; i < n; i++)
        empty<<<1, 1, 0, s>>>();
    if (finish)
        cudaStreamSynchronize(s);
    t = (now() - t) / n;
    cudaStreamSynchronize(s);
    return t;
}

static double graph_node(cudaStream_t s, int n, bool chain)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node, before = nullptr;
    cudaKernelNodeParams p = {};
    p.func = reinterpret_cast<void *>(empty);
    p.gridDim = p.blockDim = dim3(1);
    cudaGraphCreate(&graph, 0);
    for (int i = 0; i < n; i++) {
        bool behind = chain && before;
        cudaGraphAddKernelNode(&node, graph, behind ? &before : nullptr, behind, &p);
        before = node;
    }
    cudaGraphInstantiate(&exec, graph, 0);
    double best = least(100, [&] {
        double t = now();
        cudaGraphLaunch(exec, s);
        cudaStreamSynchronize(s);
        return (now() - t) / n;
    });
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return best;
}

static void copies(cudaStream_t s, size_t n)
{
    enum { KINDS = 5 };
    char *host = static_cast<char *>(malloc(n)), *pinned, *a, *b;
    cudaMallocHost(&pinned, n);
    cudaMalloc(&a, n);
    cudaMalloc(&b, n);
    memset(host, 1, n);
    memset(pinned, 1, n);
    memset(a, 1, n);
    memset(b, 1, n);
    int times = n < 65536 ? 100 : 1, rounds = n < 1 << 20 ? 200 : n < 32 << 20 ? 40 : 8;
    double best[KINDS] = {1e9, 1e9, 1e9, 1e9, 1e9};
    auto take = [&](int kind, auto f) {
        double t = now();
        for (int i = 0; i < times; i++)
            f();
        if (n >= 65536)
            cudaStreamSynchronize(s); // smaller ones are over when the call returns
        t = (now() - t) / times;
        best[kind] = t < best[kind] ? t : best[kind];
    };
    for (int r = 0; r < rounds; r++) {
        take(0, [&] { memcpy(a, host, n); });
        take(1, [&] { cudaMemcpy(a, host, n, cudaMemcpyHostToDevice); });
        take(2, [&] { cudaMemcpyAsync(a, pinned, n, cudaMemcpyHostToDevice, s); });
        take(3, [&] { cudaMemcpyAsync(b, a, n, cudaMemcpyDeviceToDevice, s); });
        take(4, [&] { cudaMemsetAsync(a, 3, n, s); });
    }
    printf("%10zu", n);
    for (double t : best)
        printf(n < 65536 ? "%11.0f ns " : "%9.1f GB/s", n < 65536 ? t * 1e9 : n / t * 1e-9);
    printf("\n");
    free(host);
    cudaFreeHost(pinned);
    cudaFree(a);
    cudaFree(b);
}

int main()
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    launches(s, 10, true);
    printf("launch: %.0f ns on an idle stream, ", least(2000, [&] { return launches(s, 1, false); }) * 1e9);
    printf("%.0f ns each of 10, ", least(1000, [&] { return launches(s, 10, false); }) * 1e9);
    printf("%.0f ns each of 100\n", least(200, [&] { return launches(s, 100, false); }) * 1e9);
    printf("launch to finish: %.0f ns\n", least(2000, [&] { return launches(s, 1, true); }) * 1e9);
    printf("10000 launches to finish: %.0f ns each\n", least(30, [&] { return launches(s, 10000, true); }) * 1e9);
    printf("graph of 1000 kernels: %.0f ns each in a chain, %.0f ns side by side\n", graph_node(s, 1000, true) * 1e9,
           graph_node(s, 1000, false) * 1e9);
    printf("%10s%14s%14s%14s%14s%14s\n", "bytes", "memcpy", "from host", "from pinned", "in device", "memset");
    for (size_t n = 64; n <= 256 << 20; n *= 16)
        copies(s, n);
    return cudaDeviceSynchronize() != cudaSuccess;
}
