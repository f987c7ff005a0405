// SPDX-License-Identifier: Apache-2.0
// See xmalloc.h and reserve.h.
#include "base/xmalloc.h"
#include "base/reserve.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// True to try again, else this does not return.
static bool again(void)
{
    if (reserve_again())
        return true;
    fputs("heddle: out of memory\n", stderr);
    abort();
}

void *xmalloc(size_t size)
{
    void *p;
    while (!(p = malloc(size)) && size && again())
        ;
    reserve_note(size);
    return p;
}

void *xcalloc(size_t n, size_t size)
{
    void *p;
    while (!(p = calloc(n, size)) && n && size && again())
        ;
    reserve_note(n * size);
    return p;
}

void *xrealloc(void *p, size_t size)
{
    void *q;
    while (!(q = realloc(p, size)) && size && again())
        ;
    reserve_note(size);
    return q;
}

char *xstrdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}
