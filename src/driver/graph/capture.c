// SPDX-License-Identifier: Apache-2.0
// Streams that are captured: work submitted to them becomes nodes of a graph instead of being carried out.
//
// A capture begins in one stream, its origin; stream/captured.c has what follows for it and others. At the end every stream that
// joined must have been joined back: all its heads are behind what the origin ends with.
#include "driver/stream/captured.h"
#include <stdlib.h>

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

static CUresult capture_add(struct capture *c, const struct stream *s, const struct addition *a,
                            struct graph_node **out)
{
    struct heads h = heads_split(s);
    CUresult r = a->params ? node_make(c->graph, h.nodes, h.edges, s->heads.len, a->params, out)
                           : node_make_kernel(c->graph, h.nodes, h.edges, s->heads.len, a->function, a->kernel,
                                              a->request, a->args, out);
    free(h.nodes);
    free(h.edges);
    return r;
}

static const struct capture_target target = {capture_add, graph_free};

// ---- begin and end
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
    c->target = &target;
    c->mode = mode;
    capture_begin(c, s);
    for (size_t i = 0; i < n; i++) {
        struct graph_edge e = {node_get(deps[i]), {0}};
        if (edges)
            e.data = edges[i];
        capture_heads_add(s, &e, 1);
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
    graphs_lock();
    struct capture *c = capture_of(s);
    if (graph)
        *graph = NULL;
    if (!c) {
        r = CUDA_ERROR_ILLEGAL_STATE;
    } else if (s != c->origin) {
        r = capture_invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    } else {
        struct graph *g = c->graph;
        bool given = c->given, wrong = c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !capture_is_own(c);
        r = wrong        ? CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
            : c->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
            : joined(c)  ? CUDA_SUCCESS
                         : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
        capture_end(c);
        if (!r && graph)
            *graph = g->handle;
        else if (!given)
            graph_free(g); // of no use, or nobody wants it
    }
    graphs_unlock();
    return r;
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
    return !r && (*s)->legacy && capture_blocks() ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : r;
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
        capture_heads_add(s, &e, 1);
    }
    graphs_unlock();
    return r;
}

CUresult stream_update_capture_plain(CUstream stream, CUgraphNode *dependencies, size_t count, unsigned flags)
{
    return stream_update_capture(stream, dependencies, NULL, count, flags);
}
