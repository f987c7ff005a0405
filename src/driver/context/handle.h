// SPDX-License-Identifier: Apache-2.0
// The handles that the API gives out: addresses of slots in one reserved range, so that any bit pattern a program
// passes in can be checked without a lock and without following it. A slot holds the object's address, its kind in the
// low bits.
#ifndef HEDDLE_DRIVER_CONTEXT_HANDLE_H
#define HEDDLE_DRIVER_CONTEXT_HANDLE_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum handle_kind {
    HANDLE_NONE,
    HANDLE_CONTEXT,
    HANDLE_MODULE,
    HANDLE_FUNCTION,
    HANDLE_LIBRARY,
    HANDLE_KERNEL,
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_LINK,
    HANDLE_POOL,
    HANDLE_ARRAY,   // plain or mipmapped
    HANDLE_TEXTURE, // a reference, to a texture or a surface
    HANDLE_GRAPH,   // graphs, nodes, executable graphs, user objects: see graph.h
    HANDLE_MEMORY   // memory that is mapped by the program: see vmm.c
};

struct handle_slot {
    _Atomic(uintptr_t) object; // address | kind; 0: free
    uint32_t next;
};

enum { HANDLE_LIMIT = 1 << 22 };
extern struct handle_slot *handle_base; // set once, before the first handle is given out

// Reserves the range of handles; false: there is no memory for it, and it may be tried again.
bool handles_ready(void);

// The object must be 16-byte aligned (malloc's are). NULL when there are too many.
void *handle_create(enum handle_kind kind, void *object);
// Takes the handle out of use; the object that it stood for, or NULL. Only one caller gets it.
void *handle_take(const void *handle, enum handle_kind kind);

// The object, or NULL when this is no live handle of that kind.
static inline void *handle_get(const void *handle, enum handle_kind kind)
{
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)handle_base;
    if (offset >= HANDLE_LIMIT * sizeof(struct handle_slot) || offset % sizeof(struct handle_slot))
        return NULL;
    uintptr_t v = atomic_load_explicit(&((struct handle_slot *)handle)->object, memory_order_acquire);
    return (v & 15) == (uintptr_t)kind ? (void *)(v & ~(uintptr_t)15) : NULL;
}
#endif
