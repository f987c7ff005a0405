// See xmalloc.h.
#include "base/xmalloc.h"
#include <stdio.h>
#include <string.h>

static void *checked(void *p, size_t size)
{
    if (!p && size) {
        fputs("heddle: out of memory\n", stderr);
        abort();
    }
    return p;
}

void *xmalloc(size_t size)
{
    return checked(malloc(size), size);
}

void *xcalloc(size_t n, size_t size)
{
    return checked(calloc(n, size), n * size);
}

void *xrealloc(void *p, size_t size)
{
    return checked(realloc(p, size), size);
}

char *xstrdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}
