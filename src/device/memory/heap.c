// SPDX-License-Identifier: Apache-2.0
// The device-side heap: malloc and free of kernels. Cells come from the process's own heap, counted against the limit that
// cudaLimitMallocHeapSize sets, and live until they are freed.
#include "device/check/report.h"
#include "device/hook/hooks.h"
#include "device/fault/fault.h"
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    _Atomic uint64_t magic;
    uint64_t size : 56, shift : 8; // the process's own cell begins 1 << shift bytes before the memory
};
static const uint64_t LIVE = 0x6865646c68656170ull, DEAD = 0x6865646c64656164ull;

static atomic_size_t limit = 8u << 20, used;
static atomic_bool begun;

bool heap_limit_set(size_t bytes)
{
    if (atomic_load(&begun))
        return bytes == atomic_load(&limit);
    atomic_store(&limit, bytes);
    return true;
}

size_t heap_limit(void)
{
    return atomic_load(&limit);
}

// In a checked process cells are ranges, so that accesses to them are checked as to any other. Small ones begin at multiples
// of RANGE, those of whole pages at a page; for an alignment above that there is no memory.
enum { RANGE = 256, PAGE = 4096 };
static void *cell_checked(uint64_t size, uint64_t alignment)
{
    void *p = alignment <= PAGE ? memory_alloc(MEMORY_HEAP, size, 0, NULL, 0) : NULL;
    if (!p)
        atomic_fetch_sub(&used, size);
    else
        check_allocated(p, size);
    return p;
}

static void free_checked(struct jit_block *b, uint32_t thread, uint64_t address, const void *pc)
{
    void *base = (void *)(uintptr_t)address;
    struct memory_range r;
    bool known = memory_find(base, &r) && r.base == base && r.kind == MEMORY_HEAP;
    if (known && memory_free(base, MEMORY_HEAP)) {
        atomic_fetch_sub(&used, r.size);
        check_freed(base);
        return;
    }
    check_bad_free(b, thread, memory_freed(base, &r) && r.kind == MEMORY_HEAP, pc);
    fault_raise(FAULT_CHECKED, thread, pc);
}

static uint64_t cell_create(uint64_t size, unsigned shift)
{
    atomic_store(&begun, true);
    size_t room = atomic_load(&limit);
    uint64_t alignment = 1ull << shift;
    if (!size || size > room || alignment > room)
        return 0;
    if (check_wanted && alignment > RANGE)
        size = (size + PAGE - 1) / PAGE * PAGE;
    size_t now = atomic_load(&used);
    do { // never above the limit, not even for a moment: another thread would be refused what there is room for
        if (size > room || size > room - now)
            return 0;
    } while (!atomic_compare_exchange_weak(&used, &now, now + size));
    if (__builtin_expect(check_wanted, 0))
        return (uint64_t)(uintptr_t)cell_checked(size, alignment);
    char *own = aligned_alloc(alignment, (alignment + size + alignment - 1) & -alignment);
    if (!own) {
        atomic_fetch_sub(&used, size);
        return 0;
    }
    struct cell *c = (struct cell *)(own + alignment) - 1;
    atomic_init(&c->magic, LIVE);
    c->size = size;
    c->shift = shift;
    return (uint64_t)(uintptr_t)(c + 1);
}

enum { CELL_SHIFT = 4 };
_Static_assert(sizeof(struct cell) == 1 << CELL_SHIFT, "a cell's head lies before memory of the least alignment");

uint64_t hook_malloc(struct jit_block *b, uint32_t thread, uint64_t size)
{
    (void)b;
    fault_checkpoint(thread, __builtin_return_address(0));
    return cell_create(size, CELL_SHIFT);
}

uint64_t hook_aligned_malloc(struct jit_block *b, uint32_t thread, uint64_t size, uint64_t alignment)
{
    (void)b;
    fault_checkpoint(thread, __builtin_return_address(0));
    if (!alignment || alignment & (alignment - 1))
        return 0;
    unsigned shift = (unsigned)__builtin_ctzll(alignment);
    return cell_create(size, shift < CELL_SHIFT ? CELL_SHIFT : shift);
}

void hook_free(struct jit_block *b, uint32_t thread, uint64_t address)
{
    struct cell *c = (struct cell *)(uintptr_t)address - 1;
    uint64_t live = LIVE;
    fault_checkpoint(thread, __builtin_return_address(0));
    if (!address)
        return;
    if (__builtin_expect(check_wanted, 0)) {
        free_checked(b, thread, address, __builtin_return_address(0));
        return;
    }
    // Not from malloc, or freed before; of two threads that free it at once one is told.
    if (address & 15 || !atomic_compare_exchange_strong(&c->magic, &live, DEAD))
        fault_raise_detail(FAULT_ILLEGAL_ADDRESS, "(free of what malloc has not given)", thread,
                           __builtin_return_address(0));
    atomic_fetch_sub(&used, c->size);
    free((char *)(c + 1) - ((size_t)1 << c->shift));
}
