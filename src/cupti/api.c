// SPDX-License-Identifier: Apache-2.0
// The interface of CUPTI: on an NVIDIA driver calls go to NVIDIA's library, else to the bodies. Here are those that are asked for numbers, texts
// and times.
#include "library/stub.h"
#include "base/os.h"
#include "cupti/body.h"

const struct library library_self = {.name = "CUPTI", .soname = "libcupti.so.13"};

static _Thread_local CUptiResult last_error;

CUptiResult cupti_fail(CUptiResult r)
{
    if (r)
        last_error = r;
    return r;
}

CUptiResult get_last_error(void)
{
    CUptiResult r = last_error;
    last_error = CUPTI_SUCCESS;
    return r;
}

static const struct text {
    CUptiResult result;
    const char *name, *text;
} texts[] = {
#define RESULT(name, text) {name, #name, text},
#include "cupti/result.def"
};

static const struct text *text_of(CUptiResult result)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].result == result)
            return &texts[i];
    return NULL;
}

CUptiResult get_result_string(CUptiResult result, const char **text)
{
    const struct text *t = text_of(result);
    if (!text || !t)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *text = t->name;
    return CUPTI_SUCCESS;
}

CUptiResult get_error_message(CUptiResult result, const char **text)
{
    const struct text *t = text_of(result);
    if (!text || !t)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *text = t->text;
    return CUPTI_SUCCESS;
}

CUptiResult get_version(uint32_t *version)
{
    if (!version)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *version = CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
}

CUptiResult get_timestamp(uint64_t *time)
{
    if (!time)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *time = source_time(os_time_ns());
    return CUPTI_SUCCESS;
}

// ---- numbers of objects
CUptiResult get_context_id(CUcontext context, uint32_t *id)
{
    const struct source *s = source_get();
    uint32_t found = s && context ? s->timeline->context_id(context) : 0;
    if (!id)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *id = found;
    return found ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_CONTEXT;
}

CUptiResult get_stream_id_ex(CUcontext context, CUstream stream, uint8_t per_thread, uint32_t *id)
{
    const struct source *s = source_get();
    uint32_t found = s ? s->timeline->stream_id(stream, per_thread) : 0;
    (void)context; // of handles, only that of a default stream needs one, and has the current
    if (!id)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *id = found;
    return found ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_STREAM;
}

CUptiResult get_stream_id(CUcontext context, CUstream stream, uint32_t *id)
{
    return get_stream_id_ex(context, stream, 0, id);
}

CUptiResult get_device_id(CUcontext context, uint32_t *id)
{
    const struct source *s = source_get();
    uint32_t found = s ? s->timeline->device_id(context) : UINT32_MAX;
    if (!id)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *id = found;
    return found != UINT32_MAX ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_CONTEXT;
}

CUptiResult get_graph_node_id(CUgraphNode node, uint64_t *id)
{
    const struct source *s = source_get();
    if (!id)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *id = s ? s->timeline->graph_node_id(node) : 0;
    return *id ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult get_graph_id(CUgraph graph, uint32_t *id)
{
    const struct source *s = source_get();
    if (!id)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *id = s ? s->timeline->graph_id(graph, false) : 0;
    return *id ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult get_graph_exec_id(CUgraphExec exec, uint32_t *id)
{
    const struct source *s = source_get();
    if (!id)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *id = s ? s->timeline->graph_id(exec, true) : 0;
    return *id ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

// ---- threads, devices
static atomic_uint thread_id_type = CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;

// Numbers of threads are the system's in either case.
CUptiResult set_thread_id_type(CUpti_ActivityThreadIdType type)
{
    if ((unsigned)type >= CUPTI_ACTIVITY_THREAD_ID_TYPE_SIZE)
        return CUPTI_ERROR_INVALID_PARAMETER;
    atomic_store(&thread_id_type, type);
    return CUPTI_SUCCESS;
}

CUptiResult get_thread_id_type(CUpti_ActivityThreadIdType *type)
{
    if (!type)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *type = (CUpti_ActivityThreadIdType)atomic_load(&thread_id_type);
    return CUPTI_SUCCESS;
}

CUptiResult compute_capability_supported(int major, int minor, int *support)
{
    if (!support)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *support = major > 0 && minor >= 0;
    return CUPTI_SUCCESS;
}

CUptiResult device_supported(CUdevice device, int *support)
{
    const struct source *s = source_get();
    int n = 0;
    if (!support)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (!s || s->device_count(&n))
        return CUPTI_ERROR_NOT_INITIALIZED;
    *support = 1;
    return device >= 0 && device < n ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_DEVICE;
}

CUptiResult device_virtualization_mode(CUdevice device, CUpti_DeviceVirtualizationMode *mode)
{
    int support;
    CUptiResult r = device_supported(device, &support);
    if (!mode)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *mode = CUPTI_DEVICE_VIRTUALIZATION_MODE_NONE;
    return r;
}

CUptiResult finalize(void)
{
    callback_reset();
    activity_reset();
    if (buffer_is_ready())
        buffer_flush();
    return CUPTI_SUCCESS;
}

// ---- the exported functions
#define LIBRARY_CUPTI(result, name, params, args, call)                                                                \
    LIBRARY_EXPORT result name params;                                                                                 \
    result name params                                                                                                 \
    {                                                                                                                  \
        if (__builtin_expect(source_is_elsewhere(), 0)) {                                                              \
            static _Atomic(void *) there;                                                                              \
            result(*function) params = (result(*) params)library_there(&library_self, &there, #name);                  \
            return function ? function args : CUPTI_ERROR_NOT_INITIALIZED;                                             \
        }                                                                                                              \
        return call;                                                                                                   \
    }                                                                                                                  \
    LIBRARY_ALIAS(result, name, params)
#define CALL_FULL(body, args) cupti_fail(body args)
#define CALL_NONE(body, args) cupti_fail(CUPTI_ERROR_NOT_SUPPORTED)
#define ROW(result, name, params, args, body, status)                                                                  \
    LIBRARY_CUPTI(result, name, params, args, CALL_##status(body, args))
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "cupti/api.def"
