// SPDX-License-Identifier: Apache-2.0
// racecheck: accesses are compared with those that the cells of their words hold (race.h), and kept there. Rows of lanes whose words follow
// each other are compared together, as nearly all are ordered, and the compiler makes vectors of it; what is not is looked at lane by lane.
// Workers change cells of global memory at the same time, each as a whole.
#include "device/check/race.h"
#include <string.h>

static const uint32_t thread_bits = (RACE_THREADS - 1) << CELL_THREAD_AT;
static const uint32_t identity = (RACE_THREADS - 1) << CELL_THREAD_AT | 3u << CELL_BLOCK_AT;
static const uint32_t block_bits = ((1u << CELL_BLOCK_BITS) - 1) << CELL_CLOCK_BITS;

// What a thread's clocks say of the cells that it meets.
struct view {
    uint32_t high, low; // the thread's own cell, without site and bytes
    uint32_t known, grid_known, warp;
    bool global;
};

static struct view view_of(const struct race_lane *l)
{
    const struct clocks *t = race_clocks(l->k, l->a->first, l->lane);
    uint32_t thread = (l->a->first + l->lane) % RACE_THREADS, block = (uint32_t)l->k->linear;
    struct view v = {.high = t->at, .known = t->known, .warp = t->warp, .global = l->global};
    v.low = thread << CELL_THREAD_AT | (t->warp < CELL_WARP_MOST ? t->warp : CELL_WARP_MOST) << CELL_WARP_AT;
    v.low |= check_site(l->a->what) << CELL_SITE_AT | (l->a->what & CHECK_STRONG ? CELL_STRONG : 0);
    if (l->global) {
        uint32_t at = t->at < CELL_CLOCK_MOST ? t->at : CELL_CLOCK_MOST;
        v.high = t->grid << CELL_GRID_AT | (block << CELL_CLOCK_BITS & block_bits) | at;
        v.low |= (block >> CELL_BLOCK_BITS & 3) << CELL_BLOCK_AT;
        v.grid_known = t->grid_known;
        v.known = t->known < CELL_CLOCK_MOST ? t->known : UINT32_MAX; // clocks have come to their end: all is ordered
    }
    bool writes = check_kind(l->a->what) != CHECK_READ, store = l->k->copy == STORE_BEGIN;
    if (l->k->copy && !l->global && writes != store)
        v.high = CELL_IN_FLIGHT;
    if (l->k->copy > COPY_BEGIN && !l->global && writes)
        v.low |= CELL_PROXY;
    return v;
}

// Whether what the cell holds has happened before, as far as clocks of the block and of the grid tell; nothing has.
static inline bool before(const struct view *v, uint64_t cell, uint32_t thread)
{
    uint32_t high = (uint32_t)(cell >> 32), low = (uint32_t)cell;
    if (!v->global)
        return (high < v->known) | (!((low ^ thread) & thread_bits) & (high != CELL_IN_FLIGHT));
    bool own = !((low ^ thread) & identity);
    bool block = !((high ^ v->high) & block_bits);
    return (high >> CELL_GRID_AT < v->grid_known) | (block & (((high & CELL_CLOCK_MOST) < v->known) | own));
}

static uint32_t thread_of(uint64_t cell)
{
    return (uint32_t)cell >> CELL_THREAD_AT & (RACE_THREADS - 1);
}

static bool same_block(const struct view *v, uint64_t cell)
{
    return !v->global ||
           (!(((uint32_t)(cell >> 32) ^ v->high) & block_bits) && !(((uint32_t)cell ^ v->low) >> CELL_BLOCK_AT));
}

static bool same_warp(const struct view *v, uint64_t cell)
{
    return same_block(v, cell) && thread_of(cell) / 32 == thread_of(v->low) / 32;
}

static bool is_in_flight(const struct view *v, uint64_t cell)
{
    return !v->global && cell >> 32 == CELL_IN_FLIGHT;
}

static bool conflicts(const struct view *v, uint64_t cell, uint32_t bytes)
{
    uint32_t low = (uint32_t)cell;
    if (!(low & bytes) || (low & v->low & CELL_STRONG) || before(v, cell, v->low))
        return false;
    if (is_in_flight(v, cell)) // one thread's copies may come in any order, but mostly write the same
        return !(v->high == CELL_IN_FLIGHT && thread_of(cell) == thread_of(v->low));
    return !same_warp(v, cell) || ((low >> CELL_WARP_AT & CELL_WARP_MOST) >= v->warp && v->warp < CELL_WARP_MOST);
}

// The bits that an access stores into its word, where they are known; those of its bytes.
static bool stored_bits(const struct race_lane *l, uint32_t *bits)
{
    const struct race_access *a = l->a;
    uint64_t start = l->global ? a->address[l->lane] : a->address[l->lane] - (uint64_t)(uintptr_t)a->block->shared;
    if (check_kind(a->what) != CHECK_WRITE || !a->value || check_size(a->what) > 8)
        return false;
    *bits = (uint32_t)(a->value[l->lane] >> (l->from - start) * 8) << l->from % RACE_WORD * 8;
    return true;
}

static uint32_t bits_of(uint32_t bytes)
{
    return (bytes & 1 ? 0xff : 0) | (bytes & 2 ? 0xff00 : 0) | (bytes & 4 ? 0xff0000 : 0) |
           (bytes & 8 ? 0xff000000 : 0);
}

// A store of what the last one has stored, or, where there was none, of what is there. Memory itself may not have seen the last one yet.
__attribute__((no_sanitize("thread"))) static bool is_same_value(const struct race_lane *l, const struct cells *m,
                                                                 uint64_t word, uint32_t bytes)
{
    uint32_t bits, there = m->value[word];
    if (check_kind(l->a->what) != CHECK_WRITE)
        return false;
    if (!stored_bits(l, &bits))
        return true; // it is not known
    if (!__atomic_load_n(&m->write[word], __ATOMIC_RELAXED)) {
        uint64_t at = l->a->address[l->lane] & ~(uint64_t)(RACE_WORD - 1);
        memcpy(&there, (const void *)(uintptr_t)at, sizeof there);
    }
    return !((bits ^ there) & bits_of(bytes));
}

__attribute__((no_sanitize("thread"))) static void keep_value(const struct race_lane *l, const struct cells *m,
                                                              uint64_t word, uint32_t bytes)
{
    uint32_t bits;
    if (stored_bits(l, &bits))
        m->value[word] = (m->value[word] & ~bits_of(bytes)) | (bits & bits_of(bytes));
}

static void note(const struct race_lane *l, const struct view *v, enum race_kind kind, uint64_t cell)
{
    uint64_t block = l->k->linear, bits = CELL_BLOCK_BITS + 2;
    struct race_hazard h = {
        .kind = kind,
        .global = l->global,
        .in_warp = same_warp(v, cell) && !is_in_flight(v, cell) && v->high != CELL_IN_FLIGHT,
        .address = l->from & ~(uint64_t)(RACE_WORD - 1),
        .thread = {thread_of(cell), thread_of(v->low)},
        .block = {block, block},
        .site = {(uint16_t)((uint32_t)cell >> CELL_SITE_AT & (CHECK_SITES - 1)), (uint16_t)check_site(l->a->what)}};
    if (l->global && !same_block(v, cell)) {
        uint64_t low = (cell >> (32 + CELL_CLOCK_BITS) & ((1u << CELL_BLOCK_BITS) - 1)) |
                       ((uint32_t)cell >> CELL_BLOCK_AT) << CELL_BLOCK_BITS;
        h.block[0] = (block >> bits << bits) | low; // of these, the one that is near
    }
    race_note(l->c, l->a->block, &h);
}

static uint64_t cell_of(const struct view *v, uint32_t bytes)
{
    return (uint64_t)v->high << 32 | v->low | bytes;
}

static void keep_read(const struct view *v, const struct cells *m, uint64_t word, uint64_t now)
{
    uint64_t last = __atomic_load_n(&m->read[word], __ATOMIC_RELAXED);
    bool own = same_block(v, last) && thread_of(last) == thread_of(now);
    if (last && !own)
        __atomic_store_n(&m->other[word], last, __ATOMIC_RELAXED);
    __atomic_store_n(&m->read[word], now, __ATOMIC_RELAXED);
}

// Two threads of different warps have read it in this interval: whoever writes in it meets one of them.
static bool is_saturated(const struct view *v, const struct cells *m, uint64_t word, uint64_t now)
{
    uint64_t a = __atomic_load_n(&m->read[word], __ATOMIC_RELAXED),
             b = __atomic_load_n(&m->other[word], __ATOMIC_RELAXED);
    bool here = !((a ^ now) >> 32) && !((b ^ now) >> 32) && same_block(v, a) && same_block(v, b);
    return here && thread_of(a) / 32 != thread_of(b) / 32 && (a & b & now & 15) == (now & 15) &&
           !((a | b) & CELL_STRONG) && v->high != CELL_IN_FLIGHT;
}

void cell_access(const struct race_lane *l, const struct cells *m, uint64_t word, uint32_t bytes)
{
    struct view v = view_of(l);
    uint64_t now = cell_of(&v, bytes), last = __atomic_load_n(&m->write[word], __ATOMIC_RELAXED);
    bool writes = check_kind(l->a->what) != CHECK_READ;
    if (!writes && !(l->a->what & CHECK_STRONG) && is_saturated(&v, m, word, now))
        return;
    if (conflicts(&v, last, bytes) && !(writes && is_same_value(l, m, word, bytes)))
        note(l, &v, writes ? RACE_WAW : RACE_RAW, last);
    else if (l->k->copy == STORE_BEGIN && !writes && !l->global && last && !((uint32_t)last & CELL_PROXY) &&
             last >> 32 > l->k->proxy)
        note(l, &v, RACE_RAW, last); // the copy goes another way to memory than the store
    if (!writes) {
        keep_read(&v, m, word, now);
        return;
    }
    uint64_t read = __atomic_load_n(&m->read[word], __ATOMIC_RELAXED),
             other = __atomic_load_n(&m->other[word], __ATOMIC_RELAXED);
    bool same = l->global && is_same_value(l, m, word, bytes);
    if (conflicts(&v, read, bytes) && !same)
        note(l, &v, RACE_WAR, read);
    else if (conflicts(&v, other, bytes) && !same)
        note(l, &v, RACE_WAR, other);
    keep_value(l, m, word, bytes);
    __atomic_store_n(&m->write[word], now, __ATOMIC_RELAXED);
    __atomic_store_n(&m->read[word], read & 15 & ~bytes ? read & ~(uint64_t)bytes : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&m->other[word], other & 15 & ~bytes ? other & ~(uint64_t)bytes : 0, __ATOMIC_RELAXED);
}

// ---- rows of lanes
// As before(), for the cells of n lanes, in numbers that compare with their signs.
RACE_WIDE static bool all_before_shared(const struct view *v, const int64_t *cell, uint32_t n)
{
    int64_t known = (int64_t)v->known << 32, flight = (int64_t)CELL_IN_FLIGHT << 32, thread = v->low & thread_bits;
    int64_t bad = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t own = -(int64_t)((cell[i] & thread_bits) == thread + ((int64_t)i << CELL_THREAD_AT));
        bad |= -(int64_t)(cell[i] >= known) & (~own | -(int64_t)(cell[i] >= flight));
    }
    return !bad;
}

RACE_WIDE static bool all_before_global(const struct view *v, const uint64_t *cell, uint32_t n)
{
    uint32_t bad = 0, mine = v->low & identity;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t high = (uint32_t)(cell[i] >> 32), low = (uint32_t)cell[i];
        uint32_t own = (low & identity) == mine + (i << CELL_THREAD_AT), block = !((high ^ v->high) & block_bits);
        uint32_t ordered = (high & CELL_CLOCK_MOST) < v->known;
        bad |= !((high >> CELL_GRID_AT < v->grid_known) | (block & (ordered | own)));
    }
    return !bad;
}

static bool all_before(const struct view *v, const uint64_t *cell, uint32_t n)
{
    return v->global ? all_before_global(v, cell, n) : all_before_shared(v, (const int64_t *)cell, n);
}

RACE_WIDE static void keep_reads(const struct view *v, const struct cells *m, uint64_t word, uint32_t n)
{
    uint64_t *restrict read = m->read + word, *restrict other = m->other + word, now = cell_of(v, 15);
    uint64_t who = (v->global ? identity : thread_bits) | (v->global ? (uint64_t)block_bits << 32 : 0);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t last = read[i], mine = now + ((uint64_t)i << CELL_THREAD_AT), there = other[i];
        other[i] = ((last != 0) & (((last ^ mine) & who) != 0)) ? last : there;
        read[i] = mine;
    }
}

RACE_WIDE static void keep_writes(const struct view *v, const struct cells *m, uint64_t word, uint32_t n)
{
    uint64_t now = cell_of(v, 15);
    for (uint32_t i = 0; i < n; i++)
        m->write[word + i] = now + ((uint64_t)i << CELL_THREAD_AT);
    memset(m->read + word, 0, n * sizeof *m->read);
    memset(m->other + word, 0, n * sizeof *m->other);
}

// Two warps have read all of shared memory's words in this interval.
RACE_WIDE static bool all_saturated(const struct view *v, const struct cells *m, uint64_t word, uint32_t n)
{
    uint64_t now = (uint64_t)v->high << 32 | 15, clock = (uint64_t)UINT32_MAX << 32 | CELL_STRONG | 15, bad = 0;
    const uint64_t warps = (RACE_THREADS - 1) / 32 * 32 << CELL_THREAD_AT;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t a = m->read[word + i], b = m->other[word + i];
        bad |= ((a ^ now) & clock) | ((b ^ now) & clock) | (((a ^ b) & warps) == 0);
    }
    return !bad;
}

// The same word, read by n lanes: the first and the last stand for all.
static bool read_one(const struct race_lane *l, const struct view *v, const struct cells *m, uint64_t word, uint32_t n)
{
    uint64_t now = cell_of(v, 15), last = __atomic_load_n(&m->read[word], __ATOMIC_RELAXED),
             write = __atomic_load_n(&m->write[word], __ATOMIC_RELAXED);
    bool other = last >> 32 == v->high && !same_warp(v, last); // another warp, in this interval
    if (!before(v, write, v->low) || (uint32_t)write & CELL_STRONG || l->k->copy)
        return false;
    __atomic_store_n(&m->other[word], other ? last : now, __ATOMIC_RELAXED);
    __atomic_store_n(&m->read[word], now + ((uint64_t)(n - 1) << CELL_THREAD_AT), __ATOMIC_RELAXED);
    return true;
}

__attribute__((no_sanitize("thread"))) bool cell_run(const struct race_lane *l, const struct cells *m, uint64_t word,
                                                     uint32_t n, bool uniform)
{
    struct view v = view_of(l);
    bool writes = check_kind(l->a->what) != CHECK_READ;
    if (!writes && !l->global && all_saturated(&v, m, word, uniform ? 1 : n))
        return true;
    if (uniform)
        return read_one(l, &v, m, word, n);
    if (!all_before(&v, m->write + word, n) ||
        (writes && !(all_before(&v, m->read + word, n) && all_before(&v, m->other + word, n))))
        return false;
    if (writes)
        keep_writes(&v, m, word, n);
    for (uint32_t i = 0; writes && i < n; i++)
        m->value[word + i] = l->a->value ? (uint32_t)l->a->value[l->lane + i] : 0;
    if (!writes)
        keep_reads(&v, m, word, n);
    return true;
}
