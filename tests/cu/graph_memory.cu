// SPDX-License-Identifier: Apache-2.0
// What a launch of a graph allocated lives until it is freed: a free in a stream comes behind the work that still reads the memory,
// also when the graph is gone or its unused memory is trimmed meanwhile, and a pool that is destroyed goes with its last allocation.
#include "check.h"
#include <chrono>
#include <thread>

enum { N = 1 << 16 };

__global__ void fill(unsigned *p)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        p[i] = 7;
}
__global__ void sum(const unsigned *p, unsigned *out)
{
    unsigned s = 0;
    for (int i = 0; i < N; i++)
        s += p[i];
    *out = s;
}

static void slow(void *)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

struct made {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    unsigned *memory;
};

// A graph that allocates and fills, launched.
static made launched(cudaStream_t s)
{
    made m;
    cudaGraphNode_t a, k;
    OK(cudaGraphCreate(&m.graph, 0));
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = N * sizeof(unsigned);
    OK(cudaGraphAddMemAllocNode(&a, m.graph, nullptr, 0, &p));
    m.memory = (unsigned *)p.dptr;
    void *args[] = {&m.memory};
    cudaKernelNodeParams kp = {};
    kp.func = (void *)fill;
    kp.gridDim = kp.blockDim = dim3(1);
    kp.kernelParams = args;
    OK(cudaGraphAddKernelNode(&k, m.graph, &a, 1, &kp));
    OK(cudaGraphInstantiate(&m.exec, m.graph, 0));
    OK(cudaGraphLaunch(m.exec, s));
    return m;
}

static void destroy(const made &m)
{
    OK(cudaGraphExecDestroy(m.exec));
    OK(cudaGraphDestroy(m.graph));
}

static unsigned long long graph_memory(cudaGraphMemAttributeType what)
{
    unsigned long long n;
    OK(cudaDeviceGetGraphMemAttribute(0, what, &n));
    return n;
}

static void test_frees(cudaStream_t s, unsigned *out)
{
    for (int how = 0; how < 5; how++) {
        made m = launched(s);
        cudaGraph_t g = nullptr;
        cudaGraphExec_t x = nullptr;
        OK(cudaStreamSynchronize(s));
        OK(cudaLaunchHostFunc(s, slow, nullptr));
        *out = 0;
        if (how == 3 || how == 4) // its memory is still allocated
            destroy(m);
        sum<<<1, 1, 0, s>>>(m.memory, out);
        if (how == 0 || how == 2 || how == 3) {
            OK(cudaFreeAsync(m.memory, s));
            EXPECT(cudaFreeAsync(m.memory, s) == cudaErrorInvalidValue);
        } else if (how == 1) {
            cudaGraphNode_t f;
            OK(cudaGraphCreate(&g, 0));
            OK(cudaGraphAddMemFreeNode(&f, g, nullptr, 0, m.memory));
            OK(cudaGraphInstantiate(&x, g, 0));
            OK(cudaGraphLaunch(x, s));
        }
        if (how == 2)
            destroy(m);
        OK(cudaDeviceGraphMemTrim(0));
        if (how == 4)
            OK(cudaFree(m.memory)); // waits
        OK(cudaStreamSynchronize(s));
        EXPECT(*out == 7u * N);
        if (x) {
            OK(cudaGraphExecDestroy(x));
            OK(cudaGraphDestroy(g));
        }
        if (how < 2)
            destroy(m);
        EXPECT(!graph_memory(cudaGraphMemAttrUsedMemCurrent));
        EXPECT(!graph_memory(cudaGraphMemAttrReservedMemCurrent));
    }
}

static void test_pools(cudaStream_t s)
{
    cudaMemPool_t a, b;
    cudaMemPoolProps p = {};
    p.allocType = cudaMemAllocationTypePinned;
    p.location.type = cudaMemLocationTypeDevice;
    int *first, *second, *third;
    unsigned long long used, held;
    OK(cudaMemPoolCreate(&a, &p));
    OK(cudaMallocFromPoolAsync(&first, 4096, a, s));
    OK(cudaMallocFromPoolAsync(&second, 4096, a, s));
    OK(cudaMallocFromPoolAsync(&third, 4096, a, s));
    OK(cudaFreeAsync(third, s));
    OK(cudaMemPoolDestroy(a));
    OK(cudaMemPoolCreate(&b, &p));
    OK(cudaMemsetAsync(first, 1, 4096, s));
    OK(cudaFreeAsync(first, s));
    OK(cudaFree(second));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemPoolGetAttribute(b, cudaMemPoolAttrUsedMemCurrent, &used));
    OK(cudaMemPoolGetAttribute(b, cudaMemPoolAttrReservedMemCurrent, &held));
    EXPECT(used == 0 && held == 0);
    OK(cudaMemPoolDestroy(b));
}

int main()
{
    cudaStream_t s;
    unsigned *out;
    OK(cudaStreamCreate(&s));
    OK(cudaMallocManaged(&out, sizeof *out));
    test_frees(s, out);
    test_pools(s);

    made m = launched(s); // nobody frees it
    destroy(m);
    OK(cudaStreamSynchronize(s));
    EXPECT(graph_memory(cudaGraphMemAttrUsedMemCurrent) == N * sizeof(unsigned));
    OK(cudaFree(out));
    cudaMemPool_t pool;
    unsigned long long used;
    OK(cudaMallocAsync(&out, 1 << 20, s)); // nor this
    OK(cudaDeviceReset());
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    EXPECT(!graph_memory(cudaGraphMemAttrReservedMemCurrent));
    return DONE();
}
