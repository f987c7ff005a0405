// SPDX-License-Identifier: Apache-2.0
// Streams that are captured: work submitted to them becomes nodes of a graph instead of being carried out.
//
// A capture begins in one stream, its origin. A captured stream knows its heads: the nodes that the next one comes
// behind. An event recorded in it remembers them, and a stream that waits for such an event joins the capture with
// those heads (or adds them to its own). At the end every stream that joined must have been joined back: all its heads
// are behind what the origin ends with.
//
// What would need the result of work that is never carried out is an error that makes the capture invalid: waiting for
// a captured stream or event, mixing two captures, waiting for an event from outside. So do calls that might
// synchronise with other work, such as cudaMalloc, while a capture of mode GLOBAL is under way anywhere, or one of mode
// THREAD_LOCAL in the calling thread; a thread may exempt itself (cudaThreadExchangeStreamCaptureMode).
#include "driver/graph/graph.h"
#include <stdlib.h>

struct capture {
    struct capture *next;
    uint64_t id;
    struct graph *graph;
    CUstreamCaptureMode mode;
    const void *thread; // that began it
    struct stream *origin;
    struct VEC(struct stream *) streams;  // the origin and those that joined
    struct VEC(struct graph_node *) left; // heads of streams that joined and were destroyed
    bool invalid, given;                  // given: the graph is the program's own
    CUgraphNode *nodes;                   // what stream_capture_info answered last
    CUgraphEdgeData *edges;
};

static struct capture *captures; // guarded by graphs_lock
static uint64_t next_id = 1;
static atomic_uint active, blocking_active; // captures; streams in them that the legacy one waits for
static _Thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
static _Thread_local char thread_mark; // its address tells threads apart

static bool is_blocking(const struct stream *s)
{
    return !(s->flags & CU_STREAM_NON_BLOCKING);
}

static struct capture *capture_of(struct stream *s)
{
    return atomic_load_explicit(&s->capture, memory_order_acquire);
}

static struct capture *capture_find(uint64_t id)
{
    struct capture *c = captures;
    while (c && c->id != id)
        c = c->next;
    return c;
}

// ---- heads
static void heads_add(struct stream *s, const struct graph_edge *edges, size_t n)
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

static CUresult invalidate(struct capture *c, CUresult why)
{
    c->invalid = true;
    return why;
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
            r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
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
                r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
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
    CUresult r = c ? invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) : CUDA_SUCCESS;
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
            r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    graphs_unlock();
    return r;
}

CUresult capture_forbid(struct stream *s)
{
    return stream_captured(s) ? capture_wait(s) : CUDA_SUCCESS;
}

// ---- nodes
struct heads {
    struct graph_node **nodes;
    CUgraphEdgeData *edges;
};

static struct heads heads_split(const struct stream *s)
{
    struct heads h = {xcalloc(s->heads.len + 1, sizeof *h.nodes), xcalloc(s->heads.len + 1, sizeof *h.edges)};
    for (size_t i = 0; i < s->heads.len; i++) {
        h.nodes[i] = s->heads.data[i].node;
        h.edges[i] = s->heads.data[i].data;
    }
    return h;
}

// What is to be added: a node by its parameters, or a launch.
struct addition {
    CUgraphNodeParams *params;
    struct function *function;
    CUkernel kernel;
    const struct launch_request *request;
    const void *args;
};

static CUresult add(struct stream *s, const struct addition *a)
{
    struct graph_node *n = NULL;
    graphs_lock();
    struct capture *c = capture_of(s);
    CUresult r = !c ? CUDA_ERROR_ILLEGAL_STATE : c->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    if (!r) {
        struct heads h = heads_split(s);
        if (a->params)
            r = node_make(c->graph, h.nodes, h.edges, s->heads.len, a->params, &n);
        else
            r = node_make_kernel(c->graph, h.nodes, h.edges, s->heads.len, a->function, a->kernel, a->request, a->args,
                                 &n);
        free(h.nodes);
        free(h.edges);
    }
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
        invalidate(c, r);
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
    CUresult r = c ? invalidate(c, CUDA_ERROR_CAPTURED_EVENT) : CUDA_ERROR_INVALID_VALUE;
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
        r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    } else if (from->invalid) {
        r = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    } else if (c && c != from) {
        invalidate(c, CUDA_SUCCESS);
        r = invalidate(from, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    } else if (s->legacy) {
        r = invalidate(from, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    } else {
        if (!c)
            stream_join(from, s);
        heads_add(s, e->heads.data, e->heads.len);
    }
    graphs_unlock();
    return r;
}

// ---- begin and end
static void capture_free(struct capture *c)
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

static CUresult begin(CUstream stream, struct graph *given, const CUgraphNode *deps, const CUgraphEdgeData *edges,
                      size_t n, CUstreamCaptureMode mode)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    if (s->legacy)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (capture_of(s))
        return CUDA_ERROR_ILLEGAL_STATE;
    for (size_t i = 0; i < n; i++)
        if (!node_get(deps[i]) || node_get(deps[i])->graph != given)
            return CUDA_ERROR_INVALID_VALUE;
    struct capture *c = xcalloc(1, sizeof *c);
    c->graph = given ? given : graph_new();
    if (!c->graph) {
        free(c);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    c->given = given;
    c->graph->capturing = true;
    c->id = next_id++;
    c->mode = mode;
    c->thread = &thread_mark;
    c->origin = s;
    c->next = captures;
    captures = c;
    atomic_fetch_add(&active, 1);
    stream_join(c, s);
    for (size_t i = 0; i < n; i++) {
        struct graph_edge e = {node_get(deps[i]), {0}};
        if (edges)
            e.data = edges[i];
        heads_add(s, &e, 1);
    }
    return CUDA_SUCCESS;
}

CUresult stream_begin_capture(CUstream stream, CUstreamCaptureMode mode)
{
    graphs_lock();
    CUresult r = begin(stream, NULL, NULL, NULL, 0, mode);
    graphs_unlock();
    return r;
}

CUresult stream_begin_capture_to(CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                                 const CUgraphEdgeData *edges, size_t count, CUstreamCaptureMode mode)
{
    graphs_lock();
    struct graph *g = graph_get(graph);
    CUresult r = !g || g->capturing || (count && !dependencies) ? CUDA_ERROR_INVALID_VALUE
                                                                : begin(stream, g, dependencies, edges, count, mode);
    graphs_unlock();
    return r;
}

// Whether everything that the streams hold is behind what the origin holds.
static bool joined(struct capture *c)
{
    struct graph *g = c->graph;
    struct VEC(struct graph_node *) work = {0};
    bool ok = true;
    for (size_t i = 0; i < g->nodes.len; i++)
        g->nodes.data[i]->index = 0;
    for (size_t i = 0; i < c->origin->heads.len; i++) {
        c->origin->heads.data[i].node->index = 1;
        vec_push(&work, c->origin->heads.data[i].node);
    }
    while (work.len) { // each node once
        struct graph_node *n = work.data[--work.len];
        for (size_t i = 0; i < n->in.len; i++)
            if (!n->in.data[i].node->index) {
                n->in.data[i].node->index = 1;
                vec_push(&work, n->in.data[i].node);
            }
    }
    for (size_t i = 0; i < c->streams.len; i++)
        for (size_t k = 0; k < c->streams.data[i]->heads.len; k++)
            ok = ok && c->streams.data[i]->heads.data[k].node->index;
    for (size_t i = 0; i < c->left.len; i++)
        ok = ok && c->left.data[i]->index;
    vec_free(&work);
    return ok;
}

CUresult stream_end_capture(CUstream stream, CUgraph *graph)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!graph)
        return CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    struct capture *c = capture_of(s);
    *graph = NULL;
    if (!c) {
        r = CUDA_ERROR_ILLEGAL_STATE;
    } else if (s != c->origin) {
        r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    } else {
        struct graph *g = c->graph;
        bool given = c->given, wrong = c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && c->thread != &thread_mark;
        r = wrong        ? CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
            : c->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
            : joined(c)  ? CUDA_SUCCESS
                         : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
        capture_free(c);
        if (!r)
            *graph = g->handle;
        else if (!given)
            graph_free(g);
    }
    graphs_unlock();
    return r;
}

void capture_stream_gone(struct stream *s)
{
    if (!stream_captured(s))
        return;
    graphs_lock();
    struct capture *c = capture_of(s);
    if (c && c->origin == s) {
        struct graph *g = c->given ? NULL : c->graph;
        capture_free(c);
        graph_free(g);
    } else if (c) {
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

// ---- queries
static CUresult status_of(struct stream *s, CUstreamCaptureStatus *status)
{
    struct capture *c = capture_of(s);
    *status = !c           ? CU_STREAM_CAPTURE_STATUS_NONE
              : c->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                           : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
}

// The legacy stream cannot be asked while a stream that it would wait for is captured.
static CUresult query_enter(CUstream stream, struct stream **s)
{
    CUresult r = stream_enter(stream, s);
    return !r && (*s)->legacy && atomic_load(&blocking_active) ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : r;
}

CUresult stream_is_capturing(CUstream stream, CUstreamCaptureStatus *status)
{
    struct stream *s;
    CUresult r = query_enter(stream, &s);
    if (r)
        return r;
    if (!status)
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream_captured(s)) {
        *status = CU_STREAM_CAPTURE_STATUS_NONE;
        return CUDA_SUCCESS;
    }
    graphs_lock();
    r = status_of(s, status);
    graphs_unlock();
    return r;
}

CUresult stream_capture_info(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                             const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count)
{
    struct stream *s;
    CUresult r = query_enter(stream, &s);
    if (r)
        return r;
    if (!status)
        return CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    struct capture *c = capture_of(s);
    status_of(s, status);
    if (*status == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        free(c->nodes);
        free(c->edges);
        c->nodes = xcalloc(s->heads.len + 1, sizeof *c->nodes);
        c->edges = xcalloc(s->heads.len + 1, sizeof *c->edges);
        for (size_t i = 0; i < s->heads.len; i++) {
            static const CUgraphEdgeData plain = {0};
            c->nodes[i] = s->heads.data[i].node->handle;
            c->edges[i] = s->heads.data[i].data;
            if (dependencies && !edges && memcmp(&c->edges[i], &plain, sizeof plain))
                r = CUDA_ERROR_LOSSY_QUERY;
        }
        if (id)
            *id = c->id;
        if (graph)
            *graph = c->graph->handle;
        if (dependencies)
            *dependencies = c->nodes;
        if (edges)
            *edges = c->edges;
        if (count)
            *count = s->heads.len;
    }
    graphs_unlock();
    return r;
}

CUresult stream_capture_info_old(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                 const CUgraphNode **dependencies, size_t *count)
{
    return stream_capture_info(stream, status, id, graph, dependencies, NULL, count);
}

CUresult stream_update_capture(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *edges, size_t count,
                               unsigned flags)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES || (count && !dependencies))
        return CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    struct capture *c = capture_of(s);
    r = !c ? CUDA_ERROR_ILLEGAL_STATE : c->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    for (size_t i = 0; i < count && !r; i++) {
        struct graph_node *n = node_get(dependencies[i]);
        r = n && n->graph == c->graph ? edge_check(n, edges ? &edges[i] : NULL) : CUDA_ERROR_INVALID_VALUE;
    }
    if (!r && flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        s->heads.len = 0;
    for (size_t i = 0; i < count && !r; i++) {
        struct graph_edge e = {node_get(dependencies[i]), {0}};
        if (edges)
            e.data = edges[i];
        heads_add(s, &e, 1);
    }
    graphs_unlock();
    return r;
}

CUresult stream_update_capture_plain(CUstream stream, CUgraphNode *dependencies, size_t count, unsigned flags)
{
    return stream_update_capture(stream, dependencies, NULL, count, flags);
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
