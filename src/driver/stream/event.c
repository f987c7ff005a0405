// SPDX-License-Identifier: Apache-2.0
// Events: each record submits an operation that does nothing, and the event keeps it for its state and its time.
#include "driver/context/tell.h"
#include "driver/graph/graph.h"
#include <stdlib.h>

struct op *event_op(struct event *e)
{
    pthread_mutex_lock(&e->lock);
    struct op *op = e->op ? op_retain(e->op) : NULL;
    pthread_mutex_unlock(&e->lock);
    return op;
}

void event_set_op(struct event *e, struct op *op)
{
    capture_event_forget(e);
    pthread_mutex_lock(&e->lock);
    struct op *old = e->op;
    e->op = op;
    pthread_mutex_unlock(&e->lock);
    op_release(old);
}

void event_free(struct event *e)
{
    capture_event_forget(e);
    pthread_mutex_lock(&e->context->lock);
    list_remove(&e->node);
    pthread_mutex_unlock(&e->context->lock);
    op_release(e->op);
    event_file_close(e->file);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

// Takes over the file, also on failure.
CUresult event_make(struct context *c, unsigned flags, struct event_file *file, struct event **out)
{
    static atomic_uint ids;
    struct event *e = xcalloc(1, sizeof *e);
    e->id = atomic_fetch_add_explicit(&ids, 1, memory_order_relaxed) + 1;
    e->context = c;
    e->flags = flags;
    e->file = file;
    pthread_mutex_init(&e->lock, NULL);
    e->handle = handle_create(HANDLE_EVENT, e);
    if (!e->handle) {
        event_file_close(file);
        free(e);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&c->lock);
    list_add(&c->events, &e->node);
    pthread_mutex_unlock(&c->lock);
    *out = e;
    return CUDA_SUCCESS;
}

CUresult event_create(CUevent *event, unsigned flags)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!event || flags & ~(unsigned)(CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS))
        return CUDA_ERROR_INVALID_VALUE;
    struct event_file *file = NULL;
    struct event *e;
    if (flags & CU_EVENT_INTERPROCESS) {
        if (!(flags & CU_EVENT_DISABLE_TIMING))
            return CUDA_ERROR_INVALID_VALUE;
        file = event_file_make();
        if (!file)
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    r = event_make(c, flags, file, &e);
    if (!r)
        *event = e->handle;
    return r;
}

CUresult event_destroy(CUevent event)
{
    struct event *e = handle_take(event, HANDLE_EVENT);
    if (!e)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    event_free(e);
    return CUDA_SUCCESS;
}

bool event_is_of(CUevent event, const struct stream *s)
{
    const struct event *e = handle_get(event, HANDLE_EVENT);
    return e && e->context == s->context;
}

CUresult event_record(CUevent event, CUstream stream)
{
    struct stream *s;
    struct event *e = handle_get(event, HANDLE_EVENT);
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!e || e->context != s->context)
        return CUDA_ERROR_INVALID_HANDLE;
    if (stream_captured(s))
        return capture_record(e, s);
    r = capture_guard(s);
    if (r)
        return r;
    struct op *op = e->file ? event_file_record(e->file) : op_create(sizeof *op, NULL, NULL);
    if (!op)
        return CUDA_ERROR_OUT_OF_MEMORY;
    tell_record(e->id, s, op);
    if (order_on())
        stream_order(s, op, NULL);
    if (!e->file && stream_is_idle(s)) // it is over now: nobody needs to be told of it
        op_finish(op_retain(op));
    else
        stream_submit(s, op, NULL);
    event_set_op(e, op);
    return CUDA_SUCCESS;
}

CUresult event_record_flags(CUevent event, CUstream stream, unsigned flags)
{
    struct stream *s;
    if (flags > CU_EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = flags ? stream_enter(stream, &s) : CUDA_SUCCESS;
    if (r || !flags || !stream_captured(s))
        return r ? r : event_record(event, stream);
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {event}};
    return capture_node(s, &p);
}

static CUresult event_enter(CUevent event, struct event **out)
{
    *out = handle_get(event, HANDLE_EVENT);
    if (!*out)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    CUresult r = capture_event_check(*out);
    return r ? r : context_fault((*out)->context);
}

CUresult event_query(CUevent event)
{
    struct event *e;
    CUresult r = event_enter(event, &e);
    if (r)
        return r;
    struct op *op = event_op(e);
    bool done = e->file ? event_file_done(e->file, event_file_state(e->file)) : !op || op_done(op);
    r = done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
    if (done)
        order_told_op(op);
    op_release(op);
    return r ? r : context_fault(e->context);
}

CUresult event_synchronize(CUevent event)
{
    struct event *e;
    CUresult r = event_enter(event, &e);
    if (r)
        return r;
    struct op *op = e->file ? event_file_wait(e->file, event_file_state(e->file)) : event_op(e);
    if (e->file && op) // in nobody's stream
        op_start(op);
    uint64_t since = timeline_since(TIMELINE_SYNC);
    if (op)
        op_wait(op);
    order_told_op(op);
    tell_sync(SYNC_EVENT, e->context, NULL, e->id, since);
    op_release(op);
    output_flush();
    mempools_release();
    return context_fault(e->context);
}

CUresult event_elapsed(float *milliseconds, CUevent start, CUevent end)
{
    struct event *a, *b;
    CUresult r = event_enter(start, &a);
    r = r ? r : event_enter(end, &b);
    if (r)
        return r;
    if (!milliseconds)
        return CUDA_ERROR_INVALID_VALUE;
    if ((a->flags | b->flags) & CU_EVENT_DISABLE_TIMING || a->context != b->context)
        return CUDA_ERROR_INVALID_HANDLE;
    struct op *first = event_op(a), *last = event_op(b);
    if (!first || !last)
        r = CUDA_ERROR_INVALID_HANDLE;
    else if (!op_done(first) || !op_done(last))
        r = CUDA_ERROR_NOT_READY;
    else
        *milliseconds = (float)((double)(int64_t)(last->finished_ns - first->finished_ns) * 1e-6);
    op_release(first);
    op_release(last);
    return r;
}

// ---- of other processes
CUresult ipc_event_get(CUipcEventHandle *handle, CUevent event)
{
    struct event *e = handle_get(event, HANDLE_EVENT);
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    return e && e->file ? event_file_handle(e->file, handle) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult ipc_event_open(CUevent *event, CUipcEventHandle handle)
{
    struct context *c;
    struct event *e;
    struct event_file *f;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!event)
        return CUDA_ERROR_INVALID_VALUE;
    r = event_file_open(&handle, &f);
    r = r ? r : event_make(c, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING, f, &e);
    if (!r)
        *event = e->handle;
    return r;
}
