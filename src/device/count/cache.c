// SPDX-License-Identifier: Apache-2.0
// A model of caches that needs no order of time: each block has a first cache of its own, empty when it begins and large enough, which keeps
// sectors that the block has loaded; the grid has a second one, in the same way, for what misses the first, stores and atomics. So a hit is a
// sector that was there before, in the block or in the grid, whatever ran when. Sets of sectors are masks by page.
#include "base/xmalloc.h"
#include "device/count/count.h"
#include <stdlib.h>
#include <string.h>

enum { PAGE_SHIFT = 12, SECTOR_SHIFT = 5 /* COUNT_SECTOR */, WORD_BITS = 64, FIRST_ROOM = 64 };

static struct count_page *find(struct count_pages *s, uint64_t page)
{
    size_t i = (page * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & (s->room - 1);
    while (s->page[i].used && s->page[i].number != page)
        i = (i + 1) & (s->room - 1);
    return &s->page[i];
}

static void grow(struct count_pages *s)
{
    struct count_pages more = {.room = s->room ? s->room * 2 : FIRST_ROOM, .len = s->len};
    more.page = xcalloc(more.room, sizeof *more.page);
    for (size_t i = 0; i < s->room; i++)
        if (s->page[i].used)
            *find(&more, s->page[i].number) = s->page[i];
    free(s->page);
    *s = more;
}

static struct count_page *page_of(struct count_pages *s, uint64_t number)
{
    if (s->last && s->last->number == number)
        return s->last;
    if (s->len * 2 >= s->room) {
        grow(s);
        s->last = NULL;
    }
    struct count_page *p = find(s, number);
    if (!p->used) {
        p->used = true;
        p->number = number;
        s->len++;
    }
    return s->last = p;
}

// Whether the sector was there; it is now.
static bool add(struct count_pages *s, uint64_t sector)
{
    unsigned bit = (unsigned)(sector & ((1u << (PAGE_SHIFT - SECTOR_SHIFT)) - 1));
    uint64_t *word = &page_of(s, sector >> (PAGE_SHIFT - SECTOR_SHIFT))->sectors[bit / WORD_BITS];
    uint64_t mask = UINT64_C(1) << bit % WORD_BITS;
    bool there = *word & mask;
    *word |= mask;
    return there;
}

static void clear(struct count_pages *s)
{
    if (s->len)
        memset(s->page, 0, s->room * sizeof *s->page);
    s->len = 0;
    s->last = NULL;
}

void count_pages_free(struct count_pages *s)
{
    free(s->page);
    *s = (struct count_pages){0};
}

void count_cached(struct count_blocks *s, const uint64_t *sectors, unsigned n, bool load)
{
    struct count_caches *c = &s->tally->caches;
    const uint32_t *at = s->block->ctaid;
    if (load && memcmp(at, s->cached_block, sizeof s->cached_block)) {
        clear(&s->cached);
        memcpy(s->cached_block, at, sizeof s->cached_block);
    }
    for (unsigned i = 0; i < n; i++) {
        bool hit = load && add(&s->cached, sectors[i]);
        c->l1_sectors += load;
        c->l1_hits += hit;
        c->l2_sectors += !hit;
        if (!hit)
            add(&c->reached, sectors[i]);
    }
}

unsigned count_copied(struct count_blocks *s, uint64_t address, uint64_t bytes)
{
    struct count_caches *c = &s->tally->caches;
    unsigned n = 0;
    for (uint64_t at = address / COUNT_SECTOR; bytes && at <= (address + bytes - 1) / COUNT_SECTOR; at++) {
        if (add(&s->copied, at))
            continue;
        n++;
        c->l2_sectors++;
        add(&c->reached, at);
    }
    return n;
}

void count_copied_all(struct count_blocks *s)
{
    clear(&s->copied);
}

void count_caches_add(struct count_caches *c, const struct count_caches *more)
{
    c->l1_sectors += more->l1_sectors;
    c->l1_hits += more->l1_hits;
    c->l2_sectors += more->l2_sectors;
    for (size_t i = 0; i < more->reached.room; i++) {
        const struct count_page *from = &more->reached.page[i];
        if (!from->used)
            continue;
        struct count_page *to = page_of(&c->reached, from->number);
        for (unsigned k = 0; k < COUNT_PAGE_WORDS; k++)
            to->sectors[k] |= from->sectors[k];
    }
}

uint64_t count_caches_reached(const struct count_caches *c)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->reached.room; i++)
        for (unsigned k = 0; k < COUNT_PAGE_WORDS; k++)
            n += (unsigned)__builtin_popcountll(c->reached.page[i].sectors[k]);
    return n;
}
