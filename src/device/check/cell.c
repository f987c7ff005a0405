// SPDX-License-Identifier: Apache-2.0
// racecheck: accesses are compared with those that the cells of their words hold (race.h), and kept there: one lane after the other. row.c
// does the same for many lanes at once. Workers change cells of global memory at the same time, each as a whole.
#include "device/check/cell.h"
#include <string.h>

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
    uint64_t last = __atomic_load_n(&m->write[word], __ATOMIC_RELAXED);
    bool earlier = l->global ? last >> (32 + CELL_GRID_AT) < l->k->grid_began : last >> 32 <= l->k->began;
    if (!last || earlier) {
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

static void keep_read(const struct view *v, const struct cells *m, uint64_t word, uint64_t now)
{
    uint64_t last = __atomic_load_n(&m->read[word], __ATOMIC_RELAXED);
    bool own = same_block(v, last) && thread_of(last) == thread_of(now);
    uint64_t there = __atomic_load_n(&m->other[word], __ATOMIC_RELAXED);
    uint64_t other = last && !own && !stays(v, there, last) ? last : there;
    if (!v->global)
        other &= ~(uint64_t)CELL_TWO; // what it says may hold no longer
    if (other)
        __atomic_store_n(&m->other[word], other, __ATOMIC_RELAXED);
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
    if (read)
        __atomic_store_n(&m->read[word], read & 15 & ~bytes ? read & ~(uint64_t)bytes : 0, __ATOMIC_RELAXED);
    if (other)
        __atomic_store_n(&m->other[word], other & 15 & ~bytes ? other & ~(uint64_t)bytes : 0, __ATOMIC_RELAXED);
}
