// SPDX-License-Identifier: Apache-2.0
// racecheck: asynchronous copies. The code makes them at once; here they go on until somebody waits. What a copy writes to shared memory, and what
// it reads there, has a clock that nobody knows (CELL_IN_FLIGHT), so that every access that is not ordered behind the wait is one that
// races with it. The wait gives its cells the clock that they have from then on:
// - cp.async: that of the thread which waits for its group, or has it arrive at an object;
// - cp.async.bulk to shared memory, and copies that arrive at an object: one that is known by all who have seen that the object's phase
//   has ended, and by whoever synchronises with them;
// - cp.async.bulk from shared memory: that of the thread which waits for its group.
// What a copy reads and writes in global memory counts as its thread's own. Clusters of several blocks are not looked at.
#include "device/check/race.h"
#include "jit/abi/cluster.h"
#include <stdlib.h>
#include <string.h>

enum { LOOK_BACK = 64, PARITY_BIT = 40 };

static bool parity_at(uint64_t object)
{
    uint64_t now;
    memcpy(&now, (const void *)(uintptr_t)object, sizeof now);
    return now >> PARITY_BIT & 1;
}

static bool in_shared(const struct jit_block *b, uint64_t address, uint64_t size)
{
    uint64_t at = address - (uint64_t)(uintptr_t)b->shared;
    return at < b->shared_bytes && at + size <= b->shared_bytes;
}

// The words of a copy have this clock from now on.
static void settle(struct race_block *k, const struct flight *f, uint32_t clock)
{
    uint64_t *cells[] = {k->shared.write, k->shared.read, k->shared.other};
    uint64_t end = (f->from + f->bytes + RACE_WORD - 1) / RACE_WORD;
    for (uint64_t word = f->from / RACE_WORD; word < end && word < k->words; word++)
        for (int i = 0; i < 3; i++) {
            uint64_t *c = &cells[i][word];
            if (*c >> 32 == CELL_IN_FLIGHT && ((uint32_t)*c >> CELL_THREAD_AT & (RACE_THREADS - 1)) == f->thread)
                *c = (uint64_t)clock << 32 | (uint32_t)*c;
        }
}

void flight_add(struct race_block *k, uint32_t thread, uint64_t from, uint32_t bytes)
{
    struct flight f = {from, bytes, thread, k->copy, 0, false, 0};
    f.group = k->copy == COPY_BEGIN ? k->groups[thread] : k->store_groups[thread];
    f.object = k->copy == LOAD_BEGIN ? k->copy_object[thread % RACE_LANES] : 0;
    if (f.object)
        f.parity = parity_at(f.object);
    for (size_t i = k->flights.len; i-- > 0 && k->flights.len - i <= LOOK_BACK;) {
        struct flight *l = &k->flights.data[i];
        bool same = l->thread == thread && l->how == f.how && l->group == f.group && l->object == f.object;
        if (same && l->from + l->bytes == from) {
            l->bytes += bytes;
            return;
        }
    }
    vec_push(&k->flights, f);
}

static void remove_at(struct race_block *k, size_t i)
{
    k->flights.data[i] = k->flights.data[--k->flights.len];
}

static uint32_t clock_of(const struct race_block *k, uint32_t first, uint32_t thread)
{
    return race_clocks(k, first, thread - first)->at;
}

// The lanes wait for all but so many groups, of copies or of stores.
static void wait_groups(struct race_block *k, const struct object_call *s, uint32_t first)
{
    bool stores = s->how == STORE_WAIT;
    const uint32_t *groups = stores ? k->store_groups : k->groups;
    for (size_t i = k->flights.len; i-- > 0;) {
        struct flight *f = &k->flights.data[i];
        uint32_t lane = f->thread - first;
        if (f->how != (stores ? STORE_BEGIN : COPY_BEGIN) || f->object || lane >= 32 || !(s->lanes >> lane & 1))
            continue;
        uint32_t left = s->number[lane];
        if (left != (uint32_t)CHECK_EVERY && f->group + left >= groups[f->thread])
            continue;
        settle(k, f, clock_of(k, first, f->thread));
        remove_at(k, i);
    }
}

// What the lanes have copied is there for those who see the object's phase end.
static void arrive(struct race_block *k, const struct object_call *s, uint32_t first)
{
    for (size_t i = 0; i < k->flights.len; i++) {
        struct flight *f = &k->flights.data[i];
        uint32_t lane = f->thread - first;
        if (f->how != COPY_BEGIN || f->object || lane >= 32 || !(s->lanes >> lane & 1))
            continue;
        if (!in_shared(s->block, s->address[lane], 8)) {
            settle(k, f, 0);
            f->bytes = 0;
            continue;
        }
        f->object = s->address[lane];
        f->parity = parity_at(f->object);
    }
}

// A clock that the lanes know which have seen a copy's object, and what synchronises with them. The thread that copies does not take over
// what it has published itself.
static uint32_t seen_clock(const struct race_block *k, const struct object_call *s, uint32_t first,
                           const struct flight *f)
{
    uint32_t clock = UINT32_MAX;
    for (uint32_t rest = s->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (s->number[lane] & 1 && s->address[lane] == f->object && first + lane != f->thread) {
            uint32_t known = race_clocks(k, first, lane)->known - 1;
            clock = known < clock ? known : clock;
        }
    }
    if (clock == UINT32_MAX) // it alone
        clock = k->publisher == f->thread ? k->published : clock_of(k, first, f->thread) - 1;
    return clock;
}

// Lanes have asked whether a phase of an object has ended.
static void tested(struct race_block *k, const struct object_call *s, uint32_t first)
{
    for (size_t i = k->flights.len; i-- > 0;) {
        struct flight *f = &k->flights.data[i];
        bool seen = false;
        for (uint32_t rest = f->object ? s->lanes : 0; rest && !seen; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest), n = s->number[lane];
            seen = n & 1 && s->address[lane] == f->object && (n >> 1 & 1) == f->parity;
        }
        if (!seen)
            continue;
        settle(k, f, seen_clock(k, s, first, f));
        remove_at(k, i);
    }
}

void flight_note(struct race_block *k, const struct object_call *s)
{
    uint32_t first = s->first % RACE_THREADS;
    if (s->block->cluster->blocks > 1)
        return;
    switch ((enum check_object)s->how) {
    case COPY_BEGIN:
    case LOAD_BEGIN:
    case STORE_BEGIN:
        k->copy = s->how;
        k->flew = true;
        for (uint32_t rest = s->lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            uint64_t object = s->address[lane];
            k->copy_object[(first + lane) % RACE_LANES] = in_shared(s->block, object, 8) ? object : 0;
        }
        break;
    case COPY_END:
        k->copy = 0;
        break;
    case COPY_COMMIT:
    case STORE_COMMIT:
        k->flew = true;
        for (uint32_t rest = s->lanes; rest; rest &= rest - 1) {
            uint32_t thread = (first + (uint32_t)__builtin_ctz(rest)) % RACE_THREADS;
            (s->how == COPY_COMMIT ? k->groups : k->store_groups)[thread]++;
        }
        break;
    case COPY_WAIT:
    case STORE_WAIT:
        wait_groups(k, s, first);
        break;
    case COPY_ARRIVE:
        arrive(k, s, first);
        break;
    case OBJECT_TESTED:
        tested(k, s, first);
        break;
    case PROXY_FENCE:
        for (uint32_t rest = s->lanes; rest; rest &= rest - 1)
            k->proxy = race_larger(k->proxy, race_clocks(k, first, (uint32_t)__builtin_ctz(rest))->at);
        break;
    default:
        break;
    }
}
