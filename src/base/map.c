// SPDX-License-Identifier: Apache-2.0
// See map.h. Linear probing, at most half full; there is no removal.
#include "base/map.h"
#include "base/hash.h"
#include "base/xmalloc.h"
#include <stdbool.h>
#include <string.h>

static size_t ptr_hash(const void *key)
{
    return (size_t)((((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15ull) >> 20);
}

static size_t find(const struct map *m, const void *key, size_t hash, bool text)
{
    for (size_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        const void *k = m->keys[i];
        if (!k || k == key || (text && !strcmp(k, key)))
            return i;
    }
}

static void put(struct map *m, const void *key, void *value, bool text);

static bool is_full(const struct map *m)
{
    return m->len * 2 >= m->cap;
}

static size_t larger(const struct map *m)
{
    return m->cap ? m->cap * 2 : 16;
}

// Into tables of the larger size, which are zero.
static void move(struct map *m, const void **keys, void **values, bool text)
{
    struct map old = *m;
    *m = (struct map){.keys = keys, .values = values, .cap = larger(&old)};
    for (size_t i = 0; i < old.cap; i++)
        if (old.keys[i])
            put(m, old.keys[i], old.values[i], text);
    free(old.keys);
    free(old.values);
}

static void put(struct map *m, const void *key, void *value, bool text)
{
    if (is_full(m)) {
        const void **keys = xcalloc(larger(m), sizeof *keys);
        move(m, keys, xcalloc(larger(m), sizeof *m->values), text);
    }
    size_t i = find(m, key, text ? (size_t)hash_text(key) : ptr_hash(key), text);
    m->len += !m->keys[i];
    m->keys[i] = key;
    m->values[i] = value;
}

void map_free(struct map *m)
{
    free(m->keys);
    free(m->values);
    *m = (struct map){0};
}

void *map_get_str(const struct map *m, const char *key)
{
    return m->cap ? m->values[find(m, key, (size_t)hash_text(key), true)] : NULL;
}

void map_put_str(struct map *m, const char *key, void *value)
{
    put(m, key, value, true);
}

void *map_get_ptr(const struct map *m, const void *key)
{
    return m->cap ? m->values[find(m, key, ptr_hash(key), false)] : NULL;
}

void map_put_ptr(struct map *m, const void *key, void *value)
{
    put(m, key, value, false);
}

bool map_try_put_ptr(struct map *m, const void *key, void *value)
{
    if (is_full(m)) {
        const void **keys = calloc(larger(m), sizeof *keys);
        void **values = calloc(larger(m), sizeof *values);
        if (!keys || !values) {
            free(keys);
            free(values);
            return false;
        }
        move(m, keys, values, false);
    }
    put(m, key, value, false);
    return true;
}
