// SPDX-License-Identifier: Apache-2.0
// Memory of a thread's part: a stack of what was taken.
#include "base/log.h"
#include "cusolver/dense/la.h"
#include <stdlib.h>

enum { MOST = 256, ALIGN = 64 };
static _Thread_local void *taken[MOST];
static _Thread_local int count;

int la_mark(void)
{
    return count;
}

// The fault that ends a kernel.
static void no_memory(void)
{
    static int *volatile nowhere;
    log_write(LOG_ERROR, "cuSOLVER: there is no memory for a factorisation");
    *nowhere = 0;
}

void *la_take(size_t bytes)
{
    void *p = count < MOST ? aligned_alloc(ALIGN, (bytes / ALIGN + 1) * ALIGN) : NULL;
    if (!p)
        no_memory();
    taken[count++] = p;
    return p;
}

void la_release(int mark)
{
    while (count > mark)
        free(taken[--count]);
}
