// SPDX-License-Identifier: Apache-2.0
// See spare.h. A program that allocates and frees in a loop pays for each page the first time it touches it: the system's fault, and a page
// of zeroes. Measured: 2 MiB cost 1,240 microseconds to map, touch and unmap on a virtual machine, and 88 to be locked and unlocked.
//
// Nothing can tell the difference but by time and by what new memory holds, which CUDA leaves open:
//  1. A kept mapping is inaccessible as one that was unmapped is: a stale pointer faults, in kernels and in the program.
//  2. No range of memory.c lies in it: pointer queries and copies do not know it, and it is not counted as used, so that the figures of
//     cuMemGetInfo are those without it.
//  3. It is handed out whole, under the same guard page and rounding as a new one, since these follow from the size.
//  4. The bytes kept are few: the oldest go first, and all of them go where the system has no memory left, and with a context.
// Only what cuMemAlloc and its kin give is kept: variables of modules and managed memory begin as zeroes.
#include "device/memory/spare.h"
#include <sys/mman.h>
#include <unistd.h>

enum { COUNT = 64, RANGE_BYTES = 32 << 20, ALL_BYTES = 128 << 20, PART_OF_MEMORY = 16 };

static struct {
    struct {
        char *map;
        size_t size;
    } at[COUNT]; // the oldest first
    unsigned n;
    size_t bytes;
} spares;

static void remove_at(unsigned i)
{
    spares.bytes -= spares.at[i].size;
    spares.n--;
    for (; i < spares.n; i++)
        spares.at[i] = spares.at[i + 1];
}

static void unmap_first(void)
{
    munmap(spares.at[0].map, spares.at[0].size);
    remove_at(0);
}

static size_t most(void)
{
    static size_t bytes;
    if (!bytes) {
        size_t part = (size_t)sysconf(_SC_PHYS_PAGES) / PART_OF_MEMORY * (size_t)sysconf(_SC_PAGESIZE);
        bytes = part < ALL_BYTES ? part : ALL_BYTES;
    }
    return bytes;
}

bool spare_give(char *map, size_t size)
{
    if (size > RANGE_BYTES || size > most() || mprotect(map, size, PROT_NONE))
        return false;
    while (spares.n == COUNT || spares.bytes + size > most())
        unmap_first();
    spares.at[spares.n].map = map;
    spares.at[spares.n++].size = size;
    spares.bytes += size;
    return true;
}

char *spare_take(size_t size)
{
    for (unsigned i = spares.n; i-- > 0;) // the last one is in the caches still
        if (spares.at[i].size == size) {
            char *map = spares.at[i].map;
            remove_at(i);
            if (!mprotect(map, size - (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE))
                return map;
            munmap(map, size);
            return NULL;
        }
    return NULL;
}

void spare_drop(void)
{
    while (spares.n)
        unmap_first();
}
