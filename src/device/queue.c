// Operations and queues. An operation counts what it waits for; the one that brings the count to 0 makes it ready. A queue
// is no more than the memory of its last operation: the next one waits for that.
#include "device/device.h"
#include "device/pool.h"
#include "base/os.h"
#include "base/xmalloc.h"
#include <pthread.h>
#include <stdlib.h>

#define CLOSED ((struct op_link *)1) // waiters of an op that is done

struct queue {
    pthread_mutex_t lock;
    struct op *last;
    int priority;
};

struct op *op_create(size_t size, void (*run)(struct op *), void (*destroy)(struct op *))
{
    struct op *op = calloc(1, size);
    if (op) {
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

void op_release(struct op *op)
{
    if (op && atomic_fetch_sub(&op->refs, 1) == 1) {
        if (op->destroy)
            op->destroy(op);
        free(op);
    }
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

void op_finish(struct op *op)
{
    if (op->step) {
        plan_step_finish(op);
        return;
    }
    op->finished_ns = os_time_ns();
    atomic_store(&op->done, 1);
    struct op_link *l = atomic_exchange(&op->waiters, CLOSED);
    while (l) {
        struct op_link *next = l->next;
        struct op *waiter = l->op;
        if (l != &waiter->queue_link)
            free(l);
        drop_pending(waiter);
        l = next;
    }
    if (atomic_load(&op->sleepers))
        futex_wake(&op->done, 1 << 30);
    op_release(op);
}

// The op waits for dep; nothing to do when that is done.
static void wait_for(struct op *op, struct op *dep, struct op_link *link)
{
    struct op_link *l = link ? link : xmalloc(sizeof *l);
    l->op = op;
    l->next = atomic_load(&dep->waiters);
    atomic_fetch_add(&op->pending, 1);
    do {
        if (l->next == CLOSED) {
            atomic_fetch_sub(&op->pending, 1);
            if (!link)
                free(l);
            return;
        }
    } while (!atomic_compare_exchange_weak(&dep->waiters, &l->next, l));
}

void op_wait_for(struct op *op, struct op *dep)
{
    wait_for(op, dep, NULL);
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
void op_wait(struct op *op)
{
    bool entered = false;
    for (unsigned turn = 0; !op_done(op); turn++) {
        if (!entered && op->queue)
            entered = pool_enter();
        if (entered && pool_help(op->queue)) {
            turn = 0;
        } else if (turn < 2000 && !pool_in_the_way()) {
            if (entered)
                pool_idling(true);
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
}

struct queue *queue_create(int priority)
{
    struct queue *q = calloc(1, sizeof *q);
    if (q) {
        pthread_mutex_init(&q->lock, NULL);
        q->priority = priority;
    }
    return q;
}

void queue_destroy(struct queue *q)
{
    op_release(q->last);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

void queue_submit(struct queue *q, struct op *op, struct op *const *deps, size_t ndeps)
{
    atomic_store(&op->pending, 1); // so that it does not start before all dependencies are in place
    op_retain(op);                 // given back by op_finish
    op->queue = q;
    for (size_t i = 0; i < ndeps; i++)
        wait_for(op, deps[i], NULL);
    pthread_mutex_lock(&q->lock);
    struct op *previous = q->last;
    q->last = op_retain(op);
    if (previous)
        wait_for(op, previous, &op->queue_link);
    pthread_mutex_unlock(&q->lock);
    op_release(previous);
    drop_pending(op);
}

struct op *queue_last(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    struct op *op = q->last && !op_done(q->last) ? op_retain(q->last) : NULL;
    pthread_mutex_unlock(&q->lock);
    return op;
}

void queue_wait(struct queue *q)
{
    struct op *op = queue_last(q);
    if (op) {
        op_wait(op);
        op_release(op);
    }
}

bool queue_idle(struct queue *q)
{
    struct op *op = queue_last(q);
    op_release(op);
    return !op;
}
