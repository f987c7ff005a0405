// SPDX-License-Identifier: Apache-2.0
// Memory that is freed whole: one arena for each module or compilation. Not thread-safe; give each thread its own.
#ifndef HEDDLE_BASE_ARENA_H
#define HEDDLE_BASE_ARENA_H
#include <stddef.h>

struct arena_chunk;
struct arena {
    struct arena_chunk *chunk;
};

void arena_init(struct arena *a);
void arena_fini(struct arena *a);
// Zeroed, aligned to 16. Never returns NULL, as xmalloc.
void *arena_alloc(struct arena *a, size_t size);
void *arena_dup(struct arena *a, const void *data, size_t size);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define arena_new(a, type)      ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (size_t)(n)))
#endif
