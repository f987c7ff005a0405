// SPDX-License-Identifier: Apache-2.0
// Executable graphs. Instantiation copies the graph, so that later changes of it have no effect, puts its nodes in
// order and makes one plan of them (device/sched/plan.c), child graphs included; the bodies of conditional nodes are plans of
// their own. A launch is one operation in the stream, which starts the plan.
//
// Launches of one executable graph follow each other, whatever their streams: the steps of its plan are there once. New
// parameters become new operations for single steps. While a launch is under way the plan cannot change: then the next
// launch gets a new plan, and the old one goes with its last launch.
#include "device/count/count.h"
#include "driver/graph/exec.h"
#include <stdlib.h>

// ---- making plans
struct builder {
    struct VEC(struct op *) ops;
    struct VEC(struct plan_edge) edges;
    struct VEC(struct graph_node *) nodes; // of each step; NULL: the end of a child graph
    struct graph_node *bad;
};

static void edge_add(struct builder *b, uint32_t from, uint32_t to)
{
    vec_push(&b->edges, ((struct plan_edge){from, to}));
}

static CUresult step_add(struct builder *b, struct graph_node *n, uint32_t *step)
{
    struct op *op = NULL;
    CUresult r = CUDA_SUCCESS;
    if (!n) {
        op = op_create(sizeof *op, NULL, NULL);
        r = op ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    } else if (n->fresh) {
        op = n->fresh;
        n->fresh = NULL;
    } else {
        r = node_op(n, &op);
    }
    if (r) {
        b->bad = n;
        return r;
    }
    if (n && op->describe)
        op->trace.graph_node = n->origin ? n->origin : n->id;
    *step = (uint32_t)b->ops.len;
    vec_push(&b->ops, op);
    vec_push(&b->nodes, n);
    return CUDA_SUCCESS;
}

// Adds the nodes of a graph. entry: the step before all of them, or UINT32_MAX.
static CUresult graph_add(struct builder *b, struct graph *g, uint32_t entry)
{
    struct graph_node **order = xcalloc(g->nodes.len + 1, sizeof *order);
    CUresult r = graph_order(g, order, &b->bad) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < g->nodes.len && !r; i++) {
        struct graph_node *n = order[i];
        r = step_add(b, n, &n->step);
        if (r)
            break;
        n->last_step = n->step;
        if (!n->in.len && entry != UINT32_MAX)
            edge_add(b, entry, n->step);
        for (size_t k = 0; k < n->in.len; k++) {
            bool again = false; // two edges between the same nodes, with different data
            for (size_t j = 0; j < k; j++)
                again |= n->in.data[j].node == n->in.data[k].node;
            if (!again)
                edge_add(b, n->in.data[k].node->last_step, n->step);
        }
        if (n->type != CU_GRAPH_NODE_TYPE_GRAPH)
            continue;
        struct graph *child = n->children[0];
        r = graph_add(b, child, n->step);
        r = r ? r : step_add(b, NULL, &n->last_step);
        for (size_t k = 0; k < child->nodes.len && !r; k++)
            if (!child->nodes.data[k]->out.len)
                edge_add(b, child->nodes.data[k]->last_step, n->last_step);
        if (!r && !child->nodes.len)
            edge_add(b, n->step, n->last_step);
    }
    free(order);
    return r;
}

static CUresult plan_build(struct graph *g, struct builder *b, struct plan **out, struct graph_places **places)
{
    *b = (struct builder){0};
    CUresult r = graph_add(b, g, UINT32_MAX);
    if (!r) {
        *out = plan_create(b->ops.data, (uint32_t)b->ops.len, b->edges.data, b->edges.len);
        if (places)
            *places = graph_places_make((uint32_t)b->ops.len, b->edges.data, b->edges.len);
        for (size_t i = 0; i < b->nodes.len; i++)
            if (b->nodes.data[i])
                b->nodes.data[i]->plan = *out;
    }
    for (size_t i = 0; i < b->ops.len; i++)
        op_release(b->ops.data[i]);
    vec_free(&b->ops);
    vec_free(&b->edges);
    return r;
}

CUresult exec_plan(struct graph *g, struct plan **out, struct graph_node **bad)
{
    struct builder b;
    CUresult r = plan_build(g, &b, out, NULL);
    *bad = b.bad;
    vec_free(&b.nodes);
    return r;
}

static CUresult exec_plan_make(struct graph *g, struct exec_plan **out, struct graph_node **bad)
{
    struct builder b;
    struct plan *plan;
    struct graph_places *places = NULL;
    CUresult r = plan_build(g, &b, &plan, &places);
    *bad = b.bad;
    if (!r) {
        struct exec_plan *p = xcalloc(1, sizeof *p);
        atomic_init(&p->refs, 1);
        p->plan = plan;
        p->places = places;
        p->nsteps = (uint32_t)b.nodes.len;
        for (size_t i = 0; i < b.nodes.len; i++) {
            struct graph_node *n = b.nodes.data[i];
            if (n && (n->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD || n->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT))
                vec_push(&p->events, ((struct event_step){n, plan, (uint32_t)i}));
        }
        *out = p;
    }
    vec_free(&b.nodes);
    return r;
}

static void exec_plan_release(struct exec_plan *p)
{
    if (!p || atomic_fetch_sub(&p->refs, 1) != 1)
        return;
    plan_destroy(p->plan);
    graph_places_free(p->places);
    vec_free(&p->events);
    free(p);
}

// ---- life
static void exec_release(struct exec *x)
{
    if (atomic_fetch_sub(&x->refs, 1) != 1)
        return;
    exec_plan_release(x->plan);
    op_release(x->last);
    order_line_free(x->done);
    graphs_lock();
    graph_free(x->graph);
    graphs_unlock();
    pthread_mutex_destroy(&x->lock);
    vec_free(&x->nodes);
    vec_free(&x->changed);
    vec_free(&x->allocated);
    vec_free(&x->kept);
    vec_free(&x->freed);
    vec_free(&x->conditions);
    free(x);
}

static int by_origin(const void *a, const void *b)
{
    const struct graph_node *x = *(struct graph_node *const *)a, *y = *(struct graph_node *const *)b;
    return (x->origin > y->origin) - (x->origin < y->origin);
}

static void nodes_collect(struct exec *x, struct graph *g)
{
    for (size_t i = 0; i < g->conditions.len; i++)
        vec_push(&x->conditions, g->conditions.data[i]);
    for (size_t i = 0; i < g->nodes.len; i++) {
        struct graph_node *n = g->nodes.data[i];
        vec_push(&x->nodes, n);
        if (n->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
            vec_push(&x->allocated, n->memory);
        if (n->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
            vec_push(&x->freed, n->memory);
        for (uint32_t k = 0; k < n->nchildren; k++)
            nodes_collect(x, n->children[k]);
    }
}

static bool freed_inside(const struct exec *x, const struct graph_memory *m)
{
    for (size_t i = 0; i < x->freed.len; i++)
        if (x->freed.data[i] == m)
            return true;
    return false;
}

static struct graph_node *source_node(const struct graph *g, uint64_t id)
{
    for (size_t i = 0; i < g->nodes.len; i++) {
        struct graph_node *n = g->nodes.data[i], *found = n->id == id ? n : NULL;
        for (uint32_t k = 0; k < n->nchildren && !found; k++)
            found = source_node(n->children[k], id);
        if (found)
            return found;
    }
    return NULL;
}

static bool conditions_used(const struct graph *g)
{
    for (size_t i = 0; i < g->conditions.len; i++)
        if (!g->conditions.data[i]->node)
            return false;
    return true;
}

static CUresult instantiate(struct graph *g, cuuint64_t flags, struct exec **out, CUgraphNode *bad,
                            CUgraphInstantiateResult *result)
{
    struct exec *x = xcalloc(1, sizeof *x);
    struct graph_node *wrong = NULL;
    *result = CUDA_GRAPH_INSTANTIATE_ERROR;
    *bad = NULL;
    CUresult r = graph_copy(g, true, &x->graph);
    if (r) {
        free(x);
        return r;
    }
    x->tag = TAG_EXEC;
    x->done = order_line_sum();
    x->flags = flags;
    x->source = g->handle;
    x->source_id = g->id;
    atomic_init(&x->refs, 1);
    pthread_mutex_init(&x->lock, NULL);
    nodes_collect(x, x->graph);
    if (x->nodes.len)
        qsort(x->nodes.data, x->nodes.len, sizeof *x->nodes.data, by_origin);
    for (size_t i = 0; i < x->allocated.len; i++)
        if (!freed_inside(x, x->allocated.data[i]))
            vec_push(&x->kept, x->allocated.data[i]);
    r = exec_plan_make(x->graph, &x->plan, &wrong);
    if (r && wrong) {
        struct graph_node *n = source_node(g, wrong->origin);
        struct graph_node **order = xcalloc(g->nodes.len + 1, sizeof *order), *cycle = NULL;
        *bad = n ? n->handle : NULL;
        if (!graph_order(g, order, &cycle))
            *result = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
        else if (r == CUDA_ERROR_NOT_SUPPORTED)
            *result = CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
        free(order);
    }
    if (!r && !(x->handle = handle_create(HANDLE_GRAPH, x)))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (r) {
        exec_release(x);
        return r;
    }
    *result = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    *out = x;
    return CUDA_SUCCESS;
}

CUresult graph_instantiate_params(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *p, CUstream stream)
{
    const cuuint64_t known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                             CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    struct context *c;
    struct exec *x;
    struct reserve reserve;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!exec || !p || p->flags & ~known)
        return CUDA_ERROR_INVALID_VALUE;
    p->hErrNode_out = NULL;
    p->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    if (p->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) {
        log_write(LOG_WARN, "graphs that kernels launch are not supported");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    graphs_lock();
    struct graph *g = graph_get(graph);
    if (!g || g->capturing) {
        r = CUDA_ERROR_INVALID_VALUE;
    } else if (g->owner) { // it runs as a part of its parent
        r = CUDA_ERROR_NOT_SUPPORTED;
    } else if (!conditions_used(g)) {
        p->result_out = CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
        r = CUDA_ERROR_INVALID_VALUE;
    } else if (g->instances && graph_has_memory(g)) { // the addresses are there once
        r = CUDA_ERROR_NOT_SUPPORTED;
    } else if (!graph_reserve(&reserve, g)) {
        r = CUDA_ERROR_OUT_OF_MEMORY;
    } else {
        r = instantiate(g, p->flags, &x, &p->hErrNode_out, &p->result_out);
        reserve_end(&reserve);
    }
    if (!r) {
        g->instances++;
        *exec = x->handle;
    }
    graphs_unlock();
    if (!r && p->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD)
        r = graph_upload(*exec, p->hUploadStream ? p->hUploadStream : stream);
    return r;
}

CUresult graph_instantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {.flags = flags};
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD)
        return CUDA_ERROR_INVALID_VALUE; // it wants a stream
    return graph_instantiate_params(exec, graph, &p, CU_STREAM_LEGACY);
}

CUresult graph_exec_destroy(CUgraphExec exec)
{
    graphs_lock();
    struct exec *x = exec_get(exec);
    bool mine = x && handle_take(exec, HANDLE_GRAPH);
    if (mine) {
        struct graph *g = graph_get(x->source);
        if (g && g->id == x->source_id)
            g->instances--;
    }
    graphs_unlock();
    if (!mine)
        return CUDA_ERROR_INVALID_VALUE;
    exec_release(x);
    return CUDA_SUCCESS;
}

CUresult graph_exec_flags(CUgraphExec exec, cuuint64_t *flags)
{
    struct exec *x = exec_get(exec);
    if (!x || !flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = x->flags;
    return CUDA_SUCCESS;
}

// ---- launch
struct graph_op {
    struct op op;
    struct exec *exec;
    struct exec_plan *plan;
    struct fault_box *faults;
    struct places *places; // of the steps, or NULL
    size_t nevents;
    struct graph_event {
        struct op *op;        // what the step finishes, or what it waits for (may be NULL)
        struct op_link *link; // of a step that waits
    } events[];
};

static void graph_op_done(void *data)
{
    struct graph_op *g = data;
    struct exec *x = g->exec;
    struct exec_plan *p = g->plan;
    struct fault_box *faults = g->faults;
    for (size_t i = 0; i < x->allocated.len; i++)
        atomic_fetch_sub(&x->allocated.data[i]->running, 1);
    for (size_t i = 0; i < x->freed.len; i++)
        atomic_fetch_sub(&x->freed.data[i]->running, 1);
    graph_places_give(g->places);
    // Before it is over: who has waited for it finds what it held given back.
    exec_plan_release(p);
    exec_release(x);
    op_finish(&g->op);
    fault_box_release(faults);
}

static void graph_op_describe(const struct op *op, struct timeline_event *e)
{
    e->kind = TIMELINE_GRAPH;
    e->graph = (uint32_t)op->trace.graph_node;
}

static void graph_op_run(struct op *op)
{
    struct graph_op *g = (struct graph_op *)op;
    bool lost = atomic_load(&g->faults->state.fault);
    for (size_t i = 0; i < g->nevents; i++) {
        struct event_step *e = &g->plan->events.data[i];
        struct op *other = g->events[i].op;
        if (!other)
            continue;
        if (e->node->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT) {
            if (lost)
                free(g->events[i].link);
            else
                plan_step_wait(e->plan, e->step, other, g->events[i].link);
        } else if (lost) {
            op_finish(other);
        } else {
            graph_record_mark(plan_op(e->plan, e->step), op_retain(other));
        }
        op_release(other);
    }
    if (lost) { // nothing runs any more
        op->trace.start = 0;
        graph_op_done(g);
        return;
    }
    for (size_t i = 0; i < g->exec->conditions.len; i++) {
        struct condition *c = g->exec->conditions.data[i];
        if (c->assign)
            __atomic_store_n(&c->value, c->initial, __ATOMIC_SEQ_CST);
    }
    plan_run_of(g->plan->plan, op->describe || count_wanted ? op : NULL);
    if (g->places)
        plan_order(g->plan->plan, g->places->step, NULL);
    plan_start(g->plan->plan, graph_op_done, g);
}

// New parameters take effect. The lock of x is held.
static CUresult refresh(struct exec *x)
{
    struct graph_node *bad;
    CUresult r = CUDA_SUCCESS;
    if (!x->changed.len)
        return CUDA_SUCCESS;
    if (x->last && !op_done(x->last)) {
        struct exec_plan *p;
        struct reserve reserve;
        if (!graph_reserve(&reserve, x->graph))
            return CUDA_ERROR_OUT_OF_MEMORY;
        r = exec_plan_make(x->graph, &p, &bad);
        reserve_end(&reserve);
        if (r)
            return r;
        exec_plan_release(x->plan);
        x->plan = p;
    }
    for (size_t i = 0; i < x->changed.len; i++) {
        struct graph_node *n = x->changed.data[i];
        if (n->fresh) {
            plan_replace(n->plan, n->step, n->fresh);
            op_release(n->fresh);
            n->fresh = NULL;
        }
        n->dirty = false;
    }
    x->changed.len = 0;
    return r;
}

static CUresult memory_claim(struct exec *x)
{
    bool reuse = x->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    for (size_t i = 0; i < x->allocated.len && !reuse; i++)
        if (atomic_load(&x->allocated.data[i]->outstanding))
            return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < x->allocated.len; i++)
        atomic_fetch_add(&x->allocated.data[i]->running, 1);
    for (size_t i = 0; i < x->kept.len; i++)
        graph_memory_allocated(x->kept.data[i]);
    // Memory of another graph that this one frees, and holds as long as a launch is under way: work before it may use it.
    for (size_t i = 0; i < x->freed.len; i++) {
        atomic_fetch_add(&x->freed.data[i]->running, 1);
        graph_memory_freed(x->freed.data[i]);
    }
    return CUDA_SUCCESS;
}

// The events of the plan as they are now; those that are recorded get their new state.
static CUresult events_claim(struct exec_plan *p, struct graph_op *g)
{
    for (size_t i = 0; i < p->events.len; i++) {
        struct graph_node *n = p->events.data[i].node;
        bool record = n->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
        struct event *e = handle_get(record ? n->params.eventRecord.event : n->params.eventWait.event, HANDLE_EVENT);
        if (!e)
            return CUDA_ERROR_INVALID_HANDLE;
        if (!record) {
            g->events[i] = (struct graph_event){event_op(e), NULL};
            if (g->events[i].op && !(g->events[i].link = malloc(sizeof *g->events[i].link)))
                return CUDA_ERROR_OUT_OF_MEMORY;
            continue;
        }
        struct op *mark = op_create(sizeof *mark, NULL, NULL);
        if (!mark)
            return CUDA_ERROR_OUT_OF_MEMORY;
        op_open(mark);
        event_set_op(e, op_retain(mark));
        g->events[i].op = mark;
    }
    return CUDA_SUCCESS;
}

// In checked processes: places of the launch and of its steps, behind the launch before. Events that steps record have those of the steps.
static void take_places(struct graph_op *g, struct stream *s)
{
    struct op **waits = g->nevents ? xcalloc(g->plan->nsteps, sizeof *waits) : NULL;
    for (size_t i = 0; i < g->nevents; i++)
        if (g->plan->events.data[i].node->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT)
            waits[g->plan->events.data[i].step] = g->events[i].op;
    order_line_join(s->order, g->exec->done);
    stream_order(s, &g->op, NULL);
    g->places = graph_places_take(g->plan->places, s, &g->op, waits, g->exec->done);
    for (size_t i = 0; g->places && i < g->nevents; i++)
        if (g->plan->events.data[i].node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD)
            order_set(g->events[i].op, g->places->step[g->plan->events.data[i].step]);
    free(waits);
}

static CUresult submit(struct exec *x, struct stream *s, struct op **out)
{
    CUresult r = refresh(x);
    if (r)
        return r;
    size_t n = x->plan->events.len;
    struct graph_op *g = (struct graph_op *)op_create(sizeof *g + n * sizeof *g->events, graph_op_run, NULL);
    if (!g)
        return CUDA_ERROR_OUT_OF_MEMORY;
    g->op.flags = OP_ASYNC;
    g->nevents = n;
    r = events_claim(x->plan, g);
    r = r ? r : memory_claim(x);
    if (r) {
        for (size_t i = 0; i < n; i++)
            if (g->events[i].op && x->plan->events.data[i].node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD)
                op_finish(g->events[i].op);
        for (size_t i = 0; i < n; i++) {
            free(g->events[i].link);
            op_release(g->events[i].op);
        }
        op_release(&g->op);
        return r;
    }
    if (__builtin_expect(atomic_load_explicit(&timeline_wanted, memory_order_relaxed) & TIMELINE_LISTENED, 0))
        g->op.describe = graph_op_describe;
    g->op.trace.graph_node = x->source_id;
    g->exec = x;
    g->plan = x->plan;
    g->faults = atomic_load(&s->context->faults);
    atomic_fetch_add(&x->refs, 1);
    atomic_fetch_add(&x->plan->refs, 1);
    atomic_fetch_add(&g->faults->refs, 1);
    struct op *before = x->last && !op_done(x->last) ? x->last : NULL, *old = x->last;
    x->last = op_retain(&g->op);
    if (order_on())
        take_places(g, s);
    stream_submit(s, &g->op, before);
    op_release(old);
    *out = &g->op;
    return CUDA_SUCCESS;
}

CUresult graph_launch(CUgraphExec exec, CUstream stream)
{
    struct stream *s;
    struct op *op;
    CUresult r = stream_enter(stream, &s);
    struct exec *x = exec_get(exec);
    if (r)
        return r;
    if (!x)
        return CUDA_ERROR_INVALID_VALUE;
    r = capture_forbid(s);
    r = r ? r : capture_guard(s);
    if (r)
        return r;
    pthread_mutex_lock(&x->lock);
    r = submit(x, s, &op);
    pthread_mutex_unlock(&x->lock);
    if (r)
        return r;
    if (driver_launch_blocking()) {
        op_wait(op);
        stream_known(s);
        output_flush();
        r = context_fault(s->context);
    }
    op_release(op);
    return r;
}

// Everything is compiled when the graph is instantiated; only changes since then are left.
CUresult graph_upload(CUgraphExec exec, CUstream stream)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    struct exec *x = exec_get(exec);
    if (r)
        return r;
    if (!x)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&x->lock);
    r = refresh(x);
    pthread_mutex_unlock(&x->lock);
    return r;
}
