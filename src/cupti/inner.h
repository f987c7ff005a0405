// SPDX-License-Identifier: Apache-2.0
// What the files of libcupti share: where events come from, buffers of records, callbacks.
//
// Two listeners stand at the timeline (base/timeline/timeline.h), one for activity records and one for callbacks. Calls of a tool from inside
// its callbacks are told to nobody.
#ifndef HEDDLE_CUPTI_INNER_H
#define HEDDLE_CUPTI_INNER_H
#include "base/timeline/timeline.h"
#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <stdbool.h>

// ---- source.c: the driver
// Functions of the driver that are asked for themselves.
struct source {
    const struct timeline_access *timeline;
    CUresult (*context_get)(CUcontext *);
    CUresult (*device_count)(int *);
    CUresult (*device_name)(char *, int, CUdevice);
    CUresult (*device_attribute)(int *, CUdevice_attribute, CUdevice);
    CUresult (*device_memory)(size_t *, CUdevice);
    CUresult (*device_uuid)(CUuuid *, CUdevice);
    CUresult (*function_name)(const char **, CUfunction);
    CUresult (*kernel_name)(const char **, CUkernel);
};
bool source_is_elsewhere(void);         // an NVIDIA driver's
const struct source *source_get(void);  // NULL: there is none
uint64_t source_time(uint64_t os_time); // of the timeline's clock, as CUPTI tells it
CUptiResult source_time_by(CUpti_TimestampCallbackFunc clock);

// ---- buffer.c: records on their way to the tool
void buffer_put(const void *record, size_t size);
void buffer_flush(void);
CUptiResult buffer_callbacks(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete);
bool buffer_is_ready(void);
size_t buffer_dropped(void);
CUptiResult buffer_period(uint32_t milliseconds);
void buffer_zeroed(bool on); // records end with a kind of 0
bool buffer_is_zeroed(void);

// ---- activity.c
bool activity_on(CUpti_ActivityKind kind);
size_t activity_size(CUpti_ActivityKind kind); // of a record; 0: there is none of this kind
// Kinds of others have a say in what is listened to.
void activity_listen(void);
void activity_reset(void);

// ---- record.c
void record_event(const struct timeline_event *e);
void record_devices(void);
bool record_call_on(bool runtime, uint32_t number);
void record_call_set(bool runtime, uint32_t number, bool on);
void record_calls_all(bool runtime, bool on);
bool record_calls_any(bool runtime);
CUptiResult record_external_push(CUpti_ExternalCorrelationKind kind, uint64_t id);
CUptiResult record_external_pop(CUpti_ExternalCorrelationKind kind, uint64_t *id);
const char *record_name(const char *text); // the same text, which stays

// ---- callback.c
void callback_reset(void);
// A call of NVTX, before its own work.
void callback_nvtx(uint32_t number, const char *name, const void *params);

// ---- the bodies of the functions, from the table
CUptiResult cupti_fail(CUptiResult r); // remembers it for cuptiGetLastError
#endif
