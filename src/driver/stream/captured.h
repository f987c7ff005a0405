// SPDX-License-Identifier: Apache-2.0
// A capture under way. Streams and events know of it (captured.c); the graph that it fills is above them (graph/capture.c).
#ifndef HEDDLE_DRIVER_STREAM_CAPTURED_H
#define HEDDLE_DRIVER_STREAM_CAPTURED_H
#include "driver/graph/graph.h"

// What is to be added: a node by its parameters, or a launch.
struct addition {
    CUgraphNodeParams *params;
    struct function *function;
    CUkernel kernel;
    const struct launch_request *request;
    const void *args;
};

// What a capture asks of its graph. Work of all kinds is captured, and a node is made of what each kind of work checks and does:
// so the graphs are above the work, and give a capture these when it begins.
struct capture_target {
    // A node behind the stream's heads.
    CUresult (*add)(struct capture *c, const struct stream *s, const struct addition *a, struct graph_node **out);
    void (*discard)(struct graph *g);
};

struct capture {
    struct capture *next;
    uint64_t id;
    const struct capture_target *target;
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

// All with the lock of the graphs.
static inline struct capture *capture_of(struct stream *s)
{
    return atomic_load_explicit(&s->capture, memory_order_acquire);
}
static inline CUresult capture_invalidate(struct capture *c, CUresult why)
{
    c->invalid = true;
    return why;
}
void capture_heads_add(struct stream *s, const struct graph_edge *edges, size_t n);
void capture_begin(struct capture *c, struct stream *origin); // by this thread
void capture_end(struct capture *c);                          // frees it; the graph stays
bool capture_is_own(const struct capture *c);                 // this thread began it
bool capture_blocks(void);                                    // a stream is captured that the legacy one waits for
#endif
