// SPDX-License-Identifier: Apache-2.0
// The worker pool. Work is of two kinds: ready operations, taken whole by one thread, and grids, which any number of threads
// join: short ones as a team (team.c), others through slots here. There are as many workers as cores. A thread that waits for an
// operation works as well; for each such helper one worker stays away, the last ones first, since a thread more than cores would
// be taken off its core in the middle of a block and make the others wait for it. For the same reason the last worker does not
// join grids at once: the thread that launches needs a core too.
//
// Workers spin for a short time after their last work and then sleep, each on a futex of its own: a launch that follows
// closely costs no system call, an idle process no time. Sleepers are woken in a tree, each waking two more while there is
// a grid to join, so that nobody spends the time of a grid on waking the others for it.
//
// A worker that spins watches its own line, to which an operation for it is written, and four others that seldom change: 15
// threads that run after one operation, or count themselves in and out, cost more than it takes. The list is for operations
// that find no worker free.
//
// What an operation that ends makes ready is run next by the same thread, without the detour of a list. A worker whose
// operation has no successor yet waits a microsecond for one, since a program that launches kernel after kernel is about to
// submit it: then the two threads meet in one cache line, where the list, its counters and the sleepers would be five.
//
// A program that launches and waits, step by step, has no use for a worker: the thread that waits runs the operation itself before one is
// awake, and waking costs more than a small grid takes. A thread that has run what it submitted itself a few times in a row (its
// `streak`) wakes nobody for the next. Such an operation is not lost if the thread does not wait for it this time:
//  1. It is left only while a worker *naps*, that is, sleeps for NAP_NS at most at a time. One that finds the same operation twice runs it.
//  2. A worker that stops napping says so before it looks at the list for the last time; a thread that leaves an operation puts it
//     into the list before it looks whether somebody naps. Both are sequentially consistent: one of the two sees the other.
//  3. One operation is left at most: behind another in the list it wakes a worker as ever.
//  4. A thread that finds its operation done when it comes to wait had use for the worker: its streak ends.
// Who runs an operation, and when, was open before: results are the same.
#include "device/sched/pool.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include "base/process/account.h"
#include "device/sched/deep.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_JOBS = 64, MAX_WORKERS = SEAT_COUNT - SEAT_HELPERS, SPIN_NS = 50000, WAKE_TURNS = 4, LINGER_TURNS = 24 };
enum { HAND_TURNS = 16, LATER_TURNS = 24, WORKER_STACK = DEEP_STACK + (1 << 20) };
// Steps in a row after which a thread wakes nobody; how long a nap is; after so many without work a worker sleeps.
enum { STREAK = 8, NAP_NS = 200000, NAPS = 50 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool started;
static unsigned worker_count; // fewer than asked for where that many threads cannot be had
static unsigned spinners; // workers that may look for work unasked: those that have a core beside the program's thread

// Each on a cache line of its own: they are written by different threads at different times.
static struct {
    _Alignas(64) atomic_uint helpers; // threads that wait for an op and work
    _Alignas(64) atomic_uint wanted;  // workers still to be woken for a grid
    _Alignas(64) atomic_uint ready;   // ops in the list
    _Alignas(64) atomic_uint open;    // slots that are open, and grids in the list of those left
    atomic_uint opened;               // how often one was opened, or left
    atomic_uint waiting;              // of the open ones, grids that wait
} count;

static struct {
    _Alignas(64) atomic_bool on; // a worker naps
    atomic_bool wanted;          // the next that goes to sleep is to
    atomic_uint left;            // operations for which nobody was woken
} nap;

static struct worker {
    _Alignas(64) atomic_uint awake; // futex: 0 while asleep
    atomic_int away;                // above 0: a helper has taken its place
    unsigned index;
} workers[MAX_WORKERS];
static atomic_ullong asleep[MAX_WORKERS / 64]; // bit i: worker i sleeps, and nobody is waking it yet

static _Alignas(64) atomic_uint ready_lock;
static struct op *ready_head, *ready_tail;
atomic_size_t pool_children;

static pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;
static struct op *host_head, *host_tail; // OP_HOST operations, for the callback thread
static pthread_cond_t host_cond = PTHREAD_COND_INITIALIZER;

// Grids that may be joined. A thread counts itself in `entering` before it looks at the job, and for as long as it is inside;
// the job's memory is given back when nobody is. `open` is false once nothing is left to take, so that idle threads do not
// disturb the last ones.
static struct slot {
    _Alignas(64) _Atomic(struct grid_job *) job;
    atomic_bool open;
    _Alignas(64) atomic_uint entering;
} slots[MAX_JOBS];
static atomic_uint slot_count; // slots in use, at most

// Grids that wait and that nobody need be inside of, each with a reference.
static struct {
    pthread_mutex_t lock;
    struct grid_job *head, *tail;
    atomic_uint n;
} passed = {.lock = PTHREAD_MUTEX_INITIALIZER};
enum { WAITING_TURNS = 4 }; // where some wait, a worker looks for grids first once in so many turns

// What this thread does for the pool.
static _Thread_local struct {
    bool worker;
    bool works;        // it will look at `next` soon
    bool lingers;      // a worker with nothing else below it on the stack
    bool in_the_way;   // there is work for others, and helpers have taken the place of every worker
    bool gives_way;    // this helper has left a grid that waits to a worker
    unsigned children; // how many times it is in pool_run_child()
    bool passed_first; // of grids
    unsigned turn;     // of looking for work while grids wait
    unsigned from;     // the first slot to look at: behind the one of a grid that waits
    struct op *next;   // made ready by what it has just finished
    struct op *linger; // done and not closed; then there is no `next`
    struct slot *inside;
    unsigned handed;            // the worker that it has last handed an op to
    const struct op *handed_op; // and that op; only to be compared
    bool prompt;                // this thread has waited for that op at once
    bool pushed;                // it has submitted something since it waited last
    unsigned streak;            // times in a row that it has then run work itself
} self;

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

// The first op of the queue; NULL: of any.
static struct op *list_take(struct op **head, struct op **tail, const struct queue *only)
{
    struct op *before = NULL, *op = *head;
    while (op && only && op->queue != only) {
        before = op;
        op = op->ready_next;
    }
    if (!before)
        return list_pop(head, tail);
    if (op && !(before->ready_next = op->ready_next))
        *tail = before;
    return op;
}

// Wakes the first sleeping worker of those below `limit`.
static bool wake_one(unsigned limit)
{
    for (unsigned i = 0; i * 64 < limit; i++) {
        unsigned long long mask = atomic_load(&asleep[i]);
        if (limit - i * 64 < 64)
            mask &= (1ull << (limit - i * 64)) - 1;
        while (mask) {
            unsigned long long bit = mask & -mask;
            if (atomic_fetch_and(&asleep[i], ~bit) & bit) {
                struct worker *w = &workers[i * 64 + (unsigned)__builtin_ctzll(bit)];
                uint64_t since = account_since();
                atomic_store(&w->awake, 1);
                futex_wake(&w->awake, 1);
                account_done(ACCOUNT_WAKE, "workers", since, 0);
                return true;
            }
            mask &= ~bit;
        }
    }
    return false;
}

// Workers that may work: one less for each helper.
static unsigned present_workers(void)
{
    unsigned away = atomic_load(&count.helpers);
    return away < worker_count ? worker_count - away : 0;
}

static void wake_some(void)
{
    for (int i = 0; i < 2; i++) {
        unsigned n = atomic_load(&count.wanted);
        while (n && !atomic_compare_exchange_weak(&count.wanted, &n, n - 1))
            ;
        if (!n)
            return;
        unsigned limit = present_workers();
        if (!wake_one(limit == worker_count ? limit - 1 : limit)) {
            atomic_store(&count.wanted, 0);
            return;
        }
    }
}

static struct seat *seat_at(unsigned worker)
{
    return &seats[SEAT_HELPERS + worker];
}

static bool is_idle(unsigned worker)
{
    return atomic_load(&seat_at(worker)->state) == SEAT_IDLE;
}

void pool_wake_sleepers(unsigned n)
{
    atomic_store(&count.wanted, n);
    wake_some();
}

void pool_wake(unsigned n)
{
    for (unsigned i = 0; i < worker_count && n; i++)
        n -= is_idle(i);
    if (n)
        pool_wake_sleepers(n);
}

unsigned long long pool_sleepers(unsigned n)
{
    unsigned limit = present_workers(), most = SEAT_TEAM - SEAT_HELPERS;
    limit = limit < spinners ? limit : spinners;
    limit = limit < most ? limit : most;
    unsigned long long mask = atomic_load(&asleep[0]) & ((1ull << limit) - 1), some = 0;
    for (; mask && n; n--, mask &= mask - 1)
        some |= mask & -mask;
    return some << SEAT_HELPERS;
}

void pool_wake_last(void)
{
    if (!atomic_load(&count.helpers))
        wake_one(worker_count);
}

bool pool_is_worker(void)
{
    return self.worker;
}

static bool any_idle(void)
{
    for (unsigned i = 0; i < worker_count; i++)
        if (is_idle(i))
            return true;
    return false;
}

static void ready_acquire(void)
{
    for (unsigned turn = 0; atomic_exchange(&ready_lock, 1);)
        while (atomic_load(&ready_lock))
            pool_pause(turn++);
}

// Gives the op to a worker that looks for work, first to the one that had the last. A thread that waits for what it has just
// handed over would have run it in less time than the worker needs to fetch it: if it did so the last time, the worker leaves
// it a moment to take the op back.
static bool hand_over(struct op *op)
{
    uintptr_t handed = (uintptr_t)op | (self.prompt ? SEAT_LATER : 0);
    self.prompt = false;
    self.handed_op = op;
    for (unsigned i = 0; i < worker_count && i < HAND_TURNS; i++) {
        unsigned w = (self.handed + i) % worker_count;
        uintptr_t idle = SEAT_IDLE;
        if (is_idle(w) && atomic_compare_exchange_strong(&seat_at(w)->state, &idle, handed)) {
            self.handed = w;
            return true;
        }
    }
    return false;
}

// The op is in the list, with so many before it. Whether it needs no worker, and will not be forgotten.
static bool leave_to_waiter(unsigned before)
{
    if (self.streak < STREAK || self.worker || before)
        return false;
    atomic_fetch_add_explicit(&nap.left, 1, memory_order_relaxed);
    if (atomic_load(&nap.on))
        return true;
    atomic_store(&nap.wanted, true);
    return false;
}

static void ready_push(struct op *op)
{
    self.pushed = true;
    if (hand_over(op))
        return;
    ready_acquire();
    list_push(&ready_head, &ready_tail, op);
    unsigned before = atomic_fetch_add(&count.ready, 1);
    atomic_store(&ready_lock, 0);
    if (leave_to_waiter(before))
        return;
    // A worker that is about to look again is spared the company of one that would have to be woken.
    for (unsigned turn = 0; !any_idle() && atomic_load(&count.ready); turn++) {
        if (turn == WAKE_TURNS) {
            wake_one(present_workers());
            break;
        }
        cpu_relax();
    }
}

// NULL also when another thread is at the list: whoever looks comes again. What a helper finds and may not take is left
// to a worker, which may be asleep.
static struct op *ready_take(const struct queue *only)
{
    if (self.next && only && self.next->queue != only)
        pool_give_next();
    if (self.next) {
        struct op *op = self.next;
        self.next = NULL;
        return op;
    }
    if (!atomic_load(&count.ready) || atomic_exchange(&ready_lock, 1))
        return NULL;
    struct op *op = list_take(&ready_head, &ready_tail, only);
    bool others = !op && ready_head;
    self.in_the_way = others && !present_workers();
    if (op)
        atomic_fetch_sub(&count.ready, 1);
    atomic_store(&ready_lock, 0);
    if (others)
        wake_one(present_workers());
    return op;
}

// A worker tells what has ended together, while it goes on with work of the same owner.
static _Thread_local struct {
    void (*done)(void *data, unsigned n);
    void *data;
    unsigned n;
} ended;

static void tell_ended(void)
{
    unsigned n = ended.n;
    ended.n = 0;
    if (n)
        ended.done(ended.data, n);
}

void pool_tell(void (*done)(void *data, unsigned n), void *data)
{
    enum { TOGETHER = 64 };
    if (!self.worker) {
        done(data, 1);
        return;
    }
    if (ended.n == TOGETHER || (ended.n && (ended.data != data || ended.done != done)))
        tell_ended();
    ended.done = done;
    ended.data = data;
    ended.n++;
}

static void op_run(struct op *op)
{
    if (op->step && !(op->flags & OP_HOST)) {
        plan_step_run(op);
        return;
    }
    bool ends_itself = op->flags & OP_ASYNC; // and may be gone when run() returns
    if (op->flags & OP_NESTED)
        atomic_fetch_sub(&pool_children, 1);
    if (__builtin_expect(op->describe != NULL, 0))
        op_event_begin(op);
    if (op->run)
        op->run(op);
    if (!ends_itself)
        op_finish(op);
}

void pool_idling(const struct queue *queue)
{
    struct seat *s = self.worker || (queue && !seat_take()) ? NULL : seat_own();
    uintptr_t state = queue ? (uintptr_t)queue : SEAT_AWAY;
    if (s && atomic_load_explicit(&s->state, memory_order_relaxed) != state)
        atomic_store(&s->state, state);
}

static void passed_push(struct grid_job *j)
{
    pthread_mutex_lock(&passed.lock);
    if (!j->passed) {
        op_retain(j->op);
        j->passed = true;
        j->passed_next = NULL;
        if (passed.tail)
            passed.tail->passed_next = j;
        else
            passed.head = j;
        passed.tail = j;
        atomic_fetch_add(&passed.n, 1);
        atomic_fetch_add(&count.waiting, 1);
        atomic_fetch_add(&count.open, 1);
        atomic_fetch_add(&count.opened, 1);
    }
    pthread_mutex_unlock(&passed.lock);
}

// With the list's reference.
static struct grid_job *passed_pop(void)
{
    pthread_mutex_lock(&passed.lock);
    struct grid_job *j = passed.head;
    if (j) {
        if (!(passed.head = j->passed_next))
            passed.tail = NULL;
        j->passed = false;
        atomic_fetch_sub(&passed.n, 1);
        atomic_fetch_sub(&count.open, 1);
        atomic_fetch_sub(&count.waiting, 1);
    }
    pthread_mutex_unlock(&passed.lock);
    return j;
}

// Goes on with what was left first, of which there is something to do: who finds nothing may go to sleep, and nobody tells of what is in the
// list already. A grid that is over is in it no longer, and one whose blocks others hold is left again by them.
static bool passed_help(void)
{
    bool ran = false;
    for (unsigned n = atomic_load(&passed.n); n && !ran; n--) {
        struct grid_job *j = passed_pop();
        if (!j)
            break;
        pool_idling(NULL);
        struct op *op = j->op;
        ran = j->join(j);
        op_release(op);
    }
    return ran;
}

bool pool_has_other(const struct grid_job *job)
{
    unsigned own = (atomic_load(&slots[job->slot].job) == job) + atomic_load(&job->passed);
    return self.children || atomic_load(&count.ready) || atomic_load(&count.open) > own;
}

void pool_pass_on(struct grid_job *job)
{
    passed_push(job);
    if (!atomic_load(&count.ready)) // none but grids that wait, perhaps all of them for something else
        pool_pause(64);
    self.gives_way = !self.worker;
    if (!any_idle())
        wake_one(present_workers());
}

static bool slots_help(const struct queue *only)
{
    unsigned n = atomic_load(&slot_count);
    for (unsigned k = 0; k < n; k++) {
        unsigned i = (self.from + k) % n;
        struct slot *s = &slots[i];
        if (!atomic_load(&s->open))
            continue;
        atomic_fetch_add(&s->entering, 1);
        struct grid_job *j = atomic_load(&s->job);
        if (j && only && j->op->queue != only)
            j = NULL;
        if (j)
            pool_idling(NULL);
        if (j && j->waits) { // may be inside for long: keeps the memory, but does not make others wait
            struct op *op = op_retain(j->op);
            atomic_fetch_sub(&s->entering, 1);
            bool ran = j->join(j);
            op_release(op);
            if (ran) {
                self.from = i + 1;
                return true;
            }
            continue;
        }
        struct slot *outer = self.inside;
        self.inside = j ? s : outer;
        bool ran = j && j->join(j);
        self.inside = outer;
        atomic_fetch_sub(&s->entering, 1);
        if (ran)
            return true;
    }
    return false;
}

// A part of a grid, of one queue or (NULL) of any. Those that were left, which no program's thread takes, and those with slots have
// the first place by turns.
static bool grid_help(const struct queue *only)
{
    bool passed_first = !only && atomic_load(&passed.n) && (self.passed_first = !self.passed_first);
    return (passed_first && passed_help()) || slots_help(only) || (!only && !passed_first && passed_help());
}

static bool work_visible(void)
{
    return atomic_load(&count.ready) || atomic_load(&count.open);
}

bool pool_linger(struct op *op)
{
    if (!self.lingers || self.next || self.linger)
        return false;
    self.linger = op;
    return true;
}

static void linger_end(void)
{
    struct op *op = self.linger;
    self.linger = NULL;
    if (op)
        op_close(op);
}

static void linger(void)
{
    for (unsigned turn = 0; turn < LINGER_TURNS && !op_awaited(self.linger) && !work_visible(); turn++)
        cpu_relax();
    self.works = true; // what waits for it becomes `next`
    linger_end();
    self.works = false;
}

bool pool_help(const struct queue *only)
{
    if (self.linger)
        linger();
    if (self.gives_way)
        return false;
    if (!self.next && team_called() && team_join(only))
        return true;
    if (!self.next && !work_visible())
        return false;
    bool grids_first = !only && atomic_load(&count.waiting) && ++self.turn % WAITING_TURNS == 0;
    if (grids_first)
        pool_give_next();
    self.works = true;
    self.lingers = self.worker;
    bool ran = grids_first && grid_help(only);
    struct op *op = ran ? NULL : ready_take(only);
    if (op) {
        pool_idling(NULL);
        op_run(op);
    } else if (!ran && !grids_first) {
        ran = grid_help(only);
    }
    self.works = self.lingers = false;
    return ran || op;
}

bool pool_enter(void)
{
    pool_workers();
    unsigned n = atomic_load(&count.helpers);
    do
        if (n >= worker_count) // every core has a thread at work already
            return false;
    while (!atomic_compare_exchange_weak(&count.helpers, &n, n + 1));
    atomic_fetch_add(&workers[worker_count - 1 - n].away, 1);
    return true;
}

void pool_take_back(struct op *op)
{
    if (op != self.handed_op || self.next)
        return;
    self.prompt = true;
    atomic_uintptr_t *state = &seat_at(self.handed)->state;
    uintptr_t handed = atomic_load(state);
    if ((handed & ~SEAT_LATER) == (uintptr_t)op && atomic_compare_exchange_strong(state, &handed, SEAT_IDLE))
        self.next = op;
}

void pool_waited(bool ran)
{
    __typeof__(self) *me = &self;
    __asm__("" : "+r"(me)); // to find it is a call, which the compiler would make each time
    if (me->pushed)
        me->streak = ran ? me->streak + 1 : 0;
    me->pushed = false;
}

bool pool_inside(void)
{
    return self.works;
}

bool pool_in_the_way(void)
{
    return self.in_the_way || self.gives_way;
}

void pool_leave(void)
{
    self.in_the_way = self.gives_way = false;
    pool_idling(NULL);
    seat_give();
    pool_give_next();
    unsigned n = atomic_fetch_sub(&count.helpers, 1);
    atomic_fetch_sub(&workers[worker_count - n].away, 1);
    // A worker may have stayed away for this thread.
    if (work_visible() && !any_idle())
        wake_one(present_workers());
}

bool pool_run_child(const struct queue *queue)
{
    if (self.linger)
        pool_give_next();
    struct op *next = self.next, *op;
    bool works = self.works, lingers = self.lingers, ran = false;
    self.next = NULL;
    self.works = true;
    self.lingers = false;
    self.children++;
    void *steps = plan_leave();
    while ((op = ready_take(queue)) && (ran = true)) {
        op_run(op);
        if (!self.next)
            break;
    }
    if (self.next) // what a grid that ended there has made ready
        pool_give_next();
    plan_return(steps);
    self.children--;
    self.works = works;
    self.lingers = lingers;
    self.next = next;
    return ran;
}

bool pool_publish(struct grid_job *job)
{
    for (unsigned i = 0; i < MAX_JOBS; i++) {
        struct grid_job *none = NULL;
        if (atomic_load(&slots[i].job) || !atomic_compare_exchange_strong(&slots[i].job, &none, job))
            continue;
        job->slot = i;
        if (!job->waits) { // this thread is inside from the start
            job->outer = self.inside;
            self.inside = &slots[i];
            atomic_fetch_add(&slots[i].entering, 1);
        }
        unsigned n = atomic_load(&slot_count);
        while (n < i + 1 && !atomic_compare_exchange_weak(&slot_count, &n, i + 1))
            ;
        atomic_fetch_add(&count.waiting, job->waits);
        atomic_fetch_add(&count.open, 1);
        atomic_store(&slots[i].open, true);
        atomic_fetch_add(&count.opened, 1);
        return true;
    }
    return false;
}

void pool_depart(unsigned slot, void *outer)
{
    self.inside = outer;
    atomic_fetch_sub(&slots[slot].entering, 1);
}

void pool_close(struct grid_job *job)
{
    struct slot *s = &slots[job->slot];
    if (atomic_load(&s->open) && atomic_load(&s->job) == job && atomic_exchange(&s->open, false)) {
        atomic_fetch_sub(&count.open, 1);
        atomic_fetch_sub(&count.waiting, job->waits);
    }
}

void pool_retract(struct grid_job *job)
{
    struct slot *s = &slots[job->slot];
    unsigned turn = 0;
    pool_close(job);
    while (atomic_load(&s->entering) > (self.inside == s)) // the others are on their way out
        pool_pause(turn++);
    atomic_store(&s->job, NULL);
}

// Grids that were left are no worker's to refuse: a helper in its place may be one that comes and goes.
static bool may_work(struct worker *w)
{
    return atomic_load(&w->away) <= 0 || atomic_load(&passed.n);
}

// Sleeps in small pieces, until it is woken, finds what nobody takes, or nobody has left anything for a while.
static void worker_nap(struct worker *w, unsigned long long bit)
{
    unsigned left = atomic_load(&nap.left);
    bool works = false;
    for (unsigned quiet = 0; !atomic_load(&w->awake) && quiet < NAPS && !works;) {
        futex_wait_for(&w->awake, 0, NAP_NS);
        unsigned now = atomic_load(&nap.left);
        works = now == left && atomic_load(&count.ready) && may_work(w);
        quiet = now == left ? quiet + 1 : 0;
        left = now;
    }
    if (!works && !atomic_load(&w->awake))
        atomic_store(&nap.wanted, false);
    atomic_store(&nap.on, false);
    works |= atomic_load(&count.ready) != 0;
    if (works && atomic_fetch_and(&asleep[w->index / 64], ~bit) & bit)
        atomic_store(&w->awake, 1); // else somebody is about to
}

// `opened` is how often a grid had been opened when this worker last looked for one in vain.
static void worker_sleep(struct worker *w, unsigned opened)
{
    unsigned long long bit = 1ull << (w->index % 64);
    atomic_store(&w->awake, 0);
    atomic_fetch_or(&asleep[w->index / 64], bit);
    bool missed = atomic_load(&count.ready) || (atomic_load(&count.opened) != opened && w->index < spinners);
    if (missed && may_work(w) && atomic_fetch_and(&asleep[w->index / 64], ~bit) & bit)
        return;
    if (atomic_load(&nap.wanted) && w->index < spinners && !atomic_exchange(&nap.on, true))
        worker_nap(w, bit);
    while (!atomic_load(&w->awake))
        futex_wait(&w->awake, 0);
    wake_some();
}

// What this worker has been handed since it became idle, or NULL. It is idle no longer.
static struct op *seat_close(struct seat *s)
{
    uintptr_t state = atomic_load(&s->state);
    if (state != SEAT_AWAY)
        state = atomic_exchange(&s->state, SEAT_AWAY);
    return state == SEAT_IDLE || state == SEAT_AWAY ? NULL : (struct op *)(state & ~SEAT_LATER);
}

// Whether this worker has been handed an op, which is not taken back in the moment that it may be: then others may come soon.
static bool was_handed(struct seat *s, bool *worked)
{
    uintptr_t state = atomic_load(&s->state);
    if (state == SEAT_IDLE)
        return false;
    for (unsigned turn = 0; state & SEAT_LATER && turn < LATER_TURNS;
         turn++) // without a look: that would cost the other time
        cpu_relax();
    bool gone = atomic_load(&s->state) == SEAT_IDLE;
    *worked |= gone;
    return !gone;
}

// Looks for work until there is some, or none has come for so long that the worker should sleep (true).
static bool worker_spin(struct worker *w, struct seat *s, uint64_t *since)
{
    bool worked = false;
    if (w->index >= spinners)
        return !work_visible();
    atomic_store(&s->state, SEAT_IDLE);
    for (unsigned turn = 1; !was_handed(s, &worked) && may_work(w) && !work_visible(); turn++) {
        if (team_called() && team_join(NULL)) {
            worked = true;
            continue;
        }
        cpu_relax();
        if (turn % 64)
            continue;
        uint64_t now = os_time_ns();
        if (!worked && now - *since > SPIN_NS)
            return true;
        *since = worked ? now : *since;
        worked = false;
    }
    if (worked)
        *since = os_time_ns();
    return false;
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct seat *s = seat_at(w->index);
    pthread_mutex_lock(&start_lock); // how many there are is known from here on
    pthread_mutex_unlock(&start_lock);
    self.worker = true;
    seat_of_worker(w->index);
    for (uint64_t since = os_time_ns();;) {
        unsigned opened = atomic_load(&count.opened);
        bool late = worker_spin(w, s, &since), ran = false;
        self.next = seat_close(s);
        for (bool handed = self.next; (handed || may_work(w)) && pool_help(NULL);
             handed = false) // what it was handed it runs
            ran = true;
        pool_give_next();
        if (ran)
            tell_ended();
        if (!ran && (late || !may_work(w) || os_time_ns() - since > SPIN_NS))
            worker_sleep(w, opened);
        if (ran || late)
            since = os_time_ns();
    }
    return NULL;
}

// User code called back from a stream may block for as long as it likes: it has a thread of its own, as in CUDA.
static void *callback_main(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&host_lock);
        struct op *op;
        while (!(op = list_pop(&host_head, &host_tail)))
            pthread_cond_wait(&host_cond, &host_lock);
        pthread_mutex_unlock(&host_lock);
        op_run(op);
    }
    return NULL;
}

static bool thread_start(void *(*main)(void *), void *arg, pthread_attr_t *attr)
{
    pthread_t t;
    if (pthread_create(&t, attr, main, arg))
        return false;
    pthread_detach(t);
    return true;
}

static void count_workers(void)
{
    unsigned asked = (unsigned)env_number("HEDDLE_THREADS");
    worker_count = asked ? asked : os_cpu_count();
    worker_count = worker_count > MAX_WORKERS ? MAX_WORKERS : worker_count;
    for (unsigned i = 0; i < SEAT_HELPERS + worker_count; i++)
        atomic_init(&seats[i].state, SEAT_AWAY);
}

// Under start_lock. The thread of callbacks and one worker are needed: operations of other streams than the one that a thread
// waits for are run by nobody else.
static bool start(pthread_attr_t *attr)
{
    static bool calls_back;
    unsigned cores = os_cpu_count(), n = 0;
    calls_back = calls_back || thread_start(callback_main, NULL, attr);
    if (!calls_back)
        return false;
    for (; n < worker_count; n++) {
        workers[n].index = n;
        if (!thread_start(worker_main, &workers[n], attr))
            break;
    }
    if (n && n < worker_count)
        log_write(LOG_WARN, "%u threads can be started of %u; work goes on with these", n, worker_count);
    worker_count = n ? n : worker_count;
    spinners = worker_count < cores ? worker_count : cores;
    spinners -= spinners > 1;
    return n;
}

bool pool_start(void)
{
    if (__builtin_expect(atomic_load_explicit(&started, memory_order_acquire), 1))
        return true;
    pthread_once(&once, count_workers);
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
    pthread_mutex_lock(&start_lock);
    bool ok = atomic_load(&started) || start(&attr);
    atomic_store(&started, ok);
    pthread_mutex_unlock(&start_lock);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    return ok;
}

unsigned pool_workers(void)
{
    pthread_once(&once, count_workers);
    return worker_count;
}

void pool_ready(struct op *op)
{
    if (!pool_start()) // contexts are not made without
        log_write(LOG_ERROR, "no thread can be started");
    if (op->flags & OP_HOST) {
        pthread_mutex_lock(&host_lock);
        list_push(&host_head, &host_tail, op);
        pthread_cond_signal(&host_cond);
        pthread_mutex_unlock(&host_lock);
    } else {
        ready_push(op);
    }
}

void pool_next(struct op *op)
{
    if (self.works && !self.next && !(op->flags & OP_HOST))
        self.next = op;
    else
        pool_ready(op);
}

void pool_give_next(void)
{
    linger_end();
    struct op *op = self.next;
    self.next = NULL;
    if (op)
        ready_push(op);
}
