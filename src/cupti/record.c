// SPDX-License-Identifier: Apache-2.0
// Activity records, made of the timeline's events.
#include "cupti/inner.h"
#include "base/map.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 1024, STACK = 64 };

// ---- names that stay, however long the module of a kernel does
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map names;

const char *record_name(const char *text)
{
    static _Thread_local const char *last, *last_kept; // a kernel that is launched again and again
    if (!text || (text == last && last_kept && !strcmp(text, last_kept)))
        return text ? last_kept : NULL;
    pthread_mutex_lock(&lock);
    char *kept = map_get_str(&names, text);
    if (!kept && (kept = strdup(text)))
        map_put_str(&names, kept, kept);
    pthread_mutex_unlock(&lock);
    last = text;
    last_kept = kept;
    return kept ? kept : "";
}

// ---- calls of the interfaces, by number: all, or those that a tool names
static atomic_bool calls[2][CALLS];

bool record_call_on(bool runtime, uint32_t number)
{
    return number < CALLS && atomic_load_explicit(&calls[runtime][number], memory_order_relaxed);
}

void record_call_set(bool runtime, uint32_t number, bool on)
{
    if (number < CALLS)
        atomic_store(&calls[runtime][number], on);
}

void record_calls_all(bool runtime, bool on)
{
    for (unsigned i = 0; i < CALLS; i++)
        atomic_store(&calls[runtime][i], on);
}

bool record_calls_any(bool runtime)
{
    for (unsigned i = 0; i < CALLS; i++)
        if (record_call_on(runtime, i))
            return true;
    return false;
}

// ---- numbers that the tool has for what a thread is doing
static _Thread_local struct {
    uint64_t ids[STACK];
    unsigned n;
} external[CUPTI_EXTERNAL_CORRELATION_KIND_SIZE];

static bool is_external(CUpti_ExternalCorrelationKind kind)
{
    return kind > CUPTI_EXTERNAL_CORRELATION_KIND_INVALID && kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE;
}

CUptiResult record_external_push(CUpti_ExternalCorrelationKind kind, uint64_t id)
{
    if (!is_external(kind))
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (external[kind].n == STACK)
        return CUPTI_ERROR_OUT_OF_MEMORY;
    external[kind].ids[external[kind].n++] = id;
    return CUPTI_SUCCESS;
}

CUptiResult record_external_pop(CUpti_ExternalCorrelationKind kind, uint64_t *id)
{
    if (!is_external(kind))
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (!external[kind].n)
        return CUPTI_ERROR_QUEUE_EMPTY;
    external[kind].n--;
    if (id)
        *id = external[kind].ids[external[kind].n];
    return CUPTI_SUCCESS;
}

static void external_put(uint32_t correlation)
{
    for (int kind = CUPTI_EXTERNAL_CORRELATION_KIND_INVALID + 1; kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE; kind++)
        if (external[kind].n) {
            CUpti_ActivityExternalCorrelation r = {.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                                   .externalKind = (CUpti_ExternalCorrelationKind)kind,
                                                   .externalId = external[kind].ids[external[kind].n - 1],
                                                   .correlationId = correlation};
            buffer_put(&r, sizeof r);
        }
}

// ---- records
static void put_call(const struct timeline_event *e)
{
    bool runtime = e->kind == TIMELINE_RUNTIME_CALL;
    CUpti_ActivityAPI r = {.kind = runtime ? CUPTI_ACTIVITY_KIND_RUNTIME : CUPTI_ACTIVITY_KIND_DRIVER,
                           .cbid = e->call.number,
                           .start = source_time(e->start),
                           .end = source_time(e->end),
                           .processId = (uint32_t)getpid(),
                           .threadId = e->thread,
                           .correlationId = e->correlation,
                           .returnValue = (uint32_t)e->call.result};
    if (activity_on(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
        external_put(e->correlation);
    if (record_call_on(runtime, e->call.number))
        buffer_put(&r, sizeof r);
}

// Nodes of a graph are one record where that is asked for.
static bool is_in_trace(const struct timeline_event *e)
{
    return e->graph_node && activity_on(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
}

static void put_kernel(const struct timeline_event *e)
{
    uint64_t end = source_time(e->end);
    if (is_in_trace(e))
        return;
    CUpti_ActivityKernel10 r = {.kind = activity_on(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
                                            ? CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
                                            : CUPTI_ACTIVITY_KIND_KERNEL,
                                .registersPerThread = (uint16_t)e->kernel.registers,
                                .start = source_time(e->start),
                                .end = end,
                                .completed = end,
                                .deviceId = e->device,
                                .contextId = e->context,
                                .streamId = e->stream,
                                .gridX = (int32_t)e->kernel.grid[0],
                                .gridY = (int32_t)e->kernel.grid[1],
                                .gridZ = (int32_t)e->kernel.grid[2],
                                .blockX = (int32_t)e->kernel.block[0],
                                .blockY = (int32_t)e->kernel.block[1],
                                .blockZ = (int32_t)e->kernel.block[2],
                                .staticSharedMemory = (int32_t)e->kernel.shared_static,
                                .dynamicSharedMemory = (int32_t)e->kernel.shared_dynamic,
                                .sharedMemoryExecuted = e->kernel.shared_static + e->kernel.shared_dynamic,
                                .localMemoryPerThread = e->kernel.local_bytes,
                                .correlationId = e->correlation,
                                .gridId = (int64_t)e->kernel.id,
                                .name = record_name(e->kernel.name),
                                .queued = source_time(e->queued),
                                .submitted = source_time(e->queued),
                                .launchType = e->kernel.cooperative,
                                .graphNodeId = e->graph_node,
                                .graphId = e->graph,
                                .channelType = CUPTI_CHANNEL_TYPE_COMPUTE,
                                .clusterX = e->kernel.cluster[0],
                                .clusterY = e->kernel.cluster[1],
                                .clusterZ = e->kernel.cluster[2]};
    buffer_put(&r, sizeof r);
}

static bool is_device(enum timeline_memory m)
{
    return m == MEMORY_IS_DEVICE || m == MEMORY_IS_MANAGED;
}

static CUpti_ActivityMemcpyKind copy_kind(enum timeline_memory from, enum timeline_memory to)
{
    enum { HOST, DEVICE, ARRAY };
    static const CUpti_ActivityMemcpyKind table[3][3] = {
        [HOST] = {CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_ACTIVITY_MEMCPY_KIND_HTOA},
        [DEVICE] = {CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, CUPTI_ACTIVITY_MEMCPY_KIND_DTOA},
        [ARRAY] = {CUPTI_ACTIVITY_MEMCPY_KIND_ATOH, CUPTI_ACTIVITY_MEMCPY_KIND_ATOD, CUPTI_ACTIVITY_MEMCPY_KIND_ATOA}};
    int a = from == MEMORY_IS_ARRAY ? ARRAY : is_device(from) ? DEVICE : HOST;
    int b = to == MEMORY_IS_ARRAY ? ARRAY : is_device(to) ? DEVICE : HOST;
    return table[a][b];
}

static void put_peer_copy(const struct timeline_event *e)
{
    CUpti_ActivityMemcpyPtoP4 r = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY2,
                                   .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP,
                                   .srcKind = (uint8_t)e->copy.from,
                                   .dstKind = (uint8_t)e->copy.to,
                                   .flags = e->copy.async,
                                   .bytes = e->copy.bytes,
                                   .start = source_time(e->start),
                                   .end = source_time(e->end),
                                   .deviceId = e->device,
                                   .contextId = e->context,
                                   .streamId = e->stream,
                                   .srcDeviceId = e->copy.from_device,
                                   .srcContextId = e->context,
                                   .dstDeviceId = e->copy.to_device,
                                   .dstContextId = e->context,
                                   .correlationId = e->correlation,
                                   .graphNodeId = e->graph_node,
                                   .graphId = e->graph};
    buffer_put(&r, sizeof r);
}

static void put_copy(const struct timeline_event *e)
{
    bool peers = is_device(e->copy.from) && is_device(e->copy.to) && e->copy.from_device != e->copy.to_device;
    if (is_in_trace(e))
        return;
    if (peers && activity_on(CUPTI_ACTIVITY_KIND_MEMCPY2)) {
        put_peer_copy(e);
        return;
    }
    CUpti_ActivityMemcpy6 r = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
                               .copyKind = (uint8_t)copy_kind(e->copy.from, e->copy.to),
                               .srcKind = (uint8_t)e->copy.from,
                               .dstKind = (uint8_t)e->copy.to,
                               .flags = e->copy.async,
                               .bytes = e->copy.bytes,
                               .start = source_time(e->start),
                               .end = source_time(e->end),
                               .deviceId = e->device,
                               .contextId = e->context,
                               .streamId = e->stream,
                               .correlationId = e->correlation,
                               .graphNodeId = e->graph_node,
                               .graphId = e->graph,
                               .channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY,
                               .copyCount = 1};
    if (activity_on(CUPTI_ACTIVITY_KIND_MEMCPY))
        buffer_put(&r, sizeof r);
}

static void put_fill(const struct timeline_event *e)
{
    CUpti_ActivityMemset4 r = {.kind = CUPTI_ACTIVITY_KIND_MEMSET,
                               .value = e->fill.value,
                               .bytes = e->fill.bytes,
                               .start = source_time(e->start),
                               .end = source_time(e->end),
                               .deviceId = e->device,
                               .contextId = e->context,
                               .streamId = e->stream,
                               .correlationId = e->correlation,
                               .flags = e->fill.async,
                               .memoryKind = (uint16_t)e->fill.memory,
                               .graphNodeId = e->graph_node,
                               .graphId = e->graph,
                               .channelType = CUPTI_CHANNEL_TYPE_COMPUTE};
    if (!is_in_trace(e))
        buffer_put(&r, sizeof r);
}

static void put_graph(const struct timeline_event *e)
{
    CUpti_ActivityGraphTrace2 r = {.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE,
                                   .correlationId = e->correlation,
                                   .start = source_time(e->start),
                                   .end = source_time(e->end),
                                   .deviceId = e->device,
                                   .graphId = e->graph,
                                   .contextId = e->context,
                                   .streamId = e->stream,
                                   .endDeviceId = e->device,
                                   .endContextId = e->context};
    buffer_put(&r, sizeof r);
}

static void put_sync(const struct timeline_event *e)
{
    bool event = e->sync.type == SYNC_EVENT || e->sync.type == SYNC_STREAM_WAIT;
    CUpti_ActivitySynchronization2 r = {.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                        .type = (CUpti_ActivitySynchronizationType)e->sync.type,
                                        .start = source_time(e->start),
                                        .end = source_time(e->end),
                                        .correlationId = e->correlation,
                                        .contextId = e->context,
                                        .streamId = e->stream ? e->stream : CUPTI_SYNCHRONIZATION_INVALID_VALUE,
                                        .cudaEventId = event ? e->sync.event : CUPTI_SYNCHRONIZATION_INVALID_VALUE};
    buffer_put(&r, sizeof r);
}

static void put_memory(const struct timeline_event *e)
{
    CUpti_ActivityMemory4 r = {.kind = CUPTI_ACTIVITY_KIND_MEMORY2,
                               .memoryOperationType = e->made ? CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION
                                                              : CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE,
                               .memoryKind = (CUpti_ActivityMemoryKind)e->memory.memory,
                               .correlationId = e->correlation,
                               .address = e->memory.address,
                               .bytes = e->memory.bytes,
                               .timestamp = source_time(e->start),
                               .processId = (uint32_t)getpid(),
                               .deviceId = e->device,
                               .contextId = e->context,
                               .streamId = e->stream ? e->stream : CUPTI_INVALID_STREAM_ID,
                               .isAsync = e->memory.async};
    buffer_put(&r, sizeof r);
}

static void put_compile(const struct timeline_event *e)
{
    CUpti_ActivityOverhead3 o = {.kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
                                 .overheadKind = CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER,
                                 .objectKind = CUPTI_ACTIVITY_OBJECT_THREAD,
                                 .objectId = {.pt = {(uint32_t)getpid(), e->thread}},
                                 .start = source_time(e->start),
                                 .end = source_time(e->end),
                                 .correlationId = e->correlation};
    CUpti_ActivityJit2 j = {.kind = CUPTI_ACTIVITY_KIND_JIT,
                            .jitEntryType = CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN,
                            .jitOperationType = e->compile.how == COMPILE_LOADED
                                                    ? CUPTI_ACTIVITY_JIT_OPERATION_CACHE_LOAD
                                                    : CUPTI_ACTIVITY_JIT_OPERATION_COMPILE,
                            .deviceId = e->device,
                            .start = o.start,
                            .end = o.end,
                            .correlationId = e->correlation,
                            .cacheSize = e->compile.bytes,
                            .processId = (uint32_t)getpid(),
                            .threadId = e->thread};
    if (activity_on(CUPTI_ACTIVITY_KIND_OVERHEAD) && e->compile.how != COMPILE_LOADED)
        buffer_put(&o, sizeof o);
    if (activity_on(CUPTI_ACTIVITY_KIND_JIT))
        buffer_put(&j, sizeof j);
}

static void put_stream(const struct timeline_event *e)
{
    static const CUpti_ActivityStreamFlag flags[] = {CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT,
                                                     CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING,
                                                     CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL};
    CUpti_ActivityStream r = {.kind = CUPTI_ACTIVITY_KIND_STREAM,
                              .contextId = e->context,
                              .streamId = e->stream,
                              .priority = (uint32_t)e->object.priority,
                              .flag = flags[e->object.flags],
                              .correlationId = e->correlation};
    if (e->made)
        buffer_put(&r, sizeof r);
}

static void put_module(const struct timeline_event *e)
{
    CUpti_ActivityModule r = {.kind = CUPTI_ACTIVITY_KIND_MODULE,
                              .contextId = e->context,
                              .id = e->object.id,
                              .cubinSize = (uint32_t)e->object.bytes,
                              .cubin = e->object.image};
    if (e->made)
        buffer_put(&r, sizeof r);
}

static void put_event(const struct timeline_event *e)
{
    CUpti_ActivityCudaEvent2 r = {.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT,
                                  .correlationId = e->correlation,
                                  .contextId = e->context,
                                  .streamId = e->stream,
                                  .eventId = e->sync.event,
                                  .deviceId = e->device,
                                  .deviceTimestamp = source_time(e->end)};
    buffer_put(&r, sizeof r);
}

static void put_context(const struct timeline_event *e)
{
    const struct source *s = source_get();
    int sms = 0;
    s->device_attribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, (CUdevice)e->device);
    CUpti_ActivityContext3 r = {.kind = CUPTI_ACTIVITY_KIND_CONTEXT,
                                .contextId = e->context,
                                .deviceId = e->device,
                                .computeApiKind = CUPTI_ACTIVITY_COMPUTE_API_CUDA,
                                .nullStreamId = (uint16_t)e->stream,
                                .numMultiprocessors = (uint16_t)sms};
    if (!e->made)
        return;
    if (activity_on(CUPTI_ACTIVITY_KIND_DEVICE))
        record_devices();
    if (activity_on(CUPTI_ACTIVITY_KIND_CONTEXT))
        buffer_put(&r, sizeof r);
}

void record_event(const struct timeline_event *e)
{
    static void (*const put[TIMELINE_KINDS])(const struct timeline_event *) = {
        [TIMELINE_DRIVER_CALL] = put_call, [TIMELINE_RUNTIME_CALL] = put_call, [TIMELINE_KERNEL] = put_kernel,
        [TIMELINE_COPY] = put_copy,        [TIMELINE_FILL] = put_fill,         [TIMELINE_GRAPH] = put_graph,
        [TIMELINE_SYNC] = put_sync,        [TIMELINE_MEMORY] = put_memory,     [TIMELINE_COMPILE] = put_compile,
        [TIMELINE_CONTEXT] = put_context,  [TIMELINE_STREAM] = put_stream,     [TIMELINE_MODULE] = put_module,
        [TIMELINE_EVENT] = put_event};
    if (put[e->kind])
        put[e->kind](e);
}

static uint32_t attribute(const struct source *s, CUdevice_attribute a, int device)
{
    int value = 0;
    s->device_attribute(&value, a, device);
    return (uint32_t)value;
}

static void put_device(const struct source *s, int device)
{
    char name[256] = "";
    size_t memory = 0;
    CUpti_ActivityDevice5 r = {.kind = CUPTI_ACTIVITY_KIND_DEVICE,
                               .flags = CUPTI_ACTIVITY_FLAG_DEVICE_CONCURRENT_KERNELS,
                               .id = (uint32_t)device,
                               .isCudaVisible = 1,
                               .gpuInstanceId = UINT32_MAX,
                               .computeInstanceId = UINT32_MAX,
                               .numaId = UINT32_MAX};
    static const struct {
        size_t at;
        CUdevice_attribute attribute;
    } fields[] = {
#define FIELD(field, attribute) {offsetof(CUpti_ActivityDevice5, field), CU_DEVICE_ATTRIBUTE_##attribute},
#include "cupti/device.def"
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint32_t value = attribute(s, fields[i].attribute, device);
        memcpy((char *)&r + fields[i].at, &value, sizeof value);
    }
    r.maxWarpsPerMultiprocessor /= r.numThreadsPerWarp ? r.numThreadsPerWarp : 1;
    s->device_name(name, sizeof name, device);
    s->device_memory(&memory, device);
    s->device_uuid(&r.uuid, device);
    r.globalMemorySize = memory;
    r.name = record_name(name);
    buffer_put(&r, sizeof r);
}

// Once: when they are asked for, or when the driver knows them.
void record_devices(void)
{
    static atomic_bool done;
    const struct source *s = source_get();
    int n = 0;
    if (!s || s->device_count(&n) || !n || atomic_exchange(&done, true))
        return;
    for (int i = 0; i < n; i++)
        put_device(s, i);
}
