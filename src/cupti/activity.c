// SPDX-License-Identifier: Apache-2.0
// The activity interface: which kinds are on, and what is listened to for them.
#include "cupti/body.h"
#include <pthread.h>
#include <string.h>

enum { KINDS = CUPTI_ACTIVITY_KIND_COUNT };
#define BIT(kind) (1u << TIMELINE_##kind)
static const struct {
    uint32_t events;
    uint16_t size;
} kinds[KINDS] = {
#define RECORD(kind, type, bits) [CUPTI_ACTIVITY_KIND_##kind] = {bits, sizeof(type)},
#include "cupti/record.def"
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on[KINDS];

static void told(struct timeline_sink *s, const struct timeline_event *e)
{
    (void)s;
    record_event(e);
}

static struct timeline_sink sink = {.event = told};

bool activity_on(CUpti_ActivityKind kind)
{
    return atomic_load_explicit(&on[kind], memory_order_relaxed);
}

size_t activity_size(CUpti_ActivityKind kind)
{
    return (unsigned)kind < KINDS ? kinds[kind].size : 0;
}

void activity_listen(void)
{
    const struct source *s = source_get();
    uint32_t wanted = 0;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < KINDS; i++)
        wanted |= activity_on((CUpti_ActivityKind)i) ? kinds[i].events : 0;
    wanted |= record_calls_any(false) ? BIT(DRIVER_CALL) : 0;
    wanted |= record_calls_any(true) ? BIT(RUNTIME_CALL) : 0;
    if (s)
        s->timeline->listen(&sink, wanted);
    pthread_mutex_unlock(&lock);
}

void activity_reset(void)
{
    for (unsigned i = 0; i < KINDS; i++)
        atomic_store(&on[i], false);
    record_calls_all(false, false);
    record_calls_all(true, false);
    activity_listen();
}

static CUptiResult set(CUpti_ActivityKind kind, bool value)
{
    if ((unsigned)kind >= KINDS || kind == CUPTI_ACTIVITY_KIND_INVALID)
        return CUPTI_ERROR_INVALID_KIND;
    if (!kinds[kind].size)
        return value ? CUPTI_ERROR_NOT_SUPPORTED : CUPTI_SUCCESS;
    if (!source_get())
        return CUPTI_ERROR_NOT_INITIALIZED;
    // One kind of kernel records at a time.
    if (value && ((kind == CUPTI_ACTIVITY_KIND_KERNEL && activity_on(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) ||
                  (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && activity_on(CUPTI_ACTIVITY_KIND_KERNEL))))
        return CUPTI_ERROR_NOT_COMPATIBLE;
    atomic_store(&on[kind], value);
    if (kind == CUPTI_ACTIVITY_KIND_DRIVER || kind == CUPTI_ACTIVITY_KIND_RUNTIME)
        record_calls_all(kind == CUPTI_ACTIVITY_KIND_RUNTIME, value);
    activity_listen();
    if (value && kind == CUPTI_ACTIVITY_KIND_DEVICE)
        record_devices();
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable(CUpti_ActivityKind kind)
{
    return set(kind, true);
}

CUptiResult activity_enable_and_dump(CUpti_ActivityKind kind)
{
    return set(kind, true);
}

CUptiResult activity_disable(CUpti_ActivityKind kind)
{
    return set(kind, false);
}

// A kind is on for all contexts or for none.
CUptiResult activity_enable_context(CUcontext context, CUpti_ActivityKind kind)
{
    return context ? set(kind, true) : CUPTI_ERROR_INVALID_CONTEXT;
}

CUptiResult activity_disable_context(CUcontext context, CUpti_ActivityKind kind)
{
    return context ? set(kind, false) : CUPTI_ERROR_INVALID_CONTEXT;
}

CUptiResult activity_enable_driver_api(CUpti_CallbackId cbid, uint8_t enable)
{
    if (!cbid || cbid >= CUPTI_DRIVER_TRACE_CBID_SIZE)
        return CUPTI_ERROR_INVALID_PARAMETER;
    record_call_set(false, cbid, enable);
    activity_listen();
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_runtime_api(CUpti_CallbackId cbid, uint8_t enable)
{
    if (!cbid || cbid >= CUPTI_RUNTIME_TRACE_CBID_SIZE)
        return CUPTI_ERROR_INVALID_PARAMETER;
    record_call_set(true, cbid, enable);
    activity_listen();
    return CUPTI_SUCCESS;
}

CUptiResult activity_register_callbacks(CUpti_BuffersCallbackRequestFunc request,
                                        CUpti_BuffersCallbackCompleteFunc complete)
{
    return buffer_callbacks(request, complete);
}

// Records are whole when they are written, so that there is nothing to wait for, whatever the flag.
CUptiResult activity_flush_all(uint32_t flag)
{
    (void)flag;
    if (!buffer_is_ready())
        return CUPTI_ERROR_INVALID_OPERATION;
    buffer_flush();
    return CUPTI_SUCCESS;
}

CUptiResult activity_flush(CUcontext context, uint32_t stream, uint32_t flag)
{
    (void)context;
    (void)stream;
    return activity_flush_all(flag);
}

CUptiResult activity_flush_period(uint32_t time)
{
    return buffer_period(time);
}

CUptiResult activity_get_num_dropped_records(CUcontext context, uint32_t stream, size_t *count)
{
    (void)context;
    (void)stream;
    if (!count)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *count = buffer_dropped();
    return CUPTI_SUCCESS;
}

CUptiResult activity_get_next_record(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
    if (!buffer || !record)
        return CUPTI_ERROR_INVALID_PARAMETER;
    uint8_t *at = (uint8_t *)*record;
    if (at) {
        size_t size = activity_size(((CUpti_Activity *)at)->kind);
        if (!size)
            return CUPTI_ERROR_INVALID_KIND;
        at += size;
    } else {
        at = buffer;
    }
    if (at < buffer || (size_t)(at - buffer) + sizeof(CUpti_ActivityKind) > valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    CUpti_Activity *next = (CUpti_Activity *)at;
    if (next->kind == CUPTI_ACTIVITY_KIND_INVALID && buffer_is_zeroed())
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    size_t size = activity_size(next->kind);
    if (!size)
        return CUPTI_ERROR_INVALID_KIND;
    if ((size_t)(at - buffer) + size > valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = next;
    return CUPTI_SUCCESS;
}

// ---- attributes: sizes of memory of a GPU's, which are kept and given back
static _Atomic uint64_t attributes[CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_DEVICE_GRAPHS + 1] = {
    [CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE] = 3200000,
    [CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_CDP] = 8388608,
    [CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT] = 250,
    [CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE] = 25000,
    [CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT] = 250,
    [CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE] = 3,
    [CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE] = 3,
};

static size_t attribute_size(CUpti_ActivityAttribute attr)
{
    bool small = attr == CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER ||
                 attr == CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED ||
                 attr == CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER;
    return small ? sizeof(uint8_t) : sizeof(size_t);
}

static CUptiResult attribute_check(CUpti_ActivityAttribute attr, const size_t *size, const void *value)
{
    if (!size || !value || (unsigned)attr >= sizeof attributes / sizeof *attributes)
        return CUPTI_ERROR_INVALID_PARAMETER;
    return *size < attribute_size(attr) ? CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT : CUPTI_SUCCESS;
}

CUptiResult activity_get_attribute(CUpti_ActivityAttribute attr, size_t *size, void *value)
{
    CUptiResult r = attribute_check(attr, size, value);
    if (r)
        return r;
    uint64_t v = atomic_load(&attributes[attr]);
    *size = attribute_size(attr);
    memcpy(value, &v, *size);
    return CUPTI_SUCCESS;
}

CUptiResult activity_set_attribute(CUpti_ActivityAttribute attr, size_t *size, void *value)
{
    CUptiResult r = attribute_check(attr, size, value);
    uint64_t v = 0;
    if (r)
        return r;
    memcpy(&v, value, attribute_size(attr));
    atomic_store(&attributes[attr], v);
    if (attr == CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER)
        buffer_zeroed(v);
    return CUPTI_SUCCESS;
}

CUptiResult activity_push_external_correlation_id(CUpti_ExternalCorrelationKind kind, uint64_t id)
{
    return record_external_push(kind, id);
}

CUptiResult activity_pop_external_correlation_id(CUpti_ExternalCorrelationKind kind, uint64_t *id)
{
    return record_external_pop(kind, id);
}

CUptiResult activity_register_timestamp_callback(CUpti_TimestampCallbackFunc clock)
{
    return source_time_by(clock);
}

// Times of submission are in every record, and so is every synchronisation.
CUptiResult activity_enable_latency_timestamps(uint8_t enable)
{
    (void)enable;
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_all_sync_records(uint8_t enable)
{
    (void)enable;
    return CUPTI_SUCCESS;
}
