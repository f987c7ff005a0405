// SPDX-License-Identifier: Apache-2.0
// Plans: operations whose dependencies are known beforehand, run again and again (CUDA's graphs).
//
// What a launch through a queue pays for each operation (memory, a place in the queue, a lock of the pool) is paid once
// here, when the plan is made. The requirements:
//  1. A step costs little more than its work. The thread that ends a step counts down its successors and goes on with
//     those that became ready: they stay in a list of that thread, which no other thread sees and no lock guards.
//  2. Independent branches run at once where that pays. The list holds at most some 20 microseconds of estimated work;
//     what is ready beyond that goes to the pool, and so does all of the list before a step whose end nobody can
//     foretell (a kernel that may wait for others, one that never ran).
//  3. A thread that waits for something else and only helps is not held for long: after some time the list goes to the
//     pool and the thread returns.
//  4. No recursion: a chain of any length runs in one loop (plan_step_run).
//  5. A step is an ordinary op, so that anything may end it: the last block of its grid on whatever thread, the callback
//     thread, an op of a queue that it waits for. op_finish comes here when the op has a step.
//  6. A step may be run again as soon as it is over. Its count is set back before its successors are told, and a launch
//     sets its counters back when it starts; threads that still leave the grid of the run before do no harm.
#include "base/os.h"
#include "base/xmalloc.h"
#include "device/device.h"
#include "device/order/order.h"
#include "device/sched/pool.h"
#include <stdlib.h>

enum { LIST_NS = 20000, SMALL_NS = 1000, TURN_NS = 200000, TURN_STEPS = 16 };

struct plan_step {
    struct op *op;
    struct plan *plan;
    uint32_t ndeps;        // what it waits for: the start of the plan, for a root
    uint32_t first, nsucc; // successors: plan->succ[first ...]
    uint32_t cost;         // when it was put into a list
};

struct plan {
    uint32_t n, nroots, leaves;
    uint32_t *succ, *roots;
    atomic_uint left; // leaves that are not over
    void (*done)(void *data);
    void *data;
    const struct op *run; // the launch; NULL: nobody wants to know
    struct plan_step steps[];
};

struct list { // ready steps that this thread will run
    struct op *head, *tail;
    uint64_t cost;
};
static _Thread_local struct list *mine; // NULL: this thread runs no steps

static void list_push(struct list *l, struct op *op, uint32_t cost)
{
    op->step->cost = cost;
    op->ready_next = NULL;
    if (l->tail)
        l->tail->ready_next = op;
    else
        l->head = op;
    l->tail = op;
    l->cost += cost;
}

static struct op *list_pop(struct list *l)
{
    struct op *op = l->head;
    if (op) {
        l->head = op->ready_next;
        l->tail = l->head ? l->tail : NULL;
        l->cost -= op->step->cost;
    }
    return op;
}

static void list_give_away(struct list *l)
{
    struct op *op;
    while ((op = list_pop(l)))
        pool_ready(op);
}

static uint32_t cost_of(struct op *op)
{
    uint64_t ns = op->estimate ? op->estimate(op) : 0;
    return ns > LIST_NS ? LIST_NS + 1 : (uint32_t)ns;
}

static void step_ready(struct op *op)
{
    struct list *l = mine;
    if (!l || op->flags & OP_HOST) {
        pool_ready(op);
        return;
    }
    uint32_t cost = cost_of(op);
    uint64_t room = cost < SMALL_NS ? 10 * LIST_NS : LIST_NS; // handing over a small step costs as much as running it
    if (l->head && l->cost + cost > room && (cost > LIST_NS || pool_workers() > 1))
        pool_ready(op);
    else
        list_push(l, op, cost);
}

static void step_drop(struct op *op)
{
    if (atomic_fetch_sub_explicit(&op->pending, 1, memory_order_acq_rel) == 1)
        step_ready(op);
}

void plan_step_finish(struct op *op)
{
    struct plan_step *s = op->step;
    struct plan *p = s->plan;
    uint32_t n = s->nsucc;
    atomic_store_explicit(&op->pending, s->ndeps, memory_order_relaxed);
    if (!n) {
        if (atomic_fetch_sub(&p->left, 1) == 1)
            p->done(p->data);
        return;
    }
    const uint32_t *succ = p->succ + s->first;
    for (uint32_t i = 0; i < n; i++) // the plan may be over, and gone, once the last of them is told
        step_drop(p->steps[succ[i]].op);
}

static void list_run(struct list *l)
{
    struct list *outer = mine;
    uint64_t began = os_time_ns();
    struct op *op;
    mine = l;
    for (unsigned turn = 1; (op = list_pop(l)); turn++) {
        if (l->head && op->step->cost > LIST_NS)
            list_give_away(l);
        pool_give_next();
        bool ends_itself = op->flags & OP_ASYNC;
        if (__builtin_expect(op->describe != NULL, 0))
            op_event_begin(op);
        if (op->run)
            op->run(op);
        if (!ends_itself)
            op_finish(op);
        if (turn % TURN_STEPS == 0 && os_time_ns() - began > TURN_NS)
            list_give_away(l);
    }
    mine = outer;
}

void plan_step_run(struct op *op)
{
    struct list l = {0};
    list_push(&l, op, cost_of(op));
    list_run(&l);
}

void plan_start(struct plan *p, void (*done)(void *data), void *data)
{
    uint32_t n = p->nroots;
    if (!n) {
        done(data);
        return;
    }
    struct list l = {0}, *outer = mine;
    p->done = done;
    p->data = data;
    atomic_store(&p->left, p->leaves);
    mine = outer ? outer : &l;       // started by a step of another plan: no loop in a loop
    for (uint32_t i = 0; i < n; i++) // the plan may be over once its last root is told
        step_drop(p->steps[p->roots[i]].op);
    mine = outer;
    if (!outer)
        list_run(&l);
}

void plan_order(struct plan *p, struct order *const *each, struct order *all)
{
    for (uint32_t i = 0; i < p->n; i++)
        order_set(p->steps[i].op, each ? each[i] : all);
}

void plan_run_of(struct plan *p, const struct op *launch)
{
    p->run = launch;
}

const struct op *plan_run(const struct op *step)
{
    return step->step->plan->run;
}

void plan_step_again(struct op *op)
{
    step_ready(op);
}

void *plan_leave(void)
{
    struct list *l = mine;
    mine = NULL;
    return l;
}

void plan_return(void *list)
{
    mine = list;
}

void plan_step_wait(struct plan *p, uint32_t step, struct op *dep, struct op_link *link)
{
    op_wait_linked(p->steps[step].op, dep, link);
}

static void step_set(struct plan *p, uint32_t i, struct op *op)
{
    struct plan_step *s = &p->steps[i];
    s->op = op_retain(op);
    op->step = s;
    atomic_store(&op->pending, s->ndeps);
}

struct plan *plan_create(struct op *const *ops, uint32_t n, const struct plan_edge *edges, size_t nedges)
{
    struct plan *p = xcalloc(1, sizeof *p + n * sizeof *p->steps);
    p->n = n;
    p->succ = xcalloc(nedges + 1, sizeof *p->succ);
    p->roots = xcalloc((size_t)n + 1, sizeof *p->roots);
    for (size_t i = 0; i < nedges; i++) {
        p->steps[edges[i].from].nsucc++;
        p->steps[edges[i].to].ndeps++;
    }
    for (uint32_t i = 0, first = 0; i < n; i++) {
        struct plan_step *s = &p->steps[i];
        s->plan = p;
        s->first = first;
        first += s->nsucc;
        p->leaves += !s->nsucc;
        s->nsucc = 0;
        if (!s->ndeps) {
            p->roots[p->nroots++] = i;
            s->ndeps = 1; // the start
        }
        step_set(p, i, ops[i]);
    }
    for (size_t i = 0; i < nedges; i++) {
        struct plan_step *s = &p->steps[edges[i].from];
        p->succ[s->first + s->nsucc++] = edges[i].to;
    }
    return p;
}

struct op *plan_op(struct plan *p, uint32_t step)
{
    return p->steps[step].op;
}

void plan_replace(struct plan *p, uint32_t step, struct op *op)
{
    struct op *old = p->steps[step].op;
    step_set(p, step, op);
    op_release(old);
}

void plan_destroy(struct plan *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->n; i++)
        op_release(p->steps[i].op);
    free(p->succ);
    free(p->roots);
    free(p);
}
