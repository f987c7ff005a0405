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
    struct race_grid *next;   // that no launch has
    uint32_t first;   // the clock that the launch's blocks begin with: behind all that cells hold of earlier ones
    atomic_bool once; // it serves no other launch
    atomic_uint pages;
    pthread_mutex_t lock; // of what is below
    struct object objects[OBJECTS];
    uint32_t wide; // released somewhere, where the table has no room for it
};

static struct race_page untracked;
uint64_t grid_zeros[PAGE_WORDS];

// ---- planes of pages. Those of a launch that is over serve the next.
struct pool {
    pthread_mutex_t lock;
    void *first; // free ones, a list
    char *at, *end;
};
static struct pool cell_pool = {.lock = PTHREAD_MUTEX_INITIALIZER}, value_pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct pool *pool_of(enum race_plane plane)
{
    return plane == PLANE_VALUE ? &value_pool : &cell_pool;
}

// Zeroed; NULL: there is no memory.
static void *take_plane(enum race_plane plane)
{
    enum { AT_ONCE = 256 };
    struct pool *from = pool_of(plane);
    size_t size = PAGE_WORDS * (plane == PLANE_VALUE ? sizeof(uint32_t) : sizeof(uint64_t));
    pthread_mutex_lock(&from->lock);
    void *p = from->first;
    bool used = p != NULL;
    if (used) {
        memcpy(&from->first, p, sizeof from->first);
    } else {
        if (from->at == from->end) {
            from->at = calloc(AT_ONCE, size);
            from->end = from->at ? from->at + AT_ONCE * size : NULL;
        }
        p = from->at;
        from->at = p ? from->at + size : NULL;
    }
    pthread_mutex_unlock(&from->lock);
    return used ? memset(p, 0, size) : p;
}

static void give_plane(enum race_plane plane, void *p)
{
    struct pool *to = pool_of(plane);
    pthread_mutex_lock(&to->lock);
    memcpy(p, &to->first, sizeof to->first);
    to->first = p;
    pthread_mutex_unlock(&to->lock);
}

static void give_planes(struct race_page *page)
{
    for (int i = 0; i < PLANES; i++)
        if (atomic_load(&page->plane[i]))
            give_plane(i, atomic_load(&page->plane[i]));
}

void *grid_make_plane(struct race_page *page, enum race_plane plane)
{
    void *none = NULL, *p = take_plane(plane);
    if (p && !atomic_compare_exchange_strong(&page->plane[plane], &none, p)) {
        give_plane(plane, p);
        return none;
    }
    return p;
}

static void free_level(void *_Atomic *table, int levels)
{
    for (int i = 0; i < LEVEL; i++) {
        void *p = atomic_load(&table[i]);
        if (p && levels)
            free_level(p, levels - 1);
        else if (p && p != &untracked)
            give_planes(p);
        if (p && p != &untracked)
            free(p);
    }
}

static void destroy(struct race_grid *g)
{
    free_level(g->top, 2);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

// A launch takes over the pages of one that is over, whose accesses have happened before. Not where clocks were moved or something was
// released, where memory was no device's, and where cells are more than a few MiB, which a program may need elsewhere.
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static struct race_grid *spare;

struct race_grid *grid_create(void)
{
    pthread_mutex_lock(&spare_lock);
    struct race_grid *g = spare;
    if (g)
        spare = g->next;
    pthread_mutex_unlock(&spare_lock);
    if (g) {
        g->first++;
        return g;
    }
    if ((g = calloc(1, sizeof *g))) {
        pthread_mutex_init(&g->lock, NULL);
        g->first = GRID_FIRST;
    }
    return g;
}

void grid_destroy(struct race_grid *g)
{
    enum { LAUNCHES = 64, PAGES = 1024 };
    if (!g)
        return;
    if (atomic_load(&g->once) || g->first >= LAUNCHES || atomic_load(&g->pages) > PAGES) {
        destroy(g);
        return;
    }
    pthread_mutex_lock(&spare_lock);
    g->next = spare;
    spare = g;
    pthread_mutex_unlock(&spare_lock);
}

uint32_t grid_first(const struct race_grid *g)
{
    return g ? g->first : GRID_FIRST;
}

void grid_once(struct race_grid *g)
{
    if (g && !atomic_load_explicit(&g->once, memory_order_relaxed))
        atomic_store_explicit(&g->once, true, memory_order_relaxed);
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
        grid_once(g);
        atomic_compare_exchange_strong(slot, &none, (void *)&untracked);
        return atomic_load(slot);
    }
    if (!(p = calloc(1, sizeof *p)))
        return &untracked;
    p->tracked = true; // before others see it: what they do there is kept
    if (!atomic_compare_exchange_strong(slot, &none, (void *)p)) {
        free(p);
        return none;
    }
    atomic_fetch_add_explicit(&g->pages, 1, memory_order_relaxed);
    return p;
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
        for (int i = 0; i < PLANE_VALUE; i++)
            if (p->tracked && grid_has_plane(p, i))
                memset((uint64_t *)grid_plane(p, i, true) + first, 0, n * sizeof(uint64_t));
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
    grid_once(g);
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
