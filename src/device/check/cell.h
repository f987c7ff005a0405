// SPDX-License-Identifier: Apache-2.0
// racecheck: what cells of words hold, seen by a thread that accesses them.
#ifndef HEDDLE_DEVICE_CHECK_CELL_H
#define HEDDLE_DEVICE_CHECK_CELL_H
#include "device/check/race.h"

static const uint32_t thread_bits = (RACE_THREADS - 1) << CELL_THREAD_AT;
static const uint32_t identity = (RACE_THREADS - 1) << CELL_THREAD_AT | 3u << CELL_BLOCK_AT;
static const uint32_t block_bits = ((1u << CELL_BLOCK_BITS) - 1) << CELL_CLOCK_BITS;

// What a thread's clocks say of the cells that it meets.
struct view {
    uint32_t high, low; // the thread's own cell, without site and bytes
    uint32_t known, grid_known, warp;
    bool global;
};

static inline struct view view_of(const struct race_lane *l)
{
    const struct clocks *t = race_clocks(l->k, l->a->first, l->lane);
    uint32_t thread = (l->a->first + l->lane) % RACE_THREADS, block = (uint32_t)l->k->linear;
    struct view v = {.high = t->at, .known = t->known, .warp = t->warp, .global = l->global};
    v.low = thread << CELL_THREAD_AT | (t->warp < CELL_WARP_MOST ? t->warp : CELL_WARP_MOST) << CELL_WARP_AT;
    v.low |= check_site(l->a->what) << CELL_SITE_AT | (l->a->what & CHECK_STRONG ? CELL_STRONG : 0);
    if (l->global) {
        uint32_t at = t->at - l->k->began, known = t->known - l->k->began;
        at = at < CELL_CLOCK_MOST ? at : CELL_CLOCK_MOST;
        v.high = t->grid << CELL_GRID_AT | (block << CELL_CLOCK_BITS & block_bits) | at;
        v.low |= (block >> CELL_BLOCK_BITS & 3) << CELL_BLOCK_AT;
        v.grid_known = t->grid_known;
        v.known = known < CELL_CLOCK_MOST ? known : UINT32_MAX; // clocks have come to their end: all is ordered
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

static inline uint32_t thread_of(uint64_t cell)
{
    return (uint32_t)cell >> CELL_THREAD_AT & (RACE_THREADS - 1);
}

static inline bool same_block(const struct view *v, uint64_t cell)
{
    return !v->global ||
           (!(((uint32_t)(cell >> 32) ^ v->high) & block_bits) && !(((uint32_t)cell ^ v->low) >> CELL_BLOCK_AT));
}

static inline bool same_warp(const struct view *v, uint64_t cell)
{
    return same_block(v, cell) && thread_of(cell) / 32 == thread_of(v->low) / 32;
}

// Whether the older of two reads stays where a third comes: it is another block's, of which nothing is known, and the last is this block's,
// whose threads a barrier may order behind it.
static inline bool stays(const struct view *v, uint64_t other, uint64_t last)
{
    return v->global && other && same_block(v, last) && !same_block(v, other) && !before(v, other, v->low);
}

static inline uint64_t cell_of(const struct view *v, uint32_t bytes)
{
    return (uint64_t)v->high << 32 | v->low | bytes;
}
#endif
