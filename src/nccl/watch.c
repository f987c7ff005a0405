// SPDX-License-Identifier: Apache-2.0
// The thread that waits. Events name a watch by its number, which is looked up under the lock that watch_remove takes: so none is
// told of that was removed.
#include "nccl/watch.h"
#include "base/log.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct watch {
    uint64_t id;
    int fd;
    void (*ready)(void *data, unsigned events);
    void *data;
    struct watch *next;
};

enum { BUCKETS = 256, EVENTS = 64 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct watch *table[BUCKETS];
static uint64_t ids;
static int poller = -1;
static pid_t owner; // the process that has the thread

static void tell(uint64_t id, unsigned events)
{
    pthread_mutex_lock(&lock);
    struct watch *w = table[id % BUCKETS];
    while (w && w->id != id)
        w = w->next;
    if (w)
        w->ready(w->data, events);
    pthread_mutex_unlock(&lock);
}

static void *wait_loop(void *data)
{
    struct epoll_event events[EVENTS];
    int fd = (int)(intptr_t)data;
    for (;;) {
        int n = epoll_wait(fd, events, EVENTS, -1);
        if (n < 0 && errno != EINTR)
            return NULL;
        for (int i = 0; i < n; i++)
            tell(events[i].data.u64, events[i].events);
    }
}

// The lock is held. A process that was forked has no thread of its parent's.
static bool begin(void)
{
    if (poller >= 0 && owner == getpid())
        return true;
    pthread_t thread;
    sigset_t all, old;
    int fd = epoll_create1(EPOLL_CLOEXEC);
    if (fd < 0)
        return false;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV); // all threads can wait for memory that is being exchanged
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int e = pthread_create(&thread, NULL, wait_loop, (void *)(intptr_t)fd);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (e) {
        close(fd);
        return false;
    }
    pthread_detach(thread);
    poller = fd;
    owner = getpid();
    return true;
}

struct watch *watch_add(int fd, void (*ready)(void *data, unsigned events), void *data)
{
    struct watch *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    pthread_mutex_lock(&lock);
    w->id = ++ids;
    w->fd = fd;
    w->ready = ready;
    w->data = data;
    struct epoll_event e = {.events = EPOLLONESHOT, .data.u64 = w->id};
    bool ok = begin() && !epoll_ctl(poller, EPOLL_CTL_ADD, fd, &e);
    if (ok) {
        w->next = table[w->id % BUCKETS];
        table[w->id % BUCKETS] = w;
    }
    pthread_mutex_unlock(&lock);
    if (!ok)
        free(w);
    return ok ? w : NULL;
}

void watch_arm(struct watch *w, unsigned events)
{
    struct epoll_event e = {.events = events | EPOLLONESHOT, .data.u64 = w->id};
    if (epoll_ctl(poller, EPOLL_CTL_MOD, w->fd, &e))
        log_write(LOG_WARN, "NCCL: a socket cannot be watched");
}

void watch_remove(struct watch *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&lock);
    struct watch **at = &table[w->id % BUCKETS];
    while (*at && *at != w)
        at = &(*at)->next;
    if (*at)
        *at = w->next;
    epoll_ctl(poller, EPOLL_CTL_DEL, w->fd, NULL);
    pthread_mutex_unlock(&lock);
    free(w);
}
