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
static struct lane {
    struct piece *head, *running;
    bool tried, failed; // to start its thread
} lanes[LANES];
static bool ending;

void background_end(unsigned ms)
{
    struct timespec end = os_time_after(ms);
    if (!os_lock_within(&lock, FORK_MS))
        return;
    ending = true;
    struct lane *l = &lanes[LANE_UPGRADE];
    uint64_t now = os_time_ns(), until = l->running ? l->running->since_ns + l->running->expected_ns : 0;
    bool soon = until <= now || until - now <= ms * 1000000ull;
    while (ms && l->running && soon && !pthread_cond_timedwait(&gone, &lock, &end))
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
    for (int i = 0; i < LANES; i++)
        lanes[i].head = lanes[i].running = NULL;
    ending = true;
    after_fork();
}

static void *thread_main(void *lane)
{
    struct lane *l = lane;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!l->head || ending)
            pthread_cond_wait(&come, &lock);
        struct piece *p = l->head;
        l->head = p->next;
        l->running = p;
        p->since_ns = os_time_ns();
        pthread_mutex_unlock(&lock);
        p->work(p->data);
        pthread_mutex_lock(&lock);
        p->over(p->data, p->owner);
        l->running = NULL;
        pthread_cond_broadcast(&gone);
        free(p);
    }
    return NULL;
}

// Under the lock.
static bool thread_ready(struct lane *l)
{
    static bool watched;
    if (l->tried)
        return !l->failed;
    l->tried = true;
    pthread_t t;
    pthread_attr_t attr;
    sigset_t all, old; // the program's signals are for its own threads
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, STACK_BYTES); // LLVM's recursions are deep, whatever the program's limit is
    sigfillset(&all);
    sigdelset(&all, SIGSEGV); // all threads can wait for memory that is being exchanged
    pthread_sigmask(SIG_SETMASK, &all, &old);
    watched = watched || !pthread_atfork(before_fork, after_fork, in_child);
    l->failed = !watched || pthread_create(&t, &attr, thread_main, l);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    if (l->failed)
        log_write(LOG_WARN, "no thread can be started to compile kernels in the background: quick code stays");
    return !l->failed;
}

bool background_add(enum background_lane lane, void *owner, void (*work)(void *data),
                    void (*over)(void *data, bool wanted), void *data, uint64_t expected_ns)
{
    struct piece *p = malloc(sizeof *p);
    if (!p)
        return false;
    *p = (struct piece){.owner = owner, .work = work, .over = over, .data = data, .expected_ns = expected_ns};
    pthread_mutex_lock(&lock);
    bool ok = !ending && thread_ready(&lanes[lane]);
    if (ok) {
        struct piece **tail = &lanes[lane].head;
        while (*tail)
            tail = &(*tail)->next;
        *tail = p;
        pthread_cond_broadcast(&come);
    }
    pthread_mutex_unlock(&lock);
    if (!ok)
        free(p);
    return ok;
}

static void lane_forget(struct lane *l, void *owner)
{
    for (struct piece **at = &l->head, *p; (p = *at);) {
        if (p->owner != owner) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        p->over(p->data, false);
        free(p);
    }
    if (l->running && l->running->owner == owner)
        l->running->owner = NULL;
}

void background_forget(void *owner)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < LANES; i++)
        lane_forget(&lanes[i], owner);
    pthread_mutex_unlock(&lock);
}
