// SPDX-License-Identifier: Apache-2.0
// How libcudart and tools get at the timeline (base/timeline/timeline.h).
#include "base/timeline/timeline.h"
#include "driver/context/inject.h"
#include "driver/graph/exec.h"

static uint32_t context_id(void *handle)
{
    struct context *c = NULL;
    if (!handle && context_peek(&c))
        return 0;
    c = handle ? context_get(handle) : c;
    return c ? (uint32_t)c->id : 0;
}

static uint32_t device_id(void *handle)
{
    struct context *c = NULL;
    if (!handle && context_peek(&c))
        return UINT32_MAX;
    c = handle ? context_get(handle) : c;
    return c ? (uint32_t)c->device : UINT32_MAX;
}

static uint32_t stream_id(void *handle, bool per_thread)
{
    struct stream *s;
    CUstream stream = handle ? handle : per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
    return stream_enter(stream, &s) ? 0 : (uint32_t)s->id;
}

static uint32_t graph_id(void *handle, bool exec)
{
    graphs_lock();
    struct graph *g = exec ? NULL : graph_get(handle);
    struct exec *x = exec ? exec_get(handle) : NULL;
    uint32_t id = g ? (uint32_t)g->id : x ? (uint32_t)x->source_id : 0;
    graphs_unlock();
    return id;
}

static uint64_t graph_node_id(void *handle)
{
    graphs_lock();
    struct graph_node *n = node_get(handle);
    uint64_t id = n ? n->id : 0;
    graphs_unlock();
    return id;
}

__attribute__((visibility("default"))) timeline_access_fn heddleTimeline;
const struct timeline_access *heddleTimeline(void)
{
    static const struct timeline_access access = {.version = TIMELINE_VERSION,
                                                  .wanted = &timeline_wanted,
                                                  .enter = timeline_enter,
                                                  .leave = timeline_leave,
                                                  .listen = timeline_listen,
                                                  .now = timeline_now,
                                                  .correlation = timeline_correlation,
                                                  .context_id = context_id,
                                                  .stream_id = stream_id,
                                                  .device_id = device_id,
                                                  .graph_id = graph_id,
                                                  .graph_node_id = graph_node_id,
                                                  .put_off = inject_put_off,
                                                  .inject = inject_now};
    return &access;
}
