// SPDX-License-Identifier: Apache-2.0
// Handles. Memory of those that were destroyed is given out again in the order in which it came back, and never freed.
#include "library/library.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // its address is the mark of handles that live
static struct library_handle *first, *last;              // destroyed ones
static unsigned waiting;
enum { KEPT = 64 }; // so many are destroyed before one of them is used again

// The oldest one of that size; under the lock.
static struct library_handle *take(size_t size)
{
    struct library_handle *before = NULL, *h = first;
    while (h && h->size != size) {
        before = h;
        h = h->next;
    }
    if (!h)
        return NULL;
    *(before ? &before->next : &first) = h->next;
    last = h == last ? before : last;
    waiting--;
    return h;
}

void *library_handle_create(size_t size)
{
    struct library_handle *h = NULL;
    pthread_mutex_lock(&lock);
    if (waiting > KEPT)
        h = take(size);
    pthread_mutex_unlock(&lock);
    h = h ? h : malloc(size);
    if (h) {
        memset(h, 0, size);
        h->mark = &lock;
        h->size = size;
    }
    return h;
}

bool library_handle_alive(const void *handle)
{
    return handle && ((const struct library_handle *)handle)->mark == &lock;
}

void library_handle_destroy(void *handle)
{
    struct library_handle *h = handle;
    h->mark = NULL;
    h->next = NULL;
    pthread_mutex_lock(&lock);
    if (waiting++)
        last->next = h;
    else
        first = h;
    last = h;
    pthread_mutex_unlock(&lock);
}
