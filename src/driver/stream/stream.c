// SPDX-License-Identifier: Apache-2.0
// Streams: queues of the engine, plus CUDA's rules between the legacy default stream and the others. An operation in
// the legacy stream waits for what the blocking streams hold, and theirs wait for what it holds.
#include "base/os.h"
#include "device/count/count.h"
#include "driver/context/tell.h"
#include "driver/graph/graph.h"
#include <stdio.h>
#include <stdlib.h>

static atomic_ullong next_id = 7; // which is what tools of NVIDIA's call the first default stream

static bool is_blocking(const struct stream *s)
{
    return !s->legacy && !(s->flags & CU_STREAM_NON_BLOCKING);
}

// Last operations of streams that are gone, those that are done: they need not be kept.
static void orphans_release(struct context *c)
{
    for (size_t i = 0; i < c->orphans.len;) {
        if (op_done(c->orphans.data[i])) {
            op_release(c->orphans.data[i]);
            c->orphans.data[i] = c->orphans.data[--c->orphans.len];
        } else {
            i++;
        }
    }
    atomic_store(&c->norphans, (unsigned)c->orphans.len);
}

// Into its context's list. Where it is destroyed with work there is room for its last operation: that needs no memory.
static bool stream_list(struct stream *s)
{
    struct context *c = s->context;
    pthread_mutex_lock(&c->lock);
    bool ok = vec_try_reserve(&c->orphans, c->orphans.len + c->nstreams + 1);
    if (ok) {
        list_add(&c->streams, &s->node);
        c->nstreams++;
        if (is_blocking(s))
            atomic_fetch_add(&c->blocking_streams, 1);
    }
    pthread_mutex_unlock(&c->lock);
    return ok;
}

struct stream *stream_make(struct context *c, unsigned flags, int priority)
{
    struct stream *s = xcalloc(1, sizeof *s);
    s->context = c;
    s->flags = flags;
    s->priority = priority;
    s->sync_policy = CU_SYNC_POLICY_AUTO;
    s->domain_map.remote = 1;
    s->legacy = !c->legacy; // the first one
    s->id = atomic_fetch_add(&next_id, 1);
    s->queue = queue_create(priority);
    char name[32] = "the default stream";
    if (!s->legacy)
        snprintf(name, sizeof name, "stream %llu", (unsigned long long)s->id);
    static atomic_bool several;
    s->order = order_line_make(name, atomic_exchange(&several, true));
    s->handle = s->queue ? handle_create(HANDLE_STREAM, s) : NULL;
    if (s->handle && stream_list(s))
        return s;
    if (s->handle)
        handle_take(s->handle, HANDLE_STREAM);
    if (s->queue)
        queue_destroy(s->queue);
    order_line_free(s->order);
    free(s);
    return NULL;
}

void stream_free(struct stream *s)
{
    struct context *c = s->context;
    capture_stream_gone(s);
    pthread_mutex_lock(&c->lock);
    orphans_release(c);
    struct op *last = queue_last(s->queue);
    if (last) {
        vec_push(&c->orphans, last);
        atomic_store(&c->norphans, (unsigned)c->orphans.len);
    }
    list_remove(&s->node);
    c->nstreams--;
    if (is_blocking(s))
        atomic_fetch_sub(&c->blocking_streams, 1);
    order_line_join(c->gone, s->order);
    pthread_mutex_unlock(&c->lock);
    order_line_free(s->order);
    queue_destroy(s->queue);
    free(s);
}

// ---- each thread's own default streams, one in a context
struct thread_stream {
    uint64_t context, stream;
    CUstream handle;
};
struct thread_streams VEC(struct thread_stream);

static _Thread_local struct thread_streams *self;

static void thread_end(void *p)
{
    struct thread_streams *t = p;
    for (size_t i = 0; i < t->len; i++) {
        struct stream *s = handle_get(t->data[i].handle, HANDLE_STREAM);
        if (s && s->id == t->data[i].stream && handle_take(s->handle, HANDLE_STREAM))
            stream_free(s);
    }
    vec_free(t);
    free(t);
    self = NULL;
}

static struct os_thread_end at_end = {.end = thread_end};

static struct thread_streams *thread_get(void)
{
    if (!self) {
        self = xcalloc(1, sizeof *self);
        os_at_thread_end(&at_end, self);
    }
    return self;
}

static struct stream *stream_of_thread(struct context *c)
{
    struct thread_streams *t = thread_get();
    struct thread_stream *slot = NULL;
    for (size_t i = 0; i < t->len; i++)
        if (t->data[i].context == c->id)
            slot = &t->data[i];
    if (slot) {
        struct stream *s = handle_get(slot->handle, HANDLE_STREAM);
        if (s && s->id == slot->stream)
            return s;
    } else {
        vec_push(t, ((struct thread_stream){.context = c->id}));
        slot = &t->data[t->len - 1];
    }
    struct stream *s = stream_make(c, CU_STREAM_DEFAULT, 0);
    if (s) {
        s->per_thread = true;
        slot->handle = s->handle;
        slot->stream = s->id;
    }
    return s;
}

CUresult stream_enter(CUstream handle, struct stream **out)
{
    struct context *c;
    if (handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
        CUresult r = context_enter(&c);
        if (r)
            return r;
        *out = handle == CU_STREAM_LEGACY ? c->legacy : stream_of_thread(c);
        return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct stream *s = handle_get(handle, HANDLE_STREAM);
    if (!s)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    *out = s;
    return context_fault(s->context);
}

struct op_list {
    struct op *few[16];
    struct op **data;
    size_t len, cap;
};

static void op_list_push(struct op_list *l, struct op *op)
{
    if (!op)
        return;
    if (l->len == l->cap) {
        struct op **more = xmalloc((l->cap * 2) * sizeof *more);
        memcpy(more, l->data, l->len * sizeof *more);
        if (l->data != l->few)
            free(l->data);
        l->data = more;
        l->cap *= 2;
    }
    l->data[l->len++] = op;
}

static void op_list_init(struct op_list *l)
{
    l->data = l->few;
    l->len = 0;
    l->cap = sizeof l->few / sizeof *l->few;
}

static void op_list_fini(struct op_list *l)
{
    for (size_t i = 0; i < l->len; i++)
        op_release(l->data[i]);
    if (l->data != l->few)
        free(l->data);
}

// What an operation submitted to s now must wait for in other streams.
static void collect(struct stream *s, struct op_list *out)
{
    struct context *c = s->context;
    if (s->legacy) {
        if (!atomic_load(&c->blocking_streams) && !atomic_load(&c->norphans))
            return;
        pthread_mutex_lock(&c->lock);
        for (struct node *n = c->streams.next; n != &c->streams; n = n->next) {
            struct stream *other = list_at(n, offsetof(struct stream, node));
            if (is_blocking(other))
                op_list_push(out, queue_last(other->queue));
        }
        orphans_release(c);
        for (size_t i = 0; i < c->orphans.len; i++)
            op_list_push(out, op_retain(c->orphans.data[i]));
        pthread_mutex_unlock(&c->lock);
    } else if (is_blocking(s)) {
        unsigned long long n = atomic_load(&c->legacy_count);
        if (n == atomic_load(&c->legacy_idle))
            return;
        struct op *op = queue_last(c->legacy->queue);
        if (op)
            op_list_push(out, op);
        else
            atomic_store(&c->legacy_idle, n);
    }
}

// ---- in checked processes: what it comes behind, whether or not that is over
static void order_joins(struct stream *s)
{
    struct context *c = s->context;
    if (is_blocking(s))
        order_line_join(s->order, c->legacy->order);
    if (!s->legacy)
        return;
    pthread_mutex_lock(&c->lock);
    for (struct node *n = c->streams.next; n != &c->streams; n = n->next) {
        struct stream *other = list_at(n, offsetof(struct stream, node));
        if (is_blocking(other))
            order_line_join(s->order, other->order);
    }
    order_line_join(s->order, c->gone);
    pthread_mutex_unlock(&c->lock);
}

void stream_order(struct stream *s, struct op *op, const struct op *extra)
{
    if (op->order)
        return;
    order_joins(s);
    order_line_behind(s->order, extra);
    order_op(s->order, op);
}

void stream_known(struct stream *s)
{
    if (!order_on())
        return;
    order_joins(s);
    order_told_line(s->order);
}

static void give(struct stream *s, struct op *op, struct op *extra)
{
    struct op_list deps;
    op_list_init(&deps);
    if (order_on())
        stream_order(s, op, extra);
    if (__builtin_expect(op->describe != NULL || count_wanted, 0))
        tell_stream_of(op, s);
    collect(s, &deps);
    if (extra)
        op_list_push(&deps, op_retain(extra));
    queue_give(s->queue, op, deps.data, deps.len);
    if (s->legacy)
        atomic_fetch_add(&s->context->legacy_count, 1);
    op_list_fini(&deps);
}

void stream_submit(struct stream *s, struct op *op, struct op *extra)
{
    give(s, op_retain(op), extra);
}

void stream_give(struct stream *s, struct op *op)
{
    give(s, op, NULL);
}

void stream_drain(struct stream *s)
{
    struct op_list deps;
    op_list_init(&deps);
    collect(s, &deps);
    op_list_push(&deps, queue_last(s->queue));
    for (size_t i = 0; i < deps.len; i++)
        op_wait(deps.data[i]);
    op_list_fini(&deps);
    stream_known(s);
}

static bool all_done(const struct op_list *l)
{
    for (size_t i = 0; i < l->len; i++)
        if (!op_done(l->data[i]))
            return false;
    return true;
}

static struct op *turn(struct stream *s, bool idle)
{
    struct op_list deps;
    struct op *op = NULL, *before = NULL;
    op_list_init(&deps);
    collect(s, &deps);
    if (!idle || all_done(&deps))
        op = op_create(sizeof *op, NULL, NULL);
    bool held = op && queue_hold(s->queue, op, idle, &before);
    if (held && order_on()) {
        op->flags |= OP_TOUCHES;
        stream_order(s, op, NULL);
    }
    if (held && s->legacy)
        atomic_fetch_add(&s->context->legacy_count, 1);
    op_list_push(&deps, before);
    for (size_t i = 0; held && i < deps.len; i++)
        op_wait(deps.data[i]);
    op_list_fini(&deps);
    if (held)
        return op;
    op_release(op);
    return NULL;
}

void stream_turn_end(struct op *turn)
{
    op_finish_at(turn, 0); // nobody asks when
}

struct op *stream_turn(struct stream *s)
{
    return turn(s, false);
}

struct op *stream_turn_idle(struct stream *s)
{
    return turn(s, true);
}

bool stream_is_idle(struct stream *s)
{
    struct op_list deps;
    op_list_init(&deps);
    collect(s, &deps);
    op_list_push(&deps, queue_last(s->queue));
    bool idle = all_done(&deps);
    op_list_fini(&deps);
    return idle;
}

CUresult stream_separate(struct stream *s)
{
    if (!s->legacy || stream_is_idle(s))
        return CUDA_SUCCESS;
    struct op *op = op_create(sizeof *op, NULL, NULL);
    if (!op)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stream_give(s, op);
    return CUDA_SUCCESS;
}

CUresult stream_create_priority(CUstream *stream, unsigned flags, int priority)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!stream || flags > CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    priority = priority > 0 ? 0 : priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
    struct stream *s = stream_make(c, flags, priority);
    if (!s)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *stream = s->handle;
    tell_stream(s, true);
    return CUDA_SUCCESS;
}

CUresult stream_create(CUstream *stream, unsigned flags)
{
    return stream_create_priority(stream, flags, 0);
}

CUresult stream_destroy(CUstream stream)
{
    struct stream *s = handle_get(stream, HANDLE_STREAM);
    if (!s || s->legacy || s->per_thread || !handle_take(stream, HANDLE_STREAM))
        return CUDA_ERROR_INVALID_HANDLE;
    tell_stream(s, false);
    stream_free(s);
    return CUDA_SUCCESS;
}

CUresult stream_query(CUstream stream)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    r = capture_wait(s);
    if (r)
        return r;
    if (!stream_is_idle(s))
        return CUDA_ERROR_NOT_READY;
    stream_known(s);
    return context_fault(s->context);
}

CUresult stream_synchronize(CUstream stream)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    r = capture_wait(s);
    if (r)
        return r;
    uint64_t since = timeline_since(TIMELINE_SYNC);
    stream_drain(s);
    tell_sync(SYNC_STREAM, s->context, s, 0, since);
    output_flush();
    mempools_release();
    return context_fault(s->context);
}

// ---- host functions
struct host_op {
    struct op op;
    struct context *context;
    CUhostFn function;
    CUstreamCallback callback;
    CUstream stream;
    void *data;
};

static void host_run(struct op *op)
{
    struct host_op *h = (struct host_op *)op;
    CUresult r = h->context ? context_fault(h->context) : CUDA_SUCCESS;
    order_told_op(op);
    if (h->callback)
        h->callback(h->stream, r, h->data);
    else if (!r) // host functions are not called once the context is lost
        h->function(h->data);
    order_learns(op);
}

struct op *host_op_make(CUhostFn function, void *data)
{
    struct host_op *h = (struct host_op *)op_create(sizeof *h, host_run, NULL);
    if (!h)
        return NULL;
    h->op.flags = OP_HOST;
    h->function = function;
    h->data = data;
    return &h->op;
}

static void host_describe(const struct op *op, struct timeline_event *e)
{
    (void)op;
    e->kind = TIMELINE_HOST;
}

static CUresult host_submit(CUstream stream, CUhostFn function, CUstreamCallback callback, void *data)
{
    struct stream *s;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!function && !callback)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream_captured(s) && function) {
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_HOST, .host = {function, data}};
        return capture_node(s, &p);
    }
    r = capture_forbid(s);
    r = r ? r : capture_guard(s);
    if (r)
        return r;
    struct host_op *h = (struct host_op *)host_op_make(function, data);
    if (!h)
        return CUDA_ERROR_OUT_OF_MEMORY;
    h->context = s->context;
    h->callback = callback;
    if (timeline_wants(TIMELINE_HOST))
        h->op.describe = host_describe;
    h->stream = stream == CU_STREAM_LEGACY ? NULL : stream;
    stream_submit(s, &h->op, NULL);
    op_release(&h->op);
    return CUDA_SUCCESS;
}

CUresult stream_add_callback(CUstream stream, CUstreamCallback callback, void *user_data, unsigned flags)
{
    return flags || !callback ? CUDA_ERROR_INVALID_VALUE : host_submit(stream, NULL, callback, user_data);
}

CUresult stream_host_function(CUstream stream, CUhostFn function, void *user_data)
{
    return host_submit(stream, function, NULL, user_data);
}
