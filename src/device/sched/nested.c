// SPDX-License-Identifier: Apache-2.0
// See nested.h.
#include "device/sched/nested.h"
#include "base/map.h"
#include "base/vec.h"
#include "device/order/order.h"
#include "device/sched/pool.h"
#include "device/sched/runner.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEP_LEAST = 1024, DEPTH_MOST = 8 };

// A stream is no more than its last operation, and an event the operation that it was recorded behind.
enum object_kind { OBJECT_STREAM = 1, OBJECT_EVENT };
struct object {
    enum object_kind kind;
    bool dead;
    struct op *last; // NULL: none
};

// What one block has launched.
struct block_record {
    struct op *null_last;              // of its stream 0
    struct VEC(struct op *) under_way; // perhaps over meanwhile
    size_t sweep_at;
};

struct nested {
    pthread_mutex_t lock;
    struct op *grid;
    void (*finish)(struct op *grid);
    struct op *end;
    struct VEC(struct op *) tails;
    struct map blocks; // by number + 1
    size_t sweep_at;
    struct map objects; // streams and events by address
    struct map errors;  // by thread in the grid + 1; the error + 1
    struct nested_buffer *buffers;
};

static void tails_over(struct op *op);
static void children_over(struct op *op);

struct end_op {
    struct op op;
    struct nested *nested;
};

static struct op *end_create(struct nested *n, void (*run)(struct op *))
{
    struct end_op *e = (struct end_op *)op_create(sizeof *e, run, NULL);
    if (e)
        e->nested = n;
    return e ? &e->op : NULL;
}

struct nested *nested_create(struct op *grid, void (*finish)(struct op *grid))
{
    struct nested *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->grid = grid;
    n->finish = finish;
    n->end = end_create(n, children_over);
    if (!n->end) {
        free(n);
        return NULL;
    }
    pthread_mutex_init(&n->lock, NULL);
    op_submit_begin(n->end, grid->queue);
    return n;
}

static void record_free(struct block_record *r)
{
    for (size_t i = 0; i < r->under_way.len; i++)
        op_release(r->under_way.data[i]);
    vec_free(&r->under_way);
    op_release(r->null_last);
    free(r);
}

static void nested_free(struct nested *n)
{
    for (size_t i = 0; i < n->blocks.cap; i++)
        if (n->blocks.values && n->blocks.values[i])
            record_free(n->blocks.values[i]);
    for (size_t i = 0; i < n->objects.cap; i++) {
        struct object *o = n->objects.values ? n->objects.values[i] : NULL;
        if (o) {
            op_release(o->last);
            free(o);
        }
    }
    while (n->buffers)
        nested_buffer_free(n, n->buffers);
    map_free(&n->blocks);
    map_free(&n->objects);
    map_free(&n->errors);
    vec_free(&n->tails);
    op_release(n->end);
    pthread_mutex_destroy(&n->lock);
    free(n);
}

void nested_discard(struct nested *n)
{
    op_release(n->end); // as op_finish would
    nested_free(n);
}

static void finish(struct nested *n)
{
    struct op *grid = n->grid;
    void (*f)(struct op *) = n->finish;
    nested_free(n);
    f(grid);
}

static void tails_over(struct op *op)
{
    finish(((struct end_op *)op)->nested);
}

// The grid and its children are over: the tail launches follow, each behind the one before.
static void children_over(struct op *op)
{
    struct nested *n = ((struct end_op *)op)->nested;
    if (!n->tails.len) {
        finish(n);
        return;
    }
    struct op *end = end_create(n, tails_over), *first = n->tails.data[0];
    if (end)
        op_submit_begin(end, n->grid->queue);
    for (size_t i = 0; i < n->tails.len; i++) {
        struct op *t = n->tails.data[i];
        op_submit_begin(t, n->grid->queue);
        if (i)
            op_wait_for(t, n->tails.data[i - 1]);
        if (end)
            op_wait_for(end, t);
    }
    // Once the last one and the end have been let go, the nested may be gone.
    size_t count = n->tails.len;
    struct op **tails = n->tails.data;
    n->tails.data = NULL;
    n->tails.len = n->tails.cap = 0;
    if (!end)
        finish(n); // out of memory: the tails still run
    else
        op_submit_end(end);
    op_release(end);
    for (size_t i = 1; i < count; i++)
        op_submit_end(tails[i]);
    op_submit_end(first);
    for (size_t i = 0; i < count; i++)
        op_release(tails[i]);
    free(tails);
}

void nested_close(struct nested *n)
{
    op_submit_end(n->end);
}

static bool is_own_stream(uint64_t stream)
{
    return stream == NESTED_NULL || stream == NESTED_LEGACY || stream == NESTED_PER_THREAD;
}

static struct object *object_find(struct nested *n, uint64_t handle, enum object_kind kind)
{
    struct object *o = handle ? map_get_ptr(&n->objects, (const void *)(uintptr_t)handle) : NULL;
    return o && o->kind == kind && !o->dead ? o : NULL;
}

static bool is_idle(const struct block_record *r)
{
    for (size_t i = 0; i < r->under_way.len; i++)
        if (!op_done(r->under_way.data[i]))
            return false;
    return true;
}

// Blocks whose launches are over need no record any more.
static void blocks_sweep(struct nested *n)
{
    struct map left = {0};
    for (size_t i = 0; i < n->blocks.cap; i++) {
        struct block_record *r = n->blocks.values[i];
        if (r && is_idle(r))
            record_free(r);
        else if (r)
            map_put_ptr(&left, n->blocks.keys[i], r);
    }
    map_free(&n->blocks);
    n->blocks = left;
    n->sweep_at = 2 * left.len < SWEEP_LEAST ? SWEEP_LEAST : 2 * left.len;
}

static struct block_record *record_of(struct nested *n, uint64_t block)
{
    const void *key = (const void *)(uintptr_t)(block + 1);
    struct block_record *r = map_get_ptr(&n->blocks, key);
    if (r)
        return r;
    if (n->blocks.len >= SWEEP_LEAST && n->blocks.len >= n->sweep_at)
        blocks_sweep(n);
    r = xcalloc(1, sizeof *r);
    map_put_ptr(&n->blocks, key, r);
    return r;
}

static void record_add(struct block_record *r, struct op *op)
{
    if (r->under_way.len >= r->sweep_at) {
        size_t left = 0;
        for (size_t i = 0; i < r->under_way.len; i++) {
            if (op_done(r->under_way.data[i]))
                op_release(r->under_way.data[i]);
            else
                r->under_way.data[left++] = r->under_way.data[i];
        }
        r->under_way.len = left;
        r->sweep_at = 2 * left + 16;
    }
    vec_push(&r->under_way, op_retain(op));
}

// Where the stream keeps its last operation; NULL with *result for a stream that has none.
static struct op **stream_last(struct nested *n, struct block_record *r, uint64_t stream, enum nested_result *result)
{
    *result = NESTED_OK;
    if (is_own_stream(stream))
        return &r->null_last;
    if (stream == NESTED_FIRE_AND_FORGET)
        return NULL;
    struct object *o = object_find(n, stream, OBJECT_STREAM);
    *result = o ? NESTED_OK : NESTED_BAD_HANDLE;
    return o ? &o->last : NULL;
}

// Behind the stream's last operation and `behind`; the lock is held. Takes the caller's reference when all is well.
static enum nested_result append(struct nested *n, uint64_t block, uint64_t stream, struct op *op, struct op *behind)
{
    enum nested_result result;
    struct block_record *r = record_of(n, block);
    struct op **last = stream_last(n, r, stream, &result);
    if (result)
        return result;
    op_submit_begin(op, n->grid->queue);
    if (last && *last)
        op_wait_for(op, *last);
    if (behind)
        op_wait_for(op, behind);
    op_wait_for(n->end, op);
    record_add(r, op);
    if (last) {
        op_release(*last);
        *last = op;
    } else {
        op_release(op);
    }
    return NESTED_OK;
}

// Too many launches wait: this thread runs what its grid's children have ready, as long as that makes them fewer.
static void make_room(const struct nested *n, size_t limit)
{
    static _Thread_local unsigned depth;
    const struct queue *queue = n->grid->queue;
    if (!queue || depth >= DEPTH_MOST || atomic_load(&pool_children) <= limit)
        return;
    depth++;
    struct resident *own = resident_set_aside();
    while (atomic_load(&pool_children) > limit && pool_run_child(queue))
        ;
    resident_put_back(own);
    depth--;
}

enum nested_result nested_submit(struct nested *n, uint64_t block, uint64_t stream, struct op *op, size_t limit)
{
    enum nested_result r;
    pthread_mutex_lock(&n->lock);
    if (stream == NESTED_TAIL) {
        r = n->tails.len < limit ? NESTED_OK : NESTED_FULL;
        if (!r)
            vec_push(&n->tails, op);
        if (!r)
            order_set(op, n->grid->order);
        pthread_mutex_unlock(&n->lock);
        if (r)
            op_release(op);
        return r;
    }
    op->flags |= OP_NESTED;
    order_set(op, n->grid->order);
    r = append(n, block, stream, op, NULL);
    pthread_mutex_unlock(&n->lock);
    if (r) {
        op_release(op);
        return r;
    }
    atomic_fetch_add(&pool_children, 1);
    op_submit_end(op);
    make_room(n, limit);
    return NESTED_OK;
}

static uint64_t object_create(struct nested *n, enum object_kind kind)
{
    struct object *o = calloc(1, sizeof *o);
    if (!o)
        return 0;
    o->kind = kind;
    pthread_mutex_lock(&n->lock);
    map_put_ptr(&n->objects, o, o);
    pthread_mutex_unlock(&n->lock);
    return (uint64_t)(uintptr_t)o;
}

// Its work goes on.
static enum nested_result object_destroy(struct nested *n, uint64_t handle, enum object_kind kind)
{
    pthread_mutex_lock(&n->lock);
    struct object *o = object_find(n, handle, kind);
    if (o)
        o->dead = true;
    pthread_mutex_unlock(&n->lock);
    return o ? NESTED_OK : NESTED_BAD_HANDLE;
}

uint64_t nested_stream_create(struct nested *n)
{
    return object_create(n, OBJECT_STREAM);
}

enum nested_result nested_stream_destroy(struct nested *n, uint64_t stream)
{
    return object_destroy(n, stream, OBJECT_STREAM);
}

uint64_t nested_event_create(struct nested *n)
{
    return object_create(n, OBJECT_EVENT);
}

enum nested_result nested_event_destroy(struct nested *n, uint64_t event)
{
    return object_destroy(n, event, OBJECT_EVENT);
}

enum nested_result nested_event_record(struct nested *n, uint64_t block, uint64_t event, uint64_t stream)
{
    enum nested_result result;
    pthread_mutex_lock(&n->lock);
    struct object *e = object_find(n, event, OBJECT_EVENT);
    struct op **last = stream_last(n, record_of(n, block), stream, &result);
    if (!e || !last)
        result = NESTED_BAD_HANDLE;
    if (!result) {
        op_release(e->last);
        e->last = *last ? op_retain(*last) : NULL;
    }
    pthread_mutex_unlock(&n->lock);
    return result;
}

enum nested_result nested_event_wait(struct nested *n, uint64_t block, uint64_t stream, uint64_t event)
{
    struct op *join = op_create(sizeof *join, NULL, NULL);
    enum nested_result r = NESTED_FULL;
    if (!join)
        return r;
    pthread_mutex_lock(&n->lock);
    struct object *e = object_find(n, event, OBJECT_EVENT);
    bool named = is_own_stream(stream) || object_find(n, stream, OBJECT_STREAM);
    r = e && named ? append(n, block, stream, join, e->last) : NESTED_BAD_HANDLE;
    pthread_mutex_unlock(&n->lock);
    if (r)
        op_release(join);
    else
        op_submit_end(join);
    return r;
}

bool nested_block_done(struct nested *n, uint64_t block)
{
    pthread_mutex_lock(&n->lock);
    struct block_record *r = map_get_ptr(&n->blocks, (const void *)(uintptr_t)(block + 1));
    bool done = !r || is_idle(r);
    pthread_mutex_unlock(&n->lock);
    return done;
}

static const void *error_key(uint64_t block, uint32_t thread)
{
    return (const void *)(uintptr_t)(block << 10 | thread | UINT64_C(1) << 63);
}

void nested_error_set(struct nested *n, uint64_t block, uint32_t thread, uint32_t error)
{
    const void *key = error_key(block, thread);
    pthread_mutex_lock(&n->lock);
    if (error || map_get_ptr(&n->errors, key))
        map_try_put_ptr(&n->errors, key, (void *)(uintptr_t)(error + 1)); // without memory it is only returned
    pthread_mutex_unlock(&n->lock);
}

uint32_t nested_error_get(struct nested *n, uint64_t block, uint32_t thread)
{
    pthread_mutex_lock(&n->lock);
    uintptr_t e = (uintptr_t)map_get_ptr(&n->errors, error_key(block, thread));
    pthread_mutex_unlock(&n->lock);
    return e ? (uint32_t)(e - 1) : 0;
}

struct nested_buffer *nested_buffer_create(struct nested *n, size_t size)
{
    struct nested_buffer *b = aligned_alloc(64, (sizeof *b + size + 63) & ~(size_t)63);
    if (!b)
        return NULL;
    memset(b, 0, sizeof *b);
    b->owner = n;
    b->size = size;
    pthread_mutex_lock(&n->lock);
    b->next = n->buffers;
    b->back = &n->buffers;
    if (b->next)
        b->next->back = &b->next;
    n->buffers = b;
    pthread_mutex_unlock(&n->lock);
    return b;
}

struct nested_buffer *nested_buffer_find(struct nested *n, void *data)
{
    struct nested_buffer *b = (struct nested_buffer *)((char *)data - offsetof(struct nested_buffer, data));
    return data && !((uintptr_t)data & 63) && b->owner == n ? b
                                                            : NULL; // another address may be a fault, as any wild one
}

void nested_buffer_free(struct nested *n, struct nested_buffer *b)
{
    pthread_mutex_lock(&n->lock);
    *b->back = b->next;
    if (b->next)
        b->next->back = b->back;
    pthread_mutex_unlock(&n->lock);
    b->owner = NULL;
    free(b);
}
