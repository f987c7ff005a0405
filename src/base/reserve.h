// SPDX-License-Identifier: Apache-2.0
// What is left when memory runs out. Each library holds address space back; where an allocation of its bookkeeping fails, the space is
// given up and the allocation tried again, so that the call under way comes to its end. Interfaces refuse further calls while
// the space cannot be had back. A computation that needs more than the reserve escapes as a whole.
#ifndef HEDDLE_BASE_RESERVE_H
#define HEDDLE_BASE_RESERVE_H
#include <setjmp.h>
#include <stdbool.h>

// Gives the reserve up. False: it was given up before.
bool reserve_release(void);
// Is the reserve there, or can it be had back? Cheap while nothing is wrong.
bool reserve_ready(void);
// Where xmalloc and its like jump on this thread when the reserve is gone too; NULL: nowhere. Returns the one before.
jmp_buf *reserve_escape(jmp_buf *to);
#endif
