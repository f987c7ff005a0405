// SPDX-License-Identifier: Apache-2.0
// See background.h. A process may end while the thread is at work: nothing of LLVM ends before it does (forever.c). A handler of
// signals may end the process, or fork, in a thread that is in here: nobody waits for the lock for ever then.
#include "jit/cache/background.h"
#include "base/log.h"
#include "base/os.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct piece {
    void *owner;
    void (*work)(void *);
    void (*over)(void *, bool);
    void *data;
    uint64_t expected_ns, since_ns;
    struct piece *next;
};

enum {
    STACK_BYTES = 16 << 20,
    FORK_MS = 500, // a lock that is not free by then is kept by this very thread
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER, gone = PTHREAD_COND_INITIALIZER;
static struct piece *head, **tail = &head;
static struct piece *running;
static bool ending;

void background_end(unsigned ms)
{
    struct timespec end = os_time_after(ms);
    if (!os_lock_within(&lock, FORK_MS))
        return;
    ending = true;
    uint64_t now = os_time_ns(), until = running ? running->since_ns + running->expected_ns : 0;
    bool soon = until <= now || until - now <= ms * 1000000ull;
    while (ms && running && soon && !pthread_cond_timedwait(&gone, &lock, &end))
        ;
    pthread_mutex_unlock(&lock);
}

// The child of a fork has what was to be done, and not the thread. The lock is ours while the process is copied.
static _Thread_local bool ours;

static void before_fork(void)
{
    ours = os_lock_within(&lock, FORK_MS);
}

static void after_fork(void)
{
    if (ours)
        pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
    head = NULL;
    tail = &head;
    running = NULL;
    ending = true;
    after_fork();
}

static void *thread_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!head || ending)
            pthread_cond_wait(&come, &lock);
        struct piece *p = head;
        if (!(head = p->next))
            tail = &head;
        running = p;
        p->since_ns = os_time_ns();
        pthread_mutex_unlock(&lock);
        p->work(p->data);
        pthread_mutex_lock(&lock);
        p->over(p->data, p->owner);
        running = NULL;
        pthread_cond_broadcast(&gone);
        free(p);
    }
    return NULL;
}

// Under the lock.
static bool thread_ready(void)
{
    static bool tried, failed;
    if (tried)
        return !failed;
    tried = true;
    pthread_t t;
    pthread_attr_t attr;
    sigset_t all, old; // the program's signals are for its own threads
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, STACK_BYTES); // LLVM's recursions are deep, whatever the program's limit is
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    failed = pthread_atfork(before_fork, after_fork, in_child) || pthread_create(&t, &attr, thread_main, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    if (failed)
        log_write(LOG_WARN, "no thread can be started to optimise kernels: quick code stays");
    return !failed;
}

bool background_add(void *owner, void (*work)(void *data), void (*over)(void *data, bool wanted), void *data,
                    uint64_t expected_ns)
{
    struct piece *p = malloc(sizeof *p);
    if (!p)
        return false;
    *p = (struct piece){.owner = owner, .work = work, .over = over, .data = data, .expected_ns = expected_ns};
    pthread_mutex_lock(&lock);
    bool ok = !ending && thread_ready();
    if (ok) {
        *tail = p;
        tail = &p->next;
        pthread_cond_signal(&come);
    }
    pthread_mutex_unlock(&lock);
    if (!ok)
        free(p);
    return ok;
}

void background_forget(void *owner)
{
    pthread_mutex_lock(&lock);
    for (struct piece **at = &head, *p; (p = *at);) {
        if (p->owner != owner) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        p->over(p->data, false);
        free(p);
    }
    for (tail = &head; *tail; tail = &(*tail)->next)
        ;
    if (running && running->owner == owner)
        running->owner = NULL;
    pthread_mutex_unlock(&lock);
}
