// SPDX-License-Identifier: Apache-2.0
// Graphs inside the driver: graphs, nodes, executable graphs, user objects, and streams that are captured.
//
// Threads: CUDA leaves it to the program not to change one graph from two threads at once; captures join several
// threads, though. One lock (graphs_lock) is held by every function of the interface that reads or changes graphs or
// captures; a launch takes the lock of its executable graph alone.
#ifndef HEDDLE_DRIVER_GRAPH_GRAPH_H
#define HEDDLE_DRIVER_GRAPH_GRAPH_H
#include "base/reserve.h"
#include "driver/driver.h"

// What a HANDLE_GRAPH stands for; the first member of each.
enum graph_tag { TAG_GRAPH = 1, TAG_NODE, TAG_EXEC, TAG_USER_OBJECT };

struct graph;

// A word that kernels set and conditional nodes read. Its address is the handle that device code knows, so graphs and
// what is made of them share it.
struct condition {
    atomic_uint refs;
    uint32_t value, initial;
    bool assign;             // initial is assigned at every launch
    struct graph_node *node; // that reads it; NULL: none yet
};

struct user_object {
    enum graph_tag tag;
    CUuserObject handle;
    atomic_ullong refs;
    CUhostFn destroy;
    void *data;
};
struct user_reference {
    struct user_object *object;
    uint64_t count;
};

// Memory of an allocation node: its address is given out when the node is made, and is valid from the launch until it
// is freed.
struct graph_memory {
    atomic_uint refs; // nodes; one while it is outstanding
    char *base;
    size_t bytes;
    int device;
    uint64_t context;
    atomic_bool outstanding; // allocated by a launch, not freed yet
    atomic_uint running;     // launches that use it, and frees that their stream has not got to
};

struct graph_node {
    enum graph_tag tag;
    CUgraphNode handle;
    struct graph *graph;
    uint64_t id, origin; // origin: id of the node that this one is a copy of
    CUgraphNodeType type;
    struct VEC(struct graph_edge) in, out;
    CUgraphNodeParams params; // what its pointers point to belongs to the node
    // kernels
    struct function *function; // its module is retained
    char *args;
    void **arg_pointers;
    struct VEC(CUlaunchAttribute) attributes;
    // child graphs, bodies of conditional nodes
    struct graph **children;
    CUgraph *child_handles;
    uint32_t nchildren;
    struct condition *condition;
    struct graph_memory *memory; // allocation and free nodes
    // in executable graphs
    struct plan *plan;
    uint32_t step, last_step; // they differ for child graphs
    struct op *fresh;         // for the step, from the next launch on
    bool disabled, dirty;
    uint32_t index; // scratch
};

struct graph {
    enum graph_tag tag;
    CUgraph handle;
    uint64_t id, origin;
    struct VEC(struct graph_node *) nodes; // in the order in which they were made
    struct graph_node *owner;              // a child graph or a body: the node that it belongs to
    struct VEC(struct user_reference) users;
    struct VEC(struct condition *) conditions;
    unsigned instances; // executable graphs made of it
    bool capturing;     // a stream is captured into it
};

// ---- lookup.c
void graphs_lock(void);
void graphs_unlock(void);
struct graph *graph_get(CUgraph handle);
struct graph_node *node_get(CUgraphNode handle);
struct exec *exec_get(CUgraphExec handle);

// ---- graph.c
uint64_t graph_next_id(void);
struct graph *graph_new(void); // NULL: out of memory
void graph_free(struct graph *g);
void user_object_release(struct user_object *o, uint64_t count);
// A deep copy. execution: also of what cudaGraphClone refuses, for an executable graph.
CUresult graph_copy(struct graph *g, bool execution, struct graph **out);
// Memory for a copy of the graph and a plan of it: see reserve_begin.
bool graph_reserve(struct reserve *r, const struct graph *g);
// The nodes in an order that respects the edges; false: there is a cycle, through *bad.
bool graph_order(struct graph *g, struct graph_node **out, struct graph_node **bad);
CUresult graph_connect(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data);
bool graph_has_memory(const struct graph *g); // an allocation or free node, at any depth
CUresult edge_check(const struct graph_node *from, const CUgraphEdgeData *data);

// ---- node.c
// A new node behind deps (edges: may be NULL). For allocations params gets the address, for conditional nodes the
// bodies.
CUresult node_make(struct graph *g, struct graph_node *const *deps, const CUgraphEdgeData *edges, size_t n,
                   CUgraphNodeParams *params, struct graph_node **out);
void node_free(struct graph_node *n);
CUresult node_copy(const struct graph_node *from, struct graph *to, bool execution, struct graph_node **out);
// New parameters for a node of the same type.
CUresult node_set(struct graph_node *n, const CUgraphNodeParams *params);
// The kernel, arguments and attributes of another kernel node.
void node_take_kernel(struct graph_node *to, const struct graph_node *from);
// What a step of a plan does for the node.
CUresult node_op(struct graph_node *n, struct op **out);
// The next run of a record node's op finishes the mark, of which it takes over a reference.
void graph_record_mark(struct op *op, struct op *mark);
CUresult node_make_kernel(struct graph *g, struct graph_node *const *deps, const CUgraphEdgeData *edges, size_t n,
                          struct function *f, CUkernel kernel, const struct launch_request *q, const void *args,
                          struct graph_node **out);

// ---- condition.c
CUresult graph_condition_set(struct graph_node *n, CUDA_CONDITIONAL_NODE_PARAMS *p);
bool graph_condition_allows(
    const struct graph *g); // as a body: it holds nothing that may not stand in one, at any depth
CUresult graph_condition_op(struct graph_node *n, struct op **out);

// ---- exec.c
// A plan of the graph's nodes, body of a conditional node.
CUresult exec_plan(struct graph *g, struct plan **out, struct graph_node **bad);

// ---- graph_memory.c
CUresult graph_memory_make(CUDA_MEM_ALLOC_NODE_PARAMS *params, struct graph_memory **out);
struct graph_memory *graph_memory_retain(struct graph_memory *m);
void graph_memory_release(struct graph_memory *m);
struct graph_memory *graph_memory_find(CUdeviceptr address);
// Whether the range may be used now: it is none of a graph, or a launch has allocated it and nobody freed it.
bool graph_memory_valid(const struct memory_range *r);
// A launch allocates it, a launch or the end of its context frees it; false: it was free. The last reference goes under the lock.
void graph_memory_allocated(struct graph_memory *m);
bool graph_memory_freed(struct graph_memory *m);
// cuMemFree.
CUresult graph_memory_free(CUdeviceptr address);
// cuMemFreeAsync: it counts as free at once, and its pages stay until the stream gives it. NULL: nothing of it is to be freed.
struct graph_memory *graph_memory_take(CUdeviceptr address);
void graph_memory_give(struct graph_memory *m);
void graph_memory_clear(uint64_t context);

// ---- stream/captured.c
// Adds a node behind what the stream has captured so far; afterwards the stream continues from it.
CUresult capture_node(struct stream *s, CUgraphNodeParams *params);
// A call that fails in a stream that is captured ends the capture. Returns r.
CUresult capture_spoil(struct stream *s, CUresult r);
CUresult capture_kernel(struct stream *s, struct function *f, CUkernel kernel, const struct launch_request *q,
                        const void *args);
// Events recorded in a captured stream; a wait where the stream or the event is captured.
CUresult capture_record(struct event *e, struct stream *s);
CUresult capture_wait_event(struct stream *s, struct event *e);
// Before the host asks for an event's state.
CUresult capture_event_check(struct event *e);
void capture_event_forget(struct event *e); // it is recorded anew, or goes
void capture_stream_gone(struct stream *s);
// Before work in a stream that is not captured: an error where the legacy stream would wait for one that is.
CUresult capture_guard(struct stream *s);
// Before the host waits for a stream, or asks for its state.
CUresult capture_wait(struct stream *s);
CUresult capture_wait_context(struct context *c);
// Before work that cannot be captured.
CUresult capture_forbid(struct stream *s);
// Before calls that might wait for other work.
CUresult capture_unsafe(void);
#endif
