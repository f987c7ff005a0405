// See later.h. A process that ends destroys what its libraries hold, LLVM too, while threads go on: what is under way then is
// waited for, the rest is dropped. Exit handlers run in the order opposite to that in which they were asked for, so the handler
// is asked for again before every piece: libraries that were opened until then still stand while it waits.
#include "jit/later.h"
#include "base/log.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct piece {
    void *owner;
    void (*work)(void *);
    void *data;
    struct piece *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER, gone = PTHREAD_COND_INITIALIZER;
static struct piece *head, **tail = &head;
static void *running; // its owner
static bool ending;
static pid_t process; // that the thread lives in; 0: there is none

static void at_exit(void)
{
    if (getpid() != process) // a child has the handler and not the thread
        return;
    pthread_mutex_lock(&lock);
    ending = true;
    while (running)
        pthread_cond_wait(&gone, &lock);
    pthread_mutex_unlock(&lock);
}

static void *thread_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!head)
            pthread_cond_wait(&come, &lock);
        struct piece *p = head;
        if (!(head = p->next))
            tail = &head;
        running = p->owner;
        pthread_mutex_unlock(&lock);
        bool late = atexit(at_exit) != 0;
        pthread_mutex_lock(&lock);
        if (!ending && !late) {
            pthread_mutex_unlock(&lock);
            p->work(p->data);
            pthread_mutex_lock(&lock);
        }
        running = NULL;
        pthread_cond_broadcast(&gone);
        free(p);
    }
    return NULL;
}

// Under the lock.
static bool thread_ready(void)
{
    static bool failed;
    if (process || failed)
        return process == getpid();
    pthread_t t;
    sigset_t all, old; // the program's signals are for its own threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    failed = pthread_create(&t, NULL, thread_main, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed) {
        log_write(LOG_WARN, "no thread can be started to optimise kernels: quick code stays");
        return false;
    }
    pthread_detach(t);
    process = getpid();
    return true;
}

bool later_add(void *owner, void (*work)(void *data), void *data)
{
    struct piece *p = malloc(sizeof *p);
    if (!p)
        return false;
    *p = (struct piece){owner, work, data, NULL};
    pthread_mutex_lock(&lock);
    bool ok = thread_ready() && !ending;
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

void later_forget(void *owner)
{
    pthread_mutex_lock(&lock);
    for (struct piece **at = &head, *p; (p = *at);) {
        if (p->owner != owner) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        free(p);
    }
    for (tail = &head; *tail; tail = &(*tail)->next)
        ;
    while (running == owner && process == getpid())
        pthread_cond_wait(&gone, &lock);
    pthread_mutex_unlock(&lock);
}
