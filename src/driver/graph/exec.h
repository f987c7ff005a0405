// SPDX-License-Identifier: Apache-2.0
// An executable graph, as exec.c makes and launches it and update.c changes it.
#ifndef HEDDLE_DRIVER_GRAPH_EXEC_H
#define HEDDLE_DRIVER_GRAPH_EXEC_H
#include "driver/graph/graph.h"

struct event_step { // a step that records or waits for an event, in the order of the plan
    struct graph_node *node;
    struct plan *plan;
    uint32_t step;
};

struct exec_plan {
    atomic_uint refs;
    struct plan *plan;
    struct VEC(struct event_step) events;
};

struct exec {
    enum graph_tag tag;
    CUgraphExec handle;
    atomic_uint refs;
    pthread_mutex_t lock; // of plan, last and changed
    struct graph *graph;
    CUgraph source; // the graph it was made of, and its number
    uint64_t source_id;
    cuuint64_t flags;
    struct exec_plan *plan;
    struct VEC(struct graph_node *) nodes; // of all depths, sorted by origin
    struct VEC(struct graph_node *) changed;
    struct VEC(struct graph_memory *) allocated, kept; // kept: not freed by the graph itself
    struct op *last;
};
#endif
