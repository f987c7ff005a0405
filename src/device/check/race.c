// SPDX-License-Identifier: Apache-2.0
// racecheck: accesses to a block's shared memory by two threads, one of them a write, that nothing orders.
//
// 1. No false report is the first requirement. Threads have clocks such that whatever happens before something else has the smaller one:
//    a synchronisation sets the clocks of those who go on above all of those who came. Two accesses of which the earlier has the smaller clock
//    may be ordered and are never told. So a synchronisation that is understood too widely loses hazards and makes none up.
// 2. A thread has two clocks: one that all synchronisation of the block moves, by which threads of different warps are compared, and one of
//    its warp, which __syncwarp and collectives move as well.
// 3. A barrier of the whole block is one of a row of instances: threads come to them in the same order, so that the k-th arrival of each is
//    at the same one; its clock is the greatest of those who came. Barriers of some threads, and collectives of some lanes, take the
//    greatest clock that ever came to that barrier, which is at least as great.
// 4. A release, or a strong store behind a fence, publishes the thread's clock for the block; a strong load or an atomic takes what was
//    published. mbarrier is made of such atomics. A relaxed atomic by itself publishes nothing and orders nothing.
// 5. Strong accesses (atomics, volatile) do not race with each other. Stores of the same value by different threads are no hazard.
// 6. For each word the last write is kept, and the two last reads of different threads: a write that is ordered behind neither of two
//    threads' reads is found, since it can be by only one of them. Two readers of two warps in one interval stand for all of it.
// Asynchronous copies are made at once, as the thread's own accesses. Shared memory of other blocks of a cluster is not looked at.
#include "device/check/report.h"
#include "device/check/race.h"
#include "device/sched/runner.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 1024, WARPS = 32, BARRIERS = 17, INSTANCES = 4, WORD = 4 };

struct access {
    uint32_t block_clock, warp_clock, pc;
    uint16_t thread, site;
    uint8_t bytes, strong; // a bit for each byte of the word; 0: there was none
};

struct word {
    uint32_t generation;
    uint32_t
        saturated; // the clock of an interval in which it is read by two warps and not written since; 0: there is none
    struct access write, read[2];
};

struct thread {
    uint32_t block_clock, warp_clock;
    uint32_t fenced; // the clock at the last fence; 0: there was none
    uint32_t full;   // collectives of the whole warp
    uint16_t whole[BARRIERS];
};

struct race_block {
    const struct jit_launch *launch;
    uint64_t linear;
    uint32_t generation, words;
    struct word *word;
    uint32_t published;
    uint32_t instance[BARRIERS][INSTANCES], partial[BARRIERS];
    uint32_t warp_instance[WARPS][INSTANCES], warp_partial[WARPS];
    struct thread thread[THREADS];
};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void race_resident(struct resident *r)
{
    if (r->race)
        r->race->launch = NULL;
}

void race_resident_end(struct resident *r)
{
    if (r->race)
        free(r->race->word);
    free(r->race);
}

// What is kept of the block that runs, all new where it is another one than before. NULL: there is no memory for it.
static struct race_block *block_of(struct jit_block *b)
{
    struct resident *r = b->engine;
    struct race_block *k = r->race;
    if (k && k->launch == b->launch && k->linear == b->linear)
        return k;
    if (!k && !(k = r->race = calloc(1, sizeof *k)))
        return NULL;
    uint32_t words = (b->shared_bytes + WORD - 1) / WORD, generation = k->generation + 1;
    struct word *word = k->word;
    if (words > k->words || !generation) {
        free(word);
        word = calloc(words ? words : 1, sizeof *word);
        k->words = word ? words : 0;
        generation = 1;
    }
    words = k->words;
    memset(k, 0, sizeof *k);
    *k = (struct race_block){b->launch, b->linear, generation, words, word, 0, {{0}}, {0}, {{0}}, {0}, {{0}}};
    for (unsigned i = 0; i < THREADS; i++)
        k->thread[i].block_clock = k->thread[i].warp_clock = 1;
    return k;
}

static bool is_ordered(const struct access *earlier, const struct access *later)
{
    if (earlier->thread == later->thread || earlier->block_clock < later->block_clock)
        return true;
    return earlier->thread / 32 == later->thread / 32 && earlier->warp_clock < later->warp_clock;
}

static bool conflicts(const struct access *earlier, const struct access *later)
{
    return earlier->bytes & later->bytes && !(earlier->strong && later->strong) && !is_ordered(earlier, later);
}

// ---- hazards
static void note(struct check_launch *c, const struct jit_block *b, enum race_kind kind, uint32_t address,
                 const struct access *earlier, const struct access *later)
{
    struct race_hazard h = {.kind = kind,
                            .address = address,
                            .pc = {earlier->pc, later->pc},
                            .site = {earlier->site, later->site},
                            .thread = {earlier->thread, later->thread},
                            .in_warp = earlier->thread / 32 == later->thread / 32};
    race_note(c, b, &h);
}

// A store of what is there already, or of what the lane beside has just stored.
static bool is_same_value(const struct race_access *a, uint32_t lane, const struct access *before)
{
    uint32_t size = check_size(a->what), other = before->thread - a->first;
    if (!a->value || size > 8)
        return true; // it is not known
    bool together = before->thread >= a->first && other < 32 && a->lanes >> other & 1 && other < lane;
    const void *there = (const void *)(uintptr_t)a->address[lane];
    if (together && a->address[other] == a->address[lane])
        return a->value[other] == a->value[lane];
    return !memcmp(there, &a->value[lane], size);
}

static void keep_read(struct word *w, const struct access *now)
{
    unsigned slot = w->read[0].bytes && w->read[0].thread != now->thread;
    if (slot && w->read[1].bytes && w->read[1].thread != now->thread)
        w->read[0] = w->read[1];
    w->read[slot] = *now;
    const struct access *a = &w->read[0], *b = &w->read[1];
    bool both = a->block_clock == b->block_clock && a->thread / 32 != b->thread / 32 && (a->bytes & b->bytes) == 15;
    w->saturated = both && !(a->strong | b->strong) ? a->block_clock : 0;
}

static void access_word(struct check_launch *c, const struct race_access *a, uint32_t lane, struct race_block *k,
                        uint32_t index, struct access *now)
{
    struct word *w = &k->word[index];
    uint32_t kind = check_kind(a->what), at = index * WORD;
    if (w->generation != k->generation)
        *w = (struct word){.generation = k->generation};
    bool writes = kind != CHECK_READ;
    if (conflicts(&w->write, now) && !(kind == CHECK_WRITE && is_same_value(a, lane, &w->write)))
        note(c, a->block, writes ? RACE_WAW : RACE_RAW, at, &w->write, now);
    for (unsigned i = 0; writes && i < 2; i++)
        if (conflicts(&w->read[i], now)) {
            note(c, a->block, RACE_WAR, at, &w->read[i], now);
            break;
        }
    if (!writes) {
        keep_read(w, now);
    } else {
        w->write = *now;
        w->saturated = 0;
        w->read[0].bytes &= (uint8_t)~now->bytes;
        w->read[1].bytes &= (uint8_t)~now->bytes;
    }
}

// What a strong access does to the clocks of its thread, and to those that others take over.
static void synchronise(struct race_block *k, struct thread *t, uint32_t what)
{
    if (!(what & CHECK_STRONG))
        return;
    bool reads = check_kind(what) != CHECK_WRITE, writes = check_kind(what) != CHECK_READ;
    if (reads && k->published)
        t->block_clock = larger(t->block_clock, k->published + 1);
    if (writes && what & CHECK_RELEASE)
        k->published = larger(k->published, t->block_clock++);
    else if (writes && t->fenced)
        k->published = larger(k->published, t->fenced);
}

void race_access(struct check_launch *c, const struct race_access *a)
{
    struct jit_block *b = a->block;
    struct race_block *k = block_of(b);
    uint32_t pc = (uint32_t)((const char *)a->pc - (const char *)c->code->start), size = check_size(a->what);
    const struct thread *last = NULL;
    uint64_t last_at = 0;
    unsigned together = 0;
    bool plain_read = check_kind(a->what) == CHECK_READ && !(a->what & CHECK_STRONG) && size == WORD;
    for (uint32_t rest = a->lanes; k && rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), thread = (a->first + lane) % THREADS;
        struct thread *t = &k->thread[thread];
        uint64_t at = a->address[lane] - (uint64_t)(uintptr_t)b->shared;
        bool acquires = a->what & CHECK_STRONG && check_kind(a->what) == CHECK_READ;
        // Two lanes that read the same at the same time stand for all that do.
        bool same = last && at == last_at && t->block_clock == last->block_clock && t->warp_clock == last->warp_clock;
        together = same ? together + 1 : 0;
        last = t;
        last_at = at;
        if (plain_read && together > 1)
            continue;
        // Whoever writes in this interval meets one of the two readers; what else reads tells nothing new.
        const struct word *w = &k->word[at / WORD];
        if (plain_read && !(at % WORD) && at / WORD < k->words && w->generation == k->generation &&
            w->saturated == t->block_clock)
            continue;
        if (acquires)
            synchronise(k, t, a->what);
        for (uint64_t from = at, end = at + size; end <= b->shared_bytes && from < end && from / WORD < k->words;) {
            uint64_t next = (from / WORD + 1) * WORD, to = next < end ? next : end;
            uint8_t bytes = (uint8_t)(((1u << (to - from)) - 1) << from % WORD);
            struct access now = {t->block_clock,
                                 t->warp_clock,
                                 pc,
                                 (uint16_t)thread,
                                 (uint16_t)check_site(a->what),
                                 bytes,
                                 (a->what & CHECK_STRONG) != 0};
            access_word(c, a, lane, k, (uint32_t)(from / WORD), &now);
            from = to;
        }
        if (!acquires)
            synchronise(k, t, a->what);
    }
}

// ---- synchronisation
static void barrier_before(struct race_block *k, struct thread *t, uint32_t number)
{
    uint32_t id = number % CHECK_PARTIAL % BARRIERS;
    if (number & CHECK_PARTIAL) {
        k->partial[id] = larger(k->partial[id], t->block_clock++);
        return;
    }
    uint32_t *clock = &k->instance[id][t->whole[id] % INSTANCES];
    *clock = larger(*clock, t->block_clock);
}

static void barrier_after(struct race_block *k, struct thread *t, uint32_t number)
{
    uint32_t id = number % CHECK_PARTIAL % BARRIERS;
    if (number & CHECK_PARTIAL)
        t->block_clock = larger(t->block_clock, k->partial[id] + 1);
    else
        t->block_clock = larger(t->block_clock, k->instance[id][t->whole[id]++ % INSTANCES] + 1);
}

static void warp_before(struct race_block *k, struct thread *t, uint32_t warp, uint32_t mask)
{
    uint32_t *clock = mask == UINT32_MAX ? &k->warp_instance[warp][t->full % INSTANCES] : &k->warp_partial[warp];
    *clock = larger(*clock, t->warp_clock);
}

static void warp_after(struct race_block *k, struct thread *t, uint32_t warp, uint32_t mask)
{
    bool full = mask == UINT32_MAX;
    uint32_t clock = full ? k->warp_instance[warp][t->full++ % INSTANCES] : k->warp_partial[warp];
    t->warp_clock = larger(t->warp_clock, clock + 1);
}

void race_sync(const struct sync_call *s)
{
    struct race_block *k = block_of(s->block);
    const uint32_t *number = s->number;
    for (uint32_t rest = s->lanes; k && rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), thread = (s->first + lane) % THREADS;
        struct thread *t = &k->thread[thread];
        switch ((enum check_sync)s->how) {
        case CHECK_BARRIER_BEFORE:
            barrier_before(k, t, number[lane]);
            break;
        case CHECK_BARRIER_AFTER:
            barrier_after(k, t, number[lane]);
            break;
        case CHECK_WARP_BEFORE:
            warp_before(k, t, thread / 32, number[lane]);
            break;
        case CHECK_WARP_AFTER:
            warp_after(k, t, thread / 32, number[lane]);
            break;
        case CHECK_FENCE:
            t->fenced = t->block_clock++;
            break;
        case CHECK_EXIT:
            break;
        }
    }
}
