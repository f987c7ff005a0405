// SPDX-License-Identifier: Apache-2.0
// What is left when memory runs out. Each library holds address space back; where an allocation of its bookkeeping fails, the space is
// given up and the allocation tried again, so that the call under way comes to its end. Interfaces refuse further calls while
// the space cannot be had back.
//
// So a call may take less than the reserve for its bookkeeping. Tables that double grow with it: the reserve is always some times
// the largest block that bookkeeping has taken. A call whose bookkeeping grows with its input, such as a graph that it
// copies or a text that it parses, asks for more before it begins (reserve_begin). A computation whose need is not known, which is
// LLVM's, escapes as a whole.
#ifndef HEDDLE_BASE_RESERVE_H
#define HEDDLE_BASE_RESERVE_H
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

// Is the reserve there, or can it be had back? Cheap while nothing is wrong.
bool reserve_ready(void);
// Gives up what this thread asked for, then the reserve of all. False: this thread knows that both were given up before; what another
// thread has given up since is worth another try.
bool reserve_release(void);
// A block of bookkeeping of this size was taken.
void reserve_note(size_t size);

// Memory for work that was accepted and cannot be refused any more, such as a block of a grid that runs: where the system has none, the
// reserve is given up for it. NULL: that was not enough either, or so much was never held back. Freed by free and munmap.
void *reserve_alloc(size_t align, size_t size);
void *reserve_map(size_t size);

// More for this thread, from begin to end. They nest.
struct reserve {
    struct reserve *outer;
    void *map; // NULL: given up, or less than the reserve of all holds
    size_t size;
};
// False: it cannot be had, and there is nothing to end.
bool reserve_begin(struct reserve *r, size_t size);
void reserve_end(struct reserve *r);

// Where xmalloc and its like jump on this thread when the reserve is gone too; NULL: nowhere. Returns the one before.
jmp_buf *reserve_escape(jmp_buf *to);
// An allocation has failed: true to try it again. False: nothing is left, and nobody waits for an escape.
bool reserve_again(void);
#endif
