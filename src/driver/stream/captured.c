// SPDX-License-Identifier: Apache-2.0
// What captures mean for the work of streams: what becomes part of one, and what is not allowed meanwhile.
//
// A captured stream knows its heads: the nodes that the next one comes behind. An event recorded in it remembers them, and a stream
// that waits for such an event joins the capture with those heads (or adds them to its own).
//
// What would need the result of work that is never carried out is an error that makes the capture invalid: waiting for
// a captured stream or event, mixing two captures, waiting for an event from outside. So do calls that might
// synchronise with other work, such as cudaMalloc, while a capture of mode GLOBAL is under way anywhere, or one of mode
// THREAD_LOCAL in the calling thread; a thread may exempt itself (cudaThreadExchangeStreamCaptureMode).
#include "driver/stream/captured.h"
#include <stdlib.h>

static struct capture *captures; // guarded by graphs_lock
static uint64_t next_id = 1;
static atomic_uint active, blocking_active; // captures; streams in them that the legacy one waits for
static _Thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
static _Thread_local char thread_mark; // its address tells threads apart

static bool is_blocking(const struct stream *s)
{
    return !(s->flags & CU_STREAM_NON_BLOCKING);
}

static struct capture *capture_find(uint64_t id)
{
    struct capture *c = captures;
    while (c && c->id != id)
        c = c->next;
    return c;
}

// ---- heads
void capture_heads_add(struct stream *s, const struct graph_edge *edges, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t k = 0; k < s->heads.len; k++)
            known |= s->heads.data[k].node == edges[i].node;
        if (!known)
            vec_push(&s->heads, edges[i]);
    }
}

static void stream_join(struct capture *c, struct stream *s)
{
    vec_push(&c->streams, s);
    s->heads.len = 0;
    atomic_store_explicit(&s->capture, c, memory_order_release);
    if (is_blocking(s))
        atomic_fetch_add(&blocking_active, 1);
}

static void stream_part(struct stream *s)
{
    atomic_store_explicit(&s->capture, NULL, memory_order_release);
    vec_free(&s->heads);
    if (is_blocking(s))
        atomic_fetch_sub(&blocking_active, 1);
}

// ---- what is not allowed meanwhile
CUresult capture_unsafe(void)
{
    if (__builtin_expect(!atomic_load_explicit(&active, memory_order_relaxed), 1))
        return CUDA_SUCCESS;
    CUresult r = CUDA_SUCCESS;
    graphs_lock();
    for (struct capture *c = captures; c; c = c->next)
        if ((c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL && thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL) ||
            (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && thread_mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
             c->thread == &thread_mark))
            r = capture_invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    graphs_unlock();
    return r;
}

CUresult capture_guard(struct stream *s)
{
    if (__builtin_expect(!s->legacy || !atomic_load_explicit(&blocking_active, memory_order_relaxed), 1))
        return CUDA_SUCCESS;
    CUresult r = CUDA_SUCCESS;
    graphs_lock();
    for (struct capture *c = captures; c; c = c->next)
        for (size_t i = 0; i < c->streams.len; i++)
            if (is_blocking(c->streams.data[i]) && c->streams.data[i]->context == s->context)
                r = capture_invalidate(c, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    graphs_unlock();
    return r;
}

CUresult capture_wait(struct stream *s)
{
    if (__builtin_expect(!stream_captured(s), 1)) {
        CUresult r = capture_guard(s);
        return r ? r : capture_unsafe();
    }
    graphs_lock();
    struct capture *c = capture_of(s);
    CUresult r = c ? capture_invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) : CUDA_SUCCESS;
    graphs_unlock();
    return r;
}

CUresult capture_wait_context(struct context *context)
{
    CUresult r = CUDA_SUCCESS;
    if (__builtin_expect(!atomic_load_explicit(&active, memory_order_relaxed), 1))
        return CUDA_SUCCESS;
    graphs_lock();
    for (struct capture *c = captures; c; c = c->next)
        if (c->origin->context == context)
            r = capture_invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    graphs_unlock();
    return r;
}

CUresult capture_forbid(struct stream *s)
{
    return stream_captured(s) ? capture_wait(s) : CUDA_SUCCESS;
}

static CUresult add(struct stream *s, const struct addition *a)
{
    struct graph_node *n = NULL;
    graphs_lock();
    struct capture *c = capture_of(s);
    CUresult r = !c ? CUDA_ERROR_ILLEGAL_STATE : c->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    r = r ? r : c->target->add(c, s, a, &n);
    if (!r) {
        s->heads.len = 0;
        vec_push(&s->heads, ((struct graph_edge){n, {0}}));
    }
    graphs_unlock();
    return r;
}

CUresult capture_spoil(struct stream *s, CUresult r)
{
    graphs_lock();
    struct capture *c = capture_of(s);
    if (c)
        capture_invalidate(c, r);
    graphs_unlock();
    return r;
}

CUresult capture_node(struct stream *s, CUgraphNodeParams *params)
{
    return add(s, &(struct addition){.params = params});
}

CUresult capture_kernel(struct stream *s, struct function *f, CUkernel kernel, const struct launch_request *q,
                        const void *args)
{
    return add(s, &(struct addition){.function = f, .kernel = kernel, .request = q, .args = args});
}

// ---- events
void capture_event_forget(struct event *e)
{
    if (!e->capture)
        return;
    graphs_lock();
    e->capture = 0;
    vec_free(&e->heads);
    graphs_unlock();
}

CUresult capture_event_check(struct event *e)
{
    if (__builtin_expect(!e->capture, 1))
        return capture_unsafe();
    graphs_lock();
    struct capture *c = e->capture ? capture_find(e->capture) : NULL;
    CUresult r = c ? capture_invalidate(c, CUDA_ERROR_CAPTURED_EVENT) : CUDA_ERROR_INVALID_VALUE;
    graphs_unlock();
    return r;
}

CUresult capture_record(struct event *e, struct stream *s)
{
    graphs_lock();
    struct capture *c = capture_of(s);
    CUresult r = !c ? CUDA_ERROR_ILLEGAL_STATE : c->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    if (!r) {
        e->capture = c->id;
        e->heads.len = 0;
        for (size_t i = 0; i < s->heads.len; i++)
            vec_push(&e->heads, s->heads.data[i]);
    }
    graphs_unlock();
    return r;
}

CUresult capture_wait_event(struct stream *s, struct event *e)
{
    graphs_lock();
    struct capture *c = capture_of(s), *from = e->capture ? capture_find(e->capture) : NULL;
    CUresult r = CUDA_SUCCESS;
    if (c && c->invalid) {
        r = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    } else if (e->capture && !from) { // recorded in a capture that is over: there is nothing to wait for
        r = CUDA_ERROR_INVALID_VALUE;
    } else if (!from && !e->op) { // never recorded: nothing to wait for
    } else if (!from) {           // c: an event of work that is carried out
        r = capture_invalidate(c, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    } else if (from->invalid) {
        r = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    } else if (c && c != from) {
        capture_invalidate(c, CUDA_SUCCESS);
        r = capture_invalidate(from, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    } else if (s->legacy) {
        r = capture_invalidate(from, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    } else {
        if (!c)
            stream_join(from, s);
        capture_heads_add(s, e->heads.data, e->heads.len);
    }
    graphs_unlock();
    return r;
}

// ---- begin and end
void capture_begin(struct capture *c, struct stream *origin)
{
    c->id = next_id++;
    c->thread = &thread_mark;
    c->origin = origin;
    c->next = captures;
    captures = c;
    atomic_fetch_add(&active, 1);
    stream_join(c, origin);
}

void capture_end(struct capture *c)
{
    struct capture **p = &captures;
    while (*p != c)
        p = &(*p)->next;
    *p = c->next;
    for (size_t i = 0; i < c->streams.len; i++)
        stream_part(c->streams.data[i]);
    vec_free(&c->streams);
    vec_free(&c->left);
    free(c->nodes);
    free(c->edges);
    atomic_fetch_sub(&active, 1);
    c->graph->capturing = false;
    free(c);
}

void capture_stream_gone(struct stream *s)
{
    if (!stream_captured(s))
        return;
    graphs_lock();
    struct capture *c = capture_of(s);
    if (c && c->origin == s) {
        struct graph *g = c->given ? NULL : c->graph;
        const struct capture_target *target = c->target;
        capture_end(c);
        target->discard(g);
    } else if (c) {
        if (!vec_try_reserve(&c->left, c->left.len + s->heads.len)) {
            c->invalid = true; // what it leaves open cannot be kept
            s->heads.len = 0;
        }
        for (size_t i = 0; i < s->heads.len; i++)
            vec_push(&c->left, s->heads.data[i].node);
        for (size_t i = 0; i < c->streams.len; i++)
            if (c->streams.data[i] == s) {
                c->streams.data[i] = c->streams.data[--c->streams.len];
                break;
            }
        stream_part(s);
    }
    graphs_unlock();
}

bool capture_is_own(const struct capture *c)
{
    return c->thread == &thread_mark;
}

bool capture_blocks(void)
{
    return atomic_load(&blocking_active);
}

CUresult stream_capture_mode(CUstreamCaptureMode *mode)
{
    if (!mode || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode old = thread_mode;
    thread_mode = *mode;
    *mode = old;
    return CUDA_SUCCESS;
}
