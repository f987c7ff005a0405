// See later.h. A process that ends destroys what its libraries hold, LLVM too, while threads go on: what is under way then is
// waited for, the rest is dropped. exit() first ends the variables of the thread that calls it, which the main thread mostly
// is: ours comes before all that libraries have asked for (later_watch). Where another thread calls it, exit handlers have to
// do. They run in the order opposite to that in which they were asked for, so ours is asked for again before every piece, and
// when LLVM has been opened in the middle of one (later_guard). What LLVM makes in the course of that piece is not covered.
//
// A child that is forked off has one thread, and every lock as another thread held it in its parent. LLVM's destructors, and
// those of the C library's lists that LLVM enters itself in, take such locks when the child ends. So a fork waits until no
// thread is inside LLVM, and for our own lock.
#include "jit/later.h"
#include "base/log.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct piece {
    void *owner;
    void (*work)(void *);
    void *data;
    struct piece *next;
};

enum {
    STACK_BYTES = 16 << 20,
    FORK_SECONDS = 5, // a fork waits no longer
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER, gone = PTHREAD_COND_INITIALIZER;
static struct piece *head, **tail = &head;
static void *running; // its owner
static bool ending;
static unsigned holds, forks;      // threads inside LLVM, and in fork
static _Thread_local bool holding; // this one is inside

static void at_exit(void)
{
    pthread_mutex_lock(&lock);
    ending = true;
    while (running)
        pthread_cond_wait(&gone, &lock);
    pthread_mutex_unlock(&lock);
}

void later_guard(void)
{
    if (!atexit(at_exit))
        return;
    pthread_mutex_lock(&lock);
    ending = true;
    pthread_mutex_unlock(&lock);
}

void later_hold(void)
{
    pthread_mutex_lock(&lock);
    while (forks)
        pthread_cond_wait(&gone, &lock);
    holds++;
    pthread_mutex_unlock(&lock);
    holding = true;
}

void later_release(void)
{
    holding = false;
    pthread_mutex_lock(&lock);
    holds--;
    pthread_cond_broadcast(&gone);
    pthread_mutex_unlock(&lock);
}

// A handler of signals may fork inside LLVM, where this thread cannot go on until it has.
static void before_fork(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += FORK_SECONDS;
    pthread_mutex_lock(&lock);
    forks++;
    while (holds > holding && !pthread_cond_timedwait(&gone, &lock, &end))
        ;
    forks--;
}

static void after_fork(void)
{
    pthread_cond_broadcast(&gone);
    pthread_mutex_unlock(&lock);
}

// The child has the handlers and what was to be done, and not the thread.
static void in_child(void)
{
    come = gone = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    head = NULL;
    tail = &head;
    running = NULL;
    holds = holding;
    ending = true;
    pthread_mutex_unlock(&lock);
}

static void fork_watch(void)
{
    pthread_atfork(before_fork, after_fork, in_child);
}

// Of the C library: a destructor of a variable of this thread.
extern int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);
extern __attribute__((visibility("hidden"))) void *__dso_handle;

static void at_main_end(void *unused)
{
    (void)unused;
    at_exit();
}

void later_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fork_watch);
    if (syscall(SYS_gettid) == getpid()) // the main thread
        __cxa_thread_atexit_impl(at_main_end, NULL, &__dso_handle);
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
        later_guard();
        pthread_mutex_lock(&lock);
        if (!ending) {
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
    failed = pthread_create(&t, &attr, thread_main, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    if (failed)
        log_write(LOG_WARN, "no thread can be started to optimise kernels: quick code stays");
    return !failed;
}

bool later_add(void *owner, void (*work)(void *data), void *data)
{
    struct piece *p = malloc(sizeof *p);
    if (!p)
        return false;
    *p = (struct piece){owner, work, data, NULL};
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
    while (running == owner)
        pthread_cond_wait(&gone, &lock);
    pthread_mutex_unlock(&lock);
}
