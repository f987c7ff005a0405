// SPDX-License-Identifier: Apache-2.0
// See watchdog.h. One thread sleeps until the oldest kernel has had its time. Then it sends a signal to the threads that run
// blocks of it, again and again until the kernel is over: a thread that is not in the kernel's own code when the signal comes
// may hold a lock, and goes on (fault.c).
#include "device/fault/watchdog.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include "base/xmalloc.h"
#include "device/fault/fault.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AGAIN_NS = 2000000 };

// A thread that runs kernels, or has.
struct runner_thread {
    pid_t id;
    _Atomic(const struct watch *) kernel; // only to be compared
    struct runner_thread *next, **back;
};

static pthread_once_t limit_once = PTHREAD_ONCE_INIT, thread_once = PTHREAD_ONCE_INIT;
static unsigned seconds;
static int signal_number; // interrupts a thread
static _Thread_local struct runner_thread *own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of all below
static pthread_cond_t begun;
static struct watch *first, **end = &first; // by deadline
static struct runner_thread *threads;

static void thread_over(void *data)
{
    struct runner_thread *t = data;
    pthread_mutex_lock(&lock);
    *t->back = t->next;
    if (t->next)
        t->next->back = t->back;
    pthread_mutex_unlock(&lock);
    free(t);
    own = NULL;
}

static struct os_thread_end at_end = {.end = thread_over};

static struct runner_thread *thread_own(void)
{
    if (own)
        return own;
    struct runner_thread *t = own = xcalloc(1, sizeof *t);
    t->id = (pid_t)syscall(SYS_gettid);
    pthread_mutex_lock(&lock);
    t->next = threads;
    t->back = &threads;
    if (t->next)
        t->next->back = &t->next;
    threads = t;
    pthread_mutex_unlock(&lock);
    os_at_thread_end(&at_end, t);
    return t;
}

void watch_thread(const struct watch *w)
{
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, signal_number);
    if (w) // nobody else's signal: it may stay open
        pthread_sigmask(SIG_UNBLOCK, &s, NULL);
    atomic_store(&thread_own()->kernel, w);
}

// A thread that is on the list has not ended: it would have to take the lock first.
static void interrupt(const struct watch *w)
{
    fault_interrupt_install(signal_number); // the program may have set it back
    for (struct runner_thread *t = threads; t; t = t->next)
        if (atomic_load(&t->kernel) == w)
            syscall(SYS_tgkill, getpid(), t->id, signal_number);
}

static struct timespec to_timespec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

static void *watchdog_main(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    for (;;) {
        if (!first) {
            pthread_cond_wait(&begun, &lock);
            continue;
        }
        uint64_t now = os_time_ns(), until = first->deadline;
        for (struct watch *w = first; w && w->deadline <= now; w = w->next) {
            atomic_fetch_add(&w->expired, 1);
            interrupt(w);
            until = now + AGAIN_NS;
        }
        struct timespec t = to_timespec(until);
        pthread_cond_timedwait(&begun, &lock, &t);
    }
    return NULL;
}

static void limit_read(void)
{
    seconds = (unsigned)env_number("HEDDLE_LAUNCH_TIMEOUT");
}

unsigned watchdog_seconds(void)
{
    pthread_once(&limit_once, limit_read);
    return seconds;
}

static void thread_start(void)
{
    pthread_t t;
    pthread_condattr_t a;
    sigset_t all, old; // the program's signals are for its own threads
    signal_number = fault_interrupt_choose();
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&begun, &a);
    pthread_condattr_destroy(&a);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    if (pthread_create(&t, NULL, watchdog_main, NULL))
        log_write(LOG_ERROR, "cannot start a thread: HEDDLE_LAUNCH_TIMEOUT ends no kernel");
    else
        pthread_detach(t);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void watch_begin(struct watch *w)
{
    pthread_once(&thread_once, thread_start);
    atomic_store(&w->expired, 0);
    w->next = NULL;
    pthread_mutex_lock(&lock);
    w->deadline = os_time_ns() + seconds * UINT64_C(1000000000);
    w->back = end;
    *end = w;
    end = &w->next;
    if (first == w)
        pthread_cond_signal(&begun);
    pthread_mutex_unlock(&lock);
}

void watch_end(struct watch *w)
{
    pthread_mutex_lock(&lock);
    *w->back = w->next;
    if (w->next)
        w->next->back = w->back;
    else
        end = w->back;
    pthread_mutex_unlock(&lock);
}
