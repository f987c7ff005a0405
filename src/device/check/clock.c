// SPDX-License-Identifier: Apache-2.0
// racecheck: the clocks of the threads of a block, and what synchronisation does to them. race.c has the rules.
#include "device/check/race.h"
#include "device/sched/runner.h"
#include <stdlib.h>
#include <string.h>

void race_resident(struct resident *r)
{
    if (r->race)
        r->race->launch = NULL; // it may have the address of the last one
}

void race_resident_end(struct resident *r)
{
    if (r->race)
        free(r->race->memory);
    if (r->race)
        vec_free(&r->race->flights);
    free(r->race);
}

// Cells of an earlier block may stay where this one's lie in the same memory: their clocks are smaller than what all threads know.
static void prepare_cells(struct race_block *k, uint32_t words, bool keep)
{
    if (words > k->room) {
        free(k->memory);
        k->memory = calloc(words, 4 * sizeof *k->memory);
        k->room = k->memory ? words : 0;
    } else if (words && !(keep && words == k->words)) {
        memset(k->memory, 0, (size_t)k->room * 4 * sizeof *k->memory);
    }
    k->words = k->memory ? words : 0;
    uint64_t *m = k->memory;
    k->shared = (struct cells){m, m + k->words, m + (size_t)2 * k->words, (uint32_t *)(m + (size_t)3 * k->words)};
}

// Where the clocks of a block begin: behind all those of the last.
static uint32_t next_clock(const struct race_block *k)
{
    uint32_t most = race_larger(race_larger(k->began, k->published), k->proxy);
    for (uint32_t i = 0; i < k->threads; i += k->one[i / 8] ? k->gang : 1)
        most = race_larger(most, k->clocks[i].at);
    return most + 1;
}

static void forget_block(struct race_block *k)
{
    k->published = k->publisher = k->published_by_others = 0;
    memset(k->instance, 0, sizeof k->instance);
    memset(k->partial, 0, sizeof k->partial);
    memset(k->warp_instance, 0, sizeof k->warp_instance);
    memset(k->warp_partial, 0, sizeof k->warp_partial);
    k->copy = 0;
    k->flights.len = 0;
    if (k->flew) {
        memset(k->groups, 0, sizeof k->groups);
        memset(k->store_groups, 0, sizeof k->store_groups);
    }
    k->flew = false;
    memset(k->one, 1, sizeof k->one);
}

static void begin_block(struct race_block *k, const struct jit_block *b, const struct check_launch *c)
{
    enum { CLOCK_MOST = 1 << 28 };
    uint32_t next = next_clock(k);
    bool keep = !k->flew && next < CLOCK_MOST;
    const uint32_t *n = b->launch->block;
    if (k->launch != b->launch)
        memset(k->pages, 0, sizeof k->pages);
    forget_block(k);
    k->launch = b->launch;
    k->linear = b->linear;
    k->gang = c->code->variant.width;
    k->grid = c->grid;
    k->grid_began = grid_first(c->grid);
    k->threads = n[0] * n[1] * n[2] < RACE_THREADS ? n[0] * n[1] * n[2] : RACE_THREADS;
    // Blocks of a cluster reach each other's memory: it is looked at as global memory is.
    if (b->cluster->blocks > 1)
        grid_forget(k, (uint64_t)(uintptr_t)b->shared, b->shared_bytes);
    else
        prepare_cells(k, (b->shared_bytes + RACE_WORD - 1) / RACE_WORD, keep);
    k->began = k->proxy = keep ? next : 0;
    for (uint32_t i = 0; i < k->threads; i += k->gang)
        k->clocks[i] = (struct clocks){
            .at = k->began + 1, .known = k->began + 1, .grid = k->grid_began, .grid_known = k->grid_began};
}

struct race_block *race_block_of(struct jit_block *b, struct check_launch *c)
{
    struct resident *r = b->engine;
    struct race_block *k = r->race;
    if (k && k->launch == b->launch && k->linear == b->linear)
        return k;
    if (!k && !(k = r->race = calloc(1, sizeof *k)))
        return NULL;
    begin_block(k, b, c);
    return k;
}

// ---- clocks of gangs
void race_spread(struct race_block *k, uint32_t first)
{
    if (!k->one[first / 8])
        return;
    k->one[first / 8] = false;
    for (uint32_t i = 1; i < k->gang && first + i < RACE_THREADS; i++)
        k->clocks[first + i] = k->clocks[first];
}

void race_join(struct race_block *k, const struct jit_block *b, uint32_t first)
{
    const uint32_t *n = b->launch->block, threads = n[0] * n[1] * n[2];
    bool same = true;
    for (uint32_t i = 1; same && i < k->gang && first + i < threads; i++)
        same = !memcmp(&k->clocks[first + i], &k->clocks[first], sizeof *k->clocks);
    k->one[first / 8] = same;
}

// ---- strong accesses
// What others than the thread have published.
static uint32_t published(const struct race_block *k, uint32_t thread)
{
    return k->publisher == thread ? k->published_by_others : k->published;
}

static void publish(struct race_block *k, uint32_t thread, uint32_t clock)
{
    if (k->publisher == thread || !k->published) {
        k->publisher = thread;
        k->published = race_larger(k->published, clock);
    } else if (clock > k->published) {
        k->published_by_others = k->published;
        k->publisher = thread;
        k->published = clock;
    } else {
        k->published_by_others = race_larger(k->published_by_others, clock);
    }
}

bool race_changes(const struct race_block *k, const struct clocks *t, uint32_t thread, uint32_t what)
{
    bool reads = check_kind(what) != CHECK_WRITE, writes = check_kind(what) != CHECK_READ;
    uint32_t clock = published(k, thread);
    return (writes && what & CHECK_RELEASE) || (reads && clock && clock >= t->known);
}

void race_acquire(struct race_block *k, struct clocks *t, uint32_t thread, uint32_t what)
{
    uint32_t clock = published(k, thread);
    if (check_kind(what) == CHECK_WRITE || !clock)
        return;
    t->known = race_larger(t->known, clock + 1);
    t->at = race_larger(t->at, t->known);
}

void race_release(struct race_block *k, struct clocks *t, uint32_t thread, uint32_t what)
{
    if (check_kind(what) == CHECK_READ)
        return;
    if (what & CHECK_RELEASE)
        publish(k, thread, t->at++);
    else if (t->fenced)
        publish(k, thread, t->fenced - 1);
}

// ---- barriers
static void meet(struct meeting *m, const struct clocks *t)
{
    m->at = race_larger(m->at, t->at);
    m->known = race_larger(m->known, t->known);
    m->warp = race_larger(m->warp, t->warp);
    m->grid = race_larger(m->grid, t->grid);
    m->grid_known = race_larger(m->grid_known, t->grid_known);
    m->fenced = race_larger(m->fenced, t->fenced);
    m->grid_fenced = race_larger(m->grid_fenced, t->grid_fenced);
}

// What one thread has from other blocks, or has fenced, those have who wait for it.
static void take(struct clocks *t, const struct meeting *m)
{
    t->at = race_larger(t->at, m->at);
    t->known = race_larger(t->known, m->known);
    t->grid = race_larger(t->grid, m->grid);
    t->grid_known = race_larger(t->grid_known, m->grid_known);
    t->fenced = race_larger(t->fenced, m->fenced);
    t->grid_fenced = race_larger(t->grid_fenced, m->grid_fenced);
}

static void take_block(struct clocks *t, const struct meeting *m)
{
    take(t, m);
    t->known = race_larger(t->known, m->at + 1);
    t->at = race_larger(t->at, t->known);
    t->warp = 0;
}

// The clock between blocks goes on: what all of them that came before are smaller than.
static uint32_t clock_step(struct race_block *k, struct clocks *t)
{
    grid_once(k->grid);
    return t->grid < GRID_LAST ? ++t->grid : GRID_LAST + 1;
}

static void know(struct clocks *t, uint32_t clock)
{
    t->grid_known = race_larger(t->grid_known, clock);
    t->grid = race_larger(t->grid, clock < GRID_LAST ? clock : GRID_LAST);
}

void race_grid_release(struct race_block *k, struct clocks *t, uint64_t address, uint32_t what)
{
    if (what & CHECK_RELEASE)
        grid_publish(k->grid, address, k->linear, clock_step(k, t));
    else if (t->grid_fenced)
        grid_publish(k->grid, address, k->linear, t->grid_fenced);
}

void race_grid_acquire(struct clocks *t, uint32_t clock)
{
    know(t, clock);
}

// The barrier of a cluster is one of the block, and publishes in the name of its first block. A thread may wait for one phase while others
// have come to the next.
enum { CLUSTER_BARRIER = RACE_BARRIERS - 1 };
static uint64_t cluster_key(const struct jit_block *b, uint32_t phase)
{
    return (uint64_t)1 << 63 | (b->linear - b->rank) << 4 | phase % RACE_INSTANCES << 2;
}

static struct meeting *meeting_of(struct race_block *k, const struct clocks *t, uint32_t number, uint32_t id)
{
    bool whole = !(number & CHECK_PARTIAL) || id == CLUSTER_BARRIER;
    return whole ? &k->instance[id][t->whole[id] % RACE_INSTANCES] : &k->partial[id];
}

static void barrier_before(const struct jit_block *b, struct race_block *k, struct clocks *t, uint32_t number)
{
    uint32_t id = number % CHECK_PARTIAL % RACE_BARRIERS;
    if (id == CLUSTER_BARRIER)
        grid_publish(k->grid, cluster_key(b, t->whole[id]), k->linear, clock_step(k, t));
    meet(meeting_of(k, t, number, id), t);
    if (number & CHECK_PARTIAL)
        t->at++; // of those who only arrive, what comes behind is not ordered
}

static void barrier_after(const struct jit_block *b, struct race_block *k, struct clocks *t, uint32_t number)
{
    uint32_t id = number % CHECK_PARTIAL % RACE_BARRIERS;
    if (id == CLUSTER_BARRIER)
        know(t, grid_published(k->grid, cluster_key(b, t->whole[id]), k->linear));
    take_block(t, meeting_of(k, t, number, id));
    t->whole[id] += id == CLUSTER_BARRIER || !(number & CHECK_PARTIAL);
}

static void warp_before(struct race_block *k, struct clocks *t, uint32_t warp, uint32_t mask)
{
    struct meeting *m = mask == UINT32_MAX ? &k->warp_instance[warp][t->full % RACE_INSTANCES] : &k->warp_partial[warp];
    if (m->at < t->known)
        m->warp = 0; // the warp's clocks begin anew behind a barrier of the block
    meet(m, t);
}

static void warp_after(struct race_block *k, struct clocks *t, uint32_t warp, uint32_t mask)
{
    const struct meeting *m =
        mask == UINT32_MAX ? &k->warp_instance[warp][t->full++ % RACE_INSTANCES] : &k->warp_partial[warp];
    take(t, m);
    t->warp = race_larger(t->warp, m->warp + 1);
}

// What came before has a smaller clock.
static void fence(struct race_block *k, struct clocks *t, bool block)
{
    t->fenced = ++t->at;
    if (!block)
        t->grid_fenced = clock_step(k, t);
}

static void move(const struct sync_call *s, struct race_block *k, struct clocks *t, uint32_t thread, uint32_t number)
{
    switch ((enum check_sync)s->how) {
    case CHECK_BARRIER_BEFORE:
        barrier_before(s->block, k, t, number);
        break;
    case CHECK_BARRIER_AFTER:
        barrier_after(s->block, k, t, number);
        break;
    case CHECK_WARP_BEFORE:
        warp_before(k, t, thread / 32, number);
        break;
    case CHECK_WARP_AFTER:
        warp_after(k, t, thread / 32, number);
        break;
    case CHECK_FENCE:
        fence(k, t, number & 1);
        break;
    case CHECK_EXIT:
        break;
    }
}

void race_sync(const struct sync_call *s)
{
    struct check_launch *c = check_of(s->block);
    struct race_block *k = race_block_of(s->block, c);
    const uint32_t *n = s->block->launch->block, threads = n[0] * n[1] * n[2], first = s->first % RACE_THREADS;
    if (!k)
        return;
    uint32_t all = threads - first < k->gang ? (1u << (threads - first)) - 1
                   : k->gang < 32            ? (1u << k->gang) - 1
                                             : UINT32_MAX;
    uint32_t lowest = (uint32_t)__builtin_ctz(s->lanes | 1u << 31);
    bool together = (s->lanes & all) == all && k->one[first / 8];
    for (uint32_t rest = s->same ? 0 : s->lanes; rest && together; rest &= rest - 1)
        together = s->number[__builtin_ctz(rest)] == s->number[lowest];
    if (together) {
        move(s, k, &k->clocks[first], first, s->number[lowest]);
        return;
    }
    race_spread(k, first);
    for (uint32_t rest = s->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), thread = (first + lane) % RACE_THREADS;
        move(s, k, &k->clocks[thread], thread, s->number[lane]);
    }
    race_join(k, s->block, first);
}
