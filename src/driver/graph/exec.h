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
    uint32_t nsteps;
    struct VEC(struct event_step) events;
    struct graph_places *places; // of its steps; NULL in processes that are not checked
};

// ---- places.c: where the steps of a launch stand among all operations, in checked processes (device/order/order.h)
struct places { // of one launch
    uint32_t n;
    struct order *step[];
};
struct graph_places *graph_places_make(uint32_t nsteps, const struct plan_edge *edges, size_t nedges);
void graph_places_free(struct graph_places *g);
// Behind the launch, which has its place in the stream; what comes in the stream later, or behind `done`, is behind all of them. waits: by
// step, what else it waits for, or NULL.
struct places *graph_places_take(const struct graph_places *g, struct stream *s, const struct op *launch,
                                 struct op *const *waits, struct order_line *done);
void graph_places_give(struct places *p);

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
    struct VEC(struct condition *) conditions;                // of the graph and of the bodies in it
    struct VEC(struct graph_memory *) allocated, kept, freed; // kept: not freed by the graph itself
    struct op *last;
    struct order_line *done; // in checked processes: what all launches so far have done
};
#endif
