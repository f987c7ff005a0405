// SPDX-License-Identifier: Apache-2.0
// Allocation for our own small bookkeeping, which never gives NULL: reserve.h tells what stands in when the system is out of memory. Memory whose size a
// user or an input file decides is taken with malloc or mmap and checked.
#ifndef HEDDLE_BASE_XMALLOC_H
#define HEDDLE_BASE_XMALLOC_H
#include <stdlib.h>

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
#endif
