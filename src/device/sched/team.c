// SPDX-License-Identifier: Apache-2.0
// Fork and join for grids of some microseconds. Where 16 threads take blocks from one counter, and tell another one that they
// have come, are done and are free again, each of these is a cache line that goes round all cores: more time than the blocks
// take. Here a thread writes to its own line alone.
//
//  1. A thread that looks for work has a seat. The one that runs the operation (the lead) looks who is free, puts these
//     members and the job into one line that all of them watch, and numbers it.
//  2. Every member has the same number of parts of the grid, by its seat: with the same members a thread gets the same blocks
//     each time, and finds in its cache what the kernel before has left there.
//  3. A part is claimed before it is run, by raising the word in its seat to the job's number and the count of parts that are
//     taken. Nobody sets these words up or back: a smaller number means that none is taken. Whoever holds a part that is
//     not reported holds the job's memory, since the job is not over. Of its own parts a member claims half of what is left
//     each time: a claim waits until all that the blocks before it wrote has reached the cache, and parts side by side are
//     one call.
//  4. The lead claims what others have not when its own parts are done: a member that is asleep, off its core or busy after
//     all costs time, never the result. In longer jobs all members help each other so.
//  5. A member reports once, when it leaves: how many parts it has run. The lead reads the seats until the sum is the grid.
//
// There is one team. A grid that finds it taken is shared through the pool's slots.
#include "base/os.h"
#include "device/sched/pool.h"

enum { HELP = 1, EACH_SHIFT = 1, NUMBER_SHIFT = 16, COUNT_MASK = 0xffff, GRACE_TURNS = 16 };

struct seat seats[SEAT_COUNT];

// What belongs to a job stands twice, by the lowest bit of its number: one who has read the word, then these, and then the
// same word again, has read what belongs to it.
static struct {
    _Alignas(128) atomic_ullong word; // number, parts for each member, HELP
    atomic_ullong members[2];         // a bit for each seat
    _Atomic(struct grid_job *) job[2];
    _Atomic(const struct queue *) queue[2]; // whose waiting threads may join
    _Alignas(128) atomic_bool taken;        // by a lead
    uint64_t debt, debt_at;                 // the lead's: what was lost because threads sleep, and when
} team;

static _Thread_local struct {
    int seat;                // and 1; 0: none
    int last_seat;           // the one that it had before
    unsigned long long seen; // the last word that it has looked at
    // The job that it is in.
    unsigned long long word, members;
    unsigned from;             // the seat whose parts it takes
    unsigned held, held_count; // parts that are claimed and not run yet: the first, and how many
    unsigned over;             // parts that it has claimed
    unsigned left;             // that nobody had when it claimed the last, of the same seat
    uint64_t ns;               // that it has spent
    bool borrowed;             // its seat is for this job alone
} self;

static atomic_uint helpers; // a bit for each seat of theirs that is taken

void seat_of_worker(unsigned index)
{
    self.seat = (int)(SEAT_HELPERS + index) + 1;
}

struct seat *seat_own(void)
{
    return self.seat ? &seats[self.seat - 1] : NULL;
}

bool seat_take(void)
{
    if (self.seat)
        return true;
    unsigned taken = atomic_load(&helpers), all = (1u << SEAT_HELPERS) - 1;
    for (;;) {
        if (taken == all)
            return false;
        unsigned i = (unsigned)self.last_seat;
        i = taken >> i & 1 ? (unsigned)__builtin_ctz(~taken) : i;
        if (atomic_compare_exchange_weak(&helpers, &taken, taken | 1u << i)) {
            self.last_seat = (int)i;
            self.seat = (int)i + 1;
            return true;
        }
    }
}

void seat_give(void)
{
    if (self.seat && self.seat <= SEAT_HELPERS) {
        atomic_fetch_and(&helpers, ~(1u << (self.seat - 1)));
        self.seat = 0;
    }
}

static unsigned each(void)
{
    return (unsigned)(self.word & COUNT_MASK) >> EACH_SHIFT;
}

// The next parts of a seat's that nobody has: the first of them, or -1 where there is none; *count: how many. Of the parts of
// others one at a time, since they may still come.
static int claim(unsigned seat, unsigned *count)
{
    unsigned long long number = self.word >> NUMBER_SHIFT, word = atomic_load(&seats[seat].claim);
    for (;;) {
        unsigned long long at = word >> NUMBER_SHIFT;
        unsigned n = at == number ? (unsigned)word & COUNT_MASK : 0;
        if (at > number || n >= each())
            return -1;
        *count = seat == (unsigned)self.seat - 1 ? (each() - n + 1) / 2 : 1;
        if (atomic_compare_exchange_weak(&seats[seat].claim, &word, number << NUMBER_SHIFT | (n + *count))) {
            self.over += *count;
            self.left = each() - n - *count;
            return (int)((unsigned)__builtin_popcountll(self.members & ((1ull << seat) - 1)) * each() + n);
        }
    }
}

unsigned team_take(unsigned *part)
{
    unsigned own = (unsigned)self.seat - 1, count = self.held_count;
    if (count) {
        *part = self.held;
        self.held_count = 0;
        return count;
    }
    for (;;) {
        int n = claim(self.from, &count);
        if (n >= 0) {
            *part = (unsigned)n;
            return count;
        }
        if (!(self.word & HELP))
            return 0;
        unsigned long long above = self.members & ~((2ull << self.from) - 1);
        self.from = (unsigned)__builtin_ctzll(above ? above : self.members);
        if (self.from == own)
            return 0;
    }
}

bool team_more(void)
{
    return self.left;
}

void team_cancel(void)
{
    unsigned count;
    self.held_count = 0;
    for (unsigned long long m = self.members; m; m &= m - 1)
        while (claim((unsigned)__builtin_ctzll(m), &count) >= 0)
            ;
}

void team_spent(uint64_t ns)
{
    self.ns += ns;
}

static void enter(unsigned long long word, unsigned long long members)
{
    self.seen = self.word = word;
    self.members = members;
    self.from = (unsigned)self.seat - 1;
    self.held_count = self.over = 0;
    self.ns = 0;
}

bool team_called(void)
{
    return atomic_load_explicit(&team.word, memory_order_relaxed) != self.seen && self.seat;
}

bool team_join(const struct queue *only)
{
    unsigned long long word = atomic_load(&team.word), which = word >> NUMBER_SHIFT & 1;
    struct grid_job *job = atomic_load(&team.job[which]);
    unsigned long long members = atomic_load(&team.members[which]);
    const struct queue *queue = atomic_load(&team.queue[which]);
    if (word == self.seen || atomic_load(&team.word) != word)
        return false;
    self.seen = word;
    for (size_t at = 0; at < JOB_BYTES; at += 64) // comes while the part is claimed
        __builtin_prefetch((char *)job + at);
    struct seat *s = seat_own();
    if (!s || s >= seats + SEAT_TEAM || !(members >> (s - seats) & 1) || (only && only != queue))
        return false;
    if (atomic_load_explicit(&s->done, memory_order_relaxed) >> NUMBER_SHIFT == word >> NUMBER_SHIFT)
        return false; // one who had this seat before has reported
    uintptr_t was = atomic_load_explicit(&s->state, memory_order_relaxed);
    bool away = word & HELP; // for so long that nothing should be handed to this thread meanwhile
    if (away && (was == SEAT_AWAY || !atomic_compare_exchange_strong(&s->state, &was, SEAT_AWAY)))
        return false;
    enter(word, members);
    unsigned part, count = team_take(&part);
    if (count) {
        self.held = part;
        self.held_count = count;
        job->join(job);
        atomic_store_explicit(&s->ns, self.ns, memory_order_relaxed);
    }
    // The line goes to the lead once: it reads the state for the next grid.
    if (away)
        atomic_store_explicit(&s->state, was, memory_order_release);
    if (count)
        atomic_store_explicit(&s->done, word >> NUMBER_SHIFT << NUMBER_SHIFT | self.over, memory_order_release);
    return count;
}

unsigned long long team_gather(const struct queue *queue, unsigned workers, unsigned most)
{
    if (atomic_load_explicit(&team.taken, memory_order_relaxed) || atomic_exchange(&team.taken, true))
        return 0;
    self.borrowed = !self.seat;
    if (!seat_take() || self.seat > SEAT_TEAM) {
        atomic_store(&team.taken, false);
        return 0;
    }
    unsigned n = 1, own = (unsigned)self.seat - 1;
    unsigned long long members = 1ull << own;
    unsigned end = SEAT_HELPERS + workers < SEAT_TEAM ? SEAT_HELPERS + workers : SEAT_TEAM;
    for (unsigned i = queue ? 0 : SEAT_HELPERS; i < end && n < most; i++) {
        uintptr_t idle = i < SEAT_HELPERS ? (uintptr_t)queue : SEAT_IDLE;
        if (i != own && atomic_load_explicit(&seats[i].state, memory_order_relaxed) == idle) {
            members |= 1ull << i;
            n++;
        }
    }
    return members;
}

unsigned long long team_expect(unsigned long long members)
{
    unsigned long long taken = atomic_load(&helpers);
    return members & ((1ull << SEAT_HELPERS) - 1) || taken & 1 ? members : members | 1;
}

void team_begin(struct grid_job *job, unsigned long long members, const struct queue *queue, unsigned parts_each,
                bool help)
{
    unsigned long long number = (atomic_load_explicit(&team.word, memory_order_relaxed) >> NUMBER_SHIFT) + 1;
    atomic_store_explicit(&team.job[number & 1], job, memory_order_release);
    atomic_store_explicit(&team.members[number & 1], members, memory_order_release);
    atomic_store_explicit(&team.queue[number & 1], queue, memory_order_release);
    enter(number << NUMBER_SHIFT | parts_each << EACH_SHIFT | (help ? HELP : 0), members);
    atomic_store(&team.word, self.word);
}

bool team_wait(uint64_t *ns)
{
    unsigned own = (unsigned)self.seat - 1, parts = (unsigned)__builtin_popcountll(self.members) * each();
    unsigned long long number = self.word >> NUMBER_SHIFT, others = self.members & ~(1ull << own);
    for (unsigned turn = 0;; turn++) {
        unsigned n = self.over;
        uint64_t spent = self.ns;
        for (unsigned long long m = others; m; m &= m - 1) { // no branch depends on a line that is still under way
            struct seat *s = &seats[__builtin_ctzll(m)];
            unsigned long long done = atomic_load_explicit(&s->done, memory_order_acquire);
            unsigned long long counts = done >> NUMBER_SHIFT == number ? ~0ull : 0;
            n += (unsigned)(done & COUNT_MASK & counts);
            spent += atomic_load_explicit(&s->ns, memory_order_relaxed) & counts;
        }
        if (n == parts) {
            *ns = spent;
            return true;
        }
        if (turn >= GRACE_TURNS || self.word & HELP)
            for (unsigned long long m = others; m; m &= m - 1) {
                int part = claim((unsigned)__builtin_ctzll(m), &self.held_count);
                if (part >= 0) {
                    self.held = (unsigned)part;
                    return false;
                }
                self.held_count = 0;
            }
        pool_pause(turn);
    }
}

uint64_t team_debt(uint64_t now, uint64_t more)
{
    enum { ROW_NS = 50000 }; // as long as workers stay awake
    team.debt = now - team.debt_at < ROW_NS ? team.debt + more : more;
    team.debt_at = now;
    return team.debt;
}

void team_end(void)
{
    if (self.borrowed)
        seat_give();
    atomic_store(&team.taken, false);
}
