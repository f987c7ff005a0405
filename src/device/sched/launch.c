// SPDX-License-Identifier: Apache-2.0
// Kernels as operations. The thread that takes the op runs blocks at once; other threads join where that pays, by the time that
// blocks of this kernel took before. A grid of some microseconds for each thread is cut into equal parts (team.c). Blocks of
// longer ones are handed out in chunks of some 20 microseconds, so that neither the counter nor the last chunk costs much. A grid
// that takes less than sharing it would stays on one thread. Blocks side by side that are best run by one call
// (jit_variant.side) stay together as long as every thread has such a row of them.
//
// A kernel whose blocks may wait for other blocks (may_wait) keeps each started block resident, with its own shared memory
// and frame; a block that cannot go on is put aside and another continued, so that every block of a cooperative grid makes
// progress on any number of cores. Blocks that reach others of their cluster are handed out by clusters (cluster.c).
//
// What the blocks wait for may be a kernel of another stream, which waits for something itself, perhaps for these blocks. A thread
// whose blocks all wait therefore leaves the grid where there is other work:
//  1. Nothing of a grid is on a thread's stack between two turns of its blocks: any number of grids may be left, by any thread.
//  2. Each grid that has begun and is not over has a thread inside of it, or is where workers find it (pool_pass_on): one that
//     holds a block comes back for it, and none leaves while it holds one.
//  3. Workers take what was left and what is ready by turns, and of what was left each in its turn. So every block that has begun
//     goes on again and again, and what has not begun begins.
#include "base/log.h"
#include "base/os.h"
#include "base/process/account.h"
#include "device/check/check.h"
#include "device/count/count.h"
#include "device/device.h"
#include "device/fault/fault.h"
#include "device/hook/hooks.h"
#include "device/sched/deep.h"
#include "device/sched/fibres.h"
#include "device/sched/launch_op.h"
#include "device/sched/runner.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A chunk's time at most and at least; what a grid must take for other threads to be worth while, when some look for work and
// when they must be woken; what a thread costs that is awake, and what one that is not should get to do; when a grid has
// become a long one.
enum {
    CHUNK_NS = 20000,
    LEAST_NS = 1000,
    SOLO_NS = 1500,
    WAKE_NS = 20000,
    JOIN_NS = 30,
    SHARE_NS = 2000,
    LONG_NS = 200000
};
// A worker's sums are added to memory so often at least.
enum { PRIVATISED_NS = 1000000 };
// Of the beginning of shared memory: always, and where its variables ask for more, a page at most.
enum { SHARED_ALIGN = 128, SHARED_ALIGN_MOST = 4096 };
// A grid that one thread runs alone is looked at after a 32nd and a quarter of its blocks, when it has so many at least.
enum { LOOK_LEAST = 8, LOOK_FIRST = 32, LOOK_AGAIN = 4 };
// For each thread of a team: what it does at most, what it must do for parts to be smaller, what a part takes then, and how many
// there are. What a thread that waits must save to be one of the team: it comes and goes, and each time all have other blocks.
// From when on it is counted on before it comes. Up to when no parts are smaller if the threads were known to be done together,
// and for how many grids they must have been.
enum { TEAM_NS = 300000, HELP_NS = 4000, PART_NS = 2000, PARTS_EACH = 32, WAITING_NS = 200, COMING_NS = 20000 };
enum { EVEN_NS = 32000, EVEN_GRIDS = 2 };
enum { MAX_PARKED = 256, PROBE_EVERY = 16, TIME_EVERY = 8, STRIKES = 4, ALONE_LEAST = 8, ALONE_MAX = 1024 };

// On the stack of the thread that runs the op: what it must leave, whatever has become of the op.
struct late {
    bool opened;
    unsigned slot;
    void *outer;
};

// What the threads that run a grid write, apart from what they read. The program's thread does not touch it, but for kernels
// that wait: it stays where it is needed.
// It begins at a boundary of the lines that are fetched together, two of them on x86-64: the arguments in front of it are read by
// every block, and where the first counter shared their line a grid of saxpy took a fifth longer on 16 cores.
enum { SHARES_ALIGN = 128 };
struct shares {
    atomic_ullong next;     // first block not handed out
    atomic_bool long_known; // the last worker has been asked to join
    char pad[64];
    atomic_ullong finished; // blocks over
    atomic_ullong spent_ns;
    char pad_too[64];
    // may_wait kernels
    pthread_mutex_t park_lock;
    struct resident *parked_head, *parked_tail, *spare;
    atomic_uint resident_count;
    uint32_t workspace[16]; // grid barrier: size, then the counter
};

// All blocks are over, after so much time of all threads together, and so is the op, or it waits for what they have launched.
static void blocks_over(struct launch_op *l, uint64_t now, uint64_t spent)
{
    if (l->limited)
        watch_end(&l->watch);
    check_launch_over(l->check);
    count_launch_over(l->count, &l->op, &l->launch);
    if (__builtin_expect(account_wanted, 0))
        account_add(ACCOUNT_KERNEL, l->kernel, atomic_load(&l->started_ns), now, spent, l->total * l->unit);
    struct nested *n = atomic_load(&l->nested) ? atomic_exchange(&l->nested, NULL) : NULL;
    if (n)
        nested_close(n);
    else
        op_finish_at(&l->op, now);
}

// All blocks are over, after so much time of all threads together.
static void note_spent(struct launch_op *l, uint64_t spent)
{
    if (atomic_load_explicit(&l->code->quick, memory_order_relaxed) == WAIT_COUNTS)
        jit_code_spent(l->code, spent);
    // Blocks that share memory with other threads take longer: what counts is the time alone, so less is believed at once.
    uint64_t ns = spent / l->total / l->unit, old = atomic_load(&l->code->block_ns);
    ns = old && ns > old ? (old * 15 + ns) / 16 + 1 : ns;
    ns = ns < 1 ? 1 : ns > UINT32_MAX ? UINT32_MAX : ns;
    if (ns != old)
        atomic_store(&l->code->block_ns, (uint32_t)ns);
}

// How well the threads were used, for those who want to know.
static void log_busy(const struct launch_op *l, uint64_t threads, uint64_t spent, uint64_t start)
{
    if (!log_on(LOG_DEBUG))
        return;
    uint64_t elapsed = os_time_ns() - start + 1;
    log_write(LOG_DEBUG, "%s: %llu blocks, %llu threads busy for %.1f %% of %.1f us", l->kernel,
              (unsigned long long)l->total, (unsigned long long)threads,
              100.0 * (double)spent / (double)(threads * elapsed), (double)elapsed * 1e-3);
}

// n blocks are over. The last one ends the op. Where one thread has run all of them, nobody else counts. `now` is the time,
// or 0 where the caller has not looked.
static void count_finished_at(struct launch_op *l, uint64_t n, uint64_t now)
{
    bool all = n == l->total && !l->job.waits;
    if (n && (all || atomic_fetch_add(&l->shares->finished, n) + n == l->total)) {
        uint64_t spent = atomic_load(&l->shares->spent_ns);
        note_spent(l, spent);
        if (atomic_load(&l->published)) {
            pool_retract(&l->job);
            log_busy(l, atomic_load(&l->threads), spent, atomic_load(&l->started_ns));
        }
        blocks_over(l, now ? now : os_time_ns(), spent);
    }
}

static void count_finished(struct launch_op *l, uint64_t n)
{
    count_finished_at(l, n, 0);
}

// Of the blocks that are best run together, as many as can be without a thread having none or a quarter more than its share.
static uint32_t row_for(const struct launch_op *l, uint64_t threads)
{
    uint32_t row = l->side;
    uint64_t share = (l->total + threads - 1) / threads;
    while (row > 1 &&
           (l->total / row < threads || ((l->total + row - 1) / row + threads - 1) / threads * row * 4 > share * 5))
        row /= 2;
    return row;
}

static uint64_t part_start(const struct launch_op *l, uint64_t part)
{
    uint64_t parts = atomic_load(&l->parts), row = l->row, rows = row > 1 ? l->total / row : l->total;
    return part == parts ? l->total : (rows / parts * part + rows % parts * part / parts) * row;
}

static uint64_t take_part(const struct launch_op *l, struct jit_block *b)
{
    unsigned part, count = team_take(&part);
    if (!count)
        return 0;
    b->linear = part_start(l, part);
    b->more = team_more();
    return part_start(l, part + count) - b->linear;
}

// Nothing more is handed out; returns how many blocks that skips.
static uint64_t cancel_rest(struct launch_op *l)
{
    if (atomic_load(&l->parts)) { // a team counts for itself
        team_cancel();
        return 0;
    }
    uint64_t at = atomic_exchange(&l->shares->next, l->total);
    return at < l->total ? l->total - at : 0;
}

static uint64_t chunk_size(const struct launch_op *l, uint64_t block_ns, uint64_t left)
{
    uint64_t mean =
        atomic_load_explicit(&l->code->block_ns, memory_order_relaxed); // short blocks may be followed by long ones
    block_ns = block_ns > mean ? block_ns : mean;
    uint64_t n = block_ns ? CHUNK_NS / block_ns : 1, least = block_ns ? LEAST_NS / block_ns : 1;
    uint64_t share = left / (2 * (uint64_t)l->threads);
    n = n < share ? n : share;
    n = n > least ? n : least;
    n = n > l->side ? n - n % l->side : n;
    least = left / l->threads < l->side ? left / l->threads : l->side;
    n = n > least ? n : least;
    return n > left ? left : n ? n : 1;
}

// The block, or cluster, that comes at this place of the order.
static uint64_t ordered(const struct launch_op *l, uint64_t place)
{
    const struct launch_order *o = &l->order;
    uint64_t n = o->to - o->from;
    if (!l->ordered || place < o->from || place >= o->to)
        return place;
    return o->from + (uint64_t)((o->start + (unsigned __int128)(place - o->from) * o->step) % n);
}

// The next blocks for this thread: the first one into b; returns how many.
static uint64_t take(struct launch_op *l, uint64_t block_ns, struct jit_block *b)
{
    if (atomic_load(&l->parts))
        return take_part(l, b);
    unsigned long long at = atomic_load(&l->shares->next);
    if (__builtin_expect(l->ordered, 0)) {
        b->linear = ordered(l, at);
        b->more = 0;
        atomic_store(&l->shares->next, at + (at < l->total));
        return at < l->total;
    }
    if (!atomic_load(&l->published)) { // this thread alone
        uint64_t to = l->total;
        if (l->late && to >= LOOK_LEAST && at < to / LOOK_AGAIN)
            to = at || to < LOOK_FIRST ? to / LOOK_AGAIN : to / LOOK_FIRST;
        else if (at < to &&
                 atomic_load_explicit(&l->code->quick, memory_order_relaxed)) // better code may come any time
            to = at + chunk_size(l, block_ns, to - at);
        b->linear = at;
        b->more = to < l->total;
        atomic_store_explicit(&l->shares->next, to, memory_order_relaxed);
        return to - at;
    }
    while (at < l->total) {
        uint64_t n = chunk_size(l, block_ns, l->total - at);
        if (atomic_compare_exchange_weak(&l->shares->next, &at, at + n)) {
            b->linear = at;
            b->more = 0;
            return n;
        }
    }
    return 0;
}

// Estimates come from grids before. A kernel may have more to do in one of them, as a search has from level to level: when
// the first blocks tell that the rest is worth more threads than were planned, these are called.
static void note_more(struct launch_op *l, uint64_t block_ns)
{
    uint64_t left = l->total - atomic_load(&l->shares->next), planned = atomic_load(&l->threads), most = pool_workers();
    most = most < left ? most : left;
    if (planned >= most || left * block_ns < 2 * WAKE_NS * planned)
        return;
    if (!atomic_load(&l->published)) {
        if (!l->late)
            return;
        op_retain(&l->op);
        atomic_store(&l->started_ns, os_time_ns());
        atomic_store(&l->published, true);
        if (!pool_publish(&l->job)) {
            atomic_store(&l->published, false);
            l->late = NULL;
            op_release(&l->op);
            return;
        }
        *l->late = (struct late){true, l->job.slot, l->job.outer};
    }
    uint64_t threads = left * block_ns / WAKE_NS;
    threads = threads < most ? threads : most;
    if (threads > planned && atomic_exchange(&l->threads, (unsigned)threads) == planned)
        pool_wake((unsigned)(threads - planned));
}

// A grid that has run for long, and will for as long again.
static void note_long(struct launch_op *l, uint64_t now, uint64_t block_ns)
{
    if (!l->published || now - l->started_ns < LONG_NS || atomic_load(&l->shares->long_known))
        return;
    uint64_t next = atomic_load(&l->shares->next);
    if (next < l->total && (l->total - next) * block_ns > LONG_NS * (uint64_t)l->threads &&
        !atomic_exchange(&l->shares->long_known, true))
        pool_wake_last();
}

static void note_fault(struct launch_op *l, enum device_fault fault, const struct jit_block *b,
                       const struct fault_scope *scope)
{
    if (check_fault(l->check, fault, b, scope))
        fault_record(l->faults, fault, l->kernel, b, scope);
}

// Blocks that run to their end in one call. What this thread has done is counted when it leaves.
static bool join_plain(struct launch_op *l, struct fault_scope *scope)
{
    struct resident *r = resident_of_thread();
    bool privatises = l->code->variant.privatises;
    if (!r || !resident_prepare(r, &l->launch, l->frame_bytes, l->shared_bytes, l->shared_room) ||
        (privatises && !sums_begin(r))) {
        fault_record(l->faults, FAULT_OUT_OF_MEMORY, l->kernel, NULL, NULL);
        count_finished(l, cancel_rest(l));
        return false;
    }
    bool team = atomic_load(&l->parts), timed = !team || l->timed;
    uint64_t block_ns = team ? 0 : atomic_load(&l->code->block_ns), start = timed ? os_time_ns() : 0, now = start;
    uint64_t flushed = start;
    volatile uint64_t n = 0, over = 0;
    scope->block = &r->block;
    if (!sigsetjmp(scope->jump, 0)) {
        fault_enter(scope);
        while ((n = take(l, block_ns, &r->block))) {
            r->block.resume = 0;
            atomic_load_explicit(&l->code->entry, memory_order_acquire)(&l->launch, &r->block, n);
            over += n;
            if (!team) {
                uint64_t t = os_time_ns();
                block_ns = (t - now) / n + 1;
                now = t;
                if (over - n < l->total / LOOK_AGAIN)
                    note_more(l, block_ns);
                note_long(l, now, block_ns);
                if (atomic_load_explicit(&l->code->quick, memory_order_relaxed) == WAIT_COUNTS &&
                    block_ns * l->total > l->code->wait_ns) // this grid alone will have taken that long
                    jit_code_spent(l->code, block_ns * l->total);
            }
            n = 0;
            if (privatises && now - flushed > PRIVATISED_NS) { // parts of teams are shorter
                r->block.first_thread = JIT_NO_THREAD;
                sums_flush(r);
                flushed = now;
            }
        }
        r->block.first_thread = JIT_NO_THREAD;
        if (privatises)
            sums_flush(r);
        fault_leave(scope);
        bool ran = over;
        if (team) {
            team_spent(timed ? os_time_ns() - start : 0);
            return ran;
        }
        if (l->published)
            pool_close(&l->job);
        if (over == l->total)
            atomic_store_explicit(&l->shares->spent_ns, now - start, memory_order_relaxed);
        else if (over)
            atomic_fetch_add(&l->shares->spent_ns, now - start);
        count_finished_at(l, over, now);
        return ran;
    }
    fault_leave(scope);
    sums_drop(r);
    note_fault(l, scope->fault, &r->block, scope);
    over += cancel_rest(l) + n;
    bool ran = over;
    if (!team)
        count_finished(l, over);
    return ran;
}

static struct resident *park_pop(struct launch_op *l)
{
    pthread_mutex_lock(&l->shares->park_lock);
    struct resident *r = l->shares->parked_head;
    if (r && !(l->shares->parked_head = r->next))
        l->shares->parked_tail = NULL;
    pthread_mutex_unlock(&l->shares->park_lock);
    return r;
}

static void park_push(struct launch_op *l, struct resident *r)
{
    r->next = NULL;
    pthread_mutex_lock(&l->shares->park_lock);
    if (l->shares->parked_tail)
        l->shares->parked_tail->next = r;
    else
        l->shares->parked_head = r;
    l->shares->parked_tail = r;
    pthread_mutex_unlock(&l->shares->park_lock);
}

// Not counting its first block, which others may wait for.
static bool enough_parked(const struct launch_op *l)
{
    unsigned n = atomic_load(&l->shares->resident_count);
    return !l->cooperative && (n >= MAX_PARKED || (n && l->code->variant.stacks && fibres_are_many()));
}

// A block, or cluster, not yet started, with memory of its own; NULL: none left, or enough are under way.
static struct resident *start_block(struct launch_op *l)
{
    if (enough_parked(l))
        return NULL;
    unsigned long long at = atomic_load(&l->shares->next);
    while (at < l->total && !atomic_compare_exchange_weak(&l->shares->next, &at, at + 1))
        ;
    if (at >= l->total)
        return NULL;
    pthread_mutex_lock(&l->shares->park_lock);
    struct resident *r = l->shares->spare;
    if (r)
        l->shares->spare = r->next;
    pthread_mutex_unlock(&l->shares->park_lock);
    if (!r)
        r = l->unit > 1 ? cluster_take() : resident_create();
    at = ordered(l, at);
    bool ok = r && (l->unit > 1 ? cluster_prepare(r, &l->launch, at, l->frame_bytes, l->shared_bytes, l->shared_room)
                                : resident_prepare(r, &l->launch, l->frame_bytes, l->shared_bytes, l->shared_room));
    if (!ok) {
        resident_destroy(r);
        fault_record(l->faults, FAULT_OUT_OF_MEMORY, l->kernel, NULL, NULL);
        count_finished(l, cancel_rest(l) + 1);
        return NULL;
    }
    if (l->unit == 1)
        r->block.linear = at;
    atomic_fetch_add(&l->shares->resident_count, 1);
    return r;
}

static void end_block(struct launch_op *l, struct resident *r)
{
    pthread_mutex_lock(&l->shares->park_lock);
    r->next = l->shares->spare;
    l->shares->spare = r;
    pthread_mutex_unlock(&l->shares->park_lock);
    atomic_fetch_sub(&l->shares->resident_count, 1);
    count_finished(l, 1);
}

static bool is_expired(struct launch_op *l)
{
    return l->limited && atomic_load(&l->watch.expired);
}

// No block of the grid is begun any more, and one that waits is not continued.
static void end_waiting(struct launch_op *l, enum device_fault fault, const struct jit_block *at,
                        const struct fault_scope *scope)
{
    note_fault(l, fault, at, scope);
    uint64_t skipped = cancel_rest(l);
    if (skipped)
        count_finished(l, skipped); // never the last: the caller's block is still to be counted
}

// Runs one block or cluster until it ends or waits. False: it waits.
static bool run_resident(struct launch_op *l, struct resident *r, struct fault_scope *scope)
{
    volatile bool done = true;
    struct jit_block *volatile now = &r->block;
    scope->block = l->unit > 1 ? NULL : &r->block;
    if (!sigsetjmp(scope->jump, 0)) {
        fault_enter(scope);
        if (l->unit > 1)
            done = cluster_run(r, &l->launch, atomic_load(&l->entry), &now);
        else
            done = atomic_load(&l->entry)(&l->launch, &r->block, 1) == JIT_DONE;
    } else {
        end_waiting(l, scope->fault, now, scope);
    }
    fault_leave(scope);
    if (!done && l->limited && atomic_load(&l->watch.expired) >= WATCH_OVERDUE)
        end_waiting(l, FAULT_TIMEOUT, now, NULL);
    // After a fault elsewhere the others are let go: what they wait for may never come.
    return done || atomic_load(&l->faults->fault) || (l->check && atomic_load(&l->check->failed));
}

static bool join_waiting(struct launch_op *l, struct fault_scope *scope)
{
    bool ran = false;
    for (unsigned idle = 0; atomic_load(&l->shares->finished) < l->total;) {
        uint64_t t = os_time_ns();
        struct resident *r = start_block(l);
        if (!r)
            r = park_pop(l);
        if (!r) { // the others hold the remaining blocks
            if (atomic_load(&l->shares->next) >= l->total)
                break;
            pool_pause(idle++);
            continue;
        }
        ran = true;
        if (run_resident(l, r, scope)) {
            idle = 0;
            atomic_fetch_add(&l->shares->spent_ns, os_time_ns() - t);
            end_block(l, r);
            continue;
        }
        park_push(l, r);
        if (++idle <= 2 * atomic_load(&l->shares->resident_count))
            continue;
        idle = 0;
        if (is_expired(l)) // it is to be met in its code
            continue;
        if (pool_has_other(&l->job)) { // what the blocks wait for may be an operation of another queue
            pool_pass_on(&l->job);
            break;
        }
        pool_pause(64);
    }
    return ran;
}

// For tools: this thread takes a share of the grid, from now on; 0: the grid is too small for others to join. The op may be gone when the
// thread is done.
static uint64_t part_begin(struct timeline_event *e, const struct launch_op *l)
{
    if (l->total < LOOK_LEAST && !atomic_load(&l->parts) && !atomic_load(&l->published))
        return 0;
    *e = (struct timeline_event){.kind = TIMELINE_PART, .correlation = l->op.describe ? l->op.trace.correlation : 0};
    e->part.name = l->kernel;
    e->part.blocks = l->total * l->unit;
    return os_time_ns();
}

static bool join(void *job)
{
    struct launch_op *l = (struct launch_op *)((char *)job - offsetof(struct launch_op, job));
    struct fault_scope scope;
    scope.watch = l->limited ? &l->watch : NULL;
    scope.code = l->code;
    scope.kernel = l->kernel;
    scope.block = NULL;
    uint64_t mode = float_mode(l->code->variant.flush_denormals);
    struct timeline_event part;
    part.start = timeline_wants(TIMELINE_PART) ? part_begin(&part, l) : 0;
    bool ran = l->code->variant.may_wait || l->unit > 1 ? join_waiting(l, &scope) : join_plain(l, &scope);
    float_mode_restore(mode);
    if (part.start && ran) {
        part.end = os_time_ns();
        timeline_tell(&part);
    }
    return ran;
}

static bool job_join(struct grid_job *job)
{
    const struct launch_op *l = (struct launch_op *)((char *)job - offsetof(struct launch_op, job));
    return l->code->variant.calls ? deep_call(join, job) : join(job);
}

static atomic_ullong grid_ids;

// A step of a plan starts anew. Of a kernel that waits, threads that are still on their way out of the run before may take
// blocks of this one: `next` comes last.
static void launch_again(struct launch_op *l)
{
    if (l->cooperative)
        memset(l->shares->workspace + 1, 0, sizeof l->shares->workspace - sizeof *l->shares->workspace);
    __atomic_store_n(&l->launch.grid_id, atomic_fetch_add(&grid_ids, 1) + 1, __ATOMIC_RELAXED);
    atomic_store_explicit(&l->entry, atomic_load(&l->code->entry), memory_order_relaxed);
    atomic_store_explicit(&l->published, false, memory_order_relaxed);
    atomic_store_explicit(&l->parts, 0, memory_order_relaxed);
}

static void shares_begin(struct shares *s)
{
    atomic_store_explicit(&s->finished, 0, memory_order_relaxed);
    atomic_store_explicit(&s->spent_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&s->long_known, false, memory_order_relaxed);
    atomic_store_explicit(&s->next, 0, memory_order_release);
}

static void shares_wait_init(struct shares *s)
{
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->park_lock, NULL);
}

static uint64_t launch_estimate(struct op *op)
{
    struct launch_op *l = (struct launch_op *)op;
    uint64_t block_ns = atomic_load_explicit(&l->code->block_ns, memory_order_relaxed), ns;
    bool known =
        block_ns && !l->code->variant.may_wait && l->unit == 1 && !__builtin_mul_overflow(block_ns, l->total, &ns);
    return known ? ns : UINT64_MAX;
}

// How many threads are worth while where each costs some time: a few, or all. In between there are not many steps, since a
// thread gets other blocks when their number changes, and finds nothing of them in its cache.
static uint64_t threads_worth(uint64_t estimate, uint64_t most)
{
    uint64_t n = 1;
    while (n < most && 4 * n * n * JOIN_NS <= estimate)
        n *= 2;
    return 2 * n > most ? most : n;
}

// How many threads the grid is made for, and 1 where it is not to be shared.
static uint64_t plan_threads(struct launch_op *l, uint64_t estimate)
{
    uint64_t most = pool_workers();
    most = most < l->total ? most : l->total;
    if (!estimate || l->code->variant.may_wait || l->unit > 1)
        return most;
    // A grid near the limit runs alone from time to time, since only then its time is measured undisturbed.
    if (estimate < SOLO_NS || (estimate < 2 * SOLO_NS && l->launch.grid_id % PROBE_EVERY == 0))
        return 1;
    uint32_t alone = atomic_load(&l->code->alone);
    if (alone && estimate < TEAM_NS) {
        atomic_store(&l->code->alone, alone - 1);
        return 1;
    }
    return threads_worth(estimate, most);
}

// On a machine that is busy otherwise a thread may be off its core while it holds a part. When that has happened a few times,
// the next grids run alone, and more of them each time that it turns out so again before many went well. The first grids that
// are shared may take long because their memory is in one core's cache. A grid that was long for all its threads had more to do.
static void note_gain(struct jit_code *code, uint64_t took, uint64_t estimate, uint64_t spent)
{
    uint32_t strikes = atomic_load(&code->strikes), backoff = atomic_load(&code->backoff);
    if (took < estimate || spent > 2 * took) {
        if (strikes)
            atomic_store(&code->strikes, 0);
        if (backoff && took < estimate)
            atomic_store(&code->backoff, backoff - (backoff + 7) / 8);
    } else if (strikes + 1 < STRIKES && took < 16 * estimate) {
        atomic_store(&code->strikes, strikes + 1);
    } else {
        backoff = backoff ? 2 * backoff : ALONE_LEAST;
        backoff = backoff < ALONE_MAX ? backoff : ALONE_MAX;
        atomic_store(&code->strikes, 0);
        atomic_store(&code->backoff, backoff);
        atomic_store(&code->alone, backoff);
    }
}

// Threads of a team that help each other read the words in which the others claim their parts, and these lines then go back and
// forth: half a microsecond for each grid. It is spared where all threads were busy for three quarters of the time without.
static void note_even(struct jit_code *code, uint64_t took, uint64_t spent, uint64_t threads)
{
    uint32_t old = atomic_load(&code->even), even = 4 * spent < 3 * took * threads ? 0
                                                    : old < EVEN_GRIDS             ? old + 1
                                                                                   : old;
    if (even != old)
        atomic_store(&code->even, even);
}

// Runs the grid on a team. False: that cannot be now, or does not pay.
static bool run_team(struct launch_op *l, uint64_t estimate, uint64_t threads)
{
    const struct queue *waiting = estimate >= WAITING_NS * threads * (threads - 1) ? l->op.queue : NULL;
    unsigned long long members = team_gather(waiting, pool_workers(), (unsigned)threads);
    if (!members)
        return false;
    uint64_t n = (uint64_t)__builtin_popcountll(members), most = estimate / SHARE_NS, awake = n, asleep = 0;
    uint64_t start = os_time_ns(), lost = n < threads ? estimate / n - estimate / threads : 0;
    if (n < threads && estimate < WAKE_NS && team_debt(start, lost) > WAKE_NS) { // for the grids that follow
        team_debt(0, 0);
        unsigned long long some = pool_sleepers((unsigned)(threads - n));
        if (some)
            pool_wake_sleepers((unsigned)__builtin_popcountll(some));
    }
    if (n < threads && n < most && estimate >= WAKE_NS) {
        members |= pool_sleepers((unsigned)((threads < most ? threads : most) - n));
        n = (uint64_t)__builtin_popcountll(members); // one that has just fallen asleep may be in both
        asleep = n - awake;
    }
    if (n < threads && waiting && estimate >= COMING_NS * threads) {
        members = team_expect(members);
        n = (uint64_t)__builtin_popcountll(members);
    }
    if (n == 1) {
        team_end();
        return false;
    }
    uint32_t runs = atomic_load_explicit(&l->code->runs, memory_order_relaxed);
    atomic_store_explicit(&l->code->runs, runs + 1, memory_order_relaxed);
    bool even = estimate <= n * EVEN_NS && (atomic_load(&l->code->even) == EVEN_GRIDS || runs % PROBE_EVERY == 0);
    bool help = n > awake || (estimate > n * HELP_NS && !even);
    uint64_t each = help ? estimate / n / PART_NS : 1, spent;
    each = each < PARTS_EACH ? each : PARTS_EACH;
    l->row = row_for(l, n);
    each = each * n * l->row <= l->total ? each : l->total / l->row / n;
    each = each ? each : 1;
    atomic_store(&l->parts, (unsigned)(n * each));
    bool counts =
        atomic_load_explicit(&l->code->quick, memory_order_relaxed) == WAIT_COUNTS; // else it stays quick code
    l->timed = help || account_wanted || counts || runs % TIME_EVERY == 0 || atomic_load(&l->code->strikes);
    team_begin(&l->job, members, waiting, (unsigned)each, help);
    if (asleep)
        pool_wake_sleepers((unsigned)asleep);
    job_join(&l->job);
    op_fetch_next(&l->op);
    while (!team_wait(&spent))
        job_join(&l->job);
    team_end();
    uint64_t now = os_time_ns();
    if (l->timed) {
        note_spent(l, spent);
        log_busy(l, n, spent, start);
    }
    if (l->timed && !help && estimate > n * HELP_NS)
        note_even(l->code, now - start, spent, n);
    note_gain(l->code, now - start, estimate, l->timed ? spent : 0);
    blocks_over(l, now, spent);
    return true;
}

static void launch_run(struct op *op)
{
    struct launch_op *l = (struct launch_op *)op;
    if (atomic_load(&l->faults->fault)) { // the context is lost: nothing runs any more
        op->trace.start = 0;
        op_finish(op);
        return;
    }
    if (op->step)
        launch_again(l);
    check_launch_begin(l->check, op);
    count_launch_begin(l->count);
    if (__builtin_expect(account_wanted, 0))
        atomic_store(&l->started_ns, os_time_ns());
    if (l->limited)
        watch_begin(&l->watch);
    uint64_t estimate = atomic_load(&l->code->block_ns) * l->total * l->unit;
    uint64_t threads = l->ordered ? 1 : plan_threads(l, estimate);
    bool team = threads > 1 && estimate && estimate < TEAM_NS * threads && !l->job.waits;
    if (team && run_team(l, estimate, threads))
        return;
    if (team && estimate < WAKE_NS)
        threads = 1;
    atomic_store(&l->threads, (unsigned)threads);
    shares_begin(l->shares);
    bool shared = threads > 1, held = shared || l->job.waits; // else nothing looks at it again when it has ended
    if (held)
        op_retain(op);
    if (shared) {
        atomic_store(&l->published, true);
        atomic_store(&l->started_ns, os_time_ns());
        shared = pool_publish(&l->job);
        if (shared)
            pool_wake((unsigned)threads - 1);
        else
            atomic_store(&l->published, false);
    }
    struct late late = {shared && !l->job.waits, l->job.slot, l->job.outer};
    if (!shared && !held && !l->ordered && pool_workers() > 1)
        l->late = &late;
    job_join(&l->job);
    if (late.opened)
        pool_depart(late.slot, late.outer);
    // The others finish what they took; a waiting kernel is left only when no block remains to be run.
    if (held || late.opened)
        op_release(op);
}

static void launch_destroy(struct op *op)
{
    struct launch_op *l = (struct launch_op *)op;
    bool whole = l->job.waits || l->cooperative;
    for (struct resident *r = whole ? l->shares->spare : NULL, *next; r; r = next) {
        next = r->next;
        if (l->unit > 1)
            cluster_give(r);
        else
            resident_destroy(r);
    }
    if (whole)
        pthread_mutex_destroy(&l->shares->park_lock);
    if (l->drop)
        l->drop(l->launch.args);
    check_launch_destroy(l->check);
    count_launch_destroy(l->count);
    // A worker gives a module's references back together, while it runs kernels of one module after each other: the program's
    // thread takes one with each launch, and they would meet in that counter.
    if (l->done)
        pool_tell(l->done, l->done_data);
}

void launch_op_describe(const struct op *op, struct timeline_event *e)
{
    const struct launch_op *l = (const struct launch_op *)op;
    e->kind = TIMELINE_KERNEL;
    e->kernel.name = l->kernel;
    for (int i = 0; i < 3; i++) {
        e->kernel.grid[i] = l->launch.grid[i];
        e->kernel.block[i] = l->launch.block[i];
        e->kernel.cluster[i] = l->launch.cluster[i];
    }
    e->kernel.registers = op->trace.registers;
    e->kernel.shared_static = l->launch.shared_static;
    e->kernel.shared_dynamic = l->launch.dynamic_shared;
    e->kernel.local_bytes = l->code->variant.local_bytes;
    e->kernel.cooperative = l->cooperative;
    e->kernel.id = l->launch.grid_id;
}

// Shared memory ends where a page does, so that what lies behind it faults; it is aligned to as much as its variables ask for, up to a page.
static uint32_t shared_room(const struct jit_variant *v, uint32_t bytes)
{
    uint32_t unit = v->shared_align > SHARED_ALIGN ? v->shared_align : SHARED_ALIGN;
    unit = unit < SHARED_ALIGN_MOST ? unit : SHARED_ALIGN_MOST;
    return (bytes + unit - 1) & ~(unit - 1);
}

enum { ARGS_USUAL = 512 }; // what kernels and the functions of libraries have, but for a few
_Static_assert(sizeof(struct launch_op) + ARGS_USUAL + SHARES_ALIGN - 1 + sizeof(struct shares) <= OP_CELL,
               "a usual launch is in a cell");

struct op *launch_op_create(const struct launch_desc *d)
{
    size_t align = d->args_align > ARGS_ALIGN ? d->args_align : ARGS_ALIGN;
    size_t head = sizeof(struct launch_op) + d->args_size + align - ARGS_ALIGN;
    struct launch_op *l = (struct launch_op *)op_create_headed(head + SHARES_ALIGN - 1 + sizeof(struct shares),
                                                               sizeof *l, launch_run, launch_destroy);
    if (!l)
        return NULL;
    const struct jit_variant *v = &d->code->variant;
    uint64_t threads = (uint64_t)d->block[0] * d->block[1] * d->block[2];
    l->op.flags = OP_ASYNC | OP_TOUCHES;
    l->op.estimate = launch_estimate;
    l->job = (struct grid_job){.join = job_join, .op = &l->op, .waits = v->may_wait || v->cluster};
    l->code = d->code;
    atomic_init(&l->entry, atomic_load_explicit(&d->code->entry, memory_order_acquire));
    l->kernel = d->kernel;
    l->faults = d->faults;
    l->done = d->done;
    l->done_data = d->done_data;
    l->drop = d->drop;
    l->device_api = d->device_api;
    l->device_api_data = d->device_api_data;
    l->cooperative = d->cooperative;
    l->limited = watchdog_seconds();
    l->ordered = d->order;
    if (d->order)
        l->order = *d->order;
    l->total = (uint64_t)d->grid[0] * d->grid[1] * d->grid[2];
    l->unit = l->side = 1;
    l->frame_bytes = v->block[0] ? v->frame_bytes : v->frame_bytes * ((threads + 31) / 32 * 32) + v->frame_fixed;
    l->shared_bytes = v->shared_static + d->dynamic_shared;
    l->shared_room = shared_room(v, l->shared_bytes);
    l->shares = (struct shares *)(((uintptr_t)l + head + SHARES_ALIGN - 1) & ~(uintptr_t)(SHARES_ALIGN - 1));
    if (l->job.waits || l->cooperative)
        shares_wait_init(l->shares);
    char *args = (char *)(((uintptr_t)l->args + align - 1) & ~(uintptr_t)(align - 1));
    if (d->args_size)
        memcpy(args, d->args, d->args_size);
    l->check = __builtin_expect(check_wanted, 0) ? check_launch_create(d, args) : NULL;
    l->count = __builtin_expect(count_wanted, 0) ? count_launch_create(d->count, d->kernel) : NULL;
    struct jit_launch *j = &l->launch;
    j->args = args;
    j->globals = d->globals;
    j->hooks = hooks_table;
    for (int i = 0; i < 3; i++) {
        j->grid[i] = d->grid[i];
        j->block[i] = d->block[i];
        j->cluster[i] = d->cluster[i] ? d->cluster[i] : 1;
    }
    if (v->cluster || v->may_wait)
        l->unit = j->cluster[0] * j->cluster[1] * j->cluster[2];
    l->total /= l->unit;
    if (v->side > 1 && l->unit == 1) {
        uint32_t rows = (d->grid[0] + v->side - 1) / v->side; // equal ones, as the code cuts them
        l->side = (d->grid[0] + rows - 1) / rows;
    }
    j->explicit_cluster = d->cluster[0] != 0;
    j->dynamic_shared = d->dynamic_shared;
    j->shared_static = v->shared_static;
    j->grid_id = atomic_fetch_add(&grid_ids, 1) + 1;
    j->nsmid = pool_workers();
    if (d->cooperative) {
        l->shares->workspace[0] = sizeof l->shares->workspace;
        j->envreg[1] = (uint32_t)((uintptr_t)l->shares->workspace >> 32);
        j->envreg[2] = (uint32_t)(uintptr_t)l->shares->workspace;
    }
    return &l->op;
}
