// SPDX-License-Identifier: Apache-2.0
// See stacks.h.
#include "device/debug/stacks.h"
#include "base/reserve.h"
#include "device/fault/fault.h"
#include "device/hook/hooks.h"
#include "device/sched/fibres.h"
#include "device/sched/launch_op.h"
#include "device/sched/runner.h"
#include "jit/abi/run.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_BYTES = 4 << 20 };

// One thread of the system, and the kernel's thread that it runs.
struct own_stack {
    sem_t run, back;
    struct jit_block *block;
    heddle_thread_fn *fn;
    struct debug_thread *shown;
    uint32_t thread;
    uint64_t mode; // of floats, as float_mode() gives it
    bool leave;    // out of the code, by a jump
    bool faulted;
    uint32_t tid;
    struct fault_scope scope;
    struct own_stack *next; // in the store
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct own_stack *store;
static _Thread_local struct own_stack *own;

static void wait_for(sem_t *s)
{
    while (sem_wait(s) && errno == EINTR)
        ;
}

// Hands the turn back until it comes again.
static void hand_back(struct own_stack *s, enum debug_status status)
{
    s->shown->status = status;
    sem_post(&s->back);
    wait_for(&s->run);
    if (s->leave)
        siglongjmp(s->scope.jump, 1);
    s->shown->status = DEBUG_RUNS;
}

void hook_pause(struct jit_block *b, uint32_t thread, uint32_t state)
{
    struct own_stack *s = own;
    ucontext_t here;
    (void)b, (void)thread;
    if (!s) {
        fibre_pause(state);
        return;
    }
    if (core_wanted() && !getcontext(&here))
        s->shown->context = &here;
    s->shown->state = state;
    s->shown->ran = 1;
    heddle_debug_waits();
    hand_back(s, DEBUG_WAITS);
    s->shown->context = NULL;
}

static void on_hold(int signal)
{
    int error = errno;
    (void)signal;
    if (own && own->shown->status == DEBUG_RUNS)
        hand_back(own, DEBUG_HELD);
    errno = error;
}

static void *stack_main(void *arg)
{
    struct own_stack *s = own = arg;
    sigset_t hold; // workers block what is not for them
    s->tid = (uint32_t)syscall(SYS_gettid);
    sigemptyset(&hold);
    sigaddset(&hold, (int)heddle_debug.hold_signal);
    pthread_sigmask(SIG_UNBLOCK, &hold, NULL);
    for (;;) {
        wait_for(&s->run);
        float_mode_restore(s->mode);
        s->shown->tid = s->tid;
        s->shown->status = DEBUG_RUNS;
        if (!sigsetjmp(s->scope.jump, 0)) {
            fault_enter(&s->scope);
            s->fn(s->block->launch, s->block, s->thread);
        } else {
            s->faulted = !s->leave;
        }
        fault_leave(&s->scope);
        s->shown->state = 0;
        s->shown->ran = 1;
        s->shown->status = DEBUG_OVER;
        s->shown->tid = 0;
        s->shown->context = NULL;
        if (!s->leave)
            heddle_debug_ended();
        sem_post(&s->back);
    }
    return NULL;
}

// ---- the store

static struct own_stack *stack_create(void)
{
    pthread_t id;
    pthread_attr_t attr;
    struct own_stack *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    sem_init(&s->run, 0, 0);
    sem_init(&s->back, 0, 0);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    bool ok = !pthread_create(&id, &attr, stack_main, s);
    pthread_attr_destroy(&attr);
    if (ok)
        return s;
    free(s);
    return NULL;
}

static struct own_stack *stack_take(void)
{
    pthread_mutex_lock(&lock);
    struct own_stack *s = store;
    if (s)
        store = s->next;
    pthread_mutex_unlock(&lock);
    return s ? s : stack_create();
}

static void stack_give(struct own_stack *s)
{
    pthread_mutex_lock(&lock);
    s->next = store;
    store = s;
    pthread_mutex_unlock(&lock);
}

// ---- one block

static _Noreturn void lacks_memory(uint32_t thread)
{
    fault_raise(FAULT_OUT_OF_MEMORY, thread, NULL);
}

static void hold_prepare(void)
{
    struct sigaction a = {.sa_handler = on_hold, .sa_flags = SA_NODEFER | SA_RESTART};
    int number = fault_interrupt_choose();
    sigemptyset(&a.sa_mask);
    sigaction(number, &a, NULL);
    heddle_debug.hold_signal = (uint32_t)number;
}

static struct debug_block *block_begin(struct resident *r)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct launch_op *l =
        (const struct launch_op *)((const char *)r->block.launch - offsetof(struct launch_op, launch));
    struct debug_block *d = calloc(1, sizeof *d);
    pthread_once(&once, hold_prepare);
    if (!d)
        lacks_memory(0);
    debug_block_fill(d, &r->block, l->kernel);
    d->threads = calloc(d->count, sizeof *d->threads);
    if (!d->threads) {
        free(d);
        lacks_memory(0);
    }
    r->debugged = d;
    debug_block_add(d);
    if (!r->block.linear)
        heddle_debug_launch();
    return d;
}

void own_stacks_release(struct debug_block *d)
{
    if (!d)
        return;
    for (uint32_t i = 0; i < d->count; i++) {
        struct own_stack *s = d->threads[i].stack;
        if (!s)
            continue;
        if (d->threads[i].status != DEBUG_OVER) {
            s->leave = true;
            sem_post(&s->run);
            wait_for(&s->back);
        }
        stack_give(s);
    }
    debug_block_remove(d);
    free(d->threads);
    free(d);
}

static void stack_begin(struct own_stack *s, struct debug_block *d, struct jit_block *block, heddle_thread_fn *fn,
                        uint32_t thread)
{
    const struct fault_scope *scope = fault_scope_of_thread();
    s->block = block;
    s->fn = fn;
    s->thread = thread;
    s->shown = &d->threads[thread];
    s->mode = float_mode_now();
    s->leave = s->faulted = false;
    s->scope.watch = scope->watch;
    s->scope.code = scope->code;
    s->scope.kernel = scope->kernel;
    s->scope.block = block;
}

// One turn of a thread: until it waits, ends or is held.
static void turn(struct debug_block *d, struct jit_block *block, heddle_thread_fn *fn, uint32_t thread)
{
    struct debug_thread *t = &d->threads[thread];
    if (!t->stack) {
        if (!(t->stack = stack_take()))
            lacks_memory(thread);
        stack_begin(t->stack, d, block, fn, thread);
    }
    d->current = block->first_thread = thread;
    sem_post(&t->stack->run);
    wait_for(&t->stack->back);
    if (t->stack->faulted) {
        struct fault_scope met = t->stack->scope;
        struct resident *r = block->engine;
        r->debugged = NULL;
        own_stacks_release(d);
        fault_raise_again(&met);
    }
}

static uint32_t *states_of(const struct jit_block *block)
{
    return (uint32_t *)(block->frame + RESUME_BLOCK_BYTES);
}

// The thread that a debugger wants to run, if it can; else `otherwise`.
static uint32_t wanted(struct debug_block *d, uint32_t otherwise)
{
    uint64_t thread = heddle_debug.wanted_thread;
    if (!thread || heddle_debug.wanted_block != (uint64_t)(uintptr_t)d)
        return otherwise;
    heddle_debug.wanted_thread = 0;
    bool may = thread <= d->count && !d->threads[thread - 1].ran && (int32_t)states_of(d->block)[thread - 1] > 0;
    return may ? (uint32_t)thread - 1 : otherwise;
}

static void show_released(struct debug_block *d)
{
    const uint32_t *state = states_of(d->block);
    for (uint32_t i = 0; i < d->count; i++)
        if (d->threads[i].status == DEBUG_WAITS && !d->threads[i].ran && (int32_t)state[i] > 0)
            d->threads[i].status = DEBUG_RELEASED;
}

static heddle_thread_fn *thread_function(const struct jit_block *block)
{
    return (heddle_thread_fn *)((const struct resident *)block->engine)->thread_code;
}

// As generated code runs a gang of one lane (resume_gang_fn).
static uint32_t run_thread(const struct jit_launch *launch, struct jit_block *block, uint32_t thread)
{
    struct debug_block *d = ((struct resident *)block->engine)->debugged;
    uint32_t *state = states_of(block);
    (void)launch;
    if ((int32_t)state[thread] <= 0)
        return 0;
    show_released(d);
    for (uint32_t now = thread; !d->threads[thread].ran;) {
        turn(d, block, thread_function(block), now);
        now = wanted(d, d->threads[now].ran ? thread : now);
    }
    d->threads[thread].ran = 0;
    state[thread] = d->threads[thread].state;
    return 1;
}

uint32_t hook_run_stacks(struct jit_block *block, uint32_t threads, void *fn, uint32_t padded, uint32_t flags)
{
    struct resident *r = block->engine;
    if (!(flags & RESUME_DEBUGGED))
        return fibres_run(r, fn, threads, padded, flags);
    r->thread_code = fn;
    if (!block->resume) {
        own_stacks_release(r->debugged);
        r->debugged = NULL;
        block_begin(r);
    }
    uint32_t result = heddle_resume_machine(block->launch, block, run_thread, threads, padded, 1, flags);
    if (result == JIT_DONE) {
        own_stacks_release(r->debugged);
        r->debugged = NULL;
    }
    return result;
}
