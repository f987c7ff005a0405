// SPDX-License-Identifier: Apache-2.0
// A client of CUPTI: activity records, callbacks and correlation of work whose amount is known. It passes with NVIDIA's library on a GPU too, but
// for what is marked.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti.h>
#include <map>
#include <mutex>
#include <nvtx3/nvToolsExt.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

static int failed;
#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #x);                                                             \
            failed++;                                                                                                  \
        }                                                                                                              \
    } while (0)
#define OK(x) CHECK((x) == CUPTI_SUCCESS)
#define RT(x) CHECK((x) == cudaSuccess)

__global__ void scale(float *x, int n, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= a;
}

// ---- records
static std::mutex lock;
static std::vector<std::vector<uint64_t>> records; // each one's bytes, aligned
static size_t buffers;

static void requested(uint8_t **buffer, size_t *size, size_t *most)
{
    *size = 16384; // small, so that several are needed
    *buffer = (uint8_t *)aligned_alloc(8, *size);
    *most = 0;
}

static size_t size_of(CUpti_ActivityKind kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_DEVICE:
        return sizeof(CUpti_ActivityDevice5);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return sizeof(CUpti_ActivityMemory4);
    case CUPTI_ACTIVITY_KIND_MARKER:
        return sizeof(CUpti_ActivityMarker2);
    default:
        return 64;
    }
}

static void completed(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
    std::lock_guard<std::mutex> hold(lock);
    CUpti_Activity *r = NULL;
    CUptiResult e;
    buffers++;
    while ((e = cuptiActivityGetNextRecord(buffer, valid, &r)) == CUPTI_SUCCESS) {
        size_t n = size_of(r->kind), left = valid - (size_t)((uint8_t *)r - buffer);
        std::vector<uint64_t> copy((n + 7) / 8 + 8);
        memcpy(copy.data(), r, n < left ? n : left);
        records.push_back(copy);
    }
    CHECK(e == CUPTI_ERROR_MAX_LIMIT_REACHED);
    free(buffer);
}

template <typename T> static std::vector<T> all(CUpti_ActivityKind kind)
{
    std::lock_guard<std::mutex> hold(lock);
    std::vector<T> out;
    for (const auto &r : records)
        if (((const CUpti_Activity *)r.data())->kind == kind)
            out.push_back(*(const T *)r.data());
    return out;
}

// ---- callbacks
struct seen {
    std::map<std::string, int> entered, left;
    std::set<uint32_t> correlations;
    int streams, waits, wrong, launches;
} seen;

static void called(void *data, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *what)
{
    struct seen *s = (struct seen *)data;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
        s->streams += id == CUPTI_CBID_RESOURCE_STREAM_CREATED;
        return;
    }
    if (domain == CUPTI_CB_DOMAIN_SYNCHRONIZE) {
        s->waits += id == CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED;
        return;
    }
    if (domain != CUPTI_CB_DOMAIN_RUNTIME_API)
        return;
    const CUpti_CallbackData *c = (const CUpti_CallbackData *)what;
    s->correlations.insert(c->correlationId);
    if (c->callbackSite == CUPTI_API_ENTER) {
        s->entered[c->functionName]++;
        *c->correlationData = 1000 + c->correlationId;
    } else {
        s->left[c->functionName]++;
        s->wrong += *c->correlationData != 1000 + c->correlationId;
        s->wrong += *(const cudaError_t *)c->functionReturnValue != cudaSuccess;
    }
    if (id == CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020)
        s->wrong += ((const cudaMalloc_v3020_params *)c->functionParams)->size != 4096;
    if (id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 && c->callbackSite == CUPTI_API_ENTER) {
        const cudaLaunchKernel_v7000_params *p = (const cudaLaunchKernel_v7000_params *)c->functionParams;
        s->launches++;
        s->wrong +=
            !c->symbolName || !strstr(c->symbolName, "scale") || p->blockDim.x != 128 || p->func != (void *)scale;
    }
}

enum { N = 1024, LAUNCHES = 100, REPLAYS = 3 };

static void work(cudaStream_t stream)
{
    float *d, h[N] = {0};
    RT(cudaMalloc(&d, 4096));
    RT(cudaMemset(d, 0, 4096));
    RT(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    for (int i = 0; i < LAUNCHES; i++)
        scale<<<N / 128, 128, 0, stream>>>(d, N, 1.5f);
    RT(cudaStreamSynchronize(stream));
    RT(cudaMemcpy(h, d, 2048, cudaMemcpyDeviceToHost));
    RT(cudaFree(d));
}

static void graphs(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *d;
    RT(cudaMalloc(&d, 4096));
    RT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    scale<<<1, 32, 0, stream>>>(d, 32, 2.0f);
    scale<<<1, 64, 0, stream>>>(d, 64, 2.0f);
    RT(cudaStreamEndCapture(stream, &graph));
    RT(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < REPLAYS; i++)
        RT(cudaGraphLaunch(exec, stream));
    RT(cudaStreamSynchronize(stream));
    uint32_t id = 0;
    OK(cuptiGetGraphId(graph, &id));
    OK(cuptiActivityFlushAll(1));
    auto kernels = all<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    std::set<uint32_t> launches;
    std::set<uint64_t> nodes;
    int n = 0;
    for (const auto &k : kernels)
        if (k.graphNodeId) {
            n++;
            launches.insert(k.correlationId);
            nodes.insert(k.graphNodeId);
            CHECK(k.graphId == id);
        }
    CHECK(n == 2 * REPLAYS && launches.size() == REPLAYS && nodes.size() == 2);
    RT(cudaGraphExecDestroy(exec));
    RT(cudaGraphDestroy(graph));
    RT(cudaFree(d));
}

static void activity(cudaStream_t stream)
{
    const CUpti_ActivityKind kinds[] = {
        CUPTI_ACTIVITY_KIND_MEMCPY,   CUPTI_ACTIVITY_KIND_MEMSET,          CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        CUPTI_ACTIVITY_KIND_RUNTIME,  CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
        CUPTI_ACTIVITY_KIND_MEMORY2,  CUPTI_ACTIVITY_KIND_DEVICE,          CUPTI_ACTIVITY_KIND_MARKER,
        CUPTI_ACTIVITY_KIND_OVERHEAD,
    };
    uint64_t before, after, popped = 0;
    OK(cuptiActivityRegisterCallbacks(requested, completed));
    for (CUpti_ActivityKind k : kinds)
        OK(cuptiActivityEnable(k));
    CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL) == CUPTI_ERROR_NOT_COMPATIBLE);
    OK(cuptiGetTimestamp(&before));
    OK(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 77));
    nvtxRangePushA("all of it");
    work(stream);
    nvtxRangePop();
    OK(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &popped));
    CHECK(popped == 77);
    CHECK(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &popped) ==
          CUPTI_ERROR_QUEUE_EMPTY);
    OK(cuptiActivityFlushAll(0));
    OK(cuptiGetTimestamp(&after));

    auto kernels = all<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    auto calls = all<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    auto copies = all<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    auto fills = all<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
    auto outside = all<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    auto memory = all<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
    auto devices = all<CUpti_ActivityDevice5>(CUPTI_ACTIVITY_KIND_DEVICE);
    auto waits = all<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    uint32_t id = 0, context_id = 0;
    CUcontext context;
    cuCtxGetCurrent(&context);
    OK(cuptiGetStreamId(NULL, (CUstream)stream, &id));
    OK(cuptiGetContextId(context, &context_id));
    std::map<uint32_t, uint32_t> by_correlation;
    for (const auto &c : calls) {
        by_correlation[c.correlationId] = c.cbid;
        CHECK(before <= c.start && c.start <= c.end && c.end <= after && !c.returnValue);
    }
    CHECK(by_correlation.size() == calls.size());
    CHECK(kernels.size() == LAUNCHES);
    uint64_t last = 0;
    for (const auto &k : kernels) {
        CHECK(by_correlation[k.correlationId] == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
        CHECK(strstr(k.name, "scale") && k.gridX == N / 128 && k.gridY == 1 && k.blockX == 128 && k.streamId == id);
        CHECK(k.contextId == context_id && k.deviceId == 0 && !k.graphNodeId);
        CHECK(before <= k.queued && k.queued <= k.end && k.start <= k.end && k.end <= after && k.start >= last);
        last = k.end; // one stream
    }
    CHECK(copies.size() == 2 && fills.size() == 1 && buffers > 1);
    if (copies.size() == 2 && fills.size() == 1) {
        CHECK(copies[0].copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD && copies[0].bytes == 4096);
        CHECK(copies[1].copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH && copies[1].bytes == 2048);
        CHECK(copies[0].srcKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE);
        CHECK(by_correlation[copies[1].correlationId] == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020);
        CHECK(fills[0].bytes == 4096 &&
              by_correlation[fills[0].correlationId] == CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020);
    }
    CHECK(outside.size() == calls.size());
    for (const auto &o : outside)
        CHECK(o.externalId == 77 && by_correlation.count(o.correlationId));
    CHECK(memory.size() == 2 && memory[0].bytes == 4096 && memory[0].address == memory[1].address);
    CHECK(devices.size() == 1 && devices[0].numThreadsPerWarp == 32 && devices[0].globalMemorySize > 0);
    bool waited = false;
    for (const auto &w : waits)
        waited |= w.type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE && w.streamId == id;
    CHECK(waited);
    auto markers = all<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
    CHECK(markers.size() == 2 && markers[0].id == markers[1].id && !strcmp(markers[0].name, "all of it"));
    records.clear();
    graphs(stream);
    for (CUpti_ActivityKind k : kinds)
        OK(cuptiActivityDisable(k));
    OK(cuptiActivityFlushAll(1));
    records.clear();
    work(stream);
    OK(cuptiActivityFlushAll(1));
    CHECK(records.empty());
    size_t dropped = 1;
    OK(cuptiActivityGetNumDroppedRecords(NULL, 0, &dropped));
    CHECK(dropped == 0);
}

static void callbacks(cudaStream_t stream)
{
    CUpti_SubscriberHandle handle, second;
    const char *name;
    uint32_t on = 0;
    OK(cuptiSubscribe(&handle, called, &seen));
    CHECK(cuptiSubscribe(&second, called, &seen) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    OK(cuptiEnableDomain(1, handle, CUPTI_CB_DOMAIN_RUNTIME_API));
    OK(cuptiEnableDomain(1, handle, CUPTI_CB_DOMAIN_RESOURCE));
    OK(cuptiEnableDomain(1, handle, CUPTI_CB_DOMAIN_SYNCHRONIZE));
    OK(cuptiEnableCallback(0, handle, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020));
    OK(cuptiGetCallbackState(&on, handle, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020));
    CHECK(on == 1);
    cudaStream_t other;
    RT(cudaStreamCreate(&other));
    work(stream);
    OK(cuptiUnsubscribe(handle));
    int before = seen.launches;
    work(stream);
    CHECK(seen.launches == before && before == LAUNCHES);
    CHECK(seen.entered == seen.left && seen.wrong == 0 && seen.streams == 1 && seen.waits == 1);
    CHECK(seen.entered["cudaMalloc"] == 1 && seen.entered["cudaMemcpy"] == 2 && !seen.entered.count("cudaMemset"));
    OK(cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020, &name));
    CHECK(!strcmp(name, "cudaMalloc_v3020"));
    OK(cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, &name));
    CHECK(!strcmp(name, "cuMemAlloc_v2"));
    RT(cudaStreamDestroy(other));
}

// Several threads launch while records are on: none is lost, none comes twice.
static void threads()
{
    enum { THREADS = 4, EACH = 500 };
    float *d;
    std::vector<std::thread> team;
    RT(cudaMalloc(&d, 4096));
    records.clear();
    OK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    for (int t = 0; t < THREADS; t++)
        team.emplace_back([d] {
            cudaStream_t s;
            RT(cudaStreamCreate(&s));
            for (int i = 0; i < EACH; i++)
                scale<<<1, 32, 0, s>>>(d, 1, 1.0f);
            RT(cudaStreamSynchronize(s));
        });
    for (auto &t : team)
        t.join();
    OK(cuptiActivityFlushAll(1));
    std::set<uint32_t> correlations;
    auto kernels = all<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    for (const auto &k : kernels)
        correlations.insert(k.correlationId);
    CHECK(kernels.size() == THREADS * EACH && correlations.size() == THREADS * EACH);
    OK(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    RT(cudaFree(d));
}

static void errors()
{
    const char *text;
    uint32_t version = 0;
    uint8_t one[8] = {0};
    size_t size = 1;
    CUpti_Activity *r = NULL;
    CHECK(cuptiActivityEnable((CUpti_ActivityKind)9999) == CUPTI_ERROR_INVALID_KIND);
    CHECK(cuptiActivityRegisterCallbacks(NULL, completed) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cuptiActivityGetNextRecord(NULL, 0, &r) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cuptiActivityGetNextRecord(one, 0, &r) == CUPTI_ERROR_MAX_LIMIT_REACHED);
    CHECK(cuptiSubscribe(NULL, called, NULL) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cuptiUnsubscribe((CUpti_SubscriberHandle)one) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, 0, &text) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cuptiActivityGetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, &size, one) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    CHECK(cuptiGetContextId(NULL, &version) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(cuptiGetTimestamp(NULL) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cuptiGetLastError() == CUPTI_ERROR_INVALID_PARAMETER);
    OK(cuptiGetResultString(CUPTI_ERROR_INVALID_KIND, &text));
    CHECK(!strcmp(text, "CUPTI_ERROR_INVALID_KIND"));
    OK(cuptiGetVersion(&version));
    CHECK(version == CUPTI_API_VERSION);
}

int main(int argc, char **argv)
{
    cudaStream_t stream;
    if (argc > 1)
        setenv("NVTX_INJECTION64_PATH", argv[1], 1);
    RT(cudaStreamCreate(&stream));
    errors();
    activity(stream);
    callbacks(stream);
    threads();
    OK(cuptiFinalize());
    printf("%d failed\n", failed);
    return failed != 0;
}
