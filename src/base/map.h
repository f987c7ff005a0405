// SPDX-License-Identifier: Apache-2.0
// Hash maps with open addressing: by string (the key is not copied) and by pointer. A value is a pointer; NULL means
// absent, so NULL cannot be stored. Small integers are stored as (void *)(uintptr_t)(i + 1).
#ifndef HEDDLE_BASE_MAP_H
#define HEDDLE_BASE_MAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
    const void **keys;
    void **values;
    size_t len, cap;
};

void map_free(struct map *m);
void *map_get_str(const struct map *m, const char *key);
void map_put_str(struct map *m, const char *key, void *value);
void *map_get_ptr(const struct map *m, const void *key);
void map_put_ptr(struct map *m, const void *key, void *value);
// False: there is no memory for it, and nothing has changed.
bool map_try_put_ptr(struct map *m, const void *key, void *value);
#endif
