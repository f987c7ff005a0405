// SPDX-License-Identifier: Apache-2.0
// Workers, and what they look at when they have nothing to do; private to the engine.
#ifndef HEDDLE_DEVICE_SCHED_POOL_H
#define HEDDLE_DEVICE_SCHED_POOL_H
#include "device/device.h"

// An op whose pending count fell to 0. Takes over one reference.
void pool_ready(struct op *op);
// The same for what this thread's work has made ready: a thread of the pool runs it next. pool_give_next() leaves it to others
// after all, before something that may take long.
void pool_next(struct op *op);
void pool_give_next(void);
// A worker that has nothing to do next keeps an op that is done, but not closed, for a moment: what is submitted behind it
// meanwhile goes straight to this worker. False: the caller closes it.
bool pool_linger(struct op *op);
// Runs one ready op or a part of a running grid, of one queue or (NULL) of any; false: there was nothing. Called by workers
// and, between pool_enter and pool_leave, by threads that wait.
bool pool_help(const struct queue *only);
bool pool_enter(void); // false: every core has a thread at work already
void pool_leave(void);
void pool_take_back(struct op *op); // runs it next, if it was handed to a worker that has not come to it yet
bool pool_inside(void);             // this thread runs work of the pool
void pool_waited(bool ran);         // it has waited for an op, and has run some itself until that was done
// The thread should leave: there is work that it may not take, and no worker to take it.
bool pool_in_the_way(void);
// The thread that waits has found no work of the queue: it may be counted on for a grid of that. NULL: no longer. It ends with
// the next work, or pool_leave().
void pool_idling(const struct queue *queue);
bool pool_is_worker(void); // this thread
// Sees to it that n threads come to join a grid, as far as there are that many: those that look for work, then sleepers.
void pool_wake(unsigned n);
// The seats of at most n workers that sleep and may work; and wakes as many.
unsigned long long pool_sleepers(unsigned n);
void pool_wake_sleepers(unsigned n);
// The last worker joins too, for a grid that takes long, unless a thread that waits has taken its place.
void pool_wake_last(void);
// done(data, n) is called for n calls of this at once: in a worker at the latest when it runs out of work, elsewhere now.
void pool_tell(void (*done)(void *data, unsigned n), void *data);
extern atomic_size_t pool_children; // launches of kernels (OP_NESTED) that have not begun, of all grids

// Runs ready ops of a queue, whatever the number of threads at work: for a kernel that has launched more than may wait.
bool pool_run_child(const struct queue *queue);

// queue.c: whether something waits for an op that is done; nobody can wait for it any more, and what does may go on.
bool op_awaited(struct op *op);
void op_fetch_next(struct op *op); // brings the op that waits for this one into the cache
void op_close(struct op *op);
// Memory of ops (op_memory.c). Up to OP_CELL bytes are taken and given back without a lock.
enum { OP_CELL = 1536 - 16 };
void *op_memory_alloc(size_t size); // not zeroed; NULL: out of memory
void op_memory_free(void *op);

// Steps of plans (plan.c): to be run, and over.
void plan_step_run(struct op *op);
void plan_step_finish(struct op *op);
void plan_step_again(struct op *op);
// Around other work that a step does while it waits: what becomes ready there must not wait for the step.
void *plan_leave(void);
void plan_return(void *list);

// A grid that workers may join (launch.c): join() takes and runs blocks until none are left, and returns whether it ran any.
// What the threads read of it lies in JOB_BYTES from here on.
enum { JOB_BYTES = 384 };
struct grid_job {
    bool (*join)(struct grid_job *job);
    struct op *op;      // holds the job's memory
    unsigned slot;      // the pool's
    bool waits;         // join() may stay inside for long
    atomic_bool passed; // one that waits: it is in the list of those that nobody need be inside of
    union {
        void *outer;                  // what the thread that published it was inside of
        struct grid_job *passed_next; // one that waits
    };
};
// Makes the job visible to the others. False: too many at once; the caller runs it alone. The caller is inside until
// pool_depart(), with the slot and `outer` that the job had, unless the job waits.
bool pool_publish(struct grid_job *job);
void pool_depart(unsigned slot, void *outer);
// For a thread inside of a grid that waits, whose blocks all wait: whether there is work beside it. It then puts them aside, and
// leaves the grid to whoever comes, this thread as well; a thread that waits for an op stops helping. The caller holds a reference.
bool pool_has_other(const struct grid_job *job);
void pool_pass_on(struct grid_job *job);
// Nothing is left to take: idle threads need not look any more. May be called by any thread inside, more than once.
void pool_close(struct grid_job *job);
// The job is over: no further thread enters, and those inside have left, but for this one.
void pool_retract(struct grid_job *job);

// ---- team.c: grids of some microseconds
// A seat of each worker, after those for threads that wait. A worker that looks for work is idle, and may be handed an op; for
// a thread that waits the state is the queue whose work it may do.
enum { SEAT_HELPERS = 8, SEAT_TEAM = 64, SEAT_COUNT = SEAT_HELPERS + 1024 };
#define SEAT_IDLE  ((uintptr_t)0)
#define SEAT_AWAY  ((uintptr_t)1)
#define SEAT_LATER ((uintptr_t)2) // beside an op: not at once
struct seat {
    _Alignas(128) atomic_uintptr_t state; // idle, away, or an op for this worker
    atomic_ullong claim, done;            // of its parts: number of the job, and how many
    atomic_ullong ns;                     // what it has spent on them
};
extern struct seat seats[SEAT_COUNT];
void seat_of_worker(unsigned index); // this thread is that worker
struct seat *seat_own(void);         // NULL: this thread has none
bool seat_take(void);                // one for a thread that waits; false: all are taken
void seat_give(void);

// The lead: who is free for a grid of this queue (NULL: only workers) of the pool's workers, at most so many, and this thread; 0: the
// team is taken.
// Then team_begin(), the job's join() and, until it is true, team_wait() and join() again; at last, or at once, team_end().
unsigned long long team_gather(const struct queue *queue, unsigned workers, unsigned most);
// Members and, if none is there yet, one that will perhaps wait for the queue.
unsigned long long team_expect(unsigned long long members);
void team_begin(struct grid_job *job, unsigned long long members, const struct queue *queue, unsigned parts_each,
                bool help);
bool team_wait(uint64_t *ns); // ns: what all of them have spent
void team_end(void);
// Time that grids in a row have lost because threads sleep, and now this much more.
uint64_t team_debt(uint64_t now, uint64_t more);
// Others: whether there may be a job to join; joins it if it is one of this thread's, which waits for the queue (NULL: a worker).
// False: it has run nothing.
bool team_called(void);
bool team_join(const struct queue *only);
// In join(): the next parts to run, of the members' number times parts_each: the first of them and how many, 0: none. Nothing
// more is handed out. What this thread has spent.
unsigned team_take(unsigned *part);
bool team_more(void); // the part behind those taken last is likely to be this thread's too
void team_cancel(void);
void team_spent(uint64_t ns);

// ---- wait.c
// A turn of waiting without work: spins at first, then yields the processor.
void pool_pause(unsigned turn);
static inline void cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("isb" ::: "memory");
#endif
}
// futex(2)
void futex_wait(atomic_uint *word, unsigned expected);
void futex_wait_for(atomic_uint *word, unsigned expected, long ns);
void futex_wake(atomic_uint *word, int count);
#endif
