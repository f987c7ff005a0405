// SPDX-License-Identifier: Apache-2.0
// See xmalloc.h and reserve.h.
#include "base/xmalloc.h"
#include "base/reserve.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
    RESERVE = 4 << 20
}; // of address space, never touched: more than the bookkeeping of any call but those that copy large graphs
static _Atomic(void *) reserve;
static _Thread_local jmp_buf *escape;

static void *reserve_take(void)
{
    void *p = mmap(NULL, RESERVE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

bool reserve_release(void)
{
    void *p = atomic_exchange(&reserve, NULL);
    return p && !munmap(p, RESERVE);
}

bool reserve_ready(void)
{
    if (__builtin_expect(atomic_load_explicit(&reserve, memory_order_relaxed) != NULL, 1))
        return true;
    void *p = reserve_take(), *none = NULL;
    if (p && !atomic_compare_exchange_strong(&reserve, &none, p))
        munmap(p, RESERVE); // another thread was faster
    return p != NULL;
}

jmp_buf *reserve_escape(jmp_buf *to)
{
    jmp_buf *before = escape;
    escape = to;
    return before;
}

// An allocation has failed: true to try it again, else this does not return.
static bool again(void)
{
    if (reserve_release())
        return true;
    if (escape)
        longjmp(*escape, 1);
    fputs("heddle: out of memory\n", stderr);
    abort();
}

void *xmalloc(size_t size)
{
    void *p;
    while (!(p = malloc(size)) && size && again())
        ;
    return p;
}

void *xcalloc(size_t n, size_t size)
{
    void *p;
    while (!(p = calloc(n, size)) && n && size && again())
        ;
    return p;
}

void *xrealloc(void *p, size_t size)
{
    void *q;
    while (!(q = realloc(p, size)) && size && again())
        ;
    return q;
}

char *xstrdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}
