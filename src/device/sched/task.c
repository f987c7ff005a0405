// SPDX-License-Identifier: Apache-2.0
// Tasks: operations that are done in turns, and that sleep between them until they are woken (driver/native.h has the contract).
//
// No wake-up is lost and none comes twice: `state` goes from RUNNING to ASLEEP when a turn has ended so, unless it was woken
// meanwhile, and who finds ASLEEP when he sets WOKEN makes the op ready. So the op is in the hands of one thread at a time: the one
// that runs its turn, or the one that woke it.
#include "device/count/count.h"
#include "device/device.h"
#include "device/fault/fault.h"
#include "device/order/order.h"
#include "device/sched/launch_op.h"
#include <string.h>

enum { RUNNING, WOKEN, ASLEEP };

struct task_op {
    struct op op;
    atomic_uint state;
    struct task_desc d;
    struct count_launch *count;
    _Alignas(16) char args[];
};

static enum task_turn turn(struct task_op *t)
{
    struct fault_scope scope;
    volatile enum task_turn next = TASK_OVER;
    scope.watch = NULL;
    scope.block = NULL;
    scope.kernel = t->d.name;
    scope.code = t->d.code;
    uint64_t mode = float_mode(false);
    if (!sigsetjmp(scope.jump, 0)) {
        fault_enter(&scope);
        next = t->d.turn(t->args, &t->op);
        fault_leave(&scope);
    } else {
        fault_leave(&scope);
        fault_record(t->d.faults, scope.fault, t->d.name, NULL, &scope);
        t->d.abandon(t->args, &t->op);
    }
    float_mode_restore(mode);
    return next;
}

static void task_run(struct op *op)
{
    struct task_op *t = (struct task_op *)op;
    unsigned running = RUNNING;
    enum task_turn next = TASK_OVER;
    atomic_store(&t->state, RUNNING);
    if (atomic_load(&t->d.faults->fault)) // the context is lost: nothing runs any more
        t->d.abandon(t->args, &t->op);
    else
        next = turn(t);
    if (next == TASK_OVER) {
        static const struct jit_launch shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .cluster = {1, 1, 1}};
        if (!atomic_load(&t->d.faults->fault))
            count_launch_over(t->count, op, &shape);
        order_learns_all(op); // others may have told it
        op_finish(op);
    } else if (next == TASK_AGAIN || !atomic_compare_exchange_strong(&t->state, &running, ASLEEP)) {
        op_again(op);
    }
}

void task_wake(struct op *op)
{
    struct task_op *t = (struct task_op *)op;
    if (atomic_exchange(&t->state, WOKEN) == ASLEEP)
        op_again(op);
}

static uint64_t task_estimate(struct op *op)
{
    (void)op;
    return UINT64_MAX;
}

static void task_destroy(struct op *op)
{
    struct task_op *t = (struct task_op *)op;
    count_launch_destroy(t->count);
    if (t->d.drop)
        t->d.drop(t->args);
    if (t->d.done)
        t->d.done(t->d.done_data, 1);
}

void task_op_describe(const struct op *op, struct timeline_event *e)
{
    memset(&e->kernel, 0, sizeof e->kernel);
    e->kind = TIMELINE_KERNEL;
    e->kernel.name = ((const struct task_op *)op)->d.name;
    for (int i = 0; i < 3; i++)
        e->kernel.grid[i] = e->kernel.block[i] = e->kernel.cluster[i] = 1;
}

struct op *task_op_create(const struct task_desc *d)
{
    struct task_op *t = (struct task_op *)op_create(sizeof *t + d->args_size, task_run, task_destroy);
    if (!t)
        return NULL;
    t->op.flags = OP_ASYNC;
    t->op.estimate = task_estimate;
    t->d = *d;
    memcpy(t->args, d->args, d->args_size);
    return &t->op;
}

void task_op_count(struct op *task, const struct count_desc *d)
{
    struct task_op *t = (struct task_op *)task;
    t->count = count_launch_create(d, t->d.name);
}
