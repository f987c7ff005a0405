// SPDX-License-Identifier: Apache-2.0
// racecheck: what the blocks of a grid share. Cells of global memory, by pages that are made when they are first touched; and what was
// released at which address. Several workers use both at once, without locks: a cell is one word, which is read and written as a whole.
#include "device/check/race.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL_BITS = 12, LEVEL = 1 << LEVEL_BITS, OBJECTS = 1 << 12, PROBES = 16 };

// An address where something is released: the highest clock, the block that it is of, and the highest clock of others.
struct object {
    uint64_t address;
    uint64_t first_block;
    uint32_t first, others;
};

struct race_grid {
    void *_Atomic top[LEVEL]; // of tables of tables of pages
    pthread_mutex_t lock;     // of what is below
    struct object objects[OBJECTS];
    uint32_t wide; // released somewhere, where the table has no room for it
};

static struct race_page untracked;

struct race_grid *grid_create(void)
{
    struct race_grid *g = calloc(1, sizeof *g);
    if (g)
        pthread_mutex_init(&g->lock, NULL);
    return g;
}

static void free_level(void *_Atomic *table, int levels)
{
    for (int i = 0; i < LEVEL; i++) {
        void *p = atomic_load(&table[i]);
        if (p && levels)
            free_level(p, levels - 1);
        if (p && p != &untracked)
            free(p);
    }
}

void grid_destroy(struct race_grid *g)
{
    if (!g)
        return;
    free_level(g->top, 2);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

static void *entry(void *_Atomic *slot, size_t size)
{
    void *p = atomic_load_explicit(slot, memory_order_acquire), *none = NULL;
    if (p)
        return p;
    p = calloc(1, size);
    if (p && !atomic_compare_exchange_strong(slot, &none, p)) {
        free(p);
        p = none;
    }
    return p;
}

static void *_Atomic *slot_of(struct race_grid *g, uint64_t number)
{
    void *_Atomic *at = g->top;
    for (int shift = 2 * LEVEL_BITS; shift && at; shift -= LEVEL_BITS)
        at = entry(&at[number >> shift & (LEVEL - 1)], LEVEL * sizeof *at);
    return at ? &at[number & (LEVEL - 1)] : NULL;
}

static struct race_page *make_page(struct race_grid *g, uint64_t address, bool known)
{
    struct memory_range r;
    void *_Atomic *slot = slot_of(g, address >> PAGE_SHIFT), *none = NULL;
    struct race_page *p = slot ? atomic_load_explicit(slot, memory_order_acquire) : NULL;
    if (!slot || p)
        return p ? p : &untracked;
    if (!known && !memory_find((void *)(uintptr_t)address, &r)) {
        atomic_compare_exchange_strong(slot, &none, (void *)&untracked);
        return atomic_load(slot);
    }
    p = entry(slot, sizeof *p);
    if (p && p != &untracked)
        p->tracked = true;
    return p ? p : &untracked;
}

struct race_page *grid_page(struct race_block *k, uint64_t address)
{
    uint64_t number = address >> PAGE_SHIFT;
    struct page_ref *ref = &k->pages[number % PAGE_CACHE];
    if (ref->number == number + 1)
        return ref->page;
    if (!k->grid || number >> (3 * LEVEL_BITS))
        return &untracked;
    *ref = (struct page_ref){number + 1, make_page(k->grid, address, false)};
    return ref->page;
}

void grid_forget(struct race_block *k, uint64_t address, uint64_t bytes)
{
    for (uint64_t at = address & ~(uint64_t)(RACE_WORD - 1); k->grid && at < address + bytes;) {
        struct race_page *p = make_page(k->grid, at, true);
        uint64_t first = at / RACE_WORD % PAGE_WORDS, end = address + bytes, n = (end - at + RACE_WORD - 1) / RACE_WORD;
        n = n < PAGE_WORDS - first ? n : PAGE_WORDS - first;
        if (p->tracked) {
            memset(p->write + first, 0, n * sizeof *p->write);
            memset(p->read + first, 0, n * sizeof *p->read);
            memset(p->other + first, 0, n * sizeof *p->other);
        }
        at += n * RACE_WORD;
    }
}

// ---- what is released
// The object of an address; NULL: there is none, or no room for one.
static struct object *object_of(struct race_grid *g, uint64_t address, bool make)
{
    uint64_t h = (address >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    for (unsigned i = 0; i < PROBES; i++) {
        struct object *o = &g->objects[(h + i) % OBJECTS];
        uint64_t there = __atomic_load_n(&o->address, __ATOMIC_ACQUIRE);
        if (!there && make)
            __atomic_store_n(&o->address, there = address, __ATOMIC_RELEASE);
        if (there == address || !there)
            return there ? o : NULL;
    }
    return NULL;
}

void grid_publish(struct race_grid *g, uint64_t address, uint64_t block, uint32_t clock)
{
    if (!g)
        return;
    clock = clock > GRID_LAST ? GRID_LAST + 1 : clock;
    pthread_mutex_lock(&g->lock);
    struct object *o = object_of(g, address, true);
    if (!o) {
        g->wide = race_larger(g->wide, clock);
    } else if (!o->first || o->first_block == block) {
        o->first_block = block;
        o->first = race_larger(o->first, clock);
    } else if (clock > o->first) {
        o->others = o->first;
        o->first_block = block;
        o->first = clock;
    } else {
        o->others = race_larger(o->others, clock);
    }
    pthread_mutex_unlock(&g->lock);
    atomic_thread_fence(memory_order_seq_cst); // before the store that releases
}

uint32_t grid_published(struct race_grid *g, uint64_t address, uint64_t block)
{
    uint32_t clock;
    if (!g)
        return GRID_LAST + 1;
    atomic_thread_fence(memory_order_seq_cst); // after the load that acquires
    const struct object *o = object_of(g, address, false);
    if (!o)
        return __atomic_load_n(&g->wide, __ATOMIC_RELAXED);
    pthread_mutex_lock(&g->lock);
    clock = o->first_block == block ? o->others : o->first;
    clock = race_larger(clock, g->wide);
    pthread_mutex_unlock(&g->lock);
    return clock;
}
