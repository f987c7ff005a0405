// SPDX-License-Identifier: Apache-2.0
// See reserve.h.
#include "base/reserve.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// Of address space, never touched. A block of bookkeeping doubles: the old, the new, and as much again for what else the call takes.
enum { UNIT = 4 << 20, TIMES = 4, UNITS_MOST = 4095 };
static _Atomic uintptr_t reserve; // the address of a mapping, and in its low bits how many units; 0: given up
static atomic_size_t wanted = 1;  // units
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // while it is given up
static unsigned times;                                   // it was given up
static _Thread_local unsigned seen;                      // of these, by this thread
static _Thread_local struct reserve *mine;
static _Thread_local jmp_buf *escape;

static void *hold(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static bool give_up(uintptr_t r)
{
    return r && !munmap((void *)(r & ~(uintptr_t)UNITS_MOST), (r & UNITS_MOST) * UNIT);
}

bool reserve_ready(void)
{
    uintptr_t now = atomic_load_explicit(&reserve, memory_order_relaxed);
    size_t units = atomic_load_explicit(&wanted, memory_order_relaxed);
    if (__builtin_expect((now & UNITS_MOST) >= units, 1))
        return true;
    void *p = hold(units * UNIT);
    if (!p)
        return false;
    if (atomic_compare_exchange_strong(&reserve, &now, (uintptr_t)p | units))
        give_up(now);
    else
        munmap(p, units * UNIT); // another thread was faster
    return true;
}

bool reserve_release(void)
{
    for (struct reserve *r = mine; r; r = r->outer)
        if (r->map) {
            void *p = r->map;
            r->map = NULL;
            return !munmap(p, r->size);
        }
    pthread_mutex_lock(&lock);
    times += give_up(atomic_exchange(&reserve, 0));
    bool other = times != seen; // by this thread, or by another one after this thread's allocation failed
    seen = times;
    pthread_mutex_unlock(&lock);
    return other;
}

void *reserve_alloc(size_t align, size_t size)
{
    void *p;
    while (!(p = aligned_alloc(align, size)) && size < UNIT && reserve_release())
        ;
    return p;
}

void *reserve_map(size_t size)
{
    void *p;
    do
        p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    while (p == MAP_FAILED && size < UNIT && reserve_release());
    return p == MAP_FAILED ? NULL : p;
}

void reserve_note(size_t size)
{
    if (__builtin_expect(size <= UNIT / TIMES, 1))
        return;
    size_t units = size / (UNIT / TIMES) + 1, now = atomic_load(&wanted);
    units = units < UNITS_MOST ? units : UNITS_MOST;
    while (now < units && !atomic_compare_exchange_weak(&wanted, &now, units))
        ;
}

bool reserve_begin(struct reserve *r, size_t size)
{
    *r = (struct reserve){.outer = mine, .size = size};
    if (!reserve_ready() || (size > UNIT / TIMES && !(r->map = hold(size))))
        return false;
    mine = r;
    return true;
}

void reserve_end(struct reserve *r)
{
    mine = r->outer;
    if (r->map)
        munmap(r->map, r->size);
}

jmp_buf *reserve_escape(jmp_buf *to)
{
    jmp_buf *before = escape;
    escape = to;
    return before;
}

bool reserve_again(void)
{
    if (reserve_release())
        return true;
    if (escape)
        longjmp(*escape, 1);
    return false;
}
