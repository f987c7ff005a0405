// SPDX-License-Identifier: Apache-2.0
// A memory pool, for what pools are (mempool.c) and what streams do with them (stream_alloc.c).
#ifndef HEDDLE_DRIVER_MEMORY_MEMPOOL_H
#define HEDDLE_DRIVER_MEMORY_MEMPOOL_H
#include "driver/driver.h"

struct freed {
    uint64_t ticket; // of the operation that frees it
    uint64_t stream;
    void *base;
    size_t bytes;
};

struct mempool {
    CUmemoryPool handle;
    unsigned number; // from 1
    int device;
    atomic_ullong threshold;
    atomic_llong used, high, held, held_high; // held: in use or kept
    struct VEC(struct memory_kept *) kept;    // the oldest first
    struct VEC(struct freed) freed;           // by streams that have not got there yet
    atomic_int reuse[3];
    int fd; // what stands for it in other processes, plus 1; 0: it is not shared
    bool imported;
    bool gone; // destroyed, and stays for what was allocated from it
};
enum { MEMPOOL_SHARED_LEAST = 4096 }; // bytes of an allocation: less than a page has no mapping of its own

// What this stream has freed, or what a pool keeps; NULL: there is none of this size.
void *mempool_reuse(struct mempool *p, size_t bytes, struct stream *s);
// A free in this stream. False: it was freed before, by a stream that has not got there yet. Ticket 0: the pool keeps none of its
// memory.
bool mempool_note_freed(unsigned number, const struct memory_range *range, struct stream *s, uint64_t *ticket);
// The stream has got there. True: the pool keeps the memory, or an allocation has taken it over.
bool mempool_take_freed(unsigned number, void *base, size_t bytes, uint64_t ticket);
#endif
