// SPDX-License-Identifier: Apache-2.0
// See quarantine.h. Mappings lose their pages and cannot be touched any more; small cells keep theirs.
#include "device/memory/quarantine.h"
#include <sys/mman.h>

enum { KEPT = 1024 };
static struct quarantined kept[KEPT];
static size_t taken; // ever

bool quarantine_exchange(struct quarantined *q)
{
    struct quarantined *slot = &kept[taken % KEPT], old = *slot;
    if (q->map) {
        madvise(q->map, q->map_size, MADV_DONTNEED);
        mprotect(q->map, q->map_size, PROT_NONE);
    }
    *slot = *q;
    bool full = taken++ >= KEPT;
    if (full) {
        *q = old;
        if (q->map)
            mprotect(q->map, q->map_size, PROT_READ | PROT_WRITE);
    }
    return full;
}

bool quarantine_find(const void *address, struct memory_range *out)
{
    const char *a = address;
    size_t n = taken < KEPT ? taken : KEPT;
    for (size_t i = 0; i < n; i++) { // the last one that was there
        const struct memory_range *r = &kept[(taken - 1 - i) % KEPT].pub;
        if ((size_t)(a - r->base) < r->size) {
            *out = *r;
            return true;
        }
    }
    return false;
}
