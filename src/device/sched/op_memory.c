// SPDX-License-Identifier: Apache-2.0
// Memory of operations. A program's thread makes them and a worker ends them, a million times a second: an allocator whose
// memory goes back to the thread that asked for it, through a lock, costs more than the rest of a launch.
//
//  1. Each thread keeps cells of one size that it takes from and gives back to without any atomic operation.
//  2. A cell goes back to the thread that made it. Others collect such cells and hand over a chain of them at once: one
//     access to a shared cache line for many operations.
//  3. Cells that nobody needs go back to the system: a thread keeps as many as are worth while, not as many as ever were
//     in use at once.
//  4. A thread that ends leaves its store to the next one that begins; cells that are under way come back to it there.
//  5. A cell holds a launch with some 500 bytes of arguments, which is more than kernels and the libraries' functions have. Larger
//     operations, and all of them where a tool watches every allocation, come from malloc.
//  6. A call that has begun gets its operation from the reserve of memory where there is no other.
#include "base/os.h"
#include "base/reserve.h"
#include "device/sched/pool.h"
#include <pthread.h>
#include <stdlib.h>

enum { HEADER = 16, CELL = OP_CELL + HEADER, BATCH = 16, KEEP = 4096, FROM_RESERVE = 64 << 10 };
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(WATCHED)
enum { CELL_MOST = 0 };
#else
enum { CELL_MOST = OP_CELL };
#endif

struct cell {
    struct store *owner; // NULL: from malloc alone
    struct cell *next;
};

struct store {
    struct cell *cells; // the owner's
    unsigned n;
    struct cell *others, *last; // cells of another store, on their way there
    unsigned nothers;
    struct store *next;                       // without a thread
    _Alignas(64) _Atomic(struct cell *) back; // brought back by others
    atomic_uint nback;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct store *orphans;
static _Thread_local struct store *own;
static _Thread_local bool over; // the thread ends

static void chain_free(struct cell *c)
{
    while (c) {
        struct cell *next = c->next;
        free(c);
        c = next;
    }
}

static void hand_over(struct store *s)
{
    struct cell *first = s->others;
    if (!first)
        return;
    struct store *to = first->owner;
    unsigned n = s->nothers;
    s->others = NULL;
    s->nothers = 0;
    if (atomic_load_explicit(&to->nback, memory_order_relaxed) >= KEEP) {
        chain_free(first);
        return;
    }
    atomic_fetch_add_explicit(&to->nback, n, memory_order_relaxed);
    struct cell *head = atomic_load_explicit(&to->back, memory_order_relaxed);
    do
        s->last->next = head;
    while (!atomic_compare_exchange_weak_explicit(&to->back, &head, first, memory_order_release, memory_order_relaxed));
}

static void at_thread_end(void *store)
{
    struct store *s = store;
    hand_over(s);
    own = NULL;
    over = true;
    pthread_mutex_lock(&lock);
    s->next = orphans;
    orphans = s;
    pthread_mutex_unlock(&lock);
}

static struct os_thread_end at_end = {.end = at_thread_end};

static struct store *store_of_thread(void)
{
    if (own || over)
        return own;
    pthread_mutex_lock(&lock);
    struct store *s = orphans;
    if (s)
        orphans = s->next;
    pthread_mutex_unlock(&lock);
    if (!s && (s = aligned_alloc(64, sizeof *s)))
        *s = (struct store){0};
    if (s && !os_at_thread_end(&at_end, s)) {
        pthread_mutex_lock(&lock);
        s->next = orphans;
        orphans = s;
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    return own = s;
}

static void *body(struct cell *c)
{
    return (char *)c + HEADER;
}

void *op_memory_alloc(size_t size)
{
    struct store *s = size <= CELL_MOST ? store_of_thread() : NULL;
    struct cell *c = s ? s->cells : NULL;
    if (!c && s && atomic_load_explicit(&s->back, memory_order_relaxed)) {
        c = atomic_exchange_explicit(&s->back, NULL, memory_order_acquire);
        s->n = atomic_exchange_explicit(&s->nback, 0, memory_order_relaxed);
    }
    if (c) {
        s->cells = c->next;
        s->n--;
        return body(c);
    }
    size = (size + HEADER + 63) & ~(size_t)63;
    size = s ? CELL : size;
    c = size <= FROM_RESERVE ? reserve_alloc(64, size) : aligned_alloc(64, size);
    if (c)
        c->owner = s;
    return c ? body(c) : NULL;
}

void op_memory_free(void *op)
{
    struct cell *c = (struct cell *)((char *)op - HEADER);
    struct store *s = c->owner ? store_of_thread() : NULL;
    if (!s || (s == c->owner && s->n >= KEEP)) {
        free(c);
        return;
    }
    if (s == c->owner) {
        c->next = s->cells;
        s->cells = c;
        s->n++;
        return;
    }
    if (s->others && s->others->owner != c->owner)
        hand_over(s);
    c->next = s->others;
    s->last = s->others ? s->last : c;
    s->others = c;
    if (++s->nothers == BATCH)
        hand_over(s);
}
