// SPDX-License-Identifier: Apache-2.0
// racecheck: memory that nobody writes in a launch, where no read has to be kept. The code knows whether all its stores go through pointers among the
// kernel's arguments, or to variables of the module (struct jit_stores): what allocations these lead into is known when the launch begins. A
// read of any other allocation races with nothing. Which it is, the code is told by the note of the site (struct jit_site), and calls no more.
#include "device/check/race.h"
#include <string.h>

void stores_begin(struct check_launch *c)
{
    const struct jit_stores *s = &c->code->variant.stores;
    c->stored = 0;
    c->stores_known = !s->others && !c->touch; // else reads are compared with what other operations write
    for (uint32_t i = 0; i < s->n && c->stores_known; i++) {
        uint64_t pointer = 0;
        if (s->offset[i] + sizeof pointer > c->args_size)
            c->stores_known = false;
        else
            memcpy(&pointer, c->args + s->offset[i], sizeof pointer);
        // A pointer that leads nowhere may come to an allocation by what is added to it; a null pointer is not stored through.
        if (pointer && !memory_find((void *)(uintptr_t)pointer, &c->store[c->stored++]))
            c->stores_known = false;
    }
}

// Memory that only one of the launch's pointers leads to.
static bool is_plain(const struct check_launch *c, const struct memory_range *r)
{
    bool kind = r->kind == MEMORY_DEVICE || r->kind == MEMORY_HOST || r->kind == MEMORY_MANAGED;
    return kind && !r->adopted && !(r->kind == MEMORY_MANAGED && c->code->variant.stores.variables);
}

bool stores_skip(struct check_launch *c, const struct race_access *a, uint64_t address)
{
    struct memory_range r;
    struct jit_site *site = &a->block->sites[check_site(a->what)];
    if (!c->stores_known || a->what & CHECK_ALL || !site->end)
        return false;
    if (memory_find((void *)(uintptr_t)address, &r) && is_plain(c, &r)) {
        bool written = false;
        for (uint32_t i = 0; i < c->stored; i++)
            written |= c->store[i].base == r.base || c->store[i].adopted;
        if (!written) {
            *site = (struct jit_site){(uint64_t)(uintptr_t)r.base, (uint64_t)(uintptr_t)r.base + r.size};
            return check_size(a->what) <= site->end - address;
        }
    }
    if (site->first == UINT64_MAX)
        site->end = 0; // it is not asked again
    return false;
}
