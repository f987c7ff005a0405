// SPDX-License-Identifier: Apache-2.0
// Management of the L2 cache: how much is set aside, the windows of streams and launches, what is refused. Results never
// depend on it. The program of the programming guide is in example().
// widths: 8
#include "check.h"
#include <algorithm>

__global__ void scale(float *x, size_t n, float f)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] *= f;
}
__global__ void add(float *x, const float *y, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] += y[i];
}

static cudaDeviceProp prop;
static const cudaStreamAttrID which = cudaStreamAttributeAccessPolicyWindow;

static cudaStreamAttrValue window(void *p, size_t n, float ratio, cudaAccessProperty hit, cudaAccessProperty miss)
{
    cudaStreamAttrValue v; // guide: cudaStreamAttrValue
    memset(&v, 0, sizeof v);
    v.accessPolicyWindow.base_ptr = p; // guide: accessPolicyWindow.base_ptr | accessPolicyWindow.num_bytes
    v.accessPolicyWindow.num_bytes = n;
    v.accessPolicyWindow.hitRatio = ratio; // guide: accessPolicyWindow.hitRatio
    v.accessPolicyWindow.hitProp = hit;    // guide: accessPolicyWindow.hitProp | accessPolicyWindow.missProp
    v.accessPolicyWindow.missProp = miss;
    return v;
}

// guide: cudaStreamSetAttribute(cudaStreamAttributeAccessPolicyWindow) | cudaAccessPropertyStreaming
// guide: cudaAccessPropertyPersisting | cudaAccessPropertyNormal (reset) | num_bytes 0 disables the window
// guide: cudaCtxResetPersistingL2Cache | L2 persistence example (kernelA x10, B, C)
// guide: cudaLimitPersistingL2CacheSize set-aside (cudaDeviceSetLimit) | cudaDeviceGetLimit of the set-aside
// guide: cudaDeviceProp::l2CacheSize | cudaDeviceProp::persistingL2CacheMaxSize | cudaDeviceProp::accessPolicyMaxWindowSize
// guide: L2 set-aside off under MIG | MPS: CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT
// guide: hitRatio picks lines at random | untouched persisting lines return to normal by themselves
// guide: set-aside shared by concurrent kernels
static void example()
{
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    size_t size = std::min((size_t)(prop.l2CacheSize * 0.75), (size_t)prop.persistingL2CacheMaxSize), kept = 0;
    OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, size));
    OK(cudaDeviceGetLimit(&kept, cudaLimitPersistingL2CacheSize));
    EXPECT(kept >= size && kept <= (size_t)prop.persistingL2CacheMaxSize);

    const size_t n = 1 << 16;
    std::vector<float> one(n, 1.0f), half(n, 0.5f);
    Buffer<float> data1(one), data2(half);
    size_t bytes = std::min((size_t)prop.accessPolicyMaxWindowSize, n * sizeof(float));
    cudaStreamAttrValue v = window(data1.p, bytes, 0.6f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming);
    OK(cudaStreamSetAttribute(stream, which, &v));
    for (int i = 0; i < 10; i++)
        scale<<<16, 256, 0, stream>>>(data1.p, n, 2.0f);
    add<<<16, 256, 0, stream>>>(data1.p, data2.p, n);
    v.accessPolicyWindow.num_bytes = 0;
    OK(cudaStreamSetAttribute(stream, which, &v));
    OK(cudaCtxResetPersistingL2Cache());
    scale<<<16, 256, 0, stream>>>(data2.p, n, 4.0f);
    OK(cudaStreamSynchronize(stream));
    EXPECT(data1.get() == std::vector<float>(n, 1024.5f));
    EXPECT(data2.get() == std::vector<float>(n, 2.0f));
    OK(cudaStreamDestroy(stream));
}

static cudaError_t set(cudaStreamAttrValue v)
{
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    cudaError_t e = cudaStreamSetAttribute(s, which, &v);
    cudaStreamAttrValue w;
    memset(&w, 0x55, sizeof w);
    OK(cudaStreamGetAttribute(s, which, &w));
    cudaAccessPolicyWindow want = v.accessPolicyWindow, got = w.accessPolicyWindow;
    if (e)
        memset(&want, 0, sizeof want); // what was there before stays
    EXPECT(got.base_ptr == want.base_ptr && got.num_bytes == want.num_bytes && got.hitRatio == want.hitRatio &&
           got.hitProp == want.hitProp && got.missProp == want.missProp);
    cudaLaunchConfig_t c = {};
    c.gridDim = c.blockDim = 1;
    c.stream = s;
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeAccessPolicyWindow;
    a[0].val = v;
    c.attrs = a;
    c.numAttrs = 1;
    EXPECT(cudaLaunchKernelEx(&c, scale, (float *)nullptr, (size_t)0, 1.0f) == e);
    OK(cudaStreamDestroy(s));
    cudaGetLastError();
    return e;
}

static void windows()
{
    const cudaAccessProperty normal = cudaAccessPropertyNormal, streaming = cudaAccessPropertyStreaming,
                             persisting = cudaAccessPropertyPersisting;
    Buffer<char> d(1 << 20);
    size_t most = (size_t)prop.accessPolicyMaxWindowSize;
    EXPECT(set(window(d.p, 1 << 20, 1, persisting, normal)) == cudaSuccess);
    EXPECT(set(window(d.p, 1 << 19, 0.5f, streaming, normal)) == cudaSuccess);
    EXPECT(set(window(d.p, most, 0, normal, streaming)) == cudaSuccess);
    EXPECT(set(window(d.p, most + 1, 1, persisting, normal)) == cudaErrorInvalidValue);
    EXPECT(set(window(d.p, 0, 1, persisting, normal)) == cudaSuccess);
    EXPECT(set(window(nullptr, 0, 0, normal, normal)) == cudaSuccess);
    EXPECT(set(window(d.p, 100, 1.5f, persisting, streaming)) == cudaErrorInvalidValue);
    EXPECT(set(window(d.p, 100, -1, persisting, streaming)) == cudaErrorInvalidValue);
    EXPECT(set(window(d.p, 100, 1, persisting, persisting)) == cudaErrorInvalidValue);
    EXPECT(set(window(d.p, 0, 5, persisting, normal)) == cudaErrorInvalidValue);
}

static void attributes()
{
    cudaStream_t a, b;
    Buffer<char> d(1000);
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreateWithPriority(&b, cudaStreamDefault, -2));
    cudaStreamAttrValue v = window(d.p, 1000, 0.25f, cudaAccessPropertyPersisting, cudaAccessPropertyNormal), w;
    OK(cudaStreamSetAttribute(a, which, &v));
    v.syncPolicy = cudaSyncPolicySpin;
    OK(cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &v));
    OK(cudaStreamGetAttribute(b, cudaStreamAttributePriority, &w));
    EXPECT(w.priority == -2);
    OK(cudaStreamCopyAttributes(b, a));
    OK(cudaStreamGetAttribute(b, which, &w));
    EXPECT(w.accessPolicyWindow.base_ptr == d.p && w.accessPolicyWindow.num_bytes == 1000);
    OK(cudaStreamGetAttribute(b, cudaStreamAttributeSynchronizationPolicy, &w));
    EXPECT(w.syncPolicy == cudaSyncPolicySpin);
    for (int bad : {0, 9}) {
        v.syncPolicy = (cudaSynchronizationPolicy)bad;
        EXPECT(cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &v) == cudaErrorInvalidValue);
    }
    OK(cudaStreamGetAttribute(b, cudaStreamAttributePriority, &w));
    EXPECT(w.priority == 0);
    v.priority = -100;
    OK(cudaStreamSetAttribute(b, cudaStreamAttributePriority, &v));
    OK(cudaStreamGetAttribute(b, cudaStreamAttributePriority, &w));
    EXPECT(w.priority == -5);
    OK(cudaStreamGetAttribute(a, cudaLaunchAttributeMemSyncDomain, &w));
    EXPECT(w.memSyncDomain == cudaLaunchMemSyncDomainDefault);
    OK(cudaStreamGetAttribute(a, cudaLaunchAttributeMemSyncDomainMap, &w));
    EXPECT(w.memSyncDomainMap.default_ == 0 && w.memSyncDomainMap.remote == 1);
    v.memSyncDomain = (cudaLaunchMemSyncDomain)5;
    EXPECT(cudaStreamSetAttribute(a, cudaLaunchAttributeMemSyncDomain, &v) == cudaErrorInvalidValue);
    EXPECT(cudaStreamSetAttribute(a, cudaLaunchAttributeClusterDimension, &v) == cudaErrorInvalidValue);
    EXPECT(cudaStreamSetAttribute(a, (cudaStreamAttrID)55, &v) == cudaErrorInvalidValue);
    OK(cudaStreamGetAttribute(0, which, &w)); // the default stream has them too
    EXPECT(w.accessPolicyWindow.num_bytes == 0);
    cudaGetLastError();
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}

// guide: cudaGraphKernelNodeSetAttribute(cudaKernelNodeAttributeAccessPolicyWindow) | cudaKernelNodeAttrValue
static void graph_nodes()
{
    const size_t n = 4096;
    Buffer<float> x(std::vector<float>(n, 3.0f));
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    OK(cudaGraphCreate(&graph, 0));
    float *p = x.p, f = 2.0f;
    size_t count = n;
    void *args[] = {&p, &count, &f};
    cudaKernelNodeParams k = {};
    k.func = (void *)scale;
    k.gridDim = 4;
    k.blockDim = 128;
    k.kernelParams = args;
    OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
    cudaKernelNodeAttrValue v, w;
    memset(&v, 0, sizeof v);
    memset(&w, 0, sizeof w);
    v.accessPolicyWindow.base_ptr = p;
    v.accessPolicyWindow.num_bytes = n * sizeof(float);
    v.accessPolicyWindow.hitRatio = 0.6f;
    v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    v.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    OK(cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &v));
    OK(cudaGraphKernelNodeGetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &w));
    EXPECT(w.accessPolicyWindow.base_ptr == p && w.accessPolicyWindow.num_bytes == n * sizeof(float) &&
           w.accessPolicyWindow.hitRatio == 0.6f && w.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
    v.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
    EXPECT(cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &v) ==
           cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaStreamSynchronize(0));
    EXPECT(x.get() == std::vector<float>(n, 6.0f));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

static size_t limit_after(cudaLimit which, size_t value, cudaError_t want)
{
    size_t got = 0;
    EXPECT(cudaDeviceSetLimit(which, value) == want);
    cudaGetLastError();
    OK(cudaDeviceGetLimit(&got, which));
    return got;
}

__global__ void uses_both()
{
    void *p = malloc(16);
    if (!p)
        printf("no memory\n");
    free(p);
    if (threadIdx.x == 0)
        printf("limits\n");
}

static void limits()
{
    size_t most = (size_t)prop.persistingL2CacheMaxSize, value = 0;
    EXPECT(limit_after(cudaLimitPersistingL2CacheSize, most, cudaSuccess) == most);
    EXPECT(limit_after(cudaLimitPersistingL2CacheSize, most + 1, cudaErrorInvalidValue) == most);
    EXPECT(limit_after(cudaLimitPersistingL2CacheSize, 0, cudaSuccess) == 0);
    value = limit_after(cudaLimitPersistingL2CacheSize, 1, cudaSuccess); // in parts of the cache
    EXPECT(value > 1 && value < most && (size_t)prop.l2CacheSize / value == 16);
    EXPECT(limit_after(cudaLimitMaxL2FetchGranularity, 32, cudaSuccess) == 32);
    EXPECT(limit_after(cudaLimitMaxL2FetchGranularity, 129, cudaErrorInvalidValue) == 32);
    EXPECT(limit_after(cudaLimitStackSize, 5000, cudaSuccess) == 5008);
    EXPECT(limit_after(cudaLimitStackSize, (size_t)1 << 40, cudaErrorInvalidValue) == 5008);
    EXPECT(limit_after(cudaLimitStackSize, 1024, cudaSuccess) == 1024);
    EXPECT(limit_after(cudaLimitPrintfFifoSize, 1, cudaSuccess) == 512 << 10);
    EXPECT(limit_after(cudaLimitPrintfFifoSize, 4 << 20, cudaSuccess) == 4 << 20);
    EXPECT(limit_after(cudaLimitMallocHeapSize, 1, cudaSuccess) == 4 << 20);
    EXPECT(limit_after(cudaLimitMallocHeapSize, 5000000, cudaSuccess) == 5046272);
    EXPECT(limit_after(cudaLimitDevRuntimePendingLaunchCount, 0, cudaSuccess) == 32);
    EXPECT(limit_after(cudaLimitDevRuntimePendingLaunchCount, 4096, cudaSuccess) == 4096);
    EXPECT(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4) == cudaErrorUnsupportedLimit);
    EXPECT(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth) == cudaErrorUnsupportedLimit);
    EXPECT(cudaDeviceSetLimit((cudaLimit)-1, 4) == cudaErrorInvalidValue);
    cudaGetLastError();
    uses_both<<<1, 32>>>();
    LAUNCHED();
    // Too late once they are in use.
    EXPECT(limit_after(cudaLimitMallocHeapSize, 16 << 20, cudaErrorInvalidValue) == 5046272);
    EXPECT(limit_after(cudaLimitPrintfFifoSize, 8 << 20, cudaErrorInvalidValue) == 4 << 20);
}

int main()
{
    OK(cudaGetDeviceProperties(&prop, 0));
    EXPECT(prop.l2CacheSize > 0 && prop.persistingL2CacheMaxSize > 0 &&
           prop.persistingL2CacheMaxSize <= prop.l2CacheSize);
    EXPECT(prop.accessPolicyMaxWindowSize >= 1 << 20);
    example();
    windows();
    attributes();
    graph_nodes();
    limits();
    return DONE();
}
