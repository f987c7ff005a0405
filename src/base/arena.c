// SPDX-License-Identifier: Apache-2.0
// Bump allocation in chunks that double in size.
#include "base/arena.h"
#include "base/xmalloc.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    _Alignas(16) char data[];
};

void arena_init(struct arena *a)
{
    a->chunk = NULL;
}

void arena_fini(struct arena *a)
{
    for (struct arena_chunk *c = a->chunk, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    a->chunk = NULL;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    struct arena_chunk *c = a->chunk;
    if (!c || c->size - c->used < size) {
        size_t n = c ? c->size * 2 : 4096;
        if (n > (1u << 20))
            n = 1u << 20;
        if (n < size)
            n = size;
        c = xcalloc(1, sizeof *c + n);
        c->size = n;
        c->next = a->chunk;
        a->chunk = c;
    }
    void *p = c->data + c->used;
    c->used += size;
    return p;
}

void *arena_dup(struct arena *a, const void *data, size_t size)
{
    void *p = arena_alloc(a, size);
    if (size)
        memcpy(p, data, size);
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    memcpy(p, s, n);
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        n = 0;
    char *p = arena_alloc(a, (size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return p;
}
