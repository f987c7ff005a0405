// SPDX-License-Identifier: Apache-2.0
// NVTX: libcupti is a tool that NVTX_INJECTION64_PATH may name. Annotations become markers and names, and callbacks.
#include "base/os.h"
#include "cupti/body.h"
#include "nvtx/inject/inject.h"
#include <sys/syscall.h>
#include <unistd.h>

static void put_name(const struct nvtx_note *n)
{
    const struct source *s = source_get();
    CUpti_ActivityName r = {.kind = CUPTI_ACTIVITY_KIND_NAME, .name = record_name(n->text)};
    if (n->kind == NOTE_NAME_THREAD) {
        r.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
        r.objectId.pt.processId = (uint32_t)getpid();
        r.objectId.pt.threadId = (uint32_t)n->id;
    } else {
        r.objectKind = CUPTI_ACTIVITY_OBJECT_STREAM;
        r.objectId.dcs.streamId = s ? s->timeline->stream_id((void *)(uintptr_t)n->id, false) : 0;
    }
    if (activity_on(CUPTI_ACTIVITY_KIND_NAME))
        buffer_put(&r, sizeof r);
}

static void put_data(const struct nvtx_note *n)
{
    static const CUpti_MetricValueKind kinds[] = {CUPTI_METRIC_VALUE_KIND_FORCE_INT, CUPTI_METRIC_VALUE_KIND_UINT64,
                                                  CUPTI_METRIC_VALUE_KIND_INT64,     CUPTI_METRIC_VALUE_KIND_DOUBLE,
                                                  CUPTI_METRIC_VALUE_KIND_UINT64,    CUPTI_METRIC_VALUE_KIND_INT64,
                                                  CUPTI_METRIC_VALUE_KIND_DOUBLE};
    CUpti_ActivityMarkerData2 r = {.kind = CUPTI_ACTIVITY_KIND_MARKER_DATA,
                                   .flags = n->has_color ? CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB
                                                         : CUPTI_ACTIVITY_FLAG_MARKER_COLOR_NONE,
                                   .id = (uint32_t)n->id,
                                   .payloadKind = kinds[n->payload_type < 7 ? n->payload_type : 0],
                                   .color = n->color,
                                   .category = n->category,
                                   .cuptiDomainId = n->domain_number};
    r.payload.metricValueUint64 = n->payload;
    if (activity_on(CUPTI_ACTIVITY_KIND_MARKER_DATA))
        buffer_put(&r, sizeof r);
}

static void note(const struct nvtx_note *n)
{
    static const CUpti_ActivityFlag flags[] = {[NOTE_MARK] = CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS,
                                               [NOTE_PUSH] = CUPTI_ACTIVITY_FLAG_MARKER_START,
                                               [NOTE_POP] = CUPTI_ACTIVITY_FLAG_MARKER_END,
                                               [NOTE_START] = CUPTI_ACTIVITY_FLAG_MARKER_START,
                                               [NOTE_END] = CUPTI_ACTIVITY_FLAG_MARKER_END};
    if (n->kind == NOTE_NAME_THREAD || n->kind == NOTE_NAME_STREAM)
        put_name(n);
    if (n->kind > NOTE_END || !activity_on(CUPTI_ACTIVITY_KIND_MARKER))
        return;
    CUpti_ActivityMarker2 r = {
        .kind = CUPTI_ACTIVITY_KIND_MARKER,
        .flags = flags[n->kind],
        .timestamp = source_time(os_time_ns()),
        .id = (uint32_t)n->id,
        .objectKind = CUPTI_ACTIVITY_OBJECT_THREAD,
        .objectId = {.pt = {(uint32_t)getpid(), (uint32_t)syscall(SYS_gettid)}},
        .name = record_name(n->text),
        .domain = record_name(n->domain ? n->domain : ""),
    };
    buffer_put(&r, sizeof r);
    if (n->kind != NOTE_POP && n->kind != NOTE_END)
        put_data(n);
}

static const struct nvtx_listener listener = {note, callback_nvtx};

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(nvtx_export_fn *get);
int InitializeInjectionNvtx2(nvtx_export_fn *get)
{
    return nvtx_inject(get, &listener);
}

__attribute__((visibility("default"))) CUptiResult cuptiNvtxInitialize2(void *get);
CUptiResult cuptiNvtxInitialize2(void *get)
{
    return nvtx_inject((nvtx_export_fn *)get, &listener) ? CUPTI_SUCCESS : CUPTI_ERROR_NOT_INITIALIZED;
}
