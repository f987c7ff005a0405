// SPDX-License-Identifier: Apache-2.0
// Operations and queues. An operation counts what it waits for; the one that brings the count to 0 makes it ready. A queue
// is no more than the memory of its last operation: the next one waits for that.
#include "device/device.h"
#include "device/order/order.h"
#include "device/sched/pool.h"
#include "base/os.h"
#include "base/xmalloc.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CLOSED ((struct op_link *)1) // waiters of an op that is done

struct queue {
    pthread_mutex_t lock;
    struct op *last;
    atomic_bool
        settled; // the last op was found done, and nothing has come behind it: nobody needs the lock to know that
    int priority;
};

struct op *op_create(size_t size, void (*run)(struct op *), void (*destroy)(struct op *))
{
    return op_create_headed(size, size, run, destroy);
}

struct op *op_create_headed(size_t size, size_t head, void (*run)(struct op *), void (*destroy)(struct op *))
{
    struct op *op = op_memory_alloc(size);
    if (op) {
        memset(op, 0, head);
        atomic_init(&op->refs, 1);
        op->run = run;
        op->destroy = destroy;
    }
    return op;
}

struct op *op_retain(struct op *op)
{
    atomic_fetch_add_explicit(&op->refs, 1, memory_order_relaxed);
    return op;
}

static void release(struct op *op, unsigned n)
{
    if (atomic_fetch_sub(&op->refs, n) == n) {
        if (op->destroy)
            op->destroy(op);
        if (__builtin_expect(op->order != NULL, 0))
            order_release(op->order);
        op_memory_free(op);
    }
}

void op_release(struct op *op)
{
    if (op)
        release(op, 1);
}

bool op_done(struct op *op)
{
    return atomic_load(&op->done);
}

static void drop_pending(struct op *op)
{
    if (atomic_fetch_sub(&op->pending, 1) == 1)
        pool_next(op);
}

void op_close(struct op *op)
{
    unsigned refs = 1;
    struct op_link *l = atomic_exchange(&op->waiters, CLOSED);
    while (l) {
        struct op_link *next = l->next;
        struct op *waiter = l->op;
        if (l != &waiter->queue_link)
            free(l);
        else
            refs++; // the queue's
        drop_pending(waiter);
        l = next;
    }
    release(op, refs);
}

bool op_awaited(struct op *op)
{
    return atomic_load_explicit(&op->waiters, memory_order_relaxed);
}

void op_fetch_next(struct op *op)
{
    enum { BYTES = 768 }; // of a launch, for the most part
    struct op_link *l = atomic_load_explicit(&op->waiters, memory_order_relaxed);
    if (l && l != CLOSED)
        for (size_t at = 0; at < BYTES; at += 64)
            __builtin_prefetch((char *)l - offsetof(struct op, queue_link) + at);
}

void op_finish_at(struct op *op, uint64_t now_ns)
{
    if (__builtin_expect(op->describe != NULL, 0))
        op_event_end(op, now_ns);
    if (__builtin_expect(op->order != NULL, 0) && !(op->flags & OP_NESTED))
        order_end(op->order);
    if (op->step) {
        plan_step_finish(op);
        return;
    }
    op->finished_ns = now_ns;
    atomic_store(&op->done, 1);
    if (atomic_load(&op->sleepers))
        futex_wake(&op->done, 1 << 30);
    if (op_awaited(op) || !pool_linger(op))
        op_close(op);
}

void op_finish(struct op *op)
{
    op_finish_at(op, op->step ? 0 : os_time_ns());
}

// One of the things that the op waits for is dep's end. False: that is over already.
static bool wait_for(struct op *op, struct op *dep, struct op_link *l)
{
    l->op = op;
    l->next = atomic_load(&dep->waiters);
    while (l->next != CLOSED)
        if (atomic_compare_exchange_weak(&dep->waiters, &l->next, l))
            return true;
    return false;
}

void op_wait_for(struct op *op, struct op *dep)
{
    op_wait_linked(op, dep, xmalloc(sizeof(struct op_link)));
}

void op_wait_linked(struct op *op, struct op *dep, struct op_link *l)
{
    atomic_fetch_add(&op->pending, 1);
    if (wait_for(op, dep, l))
        return;
    atomic_fetch_sub(&op->pending, 1);
    free(l);
}

void op_again(struct op *op)
{
    if (op->step)
        plan_step_again(op);
    else
        pool_ready(op);
}

void op_start(struct op *op)
{
    op_retain(op); // given back by op_finish
    pool_ready(op);
}

void op_open(struct op *op)
{
    op_retain(op); // given back by op_finish
}

void op_submit_begin(struct op *op, const struct queue *queue)
{
    atomic_store(&op->pending, 1); // so that it does not start before all dependencies are in place
    op_retain(op);                 // given back by op_finish
    op->queue = queue;
}

void op_submit_end(struct op *op)
{
    if (atomic_fetch_sub(&op->pending, 1) == 1)
        pool_ready(op);
}

// The thread helps only with work of the same queue, which the op waits for itself. Anything else may last until this very
// thread goes on: a kernel of another stream that waits for a flag which the program sets after this call.
// A kernel that may need much of a stack has another one here (deep.h); this is room for all others.
void op_wait(struct op *op)
{
    enum { HELP_STACK = 6 << 20 };
    bool entered = false, ran = false;
    for (unsigned turn = 0; !op_done(op); turn++) {
        if (!entered && op->queue && os_stack_room() >= HELP_STACK && (entered = pool_enter()))
            pool_take_back(op);
        if (entered && pool_help(op->queue)) {
            turn = 0;
            ran = true;
        } else if (turn < 2000 && !pool_in_the_way()) {
            if (entered)
                pool_idling(op->queue);
            pool_pause(turn < 1000 ? 0 : 64);
        } else {
            if (entered)
                pool_leave();
            entered = false;
            atomic_fetch_add(&op->sleepers, 1);
            if (!op_done(op))
                futex_wait(&op->done, 0);
            atomic_fetch_sub(&op->sleepers, 1);
        }
    }
    if (entered)
        pool_leave();
    pool_waited(ran);
}

struct queue *queue_create(int priority)
{
    struct queue *q = xcalloc(1, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    q->priority = priority;
    return q;
}

void queue_destroy(struct queue *q)
{
    op_release(q->last);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

// The queue's reference to its last op goes to the next one, which waits for it, and is given back when that one is closed.
// Once the op stands behind another, a thread of the pool may be at work on both: nothing of them is touched any more.
void queue_give(struct queue *q, struct op *op, struct op *const *deps, size_t ndeps)
{
    atomic_store_explicit(&op->pending, 1, memory_order_relaxed);  // its place behind the previous op
    atomic_fetch_add_explicit(&op->refs, 1, memory_order_relaxed); // the queue's; the caller's goes to op_finish
    op->queue = q;
    for (size_t i = 0; i < ndeps; i++)
        op_wait_for(op, deps[i]);
    pthread_mutex_lock(&q->lock);
    struct op *previous = q->last;
    q->last = op;
    if (atomic_load_explicit(&q->settled, memory_order_relaxed))
        atomic_store(&q->settled, false);
    bool waits = previous && wait_for(op, previous, &op->queue_link);
    pthread_mutex_unlock(&q->lock);
    if (!waits) {
        op_release(previous);
        drop_pending(op);
    }
}

void queue_submit(struct queue *q, struct op *op, struct op *const *deps, size_t ndeps)
{
    queue_give(q, op_retain(op), deps, ndeps);
}

bool queue_hold(struct queue *q, struct op *op, bool idle, struct op **before)
{
    pthread_mutex_lock(&q->lock);
    struct op *previous = q->last;
    bool done = !previous || op_done(previous), held = done || !idle;
    if (held) {
        atomic_fetch_add_explicit(&op->refs, 1, memory_order_relaxed); // the queue's
        q->last = op;
        atomic_store(&q->settled, false);
    }
    pthread_mutex_unlock(&q->lock);
    if (held && done)
        op_release(previous);
    *before = held && !done ? previous : NULL; // with the reference that was the queue's
    return held;
}

struct op *queue_last(struct queue *q)
{
    if (atomic_load(&q->settled))
        return NULL;
    pthread_mutex_lock(&q->lock);
    bool done = !q->last || op_done(q->last);
    struct op *op = done ? NULL : op_retain(q->last);
    if (done)
        atomic_store(&q->settled, true);
    pthread_mutex_unlock(&q->lock);
    return op;
}

void queue_wait(struct queue *q)
{
    struct op *op = queue_last(q);
    if (op) {
        op_wait(op);
        op_release(op);
    } else {
        pool_waited(false);
    }
}

bool queue_idle(struct queue *q)
{
    struct op *op = queue_last(q);
    op_release(op);
    return !op;
}
