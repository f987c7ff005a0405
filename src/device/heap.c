// The device-side heap: malloc and free of kernels. Cells come from the process's own heap, counted against the limit that
// cudaLimitMallocHeapSize sets, and live until they are freed.
#include "device/device.h"
#include "device/hooks.h"
#include "device/fault.h"
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    uint64_t magic;
    uint64_t size;
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

uint64_t hook_malloc(struct jit_block *b, uint32_t thread, uint64_t size)
{
    (void)b, (void)thread;
    atomic_store(&begun, true);
    size_t room = atomic_load(&limit);
    if (!size || size > room)
        return 0;
    if (atomic_fetch_add(&used, size) + size > room) {
        atomic_fetch_sub(&used, size);
        return 0;
    }
    struct cell *c = aligned_alloc(16, (sizeof *c + size + 15) & ~15ull);
    if (!c) {
        atomic_fetch_sub(&used, size);
        return 0;
    }
    c->magic = LIVE;
    c->size = size;
    return (uint64_t)(uintptr_t)(c + 1);
}

void hook_free(struct jit_block *b, uint32_t thread, uint64_t address)
{
    struct cell *c = (struct cell *)(uintptr_t)address - 1;
    (void)b, (void)thread;
    if (!address)
        return;
    if (address & 15 || c->magic != LIVE) // not from malloc, or freed before
        fault_raise(FAULT_ILLEGAL_ADDRESS);
    c->magic = DEAD;
    atomic_fetch_sub(&used, c->size);
    free(c);
}
