// SPDX-License-Identifier: Apache-2.0
// What links and engines know of communicators: which there are in this process, that one has failed, and who is to be told.
#include "nccl/comm.h"
#include "base/log.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/random.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct comm *all; // of this process, that have not ended

void comm_lock(void)
{
    pthread_mutex_lock(&lock);
}

void comm_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

bool comm_alive(uint64_t token)
{
    struct comm *c = all;
    while (c && c->token != token)
        c = c->next;
    return c;
}

uint64_t comm_random(void)
{
    uint64_t x = 0;
    while (getrandom(&x, sizeof x, 0) < 0 && errno == EINTR)
        ;
    return x;
}

void engine_wake(struct engine *e)
{
    pthread_mutex_lock(&e->lock);
    if (e->task)
        library_task_wake(e->task);
    e->woken = true;
    pthread_cond_signal(&e->cond);
    pthread_mutex_unlock(&e->lock);
}

void comm_register(struct comm *c)
{
    comm_lock();
    c->registered = true;
    c->next = all;
    all = c;
    comm_unlock();
}

// Ranks of this process that wait for this one look again.
void comm_unregister(struct comm *c)
{
    comm_lock();
    struct comm **at = &all;
    while (*at && *at != c)
        at = &(*at)->next;
    if (*at)
        *at = c->next;
    for (struct comm *x = all; x && c->registered; x = x->next)
        if (x->nonce == c->nonce && x->n == c->n)
            for (unsigned i = 0; i < ENGINES; i++)
                engine_wake(&x->engines[i]);
    c->registered = false;
    comm_unlock();
}

void comm_fail(struct comm *c, ncclResult_t r, const char *fmt, ...)
{
    int none = ncclSuccess;
    char why[256];
    va_list ap;
    if (!atomic_compare_exchange_strong(&c->error, &none, r))
        return;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    fail(r, "rank %d of %d: %s", c->rank, c->n, why);
    if (!atomic_load(&c->ending))
        log_write(LOG_ERROR, "NCCL: rank %d of %d: %s; its streams go on without the data", c->rank, c->n, why);
}
