// SPDX-License-Identifier: Apache-2.0
// The objects behind the handles of a library: a handle that names none of those alive is an error of the caller's, not a
// crash. A library has one list of them.
#ifndef HEDDLE_FRONT_ALIVE_H
#define HEDDLE_FRONT_ALIVE_H
#include <pthread.h>

// The first member of such an object, whose address is the handle.
struct alive {
    struct alive *next;   // in the list of all
    pthread_mutex_t lock; // one call at a time works on an object
};

void alive_add(struct alive *a);
// The object, locked until alive_leave or alive_remove; NULL: none that is alive has this handle.
void *alive_enter(const void *handle);
void alive_leave(struct alive *a);
// Of a locked object: nobody finds it any more, and it may be freed.
void alive_remove(struct alive *a);
#endif
