// SPDX-License-Identifier: Apache-2.0
// What is asked of a stream, and its smaller operations.
#include "driver/context/tell.h"
#include "driver/graph/graph.h"

CUresult stream_get_priority(CUstream stream, int *priority)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!priority)
        return CUDA_ERROR_INVALID_VALUE;
    *priority = s->priority;
    return CUDA_SUCCESS;
}

CUresult stream_get_flags(CUstream stream, unsigned *flags)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = s->flags;
    return CUDA_SUCCESS;
}

CUresult stream_get_id(CUstream stream, unsigned long long *id)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!id)
        return CUDA_ERROR_INVALID_VALUE;
    *id = s->id;
    return CUDA_SUCCESS;
}

CUresult stream_get_device(CUstream stream, CUdevice *device)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = s->context->device;
    return CUDA_SUCCESS;
}

CUresult stream_get_context(CUstream stream, CUcontext *context)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = s->context->handle;
    return CUDA_SUCCESS;
}

CUresult stream_get_contexts(CUstream stream, CUcontext *context, CUgreenCtx *green)
{
    CUcontext c;
    CUresult r = stream_get_context(stream, &c);
    if (r)
        return r;
    if (context)
        *context = c;
    if (green)
        *green = NULL;
    return CUDA_SUCCESS;
}

CUresult stream_wait_event(CUstream stream, CUevent event, unsigned flags)
{
    struct stream *s;
    struct event *e = handle_get(event, HANDLE_EVENT);
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!e)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags > CU_EVENT_WAIT_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream_captured(s) && flags == CU_EVENT_WAIT_EXTERNAL) {
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {event}};
        return capture_node(s, &p);
    }
    if (stream_captured(s) || __builtin_expect(e->capture != 0, 0))
        return capture_wait_event(s, e);
    r = capture_guard(s);
    if (r)
        return r;
    if (e->file) {
        uint64_t state = event_file_state(e->file);
        if (event_file_done(e->file, state))
            return stream_separate(s);
        struct op *op = event_file_wait(e->file, state);
        if (op)
            stream_submit(s, op, NULL);
        op_release(op);
        return CUDA_SUCCESS;
    }
    tell_sync(SYNC_STREAM_WAIT, s->context, s, e->id, timeline_since(TIMELINE_SYNC));
    struct op *before = event_op(e);
    order_line_behind(s->order, before);
    if (before && op_done(before)) {
        r = stream_separate(s);
    } else if (before) {
        struct op *op = op_create(sizeof *op, NULL, NULL);
        if (op) {
            stream_submit(s, op, before);
            op_release(op);
        } else {
            r = CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    op_release(before);
    return r;
}

CUresult stream_get_attribute(CUstream stream, CUstreamAttrID id, CUstreamAttrValue *value)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    memset(value, 0, sizeof *value);
    switch ((int)id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        value->accessPolicyWindow = s->window;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        value->syncPolicy = s->sync_policy;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        value->priority = s->priority;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        value->memSyncDomainMap = s->domain_map;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        value->memSyncDomain = s->domain;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// All of them are hints: they are checked, kept and given back.
CUresult stream_set_attribute(CUstream stream, CUstreamAttrID id, const CUstreamAttrValue *value)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        r = access_policy_check(&value->accessPolicyWindow);
        if (!r)
            s->window = value->accessPolicyWindow;
        return r;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        s->priority = value->priority > 0                   ? 0
                      : value->priority < PRIORITY_GREATEST ? PRIORITY_GREATEST
                                                            : value->priority;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        if (value->syncPolicy < CU_SYNC_POLICY_AUTO || value->syncPolicy > CU_SYNC_POLICY_BLOCKING_SYNC)
            return CUDA_ERROR_INVALID_VALUE;
        s->sync_policy = value->syncPolicy;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        if (value->memSyncDomainMap.default_ >= SYNC_DOMAINS || value->memSyncDomainMap.remote >= SYNC_DOMAINS)
            return CUDA_ERROR_INVALID_VALUE;
        s->domain_map = value->memSyncDomainMap;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        if ((unsigned)value->memSyncDomain > CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE)
            return CUDA_ERROR_INVALID_VALUE;
        s->domain = value->memSyncDomain;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// All that a stream keeps, its priority too.
CUresult stream_copy_attributes(CUstream dst, CUstream src, CUstream stream)
{
    struct stream *to, *from;
    CUresult r = stream_enter(dst ? dst : stream, &to);
    r = r ? r : stream_enter(src ? src : stream, &from);
    if (r)
        return r;
    if (to->context != from->context)
        return CUDA_ERROR_INVALID_HANDLE;
    to->priority = from->priority;
    to->window = from->window;
    to->sync_policy = from->sync_policy;
    to->domain = from->domain;
    to->domain_map = from->domain_map;
    return CUDA_SUCCESS;
}
