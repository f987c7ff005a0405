// The worker pool. Work is of two kinds: ready operations, taken whole by one thread, and grids, which any number of threads
// join. A thread that waits for an operation works as well; `active` keeps the number of working threads at the number of
// cores, since one more would be taken off its core in the middle of a block and make the others wait for it.
//
// Workers spin for a short time after their last work and then sleep on a futex: a launch that follows closely costs no
// system call, an idle process no time.
#include "device/pool.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_JOBS = 64, SPIN_NS = 50000, WORKER_STACK = 16 << 20 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned worker_count;
static atomic_uint active;   // threads at work
static atomic_uint spinning; // workers that look for work
static atomic_uint sleeping; // workers asleep
static atomic_uint wake_word;

static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
static struct op *ready_head, *ready_tail;
static atomic_uint ready_count;

static struct op *host_head, *host_tail; // OP_HOST operations, for the callback thread
static pthread_cond_t host_cond = PTHREAD_COND_INITIALIZER;

// Grids that may be joined. A thread that enters a slot counts itself in `entering` while it takes a reference to the op, so
// that no lock is needed; `open` is false once nothing is left to take, so that idle threads do not disturb the last ones.
static struct slot {
    _Alignas(64) _Atomic(struct grid_job *) job;
    atomic_uint entering;
    atomic_bool open;
} slots[MAX_JOBS];
static atomic_uint slot_count;  // slots in use, at most
static atomic_uint open_count;  // slots that are open

void futex_wait(atomic_uint *word, unsigned expected)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void futex_wake(atomic_uint *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

static void cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("isb" ::: "memory");
#endif
}

void pool_pause(unsigned turn)
{
    if (turn < 64)
        cpu_relax();
    else
        sched_yield();
}

static void list_push(struct op **head, struct op **tail, struct op *op)
{
    op->ready_next = NULL;
    if (*tail)
        (*tail)->ready_next = op;
    else
        *head = op;
    *tail = op;
}

static struct op *list_pop(struct op **head, struct op **tail)
{
    struct op *op = *head;
    if (op && !(*head = op->ready_next))
        *tail = NULL;
    return op;
}

void pool_wake(unsigned n)
{
    unsigned asleep = atomic_load(&sleeping);
    if (!asleep || !n)
        return;
    atomic_fetch_add(&wake_word, 1);
    futex_wake(&wake_word, (int)(n < asleep ? n : asleep));
}

static struct op *ready_take(void)
{
    if (!atomic_load(&ready_count))
        return NULL;
    pthread_mutex_lock(&ready_lock);
    struct op *op = list_pop(&ready_head, &ready_tail);
    if (op)
        atomic_fetch_sub(&ready_count, 1);
    pthread_mutex_unlock(&ready_lock);
    return op;
}

static void op_run(struct op *op)
{
    if (op->step && !(op->flags & OP_HOST)) {
        plan_step_run(op);
        return;
    }
    bool ends_itself = op->flags & OP_ASYNC; // and may be gone when run() returns
    if (op->run)
        op->run(op);
    if (!ends_itself)
        op_finish(op);
}

static bool grid_help(void)
{
    unsigned n = atomic_load(&slot_count);
    for (unsigned i = 0; i < n; i++) {
        if (!atomic_load(&slots[i].open))
            continue;
        atomic_fetch_add(&slots[i].entering, 1);
        struct grid_job *j = atomic_load(&slots[i].job);
        struct op *op = j ? op_retain(j->op) : NULL; // keeps the job's memory while we are in it
        atomic_fetch_sub(&slots[i].entering, 1);
        if (!op)
            continue;
        bool ran = j->join(j);
        op_release(op);
        if (ran)
            return true;
    }
    return false;
}

bool pool_help(void)
{
    if (!atomic_load(&ready_count) && !atomic_load(&open_count))
        return false;
    if (atomic_fetch_add(&active, 1) >= worker_count) { // every core has a thread at work already
        atomic_fetch_sub(&active, 1);
        return false;
    }
    struct op *op = ready_take();
    bool ran = true;
    if (op)
        op_run(op);
    else
        ran = grid_help();
    atomic_fetch_sub(&active, 1);
    // A worker may have gone to sleep because this thread held the last free core.
    if (atomic_load(&ready_count) && !atomic_load(&spinning))
        pool_wake(1);
    return ran;
}

bool pool_run_ready(void)
{
    struct op *op = ready_take();
    if (op) {
        void *steps = plan_leave();
        op_run(op);
        plan_return(steps);
    }
    return op != NULL;
}

bool pool_publish(struct grid_job *job)
{
    for (unsigned i = 0; i < MAX_JOBS; i++) {
        struct grid_job *none = NULL;
        if (atomic_load(&slots[i].job) || !atomic_compare_exchange_strong(&slots[i].job, &none, job))
            continue;
        job->slot = i;
        unsigned n = atomic_load(&slot_count);
        while (n < i + 1 && !atomic_compare_exchange_weak(&slot_count, &n, i + 1))
            ;
        atomic_fetch_add(&open_count, 1);
        atomic_store(&slots[i].open, true);
        return true;
    }
    return false;
}

void pool_close(struct grid_job *job)
{
    struct slot *s = &slots[job->slot];
    if (atomic_load(&s->job) == job && atomic_exchange(&s->open, false))
        atomic_fetch_sub(&open_count, 1);
}

void pool_retract(struct grid_job *job)
{
    struct slot *s = &slots[job->slot];
    pool_close(job);
    atomic_store(&s->job, NULL);
    while (atomic_load(&s->entering)) // a few instructions of another thread
        cpu_relax();
}

static void *worker_main(void *arg)
{
    (void)arg;
    for (uint64_t idle_since = os_time_ns();;) {
        atomic_fetch_add(&spinning, 1);
        bool ran = false;
        while (!ran) {
            for (unsigned turn = 0; turn < 100 && !ran; turn++) {
                if (atomic_load(&ready_count) || atomic_load(&open_count)) {
                    atomic_fetch_sub(&spinning, 1);
                    ran = pool_help();
                    atomic_fetch_add(&spinning, 1);
                }
                cpu_relax();
            }
            if (ran || os_time_ns() - idle_since > SPIN_NS)
                break;
        }
        atomic_fetch_sub(&spinning, 1);
        if (!ran) {
            unsigned word = atomic_load(&wake_word);
            atomic_fetch_add(&sleeping, 1);
            if (!atomic_load(&ready_count) || atomic_load(&active) >= worker_count)
                futex_wait(&wake_word, word);
            atomic_fetch_sub(&sleeping, 1);
        }
        idle_since = os_time_ns();
    }
    return NULL;
}

// User code called back from a stream may block for as long as it likes: it has a thread of its own, as in CUDA.
static void *callback_main(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&ready_lock);
        struct op *op;
        while (!(op = list_pop(&host_head, &host_tail)))
            pthread_cond_wait(&host_cond, &ready_lock);
        pthread_mutex_unlock(&ready_lock);
        op_run(op);
    }
    return NULL;
}

static void thread_start(void *(*main)(void *), pthread_attr_t *attr)
{
    pthread_t t;
    if (pthread_create(&t, attr, main, NULL))
        log_write(LOG_ERROR, "cannot start a thread; work goes on with fewer");
    else
        pthread_detach(t);
}

static void start(void)
{
    const char *v = env_get("HEDDLE_THREADS");
    long n = *v ? strtol(v, NULL, 10) : (long)os_cpu_count();
    worker_count = n < 1 ? 1 : n > 1024 ? 1024 : (unsigned)n;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, WORKER_STACK);
    sigset_t all, old; // the program's signals are for its own threads
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGFPE);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (unsigned i = 0; i < worker_count; i++)
        thread_start(worker_main, &attr);
    thread_start(callback_main, &attr);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
}

unsigned pool_workers(void)
{
    pthread_once(&once, start);
    return worker_count;
}

void pool_ready(struct op *op)
{
    bool host = op->flags & OP_HOST; // once in a list, the op may be over and gone at any moment
    pthread_once(&once, start);
    pthread_mutex_lock(&ready_lock);
    if (host) {
        list_push(&host_head, &host_tail, op);
        pthread_cond_signal(&host_cond);
    } else {
        list_push(&ready_head, &ready_tail, op);
        atomic_fetch_add(&ready_count, 1);
    }
    pthread_mutex_unlock(&ready_lock);
    if (!host && !atomic_load(&spinning))
        pool_wake(1);
}
