// SPDX-License-Identifier: Apache-2.0
// Device memory that was freed is kept for reuse (src/device/memory/spare.c): a stale pointer faults, the figures are those of memory that
// is given back, the pages are there when the size comes again, and no more is kept than the limit.
#include "device/device.h"
#include "test.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MIB = 1 << 20, MANY = 100, KEPT_MOST = 128 };
static sigjmp_buf back;

static void on_fault(int unused)
{
    (void)unused;
    siglongjmp(back, 1);
}

static bool faults(volatile char *p)
{
    if (sigsetjmp(back, 1))
        return true;
    *p = 1;
    return false;
}

// Pages of the range that are in memory.
static long resident(char *p, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = size / page;
    unsigned char *in = malloc(n);
    long count = mincore((void *)((uintptr_t)p & ~(page - 1)), size, in) ? -1 : 0;
    for (size_t i = 0; count >= 0 && i < n; i++)
        count += in[i] & 1;
    free(in);
    return count;
}

// Whether something is mapped there, if only so that it faults. (An emulator's mincore denies that of such pages.)
static bool mapped(char *p)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return !msync((void *)((uintptr_t)p & ~(page - 1)), page, MS_ASYNC);
}

static size_t used(void)
{
    size_t unused, total;
    memory_usage(0, &unused, &total);
    return total - unused;
}

static void reused(void)
{
    size_t before = used(), page = (size_t)sysconf(_SC_PAGESIZE), size = 2 * MIB;
    struct memory_range r;
    char *p = memory_alloc(MEMORY_DEVICE, size, 0, NULL, 0);
    CHECK(p && used() == before + size && !faults(p));
    memset(p, 3, size);
    CHECK(memory_free(p, MEMORY_DEVICE));
    CHECK(used() == before && !memory_find(p, &r) && !memory_free(p, MEMORY_DEVICE));
    CHECK(faults(p) && faults(p + size - 1) && faults(p + size));
    char *other = memory_alloc(MEMORY_DEVICE, size + MIB, 0, NULL, 0); // of another size
    CHECK(other && other != p && !other[0] && !other[size + MIB - 1]);
    char *zeroed = memory_alloc(MEMORY_MANAGED, size, 0, NULL, 0); // must be zeroes
    CHECK(zeroed && zeroed != p && !zeroed[0] && !zeroed[size - 1]);
    char *q = memory_alloc(MEMORY_DEVICE, size - 5, 0, NULL, 0); // rounded, the same
    CHECK(q == p && resident(q, size) == (long)(size / page));
    CHECK(memory_find(q + size - 6, &r) && r.base == q && r.size == size - 5);
    CHECK(!faults(q) && !faults(q + size - 6) && faults(q + size));
    CHECK(memory_free(q, MEMORY_DEVICE) && memory_free(other, MEMORY_DEVICE) && memory_free(zeroed, MEMORY_MANAGED));
    CHECK(used() == before);
}

static void bounded(void)
{
    char *p[MANY];
    size_t kept = 0;
    for (int i = 0; i < MANY; i++) {
        p[i] = memory_alloc(MEMORY_DEVICE, 4 * MIB, 0, &p, 0);
        CHECK(p[i] && !faults(p[i]));
    }
    for (int i = 0; i < MANY; i++)
        CHECK(memory_free(p[i], MEMORY_DEVICE));
    for (int i = 0; i < MANY; i++) {
        CHECK(faults(p[i]));
        kept += mapped(p[i]) ? 4 : 0;
    }
    CHECK(kept > 0 && kept <= KEPT_MOST);
    memory_free_owner(&p); // a context that goes keeps nothing
    CHECK(!mapped(p[MANY - 1]));
    char *large = memory_alloc(MEMORY_DEVICE, 64 * MIB, 0, NULL, 0);
    CHECK(large && memory_free(large, MEMORY_DEVICE) && !mapped(large));
}

int main(void)
{
    struct sigaction a = {.sa_handler = on_fault};
    sigaction(SIGSEGV, &a, NULL);
    reused();
    bounded();
    return test_summary();
}
